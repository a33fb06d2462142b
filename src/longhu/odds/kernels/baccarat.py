"""Baccarat counted for many shoes, compiled: four shoes ride in the lanes of every operation.

The formulas are those of `longhu.odds.baccarat`, which tells why they hold; the two agree as integers. What the
game file says (the table of play, what makes a pair) comes in as arrays: see `rules.BaccaratRules`.

Names: `counts` are the cards left of each value; `reach`, `shared` and `single` are q, n q and P of the
formulas, kept up to date while cards are taken out and put back. A draw has the number that the procedure
gives it: four times the cell of both totals, plus 2 if the first hand drew, plus 1 if the second did. `behind`
has, for rounds of 4, 5 and 6 cards, in how many ways the cards behind them can lie, times whatever the
caller wants the deals weighted with.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.odds.kernels.lanes import LANES, load, splat, store

VALUES, DRAWS = 10, 400
NOBODY, SECOND, FIRST = 0, 1, 2  # who draws on two totals; after FIRST the second hand goes by the card drawn


@njit(cache=True, nogil=True, inline="always")
def _add(array: Any, number: int, value: Any) -> None:
    store(array, number, load(array, number) + value)


@njit(cache=True, nogil=True, inline="always")
def _units(total: int) -> int:
    return total - VALUES if total >= VALUES else total


@njit(cache=True, nogil=True)
def _prepare(counts: Any, reach: Any, shared: Any, single: Any) -> None:
    for total in range(VALUES):
        hands = splat(0.0)
        for value in range(VALUES):
            partners = load(counts, _units(total - value + VALUES))
            if _units(2 * value) == total:
                partners = partners - splat(1.0)
            product = load(counts, value) * partners
            store(reach, total * VALUES + value, partners)
            store(shared, total * VALUES + value, product)
            hands = hands + product
        store(single, total, hands)


@njit(cache=True, nogil=True)
def _change(value: int, by: float, counts: Any, reach: Any, shared: Any, single: Any) -> None:
    """Put one card of this value into the shoe, or take it out."""
    one = splat(by)
    twice = splat(2.0)
    left = load(counts, value) + one
    store(counts, value, left)
    for total in range(VALUES):
        row = total * VALUES
        if by < 0.0:
            store(single, total, load(single, total) - twice * load(reach, row + value))
        partner = _units(total - value + VALUES)
        partners = load(reach, row + partner) + one
        store(reach, row + partner, partners)
        store(shared, row + partner, load(counts, partner) * partners)
        store(shared, row + value, left * load(reach, row + value))
        if by > 0.0:
            store(single, total, load(single, total) + twice * load(reach, row + value))


@njit(cache=True, nogil=True, inline="always")
def _disjoint(one: int, other: int, reach: Any, shared: Any, single: Any) -> Any:
    """Two hands without a card in common, with these totals."""
    same = splat(0.0)
    also = splat(0.0)
    for value in range(0, VALUES, 2):  # two sums, so that one need not wait for the other
        same = same + load(shared, one * VALUES + value) * load(reach, other * VALUES + value)
        also = also + load(shared, one * VALUES + value + 1) * load(reach, other * VALUES + value + 1)
    ways = load(single, one) * load(single, other) - splat(4.0) * (same + also)
    if one == other:
        ways = ways + splat(2.0) * load(single, one)
    return ways


@njit(cache=True, nogil=True)
def _any_hands(
    turn: Any, draws: Any, behind: Any, counts: Any, reach: Any, shared: Any, single: Any, found: Any
) -> None:
    """All deals by draw number, whatever the first cards are."""
    for one in range(VALUES):
        for other in range(VALUES):
            if turn[one * VALUES + other] == NOBODY:
                _add(found, (one * VALUES + other) * 4, load(behind, 4) * _disjoint(one, other, reach, shared, single))
    for x in range(VALUES):
        drawn = load(counts, x)
        _change(x, -1.0, counts, reach, shared, single)
        weight = drawn * load(behind, 5)
        for one in range(VALUES):
            for other in range(VALUES):
                cell = one * VALUES + other
                if turn[cell] == SECOND:
                    place = (one * VALUES + _units(other + x)) * 4 + 1
                    _add(found, place, weight * _disjoint(one, other, reach, shared, single))
                elif turn[cell] == FIRST and not draws[cell * VALUES + x]:
                    place = (_units(one + x) * VALUES + other) * 4 + 2
                    _add(found, place, weight * _disjoint(one, other, reach, shared, single))
        for y in range(x, VALUES):
            weight = drawn * load(counts, y) * load(behind, 6)
            _change(y, -1.0, counts, reach, shared, single)
            for one in range(VALUES):
                for other in range(VALUES):
                    cell = one * VALUES + other
                    if turn[cell] == FIRST and (draws[cell * VALUES + x] or draws[cell * VALUES + y]):
                        ways = weight * _disjoint(one, other, reach, shared, single)
                        if draws[cell * VALUES + x]:
                            _add(found, (_units(one + x) * VALUES + _units(other + y)) * 4 + 3, ways)
                        if x != y and draws[cell * VALUES + y]:
                            _add(found, (_units(one + y) * VALUES + _units(other + x)) * 4 + 3, ways)
            _change(y, 1.0, counts, reach, shared, single)
        _change(x, 1.0, counts, reach, shared, single)


@njit(cache=True, nogil=True, inline="always")
def _without_two(total: int, x: int, y: int, after: Any, reach: Any) -> Any:
    """The two-card hands with this total when x and y are out; `after` has them when x alone is out."""
    partners = load(reach, total * VALUES + y)
    if _units(total - y + VALUES) == x:
        partners = partners - splat(1.0)
    return load(after, total) - splat(2.0) * partners


@njit(cache=True, nogil=True, inline="always")
def _four_cards(known: int, is_first: bool, turn: Any, behind: Any, single: Any, found: Any) -> None:
    """Nobody draws: one hand is known, the other has any total."""
    for total in range(VALUES):
        cell = known * VALUES + total if is_first else total * VALUES + known
        if turn[cell] == NOBODY:
            _add(found, cell * 4, load(behind, 4) * load(single, total))


@njit(cache=True, nogil=True, inline="always")
def _five_cards(
    x: int,
    known: int,
    is_first: bool,
    turn: Any,
    draws: Any,
    behind: Any,
    counts: Any,
    reach: Any,
    single: Any,
    after: Any,
    found: Any,
) -> bool:
    """One third card x: `after` receives the hands that are left without it; is a second third card ever drawn?"""
    drawing = False
    weight = load(counts, x) * load(behind, 5)
    for total in range(VALUES):
        one, other = (known, total) if is_first else (total, known)
        cell = one * VALUES + other
        hands = load(single, total) - splat(2.0) * load(reach, total * VALUES + x)
        store(after, total, hands)
        if turn[cell] == SECOND:
            _add(found, (one * VALUES + _units(other + x)) * 4 + 1, weight * hands)
        elif turn[cell] == FIRST:
            if draws[cell * VALUES + x]:
                drawing = True
            else:
                _add(found, (_units(one + x) * VALUES + other) * 4 + 2, weight * hands)
    return drawing


@njit(cache=True, nogil=True)
def _first_known(
    one: int, turn: Any, draws: Any, behind: Any, counts: Any, reach: Any, single: Any, after: Any, found: Any
) -> None:
    """The deals by draw number when the first hand has this total with two cards, and the second is to come."""
    _four_cards(one, True, turn, behind, single, found)
    for x in range(VALUES):
        if not _five_cards(x, one, True, turn, draws, behind, counts, reach, single, after, found):
            continue
        for end in range(VALUES):
            ways = splat(0.0)
            for other in range(VALUES):
                cell = one * VALUES + other
                if turn[cell] == FIRST and draws[cell * VALUES + x]:
                    y = _units(end - other + VALUES)
                    left = load(counts, y)
                    if x == y:
                        left = left - splat(1.0)
                    ways = ways + left * _without_two(other, x, y, after, reach)
            weight = load(counts, x) * load(behind, 6)
            _add(found, (_units(one + x) * VALUES + end) * 4 + 3, weight * ways)


@njit(cache=True, nogil=True)
def _second_known(
    other: int, turn: Any, draws: Any, behind: Any, counts: Any, reach: Any, single: Any, after: Any, found: Any
) -> None:
    """The same with the second hand known and the first to come."""
    _four_cards(other, False, turn, behind, single, found)
    for x in range(VALUES):
        if not _five_cards(x, other, False, turn, draws, behind, counts, reach, single, after, found):
            continue
        for y in range(VALUES):
            left = load(counts, y)
            if x == y:
                left = left - splat(1.0)
            weight = load(counts, x) * left * load(behind, 6)
            for one in range(VALUES):
                cell = one * VALUES + other
                if turn[cell] == FIRST and draws[cell * VALUES + x]:
                    place = (_units(one + x) * VALUES + _units(other + y)) * 4 + 3
                    _add(found, place, weight * _without_two(one, x, y, after, reach))


@njit(cache=True, nogil=True)
def _both_known(one: int, other: int, turn: Any, draws: Any, behind: Any, counts: Any, found: Any) -> None:
    """The same with both hands known."""
    cell = one * VALUES + other
    if turn[cell] == NOBODY:
        _add(found, cell * 4, load(behind, 4))
        return
    for x in range(VALUES):
        drawn = load(counts, x)
        if turn[cell] == SECOND:
            _add(found, (one * VALUES + _units(other + x)) * 4 + 1, drawn * load(behind, 5))
        elif not draws[cell * VALUES + x]:
            _add(found, (_units(one + x) * VALUES + other) * 4 + 2, drawn * load(behind, 5))
        else:
            for y in range(VALUES):
                left = load(counts, y)
                if x == y:
                    left = left - splat(1.0)
                _add(found, (_units(one + x) * VALUES + _units(other + y)) * 4 + 3, drawn * left * load(behind, 6))


@njit(cache=True, nogil=True, inline="always")
def _choices(one: int, other: int, held: Any) -> Any:
    """Ordered draws of two cards of these kinds."""
    left = load(held, other)
    if one == other:
        left = left - splat(1.0)
    return load(held, one) * left


@njit(cache=True, nogil=True)
def _same_group(first: int, last: int, mark: int, mark_too: int, pairs: Any, held: Any) -> Any:
    """Ordered draws of two marked pairs from one group, the first hand's then the second's."""
    found = splat(0.0)
    for a in range(first, last):
        if pairs[a, 0] != mark:
            continue
        choices = _choices(pairs[a, 1], pairs[a, 2], held)
        store(held, pairs[a, 1], load(held, pairs[a, 1]) - splat(1.0))
        store(held, pairs[a, 2], load(held, pairs[a, 2]) - splat(1.0))
        for b in range(first, last):
            if pairs[b, 0] == mark_too:
                found = found + choices * _choices(pairs[b, 1], pairs[b, 2], held)
        store(held, pairs[a, 1], load(held, pairs[a, 1]) + splat(1.0))
        store(held, pairs[a, 2], load(held, pairs[a, 2]) + splat(1.0))
    return found


@njit(cache=True, nogil=True)
def _weigh(scale: Any, plain: Any, behind: Any) -> None:
    for cards in range(4, 7):
        store(behind, cards, scale * load(plain, cards))


@njit(cache=True, nogil=True)
def _take_in(shoes: Any, block: int, value_of: Any, held: Any, counts: Any, plain: Any) -> None:
    """Read four shoes: the cards of each kind and of each value, and the ways of the cards behind a round."""
    counts[:] = 0.0
    size = splat(0.0)
    for kind in range(value_of.shape[0]):
        for lane in range(LANES):
            held[kind * LANES + lane] = shoes[block, kind, lane]
        some = load(held, kind)
        _add(counts, value_of[kind], some)
        size = size + some
    store(plain, 4, (size - splat(4.0)) * (size - splat(5.0)))
    store(plain, 5, size - splat(5.0))
    store(plain, 6, splat(1.0))


@njit(cache=True, nogil=True)
def _choices_by_mark(marks: int, groups: Any, pairs: Any, held: Any, choices: Any) -> None:
    """For each group and mark, the ordered draws of two cards that make it."""
    for group in range(VALUES):
        for mark in range(1, marks):
            ways = splat(0.0)
            for each in range(groups[group], groups[group + 1]):
                if pairs[each, 0] == mark:
                    ways = ways + _choices(pairs[each, 1], pairs[each, 2], held)
            store(choices, group * marks + mark, ways)


@njit(cache=True, nogil=True)
def _write(block: int, marks: int, found: Any, lanes: Any, out: Any) -> None:
    """What was counted as marked is taken out of what was counted without looking, and written shoe by shoe."""
    for draw in range(DRAWS):
        for mark in range(marks):
            for mark_too in range(marks):
                ways = load(found, (mark * marks + mark_too) * DRAWS + draw)
                if mark == 0:
                    for looked in range(1, marks):
                        ways = ways - load(found, (looked * marks + mark_too) * DRAWS + draw)
                if mark_too == 0:
                    for looked in range(1, marks):
                        ways = ways - load(found, (mark * marks + looked) * DRAWS + draw)
                if mark == 0 and mark_too == 0:
                    for looked in range(1, marks):
                        for looked_too in range(1, marks):
                            ways = ways + load(found, (looked * marks + looked_too) * DRAWS + draw)
                store(lanes, 0, ways)
                for lane in range(LANES):
                    out[block * LANES + lane, (draw * marks + mark) * marks + mark_too] = lanes[lane]


@njit(cache=True, nogil=True)
def count(shoes: Any, value_of: Any, turn: Any, draws: Any, marks: int, groups: Any, pairs: Any, out: Any) -> None:
    """Count shoes, four at a time: `shoes[block, kind, lane]`; `out[shoe, ending]` receives the deals.

    A shoe has from 6 to 458 cards. `groups[v]` and `groups[v + 1]` bound the marked pairs of the value v.
    """
    held, counts = np.empty(value_of.shape[0] * LANES), np.empty(VALUES * LANES)
    reach, shared = np.empty(VALUES * VALUES * LANES), np.empty(VALUES * VALUES * LANES)
    single, after = np.empty(VALUES * LANES), np.empty(VALUES * LANES)
    plain, behind = np.empty(7 * LANES), np.empty(7 * LANES)
    choices, lanes = np.empty(VALUES * marks * LANES), np.empty(LANES)
    wide = DRAWS * LANES
    found = np.empty(marks * marks * wide)  # by the marks looked for; mark 0 stands for not looking
    for block in range(shoes.shape[0]):
        found[:] = 0.0
        _take_in(shoes, block, value_of, held, counts, plain)
        _prepare(counts, reach, shared, single)
        _any_hands(turn, draws, plain, counts, reach, shared, single, found[:wide])
        _choices_by_mark(marks, groups, pairs, held, choices)
        for group in range(VALUES):
            if groups[group] == groups[group + 1]:
                continue
            total = _units(2 * group)
            _change(group, -1.0, counts, reach, shared, single)
            _change(group, -1.0, counts, reach, shared, single)
            for mark in range(1, marks):
                _weigh(load(choices, group * marks + mark), plain, behind)
                start = mark * marks * wide
                _first_known(total, turn, draws, behind, counts, reach, single, after, found[start : start + wide])
                start = mark * wide
                _second_known(total, turn, draws, behind, counts, reach, single, after, found[start : start + wide])
            for other in range(VALUES):
                if groups[other] < groups[other + 1]:
                    _both_marked(
                        group, other, turn, draws, marks, groups, pairs, choices, held, plain, behind, counts, found
                    )
            _change(group, 1.0, counts, reach, shared, single)
            _change(group, 1.0, counts, reach, shared, single)
        _write(block, marks, found, lanes, out)


@njit(cache=True, nogil=True)
def _both_marked(
    group: int,
    other: int,
    turn: Any,
    draws: Any,
    marks: int,
    groups: Any,
    pairs: Any,
    choices: Any,
    held: Any,
    plain: Any,
    behind: Any,
    counts: Any,
    found: Any,
) -> None:
    """Both hands hold marked pairs, of this value and of that; the first hand's cards are out already."""
    store(counts, other, load(counts, other) - splat(2.0))
    for mark in range(1, marks):
        for mark_too in range(1, marks):
            weight = load(choices, group * marks + mark) * load(choices, other * marks + mark_too)
            if group == other:
                weight = _same_group(groups[group], groups[group + 1], mark, mark_too, pairs, held)
            _weigh(weight, plain, behind)
            start = (mark * marks + mark_too) * DRAWS * LANES
            place = found[start : start + DRAWS * LANES]
            _both_known(_units(2 * group), _units(2 * other), turn, draws, behind, counts, place)
    store(counts, other, load(counts, other) + splat(2.0))
