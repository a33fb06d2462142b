"""How much of a table's trail may be read already: a record of a card that nobody has seen is kept back until its time.

The auditor reads everything, and nobody sees a card before its time. A record cannot be told in part, for then nobody could
check it. So the trail is told up to the last record before the one that hides something: before the round in progress,
while cards of it lie face down, or before the shoe in use, if it has given cards that were never turned over. All of it is
told once the secret of the shuffle is.
"""

from __future__ import annotations

from collections.abc import Iterator

from longhu.audit.record import decode
from longhu.server.streams.stream import Snapshot
from longhu.store.interface import Store
from longhu.table.shuffling import ShuffleCommitted
from longhu.table.state import Round, ShoeInUse, Table

PAGE = 500
COMMITTED = f'"event":{{"event":"{ShuffleCommitted.__struct_config__.tag}"'.encode()


def told_until(store: Store, table: str, snapshot: Snapshot[Table]) -> int:
    """The last record of a table that may be read now, as it stands at this snapshot."""
    if not is_sealed(snapshot.state):
        return snapshot.sequence
    if unseen(snapshot.state.shoe):
        return _before_the_shoe(store, table, snapshot.sequence)
    return snapshot.milestones.round_first - 1 if face_down(snapshot.state.round) else snapshot.sequence


def is_sealed(table: Table) -> bool:
    """Is a shuffle in use whose secret nobody knows yet? Otherwise whatever is in the records is known by other means."""
    return table.shuffle is not None and not table.shuffle.secret


def face_down(round: Round | None) -> bool:
    """Do cards of the round lie face down whose faces are on record?"""
    return round is not None and (any(each.card and not each.public for each in round.cards) or any(round.reserve))


def unseen(shoe: ShoeInUse | None) -> bool:
    """Has the shoe given cards that went to the discards without being turned over?"""
    return shoe is not None and any(shoe.unseen)


def is_revealed(store: Store, table: str, snapshot: Snapshot[Table], shoe: int, before: int) -> bool:
    """Can everybody work out the cards of that shoe, from which a round was dealt that began with this record?

    A shuffle is revealed before the next one is committed to, and before the table is closed. Nobody can work out the cards
    of a shoe that people have shuffled.
    """
    shuffle = snapshot.state.shuffle
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
