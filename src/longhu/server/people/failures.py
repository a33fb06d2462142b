"""Wrong sign-ins in numbers: when there are so many that somebody should look, and how many of them are written down."""

from __future__ import annotations

from collections import OrderedDict, deque

from longhu.accounts.policy import Policy
from longhu.accounts.times import MINUTE

RECORDS = 30  # in a minute, of one account or of all strangers together; further ones are counted into the next
KEYS_MAX = 10_000


class Failures:
    """What this node has seen of wrong sign-ins lately."""

    def __init__(self, policy: Policy) -> None:
        self._burst, self._window = policy.burst, policy.burst_minutes * MINUTE
        self._lately: deque[int] = deque()
        self._tallies: OrderedDict[str, _Tally] = OrderedDict()

    def is_burst(self, at: int) -> bool:
        """Count one more: is it the one that makes a burst of them (LOG-3)? Then the count starts anew."""
        self._lately.append(at)
        while self._lately[0] <= at - self._window:
            self._lately.popleft()
        if len(self._lately) < self._burst:
            return False
        self._lately.clear()
        return True

    def to_record(self, key: str, at: int, *, counts: bool = False) -> int:
        """How many to write down now: this one and those held back before it; 0 to hold this one back.

        An attack must not fill the disk: beyond so many records in a minute, failures are told by their number. One that
        counts towards a lock is always written down.
        """
        tally = self._tallies.setdefault(key, _Tally())
        self._tallies.move_to_end(key)
        if len(self._tallies) > KEYS_MAX:
            self._tallies.popitem(last=False)
        return tally.take(at, counts)


class _Tally:
    def __init__(self) -> None:
        self._since, self._recorded, self._held_back = 0, 0, 0

    def take(self, at: int, counts: bool) -> int:
        if at >= self._since + MINUTE:
            self._since, self._recorded = at, 0
        if self._recorded >= RECORDS and not counts:
            self._held_back += 1
            return 0
        self._recorded += 1
        times, self._held_back = 1 + self._held_back, 0
        return times
