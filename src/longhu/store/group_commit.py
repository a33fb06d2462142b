"""Group commit: one thread commits together whatever arrived during the commit before.

A durable commit is one sync of the disk. Alone, an append waits for one; under load, hundreds share it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import NamedTuple

from longhu.store.entries import Append, Appended, Duplicate
from longhu.store.errors import CommitFailed, StoreError, StoreUnusable
from longhu.store.interface import Result, Store

BATCH = 500  # appends in one commit
WAITING = 10_000  # appends that may wait; more are turned away, so that memory stays bounded
HANGS = 45.0  # seconds after which a commit counts as hanging: PostgreSQL is given up before that

Callback = Callable[[Sequence[Result]], None]


class _Submission(NamedTuple):
    """Appends that were submitted together, and who is called with their results."""

    appends: Sequence[Append]
    done: Callback


class GroupCommit:
    """A result from here is a durable append, or an error that says what to do."""

    def __init__(self, store: Store, *, batch: int = BATCH, waiting: int = WAITING) -> None:
        self._store, self._batch, self._waiting_max = store, batch, waiting
        self._waiting: deque[_Submission] = deque()
        self._count = 0  # appends that wait
        self._handed_in: list[
            tuple[Sequence[Append], asyncio.Future[Sequence[Result]]]
        ] = []  # by the loop, in this turn
        self._changed = threading.Condition()
        self._closing = False
        self._unusable = ""  # why the store takes nothing more
        self._committing_since: float | None = None
        self._thread = threading.Thread(target=self._run, name="longhu-group-commit", daemon=True)
        self._thread.start()

    @property
    def is_writing(self) -> bool:
        """Can it write? Not after it was closed, on an unusable store, or while the disk hangs."""
        return not self._unusable and not self._closing and not self._hangs

    @property
    def _hangs(self) -> bool:
        since = self._committing_since
        return since is not None and time.monotonic() - since > HANGS

    def submit(self, appends: Sequence[Append], done: Callback) -> None:
        """Commit these in order and in one transaction.

        `done` is called once, in the thread that commits, with one result for each append. It must return quickly.
        """
        with self._changed:
            if self._unusable or self._closing:
                raise StoreUnusable(self._unusable or "the store is closing. Nothing was written.")
            if self._hangs:
                raise CommitFailed(f"the disk has not answered for {HANGS:g} s. Nothing was written; ask again.")
            if self._count >= self._waiting_max:
                raise CommitFailed(f"{self._count} appends are waiting for the disk. Nothing was written; ask again.")
            self._waiting.append(_Submission(appends, done))
            self._count += len(appends)
            self._changed.notify()

    async def commit(self, appends: Sequence[Append]) -> Sequence[Result]:
        """The same for an event loop: wait for the results. Giving up the wait does not take the appends back.

        What several streams hand in during one turn of the loop is one submission, and their results come back together.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Sequence[Result]] = loop.create_future()
        if not self._handed_in:
            loop.call_soon(self._submit_handed_in, loop)
        self._handed_in.append((appends, done))
        return await done

    def _submit_handed_in(self, loop: asyncio.AbstractEventLoop) -> None:
        handed_in, self._handed_in = self._handed_in, []

        def deliver(results: Sequence[Result]) -> None:
            first = 0
            for appends, done in handed_in:
                if not done.done():
                    done.set_result(results[first : first + len(appends)])
                first += len(appends)

        def hand_over(results: Sequence[Result]) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(deliver, results)

        together = [append for appends, _ in handed_in for append in appends]
        try:
            self.submit(together, hand_over)
        except StoreError as error:
            deliver([_copy(error) for _ in together])

    def append(self, append: Append) -> Appended | Duplicate:
        """Append one, and wait until it is durable."""
        future: Future[Appended | Duplicate] = Future()
        future.set_running_or_notify_cancel()
        self.submit([append], partial(_settle, future))
        return future.result()

    def close(self) -> None:
        """Commit what was submitted, and take nothing more."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    async def aclose(self) -> None:
        """The same for an event loop."""
        await asyncio.to_thread(self.close)

    def __enter__(self) -> GroupCommit:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _run(self) -> None:
        while batch := self._next_batch():
            self._committing_since = time.monotonic()
            try:
                results = self._store.commit([append for each in batch for append in each.appends])
            except StoreError as error:
                self._fail(batch, error)
            except Exception as error:  # a defect of the store: nobody may take it for a result
                unusable = StoreUnusable(f"the store has a defect: {error!r}. Open it again.")
                unusable.__cause__ = error
                self._fail(batch, unusable)
            else:
                self._committing_since = None
                first = 0
                for each in batch:
                    _call(each, results[first : first + len(each.appends)])
                    first += len(each.appends)

    def _next_batch(self) -> list[_Submission]:
        """Everything that has arrived, up to the limit; empty once this is closed and nothing is left."""
        with self._changed:
            while not self._waiting and not self._closing:
                self._changed.wait()
            batch: list[_Submission] = []
            count = 0
            while self._waiting and (not batch or count + len(self._waiting[0].appends) <= self._batch):
                batch.append(self._waiting.popleft())
                count += len(batch[-1].appends)
            self._count -= count
            return batch

    def _fail(self, batch: list[_Submission], error: StoreError) -> None:
        """Everybody in the batch gets the error; where the store is unusable, everybody who waits does."""
        self._committing_since = None
        if isinstance(error, StoreUnusable):
            with self._changed:
                self._unusable = str(error)
                batch = [*batch, *self._waiting]
                self._waiting.clear()
                self._count = 0
        for each in batch:
            _call(each, [_copy(error) for _ in each.appends])


def _call(submission: _Submission, results: Sequence[Result]) -> None:
    """A callback that fails is a defect of its caller, and keeps nobody else waiting."""
    try:
        submission.done(results)
    except Exception:
        logging.getLogger(__name__).exception("a callback after a commit failed")


def _copy(error: StoreError) -> StoreError:
    """One for each who raises it: an exception collects the places where it was raised."""
    copy = type(error)(*error.args)
    copy.__cause__ = error
    return copy


def _settle(future: Future[Appended | Duplicate], results: Sequence[Result]) -> None:
    (result,) = results
    if isinstance(result, StoreError):
        future.set_exception(result)
    else:
        future.set_result(result)
