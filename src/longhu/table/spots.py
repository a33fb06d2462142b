"""Spots: numbered places of a position where chips lie that belong to no account.

Where a patron's name would stand, a spot stands as `@3.2`: position 3, spot 2. Spot 1 is the seat of the position; whoever bets there beside
it stands. Nobody signs in under such a name, and nothing is kept of whoever stands there: a limit, a warning or an answer is the spot's.

Chips of spots come from one account and go back to it, `circulation`: the chips that are out in the house and in nobody's account. How many
those are nobody counts, so the account may be below zero, and a spot is never short of chips.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from longhu.ledger import SPOT
from longhu.protocol import SEATS_MAX, SPOTS_MAX

_NAME = re.compile(r"@([1-9]\d{0,2})\.([1-9]\d?)")


class Spot(NamedTuple):
    """A numbered place at a position of the layout."""

    place: int
    number: int = 1

    @property
    def name(self) -> str:
        return f"{SPOT}{self.place}.{self.number}"

    @property
    def seat(self) -> int | None:
        """The seat that it is; None for whoever stands beside it."""
        return self.place if self.number == 1 else None


def spot_of(name: str) -> Spot | None:
    """The spot of this name.

    >>> spot_of("@3.2"), spot_of("ann"), spot_of("@3")
    (Spot(place=3, number=2), None, None)
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    spot = Spot(int(found[1]), int(found[2]))
    return spot if spot.place <= SEATS_MAX and spot.number <= SPOTS_MAX else None
