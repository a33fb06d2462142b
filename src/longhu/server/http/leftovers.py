"""What a request says that its route does not ask for: refused, since a name that is mistyped would go unnoticed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
from litestar.connection import ASGIConnection, Request
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler

from longhu.server.http.problems import Kind, Trouble

API = "/api/"
NAME_MAX = 80  # characters of a name that are told again


async def nothing_left_over(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """A guard behind those that say who may ask: what the API offers is told to those whom it serves."""
    scope = connection.scope
    if scope["type"] != ScopeType.HTTP or scope["method"] == "OPTIONS" or not scope["path"].startswith(API):
        return
    query: type[msgspec.Struct] | None = handler.opt.get("query")
    known = query.__struct_fields__ if query is not None else ()
    takes = f"It takes {', '.join(known)}." if known else "It takes nothing in the query."
    for name, times in Counter(name for name, _ in connection.query_params.multi_items()).items():
        if name not in known:
            told = f"In the query, {name[:NAME_MAX]!r} is nothing that is asked here."
            raise Trouble(Kind.MALFORMED, told, remedy=takes)
        if times > 1:
            raise Trouble(Kind.MALFORMED, f"In the query, {name} is told {times} times.", remedy="Tell it once.")
    if "data" not in handler.parsed_fn_signature.parameters and await _has_body(connection):
        where = f"Say it in the query: it takes {', '.join(known)}." if known else "Send none."
        raise Trouble(Kind.MALFORMED, "There is a body, and none is asked for here.", remedy=where)


async def _has_body(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """A proxy may announce a body and send nothing of it."""
    if "transfer-encoding" in connection.headers and isinstance(connection, Request):
        return bool(await connection.body())
    return connection.headers.get("content-length", "0").strip("0") != ""
