"""Access to a database: pooled connections, short queries, long results read in chunks, and migrations of its schema."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.resources import files
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from longhu.store.errors import NotFound, SchemaTooNew, StoreUnusable
from longhu.store.validation import LARGEST, storable

CHUNK = 500  # rows held in memory while a long answer is read
MOST = 1000  # rows of an answer that is held in memory as a whole
Row = tuple[Any, ...]


class Conversation(Protocol):
    """A conversation with a database. Parameters stand as `?` in a question."""

    def ask(self, sql: str, *parameters: object) -> list[Row]: ...

    def run(self, sql: str, *parameters: object) -> None: ...


C = TypeVar("C", bound=Conversation)
T = TypeVar("T")


class Pool(Generic[T]):
    """As many connections as are in use at once; some are kept open for the next."""

    def __init__(
        self,
        connect: Callable[[], T],
        disconnect: Callable[[T], object],
        is_alive: Callable[[T], bool] = lambda _: True,
        *,
        kept: int = 8,
    ) -> None:
        self._connect, self._disconnect, self._is_alive, self._kept = connect, disconnect, is_alive, kept
        self._idle: list[T] = []
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def lent(self) -> Iterator[T]:
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

    def _idle_one(self) -> T | None:
        with self._lock:
            if self._closed:
                raise StoreUnusable("the store is closed. Open it again.")
            return self._idle.pop() if self._idle else None

    def close(self) -> None:
        with self._lock:
            self._closed, idle = True, self._idle
            self._idle = []
        for connection in idle:
            self._disconnect(connection)


class Database(ABC, Generic[C]):
    """A database that can be asked and written to."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Conversation]:
        """A moment in which to ask; no snapshot is held between two questions."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[C]:
        """A durable transaction."""

    def _answer(self, question: str, *parameters: object) -> list[Row]:
        """Nothing has a name or a number that cannot be stored."""
        if not all(map(_findable, parameters)):
            return []
        with self._reading() as asking:
            return asking.ask(question, *parameters)

    def _changed(self, statement: str, *parameters: object) -> int:
        """How many rows were changed; nothing has a name that cannot be stored."""
        if not all(storable(each) for each in parameters if isinstance(each, str)):
            return 0
        with self._writing() as writing:
            return len(writing.ask(statement, *parameters))

    def _chunks(self, question: str, fixed: Row, start: Row, place: Callable[[Row], Row]) -> Iterator[Row]:
        """A long answer, so many rows at a time; each question starts behind the last row of the one before."""
        while True:
            rows = self._answer(question, *fixed, *start, CHUNK)
            yield from rows
            if len(rows) < CHUNK:
                return
            start = place(rows[-1])


def _findable(parameter: object) -> bool:
    if isinstance(parameter, int):
        return -LARGEST <= parameter <= LARGEST
    return not isinstance(parameter, str) or storable(parameter)


def no_table(table: str) -> NotFound:
    return NotFound(
        f"there is no table or trail {table[:80]!r} in this store. `tables` and `trails` list those that are."
    )


# ------------------------------------------------ migrations: numbered scripts, each applied once, in a transaction of its own


class Script(msgspec.Struct, frozen=True):
    """One step from an older shape to a newer one."""

    number: int
    name: str
    text: str


def scripts(backend: str) -> list[Script]:
    """The scripts that this program knows, in order."""
    folder = files("longhu.store") / "scripts" / backend
    found = sorted((each for each in folder.iterdir() if each.name.endswith(".sql")), key=lambda each: each.name)
    known = [Script(int(each.name[:4]), each.name, each.read_text(encoding="utf-8")) for each in found]
    if [each.number for each in known] != list(range(1, len(known) + 1)):
        raise AssertionError(f"scripts of {backend} are not numbered one after the other")
    return known


def pending(known: list[Script], applied: int, where: str) -> list[Script]:
    """What a database still lacks; `SchemaTooNew` where it has had more than this program knows."""
    if applied > len(known):
        raise SchemaTooNew(
            f"{where} has shape {applied}, and this version of Longhu knows shapes up to {len(known)}. "
            "Start the newer version that changed it, or restore a backup from before."
        )
    return known[applied:]
