"""A house for `bench/serve.py`: a server of this program with echoes in it, and everybody who plays there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import msgspec
from litestar import Litestar, WebSocket, post, websocket
from litestar.params import JSONBody

from longhu.accounts.wallet import PayIn
from longhu.eventsourcing import Refusal
from longhu.positions import Position
from longhu.server.api import guards
from longhu.server.api.app import Server, running, settle_in
from longhu.server.api.tables import CommandRequest
from longhu.server.config import TableConfig, configured
from longhu.server.house import House
from longhu.server.realtime.connection import FrameConnection
from longhu.server.streams.commands import SYSTEM, Actor
from longhu.server.streams.table_stream import TableStream
from longhu.server.tables.opening import setup
from longhu.table.state import Phase, Table

GAME, AMOUNT = "dragon-tiger", "1.00"
NEVER = 80_000.0  # seconds: betting stays open while wagers are counted
MONEY = 10**9


class Patron(msgspec.Struct, frozen=True):
    """Somebody who is signed in, and stands at a table."""

    table: str
    person: str
    token: str
    csrf: str


@websocket("/bench/echo", opt=guards.ANYBODY)
async def echo_socket(socket: WebSocket[Any, Any, Any]) -> None:
    await socket.accept()
    while True:
        await socket.send_text(await socket.receive_text())


@post("/bench/echo", status_code=200, opt=guards.PATRONS)
async def echo_request(data: JSONBody[CommandRequest]) -> CommandRequest:
    return data


class Site(msgspec.Struct):
    """A server that answers, and everybody who plays there."""

    app: Litestar
    address: str
    server: Server
    patrons: list[Patron] = []

    @property
    def house(self) -> House:
        house: House = self.app.state.house
        return house

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def sockets(self) -> list[FrameConnection]:
        return [each for each in self.server.server_state.connections if isinstance(each, FrameConnection)]


@asynccontextmanager
async def serving(database: str, tables: int, seats: int) -> AsyncIterator[Site]:
    """A house of play money whose tables take wagers until somebody closes betting."""
    config = configured(
        database=database,
        port=0,
        demo=True,
        betting_seconds=NEVER,
        pace_seconds=0.0,
        contribution_seconds=0.0,
        log_level="error",
        requests_per_second=1_000_000_000,
        stop_seconds=1.0,
    )
    async with running(config) as (app, address, server):
        site = Site(app, address, server)
        app.register(echo_socket)
        app.register(echo_request)
        for number in range(tables):
            await opened(site.house, f"T{number}")
        for number in range(tables * seats):
            site.patrons.append(await seated(site.house, f"T{number % tables}"))
        for live in site.house.tables.values():
            await until(live, lambda table: table.round is not None and table.round.phase is Phase.BETTING)
        settle_in()
        yield site


async def opened(house: House, table: str) -> None:
    made = setup(TableConfig(table=table, game=GAME, minimum=AMOUNT, maximum="9999999.00", float="999999999.00"))
    if not await house.house_log.approved(made.game.digest):
        agreed(await house.house_log.approve_game(SYSTEM, made.game, "for a benchmark", uuid4().hex))
    agreed(await house.open_table(SYSTEM, made.game, made.settings, made.float))


async def seated(house: House, table: str) -> Patron:
    signed = agreed(await house.people.guest())
    person = signed.account.person
    agreed(await house.people.act(SYSTEM, person, PayIn(amount=MONEY, reference="for a benchmark"), uuid4().hex))
    agreed(await house.join(Actor(person, Position.PATRON), table, None, MONEY))
    return Patron(table, person, signed.token, signed.session.csrf)


def agreed(answer: Any) -> Any:
    """What was answered, which must not be a refusal."""
    if isinstance(answer, Refusal):
        raise SystemExit(f"refused: {answer.reason}")
    return answer


async def until(live: TableStream, holds: Callable[[Table], bool]) -> None:
    changed = asyncio.Event()
    listens_no_more = live.listen(lambda _: changed.set())
    try:
        while not holds(live.state):
            changed.clear()
            await changed.wait()
    finally:
        listens_no_more()
