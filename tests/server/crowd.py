"""People who ask a server that may be killed at any moment, each thing under an id of its own, and note what was answered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator
from itertools import count
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from longhu.money import UNSTATED, parse
from tests.server.room import Somebody, Tape
from tests.server.running import COOKIE, CSRF, PASSWORD
from tests.server.servers import WAITS, Servers

AGAIN = 5  # of what was answered before, each asks for so much again after a start
PAUSE = 0.01  # seconds, of somebody who looks again and again
SIT, MORE, LITTLE = "200.00", "100.00", 50
PAY_IN, PAY_OUT = "20.00", "5.00"
KEY = "Idempotency-Key"


class Lost(Exception):
    """The server is gone."""


class Asking:
    """Something that somebody asked for under an id, and what was answered as far as anybody knows."""

    def __init__(self, person: str, id: str, method: str, path: str, told: dict[str, Any]) -> None:
        self.person, self.id, self.method, self.path, self.told = person, id, method, path, told
        self.done: tuple[int, int] | None = None
        self.refused = ""

    def __repr__(self) -> str:
        return f"{self.person} {self.method} {self.path} {self.id} {self.told}"

    @property
    def is_open(self) -> bool:
        return self.done is None and not self.refused

    @property
    def command(self) -> str:
        """The name of a command at a table, "" for anything else."""
        return str(self.told.get("command", {}).get("command", ""))

    @property
    def paid(self) -> int:
        """What it moves into the account, where it is a deposit or a withdrawal."""
        if not self.path.startswith("/api/me/"):
            return 0
        amount = parse(self.told["amount"], UNSTATED)
        return amount if self.path.endswith("deposits") else -amount

    def was_done(self, first: int, last: int, *, duplicate: bool) -> None:
        """It is answered now: as before, if it was answered before."""
        assert not self.refused, f"{self}: was refused ({self.refused}), and is done"
        if self.done is not None:
            assert (first, last, duplicate) == (*self.done, True), (
                f"{self}: {self.done}, now {(first, last, duplicate)}"
            )
        self.done = first, last

    def was_refused(self, why: str) -> None:
        assert self.done is None, f"{self}: was done, and is refused ({why})"
        self.refused = why or "?"


class Person:
    """Somebody with a browser, which keeps the session from one server to the next."""

    def __init__(self, person: str, table: str, chance: Random, servers: Servers) -> None:
        self.person, self.table, self.chance, self.servers = person, table, chance, servers
        self.asked: list[Asking] = []
        self.busy = 0  # how often the house could not take something
        self._numbers = count(1)
        self._cookie = self._csrf = ""

    async def visit(self, address: str, *, leaves: asyncio.Event | None = None) -> None:
        """Until the server is killed, or until it is time to leave."""
        try:
            async with httpx.AsyncClient(base_url=address, timeout=WAITS) as self.client:
                await self._sign_in()
                await self._settle()
                await self._busy(leaves)
                if leaves is not None:
                    await self.leave()
        except* Lost:
            assert self.servers.gone.is_set(), f"{self.person} was cut off by a server that lives"

    async def _busy(self, leaves: asyncio.Event | None) -> None:
        async with asyncio.TaskGroup() as group:
            doings = [group.create_task(each) for each in self.doings()]
            if leaves is not None:
                await leaves.wait()
                for each in doings:
                    each.cancel()

    def doings(self) -> Iterator[Coroutine[Any, Any, None]]:
        """What somebody does, side by side."""
        yield from ()

    async def leave(self) -> None:
        """Go away with everything, and every answer."""
        async with asyncio.timeout(WAITS):
            while any(each.is_open for each in self.asked):
                await self._settle()

    async def _sign_in(self) -> None:
        if not self._cookie:
            who = {"person": self.person, "password": PASSWORD}
            while (answer := await self._sent("POST", "/api/session", json=who)).status_code == 503:
                self.busy += 1  # whoever commits was killed at this moment, and another is on its way
                await asyncio.sleep(PAUSE)
            assert answer.status_code == 201, answer.text
            self._cookie, self._csrf = answer.cookies[COOKIE], answer.json()["csrf"]
        self.client.cookies.set(COOKIE, self._cookie)
        self.client.headers[CSRF] = self._csrf

    async def _settle(self) -> None:
        """What was not answered is asked again, and some of what was answered: it must be answered as before."""
        for each in [one for one in self.asked if one.is_open]:
            await self.send(each)
        known = [each for each in self.asked if each.done is not None]
        for each in self.chance.sample(known, min(AGAIN, len(known))):
            await self.send(each)

    # ------------------------------------------------ asking

    def new(self, method: str, path: str, **told: Any) -> Asking:
        asking = Asking(self.person, f"{self.person}-{next(self._numbers)}", method, path, told)
        self.asked.append(asking)
        return asking

    async def ask(self, method: str, path: str, **told: Any) -> Asking:
        """Something new, over HTTP."""
        return await self.send(self.new(method, path, **told))

    async def command(self, name: str, **fields: Any) -> Asking:
        return await self.ask("POST", f"/api/tables/{self.table}/commands", command={"command": name, **fields})

    async def send(self, asking: Asking) -> Asking:
        body = {"json": asking.told} if asking.told else {}
        answer = await self._sent(asking.method, asking.path, headers={KEY: asking.id}, **body)
        found = answer.json()
        if answer.status_code == 200:
            self.was_answered(asking, found)
            self.servers.answered()
        elif answer.status_code == 503:  # it may be asked again, and is
            self.busy += 1
        else:
            assert found["type"] == "/api/problems#refused", f"{asking}: {answer.status_code} {answer.text}"
            asking.was_refused(found["detail"])
        return asking

    def was_answered(self, asking: Asking, found: dict[str, Any]) -> None:
        asking.was_done(found["first"], found["last"], duplicate=found["duplicate"])

    async def get(self, path: str) -> Any:
        answer = await self._sent("GET", path)
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    async def _sent(self, method: str, path: str, **told: Any) -> httpx.Response:
        try:
            return await self.client.request(method, path, **told)
        except httpx.TimeoutException:
            raise AssertionError(f"{method} {path} is not answered") from None
        except httpx.TransportError as error:
            raise Lost from error


class Patron(Person):
    """Somebody who comes, bets, pays in and out, buys chips, and goes."""

    def __init__(self, person: str, table: str, hand: str, seat: int, chance: Random, servers: Servers) -> None:
        super().__init__(person, table, chance, servers)
        self.hand, self.seat = hand, seat

    def doings(self) -> Iterator[Coroutine[Any, Any, None]]:
        yield self._plays()
        yield self._pays()

    async def _pays(self) -> None:
        """Money into the account and out of it; more chips where there are few."""
        while True:
            if self.chance.random() < 0.7:
                await self.ask("POST", "/api/me/deposits", amount=PAY_IN)
            else:
                await self.ask("POST", "/api/me/withdrawals", amount=PAY_OUT)
            me = await self.get("/api/me")
            if me["tables"] and float(me["chips"]) < LITTLE:
                await self.ask("POST", f"/api/tables/{self.table}/chips", amount=MORE)
            await asyncio.sleep(3 * PAUSE)

    async def _plays(self) -> None:
        while True:
            await self.ask("POST", f"/api/tables/{self.table}/seat", seat=self.seat, buy_in=SIT)
            await self.bet(self.chance.randrange(10, 60))
            await self.ask("DELETE", f"/api/tables/{self.table}/seat")

    async def bet(self, looks: int) -> None:
        """Look at the table so many times, and do what can be done."""
        for _ in range(looks):
            view = (await self.get(f"/api/tables/{self.table}"))["view"]
            round = view["round"] or {}
            if round.get("phase") != "place-your-bets":
                await asyncio.sleep(PAUSE)
            elif f"{view['viewer']}/{self.seat}/{self.hand}" not in round["stakes"]:
                await self.command("place-wager", place=self.seat, wager=self.hand, amount="10.00")
            elif self.chance.random() < 0.1:
                await self.command("take-wager-back", place=self.seat, wager=self.hand)
            else:
                await asyncio.sleep(PAUSE)

    async def leave(self) -> None:
        await super().leave()
        async with asyncio.timeout(WAITS):
            while (await self.get("/api/me"))["tables"]:
                await self.ask("DELETE", f"/api/tables/{self.table}/seat")
                await asyncio.sleep(PAUSE)


class Watcher(Patron):
    """A patron who plays over the socket of the table."""

    async def bet(self, looks: int) -> None:
        screen = Screen(self, self.table, self.hand, self.seat)
        address = f"ws{str(self.client.base_url).removeprefix('http')}/api/tables/{self.table}/socket"
        try:
            async with connect(
                address, additional_headers={"Cookie": f"{COOKIE}={self._cookie}"}, compression=None
            ) as socket:
                for _ in range(looks):
                    await screen.hear(socket, str(await socket.recv()))
                while screen.open:
                    await screen.hear(socket, str(await socket.recv()), wishes=False)
        except (WebSocketException, OSError) as error:
            raise Lost from error


class Screen(Somebody):
    """What somebody sees at the socket, and asks there; it is noted like everything else."""

    def __init__(self, patron: Patron, table: str, hand: str, seat: int) -> None:
        super().__init__(Tape(), table, patron.person, hand, seat)
        self._patron = patron
        self.open: dict[str, Asking] = {}

    async def hear(self, socket: ClientConnection, text: str, *, wishes: bool = True) -> None:
        told = json.loads(text)
        asking = self.open.pop(told.get("id", ""), None)
        if asking is not None:
            if told["type"] == "done":
                asking.was_done(told["first"], told["last"], duplicate=told.get("duplicate", False))
                self._patron.servers.answered()
            elif told["type"] == "refused":
                asking.was_refused(told["reason"])
            else:
                assert told["status"] == 503, f"{asking}: {told}"
                self._patron.busy += 1
        await self.see(socket, told, wishes=wishes)

    async def see(self, socket: ClientConnection, told: dict[str, Any], *, wishes: bool) -> None:
        self.learn(told)
        for wish in self.wishes() if wishes else ():
            await self.ask(socket, wish)

    def wishes(self) -> Iterator[dict[str, Any]]:
        yield from super().wishes()
        round = self.view.get("round") or {}
        mine = f"{self.view.get('viewer')}/{self.seat}/{self.plays}" in round.get("stakes", ())
        if mine and round["phase"] == "place-your-bets" and self._patron.chance.random() < 0.1:
            yield {"command": "take-wager-back", "place": self.seat, "wager": self.plays}

    async def ask(self, socket: ClientConnection, wish: dict[str, Any]) -> None:
        if self.is_new(wish):
            asking = self._patron.new("POST", f"/api/tables/{self.table}/commands", command=wish)
            self.open[asking.id] = asking
            await socket.send(json.dumps({"type": "command", "id": asking.id, "command": wish}))


class Dealer(Person):
    """Somebody who deals at a table of the house, card by card."""

    def doings(self) -> Iterator[Coroutine[Any, Any, None]]:
        yield self._deals()

    async def _deals(self) -> None:
        while True:
            view = (await self.get(f"/api/tables/{self.table}"))["view"]
            round = view["round"]
            if round is None:
                if (await self.command("call-place-your-bets")).refused:
                    await self.ask("POST", f"/api/tables/{self.table}/shoe")
            elif round["phase"] != "place-your-bets":
                await self._next_act()
            elif round["stakes"] and self.chance.random() < 0.2:
                await self.command("call-no-more-bets")
            await asyncio.sleep(PAUSE)

    async def _next_act(self) -> None:
        """The first of these that the rules allow."""
        for name in ("draw-card", "announce-result", "settle-round"):
            if (await self.command(name)).done is not None:
                return


class Supervisor(Person):
    """Somebody who orders other settings for the end of the round, over and over."""

    def doings(self) -> Iterator[Coroutine[Any, Any, None]]:
        yield self._orders()

    async def _orders(self) -> None:
        while True:
            number, seconds = next(self._numbers), self.chance.randrange(10, 60)
            changes = {
                "command": "change-settings",
                "changes": {"withdrawal_seconds": seconds},
                "why": f"order {number}",
            }
            await self.ask("POST", f"/api/tables/{self.table}/orders", command=changes)
            await asyncio.sleep(10 * PAUSE)

    def was_answered(self, asking: Asking, found: dict[str, Any]) -> None:
        """With the number of the order, the same each time."""
        asking.was_done(found["number"], found["number"], duplicate=asking.done is not None)

    async def leave(self) -> None:
        await super().leave()
        async with asyncio.timeout(WAITS):
            while any(each["state"] == "waiting" for each in (await self.get(f"/api/floor/{self.table}"))["orders"]):
                await asyncio.sleep(PAUSE)
