"""What a wager of twenty-one is expected to net in very many shoes: a polynomial in the counts of the values.

`longhu.odds.twenty_one` counts every deal of one shoe by its ending, in whole numbers. Card counting asks for one number,
to the last digits of a double, for millions of shoes. So both hands are finished beforehand, for any shoe: which values
they hold together, in how many orders, and what the wager nets then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longhu.compiled_kernels import announce_compiling
from longhu.deal.twenty_one import TwentyOne
from longhu.games.game import Game, Wager
from longhu.odds.kernels import two_hands
from longhu.odds.open_hands import BITS, VALUES, DrawMemo
from longhu.odds.sweep import in_lanes
from longhu.odds.twenty_one import BLACKJACK, by_number

Array = NDArray[Any]
HALF = len(VALUES) // 2  # values in the low half, and in the high one


class TwentyOneSweep:
    """One wager that does not look at pairs: some ten microseconds a shoe."""

    def __init__(self, game: Game, wager: Wager) -> None:
        procedure = game.procedure
        if not isinstance(procedure, TwentyOne) or game.looks_at_marks(wager):
            raise ValueError(f"{wager.id} of {game.id} is no polynomial in the values: use sweep.expectations()")

        nets = {number // procedure.marks**2: wager.line(number).net for number in game.outcomes.endings}

        def net(one: int, other: int) -> float:
            (draw,) = by_number(procedure, {(one, other): 1})
            return float(nets[draw])

        announce_compiling(two_hands.reached, two_hands.meet, two_hands.evaluate)
        self._sets = finished_hands(procedure)
        coefficients = self._sets.coefficients(net)
        low, high = np.nonzero(coefficients)
        cards = self._sets.low_sizes[low] + self._sets.high_sizes[high]
        order = np.lexsort((high, cards, low))
        low, high, cards = low[order], high[order], cards[order]
        rows, starts = np.unique(np.stack([low, cards], axis=1), axis=0, return_index=True)
        self._rows, self._starts = rows.astype(np.int64), np.append(starts, len(low)).astype(np.int64)
        self._columns, self.terms = high.astype(np.int32), coefficients[low, high]

    def expectations(self, values: Array) -> NDArray[np.float64]:
        """Shoes given as counts of the values 1 to 10, a row each, with as many cards as a round can take."""
        blocks = in_lanes(np.asarray(values, np.float64), 8)
        out = np.empty(4 * len(blocks))
        sets = self._sets
        two_hands.evaluate(
            blocks, sets.low_made, sets.high_made, self._rows, self._starts, self._columns, self.terms, out
        )
        return out[: len(values)]


class FinishedHands:
    """Every set of values that a hand can finish with, in two halves; what two hands hold together is numbered by key."""

    def __init__(self, procedure: TwentyOne) -> None:
        drawing = DrawMemo(procedure)
        start = drawing.start(procedure.empty)
        orders: dict[tuple[int, int], int] = defaultdict(int)
        for cards, summary, ways in start.open_hands:
            for value, total in drawing.lasts(summary).items():
                orders[cards + (1 << BITS * (value - 1)), total] += ways
        initial = [(held, BLACKJACK if hand.blackjack else hand.total) for held, hand in start.initial_hands()]
        self._stopped = [(one, other) for one in initial for other in initial if BLACKJACK in (one[1], other[1])]
        held = np.array([[cards >> BITS * place & 63 for place in range(len(VALUES))] for cards, _ in orders], np.int64)
        most = 2 * held.max(axis=0)  # of each value, in two hands
        self._low_radix, self._high_radix = _radix(most[:HALF]), _radix(most[HALF:])
        self._low, self._high = held[:, :HALF] @ self._low_radix, held[:, HALF:] @ self._high_radix
        self._orders = np.array(list(orders.values()), np.float64)
        self._totals = np.array([total for _, total in orders], np.int64)
        rows, columns = (
            np.zeros(int(np.prod(most[:HALF] + 1)), np.int32),
            np.zeros(int(np.prod(most[HALF:] + 1)), np.int32),
        )
        two_hands.reached(self._low, self._high, rows, columns)
        for one, other in self._stopped:
            low, high = self._keys(one[0] + other[0])
            rows[low] = columns[high] = 1
        self.low_sizes, self.low_made, self._rows = _numbered(rows, most[:HALF])
        self.high_sizes, self.high_made, self._columns = _numbered(columns, most[HALF:])

    def _keys(self, cards: int) -> tuple[int, int]:
        held = np.array([cards >> BITS * place & 63 for place in range(len(VALUES))])
        return int(held[:HALF] @ self._low_radix), int(held[HALF:] @ self._high_radix)

    def coefficients(self, net: Callable[[int, int], float]) -> NDArray[np.float64]:
        """K, a row for each low set and a column for each high one."""
        totals = sorted(set(self._totals.tolist()))
        nets = np.zeros((totals[-1] + 1, totals[-1] + 1))
        for one, other in product(totals, repeat=2):
            nets[one, other] = net(one, other)
        found = np.zeros((len(self.low_sizes), len(self.high_sizes)))
        hands = (self._low, self._high, self._orders, self._totals)
        two_hands.meet(*hands, nets, self._rows, self._columns, found)
        for (one_cards, one), (other_cards, other) in self._stopped:
            low, high = self._keys(one_cards + other_cards)
            found[self._rows[low], self._columns[high]] += net(one, other)
        return found


@lru_cache(maxsize=4)
def finished_hands(procedure: TwentyOne) -> FinishedHands:
    return FinishedHands(procedure)


def _radix(most: Array) -> Array:
    """What one card of each value adds to a set's key."""
    return np.append(1, np.cumprod(most + 1)[:-1])


def _numbered(reached: Array, most: Array) -> tuple[Array, Array, Array]:
    """The sets of a half that are needed: how many cards each has, how each is made from a smaller one, numbers by key.

    A set is made from the one that has a card of its last value fewer, which is numbered too, and before it.
    """
    radix, needed = _radix(most), reached > 0
    keys = np.arange(len(reached))
    held = keys[:, None] // radix % (most + 1)
    last = len(most) - 1 - np.argmax(held[:, ::-1] > 0, axis=1)
    smaller = keys - radix[last]
    smaller[0] = 0
    more = needed
    while more.any():  # what those are made from, and what these are made from
        fewer = np.zeros_like(needed)
        fewer[smaller[more]] = True
        more = fewer & ~needed
        needed |= more
    numbers = np.cumsum(needed) - 1
    chosen = keys[needed]
    made = np.stack([numbers[smaller[chosen]], last[chosen], held[chosen, last[chosen]]], axis=1).astype(np.int64)
    return held[chosen].sum(axis=1), made, numbers
