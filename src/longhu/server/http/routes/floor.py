"""The floor, for those who run it: tables with their trays, and what somebody must look at (LOG-3, OPS-4, SEC-2)."""

from __future__ import annotations

import asyncio
from collections import Counter

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody

from longhu.games import registry
from longhu.money import UNSTATED, Money, show
from longhu.positions import Position
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
from longhu.server.realtime.wire_types import WORD_OF
from longhu.server.streams.table_stream import TableStream
from longhu.store.interface import Store
from longhu.table.views import waits

FLOOR = staff(Position.PIT_SUPERVISOR)
RECENT = 60  # rounds that say how quick a table is
HOUR = 3_600_000  # milliseconds


class FloorTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the pit sees it."""

    table: str
    game: str
    name: dict[str, str]
    version: str
    open: bool
    suspended: str
    stopped: str
    dealer: str
    automatic: bool
    round: Number
    phase: str
    waits: list[str]  # what must be settled before the round goes on
    seats: Number
    patrons: Number
    minimum: Shown | None
    maximum: Shown | None
    differential: Shown | None
    layout: str
    decks: Number
    method: str
    staked: Shown
    tray: Shown
    drop: Shown
    win: Shown | None  # since it opened, by the tray as the ledger has it (OPS-4)
    hold: float | None  # win for each unit dropped; None where nothing was
    rounds_per_hour: Number | None  # of late; None where there was no round in the last hour
    requests: Number  # fills and credits under way
    alerts: Number
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
    house, now = guards.house(request), guards.house(request).now()
    tables = [live for _, live in sorted(house.tables.items())]

    def asked() -> tuple[dict[str, str], dict[str, int | None]]:
        leases = {each.name: each.holder for each in house.store.leases() if each.until > now}
        return leases, {live.name: rounds_per_hour(house.store, live.name, now) for live in tables}

    leases, paces = await asyncio.to_thread(asked)
    alerts = Counter(each.table for each in await house.floor.alerts())
    return [
        _floor_table(live, leases.get(house.lease_of(live.name), ""), paces[live.name], alerts[live.name])
        for live in tables
    ]


def rounds_per_hour(store: Store, table: str, now: int) -> int | None:
    """As many as there would be, if all rounds took as long as those of late."""
    ended = [each.ended for each in store.rounds(table, limit=RECENT) if each.ended > now - HOUR]
    if not ended:
        return None
    return round((len(ended) - 1) * HOUR / max(1, now - ended[-1])) if len(ended) > 1 else 1


def _floor_table(live: TableStream, driven_by: str, pace: int | None, alerts: int) -> FloorTable:
    table, game, money = live.state, live.game, live.game.currency or UNSTATED
    settings, record, round = table.settings, table.float_record, table.round
    tray, drop = (table.balances.get(f"{each}:{live.name}", 0) for each in ("float", "drop"))
    win = None if record is None else tray + record.credits + drop - record.fills - record.opening
    limits = settings.limits.values() if settings is not None else ()
    differential = settings.differential if settings is not None else None
    return FloorTable(
        table=live.name,
        game=game.id,
        name={"en": game.name.en, **({"zh": game.name.zh} if game.name.zh else {})},
        version=str(game.version),
        open=settings is not None,
        suspended=table.suspended,
        stopped=table.stopped or live.halted,
        dealer=table.dealer,
        automatic=settings is not None and settings.automatic_dealer,
        round=table.rounds,
        phase=round.phase.value if round is not None else "",
        waits=list(waits(round)) if round is not None else [],
        seats=settings.positions if settings is not None else 0,
        patrons=len(table.people),
        minimum=show(Money(min(each.min for each in limits)), money) if limits else None,
        maximum=show(Money(max(each.max for each in limits)), money) if limits else None,
        differential=None if differential is None else show(Money(differential), money),
        layout=settings.layout if settings is not None else "",
        decks=settings.decks if settings is not None else game.decks.default,
        method=settings.method if settings is not None else "",
        staked=show(Money(sum(each.amount for each in round.stakes.values()) if round is not None else 0), money),
        tray=show(Money(tray), money),
        drop=show(Money(drop), money),
        win=None if win is None else show(Money(win), money),
        hold=win / drop if win is not None and drop else None,
        rounds_per_hour=pace,
        requests=len(record.requests) if record is not None else 0,
        alerts=alerts,
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
