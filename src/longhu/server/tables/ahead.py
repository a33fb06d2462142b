"""A table while one turn of it lasts: what has been decided so far, and nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from longhu.games.game import Game
from longhu.server.tables.marks import marked
from longhu.server.tables.moment import Happened, Moment
from longhu.table.acts import IN_PLACE, Command, Event, Refusal
from longhu.table.engine import Row, evolve, own, replay


class Ahead:
    """The table after everything that was decided in this turn.

    Wagers in a row are applied to a copy of which nobody else knows, so that the table is copied once for all of them. They
    happen at once: each of them has the table before and after all of the row.
    """

    __slots__ = ("_is_own", "_row_before", "marks", "row", "sequence", "state")

    def __init__(self, moment: Moment, row: Row | None = None) -> None:
        self.sequence, self.state, self.marks = moment.sequence, moment.state, moment.marks
        self._is_own = False  # is the state such a copy?
        self._row_before = moment.state
        goes_on = row is not None and row.stands is moment.state  # from the turn before
        self.row = row if row is not None and goes_on else Row(moment.state)

    def decide(self, game: Game, command: Command) -> list[Event] | Refusal:
        """What happens when somebody asks for this now."""
        return self.row.decide(self.state, game, command)

    def take(self, events: Sequence[Event]) -> list[Happened]:
        """Apply what a command led to. Where an event is a defect, everything is as it was."""
        if len(events) == 1 and (one := self._in_a_row(events[0])) is not None:
            return [one]
        happened: list[Happened] = []
        table, sequence, marks = self.state, self.sequence, self.marks
        for _, row in groupby(events, type):
            run = list(row)
            before, table = table, evolve(table, run[0]) if len(run) == 1 else replay(table, run)
            for event in run:
                sequence += 1
                marks = marked(marks, sequence, event)
                happened.append(Happened(sequence, event, before, table))
        if table is not self.state:
            self.state, self._is_own, self.row = table, False, Row(table)
        self.sequence, self.marks = sequence, marks
        return happened

    def _in_a_row(self, event: Event) -> Happened | None:
        applies = IN_PLACE.get(type(event))
        if applies is None:
            return None
        if not self._is_own:
            copy = own(self.state)
            if not applies(copy, event):
                return None
            self._row_before, self.state, self._is_own = self.state, copy, True
            self.row.stands = copy
        elif not applies(self.state, event):
            return None
        self.sequence += 1
        return Happened(self.sequence, event, self._row_before, self.state)
