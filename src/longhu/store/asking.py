"""How a store asks its database: short questions, and long answers so many rows at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Generic, Protocol, TypeVar

from longhu.store.errors import Missing
from longhu.store.validation import LARGEST, storable

CHUNK = 500  # rows held in memory while a long answer is read
MOST = 1000  # rows of an answer that is held in memory as a whole
Row = tuple[Any, ...]


class Conversation(Protocol):
    """A conversation with a database. Parameters stand as `?` in a question."""

    def ask(self, sql: str, *parameters: object) -> list[Row]: ...

    def run(self, sql: str, *parameters: object) -> None: ...


C = TypeVar("C", bound=Conversation)


class Asking(ABC, Generic[C]):
    """Whatever is kept in a database."""

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


def no_table(table: str) -> Missing:
    return Missing(
        f"there is no table or trail {table[:80]!r} in this store. `tables` and `trails` list those that are."
    )
