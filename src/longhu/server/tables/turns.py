"""The turns of all tables of a node: what is asked in one turn of the loop is decided together, written together and told together.

Under load hundreds of commands come in one turn. Each is judged on its own; handing them to the writer, waking its thread, and
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
from longhu.store.interface import Result
from longhu.store.writer import Writer


class Table(Protocol):
    """A table that takes part."""

    def turn(self) -> None:
        """Decide everything that was asked since the last turn."""

    def landed(self, group: Sequence[Asked], results: Sequence[Result]) -> None:
        """What became of those that were handed in together."""


class Turns:
    """All of it belongs to one event loop, but for what the writer's thread calls."""

    def __init__(self, writer: Writer) -> None:
        self._writer, self._loop = writer, asyncio.get_running_loop()
        self._due: dict[Table, None] = {}  # tables that were asked something, in order
        self._groups: list[tuple[Table, Sequence[Asked]]] = []  # decided in this turn,
        self._appends: list[Append] = []  # and what is to be written of them
        self._scheduled = False
        self._landed: deque[tuple[list[tuple[Table, Sequence[Asked]]], Sequence[Result]]] = deque()
        self._landing = False

    def asked(self, table: Table) -> None:
        """Somebody has asked something of this table: it is decided in this turn of the loop."""
        self._due[table] = None
        self._schedule()

    def hand_in(self, table: Table, group: Sequence[Asked], appends: Sequence[Append]) -> None:
        """Commands that were decided together: they are written, in order, with all others of this turn."""
        self._groups.append((table, group))
        self._appends += appends
        self._schedule()

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._scheduled = False
        due, self._due = self._due, {}
        for table in due:
            try:
                table.turn()
            except Exception:  # a defect of one table, which must not keep the others waiting
                log.exception("a turn of a table failed")
        groups, self._groups = self._groups, []
        appends, self._appends = self._appends, []
        if not appends:
            return

        def told(results: Sequence[Result]) -> None:
            self._landed.append((groups, results))
            if not self._landing:
                self._landing = True
                self._loop.call_soon_threadsafe(self._land)

        try:
            self._writer.tell_all(appends, told)
        except StoreError as error:  # turned away
            self._deal_out(groups, [error] * len(appends))

    def _land(self) -> None:
        self._landing = False
        while self._landed:
            self._deal_out(*self._landed.popleft())

    def _deal_out(self, groups: Sequence[tuple[Table, Sequence[Asked]]], results: Sequence[Result]) -> None:
        first = 0
        for table, group in groups:
            try:
                table.landed(group, results[first : first + len(group)])
            except Exception:  # the same
                log.exception("a table could not take in what a commit brought")
            first += len(group)
