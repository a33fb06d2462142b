"""Group commit: one thread takes whatever arrived while the last commit was on its way, and commits it together.

A durable commit is one sync of the disk. Alone, an append waits for one; under load, hundreds share it.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from types import TracebackType
from typing import NamedTuple, Protocol

from longhu.store.entries import Append, Appended, Duplicate
from longhu.store.errors import StoreError, Unusable, Unwritten
from longhu.store.interface import Store

BATCH = 500  # appends in one commit
WAITING = 10_000  # appends that may wait; more are turned away, so that memory stays bounded

Done = Appended | Duplicate
Told = Callable[[Done | StoreError], None]
ToldAll = Callable[[Sequence[Done | StoreError]], None]


class Writing(Protocol):
    """What an event loop asks of a writer: that of its own process, or a process of its own."""

    @property
    def is_writing(self) -> bool:
        """Can it write, as far as is known?"""
        ...

    def tell_all(self, appends: Sequence[Append], told: ToldAll) -> None:
        """Appends are written in order and in one commit, and all results are told at once."""

    async def committed(self, appends: Sequence[Append]) -> Sequence[Done | StoreError]:
        """Commit appends in order and in one transaction; one result for each."""
        ...

    async def appended(self, append: Append) -> Done:
        """Append, and wait until it is durable. Giving up the wait does not take the append back."""
        ...

    async def ended(self) -> None:
        """Commit what has been handed in, and take nothing more."""


class Waiting(NamedTuple):
    """Appends that were handed in together, and who is told what became of them."""

    appends: Sequence[Append]
    told: ToldAll
    future: Future[Done] | None = None  # may be given up before its turn


class Writer:
    """Whoever gets an answer from it has a durable append; anything else is an error that says what to do."""

    def __init__(self, store: Store, *, batch: int = BATCH, waiting: int = WAITING) -> None:
        self._store, self._batch, self._waiting_max = store, batch, waiting
        self._waiting: deque[Waiting] = deque()
        self._count = 0  # appends that wait
        self._changed = threading.Condition()
        self._closing = False
        self._unusable = ""
        self._thread = threading.Thread(target=self._run, name="longhu-writer", daemon=True)
        self._thread.start()

    @property
    def is_writing(self) -> bool:
        return not self._unusable and not self._closing

    def submit(self, append: Append) -> Future[Done]:
        """Hand in an append; the future has its result, or its error, once the commit is over."""
        future: Future[Done] = Future()
        self._hand_in(Waiting((append,), partial(_settle, future), future))
        return future

    def tell(self, append: Append, told: Told) -> None:
        """The same with less ado: `told` is called once, by the writer's own thread, and must not take long."""
        self._hand_in(Waiting((append,), lambda results: told(results[0])))

    def tell_all(self, appends: Sequence[Append], told: ToldAll) -> None:
        """The same for many: they are written in order and in one commit, and all results are told at once."""
        self._hand_in(Waiting(appends, told))

    def _hand_in(self, waiting: Waiting) -> None:
        with self._changed:
            if self._unusable or self._closing:
                raise Unusable(self._unusable or "the writer is closed. Nothing was written.")
            if self._count >= self._waiting_max:
                raise Unwritten(f"{self._count} appends are waiting for the disk. Nothing was written; ask again.")
            self._waiting.append(waiting)
            self._count += len(waiting.appends)
            self._changed.notify()

    def append(self, append: Append) -> Done:
        """Append, and wait until it is durable."""
        return self.submit(append).result()

    async def committed(self, appends: Sequence[Append]) -> Sequence[Done | StoreError]:
        """Commit appends in order and in one transaction; one result for each."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Sequence[Done | StoreError]] = loop.create_future()

        def settle(results: Sequence[Done | StoreError]) -> None:
            if not done.done():
                done.set_result(results)

        def told(results: Sequence[Done | StoreError]) -> None:
            loop.call_soon_threadsafe(settle, results)

        self.tell_all(appends, told)
        return await done

    async def appended(self, append: Append) -> Done:
        """The same for an event loop. Giving up the wait does not take the append back."""
        return await asyncio.shield(asyncio.wrap_future(self.submit(append)))

    def close(self) -> None:
        """Commit what has been handed in, and take nothing more."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    async def ended(self) -> None:
        """The same for an event loop."""
        await asyncio.to_thread(self.close)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _run(self) -> None:
        while batch := self._taken():
            try:
                results = self._store.commit([append for each in batch for append in each.appends])
            except StoreError as error:
                self._fail(batch, error)
            except Exception as error:  # a defect of the store: nobody may take it for an answer
                told = Unusable(f"the store failed in a way that it should not: {error!r}. Open it again.")
                told.__cause__ = error
                self._fail(batch, told)
            else:
                first = 0
                for each in batch:
                    each.told(results[first : first + len(each.appends)])
                    first += len(each.appends)

    def _taken(self) -> list[Waiting]:
        """Everything that has arrived; empty once the writer is closed and nothing is left."""
        while True:
            with self._changed:
                while not self._waiting and not self._closing:
                    self._changed.wait()
                if not self._waiting:
                    return []
                taken = [self._waiting.popleft()]
                count = len(taken[0].appends)
                while self._waiting and count + len(self._waiting[0].appends) <= self._batch:
                    taken.append(self._waiting.popleft())
                    count += len(taken[-1].appends)
                self._count -= count
            if wanted := _still_wanted(taken):
                return wanted

    def _fail(self, batch: list[Waiting], error: StoreError) -> None:
        """Everybody in the batch is told; after an error that ends the store, everybody who waits is told as well."""
        if isinstance(error, Unusable):
            with self._changed:
                self._unusable = str(error)
                batch = [*batch, *_still_wanted(self._waiting)]
                self._waiting.clear()
                self._count = 0
        for each in batch:
            each.told([again(error) for _ in each.appends])


def again(error: StoreError) -> StoreError:
    """One for each who is told: an exception collects the places where it was raised."""
    told = type(error)(*error.args)
    told.__cause__ = error
    return told


def _still_wanted(taken: Iterable[Waiting]) -> list[Waiting]:
    """Without those that were given up before their turn."""
    return [each for each in taken if each.future is None or each.future.set_running_or_notify_cancel()]


def _settle(future: Future[Done], results: Sequence[Done | StoreError]) -> None:
    (result,) = results
    if isinstance(result, StoreError):
        future.set_exception(result)
    else:
        future.set_result(result)
