"""What sessions come to, added up exactly: how often each amount came out, never the sessions one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from longhu.sessions.stakes import Bet

Whole = NDArray[np.int64]


class Distribution:
    """How often each whole number came up, in order."""

    def __init__(self, found: Whole | None = None) -> None:
        empty = np.empty(0, np.int64)
        self.values, self.counts = np.unique(empty if found is None else found, return_counts=True)

    def merge(self, other: Distribution) -> None:
        both = np.concatenate([self.values, other.values])
        self.values, places = np.unique(both, return_inverse=True)
        counts = np.zeros(len(self.values), np.int64)
        np.add.at(counts, places, np.concatenate([self.counts, other.counts]))
        self.counts = counts

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.values.tolist(), self.counts.tolist(), strict=True)

    @property
    def number(self) -> int:
        return int(self.counts.sum())

    @property
    def total(self) -> int:
        return sum(value * count for value, count in self)

    @property
    def mean(self) -> float:
        return float(Fraction(self.total, self.number))

    @property
    def variance(self) -> float:
        squares = sum(value * value * count for value, count in self)
        return float(Fraction(squares, self.number) - Fraction(self.total, self.number) ** 2)

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return sqrt(self.variance / self.number)

    def percentile(self, percent: float) -> int:
        """The least that so many in a hundred do not exceed; 0 is the least of all, 100 the most."""
        needed = ceil(Fraction(str(percent)) * self.number / 100)
        place = int(np.searchsorted(np.cumsum(self.counts), needed))
        return int(self.values[min(place, len(self.values) - 1)])

    def share(self, low: int | None = None, high: int | None = None) -> float:
        """Of those from `low` up to `high`, both included."""
        first = 0 if low is None else int(np.searchsorted(self.values, low))
        last = len(self.values) if high is None else int(np.searchsorted(self.values, high, side="right"))
        return int(self.counts[first:last].sum()) / self.number


@dataclass
class Tally:
    """Some sessions, or all of them."""

    results: Distribution = field(default_factory=Distribution)  # won or lost, in minor units
    rounds: Distribution = field(default_factory=Distribution)
    drawdowns: Distribution = field(default_factory=Distribution)  # the deepest fall below the highest point before
    ended: Counter[int] = field(default_factory=Counter)
    placed: Counter[Bet] = field(default_factory=Counter)  # rounds with each bet

    def merge(self, other: Tally) -> None:
        self.results.merge(other.results)
        self.rounds.merge(other.rounds)
        self.drawdowns.merge(other.drawdowns)
        self.ended += other.ended
        self.placed += other.placed
