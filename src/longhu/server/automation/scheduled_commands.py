"""Scheduled commands: orders of the pit for the end of a round.

Orders are in the house log, so no node forgets them. Each becomes a command at its table once that is between two
rounds, under a key of its own: whichever nodes try, it is done once. The node that drives the table looks whenever something
happens there, and when it starts or takes the table over.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, get_args

from longhu.accounts.names import AUTO_DEALER, HOUSE_TRAIL
from longhu.accounts.orders import CancelScheduledCommand, NoteScheduledCommand, ScheduleCommand, recalled, waiting
from longhu.accounts.record import events
from longhu.accounts.state import Order, Orderable
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.server.accounts.house_log import HouseLogService
from longhu.server.accounts.people import People
from longhu.server.authorization import assign
from longhu.server.observability import log
from longhu.server.problems import ID_REUSED, TAKE_A_NEW_ID
from longhu.server.streams.commands import SYSTEM, Actor, Committed, StoreUnavailable
from longhu.server.streams.table_stream import TableStream
from longhu.server.timers import is_dealt_automatically
from longhu.store.errors import StoreError
from longhu.store.interface import Store
from longhu.table.betting_phase import AbandonRound
from longhu.table.engine import decide
from longhu.table.messages import Command
from longhu.table.state import Phase, Table, replace

NOT_ORDERABLE = message_code("not-orderable")
GIVE_AS_COMMAND = message_code("give-as-command")
ORDER_GONE = message_code("order-taken-back-long-ago")
SEE_HOUSE_LOG = message_code("see-house-log")

TRIES = 20  # that others were quicker
AGAIN = 1.0  # seconds, until an order is tried again that the store could not take
KINDS = get_args(Orderable)


class ScheduledCommands:
    """The orders of all tables, as this node sees and carries them out."""

    def __init__(
        self,
        store: Store,
        house_log: HouseLogService,
        people: People,
        tables: Mapping[str, TableStream],
        is_driven: Callable[[str], bool],
        now: Callable[[], int],
        spawn: Callable[[Coroutine[Any, Any, object], str], None],
    ) -> None:
        self._store, self._house_log, self._people, self._tables = store, house_log, people, tables
        self._is_driven, self._now = is_driven, now
        self._spawn = spawn  # starts a task that nobody waits for
        self._waiting: frozenset[str] = frozenset()  # the tables at which one waits, as far as is known here
        self._turns: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # one at a time at a table

    async def of(self, table: str) -> tuple[Order, ...]:
        """Newest first."""
        return (await self._house_log.state()).orders.get(table, ())

    async def give(self, actor: Actor, live: TableStream, command: Command, id: str) -> Order | Refusal:
        """Done at once where no round is in progress; the same id is the same order."""
        if not isinstance(command, KINDS):
            return Refusal(NOT_ORDERABLE(), GIVE_AS_COMMAND())
        order = ScheduleCommand(table=live.name, asks=replace(command, at=0))
        before = await self._house_log.before(actor, order, id)
        refusal = _refused(live, actor, command) if before is None else None
        if refusal is not None:
            return refusal
        given = before or await self._house_log.act(actor, order, id)
        if isinstance(given, Refusal):
            return given
        await self.look_at_all()
        await self._carry_out(live)
        return await self._recalled(given)

    async def _recalled(self, given: Committed) -> Order | Refusal:
        """What became of an order, however long ago it was given."""
        first = given.first - 1
        found = await asyncio.to_thread(lambda: recalled(events(self._store.records(HOUSE_TRAIL, first))))
        return found or Refusal(ID_REUSED(), TAKE_A_NEW_ID(), "REC-3")

    async def take_back(self, actor: Actor, live: TableStream, number: int, id: str) -> Order | Refusal:
        taken = await self._house_log.act(actor, CancelScheduledCommand(table=live.name, number=number), id)
        if isinstance(taken, Refusal):
            return taken
        found = next((each for each in await self.of(live.name) if each.number == number), None)
        return found or Refusal(ORDER_GONE(), SEE_HOUSE_LOG(), "LOG-4")

    # ------------------------------------------------ carrying them out

    async def look_at_all(self) -> None:
        """Somebody may have given orders, here or at another node."""
        log_state = await self._house_log.state()
        self._waiting = frozenset(table for table in log_state.orders if waiting(log_state, table))
        for table in self._waiting & self._tables.keys():
            self.look(self._tables[table])

    def look(self, live: TableStream) -> None:
        """Something has happened at a table; mostly no order waits there."""
        table = live.name
        if table not in self._waiting or self._turns[table].locked():
            return
        if self._is_driven(table) and _is_between(live.state):
            self._spawn(self._carry_out(live), "an order")

    async def _carry_out(self, live: TableStream) -> None:
        """One order after the other, as long as the table stands between two rounds; then the next event is waited for."""
        async with self._turns[live.name]:
            try:
                for _ in range(TRIES):
                    orders = waiting(await self._house_log.state(), live.name)
                    if not orders or not _is_between(live.state):
                        return
                    await self._try(live, orders[0])
            except (StoreUnavailable, StoreError) as error:
                log.warning("an order waits for the store", table=live.name, why=str(error))
        asyncio.get_running_loop().call_later(AGAIN, self.look, live)

    async def _try(self, live: TableStream, order: Order) -> None:
        """Nothing is noted where others were quicker: it is tried again."""
        key = f"auto-order:{order.number}"  # nobody is called so
        done = await live.previous(key) or await self._done(live, order, key)
        if done is not None:
            refusal = done if isinstance(done, Refusal) else None
            await self._house_log.act(
                SYSTEM,
                NoteScheduledCommand(table=live.name, number=order.number, refusal=refusal),
                f"order-{order.number}",
            )

    async def _done(self, live: TableStream, order: Order, key: str) -> object:
        account = await self._people.account(order.by)
        there = account is not None and not account.closed
        actor = Actor(order.by, account.position if account is not None and there else Position.PATRON)
        refusal = _refused(live, actor, order.command) or await assign(live, actor, self._now())
        if refusal is not None:
            return refusal
        command = replace(order.command, by=actor.person, position=actor.position, at=self._now())
        abandon = AbandonRound(by=AUTO_DEALER, at=self._now(), position=Position.DEALER)
        _, done = await asyncio.gather(  # in one batch: nobody starts a round in between
            live.propose(lambda snapshot: abandon if _is_empty_round(snapshot.state) else None),
            live.propose(lambda snapshot: command if snapshot.state.round is None else None, key=key),
        )
        return done


def _refused(live: TableStream, actor: Actor, command: Command) -> Refusal | None:
    """Why the table would not do it, even if no round were in progress."""
    table = live.state
    staff = {**table.staff, actor.person: actor.position} if actor.position.is_staff else table.staff
    between = replace(table, round=None, staff=staff)
    decision = decide(between, live.game, replace(command, by=actor.person, position=actor.position))
    return decision if isinstance(decision, Refusal) else None


def _is_between(table: Table) -> bool:
    """No round; or one that the house deals, in which nothing has happened yet: it can be put away."""
    return table.round is None or _is_empty_round(table)


def _is_empty_round(table: Table) -> bool:
    round = table.round
    if round is None or not is_dealt_automatically(table):
        return False
    return round.phase is Phase.BETTING and not round.stakes and not round.spoken
