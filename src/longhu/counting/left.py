"""What a counter sees: shoes dealt to the cutting card, and the cards that are left before each of their rounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longhu.cards import Shoe
from longhu.deal.procedure import Procedure
from longhu.games.game import Game
from longhu.simulate.dealers import general_rules


@dataclass(frozen=True)
class Left:
    """Rounds, a row each: the cards left before the round, its shoe, and how it ended."""

    counts: NDArray[np.uint8]  # by card, as `cards.DECK` numbers them
    shoe: NDArray[np.int32]  # 0 to shoes - 1
    ending: NDArray[np.int32]
    shoes: int

    @cached_property
    def cards(self) -> NDArray[np.float64]:
        return self.counts.astype(np.float64)

    @cached_property
    def ranks(self) -> NDArray[np.float64]:
        """Cards left by rank, ace to king."""
        found: NDArray[np.float64] = self.counts.reshape(-1, 4, 13).sum(axis=1, dtype=np.float64)
        return found

    @cached_property
    def size(self) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.ranks.sum(axis=1)
        return found

    @cached_property
    def rounds(self) -> NDArray[np.float64]:
        """How many rounds each shoe has."""
        return np.bincount(self.shoe, minlength=self.shoes).astype(np.float64)

    def per_shoe(self, of_rounds: NDArray[np.float64]) -> NDArray[np.float64]:
        """A figure of each round, added up for each shoe."""
        return added_up(self.shoe, of_rounds, self.shoes)

    @classmethod
    def of_shoes(cls, shoes: list[Shoe]) -> Left:
        """Single compositions, as if each were a shoe with one round; how that ends is open."""
        counts = np.array([shoe.counts for shoe in shoes], np.uint8)
        return cls(counts, np.arange(len(shoes), dtype=np.int32), np.full(len(shoes), -1, np.int32), len(shoes))


class ShoeDeals:
    """Deals blocks of shoes: each a pure function of the game, the decks, the cut, the seed and the block's number."""

    def __init__(self, game: Game, *, decks: int, cut: int, seed: int) -> None:
        from longhu.compiled_kernels import announce_compiling
        from longhu.counting.kernels.left import deal_left

        announce_compiling(deal_left)
        self._deal, self._rules = deal_left, general_rules(game.procedure)
        self._decks, self._cut, self._seed = decks, cut, np.uint64(seed)
        self._most = most_rounds(game.procedure, decks, cut)

    def block(self, number: int, shoes: int) -> Left:
        counts = np.empty((shoes * self._most, 52), np.uint8)
        shoe, ending = np.empty(len(counts), np.int32), np.empty(len(counts), np.int32)
        where = (self._seed, number, shoes, self._decks, self._cut)
        rounds = self._deal(*self._rules, *where, counts, shoe, ending)
        return Left(counts[:rounds], shoe[:rounds], ending[:rounds], shoes)


def most_rounds(procedure: Procedure[Any], decks: int, cut: int) -> int:
    """That a shoe can have: each takes the initial cards at least."""
    return -(-(52 * decks - cut) // procedure.initial_cards)


def added_up(place: NDArray[np.integer[Any]], figures: NDArray[np.float64], places: int) -> NDArray[np.float64]:
    """Figures, added up by where each belongs."""
    return np.bincount(place, figures, places).astype(np.float64, copy=False)
