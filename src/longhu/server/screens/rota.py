"""When the feeds of a node tell: together they take a share of the loop's time, and one waits for the other.

What is said to a full table takes a millisecond. Tables that tell at the same moment, as they would after each commit with
wagers of all of them, would keep everybody waiting who has asked something meanwhile.
"""

from __future__ import annotations

SHARE = 20  # times as long as it took to tell, it is done once
RESTS_MOST = 0.25  # seconds
APART = 3  # times as long as it took, before another feed tells


class Rota:
    """The feeds of one event loop; all times are its own."""

    def __init__(self) -> None:
        self.feeds = 0
        self._free = self._took = 0.0  # from when nobody tells, and how long it last took

    def turn(self, now: float, rested: float) -> float:
        """When a feed tells that has something to say, and rests until then: at once, or when it is its turn."""
        moment = max(now, rested, self._free)
        self._free = moment + APART * self._took
        return moment

    def told(self, now: float, took: float) -> float:
        """A feed has told for so long: until when it rests."""
        self._took, self._free = took, max(self._free, now + APART * took)
        return now + min(RESTS_MOST, took * (SHARE * self.feeds - 1))
