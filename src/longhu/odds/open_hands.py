"""Twenty-one by values: what a hand can have taken, and in how many orders, before its last card.

A set of values (with repetition) is one number, six bits for how often each value occurs, so that adding
two sets is adding two numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from longhu.cards import DECK
from longhu.deal.twenty_one import TwentyOne, TwentyOneHand

VALUES = range(1, 11)
BITS = 6
Values = tuple[int, ...]
Orders = dict[int, int]  # by set of values, in how many orders it can be taken


def one_more(value: int) -> int:
    """One card of this value, as a set."""
    return 1 << BITS * (value - 1)


@lru_cache(maxsize=1 << 17)
def parts(cards: int) -> tuple[tuple[int, int], ...]:
    """The values in a set, and how often each occurs.

    >>> parts(one_more(1) + one_more(1) + one_more(9))
    ((1, 2), (9, 1))
    """
    return tuple((v, some) for v in VALUES if (some := cards >> BITS * (v - 1) & 63))


def how_many(cards: int) -> int:
    return sum(some for _, some in parts(cards))


class OpenHand(NamedTuple):
    """A hand that draws again: the values it took, what they come to, and in how many orders."""

    cards: int
    summary: TwentyOneHand
    orders: int


class DrawMemo:
    """The procedure over values, with a memory for what it was asked before."""

    def __init__(self, procedure: TwentyOne) -> None:
        self.procedure = procedure
        self._becomes: dict[tuple[TwentyOneHand, int], TwentyOneHand] = {}
        self._lasts: dict[TwentyOneHand, Mapping[int, int]] = {}
        self._starts: dict[tuple[TwentyOneHand, Values], Start] = {}

    def take(self, hand: TwentyOneHand, value: int) -> TwentyOneHand:
        """What a hand becomes with a card of this value."""
        becomes = self._becomes.get((hand, value))
        if becomes is None:
            becomes = self._becomes[hand, value] = self.procedure.take(hand, DECK[value - 1])
        return becomes

    def draws_on(self, hand: TwentyOneHand) -> bool:
        return hand.cards < 2 or hand.total <= self.procedure.draws_to

    def lasts(self, hand: TwentyOneHand) -> Mapping[int, int]:
        """By value, the last cards with which an open hand stands, and its total then; never a Blackjack."""
        known = self._lasts.get(hand)
        if known is None:
            becomes = {value: self.take(hand, value) for value in VALUES}
            known = self._lasts[hand] = {
                value: after.total
                for value, after in becomes.items()
                if not self.draws_on(after) and not after.blackjack
            }
        return known

    def start(self, hand: TwentyOneHand, first: Values = ()) -> Start:
        known = self._starts.get((hand, first))
        if known is None:
            known = self._starts[hand, first] = Start(self, hand, first)
        return known


class Start:
    """What a hand holds, and the values that it is to take next."""

    def __init__(self, drawing: DrawMemo, hand: TwentyOneHand, first: Values) -> None:
        self.hand, self.first, self._drawing = hand, first, drawing
        self.taken = sum(map(one_more, first))
        self.after = hand
        for value in first:
            self.after = drawing.take(self.after, value)
        self.stands = not drawing.draws_on(self.after)
        self.open_hands = self._open_hands()
        self.by_summary: dict[TwentyOneHand, Orders] = {}
        for cards, summary, orders in self.open_hands:
            self.by_summary.setdefault(summary, {})[cards] = orders

    def _open_hands(self) -> list[OpenHand]:
        """All open hands that follow; a Blackjack is left out, for it stops the round."""
        level = {} if self.stands else {(self.taken, _open(self.after)): 1}
        found: list[OpenHand] = []
        while level:
            found += [OpenHand(cards, hand, orders) for (cards, hand), orders in level.items()]
            after: dict[tuple[int, TwentyOneHand], int] = defaultdict(int)
            for (cards, hand), orders in level.items():
                for value in VALUES:
                    becomes = self._drawing.take(hand, value)
                    if self._drawing.draws_on(becomes) and not becomes.blackjack:
                        after[cards + one_more(value), _open(becomes)] += orders
            level = after
        return found

    def initial_hands(self) -> list[tuple[int, TwentyOneHand]]:
        """What the first two cards can be, in every order."""
        found = [(self.taken, self.after)]
        while found[0][1].cards < 2:
            found = [(cards + one_more(v), self._drawing.take(hand, v)) for cards, hand in found for v in VALUES]
        return found


def _open(hand: TwentyOneHand) -> TwentyOneHand:
    """What still matters of an open hand: not how many cards from two on, nor an ace that must count one."""
    return hand if hand.cards < 2 else TwentyOneHand(3, hand.hard, hand.ace and hand.hard <= 11)
