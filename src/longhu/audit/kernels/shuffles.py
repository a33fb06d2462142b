"""The first cards of many shuffles, against the cards that were dealt. The judge of this is `longhu.fairness.shuffle`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

WORDS = 1 << 32  # that there are


@njit(cache=True, nogil=True)
def first_unlike(streams: Any, unmixed: Any, dealt: Any, starts: Any, burned: Any) -> Any:
    """The first shoe whose cards are not those that its stream gives, or that needs more words than are here; -1 for none.

    `streams` has the words of each, `dealt` the cards of all, and `starts` where those of each begin.
    """
    size = unmixed.shape[0]
    cards = unmixed.copy()
    for shoe in range(streams.shape[0]):
        cards[:] = unmixed
        taken = 0
        for place in range(burned + starts[shoe + 1] - starts[shoe]):
            if place >= size:
                return shoe
            bound = size - place
            fair = WORDS - WORDS % bound
            while taken < streams.shape[1] and np.int64(streams[shoe, taken]) >= fair:
                taken += 1
            if taken == streams.shape[1]:
                return shoe
            other = place + np.int64(streams[shoe, taken]) % bound
            taken += 1
            cards[place], cards[other] = cards[other], cards[place]
            if place >= burned and cards[place] != dealt[starts[shoe] + place - burned]:
                return shoe
    return -1
