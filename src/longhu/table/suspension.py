"""A table that is suspended, or stopped by a defect.

While it is suspended, the round in play goes on with the cards that it has, and no other starts. Anybody of the staff
suspends, and so does the house's own system when its source of chance fails (RNG-7); a pit supervisor looks at it and resumes.

A defect is a fault of the program: the table stops rather than pay wrongly, until a gaming shift manager has looked.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.positions import Position
from longhu.table.messages import Command, decides, evolves
from longhu.table.state import Table


class SuspendTable(Command, frozen=True, kw_only=True, tag="suspend-table/1"):
    """Start no further round, for a reason that is on record."""

    needs: ClassVar[Position] = Position.DEALER

    reason: str


class TableSuspended(Event, frozen=True, kw_only=True, tag="table-suspended/1"):
    reason: str


class ResumeTable(Command, frozen=True, kw_only=True, tag="resume-table/1"):
    """The cause is gone: rounds may start again."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    reason: str


class TableResumed(Event, frozen=True, kw_only=True, tag="table-resumed/1"):
    reason: str


@decides(SuspendTable)
def suspend_table(table: Table, _game: Game, command: SuspendTable) -> Decision:
    if table.settings is None:
        return Refusal("the table is not open")
    if table.suspended:
        return Refusal(f"the table is suspended already: {table.suspended}")
    if not command.reason.strip():
        return Refusal("a table is suspended for a reason", "Give it")
    return [TableSuspended(reason=command.reason, **about(command, "REC-2"))]


@evolves(TableSuspended)
def table_suspended(table: Table, event: TableSuspended) -> Table:
    return replace(table, suspended=event.reason)


@decides(ResumeTable)
def resume_table(table: Table, _game: Game, command: ResumeTable) -> Decision:
    if not table.suspended:
        return Refusal("the table is not suspended")
    if not command.reason.strip():
        return Refusal("a table is resumed for a reason", "Say what has become of the cause")
    return [TableResumed(reason=command.reason, **about(command, "REC-2"))]


@evolves(TableResumed)
def table_resumed(table: Table, _event: TableResumed) -> Table:
    return replace(table, suspended="")


def is_suspended(table: Table) -> Refusal | None:
    """Why nothing new may start."""
    if not table.suspended:
        return None
    return Refusal(f"the table is suspended: {table.suspended}", "A pit supervisor resumes it", "REC-2")


class TableStopped(Event, frozen=True, kw_only=True, tag="table-stopped/1"):
    why: str


def stopped_by(error: Exception, at: int) -> TableStopped:
    """What the shell stores when `decide` or `evolve` fails; every later command is refused."""
    return TableStopped(why=f"{type(error).__name__}: {error}", by="table", at=at)


@evolves(TableStopped)
def table_stopped(table: Table, event: TableStopped) -> Table:
    return replace(table, stopped=event.why)
