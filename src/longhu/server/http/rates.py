"""How much one address may ask: a bucket that fills steadily, and is emptied by what is asked."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

REMEMBERED = 10_000  # addresses; those not heard of for longest are forgotten, which is in their favour


class Rate:
    """So much in so many seconds, from each address; twice as much where nothing was asked before."""

    def __init__(self, amount: float, seconds: float = 1.0, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._refill, self._clock = 2 * amount, amount / seconds, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is left, and when that was

    def wait(self, address: str) -> float:
        """Take one; 0 where it may be asked now, else in how many seconds."""
        now = self._clock()
        left, since = self._buckets.pop(address, (self._most, now))
        left = min(self._most, left + (now - since) * self._refill)
        allowed = left >= 1
        self._buckets[address] = (left - 1 if allowed else left, now)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._refill


class Bucket:
    """The same for one who asks."""

    __slots__ = ("_clock", "_left", "_most", "_refill", "_since")

    def __init__(self, amount: float, seconds: float = 1.0, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._refill, self._clock = 2 * amount, amount / seconds, clock
        self._left, self._since = self._most, clock()

    def wait(self) -> float:
        """Take one; 0 where it may be asked now, else in how many seconds, and nothing is taken."""
        now = self._clock()
        left = self._left + (now - self._since) * self._refill
        left = left if left < self._most else self._most
        self._since = now
        if left >= 1:
            self._left = left - 1
            return 0.0
        self._left = left
        return (1 - left) / self._refill
