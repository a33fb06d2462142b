"""One clock for everything that this node writes down (LOG-8).

It tells the time of the machine as long as that goes on evenly. A step is noticed by holding it against the steady clock of the
machine, and told to whoever records it. Forward, the clock goes along; back, it goes on from where it was, a little slower,
until it has been caught up: no record is before the last, and no countdown stands still.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

STEP = 1000  # milliseconds off that are a step, and no mere drift
SLOWER = 10  # a clock that is ahead gains back one part in so many


def _wall() -> int:
    return time.time_ns() // 1_000_000


def _steady() -> int:
    return time.monotonic_ns() // 1_000_000


class Step(NamedTuple):
    """The clock of the machine was moved."""

    before: int  # what it should have said, milliseconds UTC
    after: int  # what it said


class Clock:
    """Milliseconds, UTC, never less than before."""

    def __init__(self, wall: Callable[[], int] = _wall, steady: Callable[[], int] = _steady) -> None:
        self._wall, self._steady = wall, steady
        self._steady_at = steady()
        self._at = wall()
        self._apart = self._at - self._steady_at  # how far the two clocks of the machine are apart
        self._steps: list[Step] = []

    def now(self) -> int:
        wall, steady = self._wall(), self._steady()
        elapsed = steady - self._steady_at
        expected = steady + self._apart
        if abs(wall - expected) > STEP:
            self._steps.append(Step(expected, wall))
        ahead = self._at + elapsed - wall
        self._at = wall if ahead <= 0 else self._at + elapsed - min(ahead, elapsed // SLOWER)
        self._steady_at, self._apart = steady, wall - steady
        return self._at

    def seen(self, at: int) -> None:
        """Something is on record with this time: from here on it is not earlier."""
        if at > self.now():
            self._at = at

    def steps(self) -> list[Step]:
        """Those since the last time that somebody asked."""
        self.now()
        steps, self._steps = self._steps, []
        return steps
