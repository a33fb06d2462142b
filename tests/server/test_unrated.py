"""A table that rates nobody, over HTTP: who may come, what others see, what is paid, and in whose books it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from longhu.table.people import TABLE_RATES_NOBODY
from tests.server.running import Client, Running, quick, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(quick(tmp_path_factory.mktemp("unrated") / "house.db")) as server:
        server.staffed()
        yield server


def dealer_at(site: Running, table: str) -> Client:
    """A dealer with the deal, and a shoe of cards that two have counted."""
    dee = site.signed_in("dee")
    assert dee.command(table, "take-the-deal").status_code == 200
    for _ in range(2):
        ready = dee.get_json(f"/api/tables/{table}/acts")["ready"]
        for loads in [each for each in ready if each["command"] in ("verify-cards", "load-shoe")][:1]:
            done = dee.post(f"/api/tables/{table}/commands", json={"id": uuid4().hex, "command": loads})
            assert done.status_code == 200, done.text
    return dee


def given(dee: Client, table: str, name: str, **fields: Any) -> None:
    answer = dee.command(table, name, **fields)
    assert answer.status_code == 200, answer.text


@pytest.mark.clause("OPS-2", "OPS-4", "DT-4.1a")
def test_a_round_of_nobodys_chips_is_paid_at_the_table_and_in_no_account(site: Running) -> None:
    table = site.open_table(
        f"T-{uuid4().hex[:8]}", dealer="human", device="hand-shoe", chips="physical", patrons="unrated", minimum="5.00"
    )
    ann, dee, sue = site.signed_in("ann"), dealer_at(site, table), site.signed_in("sue")
    before = ann.get_json("/api/me/statement")["balance"]
    sits = ann.post(f"/api/tables/{table}/seat", json={"id": uuid4().hex, "seat": 1, "buy_in": "50.00"})
    assert (sits.status_code, sits.json()["message"]["code"]) == (409, TABLE_RATES_NOBODY.code)
    given(dee, table, "buy-in", patron="@4.1", amount="500.00")
    given(dee, table, "call-place-your-bets")
    given(dee, table, "place-wager", patron="@3.1", place=3, wager="dragon", amount="100.00")
    given(dee, table, "place-wager", patron="@3.2", place=3, wager="tiger", amount="50.00")
    assert ann.command(table, "place-wager", patron="@3.1", place=3, wager="tie", amount="5.00").status_code in (
        403,
        409,
    )
    seen = site.client().get_json(f"/api/tables/{table}")["view"]
    assert {(each["patron"], each["amount"]) for each in seen["round"]["stakes"].values()} == {
        ("@3.1", "100.00"),
        ("@3.2", "50.00"),
    }
    assert seen["notice"]["patrons"] == "unrated"
    given(dee, table, "call-no-more-bets")
    for card in ("KS", "3D"):
        given(dee, table, "draw-card", card=card)
    given(dee, table, "announce-result")
    due = dee.get_json(f"/api/tables/{table}/reckoning")["payments"]
    assert [(each["patron"], each["seat"], each["net"]) for each in due] == [
        ("@3.2", None, "-50.00"),
        ("@3.1", 3, "100.00"),
    ]
    given(dee, table, "settle-round")
    recalled = sue.get_json(f"/api/tables/{table}/rounds/1")["staff"]["wagers"]
    assert {(each["patron"], each["net"]) for each in recalled} == {("@3.1", "100.00"), ("@3.2", "-50.00")}
    floor = next(each for each in sue.get_json("/api/floor") if each["table"] == table)
    assert (floor["drop"], floor["patrons"], floor["win"]) == ("500.00", 0, None)
    told = ann.get_json("/api/me/statement")
    assert (told["balance"], told["plays"]) == (before, [])
