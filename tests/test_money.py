"""Money: read from decimal strings, kept in whole minor units, rounded once and by a posted policy."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.money import (
    AMOUNT_MAX,
    TO_HOUSE,
    TO_PATRON,
    UNSTATED,
    Currency,
    HouseRounding,
    Money,
    MoneyError,
    currency,
    parse,
    show,
)

CURRENCIES = [UNSTATED, currency("SGD"), currency("JPY"), currency("KWD")]
AMOUNTS = st.integers(0, AMOUNT_MAX)


# ---------------------------------------------------------------- reading and showing


@pytest.mark.parametrize(
    ("written", "code", "amount"),
    [
        ("100.00", "SGD", 10000),
        ("100", "SGD", 10000),
        ("0.05", "SGD", 5),
        ("0", "SGD", 0),
        ("0.5", "SGD", 50),
        ("1.500", "SGD", 150),  # a zero more is no finer
        ("007", "SGD", 700),
        ("70", "JPY", 70),
        ("70.00", "JPY", 70),
        ("1.5", "KWD", 1500),
        ("1.005", "KWD", 1005),
    ],
)
def test_an_amount_is_read_to_the_minor_unit(written: str, code: str, amount: int) -> None:
    assert parse(written, currency(code)) == amount


@pytest.mark.parametrize("of", CURRENCIES, ids=lambda of: of.code or "unstated")
@given(amount=AMOUNTS)
def test_what_is_shown_reads_back(of: Currency, amount: int) -> None:
    assert parse(show(amount, of), of) == amount


@given(st.integers(-AMOUNT_MAX, AMOUNT_MAX), st.sampled_from(CURRENCIES))
def test_what_is_shown_is_the_exact_decimal(amount: int, of: Currency) -> None:
    shown = show(amount, of)
    assert Decimal(shown) == Decimal(amount).scaleb(-of.decimals)
    assert len(shown.partition(".")[2]) == of.decimals


@pytest.mark.parametrize(
    ("amount", "code", "shown"),
    [
        (5, "SGD", "0.05"),
        (-5, "SGD", "-0.05"),
        (0, "SGD", "0.00"),
        (-1, "JPY", "-1"),
        (7, "KWD", "0.007"),
        (1234567, "SGD", "12345.67"),
    ],
)
def test_an_amount_is_shown_with_all_its_decimals(amount: int, code: str, shown: str) -> None:
    assert show(amount, currency(code)) == shown


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (True, "True is a truth value: write the amount as a string"),
        (100, "100 is a bare number: write the amount as a string"),
        (100.0, "100.0 is a floating-point number: write the amount as a string"),
        (float("nan"), "nan is a floating-point number"),
        (None, "None is of type NoneType"),
        (Decimal("1.00"), "is of type Decimal"),
        (b"1.00", "is of type bytes"),
        (["1.00"], "is of type list"),
        pytest.param(10**5000, "is a bare number", id="huge"),
    ],
)
def test_what_is_no_text_is_no_amount(value: object, why: str) -> None:
    with pytest.raises(MoneyError) as told:
        parse(value)
    assert why in str(told.value)
    assert len(str(told.value)) < 120


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("true", "'true' is no amount: write digits and a point"),
        ("", "'' is no amount"),
        (" ", "is no amount"),
        ("ten", "is no amount"),
        ("1.", "is no amount"),
        (".5", "is no amount"),
        ("1.2.3", "is no amount"),
        ("+5", "is no amount"),
        (" 5", "is no amount"),
        ("5\n", "is no amount"),
        ("S$5", "is no amount"),
        ("5%", "is no amount"),
        ("0x10", "is no amount"),
        ("1/2", "is no amount"),
        ("inf", "is no amount"),
        ("NaN", "is no amount"),
        ("١٠٠", "is no amount"),
        ("１００", "is no amount"),
        ("10²", "is no amount"),
        ("-5", "'-5' is negative: a stake is a positive amount"),
        ("-0.00", "is negative"),
        ("1e3", "'1e3' is in scientific notation: write all digits"),
        ("1E+3", "is in scientific notation"),
        ("1.5e-2", "is in scientific notation"),
        ("1.005", "'1.005' is finer than the smallest unit, 0.01: write at most 2 decimals"),
        ("0.001", "is finer than the smallest unit"),
        ("1,000", "'1,000' has separators: write 1000"),
        ("1,000.50", "has separators: write 1000.50"),
        ("1'000'000", "has separators: write 1000000"),
        ("1_000", "has separators: write 1000"),
        ("1 000", "has separators: write 1000"),
        ("10,50", "has a comma: write the decimals behind a point"),
        ("9" * 30, "is more than 9999999999999.99, the most that is accepted"),
        ("10000000000000.00", "is more than 9999999999999.99"),
        ("9" * 5000, "has too many digits to be an amount"),
        ("0." + "0" * 5000, "has too many digits to be an amount"),
    ],
)
def test_a_text_that_is_no_amount_is_told_with_the_reason(written: str, why: str) -> None:
    with pytest.raises(MoneyError) as told:
        parse(written)
    assert why in str(told.value)


@pytest.mark.parametrize(
    "written",
    ["1" + ",000" * 50_000, "1e" + "9" * 100_000, "-" * 100_000, "x" * 100_000, "9" * 100_000, "1,5" * 50_000],
)
def test_a_long_text_is_told_briefly(written: str) -> None:
    with pytest.raises(MoneyError) as told:
        parse(written)
    assert len(str(told.value)) < 200


def test_the_most_that_is_accepted_is_accepted() -> None:
    assert parse(show(AMOUNT_MAX)) == AMOUNT_MAX
    with pytest.raises(MoneyError, match="is more than"):
        parse(show(AMOUNT_MAX + 1))


@pytest.mark.parametrize(
    ("written", "code", "why"),
    [("70.5", "JPY", "smallest unit, 1:"), ("1.0005", "KWD", "smallest unit, 0.001: write at most 3 decimals")],
)
def test_the_smallest_unit_is_that_of_the_currency(written: str, code: str, why: str) -> None:
    with pytest.raises(MoneyError, match=why):
        parse(written, currency(code))


@given(st.text(max_size=20), st.sampled_from(CURRENCIES))
def test_any_text_is_an_amount_or_a_money_error(written: str, of: Currency) -> None:
    try:
        amount = parse(written, of)
    except MoneyError:
        return
    assert 0 <= amount <= AMOUNT_MAX
    assert Decimal(show(amount, of)) == Decimal(written)


@given(st.from_regex(r"[0-9]{1,14}(\.[0-9]{1,5})?", fullmatch=True), st.sampled_from(CURRENCIES))
def test_no_digit_of_an_amount_is_ever_dropped(written: str, of: Currency) -> None:
    exact = Decimal(written).scaleb(of.decimals)
    if exact == exact.to_integral_value() and exact <= AMOUNT_MAX:
        assert parse(written, of) == int(exact)
    else:
        with pytest.raises(MoneyError, match=r"is finer than|is more than"):
            parse(written, of)


# ---------------------------------------------------------------- currencies


@pytest.mark.parametrize(
    ("code", "decimals"), [("SGD", 2), ("MOP", 2), ("JPY", 0), ("KRW", 0), ("VND", 0), ("KWD", 3), ("BHD", 3)]
)
def test_a_currency_knows_its_decimals(code: str, decimals: int) -> None:
    assert currency(code) == Currency(code, decimals)


@pytest.mark.parametrize("code", ["", "sgd", "SGX", "S$", "SGD ", "X" * 1000])
def test_an_unknown_currency_is_told_with_those_that_are_known(code: str) -> None:
    with pytest.raises(MoneyError, match=r"is no currency known here\. Known: .*\bSGD\b"):
        currency(code)


# ---------------------------------------------------------------- rounding

EXACT = st.fractions(-(10**12), 10**12, max_denominator=1000)
UNITS = st.integers(1, 10_000).map(Money)


@given(EXACT, UNITS)
def test_the_patron_never_gets_less_than_exact_and_never_a_whole_unit_more(exact: Fraction, unit: Money) -> None:
    assert 0 <= HouseRounding(to_patron=True, unit=unit).net(exact) - exact < unit


@given(EXACT, UNITS)
def test_the_house_never_gives_more_than_exact_and_never_keeps_a_whole_unit(exact: Fraction, unit: Money) -> None:
    assert 0 <= exact - HouseRounding(to_patron=False, unit=unit).net(exact) < unit


@given(EXACT, UNITS, st.booleans())
def test_a_rounded_payment_is_in_whole_units_and_stays_what_it_is_when_rounded_again(
    exact: Fraction, unit: Money, to_patron: bool
) -> None:
    rounding = HouseRounding(to_patron, unit)
    net = rounding.net(exact)
    assert type(net) is int
    assert net % unit == 0
    assert rounding.net(Fraction(net)) == net


@given(EXACT, EXACT, UNITS, st.booleans())
def test_who_is_due_more_is_never_paid_less(one: Fraction, other: Fraction, unit: Money, to_patron: bool) -> None:
    rounding = HouseRounding(to_patron, unit)
    assert (one <= other) <= (rounding.net(one) <= rounding.net(other))


@given(EXACT, UNITS)
def test_what_one_side_gives_up_the_other_side_gets(exact: Fraction, unit: Money) -> None:
    """Rounding a loss for the patron is rounding the same win for the house."""
    assert HouseRounding(True, unit).net(-exact) == -HouseRounding(False, unit).net(exact)


@pytest.mark.parametrize(
    ("exact", "patron", "house"),
    [
        ("47.5", 48, 47),
        ("-2.5", -2, -3),
        ("47", 47, 47),
        ("-3", -3, -3),
        ("0", 0, 0),
        ("0.001", 1, 0),
        ("-0.001", 0, -1),
    ],
)
def test_the_odd_fraction_goes_to_the_patron_or_to_the_house(exact: str, patron: int, house: int) -> None:
    assert (TO_PATRON.net(Fraction(exact)), TO_HOUSE.net(Fraction(exact))) == (patron, house)


def test_a_house_may_pay_in_whole_chips() -> None:
    assert HouseRounding(unit=Money(50)).net(Fraction(95)) == 100
    assert HouseRounding(to_patron=False, unit=Money(50)).net(Fraction(95)) == 50


@pytest.mark.parametrize("unit", [0, -1])
def test_a_rounding_unit_is_at_least_one(unit: int) -> None:
    with pytest.raises(MoneyError, match=f"a rounding unit of {unit} minor units: expected at least 1"):
        HouseRounding(unit=Money(unit))
