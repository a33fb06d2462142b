"""The positions that people hold, lowest to highest."""

from __future__ import annotations

from enum import Enum


class Position(Enum):
    """Who acts, as a word in records and on the wire. A higher position may perform a lower one's functions (IDT-6.2).

    The auditor reads everything and changes nothing, below everybody: nothing that is asked for needs so little.

    >>> Position.GAMING_SHIFT_MANAGER >= Position.PIT_MANAGER, Position.AUDITOR >= Position.PATRON
    (True, False)
    """

    AUDITOR = "auditor"
    PATRON = "patron"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    GAMING_SHIFT_MANAGER = "gaming-shift-manager"
    CASINO_OPERATOR = "casino-operator"

    rank: int  # in the order above; set below, since it is asked at every command and properties are slow
    word: str  # in a sentence

    __hash__ = object.__hash__  # by identity, which is quicker than by name

    def __lt__(self, other: Position) -> bool:
        return self.rank < other.rank

    def __le__(self, other: Position) -> bool:
        return self.rank <= other.rank

    def __gt__(self, other: Position) -> bool:
        return self.rank > other.rank

    def __ge__(self, other: Position) -> bool:
        return self.rank >= other.rank


for number, position in enumerate(Position):
    position.rank, position.word = number, position.value.replace("-", " ")


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


def next_above(position: Position) -> Position:
    """The lowest position above this one; the highest has none above it but itself."""
    return next((each for each in Position if each > position), position)
