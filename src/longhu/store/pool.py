"""Connections that are lent to one thread at a time, and used again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from longhu.store.errors import Unusable

C = TypeVar("C")


class Pool(Generic[C]):
    """As many connections as are in use at once; some are kept open for the next."""

    def __init__(
        self,
        connect: Callable[[], C],
        disconnect: Callable[[C], object],
        is_alive: Callable[[C], bool] = lambda _: True,
        *,
        kept: int = 8,
    ) -> None:
        self._connect, self._disconnect, self._is_alive, self._kept = connect, disconnect, is_alive, kept
        self._idle: list[C] = []
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def lent(self) -> Iterator[C]:
        """A connection for a moment; one that met an error, or was lost meanwhile, is not used again."""
        connection = self._idle_one()
        while connection is not None and not self._is_alive(connection):
            self._disconnect(connection)
            connection = self._idle_one()
        if connection is None:
            connection = self._connect()
        try:
            yield connection
        except BaseException:
            self._disconnect(connection)
            raise
        with self._lock:
            if not self._closed and len(self._idle) < self._kept:
                self._idle.append(connection)
                return
        self._disconnect(connection)

    def _idle_one(self) -> C | None:
        with self._lock:
            if self._closed:
                raise Unusable("the store is closed. Open it again.")
            return self._idle.pop() if self._idle else None

    def close(self) -> None:
        with self._lock:
            self._closed, idle = True, self._idle
            self._idle = []
        for connection in idle:
            self._disconnect(connection)
