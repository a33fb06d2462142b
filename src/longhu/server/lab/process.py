"""The processes in which the lab works: few questions at a time, in a queue that has an end, and none longer than it may take.

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
import resource
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any, BinaryIO

import msgspec

from longhu.games.source import GameFileError
from longhu.server.lab.questions import CountingAsked, SheetAsked, Subject
from longhu.server.observability import log

IDLE_SECONDS = 300.0
IN_LINE = 12  # questions in one lane, that at work included
OF_ONE_ADDRESS = 4  # of these
ANSWER_MAX = 64 << 20
KNOWN = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")
ALONE = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
NICE = 10
MEMORY_BYTES = 4 << 30  # of addresses; compiled code reserves far more than it uses


class Lane(Enum):
    """Which queue a question stands in, and how many seconds its answer may take."""

    QUICK = 20.0
    LONG = 28.0


class Full(RuntimeError):
    """Too many are asking at once."""


class TooMuch(RuntimeError):
    """It takes more time or memory than the lab has for one question."""


class NoAnswer(ValueError):
    """Why a question has no answer, in the words of the lab."""


# ------------------------------------------------ in the server


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
            raise NoAnswer(answer[1:].decode())
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
                sys.executable, "-P", "-m", "longhu.server.lab.process", stdin=PIPE, stdout=PIPE, env={**told, **ALONE}
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


# ------------------------------------------------ in the process


def answered(message: bytes) -> bytes:
    """The answer to a question."""
    from longhu.server.lab import work  # a large part of the program, which the server itself does without

    questions: dict[bytes, tuple[type[msgspec.Struct], Callable[[Any], Any]]] = {
        b"figures": (Subject, work.figures),
        b"file": (Subject, work.file),
        b"removals": (Subject, work.removals),
        b"readings": (Subject, work.readings),
        b"counting": (CountingAsked, work.counting),
        b"sheet": (SheetAsked, work.sheet),
    }
    name, _, content = message.partition(b"\n")
    kind, answer = questions[name]
    try:
        found = answer(msgspec.json.decode(content, type=kind))
    except (GameFileError, work.Unknown) as error:
        return b"-" + _first_line(error).encode("utf-8", "replace")
    except MemoryError:
        return b"-this game takes more memory than the lab may use"
    return b"+" + (found if isinstance(found, bytes) else msgspec.json.encode(found))


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines() or ["it cannot be read"]
    more = f" ({len(lines) - 1} more)" if len(lines) > 1 else ""
    return lines[0][:400] + more


def serve(asked: BinaryIO, told: BinaryIO) -> None:
    """Answer until nobody asks any more."""
    while len(head := asked.read(4)) == 4:
        answer = answered(asked.read(int.from_bytes(head, "big")))
        told.write(len(answer).to_bytes(4, "big") + answer)
        told.flush()


def main() -> None:
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not get between the answers
    serve(sys.stdin.buffer, told)


if __name__ == "__main__":
    main()
