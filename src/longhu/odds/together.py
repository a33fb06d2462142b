"""Several wagers of one patron in one round: the distribution of the whole result, and what a cap takes off.

Stakes are money, settled for every ending as a table would settle them: with the house's rounding and with
the cap on what one round may credit (DBO's, say).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

from longhu.games.game import Game, Wager
from longhu.money import Money
from longhu.odds.ways import Ways
from longhu.settlement import settle


@dataclass(frozen=True)
class Together:
    """Stakes on several wagers from one shoe; all results are in minor units of money."""

    game: Game
    stakes: Mapping[str, Money]
    nets: Mapping[Money, Fraction]  # the whole result, and how likely it is
    cuts: Mapping[Money, Fraction]  # what the cap takes off, and how likely that is; empty where it never does
    covariances: Mapping[tuple[str, str], Fraction]  # of each two wagers, for one unit staked on each

    @property
    def staked(self) -> Money:
        return Money(sum(self.stakes.values()))

    @cached_property
    def expected(self) -> Fraction:
        return _mean(self.nets)

    @property
    def rtp(self) -> Fraction:
        return 1 + self.expected / self.staked

    @cached_property
    def variance(self) -> Fraction:
        return sum((chance * net**2 for net, chance in self.nets.items()), Fraction(0)) - self.expected**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def cut(self) -> Fraction:
        """What the cap costs the patron, on average, in each round."""
        return _mean(self.cuts)

    @property
    def cut_probability(self) -> Fraction:
        return sum(self.cuts.values(), Fraction(0))


def _mean(chances: Mapping[Money, Fraction]) -> Fraction:
    return sum((chance * amount for amount, chance in chances.items()), Fraction(0))


def together(game: Game, counted: Ways, stakes: Mapping[str, Money]) -> Together:
    """Settle these stakes on every ending. A void round gives them back."""
    nets: dict[Money, int] = defaultdict(int)
    cuts: dict[Money, int] = defaultdict(int)
    settled: dict[bytes, tuple[Money, Money]] = {}  # by the lines that decide, which are far fewer than the endings
    deciding = [game.wagers[id].deciding for id in stakes]
    for number, some in counted.of.items():
        lines = bytes([each[number] for each in deciding])
        known = settled.get(lines)
        if known is None:
            result = settle(game, number, stakes)
            known = settled[lines] = result.net, result.cut.amount if result.cut else Money(0)
        net, cut = known
        nets[net] += some
        if cut:
            cuts[cut] += some
    if counted.void:
        nets[Money(0)] += counted.void
    paired = covariances({id: game.wagers[id] for id in stakes}, counted)
    return Together(game, stakes, _chances(nets, counted.deals), _chances(cuts, counted.deals), paired)


def _chances(ways: Mapping[Money, int], deals: int) -> dict[Money, Fraction]:
    return {amount: Fraction(some, deals) for amount, some in sorted(ways.items())}


def covariances(wagers: Mapping[str, Wager], counted: Ways) -> dict[tuple[str, str], Fraction]:
    """The covariance of each two wagers, for one unit staked on each."""
    ids = list(wagers)
    found: dict[tuple[str, str], Fraction] = {}
    means = {id: _expected(counted, wagers[id]) for id in ids}
    for place, one in enumerate(ids):
        for other in ids[place:]:
            product = _expected(counted, wagers[one], wagers[other])
            found[one, other] = found[other, one] = product - means[one] * means[other]
    return found


def _expected(counted: Ways, *wagers: Wager) -> Fraction:
    """The mean of the product of the wagers' nets."""
    sums: dict[tuple[int, ...], int] = defaultdict(int)
    for number, some in counted.of.items():
        sums[tuple(wager.deciding[number] for wager in wagers)] += some
    total = Fraction(0)
    for lines, some in sums.items():
        product = Fraction(some)
        for wager, line in zip(wagers, lines, strict=True):
            product *= wager.lines[line].net
        total += product
    return total / counted.deals
