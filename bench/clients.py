"""What the clients of `bench/serve.py` say, over either way, and the processes with them (`crowd.c`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from longhu.server.api import guards
from longhu.server.codec import framed
from plan import DIGITS, Asked, Connection, Plan
from premises import AMOUNT, Patron, Site

WAGER = "dragon"
WARMS = 1.0  # seconds before anything counts,
SECONDS = 1.5  # and those of a rate, few: echo and wagers follow each other closely, for the machine changes from second to second,
STEADILY = 4.0  # and those of the time of an answer
SOCKET, HTTP = 0.2, 0.3  # of the echo: the goals


def hello(path: str, patron: Patron | None = None) -> bytes:
    """How a WebSocket begins."""
    cookie = f"Cookie: {guards.COOKIE}={patron.token}\r\n" if patron is not None else ""
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{cookie}Upgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def in_two(whole: bytes) -> tuple[bytes, bytes]:
    before, _, after = whole.partition(b"N" * DIGITS)
    return before, after


def wager(**told: str) -> bytes:
    """What a patron asks, with a place for the number."""
    command = {"command": "place-wager", "place": 1, "wager": WAGER, "amount": AMOUNT}
    return msgspec.json.encode({**told, "id": "N" * DIGITS, "command": command})


def over_socket(patron: Patron, path: str) -> Connection:
    """A frame of a client is masked; with zeros it can be read as it is."""
    text = wager(type="command")
    head = framed(text)[: -len(text)]
    return Connection(hello(path, patron), *in_two(bytes((head[0], head[1] | 0x80)) + head[2:] + bytes(4) + text))


def over_http(patron: Patron, path: str) -> Connection:
    body = wager()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {guards.COOKIE}={patron.token}\r\n"
        f"{guards.CSRF}: {patron.csrf}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return Connection(b"", *in_two(head.encode() + body))


class Way(msgspec.Struct, frozen=True):
    """A way to wager, and its echo."""

    name: str
    connection: Callable[[Patron, str], Connection]
    path: str
    echoed: bytes  # what marks an answer,
    done: bytes
    goal: float


WAYS = (
    Way("WebSocket", over_socket, "socket", b'"type":"command"', b'"type":"done"', SOCKET),
    Way("HTTP", over_http, "commands", b"HTTP/1.1 200", b"HTTP/1.1 200", HTTP),
)
WRONG = [b'"type":"refused"', b'"type":"problem"', b"HTTP/1.1 4", b"HTTP/1.1 5"]


class Crowd:
    """Processes with clients, one after the other."""

    def __init__(self, site: Site, program: Path) -> None:
        self._site, self._program, self._plan, self._runs = site, program, program.with_name("plan"), 0

    async def ask(self, way: Way, window: int, *, plays: bool, rate: float = 0.0) -> Asked:
        """As much as is answered, or so much a second."""
        self._runs += 1
        patrons = self._site.patrons
        paths = [f"/api/tables/{each.table}/{way.path}" if plays else "/bench/echo" for each in patrons]
        plan = Plan(
            "127.0.0.1",
            self._site.port,
            [way.connection(*each) for each in zip(patrons, paths, strict=True)],
            way.done if plays else way.echoed,
            WRONG,
            window,
            rate,
            WARMS,
            STEADILY if rate else SECONDS,
            first=self._runs * 10**9,
        )
        process = await self._started("ask", plan)
        out, _ = await process.communicate()
        if process.returncode:
            raise SystemExit("the clients gave up")
        return msgspec.json.decode(out, type=Asked)

    @asynccontextmanager
    async def watching(self, count: int, path: str, *, port: int = 0, silent: int = 0) -> AsyncIterator[None]:
        """Sockets that are open and, but for the silent ones, read."""
        greets = hello(path) if path else b""
        plan = Plan("127.0.0.1", port or self._site.port, [Connection(greets)] * count, silent=silent)
        process = await self._started("watch", plan)
        if process.stdout is None or process.stdin is None:
            raise AssertionError("a process without pipes")
        if await process.stdout.readline() != b"ready\n":
            raise SystemExit("the clients did not start")
        try:
            yield
        finally:
            process.stdin.close()
            gave_up = await process.wait()
        if gave_up:  # then fewer were told of it than were meant to be
            raise SystemExit("the clients gave up")

    async def _started(self, what: str, plan: Plan) -> asyncio.subprocess.Process:
        self._plan.write_bytes(plan.written())
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(str(self._program), what, str(self._plan), stdin=pipe, stdout=pipe)
