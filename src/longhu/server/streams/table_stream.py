"""The stream of one table: its rules, the cards of its electronic shoe, and what the store keeps beside its records.

A defect stops the table: it is recorded, and every later command is refused until a person has looked.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from longhu.accounts.policy import Policy
from longhu.accounts.protection import too_much_at_risk
from longhu.audit.proof import GameFile
from longhu.audit.record import SALT_BYTES, Chain, beginning, decode, digest
from longhu.eventsourcing import Event, Refusal
from longhu.fairness.shuffle import Mix
from longhu.games import registry
from longhu.games.game import Game
from longhu.games.readings import ReadingError
from longhu.games.source import GameFileError
from longhu.ledger import Transaction
from longhu.messages.message import message_code
from longhu.money import UNSTATED, Currency
from longhu.server.observability import log
from longhu.server.streams.projections import DECIDES_PLAYS, MILESTONES, Milestones, plays_and_round, reached
from longhu.server.streams.stream import Alarm, AppliedEvent, PendingCommand, Snapshot, Stream, replay
from longhu.store.entries import Exposure
from longhu.store.errors import Damaged, InsufficientFunds, LossLimitExceeded, StoreError
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Store
from longhu.table.betting import WagerPlaced
from longhu.table.electronic import TAKES_CARDS, order, supplied
from longhu.table.engine import decide, evolve
from longhu.table.messages import Command, CommandRefused, on_record
from longhu.table.shuffling import ShuffleRevealed
from longhu.table.state import Table
from longhu.table.suspension import stopped_by

TAKE_LESS_OR_DEPOSIT = message_code("take-less-or-deposit")
PERSON_ACCOUNT_SHORT = message_code("person-account-short", person="person", balance="money")
ALERT_TABLE_UNREADABLE = message_code("alert-table-unreadable", detail="text")

MEANS_MORE = frozenset([ShuffleRevealed, *DECIDES_PLAYS])  # events of which the store keeps more than the record
SNAPSHOT_EVERY = 1000  # records: to replay so many takes some 25 ms

AppliedTableEvent = AppliedEvent[Table]


class _Context(NamedTuple):
    """What the store has beside the records of a table."""

    game: Game
    sealed: dict[int, bytes]  # the secrets of shuffles that are not revealed, by the number of the shoe


class _Kept(msgspec.Struct, frozen=True):
    """A snapshot as the store keeps it; head and time are the record's."""

    state: Table
    milestones: Milestones


_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(_Kept)


class TableStream(Stream[Table, Command, Event]):
    """One table as this node knows it."""

    def __init__(
        self,
        name: str,
        store: Store,
        commits: GroupCommit,
        policy: Policy,
        *,
        program: str = "",
        alarm: Alarm = lambda _table, _why: None,
    ) -> None:
        super().__init__(name, Snapshot(0, beginning(name), 0, Table(game="")), store, commits, alarm)
        self.game: Game
        self._sealed: dict[int, bytes]
        self._policy = policy
        self._program = program  # snapshots are of this version of the program alone; "" keeps none
        self._mixed: Mix | None = None  # what the electronic shoe in use was made of,
        self._order: tuple[str, ...] = ()  # and the cards as they leave it
        self._kept = 0  # the record of the last snapshot in the store
        self._keeping: asyncio.Task[None] | None = None
        self.listen(lambda _: self._keep_now_and_then())

    @classmethod
    async def load(
        cls,
        name: str,
        store: Store,
        commits: GroupCommit,
        policy: Policy,
        *,
        program: str = "",
        alarm: Alarm = lambda _table, _why: None,
    ) -> TableStream:
        """The table as the store has it; `Damaged` where its records and its ledger do not agree."""
        table = cls(name, store, commits, policy, program=program, alarm=alarm)
        table.snapshot, context = await asyncio.to_thread(table._load)
        table.use_context(context)
        table._kept = table.sequence
        return table

    def _load(self) -> tuple[Snapshot[Table], _Context]:
        snapshot = load_snapshot(self._store, self.name, self._program)
        return snapshot, _Context(_rules(self._store, self.name, snapshot.state), self._store.sealed(self.name))

    @property
    def currency(self) -> Currency:
        return self.game.currency or UNSTATED

    # ------------------------------------------------ rules and records

    def decide(self, state: Table, command: Command) -> list[Event] | Refusal:
        return decide(state, self.game, command)

    def evolve(self, state: Table, event: Event, transactions: Sequence[Transaction]) -> Table:
        return evolve(state, event, transactions)

    def reached(self, milestones: Milestones, sequence: int, event: Event) -> Milestones:
        return reached(milestones, sequence, event) if type(event) in MILESTONES else milestones

    def encode(self, snapshot: Snapshot[Table], command: Command, events: Sequence[Event]) -> tuple[list[bytes], str]:
        chain = Chain(self.name, _salt, sequence=snapshot.sequence, head=snapshot.head, last_at=snapshot.last_at)
        return chain.lines(snapshot.state, self.game, command, events), chain.head

    def decode(self, line: bytes) -> tuple[int, str, Event]:
        return _decoded(line)

    def refusal_event(self, command: Command, refusal: Refusal) -> Event:
        return on_record(command, refusal)

    def recorded_refusal(self, event: Event) -> Refusal | None:
        return Refusal(event.reason, clause=event.clause) if isinstance(event, CommandRefused) else None

    def store_refusal(self, error: InsufficientFunds | LossLimitExceeded) -> Refusal:
        if isinstance(error, LossLimitExceeded):
            return too_much_at_risk(error.staked, error.most, error.most - error.lost)
        short = PERSON_ACCOUNT_SHORT(person=error.person, balance=error.balance)
        return Refusal(short, TAKE_LESS_OR_DEPOSIT(), "MON-3")

    def halting_events(self, error: Exception, at: int) -> Sequence[Event]:
        return [stopped_by(error, at)]

    # ------------------------------------------------ the electronic shoe

    def prepare(self, snapshot: Snapshot[Table], command: Command) -> Command:
        """The cards that the electronic shoe gives come in with the command."""
        if type(command) not in TAKES_CARDS:
            return command
        return supplied(snapshot.state, command, self._cards(snapshot.state))

    def _cards(self, table: Table) -> tuple[str, ...]:
        """The order of the electronic shoe in use; () where there is none."""
        shuffle = table.shuffle
        if shuffle is None or shuffle.mix is None or shuffle.number not in self._sealed:
            return ()
        if self._mixed != shuffle.mix:
            self._mixed, self._order = shuffle.mix, order(table, self._sealed[shuffle.number])
        return self._order

    def secret(self, shoe: int) -> bytes | None:
        """The secret of a shuffle that is not revealed yet, for whoever drives the table."""
        return self._sealed.get(shoe)

    # ------------------------------------------------ what the store keeps

    def beside(
        self,
        pending: PendingCommand[Table, Command],
        before: Snapshot[Table],
        after: Snapshot[Table],
        events: Sequence[Event],
    ) -> dict[str, Any]:
        """The plays and the round that the records decide, and the secrets that they seal and reveal."""
        if pending.seals is None and not pending.limits and MEANS_MORE.isdisjoint(map(type, events)):
            return {"plain": True} if type(events[0]) is WagerPlaced else {}
        if pending.seals is not None:
            self._sealed = {pending.seals.shoe: pending.seals.secret}  # the one before has been revealed
        plays, round = plays_and_round(self.name, after.milestones, before.sequence + 1, events)
        return {
            "seals": pending.seals,
            "reveals": next((event.number for event in events if isinstance(event, ShuffleRevealed)), None),
            "plays": plays,
            "round": round,
            "risks": _risks(pending, before.state, after.state),
        }

    def read_context(self, snapshot: Snapshot[Table]) -> _Context:
        table, game = snapshot.state, self.game
        is_same = table.settings is not None and table.game == game.digest
        return _Context(game if is_same else _rules(self._store, self.name, table), self._store.sealed(self.name))

    def use_context(self, context: _Context) -> None:
        self.game, self._sealed = context

    # ------------------------------------------------ snapshots

    def _keep_now_and_then(self) -> None:
        if self.sequence - self._kept >= SNAPSHOT_EVERY and self.state.round is None:
            self.keep_snapshot()

    def keep_snapshot(self) -> None:
        """Keep the state in the store, so that whoever loads the table starts from here; one at a time."""
        if self._program and self._keeping is None and self._kept != self.sequence:
            self._kept = self.sequence
            self._keeping = asyncio.get_running_loop().create_task(self._keep(self.snapshot))

    async def _keep(self, snapshot: Snapshot[Table]) -> None:
        kept = _encoder.encode(_Kept(snapshot.state, snapshot.milestones))
        try:
            await asyncio.to_thread(self._store.keep_state, self.name, snapshot.sequence, self._program, kept)
        except StoreError as error:  # it only saves time
            log.warning("snapshot not kept", table=self.name, why=str(error))
        finally:
            self._keeping = None

    async def close(self) -> None:
        """Wait for what is in flight, and keep the state."""
        await self.idle()
        self.keep_snapshot()
        if self._keeping is not None:
            await self._keeping


def load_snapshot(store: Store, name: str, program: str = "") -> Snapshot[Table]:
    """A table as the store has it: from a snapshot that this program kept, or from the first record.

    A kept snapshot is not trusted: its money must be the ledger's. `Damaged` where the records give other money.
    """
    first: Snapshot[Table] = Snapshot(0, beginning(name), 0, Table(game=""))
    for start in (_kept(store, name, program), first):
        if start is None:
            continue
        snapshot, lines = start, store.records(name, start.sequence)
        for after, _ in replay(name, start, lines, _decoded, evolve, reached):
            snapshot = after
        if _agrees(store, name, snapshot):
            return snapshot
    raise Damaged(
        f"the records of table {name} give other balances than the ledger has. "
        "Keep the database, and compare it with a backup."
    )


def _decoded(line: bytes) -> tuple[int, str, Event]:
    record = decode(line)
    return record.sequence, record.previous, record.event


def _kept(store: Store, name: str, program: str) -> Snapshot[Table] | None:
    """The snapshot that this version of the program kept; None where there is none that can be read."""
    found = store.state(name, program)
    if found is None:
        return None
    sequence, kept = found
    lines = store.records_between(name, sequence, sequence)
    try:
        was = _decoder.decode(kept)
    except msgspec.MsgspecError:
        return None
    return Snapshot(sequence, digest(lines[0]), decode(lines[0]).event.at, was.state, was.milestones) if lines else None


def _agrees(store: Store, name: str, snapshot: Snapshot[Table]) -> bool:
    """Has the ledger the same money? Where somebody has appended meanwhile, nothing can be said."""
    balances: Mapping[str, int] = store.balances(name)
    return balances == snapshot.state.balances or store.standing(name).sequence != snapshot.sequence


def _rules(store: Store, name: str, table: Table) -> Game:
    """The rules that a table was opened with; while it is closed, those that it will be opened with."""
    adopted = next((each.game for each in store.tables() if each.table == name), "")
    found = rules_of(store, name, adopted if table.settings is None else table.game)
    if found is None:
        raise AssertionError(f"the store has no rules of table {name}")
    return found


def rules_of(store: Store, name: str, digest: str) -> Game | None:
    """The rules with this digest, if the table has ever had them."""
    found = store.games(name).get(digest)
    return None if found is None else _loaded_game(found.text, tuple(found.readings.items()))


@lru_cache(64)
def _loaded_game(text: str, readings: tuple[tuple[str, str], ...]) -> Game:
    """Tables of one game share it. Where ours plays and pays the same, its names and translations are the newer ones."""
    game = GameFile(text, dict(readings)).load("the rules of a table")
    path = registry.all_games().get(game.id)
    try:
        ours = registry.load_game(path, game.taken) if path is not None else game
    except (GameFileError, ReadingError):  # ours is another file by now
        return game
    return ours if ours.digest == game.digest else game


def _salt() -> str:
    return secrets.token_hex(SALT_BYTES)


def _risks(pending: PendingCommand[Table, Command], before: Table, after: Table) -> tuple[Exposure, ...]:
    """What those have at stake who have a loss limit; the limit is checked where that became more."""
    if after.round is None:
        return ()
    risks = []
    for person, limits in pending.limits.items():
        now = staked(after, person)
        risks.append(Exposure(person, after.round.number, now, *(limits if now > staked(before, person) else ())))
    return tuple(risks)


def staked(table: Table, person: str) -> int:
    """What somebody has on the layout."""
    return sum(stake.amount for stake in table.round.stakes_of(person)) if table.round is not None else 0
