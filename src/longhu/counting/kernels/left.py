"""Shoes dealt out round by round, with what is left before each round written down."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.simulate.kernels.chance import start_of, words_from
from longhu.simulate.kernels.general import deal_round, full_shoe


@njit(cache=True, nogil=True)
def deal_left(
    initial: Any, marks: Any, becomes: Any, turns: Any, ends: Any, mark: Any, seed: Any, block: Any, shoes: Any, decks: Any,
    cut: Any, left: Any, shoe_of: Any, ending: Any,
) -> int:  # fmt: skip
    """How many rounds so many shoes have; a row for each: the cards left by kind, the number of the shoe, the ending."""
    cards, words = full_shoe(decks), words_from(start_of(seed, block))
    held, end, row = np.empty(52, np.uint8), cards.shape[0] - cut, 0
    for shoe in range(shoes):
        held[:] = decks
        place = 0
        while place < end:
            left[row, :] = held
            shoe_of[row] = shoe
            number, after = deal_round(words, cards, place, initial, marks, becomes, turns, ends, mark)
            ending[row] = number
            for dealt in range(place, after):
                held[cards[dealt]] -= 1
            place = after
            row += 1
    return row
