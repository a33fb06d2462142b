"""Sessions: the browser holds a random token of 256 bits, the server its digest (SEC-2).

A session ends when it was not used for a while, when it has lasted long enough, or when somebody ends it. A session that was read is
cached for some seconds, and dropped once another node has written to that person's stream. Sessions of open sockets are refreshed
ahead of time in one query: otherwise the next wager of everybody in a full room would wait for a query of its own.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

import msgspec
from msgspec.structs import replace

from longhu.accounts.policy import Policy
from longhu.accounts.times import DAY, HOUR, MINUTE, SECOND
from longhu.store.entries import Session
from longhu.store.interface import Store

TOKEN_BYTES = 32
BELIEVED = 10 * SECOND  # before the store is asked again,
AHEAD = 5 * SECOND  # and before it is asked for all who are there
CACHED_MAX = 20_000
FORGOTTEN_AFTER = 30 * DAY  # what the trail says of a session stays; the rest does not
NOTE_MAX = 200  # of an address or a browser's name for itself

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class Fresh(msgspec.Struct, frozen=True):
    """A session that was just made, with the token that nobody else has."""

    token: str
    session: Session

    def __repr__(self) -> str:
        """Without the token: a log line must not have it."""
        return f"Fresh({self.session!r})"


def digest_of(token: str) -> str:
    """What is kept of a token; "" for something that is none."""
    return hashlib.sha256(token.encode()).hexdigest() if _TOKEN.fullmatch(token) else ""


def device_of(token: str, person: str) -> str:
    """What somebody's account knows of a device, by what its browser keeps; "" for something that is none.

    Another account knows the same device as something else: nobody learns from two trails who shares one.
    """
    return hashlib.sha256(f"{person}:{token}".encode()).hexdigest()[:32] if _TOKEN.fullmatch(token) else ""


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def id_of(digest: str) -> str:
    """What the trail calls a session."""
    return digest[:32]


class Sessions:
    """All sessions, as this node knows them."""

    def __init__(self, store: Store, policy: Policy) -> None:
        self._store = store
        self._idle, self._longest = policy.idle_minutes * MINUTE, policy.session_hours * HOUR
        self._written_every = min(MINUTE, self._idle // 4)  # seconds of use need not be durable
        self.cached: OrderedDict[str, tuple[Session, int]] = OrderedDict()  # with the time when it was read
        self._digests: dict[str, set[str]] = {}  # those that are cached, by person
        self._uses, self._finds = BatchLoader(self._note), BatchLoader(self._found)
        self._reading: dict[str, asyncio.Task[Session | None]] = {}  # whoever asks meanwhile gets the same answer

    def new(self, person: str, at: int, address: str, agent: str) -> Fresh:
        """A token and its session, not kept yet."""
        token = new_token()
        session = Session(
            digest=digest_of(token),
            person=person,
            created=at,
            seen=at,
            until=at + min(self._idle, self._longest),
            ended=0,
            csrf=new_token(),
            address=address[:NOTE_MAX],
            agent=agent[:NOTE_MAX],
        )
        return Fresh(token, session)

    async def keep(self, session: Session) -> None:
        await asyncio.to_thread(self._store.keep_session, session)
        self._cache(session, session.created)

    async def find(self, digest: str, at: int) -> Session | None:
        """The session, be it open or over; what was read a moment ago is not read again."""
        cached = self.cached.get(digest)
        if cached is not None and cached[1] <= at < cached[1] + BELIEVED:
            return cached[0]
        return await self._read(digest, at) if digest else None

    async def _read(self, digest: str, at: int) -> Session | None:
        reading = self._reading.get(digest)
        if reading is None:
            reading = self._reading[digest] = asyncio.create_task(self._read_one(digest, at))
        return await asyncio.shield(reading)  # somebody may give up; others wait for it as well

    async def _read_one(self, digest: str, at: int) -> Session | None:
        read = self._read_at(digest)
        try:
            found = await self._finds.ask(digest)
            if self._reading.get(digest) is not asyncio.current_task() or self._read_at(digest) != read:
                return found  # changed or read meanwhile: true for those who had asked, and for nobody else
            if found is None:
                self._drop(digest)
                return None
            return self._read_again(found, at)
        finally:
            if self._reading.get(digest) is asyncio.current_task():
                del self._reading[digest]

    def _found(self, digests: Sequence[str]) -> Sequence[Session | None]:
        """The sessions of all who came at one moment, as after a restart."""
        found = {each.digest: each for each in self._store.sessions_under(digests)}
        return [found.get(digest) for digest in digests]

    async def read_ahead(self, digests: Iterable[str], at: int) -> None:
        """Read again what will soon be believed no more, in one question."""
        aged = {
            digest: cached[1]
            for digest in digests
            if (cached := self.cached.get(digest)) is not None and not cached[1] <= at < cached[1] + AHEAD
        }
        if not aged:
            return
        found = {each.digest: each for each in await asyncio.to_thread(self._store.sessions_under, list(aged))}
        for digest, read in aged.items():
            if self._read_at(digest) != read:
                continue  # forgotten meanwhile, or read by somebody else
            if digest in found:
                self._read_again(found[digest], at)
            else:
                self._drop(digest)

    def _read_again(self, found: Session, at: int) -> Session:
        known = self.known(found.digest)
        if known is not None and not found.ended and known.until > found.until:
            found = replace(found, seen=known.seen, until=known.until)  # used since it was last written
        self._cache(found, at)
        return found

    def _read_at(self, digest: str) -> int | None:
        cached = self.cached.get(digest)
        return cached[1] if cached is not None else None

    def known(self, digest: str) -> Session | None:
        """As it was last read, or used."""
        cached = self.cached.get(digest)
        return cached[0] if cached is not None else None

    def unasked_until(self, digest: str) -> int:
        """Until when a session is good without a question to the store, and its use without a note there; 0 where it is not."""
        cached = self.cached.get(digest)
        if cached is None or cached[0].ended:
            return 0
        session, read = cached
        last = session.until >= session.created + self._longest  # nothing makes it longer
        noted = session.until if last else session.seen + self._written_every
        return min(read + BELIEVED, session.until, noted)

    async def used(self, session: Session, at: int) -> Session:
        """Somebody was there: the session goes on. Written down once in a while."""
        until = min(at + self._idle, session.created + self._longest)
        if at - session.seen < self._written_every or until <= session.until:
            return session
        after = replace(session, seen=at, until=until)
        self._cache(after, self.cached[session.digest][1] if session.digest in self.cached else at)
        await self._uses.ask(after)
        return after

    def _note(self, used: Sequence[Session]) -> Sequence[None]:
        """Write down who was there, all who came at one moment together."""
        self._store.touch_sessions(used)
        return [None] * len(used)

    async def end(self, session: Session, at: int) -> None:
        with self._unbelieved(session.person):
            await asyncio.to_thread(self._store.end_session, session.digest, at)

    async def end_all(self, person: str, at: int, but: str = "") -> int:
        """End every session of somebody but one, by its digest."""
        with self._unbelieved(person):
            return await asyncio.to_thread(self._store.end_sessions, person, at, but)

    @contextmanager
    def _unbelieved(self, person: str) -> Iterator[None]:
        """What is known of somebody's sessions is asked for again, and so is what is read while it changes."""
        self.forget(person)
        try:
            yield
        finally:
            self.forget(person)

    async def of(self, person: str) -> list[Session]:
        return await asyncio.to_thread(self._store.sessions, person)

    def lasting(self, person: str, at: int) -> int:
        """How many sessions of somebody are known here to last."""
        known = [self.cached[digest][0] for digest in self._digests.get(person, ())]
        return sum(not each.ended and at < each.until for each in known)

    def forget(self, person: str = "") -> None:
        """Another node may have ended one: ask the store again. What is being read may be of before that."""
        self._reading.clear()
        for digest in list(self._digests.get(person, ()) if person else self.cached):
            self._drop(digest)

    async def tidy(self, at: int) -> int:
        """Keep nothing of sessions that ended long ago."""
        return await asyncio.to_thread(self._store.forget_sessions, at - FORGOTTEN_AFTER)

    def _cache(self, session: Session, at: int) -> None:
        self.cached[session.digest] = (session, at)
        self.cached.move_to_end(session.digest)
        self._digests.setdefault(session.person, set()).add(session.digest)
        if len(self.cached) > CACHED_MAX:
            self._drop(next(iter(self.cached)))

    def _drop(self, digest: str) -> None:
        dropped = self.cached.pop(digest, None)
        if dropped is not None:
            person = dropped[0].person
            self._digests[person].discard(digest)
            if not self._digests[person]:
                del self._digests[person]


# ------------------------------------------------ reads in batches

Q = TypeVar("Q")
A = TypeVar("A")
MOST = 500  # questions in one


class BatchLoader(Generic[Q, A]):
    """Reads of one kind, batched: those that arrive while a read is running are made together, by one thread.

    A read takes a thread, which takes the interpreter from the loop and gives it back several times. Hundreds of them at one
    moment, as when everybody reconnects after a pause of the network, would hold up everything else. A loader belongs to one event
    loop, but for `answer`, which runs in the thread and answers many questions at once.
    """

    def __init__(self, answer: Callable[[Sequence[Q]], Sequence[A]]) -> None:
        self._answer = answer
        self._asked: list[tuple[Q, asyncio.Future[A]]] = []
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, question: Q) -> A:
        answered: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._asked.append((question, answered))
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask_all())
        return await answered

    async def _ask_all(self) -> None:
        while self._asked:
            some, self._asked = self._asked[:MOST], self._asked[MOST:]
            waiting = [each for each in some if not each[1].done()]  # but for those who have given up
            try:
                answers = await asyncio.to_thread(self._answer, [question for question, _ in waiting])
            except Exception as error:
                for _, answered in waiting:
                    if not answered.done():
                        answered.set_exception(error)
                continue
            for (_, answered), answer in zip(waiting, answers, strict=True):
                if not answered.done():
                    answered.set_result(answer)
