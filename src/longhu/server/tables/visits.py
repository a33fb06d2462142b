"""Coming to a table, buying chips there, and going away with everything.

Chips are bought from the account by the house's cage, and what is taken away goes back to it: in each case the one record
moves the money on both sides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import UNSET

from longhu.accounts.names import CAGE
from longhu.server.actor import Actor
from longhu.server.done import Done, Reused
from longhu.server.tables.live import Live
from longhu.server.tables.repeats import is_other_command
from longhu.server.tables.staff import OWN_STAFF
from longhu.server.tables.tray import fill
from longhu.table.acts import Command, Refusal
from longhu.table.betting import TakeBack
from longhu.table.cash import BuyIn, CashOut
from longhu.table.people import Join, Leave
from longhu.table.state import Phase

if TYPE_CHECKING:
    from longhu.server.house import House


async def join(house: House, actor: Actor, table: str, seat: int | None, buy_in: int, id: str) -> Done | Refusal:
    """Whoever cannot pay for the chips does not stay."""
    account = await house.people.account(actor.person)
    comes = Join(by=actor.person, at=0, seat=seat, name=(account and account.display_name) or UNSET)
    await _not_otherwise(house, table, {actor.own(f"{id}-join"): comes, actor.own(f"{id}-chips"): _buys(actor, buy_in)})
    joined = await house.act(actor, table, comes, f"{id}-join")
    if isinstance(joined, Refusal) or not buy_in:
        return joined
    bought = await buy_chips(house, actor, table, buy_in, f"{id}-chips")
    if isinstance(bought, Refusal):
        await house.act(actor, table, Leave(by=actor.person, at=0), f"{id}-leave")
        return bought
    return Done(joined.first, bought.last, joined.duplicate)


async def buy_chips(house: House, actor: Actor, table: str, amount: int, id: str) -> Done | Refusal:
    live = await house.live(table)
    if live is None:
        return Refusal(f"there is no table {table[:80]!r}", "Choose one of those in the list")
    at, known = house.now(), actor.own(id)
    await _not_otherwise(house, table, {known: _buys(actor, amount)})
    refusal = await house.people.may_play(actor.person, at)
    if refusal is None and not 0 < amount <= (await house.people.wallet(actor.person) or 0):
        refusal = Refusal("the account has less than that", "Take less, or deposit first", "MON-3")
    if refusal is not None:
        done = await live.before(known)
        return done if done is not None else refusal
    await fill(live, amount, house.now)
    return await house.do(live, _buys(actor, amount, at), known)


def _buys(actor: Actor, amount: int, at: int = 0) -> BuyIn:
    return BuyIn(by=CAGE, at=at, position=OWN_STAFF[CAGE], patron=actor.person, amount=amount)


async def _not_otherwise(house: House, table: str, asked: Mapping[str, Command]) -> None:
    """Where one of these ids was used for something else, nothing is begun."""
    for id, command in asked.items():
        if await asyncio.to_thread(is_other_command, house.store, table, id, command):
            raise Reused


async def leave(house: House, actor: Actor, table: str, id: str) -> Done | Refusal:
    """Wagers that may still come back do. Who has others on the layout waits for the round."""
    live = await house.live(table)
    if live is None:
        return Refusal(f"there is no table {table[:80]!r}", "Choose one of those in the list")
    before = await live.before(actor.own(f"{id}-leave"))
    if before is not None:  # asked again: whatever lies there now belongs to another visit
        return before
    await _take_back(house, actor, live, id)
    round, chips = live.state.round, live.state.balances.get(f"patron:{actor.person}", 0)
    if chips and not (round is not None and round.stakes_of(actor.person)):
        cashed = await house.act(actor, table, CashOut(by=actor.person, at=0, amount=chips), f"{id}-cash")
        if isinstance(cashed, Refusal):
            return cashed
    return await house.act(actor, table, Leave(by=actor.person, at=0), f"{id}-leave")


async def _take_back(house: House, actor: Actor, live: Live, id: str) -> None:
    """What must stand beside another wager was placed after it, and comes back before it."""
    round = live.state.round
    if round is None or round.phase is not Phase.BETTING:
        return
    for stake in reversed(round.stakes_of(actor.person)):
        command = TakeBack(by=actor.person, at=0, place=stake.place, wager=stake.wager)
        await house.act(actor, live.id, command, f"{id}-back-{stake.place}-{stake.wager}")
