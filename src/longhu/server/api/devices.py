"""Devices of a table: their credentials, for the pit, and the socket at which a shoe tells the cards that it reads."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import WebSocket, delete, get, post, websocket
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from longhu.eventsourcing import Refusal
from longhu.messages.message import Message
from longhu.positions import Position
from longhu.protocol import DEVICE_NAME_MAX, DEVICE_NAME_PATTERN, CloseCode
from longhu.server import problems
from longhu.server.api import guards
from longhu.server.api.floor import FLOOR
from longhu.server.api.guards import at_table, cosigning, live_table, staff
from longhu.server.api.http import Acted, CommandBody, Time, Words, acted, address, command_id, is_name, query, whole
from longhu.server.codec import Signature, Signatures
from longhu.server.realtime.device import DeviceConnection

BEARER = "Bearer "

DeviceName = Annotated[
    str, Meta(min_length=1, max_length=DEVICE_NAME_MAX, pattern=DEVICE_NAME_PATTERN, examples=["shoe-3"])
]


class DeviceView(msgspec.Struct, frozen=True, kw_only=True):
    """A shoe that has a credential for this table."""

    device: str
    created: Time
    by: str
    revoked: Time | None
    connected: bool
    fault: Message | None  # why it is not relied on


class NewDevice(CommandBody, frozen=True, kw_only=True):
    device: DeviceName
    why: Words = ""
    signatures: Signatures = ()


class DeviceCredential(msgspec.Struct, frozen=True, kw_only=True):
    """What the device shows when it connects. The house keeps a digest of it, and tells it this once."""

    device: str
    table: str
    credential: str


class Revocation(CommandBody, frozen=True, kw_only=True):
    why: Words = ""


@get("/api/floor/{table:str}/devices", opt=FLOOR)
async def devices(request: guards.Request, table: FromPath[str]) -> list[DeviceView]:
    """The devices of a table, the newest first."""
    live, house = await live_table(request, table), guards.house(request)
    source = live.state.source
    found = [(name, key) for name, key in (await house.devices.all()).items() if key.table == live.name]
    return [
        DeviceView(
            device=name,
            created=key.created,
            by=key.by,
            revoked=key.revoked or None,
            connected=source is not None and source.shoe == name and source.connected,
            fault=source.fault.told if source is not None and source.shoe == name and source.fault else None,
        )
        for name, key in sorted(found, key=lambda each: -each[1].created)
    ]


SHOE = NewDevice(
    id="device-1", device="shoe-3", why="a new shoe", signatures=(Signature(person="sue", password="her own password"),)
)


@post(
    "/api/floor/{table:str}/devices",
    status_code=200,
    opt={**staff(Position.PIT_MANAGER), "example": SHOE},
)
async def create_device(request: guards.Request, table: FromPath[str], data: JSONBody[NewDevice]) -> DeviceCredential:
    """Give a shoe a credential for this table, which somebody else signs (SEC-1)."""
    actor, live, house = await at_table(request, table)
    second = await cosigning(request).second(actor, data.signatures)
    if isinstance(second, Refusal):
        raise problems.refused(second)
    id = command_id(request, data)
    made = await whole(house.devices.create(actor, data.device, live.name, id, data.why, second))
    if isinstance(made, Refusal):
        raise problems.refused(made)
    return DeviceCredential(device=made.device, table=live.name, credential=str(made))


@delete("/api/floor/{table:str}/devices/{device:str}", status_code=200, opt={**FLOOR, "query": Revocation})
async def revoke_device(request: guards.Request, table: FromPath[str], device: FromPath[str]) -> Acted:
    """Take a credential back: the shoe is heard no more."""
    actor, _, house = await at_table(request, table)
    asked = query(request, Revocation)
    return acted(await whole(house.devices.revoke(actor, device, asked.why, command_id(request, asked))))


@websocket("/api/tables/{table:str}/device", opt=guards.ANYBODY)
async def device_socket(socket: WebSocket[Any, Any, Any], table: FromPath[str]) -> None:
    """A shoe that reads cards speaks to its table; docs/device.md says how."""
    house = guards.house(socket)
    live = await house.stream(table) if is_name(table) else None
    shown = socket.headers.get("authorization", "").removeprefix(BEARER)
    device = await house.devices.admitted(shown, table, address(socket.scope))
    await socket.accept()
    if device is None:
        await socket.close(CloseCode.SESSION_OVER, "this credential is not good here")
    elif live is None:
        await socket.close(CloseCode.NO_TABLE, "there is no such table")
    else:
        await DeviceConnection(socket, house, live, device).run()
