"""Known answers of the shuffle: the test vectors of docs/shuffle.md, asked again at every start.

A page that checks shuffles elsewhere is held to the same answers.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

import msgspec

from longhu.fairness.shuffle import Mix, commitment, order


class KnownAnswer(msgspec.Struct, frozen=True):
    """A secret and everything else that a shuffle follows from, and what comes of it."""

    says: str
    secret: str
    mix: Mix
    commitment: str
    first: tuple[str, ...]  # cards
    digest: str  # of the whole order


@cache
def vectors() -> tuple[KnownAnswer, ...]:
    """All of them, as they stand in `shuffle.json`."""
    text = files("longhu.fairness").joinpath("shuffle.json").read_bytes()
    return msgspec.json.decode(text, type=tuple[KnownAnswer, ...])


def known_answers() -> str:
    """The first known answer that this program does not give, in words; "" where it gives them all."""
    return next((f"{each.says}: {wrong}" for each in vectors() if (wrong := _differs(each))), "")


def _differs(known: KnownAnswer) -> str:
    secret = bytes.fromhex(known.secret)
    if commitment(known.mix.table, known.mix.number, secret) != known.commitment:
        return "another commitment"
    cards = order(known.mix, secret)
    if cards[: len(known.first)] != known.first or digest(cards) != known.digest:
        return "another order"
    return "" if order(known.mix, secret, len(known.first)) == known.first else "another beginning"


def digest(cards: tuple[str, ...]) -> str:
    """Of an order, written out with a space between the cards."""
    return hashlib.sha256(" ".join(cards).encode()).hexdigest()
