"""The win of each table against theory, computed from its records and cached.

A long log is read a part at a time: an answer holds what is known so far, and how much is still to be read.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import lru_cache
from threading import Lock

import msgspec

from longhu.audit.proof import GameFile
from longhu.audit.record import decode
from longhu.eventsourcing import Event, stored_name
from longhu.store.interface import Store
from longhu.table.betting_phase import RoundStarted
from longhu.table.irregularities.power import PaymentsReversed, RoundReversed
from longhu.table.opening import SettingsChanged, TableOpened
from longhu.table.settling import RoundCapped, RoundEnded, WagerSettled
from longhu.table.theory import Figures, Point, Theory, figures
from longhu.table.wrong_payments import PaymentCorrected
from longhu.upcasting import names_read_as

BUDGET = 1.5  # seconds of reading for one question
NAME = b'"event":{"event":"'


def names_in_records(*events: type[Event]) -> frozenset[bytes]:
    """The stored names of these events, old ones too."""
    return frozenset(name.encode() for event in events for name in names_read_as(stored_name(event)))


LOOKED_AT = names_in_records(
    TableOpened,
    SettingsChanged,
    RoundStarted,
    WagerSettled,
    RoundCapped,
    RoundEnded,
    PaymentCorrected,
    PaymentsReversed,
    RoundReversed,
)


class WinToDate(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a table since it opened, in minor units."""

    opened: int
    rounds: int
    staked: int
    win: int
    expected: int  # to the nearest
    deviation: int
    points: list[Point]
    read: int  # records that were looked at
    of: int


class _Reading:
    """One table; one thread at a time reads on."""

    def __init__(self, store: Store, table: str) -> None:
        self.lock = Lock()
        self._store, self._table, self.sequence = store, table, 0
        self._files: dict[str, GameFile] = {}
        self.theory = Theory(self._figures)

    def _figures(self, game: str, decks: int) -> Figures:
        if game not in self._files:
            self._files = dict(self._store.games(self._table))
        file = self._files[game]
        return _known(game, decks, file.text, tuple(file.readings.items()))

    def read_on(self, until: float) -> None:
        for line in self._store.records(self._table, self.sequence):
            self.sequence += 1
            if name_of(line) in LOOKED_AT:
                self.theory.take(decode(line).event)
                if time.monotonic() > until:
                    return


@lru_cache(64)
def _known(digest: str, decks: int, text: str, readings: tuple[tuple[str, str], ...]) -> Figures:
    """Tables of one game share them."""
    return figures(GameFile(text, dict(readings)).load(f"the rules {digest[:12]}"), decks)


def name_of(line: bytes) -> bytes:
    """The stored name of a record's event, without reading all of it; b"" where there is none."""
    start = line.find(NAME)
    if start < 0:
        return b""
    start += len(NAME)
    return line[start : line.find(b'"', start)]


class Theories:
    """Of all tables that somebody has asked about."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._readings: dict[str, _Reading] = {}

    def told(self, table: str, budget: float = BUDGET) -> WinToDate:
        """Read on for so long, and tell; for a thread of its own."""
        reading = self._readings.setdefault(table, _Reading(self._store, table))
        with reading.lock:
            reading.read_on(time.monotonic() + budget)
            theory = reading.theory
            return WinToDate(
                opened=theory.opened,
                rounds=theory.rounds,
                staked=theory.staked,
                win=theory.win,
                expected=round(theory.expected),
                deviation=round(theory.now.deviation),
                points=theory.points,
                read=reading.sequence,
                of=max(reading.sequence, self._store.standing(table).sequence),
            )


def records_named(store: Store, table: str, names: frozenset[bytes], last: int) -> Iterator[tuple[int, bytes]]:
    """Records of these kinds, from this one back."""
    page = 500
    while last > 0:
        first = max(1, last - page + 1)
        lines = store.records_between(table, first, last)
        for place in range(len(lines) - 1, -1, -1):
            if name_of(lines[place]) in names:
                yield first + place, lines[place]
        last = first - 1
