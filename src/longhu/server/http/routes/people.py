"""People as the staff see them, and what the house does about them (LOG-4, LOG-5, SEC-1)."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from longhu.accounts.account import SHOWN_NAME_MAX, ChangePosition, CloseAccount
from longhu.accounts.acts import HouseCommand
from longhu.accounts.limits import ImposeLimit
from longhu.accounts.protection import BarPatron, LiftBar, holds
from longhu.accounts.purse import PayIn, PayOut
from longhu.accounts.signing import LockAccount, UnlockAccount, locked_by_house, locked_somewhere
from longhu.accounts.state import Account, Kind, Span
from longhu.money import Currency, show
from longhu.server.actor import Actor
from longhu.server.house import House
from longhu.server.http import guards, problems
from longhu.server.http.fields import (
    Asking,
    Held,
    Number,
    Password,
    Person,
    Shown,
    Time,
    Words,
    amount,
    is_name,
    query,
)
from longhu.server.http.guards import command_id, may_ask, staff
from longhu.server.http.problems import Trouble
from longhu.server.http.routes.answers import Acted, act_on, acted
from longhu.server.http.routes.floor import FLOOR
from longhu.server.http.routes.me import CSV, statement
from longhu.server.http.routes.protection import MINUTES, LimitKind, LimitSpan
from longhu.server.http.statement import Period, StatementView
from longhu.server.http.whole import whole
from longhu.server.screens.forms import POSITION_OF, WORD_OF, MoneyText
from longhu.table.acts import Refusal
from longhu.table.positions import Position

PEOPLE_MAX = 200


class PersonView(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody as the staff see them."""

    person: str
    name: str
    position: Held
    play_money: bool
    created: Time
    closed: bool
    locked: bool  # by the house, or for some device or address after wrong passwords
    signed_in: Time | None
    sessions: Number
    balance: Shown | None
    cooling_off: bool
    excluded: bool  # by themselves
    barred: bool  # by the house
    may: list[str]  # what whoever asks may do about them, by the names of the acts


class People(msgspec.Struct, frozen=True):
    people: list[PersonView]
    after: str | None  # ask for the rest with this; None: that was all


class Whom(msgspec.Struct, frozen=True, kw_only=True):
    prefix: Annotated[str, Meta(max_length=40, pattern="^[a-z0-9._-]*$")] = ""
    after: Annotated[str, Meta(max_length=40, pattern="^[a-z0-9._-]*$")] = ""
    limit: Annotated[int, Meta(ge=1, le=PEOPLE_MAX)] = 50


class NewPerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account for somebody."""

    person: Person
    name: Annotated[str, Meta(max_length=SHOWN_NAME_MAX)] = ""
    password: Password
    position: Held = "patron"


class Act(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act"):
    """What the house does about somebody, and why."""

    why: Words = ""


class Promote(Act, frozen=True, kw_only=True, tag="change-position"):
    """Put somebody of the staff into another position."""

    to: Held


class Lock(Act, frozen=True, kw_only=True, tag="lock"):
    """Nobody signs in with the account until it is unlocked."""


class Unlock(Act, frozen=True, kw_only=True, tag="unlock"):
    """The account may be used again."""


class Close(Act, frozen=True, kw_only=True, tag="close"):
    """No more sign-ins, for good."""


class Bar(Act, frozen=True, kw_only=True, tag="bar"):
    """The house excludes a patron, for so many days or until it lifts that."""

    days: Annotated[int, Meta(ge=1, le=100_000)] | None = None


class Lift(Act, frozen=True, kw_only=True, tag="lift-bar"):
    """The house takes back its own exclusion."""


class Impose(Act, frozen=True, kw_only=True, tag="impose-limit"):
    """The house limits a patron; null lifts that."""

    kind: LimitKind
    span: LimitSpan
    most: MoneyText | None


class Receive(Act, frozen=True, kw_only=True, tag="pay-in"):
    """Money that was paid at the cage goes into the wallet."""

    amount: MoneyText
    reference: Words = ""


class Pay(Act, frozen=True, kw_only=True, tag="pay-out"):
    """Money out of the wallet is paid at the cage."""

    amount: MoneyText
    reference: Words = ""


class ActOnPerson(Asking, frozen=True, kw_only=True):
    act: Promote | Lock | Unlock | Close | Bar | Lift | Impose | Receive | Pay


class Reset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another password for somebody who has forgotten theirs."""

    password: Password


@get("/api/people", opt={**FLOOR, "query": Whom})
async def people(request: guards.Asked) -> People:
    """Everybody who has an account, by name."""
    whom, house = query(request, Whom), guards.house(request)
    names = [each for each in await house.people.names(whom.prefix) if each > whom.after]
    found, actor = [await house.people.account(each) for each in names[: whom.limit]], await guards.acting(request)
    told = [await _person(house, each, actor) for each in found if each is not None]
    return People(told, names[whom.limit - 1] if len(names) > whom.limit else None)


async def _person(house: House, account: Account, actor: Actor) -> PersonView:
    now, money = house.now(), house.config.money
    balance = await house.people.wallet(account.person) if account.is_patron else None
    return PersonView(
        person=account.person,
        name=account.name,
        position=WORD_OF[account.position],
        play_money=account.play_money,
        created=account.created,
        closed=bool(account.closed),
        locked=locked_somewhere(account, now),
        signed_in=account.signed_in or None,
        sessions=len(account.sessions),
        balance=None if balance is None else show(balance, money),
        cooling_off=account.cool_off_until > now,
        excluded=account.excluded is not None and holds(account.excluded, now),
        barred=account.barred is not None and holds(account.barred, now),
        may=[name for name, command in COMMANDS.items() if _fits(account, command, actor, now)],
    )


COMMANDS: dict[str, type[HouseCommand]] = {
    "unlock": UnlockAccount,
    "lock": LockAccount,
    "bar": BarPatron,
    "lift-bar": LiftBar,
    "impose-limit": ImposeLimit,
    "change-position": ChangePosition,
    "pay-in": PayIn,
    "pay-out": PayOut,
    "close": CloseAccount,
}
OF_PATRONS = (BarPatron, LiftBar, ImposeLimit, PayIn, PayOut)


def _fits(account: Account, command: type[HouseCommand], actor: Actor, now: int) -> bool:
    """Does it make sense for this account, and may this person ask for it?"""
    if account.closed or account.person == actor.person or not may_ask(actor, command.needs, changes=True):
        return False
    barred = account.barred is not None and holds(account.barred, now)
    senseless = {
        BarPatron: barred,
        LiftBar: not barred,
        LockAccount: locked_by_house(account),
        UnlockAccount: not locked_somewhere(account, now),
    }
    if senseless.get(command, False):
        return False
    return account.is_patron or command not in OF_PATRONS


async def known(request: guards.Asked, person: str) -> Account:
    account = await guards.house(request).people.account(person) if is_name(person) else None
    if account is None:
        raise Trouble(problems.Kind.NOT_FOUND, f"Nobody called {person[:40]!r} has an account here.")
    return account


@get("/api/people/{person:str}", opt=FLOOR)
async def one_person(request: guards.Asked, person: FromPath[str]) -> PersonView:
    """Somebody as the staff see them."""
    actor = await guards.acting(request)
    return await _person(guards.house(request), await known(request, person), actor)


NEW = NewPerson(person="ann", name="Ann", password="correct horse battery staple")
PROMOTE = ActOnPerson(id="promote-1", act=Promote(to="pit-supervisor", why="passed the examination"))


@post("/api/people", opt={**FLOOR, "example": NEW})
async def create_person(request: guards.Asked, data: JSONBody[NewPerson]) -> PersonView:
    """Create an account: a patron with a wallet, or somebody of the staff (LOG-5)."""
    actor, house = await guards.acting(request), guards.house(request)
    position = POSITION_OF[data.position]
    given = None if position is Position.PATRON else position
    made = await whole(house.people.create(actor, data.person, data.name, data.password, given))
    if isinstance(made, Refusal):
        raise problems.refused(made)
    return await _person(house, made, actor)


@post("/api/people/{person:str}/acts", status_code=200, opt={**staff(Position.DEALER), "example": PROMOTE})
async def act_on_person(request: guards.Asked, person: FromPath[str], data: JSONBody[ActOnPerson]) -> Acted:
    """What the house does about somebody: position, lock, exclusion, limits, money at the cage (LOG-4)."""
    account = await known(request, person)
    command = _asked(data.act, guards.config(request).money)
    return await act_on(request, account.person, command, await command_id(request, data))


def _asked(act: Promote | Lock | Unlock | Close | Bar | Lift | Impose | Receive | Pay, money: Currency) -> HouseCommand:
    match act:
        case Promote():
            return ChangePosition(to=POSITION_OF[act.to], why=act.why)
        case Lock():
            return LockAccount(why=act.why)
        case Unlock():
            return UnlockAccount(why=act.why)
        case Close():
            return CloseAccount(why=act.why)
        case Bar():
            return BarPatron(days=act.days, why=act.why)
        case Lift():
            return LiftBar(why=act.why)
        case Impose():
            kind = Kind(act.kind)
            unit = MINUTES if kind is Kind.TIME else money
            most = None if act.most is None else amount(act.most, unit, "most")
            return ImposeLimit(kind=kind, span=Span(act.span), most=most, why=act.why)
        case Receive():
            return PayIn(amount=amount(act.amount, money), reference=act.reference, why=act.why)
        case Pay():
            return PayOut(amount=amount(act.amount, money), reference=act.reference, why=act.why)


@post(
    "/api/people/{person:str}/password",
    status_code=200,
    opt={**staff(Position.GAMING_SHIFT_MANAGER), "example": Reset(password="another good password")},
)
async def reset_password(request: guards.Asked, person: FromPath[str], data: JSONBody[Reset]) -> Acted:
    """Give somebody another password; all their sessions end (SEC-2)."""
    actor, house = await guards.acting(request), guards.house(request)
    account = await known(request, person)
    return acted(await whole(house.people.change_password(actor, account.person, data.password)))


@get("/api/people/{person:str}/statement", opt={**staff(Position.PIT_MANAGER), "query": Period, "also": (CSV,)})
async def their_statement(request: guards.Asked, person: FromPath[str]) -> Response[StatementView]:
    """Somebody's statement, on their request (MON-5)."""
    return await statement(request, await known(request, person))


HANDLERS = [people, one_person, create_person, act_on_person, reset_password, their_statement]
