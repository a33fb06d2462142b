"""The balances that a store found or wrote last, so that they are not asked for again.

Balances of a table change with its records alone. So they are what they were while the table stands where it stood, and
that is asked in every transaction.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping

import msgspec

from longhu.store.entries import Standing

TABLES, ACCOUNTS = 2000, 2000  # that are remembered, and of each table


class Known(msgspec.Struct, frozen=True):
    """Some balances of a table, and where it stood when they were so."""

    standing: Standing
    balances: dict[str, int]


class Memory:
    """What is taken out belongs to one transaction alone, and comes back when that is durable, or never."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, tables: Iterable[str]) -> dict[str, Known]:
        with self._lock:
            return {table: known for table in tables if (known := self._known.pop(table, None)) is not None}

    def keep(self, standings: Mapping[str, Standing], balances: Mapping[str, dict[str, int]]) -> None:
        """The tables stand there durably, and these are their balances."""
        with self._lock:
            for table, standing in standings.items():
                held = balances.get(table)
                if held and len(held) <= ACCOUNTS:
                    self._known[table] = Known(standing, held)
            while len(self._known) > TABLES:
                self._known.popitem(last=False)
