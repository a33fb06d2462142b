"""How unlikely a figure is by chance alone, and what that is worth when many are looked at.

Tails of the chi-square and of the normal distribution, by series and continued fractions to the precision of a float,
and Holm's procedure: of all tests together a sound source fails any with the chance `ALPHA` at most, however the tests
depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import erfc, exp, inf, lgamma, log, sqrt
from typing import NamedTuple

ALPHA = 0.01  # 99 per cent, as regulators ask of a battery (RNG-4)
_PRECISION, _TINY = 1e-16, 1e-300


class Finding(NamedTuple):
    """What one test found; the chance is that of finding as much or more where nothing is wrong."""

    test: str
    statistic: float
    freedom: int  # degrees of freedom of a chi-square; 0 for a normal deviate
    chance: float


class Verdict(NamedTuple):
    """A finding, and the chance below which it counts as a failure."""

    finding: Finding
    needed: float
    passed: bool


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The chance of a chi-square at least this large.

    >>> round(chi_square_tail(3.841458820694124, 1), 12), round(chi_square_tail(23.209251158954356, 10), 12)
    (0.05, 0.01)
    """
    if freedom < 1:
        raise ValueError(f"a chi-square has at least one degree of freedom, not {freedom}")
    if statistic <= 0:
        return 1.0
    half, value = freedom / 2, statistic / 2
    scale = exp(half * log(value) - value - lgamma(half))
    if value < half + 1:
        return 1 - scale * _lower_series(half, value)
    return scale * _upper_fraction(half, value)


def _lower_series(half: float, value: float) -> float:
    """Of the incomplete gamma function from below, quick where `value` is small."""
    term = total = 1 / half
    while term > total * _PRECISION:
        half += 1
        term *= value / half
        total += term
    return total


def _upper_fraction(half: float, value: float) -> float:
    """Of the incomplete gamma function from above, quick where `value` is large; after Lentz."""
    base = value + 1 - half
    above, below = inf, 1 / base
    total, step = below, 0
    while True:
        step += 1
        product = step * (half - step)
        base += 2
        below = 1 / (product * below + base or _TINY)
        above = base + product / above or _TINY
        change = below * above
        total *= change
        if abs(change - 1) < 1e-15:
            return total


def two_sided(deviate: float) -> float:
    """The chance of a normal deviate as far from 0, to either side.

    >>> round(two_sided(-1.959963984540054), 12)
    0.05
    """
    return erfc(abs(deviate) / sqrt(2))


def chi_square(test: str, observed: Iterable[float], expected: Iterable[float]) -> Finding:
    """How well counts of independent trials fit what was expected of each class."""
    pairs = list(zip(observed, expected, strict=True))
    statistic = sum((found - due) ** 2 / due for found, due in pairs)
    return of_chi_square(test, statistic, len(pairs) - 1)


def of_chi_square(test: str, statistic: float, freedom: int) -> Finding:
    """Judged to both sides: counts that fit too well were not made by chance either."""
    above = chi_square_tail(statistic, freedom)
    return Finding(test, statistic, freedom, 2 * min(above, 1 - above))


def deviation(test: str, found: float, mean: float, variance: float) -> Finding:
    """How far a sum of many independent parts is from its mean, in standard deviations."""
    deviate = (found - mean) / sqrt(variance) if variance else 0.0 if found == mean else inf
    return Finding(test, deviate, 0, two_sided(deviate))


def holm(findings: Sequence[Finding], alpha: float = ALPHA) -> tuple[Verdict, ...]:
    """Judge all findings together: the least likely first, and all that follow a pass are passes.

    >>> [verdict.passed for verdict in holm([Finding("a", 0, 1, 0.004), Finding("b", 0, 1, 0.006)])]
    [False, False]
    >>> [verdict.passed for verdict in holm([Finding("a", 0, 1, 0.006), Finding("b", 0, 1, 0.006)])]
    [True, True]
    """
    places = sorted(range(len(findings)), key=lambda place: findings[place].chance)
    verdicts: dict[int, Verdict] = {}
    failing = True
    for rank, place in enumerate(places):
        needed = alpha / (len(findings) - rank)
        failing = failing and findings[place].chance <= needed
        verdicts[place] = Verdict(findings[place], needed, not failing)
    return tuple(verdicts[place] for place in range(len(findings)))
