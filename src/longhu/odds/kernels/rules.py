"""What a kernel needs to know of a game: the rules of its procedure as arrays of numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longhu.cards import DECK, Shoe
from longhu.deal.baccarat import Baccarat, point_value
from longhu.deal.procedure import Procedure
from longhu.odds.baccarat import CELLS

Array = NDArray[Any]


@dataclass(frozen=True)
class MarkedPairs:
    """Which kinds of cards mark a hand, by value: rows of mark, kind, kind; `starts[v]` is where those of v begin."""

    kinds: int  # 52 cards, or 13 ranks where suits do not matter
    values: Array  # the point value of each kind
    starts: Array
    pairs: Array

    @classmethod
    def of(cls, procedure: Procedure[Any], suits: bool, value: Callable[[int], int], values: int) -> MarkedPairs:
        kinds = 52 if suits else 13
        by_value: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        for one in range(kinds):
            for other in range(kinds):
                mark = procedure.mark([DECK[one], DECK[other]])
                if mark:
                    by_value[value(DECK[one].rank)].append((mark, one, other))
        starts, rows = [0], list[tuple[int, int, int]]()
        for each in range(values):
            rows += by_value[each]
            starts.append(len(rows))
        pairs = np.array(rows, np.int64).reshape(-1, 3)
        ranks = [value(DECK[kind].rank) for kind in range(kinds)]
        return cls(kinds, np.array(ranks, np.int64), np.array(starts, np.int64), pairs)

    def counts(self, shoes: Sequence[Shoe]) -> Array:
        """The shoes as counts by kind, a row each."""
        return np.array([shoe.counts if self.kinds == 52 else shoe.by_rank() for shoe in shoes], np.float64)


NOBODY, SECOND, FIRST = 0, 1, 2


@dataclass(frozen=True)
class BaccaratRules:
    """Whose turn it is on each two totals, and against which third cards the second hand draws."""

    turn: Array
    draws: Array
    marks: int
    marked: MarkedPairs

    @classmethod
    def of(cls, procedure: Baccarat) -> BaccaratRules:
        play = procedure.play
        turn = [
            FIRST if play.first_draws(*cell) else SECOND if play.second_draws(*cell, None) else NOBODY for cell in CELLS
        ]
        draws = [
            turn[place] == FIRST and play.second_draws(*cell, third)
            for place, cell in enumerate(CELLS)
            for third in range(10)
        ]
        marked = MarkedPairs.of(procedure, procedure.suits, point_value, 10)
        return cls(np.array(turn, np.uint8), np.array(draws, np.uint8), procedure.marks, marked)
