"""The automatic dealer: one task for each table that this node drives, which acts there for the house.

It looks at the table, does what is due, and otherwise waits until something happens or a time is up. Everything follows from
the table and its records, so another node goes on at any point where this one stops.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from longhu.accounts.alerts import Significant
from longhu.accounts.names import AUTO_DEALER
from longhu.eventsourcing import Refusal, name_of
from longhu.fairness.source import SourceFailed
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.server.automation.dealer_acts import dealer_acts, filling, owed
from longhu.server.automation.shuffle_ceremony import (
    RANDOM_SOURCE_FAILED,
    Chance,
    loading,
    new_shuffle,
    open_until,
    worn,
)
from longhu.server.observability import log
from longhu.server.streams.commands import StoreUnavailable, TableHalted
from longhu.server.streams.stream import Snapshot
from longhu.server.streams.table_stream import AppliedTableEvent, TableStream
from longhu.server.timers import DealerTiming, TimedCommand, deadlines, is_dealt_automatically
from longhu.table.betting import WagerPlaced
from longhu.table.betting_phase import CallPlaceYourBets
from longhu.table.messages import Command
from longhu.table.shuffling import is_pending
from longhu.table.state import Phase, Table

ALERT_HOUSE_REFUSED = message_code("alert-house-command-refused", command="command", reason="message")
ALERT_DEALER_FAILED = message_code("alert-automatic-dealer-failed", detail="text")
ALERT_NO_SHOE = message_code("alert-no-shoe", reason="message")

BUSY = 0.25  # seconds to wait where the store could not take an act, the first time
BUSY_MOST = 4.0
REFUSED = 5.0  # seconds to wait where an act was refused that should not be, unless something happens
SOON = 0.05  # seconds, after another wager
LOOKS = 30.0  # seconds, between two looks at a table where nothing happens: the clock may have been moved

Alert = Callable[[Significant, Message], None]


class AutomaticDealer:
    """Acts for the house at one table."""

    def __init__(
        self,
        live: TableStream,
        timing: DealerTiming,
        chance: Chance,
        now: Callable[[], int],
        *,
        alert: Alert,
        may_start: Callable[[], Refusal | None] = lambda: None,
    ) -> None:
        self.live, self.timing = live, timing
        self._chance, self._now, self._alert, self._may_start = chance, now, alert, may_start
        self._changed = asyncio.Event()
        self._looking: asyncio.TimerHandle | None = None  # a look a moment later
        self._rests_until = 0  # milliseconds: until then nothing is done that people watch
        self._complained: Message | None = None  # of what, last

    async def run(self) -> None:
        """Until it is cancelled."""
        stop_listening = self.live.listen(self._happened)
        waits = BUSY
        try:
            while True:
                self._changed.clear()
                try:
                    await self._next()
                    waits = BUSY
                except StoreUnavailable as busy:
                    log.warning("the automatic dealer waits for the store", table=self.live.name, why=str(busy))
                    await self._until(waits)
                    waits = min(2 * waits, BUSY_MOST)
                except TableHalted:
                    await self._changed.wait()
                except Exception as error:
                    log.exception("the house cannot act", table=self.live.name)
                    await self._complain(ALERT_DEALER_FAILED(detail=f"{type(error).__name__}: {error}"[:300]))
        finally:
            stop_listening()
            if self._looking is not None:
                self._looking.cancel()

    def _happened(self, happened: Sequence[AppliedTableEvent]) -> None:
        """Look again: at once, or a moment later where there is nothing but another wager, as there may be thousands."""
        if not all(map(_another_wager, happened)):
            self._changed.set()
        elif self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(SOON, self._looks)

    def _looks(self) -> None:
        self._looking = None
        self._changed.set()

    async def _until(self, seconds: float) -> None:
        """Wait for something to happen, so long at most."""
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            pass

    async def _complain(self, found: Message) -> None:
        """Something that should not be: a person must look. It is tried again when something happens, or after a while."""
        if found != self._complained:
            self._complained = found
            self._alert(Significant.STOPPED, found)
        await self._until(REFUSED)

    async def _next(self) -> None:
        """Do what is due, or wait."""
        table = self.live.state
        if table.settings is None or table.stopped or self.live.halted:
            await self._changed.wait()
            return
        if self._changes_shoe():
            await self._shuffle()
            return
        next = self._next_act(self.live.snapshot)
        wait = self._due(next) - self._now() if next is not None else None
        if next is None or (wait is not None and wait > 0):
            await self._until(LOOKS if wait is None else min(wait / 1000, LOOKS))
        elif isinstance(next.command, CallPlaceYourBets) and self._may_start() is not None:
            await self._until(REFUSED)  # the maintenance that found out why has raised an alert
        else:
            await self._act()

    def _due(self, act: TimedCommand) -> int:
        return max(act.due, self._rests_until) if act.paced else act.due

    def _next_act(self, snapshot: Snapshot[Table]) -> TimedCommand | None:
        """The first thing that the house does at this table, and when."""
        return min(self._acts(snapshot), key=self._due, default=None)

    def _acts(self, snapshot: Snapshot[Table]) -> Iterator[TimedCommand]:
        """Everything that the house may do at this table, and when."""
        table, game, at = snapshot.state, self.live.game, self._now()
        automatic = is_dealt_automatically(table)
        fill = filling(table, owed(table, game) if automatic else 0, at)
        if fill is not None:
            yield TimedCommand(at, fill)
            return
        if is_pending(table):
            window = self.timing.rest if game.reshuffled else self.timing.contribution
            yield TimedCommand(open_until(table, game, snapshot.milestones, window), loading(table, game, at))
            return
        acts = dealer_acts(table, game, snapshot.milestones, at, self.timing) if automatic else ()
        yield from chain(deadlines(table, game), acts)

    async def _act(self) -> None:
        """Do what is due at the table as it is when its turn comes; by then that may be nothing."""
        proposed: list[TimedCommand] = []
        before = self.live.state.round

        def due(snapshot: Snapshot[Table]) -> Command | None:
            act = self._next_act(snapshot)
            if act is None or self._due(act) > self._now():
                return None
            if isinstance(act.command, CallPlaceYourBets) and self._may_start() is not None:
                return None
            proposed[:] = [act]
            return replace(act.command, at=self._now())

        done = await self.live.propose(due)
        if isinstance(done, Refusal):
            await self._complain(ALERT_HOUSE_REFUSED(command=name_of(proposed[0].command), reason=done.reason))
        elif done is not None and proposed[0].paced:
            over = before is not None and self.live.state.round is None
            self._rests_until = self._now() + (self.timing.rest if over else self.timing.act)

    # ------------------------------------------------ the shoe

    def _changes_shoe(self) -> bool:
        """Is it time for another shoe? Not before somebody is there to contribute to it."""
        table = self.live.state
        electronic = table.settings is not None and table.settings.virtual_shoe
        idle = table.round is not None or is_pending(table) or table.suspended or not table.people
        return electronic and not idle and is_dealt_automatically(table) and worn(table, self.live.game)

    async def _shuffle(self) -> None:
        try:
            done = await new_shuffle(
                self.live,
                self._chance,
                by=AUTO_DEALER,
                position=Position.DEALER,
                now=self._now,
            )
        except SourceFailed as failed:
            self._alert(Significant.RNG_FAULT, RANDOM_SOURCE_FAILED(problem=failed.problem))
            return
        if isinstance(done, Refusal) and self._changes_shoe():  # and nobody has done anything that explains it
            await self._complain(ALERT_NO_SHOE(reason=done.reason))


def _another_wager(happened: AppliedTableEvent) -> bool:
    """One more while betting is open and somebody has wagered before: it changes nothing of what the house does next."""
    if type(happened.event) is not WagerPlaced:
        return False
    before, after = happened.before.round, happened.after.round
    return before is not None and bool(before.stakes) and after is not None and after.phase is Phase.BETTING
