"""The positions that people hold: a ladder from patron to casino operator, and those that stand outside it."""

from __future__ import annotations

from enum import Enum


class Position(Enum):
    """Who acts, as a word in records and on the wire.

    `a >= b` says that a may act as b: on the ladder a higher position performs a lower one's functions (IDT-6.2). The auditor,
    surveillance and the cage stand outside it: no position includes them, they include none, and IDT-6.2 does not reach them
    (SEC-1). `a < b` says that a may not act as b. So of two positions off the ladder each is "less" than the other: never sort them.
    A shoe that reads cards is in a position of its own, which no person holds.

    >>> Position.GAMING_SHIFT_MANAGER >= Position.PIT_MANAGER, Position.CASINO_OPERATOR >= Position.CAGE
    (True, False)
    >>> Position.CAGE >= Position.CAGE, Position.CAGE >= Position.PATRON, Position.CAGE < Position.PATRON
    (True, False, True)
    """

    DEVICE = "device"  # tells which cards leave a shoe, and does nothing else
    AUDITOR = "auditor"  # reads everything and changes nothing
    SURVEILLANCE = "surveillance"  # reads everything, and confirms facts
    CAGE = "cage"  # handles money in and out, and reads what staff read at a table
    PATRON = "patron"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    GAMING_SHIFT_MANAGER = "gaming-shift-manager"
    CASINO_OPERATOR = "casino-operator"

    covers: frozenset[Position]  # itself, and those as which it may act
    is_staff: bool  # works at the tables or for them: dealer and above, the cage, surveillance
    reads_everything: bool  # whatever any position may read
    word: str  # in a sentence

    __hash__ = object.__hash__  # by identity, which is quicker than by name

    def __ge__(self, other: Position) -> bool:
        return other in self.covers

    def __lt__(self, other: Position) -> bool:
        return not self >= other

    def __gt__(self, other: Position) -> bool:
        return self is not other and self >= other

    def __le__(self, other: Position) -> bool:
        return not self > other


LADDER = tuple(Position)[4:]
OUTSIDE_LADDER = tuple(Position)[:4]
OF_PEOPLE = tuple(Position)[1:]

for position in Position:
    position.covers = frozenset(LADDER[: LADDER.index(position) + 1] if position in LADDER else [position])
    position.is_staff = position not in (Position.DEVICE, Position.PATRON, Position.AUDITOR)
    position.reads_everything = position in (Position.AUDITOR, Position.SURVEILLANCE)
    position.word = position.value.replace("-", " ")


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
    """The lowest position above this one, the operator over those outside the ladder; the highest has none above it but itself."""
    return next((each for each in LADDER if outranks(each, position)), position)


def outranks(position: Position, other: Position) -> bool:
    """Is this the higher position? Those outside the ladder answer to the operator alone (SEC-1).

    >>> outranks(Position.PIT_MANAGER, Position.DEALER), outranks(Position.GAMING_SHIFT_MANAGER, Position.CAGE)
    (True, False)
    """
    if other in OUTSIDE_LADDER:
        return position is Position.CASINO_OPERATOR
    return position > other
