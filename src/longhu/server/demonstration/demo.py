"""A demonstration: a house with a table of each game, staff of each position, guests and robots, all of it play money.

What is missing is made at the start, and nothing twice: started again on the same data, the house goes on as it was.

Robots arrive, buy chips, bet, squeeze, contribute to shuffles, and go for a walk. They act through the same `House.act` as people and
are patrons like others, with accounts of play money and names that nobody else can take. `habits` says what they want; this module
says when they do it. Of several nodes each moves the robots at the tables that it drives.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from math import inf
from random import Random
from uuid import uuid4

import msgspec

from longhu.accounts.wallet import PayIn
from longhu.eventsourcing import Refusal
from longhu.messages.localization import english
from longhu.messages.message import program_reason
from longhu.positions import Position
from longhu.server.accounts.passwords import PLAY
from longhu.server.config import BadConfig, TableConfig
from longhu.server.demonstration.habits import Habits, Seen, Wish, bets, habits, wishes
from longhu.server.house import House
from longhu.server.observability import log
from longhu.server.streams.commands import SYSTEM, Actor, StoreUnavailable, TableHalted
from longhu.server.streams.table_stream import TableStream
from longhu.server.tables.opening import setup
from longhu.store.errors import StoreError
from longhu.table.state import Phase

PASSWORD = PLAY  # of every account of the staff
ROBOT = "robot-"
EXEMPT = program_reason("demonstration-account")  # nobody signs for it, and everybody knows the password
ROBOT_MONEY = program_reason("robot-money")


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
    DemoAccount("cashier", "Cass, cage", Position.CAGE),
    DemoAccount("surveillance", "Sy, surveillance", Position.SURVEILLANCE),
    DemoAccount("auditor", "Alba, auditor", Position.AUDITOR),
)
NAMES = ("Mei", "Kai", "Lin", "Wen", "Bao", "Tao", "Ling", "Ming", "Hua", "Jun", "Fei", "Yan", "Rui", "Xin")
TABLES = (
    TableConfig(table="dragon-tiger", game="dragon-tiger", minimum="5.00", maximum="500.00"),
    TableConfig(
        table="dragon-21",
        game="dragon-21",
        minimum="5.00",
        maximum="500.00",
        favours_patrons=["dragon", "tiger"],  # as printed; a demonstration shows the game as it is
    ),
    TableConfig(table="immortal-dragon-tiger", game="immortal-dragon-tiger", minimum="10.00", maximum="1000.00"),
    TableConfig(table="dragon-bonus", game="dragon-bonus", minimum="10.00", maximum="1000.00"),
    TableConfig(table="dragon-bonus-online", game="dragon-bonus-online", minimum="1.00", maximum="100.00"),
    TableConfig(
        table="dealers-table",
        game="immortal-dragon-tiger",
        method="B",  # face up: whoever deals tells the cards
        dealer="human",
        device="hand-shoe",
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
        _agreed(await house.people.create(SYSTEM, person, name, password, position, why=EXEMPT))


async def _opened(house: House, told: TableConfig) -> None:
    """The table, with rules that the house has approved for it (RUL-4)."""
    if await house.stream(told.table) is not None:
        return
    made = setup(told, assumes=True)
    if not await house.house_log.approved(made.game.digest):
        why = "a demonstration plays every game"
        _agreed(await house.house_log.approve_game(SYSTEM, made.game, why, f"demo {made.game.digest}"))
    _agreed(await house.open_table(SYSTEM, made.game, made.settings, made.float))


def _agreed(answer: object) -> None:
    if isinstance(answer, Refusal):
        raise BadConfig(f"the demonstration cannot be set up: {english(answer.reason)} {english(answer.remedy)}")


# ------------------------------------------------ robots

FREE_SEATS = 2  # that robots leave to people
MOST = 4  # robots at one table
MOST_WITH_DEALERS = 4  # robots at all tables that people deal: the others are where rounds go on by themselves
USUAL_BETTING = 15.0  # seconds; where betting is quicker, robots are
WALK = (5.0, 40.0)  # seconds
FIRST_WALK = (0.0, 6.0)
BUYS = (60, 200)  # minimum wagers
LAST_CHIPS = 10  # minimum wagers: with less it goes
BOREDOM = 120.0  # seconds without a new round: then it goes
POCKET = 100_000_00  # minor units that a robot is given when it has spent what it had
MEMORY = 50  # things that it has asked for


class Robots:
    """All of them, each a task of the event loop."""

    def __init__(self, house: House, people: list[str], chance: Random) -> None:
        self.house = house
        door = asyncio.Lock()
        self._robots = [Robot(house, person, people, door, Random(chance.getrandbits(64))) for person in people]
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(each.live(), name=each.person) for each in self._robots]

    async def stop(self) -> None:
        """They are gone at once; their chips and wagers stay where they are."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class Robot:
    """One of them: it comes to a table, stays for a while, and goes for a walk."""

    def __init__(self, house: House, person: str, company: list[str], door: asyncio.Lock, chance: Random) -> None:
        self.house, self.person, self.chance = house, person, chance
        self.actor = Actor(person, Position.PATRON)
        self.tempo = house.config.betting_seconds / USUAL_BETTING
        self._company, self._door = frozenset(company), door  # one at a time, or two would take the last seat for them

    async def live(self) -> None:
        """For ever. Whatever goes wrong, it comes back after a while."""
        walk = FIRST_WALK
        while True:
            try:
                here = self._where()
                if here is None or not self.drives(here):
                    await asyncio.sleep(self.tempo * self.chance.uniform(*walk))
                    here = await self._arrive() if self._where() is None else None
                if here is not None:
                    await RobotVisit(self, here).stay()
            except (StoreUnavailable, TableHalted, StoreError) as error:
                log.info("a robot waits", robot=self.person, why=str(error))
                await asyncio.sleep(self.tempo)  # whatever is wrong is so for everybody, and lasts a while
            except Exception:
                log.exception("a robot failed", robot=self.person)
            walk = WALK

    def _where(self) -> TableStream | None:
        """Where it sits or stands, perhaps since before the server was started."""
        return next((each for each in self.house.tables.values() if self.person in each.state.people), None)

    def drives(self, table: TableStream) -> bool:
        """Does this node run the table?"""
        return table.name in self.house.leases.driven

    async def _arrive(self) -> TableStream | None:
        """A table with room, rather one with fewer robots; None where there is none, or it is not let in."""
        async with self._door:
            rooms = [each for each in self.house.tables.values() if self.drives(each) and self._has_room(each)]
            if not rooms:
                return None
            table = min(rooms, key=lambda each: (self._robots_at(each), self.chance.random()))
            buys = self._buys(table)
            await self._provide(buys)
            joined = await self.house.join(self.actor, table.name, self._free_seat(table), buys)
        if isinstance(joined, Refusal):
            await self.refused(joined)
            return None
        return table

    async def _provide(self, needed: int) -> None:
        """Play money, where the wallet has not so much."""
        if (await self.house.people.wallet(self.person) or 0) < needed:
            money = PayIn(amount=max(needed, POCKET), reference=ROBOT_MONEY)
            await self.house.people.act(SYSTEM, self.person, money, uuid4().hex)

    async def refused(self, refusal: Refusal) -> None:
        """A reality check is acknowledged, as a patron would (PLY-2); anything else is borne."""
        if refusal.clause == "PLY-2":
            await self.house.people.acknowledge(self.actor)

    def _robots_at(self, table: TableStream) -> int:
        return sum(each in self._company for each in table.state.people)

    def _robots_with_dealers(self) -> int:
        return sum(self._robots_at(each) for each in self.house.tables.values() if not _is_automatic(each))

    def _has_room(self, table: TableStream) -> bool:
        """Robots leave seats to people; where there are hardly any, one of them stands beside."""
        settings = table.state.settings
        if settings is None or table.state.suspended or table.state.stopped:
            return False
        if not _is_automatic(table) and self._robots_with_dealers() >= MOST_WITH_DEALERS:
            return False
        if settings.positions <= FREE_SEATS:
            return not self._robots_at(table)
        return self._robots_at(table) < MOST and len(_free_seats(table)) > FREE_SEATS

    def _free_seat(self, table: TableStream) -> int | None:
        free = _free_seats(table)
        return self.chance.choice(free) if len(free) > FREE_SEATS else None

    def _buys(self, table: TableStream) -> int:
        settings = table.state.settings
        if settings is None:
            return 0
        least = min(limit.min for limit in settings.limits.values())
        return least * self.chance.randint(*BUYS) // settings.chip_unit * settings.chip_unit


def _is_automatic(table: TableStream) -> bool:
    return table.state.settings is not None and table.state.settings.automatic_dealer


def _free_seats(table: TableStream) -> list[int]:
    settings = table.state.settings
    taken = {each.seat for each in table.state.people.values()}
    return [seat for seat in range(1, settings.positions + 1) if seat not in taken] if settings else []


class RobotVisit:
    """A robot at a table, from its arrival until it has had enough."""

    def __init__(self, robot: Robot, table: TableStream) -> None:
        self._robot, self._table, self._chance = robot, table, robot.chance
        self._habits: Habits = habits(robot.chance)
        self._rounds = 0  # that it has seen
        self._round = 0  # the last of them
        self._again = inf  # when it thinks again about a round in which nobody bets
        self._bored = self._boredom()  # when it goes, if no other round has begun
        self._due: dict[tuple[object, ...], tuple[float, Wish]] = {}
        self._asked: deque[tuple[object, ...]] = deque(maxlen=MEMORY)

    async def stay(self) -> None:
        """Look, do what is due, and otherwise wait until something happens or a time is up."""
        heard = asyncio.Event()
        deaf = self._table.listen(lambda _: heard.set())
        try:
            while self._robot.person in self._table.state.people and self._robot.drives(self._table):
                heard.clear()
                if self._has_had_enough() and await self._leaves():
                    return
                due, wish = self._wanted()
                if wish is not None and due <= _now():
                    await self._ask(wish)
                    continue
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(None if due == inf else due):
                        await heard.wait()
        finally:
            deaf()

    def _has_had_enough(self) -> bool:
        """So many rounds, none for long, or hardly any chips left; it goes only while nothing of its own is on the layout."""
        settings = self._table.state.settings
        if settings is None or self._plays():
            return False
        chips = self._table.state.balances.get(f"patron:{self._robot.person}", 0)
        least = min(limit.min for limit in settings.limits.values())
        return self._rounds > self._habits.rounds or self._bored <= _now() or chips < LAST_CHIPS * least

    def _plays(self) -> bool:
        round = self._table.state.round
        return round is not None and bool(round.stakes_of(self._robot.person))

    def _boredom(self) -> float:
        return _now() + self._robot.tempo * BOREDOM

    async def _leaves(self) -> bool:
        left = await self._robot.house.leave(self._robot.actor, self._table.name)
        self._rounds, self._bored = 0, self._boredom()  # who is kept back stays for another while
        return not isinstance(left, Refusal)

    def _wanted(self) -> tuple[float, Wish | None]:
        """What it does next and when, on the loop's clock; what it has once thought of stays at its time."""
        now, config, table = _now(), self._robot.house.config, self._table
        seen = Seen(
            table.state,
            table.game,
            self._robot.person,
            self._robot.house.now(),
            config.betting_seconds,
            config.contribution_seconds,
        )
        round = table.state.round
        betting = round is not None and round.phase is Phase.BETTING
        if round is not None and betting:
            self._think(seen, round.number, now)
        found = {each.about: each for each in wishes(seen, self._habits, self._chance)}
        for about, wish in found.items():
            self._due.setdefault(about, (now + self._robot.tempo * wish.seconds, wish))
        possible: list[tuple[float, Wish | None]] = [
            (due, wish)
            for about, (due, wish) in self._due.items()
            if about not in self._asked and (about in found or (betting and about[0] == "bet"))
        ]
        goes = inf if self._plays() else self._bored
        again = self._again if betting and not possible else inf
        return min([*possible, (min(goes, again), None)], key=lambda each: each[0])

    def _think(self, seen: Seen, number: int, now: float) -> None:
        """Which wagers to place: once for each round, and again where nobody bets and the round does not start."""
        if number == self._round and now < self._again:
            return
        if number != self._round:
            self._rounds += 1
            self._bored = self._boredom()
        self._round, self._again = number, now + seen.betting_seconds
        self._due = {each.about: (now + each.seconds, each) for each in bets(seen, self._habits, self._chance)}

    async def _ask(self, wish: Wish) -> None:
        """Once, whatever becomes of it."""
        self._asked.append(wish.about)
        done = await self._robot.house.act(self._robot.actor, self._table.name, wish.command, uuid4().hex)
        if isinstance(done, Refusal):
            await self._robot.refused(done)


def _now() -> float:
    return asyncio.get_running_loop().time()
