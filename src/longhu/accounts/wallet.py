"""Money that patrons pay in and take out: from outside into the wallet, and back.

The wallet itself is an account of the ledger, `world:ann`; whether there is enough in it is judged where it is stored, in
the same transaction, so that nobody spends it twice (MON-3).
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.limits import deposited, in_force, not_a_patron
from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, about
from longhu.accounts.policy import Policy
from longhu.accounts.protection import shut_out
from longhu.accounts.state import ACCOUNT, Account, Deposit, Kind, Span
from longhu.accounts.times import MONTH
from longhu.eventsourcing import Refusal
from longhu.ledger import Transaction, moved
from longhu.messages.message import message_code
from longhu.money import AMOUNT_MAX
from longhu.positions import Position

MONEY_PAID_IN = message_code("money-paid-in", person="person")
MONEY_PAID_OUT = message_code("money-paid-out", person="person")

REFERENCE_MAX = 100
DEPOSITS_MAX = 1000  # in a month: what is kept to judge the next one has a bound


class PayIn(HouseCommand, frozen=True, kw_only=True, tag="pay-in/1"):
    """Money for the wallet. Play money patrons help themselves to; real money is taken at the cage."""

    needs: ClassVar[Position] = Position.GAMING_SHIFT_MANAGER
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

    needs: ClassVar[Position] = Position.GAMING_SHIFT_MANAGER
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
        return Refusal("that is no amount to move", f"Possible: 1 to {AMOUNT_MAX} minor units", "MON-2")
    if len(command.reference) > REFERENCE_MAX:
        return Refusal("the reference is too long", f"Use up to {REFERENCE_MAX} characters", "MON-3")
    if command.by == account.person and not account.play_money:
        return Refusal("real money is paid in and out at the cage", "Ask the gaming shift manager", "MON-3")
    return None


@ACCOUNT.decides(PayIn)
def pay_in(account: Account, policy: Policy, command: PayIn) -> Decision:
    refusal = (
        not_a_patron(account)
        or _not_an_amount(account, command)
        or shut_out(account, command.at)
        or _over_limit(account, policy, command)
    )
    return refusal or [_paid(PaidIn, account, command)]


def _over_limit(account: Account, policy: Policy, command: PayIn) -> Refusal | None:
    """What is paid in during a day, a week and a month stays within each limit (LIM-2)."""
    if len([each for each in account.deposits if each.at > command.at - MONTH]) >= DEPOSITS_MAX:
        return Refusal(f"{DEPOSITS_MAX} payments in a month are enough", "Pay in larger amounts, later", "LIM-2")
    for span in Span:
        most = in_force(account, Kind.DEPOSIT, span)
        if most is None:
            continue
        left = max(0, most - deposited(account, span, command.at))
        if command.amount > left:
            return Refusal(
                f"{policy.show(command.amount)} would take this account over its deposit limit of {policy.show(most)} for a {span.value}",
                f"Up to {policy.show(left)} may be paid in now" if left else "Come back when time has passed",
                "LIM-2",
            )
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


def short(policy: Policy, balance: int) -> Refusal:
    """What the store has found: there is not so much in the wallet."""
    return Refusal(
        f"there is {policy.show(balance)} in the wallet", f"Choose an amount up to {policy.show(balance)}", "MON-3"
    )
