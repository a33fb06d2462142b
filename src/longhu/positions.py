"""The positions that people hold, lowest to highest."""

from __future__ import annotations

from enum import IntEnum


class Position(IntEnum):
    """Who acts. The auditor reads everything and changes nothing, outside the order."""

    AUDITOR = -1
    PATRON = 0
    DEALER = 1
    PIT_SUPERVISOR = 2
    PIT_MANAGER = 3
    GAMING_SHIFT_MANAGER = 4
    CASINO_OPERATOR = 5

    @property
    def word(self) -> str:
        return self.name.lower().replace("_", " ")

    @property
    def code(self) -> str:
        """Its word in messages, by which catalogues name it: pit-supervisor."""
        return self.name.lower().replace("_", "-")


# Game files use the words of their documents; Dragon 21's ladder is mapped onto the others' (Q39).
OF_WORD = {
    "patron": Position.PATRON,
    "dealer": Position.DEALER,
    "pit-supervisor": Position.PIT_SUPERVISOR,
    "pit-manager": Position.PIT_MANAGER,
    "gaming-shift-manager": Position.GAMING_SHIFT_MANAGER,
    "game-supervisor": Position.PIT_SUPERVISOR,
    "casino-supervisor": Position.GAMING_SHIFT_MANAGER,
    "casino-operator": Position.CASINO_OPERATOR,
}


def may_act_as(holder: Position, required: Position) -> bool:
    """A higher position may perform a lower one's functions (IDT-6.2).

    >>> may_act_as(Position.GAMING_SHIFT_MANAGER, Position.PIT_MANAGER)
    True
    >>> may_act_as(Position.AUDITOR, Position.PATRON)
    False
    """
    return holder is not _AUDITOR and holder >= required


_AUDITOR = Position.AUDITOR  # asked at every command, and the class is slow to ask
