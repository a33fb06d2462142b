"""How PostgreSQL looks rows up while something is written: by their keys, however many there are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from longhu.store.postgresql import _FIND, _LOCKED, _PUT, Connection, PostgresqlStore, _query, connect, connect_by_key
from tests.store.house import Place, a_place
from tests.store.server import Server

MANY = 500  # keys that are asked for at once


@pytest.fixture
def place(server: Server, tmp_path: Path) -> Place:
    place = a_place("postgresql", tmp_path, server.address)
    PostgresqlStore(place.address, schema=place.schema).close()
    return place


@pytest.mark.parametrize(
    ("table", "index"),
    [("appends", "appends_by_command"), ("balances", "balances_(pkey|by_account)"), ("sealed", "sealed_pkey")],
)
@pytest.mark.parametrize("opening", [connect, connect_by_key])
def test_a_plan_that_is_made_while_there_is_nothing_holds_when_there_is_much(
    place: Place, opening: Callable[[str, str], Connection], table: str, index: str
) -> None:
    """A connection keeps its plans. One that reads a whole table is quick while that is empty, and slower every day."""
    keys = [("T1", f"{number}") for number in range(MANY)]
    needs = msgspec.json.encode({"commands": keys, "accounts": keys, "shoes": []}).decode()
    plan = explained(place, opening, _FIND, needs)
    assert f"Seq Scan on {table}" not in plan
    assert re.search(f"Index Scan using {index} on {table}", plan)


def test_rows_that_are_changed_are_found_by_their_keys(place: Place) -> None:
    plan = explained(place, connect_by_key, _PUT, "{}", b"", "", [])
    assert "Seq Scan" not in plan
    for index in ("tables_pkey", "wallets_pkey", "sealed_pkey"):
        assert f"Index Scan using {index}" in plan


def explained(place: Place, opening: Callable[[str, str], Connection], question: str, *parameters: object) -> str:
    with opening(place.address, place.schema) as connection:
        asked = connection.execute(b"explain " + _query(question), parameters)
        return "\n".join(row[0] for row in asked.fetchall())


def test_trails_are_locked_in_the_order_of_their_names(place: Place) -> None:
    """Whoever writes several takes them in this order, and waits for nobody who waits for them."""
    with connect_by_key(place.address, place.schema) as connection:
        asked = connection.execute(b"explain " + _query(_LOCKED), (["T2", "T1"],))
        plan = [row[0].strip().removeprefix("->").split("(")[0].strip() for row in asked.fetchall()]
    assert "LockRows" in plan
    below = plan[plan.index("LockRows") + 1]
    assert below == "Sort" or below.startswith("Index Scan using tables_pkey")


def test_a_store_writes_over_such_connections(place: Place) -> None:
    store = PostgresqlStore(place.address, schema=place.schema)
    try:
        with store._writing() as writing:
            settings = ["enable_seqscan", "plan_cache_mode", "default_transaction_isolation"]
            found = writing.ask("select current_setting(name) from unnest(?::text[]) as name", settings)
            assert [each for (each,) in found] == ["off", "force_generic_plan", "read committed"]
    finally:
        store.close()
