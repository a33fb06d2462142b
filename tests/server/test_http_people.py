"""Patrons and staff over HTTP: limits, breaks, money, statements, positions, and who may ask for what."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from itertools import count
from typing import Any

import pytest

from longhu.positions import Position
from longhu.server.api import statement
from longhu.server.api.app import create
from longhu.server.api.description.openapi import describe
from longhu.server.config import Config
from longhu.server.house import House
from longhu.server.streams.commands import SYSTEM
from longhu.store.entries import Play, PlaySums
from tests.server.running import PASSWORD, PEOPLE, Client, Running, agreed, quick, running

NUMBERS = count(1)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("people") / "house.db")) as server:
        server.staffed()
        server.open_table("T1", minimum="5.00", maximum="100.00")
        yield server


@pytest.fixture
def patron(site: Running) -> Client:
    """A patron of its own for each test, with 500.00."""
    person = f"patron-{next(NUMBERS)}"
    olga = site.signed_in("olga")
    made = olga.post("/api/people", json={"person": person, "password": "a good password"})
    assert made.status_code == 201, made.text
    paid = {"act": "pay-in", "amount": "500.00", "reference": "receipt 7", "why": "cash at the cage"}
    cass = site.signed_in("cass")
    assert cass.post(f"/api/people/{person}/acts", json={"id": f"in-{person}", "act": paid}).status_code == 200
    client = site.client()
    client.sign_in(person, "a good password")
    chosen = client.post("/api/me/password", json={"old": "a good password", "new": "a password of my own"})
    assert chosen.status_code == 200, chosen.text
    return client


def name(client: Client) -> str:
    found: str = client.get_json("/api/session")["person"]
    return found


# ------------------------------------------------ patrons


def limit(client: Client, kind: str, span: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        each for each in client.get_json("/api/me/limits")["limits"] if (each["kind"], each["span"]) == (kind, span)
    )
    return found


def test_others_see_a_chosen_name_and_never_the_one_that_is_signed_in_with(site: Running, patron: Client) -> None:
    """Whoever looks on is told a seat, a number of the visit and the chosen name; staff are told who it is."""
    person, bob, stranger, dee = name(patron), site.signed_in("bob"), site.client(), site.signed_in("dee")

    def seat(client: Client) -> dict[str, Any]:
        found: dict[str, Any] = client.get_json("/api/tables/T1")["view"]["seats"]
        return next(each for each in found.values() if each["seat"] == 6)

    for wanted, status in (
        ("lucky", 409),
        (person, 409),
        ("#7", 409),
        ("x" * 25, 400),
        ("Lucky\u0007", 409),
        ("Lucky", 200),
    ):
        answer = patron.put(
            "/api/me/display-name", json={"id": f"name {wanted[:9]}".replace(" ", "-").encode().hex(), "name": wanted}
        )
        assert answer.status_code == status, answer.text
    assert patron.post("/api/tables/T1/seat", json={"id": "sit", "seat": 6, "buy_in": "50.00"}).status_code == 200
    for client in (bob, stranger, patron):
        told = seat(client)
        assert told["name"] == "Lucky"
        assert told["person"].startswith("#")
        assert person not in client.get("/api/tables/T1").text
    assert seat(dee) == {**seat(bob), "person": person}
    assert patron.get_json("/api/tables/T1")["view"]["viewer"] == seat(bob)["person"]
    assert patron.request("DELETE", "/api/tables/T1/seat", params={"id": "go"}).status_code == 200


@pytest.mark.clause("LOG-5", "MON-3")
def test_an_account_is_closed_once_nothing_of_its_owner_is_left(site: Running, patron: Client) -> None:
    everything = {"id": "sit", "buy_in": "500.00"}
    assert patron.post("/api/tables/T1/seat", json=everything).status_code == 200
    by_staff = {"id": "c0", "act": {"act": "close", "why": "asked for it"}}
    olga, acts = site.signed_in("olga"), f"/api/people/{name(patron)}/acts"
    answer = olga.post(acts, json=by_staff)
    assert (answer.status_code, answer.json()["clause"]) == (409, "MON-3")
    assert "T1" in answer.json()["detail"]
    left = patron.delete("/api/tables/T1/seat", params={"id": "go"})
    assert left.status_code == 200, left.text
    bye = {"id": "c1", "why": "enough", "password": "a password of my own"}
    assert patron.post("/api/me/closing", json=bye).json()["clause"] == "MON-3"  # 500.00 in the wallet
    paid = {"id": "w", "act": {"act": "pay-out", "amount": "500.00", "why": "cash at the cage"}}
    assert olga.post(acts, json=paid).json()["clause"] == "SEC-1"
    assert site.signed_in("cass").post(acts, json=paid).status_code == 200
    closed = patron.post("/api/me/closing", json=bye)
    assert closed.status_code == 200, closed.text
    assert patron.get("/api/me").status_code == 401


@pytest.mark.clause("SEC-2")
@pytest.mark.parametrize("position", [None, Position.DEALER], ids=["patron", "dealer"])
def test_nobody_closes_an_account_without_its_password(site: Running, position: Position | None) -> None:
    """A screen that was left open is not enough, and neither is a guess."""
    person = f"leaves-{'staff' if position else 'patron'}"

    async def made(house: House) -> None:
        agreed(await house.people.create(SYSTEM, person, "", PASSWORD, position))

    site.do(made)
    client = site.client()
    client.sign_in(person, PASSWORD)
    for number, told in enumerate(({}, {"password": "a guess of somebody"})):
        answer = client.post("/api/me/closing", json={"id": f"c{number}", "why": "enough", **told})
        assert (answer.status_code, answer.json()["clause"]) == (409, "SEC-2"), answer.text
    assert client.get_json("/api/me")["person"] == person
    closed = client.post("/api/me/closing", json={"id": "c3", "why": "enough", "password": PASSWORD})
    assert closed.status_code == 200, closed.text


@pytest.mark.clause("LIM-2")
def test_a_lower_limit_holds_at_once_and_a_higher_one_waits(site: Running, patron: Client) -> None:
    for id, most in (("l1", "700.00"), ("l2", "600.00")):
        answer = patron.put("/api/me/limits", json={"id": id, "kind": "deposit", "span": "day", "most": most})
        assert answer.status_code == 200, answer.text
    assert limit(patron, "deposit", "day")["most"] == "600.00"
    patron.put("/api/me/limits", json={"id": "l3", "kind": "deposit", "span": "day", "most": None})
    waiting = limit(patron, "deposit", "day")
    assert (waiting["most"], waiting["asked"]) == ("600.00", "none")
    assert waiting["earliest"] >= patron.get_json("/api/me")["at"] + 23 * 3_600_000
    early = {"id": "l4", "kind": "deposit", "span": "day", "most": None, "confirm": True}
    assert patron.put("/api/me/limits", json=early).json()["clause"] == "LIM-2"
    over = {"act": "pay-in", "amount": "100.01", "why": "cash"}
    answer = site.signed_in("cass").post(f"/api/people/{name(patron)}/acts", json={"id": "d1", "act": over})
    assert (answer.status_code, answer.json()["clause"]) == (409, "LIM-2")


@pytest.mark.clause("LIM-3")
def test_limits_of_time_are_in_minutes(patron: Client) -> None:
    asked = {"id": "t1", "kind": "time", "span": "day", "most": "90"}
    assert patron.put("/api/me/limits", json=asked).status_code == 200
    assert limit(patron, "time", "day")["most"] == "90"
    half = patron.put("/api/me/limits", json={**asked, "id": "t2", "most": "90.5"})
    assert half.status_code == 400


@pytest.mark.clause("LIM-3")
@pytest.mark.parametrize(
    ("path", "asked"), [("cool-off", {"hours": 24}), ("exclusion", {"days": 183})], ids=["cool-off", "exclusion"]
)
def test_a_break_holds_at_once_at_the_table_too(
    site: Running, patron: Client, path: str, asked: dict[str, int]
) -> None:
    sat = patron.post("/api/tables/T1/seat", json={"id": "s1", "seat": None, "buy_in": "50.00"})
    assert sat.status_code == 200, sat.text
    site.until("T1", lambda table: table.round is not None)
    assert patron.post(f"/api/me/{path}", json={"id": "b1", **asked}).status_code == 200
    refused = patron.command("T1", "place-wager", place=1, wager="tie", amount="5.00")
    assert (refused.status_code, refused.json()["clause"]) == (409, "LIM-3")
    me = patron.get_json("/api/me")
    assert me["may_play"] is False
    assert me["why_not"]
    assert patron.delete("/api/tables/T1/seat", params={"id": "l1"}).status_code == 200
    assert patron.get_json("/api/me")["balance"] == "500.00"
    shorter = {key: value - 1 for key, value in asked.items()}
    assert patron.post(f"/api/me/{path}", json={"id": "b2", **shorter}).status_code == 409


@pytest.mark.clause("PLY-2")
def test_a_reality_check_is_acknowledged_before_play_goes_on(patron: Client) -> None:
    assert patron.put("/api/me/reality-check", json={"id": "r1", "minutes": 1}).status_code == 200
    assert patron.post("/api/me/reality-check", json={"id": "r2"}).status_code == 200
    me = patron.get_json("/api/me")
    assert 0 < me["next_check"] - me["at"] <= 60_000


@pytest.mark.clause("MON-3")
def test_real_money_is_paid_in_and_out_at_the_cage(site: Running, patron: Client) -> None:
    for path in ("deposits", "withdrawals"):
        answer = patron.post(f"/api/me/{path}", json={"id": path, "amount": "5.00"})
        assert (answer.status_code, answer.json()["message"]["code"]) == (409, "cage-only")
    out = {"act": "pay-out", "amount": "500.01", "why": "asked for"}
    cass, place = site.signed_in("cass"), f"/api/people/{name(patron)}/acts"
    assert cass.post(place, json={"id": "o1", "act": out}).json()["clause"] == "MON-3"
    assert cass.post(place, json={"id": "o2", "act": {**out, "amount": "499.99"}}).status_code == 200
    assert patron.get_json("/api/me")["balance"] == "0.01"


@pytest.mark.clause("REC-3")
def test_money_moves_once_and_an_id_is_for_one_amount(site: Running, patron: Client) -> None:
    cass, place = site.signed_in("cass"), f"/api/people/{name(patron)}/acts"
    paid = {"id": "once", "act": {"act": "pay-in", "amount": "10.00", "why": "cash"}}
    assert [cass.post(place, json=paid).json()["duplicate"] for _ in range(2)] == [False, True]
    assert patron.get_json("/api/me")["balance"] == "510.00"
    for forgets in (False, True):
        if forgets:
            site.forget_ids()
        other = cass.post(place, json={"id": "once", "act": {**paid["act"], "amount": "11.00"}})  # type: ignore[dict-item]
        assert (other.status_code, other.json()["type"]) == (409, "/api/problems#id-reused")
    assert patron.get_json("/api/me")["balance"] == "510.00"


OWN: dict[
    str, tuple[str, str, dict[str, Any], dict[str, Any]]
] = {  # what somebody asks of their own account, and the same with another content
    "limit": ("put", "limits", {"kind": "loss", "span": "day", "most": "100.00"}, {"most": "50.00"}),
    "cool-off": ("post", "cool-off", {"hours": 24}, {"hours": 48}),
    "exclusion": ("post", "exclusion", {"days": 183}, {"days": 365}),
    "check": ("put", "reality-check", {"minutes": 30}, {"minutes": 5}),
}


@pytest.mark.clause("REC-3", "LIM-3")
@pytest.mark.parametrize("what", OWN)
@pytest.mark.parametrize("forgets", [False, True], ids=["the same node", "another, or after a restart"])
def test_an_id_of_an_account_is_for_one_thing(site: Running, patron: Client, what: str, forgets: bool) -> None:
    """What was done under it before must not look like what is asked now: somebody would believe that they are protected."""

    def asks(method: str, path: str, told: dict[str, Any]) -> tuple[int, object]:
        answer = patron.request(method, f"/api/me/{path}", json={"id": "one", **told})
        return answer.status_code, answer.json().get("duplicate", answer.json().get("type"))

    method, path, told, other = OWN[what]
    assert asks(method, path, told) == (200, False)
    assert asks(method, path, told) == (200, True)
    if forgets:
        site.forget_ids()
    assert asks(method, path, {**told, **other}) == (409, "/api/problems#id-reused")
    assert asks(method, path, told) == (200, True), "and what it was for, it is still for"
    for elsewhere, (method, path, told, _) in OWN.items():
        if elsewhere != what:
            assert asks(method, path, told) == (409, "/api/problems#id-reused")


@pytest.mark.clause("REC-3")
def test_what_was_refused_under_an_id_is_refused_again_and_no_answer_to_something_else(patron: Client) -> None:
    refused, again = (patron.post("/api/me/deposits", json={"id": "no", "amount": "5.00"}).json() for _ in range(2))
    assert refused["type"] == again["type"] == "/api/problems#refused"
    assert refused["detail"] == again["detail"]
    other = patron.post("/api/me/cool-off", json={"id": "no", "hours": 24}).json()
    assert other["type"] == "/api/problems#id-reused"
    assert patron.get_json("/api/me")["cool_off_until"] is None


@pytest.mark.clause("MON-5")
def test_a_statement_as_json_and_for_a_spreadsheet(site: Running, patron: Client) -> None:
    person = name(patron)
    told = patron.get_json("/api/me/statement")
    assert (told["deposits"], told["withdrawals"], told["net"], told["balance"]) == ("500.00", "0.00", "0.00", "500.00")
    assert told["lifetime_net_deposits"] == "500.00"
    assert [(each["kind"], each["amount"], each["by"]) for each in told["movements"]] == [("deposit", "500.00", "cass")]
    later = patron.get_json("/api/me/statement", since=told["until"])
    assert (later["movements"], later["deposits"], later["lifetime_net_deposits"]) == ([], "0.00", "500.00")
    answer = patron.get("/api/me/statement", params={"form": "csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.reader(StringIO(answer.text)))
    assert rows[1][1:] == ["deposit", "", "", "", "500.00", "cass", "receipt 7"]
    assert ["", "net", "", "", "", "0.00", "", ""] in rows
    assert "play money" not in answer.text
    assert site.signed_in("pat").get_json(f"/api/people/{person}/statement")["deposits"] == "500.00"
    assert site.signed_in("sue").get(f"/api/people/{person}/statement").status_code == 403


@pytest.mark.clause("MON-5")
def test_a_statement_comes_page_by_page_and_a_spreadsheet_whole(
    site: Running, patron: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many a round: the newest page first, none told twice, none left out; the sums are those of the whole period."""
    monkeypatch.setattr(statement, "PAGE_MAX", 4)  # of the spreadsheet
    person, times = name(patron), [1_000 * number for number in range(1, 11)]
    plays = [Play(person, "T1", at // 1000, at, 100, (-1) ** (at // 1000) * 100, at) for at in times]
    monkeypatch.setattr(site.house.store, "plays", _paged(plays))
    monkeypatch.setattr(site.house.store, "sums", lambda *_, **__: PlaySums(10, 1000, 0))
    until = patron.get_json("/api/me")["at"] + 1
    found: list[int] = []
    page: dict[str, Any] = {"before": None}
    payments = 0
    while not found or page["before"] is not None:
        asked = {"since": 0, "until": until, "limit": 3} | ({"before": page["before"]} if found else {})
        page = patron.get_json("/api/me/statement", **asked)
        assert (page["staked"], page["net"], page["deposits"]) == ("10.00", "0.00", "500.00")
        found, payments = [each["round"] for each in page["plays"]] + found, payments + len(page["movements"])
    assert (found, payments) == (list(range(1, 11)), 1)
    answer = patron.get("/api/me/statement", params={"form": "csv", "since": 0, "until": until})
    rows = list(csv.reader(StringIO(answer.text)))
    assert [row[1] for row in rows[:2]] == ["what", "deposit"]
    assert [row[3] for row in rows[2:12]] == [str(number) for number in range(10, 0, -1)]
    assert ["", "staked", "", "", "", "10.00", "", ""] in rows[12:]


def _paged(plays: list[Play]) -> Any:
    def asked(_: str, *, since: int = 0, before: int, limit: int) -> list[Play]:
        return [each for each in reversed(plays) if since <= each.at < before][:limit]

    return asked


@pytest.mark.clause("MON-5")
def test_a_statement_tells_what_lies_at_tables(patron: Client) -> None:
    """So that all of somebody's money is on it: what is in the wallet, at tables, and was won or lost, is what was paid in."""
    sat = patron.post("/api/tables/T1/seat", json={"id": "s1", "seat": None, "buy_in": "50.00"})
    assert sat.status_code == 200, sat.text
    told = patron.get_json("/api/me/statement")
    assert (told["balance"], told["at_tables"], told["lifetime_net_deposits"]) == ("450.00", "50.00", "500.00")
    rows = list(csv.reader(StringIO(patron.get("/api/me/statement", params={"form": "csv"}).text)))
    assert ["", "at tables", "", "", "", "50.00", "", ""] in rows
    assert patron.delete("/api/tables/T1/seat", params={"id": "l1"}).status_code == 200
    told = patron.get_json("/api/me/statement")
    assert (told["balance"], told["at_tables"]) == ("500.00", "0.00")


def test_no_spreadsheet_takes_a_text_for_a_formula(site: Running, patron: Client) -> None:
    paid = {"act": "pay-in", "amount": "1.00", "reference": "=1+1", "why": "cash"}
    site.signed_in("cass").post(f"/api/people/{name(patron)}/acts", json={"id": "f", "act": paid})
    rows = csv.reader(StringIO(patron.get("/api/me/statement", params={"form": "csv"}).text))
    assert "'=1+1" in [row[-1] for row in rows]


# ------------------------------------------------ staff


@pytest.mark.clause("LOG-4", "SEC-1")
def test_positions_are_given_from_above_and_with_a_reason(site: Running) -> None:
    olga, pat = site.signed_in("olga"), site.signed_in("pat")
    new = {"password": "a good password", "signatures": site.signs("gus")}
    made = pat.post("/api/people", json={**new, "person": "newdealer", "position": "dealer"})
    assert (made.status_code, made.json()["position"]) == (201, "dealer")
    above = pat.post("/api/people", json={**new, "person": "newmanager", "position": "pit-manager"})
    assert (above.status_code, above.json()["clause"]) == (409, "SEC-1")
    promote = {"act": "change-position", "to": "pit-supervisor"}
    place = "/api/people/newdealer/acts"
    signed = {"signatures": site.signs("gus")}
    assert olga.post(place, json={"id": "1", "act": promote, **signed}).status_code == 409  # no reason
    promote["why"] = "passed the examination"
    assert olga.post(place, json={"id": "2", "act": promote}).json()["message"]["code"] == "takes-two-people"
    answer = olga.post(place, json={"id": "3", "act": promote, **signed})
    assert answer.status_code == 200, answer.text
    trail = site.signed_in("alba").get_json("/api/audit/people/newdealer")["records"]
    changed = next(each["event"] for each in trail if each["event"]["event"] == "position-changed/1")
    assert (changed["by"], changed["second"], changed["before"], changed["after"], changed["why"]) == (
        "olga",
        "gus",
        "dealer",
        "pit-supervisor",
        "passed the examination",
    )


def test_the_house_bars_and_lets_back_in(site: Running, patron: Client) -> None:
    place, pat, gus = f"/api/people/{name(patron)}/acts", site.signed_in("pat"), site.signed_in("gus")
    assert pat.post(place, json={"id": "1", "act": {"act": "bar", "why": "counted cards"}}).status_code == 200
    assert patron.get_json("/api/me")["may_play"] is False
    assert pat.get_json(f"/api/people/{name(patron)}")["barred"] is True
    assert pat.post(place, json={"id": "2", "act": {"act": "lift-bar", "why": "a mistake"}}).status_code == 409
    assert gus.post(place, json={"id": "3", "act": {"act": "lift-bar", "why": "a mistake"}}).status_code == 200
    impose = {"act": "impose-limit", "kind": "loss", "span": "day", "most": "20.00", "why": "asked for by the family"}
    assert pat.post(place, json={"id": "4", "act": impose}).status_code == 200
    assert limit(patron, "loss", "day")["house"] == "20.00"


@pytest.mark.clause("SEC-1")
def test_a_supervisor_creates_patrons_and_no_staff(site: Running) -> None:
    sue, pat = site.signed_in("sue"), site.signed_in("pat")
    dealer = {"person": "second-dealer", "password": "a good password", "position": "dealer"}
    refused = sue.post("/api/people", json=dealer)
    assert (refused.status_code, refused.json()["remedy"]["args"]) == (409, {"position": "pit-manager"})
    assert pat.post("/api/people", json={**dealer, "signatures": site.signs("gus")}).status_code == 201
    assert sue.post("/api/people", json={"person": "new-patron", "password": "a good password"}).status_code == 201


@pytest.mark.clause("SEC-1")
def test_whoever_has_a_password_that_another_chose_chooses_one_before_anything_else(site: Running) -> None:
    """Every route that is not for strangers refuses them, and those for strangers take them for one."""
    given, own = "chosen by the house", "a password of my own"
    made = {"person": "new-dealer", "password": given, "position": "dealer", "signatures": site.signs("gus")}
    assert site.signed_in("pat").post("/api/people", json=made).status_code == 201
    new = site.client()
    assert new.sign_in("new-dealer", given)["must_change_password"] is True
    for path in ("/api/floor", "/api/tables/T1/acts", "/api/sessions"):
        answer = new.get(path)
        assert (answer.status_code, answer.json()["message"]["code"]) == (403, "password-chosen-by-another"), path
    assert new.command("T1", "suspend-table", reason="x").status_code == 403
    assert new.get_json("/api/tables/T1")["view"]["role"] == "spectator"
    assert new.get_json("/api/me")["person"] == new.get_json("/api/session")["person"] == "new-dealer"
    assert new.post("/api/me/password", json={"old": given, "new": given}).status_code == 409
    assert new.post("/api/me/password", json={"old": given, "new": own}).status_code == 200
    assert new.get_json("/api/session")["must_change_password"] is False
    assert new.get_json("/api/tables/T1")["view"]["role"] == "dealer"
    assert new.get("/api/tables/T1/acts").status_code == 200


def test_everybody_is_listed_page_by_page(site: Running) -> None:
    sue = site.signed_in("sue")
    names: list[str] = []
    after: str | None = ""
    while after is not None:
        page = sue.get_json("/api/people", limit=3, after=after)
        names += [each["person"] for each in page["people"]]
        after = page["after"]
    assert names == sorted(names)
    assert set(PEOPLE) <= set(names)
    assert sue.get("/api/people/nobody-at-all").status_code == 404
    assert [each["person"] for each in sue.get_json("/api/people", prefix="olg")["people"]] == ["olga"]


def test_somebody_who_has_forgotten_the_password_gets_another(site: Running, patron: Client) -> None:
    person = name(patron)
    another, place = {"password": "another one"}, f"/api/people/{person}/password"
    assert site.signed_in("gus").post(place, json=another).json()["clause"] == "SEC-1"
    assert site.signed_in("gus").post(place, json={**another, "signatures": site.signs("sue")}).status_code == 200
    assert patron.get("/api/me").status_code == 401
    site.client().sign_in(person, "another one")


@pytest.mark.clause("SEC-2", "LOG-3")
def test_an_alert_stays_until_somebody_who_may_has_looked(site: Running) -> None:
    site.signed_in("alba").get_json("/api/audit/house")
    pat, gus = site.signed_in("pat"), site.signed_in("gus")
    alert = next(each for each in pat.get_json("/api/alerts") if each["kind"] == "export")
    place = f"/api/alerts/{alert['number']}"
    assert pat.post(place, json={"id": "1", "why": "seen"}).status_code == 409
    assert gus.post(place, json={"id": "1", "why": "seen"}).status_code == 200
    assert alert["number"] not in [each["number"] for each in gus.get_json("/api/alerts")]


@pytest.mark.clause("OPS-4")
def test_the_floor_shows_trays_and_what_tables_have_won(site: Running) -> None:
    told = next(each for each in site.signed_in("sue").get_json("/api/floor") if each["table"] == "T1")
    assert (told["open"], told["tray"][-3:], told["driven_by"]) == (True, ".00", site.config.node)
    assert float(told["win"]) == float(told["tray"]) + float(told["drop"]) - 100_000


# ------------------------------------------------ who may ask for what

OPERATIONS = [
    (method, path, told)
    for path, item in describe(create(Config()))["paths"].items()
    for method, told in item.items()
    if "security" in told
]
SELF = ("/api/me", "/api/session")
OF_PATRONS = ("/api/me/", "/api/tables/", "/api/disputes")


def ask(client: Client, method: str, path: str, told: dict[str, Any]) -> int:
    """Ask with the example of the description."""
    for part, real in {
        "{table}": "T1",
        "{person}": "bob",
        "{game}": "dragon-tiger",
        "{number}": "1",
        "{account}": "cage",
    }.items():
        path = path.replace(part, real)
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    query = {"id": "who-may-1", "table": "T1", "run": "1", "kind": "verify", "trail": "T1", "sequence": "1"}
    asked = {each["name"] for each in told["parameters"] if each["in"] == "query"} & set(query)
    params = {name: query[name] for name in asked}
    return client.request(method.upper(), path, json=body, params=params).status_code


@pytest.mark.clause("SEC-1")
def test_nobody_who_is_not_signed_in_gets_anywhere(site: Running) -> None:
    stranger = site.client()
    for method, path, told in OPERATIONS:
        assert ask(stranger, method, path, told) == 401, path


@pytest.mark.clause("SEC-1", "LOG-6")
def test_the_auditor_reads_everything_and_changes_nothing(site: Running) -> None:
    for method, path, told in OPERATIONS:
        if path.startswith(SELF) and path not in ("/api/me",):
            continue  # one's own sessions and password
        status = ask(site.signed_in("alba"), method, path, told)
        unannounced = path.endswith("/reckoning")  # there is nothing to collect and to pay yet
        found = 409 if unannounced else 404 if "{number}" in path else 200
        assert status == (403 if method != "get" else found), (method, path)


@pytest.mark.clause("SEC-1")
def test_surveillance_reads_everything_and_changes_nothing(site: Running) -> None:
    """It may give commands at a table, of which the table takes those that confirm facts."""
    for method, path, told in OPERATIONS:
        if path.startswith(SELF) and path != "/api/me":
            continue
        status = ask(site.signed_in("siv"), method, path, told)
        unannounced = path.endswith("/reckoning")
        found = 409 if unannounced or method != "get" else 404 if "{number}" in path else 200
        assert status == (403 if method != "get" and not path.endswith("/commands") else found), (method, path)


@pytest.mark.clause("SEC-1")
def test_the_cage_reads_the_floor_and_people_and_no_records(site: Running) -> None:
    cass = site.signed_in("cass")
    may = {path for method, path, told in OPERATIONS if method == "get" and ask(cass, method, path, told) != 403}
    assert {"/api/floor", "/api/floor/{table}", "/api/people", "/api/people/{person}", "/api/alerts"} <= may
    assert not any(path.startswith("/api/audit") for path in may)
    assert "/api/people/{person}/statement" not in may
    changes = {
        path
        for method, path, told in OPERATIONS
        if method != "get" and not path.startswith(SELF) and ask(cass, method, path, told) != 403
    }
    assert changes == {"/api/tables/{table}/commands", "/api/people/{person}/acts"}


@pytest.mark.clause("SEC-1")
def test_a_patron_gets_nowhere_beyond_tables_and_the_own_account(patron: Client) -> None:
    for method, path, told in OPERATIONS:
        own = path == "/api/me" or path.startswith((*OF_PATRONS, "/api/session"))
        if not own or path.endswith("/shoe"):
            assert ask(patron, method, path, told) == 403, (method, path)


@pytest.mark.clause("IDT-6.2")
def test_a_higher_position_may_ask_what_a_lower_one_may(site: Running) -> None:
    ladder = [person for person, position in PEOPLE.items() if position is not None and position > Position.PATRON]
    allowed: set[tuple[str, str]] = set()
    for person in ladder:
        client = site.signed_in(person)
        mine = {
            (method, path)
            for method, path, told in OPERATIONS
            if method == "get" and not path.startswith(SELF) and ask(client, method, path, told) != 403
        }
        assert allowed <= mine, person
        allowed = mine
