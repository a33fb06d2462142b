"""The roads on a terminal: six lines each, in signs that need no colour.

A hand is its initial, a tie `=`. Pairs on the bead plate are dots: top left for the second hand, bottom right for the
first. Ties on the big road are a stroke, from two on with their number. Red is `o`, blue is `x`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from longhu.deal.procedure import HandName
from longhu.messages.localization import english
from longhu.messages.message import message_code
from longhu.roads.board import (
    FIRST,
    ROWS,
    SECOND,
    Bead,
    BigRoad,
    BigRoadCell,
    Cell,
    Colour,
    DerivedCell,
    RoundResult,
    ask,
    scoreboard,
)

ROADS_NOTICE = message_code("roads-notice")  # IDT-6.3a, RUL-7
TIE, STROKE = "=", "/"
PAIR_OF_SECOND, PAIR_OF_FIRST = "'", "."  # a dot at the top left, a dot at the bottom right
COLOUR_SIGNS: Mapping[Colour, str] = {Colour.RED: "o", Colour.BLUE: "x"}

C = TypeVar("C", Bead, BigRoadCell, DerivedCell)


def hand_signs(hands: tuple[HandName, HandName]) -> tuple[str, str]:
    """A letter for each hand, its initial; 1 and 2 where initials would not tell them apart.

    >>> from longhu.texts import Text
    >>> hand_signs((HandName("player", Text("Player")), HandName("banker", Text("Banker"))))
    ('P', 'B')
    >>> hand_signs((HandName("red", Text("Red")), HandName("rose", Text("Rose"))))
    ('1', '2')
    """
    first, second = (hand.en[:1].upper() for hand in hands)
    letters = (first + second).isascii() and (first + second).isalpha()
    return (first, second) if letters and first != second else ("1", "2")


def bead_plate_lines(
    plate: Sequence[Bead], hands: tuple[HandName, HandName], columns: int | None = None
) -> tuple[str, ...]:
    """The bead plate as six lines; with `columns` only so many, the newest bead among them.

    >>> from longhu.roads.board import bead_plate
    >>> from longhu.texts import Text
    >>> hands = (HandName("dragon", Text("Dragon")), HandName("tiger", Text("Tiger")))
    >>> bead_plate_lines(bead_plate([RoundResult(None, (True, True)), RoundResult(SECOND)]), hands)[:2]
    ("'=.", ' T')
    """
    signs = hand_signs(hands)

    def sign(bead: Bead) -> str:
        winner, (first, second) = bead.result.winner, bead.result.pairs
        letter = TIE if winner is None else signs[winner]
        return (PAIR_OF_SECOND if second else " ") + letter + (PAIR_OF_FIRST if first else " ")

    return _lines(plate, sign, columns)


def big_road_lines(road: BigRoad, hands: tuple[HandName, HandName], columns: int | None = None) -> tuple[str, ...]:
    """The big road as six lines; ties that wait for the first winner stand alone at the top left.

    >>> from longhu.roads.board import big_road
    >>> from longhu.texts import Text
    >>> hands = (HandName("player", Text("Player")), HandName("banker", Text("Banker")))
    >>> big_road_lines(big_road([RoundResult(winner) for winner in (1, 1, None, 0, None, None)]), hands)[:2]
    ('B   P/2', 'B/')
    """
    signs = hand_signs(hands)
    if not road.cells:
        return (_stroke(road.ties_waiting), *[""] * (ROWS - 1))
    return _lines(road.cells, lambda cell: signs[cell.winner] + _stroke(cell.ties), columns)


def derived_road_lines(cells: Sequence[DerivedCell], columns: int | None = None) -> tuple[str, ...]:
    """A derived road as six lines: `o` for red, `x` for blue."""
    return _lines(cells, lambda cell: COLOUR_SIGNS[cell.colour], columns)


def _stroke(ties: int) -> str:
    return STROKE * (ties > 0) + str(ties) * (ties > 1)


def _lines(cells: Sequence[C], sign: Callable[[C], str], columns: int | None) -> tuple[str, ...]:
    """The cells in their places, as far right as the newest allows: a long old tail must not push it off the screen."""
    signs = {cell.place: sign(cell) for cell in cells}
    end = max((place.column for place in signs), default=-1) + 1
    start = 0
    if columns is not None and cells:
        start = min(max(end - columns, 0), cells[-1].place.column)
        end = min(end, start + columns)
    width = max(map(len, signs.values()), default=0)
    return tuple(
        " ".join(f"{signs.get(Cell(column, row), ''):{width}}" for column in range(start, end)).rstrip()
        for row in range(ROWS)
    )


def scoreboard_lines(
    results: Sequence[RoundResult], hands: tuple[HandName, HandName], columns: int | None = None
) -> tuple[str, ...]:
    """The whole board: five roads with their titles, what either hand would bring, what the signs mean."""
    board = scoreboard(results)
    first, second = hand_signs(hands)
    lines = ["Bead Plate", *_indented(bead_plate_lines(board.bead_plate, hands, columns))]
    lines += ["Big Road", *_indented(big_road_lines(board.big_road, hands, columns))]
    asked = [(hand.en, ask(results, index)) for hand, index in zip(hands, (FIRST, SECOND), strict=True)]
    for road, cells in board.derived.items():
        answers = ((name, what_if.derived[road]) for name, what_if in asked)
        asks = [f"{COLOUR_SIGNS[cell.colour]} if {name} wins" for name, cell in answers if cell is not None]
        lines.append(f"{road.title}: {', '.join(asks)}" if asks else road.title)
        lines += _indented(derived_road_lines(cells, columns))
    lines.append(f"{first} {hands[0].en}, {second} {hands[1].en}, {TIE} tie, on the big road {STROKE}")
    if any(any(result.pairs) for result in results):
        lines.append(f"{PAIR_OF_FIRST} pair of {hands[0].en}, {PAIR_OF_SECOND} pair of {hands[1].en}")
    lines.append(", ".join(f"{sign} {colour.name.lower()}: {colour.value}" for colour, sign in COLOUR_SIGNS.items()))
    return (*lines, english(ROADS_NOTICE()))


def _indented(lines: Sequence[str]) -> Iterator[str]:
    return (f"  {line}".rstrip() for line in lines)
