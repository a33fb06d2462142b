"""A wrong payment put right after the round was settled: a new entry by two people, beside the records that stand (MON-1, SEC-1).

What the rules pay is computed exactly, so a payment can be wrong in two ways only:

- `hand`: real chips went otherwise than the pay list said. The ledger has what the rules pay, and no account has the mistake. It is
  posted as it happened, and then put right: both are on record, and what is not handed back is owed, as the tray lacks it.
- `record`: the table was told something wrong, and paid on it by the rules. The ledger is wrong, and this moves what it has.

Nobody is brought below zero at the table: what is not there is owed (`unpaid:`). Where a patron is to get it, the house makes it up.
That two people are needed, and who, is in the table of authority. Off-limits chips that are found later change no payment of an earlier round: that is a rule of the documents (IDT-5.14), not a mistake.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Posting, Transaction, chips_account, is_spot
from longhu.messages.message import message_code
from longhu.money import AMOUNT_MAX, Amount
from longhu.positions import Position
from longhu.table.betting import short_of_chips
from longhu.table.cash import ASK_FOR_FILL, TRAY_OUT_OF_RANGE, in_tray, tray_short
from longhu.table.messages import (
    AMOUNT_NOT_POSITIVE,
    COUNT_AGAIN,
    GIVE_REASON,
    NOT_AT_TABLE,
    NOT_WHOLE_CHIPS,
    POSSIBLE_RANGE,
    REASON_MISSING,
    TABLE_NOT_OPEN,
    TAKE_WHOLE_CHIPS,
    Command,
    decides,
    evolves,
)
from longhu.table.state import Paid, Table, chips_held, may_bet

NOT_SETTLED_YET = message_code("not-settled-yet", round="number")
SETTLE_OR_REPORT_FIRST = message_code("settle-or-report-first")
NO_SUCH_WAGER_HERE = message_code("no-such-wager-here", wager="text")
NAME_WAGER_OF_GAME = message_code("name-wager-of-game")
NAME_OTHER_PATRON = message_code("name-other-patron")
ONE_PATRON_ONLY = message_code("one-patron-only")
LEAVE_OTHER_OUT = message_code("leave-other-out")
NO_HAND_PAYS = message_code("no-hand-pays")
CORRECT_THE_RECORD = message_code("correct-the-record")
HANDED_BACK_WRONG = message_code("handed-back-wrong", amount="money")
SAY_WHAT_CAME_BACK = message_code("say-what-came-back")
PAID_IN_ERROR = message_code("paid-in-error", round="number")
PAYMENT_CORRECTED = message_code("payment-corrected", round="number")
DISPUTE_ASKS_NOTHING = message_code("dispute-asks-nothing", dispute="number", round="number")
LEAVE_DISPUTE_OUT = message_code("leave-dispute-out")
CORRECTION_OWED = message_code("correction-owed", patron="person", round="number")

PaymentError = Literal["too-much", "too-little", "wrong-patron"]
Cause = Literal["hand", "record"]


class CorrectPayment(Command, frozen=True, kw_only=True, tag="correct-payment/1"):
    """A patron was paid too much, too little, or instead of another: put it right."""

    needs: ClassVar[Position] = Position.DEALER

    round: int
    wager: str
    error: PaymentError
    patron: str  # who was paid
    other: str = ""  # who should have been, where another was
    amount: Amount  # by which the payment was wrong
    cause: Cause
    handed_back: Amount | None = None  # of chips that a hand paid wrongly: what has come back; all of them, unless told
    reason: str
    dispute: int = 0  # whose ruling asks for it; 0: none was raised


class PaymentCorrected(Event, frozen=True, kw_only=True, tag="payment-corrected/1"):
    """What was wrong, what was moved to put it right, and what is owed; the records of the round stay as they are."""

    table: str
    round: int
    wager: str
    error: PaymentError
    patron: str
    other: str
    amount: Amount
    cause: Cause
    owed: Amount  # by whoever has too much, and not there to be taken back
    reason: str
    dispute: int
    cosigned_by: tuple[str, ...]

    @property
    def tray(self) -> str:
        return f"float:{self.table}"

    @property
    def overpaid(self) -> str:
        """Who has too much; "" is the tray."""
        return "" if self.error == "too-little" else self.patron

    @property
    def underpaid(self) -> str:
        """Who has too little; "" is the tray."""
        return {"too-much": "", "too-little": self.patron, "wrong-patron": self.other}[self.error]

    @property
    def source(self) -> str:
        return chips_account(self.overpaid) if self.overpaid else self.tray

    @property
    def target(self) -> str:
        return chips_account(self.underpaid) if self.underpaid else self.tray

    @property
    def to_house(self) -> int:
        """What the tray has more than before; below zero, less."""
        return sum(amount for account, amount in self.postings() if account == self.tray)

    def transactions(self) -> tuple[Transaction, ...]:
        source, target, amount, owed = self.source, self.target, self.amount, self.owed
        in_error = (Posting(target, -amount), Posting(source, amount))
        if self.cause == "hand":
            right = [Posting(source, -amount), Posting(target, amount)]
            claim = [Posting(self.tray, -owed), Posting(f"unpaid:{self.patron}", owed)]
        else:
            made_up = self.error == "wrong-patron"  # the house owes it to the other, whatever comes back
            right = [Posting(source, owed - amount), Posting(target, amount if made_up else amount - owed)]
            right += [Posting(self.tray, -owed)] if made_up else []
            claim = [Posting(f"claims:{self.table}", -owed), Posting(f"unpaid:{self.patron}", owed)]
        told = (
            (PAID_IN_ERROR(round=self.round), in_error if self.cause == "hand" else ()),
            (PAYMENT_CORRECTED(round=self.round), right),
            (CORRECTION_OWED(patron=self.patron, round=self.round), claim),
        )
        moves = ((what, tuple(each for each in postings if each.amount)) for what, postings in told)
        return tuple(Transaction(what, postings, self.clause, self.wager) for what, postings in moves if postings)


@decides(CorrectPayment)
def correct_payment(table: Table, game: Game, command: CorrectPayment) -> Decision:
    refusal = _wrong_round(table, game, command) or _wrong_people(table, command) or _wrong_amount(table, command)
    if refusal is not None or table.settings is None:
        return refusal or Refusal(TABLE_NOT_OPEN())
    corrected = PaymentCorrected(
        table=table.settings.table,
        round=command.round,
        wager=command.wager,
        error=command.error,
        patron=command.patron,
        other=command.other,
        amount=command.amount,
        cause=command.cause,
        owed=_owed(table, command),
        reason=command.reason,
        dispute=command.dispute,
        cosigned_by=command.cosigned_by,
        **about(command, "SEC-1"),
    )
    by_hand = command.cause == "hand" and corrected.target == corrected.tray  # it has left the tray already
    leaves_tray = command.amount if by_hand else -corrected.to_house
    if leaves_tray > in_tray(table):
        return tray_short(table, leaves_tray, ASK_FOR_FILL(), "OPS-2")
    return _not_there(table, corrected) or [corrected]


def _wrong_round(table: Table, game: Game, command: CorrectPayment) -> Refusal | None:
    if table.settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if not 1 <= command.round <= table.rounds or (table.round is not None and command.round == table.round.number):
        last = table.rounds - (table.round is not None)
        remedy = SETTLE_OR_REPORT_FIRST() if last < 1 else POSSIBLE_RANGE(least=1, most=last)
        return Refusal(NOT_SETTLED_YET(round=command.round), remedy, "SEC-1")
    if command.wager not in game.wagers:
        return Refusal(NO_SUCH_WAGER_HERE(wager=command.wager[:60]), NAME_WAGER_OF_GAME(), "SEC-1")
    if not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON(), "SEC-1")
    dispute = table.disputes.get(command.dispute)
    if command.dispute and (dispute is None or (dispute.round, dispute.decision) != (command.round, "correct")):
        return Refusal(DISPUTE_ASKS_NOTHING(dispute=command.dispute, round=command.round), LEAVE_DISPUTE_OUT(), "SEC-1")
    return None


def _wrong_people(table: Table, command: CorrectPayment) -> Refusal | None:
    """Whoever gets chips is at the table; whoever must give them back was there for a round that is kept at least."""
    if (command.error == "wrong-patron") != bool(command.other) or command.other == command.patron:
        if command.error == "wrong-patron":
            return Refusal(NAME_OTHER_PATRON(), clause="SEC-1")
        return Refusal(ONE_PATRON_ONLY(), LEAVE_OTHER_OUT(), "SEC-1")
    gets = {"too-much": "", "too-little": command.patron, "wrong-patron": command.other}[command.error]
    known = may_bet(table, command.patron) or command.patron in table.paid_lately()
    absent = gets if gets and not may_bet(table, gets) else "" if known else command.patron
    return Refusal(NOT_AT_TABLE(person=absent), clause="SEC-1") if absent else None


def _wrong_amount(table: Table, command: CorrectPayment) -> Refusal | None:
    settings, back = table.settings, command.handed_back
    if settings is None or command.amount <= 0:
        return Refusal(AMOUNT_NOT_POSITIVE(amount=command.amount), clause="SEC-1")
    if command.amount > AMOUNT_MAX:
        return Refusal(TRAY_OUT_OF_RANGE(amount=command.amount, maximum=AMOUNT_MAX), COUNT_AGAIN(), "SEC-1")
    if not settings.whole(command.amount):
        return Refusal(NOT_WHOLE_CHIPS(amount=command.amount, unit=settings.chip_unit), TAKE_WHOLE_CHIPS(), "SEC-1")
    if command.cause == "hand" and settings.chips == "electronic":
        return Refusal(NO_HAND_PAYS(), CORRECT_THE_RECORD(), "SEC-1")
    by_hand = command.cause == "hand" or is_spot(command.patron)  # what a spot was paid is in no account
    told = back is not None and (not by_hand or command.error == "too-little")
    if told or (back is not None and not 0 <= back <= command.amount):
        return Refusal(HANDED_BACK_WRONG(amount=command.amount), SAY_WHAT_CAME_BACK(), "SEC-1")
    return None


def _owed(table: Table, command: CorrectPayment) -> int:
    """What of it is not there: by hand, and at a spot, what was not given back; in the ledger, what the patron no longer has here."""
    held = chips_held(table, command.patron)
    if command.error == "too-little":
        return 0
    if command.cause == "hand" or held is None:
        return 0 if command.handed_back is None else command.amount - command.handed_back
    return max(0, command.amount - held)


def _not_there(table: Table, event: PaymentCorrected) -> Refusal | None:
    """Chips that a hand kept back from a patron are still on that patron's account, or the mistake was another."""
    if event.cause != "hand" or event.target == event.tray:
        return None
    return short_of_chips(table, event.underpaid, event.amount, COUNT_AGAIN, "SEC-1")


@evolves(PaymentCorrected)
def payment_corrected(table: Table, event: PaymentCorrected) -> Table:
    """What a round paid by a wrong record is not paid any more, should that round be reversed (DBO-MALF-1)."""
    if event.cause == "hand":
        return table
    ends = ((event.overpaid, -event.amount), (event.underpaid, event.amount))
    changed = [Paid(owner, event.wager, amount) for owner, amount in ends if owner]
    settled = [
        replace(each, paid=(*each.paid, *changed)) if each.number == event.round else each for each in table.settled
    ]
    return replace(table, settled=tuple(settled))
