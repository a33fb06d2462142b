"""Somebody at the WebSocket of a table: what they get, what they ask, and the page that they see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.server.patching import patched
from tests.server.running import Client, Running

WAITS = 20.0  # seconds after which a test that waits has failed


class Socket:
    """An open socket, and everything that came over it."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.got: list[dict[str, Any]] = []
        self.view: Any = None

    def next(self) -> dict[str, Any]:
        """The next message; the page has it from then on."""
        told: dict[str, Any] = json.loads(self.connection.recv(WAITS))
        self.got.append(told)
        if told["type"] == "snapshot":
            self.view = told["view"]
        elif "patch" in told:
            self.view = patched(self.view, told["patch"])
        return told

    def until(self, type: str, **fields: Any) -> dict[str, Any]:
        """The next message of a type, with these fields; others are passed over."""
        while True:
            told = self.next()
            if told["type"] == type and all(told.get(name) == value for name, value in fields.items()):
                return told

    def send(self, told: Any) -> None:
        """Anything at all; what is no text is sent as JSON."""
        self.connection.send(told if isinstance(told, str | bytes) else json.dumps(told))

    def ask(self, name: str, id: str = "", **fields: Any) -> dict[str, Any]:
        """Give a command, and wait for its answer."""
        id = id or uuid4().hex
        self.send({"type": "command", "id": id, "command": {"command": name, **fields}})
        while True:
            told = self.next()
            if told.get("id") == id:
                return told

    def closed(self) -> tuple[int, str]:
        """Why the other side closes it; everything until then is passed over."""
        try:
            while True:
                self.next()
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd is not None else (1006, "")


@contextmanager
def at(
    server: Running, table: str, who: Client | None = None, after: int | str | None = None, **headers: str
) -> Iterator[Socket]:
    """A socket of a table, for somebody who is signed in or for a passer-by; `after` may be a whole query."""
    told = {name.replace("_", "-").title(): value for name, value in headers.items()}
    if who is not None:
        told["Cookie"] = who.cookie
    query = after if isinstance(after, str) and "=" in after else f"after={quote(str(after))}"
    address = server.socket_address(table) + ("" if after is None else f"?{query}")
    with connect(address, additional_headers=told, compression=None, max_size=None, open_timeout=WAITS) as connection:
        yield Socket(connection)
