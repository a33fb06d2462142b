"""Is a source of chance alive? Tests that look at every byte as it goes by, after NIST SP 800-90B, section 4.4.

They find a source that has broken down (stuck, or with a favourite), not one that is a little biased: for that there is
the battery. A sound source fails one of them once in 2 to the 40 bytes or so.
"""

from __future__ import annotations

from math import ceil, comb

ALARM = 40  # a sound source raises a false alarm with a chance of 2 to the minus this, for each test of a byte
BITS = 8  # of chance in every byte of a sound source
WINDOW = 512  # bytes in which no value may be too frequent
RUN = 1 + ceil(ALARM / BITS)  # the same byte so many times in a row is an alarm


def _frequent() -> int:
    """How often one value must be found in a window to be an alarm: the tail of the binomial distribution."""
    total, tail, count = (1 << BITS) ** WINDOW, 0, WINDOW + 1
    while count and (tail + _ways(count - 1)) << ALARM <= total:
        count -= 1
        tail += _ways(count)
    return count


def _ways(count: int) -> int:
    others: int = ((1 << BITS) - 1) ** (WINDOW - count)
    return comb(WINDOW, count) * others


FREQUENT = _frequent()


class Health:
    """What has gone by, as far as the tests must remember it."""

    def __init__(self) -> None:
        self._last, self._run = -1, 0
        self._value, self._seen, self._count = -1, 0, 0
        self._block = b""

    def problem(self, chance: bytes) -> str:
        """What is wrong with the source that gave these bytes, "" for nothing."""
        if chance and chance == self._block:
            return f"the same {len(chance)} bytes came twice in a row"
        self._block = chance
        for byte in chance:
            self._run = self._run + 1 if byte == self._last else 1
            self._last = byte
            if self._run >= RUN:
                return f"byte {byte} came {self._run} times in a row"
            if self._seen == 0:
                self._value, self._count = byte, 0
            self._count += byte == self._value
            self._seen = (self._seen + 1) % WINDOW
            if self._count >= FREQUENT:
                return f"byte {self._value} came {self._count} times within {WINDOW} bytes"
        return ""
