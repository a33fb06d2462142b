"""Stakes that lie on the table together, settled for every way in which a round can end, in whole minor units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from longhu.cards import Shoe
from longhu.games.game import Game
from longhu.money import Money
from longhu.odds.ways import Ways, ways
from longhu.settlement import check_stakes, settle

BETS_KEPT = 1 << 14  # that have been settled lately


@dataclass(frozen=True)
class Kinds:
    """Endings that some wagers cannot tell apart are one kind."""

    of: NDArray[np.uint16]  # the kind of each ending
    endings: tuple[int, ...]  # one of each kind
    ways: tuple[int, ...]  # deals that end in it


@dataclass(frozen=True, eq=False)
class Bet:
    """Some stakes: what they cost, and what they net for each kind of ending."""

    stakes: Mapping[str, Money]
    kinds: Kinds
    nets: tuple[Money, ...]

    @cached_property
    def staked(self) -> int:
        return sum(self.stakes.values())

    @cached_property
    def expected(self) -> Fraction:
        """Net of one round from a full shoe."""
        return self._mean(1)

    @cached_property
    def variance(self) -> Fraction:
        return self._mean(2) - self.expected**2

    def _mean(self, power: int) -> Fraction:
        total = sum(some * net**power for some, net in zip(self.kinds.ways, self.nets, strict=True))
        return Fraction(total, sum(self.kinds.ways))


class Book:
    """Settles stakes as a table does: the document's rounding, its cap, and what may not be wagered alone or together."""

    def __init__(self, game: Game, decks: int) -> None:
        self.game = game
        self._decks = decks
        self.bet = lru_cache(maxsize=BETS_KEPT)(self._bet)
        self._kinds = lru_cache(maxsize=None)(self._kinds_of)

    @cached_property
    def _counted(self) -> Ways:
        return ways(self.game.procedure, Shoe.of_decks(self._decks))

    def bet_of(self, stakes: Mapping[str, Money]) -> Bet:
        """`SettlementError` where the game does not take them."""
        return self.bet(tuple(stakes.items()))

    def _bet(self, stakes: tuple[tuple[str, Money], ...]) -> Bet:
        placed = dict(stakes)
        check_stakes(self.game, placed)
        kinds = self._kinds(tuple(placed))
        return Bet(placed, kinds, tuple(settle(self.game, ending, placed).net for ending in kinds.endings))

    def _kinds_of(self, wagers: tuple[str, ...]) -> Kinds:
        deciding = [self.game.wagers[id].deciding for id in wagers]
        of = np.zeros(self.game.outcomes.size, np.uint16)
        numbers: dict[bytes, int] = {}
        endings: list[int] = []
        deals: list[int] = []
        for ending, some in self._counted.of.items():
            lines = bytes([each[ending] for each in deciding])
            kind = numbers.setdefault(lines, len(numbers))
            if kind == len(endings):
                endings.append(ending)
                deals.append(0)
            deals[kind] += some
            of[ending] = kind
        return Kinds(of, tuple(endings), tuple(deals))
