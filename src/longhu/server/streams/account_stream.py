"""Streams of accounts and of the house log: decided by the policy of the house instead of the rules of a game."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Generic

import msgspec
from msgspec.structs import replace

from longhu.accounts import record
from longhu.accounts.account import CHOOSE_ANOTHER_NAME
from longhu.accounts.engine import decide_account, decide_house, evolve_account, evolve_house
from longhu.accounts.messages import Decision, HouseCommand, HouseCommandRefused, HouseEvent, on_record
from longhu.accounts.names import HOUSE, PERSON_TRAILS, is_well_formed, trail_of
from longhu.accounts.policy import Policy
from longhu.accounts.state import Account, HouseLog
from longhu.accounts.wallet import short
from longhu.audit.record import beginning, digest
from longhu.eventsourcing import Refusal, S
from longhu.ledger import Transaction
from longhu.messages.message import message_code
from longhu.server.streams.commands import Committed
from longhu.server.streams.stream import AppliedEvent, Snapshot, Stream
from longhu.store.errors import AlreadyExists, InsufficientFunds, LossLimitExceeded, NotFound
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Store

NAME_OF_A_CASH_PATRON = message_code("name-of-a-cash-patron", person="person")
NOBODY_CALLED = message_code("nobody-called", person="text")
CHECK_THE_NAME = message_code("check-the-name")


class StreamKind(msgspec.Struct, Generic[S], frozen=True):
    """How streams of a kind begin, decide and change."""

    empty: S
    decide: Callable[[S, Policy, HouseCommand], Decision]
    evolve: Callable[[S, HouseEvent], S]


ACCOUNT: StreamKind[Account] = StreamKind(Account(), decide_account, evolve_account)
HOUSE_LOG: StreamKind[HouseLog] = StreamKind(HouseLog(), decide_house, evolve_house)


class AccountStream(Stream[S, HouseCommand, HouseEvent], Generic[S]):
    """One account, or the house's log. It may not exist yet, and is read when it is first asked for."""

    def __init__(
        self, name: str, kind: StreamKind[S], store: Store, commits: GroupCommit, now: Callable[[], int], policy: Policy
    ) -> None:
        super().__init__(name, Snapshot(0, beginning(name), 0, kind.empty), store, commits)
        self.exists = False
        self._kind, self._now, self._policy = kind, now, policy
        self._stale = True

    async def current(self) -> S:
        """The state, with whatever other nodes have appended; `StoreUnavailable` where it cannot be read now."""
        if not self.is_current:
            await self._read()
        return self.state

    async def do(self, command: HouseCommand, key: str) -> Committed | Refusal:
        """Decide, commit, answer. Keys that the program makes are not compared: the first command under one counts."""
        return await self.execute(command, key, compare=not (command.internal or command.by == HOUSE))

    def stamp(self, snapshot: Snapshot[S], command: HouseCommand) -> HouseCommand:
        return replace(command, at=max(self._now(), snapshot.last_at))

    def decide(self, state: S, command: HouseCommand) -> Decision:
        return self._kind.decide(state, self._policy, command)

    def evolve(self, state: S, event: HouseEvent, transactions: Sequence[Transaction]) -> S:
        del transactions  # the store keeps the balance of a wallet
        return self._kind.evolve(state, event)

    def encode(
        self, snapshot: Snapshot[S], command: HouseCommand, events: Sequence[HouseEvent]
    ) -> tuple[list[bytes], str]:
        del command
        lines = record.lines(snapshot.sequence, snapshot.head, events)
        return lines, digest(lines[-1])

    def decode(self, line: bytes) -> tuple[int, str, HouseEvent]:
        found = record.decode(line)
        return found.sequence, found.previous, found.event

    def records_refusal(self, command: HouseCommand) -> bool:
        return command.recorded

    def refusal_event(self, command: HouseCommand, refusal: Refusal) -> HouseEvent:
        return on_record(command, refusal)

    def recorded_refusal(self, event: HouseEvent) -> Refusal | None:
        return event.refusal if isinstance(event, HouseCommandRefused) else None

    def store_refusal(self, error: InsufficientFunds | LossLimitExceeded) -> Refusal:
        if isinstance(error, LossLimitExceeded):
            raise AssertionError("an account has nothing on a layout") from error
        return short(error.balance)

    def _read_after(self, start: Snapshot[S]) -> tuple[Snapshot[S], list[AppliedEvent[S]], Any]:
        try:
            snapshot, applied, _ = super()._read_after(start)
        except NotFound:
            return start, [], False
        return snapshot, applied, True

    def use_context(self, context: Any) -> None:
        self.exists = context


# ------------------------------------------------ all accounts

STREAMS_MAX = 20_000  # in memory


class Accounts:
    """The streams of all accounts: loaded on first use, cached, and caught up when another node has written."""

    def __init__(self, store: Store, commits: GroupCommit, now: Callable[[], int], policy: Policy) -> None:
        self.store, self.now, self.policy = store, now, policy
        self._commits = commits
        self._streams: OrderedDict[str, AccountStream[Account]] = OrderedDict()

    def book(self, person: str) -> AccountStream[Account]:
        """The stream of an account, which may be empty."""
        book = self._streams.get(person)
        if book is None:
            book = AccountStream(trail_of(person), ACCOUNT, self.store, self._commits, self.now, self.policy)
            self._streams[person] = book
            if len(self._streams) > STREAMS_MAX:
                self._streams.popitem(last=False)
        else:
            self._streams.move_to_end(person)
        return book

    async def account(self, person: str) -> Account | None:
        """Somebody's account, closed or not; None where there is none."""
        if not is_well_formed(person):
            return None
        account = await self.book(person).current()
        return account if account.person else None

    async def names(self, prefix: str = "") -> list[str]:
        """Everybody who has an account, by name."""
        trails = await asyncio.to_thread(self.store.trails, PERSON_TRAILS + prefix)
        return [each.name.removeprefix(PERSON_TRAILS) for each in trails if each.sequence]

    async def begin(self, person: str, *, wallet: bool) -> Refusal | None:
        """A trail for a new account, and a wallet; one that a crash has left empty is used."""
        book = self.book(person)
        try:
            await asyncio.to_thread(self.store.create_trail, book.name, self.now(), person if wallet else "")
        except AlreadyExists:
            book.notice(0)
            await book.current()
            if not book.exists:
                return Refusal(NAME_OF_A_CASH_PATRON(person=person), CHOOSE_ANOTHER_NAME(), "MON-3")
        book.notice(0)
        return None

    def signed_in(self) -> dict[str, int]:
        """Those among the accounts in memory who have open sessions, and how many."""
        return {person: len(book.state.sessions) for person, book in self._streams.items() if book.state.sessions}

    def forget(self, person: str = "", sequence: int = 0) -> bool:
        """Another node wrote to somebody's trail, up to that record, or ("") to any: was there something new?"""
        books = [self._streams[person]] if person in self._streams else [] if person else self._streams.values()
        for book in books:
            book.notice(sequence)
        return any(not book.is_current for book in books)


def new_id(person: str) -> str:
    """An id for what the program itself asks, once."""
    return f"{person}:{secrets.token_hex(12)}"


def stranger(person: str) -> Refusal:
    return Refusal(NOBODY_CALLED(person=person[:40]), CHECK_THE_NAME(), "LOG-5")
