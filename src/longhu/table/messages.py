"""Commands and events of a table: the register that all areas of the table share, and how rules are cited.

`decides` registers the function that judges a command, `evolves` the one that applies an event, and `evolves_round` one
that applies an event to the round in progress, for the many events that change nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from longhu.eventsourcing import Command as BaseCommand
from longhu.eventsourcing import Event, Register
from longhu.games.game import Game
from longhu.table.state import Round, Table, open_round, replace

E = TypeVar("E", bound=Event)


def stored_name(name: str) -> str:
    """`DrawCard` is kept as draw-card/1; a command that changes its form takes a tag of its own."""
    return re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() + "/1"


class Command(BaseCommand, frozen=True, kw_only=True, tag=stored_name):
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


def chosen(game: Game, reading: str) -> str:
    """How the house reads a doubtful clause, "" where the game has no such reading."""
    known = game.readings.get(reading)
    return known.chosen if known is not None else ""


def cite(game: Game, step: str) -> str:
    """The clause behind a step of the round, "" where the document has none."""
    clauses = game.cites.get(step, ())
    return clauses[0] if clauses else ""
