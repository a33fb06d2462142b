"""The ledger: every movement of money is a transaction whose postings sum to zero.

Accounts are named by what they belong to: `patron:ann` is what Ann has at the table, `layout:3/tie` the chips on an
area, `float:T7` the chips in the tray, `drop:T7` the drop box, `cage` the house beyond the table, `world:ann` what Ann
has in her pocket. Only the cage and the world may go below zero: they are where money comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from longhu.money import Money


class LedgerError(AssertionError):
    """A defect: postings that do not balance, or money that is not there. The table stops."""


class Posting(msgspec.Struct, frozen=True, array_like=True):
    account: str
    amount: int


class Transaction(msgspec.Struct, frozen=True):
    """One movement, in table language, with the rule behind it."""

    says: str
    postings: tuple[Posting, ...]
    clause: str = ""
    wager: str = ""  # which wager, and by which of its lines, where one is settled
    line: str = ""

    def __post_init__(self) -> None:
        if sum(posting.amount for posting in self.postings):
            raise LedgerError(f"{self.says}: the postings sum to {sum(each.amount for each in self.postings)}")


def moved(says: str, amount: int, source: str, target: str, **about: str) -> Transaction:
    """So much from one account to another."""
    return Transaction(says, (Posting(source, -amount), Posting(target, amount)), **about)


def posted(balances: Mapping[str, Money], transactions: Iterable[Transaction]) -> dict[str, Money]:
    """The balances afterwards; an account that is empty is not listed."""
    after = dict(balances)
    for transaction in transactions:
        for account, amount in ((each.account, each.amount) for each in transaction.postings):
            balance = after.get(account, 0) + amount
            if balance < 0 and not unlimited(account):
                raise LedgerError(f"{transaction.says}: {account} would stand at {balance}")
            if balance:
                after[account] = Money(balance)
            else:
                after.pop(account, None)
    return after


def unlimited(account: str) -> bool:
    """Accounts where money comes from."""
    return account == "cage" or account.startswith("world:")
