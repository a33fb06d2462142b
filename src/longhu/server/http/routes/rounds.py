"""Rounds that are over: a list of them, and each one card by card (LOG-9)."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import get
from litestar.params import FromPath

from longhu.server.actor import Actor
from longhu.server.http import guards
from longhu.server.http.fields import Number, Page, Time, query
from longhu.server.http.guards import ANYBODY
from longhu.server.http.problems import Kind, Trouble
from longhu.server.http.recall import Recalled, recalled
from longhu.server.http.routes.tables import live_table, watching
from longhu.server.http.withheld import is_revealed
from longhu.server.tables.live import Live
from longhu.store.interface import Store


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over, in short."""

    number: Number
    started: Time
    ended: Time
    void: bool
    winner: str | None


class Rounds(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    rounds: list[RoundView]
    before: Number | None  # ask for what is older with this; None: that was all


@get("/api/tables/{table:str}/rounds", opt={**ANYBODY, "query": Page, "problems": (401,)})
async def rounds(request: guards.Asked, table: FromPath[str]) -> Rounds:
    """The rounds of a table that are over, newest first."""
    await watching(request)
    live, page, store = await live_table(request, table), query(request, Page), guards.house(request).store
    found = await asyncio.to_thread(lambda: store.rounds(live.id, before=page.before, limit=page.limit))
    told = [
        RoundView(
            number=each.number,
            started=each.started,
            ended=each.ended,
            void=each.ending < 0,
            winner=None if each.ending < 0 else live.game.winner(each.ending) or "tie",
        )
        for each in found
    ]
    return Rounds(table=live.id, rounds=told, before=found[-1].number if len(found) == page.limit else None)


@get("/api/tables/{table:str}/rounds/{number:int}", opt={**ANYBODY, "problems": (401,)})
async def round_recalled(request: guards.Asked, table: FromPath[str], number: FromPath[int]) -> Recalled:
    """A round that is over, card by card (LOG-9).

    Patrons and spectators read of others' wagers the sums alone; staff read everything that was told.
    """
    actor = await watching(request)
    live, house = await live_table(request, table), guards.house(request)
    told = await asyncio.to_thread(_recall, house.store, live, number, actor) if 0 < number < 2**53 else None
    if told is None:
        raise Trouble(Kind.NOT_FOUND, f"Round {number} of table {live.id} is not over, or was never played.")
    return told


def _recall(store: Store, live: Live, number: int, actor: Actor | None) -> Recalled | None:
    entry = store.round(live.id, number)
    if entry is None:
        return None
    lines = store.records_between(live.id, entry.first, entry.last)
    games = {digest: file.load(f"the rules {digest[:12]}") for digest, file in store.games(live.id).items()}
    return recalled(
        entry, lines, games, lambda shoe: is_revealed(store, live.id, live.durable, shoe, entry.first), actor
    )


HANDLERS = [rounds, round_recalled]
