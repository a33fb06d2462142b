"""Errors of a store. A message says what was found, what was expected, and what to do."""

from __future__ import annotations


class StoreError(Exception):
    """Something that a store cannot do. Nothing was written unless the message says otherwise."""


class WrongExpectedVersion(StoreError):
    """Somebody else appended first: read what is new, decide again, and append behind it."""

    def __init__(self, table: str, *, expected: int, found: int) -> None:
        self.table, self.expected, self.found = table, expected, found
        where = f"record {found}" if found != expected else f"another record {found}"
        super().__init__(
            f"table {table} stands at {where}, and this follows record {expected}. "
            "Nothing of it was written. Read the new records, decide again, and append after the last."
        )


class InsufficientFunds(StoreError):
    """Somebody has less in the wallet than this would take. Nothing of it was written."""

    def __init__(self, person: str, balance: int, wanted: int) -> None:
        self.person, self.balance, self.wanted = person, balance, wanted
        super().__init__(
            f"{person} has {balance} in the wallet, and this takes {wanted} (in minor units). Nothing of it was written. "
            "Take less, or deposit first."
        )


class LossLimitExceeded(StoreError):
    """Somebody could lose more than they have set as a limit. Nothing of it was written."""

    def __init__(self, person: str, most: int, lost: int, staked: int) -> None:
        self.person, self.most, self.lost, self.staked = person, most, lost, staked
        super().__init__(
            f"{person} may lose {most}, has lost {lost}, and would have {staked} at stake (in minor units). Nothing of it "
            "was written. Stake less."
        )


class InvalidAppend(StoreError):
    """A defect of whoever appends: records that do not follow, or money that is not there. The table must stop."""


class NotFound(StoreError):
    """Something that is not in this store."""


class AlreadyExists(StoreError):
    """Something that is in this store already."""


class CommitFailed(StoreError):
    """A commit that failed: nothing in it was acknowledged.

    Where a connection was lost at the last moment it may have been written all the same. Asking again with the same
    command id is right in both cases: what was done is not done twice.
    """


class StoreUnusable(StoreError):
    """A store that takes nothing more, until it is opened again."""


class Damaged(StoreError):
    """Records that are not as they were written."""


class SchemaTooNew(StoreError):
    """A database that a newer program has changed."""


class NotAStore(StoreError):
    """A database or an address that is no store of this program."""
