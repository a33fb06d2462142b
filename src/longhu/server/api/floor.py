"""The floor, for those who run it: list, open and close tables, answer alerts, approve games (LOG-3, OPS-1, OPS-4, RUL-4, SEC-2)."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta, structs

from longhu.accounts.house_log import WithdrawApproval
from longhu.audit.record import decode
from longhu.eventsourcing import Refusal
from longhu.games import registry
from longhu.messages.message import Message
from longhu.money import UNSTATED, Currency, show
from longhu.positions import Position
from longhu.protocol import (
    AREA_MAX,
    CHIPS_MAX,
    DECKS_MAX,
    DENOMINATIONS_MAX,
    GAME_ID_MAX,
    GAME_ID_PATTERN,
    LAYOUT_ID_MAX,
    LIST_MAX,
    METHOD_ID_MAX,
    MONEY_PATTERN,
    MONEY_TEXT_MAX,
    SEATS_MAX,
    WAGER_ID_MAX,
    Chips,
    Device,
    Patrons,
)
from longhu.server import problems
from longhu.server.api import guards
from longhu.server.api.guards import at_table, cosigning, staff
from longhu.server.api.http import (
    Acted,
    CommandBody,
    Held,
    Moment,
    Number,
    TableName,
    Time,
    Words,
    acted,
    amount,
    command_id,
    whole,
)
from longhu.server.authorization import put_among_staff
from longhu.server.codec import MoneyText, Shown, Signatures
from longhu.server.config import TableConfig
from longhu.server.problems import refused
from longhu.server.streams.table_stream import TableStream
from longhu.server.table_equipment import TableEquipment
from longhu.server.tables.opening import BadTable, setup
from longhu.store.interface import Store
from longhu.table.opening import TableClosed
from longhu.table.suspension import suspension
from longhu.table.views import tray_is_secret, waits
from longhu.texts import Names

FLOOR = staff(Position.PIT_SUPERVISOR)
RECENT = 60  # rounds that say how quick a table is
HOUR = 3_600_000  # milliseconds


class FloorTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the pit sees it."""

    table: str
    game: str
    name: Names
    version: str
    open: bool
    suspended: Message | None
    stopped: str
    dealer: str
    automatic: bool
    round: Number
    phase: str
    waits: list[Message]  # what must be settled before the round goes on
    seats: Number
    patrons: Number
    minimum: Shown | None
    maximum: Shown | None
    differential: Shown | None
    layout: str
    decks: Number
    method: str
    staked: Shown
    tray: Shown | None  # null of real chips: they are counted blind (OPS-1)
    drop: Shown
    win: Shown | None  # since it opened, by the tray as the ledger has it (OPS-4); null until real chips are counted
    hold: float | None  # win for each unit dropped; None where nothing was
    rounds_per_hour: Number | None  # of late; None where there was no round in the last hour
    requests: Number  # fills and credits under way
    alerts: Number
    cards_left: Number | None
    driven_by: str  # the node that drives it


class AlertView(msgspec.Struct, frozen=True, kw_only=True):
    """An alert, open until somebody in the position for it acknowledges it."""

    number: Number
    kind: str
    at: Time
    message: Message
    table: str
    person: str
    needs: Held  # who may acknowledge it


class AcknowledgeRequest(CommandBody, frozen=True, kw_only=True):
    why: Words = ""


class WithdrawalRequest(CommandBody, frozen=True, kw_only=True):
    why: Words


class ApprovalRequest(CommandBody, frozen=True, kw_only=True):
    why: Words
    effective: Annotated[
        Moment, Meta(description="From when tables may be opened with these rules; 0: as soon as they are in force")
    ] = 0


@get("/api/floor", opt=FLOOR)
async def floor(request: guards.Request) -> list[FloorTable]:
    """All tables, with their trays and what they have won since they opened."""
    house, now = guards.house(request), guards.house(request).now()
    tables = [live for _, live in sorted(house.tables.items())]

    def asked() -> tuple[dict[str, str], dict[str, int | None]]:
        leases = {each.name: each.holder for each in house.store.leases() if each.until > now}
        return leases, {live.name: rounds_per_hour(house.store, live.name, now) for live in tables}

    leases, paces = await asyncio.to_thread(asked)
    alerts = Counter(each.table for each in await house.house_log.alerts())
    return [
        _floor_table(live, leases.get(house.lease_of(live.name), ""), paces[live.name], alerts[live.name])
        for live in tables
    ]


def rounds_per_hour(store: Store, table: str, now: int) -> int | None:
    """The pace of the last rounds; None where none ended within the hour."""
    ended = [each.ended for each in store.rounds(table, limit=RECENT) if each.ended > now - HOUR]
    if not ended:
        return None
    return round((len(ended) - 1) * HOUR / max(1, now - ended[-1])) if len(ended) > 1 else 1


def _floor_table(live: TableStream, driven_by: str, pace: int | None, alerts: int) -> FloorTable:
    table, game, money = live.state, live.game, live.game.currency or UNSTATED
    settings, record, round = table.settings, table.float_record, table.round
    tray, drop = (table.balances.get(f"{each}:{live.name}", 0) for each in ("float", "drop"))
    secret = tray_is_secret(table)
    win = None if record is None or secret else tray + record.credits + drop - record.fills - record.opening
    limits = settings.limits.values() if settings is not None else ()
    differential = settings.differential if settings is not None else None
    return FloorTable(
        table=live.name,
        game=game.id,
        name=game.name.by_language,
        version=str(game.version),
        open=settings is not None,
        suspended=suspension(table, to_staff=True),
        stopped=table.stopped or live.halted,
        dealer=table.dealer,
        automatic=settings is not None and settings.automatic_dealer,
        round=table.rounds,
        phase=round.phase.value if round is not None else "",
        waits=list(waits(table, round)) if round is not None else [],
        seats=settings.positions if settings is not None else 0,
        patrons=len(table.people),
        minimum=show(min(each.min for each in limits), money) if limits else None,
        maximum=show(max(each.max for each in limits), money) if limits else None,
        differential=None if differential is None else show(differential, money),
        layout=settings.layout if settings is not None else "",
        decks=settings.decks if settings is not None else game.decks.default,
        method=settings.method if settings is not None else "",
        staked=show(sum(each.amount for each in round.stakes.values()) if round is not None else 0, money),
        tray=None if secret else show(tray, money),
        drop=show(drop, money),
        win=None if win is None else show(win, money),
        hold=win / drop if win is not None and drop else None,
        rounds_per_hour=pace,
        requests=len(record.requests) if record is not None else 0,
        alerts=alerts,
        cards_left=table.shoe.left if table.shoe is not None else None,
        driven_by=driven_by,
    )


@get("/api/alerts", opt=FLOOR)
async def alerts(request: guards.Request) -> list[AlertView]:
    """What somebody must look at, the oldest first (LOG-3)."""
    return [
        AlertView(
            number=each.number,
            kind=each.kind.value,
            at=each.at,
            message=each.message,
            table=each.table,
            person=each.person,
            needs=each.kind.needs.value,
        )
        for each in await guards.house(request).house_log.alerts()
    ]


@post(
    "/api/alerts/{number:int}",
    status_code=200,
    opt={**FLOOR, "example": AcknowledgeRequest(id="seen-7", why="looked at it")},
)
async def acknowledge(request: guards.Request, number: FromPath[int], data: JSONBody[AcknowledgeRequest]) -> Acted:
    """I have looked at an alert (SEC-2)."""
    actor, house_log = await guards.acting(request), guards.house(request).house_log
    return acted(await whole(house_log.acknowledge(actor, number, command_id(request, data), data.why)))


@post(
    "/api/games/{game:str}/approval",
    status_code=200,
    opt={
        **staff(Position.GAMING_SHIFT_MANAGER),
        "example": ApprovalRequest(id="approve-1", why="as the authority wrote"),
    },
)
async def approve(request: guards.Request, game: FromPath[str], data: JSONBody[ApprovalRequest]) -> Acted:
    """Tables may be opened with the rules of a game, as they are now (RUL-4)."""
    path = guards.game_file(game)
    rules, actor, house_log = registry.load_game(path), await guards.acting(request), guards.house(request).house_log
    return acted(
        await whole(house_log.approve_game(actor, rules, data.why, command_id(request, data), effective=data.effective))
    )


@post(
    "/api/games/{game:str}/withdrawal",
    status_code=200,
    opt={
        **staff(Position.GAMING_SHIFT_MANAGER),
        "example": WithdrawalRequest(id="withdraw-1", why="as the authority wrote"),
    },
)
async def withdraw_approval(request: guards.Request, game: FromPath[str], data: JSONBody[WithdrawalRequest]) -> Acted:
    """No further table is opened with the rules of a game; tables that are open go on (RUL-4)."""
    path = guards.game_file(game)
    command = WithdrawApproval(digest=registry.load_game(path).digest, why=data.why)
    actor, house_log = await guards.acting(request), guards.house(request).house_log
    return acted(await whole(house_log.act(actor, command, command_id(request, data))))


# ------------------------------------------------ opening and closing tables

USUAL = TableConfig(table="", game="")  # what a table has where nothing else is told
ChipCounts = Annotated[
    dict[MoneyText, Annotated[int, Meta(ge=0, le=CHIPS_MAX)]],
    Meta(
        max_length=DENOMINATIONS_MAX,
        description="How many of each value were counted, where that is told",
        examples=[{"100.00": 5}],
    ),
]


class NewTable(CommandBody, frozen=True, kw_only=True):
    """A table to be opened; two people have counted what is in its tray (OPS-1)."""

    table: TableName
    game: Annotated[str, Meta(max_length=GAME_ID_MAX, pattern=GAME_ID_PATTERN, examples=["dragon-tiger"])]
    readings: dict[str, str] = msgspec.field(default_factory=dict)
    layout: Annotated[str, Meta(max_length=LAYOUT_ID_MAX)] = ""
    decks: Annotated[int, Meta(ge=0, le=DECKS_MAX)] = 0  # 0: as many as usual
    positions: Annotated[int, Meta(ge=0, le=SEATS_MAX)] = 0
    method: Annotated[str, Meta(max_length=METHOD_ID_MAX)] = ""
    dealer: Literal["automatic", "human"] = USUAL.dealer
    device: Device = USUAL.device
    chips: Chips = USUAL.chips
    patrons: Patrons = USUAL.patrons
    minimum: MoneyText = USUAL.minimum
    maximum: MoneyText = USUAL.maximum
    limits: dict[str, dict[Literal["min", "max", "increment"], MoneyText]] = msgspec.field(default_factory=dict)
    area: Annotated[str, Meta(max_length=AREA_MAX)] = USUAL.area
    chip_unit: Annotated[str, Meta(pattern=f"^$|{MONEY_PATTERN}", max_length=MONEY_TEXT_MAX)] = USUAL.chip_unit
    differential: Annotated[str, Meta(pattern=f"^$|{MONEY_PATTERN}", max_length=MONEY_TEXT_MAX)] = USUAL.differential
    equipment: TableEquipment | None = None  # null: nothing stands there, or a demonstration assumes it
    cards_counted: Annotated[int, Meta(ge=0, le=LIST_MAX)] = USUAL.cards_counted  # by the two who sign; 0: later
    checklist: Annotated[list[Words], Meta(max_length=LIST_MAX)] = msgspec.field(default_factory=list)
    checked: Annotated[list[Words], Meta(max_length=LIST_MAX)] = msgspec.field(default_factory=list)
    favours_patrons: Annotated[
        list[Annotated[str, Meta(max_length=WAGER_ID_MAX)]],
        Meta(
            max_length=LIST_MAX, description="Wagers with a negative house edge that the operator offers all the same"
        ),
    ] = msgspec.field(default_factory=list)
    float: MoneyText = USUAL.float
    counted: ChipCounts = msgspec.field(default_factory=dict)
    signatures: Signatures = ()


class ClosingRequest(CommandBody, frozen=True, kw_only=True):
    """What two people have counted in the tray."""

    float_counted: MoneyText
    counted: ChipCounts = msgspec.field(default_factory=dict)
    signatures: Signatures = ()


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """A count of the tray, now that it is in and signed for by two: what it should have been, and the difference (OPS-1)."""

    first: Number
    last: Number
    duplicate: bool
    counted: Shown
    expected: Shown | None  # by the ledger, or at the last closing; null where the tray was counted for the first time
    difference: Shown


TABLE = NewTable(id="open-T7", table="T7", game="dragon-tiger", minimum="5.00", maximum="500.00")
CLOSING = ClosingRequest(id="close-T7", float_counted="99350.00")


@post("/api/tables", opt={**staff(Position.PIT_SUPERVISOR), "example": TABLE})
async def open_table(request: guards.Request, data: JSONBody[NewTable]) -> Counted:
    """Open a table of an approved game (RUL-4).

    Two people count its tray: whoever asks, and somebody who signs. What was in it at the last closing is told once both have.
    """
    actor, house = await guards.acting(request), guards.house(request)
    told = {name: value for name, value in structs.asdict(data).items() if name in TableConfig.__struct_fields__}
    try:
        found = await asyncio.to_thread(setup, TableConfig(**told), assumes=house.config.demo)
    except BadTable as error:
        raise refused(error.refusal) from None
    signed = await cosigning(request).signed(actor, data.signatures)
    if isinstance(signed, Refusal):
        raise problems.refused(signed)
    counted_by, id = (actor.person, *signed), command_id(request, data)
    chips = _chips(data.counted, found.game.currency or UNSTATED)
    live = await house.stream(data.table)
    last = live.state.last_closing if live is not None else None
    opening = house.open_table(
        actor,
        found.game,
        found.settings,
        found.float,
        counted_by,
        id,
        chips=chips,
        checked=found.checked,
        cards_counted=found.cards_counted,
    )
    done = acted(await whole(opening))
    return _counted(done, found.float, last, found.game.currency or UNSTATED)


def _counted(done: Acted, counted: int, expected: int | None, money: Currency) -> Counted:
    return Counted(
        first=done.first,
        last=done.last,
        duplicate=done.duplicate,
        counted=show(counted, money),
        expected=None if expected is None else show(expected, money),
        difference=show(0 if expected is None else counted - expected, money),
    )


@post("/api/tables/{table:str}/closing", status_code=200, opt={**staff(Position.PIT_SUPERVISOR), "example": CLOSING})
async def close_table(request: guards.Request, table: FromPath[str], data: JSONBody[ClosingRequest]) -> Counted:
    """Close a table between rounds: its shuffle is revealed, and two people count its tray (OPS-1).

    What the ledger has is told once both have signed for the count.
    """
    actor, live, house = await at_table(request, table)
    counted = amount(data.float_counted, live.game.currency or UNSTATED, "float_counted")
    signed = await cosigning(request).signed(actor, data.signatures)
    if isinstance(signed, Refusal):
        raise problems.refused(signed)
    id, counted_by = command_id(request, data), (actor.person, *signed)
    refusal = await put_among_staff(live, signed, house.now())
    if refusal is not None:
        raise problems.refused(refusal)
    chips = _chips(data.counted, live.game.currency or UNSTATED)
    closing = house.close_table(actor, live.name, float_counted=counted, counted_by=counted_by, chips=chips, id=id)
    done = acted(await whole(closing))
    closed = await asyncio.to_thread(_closing, house.store, live.name, done)
    return _counted(
        done, closed.float_counted, closed.float_counted - closed.difference, live.game.currency or UNSTATED
    )


def _closing(store: Store, table: str, done: Acted) -> TableClosed:
    """What is on record of it."""
    events = [decode(line).event for line in store.records_between(table, done.first, done.last)]
    return next(each for each in events if isinstance(each, TableClosed))


def _chips(told: dict[str, int], money: Currency) -> dict[int, int]:
    """The number of chips by value in minor units; "5" and "5.00" are one value."""
    counted: Counter[int] = Counter()
    for value, number in told.items():
        counted[amount(value, money, "counted")] += number
    return dict(counted)
