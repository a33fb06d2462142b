"""The edge of the server: limits, host check, headers, log line and metrics of every request, whatever its address.

Uvicorn limits neither the size of a request's head nor the time that it takes. What follows the head is limited by the
application: bodies by their size, requests by their time.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from ipaddress import ip_address
from itertools import count
from math import ceil
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import structlog
from litestar import Request
from prometheus_client import Counter, Histogram
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from longhu.server import problems
from longhu.server.authorization import Rate
from longhu.server.config import Config
from longhu.server.observability import log
from longhu.server.problems import ProblemKind, Trouble

HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 20.0


class LimitedConnection(HttpToolsProtocol):
    """A connection with limits on the head of a request."""

    _head = 0  # bytes of a head that is not complete
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._waiting is not None:
            self._head += len(data)
        super().data_received(data)
        if self._waiting is not None and self._head > HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        self._wait_no_more()
        super().on_headers_complete()

    def _wait(self) -> None:
        if self._waiting is None:
            self._head = 0
            self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


REMEMBERED = 10_000  # addresses; those not heard of for longest are forgotten, which is in their favour


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
SECURITY = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
OVER_HTTPS = {"strict-transport-security": "max-age=31536000"}
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
ASGIApp = Callable[[Any, Any, Any], Awaitable[None]]

CLOSED_WITH = {ProblemKind.TOO_MANY: 1013, ProblemKind.MISDIRECTED: 1008}  # the codes of RFC 6455
NOWHERE = "none"  # the route of an address that is none of ours


class Edge:
    """The ASGI handler around the application."""

    def __init__(self, app: ASGIApp, config: Config, answered: Counter, seconds: Histogram) -> None:
        self._app, self._limit, self._answered, self._seconds = app, config.request_seconds, answered, seconds
        self._rate = Rate(config.requests_per_second)
        ours = (*config.hosts, config.host, urlsplit(config.origin).netloc, "localhost")
        self._hosts = {_name(each) for each in ours} - {""}
        self._start, self._numbers = secrets.token_hex(4), count(1)  # together they name a request among all nodes
        told = {**SECURITY, **(OVER_HTTPS if config.origin.startswith("https://") else {})}
        self._headers = [(name.encode(), value.encode()) for name, value in told.items()]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        request = f"{self._start}-{next(self._numbers)}"
        scope.setdefault("state", {})["request_id"] = request
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request=request)
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif (trouble := self._refused(scope)) is not None:
            await receive()
            await send({"type": "websocket.close", "code": CLOSED_WITH[trouble.kind]})
        else:
            await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status = perf_counter(), 0
        told = scope["method"]
        if told == "HEAD":  # as GET, and uvicorn, which looks at its own scope, sends the head of the answer alone
            scope = {**scope, "method": "GET"}

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self._with_ours(scope, message["headers"])
            await send(message)

        try:
            await self._within_limits(scope, receive, noted)
        except Exception as error:
            if status:  # an answer has begun: all that is left is to cut it off, which the client sees
                log.error("cut off", exc_info=error)
                raise
            await _told(error, scope, receive, noted)
        finally:
            self._note(scope, told, status, perf_counter() - started)

    def _refused(self, scope: Scope) -> Trouble | None:
        """Why a request goes no further: its address asks too often, or it names a host that is not ours.

        A page of somebody else whose name was made to lead to this machine (DNS rebinding) would otherwise read here with a
        browser of ours. That takes a name: a browser that names an address has opened that address itself.
        """
        wait = self._rate.wait(address(scope))
        if wait:
            told = "This address has asked very often."
            return Trouble(ProblemKind.TOO_MANY, told, remedy="Wait a little.", retry=ceil(wait))
        host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
        name = _name(host)
        if not host or name in self._hosts or _is_address(name):
            return None
        remedy = "Use the address of this house; `origin` and `hosts` set its names."
        return Trouble(ProblemKind.MISDIRECTED, f"{host[:80]!r} is not this house.", remedy=remedy)

    async def _within_limits(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (trouble := self._refused(scope)) is not None:
            await _told(trouble, scope, receive, send)
            return
        begun = False

        async def begins(message: Message) -> None:
            nonlocal begun
            if not begun:
                begun = True
                limit.reschedule(None)  # what has begun may take its time: exports are long
            await send(message)

        try:
            async with asyncio.timeout(self._limit) as limit:
                await self._app(scope, receive, begins)
        except TimeoutError as error:
            if begun:
                raise
            await _told(error, scope, receive, send)

    def _with_ours(self, scope: Scope, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Add the usual headers, but those that the route sets itself. Answers are not cached, unless a route says so."""
        there = {name.lower() for name, _ in headers}
        usual = [
            *self._headers,
            (b"cache-control", b"no-store"),
            (b"x-request-id", scope["state"]["request_id"].encode()),
        ]
        return [*headers, *((name, value) for name, value in usual if name not in there)]

    def _note(self, scope: Scope, method: str, status: int, seconds: float) -> None:
        route = scope.get("path_template") or NOWHERE
        known = method if method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS") else "other"
        self._answered.labels(known, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        log.info(
            "request",
            method=known,
            path=scope["path"][:200],
            status=status,
            ms=round(seconds * 1000, 1),
            address=address(scope),
        )


def _name(host: str) -> str:
    """A host without its port; "" where it is none."""
    try:
        parts = urlsplit(f"//{host}")
        return parts.hostname or "" if parts.netloc == host and "@" not in host else ""
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def address(scope: Mapping[str, Any]) -> str:
    """The address of the client."""
    client: tuple[str, int] | None = scope.get("client")
    return client[0] if client else ""


async def _told(error: Exception, scope: Any, receive: Receive, send: Send) -> None:
    """Send a problem without the application."""
    request = Request[Any, Any, Any](scope)
    answer = problems.answer(request, error).to_asgi_response(app=None, request=request)
    await answer(scope, receive, send)
