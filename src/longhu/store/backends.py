"""The store at an address, of whichever kind: a file, or a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from longhu.store.errors import NotOurs
from longhu.store.interface import Store

POSTGRESQL = ("postgresql://", "postgres://")


def store_at(address: str) -> Store:
    """In the shape that this program knows, with nothing looked at."""
    if address.startswith(POSTGRESQL):
        from longhu.store.postgresql import PostgresqlStore

        return PostgresqlStore(address)
    if "://" in address:
        scheme = address.partition("://")[0]
        raise NotOurs(f"{scheme[:20]}:// is no kind of store. Name a file, or postgresql://…")
    from longhu.store.sqlite import SqliteStore

    return SqliteStore(Path(address))
