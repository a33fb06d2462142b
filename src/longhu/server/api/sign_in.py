"""Sign-in and sign-out over HTTP, guests of a demonstration, and public facts about the house (SEC-2, LOG-5, PLY-4)."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from longhu.accounts.state import Account
from longhu.accounts.times import DAY, SECOND
from longhu.eventsourcing import Refusal
from longhu.server import problems
from longhu.server.accounts.people import NO_GUESTS, SIGN_IN_WITH_ACCOUNT
from longhu.server.accounts.sign_in import SignedIn
from longhu.server.api import guards
from longhu.server.api.guards import ANYBODY, COOKIE, DEVICE, NEWCOMERS, SIGNED_IN
from longhu.server.api.http import Held, Time, address, query
from longhu.server.codec import Password, Person
from longhu.server.problems import ProblemKind, Trouble
from longhu.store.entries import Session


class Welcome(msgspec.Struct, frozen=True, kw_only=True):
    """The house from outside."""

    play_money: bool  # nothing here is worth anything (PLY-4)
    guests: bool  # may anybody come in as a guest?
    spectators: bool  # may anybody watch without being signed in?
    currency: str  # an ISO code, "" where amounts are hundredths of something
    decimals: int  # of its minor unit: messages carry amounts in minor units


@get("/api/house", opt=ANYBODY)
async def welcome(request: guards.Request) -> Welcome:
    """What kind of house this is."""
    config = guards.config(request)
    return Welcome(
        play_money=config.demo,
        guests=config.demo,
        spectators=config.spectators,
        currency=config.money.code,
        decimals=config.money.decimals,
    )


AGENT_MAX = 200


class SignInRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password."""

    person: Person
    password: Password


class SignedInView(msgspec.Struct, frozen=True, kw_only=True):
    """Who is signed in."""

    person: str
    name: str  # as the staff know them
    position: Held
    play_money: bool
    csrf: str  # goes with every change, in the header X-Longhu-CSRF
    since: Time
    until: Time  # when the session ends, unless something is done before
    last_sign_in: Time | None = None  # the one before this
    last_address: str = ""
    failures_since: int = 0  # wrong passwords since then
    must_change_password: bool = False  # somebody else has chosen it: nothing else can be done before


class OpenSession(msgspec.Struct, frozen=True, kw_only=True):
    """Somewhere that somebody is signed in."""

    since: Time
    seen: Time
    until: Time
    address: str
    agent: str
    this: bool  # the one that asks


class SignOutQuery(msgspec.Struct, frozen=True, kw_only=True):
    but_here: bool = False  # stay signed in here


class Ended(msgspec.Struct, frozen=True):
    """How many sessions were ended."""

    ended: int


def told(account: Account, session: Session) -> SignedInView:
    return SignedInView(
        person=account.person,
        name=account.name,
        position=account.position.value,
        play_money=account.play_money,
        csrf=session.csrf,
        since=session.created,
        until=session.until,
        last_sign_in=account.signed_in_before or None,
        last_address=account.signed_in_from_before,
        failures_since=account.failures_since,
        must_change_password=account.password_given,
    )


def _cookie(request: guards.Request, token: str, name: str = COOKIE, **more: Any) -> Cookie:
    secure = guards.config(request).secure
    return Cookie(name, value=token, path="/", httponly=True, samesite="strict", secure=secure, **more)


async def _begun(request: guards.Request, found: SignedIn | Refusal) -> Response[SignedInView]:
    """The answer to whoever comes in; a session that the browser had before is over."""
    if isinstance(found, Refusal):
        trouble = problems.refused(found)
        raise Trouble(ProblemKind.NOT_SIGNED_IN, trouble.message, remedy=trouble.remedy, clause=trouble.clause)
    before = request.cookies.get(COOKIE, "")
    if before:
        await guards.house(request).people.sign_out(before)
    cookies = [_cookie(request, found.token)]
    if found.device:
        days = guards.config(request).policy.known_days
        cookies.append(_cookie(request, found.device, DEVICE, max_age=days * DAY // SECOND))
    return Response(told(found.account, found.session), status_code=201, cookies=cookies)


@post(
    "/api/session", opt={**ANYBODY, "problems": (401,), "example": SignInRequest("ann", "correct horse battery staple")}
)
async def sign_in(request: guards.Request, data: JSONBody[SignInRequest]) -> Response[SignedInView]:
    """Sign in.

    The answer sets the cookie of the session, and one by which the device is known later. After three wrong passwords the
    account is locked for a while, for the device or address that they came from.
    """
    guards.not_too_quickly(request)
    agent = request.headers.get("user-agent", "")[:AGENT_MAX]
    people = guards.house(request).people
    device = request.cookies.get(DEVICE, "")
    found = await people.sign_in(data.person, data.password, address(request.scope), agent, device)
    return await _begun(request, found)


@post("/api/guests", opt={**ANYBODY, "problems": (404,)})
async def come_in(request: guards.Request) -> Response[SignedInView]:
    """Come in as a guest with play money.

    Only a demonstration has guests.
    """
    if not guards.config(request).demo:
        raise Trouble(ProblemKind.NOT_FOUND, NO_GUESTS(), remedy=SIGN_IN_WITH_ACCOUNT())
    guards.not_too_quickly(request)
    agent = request.headers.get("user-agent", "")[:AGENT_MAX]
    return await _begun(request, await guards.house(request).people.guest(address(request.scope), agent))


@get("/api/session", opt=NEWCOMERS)
async def who_am_i(request: guards.Request) -> SignedInView:
    """Who is signed in, with the token that changes need."""
    found = await guards.session_of(request)
    account = await guards.house(request).people.account(found[0].person) if found else None
    if found is None or account is None:
        raise AssertionError("a session without an account")
    return told(account, found[1])


@delete("/api/session", opt=NEWCOMERS)
async def sign_out(request: guards.Request) -> Response[None]:
    """Sign out here."""
    await guards.house(request).people.sign_out(request.cookies[COOKIE])
    return Response(None, status_code=204, cookies=[_cookie(request, "", max_age=0)])


@get("/api/sessions", opt=SIGNED_IN)
async def my_sessions(request: guards.Request) -> list[OpenSession]:
    """Where I am signed in."""
    found = await guards.session_of(request)
    if found is None:
        raise AssertionError("a route without a guard")
    actor, this = found
    house = guards.house(request)
    now = house.now()
    return [
        OpenSession(
            since=each.created,
            seen=each.seen,
            until=each.until,
            address=each.address,
            agent=each.agent,
            this=each.digest == this.digest,
        )
        for each in await house.people.sessions(actor.person)
        if not each.ended and each.until > now
    ]


@delete("/api/sessions", status_code=200, opt={**SIGNED_IN, "query": SignOutQuery})
async def sign_out_everywhere(request: guards.Request) -> Response[Ended]:
    """Sign out everywhere."""
    here = query(request, SignOutQuery).but_here
    actor = await guards.acting(request)
    token = request.cookies[COOKIE]
    ended = await guards.house(request).people.sign_out_everywhere(actor, but=token if here else "")
    return Response(Ended(ended), cookies=[] if here else [_cookie(request, "", max_age=0)])
