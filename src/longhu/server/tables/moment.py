"""A table after a record of its trail: where it starts from, what happens to it, and how it is read from the store.

Reading starts from a state that was kept, where there is one that this very program kept, and goes on with the records
behind it. A kept state saves time and is never believed: the money in it must be what the store's own ledger says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from longhu.audit.proof import GameFile
from longhu.audit.record import beginning, decode, digest
from longhu.games.game import Game
from longhu.server.tables.marks import Marks, marked
from longhu.store.entries import StreamHead
from longhu.store.errors import Damaged
from longhu.store.interface import Store
from longhu.table.acts import Event
from longhu.table.engine import evolve
from longhu.table.state import Table

HISTORY = 500  # events that are remembered, for whoever missed some


class Happened(NamedTuple):
    """An event, and the table before and after it; of events that happened at once, before and after all of them."""

    sequence: int
    event: Event
    before: Table
    after: Table


class Moment(msgspec.Struct, frozen=True):
    """The table after a record."""

    sequence: int
    head: str  # the digest of the record
    last_at: int  # milliseconds, UTC
    state: Table
    marks: Marks = Marks()

    def standing(self, table: str) -> StreamHead:
        return StreamHead(table, self.sequence, self.head, self.last_at)


class Kept(msgspec.Struct, frozen=True):
    """What is kept of a moment; head and time are the record's."""

    state: Table
    marks: Marks


class Read(NamedTuple):
    """A table as its records tell it."""

    moment: Moment
    happened: Sequence[Happened]


_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Kept)


def first_moment(table: str) -> Moment:
    """A table to which nothing has happened."""
    return Moment(0, beginning(table), 0, Table(game=""))


def after(moment: Moment, lines: Iterable[bytes], last: int | None = None) -> Read:
    """The table after these records; of what happened in them the last so many are remembered, all where none is said."""
    happened: deque[Happened] = deque(maxlen=last)
    sequence, head, at, state, marks = msgspec.structs.astuple(moment)
    for line in lines:
        record = decode(line)
        if (record.sequence, record.previous) != (sequence + 1, head):
            raise Damaged(f"record {record.sequence} does not follow the one before it")
        sequence, head, event = record.sequence, digest(line), record.event
        before, state = state, evolve(state, event)
        marks, at = marked(marks, sequence, event), event.at
        happened.append(Happened(sequence, event, before, state))
    return Read(Moment(sequence, head, at, state, marks), happened)


def kept(moment: Moment) -> bytes:
    """A moment as the store keeps it."""
    return _encoder.encode(Kept(moment.state, moment.marks))


def read(store: Store, table: str, form: str) -> Read:
    """The table as the store has it; `Damaged` where its records and its money do not agree."""
    for start in (_start(store, table, form), first_moment(table)):
        if start is None:
            continue
        found = after(start, store.records(table, start.sequence), HISTORY)
        if _agrees(store, table, found.moment):
            return found
    raise Damaged(
        f"the records of table {table} give other balances than the ledger has. Keep the database, and compare it with a backup."
    )


def _start(store: Store, table: str, form: str) -> Moment | None:
    """The moment at which a state was kept by this program; None where none was, or it cannot be read."""
    found = store.state(table, form)
    if found is None:
        return None
    sequence, state = found
    lines = store.records_between(table, sequence, sequence)
    try:
        was = _decoder.decode(state)
    except msgspec.MsgspecError:
        return None
    return Moment(sequence, digest(lines[0]), decode(lines[0]).event.at, was.state, was.marks) if lines else None


def _agrees(store: Store, table: str, moment: Moment) -> bool:
    """Has the store the same money? Where somebody has appended meanwhile, nothing can be said."""
    balances: Mapping[str, int] = store.balances(table)
    return balances == moment.state.balances or store.standing(table).sequence != moment.sequence


def rules_of(store: Store, table: str, state: Table) -> Game:
    """The rules that a table was opened with; while it is closed, those that it will be opened with."""
    adopted = next((each.game for each in store.tables() if each.table == table), "")
    found = store.games(table)[adopted if state.settings is None else state.game]
    return _loaded(found.text, tuple(found.readings.items()))


@lru_cache(64)
def _loaded(text: str, readings: tuple[tuple[str, str], ...]) -> Game:
    """Tables of one game share it."""
    return GameFile(text, dict(readings)).load("the rules of a table")
