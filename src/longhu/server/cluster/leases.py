"""Leases: which of several nodes on one store drives which table, and how each hears of what the others wrote.

Any node takes any command. A lease says which of them acts for the house at a table: it is renewed every second, and where
that stops, another node takes it over a few seconds later. Leases only save work. Two drivers cannot do a thing twice even without
them: both append behind the same record, and only one append succeeds.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable

from longhu.server.observability import log
from longhu.store.errors import StoreError
from longhu.store.interface import Store

LEASE = "table:"
LASTS = 3.0  # seconds
RENEWED = 3  # times in that time


class Leases:
    """This node among the others."""

    def __init__(
        self,
        node: str,
        store: Store,
        now: Callable[[], int],
        tables: Callable[[], Iterable[str]],
        drive: Callable[[str], asyncio.Task[None]],
        wake: Callable[[str, int], None],
        lasts: float = LASTS,
        is_known: Callable[[str, int], bool] = lambda _trail, _sequence: False,
    ) -> None:
        self.node, self.lasts = node, lasts
        self._store, self._now, self._tables, self._drive, self._wake = store, now, tables, drive, wake
        self._is_known = is_known  # has this node itself written that? Asked by a thread of the store's
        self.driven: dict[str, asyncio.Task[None]] = {}  # the tables that this node drives
        self._looks = asyncio.Event()
        self._turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._renewed = 0  # milliseconds: when the store last said what is ours
        self._tasks = contextlib.AsyncExitStack()

    async def start(self) -> None:
        loop = asyncio.get_running_loop()

        def wake(trail: str, sequence: int) -> None:
            if self._is_known(trail, sequence):  # as nearly always: nobody need wake up
                return
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._wake, trail, sequence)

        changes = self._store.changes(wake)
        await asyncio.to_thread(changes.__enter__)
        self._tasks.push_async_callback(asyncio.to_thread, changes.__exit__, None, None, None)
        self._wake("", 0)  # what others wrote before anybody listened
        renewing = loop.create_task(self._renew_for_ever())
        self._tasks.push_async_callback(_ended, renewing)

    def look(self) -> None:
        """There is another table: do not wait for the next turn."""
        self._looks.set()

    async def turn(self) -> None:
        """Wait until this node has looked once more at what is its to drive."""
        await asyncio.shield(self._turn)

    async def _renew_for_ever(self) -> None:
        while True:
            self._looks.clear()
            try:
                await self._renew()
            except StoreError as error:
                log.warning("leases could not be renewed", node=self.node, why=str(error))
                if self._now() > self._renewed + 1000 * self.lasts:  # others may have taken over by now
                    await self._leave(self.driven)
            self._turn.set_result(None)
            self._turn = asyncio.get_running_loop().create_future()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.lasts / RENEWED):
                    await self._looks.wait()

    async def _renew(self) -> None:
        """Take what is free, renew what is ours, let go of what somebody else has."""
        names = [LEASE + table for table in self._tables()]
        at, duration = self._now(), round(1000 * self.lasts)
        leases = await asyncio.to_thread(self._store.take_leases, names, self.node, at, duration)
        self._renewed = at
        ours = {lease.name.removeprefix(LEASE) for lease in leases if lease.holder == self.node}
        await self._leave(self.driven.keys() - ours)
        for table in ours:
            if table not in self.driven or self.driven[table].done():
                log.info("this node drives a table", table=table, node=self.node)
                self.driven[table] = self._drive(table)

    async def _leave(self, tables: Iterable[str]) -> None:
        for table in tuple(tables):
            await _ended(self.driven.pop(table))

    async def stop(self) -> None:
        """Give up all tables, so that others take them at once."""
        await self._tasks.aclose()
        driven = tuple(self.driven)
        await self._leave(driven)
        for table in driven:
            with contextlib.suppress(StoreError):
                await asyncio.to_thread(self._store.release_lease, LEASE + table, self.node)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
