"""Open the store at an address: a file, or a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from longhu.store.errors import NotAStore
from longhu.store.integrity import check_ends
from longhu.store.interface import Store

POSTGRESQL = ("postgresql://", "postgres://")


def is_server(address: str) -> bool:
    """Is the house on a PostgreSQL server, and not in a file?"""
    return address.startswith(POSTGRESQL)


def open_store(address: str | Path) -> Store:
    """The store at an address, in the shape that this program knows; the ends of its trails are checked."""
    store = _store_at(str(address))
    try:
        check_ends(store)
    except BaseException:
        store.close()
        raise
    return store


def _store_at(address: str) -> Store:
    if is_server(address):
        from longhu.store.postgresql import PostgresqlStore

        return PostgresqlStore(address)
    if "://" in address:
        scheme = address.partition("://")[0]
        raise NotAStore(f"{scheme[:20]}:// is no kind of store. Name a file, or postgresql://…")
    from longhu.store.sqlite import SqliteStore

    return SqliteStore(Path(address))
