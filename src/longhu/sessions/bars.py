"""Results in steps of a round amount, as bars stand beside each other."""

from __future__ import annotations

from dataclasses import dataclass

from longhu.sessions.tally import Distribution

MOST = 24  # bars
EDGE = 0.1  # per cent of the sessions on either side that the outermost bars take in


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """Sessions whose result is in a step."""

    start: int
    end: int  # not included
    sessions: int


@dataclass(frozen=True, slots=True)
class Bars:
    bars: tuple[HistogramBar, ...]
    step: int
    below: bool  # the first has also what is farther out
    above: bool  # and the last


def bars_of(results: Distribution) -> Bars:
    """At most so many steps of 1, 2 or 5 with zeros behind it, from a bound that is a multiple of it.

    >>> import numpy as np
    >>> [(bar.start, bar.end, bar.sessions) for bar in bars_of(Distribution(np.array([-30, 5, 5, 15]))).bars][:2]
    [(-30, -28, 1), (-28, -26, 0)]
    """
    low, high = results.percentile(EDGE), results.percentile(100 - EDGE)
    step = _step(high - low)
    first, last = low // step, high // step
    counts = [0] * (last - first + 1)
    for value, number in results:
        counts[min(max(value // step, first), last) - first] += number
    bars = tuple(
        HistogramBar((first + place) * step, (first + place + 1) * step, number) for place, number in enumerate(counts)
    )
    return Bars(bars, step, results.percentile(0) < bars[0].start, results.percentile(100) >= bars[-1].end)


def _step(width: int) -> int:
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if width // step + 2 <= MOST:
                return step
        power *= 10
