"""Commands and events of a table: the register that all areas of the table share.

`decides` registers the function that judges a command, `evolves` the one that applies an event, and `evolves_round` one
that applies an event to the round in progress, for the many events that change nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from longhu.eventsourcing import Command as BaseCommand
from longhu.eventsourcing import Event, Refusal, Register, about, stored_name
from longhu.games.game import Game
from longhu.ledger import posted
from longhu.table.document import cite
from longhu.table.state import Round, Table, open_round, replace

E = TypeVar("E", bound=Event)


class Command(BaseCommand, frozen=True, kw_only=True):
    """Something that somebody asks of the table."""

    def reserved_by(self, game: Game) -> str:
        """The clause that reserves it to its position, where a document has one; else positions stand on their order."""
        return cite(game, "position-above") or "SEC-1"


TABLE: Register[Table, Game, Command, Event] = Register()
decides, evolves = TABLE.decides, TABLE.evolves


def evolves_round(event: type[E]) -> Callable[[Callable[[Round, E], Round]], Callable[[Round, E], Round]]:
    """Register the function that applies an event to the round in progress: without one, the event is a defect."""

    def register(function: Callable[[Round, E], Round]) -> Callable[[Round, E], Round]:
        @evolves(event)
        def on_table(table: Table, event: E) -> Table:
            return replace(table, round=function(open_round(table), event))

        return function

    return register


class CommandRefused(Event, frozen=True, kw_only=True, tag="command-refused/1"):
    """Somebody asked for what the rules do not allow (D21-4.2a, D21-4.2b, D21-5.9c, MON-4). It changes nothing."""

    command: str  # its stored name
    reason: str


def on_record(command: Command, refusal: Refusal) -> CommandRefused:
    """The refusal as an event for the log."""
    return CommandRefused(command=stored_name(command), reason=refusal.reason, **about(command, refusal.clause))


@evolves(CommandRefused)
def command_refused(table: Table, _event: CommandRefused) -> Table:
    return table


def evolve(table: Table, event: Event) -> Table:
    """The table after an event: its state, and the money that the event moved."""
    after = TABLE.evolve(table, event)
    transactions = event.transactions()
    return replace(after, balances=posted(table.balances, transactions)) if transactions else after
