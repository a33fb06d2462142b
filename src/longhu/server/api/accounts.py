"""Accounts over HTTP, for staff: find people, see their accounts, and act on them (LOG-4, LOG-5, SEC-1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from longhu.accounts.account import ChangePosition, CloseAccount
from longhu.accounts.appointments import Appointment, lowest, required
from longhu.accounts.association import SetAssociation
from longhu.accounts.limits import ImposeLimit
from longhu.accounts.messages import HouseCommand
from longhu.accounts.protection import BarPatron, LiftBar, holds
from longhu.accounts.sign_in_rules import LockAccount, UnlockAccount, locked_by_house, locked_somewhere
from longhu.accounts.state import Account, Kind, Span
from longhu.accounts.wallet import PayIn, PayOut
from longhu.eventsourcing import Refusal
from longhu.money import Currency, show
from longhu.positions import OF_PEOPLE, Position
from longhu.protocol import FULL_NAME_MAX, PEOPLE_MAX, PERSON_LETTERS, PERSON_MAX, SPAN_MAX, Association
from longhu.server import problems
from longhu.server.api import guards
from longhu.server.api.floor import FLOOR
from longhu.server.api.guards import cosigning, may_ask, staff
from longhu.server.api.http import (
    Acted,
    CommandBody,
    Held,
    Number,
    Time,
    Words,
    acted,
    amount,
    command_id,
    query,
    whole,
)
from longhu.server.api.patron import MINUTES, LimitKind, LimitSpan, act_on
from longhu.server.codec import MoneyText, Password, Person, Shown, Signatures
from longhu.server.house import House
from longhu.server.streams.commands import Actor


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
    association: Association  # what a patron is to the casino
    may: list[str]  # what whoever asks may do about them, by the names of the acts
    signed: dict[str, Held]  # of these, what somebody else signs, and the lowest position that may
    moves: dict[str, Held]  # the positions that they may be moved to, and who signs


class Creatable(msgspec.Struct, frozen=True):
    """A position in which whoever asks may create an account."""

    position: Held
    signs: Held | None  # the lowest position of somebody else who signs; None: nobody need


class PeoplePage(msgspec.Struct, frozen=True):
    people: list[PersonView]
    after: str | None  # ask for the rest with this; None: that was all
    creates: list[Creatable]


class PeopleQuery(msgspec.Struct, frozen=True, kw_only=True):
    prefix: Annotated[str, Meta(max_length=PERSON_MAX, pattern=f"^[{PERSON_LETTERS}]*$")] = ""
    after: Annotated[str, Meta(max_length=PERSON_MAX, pattern=f"^[{PERSON_LETTERS}]*$")] = ""
    limit: Annotated[int, Meta(ge=1, le=PEOPLE_MAX)] = 50


class NewPerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account for somebody."""

    person: Person
    name: Annotated[str, Meta(max_length=FULL_NAME_MAX)] = ""
    password: Password  # until its owner has chosen another, nothing else can be done with it
    position: Held = "patron"
    signatures: Signatures = ()


class PersonAct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act"):
    """What the house does about somebody, and why."""

    why: Words = ""


class PositionAct(PersonAct, frozen=True, kw_only=True, tag="change-position"):
    """Put somebody of the staff into another position."""

    to: Held


class LockAct(PersonAct, frozen=True, kw_only=True, tag="lock"):
    """Nobody signs in with the account until it is unlocked."""


class UnlockAct(PersonAct, frozen=True, kw_only=True, tag="unlock"):
    """The account may be used again."""


class CloseAct(PersonAct, frozen=True, kw_only=True, tag="close"):
    """No more sign-ins, for good."""


class BarAct(PersonAct, frozen=True, kw_only=True, tag="bar"):
    """The house excludes a patron, for so many days or until it lifts that."""

    days: Annotated[int, Meta(ge=1, le=SPAN_MAX)] | None = None


class LiftAct(PersonAct, frozen=True, kw_only=True, tag="lift-bar"):
    """The house takes back its own exclusion."""


class LimitAct(PersonAct, frozen=True, kw_only=True, tag="impose-limit"):
    """The house limits a patron; null lifts that."""

    kind: LimitKind
    span: LimitSpan
    most: MoneyText | None


class AssociationAct(PersonAct, frozen=True, kw_only=True, tag="set-association"):
    """What a patron is to the casino, from the next table on: only one who is nothing to it acts for somebody else (D21-2.2.h)."""

    association: Association


class PayInAct(PersonAct, frozen=True, kw_only=True, tag="pay-in"):
    """Money that was paid at the cage goes into the wallet."""

    amount: MoneyText
    reference: Words = ""


class PayOutAct(PersonAct, frozen=True, kw_only=True, tag="pay-out"):
    """Money out of the wallet is paid at the cage."""

    amount: MoneyText
    reference: Words = ""


class ActOnPerson(CommandBody, frozen=True, kw_only=True):
    act: (
        PositionAct
        | LockAct
        | UnlockAct
        | CloseAct
        | BarAct
        | LiftAct
        | LimitAct
        | AssociationAct
        | PayInAct
        | PayOutAct
    )
    signatures: Signatures = ()


class PasswordReset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another password for somebody who has forgotten theirs."""

    password: Password  # until its owner has chosen another, nothing else can be done with it
    why: Words = ""
    signatures: Signatures = ()


@get("/api/people", opt={**FLOOR, "query": PeopleQuery})
async def people(request: guards.Request) -> PeoplePage:
    """Everybody who has an account, by name."""
    whom, house = query(request, PeopleQuery), guards.house(request)
    names = [each for each in await house.people.names(whom.prefix) if each > whom.after]
    found, actor = [await house.people.account(each) for each in names[: whom.limit]], await guards.acting(request)
    told = [await _person(house, each, actor) for each in found if each is not None]
    creates = [
        Creatable(position=each.value, signs=None if signs is None else signs.value)
        for each, signs in _entitled(actor, Appointment.CREATE)
    ]
    return PeoplePage(told, names[whom.limit - 1] if len(names) > whom.limit else None, creates)


def _entitled(actor: Actor, act: Appointment, *held: Position) -> Iterator[tuple[Position, Position | None]]:
    """The positions of which this person may do this, and who must sign; of somebody who is moved, to where."""
    for each in OF_PEOPLE:
        asks, signs = required(act, *held, each)
        if asks is not None and actor.position >= asks and each not in held:
            yield each, signs


async def _person(house: House, account: Account, actor: Actor) -> PersonView:
    now, money = house.now(), house.config.money
    may = _may(account, actor, now)
    moves = [*_entitled(actor, Appointment.MOVE, account.position)] if "change-position" in may else []
    balance = await house.people.wallet(account.person) if account.is_patron else None
    return PersonView(
        person=account.person,
        name=account.name,
        position=account.position.value,
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
        association=account.association,
        may=may,
        signed={name: signs.value for name in may if (signs := _signs(name, account)) is not None},
        moves={each.value: signs.value for each, signs in moves if signs is not None},
    )


RESET = "reset-password"
APPOINTMENTS = {"unlock": Appointment.UNLOCK, "change-position": Appointment.MOVE, RESET: Appointment.RESET}


def _signs(name: str, account: Account) -> Position | None:
    return required(APPOINTMENTS[name], account.position).signs if name in APPOINTMENTS else None


def _may(account: Account, actor: Actor, now: int) -> list[str]:
    """What this person may do about somebody, by the names of the acts."""
    found = [name for name, command in COMMANDS.items() if _fits(account, command, actor, now)]
    if account.password and not account.closed and account.person != actor.person:
        found.append(RESET)
    return [each for each in found if each not in APPOINTMENTS or _appoints(actor, APPOINTMENTS[each], account)]


def _appoints(actor: Actor, act: Appointment, account: Account) -> bool:
    asks = required(act, account.position).asks
    return asks is not None and actor.position >= asks


COMMANDS: dict[str, type[HouseCommand]] = {
    "unlock": UnlockAccount,
    "lock": LockAccount,
    "bar": BarPatron,
    "lift-bar": LiftBar,
    "impose-limit": ImposeLimit,
    "set-association": SetAssociation,
    "change-position": ChangePosition,
    "pay-in": PayIn,
    "pay-out": PayOut,
    "close": CloseAccount,
}
OF_PATRONS = (BarPatron, LiftBar, ImposeLimit, SetAssociation, PayIn, PayOut)


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


@get("/api/people/{person:str}", opt=FLOOR)
async def one_person(request: guards.Request, person: FromPath[str]) -> PersonView:
    """Somebody as the staff see them."""
    actor = await guards.acting(request)
    return await _person(guards.house(request), await guards.account_of(request, person), actor)


NEW = NewPerson(person="ann", name="Ann", password="correct horse battery staple")
PROMOTE = ActOnPerson(id="promote-1", act=PositionAct(to="pit-supervisor", why="passed the examination"))


@post("/api/people", opt={**FLOOR, "example": NEW})
async def create_person(request: guards.Request, data: JSONBody[NewPerson]) -> PersonView:
    """Create an account: a patron with a wallet, or somebody of the staff, for whom somebody else signs (LOG-5, SEC-1)."""
    actor, house = await guards.acting(request), guards.house(request)
    position = Position(data.position)
    given = None if position is Position.PATRON else position
    second = await _second(request, actor, data.signatures)
    made = await whole(house.people.create(actor, data.person, data.name, data.password, given, second=second))
    if isinstance(made, Refusal):
        raise problems.refused(made)
    return await _person(house, made, actor)


@post(
    "/api/people/{person:str}/acts", status_code=200, opt={**staff(Position.DEALER, Position.CAGE), "example": PROMOTE}
)
async def act_on_person(request: guards.Request, person: FromPath[str], data: JSONBody[ActOnPerson]) -> Acted:
    """What the house does about somebody: position, lock, exclusion, limits, money at the cage (LOG-4)."""
    account = await guards.account_of(request, person)
    command, actor = _asked(data.act, guards.config(request).money), await guards.acting(request)
    second = await _second(request, actor, data.signatures)
    return await act_on(request, account.person, command, command_id(request, data), second)


async def _second(request: guards.Request, actor: Actor, signatures: Signatures) -> Actor | None:
    """Who signs for what one person may not do alone (SEC-1)."""
    found = await cosigning(request).second(actor, signatures)
    if isinstance(found, Refusal):
        raise problems.refused(found)
    return found


def _asked(
    act: PositionAct
    | LockAct
    | UnlockAct
    | CloseAct
    | BarAct
    | LiftAct
    | LimitAct
    | AssociationAct
    | PayInAct
    | PayOutAct,
    money: Currency,
) -> HouseCommand:
    match act:
        case PositionAct():
            return ChangePosition(to=Position(act.to), why=act.why)
        case BarAct():
            return BarPatron(days=act.days, why=act.why)
        case LimitAct():
            kind = Kind(act.kind)
            unit = MINUTES if kind is Kind.TIME else money
            most = None if act.most is None else amount(act.most, unit, "most")
            return ImposeLimit(kind=kind, span=Span(act.span), most=most, why=act.why)
        case AssociationAct():
            return SetAssociation(association=act.association, why=act.why)
        case PayInAct():
            return PayIn(amount=amount(act.amount, money), reference=act.reference, why=act.why)
        case PayOutAct():
            return PayOut(amount=amount(act.amount, money), reference=act.reference, why=act.why)
        case LockAct() | UnlockAct() | CloseAct() | LiftAct():
            return COMMANDS[str(act.__struct_config__.tag)](why=act.why)


@post(
    "/api/people/{person:str}/password",
    status_code=200,
    opt={**staff(lowest(Appointment.RESET)), "example": PasswordReset(password="another good password")},
)
async def reset_password(request: guards.Request, person: FromPath[str], data: JSONBody[PasswordReset]) -> Acted:
    """Give somebody another password, which somebody else signs; all their sessions end (SEC-1, SEC-2)."""
    actor, house = await guards.acting(request), guards.house(request)
    account = await guards.account_of(request, person)
    second = await _second(request, actor, data.signatures)
    return acted(
        await whole(house.people.change_password(actor, account.person, data.password, second=second, why=data.why))
    )
