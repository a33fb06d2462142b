"""Houses for tests, without a network: opened in the test's own event loop, with tables, staff and patrons."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from longhu.accounts.wallet import PayIn
from longhu.audit.record import decode
from longhu.audit.report import VerificationReport
from longhu.audit.verify import verify
from longhu.eventsourcing import Event, Refusal
from longhu.positions import Position
from longhu.server.automation.shuffle_ceremony import Chance
from longhu.server.config import Config, TableConfig
from longhu.server.house import House
from longhu.server.streams.commands import SYSTEM, Actor, Committed
from longhu.server.streams.table_stream import AppliedTableEvent, TableStream
from longhu.server.tables.opening import setup
from longhu.server.timers import Clock
from longhu.store.integrity import proof_of
from longhu.store.interface import Store
from longhu.table.betting import PlaceWager
from longhu.table.messages import Command
from longhu.table.patrons_edge import patrons_edges
from longhu.table.state import Phase, Table
from tests.server.running import quick

WAITS = 20.0  # seconds after which a test that waits has failed
LEASES = 0.6  # seconds
MONEY = 1_000_000


@asynccontextmanager
async def a_house(
    database: str, *, starts: bool = True, clock: Clock | None = None, chance: Chance | None = None, **settings: Any
) -> AsyncIterator[House]:
    """A quick house of play money, started unless told otherwise."""
    config = cheap(quick(database, demo=True, **settings))
    house = await House.open(config, clock=clock, chance=chance, leases=LEASES)
    try:
        if starts:
            await house.start()
        yield house
    finally:
        await house.stop()


def cheap(config: Config) -> Config:
    """Passwords that cost little to check."""
    return replace(config, policy=replace(config.policy, hash_time=1, hash_memory_kib=64, hash_lanes=1))


async def a_table(house: House, game: str = "dragon-tiger", table: str = "T1", **told: Any) -> TableStream:
    """A table of an approved game; `told` is as the configuration tells it, or settings of the table."""
    of_config = {name: value for name, value in told.items() if name in TableConfig.__struct_fields__}
    made = setup(TableConfig(table=table, game=game, **of_config), assumes=True)  # a house of play money
    confirmed = {"favours_patrons": tuple(patrons_edges(made.game, made.settings))}
    settings = replace(made.settings, **{**confirmed, **{name: told[name] for name in told.keys() - of_config.keys()}})
    if not await house.house_log.approved(made.game.digest):
        done(await house.house_log.approve_game(SYSTEM, made.game, "for a test", uuid4().hex))
    done(await house.open_table(SYSTEM, made.game, settings, made.float))
    return house.tables[table]


async def a_patron(house: House, person: str, money: int = MONEY) -> Actor:
    """Somebody with so much in the account."""
    account = await house.people.create(SYSTEM, person, person, None)
    assert not isinstance(account, Refusal), account
    if money:
        done(await house.people.act(SYSTEM, person, PayIn(amount=money, reference="for a test"), uuid4().hex))
    return Actor(person, Position.PATRON)


async def staff(house: House, person: str, position: Position) -> Actor:
    account = await house.people.create(SYSTEM, person, person, None, position)
    assert not isinstance(account, Refusal), account
    return Actor(person, position)


def done(answer: Committed | Refusal | None) -> Committed:
    """It must have been done."""
    assert isinstance(answer, Committed), answer
    return answer


def refused(answer: object) -> Refusal:
    """It must have been refused."""
    assert isinstance(answer, Refusal), answer
    return answer


async def gives(
    house: House, actor: Actor, command: type[Command], table: str = "T1", **told: Any
) -> Committed | Refusal:
    """Somebody gives a command at a table."""
    return await house.act(actor, table, command(by=actor.person, at=0, **told), uuid4().hex)


async def bets(house: House, actor: Actor, wager: str, amount: int = 1000, table: str = "T1") -> Committed | Refusal:
    """Somebody wagers, at the own place."""
    seat = house.tables[table].state.people[actor.person].seat or 1
    return await gives(house, actor, PlaceWager, table, place=seat, wager=wager, amount=amount)


async def until(live: TableStream, holds: Callable[[Table], object]) -> Table:
    """Wait until something holds of the table as everybody may know it; nothing is polled."""
    reached: asyncio.Future[Table] = asyncio.get_running_loop().create_future()

    def look(happened: Any) -> None:
        for each in happened:
            if holds(each.after) and not reached.done():
                reached.set_result(each.after)

    stop = live.listen(look)
    try:
        if holds(live.state):
            return live.state
        async with asyncio.timeout(WAITS):
            return await reached
    finally:
        stop()


def betting(table: Table) -> bool:
    return table.round is not None and table.round.phase is Phase.BETTING


async def play(house: House, patrons: dict[Actor, str], rounds: int, table: str = "T1") -> Table:
    """So many rounds, in each of which these patrons bet the least on these wagers; somebody who holds a hand turns it over."""
    live = house.tables[table]
    for _ in range(rounds):
        state = await until(live, betting)
        number = state.round.number if state.round else 0
        for actor, wager in patrons.items():
            least = live.state.settings.least(wager) if live.state.settings else 0
            done(await bets(house, actor, wager, least, table))
        await until(live, lambda now, number=number: now.rounds == number and now.round is None)  # type: ignore[misc]
    return live.state


def names(happened: Sequence[AppliedTableEvent]) -> list[str]:
    return [type(each.event).__name__ for each in happened]


def recorded(house: House, table: str = "T1") -> list[Event]:
    """Every event of a table, as the store has it."""
    return [decode(line).event for line in house.store.records(table)]


def checked(store: Store, table: str = "T1") -> VerificationReport:
    """The whole trail of a table, verified as by a stranger."""
    return verify(proof_of(store, table))
