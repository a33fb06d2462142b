"""Projections of a table, kept beside its state: milestones, plays of patrons, and the list of rounds.

Milestones say when the round, the shuffle or the halt in progress began: the state of a table does not, and the automatic dealer
needs it. Plays and rounds are stored with the records, in the same transaction, for statements, loss limits and the list of rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from longhu.eventsourcing import Event
from longhu.ledger import is_spot
from longhu.store.entries import Play, RoundEntry
from longhu.table.betting_phase import RoundStarted
from longhu.table.commission import CommissionCollected
from longhu.table.differential import DifferentialExceeded
from longhu.table.disputes import DisputeRaised, DisputeRuled, StatementAdded
from longhu.table.irregularities.missing import CardsFoundMissing
from longhu.table.irregularities.power import PaymentsReversed, RoundReversed
from longhu.table.remedies.procedure import IncidentOpened, JudgementAwaited
from longhu.table.remedies.void import RoundVoided, StakeReturned
from longhu.table.settling import RoundCapped, RoundEnded, WagerSettled
from longhu.table.shuffling import ShuffleCommitted
from longhu.table.state import KEPT_ROUNDS
from longhu.table.wrong_payments import PaymentCorrected


class RoundSpan(msgspec.Struct, frozen=True, gc=False):
    """The records of a round that is over."""

    number: int
    first: int
    last: int
    started: int
    ended: int


class Milestones(msgspec.Struct, frozen=True, gc=False):
    """The last of each kind; one that is over stays until the next begins. Rounds that can be reversed have their place in the log."""

    round_first: int = 0  # the record with which the last round started
    round_started: int = 0  # milliseconds, as all that follow
    shuffle_committed_at: int = 0  # when the last shuffle was committed to
    differential_at: int = 0  # when the table differential was found to be exceeded
    halted_at: int = 0  # the last incident that somebody has to rule on
    spans: tuple[RoundSpan, ...] = ()  # of the last rounds that are over
    disputes: dict[int, tuple[int, ...]] = msgspec.field(default_factory=dict)  # the records of each dispute


def reached(milestones: Milestones, sequence: int, event: Event) -> Milestones:
    """The milestones after an event, which is that record."""
    change = MILESTONES.get(type(event))
    return milestones if change is None else change(milestones, sequence, event)


def _round_over(milestones: Milestones, sequence: int, event: RoundEnded | RoundVoided) -> Milestones:
    span = RoundSpan(event.number, milestones.round_first, sequence, milestones.round_started, event.at)
    return replace(milestones, spans=(*milestones.spans[1 - KEPT_ROUNDS :], span))


def _of_a_dispute(
    milestones: Milestones, sequence: int, event: DisputeRaised | StatementAdded | DisputeRuled | PaymentCorrected
) -> Milestones:
    if not event.dispute:  # a payment that was corrected without one
        return milestones
    known = milestones.disputes
    return replace(milestones, disputes={**known, event.dispute: (*known.get(event.dispute, ()), sequence)})


MILESTONES: dict[type[Event], Callable[[Milestones, int, Any], Milestones]] = {
    RoundStarted: lambda milestones, sequence, event: replace(milestones, round_first=sequence, round_started=event.at),
    ShuffleCommitted: lambda milestones, _, event: replace(milestones, shuffle_committed_at=event.at),
    DifferentialExceeded: lambda milestones, _, event: replace(milestones, differential_at=event.at),
    IncidentOpened: lambda milestones, _, event: replace(milestones, halted_at=event.at),
    JudgementAwaited: lambda milestones, _, event: replace(milestones, halted_at=event.at),
    RoundEnded: _round_over,
    RoundVoided: _round_over,
    **dict.fromkeys((DisputeRaised, StatementAdded, DisputeRuled, PaymentCorrected), _of_a_dispute),
    CardsFoundMissing: lambda milestones, _, event: replace(milestones, halted_at=event.at),
}


# ------------------------------------------------ plays and rounds

ENDS_ROUND: dict[type[Event], str] = {RoundEnded: "round", RoundVoided: "void", RoundReversed: "reversal"}
DECIDES_PLAYS = frozenset([*ENDS_ROUND, PaymentCorrected, CommissionCollected])
OF_PATRON = "patron:"  # accounts of chips at the table


def plays_and_round(
    table: str, milestones: Milestones, first: int, events: Sequence[Event]
) -> tuple[tuple[Play, ...], RoundEntry | None]:
    """The plays that these events decide, and the round that they end; `first` is the sequence of the first of them."""
    for sequence, event in enumerate(events, first):
        if isinstance(event, PaymentCorrected):
            return _corrected(table, sequence, event), None
        if isinstance(event, CommissionCollected):
            return _collected(table, milestones, events, first), None
        kind = ENDS_ROUND.get(type(event))
        if kind is not None and isinstance(event, (RoundEnded, RoundVoided, RoundReversed)):
            plays = tuple(
                Play(person, table, event.number, event.at, staked, net, sequence, kind)
                for person, (staked, net) in _sums(events).items()
            )
            return plays, _entry(table, milestones, sequence, event)
    return (), None


def _collected(table: str, milestones: Milestones, events: Sequence[Event], first: int) -> tuple[Play, ...]:
    """Commission that went from patrons' chips to the tray, in the name of the last round (Q51)."""
    round = milestones.spans[-1].number if milestones.spans else 0
    return tuple(
        Play(event.patron, table, round, event.at, 0, -event.chips, sequence, "commission")
        for sequence, event in enumerate(events, first)
        if isinstance(event, CommissionCollected) and event.chips and not is_spot(event.patron)
    )


def _entry(
    table: str, milestones: Milestones, sequence: int, event: RoundEnded | RoundVoided | RoundReversed
) -> RoundEntry:
    """Where the round stands; one that is reversed later has no winner any more, and the reversal with it where nothing lies between."""
    winner = event.outcome.winner if isinstance(event, RoundEnded) else ""
    span = next((each for each in milestones.spans if each.number == event.number), None)
    if span is not None and span.first != milestones.round_first:
        return RoundEntry(table, event.number, span.first, span.last, span.started, span.ended, winner)
    return RoundEntry(table, event.number, milestones.round_first, sequence, milestones.round_started, event.at, winner)


def _corrected(table: str, sequence: int, event: PaymentCorrected) -> tuple[Play, ...]:
    """What a payment that is put right moves to patrons or from them; chips that a hand paid wrongly were in no ledger."""
    moved = {account: 0 for account, _ in event.postings() if account.startswith(OF_PATRON)}
    for account, amount in event.postings():
        if account in moved:
            moved[account] += amount
    return tuple(
        Play(account.removeprefix(OF_PATRON), table, event.round, event.at, 0, net, sequence, "correction")
        for account, net in moved.items()
        if net
    )


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
    """Chips at a spot are in nobody's statement."""
    if is_spot(patron):
        return
    before = sums.get(patron, (0, 0))
    sums[patron] = (before[0] + staked, before[1] + net)
