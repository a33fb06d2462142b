"""A table while one turn of it lasts: what has been decided so far, and nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence

from longhu.eventsourcing import Event, Refusal
from longhu.games.game import Game
from longhu.server.tables.marks import marked
from longhu.server.tables.moment import Happened, Moment
from longhu.table import engine
from longhu.table.engine import evolve
from longhu.table.messages import Command


class Ahead:
    """The table after everything that was decided in this turn."""

    __slots__ = ("marks", "sequence", "state")

    def __init__(self, moment: Moment) -> None:
        self.sequence, self.state, self.marks = moment.sequence, moment.state, moment.marks

    def decide(self, game: Game, command: Command) -> list[Event] | Refusal:
        """What happens when somebody asks for this now."""
        return engine.decide(self.state, game, command)

    def take(self, events: Sequence[Event]) -> list[Happened]:
        """Apply what a command led to. Where an event is a defect, everything is as it was."""
        happened: list[Happened] = []
        table, sequence, marks = self.state, self.sequence, self.marks
        for event in events:
            before, table = table, evolve(table, event)
            sequence += 1
            marks = marked(marks, sequence, event)
            happened.append(Happened(sequence, event, before, table))
        self.state, self.sequence, self.marks = table, sequence, marks
        return happened
