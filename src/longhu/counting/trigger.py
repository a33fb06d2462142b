"""From which true count on a counter bets: found on shoes of its own, by what the rounds at each true count are worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longhu.cards import CARDS_PER_DECK
from longhu.counting.expectation import Doubles
from longhu.counting.left import Left, added_up
from longhu.counting.tags import Count

PER_POINT = 2  # a trigger is a half or a whole number


@dataclass(frozen=True)
class Trigger:
    """Bet a unit where the true count is at least this."""

    true_count: float
    slope: float  # by how much the expectation rises with a point of the true count, on the whole
    breaks_even: float  # the true count at which the straight line through all rounds has nothing


class Trial:
    """Rounds by true count, in steps of half a point: how many, and what they are expected to net."""

    def __init__(self, count: Count) -> None:
        self.count = count
        self._lowest = -CARDS_PER_DECK * count.level * PER_POINT
        self._worth = np.zeros(-2 * self._lowest + 1)
        self._moments = np.zeros(5)  # rounds, and the sums of x, y, x x, x y: true count and expectation

    def look(self, left: Left, ev: Doubles) -> tuple[Doubles, Doubles]:
        """What a block of shoes adds; to be taken in block by block, in their order."""
        true = self.count.true_counts(left)
        worth = added_up(steps(true) - self._lowest, ev, len(self._worth))
        return worth, np.array([len(ev), true.sum(), ev.sum(), (true * true).sum(), (true * ev).sum()])

    def take_in(self, seen: tuple[Doubles, Doubles]) -> None:
        self._worth += seen[0]
        self._moments += seen[1]

    def trigger(self) -> Trigger | None:
        """Where betting from there on earns most; None where it never earns anything."""
        from_here_on = np.cumsum(self._worth[::-1])[::-1]
        best = int(np.argmax(from_here_on))
        if from_here_on[best] <= 0:
            return None
        rounds, x, y, xx, xy = self._moments
        slope = (xy - x * y / rounds) / (xx - x * x / rounds)
        return Trigger((best + self._lowest) / PER_POINT, float(slope), float((x - y / slope) / rounds))


def steps(true_counts: Doubles) -> NDArray[np.int64]:
    """The step of each true count: half a point is one, and a step begins with its own value."""
    return np.floor(true_counts * PER_POINT).astype(np.int64)


def bets(trigger: Trigger, true_counts: Doubles) -> NDArray[np.bool_]:
    """In which rounds a unit is bet."""
    found: NDArray[np.bool_] = true_counts >= trigger.true_count
    return found
