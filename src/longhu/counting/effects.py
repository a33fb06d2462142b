"""Effects of removal for a counter: what a wager gains when one card has left the full shoe."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from longhu.cards import DECK, RANKS, Shoe
from longhu.counting.expectation import Doubles, Expectation
from longhu.counting.left import Left

NOTHING = 1e-12  # smaller than any effect that is one


@dataclass(frozen=True)
class Effects:
    """By card, 52 of them; and by rank where the suits do not differ."""

    ev: float  # of the full shoe
    by_card: Doubles

    @property
    def suits_alike(self) -> bool:
        return bool(np.ptp(self.by_card.reshape(4, 13), axis=0).max() < NOTHING)

    @property
    def names(self) -> list[str]:
        """Of the kinds that differ: ranks, or cards."""
        return list(RANKS) if self.suits_alike else [str(card) for card in DECK]

    @property
    def by_kind(self) -> Doubles:
        return self.by_card[:13] if self.suits_alike else self.by_card

    @property
    def none(self) -> bool:
        """Is one card as good as any other? Then no count that adds up tags can see anything."""
        return bool(np.abs(self.by_card).max() < NOTHING)


def effects_of(expectation: Expectation, decks: int) -> Effects:
    """As `odds.removal` has them exactly, for one wager, in a moment."""
    full = Shoe.of_decks(decks)
    found = expectation.of(Left.of_shoes([full, *(full.without([card]) for card in DECK)]))
    effects = found[1:] - found[0]
    effects[np.abs(effects) < NOTHING] = 0.0
    return Effects(float(found[0]), effects)
