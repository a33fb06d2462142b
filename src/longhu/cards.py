"""Cards, decks and shoes.

A card is written rank then suit: ``KS``, ``TH``, ``4D`` (``10h`` is read too). A shoe is the exact
composition of what may still be drawn: how many of each of the 52 cards.

>>> card("10h"), card("KS").rank, card("KS").suit.colour
(TH, 13, 'black')
>>> Shoe.of_decks(8).without(cards("KS KS 5D")).count(card("KS"))
6
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import total_ordering

from longhu.wording import shown

RANKS = "A23456789TJQK"
RANK_NAMES = ("Ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King")
CARDS_PER_DECK = 52
DECKS_MAX = 100


class CardError(ValueError):
    """A text that is no card of these games."""


class ShoeError(ValueError):
    """A composition that cannot exist, or a card that the shoe does not hold."""


class Suit(Enum):
    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def colour(self) -> str:
        return "red" if self in (Suit.HEARTS, Suit.DIAMONDS) else "black"

    @property
    def word(self) -> str:
        """The suit as game files write it: ``spades``."""
        return self.name.lower()


SUITS = tuple(Suit)


@total_ordering
@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """One of the 52 cards; ``rank`` runs from 1 (ace) to 13 (king)."""

    rank: int
    suit: Suit

    @property
    def number(self) -> int:
        """The card's place in a new deck, 0 to 51: spades, hearts, diamonds, clubs, each ace to king."""
        return SUITS.index(self.suit) * 13 + self.rank - 1

    def __lt__(self, other: Card) -> bool:
        return self.number < other.number

    def __str__(self) -> str:
        return RANKS[self.rank - 1] + self.suit.value

    __repr__ = __str__


DECK = tuple(Card(rank, suit) for suit in SUITS for rank in range(1, 14))
NUMBER_OF_TEXT: Mapping[str, int] = {str(each): place for place, each in enumerate(DECK)}  # by the usual spelling


def _spellings() -> dict[str, Card]:
    """Every accepted way to write a card: KS, ks, Ks, 10H, 10h."""
    read: dict[str, Card] = {}
    for each in DECK:
        for rank in {RANKS[each.rank - 1], "10" if each.rank == 10 else RANKS[each.rank - 1]}:
            for suit in each.suit.value, each.suit.value.lower():
                read[rank + suit] = read[rank.lower() + suit] = each
    return read


CARD_OF_TEXT: Mapping[str, Card] = _spellings()
JOKERS = re.compile(r"(?i)(red|black|big|little|small)?[ _-]?(joker|jkr|jk|jo|jr|jb)\d?|[*🃏🃟🂿]|x[shdc]?")


def card(text: str) -> Card:
    """Read one card.

    >>> card("1S")
    Traceback (most recent call last):
    longhu.cards.CardError: '1S' is no card: rank '1' is none of A 2 3 4 5 6 7 8 9 T J Q K. Write \
rank then suit, as in KS or TH.
    """
    try:
        return CARD_OF_TEXT[text]
    except (KeyError, TypeError):
        raise CardError(_why_not_a_card(text)) from None


def _why_not_a_card(text: object) -> str:
    form = "Write rank then suit, as in KS or TH."
    if not isinstance(text, str):
        return f'a card is a text such as "KS", not {shown(text)}. {form}'
    if JOKERS.fullmatch(text.strip()):
        return f"{shown(text)} is a joker, and every deck here has 52 cards without jokers."
    if not text.strip():
        return f"an empty text is no card. {form}"
    rank, suit = text[:-1], text[-1]
    if suit not in "SHDCshdc":
        return f"{shown(text)} is no card: suit {shown(suit)} is none of S H D C. {form}"
    return f"{shown(text)} is no card: rank {shown(rank)} is none of {' '.join(RANKS)}. {form}"


def cards(text: str) -> tuple[Card, ...]:
    """Read several cards, separated by spaces or commas.

    >>> cards("5D KC, 2C")
    (5D, KC, 2C)
    """
    return tuple(card(each) for each in text.replace(",", " ").split())


@dataclass(frozen=True, slots=True)
class Shoe:
    """How many of each of the 52 cards may still be drawn, in deck order."""

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) != CARDS_PER_DECK:
            raise ShoeError(f"a shoe counts {CARDS_PER_DECK} cards, and {len(self.counts)} counts were given")
        for each, count in zip(DECK, self.counts, strict=True):
            if type(count) is not int or not 0 <= count <= DECKS_MAX:
                raise ShoeError(f"{shown(count)} of {each}: expected a whole number from 0 to {DECKS_MAX}")

    @classmethod
    def of_decks(cls, decks: int) -> Shoe:
        """A full shoe of so many 52-card decks, without jokers."""
        if type(decks) is not int or not 1 <= decks <= DECKS_MAX:
            raise ShoeError(f"{shown(decks)} decks: expected a whole number from 1 to {DECKS_MAX}")
        return cls((decks,) * CARDS_PER_DECK)

    @classmethod
    def of_counts(cls, counts: Mapping[str, int]) -> Shoe:
        """A shoe from counts by card, ``{"AS": 8, …}``; cards not named are absent."""
        table = [0] * CARDS_PER_DECK
        named: set[Card] = set()
        for text, count in counts.items():
            each = card(text)
            if each in named:
                raise ShoeError(f"{each} is counted twice")
            named.add(each)
            table[each.number] = count
        return cls(tuple(table))

    @classmethod
    def of_ranks(cls, counts: Mapping[str, int]) -> Shoe:
        """A shoe from counts by rank, ``{"A": 32, …}``; each is spread over the four suits as evenly as it goes.

        >>> Shoe.of_ranks({"A": 6}).counts[::13]
        (2, 2, 1, 1)
        """
        table = [0] * CARDS_PER_DECK
        named: set[int] = set()
        for text, count in counts.items():
            rank = RANKS.find("T" if text == "10" else text.upper()) if len(text) == 1 or text == "10" else -1
            if rank < 0:
                raise ShoeError(f"{shown(text)} is no rank: expected one of {' '.join(RANKS)}")
            if rank in named:
                raise ShoeError(f"{RANKS[rank]} is counted twice")
            if type(count) is not int or not 0 <= count <= 4 * DECKS_MAX:
                raise ShoeError(f"{shown(count)} of {RANKS[rank]}: expected a whole number from 0 to {4 * DECKS_MAX}")
            named.add(rank)
            table[rank::13] = [(count + 3 - suit) // 4 for suit in range(4)]
        return cls(tuple(table))

    @property
    def size(self) -> int:
        return sum(self.counts)

    @property
    def decks(self) -> int | None:
        """How many full decks it is, or None where cards are missing."""
        return self.counts[0] if len(set(self.counts)) == 1 and self.counts[0] else None

    def count(self, each: Card) -> int:
        return self.counts[each.number]

    def by_rank(self) -> tuple[int, ...]:
        """How many of each rank, ace to king."""
        return tuple(sum(self.counts[rank::13]) for rank in range(13))

    def without(self, drawn: Iterable[Card]) -> Shoe:
        """What is left when these cards are out; a card that is not there is an error.

        >>> Shoe.of_decks(1).without(cards("KS KS"))
        Traceback (most recent call last):
        longhu.cards.ShoeError: KS was drawn 2 times, and the shoe held 1
        """
        left = list(self.counts)
        for each in drawn:
            left[each.number] -= 1
        for each, count in zip(DECK, left, strict=True):
            if count < 0:
                held = self.count(each)
                raise ShoeError(f"{each} was drawn {held - count} times, and the shoe held {held or 'none'}")
        return Shoe(tuple(left))
