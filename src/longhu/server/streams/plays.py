"""What the records of a command mean for patrons: what each staked and won, and where the round is in the stream.

The store keeps it beside the records, in the same transaction, for statements, loss limits and the list of rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from longhu.eventsourcing import Event
from longhu.server.streams.milestones import Milestones
from longhu.store.entries import Play, RoundEntry
from longhu.table.irregularities.power import PaymentsReversed, RoundReversed
from longhu.table.remedies.void import RoundVoided, StakeReturned
from longhu.table.settling import RoundCapped, RoundEnded, WagerSettled

VOID = -1  # the ending of a round that has none
ENDS_ROUND: dict[type[Event], str] = {RoundEnded: "round", RoundVoided: "void", RoundReversed: "reversal"}


def plays_and_round(
    table: str, milestones: Milestones, first: int, events: Sequence[Event]
) -> tuple[tuple[Play, ...], RoundEntry | None]:
    """The plays that these events decide, and the round that they end; `first` is the sequence of the first of them."""
    for sequence, event in enumerate(events, first):
        kind = ENDS_ROUND.get(type(event))
        if kind is not None and isinstance(event, (RoundEnded, RoundVoided, RoundReversed)):
            ending, began = (
                event.ending if isinstance(event, RoundEnded) else VOID,
                (milestones.round_first, milestones.round_started),
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
