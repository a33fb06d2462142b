"""What is remembered of what happened at a table, for whoever missed some of it.

The tables before and after are let go: of thousands of events a second they would fill the memory, and the processor's caches. What is told of
an event beside itself is the countdown, where that has become another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from longhu.eventsourcing import Event
from longhu.server.tables.dealing import deals
from longhu.server.tables.moment import Happened
from longhu.server.tables.pace import Opened, opened
from longhu.table.state import Table

Course = tuple[Opened | None, Opened | None]  # betting that closes by itself, before and after


class Past(NamedTuple):
    """An event as it is remembered; events that happened at once share one course."""

    sequence: int
    event: Event
    course: Course


def past(happened: Iterable[Happened]) -> Iterator[Past]:
    """The same without the tables."""
    known: tuple[Table, Table] | None = None
    course: Course = (None, None)
    for sequence, event, before, after in happened:
        if known is None or known[0] is not before or known[1] is not after:
            known, course = (before, after), (_closing(before), _closing(after))
        yield Past(sequence, event, course)


def _closing(table: Table) -> Opened | None:
    return opened(table) if deals(table) else None
