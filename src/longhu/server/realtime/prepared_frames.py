"""WebSocket frames that are made once and written to thousands of connections.

What a server sends is not masked (RFC 6455, 5.1), so a frame is the same for everybody. Through ASGI each connection would make
it anew in a coroutine of its own. This protocol is uvicorn's, and offers its connection to the application as an extension in the
scope: reading, pings and closing stay with the library, and finished frames go to the transport.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from struct import Struct

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

EXTENSION = "longhu.frames"
TEXT = 0x81  # a whole text in one frame
BUFFER_BYTES = 256 * 1024  # that may wait for a slow connection, and twice as much in the system's own buffer
GONE_SECONDS = 5.0  # for a connection that does not answer to be closed in good order

logging.getLogger("uvicorn.error").addFilter(  # a client's mistake, answered with 1007: no traceback for it
    lambda record: not str(record.msg).startswith("Invalid UTF-8 sequence")
)

_MEDIUM = Struct(">BBH").pack


def framed(text: bytes) -> bytes:
    """A text as a frame.

    >>> framed(b"hello")
    b'\\x81\\x05hello'
    """
    size = len(text)
    if size < 126:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return _MEDIUM(TEXT, 126, size) + text
    return bytes((TEXT, 127)) + size.to_bytes(8) + text


class FrameConnection(WebSocketsSansIOProtocol):
    """A connection that takes finished frames, and says when it is full and when it has drained."""

    is_full = False  # does more wait than the client keeps up with?
    drained: Callable[[], None] = staticmethod(lambda: None)  # called when that is over

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_complete:  # refused
            return
        self.scope["extensions"][EXTENSION] = {"connection": self}
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES, low=BUFFER_BYTES // 4)
        connected: socket.socket | None = self.transport.get_extra_info("socket")
        if connected is not None and connected.family != socket.AF_UNIX:
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)

    def write(self, frames: bytes) -> None:
        """Send whole frames; on a connection that is closing they are dropped."""
        if not self.close_sent and not self.disconnected:
            self.transport.write(frames)

    async def room(self) -> None:
        """Wait until the client keeps up, or is gone."""
        await self.writable.wait()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.is_full = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.is_full = False
        self.drained()

    def keepalive_timeout(self) -> None:
        """A client that does not answer may not read either: what waits for it is given up after a while."""
        super().keepalive_timeout()
        self.loop.call_later(GONE_SECONDS, self.transport.abort)
