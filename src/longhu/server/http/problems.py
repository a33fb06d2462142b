"""What the server answers when it cannot do what was asked: problem+json (RFC 9457), with the rule and the remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import Method

from longhu.server.done import Busy, Reused, Stopped
from longhu.server.logs import log
from longhu.store.errors import AlreadyExists, InsufficientFunds, NotFound, StoreError
from longhu.table.acts import Refusal

MEDIA_TYPE = "application/problem+json"
ADDRESS = "/api/problems#"  # where each type is told, for people
RETRY_SECONDS = 2
METHODS: tuple[Method, ...] = ("GET", "POST", "PUT", "DELETE", "OPTIONS")
USE = "use"  # of an id, by which a request knows what it is for
CUT_OFF = "client disconnected"  # how Litestar says that somebody hung up


class Kind(Enum):
    """Everything that can be wrong with a request: a name for keeps, the status, and what it means."""

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
    TOO_MANY = ("too-many", 429, "Too many requests")
    DEFECT = ("defect", 500, "Something is wrong with the server")
    UNAVAILABLE = ("unavailable", 503, "The house cannot take this now")

    def __init__(self, id: str, status: int, title: str) -> None:
        self.id, self.status, self.title = id, status, title


OF_STATUS = {each.status: each for each in reversed(Kind)}  # of two with one status, the first


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

    def __init__(self, kind: Kind, detail: str, *, remedy: str = "", clause: str = "", retry: int = 0) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.remedy, self.clause, self.retry = kind, detail, remedy, clause, retry


def refused(refusal: Refusal) -> Trouble:
    """What the rules do not allow, as an answer."""
    return Trouble(Kind.REFUSED, sentence(refusal.reason), remedy=sentence(refusal.remedy), clause=refusal.clause)


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
    """Any error as a problem; what nobody foresaw is logged with its traceback, and told without."""
    trouble = of_error(error)
    if trouble.kind is Kind.DEFECT:
        log.error("defect", exc_info=error)
    elif trouble.kind is Kind.UNAVAILABLE:
        log.warning("unavailable", why=str(error)[:300])
    extra = headers(trouble)
    if trouble.kind is Kind.NO_SUCH_METHOD:
        extra["Allow"] = allowed = ", ".join(_methods(request))
        trouble.remedy = f"It takes {allowed}." if allowed else ""
    elif trouble.kind is Kind.ID_REUSED and (use := request.scope["state"].get(USE)) is not None:
        request.app.state.ids.forget(use)
    elif trouble.kind is Kind.TOO_LARGE:
        trouble.remedy = f"Send at most {request.app.state.config.body_bytes} bytes."
    told = problem(trouble, request.scope["state"].get("request_id", ""))
    return Response(told, status_code=told.status, media_type=MEDIA_TYPE, headers=extra)


def _methods(request: Request[Any, Any, Any]) -> Iterator[str]:
    """What can be done with what is at this address."""
    for method in METHODS:
        with suppress(HTTPException):
            request.app.asgi_router.handle_routing(path=request.scope["path"], method=method)
            yield from ("GET", "HEAD") if method == "GET" else (method,)


def of_error(error: Exception) -> Trouble:
    """Which problem an error is."""
    match error:
        case Trouble():
            return error
        case HTTPException():
            return _of_litestar(error)
        case msgspec.MsgspecError() | RecursionError() | UnicodeError():
            return Trouble(Kind.MALFORMED, f"The body cannot be read: {_in_words(error)}.")
        case InsufficientFunds() | AlreadyExists():
            return Trouble(Kind.REFUSED, str(error))
        case NotFound():
            return Trouble(Kind.NOT_FOUND, str(error))
        case Reused():
            told, remedy = "This id was used before, for something else.", "Take a new id for each thing that you ask."
            return Trouble(Kind.ID_REUSED, told, remedy=remedy, clause="REC-3")
        case Stopped():
            return Trouble(Kind.REFUSED, sentence(str(error)), remedy="Call the gaming shift manager.")
        case StoreError() | Busy():
            return Trouble(
                Kind.UNAVAILABLE,
                "The store does not take this now. What was not acknowledged may be asked again with the same id.",
                retry=RETRY_SECONDS,
            )
        case TimeoutError():
            return Trouble(Kind.UNAVAILABLE, "It took too long. Ask again, with the same id.", retry=RETRY_SECONDS)
    return Trouble(Kind.DEFECT, "This is our mistake. It is in the log under the number of the request.")


def _of_litestar(error: HTTPException) -> Trouble:
    if CUT_OFF in error.detail:
        return Trouble(Kind.MALFORMED, "The request was cut off.")
    kind = OF_STATUS.get(error.status_code, Kind.MALFORMED if error.status_code < 500 else Kind.DEFECT)
    details = {
        Kind.NOT_FOUND: "There is nothing at this address.",
        Kind.NO_SUCH_METHOD: "There is something at this address, and this cannot be done with it.",
        Kind.TOO_LARGE: "The body is larger than anything that is asked here.",
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
