"""How the house asks the lab's processes: few at a time, in a line that has an end, and never longer than it may take.

There are two lanes, so that somebody who types does not wait behind somebody who prints. Each has one process, started with its
first question and ended when nobody has asked for a while. The tables notice nothing: the work is another process's.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from contextlib import suppress
from enum import Enum

from longhu.server.logs import log

IDLE_SECONDS = 300.0
IN_LINE = 12  # questions in one lane, that at work included
OF_ONE_ADDRESS = 4  # of these
ANSWER_MAX = 64 << 20
KNOWN = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")
ALONE = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


class Lane(Enum):
    """Which line a question stands in, and how many seconds its answer may take."""

    QUICK = 20.0
    LONG = 28.0


class Full(RuntimeError):
    """Too many are asking at once."""


class TooMuch(RuntimeError):
    """It takes more time or memory than the lab has for one question."""


class NoAnswer(ValueError):
    """Why a question has no answer, in the words of the lab."""


class Lab:
    """Both lanes. It belongs to one event loop."""

    def __init__(self, *, idle_seconds: float = IDLE_SECONDS, limits: dict[Lane, float] | None = None) -> None:
        told = {lane: lane.value for lane in Lane} | (limits or {})
        self._lanes = {lane: _Works(lane.name.lower(), told[lane], idle_seconds) for lane in Lane}

    async def ask(self, lane: Lane, name: str, content: bytes, address: str) -> bytes:
        """The answer, as it is sent. Whoever gives up leaves the line; what is at work already is worked out."""
        return await self._lanes[lane].ask(name.encode() + b"\n" + content, address)

    async def close(self) -> None:
        for each in self._lanes.values():
            await each.close()


class _Works:
    """One process and the line before it."""

    def __init__(self, name: str, seconds: float, idle_seconds: float) -> None:
        self._name, self._seconds, self._idle_seconds = name, seconds, idle_seconds
        self._turn = asyncio.Lock()
        self._asking: Counter[str] = Counter()
        self._process: Process | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

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
            await self._end()
            raise TooMuch from None
        self._idle = asyncio.get_running_loop().call_later(self._idle_seconds, self._rest)
        return answer

    async def _started(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            told = {name: os.environ[name] for name in KNOWN if name in os.environ}
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "longhu.server.lab.worker", stdin=PIPE, stdout=PIPE, env={**told, **ALONE}
            )  # fmt: skip
        return self._process

    def _rest(self) -> None:
        task = asyncio.ensure_future(self._ended_if_idle())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ended_if_idle(self) -> None:
        if not self._turn.locked():
            async with self._turn:
                await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def close(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        for task in self._tasks:
            task.cancel()
        await self._end()
