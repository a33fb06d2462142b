"""Money that patrons pay in and take out: from outside into the wallet, and back.

The wallet itself is an account of the ledger, `world:ann`; whether there is enough in it is judged where it is stored, in
the same transaction, so that nobody spends it twice (MON-3).
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.limits import deposited, in_force, not_a_patron
from longhu.accounts.messages import AT_MOST_CHARACTERS, Decision, HouseCommand, HouseEvent, about
from longhu.accounts.policy import Policy
from longhu.accounts.protection import COME_BACK_LATER, shut_out
from longhu.accounts.state import ACCOUNT, Account, Deposit, Kind, Span
from longhu.accounts.times import MONTH
from longhu.eventsourcing import Refusal
from longhu.ledger import Transaction, moved
from longhu.messages.message import message_code
from longhu.money import AMOUNT_MAX
from longhu.positions import Position
from longhu.table.messages import ASK_POSITION

NOT_AN_AMOUNT = message_code("amount-not-movable")
AMOUNT_RANGE = message_code("amount-range", maximum="money")
REFERENCE_TOO_LONG = message_code("reference-too-long")
CAGE_ONLY = message_code("cage-only")
TOO_MANY_DEPOSITS = message_code("too-many-deposits", maximum="number")
DEPOSIT_LATER = message_code("deposit-larger-later")
DEPOSIT_LIMIT = message_code("deposit-limit", amount="money", maximum="money", span="choice")
DEPOSIT_UP_TO = message_code("deposit-up-to", maximum="money")
WALLET_SHORT = message_code("wallet-short", balance="money")
CHOOSE_UP_TO = message_code("choose-up-to", maximum="money")

MONEY_PAID_IN = message_code("money-paid-in", person="person")
MONEY_PAID_OUT = message_code("money-paid-out", person="person")

REFERENCE_MAX = 100
DEPOSITS_MAX = 1000  # in a month: what is kept to judge the next one has a bound


class PayIn(HouseCommand, frozen=True, kw_only=True, tag="pay-in/1"):
    """Money for the wallet. Play money patrons help themselves to; real money is taken at the cage."""

    needs: ClassVar[Position] = Position.CAGE
    own: ClassVar[bool] = True

    amount: int
    reference: str = ""  # how it was paid: a receipt, a transfer


class PaidIn(HouseEvent, frozen=True, kw_only=True, tag="paid-in/1"):
    person: str
    amount: int
    reference: str

    def transactions(self) -> tuple[Transaction, ...]:
        return (
            moved(
                MONEY_PAID_IN(person=self.person),
                self.amount,
                f"outside:{self.person}",
                f"world:{self.person}",
                clause="MON-1",
            ),
        )


class PayOut(HouseCommand, frozen=True, kw_only=True, tag="pay-out/1"):
    """Money from the wallet."""

    needs: ClassVar[Position] = Position.CAGE
    own: ClassVar[bool] = True

    amount: int
    reference: str = ""


class PaidOut(HouseEvent, frozen=True, kw_only=True, tag="paid-out/1"):
    person: str
    amount: int
    reference: str

    def transactions(self) -> tuple[Transaction, ...]:
        return (
            moved(
                MONEY_PAID_OUT(person=self.person),
                self.amount,
                f"world:{self.person}",
                f"outside:{self.person}",
                clause="MON-1",
            ),
        )


def _not_an_amount(account: Account, command: PayIn | PayOut) -> Refusal | None:
    if not 0 < command.amount <= AMOUNT_MAX:
        return Refusal(NOT_AN_AMOUNT(), AMOUNT_RANGE(maximum=AMOUNT_MAX), "MON-2")
    if len(command.reference) > REFERENCE_MAX:
        return Refusal(REFERENCE_TOO_LONG(), AT_MOST_CHARACTERS(maximum=REFERENCE_MAX), "MON-3")
    if command.by == account.person and not account.play_money:
        return Refusal(CAGE_ONLY(), ASK_POSITION(position=PayIn.needs.value), "MON-3")
    return None


@ACCOUNT.decides(PayIn)
def pay_in(account: Account, _policy: Policy, command: PayIn) -> Decision:
    refusal = (
        not_a_patron(account)
        or _not_an_amount(account, command)
        or shut_out(account, command.at)
        or _over_limit(account, command)
    )
    return refusal or [_paid(PaidIn, account, command)]


def _over_limit(account: Account, command: PayIn) -> Refusal | None:
    """What is paid in during a day, a week and a month stays within each limit (LIM-2)."""
    if len([each for each in account.deposits if each.at > command.at - MONTH]) >= DEPOSITS_MAX:
        return Refusal(TOO_MANY_DEPOSITS(maximum=DEPOSITS_MAX), DEPOSIT_LATER(), "LIM-2")
    for span in Span:
        most = in_force(account, Kind.DEPOSIT, span)
        if most is None:
            continue
        left = max(0, most - deposited(account, span, command.at))
        if command.amount > left:
            passed = DEPOSIT_LIMIT(amount=command.amount, maximum=most, span=span.value)
            return Refusal(passed, DEPOSIT_UP_TO(maximum=left) if left else COME_BACK_LATER(), "LIM-2")
    return None


def _paid(kind: type[PaidIn | PaidOut], account: Account, command: PayIn | PayOut) -> PaidIn | PaidOut:
    return kind(person=account.person, amount=command.amount, reference=command.reference, **about(command, "MON-1"))


@ACCOUNT.evolves(PaidIn)
def paid_in(account: Account, event: PaidIn) -> Account:
    kept = tuple(each for each in account.deposits if each.at > event.at - MONTH)
    deposits = (*kept, Deposit(event.at, event.amount))
    return replace(account, deposits=deposits, deposited=account.deposited + event.amount)


@ACCOUNT.decides(PayOut)
def pay_out(account: Account, _policy: Policy, command: PayOut) -> Decision:
    """One's money is one's own, excluded or not; what is left in a closed account is paid out by the staff."""
    left_behind = account.closed and account.is_patron and command.by != account.person
    refusal = None if left_behind else not_a_patron(account)
    return refusal or _not_an_amount(account, command) or [_paid(PaidOut, account, command)]


@ACCOUNT.evolves(PaidOut)
def paid_out(account: Account, event: PaidOut) -> Account:
    return replace(account, withdrawn=account.withdrawn + event.amount)


def short(balance: int) -> Refusal:
    """What the store has found: there is not so much in the wallet."""
    return Refusal(WALLET_SHORT(balance=balance), CHOOSE_UP_TO(maximum=balance), "MON-3")
