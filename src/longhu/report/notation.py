"""How a report writes numbers: rounded ones with a true minus sign, exact ones digit by digit."""

from __future__ import annotations

from fractions import Fraction

NONE = "–"  # where there is no figure
EXPONENT_DIGITS_MAX = 12  # decimals after which an exact number is written as a fraction


def minus(text: str) -> str:
    """A true minus sign, as wide as a plus."""
    return text.replace("-", "\N{MINUS SIGN}")


def rounded_percent(share: Fraction, decimals: int) -> str:
    """Rounded half away from zero, exactly.

    >>> rounded_percent(Fraction(98765, 100000), 2)
    '98.77'
    """
    scaled = abs(share) * 100 * 10**decimals
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    digits = str(whole).rjust(decimals + 1, "0")
    sign = "-" if share < 0 and whole else ""
    return sign + (f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits)


def as_percent(share: float | Fraction, decimals: int = 4) -> str:
    """As a terminal shows it; exact figures are shown apart.

    >>> as_percent(Fraction(1, 26))
    '3.8462 %'
    """
    return f"{float(share) * 100:.{decimals}f} %"


def percent(share: Fraction, decimals: int = 6) -> str:
    """Rounded from the exact share, half away from zero; the sign is not left alone at a line's end.

    >>> percent(Fraction(-1, 26))
    '−3.846154\\xa0%'
    """
    return minus(rounded_percent(share, decimals)) + "\N{NO-BREAK SPACE}%"


def decimal(value: float, decimals: int = 4) -> str:
    """
    >>> decimal(-0.00001), decimal(1234.5, 2)
    ('0.0000', '1,234.50')
    """
    text = f"{value:,.{decimals}f}"
    return minus(text.lstrip("-") if not text.strip("-0.,") else text)


def whole(number: int) -> str:
    """All digits, in groups of three."""
    return f"{number:,}"


def exact(value: Fraction) -> str:
    """All digits: as a decimal number where that comes to an end soon, else as a fraction.

    >>> exact(Fraction(39, 20)), exact(Fraction(4, 3)), exact(Fraction(-1, 2)), exact(Fraction(12000))
    ('1.95', '4/3', '−0.5', '12,000')
    """
    for decimals in range(EXPONENT_DIGITS_MAX):
        scaled = value * 10**decimals
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).rjust(decimals + 1, "0")
            front = digits[: len(digits) - decimals]
            tail = f".{digits[-decimals:]}" if decimals else ""
            return minus("-" if value < 0 else "") + f"{int(front):,}{tail}"
    return minus(f"{value.numerator:,}/{value.denominator:,}")


def signed(value: Fraction) -> str:
    """What is gained or lost on a unit: `+30`, `−0.5`, `0`."""
    return f"+{exact(value)}" if value > 0 else exact(value)
