"""The turns of all tables of a node: what is asked at one moment is decided together, written together and told together.

Under load dozens of commands come at once. Each is judged on its own; handing them to the writer, waking its thread, and
coming back from there is done once for all of them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from longhu.server.logs import log
from longhu.server.tables.asked import Asked
from longhu.store.entries import Append
from longhu.store.errors import StoreError
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Result

MANY = 32  # commands that are worth a turn at once: they are written while others are still being read,
SHARE = 0.8  # and so is this part of those that are being written: while some are decided, others are written, and others asked
LARGE = 50  # records of one command that are worth a commit of their own


class Table(Protocol):
    """A table that takes part."""

    def turn(self) -> None:
        """Decide everything that was asked since the last turn."""

    def landed(self, group: Sequence[Asked], results: Sequence[Result]) -> None:
        """What became of those that were handed in together."""


class Turns:
    """All of it belongs to one event loop, but for what the writer's thread calls."""

    def __init__(self, writer: GroupCommit) -> None:
        self._writer, self._loop = writer, asyncio.get_running_loop()
        self._due: dict[Table, None] = {}  # tables that were asked something, in order
        self._groups: list[tuple[Table, Sequence[Asked]]] = []  # decided in this turn,
        self._appends: list[Append] = []  # and what is to be written of them
        self._scheduled = False
        self._turning = False  # a table that is being decided is not decided once more meanwhile
        self._waiting = 0  # commands that were asked since the last turn,
        self._on_their_way = 0  # and those that are being written
        self._landed: deque[tuple[list[tuple[Table, Sequence[Asked]]], Sequence[Result]]] = deque()
        self._landing = False

    def asked(self, table: Table) -> None:
        """Somebody has asked something of this table: it is decided in the next turn, which comes at once where many wait."""
        self._due[table] = None
        self._waiting += 1
        if self._waiting >= MANY and not self._turning:
            self._turn()
        else:
            self._look()

    def hand_in(self, table: Table, group: Sequence[Asked], appends: Sequence[Append]) -> None:
        """Commands that were decided together: they are written, in order, with all others of this turn.

        A round that is settled is written at once: the store is busy with it while the next table is decided.
        """
        self._groups.append((table, group))
        self._appends += appends
        if sum([len(each.lines) for each in appends]) >= LARGE * len(appends):
            self._write()
        else:
            self._look()

    def _look(self) -> None:
        """Is it time for another turn? Not for few, while more are being written: they go with those that come meanwhile."""
        wanted = self._appends or (self._due and self._waiting >= min(SHARE * self._on_their_way, MANY))
        if wanted and not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        due, self._due, self._waiting = self._due, {}, 0
        self._turning = True
        for table in due:
            try:
                table.turn()
            except Exception:  # a defect of one table, which must not keep the others waiting
                log.exception("a turn of a table failed")
        self._scheduled = self._turning = False
        self._write()
        self._look()  # somebody may have been told something meanwhile, and asked for more

    def _write(self) -> None:
        groups, self._groups = self._groups, []
        appends, self._appends = self._appends, []
        if not appends:
            return
        self._on_their_way += len(appends)

        def told(results: Sequence[Result]) -> None:
            self._landed.append((groups, results))
            if not self._landing:
                self._landing = True
                self._loop.call_soon_threadsafe(self._land)

        try:
            self._writer.submit(appends, told)
        except StoreError as error:  # turned away
            self._deal_out(groups, [error] * len(appends))

    def _land(self) -> None:
        self._landing = False
        while self._landed:
            self._deal_out(*self._landed.popleft())

    def _deal_out(self, groups: Sequence[tuple[Table, Sequence[Asked]]], results: Sequence[Result]) -> None:
        self._on_their_way -= len(results)
        first = 0
        for table, group in groups:
            try:
                table.landed(group, results[first : first + len(group)])
            except Exception:  # the same
                log.exception("a table could not take in what a commit brought")
            first += len(group)
        self._look()
