"""Authorisation of requests: sessions by cookie, our own page, positions (IDT-6.2, SEC-1), and signatures of others.

A route says in its `opt` whom it serves. A request without the session that it needs is refused before its body is read; a change
without the session's own token, or from a page of another site, is always refused. Acts of two people are signed: everybody named as
having counted gives their own password (SEC-1, OPS-1).
"""

from __future__ import annotations

from collections.abc import Collection
from hmac import compare_digest
from math import ceil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.connection import Request as LitestarRequest
from litestar.handlers import BaseRouteHandler

from longhu.accounts.messages import ASK_ABOVE
from longhu.accounts.state import Account
from longhu.games import registry
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.protocol import TOKEN_HEADER
from longhu.server.api.http import address, is_name
from longhu.server.authorization import Cosigning, Grant, Rate
from longhu.server.config import Config
from longhu.server.house import House
from longhu.server.problems import (
    CHOOSE_FROM_LIST,
    NO_SUCH_TABLE,
    NOT_SIGNED_IN,
    SIGN_IN,
    WAIT_A_LITTLE,
    ProblemKind,
    Trouble,
)
from longhu.server.streams.account_stream import NOBODY_CALLED
from longhu.server.streams.commands import Actor
from longhu.server.streams.table_stream import TableStream
from longhu.store.entries import Session

FOREIGN_ORIGIN = message_code("foreign-origin", origin="text")
USE_OUR_PAGE = message_code("use-the-houses-page")
CSRF_MISSING = message_code("csrf-token-missing", header="text")
CSRF_FROM_SESSION = message_code("csrf-token-from-session")
PERSON_TOO_LOW = message_code("person-too-low", person="person", position="position", needed="position")
PERSON_TOO_LOW_TO_READ = message_code("person-too-low-to-read", person="person", position="position", needed="position")
PASSWORD_GIVEN = message_code("password-chosen-by-another")
CHOOSE_OWN_PASSWORD = message_code("choose-own-password")
TOO_MANY_SIGN_INS = message_code("too-many-sign-ins")
SIGN_IN_TO_WATCH = message_code("sign-in-to-watch")

Connection = ASGIConnection[Any, Any, Any, Any]
Request = LitestarRequest[Any, Any, Any]

COOKIE, DEVICE, CSRF = "longhu", "longhu-device", TOKEN_HEADER
SAFE = frozenset(["GET", "HEAD", "OPTIONS"])
OWN_PAGE = ("same-origin", "none")  # what a browser says of a request from our page, or typed by somebody

ANYBODY: dict[str, Any] = {"needs": None}  # signed in or not
NEWCOMERS: dict[str, Any] = {
    "needs": Position.PATRON,
    "own": True,
    "newcomers": True,
}  # also before they have a password of their own
SIGNED_IN: dict[str, Any] = {"needs": Position.PATRON, "own": True}  # their own things, whatever position they hold
PATRONS: dict[str, Any] = {"needs": Position.PATRON}


def staff(position: Position, *also: Position) -> dict[str, Any]:
    """Those who hold this position or a higher one, and these outside the ladder; auditor and surveillance may look."""
    return {"needs": position, "also_for": also}


def house(connection: Connection) -> House:
    found: House = connection.app.state.house
    return found


def config(connection: Connection) -> Config:
    found: Config = connection.app.state.config
    return found


async def session_of(connection: Connection) -> tuple[Actor, Session] | None:
    """The actor and the session of the cookie; looked up once for each request."""
    state: dict[str, Any] = connection.scope["state"]
    if "session" not in state:
        grant = await grant_of(connection)
        state["session"] = (grant.actor, grant.session) if grant is not None else None
    found: tuple[Actor, Session] | None = state["session"]
    return found


async def grant_of(connection: Connection) -> Grant | None:
    """What the session of the cookie allows; looked up once for each request."""
    state: dict[str, Any] = connection.scope["state"]
    if "grant" not in state:
        ours, token = house(connection), connection.cookies.get(COOKIE, "")
        state["grant"] = await ours.authorizations.grant(token, ours.clock.now()) if token else None
    found: Grant | None = state["grant"]
    return found


def foreign_origin(connection: Connection) -> str | None:
    """Where this comes from, if not from our own page; None where it does, or where no browser sends it."""
    headers, ours = connection.headers, config(connection).origin
    site = headers.get("sec-fetch-site")
    if site is not None and site not in OWN_PAGE:
        return site[:20]
    origin = headers.get("origin")
    if origin is None:
        return None
    if ours:
        return None if origin == ours else origin[:80]
    if _place(origin) == headers.get("host", ""):  # which the edge has found to be one of ours
        return None
    return origin[:80]


def _place(origin: str) -> str:
    """Host and port of an origin, "" where it has none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Check origin, session, token and position, before the body is read."""
    changes = connection.scope.get("method", "GET") not in SAFE
    if changes and (why := foreign_origin(connection)) is not None:
        raise Trouble(ProblemKind.FOREIGN, FOREIGN_ORIGIN(origin=why), remedy=USE_OUR_PAGE(), clause="SEC-2")
    needs: Position | None = handler.opt.get("needs", Position.CASINO_OPERATOR)
    if needs is None or connection.scope.get("method") == "OPTIONS":
        return
    found = await session_of(connection) or await _newcomer(connection, handler)
    if found is None:
        raise Trouble(ProblemKind.NOT_SIGNED_IN, NOT_SIGNED_IN(), remedy=SIGN_IN(), clause="SEC-2")
    actor, session = found
    if changes and not compare_digest(connection.headers.get(CSRF, "").encode(), session.csrf.encode()):
        raise Trouble(ProblemKind.FOREIGN, CSRF_MISSING(header=CSRF), remedy=CSRF_FROM_SESSION(), clause="SEC-2")
    own, also = handler.opt.get("own", False), handler.opt.get("also_for", ())
    if not may_ask(actor, needs, changes=changes, own=own, also=also):
        raise Trouble(
            ProblemKind.NOT_ALLOWED,
            (PERSON_TOO_LOW if changes else PERSON_TOO_LOW_TO_READ)(
                person=actor.person, position=actor.position.value, needed=needs.value
            ),
            remedy=ASK_ABOVE(),
            clause="SEC-1",
        )


async def _newcomer(connection: Connection, handler: BaseRouteHandler) -> tuple[Actor, Session] | None:
    """Somebody who has signed in with a password that another has chosen: until they choose their own, little is open to them."""
    found = await house(connection).people.newcomer(connection.cookies.get(COOKIE, ""))
    if found is not None and not handler.opt.get("newcomers"):
        raise Trouble(
            ProblemKind.NOT_ALLOWED,
            PASSWORD_GIVEN(),
            remedy=CHOOSE_OWN_PASSWORD(),
            clause="SEC-1",
        )
    connection.scope["state"]["session"] = found
    return found


READ_AT_TABLE = Position.PIT_SUPERVISOR  # what staff read at a table, and of people


def may_ask(
    actor: Actor, needs: Position, *, changes: bool, own: bool = False, also: Collection[Position] = ()
) -> bool:
    """A higher position may do what a lower one may (IDT-6.2).

    The auditor and surveillance read everything; the cage reads what staff read at a table.
    """
    position = actor.position
    if own or needs in position.covers or position in also:
        return True
    return not changes and (position.reads_everything or (position is Position.CAGE and needs <= READ_AT_TABLE))


def not_too_quickly(connection: Connection) -> None:
    """Limit the passwords that one address tries, to sign in or as signatures."""
    rate: Rate = connection.app.state.sign_ins
    wait = rate.wait(address(connection.scope))
    if wait:
        raise Trouble(
            ProblemKind.TOO_MANY,
            TOO_MANY_SIGN_INS(),
            remedy=WAIT_A_LITTLE(),
            clause="SEC-2",
            retry=ceil(wait),
        )


async def acting(connection: Connection) -> Actor:
    """The actor of a route that only those who are signed in reach."""
    found = await session_of(connection)
    if found is None:
        raise AssertionError("a route without a guard")
    return found[0]


async def whoever(connection: Connection) -> Actor | None:
    """The actor; None where nobody is signed in."""
    found = await session_of(connection)
    return found[0] if found is not None else None


async def own_account(request: Request) -> Account:
    """The account of whoever asks."""
    account = await house(request).people.account((await acting(request)).person)
    if account is None:
        raise AssertionError("a session without an account")
    return account


async def account_of(request: Request, person: str) -> Account:
    """The account of the person whom a path names."""
    account = await house(request).people.account(person) if is_name(person) else None
    if account is None:
        raise Trouble(ProblemKind.NOT_FOUND, NOBODY_CALLED(person=person[:40]))
    return account


async def live_table(request: Request, table: str) -> TableStream:
    """The table that a path names."""
    ours = house(request)
    live = ours.tables.get(table) or (await ours.stream(table) if is_name(table) else None)
    if live is None:
        raise Trouble(ProblemKind.NOT_FOUND, NO_SUCH_TABLE(table=table[:60]), remedy=CHOOSE_FROM_LIST())
    return live


async def at_table(request: Request, table: str) -> tuple[Actor, TableStream, House]:
    """The actor, the table that a path names, and the house."""
    return await acting(request), await live_table(request, table), house(request)


async def watching(request: Request) -> Actor | None:
    """The actor, or None where anybody may watch without being signed in."""
    actor = await whoever(request)
    if actor is None and not config(request).spectators:
        raise Trouble(ProblemKind.NOT_SIGNED_IN, SIGN_IN_TO_WATCH(), remedy=SIGN_IN())
    return actor


def cosigning(connection: Connection) -> Cosigning:
    """What checks the signatures of this request or socket, at the rate of sign-ins."""
    return Cosigning(house(connection).people, address(connection.scope), lambda: not_too_quickly(connection))


def game_file(game: str) -> Path:
    """The file of a game that is built in or installed."""
    path = registry.all_games().get(game)
    if path is None:
        remedy = registry.CHOOSE_GAME(games=[*registry.all_games()])
        raise Trouble(ProblemKind.NOT_FOUND, registry.NO_SUCH_GAME(game=game[:60]), remedy=remedy)
    return path
