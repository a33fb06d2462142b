"""The kernels once more, in plain Python: the same random words, every step written out, and the procedure itself as the judge.

Slow, and shares nothing with the compiled code but the rule by which random words become cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from longhu.cards import Card, Suit
from longhu.deal.pairs import PairBasis, pair_kind
from longhu.deal.procedure import Procedure, ending_number

MASK = (1 << 64) - 1
SUITS = tuple(Suit)


def splitmix(state: int) -> Iterator[int]:
    while True:
        state = state + 0x9E3779B97F4A7C15 & MASK
        word = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
        word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
        yield word ^ word >> 31


def start_of(seed: int, block: int) -> int:
    mixed = next(splitmix(seed))
    return next(splitmix(mixed ^ (block * 0xD1342543DE82EF95 + 0x632BE59BD9B4E019 & MASK)))


def _turned(word: int, places: int) -> int:
    return (word << places | word >> 64 - places) & MASK


class Xoshiro:
    """One xoshiro256++."""

    def __init__(self, words: list[int]) -> None:
        self.a, self.b, self.c, self.d = words

    def next(self) -> int:
        drawn = _turned(self.a + self.d & MASK, 23) + self.a & MASK
        shifted = self.b << 17 & MASK
        self.c ^= self.a
        self.d ^= self.b
        self.b ^= self.c
        self.a ^= self.d
        self.c ^= shifted
        self.d = _turned(self.d, 45)
        return drawn


class Lanes:
    """Four generators side by side: each draw is sixteen numbers of 16 bits."""

    def __init__(self, start: int) -> None:
        words = splitmix(start)
        self.four = [Xoshiro([next(words) for _ in range(4)]) for _ in range(4)]

    def draw(self) -> list[int]:
        return [word >> 16 * part & 0xFFFF for word in [each.next() for each in self.four] for part in range(4)]

    def below(self, number: int) -> list[int]:
        """All sixteen again until none is in the part that would favour some numbers."""
        while True:
            drawn = self.draw()
            if all(each * number % 65536 >= 65536 % number for each in drawn):
                return [each * number // 65536 for each in drawn]


def ended(procedure: Procedure[Any], ranks: list[int], marks: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """A round from a row of ranks, 0 to 12: its ending with these marks, and how many cards it took."""
    hands = [procedure.empty, procedure.empty]
    for place, rank in enumerate(ranks):
        due = procedure.due(*hands).hand
        if due is None:
            return ending_number(procedure, procedure.draw_number(*hands), *marks), place
        hands[due] = procedure.take(hands[due], Card(rank + 1, Suit.SPADES))
    assert procedure.due(*hands).hand is None
    return ending_number(procedure, procedure.draw_number(*hands), *marks), len(ranks)


def pairs(ranks: list[int]) -> tuple[bool, bool]:
    return ranks[0] == ranks[2], ranks[1] == ranks[3]


def fresh_of_places(
    procedure: Procedure[Any], seed: int, block: int, rounds: int, decks: int, cards: int
) -> Counter[int]:
    """Rounds from so many different places in a full shoe, drawn at once for sixteen rounds; those that coincide do not count."""
    lanes, number, found = Lanes(start_of(seed, block)), 52 * decks, Counter[int]()
    group = 1 if cards == 2 else 2  # baccarat packs two vectors of sixteen rounds into one of thirty-two
    while True:
        vectors = [[lanes.draw() for _ in range(cards)] for _ in range(group)]
        for vector, lane in product(range(group), range(16)):
            drawn = [vectors[vector][card][lane] for card in range(cards)]
            places = [each * number // 65536 for each in drawn]
            if len(set(places)) < cards or any(each * number % 65536 < 65536 % number for each in drawn):
                continue
            ranks = [place // (4 * decks) for place in places]
            marks = (0, 0) if cards == 2 else (int(pairs(ranks)[0]), int(pairs(ranks)[1]))
            found[ended(procedure, ranks, marks)[0]] += 1
            if found.total() == rounds:
                return found


def shoes_of_lanes(seed: int, block: int, shoes: int, decks: int, need: int) -> Iterator[list[list[int]]]:
    """Sixteen shoes at a time: the ranks of their first cards."""
    lanes = Lanes(start_of(seed, block))
    for _ in range(0, shoes, 16):
        counts = [[4 * decks] * 13 for _ in range(16)]
        dealt: list[list[int]] = [[] for _ in range(16)]
        for card in range(need):
            for lane, place in enumerate(lanes.below(52 * decks - card)):
                dealt[lane].append(_taken(counts[lane], place))
        yield dealt


def walked(
    procedure: Procedure[Any], ranks: list[int], end: int, after: int, marks: Any
) -> Iterator[tuple[int, int, int]]:
    """The rounds of a shoe: where each begins, its number in the shoe, and its ending."""
    place = number = 0
    while place < end or after > 0:
        if place >= end:
            after -= 1
        ahead = ranks[place : place + procedure.cards_max]
        ending, used = ended(procedure, ahead, marks(place))
        yield place, number, ending
        place += used
        number += 1


class Suits:
    """Which pair two cards of a rank are, once somebody asks: from the suits of that rank that no pair has taken yet."""

    def __init__(self, seed: int, block: int) -> None:
        words = splitmix(~start_of(seed, block) & MASK)
        self.generator = Xoshiro([next(words) for _ in range(4)])

    def pair(self, left: list[int]) -> int:
        """Its mark; two suits are gone from `left`."""
        cards = sum(left)
        ways = cards * (cards - 1)
        while True:
            product_of_all = self.generator.next() * ways
            if product_of_all % (1 << 64) >= (1 << 64) % ways:
                break
        one, other = divmod(product_of_all >> 64, cards - 1)
        first = self._take(left, one)
        second = self._take(left, other)
        return pair_kind(Card(1, SUITS[first]), Card(1, SUITS[second]), PairBasis.RANK)

    def _take(self, left: list[int], place: int) -> int:
        suit = next(suit for suit in range(4) if place < sum(left[: suit + 1]))
        left[suit] -= 1
        return suit


def fresh_of_lanes(procedure: Procedure[Any], seed: int, block: int, rounds: int, decks: int) -> Counter[int]:
    """Twenty-one from full shoes, sixteen rounds at a time; the lanes that are done still watch the others draw."""
    lanes, suits, found = Lanes(start_of(seed, block)), Suits(seed, block), Counter[int]()
    while found.total() < rounds:
        counts = [[4 * decks] * 13 for _ in range(16)]
        ranks: list[list[int]] = [[] for _ in range(16)]
        while len(ranks[0]) < 4 or not all(_complete(procedure, each) for each in ranks):
            for lane, place in enumerate(lanes.below(52 * decks - len(ranks[0]))):
                ranks[lane].append(_taken(counts[lane], place))
        partners = lanes.below(4 * decks - 1), lanes.below(4 * decks - 1)
        for lane, row in enumerate(ranks):
            marks = [_partner(partners[hand][lane], decks) if pairs(row)[hand] else 0 for hand in (0, 1)]
            if all(pairs(row)) and row[0] == row[1]:
                left = [decks] * 4
                marks = [suits.pair(left), suits.pair(left)]
            if found.total() < rounds:
                found[ended(procedure, row, (marks[0], marks[1]))[0]] += 1
    return found


def _partner(place: int, decks: int) -> int:
    """Among the others of a rank, first those of the same suit, then of the same colour, then the rest."""
    return 3 if place < decks - 1 else 2 if place < 2 * decks - 1 else 1


def _complete(procedure: Procedure[Any], ranks: list[int]) -> bool:
    hands = [procedure.empty, procedure.empty]
    for rank in ranks:
        due = procedure.due(*hands).hand
        if due is None:
            return True
        hands[due] = procedure.take(hands[due], Card(rank + 1, Suit.SPADES))
    return procedure.due(*hands).hand is None


def _taken(counts: list[int], place: int) -> int:
    rank = 0
    while place >= counts[rank]:
        place -= counts[rank]
        rank += 1
    counts[rank] -= 1
    return rank
