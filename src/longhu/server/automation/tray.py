"""The tray of a table, filled by the house itself where it is short: requested, approved, delivered, accepted (OPS-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from longhu.accounts.names import AUTO_DEALER, AUTO_SUPERVISOR, CAGE
from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.money import HouseRounding
from longhu.positions import Position
from longhu.server.streams.table_stream import TableStream
from longhu.table.cash import AdvanceChips, RequestChips
from longhu.table.messages import Command
from longhu.table.requirements import rounding_of
from longhu.table.state import Table

NEXT = {  # who does the next of the four acts; whoever asks does not approve
    "requested": (CAGE, Position.GAMING_SHIFT_MANAGER),
    "approved": (AUTO_SUPERVISOR, Position.PIT_SUPERVISOR),
    "delivered": (AUTO_DEALER, Position.DEALER),
}


def held(table: Table) -> int:
    return table.balances.get(f"float:{table.settings.table}", 0) if table.settings else 0


def owed(table: Table, game: Game) -> int:
    """What the round takes out of the tray at most, once its result is announced."""
    round, settings = table.round, table.settings
    if round is None or settings is None or round.number_of_ending is None:
        return 0
    rounding = HouseRounding(to_patron=True, unit=rounding_of(game, settings).unit)  # the most that it can be
    alike = Counter([(stake.wager, stake.amount) for stake in round.stakes.values()])
    rates = {id: game.wagers[id].line(round.number_of_ending).net for id, _ in alike}
    return sum([count * rounding.share(amount, rates[id]) for (id, amount), count in alike.items()])


def filling(table: Table, needed: int, at: int) -> Command | None:
    """The next act of a fill that the house has under way, or the first of one where less than this is in the tray."""
    record, settings = table.float_record, table.settings
    if record is None or settings is None:
        return None
    for request in record.requests.values():
        if request.requested_by == AUTO_SUPERVISOR:
            by, position = NEXT[request.stage]
            return AdvanceChips(by=by, at=at, position=position, number=request.number)
    short = needed - held(table)
    if short <= 0:
        return None
    unit = settings.chip_unit
    amount = -(-(short + max(needed, record.opening)) // unit) * unit
    return RequestChips(by=AUTO_SUPERVISOR, at=at, position=Position.PIT_SUPERVISOR, kind="fill", amount=amount)


async def fill(live: TableStream, needed: int, now: Callable[[], int]) -> None:
    """At least so much in the tray, where the house can bring it there."""
    while filling(live.state, needed, now()) is not None:
        done = await live.propose(lambda snapshot: filling(snapshot.state, needed, now()))
        if isinstance(done, Refusal):
            return
