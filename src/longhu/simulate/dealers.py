"""Which kernel deals a game, with the rules of its procedure as arrays of numbers.

A dealer is made from the procedure that settles and explains rounds; a test holds the kernels against it, ending by
ending. Its tallies count endings by their number in the procedure's outcome table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longhu.cards import DECK
from longhu.compiled_kernels import announce_compiling
from longhu.deal.baccarat import Baccarat, point_value
from longhu.deal.one_card import OneCard
from longhu.deal.pairs import PairBasis
from longhu.deal.procedure import Procedure
from longhu.deal.twenty_one import TwentyOne

Tally = NDArray[np.uint64]  # of endings: a row for each depth of the shoe
RANKS = range(1, 14)
DECKS_IN_LANES = 16  # a place in a shoe and its share of a rank fit into 16 bits


@dataclass(frozen=True)
class ByShoe:
    """Shoes dealt down to the cutting card."""

    cut: int  # cards behind the cutting card
    burn: int = 0  # cards that nobody plays
    after: int = 0  # rounds that begin behind the cutting card
    per_depth: int = 1  # rounds of a shoe that share a row of the tally
    depths: int = 1  # rows; the last takes the rest


class Dealer(ABC):
    """Deals blocks of rounds: each a pure function of the rules, the seed and the number of the block."""

    def __init__(self, procedure: Procedure[Any]) -> None:
        self.size = procedure.outcomes().size

    @abstractmethod
    def fresh(self, seed: int, block: int, rounds: int, decks: int) -> Tally:
        """Every round from a full shoe: one row."""

    @abstractmethod
    def shoes(self, seed: int, block: int, shoes: int, decks: int, how: ByShoe) -> Tally:
        """Whole shoes, a multiple of sixteen."""

    @property
    @abstractmethod
    def kernels(self) -> ModuleType:
        """With `deal_fresh` and `deal_shoes`; read when something is dealt, for compilers take their time."""

    def prepare(self, *, by_shoe: bool) -> None:
        """Compile before many threads ask for it at once, and say so where that takes a while."""
        announce_compiling(self.kernels.deal_shoes if by_shoe else self.kernels.deal_fresh)
        if by_shoe:
            self.shoes(0, 0, 16, 8, ByShoe(cut=8 * 52 - 1))
        else:
            self.fresh(0, 0, 1, 8)


def dealer_of(procedure: Procedure[Any], decks: int) -> Dealer:
    """The fastest that deals this game."""
    if decks <= DECKS_IN_LANES:
        if isinstance(procedure, Baccarat) and _by_rank(procedure) and not procedure.suits:
            return _Baccarat(procedure)
        if isinstance(procedure, OneCard) and not procedure.suits:
            return _OneCard(procedure)
        if isinstance(procedure, TwentyOne) and _by_rank(procedure) and _TwentyOne.takes(procedure):
            return _TwentyOne(procedure)
    return _General(procedure)


def _by_rank(procedure: Baccarat | TwentyOne) -> bool:
    return procedure.pair_basis is PairBasis.RANK


class _Baccarat(Dealer):
    def __init__(self, procedure: Baccarat) -> None:
        super().__init__(procedure)
        self._rules = _baccarat_rules(procedure)

    @cached_property
    def kernels(self) -> ModuleType:
        from longhu.simulate.kernels import baccarat

        return baccarat

    def fresh(self, seed: int, block: int, rounds: int, decks: int) -> Tally:
        tally = np.zeros((1, self.size), np.uint64)
        self.kernels.deal_fresh(self._rules, np.uint64(seed), block, rounds, decks, tally[0])
        return tally

    def shoes(self, seed: int, block: int, shoes: int, decks: int, how: ByShoe) -> Tally:
        tally = np.zeros((how.depths, self.size), np.uint64)
        depth = (how.burn, how.cut, how.after, how.per_depth)
        self.kernels.deal_shoes(self._rules, np.uint64(seed), block, shoes, decks, *depth, tally)
        return tally


def _baccarat_rules(procedure: Baccarat) -> NDArray[np.uint8]:
    """Seven tables of sixteen bytes, each twice, as a vector has two halves; the kernel names them in this order."""
    play, totals = procedure.play, range(10)
    quiet = next((total for total in totals if total not in play.naturals), None)  # leaves the other hand its turn
    against = [0] * len(totals)
    if quiet is not None:
        for total in set(totals) - play.naturals:
            after_draw = sum(1 << third for third in range(10) if play.second_draws(quiet, total, third))
            against[total] = after_draw | play.second_draws(quiet, total, None) << 10
    tables = [
        [point_value(rank) for rank in RANKS],
        [255 * (total in play.naturals) for total in totals],
        [255 * (quiet is not None and play.first_draws(total, quiet)) for total in totals],
        [mask & 255 for mask in against],
        [mask >> 8 for mask in against],
        [1 << (third & 7) for third in range(16)],
        [10 * total for total in totals],
    ]
    rules = np.zeros((len(tables), 2, 16), np.uint8)
    for place, table in enumerate(tables):
        rules[place, :, : len(table)] = table
    return rules.reshape(-1)


class _OneCard(Dealer):
    @cached_property
    def kernels(self) -> ModuleType:
        from longhu.simulate.kernels import one_card

        return one_card

    def fresh(self, seed: int, block: int, rounds: int, decks: int) -> Tally:
        tally = np.zeros((1, self.size), np.uint64)
        self.kernels.deal_fresh(np.uint64(seed), block, rounds, decks, tally[0])
        return tally

    def shoes(self, seed: int, block: int, shoes: int, decks: int, how: ByShoe) -> Tally:
        tally = np.zeros((how.depths, self.size), np.uint64)
        depth = (how.burn, how.cut, how.after, how.per_depth)
        self.kernels.deal_shoes(np.uint64(seed), block, shoes, decks, *depth, tally)
        return tally


class _TwentyOne(Dealer):
    """The kernel tells the kinds of pair apart; where no wager does, they are one."""

    KINDS, CODES_MAX = 4, 1 << 14  # of pair; of endings that a code holds

    def __init__(self, procedure: TwentyOne) -> None:
        super().__init__(procedure)
        self._draws_to, self._longest, self._marks = procedure.draws_to, procedure.cards_max, procedure.marks

    @classmethod
    def takes(cls, procedure: TwentyOne) -> bool:
        return procedure.outcomes().size // procedure.marks**2 * cls.KINDS**2 <= cls.CODES_MAX

    @cached_property
    def kernels(self) -> ModuleType:
        from longhu.simulate.kernels import twenty_one

        return twenty_one

    def _all_kinds(self, depths: int) -> Tally:
        return np.zeros((depths, self.size // self._marks**2 * self.KINDS**2), np.uint64)

    def _told_apart(self, tally: Tally) -> Tally:
        if self._marks == self.KINDS:
            return tally
        by_kind = tally.reshape(len(tally), -1, self.KINDS, self.KINDS)
        paired = np.minimum(np.arange(self.KINDS), self._marks - 1)
        folded = np.zeros((len(tally), by_kind.shape[1], self._marks, self._marks), np.uint64)
        for kind, as_one in enumerate(paired):
            for kind_too, as_one_too in enumerate(paired):
                folded[:, :, as_one, as_one_too] += by_kind[:, :, kind, kind_too]
        return folded.reshape(len(tally), -1)

    def fresh(self, seed: int, block: int, rounds: int, decks: int) -> Tally:
        tally = self._all_kinds(1)
        self.kernels.deal_fresh(self._draws_to, self._longest, np.uint64(seed), block, rounds, decks, tally[0])
        return self._told_apart(tally)

    def shoes(self, seed: int, block: int, shoes: int, decks: int, how: ByShoe) -> Tally:
        tally = self._all_kinds(how.depths)
        depth = (how.burn, how.cut, how.after, how.per_depth)
        self.kernels.deal_shoes(self._draws_to, self._longest, np.uint64(seed), block, shoes, decks, *depth, tally)
        return self._told_apart(tally)


class _General(Dealer):
    def __init__(self, procedure: Procedure[Any]) -> None:
        super().__init__(procedure)
        self._rules = general_rules(procedure)

    @cached_property
    def kernels(self) -> ModuleType:
        from longhu.simulate.kernels import general

        return general

    def fresh(self, seed: int, block: int, rounds: int, decks: int) -> Tally:
        tally = np.zeros((1, self.size), np.uint64)
        self.kernels.deal_fresh(*self._rules, np.uint64(seed), block, rounds, decks, tally[0])
        return tally

    def shoes(self, seed: int, block: int, shoes: int, decks: int, how: ByShoe) -> Tally:
        tally = np.zeros((how.depths, self.size), np.uint64)
        depth = (how.burn, how.cut, how.after, how.per_depth)
        self.kernels.deal_shoes(*self._rules, np.uint64(seed), block, shoes, decks, *depth, tally)
        return tally


def general_rules(procedure: Procedure[Any]) -> tuple[Any, ...]:
    """What a hand becomes with each card, whose turn it is, how two hands end a round, and the marks of first cards."""
    numbers: dict[Hashable, int] = {}
    becomes: dict[tuple[int, int], int] = {}
    turns: dict[tuple[int, int], int] = {}
    ends: dict[tuple[int, int], int] = {}

    def number(hand: Hashable) -> int:
        return numbers.setdefault(hand, len(numbers))

    waiting: list[tuple[Any, Any]] = [(procedure.empty, procedure.empty)]
    number(procedure.empty)
    while waiting:
        hands = waiting.pop()
        both = (number(hands[0]), number(hands[1]))
        if both in turns:
            continue
        due = procedure.due(*hands).hand
        turns[both] = 2 if due is None else due
        if due is None:
            ends[both] = procedure.draw_number(*hands)
            continue
        for card in DECK[: len(RANKS)]:
            after = procedure.take(hands[due], card)
            becomes[both[due], card.rank] = number(after)
            waiting.append((after, hands[1]) if due == 0 else (hands[0], after))
    size = len(numbers)
    first_two = [[[one, other][: procedure.marked_cards] for other in DECK] for one in DECK]
    return (
        procedure.initial_cards,
        procedure.marks,
        _table(
            (size, 52), {(hand, place): after for (hand, rank), after in becomes.items() for place in _PLACES[rank]}
        ),
        _table((size, size), turns),
        _table((size, size), ends),
        np.array([[procedure.mark(cards) for cards in row] for row in first_two], np.int64),
    )


_PLACES: Mapping[int, list[int]] = {rank: [n for n, card in enumerate(DECK) if card.rank == rank] for rank in RANKS}


def _table(shape: tuple[int, int], entries: Mapping[tuple[int, int], int]) -> NDArray[np.int64]:
    table = np.zeros(shape, np.int64)
    for place, value in entries.items():
        table[place] = value
    return table
