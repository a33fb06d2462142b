"""Sixteen shoes dealt out side by side, one in each lane."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.simulate.kernels.chance import draw
from longhu.simulate.kernels.vectors import (
    all16,
    full_shoes,
    high16,
    marked,
    more16,
    multiply16,
    pack,
    same16,
    store,
    straighten,
    take,
)

EVERY_LANE = np.uint64(0xFFFFFFFF)


@njit(cache=True, nogil=True)
def remainders(number: Any, cards: Any) -> Any:
    """What is left of 16 bits when they are shared out among the places that a shoe has, card by card."""
    left = np.empty(cards, np.int64)
    for card in range(cards):
        left[card] = 65536 % (number - card)
    return left


@njit(inline="always")
def draw_below(chance: Any, number: Any, remainder: Any) -> Any:
    """A place below this number for each of sixteen lanes, exactly uniform: all are drawn again where one is not."""
    limit, least = all16(number), all16(remainder)
    while True:
        u, chance = draw(chance)
        low = multiply16(u, limit)
        if marked(same16(more16(low, least), low)) == EVERY_LANE:
            return high16(u, limit), chance


@njit(cache=True, nogil=True)
def deal_sixteen(chance: Any, decks: Any, need: Any, left: Any, ranks: Any) -> Any:
    """The ranks of the first so many cards (an even number), 0 to 12: card by card, the sixteen shoes beside each other."""
    shoes, number = full_shoes(4 * decks), 52 * decks
    for card in range(0, need, 2):
        place, chance = draw_below(chance, number - card, left[card])
        shoes, rank = take(shoes, place)
        place, chance = draw_below(chance, number - card - 1, left[card + 1])
        shoes, rank_too = take(shoes, place)
        both = pack(rank, rank_too)
        store(ranks, 16 * card, straighten(both, both))
    return chance
