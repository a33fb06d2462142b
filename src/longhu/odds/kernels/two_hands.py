"""One wager of twenty-one over very many shoes, compiled.

Written over sets c of the values that both finished hands hold together, what a wager is expected to net is

    the sum over c of K[c] times the product of n[v] (n[v] - 1) ... (n[v] - c[v] + 1), over the deals of as many cards,

with coefficients that depend on the rules and on what the wager pays. The values are split into a low and a high half:
for each half the products are made once for a shoe, and what is left is a sparse matrix between them, row by row.
Eight shoes ride in the lanes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.odds.kernels.lanes import LANES, load, splat, store


@njit(cache=True, nogil=True)
def meet(low: Any, high: Any, orders: Any, totals: Any, nets: Any, rows: Any, columns: Any, found: Any) -> None:
    """Add to `found[row, column]` what two finished hands net, in how many orders; keys of sets are simply added."""
    for one in range(len(low)):
        for other in range(len(low)):
            row, column = rows[low[one] + low[other]], columns[high[one] + high[other]]
            found[row, column] += orders[one] * orders[other] * nets[totals[one], totals[other]]


@njit(cache=True, nogil=True)
def reached(low: Any, high: Any, rows: Any, columns: Any) -> None:
    """Mark the keys of all sets that two finished hands hold together."""
    for one in range(len(low)):
        for other in range(len(low)):
            rows[low[one] + low[other]] = 1
            columns[high[one] + high[other]] = 1


@njit(cache=True, nogil=True, inline="always")
def _products(made: Any, counts: Any, out: Any) -> None:
    """The product of each set of a half: that of a set with one card fewer, times what is left of the value then."""
    store(out, 0, splat(1.0))
    store(out, 1, splat(1.0))
    for number in range(1, made.shape[0]):
        smaller, value, held = made[number, 0], made[number, 1], splat(made[number, 2] - 1.0)
        store(out, 2 * number, load(out, 2 * smaller) * (load(counts, 2 * value) - held))
        store(out, 2 * number + 1, load(out, 2 * smaller + 1) * (load(counts, 2 * value + 1) - held))


@njit(cache=True, nogil=True)
def evaluate(
    values: Any, made_low: Any, made_high: Any, rows: Any, starts: Any, columns: Any, terms: Any, out: Any
) -> None:
    """The expectation in shoes given as `values[block, value, lane]`, eight at a time: an even number of blocks.

    A row has the number of its low set and how many cards it has with any of its high sets: `rows[row]`.
    """
    half = values.shape[1] // 2
    low, high = np.empty(made_low.shape[0] * 2 * LANES), np.empty(made_high.shape[0] * 2 * LANES)
    counts, longest = np.empty(2 * half * 2 * LANES), rows[:, 1].max()
    share, sums = np.empty((longest + 1) * 2 * LANES), np.empty(2 * LANES)
    flat = values.reshape(-1)
    for block in range(0, values.shape[0], 2):
        size, size_too = splat(0.0), splat(0.0)
        for value in range(2 * half):
            some, some_too = load(flat, block * 2 * half + value), load(flat, (block + 1) * 2 * half + value)
            store(counts, 2 * value, some)
            store(counts, 2 * value + 1, some_too)
            size, size_too = size + some, size_too + some_too
        _products(made_low, counts, low)
        _products(made_high, counts[half * 2 * LANES :], high)
        store(sums, 0, size)
        store(sums, 1, size_too)
        for lane in range(2 * LANES):
            share[lane] = 1.0
            for cards in range(longest):
                share[(cards + 1) * 2 * LANES + lane] = share[cards * 2 * LANES + lane] / max(sums[lane] - cards, 1.0)
        total, total_too = splat(0.0), splat(0.0)
        for row in range(len(rows)):
            inner, inner_too = splat(0.0), splat(0.0)
            for term in range(starts[row], starts[row + 1]):
                weight, column = splat(terms[term]), 2 * np.int64(columns[term])
                inner = inner + weight * load(high, column)
                inner_too = inner_too + weight * load(high, column + 1)
            set, cards = 2 * rows[row, 0], 2 * rows[row, 1]
            total = total + load(low, set) * load(share, cards) * inner
            total_too = total_too + load(low, set + 1) * load(share, cards + 1) * inner_too
        store(sums, 0, total)
        store(sums, 1, total_too)
        for lane in range(2 * LANES):
            out[block * LANES + lane] = sums[lane]
