"""`longhu admin people`: accounts of patrons and staff, made and changed by the house itself."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from secrets import token_hex
from typing import TYPE_CHECKING, TypeVar

from longhu.cli.administration.house import agreed, asked_password, now, opened, reason
from longhu.cli.administration.positions import position_named
from longhu.cli.main import OK

if TYPE_CHECKING:
    from longhu.accounts.messages import HouseCommand
    from longhu.accounts.state import Account
    from longhu.eventsourcing import Refusal
    from longhu.server.accounts.people import People
    from longhu.server.config import Config
    from longhu.server.streams.commands import Committed

T = TypeVar("T")


@asynccontextmanager
async def people_of(house: Config, *, new: bool = False) -> AsyncIterator[People]:
    """Everybody of the house. Whether it is one of play money is what it was started as, whatever is said now."""
    from msgspec.structs import replace

    from longhu.server.accounts.house_log import HouseLogService
    from longhu.server.accounts.people import People
    from longhu.store.group_commit import GroupCommit

    with opened(house, new=new) as store, GroupCommit(store) as writer:
        recorded = await HouseLogService(store, writer, now, house.policy).state()
        policy = house.policy if recorded.play_money is None else replace(house.policy, play_money=recorded.play_money)
        people = People(store, writer, now, policy)
        try:
            yield people
        finally:
            people.close()


def _with_people(args: Namespace, what: Callable[[People], Awaitable[T]], *, new: bool = False) -> T:
    async def done() -> T:
        async with people_of(args.house, new=new) as people:
            return await what(people)

    return asyncio.run(done())


# ------------------------------------------------ the acts


def everybody(args: Namespace) -> int:
    """Who has an account, in which position, and how it stands."""
    from longhu.accounts.sign_in_rules import locked_somewhere
    from longhu.money import show

    async def rows(people: People) -> list[dict[str, object]]:
        found: list[dict[str, object]] = []
        for person in await people.names():
            account = await people.account(person)
            if account is None:
                continue
            wallet = await people.wallet(person)
            standing = "closed" if account.closed else "locked" if locked_somewhere(account, now()) else "open"
            found.append(
                {
                    "person": person,
                    "name": account.name,
                    "position": account.position.value,
                    "standing": standing,
                    "wallet": "" if wallet is None else show(wallet, people.policy.money),
                    "money": "play" if account.play_money else "real",
                }
            )
        return found

    columns = {"person": "person", "name": "name", "position": "position", "standing": "account", "wallet": "wallet>"}
    args.told.table(_with_people(args, rows), {**columns, "money": "money"}, "Nobody has an account yet.")
    return OK


def create(args: Namespace) -> int:
    from longhu.accounts.account import CreateAccount
    from longhu.accounts.names import name_refused
    from longhu.eventsourcing import name_of
    from longhu.positions import Position
    from longhu.server.streams.commands import SYSTEM

    held = position_named(args.position) if args.position else None
    agreed(name_refused(args.person, by_house=False))
    password = asked_password(args)

    async def made(people: People) -> Account | Refusal:
        if held is Position.CASINO_OPERATOR:
            return await people.set_up(os_user(), args.person, args.name, password)
        await people.at_console(os_user(), name_of(CreateAccount), args.person)
        return await people.create(SYSTEM, args.person, args.name, password, held, console=os_user())

    account = agreed(_with_people(args, made, new=True))
    args.told(
        {"person": account.person, "name": account.name, "position": account.position.value},
        f"{account.person} ({account.name}) has an account as {account.position.word}.",
    )
    return OK


def position(args: Namespace) -> int:
    from longhu.accounts.account import ChangePosition

    held = position_named(args.position)
    _act(args, ChangePosition(to=held, why=reason(args.why)))
    args.told({"person": args.person, "position": held.value}, f"{args.person} is {held.word} now.")
    return OK


def lock(args: Namespace) -> int:
    from longhu.accounts.sign_in_rules import LockAccount

    _act(args, LockAccount(why=reason(args.why)))
    args.told({"person": args.person, "locked": True}, f"{args.person} is locked out, and all sessions have ended.")
    return OK


def unlock(args: Namespace) -> int:
    from longhu.accounts.sign_in_rules import UnlockAccount

    _act(args, UnlockAccount(why=reason(args.why)))
    args.told({"person": args.person, "locked": False}, f"{args.person} may sign in again.")
    return OK


def password(args: Namespace) -> int:
    from longhu.accounts.account import SetPassword
    from longhu.eventsourcing import name_of
    from longhu.server.streams.commands import SYSTEM

    typed = asked_password(args)

    async def changed(people: People) -> Committed | Refusal:
        await people.at_console(os_user(), name_of(SetPassword), args.person)
        return await people.change_password(SYSTEM, args.person, typed, console=os_user())

    agreed(_with_people(args, changed))
    args.told({"person": args.person}, f"{args.person} has a new password, and all sessions have ended.")
    return OK


def _act(args: Namespace, command: HouseCommand) -> None:
    from msgspec.structs import replace

    from longhu.eventsourcing import name_of
    from longhu.server.streams.commands import SYSTEM

    async def done(people: People) -> Committed | Refusal:
        await people.at_console(os_user(), name_of(type(command)), args.person)
        return await people.act(SYSTEM, args.person, replace(command, console=os_user()), token_hex(12))

    agreed(_with_people(args, done))


def os_user() -> str:
    """Who runs the program, as the operating system knows them: their number says so, and no variable."""
    from os import getuid
    from pwd import getpwuid

    try:
        return getpwuid(getuid()).pw_name
    except KeyError:  # a number without a name, as in some containers
        return str(getuid())
