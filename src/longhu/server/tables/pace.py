"""How quickly the house acts by itself, and when betting closes."""

from __future__ import annotations

import msgspec

from longhu.table.state import Phase, Table

RESTS = 3  # acts' time that a result is left to be looked at


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """All in milliseconds."""

    betting: int = 15_000
    act: int = 1_000  # between two acts of an automatic dealer
    contribution: int = 10_000  # for contributions to a shuffle, and for the cut
    ruling: int = 120_000  # after which a round that waits for a ruling at an automatic table is void

    @property
    def rest(self) -> int:
        """Between two rounds."""
        return RESTS * self.act


def closes_at(table: Table, betting: int) -> int | None:
    """When an automatic dealer closes betting; None while that is open.

    It is so long after the opening call. Where nobody has wagered until then, it stays open, and closes so long after the
    first wager: nobody is dealt a round that nobody has bet on.
    """
    round = table.round
    if round is None or round.phase is not Phase.BETTING:
        return None
    end = round.started + betting
    if not round.wagering or round.first_wager is None or round.first_wager <= end:
        return end
    return round.first_wager + betting
