"""Twenty-one for two hands, sixteen or thirty-two rounds at a time.

Suits decide which pair two cards of a rank make and steer no draw. Those of cards that nobody looks at stay exchangeable,
so suits are drawn for pairs alone, and late: from the suits of that rank which no pair has taken yet.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.simulate.kernels.chance import WORDS, draw_word, fill, start_of, stream, words_from
from longhu.simulate.kernels.shoes import deal_sixteen, draw_below, remainders
from longhu.simulate.kernels.vectors import (
    above8,
    above16,
    add8,
    add16,
    all8,
    all16,
    both,
    choose,
    either,
    first_halves,
    full_shoes,
    high_word,
    left16,
    less8,
    less16,
    load,
    marked,
    multiply16,
    same8,
    same16,
    second_halves,
    store,
    sub8,
    sub16,
    take,
    without,
    zip_high,
    zip_low,
)

MARKS = 4  # no pair, mixed, coloured, perfect
LEAST = 4  # the lowest total, two twos that a Blackjack stopped
BLACKJACK, LIFTED = 21, 10  # an ace counts eleven where that does not take the hand over
PAIRED, PAIRED_TOO, ENDING = 1 << 14, 1 << 15, (1 << 14) - 1  # a code: the ending, and which hands wait for their suits
CODES_MAX = ENDING + 1
U, U32 = np.uint64, np.uint32


@njit(inline="always")
def _total16(hard: Any, ace: Any) -> Any:
    return add16(hard, both(both(ace, above16(all16(BLACKJACK - LIFTED + 1), hard)), all16(LIFTED)))


@njit(inline="always")
def _value16(rank: Any) -> Any:
    return add16(less16(rank, all16(9)), all16(1))


@njit(inline="always")
def _total8(hard: Any, ace: Any) -> Any:
    return add8(hard, both(both(ace, above8(all8(BLACKJACK - LIFTED + 1), hard)), all8(LIFTED)))


@njit(cache=True, nogil=True)
def _pair_of(words: Any, suits: Any) -> Any:
    """Two cards of a rank out of those whose suits are left: which pair they are. Suits 0 and 3 are of one colour, as 1 and 2."""
    left = U(suits[0]) + U(suits[1]) + U(suits[2]) + U(suits[3])
    ways = left * (left - U(1))
    while True:
        word = draw_word(words)
        one, rest = high_word(word, left), word * left
        other, rest = high_word(rest, left - U(1)), rest * (left - U(1))
        if rest >= ways or rest >= (U(0) - ways) % ways:
            break
    first = _suit_at(one, suits)
    suits[first] -= 1
    second = _suit_at(other, suits)
    suits[second] -= 1
    if first == second:
        return 3
    return 2 if (first ^ second) == 3 else 1


@njit(inline="always")
def _suit_at(place: Any, suits: Any) -> Any:
    upto = U(suits[0])
    suit = 0
    while place >= upto:
        suit += 1
        upto += U(suits[suit])
    return suit


@njit(cache=True, nogil=True)
def deal_fresh(draws_to: Any, longest: Any, seed: Any, block: Any, rounds: Any, decks: Any, tally: Any) -> None:
    """So many rounds, each from a full shoe, into the tally of endings; a hand that is done takes no further card."""
    number, ways = 52 * decks, draws_to + 8
    zero, standing, natural = all16(0), all16(draws_to + 1), all16(BLACKJACK)
    lifted = all16(draws_to + 11 - BLACKJACK)  # Blackjack is the code behind the highest total
    state, codes, words = np.empty(WORDS, np.uint64), np.empty(16, np.uint16), words_from(~start_of(seed, block))
    doubles, suits = np.empty(16, np.uint16), np.empty(4, np.uint8)
    counts = np.zeros(tally.shape[0], np.uint32)
    fill(state, start_of(seed, block))
    chance, shares = stream(state), remainders(number, longest)
    partners, share = 4 * decks - 1, 65536 % (4 * decks - 1)
    left = rounds
    while left > 0:
        shoes = full_shoes(4 * decks)
        place, chance = draw_below(chance, number, shares[0])
        shoes, d1 = take(shoes, place)
        place, chance = draw_below(chance, number - 1, shares[1])
        shoes, t1 = take(shoes, place)
        place, chance = draw_below(chance, number - 2, shares[2])
        shoes, d2 = take(shoes, place)
        place, chance = draw_below(chance, number - 3, shares[3])
        shoes, t2 = take(shoes, place)
        hard, hard_too = add16(_value16(d1), _value16(d2)), add16(_value16(t1), _value16(t2))
        ace, ace_too = either(same16(d1, zero), same16(d2, zero)), either(same16(t1, zero), same16(t2, zero))
        total, total_too = _total16(hard, ace), _total16(hard_too, ace_too)
        jack, jack_too = same16(total, natural), same16(total_too, natural)
        over = either(jack, jack_too)
        total, total_too = add16(total, both(jack, lifted)), add16(total_too, both(jack_too, lifted))
        dealt = 4
        while True:
            draws = without(over, above16(standing, total))
            draws_too = without(either(over, draws), above16(standing, total_too))
            if marked(either(draws, draws_too)) == U(0):
                break
            place, chance = draw_below(chance, number - dealt, shares[dealt])
            shoes, rank = take(shoes, place)
            dealt += 1
            value, is_ace = _value16(rank), same16(rank, zero)
            hard, ace = add16(hard, both(value, draws)), either(ace, both(is_ace, draws))
            hard_too, ace_too = add16(hard_too, both(value, draws_too)), either(ace_too, both(is_ace, draws_too))
            total = choose(total, _total16(hard, ace), draws)
            total_too = choose(total_too, _total16(hard_too, ace_too), draws_too)
        code = add16(multiply16(sub16(total, all16(LEAST)), all16(ways)), sub16(total_too, all16(LEAST)))
        pair, pair_too = same16(d1, d2), same16(t1, t2)
        partner, chance = draw_below(chance, partners, share)
        partner_too, chance = draw_below(chance, partners, share)
        kinds = add16(both(pair, left16(_kind(partner, decks), 2)), both(pair_too, _kind(partner_too, decks)))
        store(codes, 0, add16(left16(code, 4), kinds))
        four_alike = both(both(pair, pair_too), same16(d1, t1))
        if marked(four_alike) != U(0):
            store(doubles, 0, four_alike)
            for lane in range(16):
                if doubles[lane]:
                    suits[:] = decks
                    kind = _pair_of(words, suits)
                    codes[lane] = (codes[lane] & ~15) + 4 * kind + _pair_of(words, suits)
        lanes = min(left, 16)
        left -= lanes
        for lane in range(lanes):
            counts[U(codes[U(lane)])] += U32(1)
    for each in range(tally.shape[0]):
        tally[each] += counts[each]


@njit(inline="always")
def _kind(partner: Any, decks: Any) -> Any:
    """Of the others of its rank, the partner of a card is perfect decks - 1, coloured decks, mixed 2 decks times."""
    return sub16(all16(1), add16(above16(all16(decks - 1), partner), above16(all16(2 * decks - 1), partner)))


@njit(cache=True, nogil=True)
def deal_shoes(
    draws_to: Any, longest: Any, seed: Any, block: Any, shoes: Any, decks: Any, burn: Any, cut: Any, after: Any,
    per_depth: Any, tally: Any,
) -> None:  # fmt: skip
    """So many shoes, a multiple of sixteen: a row of the tally for every `per_depth` rounds of a shoe, the last for the rest."""
    end, depths = 52 * decks - cut - burn, tally.shape[0]
    last = end + longest * after
    need = (last + longest + 1) & ~1
    size = 16 * (need + 2)
    ranks, values, used, codes = (
        np.zeros(size, np.uint8), np.zeros(size, np.uint8), np.zeros(size, np.uint8), np.zeros(size, np.uint16)
    )  # fmt: skip
    state, words = np.empty(WORDS, np.uint64), words_from(~start_of(seed, block))
    suits, waiting = np.empty((13, 4), np.uint8), np.empty((size, 2), np.uint32)
    counts = np.zeros((depths, tally.shape[1]), np.uint32)
    fill(state, start_of(seed, block))
    chance, left = stream(state), remainders(52 * decks, need)
    for _ in range(0, shoes, 16):
        chance = deal_sixteen(chance, decks, need, left, ranks)
        for place in range(0, 16 * need, 32):
            store(values, place, add8(less8(load(ranks, place), all8(9)), all8(1)))
        for place in range(0, 16 * last, 32):
            _play(draws_to, place, ranks, values, used, codes)
        for lane in range(16):
            _walk(words, lane, 16 * end, after, decks, per_depth, ranks, used, codes, suits, waiting, counts)
    for depth in range(depths):
        for code in range(tally.shape[1]):
            tally[depth, code] += counts[depth, code]


@njit(inline="always")
def _play(draws_to: Any, place: Any, ranks: Any, values: Any, used: Any, codes: Any) -> None:
    """Thirty-two rounds that begin here, of two cards in a row of sixteen shoes."""
    zero, one, standing, ways = all8(0), all8(1), all8(draws_to + 1), all16(draws_to + 8)
    d1, t1, d2, t2 = load(values, place), load(values, place + 16), load(values, place + 32), load(values, place + 48)
    hard, hard_too = add8(d1, d2), add8(t1, t2)
    ace, ace_too = either(same8(d1, one), same8(d2, one)), either(same8(t1, one), same8(t2, one))
    total, total_too = _total8(hard, ace), _total8(hard_too, ace_too)
    jack, jack_too = same8(total, all8(BLACKJACK)), same8(total_too, all8(BLACKJACK))
    over, lifted = either(jack, jack_too), all8(draws_to + 11 - BLACKJACK)
    total, total_too = add8(total, both(jack, lifted)), add8(total_too, both(jack_too, lifted))
    pair = both(same8(load(ranks, place), load(ranks, place + 32)), all8(1))
    pair_too = both(same8(load(ranks, place + 16), load(ranks, place + 48)), all8(2))
    pairs, taken, ahead = either(pair, pair_too), all8(4), place + 64
    while True:
        draws = without(over, above8(standing, total))
        draws_too = without(either(over, draws), above8(standing, total_too))
        drawn = either(draws, draws_too)
        if marked(drawn) == U(0):
            break
        value = load(values, ahead)
        ahead += 16
        is_ace = same8(value, one)
        hard, ace = add8(hard, both(value, draws)), either(ace, both(is_ace, draws))
        hard_too, ace_too = add8(hard_too, both(value, draws_too)), either(ace_too, both(is_ace, draws_too))
        total = choose(total, _total8(hard, ace), draws)
        total_too = choose(total_too, _total8(hard_too, ace_too), draws_too)
        taken = sub8(taken, drawn)
    store(used, place, taken)
    total, total_too = sub8(total, all8(LEAST)), sub8(total_too, all8(LEAST))
    low = _code(zip_low(total, zero), zip_low(total_too, zero), zip_low(pairs, zero), ways)
    high = _code(zip_high(total, zero), zip_high(total_too, zero), zip_high(pairs, zero), ways)
    store(codes, 2 * place, first_halves(low, high))
    store(codes, 2 * place + 32, second_halves(low, high))


@njit(inline="always")
def _code(total: Any, total_too: Any, pairs: Any, ways: Any) -> Any:
    return add16(left16(add16(multiply16(total, ways), total_too), 4), left16(pairs, 14))


@njit(inline="always")
def _walk(
    words: Any, lane: Any, border: Any, after: Any, decks: Any, per_depth: Any, ranks: Any, used: Any, codes: Any, suits: Any,
    waiting: Any, counts: Any,
) -> None:  # fmt: skip
    """From round to round of one shoe; rounds with a pair wait for their suits, in order."""
    depths, place, edge, more, number, pairs = counts.shape[0], U(lane), U(border), after, 0, U(0)
    while place < edge or more > 0:
        if place >= edge:
            more -= 1
        depth = U(min(number // per_depth, depths - 1)) if depths > 1 else U(0)
        code = U(codes[place])
        paired = U(code > U(ENDING))
        waiting[pairs, 0] = place
        waiting[pairs, 1] = depth
        pairs += paired
        counts[depth, code & U(ENDING)] += U32(U(1) - paired)
        place += U(16) * U(used[place])
        number += 1
    suits[:] = decks
    for each in range(np.int64(pairs)):
        place, depth = U(waiting[U(each), 0]), U(waiting[U(each), 1])
        code = U(codes[place])
        ending = code & U(ENDING)
        if code & U(PAIRED):
            ending += U(4 * _pair_of(words, suits[ranks[place]]))
        if code & U(PAIRED_TOO):
            ending += U(_pair_of(words, suits[ranks[place + U(16)]]))
        counts[depth, ending] += U32(1)
