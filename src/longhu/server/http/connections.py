"""HTTP connections that nobody can hold open for nothing: the head of a request has a limit of size and of time.

Uvicorn limits neither. What follows the head is limited by the application: bodies by their size, requests by their time.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 20.0


class Connection(HttpToolsProtocol):
    """A connection whose requests come to the point."""

    _head = 0  # bytes of a head that is not complete
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._waiting is not None:
            self._head += len(data)
        super().data_received(data)
        if self._waiting is not None and self._head > HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        self._wait_no_more()
        super().on_headers_complete()

    def _wait(self) -> None:
        if self._waiting is None:
            self._head = 0
            self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
