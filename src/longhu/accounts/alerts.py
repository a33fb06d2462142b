"""Significant events, listed once (LOG-3), and which events of a table are some."""

from __future__ import annotations

from enum import Enum

from longhu.eventsourcing import Event
from longhu.games.vocabulary import IRREGULARITY
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.irregularities.power import RoundReversed
from longhu.table.irregularities.rulings import RulingMade
from longhu.table.opening import SettingsChanged
from longhu.table.remedies.void import IrregularityFound, RoundVoided
from longhu.table.settling import WagerSettled
from longhu.table.suspension import TableStopped

ALERT_LARGE_WIN = message_code("alert-large-win", person="person", amount="money", wager="wager", place="number")
ALERT_VOID = message_code("alert-round-void", round="number")
ALERT_IRREGULARITY = message_code("alert-irregularity", kind="message")
ALERT_RULING = message_code("alert-ruling", person="person", decision="text")
ALERT_REVERSED = message_code("alert-payments-reversed", round="number")
ALERT_LIMITS_CHANGED = message_code("alert-limits-changed", person="person", reason="text")
ALERT_EXPORT = message_code("alert-export", person="person", what="choice", of="text")
ALERT_TABLE_STOPPED = message_code("alert-table-stopped", defect="text")


class Significant(Enum):
    """What somebody in charge must have seen."""

    LARGE_WIN = "large-win"
    VOID = "void"
    MISDEAL = "misdeal"
    CORRECTION = "manual-correction"
    LIMIT_CHANGE = "limit-change"
    CLOCK_STEP = "clock-step"
    RNG_FAULT = "rng-fault"
    SIGN_IN_FAILURES = "sign-in-failures"
    EXPORT = "export"
    LOCKED = "account-locked"
    GUESSING = "password-guessing"
    STOPPED = "table-stopped"
    PROGRAM_CHANGED = "program-changed"
    CALLED = "table-call"
    COPY_FAULT = "copy-fault"

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


def significant(event: Event, large_win: int) -> tuple[Significant, Message] | None:
    """What kind of significant event this is, and what to say of it; None for the many that are not."""
    match event:
        case WagerSettled() if event.net >= large_win:
            stake = event.stake
            return Significant.LARGE_WIN, ALERT_LARGE_WIN(
                person=stake.patron, amount=event.net, wager=stake.wager, place=stake.place
            )
        case WagerSettled():  # as most are
            return None
        case RoundVoided():
            return Significant.VOID, ALERT_VOID(round=event.number)
        case IrregularityFound():
            return Significant.MISDEAL, ALERT_IRREGULARITY(kind=IRREGULARITY[event.kind]())
        case RulingMade():
            return Significant.CORRECTION, ALERT_RULING(person=event.by, decision=event.decision)
        case RoundReversed():
            return Significant.CORRECTION, ALERT_REVERSED(round=event.number)
        case SettingsChanged() if (event.before.limits, event.before.differential) != (
            event.after.limits,
            event.after.differential,
        ):
            return Significant.LIMIT_CHANGE, ALERT_LIMITS_CHANGED(person=event.by, reason=event.why)
        case TableStopped():
            return Significant.STOPPED, ALERT_TABLE_STOPPED(defect=event.defect)
    return None
