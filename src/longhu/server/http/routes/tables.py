"""The tables: who plays what where, and one table as each viewer may see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from longhu.money import UNSTATED, show
from longhu.positions import Position
from longhu.server.actor import Actor
from longhu.server.authorization import reserved_for_house
from longhu.server.house import House
from longhu.server.http import guards
from longhu.server.http.fields import Held, Number, Time, is_name
from longhu.server.http.guards import ANYBODY
from longhu.server.http.problems import Kind, Trouble
from longhu.server.http.routes.answers import unchanged
from longhu.server.http.routes.games import GamePage, paytable
from longhu.server.realtime import codec
from longhu.server.realtime.broadcast import viewer_of
from longhu.server.realtime.wire_types import WORD_OF
from longhu.server.streams.table_stream import TableStream
from longhu.table.dealing import DrawCard, next_hand
from longhu.table.open_acts import OpenAct, calls, open_acts
from longhu.table.state import Table, replace
from longhu.table.views import view


class LobbyEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A table in short."""

    table: str
    game: str
    name: dict[str, str]
    open: bool
    suspended: bool
    stopped: bool
    dealer: str  # "automatic" or "human"
    phase: str
    round: Number
    seats: Number
    taken: Number
    patrons: Number
    minimum: str | None
    maximum: str | None
    countdown: int | None  # milliseconds left to bet
    play_money: bool  # nothing here is worth anything


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as this viewer may see it."""

    table: str
    sequence: Number  # of the last record in it
    at: Time
    countdown: int | None
    play_money: bool
    view: dict[str, Any]


class Called(msgspec.Struct, frozen=True, kw_only=True):
    """What waits for somebody in a higher position, and what they could ask."""

    position: Held
    ready: list[dict[str, Any]]
    told: list[str]


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """The next card: whose it is, and why."""

    hand: str
    why: str


class Acts(msgspec.Struct, frozen=True, kw_only=True):
    """What may be asked now: whole commands, ready to be sent, and names of those that want something told."""

    sequence: Number
    ready: list[dict[str, Any]]
    told: list[str]
    due: Due | None  # where a card is to be drawn
    above: list[Called]  # whom to call, where the round waits for a decision that is not mine; for staff


async def watching(request: guards.Asked) -> Actor | None:
    """Who looks; where the house wants everybody signed in, somebody is."""
    actor = await guards.whoever(request)
    if actor is None and not guards.config(request).spectators:
        raise Trouble(Kind.NOT_SIGNED_IN, "Only those who are signed in may watch here.", remedy="Sign in.")
    return actor


async def at_table(request: guards.Asked, table: str) -> tuple[Actor, TableStream, House]:
    """Who asks, at which table, of which house."""
    return await guards.acting(request), await live_table(request, table), guards.house(request)


async def live_table(request: guards.Asked, table: str) -> TableStream:
    live = await guards.house(request).stream(table) if is_name(table) else None
    if live is None:
        raise Trouble(Kind.NOT_FOUND, f"No table is called {table[:60]!r}.", remedy="GET /api/tables lists them.")
    return live


@get("/api/tables", opt=ANYBODY)
async def lobby(request: guards.Asked) -> list[LobbyEntry]:
    """The tables of the house."""
    await watching(request)
    house = guards.house(request)
    return [_entry(house, live) for _, live in sorted(house.tables.items())]


def _entry(house: House, live: TableStream) -> LobbyEntry:
    table, game = live.state, live.game
    settings, money = table.settings, game.currency or UNSTATED
    limits = settings.limits.values() if settings is not None else ()
    return LobbyEntry(
        table=live.name,
        game=game.id,
        name={"en": game.name.en, **({"zh": game.name.zh} if game.name.zh else {})},
        open=settings is not None,
        suspended=bool(table.suspended),
        stopped=bool(table.stopped or live.halted),
        dealer="automatic" if settings is not None and settings.automatic_dealer else "human",
        phase=table.round.phase.value if table.round is not None else "",
        round=table.rounds,
        seats=settings.positions if settings is not None else 0,
        taken=sum(each.seat is not None for each in table.people.values()),
        patrons=len(table.people),
        minimum=show(min((each.min for each in limits), default=0), money) if limits else None,
        maximum=show(max((each.max for each in limits), default=0), money) if limits else None,
        countdown=house.countdown(live),
        play_money=house.config.demo,
    )


@get("/api/tables/{table:str}", opt={**ANYBODY, "etag": True, "problems": (401,)})
async def table_view(request: guards.Asked, table: FromPath[str]) -> Response[TableView]:
    """A table as I may see it.

    The WebSocket of the table tells the same and what changes.
    """
    actor, live, house = await watching(request), await live_table(request, table), guards.house(request)
    state, sequence = live.state, live.sequence
    seen = viewer_of(state, actor)
    tag = f'"{sequence}-{seen.role.value}-{seen.person}"'
    if (same := unchanged(request, tag)) is not None:
        return same
    told = codec.view(view(state, live.game, seen), live.game.currency or UNSTATED)
    answer = TableView(
        table=live.name,
        sequence=sequence,
        at=house.now(),
        countdown=house.countdown(live),
        play_money=house.config.demo,
        view=told,
    )
    return Response(answer, headers={"ETag": tag, "Cache-Control": "no-cache"})


@get("/api/tables/{table:str}/rules", opt={**ANYBODY, "etag": True, "problems": (401,)})
async def table_rules(request: guards.Asked, table: FromPath[str]) -> Response[GamePage]:
    """What this table pays, as the house reads the rules here, and the exact odds with its decks (RUL-1)."""
    await watching(request)
    live = await live_table(request, table)
    settings = live.state.settings
    return await paytable(request, live.game, settings.decks if settings is not None else live.game.decks.default)


@get("/api/tables/{table:str}/acts", opt=guards.SIGNED_IN)
async def acts(request: guards.Asked, table: FromPath[str]) -> Acts:
    """What I may do at this table now."""
    actor, live, house = await at_table(request, table)
    state, sequence = as_staff(live.state, actor), live.sequence
    auditor, at = actor.position is Position.AUDITOR, house.now()
    found = [] if auditor else open_acts(state, live.game, actor.person, at)
    above = calls(state, live.game, actor.person, at) if actor.position >= Position.DEALER else {}
    ready, told = _written(live, state, found)
    return Acts(
        sequence=sequence,
        ready=ready,
        told=told,
        due=_due(live, state, found),
        above=[Called(position=WORD_OF[held], ready=r, told=t) for held, (r, t) in _above(live, state, above).items()],
    )


def _due(live: TableStream, state: Table, found: list[OpenAct]) -> Due | None:
    """Whose card is next, as the procedure says; everything that it follows from lies open."""
    if state.round is None or not any(each is DrawCard or isinstance(each, DrawCard) for each in found):
        return None
    hand, why = next_hand(live.game, state.round)
    return None if hand is None else Due(hand=live.game.procedure.hands[hand].id, why=why)


def _above(
    live: TableStream, state: Table, above: Mapping[Position, list[OpenAct]]
) -> dict[Position, tuple[list[dict[str, Any]], list[str]]]:
    return {held: _written(live, state, acts) for held, acts in above.items()}


def _written(live: TableStream, state: Table, found: list[OpenAct]) -> tuple[list[dict[str, Any]], list[str]]:
    """Whole commands as they are sent, and names of those that want something told."""
    money = live.game.currency or UNSTATED
    whole_ones = [each for each in found if not isinstance(each, type)]
    ready = [codec.written(each, money) for each in whole_ones if reserved_for_house(state, each) is None]
    return ready, [
        codec.name_of(each) for each in found if isinstance(each, type) and codec.name_of(each) in codec.ACCEPTED
    ]


def as_staff(table: Table, actor: Actor) -> Table:
    """Somebody with a position in the house is put among the staff of a table with the first thing they do there."""
    known = actor.person in table.staff or actor.person in table.people
    if known or actor.position < Position.DEALER or table.settings is None:
        return table
    return replace(table, staff={**table.staff, actor.person: actor.position})


HANDLERS = [lobby, table_view, table_rules, acts]
