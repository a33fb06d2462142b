"""A process of its own that commits: what the loop hands in is written there, and the loop goes on meanwhile.

A commit takes the interpreter for about as long as it took to decide what is committed. In a thread it would take that time from
the loop, and wait for it at every statement; in a process it takes another core. Appends go there as bytes, in order, and come back
as results, in the same order. Whatever has arrived there is committed together.

Where the process ends, what it had not answered is `Unwritten`: it may have been written all the same, and asking again with the
same command id is right in both cases. Another process takes its place, and so it does for one that says nothing for too long: that
one is ended first. Where this process ends, the other ends as well: at once
where the system can do that, and else before its next commit. So nobody is left who writes beside the next server.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain

from longhu.store.backends import store_at
from longhu.store.entries import Append
from longhu.store.errors import StoreError, Unusable, Unwritten
from longhu.store.interface import Result, Store
from longhu.store.letters import answer, message, read_answer, read_appends, request, whole
from longhu.store.writer import BATCH, WAITING, Done, ToldAll, Waiting, again

CHUNK = 1 << 16  # bytes that are read at once: for many more, the system would have to find room each time
ENOUGH = 1 << 19  # bytes that have arrived, before they are committed: a few rounds that were settled at one moment
ROOM = 4 << 20  # bytes that may lie between the two
GARBAGE = 50_000  # objects more than before, between two looks at the young ones
END_WITH_PARENT = 1  # what Linux calls PR_SET_PDEATHSIG
ENDS = 10.0  # seconds for the process to end
ANSWERS = 45.0  # seconds for an answer: PostgreSQL is given up before that, and who says nothing until then hangs
LOOKS = 5.0  # seconds between two looks at how long somebody has waited
AGAIN, AGAIN_MOST = 0.25, 4.0  # seconds before a process is started in the place of one that did not open the store


class Scribe(asyncio.Protocol):
    """The process, for those who hand in. All of it belongs to one event loop."""

    def __init__(self, address: str, answers: float = ANSWERS) -> None:
        self._address, self._loop, self._answers_within = address, asyncio.get_running_loop(), answers
        self._waiting: deque[Waiting] = deque()  # handed in and not answered, in order
        self._count = 0  # appends of them
        self._unusable = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._unread = b""
        self._is_ready = False  # has the process opened the store?
        self._opened = asyncio.Event()  # has any, or will none ever?
        self._again = AGAIN  # seconds, before the next is started
        self._heard = 0.0  # when the process last said something, or had nothing to say
        self._looking: asyncio.TimerHandle | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._starting: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, address: str, answers: float = ANSWERS) -> Scribe:
        """A process that takes appends at once, and writes them when it has opened the store."""
        scribe = cls(address, answers)
        await scribe._start()
        scribe._look()
        return scribe

    async def opened(self) -> None:
        """Wait until it has; what keeps it from that is raised."""
        await self._opened.wait()
        if self._unusable:
            raise Unusable(self._unusable)

    @property
    def is_writing(self) -> bool:
        """Is there a process that has opened the store?"""
        return self._is_ready and not self._unusable

    @property
    def process(self) -> int | None:
        """The number of the process, once it was started."""
        return None if self._process is None else self._process.pid

    async def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            for end in (ours, theirs):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
            # a group of its own: Ctrl-C is for this process, which then ends the other
            asked = [sys.executable, "-m", __name__, str(os.getpid())]
            self._process = subprocess.Popen(asked, stdin=theirs.fileno(), process_group=0)
        self._unread, self._is_ready, self._heard = b"", False, self._loop.time()
        transport, _ = await self._loop.create_unix_connection(lambda: self, sock=ours)
        self._transport = transport
        self._transport.write(message(self._address.encode()))  # not as an argument: it may have a password
        for each in self._waiting:
            self._transport.write(request(each.appends))

    # ------------------------------------------------ handing in

    def tell_all(self, appends: Sequence[Append], told: ToldAll) -> None:
        """Hand in appends: they are written in order and in one commit, and `told` is called with all results at once."""
        if self._unusable:
            raise Unusable(self._unusable)
        if self._count >= WAITING:
            raise Unwritten(f"{self._count} appends are waiting for the disk. Nothing was written; ask again.")
        if not self._waiting:
            self._heard = self._loop.time()
        self._waiting.append(Waiting(appends, told))
        self._count += len(appends)
        self._idle.clear()
        if self._transport is not None:
            self._transport.write(request(appends))

    async def appended(self, append: Append) -> Done:
        """Append, and wait until it is durable. Giving up the wait does not take the append back."""
        future: asyncio.Future[Done] = self._loop.create_future()
        self.tell_all((append,), partial(_settle, future))
        return await future

    async def ended(self) -> None:
        """Commit what has been handed in, and take nothing more."""
        self._unusable = self._unusable or "the writer is closed. Nothing was written."
        await self._idle.wait()
        if self._starting is not None:
            await self._starting
        if self._looking is not None:
            self._looking.cancel()
        if self._transport is not None:
            self._transport.close()
        if self._process is not None:
            await asyncio.to_thread(_end, self._process)

    # ------------------------------------------------ what comes back

    def data_received(self, data: bytes) -> None:
        self._heard = self._loop.time()
        messages, self._unread = whole(self._unread + data)
        for each in messages:
            if self._is_ready:
                self._answered(each)
            else:
                self._is_open(each)

    def _is_open(self, wrong: bytes) -> None:
        """The first message tells what keeps the process from opening the store; nothing, where it has."""
        self._is_ready = not wrong
        if not wrong:
            self._opened.set()
            self._again = AGAIN
        elif not self._opened.is_set():
            self._give_up(wrong.decode())
        else:  # it was opened before, and may be again: a server is started anew, or the disk has room
            self._fail(Unwritten(f"{wrong.decode()} Nothing was written; ask again."))

    def _answered(self, body: bytes) -> None:
        waiting = self._waiting.popleft()
        self._count -= len(waiting.appends)
        results = read_answer(waiting.appends, body)
        if not self._waiting:
            self._idle.set()
        waiting.told(results)
        for each in results:
            if type(each) is Unusable:
                self._give_up(str(each))

    def connection_lost(self, exc: Exception | None) -> None:
        """The process has ended: another goes on, where one has opened the store before."""
        del exc
        was_ready, self._is_ready, self._transport = self._is_ready, False, None
        if self._unusable:
            self._fail(Unusable(self._unusable))
        elif not self._opened.is_set():
            self._give_up("the process that writes does not start. Look at what it says, and start again.")
        else:
            self._fail(Unwritten("the process that writes has ended. It may have been written; ask again."))
            self._starting = self._loop.create_task(self._start_again(0.0 if was_ready else self._again))

    async def _start_again(self, wait: float) -> None:
        """At once where the last one wrote, and after a while where it did not even open the store."""
        if wait:
            self._again = min(2 * wait, AGAIN_MOST)
            await asyncio.sleep(wait)
        try:
            if self._process is not None:
                await asyncio.to_thread(_end, self._process)
            await self._start()
        except OSError as error:
            self._fail(Unwritten(f"no process can be started that writes: {error}. Nothing was written; ask again."))
            if not self._unusable:
                self._starting = self._loop.create_task(self._start_again(self._again))

    def _look(self) -> None:
        """Whoever is asked and says nothing for too long is ended: another may do better."""
        silent = self._loop.time() - self._heard
        if (
            self._waiting
            and self._transport is not None
            and self._process is not None
            and silent > self._answers_within
        ):
            self._process.kill()
        self._looking = self._loop.call_later(min(LOOKS, self._answers_within / 4), self._look)

    def _give_up(self, why: str) -> None:
        """An error that ends the store: everybody who waits is told, and nobody may hand in any more."""
        self._unusable = why
        self._opened.set()
        self._fail(Unusable(why))

    def _fail(self, error: StoreError) -> None:
        waiting, self._waiting, self._count = self._waiting, deque(), 0
        self._idle.set()
        for each in waiting:
            each.told([again(error) for _ in each.appends])


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(ENDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _settle(future: asyncio.Future[Done], results: Sequence[Result]) -> None:
    (result,) = results
    if future.done():  # nobody waits any more
        return
    if isinstance(result, StoreError):
        future.set_exception(result)
    else:
        future.set_result(result)


# ------------------------------------------------ the process itself


def _committed(store: Store, groups: Sequence[Sequence[Append]]) -> Iterator[bytes]:
    """An answer to each group; all of them are in one commit."""
    batch = [append for group in groups for append in group]
    results: Sequence[Result]
    try:
        results = store.commit(batch)
    except StoreError as error:
        results = [error] * len(batch)
    except Exception as error:  # a defect of the store: nobody may take it for an answer
        told = f"the store failed in a way that it should not: {error!r}. Open it again."
        results = [Unusable(told)] * len(batch)
    first = 0
    for group in groups:
        yield answer(group, results[first : first + len(group)])
        first += len(group)


def _requests(connection: socket.socket) -> Iterator[list[bytes]]:
    """What has arrived, message by message, until nobody is at the other end."""
    unread = b""
    while data := connection.recv(CHUNK):
        arrived, size = [unread, data], len(unread) + len(data)
        while len(data) == CHUNK and size < ENOUGH:  # there is more
            try:
                data = connection.recv(CHUNK, socket.MSG_DONTWAIT)
            except BlockingIOError:
                break
            arrived.append(data)
            size += len(data)
        messages, unread = whole(b"".join(arrived))
        if messages:
            yield messages


def _batches(groups: Sequence[Sequence[Append]]) -> Iterator[list[Sequence[Append]]]:
    """As many as a commit should have, or a single one that is larger."""
    batch: list[Sequence[Append]] = []
    for each in groups:
        if batch and sum(map(len, batch)) + len(each) > BATCH:
            yield batch
            batch = []
        batch.append(each)
    if batch:
        yield batch


def main() -> None:
    for each in (signal.SIGINT, signal.SIGTERM):  # whoever hands in says when it is over
        signal.signal(each, signal.SIG_IGN)
    if sys.platform == "linux":
        # of a parent that has ended before this, the system tells nothing: `_is_orphan` asks
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL)
    parent, connection = int(sys.argv[1]), socket.socket(fileno=0)
    with suppress(OSError):  # whoever handed in is no more
        _serve(connection, parent)


def _serve(connection: socket.socket, parent: int) -> None:
    arrived = _requests(connection)
    address, *rest = next(arrived, [b""])
    if not address or _is_orphan(parent):
        return
    try:
        store = store_at(address.decode())
    except StoreError as error:
        connection.sendall(message(str(error).encode()))
        return
    with closing(store):
        connection.sendall(message(b""))
        gc.freeze()
        gc.set_threshold(GARBAGE, 20, 50)
        for messages in chain([rest], arrived):
            if _is_orphan(parent):
                return
            _answer(connection, store, messages)


def _is_orphan(parent: int) -> bool:
    """Has the process ended for which this one writes? What it handed in was never acknowledged, and another may be at work."""
    return os.getppid() != parent


def _answer(connection: socket.socket, store: Store, messages: Sequence[bytes]) -> None:
    for batch in _batches([read_appends(each) for each in messages]):
        connection.sendall(b"".join(_committed(store, batch)))


if __name__ == "__main__":
    main()
