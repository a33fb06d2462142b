"""The ledger: every movement of money is a transaction whose postings sum to zero.

Accounts are named by what they belong to: `patron:ann` is what Ann has at the table, `layout:3/tie` the chips on an
area, `float:T7` the chips in the tray, `drop:T7` the drop box, `cage` the house beyond the table, `world:ann` what Ann
has in her pocket (or in her account, where she has one), `outside:ann` where that account was filled from,
`over-short:T7` what counts of the tray were short of the ledger, below zero where they were over it. `owed:ann` is what Ann
is owed that comes to no chip, and `breakage:T7` the house's side of what a table owes so; `unpaid:ann` is what Ann owes, and
`claims:T7` the house's side of what patrons owe whom the table paid on a wrong record; `commission:ann` is what Ann has on the tally,
and `commissions:T7` the house's side of a table's tally. `circulation` is the chips that are out in the
house and belong to no account. Only over and short, breakage, claims, commissions, circulation, the cage and the world may go below zero: they are
where money comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from longhu.messages.message import Message
from longhu.money import Money

CIRCULATION = "circulation"  # chips that are out in the house and in no account
SPOT = "@"  # what stands for a patron where chips belong to no account begins so; nobody signs in under such a name
WORLD = "world:"  # the account of what somebody has in the pocket starts with it


def is_spot(owner: str) -> bool:
    """Does this stand for whoever has no account?"""
    return owner.startswith(SPOT)


def chips_account(owner: str) -> str:
    """The account of the chips that a patron has at the table; of a spot's, the chips in circulation.

    >>> chips_account("ann"), chips_account("@3.2")
    ('patron:ann', 'circulation')
    """
    return CIRCULATION if is_spot(owner) else f"patron:{owner}"


class LedgerError(AssertionError):
    """A defect: postings that do not balance, or money that is not there. The table stops."""


class Posting(msgspec.Struct, frozen=True, array_like=True, gc=False):
    account: str
    amount: int


class Transaction(msgspec.Struct, frozen=True, gc=False):
    """One movement: what it was for, and the rule behind it."""

    message: Message  # what it was for
    postings: tuple[Posting, ...]
    clause: str = ""
    wager: str = ""  # which wager, where it is about one

    def __post_init__(self) -> None:
        total = 0
        for posting in self.postings:
            total += posting.amount
        if total:
            raise LedgerError(f"{self.message.code}: the postings sum to {total}")


def moved(message: Message, amount: int, source: str, target: str, clause: str = "", wager: str = "") -> Transaction:
    """So much from one account to another."""
    return Transaction(message, (Posting(source, -amount), Posting(target, amount)), clause, wager)


def postings_of(transactions: Iterable[Transaction]) -> list[tuple[str, int]]:
    """Account and amount of each posting."""
    return [(each.account, each.amount) for one in transactions for each in one.postings]


def posted(balances: Mapping[str, Money], transactions: Iterable[Transaction]) -> dict[str, Money]:
    """The balances afterwards; an account that is empty is not listed."""
    after = dict(balances)
    for each in transactions:
        for posting in each.postings:
            account = posting.account
            balance: Money = after.get(account, 0) + posting.amount  # type: ignore[assignment]  # a call saved
            if balance > 0 or (balance and unlimited(account)):
                after[account] = balance
            elif balance:
                raise LedgerError(f"{each.message.code}: {account} would stand at {balance}")
            else:
                after.pop(account, None)
    return after


def unlimited(account: str) -> bool:
    """Accounts where money comes from."""
    return account in ("cage", CIRCULATION) or account.startswith(
        (WORLD, "outside:", "over-short:", "breakage:", "claims:", "commissions:")
    )
