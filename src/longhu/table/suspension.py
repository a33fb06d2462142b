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
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.messages import GIVE_REASON, REASON_MISSING, TABLE_NOT_OPEN, TABLE_STOPPED, Command, decides, evolves
from longhu.table.state import Cause, Suspension, Table

TABLE_SUSPENDED = message_code("table-suspended", cause="choice")
SUPERVISOR_RESUMES = message_code("supervisor-resumes")
TABLE_SUSPENDED_ALREADY = message_code("table-suspended-already")
TABLE_NOT_SUSPENDED = message_code("table-not-suspended")
SUSPENDED_FOR_REASON = message_code("suspended-for-reason", reason="reason")
STOPPED_BY_DEFECT = message_code("stopped-by-defect", defect="text")


class SuspendTable(Command, frozen=True, kw_only=True, tag="suspend-table/1"):
    """Start no further round, for a reason that is on record."""

    needs: ClassVar[Position] = Position.DEALER

    reason: str  # as the staff word it, or what a source of random numbers said; only the staff see it
    cause: Cause = "staff"


class TableSuspended(Event, frozen=True, kw_only=True, tag="table-suspended/1"):
    reason: str
    cause: Cause


class ResumeTable(Command, frozen=True, kw_only=True, tag="resume-table/1"):
    """The cause is gone: rounds may start again."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    reason: str


class TableResumed(Event, frozen=True, kw_only=True, tag="table-resumed/1"):
    reason: str


@decides(SuspendTable)
def suspend_table(table: Table, _game: Game, command: SuspendTable) -> Decision:
    if table.settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if table.suspended:
        return Refusal(TABLE_SUSPENDED_ALREADY())
    if command.cause == "staff" and not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON())
    return [TableSuspended(reason=command.reason, cause=command.cause, **about(command, "REC-2"))]


@evolves(TableSuspended)
def table_suspended(table: Table, event: TableSuspended) -> Table:
    return replace(table, suspended=Suspension(event.cause, event.reason))


@decides(ResumeTable)
def resume_table(table: Table, _game: Game, command: ResumeTable) -> Decision:
    if not table.suspended:
        return Refusal(TABLE_NOT_SUSPENDED())
    if not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON())
    return [TableResumed(reason=command.reason, **about(command, "REC-2"))]


@evolves(TableResumed)
def table_resumed(table: Table, _event: TableResumed) -> Table:
    return replace(table, suspended=None)


def is_suspended(table: Table) -> Refusal | None:
    """Why nothing new may start."""
    if table.suspended is None:
        return None
    return Refusal(TABLE_SUSPENDED(cause=table.suspended.cause), SUPERVISOR_RESUMES(), "REC-2")


class TableStopped(Event, frozen=True, kw_only=True, tag="table-stopped/1"):
    defect: str  # the error, as the program words it


def stopped_by(error: Exception, at: int) -> TableStopped:
    """What the shell stores when `decide` or `evolve` fails; every later command is refused."""
    return TableStopped(defect=f"{type(error).__name__}: {error}", by="table", at=at)


@evolves(TableStopped)
def table_stopped(table: Table, event: TableStopped) -> Table:
    return replace(table, stopped=event.defect)


def suspension(table: Table, *, to_staff: bool) -> Message | None:
    """Why no further round starts; what the staff wrote is for the staff, as it may name anybody."""
    found = table.suspended
    if found is None:
        return None
    return (
        SUSPENDED_FOR_REASON(reason=found.reason) if to_staff and found.reason else TABLE_SUSPENDED(cause=found.cause)
    )


def stop(table: Table, *, to_staff: bool) -> Message | None:
    """Why the table has stopped; what a defect says of itself is for the staff, as it may name anything."""
    if not table.stopped:
        return None
    return STOPPED_BY_DEFECT(defect=table.stopped) if to_staff else TABLE_STOPPED()
