"""What a store found or wrote last of its tables, so that it is not asked for again.

Balances of a table change with its records alone. So they are what they were while the table stands where it stood, and
that is asked in every transaction, or is the condition under which it writes.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from longhu.ledger import WORLD
from longhu.store.entries import Append, Standing
from longhu.store.plan import Found

TABLES, ACCOUNTS = 2000, 2000  # that are remembered, and of each table


class Known(msgspec.Struct, frozen=True):
    """Some balances of a table, and where it stood when they were so."""

    standing: Standing
    balances: dict[str, int]
    balanced: int  # the record up to which they are rows of their own,
    unwritten: set[str]  # and the accounts that were moved since
    games: Sequence[str]  # all rules that the table ever had; none where it is another trail


class Memory:
    """What is taken out belongs to one transaction alone, and comes back when that is durable, or never."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, tables: Iterable[str]) -> dict[str, Known]:
        with self._lock:
            return {table: known for table in tables if (known := self._known.pop(table, None)) is not None}

    def keep(self, found: Found) -> None:
        """The tables stand there durably, and these are their balances."""
        with self._lock:
            for table, standing in found.standings.items():
                held = found.balances.get(table)
                if held and len(held) <= ACCOUNTS and table not in found.damaged:
                    balanced, unwritten = found.balanced.get(table, 0), found.unwritten.get(table, set())
                    self._known[table] = Known(standing, held, balanced, unwritten, found.games.get(table, ()))
            while len(self._known) > TABLES:
                self._known.popitem(last=False)


def remembered(batch: Iterable[Append], known: Mapping[str, Known]) -> Found | None:
    """What the tables of a batch are remembered to hold, where that is all that must be known to judge it.

    Pockets, secrets and limits belong to no table alone, and which commands were done before only the database knows.
    """
    for each in batch:
        of_table = known.get(each.table)
        if of_table is None or each.seals is not None or each.reveals is not None:
            return None
        if each.plays or each.round is not None or each.risks:
            return None
        for postings in each.postings:
            for account, _ in postings:
                if account not in of_table.balances or account.startswith(WORLD):
                    return None
    return Found(
        standings={table: each.standing for table, each in known.items()},
        games={table: each.games for table, each in known.items()},
        without_game={table for table, each in known.items() if not each.games},
        balances={table: each.balances for table, each in known.items()},
        balanced={table: each.balanced for table, each in known.items()},
        unwritten={table: each.unwritten for table, each in known.items()},
    )
