"""The floor, for those who run it: tables with their trays, and what somebody must look at (LOG-3, OPS-4, SEC-2)."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody

from longhu.games import registry
from longhu.money import UNSTATED, show
from longhu.server.http import guards, problems
from longhu.server.http.fields import (
    Asking,
    Held,
    Number,
    Shown,
    Time,
    Words,
)
from longhu.server.http.guards import command_id, staff
from longhu.server.http.problems import Trouble
from longhu.server.http.routes.answers import Acted, acted
from longhu.server.http.whole import whole
from longhu.server.screens.forms import WORD_OF
from longhu.server.tables.live import Live
from longhu.table.positions import Position

FLOOR = staff(Position.PIT_SUPERVISOR)


class FloorTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the pit sees it."""

    table: str
    game: str
    open: bool
    suspended: str
    stopped: str
    dealer: str
    round: Number
    phase: str
    patrons: Number
    staked: Shown
    tray: Shown
    drop: Shown
    win: Shown | None  # since it opened, by the tray as the ledger has it (OPS-4)
    cards_left: Number | None
    driven_by: str  # the node that drives it


class AlertView(msgspec.Struct, frozen=True, kw_only=True):
    """Something that stays open until somebody who may has looked at it."""

    number: Number
    kind: str
    at: Time
    says: str
    table: str
    person: str
    needs: Held  # who may acknowledge it


class Acknowledged(Asking, frozen=True, kw_only=True):
    why: Words = ""


class Approval(Asking, frozen=True, kw_only=True):
    why: Words


@get("/api/floor", opt=FLOOR)
async def floor(request: guards.Asked) -> list[FloorTable]:
    """All tables, with their trays and what they have won since they opened."""
    house = guards.house(request)
    leases = {
        each.name: each.holder for each in await asyncio.to_thread(house.store.leases) if each.until > house.now()
    }
    return [_floor_table(live, leases.get(house.lease_of(name), "")) for name, live in sorted(house.tables.items())]


def _floor_table(live: Live, driven_by: str) -> FloorTable:
    table, money = live.durable.state, live.game.currency or UNSTATED
    record = table.float_record
    tray, drop = (table.balances.get(f"{each}:{live.id}", 0) for each in ("float", "drop"))
    win = None if record is None else tray + record.credits + drop - record.fills - record.opening
    stakes = table.round.stakes.values() if table.round is not None else ()
    return FloorTable(
        table=live.id,
        game=live.game.id,
        open=table.settings is not None,
        suspended=table.suspended,
        stopped=table.stopped or live.broken,
        dealer=table.dealer,
        round=table.rounds,
        phase=table.round.phase.value if table.round is not None else "",
        patrons=len(table.people),
        staked=show(sum(each.amount for each in stakes), money),
        tray=show(tray, money),
        drop=show(drop, money),
        win=None if win is None else show(win, money),
        cards_left=table.shoe.left if table.shoe is not None else None,
        driven_by=driven_by,
    )


@get("/api/alerts", opt=FLOOR)
async def alerts(request: guards.Asked) -> list[AlertView]:
    """What somebody must look at, the oldest first (LOG-3)."""
    return [
        AlertView(
            number=each.number,
            kind=each.kind.value,
            at=each.at,
            says=each.says,
            table=each.table,
            person=each.person,
            needs=WORD_OF[each.kind.needs],
        )
        for each in await guards.house(request).floor.alerts()
    ]


@post(
    "/api/alerts/{number:int}", status_code=200, opt={**FLOOR, "example": Acknowledged(id="seen-7", why="looked at it")}
)
async def acknowledge(request: guards.Asked, number: FromPath[int], data: JSONBody[Acknowledged]) -> Acted:
    """I have looked at an alert (SEC-2)."""
    actor, book = await guards.acting(request), guards.house(request).floor
    return acted(await whole(book.acknowledge(actor, number, await command_id(request, data), data.why)))


@post(
    "/api/games/{game:str}/approval",
    status_code=200,
    opt={**staff(Position.GAMING_SHIFT_MANAGER), "example": Approval(id="approve-1", why="as the authority wrote")},
)
async def approve(request: guards.Asked, game: FromPath[str], data: JSONBody[Approval]) -> Acted:
    """Tables may be opened with the rules of a game, as they are now (RUL-4)."""
    path = registry.all_games().get(game)
    if path is None:
        raise Trouble(problems.Kind.NOT_FOUND, f"No game is called {game[:60]!r}.", remedy="GET /api/games lists them.")
    rules, actor, book = registry.load_game(path), await guards.acting(request), guards.house(request).floor
    return acted(
        await whole(book.approve_game(actor, rules.digest, rules.id, data.why, await command_id(request, data)))
    )


HANDLERS = [floor, alerts, acknowledge, approve]
