"""What patrons do to protect themselves: limits, breaks, exclusion, the reality check (LIM-2, LIM-3, PLY-2)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import get, post, put
from litestar.params import JSONBody
from msgspec import Meta

from longhu.accounts import limits
from longhu.accounts.limits import ConfirmLimit, ReviewLimits, SetLimit
from longhu.accounts.policy import Policy
from longhu.accounts.protection import AcknowledgeCheck, ComeBack, CoolOff, ExcludeMyself, SetRealityCheck
from longhu.accounts.state import Account, Kind, Span, key
from longhu.accounts.times import MINUTE
from longhu.money import Currency
from longhu.server.http import guards
from longhu.server.http.fields import Asking, Number, Time, amount
from longhu.server.http.guards import PATRONS
from longhu.server.http.routes.answers import Acted, act
from longhu.server.http.routes.me import account_of
from longhu.server.realtime.wire_types import MoneyText

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


class NewLimit(Asking, frozen=True, kw_only=True):
    """So much and no more; a lower limit holds at once, a higher one after a day and a confirmation."""

    kind: LimitKind
    span: LimitSpan
    most: MoneyText | None = msgspec.field()  # whole minutes for `time`; null takes the limit away
    confirm: bool = False  # a day has passed since it was asked for


class NewCoolOff(Asking, frozen=True, kw_only=True):
    hours: Annotated[int, Meta(ge=1, le=100_000, examples=[24])]


class NewExclusion(Asking, frozen=True, kw_only=True):
    days: Annotated[int, Meta(ge=1, le=100_000, examples=[183])]


class NewCheck(Asking, frozen=True, kw_only=True):
    minutes: Annotated[int, Meta(ge=1, le=100_000, examples=[30])]


@get("/api/me/limits", opt=PATRONS)
async def my_limits(request: guards.Asked) -> Limits:
    """My limits on what I pay in, lose, and play."""
    house, account = guards.house(request), await account_of(request)
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
async def set_limit(request: guards.Asked, data: JSONBody[NewLimit]) -> Acted:
    """Set one of my limits.

    A lower limit holds at once. A higher one is asked for, and confirmed after 24 hours (LIM-2).
    """
    kind, span = Kind(data.kind), Span(data.span)
    if data.confirm:
        return await act(request, ConfirmLimit(kind=kind, span=span), data)
    return await act(request, SetLimit(kind=kind, span=span, most=_most(request, kind, data.most)), data)


def _most(request: guards.Asked, kind: Kind, told: str | None) -> int | None:
    if told is None:
        return None
    if kind is Kind.TIME:
        return amount(told, MINUTES, "most")
    return amount(told, guards.config(request).money, "most")


@post("/api/me/limits/review", status_code=200, opt={**PATRONS, "example": Asking(id="review-1")})
async def review_limits(request: guards.Asked, data: JSONBody[Asking]) -> Acted:
    """I have looked at my limits, and keep them."""
    return await act(request, ReviewLimits(), data)


@post("/api/me/cool-off", status_code=200, opt={**PATRONS, "example": NewCoolOff(id="break-1", hours=24)})
async def cool_off(request: guards.Asked, data: JSONBody[NewCoolOff]) -> Acted:
    """Take a break; it holds at once (LIM-3)."""
    return await act(request, CoolOff(hours=data.hours), data)


@post("/api/me/exclusion", status_code=200, opt={**PATRONS, "example": NewExclusion(id="exclude-1", days=183)})
async def exclude_myself(request: guards.Asked, data: JSONBody[NewExclusion]) -> Acted:
    """Exclude myself; it holds at once, and nobody can lift it early (LIM-3)."""
    return await act(request, ExcludeMyself(days=data.days), data)


@post("/api/me/exclusion/return", status_code=200, opt={**PATRONS, "example": Asking(id="return-1")})
async def come_back(request: guards.Asked, data: JSONBody[Asking]) -> Acted:
    """Ask to come back, once the exclusion has run out."""
    return await act(request, ComeBack(), data)


@put("/api/me/reality-check", opt={**PATRONS, "example": NewCheck(id="check-1", minutes=30)})
async def set_reality_check(request: guards.Asked, data: JSONBody[NewCheck]) -> Acted:
    """Remind me every so many minutes (PLY-2)."""
    return await act(request, SetRealityCheck(minutes=data.minutes), data)


@post("/api/me/reality-check", status_code=200, opt={**PATRONS, "example": Asking(id="seen-1")})
async def acknowledge_check(request: guards.Asked, data: JSONBody[Asking]) -> Acted:
    """I have seen for how long and with which result I have played (PLY-2)."""
    return await act(request, AcknowledgeCheck(), data)


HANDLERS = [
    my_limits, set_limit, review_limits, cool_off, exclude_myself, come_back, set_reality_check, acknowledge_check,
]  # fmt: skip
