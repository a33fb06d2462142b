"""The real server for tests: uvicorn on a free port of this machine, in a thread of its own, and people who ask it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import httpx
import msgspec
import uvloop

from longhu.accounts.wallet import PayIn
from longhu.eventsourcing import Refusal
from longhu.positions import Position
from longhu.server.api.app import running as answering
from longhu.server.config import Config, TableConfig, configured
from longhu.server.house import House
from longhu.server.streams.commands import SYSTEM, RecentCommands
from longhu.server.table_equipment import TableEquipment, not_told
from longhu.server.tables.opening import setup
from longhu.table.state import Table

T = TypeVar("T")
STANDING = {  # on a table with real cards or chips
    "sets": [["blue"]],
    "shoe": 520,
    "cover": True,
    "discard_rack": 520,
    "cutting_cards": 1,
    "pucks": 2,
    "drop_box": "D1",
    "display": True,
}
REAL = msgspec.convert(STANDING, TableEquipment)
PASSWORD = "correct horse battery"
PEOPLE: dict[str, Position | None] = {  # None: a patron
    "ann": None,
    "bob": None,
    "dee": Position.DEALER,
    "sue": Position.PIT_SUPERVISOR,
    "pat": Position.PIT_MANAGER,
    "gus": Position.GAMING_SHIFT_MANAGER,
    "olga": Position.CASINO_OPERATOR,
    "omar": Position.CASINO_OPERATOR,
    "cass": Position.CAGE,
    "siv": Position.SURVEILLANCE,
    "alba": Position.AUDITOR,
}
MONEY = 1_000_00  # that each patron has at first
WAITS = 20.0  # seconds, for something that happens at a table
STARTS = 60.0  # seconds; a store on a slow disk takes its time
COOKIE, CSRF = "longhu", "X-Longhu-CSRF"


def quick(database: str | Path, **settings: Any) -> Config:
    """A house with nobody in it, on a free port, that does not make tests wait."""
    usual: dict[str, Any] = {
        "port": 0,
        "betting_seconds": 0.05,
        "pace_seconds": 0.0,
        "contribution_seconds": 0.0,
        "log_level": "error",
        "sign_ins_per_minute": 100_000,
        "requests_per_second": 100_000,
        "stop_seconds": 2.0,
        "hash_time": 1,
        "hash_memory_kib": 8,
        "hash_lanes": 1,
    }
    return configured(database=str(database), **{**usual, **settings})


def agreed(answer: T | Refusal) -> T:
    """What was answered, which must not be a refusal."""
    assert not isinstance(answer, Refusal), str(answer)
    return answer


class Client(httpx.Client):
    """Somebody with a browser: keeps the cookie, and says with each change that it comes from the page."""

    def sign_in(self, person: str, password: str) -> dict[str, Any]:
        """Sign in; the answer says who they are."""
        return self._begin(self.post("/api/session", json={"person": person, "password": password}))

    def enter(self) -> dict[str, Any]:
        """Come in as a guest of a demonstration."""
        return self._begin(self.post("/api/guests"))

    def _begin(self, answer: httpx.Response) -> dict[str, Any]:
        assert answer.status_code == 201, answer.text
        told: dict[str, Any] = answer.json()
        self.headers[CSRF] = told["csrf"]
        return told

    def command(self, table: str, name: str, id: str | None = None, **fields: Any) -> httpx.Response:
        """Give a command at a table; the id is new unless it is told."""
        asked = {"id": id or uuid4().hex, "command": {"command": name, **fields}}
        return self.post(f"/api/tables/{table}/commands", json=asked)

    def get_json(self, path: str, **query: Any) -> Any:
        """What a path answers, which must be something."""
        answer = self.get(path, params=query)
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    @property
    def cookie(self) -> str:
        """The `Cookie` header, for a WebSocket."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())


class Running:
    """A server that answers at `address`; its house can be asked directly, on the server's own loop."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.address = ""
        self.house: House
        self._clients = ExitStack()
        self._started = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="longhu-server", daemon=True)

    def client(self) -> Client:
        """Somebody new."""
        return self._clients.enter_context(Client(base_url=self.address, timeout=30.0, verify=False))

    def staffed(self) -> None:
        """Everybody in `PEOPLE` gets an account, and the patrons some money."""

        async def made(house: House) -> None:
            for person, position in PEOPLE.items():
                agreed(await house.people.create(SYSTEM, person, person.capitalize(), PASSWORD, position))
                if position is None:
                    agreed(await house.people.act(SYSTEM, person, PayIn(amount=MONEY), "welcome"))

        self.do(made)

    @staticmethod
    def signs(*people: str) -> list[dict[str, str]]:
        """The signatures of these."""
        return [{"person": person, "password": PASSWORD} for person in people]

    def signed_in(self, person: str) -> Client:
        """A client of somebody in `PEOPLE`."""
        client = self.client()
        client.sign_in(person, PASSWORD)
        return client

    def open_table(self, table: str, game: str = "dragon-tiger", **told: Any) -> str:
        """A table that takes patrons, with rules that the house has approved."""

        async def opened(house: House) -> None:
            printed = {"favours_patrons": ["dragon", "tiger"]} if game == "dragon-21" else {}
            real = (
                {"equipment": REAL} if not_told(told.get("device", "virtual"), told.get("chips", "electronic")) else {}
            )
            made = setup(TableConfig(table=table, game=game, **{**printed, **real, **told}))
            digest = made.game.digest
            agreed(await house.house_log.approve_game(SYSTEM, made.game, "for a test", digest))
            chips = (
                {made.float: 1} if made.settings.chips == "physical" else {}
            )  # one chip that is worth the whole tray
            agreed(await house.open_table(SYSTEM, made.game, made.settings, made.float, chips=chips))

        self.do(opened)
        return table

    def until(self, table: str, holds: Callable[[Table], bool]) -> Table:
        """Wait until something is so at a table, and durable."""

        async def waited(house: House) -> Table:
            live = await house.stream(table)
            assert live is not None
            changed = asyncio.Event()
            listens_no_more = live.listen(lambda _: changed.set())
            try:
                async with asyncio.timeout(WAITS):
                    while not holds(live.state):
                        changed.clear()
                        await changed.wait()
            finally:
                listens_no_more()
            return live.state

        return self.do(waited)

    def do(self, what: Callable[[House], Awaitable[T]]) -> T:
        """Do something with the house on the server's loop, and wait for it."""

        async def asked() -> T:
            return await what(self.house)

        return asyncio.run_coroutine_threadsafe(asked(), self._loop).result(STARTS)

    def forget_ids(self) -> None:
        """Forget what ids were used for lately, as a server that was started again."""

        async def forgotten(house: House) -> None:
            for live in house.tables.values():
                live._recent = RecentCommands()

        self.do(forgotten)

    def socket_address(self, table: str, after: int | None = None) -> str:
        """Where the WebSocket of a table is."""
        since = "" if after is None else f"?after={after}"
        return f"ws{self.address.removeprefix('http')}/api/tables/{table}/socket{since}"

    def start(self) -> None:
        self._thread.start()
        if not self._started.wait(STARTS):
            raise TimeoutError("the server did not start")
        if self._failure is not None:
            self._thread.join(STARTS)  # its loop is about to be closed: nobody may speak to it
            raise self._failure

    def stop(self) -> None:
        """As SIGTERM would."""
        self._clients.close()
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join(STARTS)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            self._loop = runner.get_loop()
            try:
                runner.run(self._main())
            except BaseException as error:  # told to whoever starts it
                self._failure = error
            finally:
                self._started.set()

    async def _main(self) -> None:
        self._ended = asyncio.Event()
        async with answering(self.config) as (app, address, _):
            self._app, self.address, self.house = app, address, app.state.house
            self._started.set()
            await self._ended.wait()


@contextmanager
def running(config: Config) -> Iterator[Running]:
    """A server while it is needed; what it failed with at the end is raised."""
    server = Running(config)
    try:
        server.start()
        yield server
    finally:
        server.stop()
    if server._failure is not None:
        raise server._failure
