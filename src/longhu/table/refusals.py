"""Refusals on record: who asked for what, and which rule stood against it.

A refusal changes nothing. The shell keeps it in the log beside what happened, so that an attempt to do what the rules
do not allow can be found afterwards (D21-4.2a, D21-4.2b, D21-5.9c, MON-4).
"""

from __future__ import annotations

from longhu.eventsourcing import Event, Refusal, about
from longhu.table.messages import Command, evolves
from longhu.table.state import Table


class CommandRefused(Event, frozen=True, kw_only=True, tag="command-refused/1"):
    command: str
    reason: str


def on_record(command: Command, refusal: Refusal) -> CommandRefused:
    """The refusal as an event for the log."""
    return CommandRefused(command=type(command).__name__, reason=refusal.reason, **about(command, refusal.clause))


@evolves(CommandRefused)
def command_refused(table: Table, _event: CommandRefused) -> Table:
    return table
