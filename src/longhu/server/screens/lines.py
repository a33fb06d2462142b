"""What goes out to one screen, and how much of it may wait there.

A line takes messages as long as the screen keeps up. Once too much waits, it says so and takes no more; when the screen
has caught up, whoever feeds it is called, and sends a snapshot in place of all that was left out.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from longhu.server.screens.frames import Frames, text_of

WAITING_MESSAGES, WAITING_BYTES = 256, 256 * 1024


class Line(Protocol):
    """One screen's connection."""

    caught_up: Callable[[], None]  # called when a line that could not keep up can be written to again

    def offer(self, frames: Sequence[bytes], joined: bytes) -> bool:
        """Send these messages, where the screen keeps up; `joined` are the same. Says whether it does."""

    def send(self, frames: Sequence[bytes], joined: bytes) -> None:
        """Send these, whether it keeps up or not."""

    async def room(self) -> None:
        """Wait until there is room, or nobody is there any more."""


class TwoWay(Line, Protocol):
    """One over which somebody asks as well."""

    @property
    def is_full(self) -> bool:
        """Does the screen not keep up?"""

    def take(self, taker: Callable[[bytes], None] | None) -> bool:
        """Be called with every message that comes in from now on, or (None) no more. False where only a task can wait for them."""

    def hold(self) -> None:
        """Whoever is called wants nothing more for now,"""

    def go_on(self) -> None:
        """and wants it again."""


class FramesLine:
    """A connection of our own server: frames go straight to it, and its buffer is what may wait."""

    def __init__(self, connection: Frames) -> None:
        self._connection = connection

    @property
    def caught_up(self) -> Callable[[], None]:
        return self._connection.resumed

    @caught_up.setter
    def caught_up(self, call: Callable[[], None]) -> None:
        self._connection.resumed = call

    @property
    def is_full(self) -> bool:
        return self._connection.is_full

    def offer(self, frames: Sequence[bytes], joined: bytes) -> bool:
        del frames
        connection = self._connection
        if connection.is_full:
            return False
        connection.write_frames(joined)
        return True

    def send(self, frames: Sequence[bytes], joined: bytes) -> None:
        del frames
        self._connection.write_frames(joined)

    async def room(self) -> None:
        await self._connection.writable.wait()

    def take(self, taker: Callable[[bytes], None] | None) -> bool:
        self._connection.taker = taker
        return True

    def hold(self) -> None:
        self._connection.hold()

    def go_on(self) -> None:
        self._connection.go_on()


class QueueLine:
    """Any other connection: a queue of bounded length, and a task that empties it."""

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self.caught_up: Callable[[], None] = lambda: None
        self._send = send
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._some, self._room = asyncio.Event(), asyncio.Event()
        self._room.set()

    @property
    def is_full(self) -> bool:
        return not self._room.is_set()

    def offer(self, frames: Sequence[bytes], joined: bytes) -> bool:
        if not self._room.is_set():
            return False
        self.send(frames, joined)
        return True

    def send(self, frames: Sequence[bytes], joined: bytes) -> None:
        del joined
        for text in map(text_of, frames):
            self._waiting.append(text)
            self._bytes += len(text)
        if len(self._waiting) > WAITING_MESSAGES or self._bytes > WAITING_BYTES:
            self._room.clear()
        self._some.set()

    async def room(self) -> None:
        await self._room.wait()

    def take(self, taker: Callable[[bytes], None] | None) -> bool:
        del taker
        return False

    def hold(self) -> None:
        """Whoever asks waits for room."""

    def go_on(self) -> None:
        """Nothing was held."""

    async def run(self) -> None:
        """Send what waits, until cancelled or the other side is gone."""
        try:
            while True:
                await self._some.wait()
                while self._waiting:
                    text = self._waiting.popleft()
                    self._bytes -= len(text)
                    await self._send(text.decode())
                self._some.clear()
                if not self._room.is_set():
                    self._room.set()
                    self.caught_up()
        finally:
            self._room.set()  # nobody waits for a screen that is gone


@asynccontextmanager
async def queue_line(send: Callable[[str], Awaitable[None]]) -> AsyncIterator[QueueLine]:
    """A queue while something empties it."""
    line = QueueLine(send)
    sending = asyncio.create_task(line.run())
    try:
        yield line
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
