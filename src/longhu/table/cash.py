"""Chips for cash and back, and the tray: fills and credits (OPS-1 to OPS-4)."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Posting, Transaction, moved
from longhu.messages.message import message_code
from longhu.money import AMOUNT_MAX, Amount, Money
from longhu.positions import Position
from longhu.table.messages import (
    AMOUNT_NOT_POSITIVE,
    ASK_POSITION,
    CHIPS_DO_NOT_ADD_UP,
    COUNT_AGAIN,
    NOT_AT_TABLE,
    NOT_ENOUGH_CHIPS,
    NOT_WHOLE_CHIPS,
    POSITION_TOO_LOW,
    TABLE_NOT_OPEN,
    TAKE_WHOLE_CHIPS,
    TAKE_WHOLE_CHIPS_OR_ALL,
    Command,
    decides,
    evolves,
)
from longhu.table.state import FloatRequest, Table

TRAY_SHORT = message_code("tray-short", short="money", held="money")
ASK_FOR_FILL = message_code("ask-for-fill")
UNKNOWN_CHIP_REQUEST = message_code("unknown-chip-request", kind="text")
TRAY_OUT_OF_RANGE = message_code("tray-out-of-range", amount="money", maximum="money")
ASK_FOR_LESS = message_code("ask-for-less")
NO_SUCH_CHIP_REQUEST = message_code("no-such-chip-request", number="number")
REQUESTED_IT_THEMSELVES = message_code("requested-it-themselves", person="person")
SOMEBODY_ELSE_APPROVES = message_code("somebody-else-approves")
VOID_CHIP_REQUEST = message_code("void-chip-request")
CHIPS_BOUGHT = message_code("chips-bought", patron="person")
CHIPS_CASHED = message_code("chips-cashed", patron="person")
CHIP_REQUEST_ACCEPTED = message_code("chip-request-accepted", kind="choice", number="number")

STAGES = ("requested", "approved", "delivered", "accepted")


class BuyIn(Command, frozen=True, kw_only=True, tag="buy-in/1"):
    """Chips for cash; the cash goes into the drop box."""

    needs: ClassVar[Position] = Position.DEALER

    patron: str
    amount: Amount


class ChipsBought(Event, frozen=True, kw_only=True, tag="chips-bought/1"):
    table: str
    patron: str
    amount: Amount

    def transactions(self) -> tuple[Transaction, ...]:
        postings = (
            Posting(f"world:{self.patron}", -self.amount),
            Posting(f"drop:{self.table}", self.amount),
            Posting(f"float:{self.table}", -self.amount),
            Posting(f"patron:{self.patron}", self.amount),
        )
        return (Transaction(CHIPS_BOUGHT(patron=self.patron), postings, clause="OPS-2"),)


class CashOut(Command, frozen=True, kw_only=True, tag="cash-out/1"):
    """A patron takes chips to the cage."""

    amount: Amount


class ChipsCashed(Event, frozen=True, kw_only=True, tag="chips-cashed/1"):
    patron: str
    amount: Amount

    def transactions(self) -> tuple[Transaction, ...]:
        what = CHIPS_CASHED(patron=self.patron)
        return (moved(what, self.amount, f"patron:{self.patron}", f"world:{self.patron}", clause="OPS-2"),)


class RequestChips(Command, frozen=True, kw_only=True, tag="request-chips/1"):
    """Ask for a fill of the tray, or for a credit of what is too much in it."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    kind: str
    amount: Amount
    chips: dict[Amount, int] = msgspec.field(default_factory=dict)  # how many of each value, where that is told


class AdvanceChipRequest(Command, frozen=True, kw_only=True, tag="advance-chip-request/1"):
    """Approve, deliver or accept a fill or credit: the next of the four acts (OPS-3)."""

    needs: ClassVar[Position] = Position.DEALER

    number: int


class VoidChipRequest(Command, frozen=True, kw_only=True, tag="void-chip-request/1"):
    """Take a request back before it is accepted."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    number: int


class ChipRequestMoved(Event, frozen=True, kw_only=True, tag="chip-request-moved/1"):
    """A step of a fill or credit; the chips move when it is accepted."""

    table: str
    request: FloatRequest

    def transactions(self) -> tuple[Transaction, ...]:
        if self.request.stage != "accepted":
            return ()
        ends = ("cage", f"float:{self.table}")
        source, target = ends if self.request.kind == "fill" else ends[::-1]
        what = CHIP_REQUEST_ACCEPTED(kind=self.request.kind, number=self.request.number)
        return (moved(what, self.request.amount, source, target, clause="OPS-3"),)


@decides(BuyIn)
def buy_in(table: Table, _game: Game, command: BuyIn) -> Decision:
    if table.settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if command.patron not in table.people:
        return Refusal(NOT_AT_TABLE(person=command.patron))
    if command.amount <= 0:
        return Refusal(AMOUNT_NOT_POSITIVE(amount=command.amount), clause="OPS-2")
    if not table.settings.whole(command.amount):
        unit = table.settings.chip_unit
        return Refusal(NOT_WHOLE_CHIPS(amount=command.amount, unit=unit), clause="OPS-2")
    held = table.balances.get(f"float:{table.settings.table}", Money(0))
    if command.amount > held:
        return Refusal(TRAY_SHORT(short=command.amount - held, held=held), ASK_FOR_FILL(), "OPS-2")
    return [ChipsBought(table=table.settings.table, patron=command.patron, amount=command.amount, **about(command))]


@decides(CashOut)
def cash_out(table: Table, _game: Game, command: CashOut) -> Decision:
    held = table.balances.get(f"patron:{command.by}", Money(0))
    if command.amount <= 0:
        return Refusal(AMOUNT_NOT_POSITIVE(amount=command.amount), clause="OPS-2")
    if command.amount > held:
        return Refusal(NOT_ENOUGH_CHIPS(patron=command.by, held=held), clause="OPS-2")
    if command.amount != held and table.settings is not None and not table.settings.whole(command.amount):
        return Refusal(
            NOT_WHOLE_CHIPS(amount=command.amount, unit=table.settings.chip_unit), TAKE_WHOLE_CHIPS_OR_ALL(), "OPS-2"
        )
    return [ChipsCashed(patron=command.by, amount=command.amount, **about(command))]


@evolves(ChipsBought, ChipsCashed)
def chips_changed(table: Table, _event: Event) -> Table:
    return table  # only money moved, and that is the ledger's


@decides(RequestChips)
def request_chips(table: Table, _game: Game, command: RequestChips) -> Decision:
    record, settings = table.float_record, table.settings
    if record is None or settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if command.kind not in ("fill", "credit"):
        return Refusal(UNKNOWN_CHIP_REQUEST(kind=command.kind), clause="OPS-3")
    if command.amount <= 0:
        return Refusal(AMOUNT_NOT_POSITIVE(amount=command.amount), clause="OPS-3")
    if not settings.whole(command.amount):
        return Refusal(NOT_WHOLE_CHIPS(amount=command.amount, unit=settings.chip_unit), TAKE_WHOLE_CHIPS(), "OPS-3")
    if command.amount > AMOUNT_MAX:
        return Refusal(TRAY_OUT_OF_RANGE(amount=command.amount, maximum=AMOUNT_MAX), ASK_FOR_LESS(), "OPS-3")
    if command.chips and not _comes_to(command.chips, command.amount):
        return Refusal(CHIPS_DO_NOT_ADD_UP(amount=command.amount), COUNT_AGAIN(), "OPS-3")
    number = record.last_request + 1
    request = FloatRequest(number, command.kind, command.amount, requested_by=command.by, chips=command.chips)
    return [ChipRequestMoved(table=settings.table, request=request, **about(command, "OPS-3"))]


def _comes_to(chips: dict[int, int], amount: int) -> bool:
    """Some of each value, and together the amount."""
    right = all(value > 0 and number > 0 for value, number in chips.items())
    return right and sum(value * number for value, number in chips.items()) == amount


@decides(AdvanceChipRequest)
def advance_chips(table: Table, _game: Game, command: AdvanceChipRequest) -> Decision:
    record, settings = table.float_record, table.settings
    request = record.requests.get(command.number) if record else None
    if request is None or settings is None:
        return Refusal(NO_SUCH_CHIP_REQUEST(number=command.number), clause="OPS-3")
    stage = STAGES[STAGES.index(request.stage) + 1]
    if stage == "approved" and command.position < Position.PIT_MANAGER:
        return Refusal(
            POSITION_TOO_LOW(position=command.position.value, needed=Position.PIT_MANAGER.value),
            ASK_POSITION(position=Position.PIT_MANAGER.value),
            "OPS-3",
        )
    if stage == "approved" and command.by == request.requested_by:
        return Refusal(REQUESTED_IT_THEMSELVES(person=command.by), SOMEBODY_ELSE_APPROVES(), "OPS-3")
    held = table.balances.get(f"float:{settings.table}", Money(0))
    if stage == "accepted" and request.kind == "credit" and request.amount > held:
        return Refusal(TRAY_SHORT(short=request.amount - held, held=held), VOID_CHIP_REQUEST(), "OPS-3")
    if stage == "accepted" and request.kind == "fill" and held + request.amount > AMOUNT_MAX:
        return Refusal(
            TRAY_OUT_OF_RANGE(amount=held + request.amount, maximum=AMOUNT_MAX), VOID_CHIP_REQUEST(), "OPS-3"
        )
    return [ChipRequestMoved(table=settings.table, request=replace(request, stage=stage), **about(command, "OPS-3"))]


@decides(VoidChipRequest)
def void_chips(table: Table, _game: Game, command: VoidChipRequest) -> Decision:
    record, settings = table.float_record, table.settings
    request = record.requests.get(command.number) if record else None
    if request is None or settings is None:
        return Refusal(NO_SUCH_CHIP_REQUEST(number=command.number), clause="OPS-3")
    return [ChipRequestMoved(table=settings.table, request=replace(request, stage="void"), **about(command, "OPS-3"))]


@evolves(ChipRequestMoved)
def chips_moved(table: Table, event: ChipRequestMoved) -> Table:
    record, request = table.float_record, event.request
    if record is None:
        return table
    requests = {**record.requests, request.number: request}
    if request.stage in ("accepted", "void"):
        del requests[request.number]
    accepted = request.amount if request.stage == "accepted" else 0
    return replace(
        table,
        float_record=replace(
            record,
            requests=requests,
            last_request=max(record.last_request, request.number),
            fills=record.fills + (accepted if request.kind == "fill" else 0),
            credits=record.credits + (accepted if request.kind == "credit" else 0),
        ),
    )
