"""What a wager is expected to net, exactly, before every round of very many shoes.

Which way is taken depends on what the wager looks at. None of them samples anything; the doubles are right to their last
digits.

- Two cards decide (one card each, or the pair of one hand): a quadratic form in the cards left.
- The draw of baccarat or twenty-one decides: a polynomial in the counts of the values.
- Both: the deals are counted by ending.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longhu.cards import DECK, Shoe
from longhu.counting.left import Left
from longhu.deal.baccarat import Baccarat
from longhu.deal.one_card import OneCard
from longhu.deal.procedure import Procedure, ending_number
from longhu.deal.twenty_one import TwentyOne
from longhu.games.game import Game, Wager
from longhu.odds.sweep import CARDS_MIN, BaccaratSweep, baccarat_counts, expectations

Doubles = NDArray[np.float64]


class Expectation(ABC):
    """One wager's, before each round. Wagers with the same `key` are expected to net the same in every shoe."""

    key: Hashable

    @abstractmethod
    def of(self, left: Left) -> Doubles: ...


def expectation_of(game: Game, wager: Wager) -> Expectation:
    """The quickest exact way for this wager."""
    procedure = game.procedure
    nets = nets_of_two_cards(game, wager)
    if nets is not None:
        return _OfTwoCards(nets)
    if isinstance(procedure, Baccarat):
        return _OfEndings(procedure, wager) if game.looks_at_marks(wager) else _OfBaccarat(game, wager)
    if isinstance(procedure, TwentyOne) and not game.looks_at_marks(wager):
        return _OfTwentyOne(game, wager)
    return _OfAnything(game, wager)


def nets_of_two_cards(game: Game, wager: Wager) -> list[list[Fraction]] | None:
    """What it nets by the two cards that decide it, a row for each first card; None where other cards matter too.

    By rank, or by card where suits matter. Any two cards of a shoe are like any other two, so it does not matter whose
    the pair is.
    """
    procedure = game.procedure
    kinds = DECK if getattr(procedure, "suits", True) else DECK[:13]
    if isinstance(procedure, OneCard):
        hands = [procedure.take(procedure.empty, card) for card in kinds]
        marks = [procedure.mark([card]) for card in kinds]
        return [
            [
                wager.line(ending_number(procedure, procedure.draw_number(one, other), mark, mark_too)).net
                for other, mark_too in zip(hands, marks, strict=True)
            ]
            for one, mark in zip(hands, marks, strict=True)
        ]
    if procedure.marked_cards != 2 or procedure.marks == 1:
        return None
    for hand in (0, 1):
        by_mark = _nets_by_mark(procedure, wager, hand)
        if by_mark is not None:
            return [[by_mark[procedure.mark([one, other])] for other in kinds] for one in kinds]
    return None


def _nets_by_mark(procedure: Procedure[Any], wager: Wager, hand: int) -> dict[int, Fraction] | None:
    """What it nets by the mark of this hand, where it looks at nothing else."""
    found: dict[int, Fraction] = {}
    for number in procedure.outcomes().endings:
        mark = number % procedure.marks if hand else number // procedure.marks % procedure.marks
        net = wager.line(number).net
        if found.setdefault(mark, net) != net:
            return None
    return found


class _OfTwoCards(Expectation):
    """Whole numbers until the last division: no order of additions alters them."""

    def __init__(self, nets: list[list[Fraction]]) -> None:
        self._scale = lcm(*(net.denominator for row in nets for net in row))
        self._nets = np.array([[float(net * self._scale) for net in row] for row in nets])
        both = self._nets + self._nets.T  # of two wagers that exchange the hands, neither is better
        self.key = ("two cards", both.tobytes(), 2 * self._scale)

    def of(self, left: Left) -> Doubles:
        held = left.cards if len(self._nets) == len(DECK) else left.ranks
        pairs = ((held @ self._nets) * held).sum(axis=1) - held @ np.diagonal(self._nets)
        found: Doubles = pairs / (left.size * (left.size - 1)) / self._scale
        return found


class _OfBaccarat(Expectation):
    def __init__(self, game: Game, wager: Wager) -> None:
        self._sweep = BaccaratSweep(game, wager)
        self.key = ("baccarat", wager.id)

    def of(self, left: Left) -> Doubles:
        ranks = left.ranks
        values = np.concatenate([ranks[:, 9:].sum(axis=1, keepdims=True), ranks[:, :9]], axis=1)
        return self._sweep.expectations(values)


class _OfTwentyOne(Expectation):
    def __init__(self, game: Game, wager: Wager) -> None:
        from longhu.odds.two_hands import TwentyOneSweep

        self._sweep = TwentyOneSweep(game, wager)
        self.key = ("twenty-one", self._sweep.terms.tobytes())

    def of(self, left: Left) -> Doubles:
        ranks = left.ranks
        values = np.concatenate([ranks[:, :9], ranks[:, 9:].sum(axis=1, keepdims=True)], axis=1)
        return self._sweep.expectations(values)


class _OfEndings(Expectation):
    """A wager of baccarat that looks at pairs and at the draw."""

    AT_ONCE = 1024

    def __init__(self, procedure: Baccarat, wager: Wager) -> None:
        self._procedure = procedure
        self._nets = np.array([0.0 if net is None else float(net) for net in wager.pays])
        self.key = ("endings", wager.id)

    def of(self, left: Left) -> Doubles:
        found = np.empty(len(left.counts))
        for start in range(0, len(found), self.AT_ONCE):
            those = slice(start, start + self.AT_ONCE)
            found[those] = baccarat_counts(self._procedure, _shoes(left.counts[those])) @ self._nets
        for drawn in range(CARDS_MIN):
            found /= left.size - drawn
        return found


class _OfAnything(Expectation):
    """Deal by deal, as `longhu odds` counts them: right for any procedure, and slow."""

    def __init__(self, game: Game, wager: Wager) -> None:
        self._game, self._wager = game, wager
        self.key = ("anything", wager.id)

    def of(self, left: Left) -> Doubles:
        return expectations(self._game, self._wager, _shoes(left.counts))


def _shoes(counts: NDArray[np.uint8]) -> list[Shoe]:
    return [Shoe(tuple(row)) for row in counts.tolist()]
