"""Fields of requests and answers: amounts, names, ids, pages of a list. What has the wrong form is refused before anybody reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from litestar import Request
from msgspec import Meta

from longhu.accounts.names import NAME_MAX
from longhu.money import Currency, Money, MoneyError, parse
from longhu.server.http.problems import Kind, Trouble
from longhu.server.screens.complaints import in_words
from longhu.server.screens.forms import NO_CONTROLS, WHOLE_MAX, PositionWord

T = TypeVar("T", bound=msgspec.Struct)

if TYPE_CHECKING:
    Held = str
else:
    Held = PositionWord  # a position, as a word

PAGE_MAX = 500
KEY = "Idempotency-Key"

Shown = Annotated[
    str,
    Meta(pattern=r"^-?[0-9]+(\.[0-9]+)?$", description="An amount of money as a decimal string", examples=["-12.50"]),
]
ID_MAX = 80
Id = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=ID_MAX,
        pattern=r"^[A-Za-z0-9._~:-]+$",
        description="Made by whoever asks, new for each thing that is asked: sent twice, it is done once",
        examples=["3f0c7a52-bet-1"],
    ),
]
Person = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=NAME_MAX,
        pattern=r"^[a-z0-9._-]+$",
        description="The name that somebody signs in with",
        examples=["ann"],
    ),
]
Password = Annotated[str, Meta(min_length=1, max_length=200, examples=["correct horse battery staple"])]
Words = Annotated[str, Meta(max_length=500, pattern=NO_CONTROLS)]
TableName = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$", examples=["T7"])]
Time = Annotated[int, Meta(description="Milliseconds since 1970, UTC", examples=[1_794_859_203_000])]
Moment = Annotated[int, Meta(ge=0, le=10**14, description="Milliseconds since 1970, UTC")]  # in a request
Number = Annotated[int, Meta(ge=0, le=WHOLE_MAX)]


class Asking(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A body that asks for something to be done, once."""

    id: Id | None = None  # here, or in the header Idempotency-Key


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a list, newest first."""

    before: Number | None = None  # behind what was told last
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100


def query(request: Request[Any, Any, Any], kind: type[T]) -> T:
    """The query as what the route asks for; `?limit=5` is a number here."""
    try:
        return msgspec.convert(dict(request.query_params.items()), kind, strict=False)
    except msgspec.ValidationError as error:
        raise Trouble(Kind.MALFORMED, f"In the query, {in_words(error)}.") from None


def amount(text: str, currency: Currency, field: str = "amount") -> Money:
    """Money out of a request."""
    try:
        return parse(text, currency)
    except MoneyError as error:
        raise Trouble(Kind.MALFORMED, f"{field}: {error}.", clause="MON-2") from None


def above_zero(text: str, currency: Currency, field: str = "amount") -> Money:
    """Money out of a request that is some money."""
    found = amount(text, currency, field)
    if found <= 0:
        raise Trouble(Kind.MALFORMED, f"{field}: the amount must be above zero.", clause="MON-2")
    return found


def told_id(request: Request[Any, Any, Any], id: str | None) -> str:
    """The id of what is asked, from the body or from the header; where both are there they must agree."""
    key = request.headers.get(KEY)
    if key is not None:
        try:
            msgspec.convert(key, Id)
        except msgspec.ValidationError as error:
            raise Trouble(Kind.MALFORMED, f"{KEY}: {error}.", clause="REC-3") from None
    if key is not None and id is not None and key != id:
        raise Trouble(Kind.MALFORMED, f"The body and the header {KEY} tell two different ids.", clause="REC-3")
    found = id if id is not None else key
    if found is None:
        place = "body" if "data" in request.route_handler.parsed_fn_signature.parameters else "query"
        told = f"Nothing tells the id of what is asked, neither the {place} nor the header {KEY}."
        raise Trouble(Kind.MALFORMED, told, remedy="Make one that is new for each thing that you ask.", clause="REC-3")
    return found


def is_name(text: str) -> bool:
    """Could it be the name of a table, an account or a person? What is none is not even looked for."""
    return 0 < len(text) <= 200 and text.isprintable()
