"""Tests of final shuffles: is every order of the cards as likely as any other, as far as counting can tell? (RNG-4)

Shoes go by one at a time and only counts are kept. Each test has the exact mean and spread of a fair shuffle of this very
composition: nothing is compared with a shuffle that somebody else made. docs/randomness.md
derives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from math import factorial
from operator import add, mul, ne
from typing import Protocol

from longhu.cards import DECK, NUMBER_OF_TEXT
from longhu.fairness.significance import Finding, Verdict, chi_square, deviation, holm, of_chi_square

KINDS = len(DECK)
LAGS = (1, 2, 3, 4, 5, 6)  # a round takes up to six cards
SMALL = (3, 4, 5)  # cards of the shoes of which every order is counted
PER_ORDER = 100  # small shoes for each of their orders
SHOES_MIN = 5 * KINDS  # so that every card is expected five times in every place
SHOES = 2000  # of eight decks are a few seconds
Shoe = list[int]  # cards by their place in a new deck


class WrongCards(ValueError):
    """A card is missing, foreign or there too often: no order of the cards at all."""


class ShoeTest(Protocol):
    """What is counted while shoes go by, and what it comes to."""

    def add(self, shoe: Shoe) -> None: ...
    def finding(self) -> Finding: ...


class Places:
    """Every card in every place. The margins of the table are fixed by the deck, whence the factor (n - 1) / n."""

    def __init__(self, counts: Sequence[int]) -> None:
        self._each, self._size, self._shoes = counts, sum(counts), 0
        self._rows = range(0, self._size * KINDS, KINDS)
        self._found = [0] * (self._size * KINDS)

    def add(self, shoe: Shoe) -> None:
        self._shoes += 1
        found = self._found
        for cell in map(add, self._rows, shoe):
            found[cell] += 1

    def finding(self) -> Finding:
        size, statistic = self._size, 0.0
        for kind, count in enumerate(self._each):
            due = self._shoes * count / size
            if count:
                statistic += sum((found - due) ** 2 for found in self._found[kind::KINDS]) / due
        freedom = (size - 1) * (_present(self._each) - 1)
        return of_chi_square("card by place", statistic * (size - 1) / size, freedom)


class Followers:
    """Which card follows which, the last one followed by the first: what comes next is told by nothing before it."""

    def __init__(self, counts: Sequence[int]) -> None:
        self._each, self._size, self._shoes = counts, sum(counts), 0
        self._found = [0] * (KINDS * KINDS)

    def add(self, shoe: Shoe) -> None:
        self._shoes += 1
        found = self._found
        for card, next in zip(shoe, shoe[1:] + shoe[:1], strict=True):
            found[card * KINDS + next] += 1

    def finding(self) -> Finding:
        statistic = usual = 0.0
        cells = 0
        for cell, found in enumerate(self._found):
            first, second = divmod(cell, KINDS)
            mean, variance = self._follows(first, second)
            if mean:
                cells += 1
                statistic += (found - self._shoes * mean) ** 2 / (self._shoes * mean)
                usual += variance / mean
        freedom = cells - 2 * _present(self._each) + 1
        return of_chi_square("card after card", statistic * freedom / usual, freedom)

    def _follows(self, first: int, second: int) -> tuple[float, float]:
        """How often one card follows another in a shoe: mean and variance over all circles of the cards."""
        size, one, other = self._size, self._each[first], self._each[second]
        if first == second:
            mean = one * (one - 1) / (size - 1)
            twice = one * (one - 1) ** 2 * (one - 2) / ((size - 1) * (size - 2))
        else:
            mean = one * other / (size - 1)
            twice = one * (one - 1) * other * (other - 1) / ((size - 1) * (size - 2))
        return mean, twice + mean - mean * mean


class SamePlace:
    """Which card lies where another lay so many shoes before: a shoe tells nothing about the next."""

    def __init__(self, counts: Sequence[int], back: int) -> None:
        self._each, self._size, self._pairs, self._back = counts, sum(counts), 0, back
        self._found = [0] * (KINDS * KINDS)
        self._before: list[Shoe] = []

    def add(self, shoe: Shoe) -> None:
        if len(self._before) == self._back:
            self._pairs += 1
            found = self._found
            for old, new in zip(self._before.pop(0), shoe, strict=True):
                found[old * KINDS + new] += 1
        self._before.append(shoe)

    def finding(self) -> Finding:
        size, statistic = self._size, 0.0
        for cell, found in enumerate(self._found):
            old, new = divmod(cell, KINDS)
            due = self._pairs * self._each[old] * self._each[new] / size
            statistic += (found - due) ** 2 / due if due else 0.0
        freedom = (_present(self._each) - 1) ** 2
        test = f"card in the same place, {_shoes(self._back)} on"
        return of_chi_square(test, statistic * (size - 1) / size, freedom)


class SamePlaceRanks:
    """Do high cards lie where high cards lay? The correlation of ranks between shoes, which has one direction only."""

    def __init__(self, counts: Sequence[int], back: int) -> None:
        self._score, self._size, self._back = _scores(counts), sum(counts), back
        self._squares = sum(count * score**2 for count, score in zip(counts, self._score, strict=True))
        self._total, self._pairs = 0, 0
        self._before: list[Shoe] = []

    def add(self, shoe: Shoe) -> None:
        scores = [self._score[card] for card in shoe]
        if len(self._before) == self._back:
            self._pairs += 1
            self._total += sum(map(mul, self._before.pop(0), scores))
        self._before.append(scores)

    def finding(self) -> Finding:
        variance = self._pairs * self._squares**2 / (self._size - 1)
        return deviation(f"ranks in the same place, {_shoes(self._back)} on", self._total, 0.0, variance)


class Runs:
    """Neighbours that are alike: too many runs are as suspect as too few. Mean and variance after Barton and David."""

    def __init__(self, counts: Sequence[int], what: str, sort: Callable[[int], int]) -> None:
        self._what, self._sort = what, [sort(card) for card in range(KINDS)]
        sizes: dict[int, int] = {}
        for card, count in enumerate(counts):
            sizes[self._sort[card]] = sizes.get(self._sort[card], 0) + count
        self._sizes, self._size = list(sizes.values()), sum(counts)
        self._runs, self._shoes = 0, 0

    def add(self, shoe: Shoe) -> None:
        sorts = [self._sort[card] for card in shoe]
        self._runs += 1 + sum(map(ne, sorts, sorts[1:]))
        self._shoes += 1

    def finding(self) -> Finding:
        size = self._size
        squares, cubes = (sum(each**power for each in self._sizes) for power in (2, 3))
        mean = (size * (size + 1) - squares) / size
        spread = squares * (squares + size * (size + 1)) - 2 * size * cubes - size**3
        variance = spread / (size**2 * (size - 1))
        return deviation(f"runs of {self._what}", self._runs, self._shoes * mean, self._shoes * variance)


class Apart:
    """The ranks of cards so many places apart, in a circle: serial correlation, with Wald and Wolfowitz's moments."""

    def __init__(self, counts: Sequence[int], lag: int) -> None:
        self._score, self._lag, self._size = _scores(counts), lag, sum(counts)
        self._squares, self._fourths = (
            sum(count * score**power for count, score in zip(counts, self._score, strict=True)) for power in (2, 4)
        )
        self._total, self._shoes = 0, 0

    def add(self, shoe: Shoe) -> None:
        scores = [self._score[card] for card in shoe]
        self._total += sum(map(mul, scores, scores[self._lag :] + scores[: self._lag]))
        self._shoes += 1

    def finding(self) -> Finding:
        size, squares, fourths = self._size, self._squares, self._fourths
        mean = -squares / (size - 1)
        chained = (squares**2 - 2 * fourths) / ((size - 1) * (size - 2))
        variance = (squares**2 - fourths) / (size - 1) + chained - mean**2
        test = f"ranks {self._lag} card{'' if self._lag == 1 else 's'} apart"
        return deviation(test, self._total, self._shoes * mean, self._shoes * variance)


class Orders:
    """Every order of a shoe so small that all of them are seen often."""

    def __init__(self, counts: Sequence[int]) -> None:
        cards = [card for card, count in enumerate(counts) if count]
        if max(counts) > 1:
            raise ValueError("orders are counted of cards that differ")
        self._size = len(cards)
        self._found = dict.fromkeys(permutations(cards), 0)

    def add(self, shoe: Shoe) -> None:
        self._found[tuple(shoe)] += 1

    def finding(self) -> Finding:
        due = sum(self._found.values()) / len(self._found)
        return chi_square(f"orders of {self._size} cards", self._found.values(), [due] * len(self._found))


def shoe_tests(counts: Sequence[int]) -> list[ShoeTest]:
    """Everything that is looked at in shoes of this composition."""
    return [
        Places(counts),
        Followers(counts),
        *(SamePlace(counts, back) for back in (1, 2)),
        *(SamePlaceRanks(counts, back) for back in (1, 2)),
        Runs(counts, "colours", lambda card: DECK[card].suit.colour == "red"),
        Runs(counts, "suits", lambda card: card // 13),
        Runs(counts, "ranks", lambda card: card % 13),
        *([Runs(counts, "cards", lambda card: card)] if max(counts) > 1 else []),
        *(Apart(counts, lag) for lag in LAGS),
    ]


def small_counts(size: int) -> tuple[int, ...]:
    """A shoe of so many different cards."""
    return (1,) * size + (0,) * (KINDS - size)


def small_shoes(size: int) -> int:
    """How many shoes of so many cards are looked at."""
    return PER_ORDER * factorial(size)


def look(tests: Sequence[ShoeTest], counts: Sequence[int], shoes: Iterable[Sequence[str]]) -> Iterator[int]:
    """Let shoes go by; their number so far, for whoever waits."""
    complete = [card for card, count in enumerate(counts) for _ in range(count)]
    for number, cards in enumerate(shoes, 1):
        shoe = [NUMBER_OF_TEXT.get(card, -1) for card in cards]
        if sorted(shoe) != complete:
            raise WrongCards(f"shoe {number} does not hold the cards that were mixed")
        for test in tests:
            test.add(shoe)
        yield number


def judge(tests: Sequence[ShoeTest]) -> tuple[Verdict, ...]:
    """All tests together, so that a sound shuffle fails one time in a hundred and not once for every hundred tests."""
    return holm([test.finding() for test in tests])


def _present(counts: Sequence[int]) -> int:
    return sum(count > 0 for count in counts)


def _scores(counts: Sequence[int]) -> list[int]:
    """Ranks as whole numbers that add up to nothing over the shoe."""
    size = sum(counts)
    total = sum(count * DECK[card].rank for card, count in enumerate(counts))
    return [size * card.rank - total for card in DECK]


def _shoes(number: int) -> str:
    return "one shoe" if number == 1 else f"{number} shoes"
