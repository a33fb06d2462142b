"""Notifications of appends, by this process or another: a thread that calls back while the context is open.

A SQLite file is polled; a PostgreSQL server notifies its listeners.
"""

from __future__ import annotations

import hashlib
import selectors
import socket
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

import msgspec

from longhu.store.database import Row
from longhu.store.errors import StoreError, StoreUnusable
from longhu.store.interface import Wake

if TYPE_CHECKING:
    import psycopg

EVERY = 0.2  # seconds between two looks at a file
LONGEST = 7_900  # bytes of a notification: the server takes less than 8,000
RESTS = 0.02  # seconds, after something was told: what comes meanwhile is told together
AGAIN_FIRST, AGAIN_MOST = 0.1, 2.0  # seconds before a lost connection is made anew
Ends = dict[str, int]  # the last sequence of each trail


class Polling:
    """A thread that tells what is appended to a file, by this process or another, while it is entered.

    `last` answers with the number of the last append. `appended` is given such a number, and answers with that of the last now, and where
    the trails stand that something was appended to since.
    """

    def __init__(self, wake: Wake, last: Callable[[], int], appended: Callable[[int], tuple[int, Ends]]) -> None:
        self._wake, self._find_last, self._appended = wake, last, appended
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="longhu-changes", daemon=True)

    def __enter__(self) -> None:
        self._last = self._find_last()
        self._thread.start()

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(EVERY):
            try:
                self._last, ends = self._appended(self._last)
            except StoreUnusable:
                return
            except StoreError:
                continue  # the next look finds it
            for trail, sequence in ends.items():
                self._wake(trail, sequence)


def channel(schema: str) -> str:
    """What the stores of one schema listen to; a channel has a short name, and is the whole database's."""
    return "longhu_" + hashlib.sha256(schema.encode()).hexdigest()[:32]


def notices(stands: Sequence[tuple[str, int]]) -> list[str]:
    """What is sent there when trails stand at sequences: in one piece, where that is not too long.

    >>> notices([("T1", 7), ("T2", 9)])
    ['[["T1",7],["T2",9]]']
    """
    told = msgspec.json.encode(stands)
    if len(told) <= LONGEST:
        return [told.decode()]
    half = len(stands) // 2
    return notices(stands[:half]) + notices(stands[half:])


def _read(told: str) -> list[tuple[str, int]]:
    """What such a piece says. Anybody may send there: what cannot be read says that some may have been missed."""
    try:
        return msgspec.json.decode(told, type=list[tuple[str, int]])
    except msgspec.MsgspecError:
        return [("", 0)]


class Listening:
    """A thread that tells what is appended, while it is entered.

    When this is entered it listens already, if the server can be reached at all. A connection that was lost is made anew,
    and then `("", 0)` is told.
    """

    def __init__(self, wake: Wake, connect: Callable[[], psycopg.Connection[Row]], schema: str) -> None:
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
        import psycopg
        from psycopg import sql

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

    def _listen(self, connection: psycopg.Connection[Row]) -> None:
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
