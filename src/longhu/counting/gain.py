"""What a way of betting earns: a unit in some rounds of each shoe, measured over shoes."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from longhu.counting.expectation import Doubles
from longhu.counting.left import Left


@dataclass(frozen=True)
class Gain:
    """In units of the stake, with standard errors; shoes are independent of each other, rounds of a shoe are not."""

    shoes: int
    rounds: int
    bets: int
    per_round: float
    per_round_error: float
    per_shoe: float
    per_shoe_error: float

    @property
    def per_100(self) -> float:
        return 100 * self.per_round

    @property
    def per_100_error(self) -> float:
        return 100 * self.per_round_error

    @property
    def share(self) -> float:
        """Of the rounds, in which it bets."""
        return self.bets / self.rounds

    @property
    def per_bet(self) -> float:
        """What a bet is worth, on average."""
        return self.per_round * self.rounds / self.bets if self.bets else 0.0


Seen = tuple[int, Doubles]  # bets, and the sums below


class Ledger:
    """Adds up shoes: what each is expected to earn, and how many rounds it has."""

    def __init__(self) -> None:
        self._bets = 0
        self._sums = np.zeros(6)  # shoes; sums of rounds, gains, rounds squared, gains squared, their product

    @staticmethod
    def look(left: Left, ev: Doubles, bets: NDArray[np.bool_]) -> Seen:
        """What a block of shoes adds when a unit is bet in these rounds."""
        gains, rounds = left.per_shoe(np.where(bets, ev, 0.0)), left.rounds
        sums = [left.shoes, rounds.sum(), gains.sum(), (rounds**2).sum(), (gains**2).sum(), (rounds * gains).sum()]
        return int(bets.sum()), np.array(sums)

    def take_in(self, seen: Seen) -> None:
        self._bets += seen[0]
        self._sums += seen[1]

    def gain(self) -> Gain:
        shoes, rounds, gains, rounds2, gains2, both = self._sums
        rate = gains / rounds
        spread = max(gains2 - gains**2 / shoes, 0.0) / (shoes - 1)
        off = max(gains2 - 2 * rate * both + rate**2 * rounds2, 0.0) / (shoes - 1)  # of gains from the rate, by shoe
        return Gain(
            shoes=int(shoes),
            rounds=int(rounds),
            bets=self._bets,
            per_round=float(rate),
            per_round_error=sqrt(off * shoes) / float(rounds),
            per_shoe=float(gains / shoes),
            per_shoe_error=sqrt(spread / shoes),
        )
