"""Group commit: one thread takes whatever arrived while the last commit was on its way, and commits it together.

A durable commit is one sync of the disk. Alone, an append waits for one; under load, hundreds share it.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from types import TracebackType

from longhu.store.entries import Append, Appended, Duplicate
from longhu.store.errors import StoreError, Unusable, Unwritten
from longhu.store.interface import Result, Store

BATCH = 500  # appends in one commit
WAITING = 10_000  # appends that may wait; more are turned away, so that memory stays bounded

Done = Appended | Duplicate


class Writer:
    """Whoever gets an answer from it has a durable append; anything else is an error that says what to do."""

    def __init__(self, store: Store, *, batch: int = BATCH, waiting: int = WAITING) -> None:
        self._store, self._batch, self._waiting_max = store, batch, waiting
        self._waiting: deque[tuple[Append, Future[Done]]] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._unusable = ""
        self._thread = threading.Thread(target=self._run, name="longhu-writer", daemon=True)
        self._thread.start()

    def submit(self, append: Append) -> Future[Done]:
        """Hand in an append; the future has its result, or its error, once the commit is over."""
        future: Future[Done] = Future()
        with self._changed:
            if self._unusable or self._closing:
                raise Unusable(self._unusable or "the writer is closed. Nothing was written.")
            if len(self._waiting) >= self._waiting_max:
                raise Unwritten(
                    f"{len(self._waiting)} appends are waiting for the disk. Nothing was written; ask again."
                )
            self._waiting.append((append, future))
            self._changed.notify()
        return future

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
                results = self._store.commit([append for append, _ in batch])
            except StoreError as error:
                self._fail(batch, error)
            except Exception as error:  # a defect of the store: nobody may take it for an answer
                told = Unusable(f"the store failed in a way that it should not: {error!r}. Open it again.")
                told.__cause__ = error
                self._fail(batch, told)
            else:
                _answer(batch, results)

    def _taken(self) -> list[tuple[Append, Future[Done]]]:
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

    def _fail(self, batch: list[tuple[Append, Future[Done]]], error: StoreError) -> None:
        """Everybody in the batch is told; after an error that ends the store, everybody who waits is told as well."""
        if isinstance(error, Unusable):
            with self._changed:
                self._unusable = str(error)
                batch = [*batch, *_still_wanted(self._waiting)]
                self._waiting.clear()
        for _, future in batch:
            told = type(error)(*error.args)  # one each: an exception collects the places where it was raised
            told.__cause__ = error
            future.set_exception(told)


def _still_wanted(taken: Iterable[tuple[Append, Future[Done]]]) -> list[tuple[Append, Future[Done]]]:
    """Without those that were given up before their turn."""
    return [(append, future) for append, future in taken if future.set_running_or_notify_cancel()]


def _answer(batch: list[tuple[Append, Future[Done]]], results: list[Result]) -> None:
    for (_, future), result in zip(batch, results, strict=True):
        if isinstance(result, StoreError):
            future.set_exception(result)
        else:
            future.set_result(result)
