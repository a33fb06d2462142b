"""Rounds written as people write them, for tests: `P 5S 2D v B KH 6C +3S`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from longhu.api import Game, Round
from longhu.cards import Card, cards
from longhu.deal.procedure import RuleError, cited
from longhu.games import registry
from longhu.messages.message import Message, MessageCode


def in_dealing_order(first: str, second: str) -> str:
    """The order in which two hands left the shoe.

    A hand reads its first two cards, then `+` and what it drew. The first two of each alternate, then the
    first hand's further cards come before the second's. One card each for the one-card games.

    >>> in_dealing_order("2S 3D +2H", "KD 4C +2S")
    '2S KD 3D 4C 2H 2S'
    """
    (one, one_more), (other, other_more) = _parts(first), _parts(second)
    alternating = [each for pair in zip(one, other, strict=True) for each in pair]
    return " ".join(map(str, (*alternating, *one_more, *other_more)))


def _parts(hand: str) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    initial, _, more = hand.partition("+")
    return cards(initial), cards(more.replace("+", " "))


def played(game: Game, first: str, second: str, *, layout: str | None = None, **stakes: str) -> Round:
    """Settle a round given as two hands."""
    return game.settle(in_dealing_order(first, second), decks=None, layout=layout, **stakes)


@contextmanager
def refused(code: MessageCode, clause: str = "", **args: object) -> Iterator[None]:
    """What is done within is refused with this message, by this clause and with these arguments where they are given."""
    with pytest.raises(RuleError) as found:
        yield
    assert found.value.message.code == code.code
    assert {name: found.value.message.args[name] for name in args} == args
    assert found.value.clause == clause or not clause


def said(game: str, message: Message, clause: str = "") -> str:
    """A message in English, with the names of a game and the clause behind it."""
    words = registry.load_game(registry.find(game)).localization()
    return cited(words.text(message), (clause,) if clause else ())
