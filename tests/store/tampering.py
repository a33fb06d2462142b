"""Somebody who changes a database behind the store's back."""

from __future__ import annotations

import apsw
import psycopg

from tests.store.house import Place

GUARDED = ("records", "postings", "commands", "heads", "plays")


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
