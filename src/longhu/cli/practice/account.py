"""What a visit to the table came to, and what was to be expected of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from longhu.eventsourcing import Event
from longhu.money import Money
from longhu.table.cash import ChipsBought
from longhu.table.settling import RoundCapped, RoundEnded, WagerSettled

if TYPE_CHECKING:
    from longhu.odds.figures import GameOdds


@dataclass
class WagerTally:
    """One wager over all rounds."""

    rounds: int = 0
    staked: int = 0
    net: int = 0


@dataclass(frozen=True)
class ExpectedNet:
    """What exact odds say of the stakes that were placed, in minor units."""

    net: Fraction
    variance: Fraction

    @property
    def margin(self) -> float:
        """The net lies this close to the expected one, 95 times in 100."""
        from longhu.odds.figures import Z_95

        return Z_95 * sqrt(self.variance)


@dataclass
class VisitAccount:
    """One patron's visit, kept from the events of the table."""

    patron: str
    bought: int = 0
    rounds: int = 0  # dealt while the patron was there
    cut: int = 0  # what caps on single rounds took
    wagers: dict[str, WagerTally] = field(default_factory=dict)
    placed: Counter[tuple[tuple[str, int], ...]] = field(default_factory=Counter)  # stakes of a round, and how often
    last: dict[str, int] = field(default_factory=dict)  # the stakes of the last round that had any
    round_net: int = 0  # of the last round
    round_staked: bool = False  # whether anything was wagered in it
    _stakes: dict[str, int] = field(default_factory=dict)

    def note(self, events: list[Event]) -> None:
        """Everything that happens at the table comes by here."""
        for event in events:
            match event:
                case ChipsBought() if event.patron == self.patron:
                    self.bought += event.amount
                case WagerSettled() if event.stake.patron == self.patron:
                    self._settled(event)
                case RoundCapped() if event.patron == self.patron:
                    self.cut += event.cut
                    self.round_net -= event.cut
                case RoundEnded():
                    self._ended()

    def _settled(self, event: WagerSettled) -> None:
        if not self._stakes:
            self.round_net = 0
        self._stakes[event.stake.wager] = event.stake.amount
        tally = self.wagers.setdefault(event.stake.wager, WagerTally())
        tally.rounds += 1
        tally.staked += event.stake.amount
        tally.net += event.net
        self.round_net += event.net

    def _ended(self) -> None:
        self.rounds += 1
        self.round_staked = bool(self._stakes)
        if self._stakes:
            self.last = self._stakes
            self.placed[tuple(sorted(self._stakes.items()))] += 1
        else:
            self.round_net = 0
        self._stakes = {}

    @property
    def rounds_wagered(self) -> int:
        return self.placed.total()

    @property
    def staked(self) -> int:
        return sum(tally.staked for tally in self.wagers.values())

    @property
    def net(self) -> int:
        return sum(tally.net for tally in self.wagers.values()) - self.cut

    def expected(self, odds: GameOdds) -> ExpectedNet:
        """Every round's stakes settled for every ending, with the house's rounding and the cap of a round."""
        from longhu.odds.together import together

        net = variance = Fraction(0)
        for stakes, times in self.placed.items():
            joint = together(odds.game, odds.ways, {id: Money(amount) for id, amount in stakes})
            net += joint.expected * times
            variance += joint.variance * times
        return ExpectedNet(net, variance)
