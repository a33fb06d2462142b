"""The WebSocket of a table: what happens there goes out, commands come in and are answered.

Out: `snapshot`, `event`, `account`, and for what was asked `done`, `refused`, `problem`, `pong`. In: `command`, `ping`. Commands of
one socket are begun in the order in which they come, and several may be on their way; whoever needs one to be done before
the next waits for its answer. A socket that asks too quickly is read more slowly, and one that sends nothing but nonsense
is closed.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

from litestar import WebSocket, websocket
from litestar.params import FromPath

from longhu.server.api import guards
from longhu.server.house import House
from longhu.server.screens.frames import EXTENSION
from longhu.server.screens.gallery import Gallery
from longhu.server.screens.lines import FramesLine, TwoWay, queue_line
from longhu.server.screens.screen import POLICY, SESSION_OVER, Screen, Seat

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
    told, live = list(socket.query_params.multi_items()), await house.live(table)
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
        token, gallery = socket.cookies.get(guards.COOKIE, ""), _gallery(socket, house)
        seat = Seat(house, live, actor, session, token, gallery.count)
        await _watch(socket, gallery, seat, None if after is None else int(after))


async def _watch(socket: WebSocket[Any, Any, Any], gallery: Gallery, seat: Seat, after: int | None) -> None:
    """From the first snapshot until the socket is closed."""
    extensions: dict[str, Any] = socket.scope.get("extensions") or {}
    async with AsyncExitStack() as stack:
        line: TwoWay
        if EXTENSION in extensions:
            line = FramesLine(extensions[EXTENSION]["connection"])
        else:
            line = await stack.enter_async_context(queue_line(socket.send_text))
        screen = Screen(socket, line, seat)
        feed = await stack.enter_async_context(gallery.feed(seat.live))
        await stack.enter_async_context(gallery.staying(seat.session, screen.sent_away))
        await screen.run(feed, after)


def _gallery(socket: WebSocket[Any, Any, Any], house: House) -> Gallery:
    """One for each application."""
    state = socket.app.state
    if "gallery" not in state:
        state.gallery = Gallery(house, state.metrics)
    found: Gallery = state.gallery
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= NUMBER_DIGITS
