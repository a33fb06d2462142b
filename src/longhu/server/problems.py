"""Problems (RFC 9457): every error answer names the rule behind it and what can be done instead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import Method

from longhu.eventsourcing import Refusal
from longhu.messages.localization import english
from longhu.server.observability import log
from longhu.server.streams.commands import IdempotencyConflict, StoreUnavailable, TableHalted
from longhu.store.errors import AlreadyExists, InsufficientFunds, NotFound, StoreError

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
    detail: str
    clause: str = ""  # the rule behind it
    remedy: str = ""  # what can be done
    request: str = ""  # the number under which the log has it


class Trouble(Exception):
    """Raised anywhere in a request, to answer it with a problem."""

    def __init__(self, kind: ProblemKind, detail: str, *, remedy: str = "", clause: str = "", retry: int = 0) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.remedy, self.clause, self.retry = kind, detail, remedy, clause, retry


def refused(refusal: Refusal) -> Trouble:
    """A refusal of the rules as a problem."""
    return Trouble(
        ProblemKind.REFUSED,
        sentence(english(refusal.reason)),
        remedy=sentence(english(refusal.remedy)),
        clause=refusal.clause,
    )


def sentence(text: str) -> str:
    """A reason with its full stop; it may start with somebody's name, so its first letter stays as it is.

    >>> sentence("ann has 5.00 in chips")
    'ann has 5.00 in chips.'
    """
    return text + ("" if not text or text.endswith((".", "?", "!")) else ".")


def problem(trouble: Trouble, request: str = "") -> Problem:
    return Problem(
        type=ADDRESS + trouble.kind.id,
        title=trouble.kind.title,
        status=trouble.kind.status,
        detail=trouble.detail,
        clause=trouble.clause,
        remedy=trouble.remedy,
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
        trouble.remedy = f"It takes {allowed}." if allowed else ""
    elif trouble.kind is ProblemKind.TOO_LARGE:
        trouble.remedy = f"Send at most {request.app.state.config.body_bytes} bytes."
    told = problem(trouble, request.scope["state"].get("request_id", ""))
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
            return Trouble(ProblemKind.MALFORMED, f"The body cannot be read: {_in_words(error)}.")
        case InsufficientFunds() | AlreadyExists():
            return Trouble(ProblemKind.REFUSED, str(error))
        case NotFound():
            return Trouble(ProblemKind.NOT_FOUND, str(error))
        case IdempotencyConflict():
            told, remedy = "This id was used before, for something else.", "Take a new id for each thing that you ask."
            return Trouble(ProblemKind.ID_REUSED, told, remedy=remedy, clause="REC-3")
        case TableHalted():
            return Trouble(ProblemKind.REFUSED, sentence(str(error)), remedy="Call the gaming shift manager.")
        case StoreError() | StoreUnavailable():
            return Trouble(
                ProblemKind.UNAVAILABLE,
                "The store does not take this now. What was not acknowledged may be asked again with the same id.",
                retry=RETRY_SECONDS,
            )
        case TimeoutError():
            return Trouble(
                ProblemKind.UNAVAILABLE, "It took too long. Ask again, with the same id.", retry=RETRY_SECONDS
            )
    return Trouble(ProblemKind.DEFECT, "This is our mistake. It is in the log under the number of the request.")


def _of_litestar(error: HTTPException) -> Trouble:
    if CUT_OFF in error.detail:
        return Trouble(ProblemKind.MALFORMED, "The request was cut off.")
    kind = OF_STATUS.get(error.status_code, ProblemKind.MALFORMED if error.status_code < 500 else ProblemKind.DEFECT)
    details = {
        ProblemKind.NOT_FOUND: "There is nothing at this address.",
        ProblemKind.NO_SUCH_METHOD: "There is something at this address, and this cannot be done with it.",
        ProblemKind.TOO_LARGE: "The body is larger than anything that is asked here.",
    }
    return Trouble(kind, details.get(kind) or sentence(_extra(error) or error.detail))


def _extra(error: HTTPException) -> str:
    """Which parameters are wrong, and why."""
    found = [each for each in error.extra if isinstance(each, dict)] if isinstance(error.extra, list) else []
    if any(each.get("key") == "data" for each in found):
        return "there is no body, and one is expected"
    return "; ".join(f"{each.get('key', '?')}: {each.get('message', 'is wrong')}" for each in found)


def _in_words(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:300].rstrip(".")
