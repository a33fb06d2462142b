"""What a table won between opening and closing, and what it should have won on average (OPS-4).

The win is read off the tray and the drop box; the theoretical win off the wagers that were settled and their exact
house edges. Both come from the events of one opening, in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from longhu.eventsourcing import Event
from longhu.table.calls import RoundStarted
from longhu.table.cash import ChipsMoved
from longhu.table.irregularities.power import RoundReversed
from longhu.table.opening import TableClosed, TableOpened
from longhu.table.settling import WagerSettled


class TableWin(msgspec.Struct, frozen=True, kw_only=True):
    """One opening of a table, in minor units."""

    opening: int
    fills: int
    credits: int
    closing: int
    drop: int
    difference: int  # what the closing count was over the ledger, or short of it
    staked: dict[str, int]  # by wager, in rounds that were settled
    theoretical: Fraction

    @property
    def win(self) -> int:
        return self.closing + self.credits + self.drop - self.fills - self.opening

    @property
    def hold(self) -> Fraction | None:
        """Win for each unit dropped; None where nothing was."""
        return Fraction(self.win, self.drop) if self.drop else None


def table_win(events: Iterable[Event], edges: Mapping[str, Fraction]) -> TableWin | None:
    """The last opening that has been closed; `edges` are the house edges by wager."""
    found, opened = None, 0
    moved: Counter[str] = Counter()
    staked: Counter[str] = Counter()
    last: Counter[str] = Counter()  # of these, in the last round: it may be reversed (DBO-MALF-1)
    for event in events:
        match event:
            case TableOpened():
                opened, moved, staked = event.float_counted, Counter(), Counter()
            case ChipsMoved() if event.request.stage == "accepted":
                moved[event.request.kind] += event.request.amount
            case RoundStarted():
                last = Counter()
            case WagerSettled():
                staked[event.stake.wager] += event.stake.amount - event.returned
                last[event.stake.wager] += event.stake.amount - event.returned
            case RoundReversed():
                staked -= last
            case TableClosed():
                found = TableWin(
                    opening=opened,
                    fills=moved["fill"],
                    credits=moved["credit"],
                    closing=event.float_counted,
                    drop=event.drop,
                    difference=event.difference,
                    staked=dict(staked),
                    theoretical=sum((edges[wager] * amount for wager, amount in staked.items()), Fraction(0)),
                )
    return found
