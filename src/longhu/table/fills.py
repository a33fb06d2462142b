"""Fills and credits: chips come from the cage to the tray, or go back there, through the hands of four people (OPS-3).

The pit asks, one end gives the chips out, a runner carries them, and the other end counts and receives them. A fill comes from the
cage to the dealer who has the deal; a credit goes the other way. Nobody takes part twice, whatever they rank, and only the count at
the end moves money.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Transaction, moved
from longhu.messages.message import message_code
from longhu.money import AMOUNT_MAX, Amount
from longhu.positions import Position
from longhu.table.cash import TRAY_OUT_OF_RANGE, in_tray, tray_short
from longhu.table.messages import (
    AMOUNT_NOT_POSITIVE,
    ASK_POSITION,
    CHIPS_DO_NOT_ADD_UP,
    CHIPS_NOT_COUNTED,
    COUNT_AGAIN,
    COUNT_BY_VALUE,
    GIVE_REASON,
    NOT_WHOLE_CHIPS,
    POSITION_TOO_LOW,
    REASON_MISSING,
    TABLE_NOT_OPEN,
    TAKE_WHOLE_CHIPS,
    Command,
    decides,
    evolves,
)
from longhu.table.state import ChipRequest, Settings, Table

UNKNOWN_CHIP_REQUEST = message_code("unknown-chip-request", kind="text")
ASK_FOR_LESS = message_code("ask-for-less")
NO_SUCH_CHIP_REQUEST = message_code("no-such-chip-request", number="number")
CHIP_REQUEST_STANDS_AT = message_code("chip-request-stands-at", kind="choice", number="number", stage="choice")
FOLLOW_THE_STEPS = message_code("follow-the-steps")
TOOK_PART_ALREADY = message_code("took-part-already", person="person", step="choice")
SOMEBODY_ELSE_DOES_THIS = message_code("somebody-else-does-this")
NOT_THE_CAGE = message_code("not-the-cage", kind="choice", position="position")
CAGE_DOES_THIS = message_code("cage-does-this")
NOT_THE_DEALER = message_code("not-the-dealer", person="person")
DEALER_DOES_THIS = message_code("dealer-does-this")
VOID_CHIP_REQUEST = message_code("void-chip-request")
CHIP_REQUEST_ACCEPTED = message_code("chip-request-accepted", kind="choice", number="number")

Kind = Literal["fill", "credit"]
ENDS = ("accepted", "void")  # stages after which nothing is under way


class RequestChips(Command, frozen=True, kw_only=True, tag="request-chips/1"):
    """Ask for a fill of the tray, or for a credit of what is too much in it."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    kind: str
    amount: Amount
    chips: dict[Amount, int] = msgspec.field(default_factory=dict)  # how many of each value


class IssueChips(Command, frozen=True, kw_only=True, tag="issue-chips/1"):
    """Give the chips out: the cage for a fill, the dealer for a credit."""

    needs: ClassVar[Position] = Position.DEALER
    also_by: ClassVar[tuple[Position, ...]] = (Position.CAGE,)

    number: int


class DeliverChips(Command, frozen=True, kw_only=True, tag="deliver-chips/1"):
    """Carry the chips to the other end: anybody of the floor's staff who had no part in it."""

    needs: ClassVar[Position] = Position.DEALER

    number: int


class AcceptChips(Command, frozen=True, kw_only=True, tag="accept-chips/1"):
    """Count the chips and receive them: the dealer a fill, the cage a credit. They count without being told how many were asked for."""

    needs: ClassVar[Position] = Position.DEALER
    also_by: ClassVar[tuple[Position, ...]] = (Position.CAGE,)
    blind: ClassVar[bool] = True

    number: int
    chips: dict[Amount, int] = msgspec.field(default_factory=dict)  # how many of each value were counted


class RecountChips(Command, frozen=True, kw_only=True, tag="recount-chips/1"):
    """Have chips counted once more, where a count differed from the request."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    number: int


class VoidChipRequest(Command, frozen=True, kw_only=True, tag="void-chip-request/1"):
    """Take a request back before it is accepted; once chips are out, whoever gave them says that they are back."""

    needs: ClassVar[Position] = Position.DEALER
    also_by: ClassVar[tuple[Position, ...]] = (Position.CAGE,)

    number: int
    reason: str = ""


class ChipRequestMoved(Event, frozen=True, kw_only=True, tag="chip-request-moved/1"):
    """A step of a fill or credit; the chips move when it is accepted."""

    table: str
    request: ChipRequest

    def transactions(self) -> tuple[Transaction, ...]:
        if self.request.stage != "accepted":
            return ()
        ends = ("cage", f"float:{self.table}")
        source, target = ends if self.request.kind == "fill" else ends[::-1]
        what = CHIP_REQUEST_ACCEPTED(kind=self.request.kind, number=self.request.number)
        return (moved(what, self.request.amount, source, target, clause="OPS-3"),)


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
    if settings.chips == "physical" and not command.chips:
        return Refusal(CHIPS_NOT_COUNTED(), COUNT_BY_VALUE(), "OPS-3")
    if command.chips and not _comes_to(command.chips, command.amount):
        return Refusal(CHIPS_DO_NOT_ADD_UP(amount=command.amount), COUNT_AGAIN(), "OPS-3")
    number = record.last_request + 1
    request = ChipRequest(
        number=number, kind=command.kind, amount=command.amount, requested_by=command.by, chips=command.chips
    )
    return [ChipRequestMoved(table=settings.table, request=request, **about(command, "OPS-3"))]


def _comes_to(chips: Mapping[int, int], amount: int) -> bool:
    """Some of each value, and together the amount."""
    right = all(value > 0 and number > 0 for value, number in chips.items())
    return right and sum(value * number for value, number in chips.items()) == amount


@decides(IssueChips)
def issue_chips(table: Table, _game: Game, command: IssueChips) -> Decision:
    request = _at(table, command.number, "requested")
    if isinstance(request, Refusal):
        return request
    refusal = _wrong_end(table, request, command, of_tray=request.kind == "credit") or _again(request, command.by)
    if refusal is not None:
        return refusal
    return _moved(table, command, replace(request, stage="issued", issued_by=command.by))


@decides(DeliverChips)
def deliver_chips(table: Table, _game: Game, command: DeliverChips) -> Decision:
    request = _at(table, command.number, "issued")
    if isinstance(request, Refusal):
        return request
    refusal = _again(request, command.by)
    if refusal is not None:
        return refusal
    return _moved(table, command, replace(request, stage="delivered", delivered_by=command.by))


@decides(AcceptChips)
def accept_chips(table: Table, _game: Game, command: AcceptChips) -> Decision:
    """A count that differs stops it: what was counted is on record, and no money moves."""
    request, settings = _at(table, command.number, "delivered"), table.settings
    if isinstance(request, Refusal):
        return request
    refusal = _wrong_end(table, request, command, of_tray=request.kind == "fill") or _again(request, command.by)
    if refusal is not None or settings is None:
        return refusal or Refusal(TABLE_NOT_OPEN())
    counted = {value: number for value, number in command.chips.items() if number}
    if settings.chips == "physical" and not command.chips:
        return Refusal(CHIPS_NOT_COUNTED(), COUNT_BY_VALUE(), "OPS-3")
    if any(value <= 0 or number < 0 for value, number in counted.items()):
        return Refusal(CHIPS_NOT_COUNTED(), COUNT_AGAIN(), "OPS-3")
    if command.chips and not _is_what_was_asked(request, counted):
        return _moved(table, command, replace(request, stage="disputed", counted=counted, counted_by=command.by))
    return _too_much(table, settings, request) or _moved(
        table, command, replace(request, stage="accepted", counted=counted, accepted_by=command.by)
    )


def _is_what_was_asked(request: ChipRequest, counted: Mapping[int, int]) -> bool:
    """The very chips, or as much where the request names no chips."""
    return counted == request.chips if request.chips else _comes_to(counted, request.amount)


def _too_much(table: Table, settings: Settings, request: ChipRequest) -> Refusal | None:
    """More than the tray has, or more than one can be counted for."""
    held = in_tray(table)
    if request.kind == "credit" and request.amount > held:
        return tray_short(table, request.amount, VOID_CHIP_REQUEST(), "OPS-3")
    if request.kind == "fill" and held + request.amount > AMOUNT_MAX:
        amount = request.amount if settings.chips == "physical" else held + request.amount
        return Refusal(TRAY_OUT_OF_RANGE(amount=amount, maximum=AMOUNT_MAX), VOID_CHIP_REQUEST(), "OPS-3")
    return None


@decides(RecountChips)
def recount_chips(table: Table, _game: Game, command: RecountChips) -> Decision:
    request = _at(table, command.number, "disputed")
    if isinstance(request, Refusal):
        return request
    return _moved(table, command, replace(request, stage="delivered"))


@decides(VoidChipRequest)
def void_chips(table: Table, _game: Game, command: VoidChipRequest) -> Decision:
    request = _under_way(table, command.number)
    if isinstance(request, Refusal):
        return request
    if request.stage == "requested":
        if not command.position >= Position.PIT_SUPERVISOR:
            needed = Position.PIT_SUPERVISOR.value
            too_low = POSITION_TOO_LOW(position=command.position.value, needed=needed)
            return Refusal(too_low, ASK_POSITION(position=needed), "OPS-3")
    else:
        refusal = _wrong_end(table, request, command, of_tray=request.kind == "credit")
        if refusal is not None:
            return refusal
        if not command.reason.strip():
            return Refusal(REASON_MISSING(), GIVE_REASON(), "OPS-3")
    return _moved(table, command, replace(request, stage="void", reason=command.reason))


# ------------------------------------------------ who, and how far


def _under_way(table: Table, number: int) -> ChipRequest | Refusal:
    record = table.float_record
    request = record.requests.get(number) if record else None
    return Refusal(NO_SUCH_CHIP_REQUEST(number=number), clause="OPS-3") if request is None else request


def _at(table: Table, number: int, stage: str) -> ChipRequest | Refusal:
    """The request, where it stands at the stage that this step follows."""
    request = _under_way(table, number)
    if isinstance(request, Refusal) or request.stage == stage:
        return request
    stands = CHIP_REQUEST_STANDS_AT(kind=request.kind, number=number, stage=request.stage)
    return Refusal(stands, FOLLOW_THE_STEPS(), "OPS-3")


def _again(request: ChipRequest, person: str) -> Refusal | None:
    """Four steps by four people: nobody takes two."""
    step = next((step for step, by in request.steps.items() if by == person), None)
    if step is None:
        return None
    return Refusal(TOOK_PART_ALREADY(person=person, step=step), SOMEBODY_ELSE_DOES_THIS(), "OPS-3")


def _wrong_end(table: Table, request: ChipRequest, command: Command, *, of_tray: bool) -> Refusal | None:
    """At the tray it is the dealer who has the deal; at the other end the cage, and no other position, however high."""
    if not of_tray:
        if command.position is Position.CAGE:
            return None
        other = NOT_THE_CAGE(kind=request.kind, position=command.position.value)
        return Refusal(other, CAGE_DOES_THIS(), "OPS-3")
    if command.position is not Position.CAGE and has_the_deal(table, command.by):
        return None
    return Refusal(NOT_THE_DEALER(person=command.by), DEALER_DOES_THIS(), "OPS-3")


def has_the_deal(table: Table, person: str) -> bool:
    """Does this person deal here? Where the house deals by itself and no person has taken the deal, whoever acts for it."""
    settings = table.settings
    return table.dealer == person or (not table.dealer and settings is not None and settings.automatic_dealer)


def _moved(table: Table, command: Command, request: ChipRequest) -> list[Event]:
    name = table.settings.table if table.settings else ""
    return [ChipRequestMoved(table=name, request=request, **about(command, "OPS-3"))]


@evolves(ChipRequestMoved)
def chips_moved(table: Table, event: ChipRequestMoved) -> Table:
    record, request = table.float_record, event.request
    if record is None:
        return table
    requests = {**record.requests, request.number: request}
    if request.stage in ENDS:
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
