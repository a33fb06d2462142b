"""The odds lab: a game changed by a designer, and what becomes of every wager. Nothing is stored, and no table knows of it.

A file is data. Its conditions are a language of our own that can compare and count, and nothing else; no code in it is ever run.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from math import ceil
from typing import Any

import msgspec
from litestar import Response, post
from litestar.params import JSONBody

from longhu.games.changes import Change
from longhu.server.api import guards
from longhu.server.api.codec import JSON
from longhu.server.api.edge import address
from longhu.server.api.guards import ANYBODY, watching
from longhu.server.lab import questions
from longhu.server.lab.process import Full, Lab, Lane, NoAnswer, TooMuch
from longhu.server.lab.questions import CountingAsked, SheetAsked, Subject
from longhu.server.problems import RETRY_SECONDS, ProblemKind, Trouble, sentence

EXAMPLE = Subject(
    game="dragon-tiger", changes=[Change(do="set", at=["wager", 2, "lines", 0, "pays"], to="12:1")], decks=6
)
MAY_FAIL = {**ANYBODY, "problems": (401,), "example": EXAMPLE}
MEDIA = {"html": "text/html; charset=utf-8", "pdf": "application/pdf"}


@post("/api/lab/odds", status_code=200, opt=MAY_FAIL)
async def lab_odds(request: guards.Request, data: JSONBody[Subject]) -> Response[questions.GameFigures]:
    """The exact odds of a game after changes, or what is wrong with them, with its place."""
    return await _told(request, Lane.QUICK, "figures", data)


@post("/api/lab/file", status_code=200, opt=MAY_FAIL)
async def lab_file(request: guards.Request, data: JSONBody[Subject]) -> Response[questions.File]:
    """The game file after changes, comments and all; and the words that its conditions may use."""
    return await _told(request, Lane.QUICK, "file", data)


@post("/api/lab/removal", status_code=200, opt=MAY_FAIL)
async def lab_removal(request: guards.Request, data: JSONBody[Subject]) -> Response[questions.Removals]:
    """Effects of removal: what every wager gains when a card has left the full shoe."""
    return await _told(request, Lane.LONG, "removals", data)


@post("/api/lab/readings", status_code=200, opt=MAY_FAIL)
async def lab_readings(request: guards.Request, data: JSONBody[Subject]) -> Response[questions.Readings]:
    """Doubtful clauses with their options side by side, and published returns against the exact ones."""
    return await _told(request, Lane.LONG, "readings", data)


@post("/api/lab/counting", status_code=200, opt={**MAY_FAIL, "example": CountingAsked(subject=EXAMPLE, wager="tie")})
async def lab_counting(request: guards.Request, data: JSONBody[CountingAsked]) -> Response[questions.Counting]:
    """How far a wager can be beaten by whoever watches the cards, by how much of the shoe is dealt."""
    return await _told(request, Lane.LONG, "counting", data)


@post(
    "/api/lab/par",
    status_code=200,
    opt={
        **MAY_FAIL,
        "example": SheetAsked(subject=EXAMPLE, form="html"),
        "gives": "application/pdf",
        "also": ["text/html"],
    },
)
async def lab_par(request: guards.Request, data: JSONBody[SheetAsked]) -> Response[bytes]:
    """The PAR sheet of a game after changes, as a page or as PDF, dated today where no day is told."""
    day = data.date or datetime.now(UTC).date().isoformat()
    content = await _asked(request, Lane.LONG, "sheet", msgspec.structs.replace(data, date=day))
    name = f"{data.subject.game if data.subject.game.replace('-', '').isalnum() else 'game'}-par.{data.form}"
    return Response(
        content,
        media_type=MEDIA[data.form],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def _told(request: guards.Request, lane: Lane, name: str, question: msgspec.Struct) -> Response[Any]:
    """The answer of the lab is JSON already."""
    return Response(await _asked(request, lane, name, question), media_type=JSON)


async def _asked(request: guards.Request, lane: Lane, name: str, question: msgspec.Struct) -> bytes:
    await watching(request)
    whose = address(request.scope)
    wait = request.app.state.lab_rate.wait(whose)
    if wait:
        raise Trouble(
            ProblemKind.TOO_MANY,
            "This address has asked the lab very often.",
            remedy="Wait a little.",
            retry=ceil(wait),
        )
    lab: Lab = request.app.state.lab
    asking = asyncio.ensure_future(lab.ask(lane, name, msgspec.json.encode(question), whose))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({asking, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():  # nobody waits for it any more: typed on, or left
            raise Trouble(ProblemKind.UNAVAILABLE, "Whoever asked has gone.")
        return asking.result()
    except Full:
        raise Trouble(
            ProblemKind.UNAVAILABLE,
            "Many are asking the lab at this snapshot.",
            remedy="Ask again soon.",
            retry=RETRY_SECONDS,
        ) from None
    except TooMuch:
        raise Trouble(
            ProblemKind.UNAVAILABLE,
            "This takes more time or memory than the lab has for one question.",
            remedy="Fewer decks or simpler lines take less; `longhu odds --game FILE` has no such limit.",
        ) from None
    except NoAnswer as error:
        raise Trouble(ProblemKind.MALFORMED, sentence(str(error))) from None
    finally:
        asking.cancel()
        gone.cancel()


async def _gone(request: guards.Request) -> None:
    """Until whoever asked hangs up."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
