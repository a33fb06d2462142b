"""What the pit wants done at a table as soon as its round is over: settings for the next round, a seat freed, a patron's maximum.

An order stands in the house's own log from the moment it is given, so every node sees it, and whichever drives the table when
the round ends carries it out. What became of it is put on record beside it; what it changed is in the trail of the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, about, too_low
from longhu.accounts.names import HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.state import HOUSE_LOG, HouseLog, Order, Orderable, Wait
from longhu.eventsourcing import Refusal
from longhu.messages.message import Message, message_code
from longhu.positions import Position

TOO_MANY_ORDERS = message_code("too-many-orders", table="text", maximum="number")
TAKE_ONE_BACK = message_code("take-one-order-back")
NO_SUCH_ORDER = message_code("no-such-order", number="text")
SEE_THE_LIST = message_code("see-the-list")

WAITING_MAX = 20  # orders that wait at one table
REMEMBERED = 20  # of each table, with what became of them


class ScheduleCommand(HouseCommand, frozen=True, kw_only=True, tag="schedule-command/1"):
    """Something shall be done at a table once its round is over."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR  # the command itself may need a higher one

    table: str
    asks: Orderable


class CommandScheduled(HouseEvent, frozen=True, kw_only=True, tag="command-scheduled/1"):
    number: int
    table: str
    asks: Orderable


class CancelScheduledCommand(HouseCommand, frozen=True, kw_only=True, tag="cancel-scheduled-command/1"):
    """What still waits shall not be done."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    table: str
    number: int


class ScheduledCommandCancelled(HouseEvent, frozen=True, kw_only=True, tag="scheduled-command-cancelled/1"):
    number: int
    table: str


class NoteScheduledCommand(HouseCommand, frozen=True, kw_only=True, tag="note-scheduled-command/1"):
    """The table has done it, or its rules have refused it."""

    internal: ClassVar[bool] = True
    recorded: ClassVar[bool] = False  # two nodes that tell the same mean the same

    table: str
    number: int
    refusal: Refusal | None = None


class ScheduledCommandDone(HouseEvent, frozen=True, kw_only=True, tag="scheduled-command-done/1"):
    number: int
    table: str


class ScheduledCommandRefused(HouseEvent, frozen=True, kw_only=True, tag="scheduled-command-refused/1"):
    number: int
    table: str
    reason: Message
    remedy: Message | None


def waiting(log: HouseLog, table: str) -> list[Order]:
    """The orders that wait at a table, the oldest first."""
    return [each for each in reversed(log.orders.get(table, ())) if each.state is Wait.WAITING]


def recalled(events: Iterable[HouseEvent]) -> Order | None:
    """An order that the log's state no longer remembers: the first of these events gave it, and one of the others ended it."""
    following = iter(events)
    given = next(following, None)
    if not isinstance(given, CommandScheduled):
        return None
    log = order_given(HouseLog(), given)
    for event in following:
        if (
            isinstance(event, ScheduledCommandDone | ScheduledCommandRefused | ScheduledCommandCancelled)
            and event.number == given.number
        ):
            log = HOUSE_LOG.evolve(log, event)
            break
    return log.orders[given.table][0]


@HOUSE_LOG.decides(ScheduleCommand)
def give_order(log: HouseLog, _policy: Policy, command: ScheduleCommand) -> Decision:
    needed = command.asks.needs
    if command.by != HOUSE and command.position < needed:
        return too_low(command.position, needed)
    if len(waiting(log, command.table)) >= WAITING_MAX:
        return Refusal(TOO_MANY_ORDERS(table=command.table, maximum=WAITING_MAX), TAKE_ONE_BACK(), "LOG-4")
    number = log.ordered + 1
    return [CommandScheduled(number=number, table=command.table, asks=command.asks, **about(command, "LOG-4"))]


@HOUSE_LOG.evolves(CommandScheduled)
def order_given(log: HouseLog, event: CommandScheduled) -> HouseLog:
    order = Order(event.number, event.by, event.at, event.asks)
    return replace(_kept(log, event.table, (order, *log.orders.get(event.table, ()))), ordered=event.number)


def _kept(log: HouseLog, table: str, orders: tuple[Order, ...]) -> HouseLog:
    """All that wait, and as many of the others as are worth remembering."""
    over = [each for each in orders if each.state is not Wait.WAITING][REMEMBERED:]
    return replace(log, orders={**log.orders, table: tuple(each for each in orders if each not in over)})


@HOUSE_LOG.decides(CancelScheduledCommand)
def take_order_back(log: HouseLog, _policy: Policy, command: CancelScheduledCommand) -> Decision:
    refusal = _not_waiting(log, command.table, command.number)
    return refusal or [ScheduledCommandCancelled(number=command.number, table=command.table, **about(command, "LOG-4"))]


def _not_waiting(log: HouseLog, table: str, number: int) -> Refusal | None:
    if any(each.number == number for each in waiting(log, table)):
        return None
    return Refusal(NO_SUCH_ORDER(number=str(number)), SEE_THE_LIST(), "LOG-4")


@HOUSE_LOG.evolves(ScheduledCommandCancelled)
def order_taken_back(log: HouseLog, event: ScheduledCommandCancelled) -> HouseLog:
    return _became(log, event.table, event.number, Wait.TAKEN_BACK)


@HOUSE_LOG.decides(NoteScheduledCommand)
def note_order(log: HouseLog, _policy: Policy, command: NoteScheduledCommand) -> Decision:
    not_waiting, number, table = _not_waiting(log, command.table, command.number), command.number, command.table
    if not_waiting is not None:
        return not_waiting
    refusal = command.refusal
    if refusal is None:
        return [ScheduledCommandDone(number=number, table=table, **about(command, "LOG-4"))]
    told = about(command, refusal.clause)
    return [ScheduledCommandRefused(number=number, table=table, reason=refusal.reason, remedy=refusal.remedy, **told)]


@HOUSE_LOG.evolves(ScheduledCommandDone)
def order_done(log: HouseLog, event: ScheduledCommandDone) -> HouseLog:
    return _became(log, event.table, event.number, Wait.DONE)


@HOUSE_LOG.evolves(ScheduledCommandRefused)
def order_refused(log: HouseLog, event: ScheduledCommandRefused) -> HouseLog:
    return _became(log, event.table, event.number, Wait.REFUSED, Refusal(event.reason, event.remedy, event.clause))


def _became(log: HouseLog, table: str, number: int, state: Wait, refusal: Refusal | None = None) -> HouseLog:
    orders = log.orders.get(table, ())
    after = (replace(each, state=state, refusal=refusal) if each.number == number else each for each in orders)
    return _kept(log, table, tuple(after))
