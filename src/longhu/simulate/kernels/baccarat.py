"""Baccarat dealt thirty-two rounds at a time; a round's ending is its number in the procedure's outcome table.

A fresh shoe for every round: six places in the shoe are drawn for each, and the round is thrown away when two coincide or
a draw was not exactly uniform. All six are looked at, used or not, so that what remains is uniform over six different cards.

Shoe by shoe: sixteen shoes are dealt out side by side; then every place of every shoe is played as if a round began there, and
a walk from round to round visits the true beginnings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.simulate.kernels.chance import WORDS, draw, fill, start_of, stream
from longhu.simulate.kernels.shoes import deal_sixteen, remainders
from longhu.simulate.kernels.vectors import (
    add8,
    all8,
    all16,
    both,
    choose,
    either,
    first_halves,
    high16,
    less8,
    less16,
    load,
    look8,
    marked,
    multiply16,
    ones,
    pack,
    pack_masks,
    right16,
    same8,
    same16,
    second_halves,
    store,
    sub8,
    without,
    zip_high,
    zip_low,
)

CODES = 1600  # both totals, who drew, whose first cards pair
REFUSED = 16  # codes behind them, for rounds that are thrown away
CARDS = 6  # that a round takes at most
STOOD = 10  # stands for the third card of a hand that took none
VALUES, NATURAL, FIRST_DRAWS, AGAINST_LOW, AGAINST_HIGH, BIT, TENFOLD = range(0, 7 * 32, 32)  # tables of the rules
U, U32 = np.uint64, np.uint32


@njit(inline="always")
def _units(total: Any) -> Any:
    return less8(total, sub8(total, all8(10)))


@njit(inline="always")
def _played(rules: Any, v0: Any, v1: Any, v2: Any, v3: Any, v4: Any, v5: Any, pair: Any, pair_too: Any) -> Any:
    """Thirty-two rounds from the values of six cards each: totals, flags in the upper four bits, cards used."""
    first, second = _units(add8(v0, v2)), _units(add8(v1, v3))
    natural = load(rules, NATURAL)
    over = either(look8(natural, first), look8(natural, second))
    draws = without(over, look8(load(rules, FIRST_DRAWS), first))
    third = choose(all8(STOOD), v4, draws)
    against = choose(
        look8(load(rules, AGAINST_LOW), second), look8(load(rules, AGAINST_HIGH), second), sub8(all8(7), third)
    )
    bit = look8(load(rules, BIT), third)
    draws_too = without(over, same8(both(against, bit), bit))
    first = _units(add8(first, both(v4, draws)))
    second = _units(add8(second, both(choose(v4, v5, draws), draws_too)))
    totals = add8(look8(load(rules, TENFOLD), first), second)
    drew = either(both(draws, all8(0x80)), both(draws_too, all8(0x40)))
    flags = either(drew, either(both(pair, all8(0x20)), both(pair_too, all8(0x10))))
    return totals, flags, sub8(all8(4), add8(draws, draws_too))


@njit(inline="always")
def _six(chance: Any, cards: Any, refused: Any, per_rank: Any) -> Any:
    """Six places for each of sixteen rounds, as ranks; where the mask is set, the round does not count."""
    u, chance = draw(chance)
    a, low = high16(u, cards), multiply16(u, cards)
    bad = same16(less16(low, refused), low)
    u, chance = draw(chance)
    b, low = high16(u, cards), multiply16(u, cards)
    bad = either(bad, same16(less16(low, refused), low))
    u, chance = draw(chance)
    c, low = high16(u, cards), multiply16(u, cards)
    bad = either(bad, same16(less16(low, refused), low))
    u, chance = draw(chance)
    d, low = high16(u, cards), multiply16(u, cards)
    bad = either(bad, same16(less16(low, refused), low))
    u, chance = draw(chance)
    e, low = high16(u, cards), multiply16(u, cards)
    bad = either(bad, same16(less16(low, refused), low))
    u, chance = draw(chance)
    f, low = high16(u, cards), multiply16(u, cards)
    bad = either(bad, same16(less16(low, refused), low))
    bad = either(bad, either(either(same16(a, b), same16(a, c)), either(same16(a, d), same16(a, e))))
    bad = either(bad, either(either(same16(a, f), same16(b, c)), either(same16(b, d), same16(b, e))))
    bad = either(bad, either(either(same16(b, f), same16(c, d)), either(same16(c, e), same16(c, f))))
    bad = either(bad, either(either(same16(d, e), same16(d, f)), same16(e, f)))
    a, b, c = high16(a, per_rank), high16(b, per_rank), high16(c, per_rank)
    d, e, f = high16(d, per_rank), high16(e, per_rank), high16(f, per_rank)
    return a, b, c, d, e, f, bad, chance


@njit(cache=True, nogil=True)
def deal_fresh(rules: Any, seed: Any, block: Any, rounds: Any, decks: Any, tally: Any) -> None:
    """So many rounds, each from a full shoe, into the tally of endings."""
    number = 52 * decks
    cards, refused = all16(number), all16(65536 % number - 1)
    per_rank = all16((65536 + 4 * decks - 1) // (4 * decks))
    values = load(rules, VALUES)
    state, codes, counts = np.empty(WORDS, np.uint64), np.empty(32, np.uint16), np.zeros(CODES + REFUSED, np.uint32)
    fill(state, start_of(seed, block))
    chance = stream(state)
    left = rounds
    while left > 0:
        a, b, c, d, e, f, bad, chance = _six(chance, cards, refused, per_rank)
        a2, b2, c2, d2, e2, f2, bad2, chance = _six(chance, cards, refused, per_rank)
        a, b, c, d, e, f = pack(a, a2), pack(b, b2), pack(c, c2), pack(d, d2), pack(e, e2), pack(f, f2)
        bad = pack_masks(bad, bad2)
        totals, flags, _used = _played(
            rules,
            look8(values, a), look8(values, b), look8(values, c), look8(values, d), look8(values, e), look8(values, f),
            same8(a, c), same8(b, d),
        )  # fmt: skip
        totals = choose(totals, all8(100), bad)
        store(codes, 0, right16(zip_low(flags, totals), 4))
        store(codes, 32, right16(zip_high(flags, totals), 4))
        good = 32 - np.int64(ones(marked(bad)))
        if good <= left:
            for place in range(32):
                counts[U(codes[U(place)])] += U32(1)
            left -= good
        else:
            for place in range(32):
                if left > 0 and codes[place] < CODES:
                    counts[codes[place]] += U32(1)
                    left -= 1
    for code in range(CODES):
        tally[code] += counts[code]


@njit(cache=True, nogil=True)
def deal_shoes(
    rules: Any,
    seed: Any,
    block: Any,
    shoes: Any,
    decks: Any,
    burn: Any,
    cut: Any,
    after: Any,
    per_depth: Any,
    tally: Any,
) -> None:
    """So many shoes, a multiple of sixteen: a row of the tally for every `per_depth` rounds of a shoe, the last for the rest.

    A shoe's rounds begin before the cutting card, and `after` more behind it.
    """
    depths = tally.shape[0]
    end = 52 * decks - cut - burn
    need = (end + CARDS * (after + 1) + 1) & ~1
    last = end + CARDS * after
    rows = 16 * (need + 2)
    ranks, value = np.zeros(rows, np.uint8), np.zeros(rows, np.uint8)
    used, codes = np.zeros(rows, np.uint8), np.zeros(rows, np.uint16)
    state, counts = np.empty(WORDS, np.uint64), np.zeros((depths, CODES), np.uint32)
    fill(state, start_of(seed, block))
    chance = stream(state)
    values = load(rules, VALUES)
    border, left = U(16 * end), remainders(52 * decks, need)
    for _ in range(0, shoes, 16):
        chance = deal_sixteen(chance, decks, need, left, ranks)
        for place in range(0, 16 * need, 32):
            store(value, place, look8(values, load(ranks, place)))
        for place in range(0, 16 * last, 32):
            totals, flags, taken = _played(
                rules,
                load(value, place), load(value, place + 16), load(value, place + 32),
                load(value, place + 48), load(value, place + 64), load(value, place + 80),
                same8(load(ranks, place), load(ranks, place + 32)),
                same8(load(ranks, place + 16), load(ranks, place + 48)),
            )  # fmt: skip
            low, high = right16(zip_low(flags, totals), 4), right16(zip_high(flags, totals), 4)
            store(codes, 2 * place, first_halves(low, high))
            store(codes, 2 * place + 32, second_halves(low, high))
            store(used, place, taken)
        for lane in range(0, 16, 4):
            _walk_four(lane, border, after, per_depth, codes, used, counts)
    for depth in range(depths):
        for code in range(CODES):
            tally[depth, code] += counts[depth, code]


@njit(inline="always")
def _walk_four(lane: Any, border: Any, after: Any, per_depth: Any, codes: Any, used: Any, counts: Any) -> None:
    """From round to round in four shoes at once, so that none waits for the other's memory."""
    p, q, r, t = U(lane), U(lane + 1), U(lane + 2), U(lane + 3)
    depths = counts.shape[0]
    depth, beyond = U(0), np.int64(per_depth) if depths > 1 else np.int64(1) << 62
    number = np.int64(0)
    while (p < border) & (q < border) & (r < border) & (t < border):
        counts[depth, U(codes[p])] += U32(1)
        counts[depth, U(codes[q])] += U32(1)
        counts[depth, U(codes[r])] += U32(1)
        counts[depth, U(codes[t])] += U32(1)
        p += U(16) * U(used[p])
        q += U(16) * U(used[q])
        r += U(16) * U(used[r])
        t += U(16) * U(used[t])
        number += 1
        if number == beyond:
            depth += U(1)
            beyond = beyond + per_depth if depth + U(1) < U(depths) else np.int64(1) << 62
    for place in (p, q, r, t):
        _walk_on(place, number, border, after, per_depth, codes, used, counts)


@njit(cache=True, nogil=True)
def _walk_on(
    place: Any, number: Any, border: Any, after: Any, per_depth: Any, codes: Any, used: Any, counts: Any
) -> None:
    """The rest of one shoe."""
    depths, more = counts.shape[0], after
    while place < border or more > 0:
        if place >= border:
            more -= 1
        depth = min(number // per_depth, depths - 1)
        counts[depth, U(codes[place])] += U32(1)
        place += U(16) * U(used[place])
        number += 1
