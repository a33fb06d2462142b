"""WebSocket frames that are made once and written to thousands of connections, and texts that are read without ado.

What a server sends is not masked (RFC 6455, 5.1), so a frame is the same for everybody. Uvicorn's protocol would make it anew
for each; this one offers the connection itself to the application, as an extension in the scope. Whoever takes it can be called
with every text that comes in, in place of a queue and a task that waits for it: a plain text in one frame goes there at once, and
everything else (pieces, pings, whatever is against the standard) through the parser that all connections have. Without the extension (another
server, a test client) everything works as well, only slower.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from struct import Struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

try:
    from websockets.speedups import apply_mask
except ImportError:  # where it was built without a compiler
    from websockets.utils import apply_mask

EXTENSION = "longhu.frames"
TEXT = 0x81  # the whole of a text, in one frame
FINAL, CONTROL, KIND = 0x80, 0x08, 0x0F  # of the first byte of a frame
MASKED, SIZE = 0x80, 0x7F  # of the second
SHORT, MEDIUM, LONG = 6, 8, 14  # bytes before the text, by how its size is written: 126 and 127 say that it follows
BUFFER_BYTES = 256 * 1024  # that may wait for a slow connection, and twice as much in the system's own buffer
GONE_SECONDS = 5.0  # for a connection that does not answer to be closed in good order


_HEADS = [bytes((TEXT, size)) for size in range(126)]
_MEDIUM = Struct(">BBH").pack


def framed(text: bytes) -> bytes:
    """A text as a frame.

    >>> framed(b"hello")
    b'\\x81\\x05hello'
    """
    size = len(text)
    if size < 126:
        return _HEADS[size] + text
    if size < 1 << 16:
        return _MEDIUM(TEXT, 126, size) + text
    return bytes((TEXT, 127)) + size.to_bytes(8) + text


def text_of(frame: bytes) -> bytes:
    """The text of such a frame.

    >>> text_of(framed(b"hello"))
    b'hello'
    """
    return frame[{126: 4, 127: 10}.get(frame[1], 2) :]


def _nothing() -> None:
    """Nobody waits for the connection."""


class Frames(WebSocketsSansIOProtocol):
    """A connection that takes ready frames, says when it cannot keep up, and when it can again."""

    resumed: Callable[[], None] = staticmethod(_nothing)  # called when what waited has gone out
    is_full = False  # does too much wait?
    taker: Callable[[bytes], None] | None = None  # called with every message, once somebody has taken the connection
    _unread = b""  # what came in and is no whole frame yet, or is not wanted yet
    _is_held = False  # does whoever takes it want nothing at the moment?
    _in_pieces = False  # has a message begun that goes on in other frames?
    _as_it_comes = False  # something is against the standard: the parser says what

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_complete:  # refused
            return
        self.scope["extensions"][EXTENSION] = {"connection": self}
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES, low=BUFFER_BYTES // 4)
        connected: socket.socket | None = self.transport.get_extra_info("socket")
        if connected is not None and connected.family != socket.AF_UNIX:
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)

    # ------------------------------------------------ what comes in

    def data_received(self, data: bytes) -> None:
        if self.taker is None or self._as_it_comes:
            unread, self._unread = self._unread, b""
            super().data_received(unread + data)
            return
        self._unread = self._unread + data if self._unread else data
        if self._is_held:
            self._pause()
        else:
            self._go_through()

    def _go_through(self) -> None:
        """One whole frame after the other, as long as they are wanted."""
        data, place, there = self._unread, 0, len(self._unread)
        while there - place >= 2 and not self._is_held and self.taker is not None:
            first, second = data[place], data[place + 1]
            size, head = second & SIZE, SHORT
            if size > 125:
                head = MEDIUM if size == 126 else LONG
                size = int.from_bytes(data[place + 2 : place + head - 4]) if there >= place + head else 0
            if size > self.config.ws_max_size or not second & MASKED:
                self._as_it_comes = True  # too large, or not as clients send them
                break
            end = place + head + size
            if end > there:
                break
            frame, place = data[place:end], end
            if first == TEXT and not self._in_pieces and not self.close_sent:
                text = apply_mask(frame[head:], frame[head - 4 : head])
                if text.isascii():  # like most, and taken as it is
                    self.taker(text)
                    continue
            if not first & CONTROL:
                self._in_pieces = not first & FINAL
            super().data_received(frame)
        self._unread = data[place:] if place else data
        if self._as_it_comes or self.taker is None:
            self.data_received(b"")

    def hold(self) -> None:
        """Nothing more is wanted for now."""
        if not self._is_held:
            self._is_held = True
            self._pause()

    def go_on(self) -> None:
        """It is wanted again."""
        if self._is_held:
            self._is_held = False
            self.loop.call_soon(self._goes_on)

    def _pause(self) -> None:
        if not self.transport.is_closing():
            self.transport.pause_reading()

    def _goes_on(self) -> None:
        if self._is_held or self.disconnected:
            return
        if self._unread:
            self._go_through()
        if not self._is_held and not self.transport.is_closing():
            self.transport.resume_reading()

    # ------------------------------------------------ what goes out

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
        elif self.taker is None or self.close_sent:
            super().send_receive_event_to_app()
        else:
            message, self.frames = b"".join(self.frames), []
            self.taker(message)


def _is_text(frames: list[Any]) -> bool:
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True
