"""Shuffles for whoever tests them, made exactly as those of a table: a watched source, a secret, a mix, an order.

Also the way back from an order to bits, without loss and without bias: an order is a number among all orders of its
cards, and of a number that is equally likely below some bound the leading whole powers of two are fair bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import factorial, prod

import msgspec

from longhu.cards import NUMBER_OF_TEXT
from longhu.fairness.shuffle import Mix, commitment, order
from longhu.fairness.source import RandomSource

TABLE = "laboratory"  # no table of a house: such a shuffle is dealt to nobody


class Sample(msgspec.Struct, frozen=True):
    """One shuffle with everything that it follows from, as the known answers are written."""

    secret: str
    mix: Mix
    commitment: str
    order: tuple[str, ...]


def mixes(counts: tuple[int, ...], count: int, behind: int = 0) -> Iterator[Mix]:
    """The mixes of one table's shoes, one after the other; cut with so many cards behind, or by nobody."""
    cut_by, cut_at = ("patron", sum(counts) - behind) if behind else ("", 0)
    for number in range(1, count + 1):
        yield Mix(TABLE, number, counts, (), cut_by, cut_at)


def orders(source: RandomSource, made_of: Iterable[Mix]) -> Iterator[tuple[str, ...]]:
    """The cards of each shoe, for the tests."""
    for mix in made_of:
        yield order(mix, source.secret())


def samples(source: RandomSource, made_of: Iterable[Mix]) -> Iterator[Sample]:
    """Each shuffle with its secret, for whoever makes it again."""
    for mix in made_of:
        secret = source.secret()
        yield Sample(secret.hex(), mix, commitment(mix.table, mix.number, secret), order(mix, secret))


def place_among(cards: Sequence[int], counts: Sequence[int]) -> tuple[int, int]:
    """Which of all orders of its cards this is, from 0, and how many there are.

    >>> [place_among(order, (2, 1)) for order in ((0, 0, 1), (0, 1, 0), (1, 0, 0))]
    [(0, 3), (1, 3), (2, 3)]
    """
    left, size = list(counts), sum(counts)
    possible = ways = factorial(size) // prod(factorial(count) for count in counts)
    place = 0
    for card in cards:
        place += ways * sum(left[:card]) // size
        ways = ways * left[card] // size
        left[card] -= 1
        size -= 1
    return place, possible


def fair_bits(number: int, bound: int) -> tuple[int, int]:
    """Bits, and how many, from a number that is equally likely anywhere below the bound (after Elias).

    The bound is a sum of powers of two; the number falls into one of these shares, and is equally likely within it.

    >>> [fair_bits(number, 6) for number in range(6)]
    [(0, 2), (1, 2), (2, 2), (3, 2), (0, 1), (1, 1)]
    """
    for width in range(bound.bit_length() - 1, -1, -1):
        share = bound & (1 << width)
        if share and number < share:
            return number, width
        number -= share
    raise ValueError("the number is not below the bound")


def bits_of(shoes: Iterable[Sequence[str]], counts: Sequence[int]) -> Iterator[bytes]:
    """What fair bits there are in shoe after shoe, in whole bytes."""
    kept, width = 0, 0
    for cards in shoes:
        bits, more = fair_bits(*place_among([NUMBER_OF_TEXT[card] for card in cards], counts))
        kept, width = kept << more | bits, width + more
        rest = width % 8
        yield (kept >> rest).to_bytes(width // 8, "big")
        kept, width = kept & ((1 << rest) - 1), rest
