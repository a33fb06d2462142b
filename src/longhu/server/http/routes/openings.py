"""Opening and closing tables, and another shoe for a dealer."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Annotated, Literal

import msgspec
from litestar import delete, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta, structs

from longhu.eventsourcing import Refusal
from longhu.money import UNSTATED, Currency
from longhu.positions import Position
from longhu.server.config import BadConfig, TableConfig
from longhu.server.cosigning import Signatures, put_among_staff
from longhu.server.http import guards, problems
from longhu.server.http.fields import Asking, TableName, amount, query
from longhu.server.http.guards import command_id, staff
from longhu.server.http.problems import Kind, Trouble
from longhu.server.http.routes.answers import Acted, acted
from longhu.server.http.routes.tables import at_table
from longhu.server.http.signatures import cosigning
from longhu.server.http.whole import whole
from longhu.server.realtime.wire_types import MoneyText
from longhu.server.tables.setup import setup

USUAL = TableConfig(table="", game="")  # what a table has where nothing else is told
Chips = Annotated[
    dict[MoneyText, Annotated[int, Meta(ge=0, le=10**9)]],
    Meta(
        max_length=40, description="How many of each value were counted, where that is told", examples=[{"100.00": 5}]
    ),
]


class NewTable(Asking, frozen=True, kw_only=True):
    """A table to be opened; two people have counted what is in its tray (OPS-1)."""

    table: TableName
    game: Annotated[str, Meta(max_length=80, pattern="^[a-z0-9-]+$", examples=["dragon-tiger"])]
    readings: dict[str, str] = msgspec.field(default_factory=dict)
    layout: Annotated[str, Meta(max_length=10)] = ""
    decks: Annotated[int, Meta(ge=0, le=100)] = 0  # 0: as many as usual
    positions: Annotated[int, Meta(ge=0, le=100)] = 0
    method: Annotated[str, Meta(max_length=20)] = ""
    dealer: Literal["automatic", "human"] = USUAL.dealer
    shoe: Literal["electronic", "physical"] = USUAL.shoe
    minimum: MoneyText = USUAL.minimum
    maximum: MoneyText = USUAL.maximum
    limits: dict[str, dict[Literal["min", "max", "increment"], MoneyText]] = msgspec.field(default_factory=dict)
    area: Annotated[str, Meta(max_length=40)] = USUAL.area
    float: MoneyText = USUAL.float
    chips: Chips = msgspec.field(default_factory=dict)
    signatures: Signatures = ()


class Closing(Asking, frozen=True, kw_only=True):
    """What two people have counted in the tray."""

    float_counted: MoneyText
    chips: Chips = msgspec.field(default_factory=dict)
    signatures: Signatures = ()


TABLE = NewTable(id="open-T7", table="T7", game="dragon-tiger", minimum="5.00", maximum="500.00")
CLOSING = Closing(id="close-T7", float_counted="99350.00")


@post("/api/tables", opt={**staff(Position.PIT_SUPERVISOR), "example": TABLE})
async def open_table(request: guards.Asked, data: JSONBody[NewTable]) -> Acted:
    """Open a table of an approved game (RUL-4).

    Two people count its tray: whoever asks, and somebody who signs.
    """
    actor, house = await guards.acting(request), guards.house(request)
    told = {name: value for name, value in structs.asdict(data).items() if name in TableConfig.__struct_fields__}
    try:
        found = await asyncio.to_thread(setup, TableConfig(**told))
    except BadConfig as error:
        raise Trouble(Kind.REFUSED, f"{error}.") from None
    signed = await cosigning(request).signed(actor, data.signatures)
    if isinstance(signed, Refusal):
        raise problems.refused(signed)
    counted_by, id = (actor.person, *signed), await command_id(request, data)
    chips = _chips(data.chips, found.game.currency or UNSTATED)
    opening = house.open_table(actor, found.game, found.settings, found.float, counted_by, id, chips=chips)
    return acted(await whole(opening))


@post("/api/tables/{table:str}/closing", status_code=200, opt={**staff(Position.PIT_SUPERVISOR), "example": CLOSING})
async def close_table(request: guards.Asked, table: FromPath[str], data: JSONBody[Closing]) -> Acted:
    """Close a table between rounds: its shuffle is revealed, and two people count its tray (OPS-1)."""
    actor, live, house = await at_table(request, table)
    counted = amount(data.float_counted, live.game.currency or UNSTATED, "float_counted")
    signed = await cosigning(request).signed(actor, data.signatures)
    if isinstance(signed, Refusal):
        raise problems.refused(signed)
    id, counted_by = await command_id(request, data), (actor.person, *signed)
    refusal = await put_among_staff(live, signed, house.now())
    if refusal is not None:
        raise problems.refused(refusal)
    chips = _chips(data.chips, live.game.currency or UNSTATED)
    closing = house.close_table(actor, live.name, float_counted=counted, counted_by=counted_by, chips=chips, id=id)
    return acted(await whole(closing))


def _chips(told: dict[str, int], money: Currency) -> dict[int, int]:
    """How many chips of each value, in minor units; two names of one value are one."""
    counted: Counter[int] = Counter()
    for value, number in told.items():
        counted[amount(value, money, "chips")] += number
    return dict(counted)


@post("/api/tables/{table:str}/shoe", status_code=200, opt={**staff(Position.DEALER), "query": Asking})
async def new_shoe(request: guards.Asked, table: FromPath[str]) -> Acted:
    """Start the shuffle of the next electronic shoe at a table with a dealer."""
    actor, live, house = await at_table(request, table)
    return acted(await whole(house.new_shoe(actor, live.name, await command_id(request, query(request, Asking)))))


@delete("/api/tables/{table:str}/deal", status_code=200, opt={**staff(Position.DEALER), "query": Asking})
async def give_deal_back(request: guards.Asked, table: FromPath[str]) -> Acted:
    """Give the deal of an automatic table back to the house, after somebody has taken it."""
    actor, live, house = await at_table(request, table)
    id = await command_id(request, query(request, Asking))
    return acted(await whole(house.give_deal_back(actor, live.name, id)))


HANDLERS = [open_table, close_table, new_shoe, give_deal_back]
