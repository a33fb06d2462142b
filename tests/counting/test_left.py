"""Shoes as a counter sees them: every card that leaves is seen, and the rounds are dealt by the rules."""

from __future__ import annotations

import numpy as np
import pytest

from longhu.counting.left import ShoeDeals
from longhu.simulate.plan import usual_cut
from tests.odds.shoes import game_of


@pytest.mark.parametrize("name", ["dragon-tiger", "immortal-dragon-tiger", "dragon-21"])
def test_a_shoe_is_dealt_from_full_to_the_cut(name: str) -> None:
    game = game_of(name)
    cut = usual_cut(game)
    left = ShoeDeals(game, decks=6, cut=cut, seed=1).block(5, 20)
    assert left.rounds.sum() == len(left.counts)
    for shoe in range(20):
        counts = left.counts[left.shoe == shoe].astype(int)
        assert (counts[0] == 6).all()
        taken = -np.diff(counts, axis=0)
        assert taken.min() >= 0
        cards = taken.sum(axis=1)
        assert cards.min() >= game.procedure.initial_cards
        assert cards.max() <= game.procedure.cards_max
        assert counts[-1].sum() > cut, "the last round begins before the cutting card"
        assert counts[-1].sum() - game.procedure.cards_max <= cut, "and the next one would not"


def test_a_round_takes_the_cards_that_its_ending_says() -> None:
    """Baccarat: four cards, and one more for each hand that drew."""
    game = game_of("dragon-bonus")
    left = ShoeDeals(game, decks=8, cut=14, seed=1).block(0, 30)
    same = left.shoe[1:] == left.shoe[:-1]
    drawn = left.ending // game.procedure.marks**2
    assert ((left.size[:-1] - left.size[1:])[same] == (4 + drawn % 2 + drawn // 2 % 2)[:-1][same]).all()


def test_a_block_is_a_function_of_seed_and_number() -> None:
    game = game_of("dragon-bonus")
    one, again = (ShoeDeals(game, decks=8, cut=14, seed=1) for _ in range(2))
    assert (one.block(3, 4).counts == again.block(3, 4).counts).all()
    others = [one.block(4, 4), ShoeDeals(game, decks=8, cut=14, seed=2).block(3, 4)]
    for other in others:
        assert not np.array_equal(one.block(3, 4).ending[:50], other.ending[:50])
