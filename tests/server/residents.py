"""People of a house for tests: a store, a clock that tests move, and several nodes where one is not enough."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from longhu.accounts import record
from longhu.accounts.engine import evolve_account
from longhu.accounts.messages import HouseCommand, HouseEvent
from longhu.accounts.names import trail_of
from longhu.accounts.policy import Policy
from longhu.accounts.state import Account
from longhu.eventsourcing import Refusal, replay
from longhu.positions import Position
from longhu.server.accounts.people import People
from longhu.server.accounts.sign_in import SignedIn
from longhu.server.streams.commands import SYSTEM, Actor, Committed
from longhu.store.address import open_store
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Store

T = TypeVar("T")
START = 1_794_859_200_000  # 16 November 2026, 20:00 UTC
PASSWORD = "correct horse battery"
QUICK = Policy(play_money=True, hash_time=1, hash_memory_kib=8, hash_lanes=1)


class Residents:
    """A node: people on a store, and short ways to ask them."""

    def __init__(self, store: Store, policy: Policy = QUICK, clock: list[int] | None = None) -> None:
        self.store, self.policy = store, policy
        self.clock = clock if clock is not None else [START]  # one for all nodes
        self.writer = GroupCommit(store)
        self.people = People(store, self.writer, lambda: self.clock[0], policy)
        self._ids = count(1)

    @property
    def now(self) -> int:
        return self.clock[0]

    def later(self, ms: int) -> None:
        self.clock[0] += ms

    def beside(self) -> Residents:
        """Another node on the same store."""
        return Residents(self.store, self.policy, self.clock)

    def close(self) -> None:
        self.people.close()
        self.writer.close()

    async def create(self, person: str, position: Position | None = None, password: str | None = PASSWORD) -> Account:
        made = await self.people.create(SYSTEM, person, person.title(), password, position)
        assert isinstance(made, Account), made
        return made

    async def sign_in(
        self, person: str = "ann", password: str = PASSWORD, address: str = "192.0.2.1", device: str = ""
    ) -> SignedIn:
        found = await self.people.sign_in(person, password, address, "a browser", device)
        assert isinstance(found, SignedIn), found
        return found

    async def wrong(
        self, person: str = "ann", password: str = "wrong", address: str = "192.0.2.9", device: str = ""
    ) -> Refusal:
        found = await self.people.sign_in(person, password, address, "a browser", device)
        assert isinstance(found, Refusal), found
        return found

    async def act(
        self, command: HouseCommand, by: Actor | str = "ann", person: str = "ann", id: str = ""
    ) -> Committed | Refusal:
        actor = Actor(by, Position.PATRON) if isinstance(by, str) else by
        return await self.people.act(actor, person, command, id or f"test {next(self._ids)}")

    async def done(self, command: HouseCommand, by: Actor | str = "ann", person: str = "ann") -> Committed:
        done = await self.act(command, by, person)
        assert isinstance(done, Committed), done
        return done

    async def refused(self, command: HouseCommand, by: Actor | str = "ann", person: str = "ann") -> Refusal:
        refusal = await self.act(command, by, person)
        assert isinstance(refusal, Refusal), refusal
        assert refusal.clause, f"{refusal} cites no rule"
        return refusal

    def events(self, trail: str = "person:ann") -> list[HouseEvent]:
        return list(record.events(self.store.records(trail)))

    def names(self, trail: str = "person:ann") -> list[str]:
        """What happened, by stored names."""
        return [str(type(event).__struct_config__.tag) for event in self.events(trail)]

    async def is_as_stored(self, person: str = "ann") -> bool:
        """Is the account that the node knows the one that its trail gives?"""
        return await self.people.account(person) == replay(
            evolve_account, Account(), record.events(self.store.records(trail_of(person)))
        )


@contextmanager
def residents(address: str | Path, **policy: Any) -> Iterator[Residents]:
    """People on a new or known store."""
    store = open_store(address)
    found = Residents(store, replace(QUICK, **policy))
    try:
        yield found
    finally:
        found.close()
        store.close()


def run(what: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(what)
