"""How much of a table's audit log may be read already, and shuffles that have been revealed.

A record of a card that nobody has seen is kept back until its time. The auditor reads everything, and nobody sees a card before its
time. A record cannot be told in part, for then nobody could check it. So the log is told up to the last record before the one that
hides something: before the round in progress, while cards of it lie face down, or before the shoe in use, if it has given cards
that were never turned over. All of it is told once the secret of the shuffle is.

Shoes are numbered in the order in which they are used, so a round of the shoe is found by halving, and its records around that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from longhu.audit.laid import laid_cards
from longhu.audit.record import decode
from longhu.fairness.shuffle import Contribution, Mix
from longhu.server.api.codec import Number, Time
from longhu.server.tables.moment import Moment
from longhu.store.interface import Store
from longhu.table.acts import Event
from longhu.table.dealing import CardDrawn
from longhu.table.irregularities.cards import CardsSetAside
from longhu.table.irregularities.rulings import CardBurned
from longhu.table.shoe import ShoeLoaded
from longhu.table.shuffling import ContributionMade, ShuffleCommitted, ShuffleRevealed
from longhu.table.state import Round, ShoeInUse, Table

PAGE = 500
COMMITTED = f'"event":{{"event":"{ShuffleCommitted.__struct_config__.tag}"'.encode()


def told_until(store: Store, table: str, moment: Moment) -> int:
    """The last record of a table that may be read now, as it stands at this moment."""
    if not is_sealed(moment.state):
        return moment.sequence
    if unseen(moment.state.shoe):
        return _before_the_shoe(store, table, moment.sequence)
    return moment.marks.round_first - 1 if face_down(moment.state.round) else moment.sequence


def is_sealed(table: Table) -> bool:
    """Is a shuffle in use whose secret nobody knows yet? Otherwise whatever is in the records is known by other means."""
    return table.shuffle is not None and not table.shuffle.secret


def face_down(round: Round | None) -> bool:
    """Do cards of the round lie face down whose faces are on record?"""
    return round is not None and (any(each.card and not each.public for each in round.cards) or any(round.reserve))


def unseen(shoe: ShoeInUse | None) -> bool:
    """Has the shoe given cards that went to the discards without being turned over?"""
    return shoe is not None and any(shoe.unseen)


def is_revealed(store: Store, table: str, moment: Moment, shoe: int, before: int) -> bool:
    """Can everybody work out the cards of that shoe, from which a round was dealt that began with this record?

    A shuffle is revealed before the next one is committed to, and before the table is closed. Nobody can work out the cards
    of a shoe that people have shuffled.
    """
    shuffle = moment.state.shuffle
    if shuffle is not None and not shuffle.secret and shuffle.number <= shoe:
        return False
    committed = _last_commitment(store, table, before)
    return committed is not None and committed.number == shoe


def _before_the_shoe(store: Store, table: str, last: int) -> int:
    """The record before the last commitment to a shuffle."""
    return next((sequence for sequence, _ in _commitments(store, table, last)), 1) - 1


def _last_commitment(store: Store, table: str, last: int) -> ShuffleCommitted | None:
    line = next((line for _, line in _commitments(store, table, last)), None)
    event = decode(line).event if line is not None else None
    return event if isinstance(event, ShuffleCommitted) else None


def _commitments(store: Store, table: str, last: int) -> Iterator[tuple[int, bytes]]:
    """The records that commit to shuffles, from this one back."""
    while last > 0:
        first = max(1, last - PAGE + 1)
        lines = store.records_between(table, first, last)
        for place in range(len(lines) - 1, -1, -1):
            if COMMITTED in lines[place][:300]:
                yield first + place, lines[place]
        last = first - 1


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
            shoe = laid_cards(decode(line).event for line in lines).shoe
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
