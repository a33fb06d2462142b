"""One card each: the higher rank wins, suits do not count (DT-3.4 to DT-3.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from longhu.cards import DECK, SUITS, Card, Suit
from longhu.deal.facts import Fact, FactKind, OutcomeTable, Value
from longhu.deal.procedure import Clauses, Due, HandName, ending_number, reason
from longhu.messages.message import message_code

ONLY_CARD = message_code("only-card", hand="hand")
SAME_RANK = message_code("fact-same-rank")
SAME_SUIT = message_code("fact-same-suit")
HIGHER_RANK = message_code("fact-higher-rank", hand="hand")
RANK = message_code("fact-rank", hand="hand")
SUIT = message_code("fact-suit", hand="hand")
COLOUR = message_code("fact-colour", hand="hand")


class OneCardHand(NamedTuple):
    """The card's rank, or 0 before it is dealt: ace is lowest, 1, king is highest, 13 (DT-3.5)."""

    rank: int = 0


class OneCardEnding(NamedTuple):
    ranks: tuple[int, int]
    suits: tuple[Suit, Suit]


EMPTY = OneCardHand()


@dataclass(frozen=True)
class OneCard:
    """Deal one card to the first hand, then one to the second (DT-3.4b).

    A hand's mark is its suit, where a wager looks at suits.
    """

    hands: tuple[HandName, HandName]
    suits: bool = False
    first_cards: Clauses = ()  # the clause that sets the order
    name: str = "one-card"
    cards_max: int = 2
    initial_cards: int = 2
    marked_cards: int = 1
    empty: OneCardHand = EMPTY

    @property
    def marks(self) -> int:
        return len(SUITS) if self.suits else 1

    def mark(self, cards: Sequence[Card]) -> int:
        return SUITS.index(cards[0].suit) if self.suits else 0

    def take(self, hand: OneCardHand, drawn: Card) -> OneCardHand:
        if hand.rank:
            raise ValueError("the hand has its one card already")
        return OneCardHand(drawn.rank)

    def due(self, first: OneCardHand, second: OneCardHand) -> Due:
        for index, hand in enumerate((first, second)):
            if not hand.rank:
                return Due(index, (reason(ONLY_CARD, self.first_cards, hand=self.hands[index].id),))
        return Due(None)

    def total(self, hand: OneCardHand) -> int:
        return hand.rank

    def draw_number(self, first: OneCardHand, second: OneCardHand) -> int:
        return (first.rank - 1) * 13 + second.rank - 1

    def outcomes(self) -> OutcomeTable:
        return self._outcomes

    @cached_property
    def _outcomes(self) -> OutcomeTable:
        cards = DECK if self.suits else DECK[:13]
        endings = {}
        for one in cards:
            for other in cards:
                draw = self.draw_number(OneCardHand(one.rank), OneCardHand(other.rank))
                number = ending_number(self, draw, self.mark([one]), self.mark([other]))
                endings[number] = OneCardEnding((one.rank, other.rank), (one.suit, other.suit))
        return OutcomeTable(endings, {fact.name: fact for fact in facts(self.hands)}, 169 * self.marks**2)


def facts(hands: tuple[HandName, HandName]) -> list[Fact]:
    """What a wager on two single cards can depend on."""
    listed = [
        Fact("tie", FactKind.TRUTH, SAME_RANK(), lambda end: end.ranks[0] == end.ranks[1]),
        Fact(
            "suited", FactKind.TRUTH, SAME_SUIT(),
            lambda end: end.suits[0] is end.suits[1], needs_suits=True,
        ),
    ]  # fmt: skip
    for index, hand in enumerate(hands):
        listed += [
            Fact(f"{hand.id}.wins", FactKind.TRUTH, HIGHER_RANK(hand=hand.id), _wins(index)),
            Fact(f"{hand.id}.rank", FactKind.NUMBER, RANK(hand=hand.id), _rank(index)),
            Fact(
                f"{hand.id}.suit", FactKind.WORD, SUIT(hand=hand.id), _suit(index),
                words=tuple(suit.word for suit in SUITS), needs_suits=True,
            ),
            Fact(
                f"{hand.id}.colour", FactKind.WORD, COLOUR(hand=hand.id), _colour(index),
                words=("red", "black"), needs_suits=True,
            ),
        ]  # fmt: skip
    return listed


Of = Callable[[OneCardEnding], Value]


def _wins(index: int) -> Of:
    return lambda end: end.ranks[index] > end.ranks[1 - index]


def _rank(index: int) -> Of:
    return lambda end: end.ranks[index]


def _suit(index: int) -> Of:
    return lambda end: end.suits[index].word


def _colour(index: int) -> Of:
    return lambda end: end.suits[index].colour
