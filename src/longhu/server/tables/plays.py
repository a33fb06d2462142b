"""What the records of a command meant for patrons: what each staked and won, and where the round stands in the trail.

The store keeps it beside the records, in the same transaction, for statements, loss limits and recall. It says nothing that the
records do not say.
"""

from __future__ import annotations

from collections.abc import Sequence

from longhu.eventsourcing import Event
from longhu.server.tables.marks import Marks
from longhu.store.entries import Play, RoundEntry
from longhu.table.irregularities.power import PaymentsReversed, RoundReversed
from longhu.table.remedies.void import RoundVoided, StakeReturned
from longhu.table.settling import RoundCapped, RoundEnded, WagerSettled

VOID = -1  # the ending of a round that has none
KINDS: dict[type[Event], str] = {RoundEnded: "round", RoundVoided: "void", RoundReversed: "reversal"}
Ended = tuple[tuple[Play, ...], RoundEntry | None]


def ended(table: str, marks: Marks, first: int, events: Sequence[Event]) -> Ended:
    """The plays that these records decided, and the round that they ended; `first` is the sequence of the first of them."""
    for sequence, event in enumerate(events, first):
        kind = KINDS.get(type(event))
        if kind is not None and isinstance(event, (RoundEnded, RoundVoided, RoundReversed)):
            ending, began = (
                event.ending if isinstance(event, RoundEnded) else VOID,
                (marks.round_first, marks.round_started),
            )
            plays = tuple(
                Play(person, table, event.number, event.at, staked, net, sequence, kind)
                for person, (staked, net) in _sums(events).items()
            )
            return plays, RoundEntry(table, event.number, began[0], sequence, began[1], event.at, ending)
    return (), None


def _sums(events: Sequence[Event]) -> dict[str, tuple[int, int]]:
    """For each patron what was at risk and what came of it."""
    sums: dict[str, tuple[int, int]] = {}
    for event in events:
        match event:
            case WagerSettled():
                _add(sums, event.stake.patron, event.stake.amount - event.returned, event.net)
            case RoundCapped():
                _add(sums, event.patron, 0, -event.cut)
            case StakeReturned():
                _add(sums, event.stake.patron, event.stake.amount, 0)
            case PaymentsReversed():
                _add(sums, event.patron, 0, -sum(each.net for each in event.paid))
    return sums


def _add(sums: dict[str, tuple[int, int]], patron: str, staked: int, net: int) -> None:
    before = sums.get(patron, (0, 0))
    sums[patron] = (before[0] + staked, before[1] + net)
