"""Group commit: one thread takes whatever arrived while the last commit was on its way, and commits it together.

A durable commit is one sync of the disk. Alone, an append waits for one; under load, hundreds share it.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from types import TracebackType
from typing import NamedTuple

from longhu.store.entries import Append, Appended, Duplicate
from longhu.store.errors import StoreError, Unusable, Unwritten
from longhu.store.interface import Store

BATCH = 500  # appends in one commit
WAITING = 10_000  # appends that may wait; more are turned away, so that memory stays bounded

Done = Appended | Duplicate
Told = Callable[[Done | StoreError], None]


class Waiting(NamedTuple):
    """An append that was handed in, and who is told what became of it."""

    append: Append
    told: Told
    future: Future[Done] | None = None  # may be given up before its turn


class Writer:
    """Whoever gets an answer from it has a durable append; anything else is an error that says what to do."""

    def __init__(self, store: Store, *, batch: int = BATCH, waiting: int = WAITING) -> None:
        self._store, self._batch, self._waiting_max = store, batch, waiting
        self._waiting: deque[Waiting] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._unusable = ""
        self._thread = threading.Thread(target=self._run, name="longhu-writer", daemon=True)
        self._thread.start()

    def submit(self, append: Append) -> Future[Done]:
        """Hand in an append; the future has its result, or its error, once the commit is over."""
        future: Future[Done] = Future()
        self._hand_in(Waiting(append, partial(_settle, future), future))
        return future

    def tell(self, append: Append, told: Told) -> None:
        """The same with less ado: `told` is called once, by the writer's own thread, and must not take long."""
        self._hand_in(Waiting(append, told))

    def _hand_in(self, waiting: Waiting) -> None:
        with self._changed:
            if self._unusable or self._closing:
                raise Unusable(self._unusable or "the writer is closed. Nothing was written.")
            if len(self._waiting) >= self._waiting_max:
                raise Unwritten(
                    f"{len(self._waiting)} appends are waiting for the disk. Nothing was written; ask again."
                )
            self._waiting.append(waiting)
            self._changed.notify()

    def append(self, append: Append) -> Done:
        """Append, and wait until it is durable."""
        return self.submit(append).result()

    async def appended(self, append: Append) -> Done:
        """The same for an event loop. Giving up the wait does not take the append back."""
        return await asyncio.shield(asyncio.wrap_future(self.submit(append)))

    def close(self) -> None:
        """Commit what has been handed in, and take nothing more."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _run(self) -> None:
        while batch := self._taken():
            try:
                results = self._store.commit([each.append for each in batch])
            except StoreError as error:
                self._fail(batch, error)
            except Exception as error:  # a defect of the store: nobody may take it for an answer
                told = Unusable(f"the store failed in a way that it should not: {error!r}. Open it again.")
                told.__cause__ = error
                self._fail(batch, told)
            else:
                for each, result in zip(batch, results, strict=True):
                    each.told(result)

    def _taken(self) -> list[Waiting]:
        """Everything that has arrived; empty once the writer is closed and nothing is left."""
        while True:
            with self._changed:
                while not self._waiting and not self._closing:
                    self._changed.wait()
                if not self._waiting:
                    return []
                taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), self._batch))]
            if wanted := _still_wanted(taken):
                return wanted

    def _fail(self, batch: list[Waiting], error: StoreError) -> None:
        """Everybody in the batch is told; after an error that ends the store, everybody who waits is told as well."""
        if isinstance(error, Unusable):
            with self._changed:
                self._unusable = str(error)
                batch = [*batch, *_still_wanted(self._waiting)]
                self._waiting.clear()
        for each in batch:
            told = type(error)(*error.args)  # one each: an exception collects the places where it was raised
            told.__cause__ = error
            each.told(told)


def _still_wanted(taken: Iterable[Waiting]) -> list[Waiting]:
    """Without those that were given up before their turn."""
    return [each for each in taken if each.future is None or each.future.set_running_or_notify_cancel()]


def _settle(future: Future[Done], result: Done | StoreError) -> None:
    if isinstance(result, StoreError):
        future.set_exception(result)
    else:
        future.set_result(result)
