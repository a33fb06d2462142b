"""Visibility of a table's audit log, and shuffles that have been revealed.

The auditor reads everything, but nobody sees a face-down card before its time, and a record that is shown in part could not be checked.
So the log is shown up to the last record before the one that hides something: before the round in progress, while cards of it lie
face down, or before the shoe in use, if it has given cards that were never turned over. All of it is shown once the secret of the
shuffle is revealed.

Shoes are numbered in the order in which they are used, so a round of the shoe is found by bisection, and its records around that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from longhu.audit.record import decode
from longhu.audit.resettlement import round_cards
from longhu.eventsourcing import Event
from longhu.fairness.shuffle import Contribution, Mix
from longhu.server.streams.stream import Snapshot
from longhu.server.tables.theory import name_of, names_in_records, records_named
from longhu.store.interface import Store
from longhu.table.betting_phase import RoundStarted
from longhu.table.dealing import CardDrawn
from longhu.table.irregularities.cards import CardsSetAside
from longhu.table.irregularities.rulings import CardBurned
from longhu.table.people import DealerChanged
from longhu.table.shoe import ShoeLoaded
from longhu.table.shuffling import ContributionMade, ShuffleCommitted, ShuffleRevealed
from longhu.table.state import Round, ShoeInUse, Table

PAGE = 500  # records that are read at a time
NEAR = 50  # rounds without a card that are passed over while looking for one that has some
COMMITTED = names_in_records(ShuffleCommitted)
OF_A_SHOE = names_in_records(ShoeLoaded, RoundStarted)
OF_A_SHUFFLE = names_in_records(
    ShuffleCommitted, ContributionMade, ShoeLoaded, CardDrawn, CardsSetAside, CardBurned, ShuffleRevealed
)

Digits = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


def told_until(store: Store, table: str, snapshot: Snapshot[Table]) -> int:
    """The last record of a table that may be read now, as it is now."""
    if is_sealed(snapshot.state) and unseen(snapshot.state.shoe):
        committed = _last_commitment(store, table, snapshot.sequence)
        return _before(store, table, committed[0]) if committed is not None else 0
    if comes_next(snapshot.state.shoe):
        return _before(store, table, _first_round(store, table, snapshot.sequence))
    if face_down(snapshot.state.round):  # of real cards a shoe may have read some that nobody has turned over yet
        return _before(store, table, snapshot.milestones.round_first)
    return snapshot.sequence


def _before(store: Store, table: str, first: int) -> int:
    """The last record before the command that led to this one: who takes the deal by an act is on record first."""
    lines = store.records_between(table, first - 1, first) if first > 1 else []
    events = [decode(line).event for line in lines]
    if len(events) == 2 and isinstance(events[0], DealerChanged):
        taken, act = events
        if (taken.by, taken.at) == (act.by, act.at):
            return first - 2
    return first - 1


def is_sealed(table: Table) -> bool:
    """Is a shuffle in use whose secret nobody knows yet? Otherwise whatever is in the records is known by other means."""
    return table.shuffle is not None and not table.shuffle.secret


def face_down(round: Round | None) -> bool:
    """Do cards of the round lie face down whose faces are on record: dealt, beside the shoe, or drawn in error?"""
    return round is not None and (
        any(each.card and not each.public for each in round.cards)
        or any(round.reserve)
        or any(each.card and not each.exposed for each in round.in_error)
    )


def unseen(shoe: ShoeInUse | None) -> bool:
    """Has the shoe given cards that went to the discards without being turned over?"""
    return shoe is not None and any(shoe.unseen)


def comes_next(shoe: ShoeInUse | None) -> bool:
    """Is it on record which card comes next, because it was put back?"""
    return shoe is not None and any(shoe.ahead)


def _first_round(store: Store, table: str, last: int) -> int:
    """The record with which the first round from the shoe in use started."""
    first = last
    for sequence, line in records_named(store, table, OF_A_SHOE, last):
        if isinstance(decode(line).event, ShoeLoaded):
            break
        first = sequence
    return first


def is_revealed(store: Store, table: str, snapshot: Snapshot[Table], shoe: int, before: int) -> bool:
    """Can everybody work out the cards of that shoe, from which a round was dealt that began with this record?

    A shuffle is revealed before the next one is committed to, and before the table is closed. Nobody can work out the cards
    of a shoe that people have shuffled.
    """
    shuffle = snapshot.state.shuffle
    if shuffle is not None and not shuffle.secret and shuffle.number <= shoe:
        return False
    committed = _last_commitment(store, table, before)
    return committed is not None and committed[1].number == shoe


def _last_commitment(store: Store, table: str, last: int) -> tuple[int, ShuffleCommitted] | None:
    """The last record that commits to a shuffle, from this one back."""
    for sequence, line in records_named(store, table, COMMITTED, last):
        event = decode(line).event
        return (sequence, event) if isinstance(event, ShuffleCommitted) else None
    return None


# ------------------------------------------------ revealed shuffles


class RevealedShuffle(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that it takes to make a shuffle again, in the form that the page /fairness/check/ reads too."""

    table: str
    number: int  # of the shoe
    commitment: Digits
    committed_at: int  # milliseconds, UTC
    revealed_at: int
    secret: Digits
    mix: Mix
    burned: int
    dealt: list[str]  # the cards as they left the shoe; "" is one whose face nobody told


def revealed(store: Store, table: str, number: int, rounds: int) -> RevealedShuffle | None:
    """The shuffle of that shoe, of a table that has played so many rounds; None where there is none, or it is not over."""
    middle = _round_of(store, table, number, rounds)
    if middle is None:
        return None
    start = _last_commitment(store, table, middle)
    return None if start is None or start[1].number != number else _read(store, table, number, start[0])


def _round_of(store: Store, table: str, shoe: int, rounds: int) -> int | None:
    """The first record of some round that was dealt from the shoe."""
    low, high = 1, rounds
    while low <= high:
        middle = (low + high) // 2
        found = _dealt_from(store, table, middle, high)
        if found is None or found[0] > shoe:
            high = middle - 1
        elif found[0] < shoe:
            low = middle + 1
        else:
            return found[1]
    return None


def _dealt_from(store: Store, table: str, number: int, last: int) -> tuple[int, int] | None:
    """The shoe of a round, or of the next that was dealt, and the round's first record."""
    for each in range(number, min(number + NEAR, last) + 1):
        entry = store.round(table, each)
        if entry is not None:
            lines = store.records_between(table, entry.first, entry.last)
            shoe = round_cards(decode(line).event for line in lines).shoe
            if shoe:
                return shoe, entry.first
    return None


def _events(store: Store, table: str, start: int) -> Iterator[Event]:
    """What a shuffle depends on, from a record on."""
    while lines := store.records_between(table, start, start + PAGE - 1):
        for line in lines:
            if name_of(line) in OF_A_SHUFFLE:
                yield decode(line).event
        start += len(lines)


def _read(store: Store, table: str, number: int, start: int) -> RevealedShuffle | None:
    """From the commitment to the secret."""
    events = _events(store, table, start)
    committed = next(events)
    contributions: list[Contribution] = []
    dealt: list[str] = []
    loaded: ShoeLoaded | None = None
    if not isinstance(committed, ShuffleCommitted):
        return None
    for event in events:
        match event:
            case ContributionMade():
                contributions.append(event.contribution)
            case ShoeLoaded():
                loaded = event
            case CardDrawn() if not event.from_reserve:
                dealt.append(event.card.card)
            case CardsSetAside():
                dealt += event.cards
            case CardBurned():
                dealt.append(event.card)
            case ShuffleRevealed() if loaded is not None and event.number == number:
                shoe = loaded.shoe
                return RevealedShuffle(
                    table=table,
                    number=number,
                    commitment=committed.commitment,
                    committed_at=committed.at,
                    revealed_at=event.at,
                    secret=event.secret,
                    mix=Mix(table, number, shoe.counts, tuple(contributions), shoe.cut_by, shoe.cut_at),
                    burned=loaded.burned,
                    dealt=dealt,
                )
            case ShuffleCommitted():
                return None
    return None
