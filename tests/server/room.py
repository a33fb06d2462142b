"""A room full of people at a running server, and a tape of everything that any of them is told."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.server.patching import patched
from tests.server.running import Running

PAUSE = 0.2  # seconds between two requests of one reader


class Heard(NamedTuple):
    """Something that came over the network."""

    table: str
    person: str  # "" is a passer-by
    where: str  # "socket", or the path of a request
    asked: int  # milliseconds, UTC: when it was asked for, or came
    came: int
    text: str


def now() -> int:
    return time.time_ns() // 1_000_000


class Tape:
    """Everything, in the order in which it came."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []

    def __iter__(self) -> Iterator[Heard]:
        return iter(self.heard)


class Somebody:
    """A person at the socket of a table, who looks and, where they have chips, plays."""

    def __init__(self, tape: Tape, table: str, person: str, plays: str = "", seat: int = 1) -> None:
        self.tape, self.table, self.person, self.plays, self.seat = tape, table, person, plays, seat
        self.view: dict[str, Any] = {}
        self.count = 0
        self.asked: set[str] = set()

    async def watch(self, address: str, cookie: str) -> None:
        headers = {"Cookie": cookie} if cookie else {}
        async with connect(address, additional_headers=headers, compression=None) as socket:
            try:
                async for text in socket:
                    await self.hear(socket, str(text))
            except ConnectionClosed:
                return

    async def hear(self, socket: ClientConnection, text: str) -> None:
        at = now()
        self.tape.heard.append(Heard(self.table, self.person, "socket", at, at, text))
        self.learn(json.loads(text))
        for wish in self.wishes():
            await self.ask(socket, wish)

    def learn(self, told: dict[str, Any]) -> None:
        """See what a message shows."""
        if told["type"] == "snapshot":
            self.view = told["view"]
        elif "patch" in told:
            self.view = patched(self.view, told["patch"])

    def wishes(self) -> Iterator[dict[str, Any]]:
        """Bet in every round; bend every card of a hand that one holds, then turn it over; add to shuffles, and cut."""
        round = self.view.get("round")
        if not self.plays:
            return
        shuffle = self.view.get("shuffle") or {}
        if shuffle and not shuffle.get("mix") and not shuffle.get("secret"):
            yield {"command": "contribute", "value": f"luck of seat {self.seat}"}
            yield {"command": "cut-cards"}
        if not round:
            return
        if (
            round["phase"] == "place-your-bets"
            and f"{self.view['viewer']}/{self.seat}/{self.plays}" not in round["stakes"]
        ):
            yield {"command": "place-wager", "place": self.seat, "wager": self.plays, "amount": "10.00"}
        for hand in round.get("holds", ()):
            mine = [
                (place, each)
                for place, each in enumerate(round["cards"])
                if each["hand"] == hand and not each["public"]
            ]
            first = round["opens_first"]  # the other hand is turned over once this one lies open (IDT-3.10.6)
            later = hand != first and any(each["hand"] == first and not each["public"] for each in round["cards"])
            fresh = next(((place, each) for place, each in mine if each["bent"] < 10), None)
            if fresh is not None:
                yield {"command": "squeeze-card", "place": fresh[0], "step": min(10, fresh[1]["bent"] + 5)}
            elif mine and not later:
                yield {"command": "reveal-hand", "hand": hand}

    async def ask(self, socket: ClientConnection, wish: dict[str, Any]) -> None:
        if self.is_new(wish):
            self.count += 1
            await socket.send(json.dumps({"type": "command", "id": f"{self.count}", "command": wish}))

    def is_new(self, wish: dict[str, Any]) -> bool:
        """Each is asked once for each state of things."""
        round = self.view.get("round") or {}
        key = json.dumps(
            [wish, (self.view.get("shuffle") or {}).get("number"), round.get("number"), len(round.get("cards", ()))]
        )
        is_new = key not in self.asked
        self.asked.add(key)
        return is_new


class Reader:
    """Somebody who asks the same questions over and over."""

    def __init__(self, tape: Tape, table: str, person: str, paths: Callable[[], list[str]]) -> None:
        self.tape, self.table, self.person, self.paths = tape, table, person, paths

    async def read(self, address: str, cookie: str) -> None:
        headers = {"Cookie": cookie} if cookie else {}
        async with httpx.AsyncClient(base_url=address, headers=headers, timeout=30) as client:
            while True:
                for path in self.paths():
                    asked = now()
                    answer = await client.get(path)
                    assert answer.status_code in (200, 404), (path, answer.text)
                    self.tape.heard.append(Heard(self.table, self.person, path, asked, now(), answer.text))
                    await asyncio.sleep(PAUSE)


async def together(
    server: Running,
    watching: list[tuple[Somebody, str]],
    reading: list[tuple[Reader, str]],
    ends: Coroutine[Any, Any, None],
) -> None:
    """Everybody at once, until `ends` does; each with the cookie of their session."""
    async with AsyncExitStack() as stack:
        tasks = [asyncio.create_task(who.watch(server.socket_address(who.table), cookie)) for who, cookie in watching]
        tasks += [asyncio.create_task(who.read(server.address, cookie)) for who, cookie in reading]
        stack.push_async_callback(_stopped, tasks)
        ending = asyncio.create_task(ends)
        await asyncio.wait([ending, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for each in tasks:
            if each.done():
                each.result()  # raises what went wrong
        await ending


async def _stopped(tasks: list[asyncio.Task[None]]) -> None:
    for each in tasks:
        each.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
