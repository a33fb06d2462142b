"""Stores for tests, and tables whose appends follow each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count, groupby
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec

import longhu
from longhu.accounts.record import lines
from longhu.accounts.wallet import PaidIn, PaidOut
from longhu.audit import proof
from longhu.audit.record import Chain, beginning, decode, digest
from longhu.eventsourcing import Event
from longhu.fairness.shuffle import commitment
from longhu.games.game import Game
from longhu.positions import Position
from longhu.store.entries import Append, Appended, Sealed, StreamHead, following
from longhu.store.interface import Store
from longhu.store.postgresql import PostgresqlStore
from longhu.store.sqlite import SqliteStore
from longhu.table.cash import BuyIn, CashOut, ChipsBought, ChipsCashed
from longhu.table.fills import AcceptChips, ChipRequestMoved
from longhu.table.messages import Command
from longhu.table.shuffling import CommitShuffle, RevealShuffle, ShuffleCommitted, ShuffleRevealed
from longhu.table.state import ChipRequest, Table
from tests.audit.evening import START, Trail

DEALER: dict[str, Any] = {"by": "dee", "position": Position.DEALER}


@dataclass(frozen=True)
class Place:
    """Where a store is, so that it can be opened again and by others."""

    backend: str
    address: str
    schema: str = "longhu"

    def open(self, **options: Any) -> Store:
        if self.backend == "sqlite":
            return SqliteStore(Path(self.address), **options)
        return PostgresqlStore(self.address, schema=self.schema)


def a_place(backend: str, folder: Path, server: str) -> Place:
    """An empty place."""
    if backend == "sqlite":
        return Place(backend, str(folder / f"{uuid4().hex}.db"))
    return Place(backend, server, f"t{uuid4().hex}")


@cache
def rules(id: str = "dragon-tiger") -> Game:
    return longhu.game(id).definition


class Seat:
    """Somebody who appends to a table, from where it stands: patrons buy chips, and there is nothing to refuse."""

    def __init__(self, standing: StreamHead) -> None:
        self.table, self.numbers = standing.table, count(1)
        self.stands(standing)

    def stands(self, standing: StreamHead) -> None:
        """Start again from there: what was made and not stored is forgotten."""
        salt = lambda: f"{next(self.numbers):032x}"  # noqa: E731
        self.chain = Chain(self.table, salt, sequence=standing.sequence, head=standing.head, last_at=standing.last_at)

    def standing(self) -> StreamHead:
        return StreamHead(self.table, self.chain.sequence, self.chain.head, self.chain.last_at)

    def buys(self, *amounts: int, patron: str = "ann", command: str = "", seals: Sealed | None = None) -> Append:
        """Chips for so much, one record each."""
        before = self.standing()
        at = max(before.last_at, START) + 1
        events = [ChipsBought(at=at, table=self.table, patron=patron, amount=each, **DEALER) for each in amounts]
        return self.made(before, BuyIn(at=at, patron=patron, amount=amounts[0], **DEALER), events, command, seals)

    def fills(self, *amounts: int, command: str = "") -> Append:
        """Chips from the cage into the tray, one record each: no pocket is touched."""
        before = self.standing()
        at = max(before.last_at, START) + 1
        requests = [ChipRequest(number=1, kind="fill", amount=each, stage="accepted") for each in amounts or (10**12,)]
        events = [ChipRequestMoved(at=at, table=self.table, request=each, **DEALER) for each in requests]
        return self.made(before, AcceptChips(at=at, number=1, **DEALER), events, command)

    def cashes(self, amount: int, patron: str = "ann", command: str = "") -> Append:
        """Chips taken to the cage; nobody asks here whether the patron has them."""
        before = self.standing()
        at = max(before.last_at, START) + 1
        event = ChipsCashed(by=patron, at=at, patron=patron, amount=amount)
        return self.made(before, CashOut(by=patron, at=at, amount=amount), [event], command)

    def commits(self, shoe: int, secret: bytes, *, told: bytes = b"") -> Append:
        """A commitment to a shuffle, with its secret sealed; `told` is what the record says instead."""
        before = self.standing()
        at = max(before.last_at, START) + 1
        said = told.hex() or commitment(self.table, shoe, secret)
        event = ShuffleCommitted(at=at, number=shoe, commitment=said, **DEALER)
        asked = CommitShuffle(at=at, commitment=said, **DEALER)
        return self.made(before, asked, [event], "", Sealed(shoe, secret))

    def reveals(self, shoe: int, secret: bytes) -> Append:
        before = self.standing()
        at = max(before.last_at, START) + 1
        event = ShuffleRevealed(at=at, number=shoe, secret=secret.hex(), **DEALER)
        asked = RevealShuffle(at=at, secret=secret.hex(), **DEALER)
        return msgspec.structs.replace(self.made(before, asked, [event], ""), reveals=shoe)

    def made(
        self, before: StreamHead, asked: Command, events: Sequence[Event], command: str, seals: Sealed | None = None
    ) -> Append:
        lines = self.chain.lines(Table(game=""), rules(), asked, events)
        return following(before, lines, events, command or uuid4().hex, seals=seals)


def opened(store: Store, table: str = "T1") -> Seat:
    """A new table with chips in its tray, and somebody who appends to it."""
    seat = Seat(store.create(table, rules(), START))
    assert store.commit([seat.fills()]) == [Appended(1, 1)]
    return seat


class Purse:
    """Somebody whose trail is appended to, from where it stands: money comes in and goes out."""

    def __init__(self, person: str, standing: StreamHead) -> None:
        self.person, self.standing = person, standing

    def pays_in(self, amount: int, command: str = "") -> Append:
        at = max(self.standing.last_at, START) + 1
        return self._made(PaidIn(person=self.person, amount=amount, reference="", at=at), command)

    def pays_out(self, amount: int, command: str = "") -> Append:
        at = max(self.standing.last_at, START) + 1
        return self._made(PaidOut(person=self.person, amount=amount, reference="", at=at), command)

    def _made(self, event: PaidIn | PaidOut, command: str) -> Append:
        before = self.standing
        (line,) = lines(before.sequence, before.head, [event])
        self.standing = StreamHead(before.table, before.sequence + 1, digest(line), event.at)
        return following(before, [line], [event], command or uuid4().hex)


def with_wallet(store: Store, person: str = "ann", amount: int = 0) -> Purse:
    """Somebody with a wallet, and so much in it."""
    purse = Purse(person, store.create_trail(f"person:{person}", START, wallet=person))
    if amount:
        assert store.commit([purse.pays_in(amount)]) == [Appended(1, 1)]
    return purse


def appends_of(trail: Trail) -> list[Append]:
    """A whole evening, command by command: each command has a time of its own."""
    appends: list[Append] = []
    standing = StreamHead(trail.chain.table, 0, beginning(trail.chain.table), 0)
    records = [(decode(line).event, line) for line in proof.records(trail.lines)]
    for at, group in groupby(records, key=lambda each: each[0].at):
        events, lines = zip(*group, strict=True)
        appends.append(following(standing, lines, events, f"command {len(appends) + 1}"))
        standing = StreamHead(standing.table, standing.sequence + len(lines), digest(lines[-1]), at)
    return appends
