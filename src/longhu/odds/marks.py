"""What marks a hand, counted apart from the draw.

A draw is steered by point values alone; which pair the first two cards make depends on ranks and suits.
So deals are counted by values, and the marks come in as exact factors: only two cards of one value can be
a pair, hence it is enough to know, beside all deals, those in which a hand's first cards are both of one
value. Such a value is called the hand's group; the group None stands for any first cards whatever.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from longhu.cards import DECK, Card, Shoe
from longhu.deal.procedure import Procedure, ending_number

Group = int | None
Tails = Mapping[tuple[Group, Group], Mapping[int, int]]  # by groups, the draw numbers of the deals that follow
MarkPair = tuple[int, int]


def kinds(shoe: Shoe, *, suits: bool) -> dict[Card, int]:
    """How many cards of each kind the shoe holds; where suits do not matter, a spade stands for its rank."""
    if suits:
        return {each: count for each, count in zip(DECK, shoe.counts, strict=True) if count}
    return {each: count for each, count in zip(DECK, shoe.by_rank(), strict=False) if count}


class Marks:
    """In how many ways the missing first cards of both hands can be drawn so that they are marked."""

    def __init__(
        self, procedure: Procedure[Any], held: Mapping[Card, int], value: Callable[[int], int], known: Sequence[Any]
    ) -> None:
        self.procedure = procedure
        self.held = held
        self.missing = tuple(max(0, procedure.marked_cards - len(cards)) for cards in known)
        self.base = tuple(
            0 if missing else procedure.mark(cards) for missing, cards in zip(self.missing, known, strict=True)
        )
        self._marked = tuple(self._completions(hand, known[hand], value) for hand in (0, 1))

    def _completions(
        self, hand: int, known: Sequence[Card], value: Callable[[int], int]
    ) -> dict[int, list[tuple[int, tuple[Card, ...]]]]:
        """By group, the cards that would mark the hand, with the mark."""
        missing = self.missing[hand]
        if not missing:
            return {}
        by_value: dict[int, list[Card]] = defaultdict(list)
        for each in self.held:
            by_value[value(each.rank)].append(each)
        groups = [value(known[0].rank)] if known else sorted(by_value)
        completions: dict[int, list[tuple[int, tuple[Card, ...]]]] = {}
        for group in groups:
            drawn = product(by_value[group], repeat=missing)
            marked = [(self.procedure.mark([*known, *cards]), cards) for cards in drawn]
            completions[group] = [(mark, cards) for mark, cards in marked if mark]
        return completions

    def groups(self, hand: int) -> list[Group]:
        """What has to be told apart of this hand's first cards: anything, and each value that can mark it."""
        return [None, *(group for group, marked in self._marked[hand].items() if marked)]

    def drawn(self, hand: int, group: Group) -> list[int]:
        """The values of the cards that a group takes from the shoe."""
        return [] if group is None else [group] * self.missing[hand]

    def ways(self, first: Group, second: Group) -> Mapping[MarkPair, int]:
        """By mark, the ordered draws of both groups' cards; the group None draws nothing and leaves its mark open."""
        held = dict(self.held)
        if first is None or second is None or first != second:
            one, other = self._ways(0, first, held), self._ways(1, second, held)
            return {(mark, mark2): ways * ways2 for mark, ways in one.items() for mark2, ways2 in other.items()}
        found: dict[MarkPair, int] = defaultdict(int)
        for mark, cards in self._marked[0][first]:
            ways = _take(held, cards)
            if ways:
                for mark2, ways2 in self._ways(1, second, held).items():
                    found[mark, mark2] += ways * ways2
            _put_back(held, cards)
        return found

    def _ways(self, hand: int, group: Group, held: dict[Card, int]) -> Mapping[int, int]:
        if group is None:
            return {self.base[hand]: 1}
        found: dict[int, int] = defaultdict(int)
        for mark, cards in self._marked[hand][group]:
            found[mark] += _ways_to_take(held, cards)
        return found

    def endings(self, tails: Tails) -> dict[int, int]:
        """The deals by ending: those of each group that are marked, and the rest without a mark.

        `tails` gives, for each choice of the groups' cards, the deals of everything else by draw number.
        """
        looked: dict[tuple[bool, bool, int, int], dict[int, int]] = {}
        for (first, second), draws in tails.items():
            for (mark, mark2), ways in self.ways(first, second).items():
                kept = looked.setdefault((first is not None, second is not None, mark, mark2), defaultdict(int))
                for draw, tail in draws.items():
                    kept[draw] += ways * tail
        found: dict[int, int] = defaultdict(int)
        step = self.procedure.marks**2
        for (grouped, grouped2, mark, mark2), draws in looked.items():
            # Deals counted as marked are taken out of those that were counted without looking.
            firsts = [(1, mark), (-1, self.base[0])] if grouped else [(1, mark)]
            seconds = [(1, mark2), (-1, self.base[1])] if grouped2 else [(1, mark2)]
            for (sign, one), (sign2, other) in product(firsts, seconds):
                base = ending_number(self.procedure, 0, one, other)
                for draw, ways in draws.items():
                    found[draw * step + base] += sign * sign2 * ways
        return found


def _ways_to_take(held: dict[Card, int], cards: tuple[Card, ...]) -> int:
    if len(cards) == 1:
        return held[cards[0]]
    first, second = cards
    return held[first] * (held[second] - (first == second))


def _take(held: dict[Card, int], cards: tuple[Card, ...]) -> int:
    ways = 1
    for each in cards:
        ways *= held[each]
        held[each] -= 1
    return ways


def _put_back(held: dict[Card, int], cards: tuple[Card, ...]) -> None:
    for each in cards:
        held[each] += 1
