"""Everybody who watches on this node: a feed for each table that is watched, and a look at who may not stay."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from longhu.server.http.metrics import Metrics
from longhu.server.logs import log
from longhu.server.screens.feed import Feed
from longhu.server.screens.rota import Rota
from longhu.server.tables.live import Live
from longhu.store.entries import Session
from longhu.store.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from longhu.server.house import House

LOOKS_EVERY = 1.0  # seconds


class Guest(NamedTuple):
    """One open socket of somebody who is signed in."""

    session: Session
    sent_away: Callable[[], Awaitable[None]]  # called where the session has ended


class Gallery:
    """All open sockets of this node. It belongs to one event loop, and does nothing while nobody is there."""

    def __init__(self, house: House, metrics: Metrics) -> None:
        self._house, self._metrics = house, metrics
        self._feeds: dict[str, Feed] = {}
        self._rota = Rota()
        self._watching: Counter[str] = Counter()  # how many, by table
        self._guests: set[Guest] = set()
        self._looking: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def feed(self, live: Live) -> AsyncIterator[Feed]:
        """The feed of a table, for as long as somebody watches it."""
        found = self._feeds.get(live.id)
        if found is None:
            house, dropped = self._house, self._metrics.dropped.inc
            found = Feed(live, house.now, house.pace.betting, dropped, self._rota, house.config.demo)
            self._feeds[live.id] = found
        self._watching[live.id] += 1
        self._metrics.sockets.inc()
        try:
            yield found
        finally:
            self._metrics.sockets.dec()
            self._watching[live.id] -= 1
            if not self._watching[live.id]:
                found.close()
                del self._feeds[live.id], self._watching[live.id]

    @asynccontextmanager
    async def staying(self, session: Session | None, sent_away: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
        """Somebody is there, until their session ends; whoever is not signed in may stay."""
        if session is None:
            yield
            return
        guest = Guest(session, sent_away)
        self._guests.add(guest)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self._guests.discard(guest)

    def count(self, result: str, times: int = 1) -> None:
        """What became of commands, for the figures."""
        self._metrics.commands[result] += times

    async def _look(self) -> None:
        """Every second: whose session has ended, or who is excluded, leaves."""
        authentication = self._house.people.authentication
        try:
            while self._guests:
                await asyncio.sleep(LOOKS_EVERY)
                sessions = {each.session.digest: each.session for each in self._guests}
                try:
                    await authentication.sessions.read_ahead(sessions, self._house.now())
                except (
                    StoreError
                ) as error:  # each is asked for by itself, and nobody is sent away because the store is slow
                    log.warning("sessions could not be looked at", why=str(error))
                for session in sessions.values():
                    await self._look_at(session)
        finally:
            self._looking = None

    async def _look_at(self, session: Session) -> None:
        try:
            stays = await self._house.people.authentication.stays(session)
        except StoreError as error:  # nobody is sent away because the store is slow
            log.warning("a session could not be looked at", why=str(error))
            return
        if not stays:
            for guest in [each for each in self._guests if each.session.digest == session.digest]:
                self._guests.discard(guest)
                await guest.sent_away()
