"""The WebSocket route of a table: who may open it, and from where."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

from litestar import WebSocket, websocket
from litestar.params import FromPath

from longhu.server.api import guards
from longhu.server.house import House
from longhu.server.realtime.connection import POLICY, SESSION_OVER, TableConnection, Visit
from longhu.server.realtime.prepared_frames import EXTENSION, FrameConnection
from longhu.server.realtime.subscriptions import Subscriptions

NO_TABLE = 4404  # why a socket is closed, where no code of the standard says it
NUMBER_DIGITS = 15


@websocket("/api/tables/{table:str}/socket", opt=guards.ANYBODY)
async def table_socket(socket: WebSocket[Any, Any, Any], table: FromPath[str]) -> None:
    """Watch a table and play at it; `after` is the number of the last event that was seen."""
    if guards.foreign_origin(socket) is not None:
        await socket.receive()
        await socket.close(POLICY)  # before it is accepted: the browser is told 403
        return
    house, found = guards.house(socket), await guards.session_of(socket)
    told, live = list(socket.query_params.multi_items()), await house.stream(table)
    after = told[0][1] if told else None
    await socket.accept()
    if found is None and (guards.COOKIE in socket.cookies or not house.config.spectators):
        await socket.close(SESSION_OVER, "nobody is signed in, or the session has ended")
    elif live is None:
        await socket.close(NO_TABLE, "there is no such table")
    elif [name for name, _ in told] not in ([], ["after"]):
        await socket.close(POLICY, "the query may say `after`, once, and nothing else")
    elif after is not None and not _is_number(after):
        await socket.close(POLICY, "after: the number of an event is expected")
    else:
        actor, session = found if found is not None else (None, None)
        token, subscriptions = socket.cookies.get(guards.COOKIE, ""), _subscriptions(socket, house)
        visit = Visit(house, live, actor, session, token, guards.cosigning(socket), socket.app.state.metrics.commands)
        await _serve(socket, subscriptions, visit, None if after is None else int(after))


async def _serve(
    socket: WebSocket[Any, Any, Any], subscriptions: Subscriptions, visit: Visit, after: int | None
) -> None:
    """From the first snapshot until the socket is closed."""
    extensions: Any = socket.scope["extensions"]
    frames: FrameConnection = extensions[EXTENSION]["connection"]
    connection = TableConnection(socket, frames, visit)
    async with AsyncExitStack() as stack:
        broadcast = await stack.enter_async_context(subscriptions.broadcast(visit.live))
        await stack.enter_async_context(subscriptions.watching(visit.session, connection.end_session))
        await connection.run(broadcast, after)


def _subscriptions(socket: WebSocket[Any, Any, Any], house: House) -> Subscriptions:
    """One for each application."""
    state = socket.app.state
    if "subscriptions" not in state:
        state.subscriptions = Subscriptions(house, state.metrics)
    found: Subscriptions = state.subscriptions
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= NUMBER_DIGITS
