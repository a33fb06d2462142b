"""Shuffles that are over, for anybody to make again (RUL-6). The one in use is in the view of the table, without its secret."""

from __future__ import annotations

import asyncio

from litestar import get
from litestar.params import FromPath

from longhu.server.http import guards
from longhu.server.http.guards import ANYBODY
from longhu.server.http.problems import Kind, Trouble
from longhu.server.http.revealed import RevealedShuffle, revealed
from longhu.server.http.routes.tables import live_table, watching
from longhu.server.realtime.wire_types import WHOLE_MAX


@get("/api/tables/{table:str}/shuffles/{number:int}", opt={**ANYBODY, "problems": (401,)})
async def shuffle(request: guards.Asked, table: FromPath[str], number: FromPath[int]) -> RevealedShuffle:
    """The shuffle of a shoe that is over: commitment, contributions, cut, secret, and the cards as they came."""
    await watching(request)
    live, store = await live_table(request, table), guards.house(request).store
    state = live.state
    in_use = state.shuffle is not None and state.shuffle.number == number and not state.shuffle.secret
    known = 0 < number <= min(state.shoes, WHOLE_MAX) and not in_use
    found = await asyncio.to_thread(revealed, store, live.name, number, state.rounds) if known else None
    if found is None:
        raise Trouble(
            Kind.NOT_FOUND,
            f"No shuffle of shoe {number} of table {live.name} has been revealed.",
            remedy="It is revealed when the shoe is over.",
            clause="RUL-6",
        )
    return found


HANDLERS = [shuffle]
