"""One table as this node knows it: a command is decided, stored, and only then told.

Commands do not wait for each other's disk. Each is decided on the newest state, appended behind the one before, and
answered when it is durable. Where an append fails because somebody else appended first, or a wallet is short, or the commit
failed, the table goes back to what the store has, and whatever was decided behind the failed one is decided again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from longhu.audit.chain import Chain
from longhu.audit.record import SALT_BYTES, decode
from longhu.fairness.shuffle import Mix
from longhu.games.game import Game
from longhu.server.done import Busy, Done, Stopped
from longhu.server.logs import log
from longhu.server.tables.ahead import Ahead
from longhu.server.tables.answers import Answers, Outcome
from longhu.server.tables.asked import NOBODY, Answer, Asked, Bounds, Told
from longhu.server.tables.moment import HISTORY, Happened, Moment, Read, after, kept, read, rules_of
from longhu.server.tables.past import Past, past
from longhu.server.tables.plays import ended
from longhu.server.tables.turns import Turns
from longhu.store.entries import Append, Appended, Duplicate, Exposure, Sealed, StreamHead, following
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
from longhu.table.acts import IN_PLACE, Command, Event, Refusal
from longhu.table.defects import TableStopped, stopped_by
from longhu.table.electronic import TAKES_CARDS, order, supplied
from longhu.table.engine import Row
from longhu.table.refusals import CommandRefused, on_record
from longhu.table.shuffling import ShuffleRevealed
from longhu.table.state import Table

TRIES = 20  # that a command is decided anew because others appended first
KEPT_EVERY = 1000  # records, between two states that are kept: to read so many takes some 25 ms

Alarm = Callable[[str, str], None]  # which table, and what is wrong
Listener = Callable[[Sequence[Happened]], None]


class Live:
    """A table. All of it belongs to one event loop; `state` is the newest that is decided, `durable` what may be told."""

    def __init__(
        self,
        id: str,
        found: Read,
        game: Game,
        sealed: dict[int, bytes],
        store: Store,
        writer: GroupCommit,
        form: str = "",
        alarm: Alarm = lambda _table, _says: None,
        turns: Turns | None = None,
    ) -> None:
        self.id, self.game = id, game
        self.durable = self.newest = found.moment
        self.history: deque[Past] = deque(past(found.happened), HISTORY)
        self.broken = ""  # a defect that could not even be stored
        self._store, self._form, self._alarm = store, form, alarm
        self._turns = turns or Turns(writer)  # those of all tables of the house
        self._loop = asyncio.get_running_loop()
        self._sealed = sealed  # the secrets of shuffles, by the number of the shoe
        self._mixed: Mix | None = None  # what the shoe in use was made of,
        self._order: tuple[str, ...] = ()  # and the cards as they leave it
        self._row = Row(found.moment.state)  # of wagers that are being placed
        self._listeners: list[Listener] = []
        self._answers = Answers()
        self._inbox: list[Asked] = []  # to be decided in this turn
        self._pending: deque[tuple[Sequence[Asked], Moment]] = deque()  # appended, in order, and not yet durable
        self._waiting: deque[Asked] = deque()  # to be decided once the store has been read
        self._done_before: list[tuple[Asked, Duplicate]] = []  # to be answered once the store has been read
        self._behind = False  # does the store have something that is not here, or not have something that is?
        self._reading: asyncio.Task[None] | None = None
        self._catching_up: list[asyncio.Future[None]] = []
        self._keeping: asyncio.Task[None] | None = None
        self._kept = found.moment.sequence

    @classmethod
    async def load(
        cls,
        id: str,
        store: Store,
        writer: GroupCommit,
        form: str = "",
        alarm: Alarm = lambda _table, _says: None,
        turns: Turns | None = None,
    ) -> Live:
        """The table as the store has it; `form` says which program keeps states."""

        def found() -> tuple[Read, Game, dict[int, bytes]]:
            table = read(store, id, form)
            return table, rules_of(store, id, table.moment.state), store.sealed(id)

        return cls(id, *await asyncio.to_thread(found), store, writer, form, alarm, turns)

    @property
    def state(self) -> Table:
        """The table as it is decided; what is not durable of it may still be taken back, and is told to nobody."""
        return self.newest.state

    @property
    def sequence(self) -> int:
        return self.newest.sequence

    # ------------------------------------------------ asking

    async def do(self, command: Command, id: str, bounds: Bounds = NOBODY) -> Done | Refusal:
        """Give a command. What the rules do not allow is put on record as well, and given back as the refusal.

        `Busy` where the store cannot take it now, `InsufficientFunds` where a wallet has too little, `LossLimitExceeded` where somebody could lose
        more than `bounds` allow, `Stopped` by a defect.
        """
        before = self._answers.before(id)
        if before is None:
            asked = Asked(command, id)
            asked.bounds = bounds
            self._answers.asked(asked)
            outcome = await self._take(asked)
        else:
            outcome = await self._again(before)
        if outcome is None:
            raise AssertionError("a command without an answer")
        return outcome

    async def step(self, command: Command, *, seals: Sealed | None = None, id: str = "") -> Answer:
        """What the house itself does next, at the table as it stands now; None where it stands otherwise by then.

        Unless it has an id, that says which record it follows: of several nodes that take the same step, one does. A refusal
        is not recorded.
        """
        self.turn()
        follows = self.sequence
        asked = Asked(command, id or f"auto:{follows}")
        asked.follows, asked.seals = follows, seals
        return await self._take(asked)

    def ask(self, command: Command, id: str, told: Told) -> None:
        """The same without waiting: `told` is called with the answer, or with the error that `do` would raise.

        What is asked in one turn of the loop is decided at its end, together.
        """
        before = self._answers.before(id)
        if before is not None:
            _tell_again(before, told)
            return
        asked = Asked(command, id, told)
        self._answers.asked(asked)
        self._inbox.append(asked)
        self._turns.asked(self)

    def _take(self, asked: Asked) -> asyncio.Future[Answer]:
        """Decide it at once, behind whatever was asked before."""
        answer = asked.future(self._loop)
        self._inbox.append(asked)
        self.turn()
        return answer

    def turn(self) -> None:
        """Decide everything that was asked."""
        inbox, self._inbox = self._inbox, []
        if not inbox:
            return
        if self.broken:
            for asked in inbox:
                self._fail(asked, Stopped(self.broken))
        elif self._behind or self._reading is not None:
            self._waiting.extend(inbox)
            self._read_on()
        else:
            self._decide(inbox)

    def _fail(self, asked: Asked, error: Exception) -> None:
        self._answers.forget(asked.id)
        asked.failed(error)

    async def before(self, id: str) -> Answer:
        """What a command of that id was answered, where it was done before."""
        known = self._answers.before(id)
        if known is not None:
            return await self._again(known)

        def recalled() -> Answer:
            done = self._store.done(self.id, id)
            return None if done is None else self._recalled(done)

        return await asyncio.to_thread(recalled)

    async def _again(self, before: Asked | Outcome) -> Answer:
        """The answer to what was asked before, or is being done now."""
        return _once_more(await before.future(self._loop) if isinstance(before, Asked) else before)

    # ------------------------------------------------ deciding

    def _decide(self, asks: Sequence[Asked]) -> None:
        """Decide each on the newest state, and append it behind the one before; they are written together."""
        newest, ahead, group, appends = self.newest, Ahead(self.newest, self._row), [], []
        chain = Chain(self.id, _salt, sequence=newest.sequence, head=newest.head, last_at=newest.last_at)
        for asked in asks:
            try:
                append = None if self.broken else self._decides(asked, ahead, chain)
            except Exception as error:  # not the rules are wrong, but what is around them
                log.exception("a table cannot decide", table=self.id)
                self._break(f"{type(error).__name__}: {error}")
            if self.broken:
                self._fail(asked, Stopped(self.broken))
            elif append is not None:
                group.append(asked)
                appends.append(append)
        if group:
            self.newest = Moment(chain.sequence, chain.head, chain.last_at, ahead.state, ahead.marks)
            self._row = ahead.row
            self._pending.append((group, self.newest))
            self._turns.hand_in(self, group, appends)

    def _decides(self, asked: Asked, ahead: Ahead, chain: Chain) -> Append | None:
        """What it leads to; None where that is nothing, and it is answered."""
        command = asked.command
        if asked.follows is not None and asked.follows != chain.sequence and asked.defect is None:
            asked.answered(None)
            return None
        if command.at < chain.last_at:  # no record is before the last
            command = replace(command, at=chain.last_at)
        stood = chain.sequence, chain.head, chain.last_at
        staked = {person: _staked(ahead.state, person) for person in asked.bounds} if asked.bounds else None
        try:
            command, events = self._judged(asked, command, ahead)
            if asked.refusal is not None and asked.follows is not None:
                asked.answered(asked.refusal)
                return None
            lines = self._lines(asked, chain, ahead.state, command, events)
            if lines is None:
                return None
            asked.happened = ahead.take(events)
        except Exception as error:  # a defect: the table stops rather than pay wrongly
            asked.defect, asked.refusal = error, None
            chain.sequence, chain.head, chain.last_at = stood
            events = [stopped_by(error, command.at)]
            lines = self._lines(asked, chain, ahead.state, command, events)
            if lines is None:
                return None
            asked.happened = ahead.take(events)
        if (
            staked is None and len(events) == 1 and type(events[0]) in IN_PLACE
        ):  # a wager: nothing of a round or of a shoe ends with it
            return Append(
                self.id, stood[0], stood[1], (lines[0],), (tuple(events[0].postings()),), command.at, asked.id
            )
        risks = _risks(asked, staked, ahead.state) if staked is not None else ()
        return self._append(asked, StreamHead(self.id, *stood), lines, events, ahead, risks)

    def _judged(self, asked: Asked, command: Command, ahead: Ahead) -> tuple[Command, list[Event]]:
        """The command with the cards that the shoe gives, and what the rules say to it."""
        if asked.defect is not None:  # the store has found it
            raise asked.defect
        if type(command) in TAKES_CARDS:
            command = supplied(ahead.state, command, self._cards(ahead.state))
        decision = ahead.decide(self.game, command)
        asked.refusal = decision if isinstance(decision, Refusal) else None
        return command, [on_record(command, decision)] if isinstance(decision, Refusal) else decision

    def _lines(
        self, asked: Asked, chain: Chain, table: Table, command: Command, events: Sequence[Event]
    ) -> list[bytes] | None:
        """The records of it; None where there can be none, and that is answered."""
        try:
            return chain.lines(table, self.game, command, events)
        except (OverflowError, ValueError) as error:  # a number or a text that no record can hold
            self._answers.forget(asked.id)
            asked.answered(Refusal(f"this cannot be put on record: {error}", "Say it in other words or numbers"))
            return None

    def _append(
        self,
        asked: Asked,
        stands: StreamHead,
        lines: Sequence[bytes],
        events: Sequence[Event],
        ahead: Ahead,
        risks: tuple[Exposure, ...],
    ) -> Append:
        plays, round = ended(self.id, ahead.marks, stands.sequence + 1, events)
        if asked.seals is not None:
            self._sealed = {asked.seals.shoe: asked.seals.secret}  # the one before has been told
        return following(
            stands,
            lines,
            events,
            asked.id,
            seals=asked.seals,
            reveals=next((event.number for event in events if isinstance(event, ShuffleRevealed)), None),
            plays=plays,
            round=round,
            risks=risks,
        )

    def _cards(self, table: Table) -> tuple[str, ...]:
        """The order of the electronic shoe in use; () where there is none."""
        shuffle = table.shuffle
        if shuffle is None or shuffle.mix is None or shuffle.number not in self._sealed:
            return ()
        if self._mixed != shuffle.mix:
            self._mixed, self._order = shuffle.mix, order(table, self._sealed[shuffle.number])
        return self._order

    def secret(self, shoe: int) -> bytes | None:
        """The secret of a shuffle that is not revealed yet. For whoever drives the table alone."""
        return self._sealed.get(shoe)

    # ------------------------------------------------ what became of it

    def landed(self, group: Sequence[Asked], results: Sequence[Result]) -> None:
        """Take in what a commit brought, in order; once something of it is missing, only reading on tells the rest.

        An append behind one that failed can succeed all the same: where another node has written the very same records.
        """
        _, moment = self._pending.popleft()
        done = [each for each in results if isinstance(each, Appended)]
        if not self._behind and len(done) == len(results):
            told = [happened for asked in group for happened in asked.happened]
            self.durable = moment
            for asked, appended in zip(group, done, strict=True):
                self._durable(asked, appended)
            self._tell(told)
        else:
            for asked, result in zip(group, results, strict=True):
                if isinstance(result, Appended):
                    self._durable(asked, result)
                else:
                    self._behind = True
                    self._undone(asked, result)
        if self._behind:
            self._read_on()

    def _durable(self, asked: Asked, result: Appended) -> None:
        if asked.defect is not None:
            why = _why_stopped(asked)
            self._alarm(self.id, why)
            self._fail(asked, Stopped(why))
        else:
            self._answer(asked, asked.refusal or Done(result.first, result.last))

    def _answer(self, asked: Asked, outcome: Answer) -> None:
        if outcome is not None:
            self._answers.answered(asked, outcome)
        asked.answered(outcome)

    def _undone(self, asked: Asked, result: object) -> None:
        """It was not appended; nor was what came behind it, unless another node wrote the same in its place."""
        match result:
            case Duplicate() if asked.follows is not None:  # another node has taken a step from there
                asked.answered(None)
            case Duplicate():
                self._done_before.append((asked, result))
            case WrongExpectedVersion() if asked.tries < TRIES:
                asked.tries += 1
                self._waiting.append(asked)
            case InsufficientFunds() | LossLimitExceeded():
                self._fail(asked, result)
            case WrongExpectedVersion() | CommitFailed() | StoreUnusable():
                self._fail(asked, Busy(str(result)))
            case Exception() if asked.defect is None:  # a defect that the store found
                asked.defect = result
                self._waiting.append(asked)
            case _:
                self._break(f"{result}")
                self._fail(asked, Stopped(self.broken))

    def _break(self, why: str) -> None:
        """Not even the defect could be stored: the table stands still on this node."""
        self.broken = why
        log.error("a table stands still", table=self.id, why=why)
        self._alarm(self.id, why)

    # ------------------------------------------------ telling

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Be told what happens, in order, once it is durable; gives what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, happened: Sequence[Happened]) -> None:
        self.history.extend(past(happened))
        for listener in tuple(self._listeners):
            try:
                listener(happened)
            except Exception:
                log.exception("a listener failed", table=self.id, sequence=happened[-1].sequence)
        if self.durable.sequence - self._kept >= KEPT_EVERY and self.durable.state.round is None:
            self.keep()

    # ------------------------------------------------ reading on

    def noticed(self, sequence: int) -> None:
        """Somebody has appended up to there: where it was another node, read on."""
        if sequence > self.sequence:
            self._behind = True
            self._read_on()

    async def catch_up(self) -> None:
        """Read what other nodes wrote; where the store cannot be read now, the next command tries again."""
        caught_up: asyncio.Future[None] = self._loop.create_future()
        self._catching_up.append(caught_up)
        self._behind = True
        self._read_on()
        await caught_up

    def _read_on(self) -> None:
        """Once nothing of ours is on its way any more."""
        if not self._pending and self._reading is None:
            self._reading = self._loop.create_task(self._reads_on())

    async def _reads_on(self) -> None:
        """Until nobody has noticed anything new meanwhile; then everything that waits is decided."""
        try:
            while self._behind and not self.broken:
                self._behind = False
                await self._reads()
        except Damaged as error:
            self._break(str(error))
        except StoreError as error:
            self._behind = True
            self._give_up(Busy(str(error)))
        except Exception as error:  # records that this program cannot read: a newer one may have written them
            self._break(f"{type(error).__name__}: {error}")
        self._reading = None
        if self.broken:
            self._give_up(Stopped(self.broken))
        waiting, self._waiting = self._waiting, deque()
        if waiting:
            self._decide(waiting)
        caught_up, self._catching_up = self._catching_up, []
        for each in caught_up:
            if not each.done():
                each.set_result(None)

    async def _reads(self) -> None:
        start, game, duplicates = self.durable, self.game, tuple(self._done_before)

        def news() -> tuple[Read, Game, dict[int, bytes], list[Answer]]:
            found = after(start, self._store.records(self.id, start.sequence))
            table = found.moment.state
            same = table.settings is not None and table.game == game.digest
            rules = game if same else rules_of(self._store, self.id, table)
            return found, rules, self._store.sealed(self.id), [self._recalled(each) for _, each in duplicates]

        found, self.game, self._sealed, answers = await asyncio.to_thread(news)
        self.durable = self.newest = found.moment
        if found.happened:
            self._tell(found.happened)
        for (asked, _), answer in zip(duplicates, answers, strict=True):
            self._answer(asked, answer)
        del self._done_before[: len(duplicates)]

    def _recalled(self, done: Duplicate) -> Answer:
        """What a command was answered when it was done."""
        (line,) = self._store.records_between(self.id, done.first, done.first)
        event = decode(line).event
        return _refusal(event) if isinstance(event, CommandRefused) else Done(done.first, done.last, duplicate=True)

    def _give_up(self, error: Exception) -> None:
        waiting = [*(asked for asked, _ in self._done_before), *self._waiting]
        self._done_before.clear()
        self._waiting.clear()
        for asked in waiting:
            self._fail(asked, error)

    # ------------------------------------------------ keeping

    def keep(self) -> None:
        """Keep the state, so that whoever reads the table starts from here; at most one at a time."""
        if self._form and self._keeping is None and self._kept != self.durable.sequence:
            self._kept = self.durable.sequence
            self._keeping = self._loop.create_task(self._keeps(self.durable))

    async def _keeps(self, moment: Moment) -> None:
        try:
            await asyncio.to_thread(self._store.keep_state, self.id, moment.sequence, self._form, kept(moment))
        except StoreError as error:  # it only saves time
            log.warning("a state could not be kept", table=self.id, why=str(error))
        finally:
            self._keeping = None

    async def close(self) -> None:
        """Wait for everything that is on its way, and keep the state."""
        self.turn()
        while self._pending or self._reading is not None:
            pending = [asked for group, _ in self._pending for asked in group]
            on_their_way = [asked.future(self._loop) for asked in (*pending, *self._waiting)]
            await asyncio.gather(*on_their_way, *filter(None, [self._reading]), return_exceptions=True)
        self.keep()
        if self._keeping is not None:
            await self._keeping


def _salt() -> str:
    return secrets.token_hex(SALT_BYTES)


def _once_more(answer: Answer) -> Answer:
    """What whoever asks again is answered."""
    return replace(answer, duplicate=True) if isinstance(answer, Done) else answer


def _tell_again(before: Asked | Outcome, told: Told) -> None:
    if isinstance(before, Asked):
        before.waiting.append(lambda answer: told(answer if isinstance(answer, Exception) else _once_more(answer)))
    else:
        told(_once_more(before))


def _risks(asked: Asked, before: Mapping[str, int], after: Table) -> tuple[Exposure, ...]:
    """What those have at stake who have a limit on losses; the limit is judged where that became more."""
    if after.round is None:
        return ()
    staked = {person: _staked(after, person) for person in before}
    return tuple(
        Exposure(person, after.round.number, now, *(asked.bounds[person] if now > before[person] else ()))
        for person, now in staked.items()
    )


def _staked(table: Table, person: str) -> int:
    return sum(stake.amount for stake in table.round.stakes_of(person)) if table.round is not None else 0


def _why_stopped(asked: Asked) -> str:
    return next(each.event.why for each in asked.happened if isinstance(each.event, TableStopped))


def _refusal(event: CommandRefused) -> Refusal:
    """A refusal as the trail has it; what could be done instead is not on record."""
    return Refusal(event.reason, clause=event.clause)
