"""WebSocket frames that are made once and written to thousands of connections.

What a server sends is not masked (RFC 6455, 5.1), so a frame is the same for everybody. Uvicorn's protocol would make it anew
for each; this one offers the connection itself to the application, as an extension in the scope. Without the extension
(another server, a test client) everything works as well, only slower.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

EXTENSION = "longhu.frames"
TEXT = 0x81  # the whole of a text, in one frame
BUFFER_BYTES = 256 * 1024  # that may wait for a slow connection, and twice as much in the system's own buffer
GONE_SECONDS = 5.0  # for a connection that does not answer to be closed in good order


def framed(text: bytes) -> bytes:
    """A text as a frame.

    >>> framed(b"hello")
    b'\\x81\\x05hello'
    """
    size = len(text)
    if size < 126:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return bytes((TEXT, 126)) + size.to_bytes(2) + text
    return bytes((TEXT, 127)) + size.to_bytes(8) + text


def _nothing() -> None:
    """Nobody waits for the connection."""


class Frames(WebSocketsSansIOProtocol):
    """A connection that takes ready frames, says when it cannot keep up, and when it can again."""

    resumed: Callable[[], None] = staticmethod(_nothing)  # called when what waited has gone out
    is_full = False  # does too much wait?

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_complete:  # refused
            return
        self.scope["extensions"][EXTENSION] = {"connection": self}
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES, low=BUFFER_BYTES // 4)
        connected: socket.socket | None = self.transport.get_extra_info("socket")
        if connected is not None and connected.family != socket.AF_UNIX:
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)

    def write_frames(self, frames: bytes) -> None:
        """Put whole frames behind what is on its way; on a connection that is closing they are nobody's any more."""
        if not self.close_sent and not self.disconnected and self.handshake_complete:
            self.transport.write(frames)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.is_full = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.is_full = False
        self.resumed()

    def keepalive_timeout(self) -> None:
        """Whoever does not answer may not read either: what waits for them is given up after a while."""
        super().keepalive_timeout()
        self.loop.call_later(GONE_SECONDS, self.transport.abort)

    def send_receive_event_to_app(self) -> None:
        """A text that is no UTF-8 closes the connection (1007), without a traceback in the log."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_text(self.frames):
            self.frames = []
            self.conn.send_close(1007, "a text that is no UTF-8")
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()


def _is_text(frames: list[Any]) -> bool:
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True
