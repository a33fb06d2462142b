"""Devices of a house: who they are, by their credential; what they tell a table, as commands; and when they count as silent."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from hmac import compare_digest
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from longhu.accounts.devices import CreateDevice, NoteDeviceRefused, RevokeDevice
from longhu.accounts.names import HOUSE
from longhu.accounts.state import DeviceKey
from longhu.eventsourcing import Refusal
from longhu.positions import Position
from longhu.server.accounts.people import signed_by
from longhu.server.streams.commands import SYSTEM, Actor, Committed
from longhu.server.streams.stream import Snapshot
from longhu.server.streams.table_stream import TableStream
from longhu.table.card_source import LoseSource, SourceCommand
from longhu.table.messages import Command
from longhu.table.state import DEVICE_MARK, Table

if TYPE_CHECKING:
    from longhu.server.house import House

SECRET_BYTES = 32
SHOWN = 80  # characters of what somebody called themselves, on record
Lost = Literal["disconnected", "silent", "revoked"]


class Credential(msgspec.Struct, frozen=True):
    """What a device shows: its name and its secret, which the house tells once."""

    device: str
    secret: str

    def __str__(self) -> str:
        return f"{self.device}:{self.secret}"

    def __repr__(self) -> str:
        """Without the secret: a log line must not have it."""
        return f"Credential({self.device!r})"


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class Devices:
    """The devices of all tables, as this node knows them."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._speaking: dict[str, Callable[[], None]] = {}  # what ends the connection here, by device

    async def all(self) -> dict[str, DeviceKey]:
        return (await self._house.house_log.state()).devices

    async def create(
        self, actor: Actor, device: str, table: str, id: str, why: str = "", second: Actor | None = None
    ) -> Credential | Refusal:
        """A credential for a new device, told this once."""
        made = Credential(device, secrets.token_urlsafe(SECRET_BYTES))
        asked = CreateDevice(device=device, table=table, digest=digest_of(made.secret), why=why, **signed_by(second))
        done = await self._house.house_log.act(actor, asked, id)
        return done if isinstance(done, Refusal) else made

    async def revoke(self, actor: Actor, device: str, why: str, id: str) -> Committed | Refusal:
        """Its credential is good no more, and its table knows it."""
        known = (await self.all()).get(device)
        done = await self._house.house_log.act(actor, RevokeDevice(device=device, why=why), id)
        live = await self._house.stream(known.table) if known is not None else None
        if live is not None and not isinstance(done, Refusal):
            await self.lost(live, device, "revoked")
            if device in self._speaking:
                self._speaking[device]()
        return done

    async def admitted(self, shown: str, table: str, address: str) -> str | None:
        """The device with this credential at this table; None is on record (SEC-2)."""
        device, _, secret = shown.partition(":")
        known = (await self.all()).get(device)
        cause = ""
        if known is None or not compare_digest(known.digest, digest_of(secret)):
            cause = "credential"
        elif known.revoked:
            cause = "revoked"
        elif known.table != table:
            cause = "table"
        if not cause:
            return device
        noted = NoteDeviceRefused(device=device[:SHOWN], table=table[:SHOWN], address=address, cause=cause)
        await self._house.house_log.act(SYSTEM, noted, secrets.token_hex(12))
        return None

    async def is_good(self, device: str) -> bool:
        """Has nobody taken its credential back?"""
        known = (await self.all()).get(device)
        return known is not None and not known.revoked

    # ------------------------------------------------ at a table

    def speaks(self, device: str, end: Callable[[], None]) -> None:
        """It is connected here; an earlier connection of it ends."""
        earlier = self._speaking.get(device)
        self._speaking[device] = end
        if earlier is not None:
            earlier()

    def has_gone(self, device: str, end: Callable[[], None]) -> bool:
        """That connection has ended; whether it was the last one."""
        if self._speaking.get(device) is not end:
            return False
        del self._speaking[device]
        return True

    async def tell(self, live: TableStream, command: SourceCommand) -> Committed | Refusal:
        """What a device tells its table; a message that comes twice comes twice on record."""
        told = replace(command, at=self._house.now())
        return await live.execute(told, f"{secrets.token_hex(12)}@{command.by}")

    async def lost(self, live: TableStream, device: str, cause: Lost, since: int | None = None) -> None:
        """The table hears nothing of its device any more; not where it was heard of meanwhile."""

        def proposal(snapshot: Snapshot[Table]) -> Command | None:
            source = snapshot.state.source
            if source is None or source.device != DEVICE_MARK + device:
                return None
            if not source.connected and cause != "revoked":
                return None
            if since is not None and source.heard > since:
                return None
            return LoseSource(by=HOUSE, at=self._house.now(), position=Position.CASINO_OPERATOR, cause=cause)

        await live.propose(proposal)

    async def look_after(self, live: TableStream, heard: int) -> None:
        """A device that was there when this node took the table over, and has not come to it since, is silent."""
        source = live.state.source
        if source is not None and source.connected and source.heard == heard and source.shoe not in self._speaking:
            await self.lost(live, source.shoe, "silent", since=heard)
