"""Money in and out of the tray over HTTP: fills by four people, blind counts, and what nobody who counts is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from longhu.table.fills import NOT_THE_CAGE
from tests.server.running import STANDING, Client, Running, quick, running

CHIPS = {"1000.00": 3, "100.00": 20}  # 5,000.00
TRAY = {"1000.00": 90, "100.00": 100}  # 100,000.00
LEDGER = (
    "100000.00",
    "105000.00",
    "10000000",
    "10500000",
)  # what must not be told: in the API's words, and the records'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("cage") / "house.db")) as server:
        server.staffed()
        server.open_table("approved")  # so that the game is
        yield server


@pytest.fixture
def table(site: Running) -> str:
    """A table with real chips, opened by two who counted them; Dee has the deal."""
    name = f"C{uuid4().hex[:6]}"
    opened = opening(site, name)
    assert opened.status_code == 201, opened.text
    done(site.signed_in("dee").command(name, "take-the-deal"))
    return name


def opening(site: Running, name: str, **changes: Any) -> httpx.Response:
    told = {"id": uuid4().hex, "table": name, "game": "dragon-tiger", "dealer": "human", "device": "hand-shoe", "chips": "physical", "equipment": STANDING,
            "float": "100000.00", "counted": TRAY, "signatures": site.signs("dee")}  # fmt: skip
    return site.signed_in("sue").post("/api/tables", json={**told, **changes})


def closing(site: Running, name: str, **changes: Any) -> httpx.Response:
    told = {"id": uuid4().hex, "float_counted": "100000.00", "counted": TRAY, "signatures": site.signs("dee")}
    return site.signed_in("sue").post(f"/api/tables/{name}/closing", json={**told, **changes})


def done(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def refused(answer: httpx.Response, clause: str = "OPS-3") -> dict[str, Any]:
    told: dict[str, Any] = answer.json()
    assert (answer.status_code, told.get("clause")) == (409, clause), answer.text
    return told


def here(cass: Client, table: str) -> Any:
    """What the cage sees of this table."""
    return [each for each in cass.get_json("/api/cage") if each["table"] == table]


# ---------------------------------------------------------------- fills


@pytest.mark.clause("OPS-3", "SEC-1")
@pytest.mark.parametrize("person", ["sue", "pat", "gus", "olga"])
def test_one_person_cannot_do_it_all_whatever_they_rank(site: Running, table: str, person: str) -> None:
    """Asked for, delivered and accepted by one supervisor: the next step of each is refused."""
    client = site.signed_in(person)
    done(client.command(table, "request-chips", kind="fill", amount="5000.00", chips=CHIPS))
    told = refused(client.command(table, "issue-chips", number=1))
    position = client.get_json("/api/session")["position"]
    assert told["message"] == json.loads(
        json.dumps({"code": NOT_THE_CAGE.code, "args": {"kind": "fill", "position": position}})
    )
    refused(client.command(table, "deliver-chips", number=1))
    refused(client.command(table, "accept-chips", number=1, chips=CHIPS))
    done(site.signed_in("cass").command(table, "issue-chips", number=1))
    refused(client.command(table, "deliver-chips", number=1))
    done(client.command(table, "take-the-deal"))
    refused(client.command(table, "accept-chips", number=1, chips=CHIPS))


@pytest.mark.clause("OPS-3")
def test_a_fill_by_four_people_and_what_each_is_told(site: Running, table: str) -> None:
    sue, cass, pat, dee = (site.signed_in(person) for person in ("sue", "cass", "pat", "dee"))
    done(sue.command(table, "request-chips", kind="fill", amount="5000.00", chips=CHIPS))
    (waits,) = here(cass, table)
    assert (waits["request"]["stage"], waits["request"]["amount"], waits["request"]["chips"]) == (
        "requested",
        "5000.00",
        CHIPS,
    )
    done(cass.command(table, "issue-chips", number=1))
    done(pat.command(table, "deliver-chips", number=1))
    (seen,) = dee.get_json(f"/api/tables/{table}")["view"]["chip_requests"]
    assert (seen["stage"], seen["requested_by"], seen["issued_by"], seen["delivered_by"]) == (
        "delivered",
        "sue",
        "cass",
        "pat",
    )
    assert (seen["amount"], seen["chips"]) == (None, None)
    done(dee.command(table, "accept-chips", number=1, chips={"1000.00": 3, "100.00": 19}))
    (request,) = sue.get_json(f"/api/floor/{table}")["tray"]["requests"]
    assert (request["stage"], request["counted_by"], request["counted"]["100.00"]) == ("disputed", "dee", 19)
    done(sue.command(table, "recount-chips", number=1))
    done(dee.command(table, "accept-chips", number=1, chips=CHIPS))
    tray = sue.get_json(f"/api/floor/{table}")["tray"]
    assert (tray["fills"], tray["requests"]) == ("5000.00", [])
    assert here(cass, table) == []


@pytest.mark.clause("OPS-3")
def test_a_credit_goes_the_other_way_and_the_cage_counts_it_blind(site: Running, table: str) -> None:
    sue, cass, pat, dee = (site.signed_in(person) for person in ("sue", "cass", "pat", "dee"))
    done(sue.command(table, "request-chips", kind="credit", amount="5000.00", chips=CHIPS))
    (seen,) = dee.get_json(f"/api/tables/{table}")["view"]["chip_requests"]
    assert (seen["amount"], seen["chips"]) == ("5000.00", CHIPS)  # the dealer counts them out
    refused(cass.command(table, "issue-chips", number=1))
    done(dee.command(table, "issue-chips", number=1))
    done(pat.command(table, "deliver-chips", number=1))
    told = [
        here(cass, table),
        cass.get_json(f"/api/floor/{table}")["tray"]["requests"],
        cass.get_json(f"/api/tables/{table}")["view"]["chip_requests"],
    ]
    assert "5000.00" not in json.dumps(told)
    refused(dee.command(table, "accept-chips", number=1, chips=CHIPS))
    done(cass.command(table, "accept-chips", number=1, chips=CHIPS))
    assert sue.get_json(f"/api/floor/{table}")["tray"]["credits"] == "5000.00"


@pytest.mark.clause("OPS-3")
def test_nobody_but_the_cage_reads_the_cage_and_a_patron_nothing_of_it(site: Running) -> None:
    for person, status in (("cass", 200), ("alba", 200), ("siv", 200), ("sue", 403), ("olga", 403), ("ann", 403)):
        assert site.signed_in(person).get("/api/cage").status_code == status, person


# ---------------------------------------------------------------- blind counts


@pytest.mark.clause("OPS-1")
@pytest.mark.parametrize("person", ["dee", "sue", "pat", "gus", "olga", "cass"])
def test_what_the_ledger_has_of_real_chips_is_told_to_nobody_who_may_count(
    site: Running, table: str, person: str
) -> None:
    """Every page that whoever counts may ask, before a count is in."""
    client = site.signed_in(person)
    paths = (f"/api/tables/{table}", f"/api/tables/{table}/acts", "/api/floor", f"/api/floor/{table}",
             f"/api/floor/{table}/theory", "/api/tables", "/api/alerts")  # fmt: skip
    for path in paths:
        answer = client.get(path)
        told = answer.json()
        if path == "/api/floor" and answer.status_code == 200:
            told = [each for each in told if each["table"] == table]
            assert [(each["tray"], each["win"], each["hold"]) for each in told] == [(None, None, None)]
        text = json.dumps(told).replace('"opening": "100000.00"', "")  # counted by two, and told to them
        assert not any(figure in text for figure in LEDGER), (path, text)
    if person in ("sue", "pat", "gus", "olga"):
        assert client.get(f"/api/floor/{table}/theory").status_code == 409
        sheet = client.get_json(f"/api/floor/{table}")
        assert (sheet["physical"], sheet["tray"]["held"], sheet["tray"]["win"]) == (True, None, None)
        balances = client.get_json(f"/api/tables/{table}")["view"]["balances"]
        assert not [name for name in balances if name.startswith(("float:", "cage", "world:"))]
    if person != "cass":  # a probe that is no count, and that nobody has signed for
        count = {"command": "close-table", "float_counted": "1.00", "counted_by": ["sue", "dee"], "chips": {"1.00": 1}}
        trial = client.post(f"/api/tables/{table}/trial", json={"command": count})
        assert trial.json() == {"follows": [], "reason": None, "remedy": None, "clause": ""}
        buy = client.post(
            f"/api/tables/{table}/trial",
            json={"command": {"command": "buy-in", "patron": "ann", "amount": "999999.00"}},
        )
        assert not any(figure in buy.text for figure in LEDGER)


@pytest.mark.clause("OPS-1")
def test_the_auditor_sees_the_ledger_at_any_time(site: Running, table: str) -> None:
    view = site.signed_in("alba").get_json(f"/api/tables/{table}")["view"]
    assert view["balances"][f"float:{table}"] == "100000.00"


@pytest.mark.clause("OPS-1", "SEC-1")
def test_a_count_of_real_chips_is_signed_by_two_and_only_then_held_against_the_ledger(
    site: Running, table: str
) -> None:
    figure = closing(site, table, counted={}).json()
    assert figure["message"]["code"] == "chips-not-counted"  # nobody takes over a figure
    alone = refused(closing(site, table, signatures=[]), "OPS-1")
    assert alone["message"]["code"] == "tray-counted-by-two"
    off = {"float_counted": "99900.00", "counted": {"1000.00": 90, "100.00": 99}}
    assert refused(closing(site, table, **off, signatures=[]), "OPS-1")["message"]["code"] == "tray-counted-by-two"
    told = refused(closing(site, table, **off), "OPS-1")
    assert told["message"] == {
        "code": "tray-count-off",
        "args": {"counted": 9990000, "difference": -10000, "against": "ledger"},
    }
    record = site.signed_in("alba").get_json("/api/audit/records", table=table)["records"][-1]["event"]
    assert (record["event"], record["reason"]["args"]["difference"]) == ("command-refused/1", -10000)
    shut = done(closing(site, table))
    assert (shut["counted"], shut["expected"], shut["difference"]) == ("100000.00", "100000.00", "0.00")


@pytest.mark.clause("OPS-1")
def test_the_opening_count_is_blind_too_and_held_against_the_last_closing(site: Running, table: str) -> None:
    done(closing(site, table))
    for person in ("sue", "pat", "gus", "cass"):
        sheet = site.signed_in(person).get_json(f"/api/floor/{table}")
        assert (sheet["open"], sheet["physical"], sheet["last_closing"]) == (False, True, None)
    assert opening(site, table, counted={}).json()["message"]["code"] == "chips-not-counted"
    electronic = opening(site, table, counted={}, chips="electronic")  # as if the chips in the tray had become numbers
    assert electronic.json()["message"]["code"] == "chips-not-counted"
    short = refused(opening(site, table, float="99000.00", counted={"1000.00": 99}), "OPS-1")
    assert short["message"]["args"] == {"counted": 9900000, "difference": -100000, "against": "last-closing"}
    again = opening(site, table)
    assert again.status_code == 201, again.text
    assert (again.json()["expected"], again.json()["difference"]) == ("100000.00", "0.00")


@pytest.mark.clause("OPS-1")
def test_real_chips_do_not_become_electronic_while_the_table_is_open(site: Running, table: str) -> None:
    changed = site.signed_in("sue").command(table, "change-settings", changes={"chips": "electronic"}, why="quicker")
    assert refused(changed, "OPS-1")["message"]["code"] == "chips-set-at-opening"


@pytest.mark.clause("OPS-1")
def test_the_house_itself_neither_opens_nor_closes_a_table_of_real_chips(site: Running, table: str) -> None:
    """Nobody has counted: not from its configuration, and not from its command line."""

    async def closed(house: Any) -> Any:
        from longhu.server.streams.commands import SYSTEM

        return await house.close_table(SYSTEM, table)

    refusal = site.do(closed)
    assert refusal.reason.code == "chips-not-counted"


# ---------------------------------------------------------------- wallets


@pytest.mark.clause("MON-3", "SEC-1")
def test_the_cage_pays_in_and_out_and_no_manager_does(site: Running) -> None:
    def moves(client: Client, act: str) -> httpx.Response:
        body = {"id": uuid4().hex, "act": {"act": act, "amount": "50.00", "why": "at the counter"}}
        return client.post("/api/people/bob/acts", json=body)

    before = site.signed_in("bob").get_json("/api/me")["balance"]
    done(moves(site.signed_in("cass"), "pay-in"))
    done(moves(site.signed_in("cass"), "pay-out"))
    assert site.signed_in("bob").get_json("/api/me")["balance"] == before
    assert moves(site.signed_in("gus"), "pay-in").status_code in (403, 409)
