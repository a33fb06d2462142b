"""Rounds in their order, for a patron who sits down with a bankroll and a betting system.

Every session has a stream of random numbers and a shoe of its own, made from the seed and its number: it is the same
whoever plays it. A fresh shoe for each round is one whose cutting card lies in front.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from longhu.simulate.ends import End
from longhu.simulate.kernels.chance import start_of, words_from
from longhu.simulate.kernels.general import deal_round, full_shoe

PLAYED_ALL, RUINED = int(End.PLAYED_ALL), int(End.RUINED)
STOPPED_AHEAD, STOPPED_BEHIND = int(End.STOPPED_AHEAD), int(End.STOPPED_BEHIND)
PLACE, MORE = 0, 1  # in a shoe: cards that are dealt, and rounds that may still begin behind the cutting card


@njit(cache=True, nogil=True)
def _next_ending(rules: Any, shoe: Any, words: Any, cards: Any, at: Any) -> Any:
    """Deal a round, from a new shoe where the last one is over."""
    end, after = shoe
    if at[PLACE] >= end:
        if at[MORE] > 0:
            at[MORE] -= 1
        else:
            at[PLACE], at[MORE] = 0, after
    initial, marks, becomes, turns, ends, mark = rules
    ending, at[PLACE] = deal_round(words, cards, at[PLACE], initial, marks, becomes, turns, ends, mark)
    return ending


@njit(cache=True, nogil=True)
def sit_down(shoe: Any, seed: Any, session: Any, cards: Any, at: Any) -> Any:
    """The random words of a session; its first round begins a new shoe."""
    for place in range(cards.shape[0]):
        cards[place] = place % 52
    at[PLACE], at[MORE] = shoe[0], 0
    return words_from(start_of(seed, session))


@njit(cache=True, nogil=True)
def deal_on(rules: Any, shoe: Any, words: Any, cards: Any, at: Any, endings: Any) -> None:
    """The next rounds of a session, as many as there is room for."""
    for place in range(endings.shape[0]):
        endings[place] = _next_ending(rules, shoe, words, cards, at)


@njit(cache=True, nogil=True)
def play(
    rules: Any, shoe: Any, decks: Any, seed: Any, first: Any, money: Any, kinds: Any, nets: Any, staked: Any, follows: Any,
    placed: Any, results: Any, played: Any, drawdowns: Any, ended: Any, grid: Any, paths: Any,
) -> None:  # fmt: skip
    """Sessions in a row under a system with steps: what it stakes, what that nets by the kind of ending, what follows.

    `placed` counts the rounds at each step; `paths` takes the bankroll after the rounds in `grid`.
    """
    bankroll, high, low, rounds = money
    cards, at = full_shoe(decks), np.empty(2, np.int64)
    for session in range(results.shape[0]):
        words = sit_down(shoe, seed, first + session, cards, at)
        step, bank, peak, deepest, number, mark = 0, bankroll, bankroll, np.int64(0), 0, 0
        while True:
            if bank < staked[step]:
                ended[session] = RUINED
                break
            net = nets[step, kinds[_next_ending(rules, shoe, words, cards, at)]]
            placed[step] += 1
            number += 1
            bank += net
            peak = max(peak, bank)
            deepest = max(deepest, peak - bank)
            if mark < grid.shape[0] and grid[mark] == number:
                paths[session, mark] = bank
                mark += 1
            if bank >= high:
                ended[session] = STOPPED_AHEAD
                break
            if bank <= low:
                ended[session] = STOPPED_BEHIND
                break
            if bank == 0:
                ended[session] = RUINED
                break
            if number == rounds:
                ended[session] = PLAYED_ALL
                break
            step = follows[step, 0 if net > 0 else 1 if net == 0 else 2]
        results[session], played[session], drawdowns[session] = bank - bankroll, number, deepest
        paths[session, mark:] = bank
