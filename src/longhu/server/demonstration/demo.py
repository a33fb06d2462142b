"""A demonstration: a house with a table of each game, staff of each position, guests and robots, all of it play money.

What is missing is made at the start, and nothing twice: started again on the same data, the house goes on as it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import msgspec

from longhu.eventsourcing import Refusal
from longhu.positions import Position
from longhu.server.accounts.passwords import PLAY
from longhu.server.actor import SYSTEM
from longhu.server.config import BadConfig, TableConfig
from longhu.server.demonstration.robots import Robots
from longhu.server.house import House
from longhu.server.tables.opening import setup

PASSWORD = PLAY  # of every account of the staff
ROBOT = "robot-"


class DemoAccount(msgspec.Struct, frozen=True):
    """One of the staff, for whoever wants to look at the house from there."""

    person: str
    name: str
    position: Position


ACCOUNTS = (
    DemoAccount("dealer", "Dee, dealer", Position.DEALER),
    DemoAccount("supervisor", "Sue, pit supervisor", Position.PIT_SUPERVISOR),
    DemoAccount("pit-manager", "Pat, pit manager", Position.PIT_MANAGER),
    DemoAccount("shift-manager", "Gus, gaming shift manager", Position.GAMING_SHIFT_MANAGER),
    DemoAccount("operator", "Olga, casino operator", Position.CASINO_OPERATOR),
    DemoAccount("auditor", "Alba, auditor", Position.AUDITOR),
)
NAMES = ("Mei", "Kai", "Lin", "Wen", "Bao", "Tao", "Ling", "Ming", "Hua", "Jun", "Fei", "Yan", "Rui", "Xin")
TABLES = (
    TableConfig(table="dragon-tiger", game="dragon-tiger", minimum="5.00", maximum="500.00"),
    TableConfig(table="dragon-21", game="dragon-21", minimum="5.00", maximum="500.00"),
    TableConfig(table="immortal-dragon-tiger", game="immortal-dragon-tiger", minimum="10.00", maximum="1000.00"),
    TableConfig(table="dragon-bonus", game="dragon-bonus", minimum="10.00", maximum="1000.00"),
    TableConfig(table="dragon-bonus-online", game="dragon-bonus-online", minimum="1.00", maximum="100.00"),
    TableConfig(
        table="dealers-table",
        game="immortal-dragon-tiger",
        method="B",  # face up: whoever deals tells the cards
        dealer="human",
        shoe="physical",
        minimum="5.00",
        maximum="500.00",
    ),
)


@asynccontextmanager
async def demonstration(house: House, chance: Random | None = None) -> AsyncIterator[Robots]:
    """Make what is missing, and let the robots in until the end; `chance` is theirs alone, never a shuffle's."""
    await asyncio.gather(*(_known(house, each.person, each.name, PASSWORD, each.position) for each in ACCOUNTS))
    for told in TABLES:
        await _opened(house, told)
    company = {ROBOT + name.lower(): f"{name}, robot" for name in NAMES}
    await asyncio.gather(*(_known(house, person, name, None) for person, name in company.items()))
    robots = Robots(house, list(company), chance or Random())
    robots.start()
    try:
        yield robots
    finally:
        await robots.stop()


async def _known(house: House, person: str, name: str, password: str | None, position: Position | None = None) -> None:
    if await house.people.account(person) is None:
        _agreed(await house.people.create(SYSTEM, person, name, password, position))


async def _opened(house: House, told: TableConfig) -> None:
    """The table, with rules that the house has approved for it (RUL-4)."""
    if await house.stream(told.table) is not None:
        return
    made = setup(told)
    if not await house.house_log.approved(made.game.digest):
        why = "a demonstration plays every game"
        _agreed(
            await house.house_log.approve_game(SYSTEM, made.game.digest, made.game.id, why, f"demo {made.game.digest}")
        )
    _agreed(await house.open_table(SYSTEM, made.game, made.settings, made.float))


def _agreed(answer: object) -> None:
    if isinstance(answer, Refusal):
        raise BadConfig(f"the demonstration cannot be set up: {answer.reason}. {answer.remedy}")
