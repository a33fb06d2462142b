"""One wager of baccarat over very many shoes, compiled.

Written over sets c of six values, what a wager is expected to net is a polynomial in the counts of the values,

    the sum over c of K[c] times the product of n[v] (n[v] - 1) ... (n[v] - c[v] + 1),

with 5,005 coefficients that depend on the rules and on what the wager pays. The values are split into 0 to 4
and 5 to 9: for each half the products are made once for a shoe (462 sets of at most six cards), and what is
left is a chain of small matrix products. Four shoes ride in the lanes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from longhu.odds.kernels.baccarat import DRAWS, FIRST, NOBODY, VALUES
from longhu.odds.kernels.lanes import LANES, load, splat, store

__all__ = ["DRAWS", "coefficients", "evaluate", "half_sets", "products"]

CARDS, HALF, SETS, TERMS = 6, 5, 462, 5005


def half_sets() -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """All sets of at most six cards of five values by size, the number of each, and where each size starts."""
    sets = [
        (a, b, c, d, size - a - b - c - d)
        for size in range(CARDS + 1)
        for a in range(size + 1)
        for b in range(size - a + 1)
        for c in range(size - a - b + 1)
        for d in range(size - a - b - c + 1)
    ]
    numbers = np.full((CARDS + 1) ** HALF, -1, np.int64)
    for number, held in enumerate(sets):
        numbers[_key(held)] = number
    sizes = [sum(held) for held in sets]
    starts = np.array([sizes.index(size) for size in range(CARDS + 1)] + [len(sets)], np.int64)
    return np.array(sets, np.int64), numbers, starts


def _key(held: Any) -> int:
    key = 0
    for count in held:
        key = key * (CARDS + 1) + count
    return key


def products(sets: NDArray[Any], numbers: NDArray[Any]) -> NDArray[Any]:
    """How to make each set's product: a smaller set's, times a falling power: its number, the value, the power."""
    rows = [(0, 0, 0)]
    for held in sets[1:]:
        last = max(value for value in range(HALF) if held[value])
        rest = held.copy()
        rest[last] = 0
        rows.append((int(numbers[_key(rest)]), last, int(held[last])))
    return np.array(rows, np.int64)


@njit(cache=True, nogil=True)
def coefficients(turn: Any, draws: Any, nets: Any, numbers: Any, starts: Any) -> Any:
    """K for a wager that nets `nets[draw]`: every sequence of six values once.

    The block of size i holds a row for each set of i low values, a column for each of the 6 - i high ones.
    """
    blocks = np.zeros(CARDS + 2, np.int64)
    for size in range(CARDS + 1):
        high = CARDS - size
        blocks[size + 1] = blocks[size] + (starts[size + 1] - starts[size]) * (starts[high + 1] - starts[high])
    found = np.zeros(TERMS)
    held = np.zeros(VALUES, np.int64)
    for sequence in range(VALUES**CARDS):
        rest = sequence
        held[:] = 0
        first = second = x = y = 0
        for place in range(CARDS):
            value = rest % VALUES
            rest //= VALUES
            held[value] += 1
            if place < 2:
                first += value
            elif place < 4:
                second += value
            elif place == 4:
                x = value
            else:
                y = value
        first %= VALUES
        second %= VALUES
        cell = first * VALUES + second
        if turn[cell] == NOBODY:
            draw = cell * 4
        elif turn[cell] != FIRST:
            draw = (first * VALUES + (second + x) % VALUES) * 4 + 1
        elif not draws[cell * VALUES + x]:
            draw = ((first + x) % VALUES * VALUES + second) * 4 + 2
        else:
            draw = ((first + x) % VALUES * VALUES + (second + y) % VALUES) * 4 + 3
        low = high = size = 0
        for value in range(HALF):
            low = low * (CARDS + 1) + held[value]
            high = high * (CARDS + 1) + held[HALF + value]
            size += held[value]
        row, column = numbers[low] - starts[size], numbers[high] - starts[CARDS - size]
        found[blocks[size] + row * (starts[CARDS - size + 1] - starts[CARDS - size]) + column] += nets[draw]
    return found


@njit(cache=True, nogil=True)
def evaluate(values: Any, terms: Any, made: Any, starts: Any, out: Any) -> None:
    """The polynomial for shoes given as `values[block, value, lane]`, eight at a time: an even number of blocks."""
    powers = np.empty(VALUES * (CARDS + 1) * 2 * LANES)
    halves = np.empty(2 * SETS * 2 * LANES)
    sums = np.empty(2 * LANES)
    flat = values.reshape(-1)
    for block in range(0, values.shape[0], 2):
        for z in range(2):
            for value in range(VALUES):
                count = load(flat, (block + z) * VALUES + value)
                power = splat(1.0)
                store(powers, value * (CARDS + 1) * 2 + z, power)
                for degree in range(1, CARDS + 1):
                    power = power * (count - splat(degree - 1.0))
                    store(powers, (value * (CARDS + 1) + degree) * 2 + z, power)
        for half in range(2):
            store(halves, half * SETS * 2, splat(1.0))
            store(halves, half * SETS * 2 + 1, splat(1.0))
            for number in range(1, SETS):
                smaller = (half * SETS + made[number, 0]) * 2
                power = ((half * HALF + made[number, 1]) * (CARDS + 1) + made[number, 2]) * 2
                place = (half * SETS + number) * 2
                store(halves, place, load(halves, smaller) * load(powers, power))
                store(halves, place + 1, load(halves, smaller + 1) * load(powers, power + 1))
        total, total_too = splat(0.0), splat(0.0)
        term = 0
        for size in range(CARDS + 1):
            first, last = SETS + starts[CARDS - size], SETS + starts[CARDS - size + 1]
            for low in range(starts[size], starts[size + 1]):
                row, row_too = splat(0.0), splat(0.0)
                for high in range(first, last):
                    weight = splat(terms[term])
                    term += 1
                    row = row + weight * load(halves, high * 2)
                    row_too = row_too + weight * load(halves, high * 2 + 1)
                total = total + load(halves, low * 2) * row
                total_too = total_too + load(halves, low * 2 + 1) * row_too
        store(sums, 0, total)
        store(sums, 1, total_too)
        for lane in range(2 * LANES):
            out[block * LANES + lane] = sums[lane]
