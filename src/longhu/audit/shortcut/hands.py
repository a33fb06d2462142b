"""Hands as far as they steer the draw, followed by the game's own procedure."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from longhu.cards import CARD_OF_TEXT, NUMBER_OF_TEXT
from longhu.deal.procedure import Procedure

NUMBERS = {face.encode(): number for face, number in NUMBER_OF_TEXT.items()}  # of the cards, as lines spell them


class Known:
    """All hands that have been met, and all that they can come to, numbered."""

    def __init__(self) -> None:
        self.hands: dict[Hashable, Hands] = {}
        self.cues: dict[Hashable, int] = {}
        self.taken: dict[tuple[Hashable, bytes], Any] = {}  # single hands after one more card


class Hands:
    """Two hands as far as they steer the draw, and where each card leads."""

    def __init__(self, known: Known, procedure: Procedure[Any], both: tuple[Any, Any]) -> None:
        self._known, self._procedure, self._both = known, procedure, both
        self.met: dict[bytes, Hands] = {}  # after one more card
        all_cues = known.cues
        due = procedure.due(*both)
        self.due, self.turn = due.hand, (due.hand, str(due.reasons[-1]) if due.reasons else "")
        self.draw = procedure.draw_number(*both) if due.hand is None else None
        totals = (procedure.total(both[0]), procedure.total(both[1]))
        self.cue = all_cues.setdefault((self.turn, totals), len(all_cues) + 1)

    def then(self, face: bytes) -> Hands:
        """After one more card, which must be due."""
        after = self.met.get(face)
        if after is None:
            one, all_taken = self._both[self.due or 0], self._known.taken
            taken = all_taken.get((one, face))
            if taken is None:
                taken = all_taken[one, face] = self._procedure.take(one, CARD_OF_TEXT[face.decode()])
            both = (self._both[0], taken) if self.due else (taken, self._both[1])
            after = self._known.hands.get(both)
            if after is None:
                after = self._known.hands[both] = Hands(self._known, self._procedure, both)
            self.met[face] = after
        return after
