"""A shuffle that has been revealed, out of the trail of its table: what it was made of, and which cards came out of it.

Shoes are numbered in the order in which they are used, so a round of the shoe is found by halving, and its records around that.
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
from longhu.server.http.fields import Number, Time
from longhu.store.interface import Store
from longhu.table.dealing import CardDrawn
from longhu.table.irregularities.cards import CardsSetAside
from longhu.table.irregularities.rulings import CardBurned
from longhu.table.shoe import ShoeLoaded
from longhu.table.shuffling import ContributionMade, ShuffleCommitted, ShuffleRevealed

PAGE = 500
HEAD = 300  # bytes of a record within which its event is named
KINDS = (ShuffleCommitted, ContributionMade, ShoeLoaded, CardDrawn, CardsSetAside, CardBurned, ShuffleRevealed)
NAMES = tuple(f'"event":"{kind.__struct_config__.tag}"'.encode() for kind in KINDS)
NEAR = 50  # rounds without a card that are passed over while looking for one that has some

Digits = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class RevealedShuffle(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that it takes to make a shuffle again, in the form that the page /fairness/check/ reads too."""

    table: str
    number: Number  # of the shoe
    commitment: Digits
    committed_at: Time
    revealed_at: Time
    secret: Digits
    mix: Mix
    burned: Number
    dealt: list[str]  # the cards as they left the shoe; "" is one whose face nobody told


def revealed(store: Store, table: str, number: int, rounds: int) -> RevealedShuffle | None:
    """The shuffle of that shoe, of a table that has played so many rounds; None where there is none, or it is not over."""
    middle = _round_of(store, table, number, rounds)
    if middle is None:
        return None
    start = _committed(store, table, number, middle)
    return None if start is None else _read(store, table, number, start)


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


def _committed(store: Store, table: str, number: int, last: int) -> int | None:
    """The record with which the shuffle of that shoe was committed to."""
    while last > 0:
        first = max(1, last - PAGE + 1)
        lines = store.records_between(table, first, last)
        for place in range(len(lines) - 1, -1, -1):
            if NAMES[0] in lines[place][:HEAD]:
                event = decode(lines[place]).event
                return first + place if isinstance(event, ShuffleCommitted) and event.number == number else None
        last = first - 1
    return None


def _events(store: Store, table: str, start: int) -> Iterator[Event]:
    """What a shuffle depends on, from a record on."""
    while lines := store.records_between(table, start, start + PAGE - 1):
        for line in lines:
            head = line[:HEAD]
            if any(name in head for name in NAMES):
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
