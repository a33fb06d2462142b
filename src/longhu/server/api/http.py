"""HTTP of the API: the edge that every request passes, decoding of requests and encoding of answers.

The edge has limits, the host check, headers, log line and metrics, whatever the address. Uvicorn limits neither the size of a request's
head nor the time that it takes. What follows the head is limited by the application: bodies by their size, requests by their time.

Decoding is as strict as the audit log: `"5"` is no number, `true` is no amount. Litestar would turn `"5"` into 5. So a body is decoded
here, straight into the struct that the handler names. Unknown fields and parameters are refused, since a mistyped name would
otherwise go unnoticed.
"""

from __future__ import annotations

import asyncio
import collections
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping, MutableMapping
from ipaddress import ip_address
from itertools import count
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar
from urllib.parse import urlsplit

import msgspec
import structlog
from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.dto import AbstractDTO
from litestar.dto.data_structures import DTOFieldDefinition
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.typing import FieldDefinition
from msgspec import Meta
from prometheus_client import Counter, Histogram
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from longhu.eventsourcing import Refusal
from longhu.games.values import amount_wrong
from longhu.messages.message import Message, message_code
from longhu.money import Currency, Money, MoneyError, parse
from longhu.protocol import (
    ID_HEADER,
    PAGE_MAX,
    REASON_MAX,
    TABLE_NAME_MAX,
    TABLE_NAME_PATTERN,
    TEXT_PATTERN,
    TIME_MAX,
    TRAIL_NAME_MAX,
    WHOLE_MAX,
)
from longhu.server import problems
from longhu.server.authorization import Rate
from longhu.server.codec import FIELD_WRONG, Id, PositionWord
from longhu.server.config import Config
from longhu.server.observability import log
from longhu.server.problems import (
    TAKE_A_NEW_ID,
    WAIT_A_LITTLE,
    ProblemKind,
    Trouble,
    decode_error,
    malformed,
)
from longhu.server.streams.commands import Committed

ID_MALFORMED = message_code("command-id-malformed", problem="message")
TWO_IDS = message_code("two-command-ids", header="text")
NO_ID = message_code("no-command-id", header="text")
AMOUNT_NOT_ABOVE_ZERO = message_code("amount-not-above-zero", field="text")
NOT_JSON = message_code("body-not-json", found="text")
SEND_JSON = message_code("send-json", type="text")
UNKNOWN_PARAMETER = message_code("unknown-query-parameter", name="text")
KNOWN_PARAMETERS = message_code("known-query-parameters", names="texts")
NO_PARAMETERS = message_code("no-query-parameters")
REPEATED_PARAMETER = message_code("repeated-query-parameter", name="text", times="number")
GIVE_IT_ONCE = message_code("give-it-once")
NO_BODY_TAKEN = message_code("no-body-taken")
SEND_NO_BODY = message_code("send-no-body")
TOO_MANY_REQUESTS = message_code("too-many-requests")
OTHER_HOST = message_code("other-host", host="text")
USE_OUR_ADDRESS = message_code("use-the-houses-address")

# ------------------------------------------------ the edge

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
ASGIMessage = MutableMapping[str, Any]
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

        async def noted(message: ASGIMessage) -> None:
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
            return Trouble(ProblemKind.TOO_MANY, TOO_MANY_REQUESTS(), remedy=WAIT_A_LITTLE(), retry=ceil(wait))
        host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
        name = _name(host)
        if not host or name in self._hosts or _is_address(name):
            return None
        return Trouble(ProblemKind.MISDIRECTED, OTHER_HOST(host=host[:80]), remedy=USE_OUR_ADDRESS())

    async def _within_limits(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (trouble := self._refused(scope)) is not None:
            await _told(trouble, scope, receive, send)
            return
        begun = False

        async def begins(message: ASGIMessage) -> None:
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


# ------------------------------------------------ bodies and queries

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)
JSON = "application/json"
API = "/api/"
NAME_SHOWN = 80  # characters of an unknown name that an answer repeats

if TYPE_CHECKING:
    Held = str
else:
    Held = PositionWord  # a position, as a word


Words = Annotated[str, Meta(max_length=REASON_MAX, pattern=TEXT_PATTERN)]
TableName = Annotated[str, Meta(min_length=1, max_length=TABLE_NAME_MAX, pattern=TABLE_NAME_PATTERN, examples=["T7"])]
Time = Annotated[int, Meta(description="Milliseconds since 1970, UTC", examples=[1_794_859_203_000])]
Moment = Annotated[int, Meta(ge=0, le=TIME_MAX, description="Milliseconds since 1970, UTC")]  # in a request
Number = Annotated[int, Meta(ge=0, le=WHOLE_MAX)]


class CommandBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A body that asks for something to be done, once."""

    id: Id | None = None  # here, or in the header Idempotency-Key


class PageQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a list, newest first."""

    before: Number | None = None  # older than what was told last
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100


def command_id(request: Request[Any, Any, Any], data: CommandBody) -> str:
    """The idempotency key of a command, from the body or from the header; where both have one they must agree."""
    id, key = data.id, request.headers.get(ID_HEADER)
    if key is not None:
        try:
            msgspec.convert(key, Id)
        except msgspec.ValidationError as error:
            raise Trouble(ProblemKind.MALFORMED, ID_MALFORMED(problem=decode_error(error)), clause="REC-3") from None
    if key is not None and id is not None and key != id:
        raise Trouble(ProblemKind.MALFORMED, TWO_IDS(header=ID_HEADER), clause="REC-3")
    found = id if id is not None else key
    if found is None:
        raise Trouble(ProblemKind.MALFORMED, NO_ID(header=ID_HEADER), remedy=TAKE_A_NEW_ID(), clause="REC-3")
    return found


def amount(text: str, currency: Currency, field: str = "amount") -> Money:
    """Money out of a request."""
    try:
        return parse(text, currency)
    except MoneyError as error:
        raise Trouble(
            ProblemKind.MALFORMED, FIELD_WRONG(field=field, problem=amount_wrong(error)), clause="MON-2"
        ) from None


def above_zero(text: str, currency: Currency, field: str = "amount") -> Money:
    """Money out of a request that is some money."""
    found = amount(text, currency, field)
    if found <= 0:
        raise Trouble(ProblemKind.MALFORMED, AMOUNT_NOT_ABOVE_ZERO(field=field), clause="MON-2")
    return found


def is_name(text: str) -> bool:
    """Could it be the name of a table, an account or a person? What is none is not even looked for."""
    return 0 < len(text) <= TRAIL_NAME_MAX and text.isprintable()


class Body(AbstractDTO[Any]):
    """How Litestar is told to read every body."""

    decoders: ClassVar[dict[str, msgspec.json.Decoder[Any]]] = {}

    @classmethod
    def create_for_field_definition(
        cls, field_definition: FieldDefinition, handler_id: str, backend_cls: Any = None
    ) -> None:
        """One decoder for each handler that takes a body."""
        del backend_cls
        if field_definition.name == "data":
            cls.decoders[handler_id] = msgspec.json.Decoder(field_definition.annotation)

    def decode_bytes(self, value: bytes) -> Any:
        """The body as what the handler asks for; a `Trouble` where it is something else."""
        told = self.asgi_connection.headers.get("content-type", JSON)
        if told.partition(";")[0].strip().lower() != JSON:
            raise Trouble(ProblemKind.NOT_JSON, NOT_JSON(found=told[:80]), remedy=SEND_JSON(type=JSON))
        try:
            return self.decoders[self.asgi_connection.route_handler.handler_id].decode(value)
        except msgspec.ValidationError as error:
            raise malformed(decode_error(error)) from None
        except msgspec.DecodeError as error:
            raise malformed(decode_error(error, value)) from None

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> Generator[DTOFieldDefinition, None, None]:
        raise NotImplementedError(f"{model_type} is read by msgspec, field by field")

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        raise NotImplementedError(f"{field_definition.name} is read by msgspec")


def query(request: Request[Any, Any, Any], kind: type[S]) -> S:
    """The query as what the route asks for; `?limit=5` is a number here."""
    try:
        return msgspec.convert(dict(request.query_params.items()), kind, strict=False)
    except msgspec.ValidationError as error:
        raise malformed(decode_error(error)) from None


async def nothing_left_over(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """A guard that refuses unknown query parameters and bodies that nobody reads; it comes after those that say who may ask."""
    scope = connection.scope
    if scope["type"] != ScopeType.HTTP or scope["method"] == "OPTIONS" or not scope["path"].startswith(API):
        return
    asked: type[msgspec.Struct] | None = handler.opt.get("query")
    known = asked.__struct_fields__ if asked is not None else ()
    for name, times in collections.Counter(name for name, _ in connection.query_params.multi_items()).items():
        if name not in known:
            raise Trouble(ProblemKind.MALFORMED, UNKNOWN_PARAMETER(name=name[:NAME_SHOWN]), remedy=_takes(known))
        if times > 1:
            raise Trouble(ProblemKind.MALFORMED, REPEATED_PARAMETER(name=name, times=times), remedy=GIVE_IT_ONCE())
    if "data" not in handler.parsed_fn_signature.parameters and await _has_body(connection):
        raise Trouble(ProblemKind.MALFORMED, NO_BODY_TAKEN(), remedy=_takes(known) if known else SEND_NO_BODY())


def _takes(known: tuple[str, ...]) -> Message:
    return KNOWN_PARAMETERS(names=known) if known else NO_PARAMETERS()


async def _has_body(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """A proxy may announce a body and send nothing of it."""
    if "transfer-encoding" in connection.headers and isinstance(connection, Request):
        return bool(await connection.body())
    return connection.headers.get("content-length", "0").strip("0") != ""


# ------------------------------------------------ answers


class Acted(msgspec.Struct, frozen=True):
    """It was done, and is durable: these records of the audit log say so."""

    first: Number
    last: Number
    duplicate: bool = False  # it had been done before, under the same id


def acted(done: Committed | Refusal) -> Acted:
    """The answer to a command; a refusal is a problem."""
    if isinstance(done, Refusal):
        raise problems.refused(done)
    return Acted(done.first, done.last, done.duplicate)


def unchanged(request: Request[Any, Any, Any], tag: str) -> Response[Any] | None:
    """The answer to whoever has this version already (If-None-Match); None where it is new to them."""
    known = request.headers.get("if-none-match") == tag
    return Response(None, status_code=304, headers={"ETag": tag}) if known else None


async def whole(work: Coroutine[Any, Any, T]) -> T:
    """Finish some work even where whoever asked has gone, or has waited too long; what goes wrong then is logged."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_ended)
        raise


def _ended(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.warning("work failed after its request was given up", why=f"{type(error).__name__}: {error}")
