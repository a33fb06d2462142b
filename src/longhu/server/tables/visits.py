"""Visits: come to a table, buy chips there, and leave with everything.

Chips are bought from the account by the house's cage, and chips that leave the table go back to it: in each case one record moves the
money on both sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from longhu.accounts.names import CAGE
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.server.authorization import OWN_STAFF, introduced
from longhu.server.automation.dealer_acts import fill
from longhu.server.problems import CHOOSE_FROM_LIST, NO_SUCH_TABLE
from longhu.server.streams.commands import Actor, Committed
from longhu.server.streams.table_stream import TAKE_LESS_OR_DEPOSIT, TableStream, staked
from longhu.table.betting import TakeWagerBack
from longhu.table.cash import BuyIn, CashOut
from longhu.table.people import JoinTable, LeaveTable
from longhu.table.state import Phase, Table

CHIPS_AT_TABLE = message_code("chips-at-table", person="person", table="text")
LEAVE_TABLE_FIRST = message_code("leave-table-first")
ACCOUNT_HAS_LESS = message_code("account-has-less")

if TYPE_CHECKING:
    from longhu.server.house import House


class Seated(msgspec.Struct, frozen=True):
    """Somebody at a table, in minor units."""

    table: str
    chips: int
    staked: int  # on the layout, or in the dealer's hand to be set there


def seats_of(house: House, person: str) -> list[Seated]:
    """Every table at which somebody is."""
    found = [seated(name, live.state, person) for name, live in sorted(house.tables.items())]
    return [each for each in found if each is not None]


def seated(name: str, table: Table, person: str) -> Seated | None:
    """Somebody's chips at a table, and what they have wagered; None for a stranger."""
    if person not in table.people:
        return None
    wagered = staked(table, person) + table.balances.get(f"spoken:{person}", 0)
    return Seated(name, table.balances.get(f"patron:{person}", 0), wagered)


def something_left(house: House, person: str) -> Refusal | None:
    """Why an account cannot be closed yet: nobody could fetch what its owner has left at a table."""
    for name, live in sorted(house.tables.items()):
        if live.state.balances.get(f"patron:{person}") or staked(live.state, person):
            return Refusal(CHIPS_AT_TABLE(person=person, table=name), LEAVE_TABLE_FIRST(), "MON-3")
    return None


async def join(house: House, actor: Actor, table: str, seat: int | None, buy_in: int, id: str) -> Committed | Refusal:
    """Whoever cannot pay for the chips does not stay. Where an id was used for something else, nothing is begun."""
    live = await house.stream(table)
    comes = await introduced(house, JoinTable(by=actor.person, at=0, seat=seat))
    if live is not None:
        await live.previous(actor.own(f"{id}-join"), comes)
        await live.previous(actor.own(f"{id}-chips"), _buys(actor, buy_in))
    joined = await house.step(actor, table, comes, f"{id}-join")
    if isinstance(joined, Refusal) or not buy_in:
        return joined
    bought = await buy_chips(house, actor, table, buy_in, f"{id}-chips")
    if isinstance(bought, Refusal):
        await house.step(actor, table, LeaveTable(by=actor.person, at=0), f"{id}-leave")
        return bought
    return Committed(joined.first, bought.last, joined.duplicate)


async def buy_chips(house: House, actor: Actor, table: str, amount: int, id: str) -> Committed | Refusal:
    live = await house.stream(table)
    if live is None:
        return Refusal(NO_SUCH_TABLE(table=table[:80]), CHOOSE_FROM_LIST())
    at, key = house.now(), actor.own(id)
    done = await live.previous(key, _buys(actor, amount, at))
    if done is not None:
        return done
    refusal = await house.people.may_play(actor.person, at)
    if refusal is None and not 0 < amount <= (await house.people.wallet(actor.person) or 0):
        refusal = Refusal(ACCOUNT_HAS_LESS(), TAKE_LESS_OR_DEPOSIT(), "MON-3")
    if refusal is not None:
        return refusal
    await fill(live, amount, house.now)
    return await live.execute(_buys(actor, amount, at), key)


def _buys(actor: Actor, amount: int, at: int = 0) -> BuyIn:
    return BuyIn(by=CAGE, at=at, position=OWN_STAFF[CAGE], patron=actor.person, amount=amount)


async def leave(house: House, actor: Actor, table: str, id: str) -> Committed | Refusal:
    """Wagers that may still come back do. Who has others on the layout waits for the round."""
    live = await house.stream(table)
    if live is None:
        return Refusal(NO_SUCH_TABLE(table=table[:80]), CHOOSE_FROM_LIST())
    before = await live.previous(actor.own(f"{id}-leave"), LeaveTable(by=actor.person, at=0))
    if before is not None:  # asked again: whatever lies there now belongs to another visit
        return before
    await _take_back(house, actor, live, id)
    round, chips = live.state.round, live.state.balances.get(f"patron:{actor.person}", 0)
    if chips and not (round is not None and round.stakes_of(actor.person)):
        cashed = await house.step(actor, table, CashOut(by=actor.person, at=0, amount=chips), f"{id}-cash")
        if isinstance(cashed, Refusal):
            return cashed
    return await house.step(actor, table, LeaveTable(by=actor.person, at=0), f"{id}-leave")


async def _take_back(house: House, actor: Actor, live: TableStream, id: str) -> None:
    """What must stand beside another wager was placed after it, and comes back before it."""
    round = live.state.round
    if round is None or round.phase is not Phase.BETTING:
        return
    for stake in reversed(round.stakes_of(actor.person)):
        command = TakeWagerBack(by=actor.person, at=0, place=stake.place, wager=stake.wager)
        await house.step(actor, live.name, command, f"{id}-back-{stake.place}-{stake.wager}")
