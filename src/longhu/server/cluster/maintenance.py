"""Maintenance: check the clock and the program, sweep sessions, index records, and sign the heads of streams, from time to time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from longhu.accounts.names import HOUSE_TRAIL
from longhu.audit import signed_heads
from longhu.eventsourcing import Refusal
from longhu.server.accounts.house_log import HouseLogService, Running
from longhu.server.accounts.people import People
from longhu.server.cluster.leases import Leases
from longhu.server.config import Config
from longhu.server.observability import log
from longhu.server.streams.commands import StoreUnavailable
from longhu.server.streams.table_stream import TableStream
from longhu.server.timers import Clock
from longhu.store.errors import StoreError
from longhu.store.interface import Store

TICK = 1.0  # seconds, between two looks at the clock
SIGNED = 60  # ticks, between two signatures of the same trail, where it has grown
SWEPT = 60
CHECKED = 24 * 60 * 60  # the program is hashed again at least every 24 hours (LOG-10)


class Maintenance:
    """One task beside all others."""

    def __init__(
        self,
        config: Config,
        store: Store,
        clock: Clock,
        house_log: HouseLogService,
        people: People,
        tables: Mapping[str, TableStream],
        leases: Leases,
    ) -> None:
        self._node, self._store, self._clock = config.node, store, clock
        self._house_log, self._people, self._tables, self._leases = house_log, people, tables, leases
        self.changed: Refusal | None = None  # why this node starts no further round
        self._signed: dict[str, int] = {}  # by trail, the last record whose head was signed
        self._key = config.private_key()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._for_ever(), name="maintenance")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            await self._tried(self.sign_heads)

    async def _for_ever(self) -> None:
        tick = 0
        while True:
            await asyncio.sleep(TICK)
            tick += 1
            await self._tried(self.note_clock)
            if tick % SIGNED == 0:
                await self._tried(self.sign_heads)
            if tick % SWEPT == 0:
                await self._tried(self._sweep)
            if tick % CHECKED == 0:
                await self._tried(self.check_program)

    async def _tried(self, task: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """A task that fails is done the next time."""
        try:
            await task()
        except (StoreUnavailable, StoreError) as error:
            log.warning("a task was put off", task=task.__name__, why=str(error))
        except Exception:
            log.exception("a task failed", task=task.__name__)

    async def note_clock(self) -> None:
        """A step of the clock is an event (LOG-8)."""
        for step in self._clock.steps():
            await self._house_log.clock_step(self._node, step.before, step.after)

    async def check_program(self, program: Running | None = None) -> None:
        """A program that was changed while it runs starts no further round (LOG-10)."""
        self.changed = await self._house_log.check_program(self._node, program)

    async def _sweep(self) -> None:
        await self._people.sweep()
        await asyncio.to_thread(self._store.index_records)  # so that a search has little to do

    async def sign_heads(self) -> None:
        """Sign the heads of this node's tables and of the house log with the house's key."""
        if self._key is None:
            return
        standings = [self._tables[table].snapshot.standing(table) for table in sorted(self._leases.driven)]
        for standing in (*standings, await asyncio.to_thread(self._store.standing, HOUSE_TRAIL)):
            if standing.sequence > self._signed.get(standing.table, 0):
                head = signed_heads.signed(
                    standing.table, standing.sequence, standing.head, self._clock.now(), self._key
                )
                await asyncio.to_thread(self._store.keep_head, head)
                self._signed[standing.table] = standing.sequence
