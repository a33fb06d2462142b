"""Decoding of requests and encoding of answers, as strict as the audit log: `"5"` is no number, `true` is no amount.

Litestar would turn `"5"` into 5. So a body is decoded here, straight into the struct that the handler names. Unknown fields and
parameters are refused, since a mistyped name would otherwise go unnoticed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Generator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

import msgspec
from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.dto import AbstractDTO
from litestar.dto.data_structures import DTOFieldDefinition
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.typing import FieldDefinition
from msgspec import Meta

from longhu.eventsourcing import Refusal
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
from longhu.server.observability import log
from longhu.server.problems import ProblemKind, Trouble
from longhu.server.streams.commands import Committed
from longhu.server.wire_types import Id, PositionWord, in_words

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)
JSON = "application/json"
API = "/api/"
NAME_SHOWN = 80  # characters of an unknown name that an answer repeats

if TYPE_CHECKING:
    Held = str
else:
    Held = PositionWord  # a position, as a word


# ------------------------------------------------ fields

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
            raise Trouble(ProblemKind.MALFORMED, f"{ID_HEADER}: {error}.", clause="REC-3") from None
    if key is not None and id is not None and key != id:
        raise Trouble(
            ProblemKind.MALFORMED, f"The body and the header {ID_HEADER} tell two different ids.", clause="REC-3"
        )
    found = id if id is not None else key
    if found is None:
        place = "body" if "data" in request.route_handler.parsed_fn_signature.parameters else "query"
        told = f"Nothing tells the id of what is asked, neither the {place} nor the header {ID_HEADER}."
        raise Trouble(
            ProblemKind.MALFORMED, told, remedy="Make one that is new for each thing that you ask.", clause="REC-3"
        )
    return found


def amount(text: str, currency: Currency, field: str = "amount") -> Money:
    """Money out of a request."""
    try:
        return parse(text, currency)
    except MoneyError as error:
        raise Trouble(ProblemKind.MALFORMED, f"{field}: {error}.", clause="MON-2") from None


def above_zero(text: str, currency: Currency, field: str = "amount") -> Money:
    """Money out of a request that is some money."""
    found = amount(text, currency, field)
    if found <= 0:
        raise Trouble(ProblemKind.MALFORMED, f"{field}: the amount must be above zero.", clause="MON-2")
    return found


def is_name(text: str) -> bool:
    """Could it be the name of a table, an account or a person? What is none is not even looked for."""
    return 0 < len(text) <= TRAIL_NAME_MAX and text.isprintable()


# ------------------------------------------------ requests


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
            raise Trouble(ProblemKind.NOT_JSON, f"The body is told to be {told[:80]!r}.", remedy=f"Send it as {JSON}.")
        try:
            return self.decoders[self.asgi_connection.route_handler.handler_id].decode(value)
        except msgspec.ValidationError as error:
            raise Trouble(ProblemKind.MALFORMED, f"In the body, {in_words(error)}.") from None
        except msgspec.DecodeError as error:
            raise Trouble(ProblemKind.MALFORMED, f"The body cannot be read: {in_words(error, value)}.") from None

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
        raise Trouble(ProblemKind.MALFORMED, f"In the query, {in_words(error)}.") from None


async def nothing_left_over(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """A guard that refuses unknown query parameters and bodies that nobody reads; it comes after those that say who may ask."""
    scope = connection.scope
    if scope["type"] != ScopeType.HTTP or scope["method"] == "OPTIONS" or not scope["path"].startswith(API):
        return
    asked: type[msgspec.Struct] | None = handler.opt.get("query")
    known = asked.__struct_fields__ if asked is not None else ()
    takes = f"It takes {', '.join(known)}." if known else "It takes nothing in the query."
    for name, times in Counter(name for name, _ in connection.query_params.multi_items()).items():
        if name not in known:
            raise Trouble(ProblemKind.MALFORMED, f"Unknown query parameter {name[:NAME_SHOWN]!r}.", remedy=takes)
        if times > 1:
            raise Trouble(ProblemKind.MALFORMED, f"In the query, {name} is told {times} times.", remedy="Tell it once.")
    if "data" not in handler.parsed_fn_signature.parameters and await _has_body(connection):
        where = f"Say it in the query: it takes {', '.join(known)}." if known else "Send none."
        raise Trouble(ProblemKind.MALFORMED, "This endpoint takes no request body.", remedy=where)


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
