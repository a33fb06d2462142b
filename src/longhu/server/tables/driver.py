"""What the house does at a table by itself: one task for each table that this node drives.

It looks at the table, does what is due, and otherwise waits until something happens or a time is up. Everything follows from
the table and its records, so another node goes on at any point where this one stops.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from longhu.accounts.names import AUTO_DEALER
from longhu.accounts.significant import Significant
from longhu.audit.record import command_name
from longhu.fairness.source import SourceFailed
from longhu.server.done import Busy, Stopped
from longhu.server.logs import log
from longhu.server.tables.deadlines import deadlines
from longhu.server.tables.dealing import dealings, deals
from longhu.server.tables.live import Live
from longhu.server.tables.moment import Happened
from longhu.server.tables.pace import Pace
from longhu.server.tables.shoes import Chance, loading, new_shuffle, open_until, worn
from longhu.server.tables.tray import filling, owed
from longhu.server.tables.turn import Turn
from longhu.table.acts import Refusal
from longhu.table.betting import WagerPlaced
from longhu.table.calls import CallPlaceYourBets
from longhu.table.positions import Position
from longhu.table.shuffling import is_pending
from longhu.table.state import Phase

BUSY = 0.25  # seconds to wait where the store could not take an act, the first time
BUSY_MOST = 4.0
REFUSED = 5.0  # seconds to wait where an act was refused that should not be, unless something happens
SOON = 0.05  # seconds, after another wager
LOOKS = 30.0  # seconds, between two looks at a table where nothing happens: the clock may have been moved

Alert = Callable[[Significant, str], None]


class Driver:
    """Whoever acts for the house at one table."""

    def __init__(
        self,
        live: Live,
        pace: Pace,
        chance: Chance,
        now: Callable[[], int],
        *,
        alert: Alert,
        may_start: Callable[[], Refusal | None] = lambda: None,
    ) -> None:
        self.live, self.pace = live, pace
        self._chance, self._now, self._alert, self._may_start = chance, now, alert, may_start
        self._changed = asyncio.Event()
        self._looking: asyncio.TimerHandle | None = None  # a look a moment later
        self._rests_until = 0  # milliseconds: until then nothing is done that people watch
        self._complained = ""  # of what, last

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
                except Busy as busy:
                    log.warning("the house waits for the store", table=self.live.id, why=str(busy))
                    await self._until(waits)
                    waits = min(2 * waits, BUSY_MOST)
                except Stopped:
                    await self._changed.wait()
                except Exception as error:
                    log.exception("the house cannot act", table=self.live.id)
                    await self._complain(f"the house cannot act by itself: {type(error).__name__}: {error}")
        finally:
            stop_listening()
            if self._looking is not None:
                self._looking.cancel()

    def _happened(self, happened: Sequence[Happened]) -> None:
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

    async def _complain(self, says: str) -> None:
        """Something that should not be: a person must look. It is tried again when something happens, or after a while."""
        if says != self._complained:
            self._complained = says
            self._alert(Significant.STOPPED, says)
        await self._until(REFUSED)

    async def _next(self) -> None:
        """Do what is due, or wait."""
        table = self.live.state
        if table.settings is None or table.stopped or self.live.broken:
            await self._changed.wait()
            return
        if self._changes_shoe():
            await self._shuffle()
            return
        turn = min(self._turns(), key=self._due, default=None)
        wait = self._due(turn) - self._now() if turn is not None else None
        if turn is None or (wait is not None and wait > 0):
            await self._until(LOOKS if wait is None else min(wait / 1000, LOOKS))
        elif isinstance(turn.command, CallPlaceYourBets) and self._may_start() is not None:
            await self._until(REFUSED)  # whoever found that out has told it
        else:
            await self._do(turn)

    def _due(self, turn: Turn) -> int:
        return max(turn.due, self._rests_until) if turn.paced else turn.due

    def _turns(self) -> Iterator[Turn]:
        """Everything that the house may do at this table, and when."""
        newest, game, at = self.live.newest, self.live.game, self._now()
        table, marks = newest.state, newest.marks
        fill = filling(table, owed(table, game) if deals(table) else 0, at)
        if fill is not None:
            yield Turn(at, fill)
            return
        if is_pending(table):
            window = self.pace.rest if game.reshuffled else self.pace.contribution
            yield Turn(open_until(table, game, marks, window), loading(table, game, at))
            return
        yield from chain(deadlines(table, game), dealings(table, game, marks, at, self.pace) if deals(table) else ())

    async def _do(self, turn: Turn) -> None:
        before = self.live.state.round
        done = await self.live.step(replace(turn.command, at=self._now()))
        if isinstance(done, Refusal):
            await self._complain(f"{command_name(turn.command)} of the house was refused: {done.reason}")
        elif done is not None and turn.paced:
            over = before is not None and self.live.state.round is None
            self._rests_until = self._now() + (self.pace.rest if over else self.pace.act)

    # ------------------------------------------------ the shoe

    def _changes_shoe(self) -> bool:
        """Is it time for another shoe? Not before somebody is there to contribute to it."""
        table = self.live.state
        electronic = table.settings is not None and table.settings.electronic_shoe
        idle = table.round is not None or is_pending(table) or table.suspended or not table.people
        return electronic and not idle and deals(table) and bool(worn(table, self.live.game))

    async def _shuffle(self) -> None:
        table = self.live.state
        try:
            done = await new_shuffle(
                self.live,
                self._chance,
                worn(table, self.live.game),
                by=AUTO_DEALER,
                position=Position.DEALER,
                now=self._now,
            )
        except SourceFailed as failed:
            self._alert(Significant.RNG_FAULT, str(failed))
            return
        if isinstance(done, Refusal) and self._changes_shoe():  # and nobody has done anything that explains it
            await self._complain(f"no shoe can be made: {done.reason}")


def _another_wager(happened: Happened) -> bool:
    """One more while betting is open and somebody has wagered before: it changes nothing of what the house does next."""
    if type(happened.event) is not WagerPlaced:
        return False
    before, after = happened.before.round, happened.after.round
    return before is not None and bool(before.stakes) and after is not None and after.phase is Phase.BETTING
