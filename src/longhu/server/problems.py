"""Problems (RFC 9457): every error answer names the rule behind it and what can be done instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import Method

from longhu.eventsourcing import Refusal
from longhu.messages.localization import Localization
from longhu.messages.message import Message, message_code
from longhu.money import UNSTATED, Currency
from longhu.protocol import TEXT_PATTERN
from longhu.server.codec import FIELD_WRONG
from longhu.server.observability import log
from longhu.server.streams.commands import IdempotencyConflict, StoreUnavailable, TableHalted
from longhu.store.errors import AlreadyExists, InsufficientFunds, NotFound, StoreError
from longhu.table.messages import CALL_SHIFT_MANAGER, TABLE_STOPPED

REQUEST_UNREADABLE = message_code("request-unreadable", problem="message")
FIELD_MISSING = message_code("field-missing", field="text")
FIELD_UNKNOWN = message_code("field-unknown", field="text")
FIELD_OF_OTHER_KIND = message_code("field-of-other-kind", expected="any message", found="message")
FIELD_OUT_OF_BOUNDS = message_code("field-out-of-bounds", expected="any message", bound="text")
FIELD_TOO_LONG = message_code("field-too-long", maximum="number")
FIELD_TOO_SHORT = message_code("field-too-short", minimum="number")
CONTROL_CHARACTER = message_code("control-character")
COMMAND_UNKNOWN = message_code("command-unknown", found="text")
DECODER_SAYS = message_code("decoder-says", detail="text")
ENDS_TOO_EARLY = message_code("ends-too-early")
HALF_A_CHARACTER = message_code("half-a-character")
ENDS_EARLY_OR_HALF = message_code("ends-early-or-half-a-character")
NESTED_TOO_DEEPLY = message_code("nested-too-deeply")
NO_TEXT = message_code("not-readable-text")
BODY_MISSING = message_code("body-missing")
LIST_COMMANDS = message_code("list-commands")
KIND_OF_VALUE = {
    "array": message_code("value-list"),
    "bool": message_code("value-true-or-false"),
    "float": message_code("value-with-fraction"),
    "int": message_code("value-whole-number"),
    "null": message_code("value-null"),
    "object": message_code("value-object"),
    "str": message_code("value-text"),
}
REQUEST_CUT_OFF = message_code("request-cut-off")
NOTHING_HERE = message_code("nothing-at-this-address")
NO_SUCH_METHOD = message_code("method-not-allowed")
TAKES_METHODS = message_code("takes-methods", methods="text")
BODY_TOO_LARGE = message_code("body-too-large")
SEND_AT_MOST = message_code("send-at-most", bytes="number")
STORE_REFUSED = message_code("store-refused", detail="text")
NOT_STORED = message_code("not-in-store", detail="text")
ID_REUSED = message_code("command-id-reused")
TAKE_A_NEW_ID = message_code("take-a-new-id")
STORE_UNAVAILABLE = message_code("store-unavailable")
TOOK_TOO_LONG = message_code("took-too-long")
SEND_AGAIN = message_code("send-again-same-id")
DEFECT = message_code("server-defect")
WAIT_A_LITTLE = message_code("wait-a-little")
SIGN_IN = message_code("sign-in")
NOT_SIGNED_IN = message_code("not-signed-in")
WRITE_DAY = message_code("write-day")
NOT_A_DAY = message_code("not-a-day", day="text")
NO_SUCH_TABLE = message_code("no-such-table", table="text")
CHOOSE_FROM_LIST = message_code("choose-from-list")

MEDIA_TYPE = "application/problem+json"
ADDRESS = "/api/problems#"  # where each type is told, for people
RETRY_SECONDS = 2
METHODS: tuple[Method, ...] = ("GET", "POST", "PUT", "DELETE", "OPTIONS")
CUT_OFF = "client disconnected"  # how Litestar says that somebody hung up


class ProblemKind(Enum):
    """All kinds of problems: a name that never changes, the status, and the title."""

    MALFORMED = ("malformed", 400, "The request cannot be read")
    NOT_SIGNED_IN = ("not-signed-in", 401, "Nobody is signed in")
    NOT_ALLOWED = ("not-allowed", 403, "This is not yours to ask")
    FOREIGN = ("foreign", 403, "The request does not come from our page")
    NOT_FOUND = ("not-found", 404, "There is no such thing")
    NO_SUCH_METHOD = ("no-such-method", 405, "This cannot be done here")
    REFUSED = ("refused", 409, "The rules do not allow it")
    ID_REUSED = ("id-reused", 409, "The id was used for something else")
    TOO_LARGE = ("too-large", 413, "The request is too large")
    NOT_JSON = ("not-json", 415, "The request is not JSON")
    MISDIRECTED = ("misdirected", 421, "The request is for another host")
    TOO_MANY = ("too-many", 429, "Too many requests")
    DEFECT = ("defect", 500, "Something is wrong with the server")
    UNAVAILABLE = ("unavailable", 503, "The house cannot take this now")

    def __init__(self, id: str, status: int, title: str) -> None:
        self.id, self.status, self.title = id, status, title


OF_STATUS = {each.status: each for each in reversed(ProblemKind)}  # of two with one status, the first


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why something was not done, and what can be done."""

    type: str
    title: str
    status: int
    detail: str  # the message in English
    message: Message
    remedy: Message | None = None  # what can be done,
    hint: str = ""  # and that in English
    clause: str = ""  # the rule behind it
    request: str = ""  # the number under which the log has it


class Trouble(Exception):
    """Raised anywhere in a request, to answer it with a problem."""

    def __init__(
        self, kind: ProblemKind, message: Message, *, remedy: Message | None = None, clause: str = "", retry: int = 0
    ) -> None:
        super().__init__(message.code)
        self.kind, self.message, self.remedy, self.clause, self.retry = kind, message, remedy, clause, retry


def refused(refusal: Refusal) -> Trouble:
    """A refusal of the rules as a problem."""
    return Trouble(ProblemKind.REFUSED, refusal.reason, remedy=refusal.remedy, clause=refusal.clause)


def malformed(problem: Message) -> Trouble:
    """A request that cannot be read."""
    remedy = LIST_COMMANDS() if _is_about(problem, COMMAND_UNKNOWN.code) else None
    return Trouble(ProblemKind.MALFORMED, REQUEST_UNREADABLE(problem=problem), remedy=remedy)


def _is_about(message: Message, code: str) -> bool:
    inner = message.args.get("problem")
    return message.code == code or (isinstance(inner, Message) and _is_about(inner, code))


def problem(trouble: Trouble, request: str = "", currency: Currency = UNSTATED) -> Problem:
    english = Localization("en", currency=currency)
    return Problem(
        type=ADDRESS + trouble.kind.id,
        title=trouble.kind.title,
        status=trouble.kind.status,
        detail=english.text(trouble.message),
        message=trouble.message,
        remedy=trouble.remedy,
        hint=english.text(trouble.remedy) if trouble.remedy else "",
        clause=trouble.clause,
        request=request,
    )


def headers(trouble: Trouble) -> dict[str, str]:
    return {"Retry-After": str(trouble.retry)} if trouble.retry else {}


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Answer any error with a problem; a defect is logged with its traceback, and answered without."""
    trouble = of_error(error)
    if trouble.kind is ProblemKind.DEFECT:
        log.error("defect", exc_info=error)
    elif trouble.kind is ProblemKind.UNAVAILABLE:
        log.warning("unavailable", why=str(error)[:300])
    extra = headers(trouble)
    if trouble.kind is ProblemKind.NO_SUCH_METHOD:
        extra["Allow"] = allowed = ", ".join(_methods(request))
        trouble.remedy = TAKES_METHODS(methods=allowed) if allowed else None
    elif trouble.kind is ProblemKind.TOO_LARGE:
        trouble.remedy = SEND_AT_MOST(bytes=request.app.state.config.body_bytes)
    told = problem(trouble, request.scope["state"].get("request_id", ""), request.app.state.config.money)
    return Response(told, status_code=told.status, media_type=MEDIA_TYPE, headers=extra)


def _methods(request: Request[Any, Any, Any]) -> Iterator[str]:
    """The methods that this address takes."""
    for method in METHODS:
        with suppress(HTTPException):
            request.app.asgi_router.handle_routing(path=request.scope["path"], method=method)
            yield from ("GET", "HEAD") if method == "GET" else (method,)


def of_error(error: Exception) -> Trouble:
    """The problem for an error."""
    match error:
        case Trouble():
            return error
        case HTTPException():
            return _of_litestar(error)
        case msgspec.MsgspecError() | RecursionError() | UnicodeError():
            return malformed(decode_error(error))
        case InsufficientFunds() | AlreadyExists():
            return Trouble(ProblemKind.REFUSED, STORE_REFUSED(detail=str(error)))
        case NotFound():
            return Trouble(ProblemKind.NOT_FOUND, NOT_STORED(detail=str(error)))
        case IdempotencyConflict():
            return Trouble(ProblemKind.ID_REUSED, ID_REUSED(), remedy=TAKE_A_NEW_ID(), clause="REC-3")
        case TableHalted():
            return Trouble(ProblemKind.REFUSED, TABLE_STOPPED(), remedy=CALL_SHIFT_MANAGER())
        case StoreError() | StoreUnavailable():
            return Trouble(ProblemKind.UNAVAILABLE, STORE_UNAVAILABLE(), remedy=SEND_AGAIN(), retry=RETRY_SECONDS)
        case TimeoutError():
            return Trouble(ProblemKind.UNAVAILABLE, TOOK_TOO_LONG(), remedy=SEND_AGAIN(), retry=RETRY_SECONDS)
    return Trouble(ProblemKind.DEFECT, DEFECT())


def _of_litestar(error: HTTPException) -> Trouble:
    if CUT_OFF in error.detail:
        return Trouble(ProblemKind.MALFORMED, REQUEST_CUT_OFF())
    kind = OF_STATUS.get(error.status_code, ProblemKind.MALFORMED if error.status_code < 500 else ProblemKind.DEFECT)
    details = {
        ProblemKind.NOT_FOUND: NOTHING_HERE,
        ProblemKind.NO_SUCH_METHOD: NO_SUCH_METHOD,
        ProblemKind.TOO_LARGE: BODY_TOO_LARGE,
    }
    if kind in details:
        return Trouble(kind, details[kind]())
    return Trouble(kind, REQUEST_UNREADABLE(problem=_extra(error)))


def _extra(error: HTTPException) -> Message:
    """Which parameters are wrong, and why."""
    found = [each for each in error.extra if isinstance(each, dict)] if isinstance(error.extra, list) else []
    if any(each.get("key") == "data" for each in found):
        return BODY_MISSING()
    told = "; ".join(f"{each.get('key', '?')}: {each.get('message', 'is wrong')}" for each in found)
    return DECODER_SAYS(detail=(told or error.detail).rstrip("."))


# ------------------------------------------------ decode errors

FOUND_MAX = 200  # characters of what was found, which may be anything
_EXPECTED = re.compile(r"Expected `([^`]+)`(?: (.+?))?(?:, got `([^`]+)`)?")
_FIELD = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
_LENGTH = re.compile(r"of length (<=|>=) ([0-9]+)")
_HALF = re.compile(rb"(?<!\\)(?:\\\\)*\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u)")  # of a surrogate pair, the first alone
_TRUNCATED = "Input data was truncated"  # so msgspec says of such a half near the end, as well


def decode_error(error: Exception, text: bytes | None = None) -> Message:
    """What a decoder complains of; the text, where it is at hand, tells apart what the decoder does not.

    >>> try: msgspec.json.decode(b'{"place": "5"}', type=dict[str, int])
    ... except msgspec.MsgspecError as error: Localization("en").text(decode_error(error))
    '[...]: expected a whole number, found text.'
    """
    if isinstance(error, RecursionError):
        return NESTED_TOO_DEEPLY()
    if not isinstance(error, msgspec.MsgspecError):
        return NO_TEXT()
    if str(error) == _TRUNCATED:
        return ENDS_EARLY_OR_HALF() if text is None else HALF_A_CHARACTER() if _HALF.search(text) else ENDS_TOO_EARLY()
    says, _, path = str(error).partition(" - at `$")
    where = path.removesuffix("`").lstrip(".")[:FOUND_MAX]
    if field := _FIELD.fullmatch(says):
        named = ".".join(filter(None, (where, field[2][:FOUND_MAX])))
        return (FIELD_MISSING if field[1].startswith("missing") else FIELD_UNKNOWN)(field=named)
    problem = _wrong_value(says, where)
    return FIELD_WRONG(field=where, problem=problem) if where else problem


def _wrong_value(says: str, where: str) -> Message:
    if says.startswith("Invalid value '") and where.rpartition(".")[2] == "command":
        return COMMAND_UNKNOWN(found=says.removeprefix("Invalid value '").removesuffix("'")[:FOUND_MAX])
    if not (expected := _EXPECTED.fullmatch(says)):
        return DECODER_SAYS(detail=says[: FOUND_MAX + 1])
    kinds = [_kind(each) for each in expected[1].split(" | ")]
    if not (bound := expected[2]):
        return FIELD_OF_OTHER_KIND(expected=kinds, found=_kind(expected[3]))
    if repr(TEXT_PATTERN) in bound:
        return CONTROL_CHARACTER()
    if length := _LENGTH.fullmatch(bound):
        most = length[1] == "<="
        return FIELD_TOO_LONG(maximum=int(length[2])) if most else FIELD_TOO_SHORT(minimum=int(length[2]))
    return FIELD_OUT_OF_BOUNDS(expected=kinds, bound=bound)


def _kind(name: str) -> Message:
    return KIND_OF_VALUE[name]() if name in KIND_OF_VALUE else DECODER_SAYS(detail=name)
