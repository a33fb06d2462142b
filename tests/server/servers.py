"""Servers in processes of their own, one after the other, each to be killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from longhu.server.config import Config

ROOT = Path(__file__).parents[2]
WAITS = 60.0  # seconds; a server that has not answered by then never will


class Servers:
    """Servers in processes of their own, one after the other; each is killed."""

    def __init__(self, config: Config, log: Path) -> None:
        self._config, self._log = config, log
        self.gone = asyncio.Event()
        self.enough = asyncio.Event()  # it has answered as often as it may
        self._answers = 0

    async def open(self) -> None:
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.server.splitter",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                cwd=ROOT,
            )

    def answered(self) -> None:
        self._answers -= 1
        if self._answers == 0:
            self.enough.set()

    async def start(self, node: str, answers: int) -> None:
        """A new server, which may not answer yet; it has done enough after so many answers."""
        self._answers = answers
        self.enough.clear()
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(replace(self._config, node=node)) + b"\n")
        await self._process.stdin.drain()
        self.gone.clear()
        self._pid = int(await self._line())

    async def address(self) -> str:
        """Once it answers; "" where it was killed before."""
        told = await self._line()
        return "" if told == "ended" else told

    async def kill(self) -> None:
        """SIGKILL: nothing is finished, nothing is given up."""
        self.gone.set()
        os.kill(self._pid, signal.SIGKILL)

    async def _line(self) -> str:
        assert self._process.stdout is not None
        async with asyncio.timeout(WAITS):
            line = await self._process.stdout.readline()
        assert line, f"the process that splits off servers has ended:\n{self._log.read_text()}"
        return line.decode().strip()

    async def close(self) -> None:
        self.gone.set()
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.communicate()
