"""The best count of a level: whole numbers per rank, as small as the level allows, that follow the effects of removal.

The running count is minus the tags of the cards that are left. So a count whose tags add up to nothing begins at 0, another
one at so many for each deck; the **true count** is the running count for each deck that is left, and a unit bet at a high true
count is a unit bet at a high expectation, as far as tags and effects correlate.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from longhu.cards import CARDS_PER_DECK
from longhu.counting.effects import Effects
from longhu.counting.expectation import Doubles
from longhu.counting.left import Left

LEVELS = (1, 2, 3)  # that are compared
LEVEL_MAX = 5
CANDIDATES_MAX = 2_000_000  # tags that are looked at for one level
NEAR = 0.02  # so much correlation is given up for tags that add up to nothing, and as much for a lower level


@dataclass(frozen=True)
class Count:
    """Tags for the kinds of cards that a wager tells apart: ranks, or cards."""

    level: int
    names: tuple[str, ...]
    tags: tuple[int, ...]
    correlation: float

    @property
    def per_deck(self) -> int:
        return sum(self.tags) * (CARDS_PER_DECK // len(self.tags))

    def begins(self, decks: int) -> int:
        """The running count of a full shoe; the tag of each card that is seen is added."""
        return -self.per_deck * decks

    def true_counts(self, left: Left) -> Doubles:
        held = left.cards if len(self.tags) == CARDS_PER_DECK else left.ranks
        found: Doubles = held @ np.array(self.tags, np.float64) * -CARDS_PER_DECK / left.size
        return found


def counts_of(effects: Effects, levels: tuple[int, ...] = LEVELS) -> tuple[Count, ...]:
    """The best of each level that can be searched; none where one card is as good as any other."""
    if effects.none:
        return ()
    return tuple(best_count(effects, level) for level in levels if _candidates(effects, level) <= CANDIDATES_MAX)


def recommended(counts: tuple[Count, ...]) -> Count | None:
    """The lowest level that is nearly as good as the best."""
    best = max((count.correlation for count in counts), default=0.0)
    return next((count for count in counts if count.correlation >= best - NEAR), None)


def _candidates(effects: Effects, level: int) -> int:
    return comb(len(np.unique(effects.by_kind)) + 2 * level, 2 * level)


def best_count(effects: Effects, level: int) -> Count:
    """Of all tags from minus the level to the level, those that correlate best with the effects.

    A larger effect never has a smaller tag in the best count, and equal effects are given equal tags; so it is enough to
    look at tags that rise with the effects. Where some that begin at 0 are nearly as good, the best of these is taken.
    """
    kinds, where, sizes = np.unique(effects.by_kind, return_inverse=True, return_counts=True)
    rising = chain.from_iterable(combinations_with_replacement(range(-level, level + 1), len(kinds)))
    tags = np.fromiter(rising, np.int64).reshape(-1, len(kinds))
    found, sums = _correlations(tags, kinds, sizes), np.abs(tags @ sizes)
    balanced = sums == 0
    if found[balanced].max(initial=-1.0) >= found.max() - NEAR:
        tags, found, sums = tags[balanced], found[balanced], sums[balanced]
    best = np.flatnonzero(found >= found.max() - 1e-9)
    chosen = min(best, key=lambda place: (sums[place], np.abs(tags[place]) @ sizes, tuple(tags[place])))
    return Count(level, tuple(effects.names), tuple(tags[chosen][where].tolist()), float(found[chosen]))


def _correlations(tags: NDArray[np.int64], effects: Doubles, sizes: NDArray[np.int64]) -> Doubles:
    """Of each row of tags with the effects, kinds of cards weighted with how many they are; 0 where all tags are the same."""
    cards = sizes.sum()
    centred = effects - effects @ sizes / cards
    spread = np.sqrt(tags**2 @ sizes - (tags @ sizes) ** 2 / cards)
    found: Doubles = tags @ (centred * sizes) / np.maximum(spread, 1e-9) / np.sqrt(centred**2 @ sizes)
    return found
