"""One card for each of two hands, sixteen rounds at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.simulate.kernels.chance import WORDS, draw, fill, start_of, stream
from longhu.simulate.kernels.shoes import draw_below, remainders
from longhu.simulate.kernels.vectors import (
    add16,
    all16,
    choose,
    either,
    full_shoes,
    high16,
    less16,
    marked,
    multiply16,
    ones,
    same16,
    store,
    take,
)

CODES = 169  # two ranks
REFUSED = CODES  # the code of rounds that are thrown away
COPIES = 4  # of the counts: two rounds that end alike do not wait for each other
U, U32 = np.uint64, np.uint32


@njit(cache=True, nogil=True)
def deal_fresh(seed: Any, block: Any, rounds: Any, decks: Any, tally: Any) -> None:
    """So many rounds, each from a full shoe, into the tally of endings."""
    number = 52 * decks
    cards, refused, thirteen = all16(number), all16(65536 % number - 1), all16(13)
    per_rank = all16((65536 + 4 * decks - 1) // (4 * decks))
    state, codes, counts = np.empty(WORDS, np.uint64), np.empty(16, np.uint16), np.zeros((COPIES, 176), np.uint32)
    fill(state, start_of(seed, block))
    chance = stream(state)
    left = rounds
    while left > 0:
        u, chance = draw(chance)
        w, chance = draw(chance)
        one, other = high16(u, cards), high16(w, cards)
        least = less16(multiply16(u, cards), multiply16(w, cards))
        bad = either(same16(one, other), same16(less16(least, refused), least))
        code = add16(multiply16(high16(one, per_rank), thirteen), high16(other, per_rank))
        store(codes, 0, choose(code, all16(REFUSED), bad))
        good = 16 - np.int64(ones(marked(bad)) >> U(1))
        if good <= left:
            for place in range(16):
                counts[U(place & 3), U(codes[U(place)])] += U32(1)
            left -= good
        else:
            for place in range(16):
                if left > 0 and codes[place] < CODES:
                    counts[0, codes[place]] += U32(1)
                    left -= 1
    for ending in range(CODES):
        for copy in range(COPIES):
            tally[ending] += counts[copy, ending]


@njit(cache=True, nogil=True)
def deal_shoes(
    seed: Any, block: Any, shoes: Any, decks: Any, burn: Any, cut: Any, after: Any, per_depth: Any, tally: Any
) -> None:
    """So many shoes, a multiple of sixteen: a row of the tally for every `per_depth` rounds of a shoe, the last for the rest."""
    depths, number = tally.shape[0], 52 * decks
    rounds = (number - cut - burn + 1) // 2 + after
    state, codes = np.empty(WORDS, np.uint64), np.empty(16, np.uint16)
    counts = np.zeros((depths, COPIES, CODES), np.uint32)
    fill(state, start_of(seed, block))
    chance, left = stream(state), remainders(number, 2 * rounds)
    for _ in range(0, shoes, 16):
        full = full_shoes(4 * decks)
        for played in range(rounds):
            place, chance = draw_below(chance, number - 2 * played, left[2 * played])
            full, one = take(full, place)
            place, chance = draw_below(chance, number - 2 * played - 1, left[2 * played + 1])
            full, other = take(full, place)
            store(codes, 0, add16(multiply16(one, all16(13)), other))
            row = U(min(played // per_depth, depths - 1))
            for lane in range(16):
                counts[row, U(lane & 3), U(codes[U(lane)])] += U32(1)
    for depth in range(depths):
        for copy in range(COPIES):
            for ending in range(CODES):
                tally[depth, ending] += counts[depth, copy, ending]
