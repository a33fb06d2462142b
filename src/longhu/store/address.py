"""Which store an address names: a file, or a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from longhu.store.errors import NotOurs
from longhu.store.integrity import check_ends
from longhu.store.interface import Store

POSTGRESQL = ("postgresql://", "postgres://")


def open_store(address: str | Path) -> Store:
    """The store at an address, in the shape that this program knows, with the ends of its trails looked at."""
    store = _store(str(address))
    try:
        check_ends(store)
    except BaseException:
        store.close()
        raise
    return store


def _store(address: str) -> Store:
    if address.startswith(POSTGRESQL):
        from longhu.store.postgresql import PostgresqlStore

        return PostgresqlStore(address)
    if "://" in address:
        scheme = address.partition("://")[0]
        raise NotOurs(f"{scheme[:20]}:// is no kind of store. Name a file, or postgresql://…")
    from longhu.store.sqlite import SqliteStore

    return SqliteStore(Path(address))
