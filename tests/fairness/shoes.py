"""Shoes for the tests of the tests: fair ones from fixed secrets, and some from shuffles as people get them wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import cycle, islice

from longhu.fairness.shuffle import Mix, SecretStream, mixed, order

ONE_DECK = (1,) * 52


def secret(number: int) -> bytes:
    """Always the same one for a number, so that a test finds the same thing every time."""
    return hashlib.sha256(f"secret {number}".encode()).digest()


def mix(counts: tuple[int, ...], number: int = 1) -> Mix:
    return Mix("T1", number, counts)


def fair(counts: tuple[int, ...] = ONE_DECK) -> Iterator[tuple[str, ...]]:
    """The shuffle itself."""
    number = 0
    while number := number + 1:
        yield order(mix(counts, number), secret(number))


def whole_range(counts: tuple[int, ...] = ONE_DECK) -> Iterator[tuple[str, ...]]:
    """Each place changes with any other, cards already placed included: the usual mistake."""
    number = 0
    while number := number + 1:
        stream, cards = SecretStream(mix(counts, number), secret(number)), mix(counts).cards
        for place in range(len(cards)):
            other = stream.below(len(cards))
            cards[place], cards[other] = cards[other], cards[place]
        yield tuple(cards)


def last_stays() -> Iterator[tuple[str, ...]]:
    """One step too few at the other end: the last card of the deck is the last of the shoe."""
    number = 0
    while number := number + 1:
        *cards, last = mix(ONE_DECK).cards
        yield (*mixed(cards, SecretStream(mix(ONE_DECK, number), secret(number))), last)


class ByteWords(SecretStream):
    """Words of eight bits, scaled by the remainder alone."""

    def below(self, bound: int) -> int:
        return self.word() % 256 % bound


def modulo_bytes() -> Iterator[tuple[str, ...]]:
    """The remainder of a byte favours small numbers."""
    number = 0
    while number := number + 1:
        yield mixed(mix(ONE_DECK).cards, ByteWords(mix(ONE_DECK, number), secret(number)))


def hardly_mixed_again() -> Iterator[tuple[str, ...]]:
    """Each shoe is the last one with half of its places mixed again: every shoe is fair, and tells of the next."""
    cards, number = list(order(mix(ONE_DECK), secret(0))), 0
    while number := number + 1:
        stream = SecretStream(mix(ONE_DECK, number), secret(number))
        for place in range(26):
            other = stream.below(52)
            cards[place], cards[other] = cards[other], cards[place]
        yield tuple(cards)


def riffled() -> Iterator[tuple[str, ...]]:
    """Three riffles of a new deck, then a cut anywhere: any card is in any place, and neighbours stay together."""
    number = 0
    while number := number + 1:
        stream, cards = SecretStream(mix(ONE_DECK, number), secret(number)), mix(ONE_DECK).cards
        for _ in range(3):
            heaps = [cards[:26], cards[26:]]
            cards = []
            while any(heaps):
                heap = heaps[stream.below(len(heaps[0]) + len(heaps[1])) >= len(heaps[0])]
                cards.append(heap.pop(0))
        cut = stream.below(52)
        yield tuple(cards[cut:] + cards[:cut])


def dealt_in_turn() -> Iterator[tuple[str, ...]]:
    """The same few shoes again and again: every place sees every card as often as it should, or nearly."""
    yield from cycle([tuple(cards) for cards in islice(fair(), 40)])
