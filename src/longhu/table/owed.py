"""What a patron is owed: the part of a payment that is less than a chip.

Every payment is exact to the smallest coin. A table pays in chips, so what no chip can pay stands on an account of the patron's own
until it comes to a chip, or until the cage pays it in coins when the patron cashes out or leaves. The house's side of it is the
table's breakage: the chips are still in the tray, but the money is not the house's.
"""

from __future__ import annotations

from typing import NamedTuple

from longhu.ledger import Posting
from longhu.table.state import OWED, Settings, Table, chips_held

BREAKAGE = "breakage:"  # the account of what a table owes in all starts with it, and is below zero


class Portions(NamedTuple):
    """A movement to a patron (from one, below zero), split into whole chips and a change of what is owed."""

    chips: int
    owed: int


def portions(amount: int, owed: int, unit: int) -> Portions:
    """As many whole chips as the amount comes to with what was owed before; the rest is owed.

    >>> portions(475, 0, 500), portions(475, 475, 500), portions(-475, 25, 500)
    (Portions(chips=0, owed=475), Portions(chips=500, owed=-25), Portions(chips=-500, owed=25))
    """
    total = amount + owed
    chips = total // unit * unit
    return Portions(chips, total - chips - owed)


def unit_of(settings: Settings | None) -> int:
    """The smallest chip of the table."""
    return settings.chip_unit if settings is not None else 1


def owing(table: str, patron: str, owed: int) -> tuple[Posting, ...]:
    """So much more is owed (less, below zero); the table's breakage has the other side."""
    return (Posting(f"{OWED}{patron}", owed), Posting(f"{BREAKAGE}{table}", -owed)) if owed else ()


def taken_back(table: Table, patron: str, net: int) -> tuple[int, int]:
    """The chips that take a net payment back, and what that does to what is owed; short of chips, all of them."""
    before, held = table.owed_to(patron), chips_held(table, patron)
    split = portions(-net, before, unit_of(table.settings))
    if held is None or -split.chips <= held:
        return -split.chips, split.owed
    return held, -min(before, net - held)
