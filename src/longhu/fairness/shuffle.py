"""A shuffle that anybody can make again: a commitment, contributions and a cut, and the order that follows from them.

The words of docs/shuffle.md, as code. The house draws 32 bytes and publishes their commitment; then patrons contribute
and one of them cuts; only then is there an order, and it follows from all of these together. When the secret is
revealed, anybody makes the commitment and the order again. Nothing here knows of wagers, people's money or rounds.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
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
        return list(_unmixed(self.counts)[0])


@lru_cache(64)
def _unmixed(counts: tuple[int, ...]) -> tuple[tuple[str, ...], bytes]:
    """So many of each card in the order of a new deck, and the same written down."""
    cards = tuple(str(card) for card, count in zip(DECK, counts, strict=True) for _ in range(count))
    return cards, b",".join(b"%d" % count for count in counts)


def commitment(table: str, number: int, secret: bytes) -> str:
    """What is published before anybody contributes: it fixes the secret and tells nothing about it."""
    return hashlib.sha256(_packed(PROTOCOL, b"commitment", table.encode(), b"%d" % number, secret)).hexdigest()


def order(mix: Mix, secret: bytes, first: int | None = None) -> tuple[str, ...]:
    """The cards as they leave the shoe; of a long shoe only the first few, where no more are asked for."""
    return mixed(mix.cards, Stream(mix, secret), first)


def mixed(cards: list[str], stream: Stream, first: int | None = None) -> tuple[str, ...]:
    """Each place in turn takes one of the cards not yet placed, every one as likely as any other."""
    size = len(cards)
    wanted = size if first is None else min(first, size)
    for place in range(min(wanted, size - 1)):
        other = place + stream.below(size - place)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards[:wanted])


class Stream:
    """Chance that follows from the secret and the mix: SHAKE-256, read from its beginning."""

    words: ClassVar[int] = 1 << 8 * _WORD  # how many there are; all are tried where there are few

    def __init__(self, mix: Mix, secret: bytes) -> None:
        said = [each for one in mix.contributions for each in (one.person.encode(), one.value.encode())]
        parts = (
            mix.table.encode(),
            b"%d" % mix.number,
            secret,
            _unmixed(mix.counts)[1],
            mix.cut_by.encode(),
            b"%d" % mix.cut_at,
        )
        self._shake = hashlib.shake_256(_packed(PROTOCOL, b"order", *parts, *said))
        self._read, self._bytes = 0, b""

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each as likely as any other: words beyond the last whole share are left."""
        fair = self.words - self.words % bound
        while (word := self.word()) >= fair:
            pass
        return word % bound

    def word(self) -> int:
        """The next four bytes as a number."""
        if self._read == len(self._bytes):
            self._bytes = self._shake.digest(max(64, 4 * len(self._bytes)))  # a longer digest starts with a shorter one
        self._read += _WORD
        return int.from_bytes(self._bytes[self._read - _WORD : self._read], "big")


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


def unfit(value: str) -> str:
    """Why a text cannot be a contribution, "" where it can."""
    if not value:
        return "a contribution is a text, and this one is empty"
    if len(value) > VALUE_CHARACTERS:
        return f"a contribution has at most {VALUE_CHARACTERS} characters, and this one has {len(value)}"
    return "" if value.isprintable() else "a contribution is printable text"


def _packed(*parts: bytes) -> bytes:
    """Each part behind its length: no two lists of parts make the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
