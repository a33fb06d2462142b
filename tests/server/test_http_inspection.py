"""The auditor's desk over HTTP: search, one record in its chain, money followed, long checks with their progress, days exported."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from longhu.audit.record import beginning
from longhu.audit.verify import verify
from longhu.server.api.audit.search import SearchQuery, Trail, search
from longhu.store.errors import StoreError
from longhu.table.state import Phase, Table
from tests.server.running import Client, Running, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("desk") / "house.db")) as server:
        server.staffed()
        server.open_table("T1", minimum="5.00", maximum="100.00")
        ann = server.signed_in("ann")
        assert ann.post("/api/tables/T1/seat", json={"id": "sit", "seat": 1, "buy_in": "100.00"}).status_code == 200
        for _ in range(2):
            number = server.until("T1", betting).rounds
            answer = ann.command("T1", "place-wager", place=1, wager="tie", amount="20.00")
            assert answer.status_code == 200, answer.text
            server.until("T1", partial(over, number))
        assert ann.delete("/api/tables/T1/seat", params={"id": "away"}).status_code == 200
        yield server


def over(number: int, table: Table) -> bool:
    return table.rounds > number or table.round is None


def betting(table: Table) -> bool:
    return table.round is not None and table.round.phase is Phase.BETTING


@pytest.fixture
def alba(site: Running) -> Client:
    return site.signed_in("alba")


def found(client: Client, **asked: Any) -> list[dict[str, Any]]:
    """All that is found, question after question."""
    answer = client.get_json("/api/audit/search", **asked)
    records = answer["records"]
    while answer["on"]:
        answer = client.get_json("/api/audit/search", **asked, on=answer["on"], before=answer["before"])
        records += answer["records"]
    return list(records)


@pytest.mark.clause("LOG-6")
def test_records_are_found_by_kind_person_text_time_and_number(alba: Client) -> None:
    wagers = found(alba, trail="T1", kind="wager-placed/")
    assert [each["event"]["stake"]["patron"] for each in wagers] == ["ann", "ann"]
    assert [each["sequence"] for each in wagers] == sorted((each["sequence"] for each in wagers), reverse=True)
    assert found(alba, trail="T1", kind="wager-placed/", limit=1) == wagers
    newest = wagers[0]
    assert found(alba, trail="T1", sequence=newest["sequence"]) == [newest]
    assert found(alba, trail="T1", kind="wager-placed/", until=newest["at"]) == wagers[1:]
    assert found(alba, trail="T1", kind="wager-placed/", since=newest["at"]) == wagers[:1]
    assert newest in found(alba, text=newest["digest"][:16])
    assert newest in found(alba, trail="T1", text='PATRON":"ANN')
    assert found(alba, trail="T1", text="nobody said this") == []
    assert {each["trail"] for each in found(alba, among="people", person="ann")} == {"person:ann"}
    assert {each["trail"] for each in found(alba, among="house")} == {"house"}
    everywhere = {each["trail"] for each in found(alba, person="ann")}
    assert {"T1", "person:ann"} <= everywhere
    assert alba.get("/api/audit/search", params={"trail": "nowhere"}).status_code == 404


@pytest.mark.clause("SEC-2")
def test_no_search_finds_what_a_password_was_made_into(site: Running, alba: Client) -> None:
    account = site.do(lambda house: house.people.account("ann"))
    assert account is not None
    assert found(alba, text=account.password[-20:]) == []
    (created,) = found(alba, trail="person:ann", kind="account-created/")
    assert created["event"]["password"] == "…"
    record = alba.get_json("/api/audit/record", trail="person:ann", sequence=created["sequence"])
    assert account.password not in str(record)
    assert not record["whole"]
    assert record["digest"] == created["digest"]


@pytest.mark.clause("LOG-2")
def test_a_record_stands_in_its_chain(alba: Client) -> None:
    first = alba.get_json("/api/audit/record", trail="T1", sequence=1)
    assert (first["previous"], first["follows"], first["followed"]) == (beginning("T1"), True, True)
    second = alba.get_json("/api/audit/record", trail="T1", sequence=2)
    assert second["previous"] == first["digest"]
    assert first["line"].startswith('{"sequence":1,')
    last = alba.get_json("/api/audit/record", trail="T1", sequence=first["last"])
    assert last["follows"]
    assert alba.get("/api/audit/record", params={"trail": "T1", "sequence": 10**9}).status_code == 404
    assert alba.get("/api/audit/record", params={"trail": "no such", "sequence": 1}).status_code == 404


@pytest.mark.clause("MON-1")
def test_a_cent_is_followed_from_the_wallet_to_the_layout_and_back(alba: Client) -> None:
    bought = found(alba, trail="T1", kind="chips-bought/")[0]
    record = alba.get_json("/api/audit/record", trail="T1", sequence=bought["sequence"])
    moved = {each["account"]: each for each in record["moved"]}
    assert {name: each["amount"] for name, each in moved.items()} == {
        "world:ann": "-100.00", "drop:T1": "100.00", "float:T1": "-100.00", "patron:ann": "100.00",
    }  # fmt: skip
    staked = alba.get_json("/api/audit/record", trail="T1", sequence=moved["patron:ann"]["after"])
    assert {each["account"]: each["amount"] for each in staked["moved"]} == {
        "patron:ann": "-20.00",
        "layout:1/tie": "20.00",
    }
    on_layout = next(each for each in staked["moved"] if each["account"] == "layout:1/tie")
    settled = alba.get_json("/api/audit/record", trail="T1", sequence=on_layout["after"])
    assert "wager-settled/1" in settled["line"]
    back = next(each for each in settled["moved"] if each["account"] == "layout:1/tie")
    assert (back["amount"], back["balance"], back["before"]) == ("-20.00", "0.00", staked["sequence"])
    movements = alba.get_json("/api/audit/accounts/patron:ann")["movements"]
    assert movements[0]["kind"] == "chips-bought/1"
    assert movements[-1]["kind"] == "chips-cashed/1"
    assert movements[-1]["balance"] == "0.00"
    assert movements[-1]["others"] == {"world:ann": movements[-1]["amount"].removeprefix("-")}
    rest = alba.get_json("/api/audit/accounts/patron:ann", trail="T1", sequence=movements[0]["sequence"])
    assert rest["movements"] == movements[1:]


def checked(client: Client, kind: str, table: str = "T1", **asked: Any) -> dict[str, Any]:
    run, until = uuid4().hex, time.monotonic() + 30
    while time.monotonic() < until:
        told: dict[str, Any] = client.get_json("/api/audit/checks", run=run, kind=kind, table=table, **asked)
        if told["state"] == "done":
            return told
    raise AssertionError("the check never ended")


@pytest.mark.clause("LOG-2", "LOG-6")
def test_a_table_is_verified_and_a_day_settled_again_without_a_difference(site: Running, alba: Client) -> None:
    told = checked(alba, "verify")
    assert (told["right"], told["wrong"]) == (True, "")
    assert told["verified"]["rounds"] >= 2
    assert told["done"] == told["of"]
    today = datetime.fromtimestamp(site.house.now() / 1000, UTC).strftime("%Y-%m-%d")
    again = checked(alba, "resettle", day=today)
    assert (again["right"], again["resettled"]["differences"], again["resettled"]["wagers"]) == (True, [], 2)
    assert again["staked"] == "40.00"
    assert checked(alba, "resettle")["resettled"] == again["resettled"]
    assert checked(alba, "resettle", day="2001-01-01")["resettled"]["rounds"] == 0
    assert (
        alba.get(
            "/api/audit/checks", params={"run": "x", "kind": "resettle", "table": "T1", "day": "2026-02-31"}
        ).status_code
        == 400
    )
    assert (
        site.signed_in("sue").get("/api/audit/checks", params={"run": "x", "kind": "verify", "table": "T1"}).status_code
        == 403
    )


def test_a_check_is_the_same_as_long_as_its_name_is(alba: Client) -> None:
    asked = {"run": "mine", "kind": "verify", "table": "T1"}
    began = {alba.get_json("/api/audit/checks", **asked)["began"] for _ in range(5)}
    assert len(began) == 1
    assert alba.get_json("/api/audit/checks", **{**asked, "kind": "resettle"})["kind"] == "resettle"


@pytest.mark.clause("LOG-6")
def test_a_day_and_a_shoe_are_proofs_of_their_own(site: Running, alba: Client) -> None:
    today = datetime.fromtimestamp(site.house.now() / 1000, UTC).strftime("%Y-%m-%d")
    answer = alba.get("/api/audit/proof/T1", params={"day": today})
    assert f"T1-{today}.jsonl" in answer.headers["content-disposition"]
    assert verify(line + b"\n" for line in answer.content.splitlines()).rounds >= 2
    assert alba.get("/api/audit/proof/T1", params={"day": "2001-01-01"}).status_code == 404
    assert alba.get("/api/audit/proof/T1", params={"day": "2026-02-31"}).status_code == 400
    shoe = alba.get("/api/audit/proof/T1", params={"shoe": 1})
    assert verify(line + b"\n" for line in shoe.content.splitlines()).records > 0


def test_a_search_that_takes_long_stops_and_goes_on_from_there(site: Running) -> None:
    """With no time at all, each question looks at a few records; together they find the same."""
    store = site.house.store
    last = store.standing("T1").sequence
    trails = [Trail("T1", last, is_table=True), Trail("house", store.standing("house").sequence, is_table=False)]
    whole = search(store, trails, SearchQuery(person="ann", limit=10_000), budget=60.0)
    assert not whole.on
    hits, on, before = [], "", 0
    for _ in range(10_000):
        part = search(store, trails, SearchQuery(person="ann", limit=3, on=on, before=before), budget=0.0)
        hits += part.records
        on, before = part.on, part.before
        if not on:
            break
    assert [(each.trail, each.sequence) for each in hits] == [(each.trail, each.sequence) for each in whole.records]
    assert whole.looked_at >= last
    with pytest.raises(StoreError):
        store.standing("no such trail")
