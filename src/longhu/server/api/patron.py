"""A patron's own account: balance, money, rounds, password (PLY-1, MON-5).

Patrons protect themselves here, too: limits, breaks, exclusion, the reality check (LIM-2, LIM-3, PLY-2).
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import msgspec
from litestar import get, post, put
from litestar.params import JSONBody
from msgspec import Meta

from longhu.accounts import limits, protection
from longhu.accounts.account import CloseAccount, SetDisplayName
from longhu.accounts.limits import ConfirmLimit, ReviewLimits, SetLimit
from longhu.accounts.messages import HouseCommand
from longhu.accounts.policy import Policy
from longhu.accounts.protection import AcknowledgeRealityCheck, CoolOff, RequestReturn, SelfExclude, SetRealityCheck
from longhu.accounts.state import Account, Kind, Span, key
from longhu.accounts.times import MINUTE
from longhu.accounts.wallet import PayIn, PayOut
from longhu.eventsourcing import Refusal
from longhu.messages.message import Message, message_code
from longhu.money import Currency, show
from longhu.protocol import DISPLAY_NAME_MAX, SPAN_MAX
from longhu.server import problems
from longhu.server.api import guards
from longhu.server.api.guards import NEWCOMERS, PATRONS
from longhu.server.api.http import (
    Acted,
    CommandBody,
    Held,
    Number,
    PageQuery,
    Time,
    Words,
    acted,
    address,
    amount,
    command_id,
    query,
    whole,
)
from longhu.server.api.statement import PlayView, play_view
from longhu.server.codec import MoneyText, Password, Shown
from longhu.server.streams.commands import Actor
from longhu.server.tables.visits import seats_of, something_left

PASSWORD_WRONG = message_code("password-wrong")
GIVE_PASSWORD = message_code("give-own-password")


async def act_on(
    request: guards.Request, person: str, command: HouseCommand, id: str, second: Actor | None = None
) -> Acted:
    """Give a command in somebody's account."""
    actor, house = await guards.acting(request), guards.house(request)
    if isinstance(command, CloseAccount) and (left := something_left(house, person)) is not None:
        raise problems.refused(left)
    return acted(await whole(house.people.act(actor, person, command, id, second=second)))


async def act(request: guards.Request, command: HouseCommand, data: CommandBody) -> Acted:
    """Give a command in one's own account."""
    actor = await guards.acting(request)
    return await act_on(request, actor.person, command, command_id(request, data))


WRONG_PASSWORD = Refusal(PASSWORD_WRONG(), GIVE_PASSWORD(), "SEC-2")


class ChipsAtTable(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    chips: Shown
    staked: Shown


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody as the house knows them; what a screen shows at all times (PLY-1)."""

    person: str
    name: str
    display_name: str  # as other patrons see me at a table; "": by my seat
    position: Held
    play_money: bool
    currency: str
    at: Time
    balance: Shown | None  # in the wallet; None for staff
    chips: Shown  # at tables
    staked: Shown  # on layouts
    tables: list[ChipsAtTable]
    session_since: Time
    session_net: Shown  # won or lost at the tables since then
    elapsed: str  # h:mm:ss
    may_play: bool
    why_not: Message | None = None
    check_due: bool = False  # a reality check waits to be acknowledged
    next_check: Time | None = None
    cool_off_until: Time | None = None
    excluded_until: Time | None = None
    has_password: bool  # a guest has none, and cannot come back once signed out


class MoneyTransfer(CommandBody, frozen=True, kw_only=True):
    """Money into the wallet, or out of it."""

    amount: MoneyText
    reference: Words = ""


class NewPassword(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    old: Password
    new: Password


class NewDisplayName(CommandBody, frozen=True, kw_only=True):
    """What other patrons call me at a table; "" for my seat."""

    name: Annotated[str, Meta(max_length=DISPLAY_NAME_MAX)]


class ClosingAccount(CommandBody, frozen=True, kw_only=True):
    """Close my account: the reason, and my password, unless I am a guest without one."""

    why: Words
    password: Password | None = None

    def __repr__(self) -> str:
        """Without the password: a log line must not have it."""
        return f"ClosingAccount(id={self.id!r}, why={self.why!r})"


class Plays(msgspec.Struct, frozen=True):
    rounds: list[PlayView]
    before: Time | None  # ask for what is older with this; None: that was all


@get("/api/me", opt=NEWCOMERS)
async def me(request: guards.Request) -> Me:
    """Myself: balance, chips, what is staked, how long and with which result I have played, and whether I may.

    What a screen shows at all times (PLY-1).
    """
    house, account = guards.house(request), await guards.own_account(request)
    found = await guards.session_of(request)
    if found is None:
        raise AssertionError("a route without a guard")
    session, now, money = found[1], house.now(), house.config.money
    tables = seats_of(house, account.person)
    figures, refusal = await house.people.figures(session), await house.people.may_play(account.person, now)
    return Me(
        person=account.person,
        name=account.name,
        display_name=account.display_name,
        position=account.position.value,
        play_money=account.play_money,
        currency=money.code,
        at=now,
        balance=None if figures.balance is None else show(figures.balance, money),
        chips=show(sum(each.chips for each in tables), money),
        staked=show(sum(each.staked for each in tables), money),
        tables=[
            ChipsAtTable(table=each.table, chips=show(each.chips, money), staked=show(each.staked, money))
            for each in tables
        ],
        session_since=figures.since,
        session_net=show(figures.net, money),
        elapsed=_clock(figures.elapsed),
        may_play=refusal is None,
        why_not=None if refusal is None else refusal.reason,
        check_due=account.is_patron and figures.check_due,
        next_check=figures.check_at if account.is_patron else None,
        cool_off_until=account.cool_off_until if account.cool_off_until > now else None,
        excluded_until=_excluded(account, now),
        has_password=bool(account.password),
    )


def _clock(ms: int) -> str:
    """
    >>> _clock(3_723_000)
    '1:02:03'
    """
    minutes, seconds = divmod(max(0, ms) // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _excluded(account: Account, now: int) -> int | None:
    """Until when, as far as that is known."""
    ends = [
        each.until for each in (account.excluded, account.barred) if each is not None and protection.holds(each, now)
    ]
    return max((each for each in ends if each is not None), default=None)


MOVE = MoneyTransfer(id="money-1", amount="100.00")
BYE = ClosingAccount(id="bye-1", why="I have had enough", password="correct horse battery staple")


@post("/api/me/deposits", status_code=200, opt={**PATRONS, "example": MOVE})
async def deposit(request: guards.Request, data: JSONBody[MoneyTransfer]) -> Acted:
    """Put play money into my wallet; real money is paid in at the cage (LIM-2)."""
    money = guards.config(request).money
    return await act(request, PayIn(amount=amount(data.amount, money), reference=data.reference), data)


@post("/api/me/withdrawals", status_code=200, opt={**PATRONS, "example": MOVE})
async def withdraw(request: guards.Request, data: JSONBody[MoneyTransfer]) -> Acted:
    """Take play money out of my wallet; real money is paid out at the cage."""
    money = guards.config(request).money
    return await act(request, PayOut(amount=amount(data.amount, money), reference=data.reference), data)


@post(
    "/api/me/password", status_code=200, opt={**NEWCOMERS, "example": NewPassword(old="old one", new="a new password")}
)
async def change_password(request: guards.Request, data: JSONBody[NewPassword]) -> Acted:
    """Change my password; all other sessions of mine end (SEC-2)."""
    actor = await guards.acting(request)
    people = guards.house(request).people
    return acted(
        await whole(
            people.change_password(actor, actor.person, data.new, old=data.old, but=request.cookies[guards.COOKIE])
        )
    )


@put("/api/me/display-name", opt={**PATRONS, "example": NewDisplayName(id="name-1", name="Lucky Seven")})
async def set_display_name(request: guards.Request, data: JSONBody[NewDisplayName]) -> Acted:
    """Choose the name that other patrons see.

    It is shown at tables that I come to from now on. Nobody but the staff sees the name that I sign in with.
    """
    return await act(request, SetDisplayName(name=data.name), data)


@post("/api/me/closing", status_code=200, opt={**PATRONS, "example": BYE})
async def close_account(request: guards.Request, data: JSONBody[ClosingAccount]) -> Acted:
    """Close my account for good, once nothing is in the wallet or at a table; all my sessions end (LOG-5).

    The password is asked again: a screen that was left open is not enough (SEC-2).
    """
    account = await guards.own_account(request)
    if account.password:
        guards.not_too_quickly(request)
        people, place = guards.house(request).people, address(request.scope)
        found = await people.signed(account.person, data.password or "", place, account.person)
        if isinstance(found, Refusal):
            raise problems.refused(WRONG_PASSWORD)
    return await act(request, CloseAccount(why=data.why), data)


@get("/api/me/rounds", opt={**PATRONS, "query": PageQuery})
async def my_rounds(request: guards.Request) -> Plays:
    """The rounds that I have played, newest first."""
    page, actor, house = query(request, PageQuery), await guards.acting(request), guards.house(request)
    money = house.config.money
    found = await asyncio.to_thread(lambda: house.store.plays(actor.person, before=page.before, limit=page.limit))
    return Plays([play_view(each, money) for each in found], found[-1].at if len(found) >= page.limit else None)


MINUTES = Currency("minutes", 0)

LimitKind = Literal["deposit", "loss", "time"]
LimitSpan = Literal["day", "week", "month"]


class LimitView(msgspec.Struct, frozen=True, kw_only=True):
    """A limit on what is paid in, lost, or played: an amount, or minutes."""

    kind: LimitKind
    span: LimitSpan
    most: str | None  # in force; None: none
    own: str | None  # what the patron has chosen
    house: str | None  # what the house has set
    asked: str | None = None  # a higher one that waits to be confirmed; "none" where the limit is to go
    earliest: Time | None = None  # between these two times
    latest: Time | None = None


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    limits: list[LimitView]
    review_due: bool  # half a year has passed: are they still what you want?
    raised_after_hours: Number  # between asking for a higher limit and confirming it


class NewLimit(CommandBody, frozen=True, kw_only=True):
    """So much and no more; a lower limit holds at once, a higher one after a day and a confirmation."""

    kind: LimitKind
    span: LimitSpan
    most: MoneyText | None = msgspec.field()  # whole minutes for `time`; null takes the limit away
    confirm: bool = False  # a day has passed since it was asked for


class NewCoolOff(CommandBody, frozen=True, kw_only=True):
    hours: Annotated[int, Meta(ge=1, le=SPAN_MAX, examples=[24])]


class NewExclusion(CommandBody, frozen=True, kw_only=True):
    days: Annotated[int, Meta(ge=1, le=SPAN_MAX, examples=[183])]


class NewCheck(CommandBody, frozen=True, kw_only=True):
    minutes: Annotated[int, Meta(ge=1, le=SPAN_MAX, examples=[30])]


@get("/api/me/limits", opt=PATRONS)
async def my_limits(request: guards.Request) -> Limits:
    """My limits on what I pay in, lose, and play."""
    house, account = guards.house(request), await guards.own_account(request)
    told = [_limit(account, house.config.policy, kind, span) for kind in Kind for span in Span]
    return Limits(
        limits=told,
        review_due=limits.review_due(account, house.now()),
        raised_after_hours=limits.RAISED_AFTER // (60 * MINUTE),
    )


def _limit(account: Account, policy: Policy, kind: Kind, span: Span) -> LimitView:
    def written(most: int | None) -> str | None:
        return None if most is None else str(most) if kind is Kind.TIME else policy.show(most)

    own, imposed = account.limits.get(key(kind, span)), account.imposed.get(key(kind, span))
    pending = own.pending if own else None
    return LimitView(
        kind=kind.value,
        span=span.value,
        most=written(limits.in_force(account, kind, span)),
        own=written(own.most) if own else None,
        house=written(imposed),
        asked=None if pending is None else written(pending.most) or "none",
        earliest=pending.earliest if pending else None,
        latest=pending.latest if pending else None,
    )


LIMIT = NewLimit(id="limit-1", kind="deposit", span="day", most="100.00")


@put("/api/me/limits", opt={**PATRONS, "example": LIMIT})
async def set_limit(request: guards.Request, data: JSONBody[NewLimit]) -> Acted:
    """Set one of my limits.

    A lower limit holds at once. A higher one is asked for, and confirmed after 24 hours (LIM-2).
    """
    kind, span = Kind(data.kind), Span(data.span)
    if data.confirm:
        return await act(request, ConfirmLimit(kind=kind, span=span), data)
    return await act(request, SetLimit(kind=kind, span=span, most=_most(request, kind, data.most)), data)


def _most(request: guards.Request, kind: Kind, told: str | None) -> int | None:
    if told is None:
        return None
    if kind is Kind.TIME:
        return amount(told, MINUTES, "most")
    return amount(told, guards.config(request).money, "most")


@post("/api/me/limits/review", status_code=200, opt={**PATRONS, "example": CommandBody(id="review-1")})
async def review_limits(request: guards.Request, data: JSONBody[CommandBody]) -> Acted:
    """I have looked at my limits, and keep them."""
    return await act(request, ReviewLimits(), data)


@post("/api/me/cool-off", status_code=200, opt={**PATRONS, "example": NewCoolOff(id="break-1", hours=24)})
async def cool_off(request: guards.Request, data: JSONBody[NewCoolOff]) -> Acted:
    """Take a break; it holds at once (LIM-3)."""
    return await act(request, CoolOff(hours=data.hours), data)


@post("/api/me/exclusion", status_code=200, opt={**PATRONS, "example": NewExclusion(id="exclude-1", days=183)})
async def exclude_myself(request: guards.Request, data: JSONBody[NewExclusion]) -> Acted:
    """Exclude myself; it holds at once, and nobody can lift it early (LIM-3)."""
    return await act(request, SelfExclude(days=data.days), data)


@post("/api/me/exclusion/return", status_code=200, opt={**PATRONS, "example": CommandBody(id="return-1")})
async def come_back(request: guards.Request, data: JSONBody[CommandBody]) -> Acted:
    """Ask to come back, once the exclusion has run out."""
    return await act(request, RequestReturn(), data)


@put("/api/me/reality-check", opt={**PATRONS, "example": NewCheck(id="check-1", minutes=30)})
async def set_reality_check(request: guards.Request, data: JSONBody[NewCheck]) -> Acted:
    """Remind me every so many minutes (PLY-2)."""
    return await act(request, SetRealityCheck(minutes=data.minutes), data)


@post("/api/me/reality-check", status_code=200, opt={**PATRONS, "example": CommandBody(id="seen-1")})
async def acknowledge_check(request: guards.Request, data: JSONBody[CommandBody]) -> Acted:
    """I have seen for how long and with which result I have played (PLY-2)."""
    return await act(request, AcknowledgeRealityCheck(), data)
