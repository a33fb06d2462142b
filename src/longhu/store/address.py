"""A store is opened: the one that an address names, and nothing is wrong with it as far as can be seen."""

from __future__ import annotations

from pathlib import Path

from longhu.store.backends import store_at
from longhu.store.integrity import check_ends
from longhu.store.interface import Store


def open_store(address: str | Path) -> Store:
    """The store at an address, in the shape that this program knows, with the ends of its trails looked at."""
    store = store_at(str(address))
    try:
        check_ends(store)
    except BaseException:
        store.close()
        raise
    return store
