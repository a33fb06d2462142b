"""`longhu admin devices`: credentials of shoes that read cards."""

from __future__ import annotations

from argparse import Namespace
from secrets import token_hex

from longhu.cli.administration.house import agreed, reason
from longhu.cli.administration.people import os_user
from longhu.cli.administration.tables import done, house_of


def create(args: Namespace) -> int:
    async def made() -> None:
        from longhu.accounts.devices import CreateDevice
        from longhu.eventsourcing import name_of
        from longhu.server.streams.commands import SYSTEM

        async with house_of(args.house) as house:
            await house.people.at_console(os_user(), name_of(CreateDevice), args.device)
            found = agreed(await house.devices.create(SYSTEM, args.device, args.table, token_hex(12), reason(args.why)))
        told = {"device": found.device, "table": args.table, "credential": str(found)}
        args.told(told, f"The credential of {found.device} at {args.table}, which is told this once:\n{found}")

    return done(made())


def every_device(args: Namespace) -> int:
    async def told() -> None:
        from longhu.accounts.times import moment

        async with house_of(args.house) as house:
            known = await house.devices.all()
        rows = [
            {
                "device": device,
                "table": key.table,
                "since": moment(key.created),
                "by": key.by,
                "revoked": moment(key.revoked) if key.revoked else "",
            }
            for device, key in known.items()
        ]
        columns = {each: each for each in ("device", "table", "since", "by", "revoked")}
        args.told.table(rows, columns, "No device has a credential: `longhu admin devices create`.")

    return done(told())


def revoke(args: Namespace) -> int:
    async def revoked() -> None:
        from longhu.server.streams.commands import SYSTEM

        async with house_of(args.house) as house:
            agreed(await house.devices.revoke(SYSTEM, args.device, reason(args.why), token_hex(12)))
        args.told({"device": args.device, "revoked": True}, f"{args.device} is heard no more.")

    return done(revoked())
