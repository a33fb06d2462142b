"""Tails of distributions against printed tables, and Holm's procedure."""

from __future__ import annotations

from fractions import Fraction
from math import exp, factorial, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.fairness.significance import Finding, chi_square, chi_square_tail, deviation, holm, of_chi_square, two_sided

PRINTED = """
    freedom  0.99      0.95      0.10      0.05      0.01      0.001
    1        0.000157  0.003932  2.705543  3.841459  6.634897  10.827566
    2        0.020101  0.102587  4.605170  5.991465  9.210340  13.815511
    5        0.554298  1.145476  9.236357  11.070498 15.086272 20.515006
    10       2.558212  3.940299  15.987179 18.307038 23.209251 29.588298
    30       14.953457 18.492661 40.256024 43.772972 50.892181 59.703064
    100      70.064895 77.929465 118.498004 124.342113 135.806723 149.449253
"""


def printed() -> list[tuple[int, float, float]]:
    head, *rows = [line.split() for line in PRINTED.strip().splitlines()]
    return [(int(row[0]), float(x), float(p)) for row in rows for p, x in zip(head[1:], row[1:], strict=True)]


@pytest.mark.clause("RNG-4")
@pytest.mark.parametrize(("freedom", "statistic", "chance"), printed())
def test_chi_square_tails_are_those_of_the_printed_table(freedom: int, statistic: float, chance: float) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(chance, rel=2e-3 if statistic < 0.001 else 2e-5)


@given(st.integers(1, 40), st.floats(0.01, 200))
def test_an_even_freedom_has_a_finite_sum(half: int, statistic: float) -> None:
    """Two ways to one number: the chance that a Poisson count stays below half the degrees of freedom."""
    value = Fraction(statistic) / 2
    terms = sum((value**j / factorial(j) for j in range(half)), Fraction(0))
    assert chi_square_tail(statistic, 2 * half) == pytest.approx(
        float(terms) * exp(-statistic / 2), rel=1e-9, abs=1e-14
    )


@pytest.mark.parametrize("deviate", [-4, -2, 0, 2, 4])
def test_a_large_freedom_is_nearly_normal(deviate: float) -> None:
    """As large as the table of every card in every place of eight decks; after Wilson and Hilferty."""
    freedom = 415 * 51
    small = 2 / (9 * freedom)
    statistic = freedom * (1 - small + deviate * sqrt(small)) ** 3
    half = two_sided(deviate) / 2
    assert chi_square_tail(statistic, freedom) == pytest.approx(half if deviate >= 0 else 1 - half, rel=1e-3)


def test_the_ends_of_the_tail() -> None:
    assert chi_square_tail(0, 3) == 1
    assert chi_square_tail(1e6, 3) == 0
    with pytest.raises(ValueError, match="at least one degree of freedom"):
        chi_square_tail(1, 0)


def test_a_fit_that_is_too_good_is_suspect_too() -> None:
    assert chi_square("even", [100] * 50, [100] * 50).chance < 1e-12
    assert of_chi_square("usual", 49.3, 50).chance > 0.9


def test_a_figure_that_cannot_vary_must_be_what_it_is() -> None:
    assert deviation("fixed", 3, 3, 0).chance == 1
    assert deviation("fixed", 4, 3, 0).chance == 0


@pytest.mark.clause("RNG-4")
def test_holm_takes_the_least_likely_first() -> None:
    """The worked example of most textbooks: 0.01, 0.04, 0.03 and 0.005 at five per cent."""
    findings = [Finding(str(chance), 0, 1, chance) for chance in (0.01, 0.04, 0.03, 0.005)]
    verdicts = holm(findings, 0.05)
    assert [verdict.passed for verdict in verdicts] == [False, True, True, False]
    assert [verdict.needed for verdict in verdicts] == pytest.approx([0.05 / 3, 0.05, 0.05 / 2, 0.05 / 4])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_fails_somebody_just_where_bonferroni_does(chances: list[float]) -> None:
    verdicts = holm([Finding("", 0, 1, chance) for chance in chances])
    assert any(not verdict.passed for verdict in verdicts) == (min(chances) <= 0.01 / len(chances))
