"""Pairs: what two first cards of a hand make."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, IntEnum
from typing import Any

from longhu.cards import Card
from longhu.deal.facts import Fact, FactKind
from longhu.deal.procedure import HandName
from longhu.messages.message import message_code

IS_PAIR = message_code("fact-pair", hand="hand")
WHICH_PAIR = message_code("fact-pair-kind", hand="hand")


class PairKind(IntEnum):
    """Dragon 21 names three kinds of pair (D21-1.0); the number is part of an ending's number."""

    NONE = 0
    MIXED = 1  # one red card and one black (D21-1.0-MIXED-PAIR)
    COLOURED = 2  # one colour, two suits (D21-1.0-COLOURED-PAIR)
    PERFECT = 3  # one suit (D21-1.0-PERFECT-PAIR)

    @property
    def word(self) -> str:
        return self.name.lower()


class PairBasis(Enum):
    """When two cards count as alike (Q25)."""

    RANK = "rank"  # K with K, 10 with 10
    POINTS_EXCEPT_PICTURES = "points-except-pictures"  # also 10 with J, Q or K; never K with Q
    POINTS = "points"  # any two cards of ten points too


def pair_facts(hand: HandName, of: Callable[[Any], PairKind]) -> list[Fact]:
    """What a wager can ask of a hand's first two cards; `of` tells an ending's pair."""
    return [
        Fact(
            f"{hand.id}.pair", FactKind.TRUTH, IS_PAIR(hand=hand.id),
            lambda end: of(end) is not PairKind.NONE,
        ),
        Fact(
            f"{hand.id}.pair_kind", FactKind.WORD, WHICH_PAIR(hand=hand.id),
            lambda end: of(end).word, words=tuple(kind.word for kind in PairKind), needs_suits=True,
        ),
    ]  # fmt: skip


def pair_mark(first: Card, second: Card, basis: PairBasis, *, suits: bool) -> PairKind:
    """The mark of a hand's first two cards; where suits do not matter, MIXED stands for any pair."""
    kind = pair_kind(first, second, basis)
    return kind if suits or kind is PairKind.NONE else PairKind.MIXED


def pair_kind(first: Card, second: Card, basis: PairBasis) -> PairKind:
    """What two cards make.

    >>> from longhu.cards import card
    >>> pair_kind(card("9H"), card("9D"), PairBasis.RANK).word
    'coloured'
    >>> pair_kind(card("TS"), card("KD"), PairBasis.RANK).word
    'none'
    """
    if not _alike(first.rank, second.rank, basis):
        return PairKind.NONE
    if first.suit is second.suit:
        return PairKind.PERFECT
    return PairKind.COLOURED if first.suit.colour == second.suit.colour else PairKind.MIXED


def _alike(one: int, other: int, basis: PairBasis) -> bool:
    if one == other:
        return True
    if basis is PairBasis.RANK or min(one, other) < 10:
        return False
    return basis is PairBasis.POINTS or min(one, other) == 10
