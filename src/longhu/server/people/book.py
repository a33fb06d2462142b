"""A trail without a game as this node knows it, an account or the house's book: decide, store, and only then believe it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import Generic

import msgspec
from msgspec.structs import replace

from longhu.accounts import record
from longhu.accounts.acts import Decision, HouseCommand, HouseEvent, HouseRefused, S, name_of, on_record
from longhu.accounts.engine import decide_account, decide_floor, evolve_account, evolve_floor, replayed
from longhu.accounts.names import HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.purse import short
from longhu.accounts.state import Account, Floor
from longhu.audit.record import beginning, digest
from longhu.server.done import Busy, Done, Reused
from longhu.store.entries import Duplicate, StreamHead, following
from longhu.store.errors import CommitFailed, InsufficientFunds, NotFound, WrongExpectedVersion
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Store
from longhu.table.acts import Refusal

TRIES = 20  # that a command is decided anew because another node appended first


class Kind(msgspec.Struct, Generic[S], frozen=True):
    """How trails of a kind begin, judge and change."""

    empty: S
    decide: Callable[[S, Policy, HouseCommand], Decision]
    evolve: Callable[[S, HouseEvent], S]


ACCOUNTS: Kind[Account] = Kind(Account(), decide_account, evolve_account)
FLOORS: Kind[Floor] = Kind(Floor(), decide_floor, evolve_floor)


class Book(Generic[S]):
    """One trail. All of it belongs to one event loop; commands are taken one after the other."""

    def __init__(
        self, name: str, kind: Kind[S], store: Store, writer: GroupCommit, now: Callable[[], int], policy: Policy
    ) -> None:
        self.name, self.state = name, kind.empty
        self.there = False  # is there such a trail?
        self.is_current = False  # has everything been read that was stored?
        self._kind, self._store, self._writer, self._now, self._policy = kind, store, writer, now, policy
        self._standing = StreamHead(name, 0, beginning(name), 0)
        self._forgotten = 0  # how often others have written
        self._one_at_a_time = asyncio.Lock()

    async def read(self) -> S:
        """The state, with whatever other nodes have stored."""
        if not self.is_current:
            async with self._one_at_a_time:
                await self._read_on()
        return self.state

    def forget(self, sequence: int = 0) -> None:
        """Another node has written, up to that record where it is known: read on before the next answer."""
        if sequence and sequence <= self._standing.sequence:
            return
        self._forgotten += 1
        self.is_current = False

    async def do(self, command: HouseCommand, id: str) -> Done | Refusal:
        """Decide, store, answer. Sent twice, it is done once, and answered as the first time.

        `Busy` where the store cannot take it now, `Reused` where the id was for something else.
        """
        async with self._one_at_a_time:
            refusal: Refusal | None = None
            for _ in range(TRIES):
                await self._read_on()
                command = replace(command, at=max(self._now(), self._standing.last_at))
                decision = refusal or self._kind.decide(self.state, self._policy, command)
                if isinstance(decision, Refusal) and not command.recorded:
                    return decision
                events: list[HouseEvent] = [on_record(command, decision)] if isinstance(decision, Refusal) else decision
                try:
                    done = await self._stored(events, id)
                except WrongExpectedVersion:
                    refusal = None
                    continue
                except InsufficientFunds as error:
                    refusal = short(self._policy, error.balance)
                    continue
                except CommitFailed as error:
                    raise Busy(str(error)) from error
                if done.duplicate:
                    return await self._same(done, command)
                return decision if isinstance(decision, Refusal) else done
        raise Busy(f"others are writing to {self.name} all the time. Ask again.")

    async def _stored(self, events: list[HouseEvent], id: str) -> Done:
        """Until the answer is there nobody knows what is stored: whoever fails, or gives up, reads on before the next."""
        before, forgotten = self._standing, self._forgotten
        lines = record.lines(before.sequence, before.head, events)
        self.is_current = False
        found = await self._writer.appended(following(before, lines, events, id))
        if isinstance(found, Duplicate):
            return Done(found.first, found.last, duplicate=True)
        self._standing = StreamHead(self.name, found.last, digest(lines[-1]), events[-1].at)
        self.state = replayed(self._kind.evolve, self.state, events)
        self.is_current = forgotten == self._forgotten
        return Done(found.first, found.last)

    async def before(self, id: str) -> Done | Refusal | None:
        """What a command of that id was answered, where it was asked before."""
        found = await asyncio.to_thread(self._store.done, self.name, id)
        return None if found is None else await self._as_before(Done(found.first, found.last, duplicate=True))

    async def _as_before(self, done: Done) -> Done | Refusal:
        lines = await asyncio.to_thread(self._store.records_between, self.name, done.first, done.first)
        event = record.decode(lines[0]).event
        return event.refusal if isinstance(event, HouseRefused) else done

    async def _same(self, done: Done, command: HouseCommand) -> Done | Refusal:
        """What was done under this id, where it was the same that was asked; `Reused` where it was something else."""
        if command.internal or command.by == HOUSE:  # ids that the program makes: what was first is so
            return await self._as_before(done)
        return await asyncio.to_thread(self._asked_again, done, command)

    def _asked_again(self, done: Done, command: HouseCommand) -> Done | Refusal:
        """The command is asked of the state of that time: the same leads to the same records.

        Of one that was refused nothing but its kind is known. It was no success, and its answer is none.
        """
        stored = self._store.records(self.name)
        state, before = self._kind.empty, b""
        for before in islice(stored, done.first - 1):
            state = self._kind.evolve(state, record.decode(before).event)
        led_to = [*islice(stored, done.last - done.first + 1)]
        event = record.decode(led_to[0]).event
        if isinstance(event, HouseRefused):
            if event.command != name_of(command):
                raise Reused
            return event.refusal
        decision = self._kind.decide(state, self._policy, replace(command, at=event.at, position=event.position))
        head = digest(before) if before else beginning(self.name)
        if isinstance(decision, Refusal) or record.lines(done.first - 1, head, decision) != led_to:
            raise Reused
        return done

    async def _read_on(self) -> None:
        """Apply what was stored since the last time."""
        if self.is_current:
            return
        forgotten = self._forgotten
        lines = await asyncio.to_thread(self._new_lines)
        if lines:
            events = [*record.events(lines)]
            self.state = replayed(self._kind.evolve, self.state, events)
            sequence = self._standing.sequence + len(lines)
            self._standing = StreamHead(self.name, sequence, digest(lines[-1]), events[-1].at)
        self.is_current = forgotten == self._forgotten

    def _new_lines(self) -> list[bytes]:
        if not self.there:
            try:
                self._store.standing(self.name)
            except NotFound:
                return []
            self.there = True
        return list(self._store.records(self.name, self._standing.sequence))
