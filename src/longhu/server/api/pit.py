"""One table as the pit runs it: settings, tray, staff, patrons, win against theory, and scheduled commands (OPS-1 to OPS-4)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from longhu.accounts.names import is_reserved
from longhu.accounts.state import Order, Wait
from longhu.eventsourcing import Refusal
from longhu.messages.message import Message, message_code
from longhu.money import UNSTATED, Currency, show
from longhu.server import codec, problems
from longhu.server.api import guards
from longhu.server.api.floor import FLOOR
from longhu.server.api.guards import at_table, live_table
from longhu.server.api.http import CommandBody, Held, Number, Time, command_id, query
from longhu.server.authorization import OWN_COUNT, OWN_STAFF
from longhu.server.codec import Shown, Unreadable, WireCommand, WrittenCommand, as_sent, fields_of, form, writer
from longhu.server.house import House
from longhu.server.problems import malformed
from longhu.server.streams.table_stream import TableStream
from longhu.server.tables.theory import Theories, WinToDate
from longhu.server.timers import is_dealt_automatically
from longhu.table.state import ChipRequest, Person, Settings, Table, area_account
from longhu.table.views import Role, chip_request, role_of, tray_is_secret

WIN_AFTER_COUNT = message_code("win-after-count")
COUNT_AND_CLOSE = message_code("count-and-close")

_SETTINGS = fields_of(Settings, besides=("table",))
_settings = writer(_SETTINGS)
if TYPE_CHECKING:
    TableSettings = dict[str, Any]
else:
    TableSettings = as_sent(
        "TableSettings", "How a table is set up.", [(each.name, form(each.type).sent) for each in _SETTINGS]
    )


class RefusalView(msgspec.Struct, frozen=True, kw_only=True):
    """Why a command was refused, and what can be done."""

    reason: Message
    remedy: Message | None
    clause: str


class OrderView(msgspec.Struct, frozen=True, kw_only=True):
    """A command that waits for the end of the round, or has waited for it."""

    number: Number
    by: str
    at: Time
    command: WrittenCommand
    state: Wait
    refusal: RefusalView | None  # why the table refused it


class PatronView(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody at the table."""

    person: str
    name: str
    seat: Number | None
    chips: Shown
    staked: Shown
    nominee: str  # who acts for them
    most: dict[str, Shown]  # their own maximum by wager, where the house has set one
    robot: bool  # one of the house's own, which signs in nowhere
    signed_in: bool
    last_play: Time | None  # when a round with a wager of theirs was last over, at any table


class NomineeView(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody whom a patron has named to act for them, and how far it is (D21-2.2)."""

    patron: str
    person: str
    may_wager: bool  # as it is approved, or else as it is asked for
    may_handle: bool
    approved_by: str
    announced: bool
    ends: bool  # the patron has confirmed that it shall end


class StaffView(msgspec.Struct, frozen=True, kw_only=True):
    person: str
    position: Held
    acting: Held | None


class RequestView(msgspec.Struct, frozen=True, kw_only=True):
    """A fill or a credit under way, and who took part in it (OPS-3)."""

    number: Number
    kind: Literal["fill", "credit"]
    stage: str
    requested_by: str
    issued_by: str
    delivered_by: str
    amount: Shown | None  # null for whoever counts it
    chips: dict[str, Number] | None  # how many of each value, where that was told; null for whoever counts them
    counted: dict[str, Number]  # where a count differed
    counted_by: str


class TrayView(msgspec.Struct, frozen=True, kw_only=True):
    """What the ledger has of the tray since the table opened; of real chips not how much is in it, until they are counted (OPS-1)."""

    held: Shown | None
    opening: Shown
    fills: Shown
    credits: Shown
    drop: Shown
    win: Shown | None
    requests: list[RequestView]


class AreaCap(msgspec.Struct, frozen=True, kw_only=True):
    """How many wagers one area of the layout takes (IDT-3.7)."""

    place: Number
    wager: str
    most: Number


class TableSheet(msgspec.Struct, frozen=True, kw_only=True):
    """All that the pit keeps of a table."""

    table: str
    game: str
    at: Time
    open: bool
    decimals: Number  # of its money
    last_closing: Shown | None  # what was counted when it was closed last; null of real chips, which are counted blind
    physical: bool  # what is in the tray, or was when it was closed: real chips
    settings: TableSettings | None
    last_settings: TableSettings | None  # as it was set up when it was closed last
    tray: TrayView | None
    staff: list[StaffView]
    patrons: list[PatronView]
    nominees: list[NomineeView]
    caps: list[AreaCap]
    granted: dict[str, str]  # whom the house lets squeeze a hand of this round, by hand (IDT-3.15)
    orders: list[OrderView]


class TheoryPoint(msgspec.Struct, frozen=True, kw_only=True):
    round: Number
    at: Time
    win: Shown
    expected: Shown
    deviation: Shown  # one standard deviation of the win from what is expected


class TheoryView(msgspec.Struct, frozen=True, kw_only=True):
    """The win of a table against theory, since it opened; where fewer records were read than there are, ask again."""

    table: str
    opened: Time
    rounds: Number
    staked: Shown
    win: Shown
    expected: Shown
    deviation: Shown
    points: list[TheoryPoint]
    read: Number
    of: Number


class OrderRequest(CommandBody, frozen=True, kw_only=True):
    """What shall be done once the round is over."""

    command: WireCommand


ORDER = {
    "id": "limits-1",
    "command": {"command": "change-settings", "changes": {"differential": "5000.00"}, "why": "busy"},
}


@get("/api/floor/{table:str}", opt=FLOOR)
async def sheet(request: guards.Request, table: FromPath[str]) -> TableSheet:
    """A table as the pit keeps it: settings, tray, staff, patrons, orders."""
    live, house = await live_table(request, table), guards.house(request)
    state, money = live.state, live.game.currency or UNSTATED
    last, role = state.last_closing, await role_in_house(request)
    known = state.settings or state.last_settings
    physical = known is not None and known.chips == "physical"
    return TableSheet(
        table=live.name,
        game=live.game.id,
        at=house.now(),
        open=state.settings is not None,
        decimals=money.decimals,
        last_closing=None if last is None or physical else show(last, money),
        physical=physical,
        settings=None if state.settings is None else _settings(state.settings, money),
        last_settings=None if state.last_settings is None else _settings(state.last_settings, money),
        tray=_tray(live, money, role),
        staff=[
            StaffView(
                person=person,
                position=position.value,
                acting=state.acting[person].value if person in state.acting else None,
            )
            for person, position in sorted({**state.acting, **state.staff}.items())
            if person not in OWN_STAFF or (person in OWN_COUNT and is_dealt_automatically(state))
        ],
        patrons=[await _patron(house, live, each, money) for each in state.people.values()],
        nominees=[
            NomineeView(
                patron=each.patron,
                person=each.person,
                may_wager="wager" in (each.approved or each.asked),
                may_handle="handle" in (each.approved or each.asked),
                approved_by=each.approved_by,
                announced=each.announced,
                ends=each.patron_confirms_end,
            )
            for each in state.nominees.values()
        ],
        caps=_caps(state),
        granted=_granted(live),
        orders=[_order(each, money) for each in await house.scheduled.of(live.name)],
    )


def _caps(table: Table) -> list[AreaCap]:
    settings = table.settings
    areas = product(range(1, settings.positions + 1), settings.limits) if settings is not None and table.caps else ()
    capped = {area: table.caps.get(area_account(*area)) for area in areas}
    return [AreaCap(place=place, wager=wager, most=most) for (place, wager), most in capped.items() if most is not None]


def _granted(live: TableStream) -> dict[str, str]:
    round = live.state.round
    people = round.granted if round is not None else ()
    return {hand.id: person for hand, person in zip(live.game.procedure.hands, people, strict=False) if person}


def _tray(live: TableStream, money: Currency, role: Role) -> TrayView | None:
    state = live.state
    record = state.float_record
    if record is None:
        return None
    held, drop = (state.balances.get(f"{each}:{live.name}", 0) for each in ("float", "drop"))
    secret = tray_is_secret(state) and role is not Role.AUDITOR
    return TrayView(
        held=None if secret else show(held, money),
        opening=show(record.opening, money),
        fills=show(record.fills, money),
        credits=show(record.credits, money),
        drop=show(drop, money),
        win=None if secret else show(held + record.credits + drop - record.fills - record.opening, money),
        requests=[request_view(each, money, role) for each in record.requests.values()],
    )


def request_view(request: ChipRequest, money: Currency, role: Role) -> RequestView:
    seen = chip_request(request, role)
    told = seen.amount is not None
    return RequestView(
        number=request.number,
        kind="fill" if request.kind == "fill" else "credit",
        stage=request.stage,
        requested_by=request.requested_by,
        issued_by=request.issued_by,
        delivered_by=request.delivered_by,
        amount=show(request.amount, money) if told else None,
        chips=counts(request.chips, money) if told else None,
        counted=counts(request.counted, money),
        counted_by=request.counted_by,
    )


def counts(chips: Mapping[int, int], money: Currency) -> dict[str, int]:
    """Chips by value, as they are sent."""
    return {show(value, money): number for value, number in chips.items()}


async def role_in_house(request: guards.Request) -> Role:
    """As what whoever asks looks on: the cage is told less of what it counts, the auditor more of what others count."""
    return role_of((await guards.acting(request)).position)


async def _patron(house: House, live: TableStream, person: Person, money: Currency) -> PatronView:
    state = live.state
    account = await house.people.account(person.id)
    played = await asyncio.to_thread(lambda: house.store.plays(person.id, limit=1))
    stakes = state.round.stakes_of(person.id) if state.round is not None else []
    nominee = state.nominees.get(person.id)
    return PatronView(
        person=person.id,
        name=account.name if account is not None else "",
        seat=person.seat,
        chips=show(state.balances.get(f"patron:{person.id}", 0), money),
        staked=show(sum(each.amount for each in stakes), money),
        nominee=nominee.person if nominee is not None and nominee.active else "",
        most={wager: show(most, money) for wager, most in person.maxima.items()},
        robot=is_reserved(person.id),
        signed_in=account is not None and bool(account.sessions),
        last_play=max((each.at for each in played), default=None),
    )


def _order(order: Order, money: Currency) -> OrderView:
    return OrderView(
        number=order.number,
        by=order.by,
        at=order.at,
        command=codec.written(order.command, money),
        state=order.state,
        refusal=None
        if order.refusal is None
        else RefusalView(reason=order.refusal.reason, remedy=order.refusal.remedy, clause=order.refusal.clause),
    )


@get("/api/floor/{table:str}/theory", opt=FLOOR)
async def theory(request: guards.Request, table: FromPath[str]) -> TheoryView:
    """What a table has won since it opened, round by round, beside what it should have won on average (OPS-4)."""
    live, role = await live_table(request, table), await role_in_house(request)
    if tray_is_secret(live.state) and role is not Role.AUDITOR:
        raise problems.refused(Refusal(WIN_AFTER_COUNT(), COUNT_AND_CLOSE(), "OPS-1"))
    theories: Theories = request.app.state.theories
    told = await asyncio.to_thread(theories.told, live.name)
    return _theory(live.name, told, live.game.currency or UNSTATED)


def _theory(table: str, told: WinToDate, money: Currency) -> TheoryView:
    return TheoryView(
        table=table,
        opened=told.opened,
        rounds=told.rounds,
        staked=show(told.staked, money),
        win=show(told.win, money),
        expected=show(told.expected, money),
        deviation=show(told.deviation, money),
        points=[
            TheoryPoint(
                round=each.round,
                at=each.at,
                win=show(each.win, money),
                expected=show(round(each.expected), money),
                deviation=show(round(each.deviation), money),
            )
            for each in told.points
        ],
        read=told.read,
        of=told.of,
    )


@post("/api/tables/{table:str}/orders", status_code=200, opt={**FLOOR, "example": ORDER})
async def give_order(request: guards.Request, table: FromPath[str], data: JSONBody[OrderRequest]) -> OrderView:
    """Have something done as soon as the round is over: settings for the next round, a seat freed, a patron's own maximum.

    It is on record from now on, and done by whichever node drives the table then.
    """
    actor, live, house = await at_table(request, table)
    money = live.game.currency or UNSTATED
    try:
        command = codec.command(data.command, actor, house.now(), money)
    except Unreadable as error:
        raise malformed(error.message) from None
    given = await house.scheduled.give(actor, live, command, command_id(request, data))
    if isinstance(given, Refusal):
        raise problems.refused(given)
    return _order(given, money)


@delete("/api/tables/{table:str}/orders/{number:int}", status_code=200, opt={**FLOOR, "query": CommandBody})
async def take_order_back(request: guards.Request, table: FromPath[str], number: FromPath[int]) -> OrderView:
    """Take back what still waits for the end of the round."""
    actor, live, house = await at_table(request, table)
    id = command_id(request, query(request, CommandBody))
    taken = await house.scheduled.take_back(actor, live, number, id)
    if isinstance(taken, Refusal):
        raise problems.refused(taken)
    return _order(taken, live.game.currency or UNSTATED)
