"""Twenty-one for two hands: each draws until it passes 16, and nobody decides anything (D21-4, D21-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from longhu.cards import DECK, Card
from longhu.deal.facts import Fact, Kind, OutcomeTable, Value
from longhu.deal.pairs import PairBasis, PairKind, pair_mark
from longhu.deal.procedure import Clauses, Due, HandName, Reason, ending_number
from longhu.wording import listed

TOTAL_MIN, TOTAL_MAX = 4, 26  # two twos that a Blackjack stopped; 16 and a ten
BLACKJACK_CODE = TOTAL_MAX - TOTAL_MIN + 1
HAND_CODES = BLACKJACK_CODE + 1


def point_value(rank: int) -> int:
    """2 to 9 their face, tens and pictures ten, an ace one; `total` lifts one ace to eleven (D21-4.1)."""
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
    cards_max: int = 24  # twelve each: six aces, a six, five more aces
    marked_cards: int = 2
    empty: TwentyOneHand = EMPTY

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
        if dealt < 4:
            turn = dealt % 2
            which = "first" if dealt < 2 else "second"
            return Due(turn, (Reason(f"{self.hands[turn].en}'s {which} card", self.first_cards),))
        holders = [name.en for hand, name in zip((first, second), self.hands, strict=True) if hand.blackjack]
        if holders:
            says = f"{listed(holders)} {'has' if len(holders) == 1 else 'have'} Blackjack: no more cards are drawn"
            return Due(None, (Reason(says, self.blackjack_clauses),))
        stood: list[Reason] = []
        for index, hand in enumerate((first, second)):
            who, clauses = self.hands[index].en, self.draw_clauses[index]
            if hand.total <= self.draws_to:
                draws = Reason(f"{who} has {hand.total}, not over {self.draws_to}: {who} draws", clauses)
                return Due(index, (*stood, draws))
            stood.append(Reason(f"{who} has {hand.total}: {who} stands", clauses))
        return Due(None, tuple(stood))

    def total(self, hand: TwentyOneHand) -> int:
        return hand.total

    def draw_number(self, first: TwentyOneHand, second: TwentyOneHand) -> int:
        return _code(first) * HAND_CODES + _code(second)

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
        known = {fact.name: fact for fact in facts(self.hands)}
        return OutcomeTable(dict(sorted(endings.items())), known, HAND_CODES**2 * self.marks**2)

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


def _code(hand: TwentyOneHand) -> int:
    return BLACKJACK_CODE if hand.blackjack else hand.total - TOTAL_MIN


def facts(hands: tuple[HandName, HandName]) -> list[Fact]:
    """What a wager on a finished round of twenty-one can depend on."""
    listed = [Fact("tie", Kind.TRUTH, "both hands have the same total", lambda end: _lead(end, 0) == 0)]
    for index, hand in enumerate(hands):
        listed += [
            Fact(f"{hand.id}.wins", Kind.TRUTH, f"{hand.en} beats the other hand", _wins(index)),
            Fact(f"{hand.id}.total", Kind.NUMBER, f"{hand.en}'s final total, 4 to 26", _total(index)),
            Fact(f"{hand.id}.blackjack", Kind.TRUTH, f"{hand.en} holds an ace and a ten-value card", _blackjack(index)),
            Fact(f"{hand.id}.pair", Kind.TRUTH, f"{hand.en}'s first two cards are a pair", _pair(index)),
            Fact(
                f"{hand.id}.pair_kind", Kind.WORD, f"which pair {hand.en}'s first two cards are", _kind(index),
                words=tuple(kind.word for kind in PairKind), needs_suits=True,
            ),
        ]  # fmt: skip
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


def _pair(index: int) -> Of:
    return lambda end: end.hands[index].pair is not PairKind.NONE


def _kind(index: int) -> Of:
    return lambda end: end.hands[index].pair.word
