"""A shuffle that anybody can make again: a commitment, contributions and a cut, and the order that follows from them.

The words of docs/shuffle.md, as code. The house draws 32 bytes and publishes their commitment; then patrons contribute
and one of them cuts; only then is there an order, and it follows from all of these together. When the secret is
revealed, anybody makes the commitment and the order again. Nothing here knows of wagers, people's money or rounds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from struct import unpack
from typing import ClassVar

import msgspec

from longhu.cards import DECK

PROTOCOL = b"longhu-shuffle/1"
SECRET_BYTES = 32
VALUE_CHARACTERS = 128  # of a contribution, at most
_WORD = 4  # chance is taken from the stream in big-endian words of so many bytes


class Contribution(msgspec.Struct, frozen=True, gc=False):
    """What a patron adds to the shuffle, any text."""

    person: str
    value: str


class Mix(msgspec.Struct, frozen=True, gc=False):
    """Everything besides the secret that the order follows from."""

    table: str
    number: int  # of the shoe, in the table's life
    counts: tuple[int, ...]  # how many of each card are mixed, in the order of a new deck
    contributions: tuple[Contribution, ...] = ()
    cut_by: str = ""  # "" where nobody cuts
    cut_at: int = 0  # cards before the cutting card; 0 where there is none

    @property
    def cards(self) -> list[str]:
        """As they lie before they are mixed."""
        return list(_unmixed(self.counts))


@lru_cache(64)
def _unmixed(counts: tuple[int, ...]) -> tuple[str, ...]:
    """So many of each card in the order of a new deck."""
    return tuple(str(card) for card, count in zip(DECK, counts, strict=True) for _ in range(count))


@lru_cache(64)
def _packed_counts(counts: tuple[int, ...]) -> bytes:
    return _packed(b",".join(b"%d" % count for count in counts))


@lru_cache(64)
def _beginning(purpose: bytes, table: str) -> bytes:
    """How everything starts that is made for a purpose at a table."""
    return _packed(PROTOCOL, purpose, table.encode())


def commitment(table: str, number: int, secret: bytes) -> str:
    """What is published before anybody contributes: it fixes the secret and tells nothing about it."""
    return hashlib.sha256(_beginning(b"commitment", table) + _packed(b"%d" % number, secret)).hexdigest()


def order(mix: Mix, secret: bytes, first: int | None = None) -> tuple[str, ...]:
    """The cards as they leave the shoe; of a long shoe only the first few, where no more are asked for."""
    return mixed(mix.cards, SecretStream(mix, secret), first)


def mixed(cards: list[str], stream: SecretStream, first: int | None = None) -> tuple[str, ...]:
    """Each place in turn takes one of the cards not yet placed, every one as likely as any other."""
    size = len(cards)
    wanted = size if first is None else min(first, size)
    for place in range(min(wanted, size - 1)):
        other = place + stream.below(size - place)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards[:wanted])


class SecretStream:
    """Chance that follows from the secret and the mix: SHAKE-256, read from its beginning."""

    words: ClassVar[int] = 1 << 8 * _WORD  # how many there are; all are tried where there are few

    def __init__(self, mix: Mix, secret: bytes) -> None:
        said = [each for one in mix.contributions for each in (one.person.encode(), one.value.encode())]
        known = _beginning(b"order", mix.table) + _packed(b"%d" % mix.number, secret) + _packed_counts(mix.counts)
        self._shake = hashlib.shake_256(known + _packed(mix.cut_by.encode(), b"%d" % mix.cut_at, *said))
        self._size = 0
        self._words: Iterator[int] = iter(())  # that were read and not taken yet

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each as likely as any other: words beyond the last whole share are left."""
        word = self.word()
        while word >= self.words - self.words % bound:
            word = self.word()
        return word % bound

    def word(self) -> int:
        """The next four bytes as a number."""
        for word in self._words:
            return word
        read, self._size = self._size, max(64, 4 * self._size)  # (a longer digest starts with a shorter one)
        self._words = iter(unpack(f">{(self._size - read) // _WORD}I", self._shake.digest(self._size)[read:]))
        return next(self._words)


def secret_of(text: str) -> bytes | None:
    """A secret as it is written, 64 hexadecimal digits in small letters; None for anything else."""
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        return None
    return secret if len(secret) == SECRET_BYTES and secret.hex() == text else None


def is_digest(text: str) -> bool:
    """Does it have the form of a commitment?"""
    return secret_of(text) is not None


def _packed(*parts: bytes) -> bytes:
    """Each part behind its length: no two lists of parts make the same bytes."""
    return b"".join([each for part in parts for each in (_length(len(part)), part)])


@lru_cache(1024)
def _length(size: int) -> bytes:
    return size.to_bytes(4, "big")
