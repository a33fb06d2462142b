"""What two hands of twenty-one can take together, prepared once for any shoe: arrays for the compiled kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longhu.deal.twenty_one import TwentyOneHand
from longhu.odds.falling import falling
from longhu.odds.kernels import twenty_one
from longhu.odds.open_hands import BITS, VALUES, DrawMemo, Start
from longhu.odds.twenty_one import ValueShoe

Array = NDArray[Any]
LIMB = 1 << 64
NARROW = 5  # bits for how often a value occurs, where a whole set must fit into 64 bits


class TooWide(ValueError):
    """Rules or a shoe for which the kernel's numbers are not wide enough; the plain way has no such bound."""


def _packed(hands: Sequence[int]) -> Array:
    """Sets of values with fewer bits for each."""
    packed = []
    for cards in hands:
        counts = [cards >> BITS * place & 63 for place in range(len(VALUES))]
        if max(counts) >= 1 << NARROW - 1:
            raise TooWide("a hand takes more cards of one value than the kernel has room for")
        packed.append(sum(count << NARROW * place for place, count in enumerate(counts)))
    return np.array(packed, np.int64)


def _counts(sets: Array) -> Array:
    """How often each value occurs in packed sets, a row a set."""
    return np.stack([sets >> NARROW * place & (1 << NARROW) - 1 for place in range(len(VALUES))], axis=1)


@dataclass(frozen=True)
class Meetings:
    """Tables of pairs of starts, ready to be counted together for any shoe."""

    tables: int
    totals: int
    pairs: Array
    keys: Array
    sets: Array
    orders: Array
    starts: Array
    weights: Array
    lasts: Array
    parent: Array
    last: Array
    size: Array
    held_last: Array

    @classmethod
    def of(cls, drawing: DrawMemo, tables: Sequence[tuple[Start, Start]]) -> Meetings:
        """One table for each two starts; the same start twice is a table that is its own mirror."""
        summaries: dict[TwentyOneHand, int] = {}
        pairs: list[tuple[int, int, int, int]] = []
        bounds, all_sets, all_orders = [0], list[Array](), list[Array]()
        for table, (one, other) in enumerate(tables):
            firsts, seconds = _prepared(one), _prepared(other)
            for place, (first, (cards, orders)) in enumerate(firsts):
                for second, (more, more_orders) in seconds[place:] if one is other else seconds:
                    ids = [summaries.setdefault(hand, len(summaries)) for hand in (first, second)]
                    pairs.append((table, ids[0], ids[1], int(one is other and first != second)))
                    together = np.add.outer(cards, more).ravel()
                    found, where = np.unique(together, return_inverse=True)
                    weights = np.multiply.outer(orders, more_orders).ravel()
                    all_sets.append(found)
                    all_orders.append(np.bincount(where, weights, len(found)).astype(np.int64))
                    bounds.append(bounds[-1] + len(found))
        packed = np.concatenate(all_sets) if all_sets else np.zeros(0, np.int64)
        sets, parent, last, held_last, counts = _derived(packed)
        totals = drawing.procedure.total_max + 1
        lasts = np.zeros((max(len(summaries), 1), len(VALUES) + 1), np.int64)
        for hand, id in summaries.items():
            for value, total in drawing.lasts(hand).items():
                lasts[id, value] = total
        pair_rows, keys, where = (
            np.array(pairs, np.int64).reshape(-1, 4),
            np.array(bounds),
            np.searchsorted(sets, packed),
        )
        starts, weights = _weights(pair_rows, keys, lasts, counts[where])
        return cls(
            tables=len(tables),
            totals=totals,
            pairs=pair_rows,
            keys=keys,
            sets=where,
            orders=np.concatenate([*all_orders, np.zeros(0, np.int64)]),
            starts=starts,
            weights=weights,
            lasts=lasts,
            parent=parent,
            last=last,
            size=counts.sum(axis=1),
            held_last=held_last,
        )

    def limbs(self, shoe: ValueShoe) -> Array:
        """The deals of every table by both totals, as numbers of four 64-bit limbs, the lowest first."""
        if falling(shoe.size, shoe.counted).bit_length() + 2 * NARROW >= 256:
            raise TooWide("the shoe has more deals than the kernel has room for")
        counts = np.array([0, *(shoe.values[value] for value in VALUES)], np.int64)
        sizes = range(int(self.size.max()) + 3)
        behind = np.array([_limbs(shoe.behind(drawn)) for drawn in sizes], np.uint64).ravel()
        ways = np.empty(4 * len(self.parent), np.uint64)
        twenty_one.deals(self.parent, self.last, self.size, self.held_last, counts, behind, ways)
        out = np.zeros((self.tables, self.totals, self.totals, 4), np.uint64)
        twenty_one.meet(
            self.pairs, self.keys, self.sets, self.orders, self.starts, self.weights, self.lasts, counts, ways, out
        )
        return out

    def ends(self, shoe: ValueShoe) -> list[dict[tuple[int, int], int]]:
        """The same as Python's numbers; only what can happen is listed."""
        limbs = self.limbs(shoe)
        found: list[dict[tuple[int, int], int]] = [{} for _ in range(self.tables)]
        for table, one, other in zip(*np.nonzero(limbs.any(axis=3)), strict=True):
            ways = int.from_bytes(limbs[table, one, other].tobytes(), "little")
            found[int(table)][int(one), int(other)] = ways
        return found


def _limbs(number: int) -> list[int]:
    return [number >> 64 * place & LIMB - 1 for place in range(4)]


def _prepared(start: Start) -> list[tuple[TwentyOneHand, tuple[Array, Array]]]:
    """A start's open hands by summary: their sets, and their orders."""
    return [
        (summary, (_packed(list(hands)), np.array(list(hands.values()), np.int64)))
        for summary, hands in start.by_summary.items()
    ]


def _weights(pairs: Array, keys: Array, lasts: Array, held: Array) -> tuple[Array, Array]:
    """With which weights the deals of each set are added up: those that some last cards of both hands ask for."""
    stands = lasts > 0
    firsts, seconds = stands[pairs[:, 1]], stands[pairs[:, 2]]
    pair_of = np.repeat(np.arange(len(pairs)), np.diff(keys))
    rows, places, often = [], [], []
    for x in VALUES:
        for y in range(x + 1):
            if y == 0:
                asked, times = firsts[:, x] | seconds[:, x], held[:, x - 1]
            else:
                asked = firsts[:, x] & seconds[:, y] | firsts[:, y] & seconds[:, x]
                times = held[:, x - 1] * held[:, y - 1]
            (those,) = np.nonzero(asked[pair_of] & (times > 0))
            rows.append(those)
            places.append(np.full(len(those), x * twenty_one.VALUES + y, np.uint16))
            often.append(times[those].astype(np.uint16))
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    weights = np.stack([np.concatenate(places)[order], np.concatenate(often)[order]], axis=1)
    return np.searchsorted(row[order], np.arange(len(held) + 1)), weights


def _derived(packed: Array) -> tuple[Array, Array, Array, Array, Array]:
    """All sets in ascending order, each with its parent: the set that has one card fewer of its lowest value.

    Sets that no two hands take together are added where they are the parent of another.
    """
    sets = np.unique(np.append(packed, 0))
    while True:
        counts = _counts(sets)
        lowest = np.argmax(counts > 0, axis=1)
        parents = np.where(sets > 0, sets - (1 << NARROW * lowest), 0)
        missing = np.setdiff1d(parents, sets)
        if not len(missing):
            held = counts[np.arange(len(sets)), lowest]
            return sets, np.searchsorted(sets, parents), lowest + 1, held, counts
        sets = np.union1d(sets, missing)
