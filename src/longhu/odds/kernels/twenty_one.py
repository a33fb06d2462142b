"""Pairs of open hands of twenty-one, added up for a shoe, compiled.

The method is that of `longhu.odds.twenty_one`. What depends on the rules alone is prepared by `meetings`: sets of
values with how to derive each from a smaller one, and for each pair of summaries the sets that two hands take
together and in how many orders.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.odds.kernels.wide import LIMBS, add, load, multiply, store, subtract, times, times_signed, zero

VALUES = 11  # the values 1 to 10; 0 stands for no value


@njit(cache=True, nogil=True)
def deals(parent: Any, last: Any, size: Any, held_last: Any, counts: Any, behind: Any, ways: Any) -> None:
    """For each set of values, the deals of these cards and of those behind the round, two cards later.

    A set is its parent and one card more, of the value `last`, of which it then holds `held_last`.
    """
    ways[:LIMBS] = 0
    ways[0] = 1  # the empty set comes first
    for number in range(1, len(parent)):
        left = counts[last[number]] - held_last[number] + 1
        store(ways, number, times(load(ways, parent[number]), max(left, 0)))
    for number in range(len(parent)):
        store(ways, number, multiply(load(ways, number), load(behind, size[number] + 2)))


@njit(cache=True, nogil=True)
def meet(
    pairs: Any,
    keys: Any,
    sets: Any,
    orders: Any,
    starts: Any,
    weights: Any,
    lasts: Any,
    counts: Any,
    ways: Any,
    out: Any,
) -> None:
    """Add the deals of every pair of summaries to `out[table, first total, second total]`.

    `pairs` has a row for each pair: its table, both summaries, and whether it counts for the exchanged hands too.
    `keys` bounds the sets of each pair, `starts` the weights of each set: the place x * VALUES + y of the values
    it is weighted with (0 for none), and how often the set holds them. `lasts[summary, value]` is the total with
    which a hand stands, or 0 where it draws again.
    """
    sums = np.empty(VALUES * VALUES * LIMBS, np.uint64)
    totals = out.shape[1]
    flat = out.reshape(-1)
    for pair in range(len(pairs)):
        table, first, second, exchanged = pairs[pair, 0], pairs[pair, 1], pairs[pair, 2], pairs[pair, 3]
        sums[:] = 0
        plain = zero()
        for key in range(keys[pair], keys[pair + 1]):
            some = times(load(ways, sets[key]), orders[key])
            plain = add(plain, some)
            for weight in range(starts[key], starts[key + 1]):
                place = np.int64(weights[weight, 0])
                store(sums, place, add(load(sums, place), times(some, np.int64(weights[weight, 1]))))
        for x in range(1, VALUES):
            total = lasts[first, x]
            if total == 0:
                continue
            with_x = subtract(times(plain, counts[x]), load(sums, x * VALUES))
            for y in range(1, VALUES):
                total_too = lasts[second, y]
                if total_too == 0:
                    continue
                left = counts[y] - (1 if x == y else 0)
                found = subtract(times_signed(with_x, left), times(load(sums, y * VALUES), counts[x]))
                found = add(found, load(sums, max(x, y) * VALUES + min(x, y)))
                place = (table * totals + total) * totals + total_too
                store(flat, place, add(load(flat, place), found))
                if exchanged:
                    place = (table * totals + total_too) * totals + total
                    store(flat, place, add(load(flat, place), found))
