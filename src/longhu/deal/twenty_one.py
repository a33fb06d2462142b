"""Twenty-one for two hands: each draws until it passes 16, and nobody decides anything (D21-4, D21-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from longhu.cards import DECK, Card
from longhu.deal.facts import Fact, FactKind, OutcomeTable, Value
from longhu.deal.pairs import PairBasis, PairKind, pair_facts, pair_mark
from longhu.deal.procedure import (
    FINAL_TOTAL,
    INITIAL_CARD,
    SAME_TOTAL,
    STANDS_ON_TOTAL,
    Clauses,
    Due,
    HandName,
    Reason,
    ending_number,
    reason,
)
from longhu.messages.message import message_code

BLACKJACK_NO_MORE_CARDS = message_code("blackjack-no-more-cards", hands="hands")
BEATS_OTHER = message_code("fact-beats-other", hand="hand")
HAS_BLACKJACK = message_code("fact-blackjack", hand="hand")
DRAWS_UP_TO = message_code("draws-up-to", hand="hand", total="number", limit="number")

TOTAL_MIN = 4  # two twos that a Blackjack stopped


def point_value(rank: int) -> int:
    """2 to 9 their face, tens and pictures ten (D21-4.1.a, D21-4.1.b), an ace one; `total` lifts it (D21-4.1)."""
    return min(rank, 10)


class TwentyOneHand(NamedTuple):
    """What steers the draw."""

    cards: int = 0  # 0, 1, 2; 3 stands for three or more
    hard: int = 0  # the sum with every ace as one
    ace: bool = False

    @property
    def blackjack(self) -> bool:
        """An ace and a ten-value card as the first two (D21-1.0-BLACKJACK)."""
        return self.cards == 2 and self.ace and self.hard == 11

    @property
    def total(self) -> int:
        """The best total: one ace counts eleven unless that takes the hand over 21 (D21-4.1.c)."""
        return self.hard + 10 if self.ace and self.hard <= 11 else self.hard


class FinishedHand(NamedTuple):
    total: int
    blackjack: bool
    pair: PairKind

    @property
    def strength(self) -> int:
        """Higher beats lower, equal is a tie (D21-5.1.a.i, D21-5.1.b.i).

        Up to 21 more is better (A); over 21 less is better (B) and every such hand is below all the
        others (C); Blackjack beats all but Blackjack (D).
        """
        if self.blackjack:
            return 22
        return self.total if self.total <= 21 else -self.total


class TwentyOneEnding(NamedTuple):
    hands: tuple[FinishedHand, FinishedHand]


EMPTY = TwentyOneHand()
MarkedHand = tuple[TwentyOneHand, PairKind]


@dataclass(frozen=True)
class TwentyOne:
    """First, second, first, second; then the first hand draws past `draws_to`, then the second (D21-9.2)."""

    hands: tuple[HandName, HandName]
    draws_to: int = 16
    pair_basis: PairBasis = PairBasis.RANK
    suits: bool = True
    first_cards: Clauses = ()
    blackjack_clauses: Clauses = ()
    draw_clauses: tuple[Clauses, Clauses] = ((), ())
    name: str = "twenty-one"
    initial_cards: int = 4
    marked_cards: int = 2
    empty: TwentyOneHand = EMPTY

    @property
    def total_max(self) -> int:
        """The last total that draws, and a ten."""
        return self.draws_to + 10

    @cached_property
    def cards_max(self) -> int:
        """The longest round; with `draws_to` 16 it is 24 cards, twelve each: six aces, a six, five more aces."""
        longest = 0
        reached = {self.empty}
        while reached:
            longest += 1
            reached = {self.take(hand, card) for hand in reached for card in DECK[:10]}
            reached = {hand for hand in reached if hand.cards < 2 or hand.total <= self.draws_to}
        return 2 * longest

    @property
    def marks(self) -> int:
        return len(PairKind) if self.suits else 2

    def mark(self, cards: Sequence[Card]) -> PairKind:
        """Which pair the first two cards are (D21-11Ab)."""
        return pair_mark(cards[0], cards[1], self.pair_basis, suits=self.suits)

    def take(self, hand: TwentyOneHand, drawn: Card) -> TwentyOneHand:
        return TwentyOneHand(min(hand.cards + 1, 3), hand.hard + point_value(drawn.rank), hand.ace or drawn.rank == 1)

    def due(self, first: TwentyOneHand, second: TwentyOneHand) -> Due:
        dealt = first.cards + second.cards
        if dealt < self.initial_cards:  # D21-1.0-INITIAL-DEAL
            turn = dealt % 2
            which = "first" if dealt < 2 else "second"
            return Due(turn, (reason(INITIAL_CARD, self.first_cards, hand=self.hands[turn].id, which=which),))
        holders = tuple(name.id for hand, name in zip((first, second), self.hands, strict=True) if hand.blackjack)
        if holders:
            return Due(None, (reason(BLACKJACK_NO_MORE_CARDS, self.blackjack_clauses, hands=holders),))
        stood: list[Reason] = []
        for index, hand in enumerate((first, second)):
            id, clauses = self.hands[index].id, self.draw_clauses[index]
            if hand.total <= self.draws_to:
                draws = reason(DRAWS_UP_TO, clauses, hand=id, total=hand.total, limit=self.draws_to)
                return Due(index, (*stood, draws))
            stood.append(reason(STANDS_ON_TOTAL, clauses, hand=id, total=hand.total))
        return Due(None, tuple(stood))

    def total(self, hand: TwentyOneHand) -> int:
        return hand.total

    def draw_number(self, first: TwentyOneHand, second: TwentyOneHand) -> int:
        return self._code(first) * self._codes + self._code(second)

    @property
    def _codes(self) -> int:
        """How many ways a hand can end: a total, or Blackjack, which is the last code."""
        return self.total_max - TOTAL_MIN + 2

    def _code(self, hand: TwentyOneHand) -> int:
        return self._codes - 1 if hand.blackjack else hand.total - TOTAL_MIN

    def outcomes(self) -> OutcomeTable:
        return self._outcomes

    @cached_property
    def _outcomes(self) -> OutcomeTable:
        endings = {
            ending_number(self, self.draw_number(first, second), pair, other_pair): TwentyOneEnding(
                (
                    FinishedHand(first.total, first.blackjack, pair),
                    FinishedHand(second.total, second.blackjack, other_pair),
                )
            )
            for (first, pair), (second, other_pair) in self._finished()
        }
        known = {fact.name: fact for fact in facts(self.hands, self.total_max)}
        return OutcomeTable(dict(sorted(endings.items())), known, self._codes**2 * self.marks**2)

    def _finished(self) -> Iterator[tuple[MarkedHand, MarkedHand]]:
        """Every pair of finished hands: the hands are independent but for a Blackjack, which stops both."""
        initial = self._initial_hands()
        drawn = {(end, pair) for hand, pair in initial if not hand.blackjack for end in self._drawn_out(hand)}
        yield from ((first, second) for first in drawn for second in drawn)
        blackjacks = [(hand, pair) for hand, pair in initial if hand.blackjack]
        for blackjack in blackjacks:
            for hand in initial:
                yield blackjack, hand
                yield hand, blackjack

    def _initial_hands(self) -> set[MarkedHand]:
        """What two cards can be, pair and all."""
        found: set[MarkedHand] = set()
        for one in DECK[:13]:  # one suit against all four shows every pair
            start = self.take(self.empty, one)
            found |= {(self.take(start, other), self.mark([one, other])) for other in DECK}
        return found

    def _drawn_out(self, hand: TwentyOneHand) -> set[TwentyOneHand]:
        """How a hand can end; of the end only the total matters."""
        reached, open_hands = set(), {hand}
        while open_hands:
            some = open_hands.pop()
            if some.total > self.draws_to:
                reached.add(TwentyOneHand(3, some.total))
            else:
                open_hands |= {self.take(some, card) for card in DECK[:10]}
        return reached


def facts(hands: tuple[HandName, HandName], total_max: int) -> list[Fact]:
    """What a wager on a finished round of twenty-one can depend on."""
    listed = [Fact("tie", FactKind.TRUTH, SAME_TOTAL(), lambda end: _lead(end, 0) == 0)]
    for index, hand in enumerate(hands):
        listed += [
            Fact(f"{hand.id}.wins", FactKind.TRUTH, BEATS_OTHER(hand=hand.id), _wins(index)),
            Fact(
                f"{hand.id}.total",
                FactKind.NUMBER,
                FINAL_TOTAL(hand=hand.id, least=TOTAL_MIN, most=total_max),
                _total(index),
            ),
            Fact(f"{hand.id}.blackjack", FactKind.TRUTH, HAS_BLACKJACK(hand=hand.id), _blackjack(index)),
            *pair_facts(hand, _pair(index)),
        ]
    return listed


Of = Callable[[TwentyOneEnding], Value]


def _lead(end: TwentyOneEnding, index: int) -> int:
    return end.hands[index].strength - end.hands[1 - index].strength


def _wins(index: int) -> Of:
    return lambda end: _lead(end, index) > 0


def _total(index: int) -> Of:
    return lambda end: end.hands[index].total


def _blackjack(index: int) -> Of:
    return lambda end: end.hands[index].blackjack


def _pair(index: int) -> Callable[[TwentyOneEnding], PairKind]:
    return lambda end: end.hands[index].pair
