"""A wager's expectation against depth: how it spreads as the shoe is dealt out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longhu.counting.expectation import Doubles
from longhu.counting.left import Left, added_up

STEPS = 20  # of a twentieth of the shoe each
FINE = 2048  # steps of the expectation, from which percentiles are read
PERCENTILE = 0.95


@dataclass(frozen=True)
class Depth:
    """The rounds that begin within one step of the shoe."""

    dealt: float  # share of the shoe, in the middle of the step
    rounds: int
    positive: float  # share of these rounds with a positive expectation
    mean: float
    high: float  # 95 rounds of 100 are worth less
    best: float  # the best round that was met
    gain: float  # what perfect play earns in such a round


@dataclass(frozen=True)
class Range:
    """Of the expectations that were met."""

    low: float
    high: float

    def with_other(self, other: Range) -> Range:
        return Range(min(self.low, other.low), max(self.high, other.high))

    def with_room(self) -> Range:
        """Half as much again on both sides, for those that are still to come."""
        room = max((self.high - self.low) / 2, 1e-6)
        return Range(self.low - room, self.high + room)

    def steps(self, ev: Doubles) -> NDArray[np.int64]:
        """The fine step of each; what lies outside counts for the first or the last."""
        return np.clip((ev - self.low) / (self.high - self.low) * FINE, 0, FINE - 1).astype(np.int64)

    def value(self, step: float) -> float:
        return self.low + (self.high - self.low) * step / FINE


Seen = tuple[NDArray[np.int64], NDArray[np.int64], Doubles, Doubles]  # histogram, positive rounds, sums, the best


class Depths:
    """Adds up rounds by how much of the shoe is dealt before them."""

    def __init__(self, cards: int, range: Range) -> None:
        self._cards, self._range = cards, range
        self._histogram = np.zeros((STEPS, FINE), np.int64)
        self._positive = np.zeros(STEPS, np.int64)
        self._sums = np.zeros((2, STEPS))
        self._best = np.full(STEPS, -np.inf)

    def look(self, left: Left, ev: Doubles) -> Seen:
        """What a block of shoes adds."""
        step = ((self._cards - left.size) * STEPS // self._cards).astype(np.int64)
        fine = np.bincount(step * FINE + self._range.steps(ev), minlength=STEPS * FINE)
        histogram = fine.reshape(STEPS, FINE).astype(np.int64)
        positive = np.bincount(step[ev > 0], minlength=STEPS).astype(np.int64)
        sums = np.stack([added_up(step, ev, STEPS), added_up(step, np.maximum(ev, 0.0), STEPS)])
        best = np.full(STEPS, -np.inf)
        np.maximum.at(best, step, ev)
        return histogram, positive, sums, best

    def take_in(self, seen: Seen) -> None:
        self._histogram += seen[0]
        self._positive += seen[1]
        self._sums += seen[2]
        np.maximum(self._best, seen[3], out=self._best)

    def steps(self) -> tuple[Depth, ...]:
        """Those in which a round was met."""
        rounds = self._histogram.sum(axis=1)
        return tuple(
            Depth(
                dealt=(step + 0.5) / STEPS,
                rounds=int(rounds[step]),
                positive=float(self._positive[step] / rounds[step]),
                mean=float(self._sums[0, step] / rounds[step]),
                high=min(self._high(step), float(self._best[step])),
                best=float(self._best[step]),
                gain=float(self._sums[1, step] / rounds[step]),
            )
            for step in range(STEPS)
            if rounds[step]
        )

    def _high(self, step: int) -> float:
        below = np.cumsum(self._histogram[step])
        return self._range.value(int(np.searchsorted(below, PERCENTILE * below[-1])) + 0.5)
