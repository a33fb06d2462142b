"""What was asked of a table lately and what was answered, so that a command that is sent twice costs nothing.

Of what is answered little is kept, and not for long: under load there are thousands a second, and memory that is written once and
not looked at again drives out of the processor's caches what everybody needs. The store knows all that was ever done.
"""

from __future__ import annotations

from longhu.eventsourcing import Refusal
from longhu.server.done import Done
from longhu.server.tables.asked import Asked

ANSWERS = 100  # that are remembered at least, and twice as many at most

Outcome = Done | Refusal


class Answers:
    """By the ids of commands."""

    __slots__ = ("_earlier", "_lately", "_on_their_way")

    def __init__(self) -> None:
        self._on_their_way: dict[str, Asked] = {}
        self._lately: dict[str, Outcome] = {}
        self._earlier: dict[str, Outcome] = {}

    def before(self, id: str) -> Asked | Outcome | None:
        """A command of that id that is on its way, or what one was answered."""
        return self._on_their_way.get(id) or self._lately.get(id) or self._earlier.get(id)

    def asked(self, asked: Asked) -> None:
        """It is on its way,"""
        self._on_their_way[asked.id] = asked

    def answered(self, asked: Asked, outcome: Outcome) -> None:
        """and has come to this. Steps that the house takes by itself were not asked."""
        if self._on_their_way.pop(asked.id, None) is not None:
            self._lately[asked.id] = outcome
            if len(self._lately) >= ANSWERS:
                self._lately, self._earlier = {}, self._lately

    def forget(self, id: str) -> None:
        """It came to nothing, and may be asked again."""
        self._on_their_way.pop(id, None)

    def clear(self) -> None:
        """Remember nothing of what was answered."""
        self._lately, self._earlier = {}, {}
