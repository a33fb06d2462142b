"""Somebody who is signed in and may play: looked at once, and believed until something that it rests on is another."""

from __future__ import annotations

from longhu.accounts.limits import not_a_patron
from longhu.accounts.policy import Policy
from longhu.accounts.protection import may_play, next_check
from longhu.accounts.state import Account
from longhu.server.actor import Actor
from longhu.server.people.book import Book
from longhu.server.people.sessions import Sessions, id_of
from longhu.store.entries import Session


class Pass:
    """What a session and an account allow at this moment, for as long as both are the very same and no time is up."""

    __slots__ = ("_account", "_book", "_from", "_session", "_sessions", "_until", "actor", "plays")

    def __init__(
        self, sessions: Sessions, session: Session, book: Book[Account], policy: Policy, at: int, until: int
    ) -> None:
        account = book.state
        self.actor = Actor(account.person, account.position, id_of(session.digest))
        self.plays = _plays_freely(account, policy, at)  # does nothing keep them from playing?
        self._sessions, self._session, self._book, self._account = sessions, session, book, account
        self._from, self._until = at, min(until, next_check(account, policy)) if self.plays else until

    def holds(self, at: int) -> bool:
        book = self._book
        return (
            self._from <= at < self._until
            and book.state is self._account
            and book.is_current
            and self._sessions.known(self._session.digest) is self._session
        )


def _plays_freely(account: Account, policy: Policy, at: int) -> bool:
    """Nothing is against it, now and until the next reality check; limits and exclusions are looked at each time."""
    watched = account.limits or account.imposed or account.excluded is not None or account.barred is not None
    return not watched and not_a_patron(account) is None and may_play(account, policy, at) is None
