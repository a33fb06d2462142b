"""The roads: a shoe's results as the scoreboards beside the table draw them.

A road knows two hands and ties, whatever the game calls its hands. Hand 0 is the first that is dealt to (Player,
Dragon), hand 1 the second (Banker, Tiger). Every road is a function of the list of results and of nothing else; a
place on it is (column, row), both from 0 at the top left. Columns go on for ever: what a screen has room for is
the screen's affair. A road tells what has been and foretells nothing (RUL-7, IDT-6.3a).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from typing import Final, Literal, NamedTuple

Hand = Literal[0, 1]
FIRST: Final[Hand] = 0
SECOND: Final[Hand] = 1
ROWS: Final = 6


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A finished round as the scoreboard sees it: who won, and which hands began with a pair."""

    winner: Hand | None  # None for a tie
    pairs: tuple[bool, bool] = (False, False)


def round_result(hands: tuple[str, str], winner: str, pairs: Collection[str]) -> RoundResult:
    """What a round puts on the board: the winner by its id, or "tie", and the hands that began with a pair."""
    first, second = hands
    places: Mapping[str, Hand] = {first: FIRST, second: SECOND}
    return RoundResult(places.get(winner), (first in pairs, second in pairs))


# ---------------------------------------------------------------- where marks go


class Cell(NamedTuple):
    column: int
    row: int


def road_places(lengths: Iterable[int]) -> Iterator[Cell]:
    """Where streaks of these lengths are drawn, mark after mark.

    A streak goes down from the top. Where the grid ends, or an earlier streak's tail lies in the way, it turns right
    into a tail of its own and stays in that row. The next streak starts right of this one's top, over the tail;
    only a tail along the top row itself pushes it further.

    >>> [tuple(place) for place in road_places([8, 6])][5:]
    [(0, 5), (1, 5), (2, 5), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4)]
    """
    taken: set[Cell] = set()
    column = 0
    for length in lengths:
        while Cell(column, 0) in taken:
            column += 1
        place, turned = Cell(column, 0), False
        for _ in range(length):
            taken.add(place)
            yield place
            below = Cell(place.column, place.row + 1)
            turned = turned or below.row == ROWS or below in taken
            place = Cell(place.column + 1, place.row) if turned else below
        column += 1


# ---------------------------------------------------------------- bead plate and big road


class Bead(NamedTuple):
    """One round on the bead plate; a pair is a dot, top left for the second hand, bottom right for the first."""

    place: Cell
    result: RoundResult


def bead_plate(results: Sequence[RoundResult]) -> tuple[Bead, ...]:
    """Round after round down the columns, ties too: the shoe in the order in which it was dealt.

    >>> bead_plate([RoundResult(FIRST)] * 8)[-1].place
    Cell(column=1, row=1)
    """
    return tuple(Bead(Cell(*divmod(index, ROWS)), result) for index, result in enumerate(results))


@dataclass(frozen=True, slots=True)
class BigRoadCell:
    """A round that a hand won, and the ties that came between it and the next such round."""

    place: Cell
    winner: Hand
    ties: int = 0  # drawn as a stroke through the cell; from two on with their number


@dataclass(frozen=True, slots=True)
class BigRoad:
    """Winning streaks side by side: a column for each, the hands taking turns."""

    cells: tuple[BigRoadCell, ...]
    ties_waiting: int = 0  # while no hand has won yet; the first cell takes them over


def big_road(results: Sequence[RoundResult]) -> BigRoad:
    """
    >>> road = big_road([RoundResult(winner) for winner in (None, 1, 1, None, None, 0)])
    >>> [(tuple(cell.place), cell.winner, cell.ties) for cell in road.cells]
    [((0, 0), 1, 1), ((0, 1), 1, 2), ((1, 0), 0, 0)]
    """
    places = road_places(streak_lengths(results))
    cells: list[BigRoadCell] = []
    waiting = 0
    for result in results:
        if result.winner is not None:
            cells.append(BigRoadCell(next(places), result.winner, waiting))
            waiting = 0
        elif cells:
            cells[-1] = replace(cells[-1], ties=cells[-1].ties + 1)
        else:
            waiting += 1
    return BigRoad(tuple(cells), waiting)


def streak_lengths(results: Iterable[RoundResult]) -> tuple[int, ...]:
    """How many rounds each streak lasted; a tie neither breaks nor lengthens one.

    >>> streak_lengths([RoundResult(winner) for winner in (1, 1, None, 1, 0, None)])
    (3, 1)
    """
    return _runs(result.winner for result in results if result.winner is not None)


def _runs(marks: Iterable[object]) -> tuple[int, ...]:
    return tuple(len(list(run)) for _, run in groupby(marks))


# ---------------------------------------------------------------- the derived roads


class Colour(Enum):
    """Whether the streaks are shaped alike; it stands for no hand, though boards paint the hands red and blue too."""

    RED = "regular"
    BLUE = "irregular"


class DerivedRoad(Enum):
    """The three roads drawn from the big road's shape; each looks further back than the one before."""

    BIG_EYE_BOY = 1
    SMALL_ROAD = 2
    COCKROACH_PIG = 3

    @property
    def back(self) -> int:
        """How many streaks to the left lies the one that it compares with."""
        return self.value

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").title()


class DerivedCell(NamedTuple):
    place: Cell
    colour: Colour


def derived_road(road: DerivedRoad, results: Sequence[RoundResult]) -> tuple[DerivedCell, ...]:
    """One derived road, drawn as the big road is: one colour down, a change of colour starts a column.

    >>> results = [RoundResult(winner) for winner in (1, 0, 0, 0, 1)]
    >>> [(tuple(cell.place), cell.colour.name) for cell in derived_road(DerivedRoad.BIG_EYE_BOY, results)]
    [((0, 0), 'BLUE'), ((1, 0), 'RED'), ((2, 0), 'BLUE')]
    """
    colours = list(_colours(streak_lengths(results), road.back))
    return tuple(map(DerivedCell, road_places(_runs(colours)), colours))


def _colours(lengths: Sequence[int], back: int) -> Iterator[Colour]:
    """Every won round adds a colour once there is a streak far enough back to compare with.

    Lengths are those that were played, never those that were drawn: a tail is as deep as it would be on a board
    without a bottom.
    """
    for streak, length in enumerate(lengths):
        if streak - 1 - back >= 0:  # a new streak: were the two that it leaves behind equally long?
            yield Colour.RED if lengths[streak - 1] == lengths[streak - 1 - back] else Colour.BLUE
        if streak - back >= 0:  # a longer one: only the step past the end of the other breaks the pattern
            past = lengths[streak - back] + 1
            yield from (Colour.BLUE if depth == past else Colour.RED for depth in range(2, length + 1))


# ---------------------------------------------------------------- the board


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The five roads of one shoe."""

    bead_plate: tuple[Bead, ...]
    big_road: BigRoad
    derived: Mapping[DerivedRoad, tuple[DerivedCell, ...]]


def scoreboard(results: Sequence[RoundResult]) -> Scoreboard:
    derived = {road: derived_road(road, results) for road in DerivedRoad}
    return Scoreboard(bead_plate(results), big_road(results), derived)


@dataclass(frozen=True, slots=True)
class Ask:
    """What every road would gain if one hand won the next round: an answer to "what if", not to "who"."""

    bead: Bead
    big_road: BigRoadCell
    derived: Mapping[DerivedRoad, DerivedCell | None]  # None while the road has nothing to compare


def ask(results: Sequence[RoundResult], hand: Hand) -> Ask:
    """Plays the round in thought. Where one hand would bring red to a derived road, the other would bring blue.

    >>> results = [RoundResult(winner) for winner in (1, 1, 0, 0)]
    >>> [ask(results, hand).derived[DerivedRoad.BIG_EYE_BOY].colour.name for hand in (FIRST, SECOND)]
    ['BLUE', 'RED']
    """
    after = scoreboard([*results, RoundResult(hand)])
    # A derived road that has begun gains a mark with every round that is won, so its last mark is the new one.
    gained = {road: cells[-1] if cells else None for road, cells in after.derived.items()}
    return Ask(after.bead_plate[-1], after.big_road.cells[-1], gained)
