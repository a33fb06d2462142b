"""Money: whole numbers of minor units, decimal strings at the edges, never a float.

>>> parse("100.00"), show(Money(-50))
(10000, '-0.50')
>>> parse("1.005")
Traceback (most recent call last):
longhu.money.MoneyError: '1.005' is finer than the smallest unit, 0.01: write at most 2 decimals
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, NewType

from longhu.wording import shown

Money = NewType("Money", int)  # S$1.00 is Money(100)
Amount = Annotated[int, "money"]  # what a field of money is declared as: minor units, and on the wire a decimal string

AMOUNT_MAX = Money(10**15 - 1)  # no table takes ten trillion; it also keeps every product inside 64 bits


class MoneyError(ValueError):
    """An amount that is not money: why by a word, what was found, and what was expected instead."""

    def __init__(self, sentence: str, why: str = "no-amount", found: str = "", expected: str = "") -> None:
        super().__init__(sentence)
        self.why, self.found, self.expected = why, found, expected


@dataclass(frozen=True, slots=True)
class Currency:
    """An ISO 4217 code and how many decimals its minor unit has."""

    code: str
    decimals: int = 2


_DECIMALS = {
    "BHD": 3, "CLP": 0, "IQD": 3, "ISK": 0, "JOD": 3, "JPY": 0, "KRW": 0, "KWD": 3, "LYD": 3, "OMR": 3,
    "PYG": 0, "TND": 3, "UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
}  # fmt: skip
_HUNDREDTHS = frozenset(
    [
        "AED",
        "ARS",
        "AUD",
        "BRL",
        "CAD",
        "CHF",
        "CNY",
        "COP",
        "CZK",
        "DKK",
        "EUR",
        "GBP",
        "HKD",
        "HUF",
        "IDR",
        "ILS",
        "INR",
        "KHR",
        "LAK",
        "MMK",
        "MOP",
        "MXN",
        "MYR",
        "NOK",
        "NZD",
        "PEN",
        "PHP",
        "PLN",
        "RON",
        "RUB",
        "SEK",
        "SGD",
        "THB",
        "TRY",
        "TWD",
        "UAH",
        "USD",
        "ZAR",
    ]
)
UNSTATED = Currency("", 2)  # a house that has not said: hundredths


def currency(code: str) -> Currency:
    """The currency of an ISO code.

    >>> currency("JPY").decimals
    0
    """
    if code in _DECIMALS:
        return Currency(code, _DECIMALS[code])
    if code in _HUNDREDTHS:
        return Currency(code, 2)
    known = " ".join(sorted(_HUNDREDTHS | _DECIMALS.keys()))
    raise MoneyError(f"{code[:12]!r} is no currency known here. Known: {known}", "currency", repr(code[:12]), known)


_AMOUNT = re.compile(r"([0-9]{1,40})(?:\.([0-9]{1,40}))?")


def parse(text: object, currency: Currency = UNSTATED) -> Money:
    """Read an amount written as a decimal string; refuse everything else with the reason."""
    if not isinstance(text, str):
        sentence = f'{shown(text)} is {_kind(text)}: write the amount as a string, as in "100.00"'
        raise MoneyError(sentence, "no-text", shown(text))
    found = _AMOUNT.fullmatch(text)
    if not found:
        raise _not_money(text)
    whole, decimals = found[1], found[2] or ""
    if len(decimals.rstrip("0")) > currency.decimals:
        smallest = show(Money(1), currency)
        sentence = f"{text!r} is finer than the smallest unit, {smallest}: write at most {currency.decimals} decimals"
        raise MoneyError(sentence, "too-fine", repr(text), smallest)
    amount = Money(int(whole + decimals[: currency.decimals].ljust(currency.decimals, "0")))
    if amount > AMOUNT_MAX:
        most = show(AMOUNT_MAX, currency)
        raise MoneyError(
            f"{shown(text)} is more than {most}, the most that is accepted", "too-large", shown(text), most
        )
    return amount


def _kind(value: object) -> str:
    return {bool: "a truth value", int: "a bare number", float: "a floating-point number"}.get(
        type(value), f"of type {type(value).__name__}"
    )


def _not_money(text: str) -> MoneyError:
    """Why a text is no amount."""
    found, why, expected = shown(text), "no-amount", ""
    sentence = 'is no amount: write digits and a point, as in "100.00"'
    if text.startswith("-"):
        why, sentence = "negative", "is negative: a stake is a positive amount"
    elif re.fullmatch(r"[0-9.]+[eE][+-]?[0-9]+", text):
        why, sentence = "scientific", 'is in scientific notation: write all digits, as in "1000.00"'
    elif re.fullmatch(r"[0-9]{1,3}([, '_][0-9]{3})+(\.[0-9]+)?", text):
        why, expected = "separators", re.sub("[^0-9.]", "", text)[:40]
        sentence = f"has separators: write {expected}"
    elif re.fullmatch(r"[0-9]+,[0-9]+", text):
        why, sentence = "comma", 'has a comma: write the decimals behind a point, as in "100.00"'
    elif re.fullmatch(r"[0-9]{41,}(\.[0-9]*)?|[0-9]*\.[0-9]{41,}", text):
        why, sentence = "too-many-digits", "has too many digits to be an amount"
    return MoneyError(f"{found} {sentence}", why, found, expected)


def show(amount: int, currency: Currency = UNSTATED) -> str:
    """An amount as people write it; what `parse` reads back.

    >>> show(1950), show(-5), show(70, Currency("JPY", 0))
    ('19.50', '-0.05', '70')
    """
    sign, digits = ("-" if amount < 0 else ""), str(abs(amount)).rjust(currency.decimals + 1, "0")
    if not currency.decimals:
        return sign + digits
    return f"{sign}{digits[: -currency.decimals]}.{digits[-currency.decimals :]}"


@dataclass(frozen=True, slots=True)
class HouseRounding:
    """Who gets what is left when a payment is no whole number of units (Q01: no document says).

    The default pays exact minor units and gives any remaining fraction to the patron. A house may
    post another policy: the fraction to the house, or payment in whole chips of `unit`.

    >>> TO_PATRON.net(Fraction(95, 2)), TO_HOUSE.net(Fraction(95, 2)), TO_PATRON.net(Fraction(-5, 2))
    (48, 47, -2)
    """

    to_patron: bool = True
    unit: Money = Money(1)

    def __post_init__(self) -> None:
        if self.unit < 1:
            raise MoneyError(f"a rounding unit of {self.unit} minor units: expected at least 1")

    def net(self, exact: Fraction) -> Money:
        """What the patron is up (or, negative, down) once the house has rounded."""
        return self.share(1, exact)

    def share(self, amount: int, rate: Fraction) -> Money:
        """The same for an amount at a rate, in whole numbers all the way."""
        over, under = amount * rate.numerator, rate.denominator * self.unit
        return Money((-(-over // under) if self.to_patron else over // under) * self.unit)


TO_PATRON = HouseRounding()
TO_HOUSE = HouseRounding(to_patron=False)
