"""The accounts of the house as this node knows them: each is what a person's trail says."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable

from longhu.accounts.names import PERSON_TRAILS, is_well_formed, trail_of
from longhu.accounts.policy import Policy
from longhu.accounts.state import Account
from longhu.eventsourcing import Refusal
from longhu.server.streams.account_stream import ACCOUNT, AccountStream
from longhu.store.errors import AlreadyExists
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Store

BOOKS_MAX = 20_000  # that are kept in memory


class Accounts:
    """Everybody's book: read when somebody asks for it, kept, and read on when another node has written."""

    def __init__(self, store: Store, commits: GroupCommit, now: Callable[[], int], policy: Policy) -> None:
        self.store, self.now, self.policy = store, now, policy
        self._commits = commits
        self._books: OrderedDict[str, AccountStream[Account]] = OrderedDict()

    def book(self, person: str) -> AccountStream[Account]:
        """Somebody's book, which may be an empty one."""
        book = self._books.get(person)
        if book is None:
            book = AccountStream(trail_of(person), ACCOUNT, self.store, self._commits, self.now, self.policy)
            self._books[person] = book
            if len(self._books) > BOOKS_MAX:
                self._books.popitem(last=False)
        else:
            self._books.move_to_end(person)
        return book

    async def account(self, person: str) -> Account | None:
        """Somebody's account, closed or not; None where there is none."""
        if not is_well_formed(person):
            return None
        account = await self.book(person).current()
        return account if account.person else None

    async def names(self, prefix: str = "") -> list[str]:
        """Everybody who has an account, by name."""
        trails = await asyncio.to_thread(self.store.trails, PERSON_TRAILS + prefix)
        return [each.name.removeprefix(PERSON_TRAILS) for each in trails if each.sequence]

    async def begin(self, person: str, *, wallet: bool) -> Refusal | None:
        """A trail for a new account, and a wallet; one that a crash has left empty is used."""
        book = self.book(person)
        try:
            await asyncio.to_thread(self.store.create_trail, book.name, self.now(), person if wallet else "")
        except AlreadyExists:
            book.notice(0)
            await book.current()
            if not book.exists:
                return Refusal(f"somebody called {person} has played here for cash", "Choose another name", "MON-3")
        book.notice(0)
        return None

    def signed_in(self) -> dict[str, int]:
        """Those among the accounts in memory who have open sessions, and how many."""
        return {person: len(book.state.sessions) for person, book in self._books.items() if book.state.sessions}

    def forget(self, person: str = "", sequence: int = 0) -> bool:
        """Another node wrote to somebody's trail, up to that record, or ("") to any: was there something new?"""
        books = [self._books[person]] if person in self._books else [] if person else self._books.values()
        for book in books:
            book.notice(sequence)
        return any(not book.is_current for book in books)


def new_id(person: str) -> str:
    """An id for what the program itself asks, once."""
    return f"{person}:{secrets.token_hex(12)}"


def stranger(person: str) -> Refusal:
    return Refusal(f"nobody called {person[:40]!r} has an account here", "Look at the name again", "LOG-5")
