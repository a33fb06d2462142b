"""Baccarat: two cards each, a third by the table of play, the higher total wins.

The table of play is data that the game file brings (IDT-3.13, DBO-DEAL-4 to 10, DBC-PLAYER and
DBC-BANKER); this module knows only how such a table is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from longhu.cards import DECK, Card
from longhu.deal.facts import Fact, FactKind, OutcomeTable, Value
from longhu.deal.pairs import PairBasis, PairKind, pair_facts, pair_mark
from longhu.deal.procedure import (
    DRAWS_ON_TOTAL,
    FINAL_TOTAL,
    INITIAL_CARD,
    SAME_TOTAL,
    STANDS_ON_TOTAL,
    Clauses,
    Due,
    HandName,
    ending_number,
    reason,
)
from longhu.messages.message import message_code

HIGHER_TOTAL = message_code("fact-higher-total", hand="hand")
MARGIN = message_code("fact-margin", hand="hand")
CARDS = message_code("fact-cards", hand="hand")
HAS_NATURAL = message_code("fact-natural", hand="hand")
NATURAL = message_code("natural", hand="hand", total="number")
NATURAL_NO_MORE_CARDS = message_code("natural-no-more-cards", naturals="messages")
DRAWS_AFTER_STAND = message_code("draws-after-stand", hand="hand", total="number", other="hand")
STANDS_AFTER_STAND = message_code("stands-after-stand", hand="hand", total="number", other="hand")
DRAWS_AGAINST_THIRD_CARD = message_code(
    "draws-against-third-card", hand="hand", total="number", other="hand", third="number"
)
STANDS_AGAINST_THIRD_CARD = message_code(
    "stands-against-third-card", hand="hand", total="number", other="hand", third="number"
)


def point_value(rank: int) -> int:
    """Ace is one, 2 to 9 their face, tens and pictures nothing.

    IDT-3.3.1, IDT-3.3.2; DBO-CARD-1, DBO-CARD-2, DBO-CARD-3; DBC-CARD-1, DBC-CARD-2, DBC-CARD-3.

    >>> [point_value(rank) for rank in (1, 9, 10, 13)]
    [1, 9, 0, 0]
    """
    return rank if rank < 10 else 0


class BaccaratHand(NamedTuple):
    """What steers the draw: how many cards, their units digit, the third card's value.

    IDT-3.4.1, IDT-3.4.2; DBO-CARD-4; DBC-COUNT-1, DBC-COUNT-2.
    """

    cards: int = 0
    total: int = 0
    third: int | None = None


class FinishedHand(NamedTuple):
    total: int
    cards: int
    pair: PairKind


class BaccaratEnding(NamedTuple):
    hands: tuple[FinishedHand, FinishedHand]


@dataclass(frozen=True, slots=True)
class DrawRow:
    """One row of the table of play: on these totals the hand draws always, never, or by Player's third card."""

    totals: frozenset[int]
    draws: bool | frozenset[int]
    clauses: Clauses = ()

    def draws_against(self, third: int | None) -> bool:
        if isinstance(self.draws, bool):
            return self.draws
        return third is not None and third in self.draws


@dataclass(frozen=True, slots=True)
class TableOfPlay:
    """Who draws a third card; each mapping goes from a two-card total to its row."""

    naturals: frozenset[int]
    natural_clauses: Clauses
    first: Mapping[int, DrawRow]  # Player
    second_after_stand: Mapping[int, DrawRow]  # Banker when Player stood
    second_after_draw: Mapping[int, DrawRow]  # Banker when Player drew

    def first_draws(self, first: int, second: int) -> bool:
        """Does the first hand draw on these two-card totals?"""
        return not self._natural(first, second) and bool(self.first[first].draws)

    def second_draws(self, first: int, second: int, third: int | None) -> bool:
        """Does the second hand draw, the first having stood, or drawn a third card of this value?"""
        rows = self.second_after_stand if third is None else self.second_after_draw
        return not self._natural(first, second) and rows[second].draws_against(third)

    def _natural(self, first: int, second: int) -> bool:
        return first in self.naturals or second in self.naturals


EMPTY = BaccaratHand()


@dataclass(frozen=True)
class Baccarat:
    """Cards go first, second, first, second; then the table of play decides (IDT-3.12, IDT-3.13)."""

    hands: tuple[HandName, HandName]
    play: TableOfPlay
    pair_basis: PairBasis = PairBasis.RANK
    suits: bool = False  # whether the kinds of pair are told apart
    first_cards: tuple[Clauses, Clauses] = ((), ())
    name: str = "baccarat"
    cards_max: int = 6
    initial_cards: int = 4
    marked_cards: int = 2
    empty: BaccaratHand = EMPTY

    @property
    def marks(self) -> int:
        return len(PairKind) if self.suits else 2

    def mark(self, cards: Sequence[Card]) -> PairKind:
        """Whether the first two cards pair (IDT-1.1.9a)."""
        return pair_mark(cards[0], cards[1], self.pair_basis, suits=self.suits)

    def take(self, hand: BaccaratHand, drawn: Card) -> BaccaratHand:
        value = point_value(drawn.rank)
        cards, total = hand.cards + 1, (hand.total + value) % 10
        return BaccaratHand(cards, total, value if cards == 3 else None)

    def due(self, first: BaccaratHand, second: BaccaratHand) -> Due:
        dealt = first.cards + second.cards
        if dealt < self.initial_cards:  # IDT-1.1.7
            turn = dealt % 2
            which = "first" if dealt < 2 else "second"
            return Due(turn, (reason(INITIAL_CARD, self.first_cards[turn], hand=self.hands[turn].id, which=which),))
        if second.cards == 3:
            return Due(None)
        if first.cards == 3:
            return self._second_after_draw(first, second)
        if first.total in self.play.naturals or second.total in self.play.naturals:
            naturals = tuple(
                NATURAL(hand=name.id, total=hand.total)
                for hand, name in zip((first, second), self.hands, strict=True)
                if hand.total in self.play.naturals
            )
            return Due(None, (reason(NATURAL_NO_MORE_CARDS, self.play.natural_clauses, naturals=naturals),))
        return self._first_draws_or_stands(first, second)

    def _first_draws_or_stands(self, first: BaccaratHand, second: BaccaratHand) -> Due:
        player, banker = self.hands[0].id, self.hands[1].id
        row = self.play.first[first.total]
        if row.draws:
            return Due(0, (reason(DRAWS_ON_TOTAL, row.clauses, hand=player, total=first.total),))
        stood = reason(STANDS_ON_TOTAL, row.clauses, hand=player, total=first.total)
        row = self.play.second_after_stand[second.total]
        draws = row.draws_against(None)
        code = DRAWS_AFTER_STAND if draws else STANDS_AFTER_STAND
        then = reason(code, row.clauses, hand=banker, total=second.total, other=player)
        return Due(1 if draws else None, (stood, then))

    def _second_after_draw(self, first: BaccaratHand, second: BaccaratHand) -> Due:
        player, banker = self.hands[0].id, self.hands[1].id
        row = self.play.second_after_draw[second.total]
        draws = row.draws_against(first.third)
        code = DRAWS_AGAINST_THIRD_CARD if draws else STANDS_AGAINST_THIRD_CARD
        told = reason(code, row.clauses, hand=banker, total=second.total, other=player, third=first.third or 0)
        return Due(1 if draws else None, (told,))

    def total(self, hand: BaccaratHand) -> int:
        return hand.total

    def draw_number(self, first: BaccaratHand, second: BaccaratHand) -> int:
        return ((first.total * 10 + second.total) * 2 + first.cards - 2) * 2 + second.cards - 2

    def outcomes(self) -> OutcomeTable:
        return self._outcomes

    @cached_property
    def _outcomes(self) -> OutcomeTable:
        """Pairs do not steer the draw: each start is played out once, then given the pairs that it can be."""
        pairs = self._pairs_by_total()
        endings = {}
        for one in range(10):
            for other in range(10):
                for first, second in self._played_out(one, other):
                    draw = self.draw_number(first, second)
                    for pair in pairs[one]:
                        for other_pair in pairs[other]:
                            number = ending_number(self, draw, pair, other_pair)
                            if number not in endings:
                                ended = FinishedHand(first.total, first.cards, pair)
                                ended_too = FinishedHand(second.total, second.cards, other_pair)
                                endings[number] = BaccaratEnding((ended, ended_too))
        known = {fact.name: fact for fact in facts(self.hands, self.play.naturals)}
        return OutcomeTable(dict(sorted(endings.items())), known, 400 * self.marks**2)

    def _played_out(self, one: int, other: int) -> set[tuple[BaccaratHand, BaccaratHand]]:
        """The ends of two two-card totals; a third card brings any total, and is forgotten at the end."""
        stood, stood_too = BaccaratHand(2, one), BaccaratHand(2, other)
        drawn = [BaccaratHand(3, total) for total in range(10)]
        if not self.play.first_draws(one, other):
            draws = self.play.second_draws(one, other, None)
            return {(stood, each) for each in drawn} if draws else {(stood, stood_too)}
        found: set[tuple[BaccaratHand, BaccaratHand]] = set()
        for third in range(10):
            first = drawn[(one + third) % 10]
            draws = self.play.second_draws(one, other, third)
            found |= {(first, each) for each in drawn} if draws else {(first, stood_too)}
        return found

    def _pairs_by_total(self) -> Mapping[int, tuple[PairKind, ...]]:
        """Which pairs two cards of each total can be."""
        kinds: dict[int, set[PairKind]] = {total: set() for total in range(10)}
        for one in DECK[:13]:  # one suit against all four shows every kind of pair
            for other in DECK:
                total = (point_value(one.rank) + point_value(other.rank)) % 10
                kinds[total].add(self.mark([one, other]))
        return {total: tuple(sorted(those)) for total, those in kinds.items()}


def facts(hands: tuple[HandName, HandName], naturals: frozenset[int]) -> list[Fact]:
    """What a wager on a finished baccarat round can depend on."""
    listed = [Fact("tie", FactKind.TRUTH, SAME_TOTAL(), lambda end: _margin(end, 0) == 0)]
    for index, hand in enumerate(hands):
        listed += [
            Fact(f"{hand.id}.wins", FactKind.TRUTH, HIGHER_TOTAL(hand=hand.id), _wins(index)),
            Fact(f"{hand.id}.total", FactKind.NUMBER, FINAL_TOTAL(hand=hand.id, least=0, most=9), _total(index)),
            Fact(f"{hand.id}.margin", FactKind.NUMBER, MARGIN(hand=hand.id), _by(index)),
            Fact(f"{hand.id}.cards", FactKind.NUMBER, CARDS(hand=hand.id), _cards(index)),
            Fact(
                f"{hand.id}.natural",
                FactKind.TRUTH,
                HAS_NATURAL(hand=hand.id),
                _natural(index, naturals),
            ),
            *pair_facts(hand, _pair(index)),
        ]
    return listed


Of = Callable[[BaccaratEnding], Value]


def _margin(end: BaccaratEnding, index: int) -> int:
    """The hand nearer to 9 is ahead (DBO-ABOUT-1, DBO-RANK-6, DBO-RANK-7, DBC-OBJ-1).

    A natural never meets a higher three-card hand, so totals are all that is compared (DBO-RANK-3).
    """
    return end.hands[index].total - end.hands[1 - index].total


def _wins(index: int) -> Of:
    return lambda end: _margin(end, index) > 0


def _by(index: int) -> Of:
    return lambda end: _margin(end, index)


def _total(index: int) -> Of:
    return lambda end: end.hands[index].total


def _cards(index: int) -> Of:
    return lambda end: end.hands[index].cards


def _natural(index: int, naturals: frozenset[int]) -> Of:
    """8 or 9 with the first two cards (IDT-1.1.8, DBO-RANK-4, DBO-RANK-5)."""
    return lambda end: end.hands[index].cards == 2 and end.hands[index].total in naturals


def _pair(index: int) -> Callable[[BaccaratEnding], PairKind]:
    return lambda end: end.hands[index].pair
