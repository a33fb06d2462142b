"""An account, or the house's book, under a clock that tests move: every step is judged, written down and replay."""

from __future__ import annotations

from typing import Generic

from msgspec.structs import replace

from longhu.accounts import record
from longhu.accounts.account import CreateAccount
from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, on_record
from longhu.accounts.names import HOUSE, trail_of
from longhu.accounts.policy import Policy
from longhu.accounts.state import Account, HouseLog
from longhu.audit.record import beginning, digest
from longhu.eventsourcing import Refusal, S, replay
from longhu.positions import Position
from longhu.server.streams.account_stream import ACCOUNT, HOUSE_LOG, StreamKind

START = 1_794_859_200_000  # 16 November 2026, 20:00 UTC
PLAY = Policy(play_money=True)
REAL = Policy()


class Kept(Generic[S]):
    """A trail as it grows."""

    def __init__(self, name: str, kind: StreamKind[S], policy: Policy) -> None:
        self.kind, self.policy, self.at = kind, policy, START
        self.state, self.lines, self._head = kind.empty, list[bytes](), beginning(name)

    def ask(self, command: HouseCommand, by: str, position: Position = Position.PATRON) -> Decision:
        """What comes of it, now."""
        stamped = replace(command, by=by, position=position, at=self.at)
        decision = self.kind.decide(self.state, self.policy, stamped)
        self._keep([on_record(stamped, decision)] if isinstance(decision, Refusal) else decision)
        return decision

    def done(self, command: HouseCommand, by: str, position: Position = Position.PATRON) -> list[HouseEvent]:
        decision = self.ask(command, by, position)
        assert not isinstance(decision, Refusal), decision
        return decision

    def refused(self, command: HouseCommand, by: str, position: Position = Position.PATRON) -> Refusal:
        before = self.state
        decision = self.ask(command, by, position)
        assert isinstance(decision, Refusal), decision
        assert self.state == before, "a refusal changes nothing"
        assert decision.clause, f"{decision} cites no rule"
        return decision

    def by_house(self, command: HouseCommand) -> list[HouseEvent]:
        return self.done(command, HOUSE, Position.CASINO_OPERATOR)

    def later(self, ms: int) -> None:
        self.at += ms

    def _keep(self, events: list[HouseEvent]) -> None:
        made = record.lines(len(self.lines), self._head, events)
        self.lines += made
        self._head = digest(made[-1])
        self.state = replay(self.kind.evolve, self.state, events)

    def replay(self) -> S:
        """The state that the lines alone give."""
        return replay(self.kind.evolve, self.kind.empty, record.events(self.lines))


def an_account(policy: Policy = PLAY, person: str = "ann", position: Position = Position.PATRON) -> Kept[Account]:
    """Somebody new."""
    kept = Kept(trail_of(person), ACCOUNT, policy)
    created = CreateAccount(
        person=person, name=person.title(), to=position, password="kept", play_money=policy.play_money
    )
    kept.by_house(created)
    return kept


def a_house_log(policy: Policy = PLAY) -> Kept[HouseLog]:
    return Kept("house", HOUSE_LOG, policy)
