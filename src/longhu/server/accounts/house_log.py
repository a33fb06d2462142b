"""The house log: approvals, alerts, the program that each node runs, and steps of the clock (LOG-8, LOG-10)."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from longhu.accounts import state
from longhu.accounts.alerts import Significant
from longhu.accounts.house_log import (
    AcknowledgeAlert,
    ApproveGame,
    CheckProgram,
    NoteClock,
    NoteTable,
    NoteUnknownNames,
    RaiseAlert,
    StartHouse,
    may_open,
    may_start,
)
from longhu.accounts.messages import HouseCommand
from longhu.accounts.names import HOUSE_TRAIL
from longhu.accounts.policy import Policy
from longhu.accounts.state import Alert
from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.messages.message import Message, message_code
from longhu.server.streams.account_stream import HOUSE_LOG, AccountStream
from longhu.server.streams.commands import SYSTEM, Actor, Committed
from longhu.store.errors import AlreadyExists
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Store

PROGRAM_ONLY = message_code("program-only")

PACKAGE = Path(__file__).parents[2]
CODE = ("*.py", "*.csv", "*.sql", "server/page/**/*.*")  # and the page that people see
DEFINITIONS = "games/*.toml"
TRIES = 4


class Running(msgspec.Struct, frozen=True):
    """The program and its definitions at one moment."""

    digest: str
    definitions: dict[str, str]  # by the name of the file


def running(package: Path = PACKAGE) -> Running:
    """Hash everything anew, from the disk; again where a file has gone meanwhile, as while a page is built."""
    for _ in range(TRIES):
        try:
            return _hashed(package)
        except FileNotFoundError:
            continue
    return _hashed(package)


def _hashed(package: Path) -> Running:
    whole = hashlib.sha256()
    for path in sorted(path for pattern in CODE for path in package.rglob(pattern)):
        name = path.relative_to(package).as_posix()
        whole.update(f"{name}\0{_digest(path)}\n".encode())
    return Running(whole.hexdigest(), {path.name: _digest(path) for path in sorted(package.glob(DEFINITIONS))})


async def running_now() -> Running:
    """The same, without keeping anybody waiting."""
    return await asyncio.to_thread(running)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class HouseLogService:
    """The stream called `house`. It is created where there is none."""

    def __init__(self, store: Store, commits: GroupCommit, now: Callable[[], int], policy: Policy) -> None:
        self._store, self._now = store, now
        self._stream = AccountStream(HOUSE_TRAIL, HOUSE_LOG, store, commits, now, policy)

    async def state(self) -> state.HouseLog:
        return await self._stream.current()

    def forget(self, trail: str, sequence: int = 0) -> None:
        """Another node wrote to this trail, up to that record; "" says that it may be any."""
        if trail in ("", HOUSE_TRAIL):
            self._stream.notice(sequence)

    async def act(self, by: Actor, command: HouseCommand, id: str) -> Committed | Refusal:
        """What somebody asks of the house; sent twice with one id, it is done once."""
        if command.internal and by != SYSTEM:
            return Refusal(PROGRAM_ONLY(), clause="SEC-1")
        return await self._do(by, command, by.own(id))

    async def before(self, by: Actor, command: HouseCommand, id: str) -> Committed | Refusal | None:
        """The answer to this command, where somebody has asked the house for it before, under that id."""
        return await self._stream.previous(by.own(id), replace(command, by=by.person, position=by.position))

    async def _do(self, by: Actor, command: HouseCommand, id: str = "") -> Committed | Refusal:
        await self._stream.current()
        if not self._stream.exists:
            await self._make()
        stamped = replace(command, by=by.person, position=by.position)
        return await self._stream.do(stamped, id or by.own(secrets.token_hex(12)))

    async def _make(self) -> None:
        with suppress(AlreadyExists):  # by another node, at the same moment
            await asyncio.to_thread(self._store.create_trail, HOUSE_TRAIL, self._now())
        self._stream.notice(0)

    # ------------------------------------------------ alerts

    async def raise_alert(self, kind: Significant, table: str, message: Message, *, person: str = "") -> None:
        """Something that somebody must look at. The same is not raised again while it is open."""
        await self._do(SYSTEM, RaiseAlert(kind=kind, table=table, message=message, person=person))

    async def acknowledge(self, by: Actor, number: int, id: str, why: str = "") -> Committed | Refusal:
        return await self.act(by, AcknowledgeAlert(number=number, why=why), id)

    async def alerts(self) -> list[Alert]:
        """Those that are open, the oldest first."""
        return list((await self.state()).alerts.values())

    # ------------------------------------------------ games and tables

    async def approve_game(
        self, by: Actor, game: Game, why: str, id: str, *, effective: int = 0
    ) -> Committed | Refusal:
        """Tables may be opened with these rules, from when they are in force or from a later time on."""
        approve = ApproveGame(digest=game.digest, game=game.id, effective=effective, in_force=game.in_force_at, why=why)
        return await self.act(by, approve, id)

    async def approved(self, digest: str) -> bool:
        return await self.may_open(digest) is None

    async def may_open(self, digest: str) -> Refusal | None:
        """Why no table may be opened with these rules (RUL-4)."""
        return may_open(await self.state(), digest, self._now())

    async def made_table(self, by: Actor, table: str, digest: str) -> Committed | Refusal:
        """A table was made, or has other rules now."""
        return await self._do(by, NoteTable(table=table, digest=digest))

    # ------------------------------------------------ the program and the clock

    async def record_start(self, node: str, version: str, program: Running | None = None) -> Committed | Refusal:
        """A node starts. Refused where the house is one of other money than it was before."""
        found = program if program is not None else await running_now()
        start = StartHouse(node=node, version=version, digest=found.digest, definitions=found.definitions)
        return await self._do(SYSTEM, start)

    async def check_program(self, node: str, program: Running | None = None) -> Refusal | None:
        """Hash again, at least every 24 hours; what is answered is why this node may start no further round (LOG-10)."""
        found = program if program is not None else await running_now()
        await self._do(SYSTEM, CheckProgram(node=node, digest=found.digest, definitions=found.definitions))
        return await self.may_start(node)

    async def may_start(self, node: str) -> Refusal | None:
        return may_start(await self.state(), node)

    async def clock_step(self, node: str, before: int, after: int) -> None:
        """The clock of a node was moved: `before` is what it should have said (LOG-8)."""
        await self._do(SYSTEM, NoteClock(node=node, before=before, after=after))

    async def strangers(self, address: str, mark: str, times: int) -> None:
        """Somebody tried to sign in under a name that nobody has."""
        await self._do(SYSTEM, NoteUnknownNames(address=address, mark=mark, times=times))
