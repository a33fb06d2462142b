"""The chips that a page offers: the house's choice, or a plain set that fits the limits."""

from __future__ import annotations

from longhu.money import Currency
from longhu.table.state import Settings

WORTHS = (1, 5, 25, 100, 500, 1000, 5000, 10_000, 25_000, 100_000)  # of plain chips, in whole units of the currency
OFFERED = 6  # that fit a hand


def chip_set(settings: Settings, money: Currency) -> tuple[int, ...]:
    """Values in minor units, the smallest first.

    The plain set begins with the largest chip that makes every minimum, and has none that no area takes; where the limits are
    below every plain chip, it is the smallest chip of the table.
    """
    if settings.chip_values:
        return settings.chip_values
    least = min((settings.least(id) for id in settings.limits), default=1)
    most = max((limit.max for limit in settings.limits.values()), default=1)
    worths = [worth * 10**money.decimals for worth in WORTHS]
    whole = [worth for worth in worths if settings.whole(worth) and worth <= most]
    first = max((worth for worth in whole if worth <= least), default=settings.chip_unit)
    return tuple(dict.fromkeys([first, *(worth for worth in whole if worth > first)]))[:OFFERED]
