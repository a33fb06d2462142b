"""The stream of an account, or of the house's own log: decided by the house's policy instead of a game's rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

import msgspec
from msgspec.structs import replace

from longhu.accounts import record
from longhu.accounts.engine import decide_account, decide_house, evolve_account, evolve_house
from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, HouseRefused, on_record
from longhu.accounts.names import HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.state import Account, HouseLog
from longhu.accounts.wallet import short
from longhu.audit.record import beginning, digest
from longhu.eventsourcing import Refusal, S
from longhu.server.streams.outcomes import Committed
from longhu.server.streams.stream import AppliedEvent, Snapshot, Stream
from longhu.store.errors import InsufficientFunds, LossLimitExceeded, NotFound
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Store


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

    def evolve(self, state: S, event: HouseEvent) -> S:
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
        return event.refusal if isinstance(event, HouseRefused) else None

    def store_refusal(self, error: InsufficientFunds | LossLimitExceeded) -> Refusal:
        if isinstance(error, LossLimitExceeded):
            raise AssertionError("an account has nothing on a layout") from error
        return short(self._policy, error.balance)

    def _read_after(self, start: Snapshot[S]) -> tuple[Snapshot[S], list[AppliedEvent[S]], Any]:
        try:
            snapshot, applied, _ = super()._read_after(start)
        except NotFound:
            return start, [], False
        return snapshot, applied, True

    def use_context(self, context: Any) -> None:
        self.exists = context
