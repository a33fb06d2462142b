"""What a simulation shows: for every wager its return, how sure that is, and how far from the exact odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longhu.cards import Shoe
from longhu.games.game import Game, Wager
from longhu.odds.figures import GameOdds, game_odds
from longhu.report.notebook import as_html
from longhu.report.text import as_text
from longhu.simulate.plan import Plan
from longhu.simulate.report import wager_table
from longhu.simulate.totals import Totals, pays_of

BLOCKS_FOR_SPREAD = 20  # fewer say too little about how far blocks are apart


@dataclass(frozen=True)
class WagerResult:
    """One wager, for each unit staked."""

    wager: Wager
    rounds: int
    mean: float  # net
    variance: float  # of one round
    standard_error: float  # of the mean
    hit_frequency: float
    exact_rtp: float

    @property
    def rtp(self) -> float:
        """Return to player: what came back, on average, of each unit staked."""
        return 1 + self.mean

    @property
    def house_edge(self) -> float:
        return -self.mean

    @property
    def z(self) -> float:
        """How many standard errors the result is from the exact return; 0 where it cannot differ."""
        return (self.rtp - self.exact_rtp) / self.standard_error if self.standard_error else 0.0


@dataclass(frozen=True)
class DepthResult:
    """Some rounds of every shoe, counted from its first."""

    first: int
    last: int | None  # None: to the end of the shoe
    wagers: Mapping[str, WagerResult]
    sure: bool  # every shoe has these rounds: then each is worth what a round from a full shoe is

    @property
    def rounds(self) -> int:
        return next(iter(self.wagers.values())).rounds


@dataclass(frozen=True, repr=False)
class Simulation(Mapping[str, WagerResult]):
    """A run of a game, by wager."""

    totals: Totals
    seconds: float
    odds: GameOdds
    before: int = 0  # rounds of an earlier run that this one went on from

    @property
    def plan(self) -> Plan:
        return self.totals.plan

    @property
    def game(self) -> Game:
        return self.plan.game

    @property
    def rounds(self) -> int:
        return self.totals.rounds

    @property
    def speed(self) -> float:
        """Rounds a second, of those that were dealt in these seconds."""
        return max(0, self.rounds - self.before) / self.seconds if self.seconds else 0.0

    @property
    def seed(self) -> int:
        return self.plan.seed

    @property
    def complete(self) -> bool:
        return self.totals.upto == self.plan.blocks

    @property
    def histogram(self) -> NDArray[np.uint64]:
        """How often each ending came up, by its number in the outcome table."""
        return self.totals.endings

    @cached_property
    def wagers(self) -> Mapping[str, WagerResult]:
        endings = self.totals.endings.astype(np.float64)
        by_blocks = self.plan.by_shoe is not None and self.totals.spread.blocks >= BLOCKS_FOR_SPREAD
        return {id: self._result(id, endings, by_blocks) for id in self.odds}

    def _result(self, id: str, endings: NDArray[np.float64], by_blocks: bool) -> WagerResult:
        wager, pay = self.game.wagers[id], pays_of(self.plan)[id]
        rounds = endings.sum()
        nets = pay.nets / pay.parts
        mean = float(endings @ nets / rounds)
        variance = max(0.0, float(endings @ nets**2 / rounds) - mean**2)
        error = sqrt(variance / rounds)
        if by_blocks:
            error = self.totals.spread.standard_error(id, int(rounds), mean * pay.parts) / pay.parts
        hits = float(endings[nets > 0].sum() / rounds)
        return WagerResult(wager, int(rounds), mean, variance, error, hits, float(self.odds[id].rtp))

    @cached_property
    def depths(self) -> list[DepthResult]:
        """The rounds of a shoe in their order; empty unless shoes were dealt in several depths."""
        how = self.plan.by_shoe
        if how is None or how.depths == 1:
            return []
        rows = []
        for row, endings in enumerate(self.totals.by_depth):
            if not endings.sum():
                continue
            first = row * how.per_depth + 1
            last = None if row == how.depths - 1 else first + how.per_depth - 1
            sure = (self.plan.most_rounds if last is None else last) <= self.plan.sure_rounds
            results = {id: self._result(id, endings.astype(np.float64), by_blocks=False) for id in self.odds}
            rows.append(DepthResult(first, last, results, sure))
        return rows

    def covariances(self) -> dict[tuple[str, str], float]:
        """Of each two wagers, for one unit staked on each in the same round."""
        endings = self.totals.endings.astype(np.float64)
        rounds = endings.sum()
        nets = np.array([pay.nets / pay.parts for pay in (pays_of(self.plan)[id] for id in self.odds)])
        means = nets @ endings / rounds
        found = (nets * endings) @ nets.T / rounds - np.outer(means, means)
        ids = list(self.odds)
        return {(one, other): float(found[i, j]) for i, one in enumerate(ids) for j, other in enumerate(ids) if i < j}

    @property
    def largest_error(self) -> float:
        return max(each.standard_error for each in self.wagers.values())

    def __getitem__(self, wager: str) -> WagerResult:
        return self.wagers[wager]

    def __iter__(self) -> Iterator[str]:
        return iter(self.wagers)

    def __len__(self) -> int:
        return len(self.wagers)

    def rows(self) -> list[dict[str, Any]]:
        """One flat row a wager, for a data frame or a CSV file."""
        return [
            {
                "game": self.game.id,
                "decks": self.plan.decks,
                "rounds": self.rounds,
                "seed": self.seed,
                "wager": id,
                "rtp": each.rtp,
                "standard_error": each.standard_error,
                "exact_rtp": each.exact_rtp,
                "z": each.z,
                "variance": each.variance,
                "hit_frequency": each.hit_frequency,
            }
            for id, each in self.wagers.items()
        ]

    def __str__(self) -> str:
        return as_text(wager_table(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(wager_table(self))


def exact_odds(plan: Plan, wagers: Mapping[str, Wager] | None = None) -> GameOdds:
    """What the run is held against: the exact odds of the shoe that it deals from."""
    return game_odds(plan.game, Shoe.of_decks(plan.decks), wagers=wagers)
