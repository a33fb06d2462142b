"""The pit over HTTP: the floor, the sheet of a table, its win against theory, orders for the end of the round, counts by value."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from longhu.table.messages import CHIPS_DO_NOT_ADD_UP
from longhu.table.state import Phase, Table
from tests.server.running import PASSWORD, WAITS, Client, Running, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    config = quick(tmp_path_factory.mktemp("pit") / "house.db", betting_seconds=30.0)
    with running(config) as server:
        server.staffed()
        yield server


def betting(table: Table) -> bool:
    return table.round is not None and table.round.phase is Phase.BETTING


def seated(site: Running, table: str, person: str = "ann") -> Client:
    client = site.signed_in(person)
    answer = client.post(f"/api/tables/{table}/seat", json={"id": uuid4().hex, "seat": 1, "buy_in": "100.00"})
    assert answer.status_code == 200, answer.text
    return client


def order(client: Client, table: str, command: str, id: str | None = None, **fields: Any) -> httpx.Response:
    asked = {"id": id or uuid4().hex, "command": {"command": command, **fields}}
    return client.post(f"/api/tables/{table}/orders", json=asked)


def wagered(site: Running, client: Client, table: str) -> int:
    """A wager on the layout, with betting still open: the round is in progress."""
    number = site.until(table, betting).rounds
    answer = client.command(table, "place-wager", place=1, wager="tie", amount="20.00")
    assert answer.status_code == 200, answer.text
    return number


def close_bets(site: Running, table: str) -> None:
    """Nobody waits for half a minute: the dealer takes over, and calls."""
    dee = site.signed_in("dee")
    for command in ("take-the-deal", "call-no-more-bets"):
        answer = dee.command(table, command)
        assert answer.status_code == 200, answer.text
    assert dee.delete(f"/api/tables/{table}/deal", params={"id": uuid4().hex}).status_code == 200


@pytest.mark.clause("OPS-4")
def test_the_floor_tells_what_a_supervisor_looks_at(site: Running) -> None:
    site.open_table("F1", minimum="5.00", maximum="100.00")
    ann = seated(site, "F1")
    told = next(each for each in site.signed_in("sue").get_json("/api/floor") if each["table"] == "F1")
    assert (told["minimum"], told["maximum"], told["differential"]) == ("5.00", "100.00", None)
    assert (told["patrons"], told["drop"], told["win"], told["hold"]) == (1, "100.00", "0.00", 0.0)
    assert told["name"]["zh-Hans"]
    assert told["version"]
    number = wagered(site, ann, "F1")
    close_bets(site, "F1")
    site.until("F1", lambda state: state.rounds > number)
    told = next(each for each in site.signed_in("sue").get_json("/api/floor") if each["table"] == "F1")
    assert told["rounds_per_hour"] >= 1
    assert told["win"] in ("20.00", "-220.00")  # a tie pays 11 to 1
    theory = site.signed_in("sue").get_json("/api/floor/F1/theory")
    assert (theory["rounds"], theory["staked"], theory["win"]) == (1, "20.00", told["win"])
    assert theory["expected"] == "2.07"  # 20.00 at 43/415
    assert theory["points"][-1]["win"] == theory["win"]
    assert theory["read"] == theory["of"]
    assert site.signed_in("sue").get_json("/api/floor/F1/theory")["rounds"] == 1  # read on, not read again


def test_the_sheet_of_a_table_has_tray_staff_and_patrons(site: Running) -> None:
    site.open_table("S1")
    seated(site, "S1", "bob")
    sheet = site.signed_in("sue").get_json("/api/floor/S1")
    (bob,) = sheet["patrons"]
    assert (bob["person"], bob["seat"], bob["chips"], bob["signed_in"]) == ("bob", 1, "100.00", True)
    assert (sheet["tray"]["held"], sheet["tray"]["drop"], sheet["tray"]["win"]) == ("99900.00", "100.00", "0.00")
    assert {"person": "auto-dealer", "position": "dealer", "acting": None} in sheet["staff"]
    assert not {"house", "cage"} & {each["person"] for each in sheet["staff"]}
    by_hand = site.open_table("S2", dealer="human")
    site.signed_in("dee").command(by_hand, "take-the-deal")
    listed = site.signed_in("sue").get_json(f"/api/floor/{by_hand}")["staff"]
    assert [each["person"] for each in listed] == ["dee"]  # the program deals nothing there
    assert sheet["settings"]["limits"]["tie"]["max"]
    sue = site.signed_in("sue")
    short = sue.command("S1", "request-chips", kind="fill", amount="500.00", chips={"100.00": 4})
    assert (short.status_code, short.json()["clause"]) == (409, "OPS-3")
    asked = sue.command("S1", "request-chips", kind="fill", amount="500.00", chips={"100.00": 4, "25.00": 4})
    assert asked.status_code == 200, asked.text
    (request,) = sue.get_json("/api/floor/S1")["tray"]["requests"]
    assert (request["stage"], request["amount"], request["requested_by"]) == ("requested", "500.00", "sue")
    assert request["chips"] == {"100.00": 4, "25.00": 4}
    assert site.signed_in("dee").get("/api/floor/S1").status_code == 403


@pytest.mark.clause("LOG-4")
def test_limits_for_the_next_round_wait_for_the_end_of_this_one(site: Running) -> None:
    site.open_table("O1", minimum="5.00", maximum="100.00")
    ann, sue = seated(site, "O1"), site.signed_in("sue")
    wagered(site, ann, "O1")
    limits = sue.get_json("/api/floor/O1")["settings"]["limits"]
    limits["tie"]["min"] = "10.00"
    given = order(sue, "O1", "change-settings", "busy-1", changes={"limits": limits}, why="busy").json()
    assert given["state"] == "waiting"
    again = order(sue, "O1", "change-settings", "busy-1", changes={"limits": limits}, why="busy").json()
    assert again["number"] == given["number"]
    other = order(sue, "O1", "change-settings", "busy-1", changes={"reveal_seconds": 5}, why="busy")
    assert other.status_code == 409
    second = order(sue, "O1", "change-settings", changes={"withdrawal_seconds": 20}, why="quicker").json()
    third = order(sue, "O1", "change-settings", changes={"withdrawal_seconds": 40}, why="no").json()
    gone = sue.delete(f"/api/tables/O1/orders/{third['number']}", params={"id": "back-1"})
    assert gone.json()["state"] == "taken-back"
    assert sue.delete(f"/api/tables/O1/orders/{third['number']}", params={"id": "back-2"}).status_code == 409
    close_bets(site, "O1")
    state = site.until("O1", lambda state: state.settings is not None and state.settings.withdrawal_seconds == 20)
    assert state.settings is not None
    assert state.settings.limits["tie"].min == 1000
    expected = {given["number"]: "done", second["number"]: "done", third["number"]: "taken-back"}
    until = time.monotonic() + WAITS
    while (states := _states(sue, "O1")) != expected and time.monotonic() < until:  # noted a moment after it is done
        time.sleep(0.01)
    assert states == expected


def _states(client: Client, table: str) -> dict[int, str]:
    return {each["number"]: each["state"] for each in client.get_json(f"/api/floor/{table}")["orders"]}


def test_an_order_that_the_rules_refuse_says_why(site: Running) -> None:
    site.open_table("O2")
    sue = site.signed_in("sue")
    told = order(sue, "O2", "change-settings", changes={"decks": 99}, why="more")
    assert (told.status_code, told.json()["clause"]) == (409, "DT-2.1a")
    without = order(sue, "O2", "change-settings", changes={"differential": "9.00"}, why="").json()
    assert without["message"]["code"] == "no-differential-procedure"
    assert sue.get_json("/api/floor/O2")["orders"] == []
    assert order(sue, "O2", "suspend-table", reason="lunch").status_code == 409
    assert (
        order(sue, "O2", "grant-maximum", person="ann", wagers=["dragon"], most="5.00").status_code == 409
    )  # a pit manager's
    assert order(site.signed_in("dee"), "O2", "free-seat", patron="ann", reason="gone").status_code == 403
    assert order(sue, "O2", "change-settings", changes={"differential": 5}, why="a number").status_code == 400


@pytest.mark.clause("OPS-2", "MON-3")
def test_an_absent_patron_is_cashed_out_to_the_wallet_and_the_seat_is_free(site: Running) -> None:
    site.open_table("A1", minimum="5.00", maximum="100.00")
    ann, sue = seated(site, "A1"), site.signed_in("sue")
    before = ann.get_json("/api/me")["balance"]
    number = wagered(site, ann, "A1")
    told = order(sue, "A1", "free-seat", patron="ann", reason="did not come back").json()
    assert told["state"] == "waiting"
    close_bets(site, "A1")
    state = site.until("A1", lambda state: "ann" not in state.people)
    assert state.rounds >= number
    assert state.balances.get("patron:ann", 0) == 0
    assert float(ann.get_json("/api/me")["balance"]) in (float(before) + 80, float(before) + 320)
    seated(site, "A1", "bob")


@pytest.mark.clause("OPS-1")
def test_a_table_is_opened_and_closed_with_counts_by_value_and_two_signatures(site: Running) -> None:
    site.open_table("approved")  # so that the game is
    sue, signed = site.signed_in("sue"), [{"person": "dee", "password": PASSWORD}]
    asked = {"table": "C1", "game": "dragon-tiger", "float": "5000.00", "dealer": "human", "signatures": signed,
             "limits": {"tie": {"max": "77.00"}}}  # fmt: skip
    wrong = sue.post("/api/tables", json={"id": "open-1", **asked, "counted": {"100.00": 49}})
    assert (wrong.status_code, wrong.json()["clause"]) == (409, "OPS-1")
    assert wrong.json()["message"]["code"] == CHIPS_DO_NOT_ADD_UP.code
    right = sue.post("/api/tables", json={"id": "open-2", **asked, "counted": {"100.00": 49, "50": 2}})
    assert right.status_code == 201, right.text
    assert sue.get_json("/api/floor/C1")["settings"]["limits"]["tie"]["max"] == "77.00"
    counted = {"float_counted": "5000.00", "counted": {"1000.00": 5}}
    alone = sue.post("/api/tables/C1/closing", json={"id": "close-1", **counted})
    assert alone.json()["clause"] == "OPS-1"
    closed = sue.post("/api/tables/C1/closing", json={"id": "close-2", **counted, "signatures": signed})
    assert closed.status_code == 200, closed.text
    sheet = sue.get_json("/api/floor/C1")
    assert (sheet["open"], sheet["last_closing"], sheet["tray"]) == (False, "5000.00", None)
    events = site.signed_in("alba").get_json("/api/audit/records", table="C1")["records"]
    assert events[-1]["event"]["chips"] == {"100000": 5}


@pytest.mark.clause("SEC-1")
def test_everybody_is_told_what_they_may_do_about_somebody(site: Running) -> None:
    def may(who: str, about: str) -> set[str]:
        return set(site.signed_in(who).get_json(f"/api/people/{about}")["may"])

    assert may("sue", "ann") == set()
    assert {"lock", "bar", "impose-limit"} <= may("pat", "ann")
    assert "unlock" not in may("pat", "ann")
    assert "pay-in" not in may("pat", "ann")
    assert not {"pay-in", "pay-out"} & may("olga", "ann")
    assert may("cass", "ann") == {"pay-in", "pay-out"}
    assert may("siv", "ann") == set()
    assert "bar" not in may("olga", "dee")
    assert "change-position" in may("pat", "dee")
    assert may("olga", "olga") == set()
    assert may("alba", "ann") == set()
    pat = site.signed_in("pat")
    lock = {"id": "lock-1", "act": {"act": "lock", "why": "a lost card"}}
    assert pat.post("/api/people/bob/acts", json=lock).status_code == 200
    assert may("sue", "bob") >= {"unlock"}
    assert (
        pat.post("/api/people/bob/acts", json={"id": "u", "act": {"act": "unlock", "why": "found"}}).status_code == 200
    )
