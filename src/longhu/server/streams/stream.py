"""One stream of events and its runtime: a table, an account, or the house's own log.

A stream holds its committed state and a queue of commands, with one batch in flight. It takes every command that waits, decides them
one after the other on a working value, and appends all of them in one commit. Then the working value becomes the state, and
answers and listeners follow. Commands that arrive meanwhile form the next batch, so load makes batches larger. Answers and
listeners see committed state only. If the commit fails, the working value is dropped and the stream reads on from the store
before it decides again.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from longhu.audit.record import digest
from longhu.eventsourcing import Event, Refusal
from longhu.ledger import Transaction, postings_of
from longhu.messages.message import message_code
from longhu.server.observability import log
from longhu.server.streams.commands import (
    Committed,
    RecentCommands,
    StoreUnavailable,
    TableHalted,
    check_same,
    fingerprint,
)
from longhu.server.streams.projections import Milestones
from longhu.store.entries import Append, Appended, Duplicate, LossLimit, OpenStake, Sealed, StreamHead
from longhu.store.errors import (
    CommitFailed,
    Damaged,
    InsufficientFunds,
    LossLimitExceeded,
    StoreError,
    StoreUnusable,
    WrongExpectedVersion,
)
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Result, Store

NOT_RECORDABLE = message_code("not-recordable", detail="text")
USE_OTHER_WORDS = message_code("use-other-words")

ATTEMPTS = 20  # to commit a command while others append first

S = TypeVar("S")
C = TypeVar("C", bound=msgspec.Struct)
E = TypeVar("E", bound=Event)

Answer = Committed | Refusal | None
LossLimits = Mapping[
    str, tuple[tuple[LossLimit, ...], tuple[OpenStake, ...]]
]  # by person: limits, and stakes at other tables
NO_LIMITS: LossLimits = {}


class Snapshot(NamedTuple, Generic[S]):
    """A stream after a record."""

    sequence: int
    head: str  # the digest of the record
    last_at: int  # milliseconds, UTC
    state: S
    milestones: Milestones = Milestones()  # of a table

    def standing(self, stream: str) -> StreamHead:
        return StreamHead(stream, self.sequence, self.head, self.last_at)


class AppliedEvent(msgspec.Struct, Generic[S], frozen=True):
    """A committed event, the state before and after it, and the money that it moved."""

    sequence: int
    event: Event
    before: S
    after: S
    transactions: tuple[Transaction, ...] = ()


Proposal = Callable[[Snapshot[S]], C | Refusal | None]  # what to do next at a state; None where nothing is due there
Listener = Callable[[Sequence[AppliedEvent[S]]], None]
Alarm = Callable[[str, str], None]  # which stream, and what is wrong


class PendingCommand(Generic[S, C]):
    """A command that waits for its batch, or whose batch is in flight."""

    __slots__ = ("answer", "attempts", "defect", "fingerprint", "key", "limits", "proposal", "refusal", "seals")

    def __init__(
        self,
        proposal: C | Proposal[S, C],
        key: str,
        fingerprint: str,
        answer: asyncio.Future[Answer],
        limits: LossLimits = NO_LIMITS,
        seals: Sealed | None = None,
    ) -> None:
        self.proposal, self.key, self.fingerprint, self.answer = proposal, key, fingerprint, answer
        self.limits, self.seals = limits, seals
        self.attempts = 0
        self.refusal: Refusal | None = None  # found by the store: a wallet or a loss limit
        self.defect: Exception | None = None  # found by the store: records that it cannot take

    @property
    def is_proposal(self) -> bool:
        """Does the program itself act here? Then a refusal is not recorded."""
        return callable(self.proposal)

    def resolve(self, answer: Answer) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()  # whoever asked may have gone


class Decided(msgspec.Struct, Generic[S, C], frozen=True):
    """A command of the batch in flight, with what it appends."""

    pending: PendingCommand[S, C]
    append: Append
    answer: Refusal | Exception | None  # None: it succeeds
    after: Snapshot[S]  # the working value behind it
    applied: list[AppliedEvent[S]]


class Stream(ABC, Generic[S, C, E]):
    """The runtime of one stream. It belongs to one event loop."""

    def __init__(
        self,
        name: str,
        snapshot: Snapshot[S],
        store: Store,
        commits: GroupCommit,
        alarm: Alarm = lambda _stream, _why: None,
    ) -> None:
        self.name, self.snapshot = name, snapshot
        self.halted = ""  # why this node takes no commands for it
        self._store, self._commits, self._alarm = store, commits, alarm
        self._queue: deque[PendingCommand[S, C]] = deque()
        self._recent: RecentCommands[Answer] = RecentCommands()
        self._listeners: list[Listener[S]] = []
        self._stale = False  # must the store be read before anything is decided?
        self._noticed = 0  # the last record that another node is known to have appended
        self._readers: list[asyncio.Future[None]] = []  # whoever waits for the store to be read
        self._worker: asyncio.Task[None] | None = None

    # ------------------------------------------------ what a kind of stream defines

    @abstractmethod
    def decide(self, state: S, command: C) -> Sequence[E] | Refusal:
        """What the rules say to a command."""

    @abstractmethod
    def evolve(self, state: S, event: E, transactions: Sequence[Transaction]) -> S:
        """The state after an event, which moved money with these transactions."""

    @abstractmethod
    def encode(self, snapshot: Snapshot[S], command: C, events: Sequence[E]) -> tuple[list[bytes], str]:
        """The records of a command behind this snapshot, and the digest of the last."""

    @abstractmethod
    def decode(self, line: bytes) -> tuple[int, str, E]:
        """A record's sequence, the digest of the record before it, and its event."""

    @abstractmethod
    def refusal_event(self, command: C, refusal: Refusal) -> E:
        """A refusal as it is recorded."""

    @abstractmethod
    def recorded_refusal(self, event: E) -> Refusal | None:
        """The refusal that an event records; None for any other event."""

    @abstractmethod
    def store_refusal(self, error: InsufficientFunds | LossLimitExceeded) -> Refusal:
        """What whoever asks is told when a wallet is short, or a loss limit would be passed."""

    def stamp(self, snapshot: Snapshot[S], command: C) -> C:
        """The command as it is decided: no record is earlier than the last."""
        at: int = command.at  # type: ignore[attr-defined]
        return command if at >= snapshot.last_at else msgspec.structs.replace(command, at=snapshot.last_at)

    def prepare(self, snapshot: Snapshot[S], command: C) -> C:
        """The command with what the shell adds to it before the rules see it."""
        del snapshot
        return command

    def reached(self, milestones: Milestones, sequence: int, event: E) -> Milestones:
        """The milestones after an event, which is that record."""
        del sequence, event
        return milestones

    def records_refusal(self, command: C) -> bool:
        """Is a refusal of this command put on record?"""
        del command
        return True

    def halting_events(self, error: Exception, at: int) -> Sequence[E] | None:
        """The events that stop the stream after a defect; None where only the command fails."""
        del error, at
        return None

    def beside(
        self, pending: PendingCommand[S, C], before: Snapshot[S], after: Snapshot[S], events: Sequence[E]
    ) -> dict[str, Any]:
        """What the store keeps of a command beside its records and postings: further fields of `Append`."""
        del pending, before, after, events
        return {}

    def read_context(self, snapshot: Snapshot[S]) -> Any:
        """In a thread, after new records were read: what else the store has that belongs to them."""
        del snapshot

    def use_context(self, context: Any) -> None:
        """Take what `read_context` found."""
        del context

    # ------------------------------------------------ commands

    @property
    def state(self) -> S:
        return self.snapshot.state

    @property
    def sequence(self) -> int:
        return self.snapshot.sequence

    def submit(
        self, command: C, key: str, *, limits: LossLimits = NO_LIMITS, asked: C | None = None, compare: bool = True
    ) -> asyncio.Future[Answer]:
        """Queue a command. The future has the answer once it is durable; a refusal is durable as well.

        Raises `IdempotencyConflict` where the key was used for another command. Compared is what was `asked`, where the program
        has filled something in; with `compare` off, whatever came first under the key counts. The future fails with
        `IdempotencyConflict`, `StoreUnavailable` or `TableHalted`.
        """
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        try:
            mark = fingerprint(asked or command) if compare else ""
        except (OverflowError, ValueError) as error:
            answer.set_result(_unrecordable(error))
            return answer
        known = self._recent.find(key, mark)
        if known is not None:
            return known
        pending: PendingCommand[S, C] = PendingCommand(command, key, mark, answer, limits)
        self._recent.add(key, mark, pending.answer)
        return self._enqueue(pending)

    async def execute(
        self, command: C, key: str, *, asked: C | None = None, compare: bool = True
    ) -> Committed | Refusal:
        """Submit a command and wait for its answer."""
        answer = await asyncio.shield(self.submit(command, key, asked=asked, compare=compare))
        if answer is None:
            raise AssertionError("a command without an answer")
        return answer

    async def propose(self, proposal: Proposal[S, C], *, key: str = "", seals: Sealed | None = None) -> Answer:
        """Let the program act: the proposal is asked for its command at the very state that the command is decided on.

        None where the proposal has none there. Unless it has a key, the key names the record that it follows: of several nodes
        that propose the same, one is first. A refusal is returned and not recorded.
        """
        return await self._enqueue(
            PendingCommand(proposal, key, "", asyncio.get_running_loop().create_future(), seals=seals)
        )

    async def previous(self, key: str, asked: C | None = None) -> Committed | Refusal | None:
        """The answer to the command that was sent under this key; `IdempotencyConflict` where that was not what is `asked` now."""
        mark = fingerprint(asked) if asked is not None else ""
        known = self._recent.find(key, mark)
        if known is not None:
            return await asyncio.shield(known)
        done = await asyncio.to_thread(self._store.done, self.name, key)
        return None if done is None else await self._recall(done, mark)

    async def _recall(self, done: Duplicate, mark: str) -> Committed | Refusal:
        check_same(done.fingerprint, mark)
        (line,) = await asyncio.to_thread(self._store.records_between, self.name, done.first, done.first)
        _, _, event = self.decode(line)
        return self.recorded_refusal(event) or Committed(done.first, done.last, duplicate=True)

    def _enqueue(self, pending: PendingCommand[S, C]) -> asyncio.Future[Answer]:
        self._queue.append(pending)
        self._wake()
        return pending.answer

    # ------------------------------------------------ the worker

    def _wake(self) -> None:
        if self._worker is None:
            self._worker = asyncio.get_running_loop().create_task(self._work(), name=f"stream {self.name}")

    async def _work(self) -> None:
        """One batch after the other, until nothing waits."""
        try:
            while self._queue or self._must_read:
                if not self._must_read:
                    await self._commit_batch()
                elif not await self._read_on() and not self._queue and not self._readers:
                    return  # the next command tries again
        except Exception as error:  # a defect of this module: nothing may wait for ever
            log.exception("stream failed", stream=self.name)
            self._halt(f"{type(error).__name__}: {error}")
        finally:
            self._worker = None

    async def _commit_batch(self) -> None:
        batch, self._queue = self._queue, deque()
        decided = self._decide_batch(batch)
        if not decided:
            return
        try:
            results = await self._commits.commit([each.append for each in decided])
        except StoreError as error:
            results = [error] * len(decided)
        done = [each for each, _ in takewhile(_is_appended, zip(decided, results, strict=True))]
        if done:
            self.snapshot = done[-1].after
            for each in done:
                self._answer(each)
            self._publish([event for each in done for event in each.applied])
        if len(done) < len(decided):
            self._stale = True
            await self._take_up_rest(list(zip(decided, results, strict=True))[len(done) :])

    async def _take_up_rest(self, rest: Sequence[tuple[Decided[S, C], Result]]) -> None:
        """What is behind a command that was not appended: decided again, answered as before, or failed."""
        again: list[PendingCommand[S, C]] = []
        for each, result in rest:
            if isinstance(result, Appended):  # behind the very same records of another node
                self._answer(each)
            elif isinstance(result, Duplicate) and each.pending.key:
                await self._answer_duplicate(each.pending, result)
            elif self._is_decided_again(each.pending, result):
                again.append(each.pending)
        self._queue.extendleft(reversed(again))

    def _decide_batch(self, batch: Iterable[PendingCommand[S, C]]) -> list[Decided[S, C]]:
        """Decide each command on the state that the one before leaves."""
        working, decided = self.snapshot, list[Decided[S, C]]()
        for pending in batch:
            if self.halted:
                self._fail(pending, TableHalted(self.halted))
                continue
            try:
                command = self._command(pending, working)
                if command is None:
                    continue
                found = self._decide(pending, command, working)
            except Exception as error:  # even the defect could not be recorded
                log.exception("a command cannot be decided", stream=self.name)
                self._fail(pending, error)
                if self.halting_events(error, working.last_at) is not None:
                    self._halt(f"{type(error).__name__}: {error}")
                continue
            if found is not None:
                working = found.after
                decided.append(found)
        return decided

    def _command(self, pending: PendingCommand[S, C], working: Snapshot[S]) -> C | None:
        """What is decided; None where a proposal has nothing to do here, which is its answer."""
        proposal: Any = pending.proposal
        if not pending.is_proposal:
            return self.stamp(working, proposal)
        command = proposal(working)
        if command is None or isinstance(command, Refusal):
            pending.resolve(command)
            return None
        return self.stamp(working, command)

    def _decide(self, pending: PendingCommand[S, C], command: C, working: Snapshot[S]) -> Decided[S, C] | None:
        """What a command appends; None where that is nothing. A defect halts the stream rather than pay wrongly."""
        defect: Exception | None = None
        try:
            if pending.defect is not None:
                raise pending.defect
            command = self.prepare(working, command)
            decision = pending.refusal or self.decide(working.state, command)
            refusal = decision if isinstance(decision, Refusal) else None
            if refusal is not None and (pending.is_proposal or not self.records_refusal(command)):
                self._recent.forget(pending.key)
                pending.resolve(refusal)
                return None
            events = decision if not isinstance(decision, Refusal) else [self.refusal_event(command, decision)]
            try:
                lines, head = self.encode(working, command, events)
            except (OverflowError, ValueError) as error:
                self._recent.forget(pending.key)
                pending.resolve(_unrecordable(error))
                return None
            after, applied = apply(working, events, head, self.evolve, self.reached)
        except Exception as error:
            halting = self.halting_events(error, max(working.last_at, getattr(command, "at", 0)))
            if halting is None:
                raise
            defect, refusal, events = error, None, halting
            lines, head = self.encode(working, command, events)
            after, applied = apply(working, events, head, self.evolve, self.reached)
        append = Append(
            table=self.name,
            after=working.sequence,
            head=working.head,
            lines=tuple(lines),
            postings=tuple([tuple(postings_of(each.transactions)) for each in applied]),
            at=after.last_at,
            command=pending.key or f"auto:{working.sequence}",
            fingerprint=pending.fingerprint,
            **self.beside(pending, working, after, events),
        )
        failure = TableHalted(f"{type(defect).__name__}: {defect}") if defect is not None else None
        return Decided(pending, append, failure or refusal, after, applied)

    # ------------------------------------------------ answers

    def _answer(self, decided: Decided[S, C]) -> None:
        if isinstance(decided.answer, Exception):
            self._alarm(self.name, str(decided.answer))
            self._fail(decided.pending, decided.answer)
        else:
            after, lines = decided.append.after, decided.append.lines
            decided.pending.resolve(decided.answer or Committed(after + 1, after + len(lines)))

    async def _answer_duplicate(self, pending: PendingCommand[S, C], result: Duplicate) -> None:
        """The command was committed before."""
        try:
            pending.resolve(await self._recall(result, pending.fingerprint))
        except StoreError as error:
            self._fail(pending, StoreUnavailable(str(error)))
        except Exception as error:
            self._fail(pending, error)

    def _is_decided_again(self, pending: PendingCommand[S, C], result: Result) -> bool:
        """The command was not appended. Is it decided again on the state that the store has? Otherwise it fails."""
        stops_stream = self.halting_events(ValueError(), 0) is not None
        match result:
            case WrongExpectedVersion() | Duplicate() if pending.attempts < ATTEMPTS:  # another node was first
                pending.attempts += 1
                pending.refusal = None  # what the store found may no longer be so
                return True
            case InsufficientFunds() | LossLimitExceeded() if pending.refusal is None:
                pending.refusal = self.store_refusal(result)
                return True
            case WrongExpectedVersion() | Duplicate() | CommitFailed() | StoreUnusable():
                self._fail(pending, StoreUnavailable(str(result)))
            case Exception() if stops_stream and pending.defect is None:  # the store found a defect: it goes on record
                pending.defect = result
                return True
            case _:
                if stops_stream:
                    self._halt(str(result))
                self._fail(pending, TableHalted(str(result)))
        return False

    def _fail(self, pending: PendingCommand[S, C], error: Exception) -> None:
        self._recent.forget(pending.key)
        pending.fail(error)

    def _halt(self, why: str) -> None:
        """Take no more commands on this node."""
        self.halted = why
        log.error("stream halted", stream=self.name, why=why)
        self._alarm(self.name, why)
        waiting, self._queue = self._queue, deque()
        for pending in waiting:
            self._fail(pending, TableHalted(why))
        readers, self._readers = self._readers, []
        for each in readers:
            _settle(each, StoreUnavailable(why))

    # ------------------------------------------------ listeners

    def listen(self, listener: Listener[S], *, first: bool = False) -> Callable[[], None]:
        """Call this with every group of committed events, in order, before or after other listeners. Returns what ends it."""
        self._listeners.insert(0 if first else len(self._listeners), listener)
        return lambda: self._listeners.remove(listener)

    def _publish(self, applied: Sequence[AppliedEvent[S]]) -> None:
        if not applied:
            return
        for listener in tuple(self._listeners):
            try:
                listener(applied)
            except Exception:
                log.exception("a listener failed", stream=self.name, sequence=applied[-1].sequence)

    # ------------------------------------------------ reading

    @property
    def _must_read(self) -> bool:
        return not self.halted and (self._stale or self._noticed > self.snapshot.sequence or bool(self._readers))

    @property
    def is_current(self) -> bool:
        """Is everything here that the store is known to have?"""
        return not self._stale and self._noticed <= self.snapshot.sequence

    def notice(self, sequence: int) -> None:
        """Another node may have appended up to this record; 0 where it is not known how far. It is read before the next answer."""
        if sequence:
            self._noticed = max(self._noticed, sequence)
        else:
            self._stale = True

    def follow(self, sequence: int) -> None:
        """The same, and read it now."""
        self.notice(sequence)
        if self._must_read:
            self._wake()

    async def catch_up(self) -> None:
        """Read what other nodes appended. Where the store cannot be read now, the next command tries again."""
        if self.halted:
            return
        with suppress(StoreUnavailable):
            await self._read()

    def _read(self) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._readers.append(done)
        self._wake()
        return done

    async def _read_on(self) -> bool:
        """Apply what the store has behind the snapshot; False where it cannot be read now, and commands that waited have failed."""
        start, readers, waiting, failed = self.snapshot, self._readers, len(self._queue), None
        self._stale, self._readers = False, []
        try:
            snapshot, applied, context = await asyncio.to_thread(self._read_after, start)
        except Damaged as error:
            self._halt(str(error))
        except StoreError as error:
            self._stale, failed = True, StoreUnavailable(str(error))
            for _ in range(waiting):  # not those that came meanwhile: by now the store may be back
                self._fail(self._queue.popleft(), failed)
        except Exception as error:  # records that this program cannot read
            self._halt(f"{type(error).__name__}: {error}")
        else:
            self.use_context(context)
            self.snapshot = snapshot
            self._noticed = min(self._noticed, snapshot.sequence)
            self._publish(applied)
        for each in readers:
            _settle(each, failed)
        return failed is None

    def _read_after(self, start: Snapshot[S]) -> tuple[Snapshot[S], list[AppliedEvent[S]], Any]:
        """In a thread: the records behind a snapshot, applied. `Damaged` where the store ends before it."""
        stands = self._store.standing(self.name)
        if stands.sequence < start.sequence or (stands.sequence == start.sequence and stands.head != start.head):
            raise Damaged(
                f"the store has {self.name} up to record {stands.sequence}, and record {start.sequence} was committed. "
                "Keep the database, compare it with a backup, and start again."
            )
        snapshot, applied = start, list[AppliedEvent[S]]()
        lines = self._store.records(self.name, start.sequence)
        for reached, happened in replay(self.name, start, lines, self.decode, self.evolve, self.reached):
            snapshot = reached
            applied += happened
        return snapshot, applied, self.read_context(snapshot)

    async def idle(self) -> None:
        """Wait until nothing waits or is in flight."""
        while self._worker is not None:
            await asyncio.wait([self._worker])


def apply(
    snapshot: Snapshot[S],
    events: Sequence[E],
    head: str,
    evolve: Callable[[S, E, Sequence[Transaction]], S],
    reached: Callable[[Milestones, int, E], Milestones],
) -> tuple[Snapshot[S], list[AppliedEvent[S]]]:
    """The snapshot after these events, the last of which is the record with that digest."""
    sequence, _, at, state, milestones = snapshot
    applied = []
    for event in events:
        sequence += 1
        before, transactions = state, event.transactions()
        state, at = evolve(before, event, transactions), event.at
        milestones = reached(milestones, sequence, event)
        applied.append(AppliedEvent(sequence, event, before, state, transactions))
    return Snapshot(sequence, head, at, state, milestones), applied


def replay(
    name: str,
    snapshot: Snapshot[S],
    lines: Iterable[bytes],
    decode: Callable[[bytes], tuple[int, str, E]],
    evolve: Callable[[S, E, Sequence[Transaction]], S],
    reached: Callable[[Milestones, int, E], Milestones],
) -> Iterator[tuple[Snapshot[S], list[AppliedEvent[S]]]]:
    """Apply records one after the other: the snapshot after each, and its event."""
    for line in lines:
        sequence, previous, event = decode(line)
        if (sequence, previous) != (snapshot.sequence + 1, snapshot.head):
            raise Damaged(f"record {sequence} of {name} does not follow the one before it")
        snapshot, applied = apply(snapshot, [event], digest(line), evolve, reached)
        yield snapshot, applied


def _is_appended(pair: tuple[Any, Result]) -> bool:
    return type(pair[1]) is Appended


def _unrecordable(error: Exception) -> Refusal:
    return Refusal(NOT_RECORDABLE(detail=str(error)), USE_OTHER_WORDS())


def _settle(future: asyncio.Future[None], error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
        future.exception()  # nobody may be waiting
