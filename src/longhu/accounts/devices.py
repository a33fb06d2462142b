"""Credentials of shoes that read cards: made by two of the pit for one table, kept as digests, taken back with a reason.

Whoever had a credential made alone could speak as a shoe, and what a shoe says is dealt (SEC-1).

A device is no person: it signs in nowhere, and has no account. It speaks at one socket of one table, with a secret of its own.
"""

from __future__ import annotations

import re
from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.account import SECOND_IS_SOMEBODY_ELSE, SECOND_SIGNS, SECOND_TOO_LOW, TAKES_TWO
from longhu.accounts.messages import Cosigned, CosignedEvent, Decision, HouseCommand, HouseEvent, about
from longhu.accounts.names import HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.state import HOUSE_LOG, DeviceKey, HouseLog
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.protocol import DEVICE_NAME_MAX, DEVICE_NAME_PATTERN

DEVICE_NAME_WRONG = message_code("device-name-wrong", name="text")
DEVICE_NAME_RULE = message_code("device-name-rule", maximum="number")
DEVICE_KNOWN = message_code("device-known-already", device="text")
REVOKE_OR_NAME_ANOTHER = message_code("revoke-or-name-another")
NO_SUCH_DEVICE = message_code("no-such-device", device="text")
NO_SUCH_TABLE_HERE = message_code("no-such-table-here", table="text")

_NAME = re.compile(DEVICE_NAME_PATTERN)


class CreateDevice(Cosigned, frozen=True, kw_only=True, tag="create-device/1"):
    """A shoe that reads cards gets a credential for one table, by two people."""

    needs: ClassVar[Position] = Position.PIT_MANAGER
    signs: ClassVar[Position] = Position.PIT_SUPERVISOR

    device: str  # what the shoe calls itself
    table: str
    digest: str  # of its secret, which nobody keeps


class DeviceCreated(CosignedEvent, frozen=True, kw_only=True, tag="device-created/1"):
    device: str
    table: str
    digest: str


class RevokeDevice(HouseCommand, frozen=True, kw_only=True, tag="revoke-device/1"):
    """Its credential is good no more."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR
    reasoned: ClassVar[bool] = True

    device: str


class DeviceRevoked(HouseEvent, frozen=True, kw_only=True, tag="device-revoked/1"):
    device: str
    table: str


class NoteDeviceRefused(HouseCommand, frozen=True, kw_only=True, tag="note-device-refused/1"):
    """Something came as a device and was turned away."""

    internal: ClassVar[bool] = True

    device: str  # as it called itself
    table: str  # that it asked for
    address: str
    cause: str  # "credential", "revoked", "table"


class DeviceTurnedAway(HouseEvent, frozen=True, kw_only=True, tag="device-turned-away/1"):
    device: str
    table: str
    address: str
    cause: str


@HOUSE_LOG.decides(CreateDevice)
def create_device(log: HouseLog, _policy: Policy, command: CreateDevice) -> Decision:
    if len(command.device) > DEVICE_NAME_MAX or not _NAME.fullmatch(command.device):
        wrong = DEVICE_NAME_WRONG(name=command.device[:DEVICE_NAME_MAX])
        return Refusal(wrong, DEVICE_NAME_RULE(maximum=DEVICE_NAME_MAX), "SEC-1")
    if command.table not in log.tables:
        return Refusal(NO_SUCH_TABLE_HERE(table=command.table[:80]), clause="LOG-4")
    if (alone := _alone(command)) is not None:
        return alone
    known = log.devices.get(command.device)
    if known is not None and not known.revoked:
        return Refusal(DEVICE_KNOWN(device=command.device), REVOKE_OR_NAME_ANOTHER(), "SEC-1")
    return [
        DeviceCreated(device=command.device, table=command.table, digest=command.digest, **about(command, "SEC-1")),
    ]


def _alone(command: CreateDevice) -> Refusal | None:
    """Why nobody else has signed for it; at the console it raises an alert instead."""
    remedy = SECOND_SIGNS(position=command.signs.value)
    if command.by == HOUSE or (command.second not in ("", command.by) and command.second_position >= command.signs):
        return None
    if not command.second:
        return Refusal(TAKES_TWO(), remedy, "SEC-1")
    if command.second == command.by:
        return Refusal(SECOND_IS_SOMEBODY_ELSE(), remedy, "SEC-1")
    return Refusal(SECOND_TOO_LOW(person=command.second, position=command.second_position.value), remedy, "SEC-1")


@HOUSE_LOG.evolves(DeviceCreated)
def device_created(log: HouseLog, event: DeviceCreated) -> HouseLog:
    key = DeviceKey(event.table, event.digest, event.at, event.by)
    return replace(log, devices={**log.devices, event.device: key})


@HOUSE_LOG.decides(RevokeDevice)
def revoke_device(log: HouseLog, _policy: Policy, command: RevokeDevice) -> Decision:
    known = log.devices.get(command.device)
    if known is None or known.revoked:
        return Refusal(NO_SUCH_DEVICE(device=command.device[:DEVICE_NAME_MAX]), clause="SEC-1")
    return [DeviceRevoked(device=command.device, table=known.table, **about(command, "SEC-1"))]


@HOUSE_LOG.evolves(DeviceRevoked)
def device_revoked(log: HouseLog, event: DeviceRevoked) -> HouseLog:
    key = replace(log.devices[event.device], revoked=event.at)
    return replace(log, devices={**log.devices, event.device: key})


@HOUSE_LOG.decides(NoteDeviceRefused)
def note_device_refused(_log: HouseLog, _policy: Policy, command: NoteDeviceRefused) -> Decision:
    told = about(command, "SEC-2")
    return [
        DeviceTurnedAway(
            device=command.device, table=command.table, address=command.address, cause=command.cause, **told
        )
    ]


@HOUSE_LOG.evolves(DeviceTurnedAway)
def device_turned_away(log: HouseLog, _event: DeviceTurnedAway) -> HouseLog:
    return log
