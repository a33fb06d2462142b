"""What somebody wants done at a table as soon as the round is over: limits for the next round, a seat that is freed.

An order is no record: it waits in the memory of this node, and becomes a command, with its id, once the table stands between two
rounds. A node that stops forgets what waits; whoever gave the order sees that it is gone, and gives it again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import msgspec

from longhu.house.names import AUTO_DEALER
from longhu.server.actor import Actor
from longhu.server.tables.dealing import deals
from longhu.server.tables.live import Live
from longhu.table.absence import FreeSeat
from longhu.table.acts import Command, Refusal
from longhu.table.calls import AbandonRound
from longhu.table.engine import decide
from longhu.table.opening import ChangeSettings
from longhu.table.people import GrantMaximum
from longhu.table.positions import Position, may_act_as
from longhu.table.state import Phase, Table, replace

if TYPE_CHECKING:
    from longhu.server.house import House

REMEMBERED = 20  # orders of a table, with what became of them
TRIES = 20  # that others were quicker
KINDS: tuple[type[Command], ...] = (ChangeSettings, FreeSeat, GrantMaximum)


class Order(msgspec.Struct, kw_only=True):
    """Something to be done between two rounds."""

    number: int
    by: str
    at: int  # milliseconds, UTC
    command: Command
    id: str
    state: str = "waiting"  # "done", "refused", "taken-back"
    says: str = ""  # why it was refused, and what can be done
    clause: str = ""
    tries: int = 0


class Orders:
    """The orders of all tables, as this node has them."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._of: dict[str, deque[Order]] = {}
        self._watched: set[str] = set()
        self._busy: set[str] = set()
        self._last = 0

    def of(self, table: str) -> list[Order]:
        """Newest first."""
        return list(self._of.get(table, ()))

    async def give(self, actor: Actor, live: Live, command: Command, id: str) -> Order | Refusal:
        """Done at once where no round is in progress; the same id is the same order."""
        known = next((each for each in self.of(live.id) if (each.by, each.id) == (actor.person, id)), None)
        if known is not None:
            return known
        if not isinstance(command, KINDS):
            return Refusal("this does not wait for the end of a round", "Give it as a command")
        if not may_act_as(actor.position, command.needs):
            return Refusal(f"a {actor.position.word} may not do this", f"Ask a {command.needs.word}", "SEC-1")
        refusal = _refused(live, actor, command)
        if refusal is not None:
            return refusal
        self._last += 1
        order = Order(number=self._last, by=actor.person, at=self._house.now(), command=command, id=id)
        self._of.setdefault(live.id, deque(maxlen=REMEMBERED)).appendleft(order)
        if live.id not in self._watched:
            self._watched.add(live.id)
            live.listen(lambda _: self._look(live))
        await self._carry_out(live)
        return order

    def take_back(self, table: str, number: int) -> Order | Refusal:
        order = next((each for each in self.of(table) if each.number == number), None)
        if order is None or order.state != "waiting":
            return Refusal(f"no order {number} waits at this table", "Look at the list again")
        order.state = "taken-back"
        return order

    def _waiting(self, table: str) -> list[Order]:
        return [each for each in reversed(self.of(table)) if each.state == "waiting"]

    def _look(self, live: Live) -> None:
        if self._waiting(live.id) and live.id not in self._busy and _is_between(live.state):
            self._house.spawn(self._carry_out(live), "an order")

    async def _carry_out(self, live: Live) -> None:
        """One order after the other, as long as the table stands between two rounds; then the next event is waited for."""
        if live.id in self._busy:
            return
        self._busy.add(live.id)
        try:
            while (waiting := self._waiting(live.id)) and _is_between(live.state):
                await self._try(live, waiting[0])
        finally:
            self._busy.discard(live.id)

    async def _try(self, live: Live, order: Order) -> None:
        account = await self._house.people.account(order.by)
        position = account.position if account is not None else Position.PATRON
        if order.state != "waiting" or not _is_between(live.state):
            return
        order.tries += 1
        actor = Actor(order.by, position)
        done: object = _refused(live, actor, order.command)
        if done is None:
            acts: list[Coroutine[Any, Any, object]] = []
            if live.state.round is not None:
                acts.append(live.step(AbandonRound(by=AUTO_DEALER, at=self._house.now(), position=Position.DEALER)))
            acts.append(self._house.act(actor, live.id, order.command, f"{order.id}-{order.tries}"))
            done = (await asyncio.gather(*acts))[-1]  # one right behind the other: nobody starts a round in between
            if isinstance(done, Refusal) and order.tries < TRIES and _refused(live, actor, order.command) is None:
                return  # somebody has started a round all the same
        if isinstance(done, Refusal):
            order.state, order.clause = "refused", done.clause
            order.says = ". ".join(filter(None, (done.reason, done.remedy)))
        else:
            order.state = "done"


def _refused(live: Live, actor: Actor, command: Command) -> Refusal | None:
    """Why the table would not do it, even if no round were in progress."""
    table = live.state
    staff = table.staff if actor.position < Position.DEALER else {**table.staff, actor.person: actor.position}
    between = replace(table, round=None, staff=staff)
    decision = decide(between, live.game, replace(command, by=actor.person, position=actor.position))
    return decision if isinstance(decision, Refusal) else None


def _is_between(table: Table) -> bool:
    """No round; or one that the house deals, in which nothing has happened yet: it can be put away."""
    round = table.round
    if round is None:
        return True
    return deals(table) and round.phase is Phase.BETTING and not round.stakes and not round.spoken
