"""The house: its tables, its people and its book on one store, and everything that somebody may ask of a table.

`act` is the one way in. It stamps who asks, when and in which position, asks what the house itself forbids (an account that may
not play, staff that no longer are), and hands the command to the table, whose rules decide.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from longhu.accounts.names import HOUSE_TRAIL, PERSON_TRAILS
from longhu.accounts.protection import too_much_at_risk
from longhu.accounts.significant import Significant, significant
from longhu.games.game import Game
from longhu.money import UNSTATED, Money, show
from longhu.server.actor import SYSTEM, Actor
from longhu.server.config import BadConfig, Config, TableConfig
from longhu.server.done import Done
from longhu.server.logs import log
from longhu.server.people.floor import Floor
from longhu.server.people.passes import Pass
from longhu.server.people.people import People
from longhu.server.people.program import running
from longhu.server.screens.wire import for_the_house
from longhu.server.tables import openings, visits
from longhu.server.tables.asked import NOBODY, Bounds
from longhu.server.tables.chores import Chores
from longhu.server.tables.clock import Clock
from longhu.server.tables.dealing import deals
from longhu.server.tables.driver import Driver
from longhu.server.tables.live import Live
from longhu.server.tables.moment import Happened
from longhu.server.tables.nodes import LASTS, LEASE, Nodes
from longhu.server.tables.orders import Orders
from longhu.server.tables.pace import Pace, closes_at
from longhu.server.tables.permission import at_stake, beneath, forbidden, staked_by, stamped, unfit_id, whose_stakes
from longhu.server.tables.setup import setup
from longhu.server.tables.shoes import Chance
from longhu.server.tables.staff import OWN_COUNT, OWN_STAFF, assigned, is_in_place
from longhu.server.tables.turns import Turns
from longhu.store.address import open_store
from longhu.store.copies import Copying
from longhu.store.entries import Lying
from longhu.store.errors import Exceeded, Short, Taken
from longhu.store.interface import Store
from longhu.store.scribe import Scribe
from longhu.store.writer import Writer, Writing
from longhu.table.acts import Command, Refusal
from longhu.table.betting import WagerPlaced
from longhu.table.calls import CallPlaceYourBets
from longhu.table.cash import BuyIn
from longhu.table.opening import OpenTable
from longhu.table.people import AssignStaff
from longhu.table.positions import Position
from longhu.table.settings import Settings

LOOKED_UP = frozenset([CallPlaceYourBets, BuyIn, AssignStaff])  # where something is asked of the store or of the chores


class House:
    """A house on one store, as this node knows it. All of it belongs to one event loop."""

    def __init__(
        self,
        config: Config,
        store: Store,
        *,
        form: str = "",
        clock: Clock | None = None,
        chance: Chance | None = None,
        leases: float = LASTS,
        writer: Writing | None = None,
    ) -> None:
        self.config, self.store = config, store
        self.clock, self.chance = clock or Clock(), chance or Chance()
        self.writer: Writing = writer or Writer(store)
        self.floor = Floor(store, self.writer, self.now, config.policy)
        self.people = People(store, self.writer, self.now, config.policy, self.floor)
        self.tables: dict[str, Live] = {}
        self.turns = Turns(self.writer)
        self.pace = Pace(
            betting=round(1000 * config.betting_seconds),
            act=round(1000 * config.pace_seconds),
            contribution=round(1000 * config.contribution_seconds),
        )
        self._form = form
        self._loading = asyncio.Lock()
        self.shuffling = asyncio.Lock()  # one new shoe at a time, where people ask for them
        self._tasks: set[asyncio.Task[Any]] = set()
        self.nodes = Nodes(
            config.node, store, self.now, self._open_tables, self._drive, self._woken, leases, self._is_known
        )
        self.chores = Chores(self)
        self.orders = Orders(self)
        self.unopened: dict[str, Refusal] = {}  # tables of the configuration that could not be opened, and why
        self._copying: Copying | None = None
        self._limits: dict[str, object] = {}  # of whoever has a limit on losses: those with which all tables were read

    @classmethod
    async def open(
        cls,
        config: Config,
        *,
        clock: Clock | None = None,
        chance: Chance | None = None,
        leases: float = LASTS,
        apart: bool = False,
    ) -> House:
        """A house that takes commands; it does nothing by itself until it is started. `apart` has a process of its own write."""
        store = await asyncio.to_thread(open_store, config.database)
        try:
            scribe = await Scribe.start(config.database) if apart else None
            form = (await asyncio.to_thread(running)).digest
            house = cls(config, store, form=form, clock=clock, chance=chance, leases=leases, writer=scribe)
        except BaseException:
            await asyncio.to_thread(store.close)
            raise
        try:
            await house._load()
            if scribe is not None:
                await scribe.opened()
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
                self.alert(
                    Significant.STOPPED, each.table, f"the table cannot be read: {type(error).__name__}: {error}"
                )

    async def start(self) -> None:
        """Put on record what runs here, open the tables that are configured, and drive what no other node drives."""
        started = await self.floor.record_start(self.config.node, version("longhu"))
        if isinstance(started, Refusal):
            raise BadConfig(f"{started.reason}. {started.remedy}")
        for live in self.tables.values():
            self._check_money(live.id, live.game)
        for told in self.config.tables:
            await self._configured(told)
        if self.config.copy:
            await self._start_copying(Path(self.config.copy))
        await self.nodes.start()
        self.chores.start()

    async def _start_copying(self, folder: Path) -> None:
        """Every record goes to a second place as well, once it is durable (LOG-2)."""
        loop = asyncio.get_running_loop()

        def fault(says: str) -> None:
            log.error("a second copy is not what it should be", why=says)
            loop.call_soon_threadsafe(self.alert, Significant.COPY_FAULT, "", says)

        copying = Copying(self.store, folder, fault)
        try:
            await asyncio.to_thread(copying.start)
        except (Taken, OSError) as error:
            raise BadConfig(f"copy: {error}") from error
        self._copying = copying

    async def _configured(self, told: TableConfig) -> None:
        """Open a table of the configuration, where none of that name was ever opened."""
        live = await self.live(told.table)
        if live is not None and live.durable.sequence:
            return
        made = setup(told)
        self._check_money(told.table, made.game)
        opened = await self.open_table(SYSTEM, made.game, made.settings, made.float)
        live = await self.live(told.table)
        if isinstance(opened, Refusal) and not (live is not None and live.durable.sequence):  # nor has another node
            self.unopened[told.table] = opened
            log.error("a table of the configuration cannot be opened", table=told.table, why=opened.reason)

    def _check_money(self, table: str, game: Game) -> None:
        refusal = openings.other_money(self.config.money, game)
        if refusal is not None:
            raise BadConfig(f"table {table}: {refusal.reason}. {refusal.remedy}")

    async def stop(self) -> None:
        """Finish what is under way, give up the tables, and close the store."""
        await self.chores.stop()
        await self.nodes.stop()
        for live in self.tables.values():
            await live.close()
        await self.idle()
        self.people.close()
        await self.writer.ended()
        if self._copying is not None:
            await asyncio.to_thread(self._copying.stop)
        await asyncio.to_thread(self.store.close)

    def now(self) -> int:
        """Milliseconds, UTC: the one clock of this node."""
        return self.clock.now()

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

    def alert(self, kind: Significant, table: str, says: str) -> None:
        """Something that somebody must look at (LOG-3)."""
        self.spawn(self.floor.raise_alert(kind, table, says), "alert")

    # ------------------------------------------------ tables

    async def live(self, table: str) -> Live | None:
        """A table by its name; None where there is none."""
        known = self.tables.get(table)
        if known is not None:
            return known
        if table not in [each.table for each in await asyncio.to_thread(self.store.tables)]:
            return None
        return await self._loaded(table)

    async def _loaded(self, table: str) -> Live:
        async with self._loading:
            known = self.tables.get(table)
            if known is None:
                known = await Live.load(
                    table,
                    self.store,
                    self.writer,
                    self._form,
                    lambda table, says: self.alert(Significant.STOPPED, table, says),
                    self.turns,
                )
                self.clock.seen(known.durable.last_at)
                known.listen(lambda happened: self._happened(table, happened))
                known.listen(lambda _: self.orders.look(known))
                self.tables[table] = known
        return known

    def _happened(self, table: str, happened: Sequence[Happened]) -> None:
        """Whoever drives a table reports what somebody must have seen."""
        self.clock.seen(happened[-1].event.at)
        if table not in self.nodes.driven:
            return
        for each in happened:
            if type(each.event) is WagerPlaced:  # as most are
                continue
            found = significant(each.event, self.config.policy.large_win, self.tables[table].game.currency or UNSTATED)
            if found is not None:
                self.alert(found[0], table, found[1])

    def _open_tables(self) -> list[str]:
        return list(self.tables)

    def _drive(self, table: str) -> asyncio.Task[None]:
        driver = Driver(
            self.tables[table],
            self.pace,
            self.chance,
            self.now,
            alert=lambda kind, says: self.alert(kind, table, says),
            may_start=lambda: self.chores.changed,
        )
        loop = asyncio.get_running_loop()
        loop.call_soon(self.orders.look, self.tables[table])  # what waited while nobody drove it
        return loop.create_task(driver.run(), name=f"driver of {table}")

    def _is_known(self, trail: str, sequence: int) -> bool:
        live = self.tables.get(trail)
        return live is not None and sequence <= live.sequence

    def _woken(self, trail: str, sequence: int) -> None:
        """Somebody has appended, perhaps another node; "" says that anybody may have."""
        if trail in self.tables:
            self.tables[trail].noticed(sequence)
        elif trail.startswith(PERSON_TRAILS):
            self.people.forget(trail, sequence)
        elif trail == HOUSE_TRAIL:
            self.floor.forget(trail, sequence)
            self.spawn(self.orders.look_at_all(), "orders")
        elif trail:
            self.spawn(self._new_table(trail), "another node's table")
        else:
            self.people.forget("")
            self.floor.forget("")
            self.spawn(self._look_at_everything(), "what other nodes wrote")

    async def _new_table(self, table: str) -> None:
        if await self.live(table) is not None:
            self.nodes.look()

    async def _look_at_everything(self) -> None:
        for live in tuple(self.tables.values()):
            await live.catch_up()
        for each in await asyncio.to_thread(self.store.tables):
            await self._new_table(each.table)
        await self.orders.look_at_all()

    def closes_at(self, table: str) -> int | None:
        """When betting closes by itself, milliseconds UTC; None where it does not, or waits for the first wager."""
        live = self.tables.get(table)
        closes = closes_at(live.durable.state, self.pace.betting) if live and deals(live.durable.state) else None
        return closes if closes is not None and closes > self.now() else None

    def countdown(self, live: Live) -> int | None:
        """Milliseconds until then."""
        closes = self.closes_at(live.id)
        return None if closes is None else max(0, closes - self.now())

    def driven(self) -> dict[str, bool]:
        """The tables that this node drives, and whether somebody acts for the house at each."""
        return {table: not driver.done() for table, driver in self.nodes.driven.items()}

    def lease_of(self, table: str) -> str:
        """What the store calls the lease of whoever drives a table."""
        return LEASE + table

    # ------------------------------------------------ acting

    async def act(self, actor: Actor, table: str, command: Command, id: str) -> Done | Refusal:
        """What somebody asks of a table: done and durable, or the reason why not. Sent twice with one id, it is done once.

        `Busy` where the store cannot take it now, `Stopped` by a defect.
        """
        live = await self.live(table)
        if live is None:
            return Refusal(f"there is no table {table[:80]!r}", "Choose one of those in the list")
        kept = for_the_house(live.state, command) if actor != SYSTEM else None
        refusal = unfit_id(id) or (kept and (beneath(actor, command, live.game) or kept))
        if refusal is None:
            command = stamped(actor, command, self.now())
            refusal = await self._refused(live, actor, command)
        if refusal is not None:
            return await live.before(actor.own(id)) or refusal
        return await self.do(live, command, actor.own(id), await self._bounds(live, command))

    async def _bounds(self, live: Live, command: Command) -> Bounds:
        """What those may lose who have a limit on it, and whose stakes the command may change; and what they have elsewhere."""
        found = {person: await self.people.bounds(person, command.at) for person in whose_stakes(command)}
        limited = {person: bounds for person, bounds in found.items() if bounds}
        for person in limited:
            await self._heard(person)
        return {person: (bounds, self._lying(person, live)) for person, bounds in limited.items()}

    async def _heard(self, person: str) -> None:
        """What lay on any layout when a limit was set counts for it: read on at every table once, as others may have written there."""
        account = await self.people.account(person)
        limits = (account.limits, account.imposed) if account is not None else None
        if self._limits.get(person) != limits:
            await self.caught_up()
            self._limits[person] = limits

    async def caught_up(self) -> None:
        """Read on at every table: others may have written there a moment ago."""
        await asyncio.gather(*(each.catch_up() for each in tuple(self.tables.values())))

    def _lying(self, person: str, besides: Live) -> tuple[Lying, ...]:
        rounds = [(live.id, live.state.round) for live in self.tables.values() if live is not besides]
        found = [Lying(table, round.number, staked_by(round, person)) for table, round in rounds if round is not None]
        return tuple(each for each in found if each.staked)

    async def _refused(self, live: Live, actor: Actor, command: Command) -> Refusal | None:
        """What the house forbids, whatever the rules of the table say."""
        refusal = forbidden(actor, command)
        if refusal is not None:
            return refusal
        if isinstance(command, CallPlaceYourBets) and self.chores.changed is not None:
            return self.chores.changed
        if isinstance(command, BuyIn) and await self.people.account(command.patron) is not None:
            return Refusal(f"{command.patron} pays from an account", "The patron buys the chips", "MON-3")
        if isinstance(command, AssignStaff) and not await self._is_staff(command.person):
            return Refusal(f"{command.person} is no staff of this house", "Give the account a position first", "SEC-1")
        for person, stake in at_stake(command):
            refusal = await self._may_play(person, command.at, stake)
            if refusal is not None:
                return refusal
        return None if is_in_place(live.state, actor) else await assigned(live, actor, command.at)

    def admits(self, live: Live, holder: Pass, command: Command) -> bool:
        """Is it known, without asking anybody, that the house forbids nothing of this? False says nothing: ask `act`."""
        actor, table = holder.actor, live.state
        if type(command) in LOOKED_UP or for_the_house(table, command) is not None:
            return False
        for person in whose_stakes(command):
            if person != actor.person or not holder.plays:
                return False
        return forbidden(actor, command) is None and is_in_place(table, actor)

    async def _is_staff(self, person: str) -> bool:
        account = await self.people.account(person)
        return account is not None and account.position is not Position.PATRON

    async def _may_play(self, person: str, at: int, stake: int) -> Refusal | None:
        """Whether an account may play with so much more than it has on the layouts."""
        return await self.people.may_play(person, at, stake, lambda: self.staked(person))

    def staked(self, person: str) -> int:
        """What somebody has on the layouts of all tables."""
        states = [live.state for live in self.tables.values() if person in live.state.people]
        return sum(staked_by(each.round, person) for each in states if each.round is not None)

    async def do(self, live: Live, command: Command, id: str, bounds: Bounds = NOBODY) -> Done | Refusal:
        """Hand a command to a table; a wallet that has too little is a refusal like others, and so is a limit on losses."""
        try:
            return await live.do(command, id, bounds)
        except Exceeded as over:
            return too_much_at_risk(self.config.policy, over.staked, over.most, over.most - over.lost)
        except Short as short:
            return too_little(live, short)

    # ------------------------------------------------ coming and going

    async def join(self, actor: Actor, table: str, seat: int | None, buy_in: int = 0, id: str = "") -> Done | Refusal:
        """Come to a table, to a seat or standing, with chips for so much; without the chips, not at all."""
        return await visits.join(self, actor, table, seat, buy_in, id or _new_id())

    async def buy_chips(self, actor: Actor, table: str, amount: int, id: str = "") -> Done | Refusal:
        """Chips from the account, at a table where one is."""
        return await visits.buy_chips(self, actor, table, amount, id or _new_id())

    async def leave(self, actor: Actor, table: str, id: str = "") -> Done | Refusal:
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
    ) -> Done | Refusal:
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
        )
        return await openings.open_table(self, actor, game, command, id or _new_id())

    async def close_table(
        self,
        actor: Actor,
        table: str,
        *,
        float_counted: int | None = None,
        counted_by: tuple[str, ...] = OWN_COUNT,
        chips: Mapping[int, int] | None = None,
        id: str = "",
    ) -> Done | Refusal:
        """Close a table between rounds, its last shuffle revealed; the tray is as the ledger says, where nobody counts it."""
        return await openings.close_table(
            self, actor, table, float_counted, counted_by, dict(chips or {}), id or _new_id()
        )

    async def new_shoe(self, actor: Actor, table: str, id: str = "") -> Done | Refusal:
        """A dealer asks for another electronic shoe: the last is put away and revealed, and the next committed to.

        Patrons may contribute from then on; the house loads the shoe when their time is up.
        """
        return await openings.new_shoe(self, actor, table, id or _new_id())

    async def give_deal_back(self, actor: Actor, table: str, id: str = "") -> Done | Refusal:
        """The house deals again at an automatic table where a person had taken the deal."""
        return await openings.give_deal_back(self, actor, table, id or _new_id())


def too_little(live: Live, short: Short) -> Refusal:
    held = show(Money(short.balance), live.game.currency or UNSTATED)
    return Refusal(f"{short.person} has {held} in the account", "Take less, or deposit first", "MON-3")


def _new_id() -> str:
    return secrets.token_hex(12)
