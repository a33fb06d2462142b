"""The auditor's side over HTTP: records, proofs, accounts, people; and what is kept back until its time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from longhu.audit.record import beginning, digest
from longhu.audit.verify import verify
from longhu.table.state import Phase, Table
from tests.server.running import PASSWORD, Client, Running, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    config = quick(tmp_path_factory.mktemp("audit") / "house.db", signing_key="2b" * 32)
    with running(config) as server:
        server.staffed()
        server.open_table("T1", minimum="5.00", maximum="100.00")
        ann = server.signed_in("ann")
        sit(ann, "T1")
        play(server, ann, "T1", "tie")
        yield server


@pytest.fixture
def alba(site: Running) -> Client:
    return site.signed_in("alba")


def sit(client: Client, table: str) -> None:
    answer = client.post(f"/api/tables/{table}/seat", json={"id": "sit", "seat": 1, "buy_in": "100.00"})
    assert answer.status_code == 200, answer.text


def betting(table: Table) -> bool:
    return table.round is not None and table.round.phase is Phase.BETTING


def wager(site: Running, client: Client, table: str, on: str) -> int:
    number = site.until(table, betting).rounds
    answer = client.command(table, "place-wager", place=1, wager=on, amount="20.00")
    assert answer.status_code == 200, answer.text
    return number


def play(site: Running, client: Client, table: str, on: str) -> None:
    number = wager(site, client, table, on)
    site.until(table, lambda state: state.rounds > number or state.round is None)


def reveal_all(site: Running, ann: Client, table: str, number: int) -> None:
    """Ann turns over what she holds, and a third card if one comes, until the round is over."""

    def goes_on(state: Table) -> bool:
        round = state.round
        return round is None or state.rounds > number or any(not card.public and card.holder for card in round.cards)

    while (state := site.until(table, goes_on)).round is not None and state.rounds == number:
        answer = ann.command(table, "reveal-hand", hand="player")
        assert answer.status_code == 200, answer.text


@pytest.mark.clause("LOG-2", "LOG-6")
def test_records_come_byte_for_byte_and_page_by_page(alba: Client) -> None:
    after: int | None = 0
    head, seen = beginning("T1"), 0
    while after is not None:
        answer = alba.get("/api/audit/records", params={"table": "T1", "after": after, "limit": 7})
        page = answer.json()
        body = answer.content
        for each in page["records"]:
            line = json.dumps(each, separators=(",", ":"), ensure_ascii=False).encode()
            assert line in body
            assert (each["sequence"], each["previous"]) == (seen + 1, head)
            head, seen = digest(line), seen + 1
        after = page["after"]
    assert seen >= alba.get_json("/api/tables/T1")["sequence"] - 5


@pytest.mark.clause("LOG-6")
def test_a_proof_is_checked_without_the_house(alba: Client) -> None:
    answer = alba.get("/api/audit/proof/T1")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    checked = verify(line + b"\n" for line in answer.content.splitlines())
    assert checked.rounds >= 1
    assert checked.wagers >= 1
    told = alba.get_json("/api/audit/verify", table="T1")
    assert (told["right"], told["wrong"]) == (True, "")
    assert told["records"] >= checked.records


@pytest.mark.clause("LOG-3", "LOG-6")
def test_what_is_taken_out_is_on_record(alba: Client) -> None:
    alba.get("/api/audit/proof/T1")
    said = [
        (each["table"], each["message"]["args"]) for each in alba.get_json("/api/alerts") if each["kind"] == "export"
    ]
    assert ("T1", {"person": "alba", "what": "proof", "of": "T1"}) in said
    book = alba.get_json("/api/audit/house", limit=500)["records"]
    assert any(each["event"].get("message", {}).get("code") == "alert-export" for each in book)


def test_money_is_followed_through_tables_and_accounts(alba: Client) -> None:
    told = alba.get_json("/api/audit/accounts/world:ann")
    moved = {(each["trail"], each["amount"]) for each in told["movements"]}
    assert {("person:ann", "1000.00"), ("T1", "-100.00")} <= moved
    one = alba.get_json("/api/audit/accounts/world:ann", limit=1)
    assert one["more"]
    rest = alba.get_json("/api/audit/accounts/world:ann", after=1)
    assert one["movements"] + rest["movements"] == told["movements"]
    assert alba.get_json("/api/audit/accounts/nobody:at-all")["movements"] == []


def test_everything_about_somebody_but_the_password(site: Running, alba: Client) -> None:
    answer = alba.get("/api/audit/people/ann")
    events = [each["event"]["event"] for each in answer.json()["records"]]
    assert events[:2] == ["account-created/1", "paid-in/1"]
    assert "session-started/1" in events
    account = site.do(lambda house: house.people.account("ann"))
    assert account is not None
    assert account.password not in answer.text
    assert PASSWORD not in answer.text


@pytest.mark.clause("RUL-6")
def test_a_card_that_lies_face_down_is_in_no_answer_before_its_time(site: Running, alba: Client) -> None:
    """Ann holds a hand face down. Nobody is told its cards: not the pit, not the auditor, not a stranger."""
    table = site.open_table("S1", "immortal-dragon-tiger", method="A", minimum="5.00", maximum="100.00")
    ann = site.signed_in("ann")
    sit(ann, table)
    number = wager(site, ann, table, "player")
    state = site.until(table, lambda state: state.round is not None and state.round.holders[0] == "ann")
    assert state.round is not None
    hidden = [each.card for each in state.round.cards if not each.public]
    assert hidden
    page = alba.get_json("/api/audit/records", table=table, limit=500)
    assert page["withheld"] > 0
    names = [each["event"]["event"] for each in page["records"]]
    assert "shuffle-committed/1" in names
    assert "card-drawn/1" not in names
    proof = alba.get(f"/api/audit/proof/{table}").content
    assert verify(line + b"\n" for line in proof.splitlines()).records == len(page["records"])
    assert b"card-drawn/1" not in proof
    assert alba.get_json("/api/audit/verify", table=table)["right"]
    for client in (alba, site.client(), site.signed_in("olga"), ann):
        cards = client.get_json(f"/api/tables/{table}")["view"]["round"]["cards"]
        assert [each["face"] for each in cards if not each["public"]] == [None] * len(hidden)
    assert alba.get(f"/api/tables/{table}/rounds/{number}").status_code == 404

    reveal_all(site, ann, table, number)
    told = site.client().get_json(f"/api/tables/{table}/rounds/{number}")
    assert all(card["shown"] for card in told["cards"])
    drawn = [event for event in told["events"] if event["name"] == "card-drawn"]
    assert {event["told"]["card"]["face"] for event in drawn if not event["told"]["card"]["public"]} == {None}
    assert set(hidden) <= {card["face"] for card in told["cards"]}
    shown = alba.get_json("/api/audit/records", table=table, limit=500)
    assert "card-drawn/1" in [each["event"]["event"] for each in shown["records"]]


@pytest.mark.clause("RUL-6")
def test_a_card_that_nobody_turned_over_stays_hidden_until_the_shuffle_is_revealed(site: Running, alba: Client) -> None:
    """The round is void while Ann holds her hand: its cards go to the discards unseen."""
    table = site.open_table("S2", "immortal-dragon-tiger", method="A", minimum="5.00", maximum="100.00")
    ann, gus = site.signed_in("ann"), site.signed_in("gus")
    sit(ann, table)
    number = wager(site, ann, table, "player")
    state = site.until(table, lambda state: state.round is not None and state.round.holders[0] == "ann")
    assert state.round is not None
    down = [each.card for each in state.round.cards if not each.public]
    reported = gus.command(table, "report-incident", told="the lights went out")
    assert reported.status_code == 200, reported.text
    ruled = gus.command(table, "make-ruling", decision="void", reason="nobody could see")
    assert ruled.status_code == 200, ruled.text
    confirmed = site.signed_in("dee").command(table, "confirm-report", number=1)  # nobody voids a round alone
    assert confirmed.status_code == 200, confirmed.text
    site.until(table, lambda state: state.rounds > number or state.round is None)

    told = site.client().get_json(f"/api/tables/{table}/rounds/{number}")
    assert told["void"] is True
    assert [card["face"] for card in told["cards"] if not card["shown"]] == [None] * len(down)
    page = alba.get_json("/api/audit/records", table=table, limit=500)
    assert page["withheld"] > 0
    assert "shuffle-committed/1" not in [each["event"]["event"] for each in page["records"]]

    left = ann.delete(f"/api/tables/{table}/seat", params={"id": "l"})
    assert left.status_code == 200, left.text
    tray = next(each["tray"] for each in gus.get_json("/api/floor") if each["table"] == table)
    counted = {"id": "x", "float_counted": tray, "signatures": [{"person": "dee", "password": PASSWORD}]}
    closed = gus.post(f"/api/tables/{table}/closing", json=counted)
    assert closed.status_code == 200, closed.text
    told = site.client().get_json(f"/api/tables/{table}/rounds/{number}")
    assert [card["face"] for card in told["cards"] if not card["shown"]] == down
    assert alba.get_json("/api/audit/records", table=table, limit=500)["withheld"] == 0


@pytest.mark.clause("RUL-6", "IDT-6.1")
def test_a_card_drawn_in_error_face_down_is_told_to_nobody_until_it_is_dealt(site: Running, alba: Client) -> None:
    """Of two that came together one is over. It is put back, and while patrons bet it is known which card comes next."""
    table = site.open_table("S3", "immortal-dragon-tiger", method="B", dealer="human", device="hand-shoe")
    dee, ann = site.signed_in("dee"), site.signed_in("ann")

    def acts(client: Client, name: str, **fields: Any) -> None:
        told: dict[str, Any] = {"id": uuid4().hex, "command": {"command": name, **fields}}
        if name in ("draw-cards-together", "make-ruling"):
            told["signatures"] = [{"person": "sue", "password": PASSWORD}]
        answer = client.post(f"/api/tables/{table}/commands", json=told)
        assert answer.status_code == 200, (name, answer.text)

    def told() -> bool:
        """Is the card named anywhere? What may be read verifies at any time."""
        page = alba.get_json("/api/audit/records", table=table, limit=500)
        proof = alba.get(f"/api/audit/proof/{table}").content
        assert verify(line + b"\n" for line in proof.splitlines()).records == len(page["records"])
        return "8H" in json.dumps(page)

    acts(dee, "load-shoe")
    sit(ann, table)
    acts(dee, "call-place-your-bets")
    acts(ann, "place-wager", place=1, wager="player", amount="20.00")
    acts(dee, "call-no-more-bets")
    for card in ("9S", "2H", "KD"):
        acts(dee, "draw-card", card=card)
    acts(dee, "draw-cards-together", order_known=True, cards=["9H", "8H"])
    assert not told()
    acts(ann, "answer-withdrawal-offer", withdraw=False)
    acts(dee, "draw-card")
    acts(dee, "announce-totals")
    acts(dee, "report-drawn-in-error", exposed=False)
    assert not told()
    acts(site.signed_in("gus"), "make-ruling", decision="replace", reason="nobody has seen it")
    assert not told()
    acts(dee, "announce-result")
    acts(dee, "settle-round")
    acts(dee, "call-place-your-bets")
    assert not told()
    acts(ann, "place-wager", place=1, wager="player", amount="20.00")
    acts(dee, "call-no-more-bets")
    acts(dee, "draw-card", card="8H")
    assert told()


@pytest.mark.clause("SEC-1")
def test_whoever_may_not_look_is_told_that_an_auditor_may(site: Running) -> None:
    ann = site.signed_in("ann")
    looks = ann.get("/api/audit/records", params={"table": "T1"})
    assert looks.status_code == 403
    assert looks.json()["message"]["code"] == "person-too-low-to-read"
    changes = ann.post("/api/tables/T1/trial", json={"command": {"command": "draw-card", "card": "5H"}})
    assert changes.status_code == 403
    assert changes.json()["message"]["code"] == "person-too-low"
