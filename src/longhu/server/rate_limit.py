"""Rate limits: a token bucket for one client, and one for each address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from time import monotonic

REMEMBERED = 10_000  # addresses; those not heard of for longest are forgotten, which is in their favour


class Bucket:
    """A token bucket: so many requests in so many seconds, and twice as many at first."""

    __slots__ = ("_clock", "_left", "_most", "_refill", "_since")

    def __init__(self, amount: float, seconds: float = 1.0, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._refill, self._clock = 2 * amount, amount / seconds, clock
        self._left, self._since = self._most, clock()

    def wait(self) -> float:
        """Take one token and return 0; where there is none, the seconds until there is."""
        now = self._clock()
        left = self._left + (now - self._since) * self._refill
        left = left if left < self._most else self._most
        self._since = now
        if left >= 1:
            self._left = left - 1
            return 0.0
        self._left = left
        return (1 - left) / self._refill


class Rate:
    """A bucket for each address."""

    def __init__(self, amount: float, seconds: float = 1.0, clock: Callable[[], float] = monotonic) -> None:
        self._bucket = partial(Bucket, amount, seconds, clock)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def wait(self, address: str) -> float:
        """Take one token of this address and return 0; where there is none, the seconds until there is."""
        bucket = self._buckets[address] = self._buckets.get(address) or self._bucket()
        self._buckets.move_to_end(address)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket.wait()
