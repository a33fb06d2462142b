"""A demonstration, in this process: what it seeds, and how alive its robots are. One evening is played, and looked at."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest

from longhu.audit.record import decode
from longhu.audit.verify import Verifier
from longhu.eventsourcing import Event
from longhu.server.accounts.sign_in import SignedIn
from longhu.server.config import Config, TableConfig
from longhu.server.demonstration.demo import (
    ACCOUNTS,
    FREE_SEATS,
    MOST,
    MOST_WITH_DEALERS,
    NAMES,
    PASSWORD,
    TABLES,
    demonstration,
)
from longhu.server.house import House
from longhu.server.streams.commands import SYSTEM, Committed
from longhu.server.tables.opening import setup
from longhu.store.address import open_store
from longhu.store.integrity import check_wallets, proof_of
from longhu.table.betting import WagerPlaced
from longhu.table.handling import CardSqueezed, CardsRevealed
from longhu.table.messages import CommandRefused
from longhu.table.opening import TableOpened
from longhu.table.people import PatronJoined, PatronLeft
from longhu.table.settling import RoundEnded
from longhu.table.shuffling import ContributionMade, CutMade
from tests.server.running import quick

PATIENCE = 60.0  # seconds
AUTOMATIC = [each.table for each in TABLES if each.dealer == "automatic"]
ROBOTS = {f"robot-{name.lower()}" for name in NAMES}


class Evening(msgspec.Struct):
    """What was left of two visits to the house: its records, by table, and who had accounts after each."""

    events: dict[str, list[Event]]
    first: set[str]  # accounts after the first visit
    second: set[str]
    crowd: dict[str, int]  # the most robots that were at each table at one time
    free: dict[str, int]  # the fewest seats that were left at each table
    signed_in: dict[str, SignedIn]
    wallets: int


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    database = tmp_path_factory.mktemp("demo") / "demo.db"
    config = quick(database, demo=True, betting_seconds=0.4, contribution_seconds=0.6, hash_memory_kib=64, hash_time=1)
    found = Evening({}, set(), set(), {}, {}, {}, 0)
    asyncio.run(_first_visit(config, found))
    asyncio.run(_second_visit(config, found))
    _look(database, found)
    return found


async def _first_visit(config: Config, found: Evening) -> None:
    """Until every table has played, and somebody has gone."""
    house = await House.open(config)
    try:
        await house.start()
        async with demonstration(house, Random(7)):
            gone: list[Event] = []
            for table in house.tables.values():
                table.listen(
                    lambda news: gone.extend(each.event for each in news if isinstance(each.event, PatronLeft))
                )
            await _until(
                house,
                lambda: bool(gone) and all(house.tables[id].state.rounds > 3 for id in AUTOMATIC),
                lambda: _count(house, found),
            )
        found.first = set(await house.people.names())
        for account in ACCOUNTS:
            signed = await house.people.sign_in(account.person, PASSWORD, "", "")
            assert isinstance(signed, SignedIn)
            found.signed_in[account.person] = signed
    finally:
        await house.stop()


async def _second_visit(config: Config, found: Evening) -> None:
    """On the same data: the rounds go on."""
    house = await House.open(config)
    try:
        await house.start()
        before = {id: table.state.rounds for id, table in house.tables.items()}
        async with demonstration(house, Random(8)):
            await _until(
                house,
                lambda: all(house.tables[id].state.rounds > before[id] + 1 for id in AUTOMATIC),
                lambda: _count(house, found),
            )
        found.second = set(await house.people.names())
    finally:
        await house.stop()


async def _until(house: House, holds: Callable[[], bool], look: Callable[[], None]) -> None:
    """Look at the room whenever something happens, until that holds."""
    happened = asyncio.Event()
    for table in house.tables.values():
        table.listen(lambda _: happened.set())
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await happened.wait()
            happened.clear()
            look()


def _count(house: House, found: Evening) -> None:
    for id, table in house.tables.items():
        people, settings = table.state.people, table.state.settings
        assert settings is not None
        seated = sum(each.seat is not None for each in people.values())
        found.crowd[id] = max(found.crowd.get(id, 0), len(people.keys() & ROBOTS))
        found.free[id] = min(found.free.get(id, 100), settings.positions - seated)


def _look(database: Path, found: Evening) -> None:
    store = open_store(database)
    try:
        for table in store.tables():
            found.events[table.table] = [decode(line).event for line in store.records(table.table)]
            verifier = Verifier()
            for line in proof_of(store, table.table):
                verifier.line(line)
            verifier.finish()
        found.wallets = check_wallets(store)
    finally:
        store.close()


def kinds(evening: Evening, table: str) -> Counter[type[Event]]:
    return Counter(type(each) for each in evening.events[table] if each.by in ROBOTS)


def test_there_is_a_table_of_each_game_and_one_for_a_dealer(evening: Evening) -> None:
    assert set(evening.events) == {each.table for each in TABLES}
    assert len({each.game for each in TABLES if each.dealer == "automatic"}) == 5
    (human,) = (each for each in TABLES if each.dealer == "human")
    opened = evening.events[human.table][0]
    assert isinstance(opened, TableOpened)
    assert not opened.settings.automatic_dealer
    assert not opened.settings.virtual_shoe


def test_staff_of_every_position_sign_in_with_the_password_that_is_shown(evening: Evening) -> None:
    held = {person: signed.account.position for person, signed in evening.signed_in.items()}
    assert held == {each.person: each.position for each in ACCOUNTS}
    assert all(signed.account.play_money for signed in evening.signed_in.values())


@pytest.mark.clause("REC-1")
def test_a_second_start_goes_on_and_seeds_nothing_twice(evening: Evening) -> None:
    assert evening.first == evening.second == {each.person for each in ACCOUNTS} | ROBOTS
    for events in evening.events.values():
        assert sum(isinstance(each, TableOpened) for each in events) == 1


@pytest.mark.parametrize("table", AUTOMATIC)
def test_robots_play_at_every_table(table: str, evening: Evening) -> None:
    done = kinds(evening, table)
    rounds = sum(isinstance(each, RoundEnded) for each in evening.events[table])
    assert rounds >= 4
    assert done[PatronJoined] > 0
    assert done[WagerPlaced] >= rounds / 2
    assert done[CommandRefused] <= sum(done.values()) / 20, "they hardly ever ask for what is not allowed"


def test_robots_contribute_cut_and_squeeze_where_patrons_do(evening: Evening) -> None:
    for table in ("dragon-tiger", "dragon-21", "immortal-dragon-tiger", "dragon-bonus"):
        assert kinds(evening, table)[ContributionMade] > 0, table
    assert kinds(evening, "dragon-21")[CutMade] > 0
    for table in ("immortal-dragon-tiger", "dragon-bonus"):
        done = kinds(evening, table)
        assert done[CardSqueezed] > done[CardsRevealed] > 0, table


def test_robots_stake_little_and_not_always_the_same(evening: Evening) -> None:
    stakes = [
        (table, each.added)
        for table, events in evening.events.items()
        for each in events
        if isinstance(each, WagerPlaced) and each.by in ROBOTS
    ]
    assert len({amount for _, amount in stakes}) > 5
    least = {each.table: round(100 * float(each.minimum)) for each in TABLES}
    assert all(amount <= 10 * least[table] for table, amount in stakes)


def test_robots_leave_seats_to_people(evening: Evening) -> None:
    for table, free in evening.free.items():
        assert free >= FREE_SEATS or (table == "dragon-bonus-online" and free == 1), table
        assert 0 < evening.crowd[table] <= MOST, table


def test_robots_do_not_wait_for_dealers_who_never_come(tmp_path: Path) -> None:
    """A room with many tables that nobody deals: rounds go on at those that deal by themselves, and nobody waits for ever."""
    config = quick(tmp_path / "demo.db", demo=True, betting_seconds=0.15, contribution_seconds=0.1)
    asyncio.run(_among_tables_without_a_dealer(config))


async def _among_tables_without_a_dealer(config: Config) -> None:
    house = await House.open(config)
    try:
        await house.start()
        async with demonstration(house, Random(9)):
            for nth in range(8):
                made = setup(
                    TableConfig(
                        table=f"idle-{nth}", game="dragon-tiger", dealer="human", device="hand-shoe", positions=2
                    ),
                    assumes=True,
                )
                assert isinstance(await house.open_table(SYSTEM, made.game, made.settings, made.float), Committed)
            idle = [table for id, table in house.tables.items() if id not in AUTOMATIC]
            crowds: list[int] = []
            bored: list[Event] = []
            for table in idle:
                table.listen(
                    lambda news: bored.extend(each.event for each in news if isinstance(each.event, PatronLeft))
                )
            await _until(
                house,
                lambda: len(bored) > len(ROBOTS) and all(house.tables[id].state.rounds > 15 for id in AUTOMATIC),
                lambda: crowds.append(sum(len(each.state.people.keys() & ROBOTS) for each in idle)),
            )
            assert max(crowds) == MOST_WITH_DEALERS
    finally:
        await house.stop()


@pytest.mark.clause("MON-1")
def test_every_wallet_is_what_its_postings_say(evening: Evening) -> None:
    assert evening.wallets == len(ROBOTS)
