"""The audit log of a table as it grows: every decision becomes lines, and each line names the digest of the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from longhu.audit.inferred_commands import inferred_command
from longhu.audit.record import Record, beginning, digest, encode, hides
from longhu.eventsourcing import Event
from longhu.games.game import Game
from longhu.table.engine import held_by
from longhu.table.messages import Command
from longhu.table.state import Table


class ChainError(ValueError):
    """Something that no audit log may hold: what was found, and what to do."""


class Chain:
    """The end of an audit log, and the lines that come next."""

    def __init__(
        self, table: str, salt: Callable[[], str], *, sequence: int = 0, head: str = "", last_at: int = 0
    ) -> None:
        self.table, self.sequence, self.head, self.last_at = table, sequence, head or beginning(table), last_at
        self._salt = salt  # a new one, in hexadecimal, each time it is asked

    def lines(self, table: Table, game: Game, command: Command, events: Sequence[Event]) -> list[bytes]:
        """The records of what a command led to; `table` is as it was before.

        The chain moves on once all of them are made: where one cannot be, it stands as it stood.
        """
        if command.at < self.last_at:
            raise ChainError(
                f"the clock went back from {self.last_at} to {command.at}. Give the later time, and record the step."
            )
        held, sequence, head = held_by(table, command), self.sequence, self.head
        lines: list[bytes] = []
        for place, event in enumerate(events):
            asked = command if place == 0 and inferred_command(game, event) != command else None
            salt = self._salt() if hides(event) else ""
            sequence += 1
            line = encode(Record(sequence, head, game.digest, event, held, asked, salt))
            head = digest(line)
            lines.append(line)
        self.sequence, self.head, self.last_at = sequence, head, command.at
        return lines
