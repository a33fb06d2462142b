"""Somebody who changes a database behind the store's back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apsw
import msgspec
import psycopg

from longhu.store.sql import decode_lines
from tests.store.house import Place

GUARDED = ("appends", "heads", "plays")


def ask(place: Place, statement: str) -> list[tuple[object, ...]]:
    """Run a statement as the database lets it run."""
    if place.backend == "sqlite":
        connection = apsw.Connection(place.address)
        try:
            return list(connection.execute(statement))
        finally:
            connection.close()
    with psycopg.connect(place.address, options=f"-c search_path={place.schema}") as server:
        cursor = server.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def tamper(place: Place, statement: str) -> None:
    """Run a statement after the guards of the database are taken away."""
    for table in GUARDED:
        if place.backend == "sqlite":
            ask(place, f"drop trigger if exists {table}_no_update; drop trigger if exists {table}_no_delete")
        else:
            ask(place, f"alter table {table} disable trigger all")
    ask(place, statement)


def rewrite_lines(place: Place, table: str, change: Callable[[list[bytes]], list[bytes]]) -> None:
    """Other records in the last row of a trail."""
    last, lines, _ = _last_row(place, table)
    changed = b"\n".join(change(decode_lines(lines))).hex()
    blob = f"x'{changed}'" if place.backend == "sqlite" else f"'\\x{changed}'"
    tamper(place, f"update appends set lines = {blob} where table_id = '{table}' and last_sequence = {last}")


def rewrite_postings(place: Place, table: str, change: Callable[[Any], object]) -> None:
    """Other movements in the last row of a trail: a list for each record, changed in place."""
    last, _, postings = _last_row(place, table)
    moved = msgspec.json.decode(postings)
    change(moved)
    text = msgspec.json.encode(moved).decode()
    tamper(place, f"update appends set postings = '{text}' where table_id = '{table}' and last_sequence = {last}")


def _last_row(place: Place, table: str) -> tuple[int, bytes, str]:
    ((last, lines, postings),) = ask(
        place,
        f"select last_sequence, lines, postings from appends where table_id = '{table}' order by last_sequence desc limit 1",
    )
    assert isinstance(last, int)
    assert isinstance(lines, bytes)
    assert isinstance(postings, str)
    return last, lines, postings
