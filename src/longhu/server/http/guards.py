"""Who may ask: sessions by cookie, requests that come from our own page, and positions (IDT-6.2, SEC-1).

A route says in its `opt` whom it serves. Whoever is not signed in is told so before the body is read; a change without the
session's own token, or from a page of somebody else, is refused whoever asks.
"""

from __future__ import annotations

from hmac import compare_digest
from math import ceil
from typing import Any
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection, Request
from litestar.handlers import BaseRouteHandler
from msgspec import structs

from longhu.server.actor import Actor
from longhu.server.config import Config
from longhu.server.done import Reused
from longhu.server.house import House
from longhu.server.http.edge import address
from longhu.server.http.fields import Asking, told_id
from longhu.server.http.once import Use
from longhu.server.http.problems import USE, Kind, Trouble
from longhu.server.http.rates import Rate
from longhu.store.entries import Session
from longhu.table.positions import Position, may_act_as

Connection = ASGIConnection[Any, Any, Any, Any]
Asked = Request[Any, Any, Any]

COOKIE, DEVICE, CSRF = "longhu", "longhu-device", "X-Longhu-CSRF"
SAFE = frozenset(["GET", "HEAD", "OPTIONS"])
LOCAL = frozenset(["localhost", "127.0.0.1", "::1"])
OWN_PAGE = ("same-origin", "none")  # what a browser says of a request from our page, or typed by somebody

ANYBODY: dict[str, Any] = {"needs": None}  # signed in or not
NEWCOMERS: dict[str, Any] = {
    "needs": Position.PATRON,
    "own": True,
    "newcomers": True,
}  # also before they have a password of their own
SIGNED_IN: dict[str, Any] = {"needs": Position.PATRON, "own": True}  # their own things, whatever position they hold
PATRONS: dict[str, Any] = {"needs": Position.PATRON}


def staff(position: Position) -> dict[str, Any]:
    """Those who hold this position or a higher one; the auditor may look."""
    return {"needs": position}


def house(connection: Connection) -> House:
    found: House = connection.app.state.house
    return found


def config(connection: Connection) -> Config:
    found: Config = connection.app.state.config
    return found


async def session_of(connection: Connection) -> tuple[Actor, Session] | None:
    """Who asks, by the cookie; looked up once for each request."""
    state: dict[str, Any] = connection.scope["state"]
    if "session" not in state:
        token = connection.cookies.get(COOKIE, "")
        state["session"] = await house(connection).people.actor(token) if token else None
    found: tuple[Actor, Session] | None = state["session"]
    return found


def foreign_origin(connection: Connection) -> str | None:
    """Why this does not come from our own page; None where it does, or where no browser sends it."""
    headers, ours = connection.headers, config(connection).origin
    site = headers.get("sec-fetch-site")
    if site is not None and site not in OWN_PAGE:
        return f"the browser says that the request comes from elsewhere ({site[:20]})"
    origin = headers.get("origin")
    if origin is None:
        return None
    if ours:
        return None if origin == ours else f"it comes from {origin[:80]!r}, and this house is at {ours}"
    host = headers.get("host", "")
    if _place(origin) == host and (_name(host) in LOCAL or not config(connection).is_local):
        return None
    return f"it comes from {origin[:80]!r}, and no origin is configured but this machine"


def _place(origin: str) -> str:
    """Host and port of an origin, "" where it has none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Before anything else is done for a request."""
    changes = connection.scope.get("method", "GET") not in SAFE
    if changes and (why := foreign_origin(connection)) is not None:
        raise Trouble(Kind.FOREIGN, f"This is not taken: {why}.", remedy="Use the page of this house.", clause="SEC-2")
    needs: Position | None = handler.opt.get("needs", Position.CASINO_OPERATOR)
    if needs is None or connection.scope.get("method") == "OPTIONS":
        return
    found = await session_of(connection) or await _newcomer(connection, handler)
    if found is None:
        raise Trouble(
            Kind.NOT_SIGNED_IN,
            "Nobody is signed in, or the session has ended.",
            remedy="Sign in: POST /api/session.",
            clause="SEC-2",
        )
    actor, session = found
    if changes and not compare_digest(connection.headers.get(CSRF, "").encode(), session.csrf.encode()):
        raise Trouble(
            Kind.FOREIGN,
            f"A change comes with the session's token in the header {CSRF}.",
            remedy="GET /api/session tells it.",
            clause="SEC-2",
        )
    if not may_ask(actor, needs, changes=changes, own=handler.opt.get("own", False)):
        raise Trouble(
            Kind.NOT_ALLOWED,
            f"{actor.person} is {actor.position.word} of this house, and this is for a {needs.word} or somebody above."
            if changes
            else f"{actor.person} is {actor.position.word} of this house, and this is for a {needs.word}, somebody above, "
            "or an auditor.",
            remedy="Ask somebody in that position.",
            clause="SEC-1",
        )


async def _newcomer(connection: Connection, handler: BaseRouteHandler) -> tuple[Actor, Session] | None:
    """Somebody who has signed in with a password that another has chosen: until they choose their own, little is open to them."""
    found = await house(connection).people.newcomer(connection.cookies.get(COOKIE, ""))
    if found is not None and not handler.opt.get("newcomers"):
        raise Trouble(
            Kind.NOT_ALLOWED,
            "Somebody else has chosen your password.",
            remedy="Choose one of your own: POST /api/me/password.",
            clause="SEC-1",
        )
    connection.scope["state"]["session"] = found
    return found


def may_ask(actor: Actor, needs: Position, *, changes: bool, own: bool = False) -> bool:
    """A higher position may do what a lower one may (IDT-6.2); the auditor reads everything and changes nothing."""
    if own:
        return True
    return not changes if actor.position is Position.AUDITOR else may_act_as(actor.position, needs)


def not_too_quickly(connection: Connection) -> None:
    """Nobody tries passwords quickly, whoever they pretend to be: to sign in, or as signatures."""
    rate: Rate = connection.app.state.sign_ins
    wait = rate.wait(address(connection.scope))
    if wait:
        raise Trouble(
            Kind.TOO_MANY,
            "Too many sign-ins have come from this address.",
            remedy="Wait a little.",
            clause="SEC-2",
            retry=ceil(wait),
        )


async def acting(connection: Connection) -> Actor:
    """Who asks, where the route has made sure that somebody does."""
    found = await session_of(connection)
    if found is None:
        raise AssertionError("a route without a guard")
    return found[0]


async def whoever(connection: Connection) -> Actor | None:
    """Who asks, where nobody need be signed in."""
    found = await session_of(connection)
    return found[0] if found is not None else None


async def command_id(request: Asked, data: Asking) -> str:
    """The id of what somebody asks; used for something else before, it is refused. Who signs it is no part of it."""
    id, actor, ids = told_id(request, data.id), await acting(request), request.app.state.ids
    content = {name: value for name, value in structs.asdict(data).items() if name not in ("id", "signatures")}
    use: Use = (actor.person, f"{request.method} {request.url.path}", id)
    if ids.is_other(use, content):
        raise Reused
    request.scope["state"][USE] = use
    return id
