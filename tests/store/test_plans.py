"""How PostgreSQL looks rows up while something is written: by their keys, however many there are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from longhu.store.postgresql import (
    _BALANCES,
    _COMMANDS,
    _LOCKED,
    Connection,
    PostgresqlStore,
    _query,
    connect,
    connect_by_key,
)
from tests.store.house import Place, a_place
from tests.store.server import Server

MANY = 500  # keys that are asked for at once


@pytest.fixture
def place(server: Server, tmp_path: Path) -> Place:
    place = a_place("postgresql", tmp_path, server.address)
    PostgresqlStore(place.address, schema=place.schema).close()
    return place


@pytest.mark.parametrize(("question", "table"), [(_COMMANDS, "appends"), (_BALANCES, "balances")])
def test_a_plan_that_is_made_while_there_is_nothing_holds_when_there_is_much(
    place: Place, question: str, table: str
) -> None:
    """A connection keeps its plans. One that reads a whole table is quick while that is empty, and slower every day."""

    def plan(opening: Callable[[str, str], Connection]) -> str:
        with opening(place.address, place.schema) as connection:
            asked = connection.execute(
                b"explain " + _query(question), (["T1"] * MANY, [f"{number}" for number in range(MANY)])
            )
            return "\n".join(row[0] for row in asked.fetchall())

    assert f"Seq Scan on {table}" in plan(connect)  # as PostgreSQL has it for a table that is empty
    assert f"Seq Scan on {table}" not in plan(connect_by_key)
    assert f"on {table}" in plan(connect_by_key)


def test_trails_are_locked_in_the_order_of_their_names(place: Place) -> None:
    """Whoever writes several takes them in this order, and waits for nobody who waits for them."""
    with connect_by_key(place.address, place.schema) as connection:
        asked = connection.execute(b"explain " + _query(_LOCKED), (["T2", "T1"],))
        plan = [row[0].strip().removeprefix("->").split("(")[0].strip() for row in asked.fetchall()]
    assert plan[0] == "LockRows"
    assert plan[1] == "Sort" or plan[1].startswith("Index Scan using tables_pkey")


def test_a_store_writes_over_such_connections(place: Place) -> None:
    store = PostgresqlStore(place.address, schema=place.schema)
    try:
        with store._writing() as writing:
            settings = ["enable_seqscan", "plan_cache_mode", "default_transaction_isolation"]
            found = writing.ask("select current_setting(name) from unnest(?::text[]) as name", settings)
            assert [each for (each,) in found] == ["off", "force_generic_plan", "read committed"]
    finally:
        store.close()
