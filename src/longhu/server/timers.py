"""Time at the house: its clock, how fast the automatic dealer is, when betting closes, and what happens when a time is up.

One clock serves everything that this node writes down (LOG-8). It follows the clock of the machine, and compares it with the steady
clock of the machine to notice steps. After a step forward it goes along; after a step back it goes on from where it was, a little
slower, until the machine has caught up: no record is before the last, and no countdown stands still.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from longhu.accounts.names import AUTO_DEALER
from longhu.games.game import Game
from longhu.positions import Position
from longhu.table.irregularities.exposure import RevealForAbsent
from longhu.table.messages import Command
from longhu.table.remedies.void import CancelExpiredRound
from longhu.table.remedies.withdrawal import CloseWithdrawalOffer
from longhu.table.state import Phase, Round, Table

RESTS = 3  # acts' time for which a result stays on the table


class DealerTiming(msgspec.Struct, frozen=True, kw_only=True):
    """How fast an automatic dealer is, in milliseconds."""

    betting: int = 15_000
    act: int = 1_000  # between two acts
    contribution: int = 10_000  # for contributions to a shuffle, and for the cut
    ruling: int = 120_000  # after which a round that waits for a ruling at an automatic table is void

    @property
    def rest(self) -> int:
        """Between two rounds."""
        return RESTS * self.act


class TimedCommand(NamedTuple):
    """A command that the house gives once its time has come."""

    due: int  # milliseconds, UTC
    command: Command
    paced: bool = False  # an act that people watch: some time lies between two of them


def is_dealt_automatically(table: Table) -> bool:
    """Does the house deal here by itself? Not while a person has taken the deal."""
    return table.settings is not None and table.settings.automatic_dealer and table.dealer in ("", AUTO_DEALER)


def closes_at(table: Table, betting: int) -> int | None:
    """When the automatic dealer closes betting; None where it is not open, or a person closes it.

    That is so long after the opening call. Where nobody has wagered until then, betting stays open, and closes so long after
    the first wager: nobody is dealt a round that nobody has bet on.
    """
    round = table.round
    if round is None or round.phase is not Phase.BETTING or not is_dealt_automatically(table):
        return None
    end, first = round.started + betting, round.first_wager if round.wagering else None
    return end if first is None or first <= end else first + betting


def deadlines(table: Table, game: Game) -> Iterator[TimedCommand]:
    """Every time that runs at a table, whoever deals, and what is done when it is up."""
    round = table.round
    if round is None or table.settings is None:
        return
    offer, after = round.halt.offer, table.settings.reveal_seconds * 1000
    if offer is not None:
        yield TimedCommand(offer.until, CloseWithdrawalOffer(by=AUTO_DEALER, at=0, position=Position.DEALER))
    elif not round.halt.for_ruling and not round.asks_supervisor:
        for hand in _held(round):
            command = RevealForAbsent(by=AUTO_DEALER, at=0, position=Position.DEALER, hand=hand)
            yield TimedCommand(round.last_card_at + after, command)
    end = round.expires_at(game)
    if end is not None:  # a game in progress for longer than the document allows is cancelled and refunded (REC-5)
        yield TimedCommand(end + 1, CancelExpiredRound(by=AUTO_DEALER, at=0, position=Position.DEALER))


def _held(round: Round) -> Iterator[str]:
    """Hands that patrons hold face down, and whose faces the table knows: those of a physical shoe a person reports."""
    for number, hand in enumerate(round.hands):
        hidden = [each for each in round.cards_of(number) if not each.public]
        if hidden and round.holders[number] and all(each.card for each in hidden):
            yield hand


# ------------------------------------------------ the clock

STEP = 1000  # milliseconds off that are a step, and no mere drift
SLOWER = 10  # a clock that is ahead gains back one part in so many


MILLISECOND = 1_000_000  # nanoseconds


class ClockStep(NamedTuple):
    """The clock of the machine was moved."""

    before: int  # what it should have said, milliseconds UTC
    after: int  # what it said


class Clock:
    """Milliseconds, UTC, never less than before."""

    def __init__(self, wall: Callable[[], int] = time.time_ns, steady: Callable[[], int] = time.monotonic_ns) -> None:
        self._wall, self._steady = wall, steady  # in nanoseconds
        self._steady_at = steady() // MILLISECOND
        self._at = wall() // MILLISECOND
        self._apart = self._at - self._steady_at  # how far the two clocks of the machine are apart
        self._steps: list[ClockStep] = []

    def now(self) -> int:
        wall, steady = self._wall() // MILLISECOND, self._steady() // MILLISECOND
        elapsed = steady - self._steady_at
        expected = steady + self._apart
        if abs(wall - expected) > STEP:
            self._steps.append(ClockStep(expected, wall))
        ahead = self._at + elapsed - wall
        self._at = wall if ahead <= 0 else self._at + elapsed - min(ahead, elapsed // SLOWER)
        self._steady_at, self._apart = steady, wall - steady
        return self._at

    def seen(self, at: int) -> None:
        """Something is on record with this time: from here on it is not earlier."""
        if at > self.now():
            self._at = at

    def steps(self) -> list[ClockStep]:
        """Those since the last time that somebody asked."""
        self.now()
        steps, self._steps = self._steps, []
        return steps
