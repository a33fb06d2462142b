"""Exact counts for baccarat, with any table of play and any shoe, in whole numbers.

The order in which unseen cards lie is exchangeable, so the third cards may be taken out of the shoe first;
what is left is to count two disjoint two-card hands by their totals, and that has a closed form. Let n be
how many cards of each value are left, and

    q[v][s] = n[s - v] - [2v = s]            cards that bring one card of value v to the total s
    P[s]    = sum of n[v] q[v][s]            two-card hands (in order) with the total s
    C[s][t] = sum of n[v] q[v][s] q[v][t]    two such hands with the same first card

with totals modulo ten. Of the P[s] P[t] pairs of hands those that share one card are taken away; each of
the four places where they can share it has C[s][t], and hands that share both cards (s = t, in two
orders) have been taken away twice:

    J[s][t] = P[s] P[t] - 4 C[s][t] + 2 [s = t] P[s]

Pairs are counted apart: see `marks`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from operator import mul

from longhu.cards import Card, Shoe
from longhu.deal.baccarat import Baccarat, TableOfPlay, point_value
from longhu.odds.falling import behind
from longhu.odds.marks import Group, Marks, kinds
from longhu.odds.ways import Known

VALUES = range(10)
Cell = tuple[int, int]  # the totals of both hands with two cards each
CELLS = [(one, other) for one in VALUES for other in VALUES]


def count(procedure: Baccarat, left: Shoe, known: Known) -> dict[int, int]:
    """The deals by ending."""
    held = kinds(left, suits=procedure.suits)
    dealt = len(known[0]) + len(known[1])
    marks = Marks(procedure, held, point_value, known)
    if dealt > procedure.initial_cards:
        return marks.endings({(None, None): _last_card(procedure, held, known)})
    values = value_counts(held)
    third_cards = _ThirdCards(procedure.play, left.size, dealt)
    tails: dict[tuple[Group, Group], dict[int, int]] = {}
    for first in marks.groups(0):
        for second in marks.groups(1):
            hands = [
                [point_value(each.rank) for each in cards] + marks.drawn(hand, group)
                for hand, (cards, group) in enumerate(zip(known, (first, second), strict=True))
            ]
            rest = list(values)
            for value in marks.drawn(0, first) + marks.drawn(1, second):
                rest[value] -= 1
            tails[first, second] = third_cards.draws(rest, hands[0], hands[1]) if min(rest) >= 0 else {}
    return marks.endings(tails)


def value_counts(held: dict[Card, int]) -> list[int]:
    """How many cards of each point value, 0 to 9."""
    values = [0] * 10
    for each, some in held.items():
        values[point_value(each.rank)] += some
    return values


def _last_card(procedure: Baccarat, held: dict[Card, int], known: Known) -> dict[int, int]:
    """The first hand has drawn; the second hand's third card is to come, and it ends the round."""
    hands = [procedure.empty, procedure.empty]
    for index, cards in enumerate(known):
        for each in cards:
            hands[index] = procedure.take(hands[index], each)
    draws: dict[int, int] = defaultdict(int)
    for each, some in held.items():
        draws[procedure.draw_number(hands[0], procedure.take(hands[1], each))] += some
    return draws


class _ThirdCards:
    """The table of play over a shoe of values: third cards are taken out first, then the two-card hands counted."""

    def __init__(self, play: TableOfPlay, size: int, dealt: int) -> None:
        counted = min(size, 6 - dealt)
        self.behind = {cards: behind(size, cards - dealt, counted) for cards in (4, 5, 6)}
        drawing = {cell for cell in CELLS if play.first_draws(*cell)}
        self.second = {cell for cell in CELLS if cell not in drawing and play.second_draws(*cell, None)}
        self.nobody = {cell for cell in CELLS if cell not in drawing and cell not in self.second}
        self.both = [{cell for cell in drawing if play.second_draws(*cell, third)} for third in VALUES]
        self.first = [drawing - both for both in self.both]

    def draws(self, left: list[int], first: list[int], second: list[int]) -> dict[int, int]:
        """The deals by draw number, when these values are in the hands' first two places already."""
        found: dict[int, int] = defaultdict(int)
        for hands, ways in _starts(left, first, second):
            self._play(left, hands, ways, found)
        return found

    def _play(self, left: list[int], hands: _Hands, ways: int, found: dict[int, int]) -> None:
        cells = hands.cells
        if nobody := [cell for cell in cells if cell in self.nobody]:
            weight, some = ways * self.behind[4], hands.ways(left)
            for one, other in nobody:
                found[_number(one, other, 0, 0)] += weight * some(one, other)
        if len(nobody) == len(cells):
            return
        second = [cell for cell in cells if cell in self.second]
        both = [[cell for cell in cells if cell in those] for those in self.both]
        for third, drawn in _drawn(left):
            weight, some = ways * drawn * self.behind[5], hands.ways(left)
            for one, other in second:
                found[_number(one, other + third, 0, 1)] += weight * some(one, other)
            for one, other in cells:
                if (one, other) in self.first[third]:
                    found[_number(one + third, other, 1, 0)] += weight * some(one, other)
            for last, drawn_last in _drawn(left, third):  # two third cards, in both orders at once
                if both[third] or both[last]:
                    weight, some = ways * drawn * drawn_last * self.behind[6], hands.ways(left)
                    for x, y in {(third, last), (last, third)}:
                        for one, other in both[x]:
                            found[_number(one + x, other + y, 1, 1)] += weight * some(one, other)


def _number(first: int, second: int, first_drew: int, second_drew: int) -> int:
    """As the procedure numbers a draw, from values."""
    return ((first % 10 * 10 + second % 10) * 2 + first_drew) * 2 + second_drew


def _starts(left: list[int], first: list[int], second: list[int]) -> Iterator[tuple[_Hands, int]]:
    """Fill a hand that has one of its two cards; the card is out of `left` while its turn lasts."""
    if len(first) == 1:
        for value, ways in _drawn(left):
            for hands, more in _starts(left, [*first, value], second):
                yield hands, ways * more
    elif len(second) == 1:
        for value, ways in _drawn(left):
            for hands, more in _starts(left, first, [*second, value]):
                yield hands, ways * more
    else:
        yield _Hands(sum(first) % 10 if first else None, sum(second) % 10 if second else None), 1


def _drawn(left: list[int], lowest: int = 0) -> Iterator[tuple[int, int]]:
    """Every value from `lowest` up that can be drawn, with its ways; the card is out while its turn lasts."""
    for value in range(lowest, 10):
        ways = left[value]
        if ways > 0:
            left[value] -= 1
            yield value, ways
            left[value] += 1


class _Hands:
    """Both hands with two cards each: a total where it is known, None where both cards are to come."""

    def __init__(self, first: int | None, second: int | None) -> None:
        self.first, self.second = first, second
        firsts, seconds = VALUES if first is None else [first], VALUES if second is None else [second]
        self.cells = [(one, other) for one in firsts for other in seconds]

    def ways(self, left: list[int]) -> Callable[[int, int], int]:
        """In how many ways the cards to come can make two totals, from what is left."""
        if self.first is not None and self.second is not None:
            return lambda _one, _other: 1
        reach = [[left[total - value] - (2 * value % 10 == total) for value in VALUES] for total in VALUES]
        single: list[int] = [sum(map(mul, left, row)) for row in reach]
        if self.first is not None:
            return lambda _one, other: single[other]
        if self.second is not None:
            return lambda one, _other: single[one]
        shared = [list(map(mul, left, row)) for row in reach]

        def disjoint(one: int, other: int) -> int:
            same: int = sum(map(mul, shared[one], reach[other]))
            return single[one] * single[other] - 4 * same + (2 * single[one] if one == other else 0)

        return disjoint
