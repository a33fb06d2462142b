"""Significant events, listed once (LOG-3), and which events of a table are some."""

from __future__ import annotations

from enum import Enum

from longhu.eventsourcing import Event
from longhu.games.vocabulary import IRREGULARITY
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.card_source import SourceFaultFound, SourceLost
from longhu.table.disputes import DisputeRaised
from longhu.table.fills import ChipRequestMoved
from longhu.table.irregularities.power import RoundReversed
from longhu.table.irregularities.rulings import RulingMade
from longhu.table.opening import SettingsChanged
from longhu.table.remedies.void import IrregularityFound, RoundVoided
from longhu.table.settling import WagerSettled
from longhu.table.state import DEVICE_MARK
from longhu.table.suspension import TableStopped
from longhu.table.wrong_payments import PaymentCorrected

ALERT_LARGE_WIN = message_code("alert-large-win", person="person", amount="money", wager="wager", place="number")
ALERT_VOID = message_code("alert-round-void", round="number")
ALERT_IRREGULARITY = message_code("alert-irregularity", kind="message")
ALERT_RULING = message_code("alert-ruling", person="person", decision="text")
ALERT_REVERSED = message_code("alert-payments-reversed", round="number")
ALERT_PAYMENT_CORRECTED = message_code(
    "alert-payment-corrected", patron="person", amount="money", round="number", people="persons"
)
ALERT_DISPUTE = message_code("alert-dispute", person="person", dispute="number", round="number")
ALERT_CHIPS_DIFFER = message_code("alert-chips-differ", kind="choice", number="number", person="person")
ALERT_LIMITS_CHANGED = message_code("alert-limits-changed", person="person", reason="reason")
ALERT_EXPORT = message_code("alert-export", person="person", what="choice", of="text")
ALERT_CONSOLE = message_code("alert-console", user="text", command="command", person="person")
ALERT_SHOE_FAULT = message_code("alert-shoe-fault", fault="message")
ALERT_SHOE_LOST = message_code("alert-shoe-lost", shoe="text", cause="choice")
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
    CONSOLE = "console"
    DEVICE = "device"

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
    Significant.CONSOLE,
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
        case PaymentCorrected() | DisputeRaised():
            return _of_a_payment(event)
        case ChipRequestMoved() if event.request.stage == "disputed":
            request = event.request
            return Significant.CORRECTION, ALERT_CHIPS_DIFFER(kind=request.kind, number=request.number, person=event.by)
        case RoundReversed():
            return Significant.CORRECTION, ALERT_REVERSED(round=event.number)
        case SettingsChanged() if (event.before.limits, event.before.differential) != (
            event.after.limits,
            event.after.differential,
        ):
            return Significant.LIMIT_CHANGE, ALERT_LIMITS_CHANGED(person=event.by, reason=event.why)
        case SourceFaultFound() | SourceLost():
            return Significant.DEVICE, _of_a_shoe(event)
        case TableStopped():
            return Significant.STOPPED, ALERT_TABLE_STOPPED(defect=event.defect)
    return None


def _of_a_payment(event: PaymentCorrected | DisputeRaised) -> tuple[Significant, Message]:
    if isinstance(event, DisputeRaised):
        told = ALERT_DISPUTE(person=event.patron or event.by, dispute=event.dispute, round=event.round)
        return Significant.CALLED, told
    return Significant.CORRECTION, ALERT_PAYMENT_CORRECTED(
        patron=event.patron, amount=event.amount, round=event.round, people=[event.by, *event.cosigned_by]
    )


def _of_a_shoe(event: SourceFaultFound | SourceLost) -> Message:
    if isinstance(event, SourceFaultFound):
        return ALERT_SHOE_FAULT(fault=event.told)
    return ALERT_SHOE_LOST(shoe=event.device.removeprefix(DEVICE_MARK), cause=event.cause)
