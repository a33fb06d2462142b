"""Any deal procedure, one round at a time, from tables of its own steps.

For whatever the kernels with lanes do not know: suits that a wager looks at, other pairs, a procedure to come. Cards are
really shuffled: the array keeps the order that the round before left, which is as good a start as any.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.simulate.kernels.chance import draw_word, start_of, words_from
from longhu.simulate.kernels.vectors import high_word

U, U32 = np.uint64, np.uint32
ENDS = 2  # in the table of turns: nobody draws any more


@njit(inline="always")
def _below(words: Any, number: Any) -> Any:
    """Exactly uniform below a number."""
    while True:
        word = draw_word(words)
        rest = word * number
        if rest >= number or rest >= (U(0) - number) % number:
            return high_word(word, number)


@njit(inline="always")
def _draw(words: Any, cards: Any, place: Any) -> Any:
    """The card at this place of a shuffle that is made as far as it is looked at."""
    other = U(place) + _below(words, U(cards.shape[0] - place))
    card = cards[other]
    cards[other] = cards[U(place)]
    cards[U(place)] = card
    return card


@njit(cache=True, nogil=True)
def deal_round(
    words: Any, cards: Any, place: Any, initial: Any, marks: Any, becomes: Any, turns: Any, ends: Any, mark: Any
) -> Any:
    """One round from this place of the shoe: its ending, and the place behind it."""
    first, second = 0, 0
    one, one_too, other, other_too = 0, 0, 0, 0
    start = place
    while True:
        dealt = place - start
        turn = dealt & 1 if dealt < initial else turns[first, second]
        if turn == ENDS:
            break
        card = _draw(words, cards, place)
        place += 1
        if turn == 0:
            first = becomes[first, card]
            if dealt == 0:
                one = one_too = card
            elif dealt == 2:
                one_too = card
        else:
            second = becomes[second, card]
            if dealt == 1:
                other = other_too = card
            elif dealt == 3:
                other_too = card
    return (ends[first, second] * marks + mark[one, one_too]) * marks + mark[other, other_too], place


@njit(cache=True, nogil=True)
def deal_fresh(
    initial: Any, marks: Any, becomes: Any, turns: Any, ends: Any, mark: Any, seed: Any, block: Any, rounds: Any,
    decks: Any, tally: Any,
) -> None:  # fmt: skip
    """So many rounds, each from a full shoe, into the tally of endings."""
    cards, words = full_shoe(decks), words_from(start_of(seed, block))
    for _ in range(rounds):
        ending, _place = deal_round(words, cards, 0, initial, marks, becomes, turns, ends, mark)
        tally[ending] += U(1)


@njit(cache=True, nogil=True)
def deal_shoes(
    initial: Any, marks: Any, becomes: Any, turns: Any, ends: Any, mark: Any, seed: Any, block: Any, shoes: Any, decks: Any,
    burn: Any, cut: Any, after: Any, per_depth: Any, tally: Any,
) -> None:  # fmt: skip
    """So many shoes: a row of the tally for every `per_depth` rounds of a shoe, the last for the rest."""
    cards, words = full_shoe(decks), words_from(start_of(seed, block))
    end, depths = cards.shape[0] - cut - burn, tally.shape[0]
    for _ in range(shoes):
        place, number, more = 0, 0, after
        while place < end or more > 0:
            if place >= end:
                more -= 1
            ending, place = deal_round(words, cards, place, initial, marks, becomes, turns, ends, mark)
            tally[min(number // per_depth, depths - 1), ending] += U(1)
            number += 1


@njit(inline="always")
def full_shoe(decks: Any) -> Any:
    cards = np.empty(52 * decks, np.uint8)
    for place in range(52 * decks):
        cards[place] = place % 52
    return cards
