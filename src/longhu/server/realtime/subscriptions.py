"""Open sockets of this node: one broadcast for each table that is watched. Sockets are closed when their session ends."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from longhu.server.house import House
from longhu.server.observability import Metrics, log
from longhu.server.realtime.broadcast import Broadcast
from longhu.server.streams.table_stream import TableStream
from longhu.store.entries import Session
from longhu.store.errors import StoreError

LOOKS_EVERY = 1.0  # seconds


class OpenSocket(NamedTuple):
    """One open socket of somebody who is signed in."""

    session: Session
    end_session: Callable[[], Awaitable[None]]  # called where the session has ended


class Subscriptions:
    """All open sockets of this node. It belongs to one event loop, and does nothing while nobody is there."""

    def __init__(self, house: House, metrics: Metrics) -> None:
        self._house, self._metrics = house, metrics
        self._broadcasts: dict[str, Broadcast] = {}
        self._watching: Counter[str] = Counter()  # how many, by table
        self._sockets: set[OpenSocket] = set()
        self._looking: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def broadcast(self, live: TableStream) -> AsyncIterator[Broadcast]:
        """The broadcast of a table, for as long as somebody watches it."""
        found = self._broadcasts.get(live.name)
        if found is None:
            house, dropped = self._house, self._metrics.dropped.inc
            found = Broadcast(live, house.now, house.timing.betting, dropped, self._broadcasts, house.config.demo)
            self._broadcasts[live.name] = found
        self._watching[live.name] += 1
        self._metrics.sockets.inc()
        try:
            yield found
        finally:
            self._metrics.sockets.dec()
            self._watching[live.name] -= 1
            if not self._watching[live.name]:
                found.close()
                del self._broadcasts[live.name], self._watching[live.name]

    @asynccontextmanager
    async def watching(
        self, session: Session | None, end_session: Callable[[], Awaitable[None]]
    ) -> AsyncIterator[None]:
        """Close the socket when the session ends; spectators have none."""
        if session is None:
            yield
            return
        opened = OpenSocket(session, end_session)
        self._sockets.add(opened)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self._sockets.discard(opened)

    async def _look(self) -> None:
        """Every second: whose session has ended, or who is excluded, leaves."""
        authentication = self._house.people.authentication
        try:
            while self._sockets:
                await asyncio.sleep(LOOKS_EVERY)
                sessions = {each.session.digest: each.session for each in self._sockets}
                try:
                    await authentication.sessions.read_ahead(sessions, self._house.now())
                except StoreError as error:  # each is read by itself, and nobody is sent away because the store is slow
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
            for opened in [each for each in self._sockets if each.session.digest == session.digest]:
                self._sockets.discard(opened)
                await opened.end_session()
