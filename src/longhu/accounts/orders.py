"""What the pit wants done at a table as soon as its round is over: settings for the next round, a seat freed, a patron's maximum.

An order stands in the house's own log from the moment it is given, so every node sees it, and whichever drives the table when
the round ends carries it out. What became of it is put on record beside it; what it changed is in the trail of the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, about
from longhu.accounts.names import HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.state import HOUSE_LOG, HouseLog, Order, Orderable, Wait
from longhu.eventsourcing import Refusal
from longhu.messages.localization import english
from longhu.positions import Position, may_act_as

WAITING_MAX = 20  # orders that wait at one table
REMEMBERED = 20  # of each table, with what became of them


class GiveOrder(HouseCommand, frozen=True, kw_only=True, tag="give-order/1"):
    """Something shall be done at a table once its round is over."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR  # the command itself may need a higher one

    table: str
    asks: Orderable


class OrderGiven(HouseEvent, frozen=True, kw_only=True, tag="order-given/1"):
    number: int
    table: str
    asks: Orderable


class TakeOrderBack(HouseCommand, frozen=True, kw_only=True, tag="take-order-back/1"):
    """What still waits shall not be done."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    table: str
    number: int


class OrderTakenBack(HouseEvent, frozen=True, kw_only=True, tag="order-taken-back/1"):
    number: int
    table: str


class NoteOrder(HouseCommand, frozen=True, kw_only=True, tag="note-order/1"):
    """The table has done it, or its rules have refused it."""

    internal: ClassVar[bool] = True
    recorded: ClassVar[bool] = False  # two nodes that tell the same mean the same

    table: str
    number: int
    refusal: Refusal | None = None


class OrderDone(HouseEvent, frozen=True, kw_only=True, tag="order-done/1"):
    number: int
    table: str


class OrderRefused(HouseEvent, frozen=True, kw_only=True, tag="order-refused/1"):
    number: int
    table: str
    says: str  # why, and what can be done


def waiting(log: HouseLog, table: str) -> list[Order]:
    """The orders that wait at a table, the oldest first."""
    return [each for each in reversed(log.orders.get(table, ())) if each.state is Wait.WAITING]


def recalled(events: Iterable[HouseEvent]) -> Order | None:
    """An order that the log's state no longer remembers: the first of these events gave it, and one of the others ended it."""
    following = iter(events)
    given = next(following, None)
    if not isinstance(given, OrderGiven):
        return None
    log = order_given(HouseLog(), given)
    for event in following:
        if isinstance(event, OrderDone | OrderRefused | OrderTakenBack) and event.number == given.number:
            log = HOUSE_LOG.evolve(log, event)
            break
    return log.orders[given.table][0]


@HOUSE_LOG.decides(GiveOrder)
def give_order(log: HouseLog, _policy: Policy, command: GiveOrder) -> Decision:
    needed = command.asks.needs
    if command.by != HOUSE and not may_act_as(command.position, needed):
        return Refusal(f"a {command.position.word} may not do this", f"Ask a {needed.word}", "SEC-1")
    if len(waiting(log, command.table)) >= WAITING_MAX:
        return Refusal(f"{WAITING_MAX} orders wait at table {command.table}", "Take one of them back", "LOG-4")
    number = log.ordered + 1
    return [OrderGiven(number=number, table=command.table, asks=command.asks, **about(command, "LOG-4"))]


@HOUSE_LOG.evolves(OrderGiven)
def order_given(log: HouseLog, event: OrderGiven) -> HouseLog:
    order = Order(event.number, event.by, event.at, event.asks)
    return replace(_kept(log, event.table, (order, *log.orders.get(event.table, ()))), ordered=event.number)


def _kept(log: HouseLog, table: str, orders: tuple[Order, ...]) -> HouseLog:
    """All that wait, and as many of the others as are worth remembering."""
    over = [each for each in orders if each.state is not Wait.WAITING][REMEMBERED:]
    return replace(log, orders={**log.orders, table: tuple(each for each in orders if each not in over)})


@HOUSE_LOG.decides(TakeOrderBack)
def take_order_back(log: HouseLog, _policy: Policy, command: TakeOrderBack) -> Decision:
    refusal = _not_waiting(log, command.table, command.number)
    return refusal or [OrderTakenBack(number=command.number, table=command.table, **about(command, "LOG-4"))]


def _not_waiting(log: HouseLog, table: str, number: int) -> Refusal | None:
    if any(each.number == number for each in waiting(log, table)):
        return None
    return Refusal(f"no order {number} waits at this table", "Look at the list again", "LOG-4")


@HOUSE_LOG.evolves(OrderTakenBack)
def order_taken_back(log: HouseLog, event: OrderTakenBack) -> HouseLog:
    return _became(log, event.table, event.number, Wait.TAKEN_BACK)


@HOUSE_LOG.decides(NoteOrder)
def note_order(log: HouseLog, _policy: Policy, command: NoteOrder) -> Decision:
    not_waiting, number, table = _not_waiting(log, command.table, command.number), command.number, command.table
    if not_waiting is not None:
        return not_waiting
    refusal = command.refusal
    if refusal is None:
        return [OrderDone(number=number, table=table, **about(command, "LOG-4"))]
    says = " ".join(filter(None, (english(refusal.reason), english(refusal.remedy))))
    return [OrderRefused(number=number, table=table, says=says, **about(command, refusal.clause))]


@HOUSE_LOG.evolves(OrderDone)
def order_done(log: HouseLog, event: OrderDone) -> HouseLog:
    return _became(log, event.table, event.number, Wait.DONE)


@HOUSE_LOG.evolves(OrderRefused)
def order_refused(log: HouseLog, event: OrderRefused) -> HouseLog:
    return _became(log, event.table, event.number, Wait.REFUSED, event.says, event.clause)


def _became(log: HouseLog, table: str, number: int, state: Wait, says: str = "", clause: str = "") -> HouseLog:
    orders = log.orders.get(table, ())
    after = (replace(each, state=state, says=says, clause=clause) if each.number == number else each for each in orders)
    return _kept(log, table, tuple(after))
