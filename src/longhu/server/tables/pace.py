"""How quickly the house acts by itself, and when betting closes."""

from __future__ import annotations

from typing import NamedTuple

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


class Opened(NamedTuple):
    """Betting is open. All in milliseconds, UTC."""

    started: int
    first_wager: int | None  # None too where nobody needs to wager

    def closes(self, betting: int) -> int:
        """When an automatic dealer closes it.

        It is so long after the opening call. Where nobody has wagered until then, it stays open, and closes so long after the
        first wager: nobody is dealt a round that nobody has bet on.
        """
        end = self.started + betting
        return end if self.first_wager is None or self.first_wager <= end else self.first_wager + betting


def opened(table: Table) -> Opened | None:
    """None where betting is not open."""
    round = table.round
    if round is None or round.phase is not Phase.BETTING:
        return None
    return Opened(round.started, round.first_wager if round.wagering else None)


def closes_at(table: Table, betting: int) -> int | None:
    """When an automatic dealer closes betting; None where it is not open."""
    found = opened(table)
    return None if found is None else found.closes(betting)
