"""Disputes over HTTP: a patron raises one, staff state and rule, two correct the payment, and each reads what is theirs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from longhu.audit.record import decode, digest
from tests.server.running import Client, Running, quick, running
from tests.server.test_collusion import dealt, found, given


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("disputes") / "house.db")) as server:
        server.staffed()
        yield server


@pytest.fixture
def table(site: Running) -> str:
    """Ann has lost 10.00 on Player in round 1, and another round without wagers follows."""
    dee = site.signed_in("dee")
    table = dealt(site, dee, "2D", "KC", "3D", "6C")
    for command in ("announce-totals", "announce-result", "settle-round"):
        if command == "announce-result":
            given(dee, table, "draw-card", card="KH")
        given(dee, table, command)
    return table


def raised(client: Client, table: str, **told: Any) -> str:
    return found(client, table, "raise-dispute", **{"round": 1, "about": "payment", "told": "it was Banker", **told})


def file(client: Client, table: str, number: int = 1) -> Any:
    return client.get_json(f"/api/tables/{table}/disputes/{number}")


@pytest.mark.clause("IDT-6.1", "SEC-1")
def test_a_dispute_from_the_patron_who_has_left_to_the_payment_that_two_correct(site: Running, table: str) -> None:
    ann, bob, dee, sue = (site.signed_in(each) for each in ("ann", "bob", "dee", "sue"))
    left = ann.delete(f"/api/tables/{table}/seat", params={"id": uuid4().hex})
    assert left.status_code == 200, left.text
    assert raised(ann, table) == "done"
    given(dee, table, "add-statement", dispute=1, told="she sat at 1", person="cay")
    assert found(sue, table, "rule-on-dispute", dispute=1, decision="correct", reason="x") == "position-too-low"
    gus = site.signed_in("gus")
    given(gus, table, "rule-on-dispute", dispute=1, decision="correct", reason="seen on camera")
    sat = ann.post(f"/api/tables/{table}/seat", json={"id": uuid4().hex, "seat": 1})
    assert sat.status_code == 200, sat.text
    entry: dict[str, Any] = {"round": 1, "wager": "player", "error": "too-little", "patron": "ann", "amount": "10.00", "cause": "record",
             "reason": "the stake goes back", "dispute": 1}  # fmt: skip
    assert found(dee, table, "correct-payment", **entry) == "waits"
    assert file(sue, table)["entries"] == []
    given(sue, table, "confirm-report", number=1)
    told = file(sue, table)
    assert [(each["by"], each["person"], each["told"]) for each in told["statements"]] == [
        ("ann", "ann", "it was Banker"), ("dee", "cay", "she sat at 1"),
    ]  # fmt: skip
    assert (told["ruling"]["by"], told["ruling"]["clause"]) == ("gus", "IDT-6.1")
    (moved,) = told["entries"]
    assert (moved["by"], moved["cosigned_by"], moved["amount"]) == ("dee", ["sue"], "10.00")
    assert told["round_records"][0] < told["round_records"][1] < told["records"][0]
    own = file(ann, table)
    assert [each["told"] for each in own["statements"]] == ["it was Banker"]
    assert (own["ruling"]["reason"], own["ruling"]["by"], own["entries"][0]["by"]) == ("seen on camera", "", "")
    assert (own["round_records"], own["records"]) == (None, [])
    assert "dee" not in json.dumps(own)
    assert "sue" not in json.dumps(own)
    assert bob.get(f"/api/tables/{table}/disputes/1").status_code == 404
    here = [each for each in ann.get_json("/api/disputes") if each["table"] == table]
    assert [(each["number"], each["round"], each["decision"]) for each in here] == [(1, 1, "correct")]
    assert [each for each in bob.get_json("/api/disputes") if each["table"] == table] == []
    assert any(each["table"] == table for each in dee.get_json("/api/disputes"))


@pytest.mark.clause("LOG-2", "LOG-3")
def test_the_records_of_a_dispute_are_those_of_the_chain(site: Running, table: str) -> None:
    ann, sue = site.signed_in("ann"), site.signed_in("sue")
    assert raised(ann, table) == "done"
    given(sue, table, "add-statement", dispute=1, told="I saw it")
    told = file(sue, table)
    exported = sue.get(f"/api/tables/{table}/disputes/1/records")
    assert exported.status_code == 200, exported.text
    lines = exported.content.splitlines()
    records = [decode(line) for line in lines]
    first, last = told["round_records"]
    assert [each.sequence for each in records] == [*range(first, last + 1), *told["records"]]
    for before, line in zip(lines, records[1 : last - first + 1], strict=False):
        assert line.previous == digest(before)
    for client in (ann, site.signed_in("dee")):
        assert client.get(f"/api/tables/{table}/disputes/1/records").status_code == 403
    assert sue.get(f"/api/tables/{table}/disputes/2/records").status_code == 404
    book = site.signed_in("alba").get_json("/api/audit/house", limit=500)["records"]
    assert any(each["event"].get("message", {}).get("code") == "alert-export" for each in book)
    assert any(each["event"].get("message", {}).get("code") == "alert-dispute" for each in book)


def test_whoever_is_not_signed_in_reads_no_dispute(site: Running, table: str) -> None:
    raised(site.signed_in("ann"), table)
    assert site.client().get(f"/api/tables/{table}/disputes/1").status_code == 401
    assert site.client().get("/api/disputes").status_code == 401
