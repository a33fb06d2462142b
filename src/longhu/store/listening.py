"""What happens in a PostgreSQL database, as its server tells those who listen."""

from __future__ import annotations

import hashlib
import selectors
import socket
import threading
from collections.abc import Callable, Sequence
from types import TracebackType

import msgspec
import psycopg
from psycopg import sql

from longhu.store.connecting import Connection
from longhu.store.interface import Wake

LONGEST = 7_900  # bytes of a piece: the server takes less than 8,000
RESTS = 0.02  # seconds, after something was told: what comes meanwhile is told together
AGAIN_FIRST, AGAIN_MOST = 0.1, 2.0  # seconds before a lost connection is made anew

Stands = tuple[str, int]  # a trail, and its last sequence


def channel(schema: str) -> str:
    """What the stores of one schema listen to; a channel has a short name, and is the whole database's."""
    return "longhu_" + hashlib.sha256(schema.encode()).hexdigest()[:32]


def notices(stands: Sequence[Stands]) -> list[str]:
    """What is sent there when trails stand at sequences: in one piece, where that is not too long.

    >>> notices([("T1", 7), ("T2", 9)])
    ['[["T1",7],["T2",9]]']
    """
    told = msgspec.json.encode(stands)
    if len(told) <= LONGEST:
        return [told.decode()]
    half = len(stands) // 2
    return notices(stands[:half]) + notices(stands[half:])


def _read(told: str) -> list[Stands]:
    """What such a piece says. Anybody may send there: what cannot be read says that some may have been missed."""
    try:
        return msgspec.json.decode(told, type=list[Stands])
    except msgspec.MsgspecError:
        return [("", 0)]


class Listening:
    """A thread that tells what is appended, while it is entered.

    When this is entered it listens already, if the server can be reached at all. A connection that was lost is made anew,
    and then `("", 0)` is told.
    """

    def __init__(self, wake: Wake, connect: Callable[[], Connection], schema: str) -> None:
        self._wake, self._connect, self._channel = wake, connect, channel(schema)
        self._tried, self._stopping = threading.Event(), threading.Event()
        self._stop, self._stopped = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="longhu-changes", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()
        self._tried.wait()

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._stopping.set()
        self._stop.send(b".")
        self._thread.join()
        self._stop.close()
        self._stopped.close()

    def _run(self) -> None:
        again = AGAIN_FIRST
        while not self._stopping.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(sql.SQL("listen {}").format(sql.Identifier(self._channel)))
                    if self._tried.is_set():
                        self._wake("", 0)
                    self._tried.set()
                    again = AGAIN_FIRST
                    self._listen(connection)
            except psycopg.Error:
                self._tried.set()
                self._stopping.wait(again)
                again = min(2 * again, AGAIN_MOST)
            finally:  # whatever it was, nobody waits for it
                self._tried.set()

    def _listen(self, connection: Connection) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            selector.register(self._stopped, selectors.EVENT_READ)
            while not self._stopping.is_set():
                stands: dict[str, int] = {}
                for told in connection.notifies(timeout=0):
                    stands.update(_read(told.payload))
                for trail, last in stands.items():
                    self._wake(trail, last)
                self._stopping.wait(RESTS)
                selector.select()
