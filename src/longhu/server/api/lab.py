"""The odds lab: a game changed by a designer, and what becomes of every wager. Nothing is stored, and no table knows of it.

A file is data. Its conditions are a language of our own that can compare and count, and nothing else; no code in it is ever run.

Answers are computed in processes of their own: few questions at a time, in a queue that has an end, and none longer than it may take.
There are two lanes, so that somebody who types does not wait behind somebody who prints. Each has one process, started with its
first question and ended when nobody has asked for a while. It has no socket, no store, none of the house's settings and secrets; it
takes what the tables leave of the processors, and no more memory than it may. A pool of `concurrent.futures` would do the work, but
hands its processes the whole environment of the server, and has no way to end a question that takes too long.

A message is its length in four bytes, then itself: a question is `name` + newline + JSON; an answer is `+` and the answer, or
`-` and why there is none.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from enum import Enum
from math import ceil
from typing import Any

import msgspec
from litestar import Response, post
from litestar.params import JSONBody

from longhu.games.changes import GameChange
from longhu.messages.message import Message, message_code
from longhu.server.api import guards
from longhu.server.api.guards import ANYBODY, watching
from longhu.server.api.http import JSON, address
from longhu.server.lab import questions
from longhu.server.lab.questions import LAB_TOO_LARGE, CountingAsked, SheetAsked, Subject
from longhu.server.observability import log
from longhu.server.problems import RETRY_SECONDS, WAIT_A_LITTLE, ProblemKind, Trouble, malformed

LAB_TOO_OFTEN = message_code("lab-too-often")
CLIENT_GONE = message_code("client-gone")
LAB_BUSY = message_code("lab-busy")
ASK_AGAIN_SOON = message_code("ask-again-soon")
USE_CLI = message_code("use-longhu-odds")

EXAMPLE = Subject(
    game="dragon-tiger", changes=[GameChange(do="set", at=["wager", 2, "lines", 0, "pays"], to="12:1")], decks=6
)
MAY_FAIL = {**ANYBODY, "problems": (401,), "example": EXAMPLE}
MEDIA = {"html": "text/html; charset=utf-8", "pdf": "application/pdf"}
IDLE_SECONDS = 300.0
IN_LINE = 12  # questions in one lane, that at work included
OF_ONE_ADDRESS = 4  # of these
ANSWER_MAX = 64 << 20
KNOWN = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")
START = "import os; os.nice(10); from longhu.server.lab.work import main; main()"
ALONE = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


class Lane(Enum):
    """Which queue a question stands in, and how many seconds its answer may take."""

    QUICK = 20.0
    LONG = 28.0


class Full(RuntimeError):
    """Too many are asking at once."""


class TooMuch(RuntimeError):
    """It takes more time or memory than the lab has for one question."""


class NoAnswer(ValueError):
    """Why a question has no answer."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.code)
        self.message = message


class Lab:
    """Both lanes. It belongs to one event loop."""

    def __init__(self, *, idle_seconds: float = IDLE_SECONDS, limits: dict[Lane, float] | None = None) -> None:
        told = {lane: lane.value for lane in Lane} | (limits or {})
        self._lanes = {lane: _Worker(lane.name.lower(), told[lane], idle_seconds) for lane in Lane}

    async def ask(self, lane: Lane, name: str, content: bytes, address: str) -> bytes:
        """The answer, as it is sent. Whoever gives up leaves the queue; what is at work already is worked out."""
        return await self._lanes[lane].ask(name.encode() + b"\n" + content, address)

    async def close(self) -> None:
        for each in self._lanes.values():
            await each.end()


class _Worker:
    """One process and the queue before it."""

    def __init__(self, name: str, seconds: float, idle_seconds: float) -> None:
        self._name, self._seconds, self._idle_seconds = name, seconds, idle_seconds
        self._turn = asyncio.Lock()
        self._asking: Counter[str] = Counter()
        self._process: Process | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def ask(self, message: bytes, address: str) -> bytes:
        if self._asking.total() >= IN_LINE or self._asking[address] >= OF_ONE_ADDRESS:
            raise Full
        self._asking[address] += 1
        try:
            await self._turn.acquire()
            work = asyncio.ensure_future(self._exchanged(message))
            work.add_done_callback(self._next)
            answer = await asyncio.shield(work)
        finally:
            self._asking[address] -= 1
            self._asking += Counter()  # forgets those at nothing
        if answer[:1] == b"-":
            raise NoAnswer(msgspec.json.decode(answer[1:], type=Message))
        return answer[1:]

    def _next(self, work: asyncio.Future[bytes]) -> None:
        """Whoever asked may be gone: nobody need know why it failed."""
        if not work.cancelled():
            work.exception()
        self._turn.release()

    async def _exchanged(self, message: bytes) -> bytes:
        if self._idle is not None:
            self._idle.cancel()
        try:
            async with asyncio.timeout(self._seconds):
                process = await self._started()
                if process.stdin is None or process.stdout is None:
                    raise AssertionError("a process without its pipes")
                process.stdin.write(len(message).to_bytes(4, "big") + message)
                await process.stdin.drain()
                size = int.from_bytes(await process.stdout.readexactly(4), "big")
                answer = await process.stdout.readexactly(size) if 0 < size <= ANSWER_MAX else b""
        except (TimeoutError, asyncio.IncompleteReadError, OSError) as error:
            log.warning("lab ended", lane=self._name, why=type(error).__name__)
            await self.end()
            raise TooMuch from None
        self._idle = asyncio.get_running_loop().call_later(self._idle_seconds, self._kill)
        return answer

    async def _started(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            told = {name: os.environ[name] for name in KNOWN if name in os.environ}
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-c", START, stdin=PIPE, stdout=PIPE, env={**told, **ALONE}
            )  # fmt: skip
        return self._process

    def _kill(self) -> Process | None:
        """The next question starts another process."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
        return process

    async def end(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if (process := self._kill()) is not None:
            await process.wait()


# ------------------------------------------------ routes


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
            LAB_TOO_OFTEN(),
            remedy=WAIT_A_LITTLE(),
            retry=ceil(wait),
        )
    lab: Lab = request.app.state.lab
    asking = asyncio.ensure_future(lab.ask(lane, name, msgspec.json.encode(question), whose))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({asking, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():  # nobody waits for it any more: typed on, or left
            raise Trouble(ProblemKind.UNAVAILABLE, CLIENT_GONE())
        return asking.result()
    except Full:
        raise Trouble(
            ProblemKind.UNAVAILABLE,
            LAB_BUSY(),
            remedy=ASK_AGAIN_SOON(),
            retry=RETRY_SECONDS,
        ) from None
    except TooMuch:
        raise Trouble(
            ProblemKind.UNAVAILABLE,
            LAB_TOO_LARGE(),
            remedy=USE_CLI(),
        ) from None
    except NoAnswer as error:
        raise malformed(error.message) from None
    finally:
        asking.cancel()
        gone.cancel()


async def _gone(request: guards.Request) -> None:
    """Until whoever asked hangs up."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
