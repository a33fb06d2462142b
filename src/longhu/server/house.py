"""The house: its tables, its people and its log on one store.

It holds the streams of all tables, drives those that no other node drives, and opens, closes and seats people at them.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from longhu.accounts.alerts import ALERT_TABLE_STOPPED, Significant, significant
from longhu.accounts.names import HOUSE_TRAIL, PERSON_TRAILS
from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.messages.localization import english
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.server.accounts.house_log import HouseLogService, running
from longhu.server.accounts.people import People
from longhu.server.authorization import OWN_COUNT, OWN_STAFF, AuthorizationCache, execute, unfit_id
from longhu.server.automation.automatic_dealer import AutomaticDealer
from longhu.server.automation.scheduled_commands import ScheduledCommands
from longhu.server.automation.shuffle_ceremony import Chance
from longhu.server.cluster.leases import LASTS, LEASE, Leases
from longhu.server.cluster.maintenance import Maintenance
from longhu.server.config import BadConfig, Config, TableConfig
from longhu.server.observability import log
from longhu.server.problems import CHOOSE_FROM_LIST, NO_SUCH_TABLE
from longhu.server.streams.commands import SYSTEM, Actor, Committed
from longhu.server.streams.table_stream import ALERT_TABLE_UNREADABLE, AppliedTableEvent, TableStream, staked
from longhu.server.tables import opening, visits
from longhu.server.tables.devices import Devices
from longhu.server.tables.opening import setup
from longhu.server.timers import Clock, DealerTiming, closes_at
from longhu.store.address import open_store
from longhu.store.errors import AlreadyExists
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Store
from longhu.store.mirror import Mirror
from longhu.table.messages import Command
from longhu.table.opening import OpenTable
from longhu.table.state import Settings

ALERT_COPY_FAULT = message_code("alert-second-copy-fault", detail="text")

DETAIL_MAX = 300  # characters of an error that an alert shows


class House:
    """A house on one store, as this node knows it. All of it belongs to one event loop."""

    def __init__(
        self,
        config: Config,
        store: Store,
        *,
        program: str = "",
        clock: Clock | None = None,
        chance: Chance | None = None,
        leases: float = LASTS,
    ) -> None:
        self.config, self.store = config, store
        self.clock, self.chance = clock or Clock(), chance or Chance()
        self.commits = GroupCommit(store)
        self.house_log = HouseLogService(store, self.commits, self.now, config.policy)
        self.people = People(store, self.commits, self.now, config.policy, self.house_log)
        self.authorizations = AuthorizationCache(self.people)
        self.tables: dict[str, TableStream] = {}
        self.timing = DealerTiming(
            betting=round(1000 * config.betting_seconds),
            act=round(1000 * config.pace_seconds),
            contribution=round(1000 * config.contribution_seconds),
        )
        self._program = program
        self._loading = asyncio.Lock()
        self.shuffling = asyncio.Lock()  # one new shoe at a time, where people ask for them
        self._tasks: set[asyncio.Task[Any]] = set()
        self.leases = Leases(
            config.node, store, self.now, self._open_tables, self._drive, self._woken, leases, self._is_known
        )
        self.maintenance = Maintenance(config, store, self.clock, self.house_log, self.people, self.tables, self.leases)
        self.scheduled = ScheduledCommands(
            store, self.house_log, self.people, self.tables, self._is_driven, self.now, self.spawn
        )
        self.devices = Devices(self)
        self.unopened: dict[str, Refusal] = {}  # tables of the configuration that could not be opened, and why
        self._copying: Mirror | None = None
        self._limits: dict[str, object] = {}  # of whoever has a limit on losses: those with which all tables were read

    @classmethod
    async def open(
        cls,
        config: Config,
        *,
        clock: Clock | None = None,
        chance: Chance | None = None,
        leases: float = LASTS,
    ) -> House:
        """A house that takes commands; it does nothing by itself until it is started."""
        store = await asyncio.to_thread(open_store, config.database)
        try:
            program = (await asyncio.to_thread(running)).digest
            house = cls(config, store, program=program, clock=clock, chance=chance, leases=leases)
        except BaseException:
            await asyncio.to_thread(store.close)
            raise
        try:
            await house._load()
        except BaseException:
            await house.stop()
            raise
        return house

    async def _load(self) -> None:
        for each in await asyncio.to_thread(self.store.tables):
            try:
                await self._loaded(each.table)
            except Exception as error:  # one table that cannot be read keeps nobody from the others
                log.exception("a table cannot be read", table=each.table)
                found = ALERT_TABLE_UNREADABLE(detail=f"{type(error).__name__}: {error}"[:DETAIL_MAX])
                self.alert(Significant.STOPPED, each.table, found)

    async def start(self) -> None:
        """Put on record what runs here, open the tables that are configured, and drive what no other node drives."""
        started = await self.house_log.record_start(self.config.node, version("longhu"))
        if isinstance(started, Refusal):
            raise BadConfig(f"{english(started.reason)} {english(started.remedy)}")
        for live in self.tables.values():
            self._check_money(live.name, live.game)
        for told in self.config.tables:
            await self._configured(told)
        if self.config.copy:
            await self._start_copying(Path(self.config.copy))
        await self.leases.start()
        self.maintenance.start()

    async def _start_copying(self, folder: Path) -> None:
        """Every record goes to a second place as well, once it is durable (LOG-2)."""
        loop = asyncio.get_running_loop()

        def fault(says: str) -> None:
            log.error("a second copy is not what it should be", why=says)
            found = ALERT_COPY_FAULT(detail=says[:DETAIL_MAX])
            loop.call_soon_threadsafe(self.alert, Significant.COPY_FAULT, "", found)

        copying = Mirror(self.store, folder, fault)
        try:
            await asyncio.to_thread(copying.start)
        except (AlreadyExists, OSError) as error:
            raise BadConfig(f"copy: {error}") from error
        self._copying = copying

    async def _configured(self, told: TableConfig) -> None:
        """Open a table of the configuration, where none of that name was ever opened."""
        live = await self.stream(told.table)
        if live is not None and live.sequence:
            return
        made = setup(told, assumes=self.config.demo)
        self._check_money(told.table, made.game)
        opened = await self.open_table(
            SYSTEM, made.game, made.settings, made.float, checked=made.checked, cards_counted=made.cards_counted
        )
        live = await self.stream(told.table)
        if isinstance(opened, Refusal) and not (live is not None and live.sequence):  # nor has another node
            self.unopened[told.table] = opened
            log.error("a table of the configuration cannot be opened", table=told.table, why=english(opened.reason))

    def _check_money(self, table: str, game: Game) -> None:
        refusal = opening.other_money(self.config.money, game)
        if refusal is not None:
            raise BadConfig(f"table {table}: {english(refusal.reason)} {english(refusal.remedy)}")

    async def stop(self) -> None:
        """Finish what is under way, give up the tables, and close the store."""
        await self.maintenance.stop()
        await self.leases.stop()
        for live in self.tables.values():
            await live.close()
        await self.idle()
        self.people.close()
        await self.commits.aclose()
        if self._copying is not None:
            await asyncio.to_thread(self._copying.stop)
        await asyncio.to_thread(self.store.close)

    def now(self) -> int:
        """Milliseconds, UTC: the one clock of this node."""
        return self.clock.now()

    def _is_driven(self, table: str) -> bool:
        return table in self.leases.driven

    def spawn(self, what: Coroutine[Any, Any, object], about: str) -> None:
        """Do something beside everything else; what goes wrong with it is logged."""

        async def tried() -> None:
            try:
                await what
            except Exception:
                log.exception("something failed beside everything else", about=about)

        task = asyncio.get_running_loop().create_task(tried())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def idle(self) -> None:
        """Wait until all of that is done."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def alert(self, kind: Significant, table: str, message: Message) -> None:
        """Something that somebody must look at (LOG-3)."""
        self.spawn(self.house_log.raise_alert(kind, table, message), "alert")

    def _table_stopped(self, table: str, why: str) -> None:
        self.alert(Significant.STOPPED, table, ALERT_TABLE_STOPPED(defect=why[:DETAIL_MAX]))

    # ------------------------------------------------ tables

    async def stream(self, table: str) -> TableStream | None:
        """A table by its name; None where there is none."""
        known = self.tables.get(table)
        if known is not None:
            return known
        if table not in [each.table for each in await asyncio.to_thread(self.store.tables)]:
            return None
        return await self._loaded(table)

    async def _loaded(self, table: str) -> TableStream:
        async with self._loading:
            known = self.tables.get(table)
            if known is None:
                known = await TableStream.load(
                    table,
                    self.store,
                    self.commits,
                    self.config.policy,
                    program=self._program,
                    alarm=self._table_stopped,
                )
                self.clock.seen(known.snapshot.last_at)
                known.listen(lambda applied: self._applied(table, applied))
                known.listen(lambda _: self.scheduled.look(known))
                self.tables[table] = known
        return known

    def _applied(self, table: str, applied: Sequence[AppliedTableEvent]) -> None:
        """The node that drives a table raises alerts for it."""
        self.clock.seen(applied[-1].event.at)
        if table not in self.leases.driven:
            return
        for each in applied:
            found = significant(each.event, self.config.policy.large_win)
            if found is not None:
                self.alert(found[0], table, found[1])

    def _open_tables(self) -> list[str]:
        return list(self.tables)

    def _drive(self, table: str) -> asyncio.Task[None]:
        driver = AutomaticDealer(
            self.tables[table],
            self.timing,
            self.chance,
            self.now,
            alert=lambda kind, message: self.alert(kind, table, message),
            may_start=lambda: self.maintenance.changed,
        )
        loop, live = asyncio.get_running_loop(), self.tables[table]
        if (source := live.state.source) is not None and source.connected:
            looks = partial(self.devices.look_after, live, source.heard)
            loop.call_later(2 * self.config.shoe_silent_seconds, lambda: self.spawn(looks(), "a device"))
        loop.call_soon(self.scheduled.look, self.tables[table])  # what waited while nobody drove it
        return loop.create_task(driver.run(), name=f"driver of {table}")

    def _is_known(self, trail: str, sequence: int) -> bool:
        live = self.tables.get(trail)
        return live is not None and sequence <= live.sequence

    def _woken(self, trail: str, sequence: int) -> None:
        """Somebody has appended, perhaps another node; "" says that anybody may have."""
        if trail in self.tables:
            self.tables[trail].follow(sequence)
        elif trail.startswith(PERSON_TRAILS):
            self.people.forget(trail, sequence)
        elif trail == HOUSE_TRAIL:
            self.house_log.forget(trail, sequence)
            self.spawn(self.scheduled.look_at_all(), "orders")
        elif trail:
            self.spawn(self._new_table(trail), "another node's table")
        else:
            self.people.forget("")
            self.house_log.forget("")
            self.spawn(self._look_at_everything(), "what other nodes wrote")

    async def _new_table(self, table: str) -> None:
        if await self.stream(table) is not None:
            self.leases.look()

    async def _look_at_everything(self) -> None:
        for live in tuple(self.tables.values()):
            await live.catch_up()
        for each in await asyncio.to_thread(self.store.tables):
            await self._new_table(each.table)
        await self.scheduled.look_at_all()

    def closes_at(self, table: str) -> int | None:
        """When betting closes by itself, milliseconds UTC; None where it does not, or waits for the first wager."""
        live = self.tables.get(table)
        closes = closes_at(live.state, self.timing.betting) if live else None
        return closes if closes is not None and closes > self.now() else None

    def countdown(self, live: TableStream) -> int | None:
        """Milliseconds until then."""
        closes = self.closes_at(live.name)
        return None if closes is None else max(0, closes - self.now())

    def driven(self) -> dict[str, bool]:
        """The tables that this node drives, and whether somebody acts for the house at each."""
        return {table: not driver.done() for table, driver in self.leases.driven.items()}

    def lease_of(self, table: str) -> str:
        """What the store calls the lease of whoever drives a table."""
        return LEASE + table

    # ------------------------------------------------ acting

    async def act(self, actor: Actor, table: str, command: Command, key: str) -> Committed | Refusal:
        """Give a command at a table by its name, now, under an id of its own."""
        return unfit_id(key) or await self.step(actor, table, command, key)

    async def step(self, actor: Actor, table: str, command: Command, key: str) -> Committed | Refusal:
        """The same for a step of something larger: its key follows from the id of that, and may be longer."""
        live = await self.stream(table)
        if live is None:
            return Refusal(NO_SUCH_TABLE(table=table[:80]), CHOOSE_FROM_LIST())
        return await execute(self, actor, live, replace(command, at=self.clock.now()), key)

    async def read_tables_for_limits(self, person: str) -> None:
        """What was on any layout when a loss limit was set counts for it: read on at every table once."""
        account = await self.people.account(person)
        limits = (account.limits, account.imposed) if account is not None else None
        if self._limits.get(person) != limits:
            await self.caught_up()
            self._limits[person] = limits

    async def caught_up(self) -> None:
        """Read on at every table: other nodes may have appended a moment ago."""
        await asyncio.gather(*(each.catch_up() for each in tuple(self.tables.values())))

    def staked(self, person: str) -> int:
        """What somebody has on the layouts of all tables."""
        return sum(staked(live.state, person) for live in self.tables.values() if person in live.state.people)

    # ------------------------------------------------ coming and going

    async def join(
        self, actor: Actor, table: str, seat: int | None, buy_in: int = 0, id: str = ""
    ) -> Committed | Refusal:
        """Come to a table, to a seat or standing, with chips for so much; without the chips, not at all."""
        return await visits.join(self, actor, table, seat, buy_in, id or _new_id())

    async def buy_chips(self, actor: Actor, table: str, amount: int, id: str = "") -> Committed | Refusal:
        """Chips from the account, at a table where one is."""
        return await visits.buy_chips(self, actor, table, amount, id or _new_id())

    async def leave(self, actor: Actor, table: str, id: str = "") -> Committed | Refusal:
        """Take back what may be taken back, take all chips to the account, and go."""
        return await visits.leave(self, actor, table, id or _new_id())

    async def open_table(
        self,
        actor: Actor,
        game: Game,
        settings: Settings,
        float_counted: int,
        counted_by: tuple[str, ...] = OWN_COUNT,
        id: str = "",
        *,
        staff: Mapping[str, Position] | None = None,
        chips: Mapping[int, int] | None = None,
        checked: tuple[str, ...] = (),
        cards_counted: int = 0,
    ) -> Committed | Refusal:
        """Open a table, a new one or one that is closed, with rules that the house has approved (RUL-4).

        The house's own staff is at every table, and counts the tray where nobody else does.
        """
        counting = {person: await self.people.account(person) for person in counted_by}
        known = {person: account.position for person, account in counting.items() if account is not None}
        command = OpenTable(
            by=actor.person,
            at=self.now(),
            position=actor.position,
            settings=settings,
            staff={**known, **(staff or {}), actor.person: actor.position, **OWN_STAFF},
            float_counted=float_counted,
            counted_by=counted_by,
            chips=dict(chips or {}),
            checked=checked,
            cards_counted=cards_counted,
        )
        return await opening.open_table(self, actor, game, command, id or _new_id())

    async def close_table(
        self,
        actor: Actor,
        table: str,
        *,
        float_counted: int | None = None,
        counted_by: tuple[str, ...] = OWN_COUNT,
        chips: Mapping[int, int] | None = None,
        id: str = "",
    ) -> Committed | Refusal:
        """Close a table between rounds, its last shuffle revealed; the tray is as the ledger says, where nobody counts it."""
        return await opening.close_table(
            self, actor, table, float_counted, counted_by, dict(chips or {}), id or _new_id()
        )

    async def new_shoe(self, actor: Actor, table: str, id: str = "") -> Committed | Refusal:
        """A dealer asks for another electronic shoe: the last is put away and revealed, and the next committed to.

        Patrons may contribute from then on; the house loads the shoe when their time is up.
        """
        return await opening.new_shoe(self, actor, table, id or _new_id())

    async def give_deal_back(self, actor: Actor, table: str, id: str = "") -> Committed | Refusal:
        """The house deals again at an automatic table where a person had taken the deal."""
        return await opening.give_deal_back(self, actor, table, id or _new_id())


def _new_id() -> str:
    return secrets.token_hex(12)
