"""Significant events, listed once (LOG-3), and which events of a table are some."""

from __future__ import annotations

from enum import Enum

from longhu.eventsourcing import Event
from longhu.games.vocabulary import IRREGULARITY
from longhu.messages.localization import english
from longhu.money import UNSTATED, Currency, Money, show
from longhu.positions import Position
from longhu.table.irregularities.power import RoundReversed
from longhu.table.irregularities.rulings import RulingMade
from longhu.table.opening import SettingsChanged
from longhu.table.remedies.void import IrregularityFound, RoundVoided
from longhu.table.settling import WagerSettled
from longhu.table.suspension import TableStopped


class Significant(Enum):
    """What somebody in charge must have seen."""

    LARGE_WIN = "large win"
    VOID = "void"
    MISDEAL = "misdeal"
    CORRECTION = "manual correction"
    LIMIT_CHANGE = "limit change"
    CLOCK_STEP = "clock step"
    RNG_FAULT = "RNG fault"
    SIGN_IN_FAILURES = "login failure burst"
    EXPORT = "export"
    LOCKED = "account locked"
    GUESSING = "guessing from many sources"
    STOPPED = "table stopped"
    PROGRAM_CHANGED = "program changed"
    CALLED = "call from a table"
    COPY_FAULT = "second copy fault"

    @property
    def needs(self) -> Position:
        """The lowest position that may acknowledge it."""
        return Position.GAMING_SHIFT_MANAGER if self in _GRAVE else Position.PIT_MANAGER


_GRAVE = {
    Significant.CLOCK_STEP,
    Significant.RNG_FAULT,
    Significant.SIGN_IN_FAILURES,
    Significant.GUESSING,
    Significant.EXPORT,
    Significant.STOPPED,
    Significant.PROGRAM_CHANGED,
    Significant.COPY_FAULT,
}


def significant(event: Event, large_win: int, money: Currency = UNSTATED) -> tuple[Significant, str] | None:
    """What kind of significant event this is, and what to say of it; None for the many that are not."""
    match event:
        case WagerSettled() if event.net >= large_win:
            stake = event.stake
            amount = show(Money(event.net), money)
            return Significant.LARGE_WIN, f"{stake.patron} won {amount} with {stake.wager} at position {stake.place}"
        case WagerSettled():  # as most are
            return None
        case RoundVoided():
            return Significant.VOID, f"round {event.number} is void: {english(event.why)}"
        case IrregularityFound():
            found = english(IRREGULARITY[event.kind]())
            return Significant.MISDEAL, f"{found}: {english(event.told)}" if event.told else found
        case RulingMade():
            return Significant.CORRECTION, f"{event.by} ruled: {event.decision} ({event.reason})"
        case RoundReversed():
            return Significant.CORRECTION, f"the payments of round {event.number} were taken back"
        case SettingsChanged() if (event.before.limits, event.before.differential) != (
            event.after.limits,
            event.after.differential,
        ):
            return Significant.LIMIT_CHANGE, f"{event.by} changed the limits: {event.why or 'no reason was given'}"
        case TableStopped():
            return Significant.STOPPED, event.defect
    return None
