"""The expectation before a round, worked out quickly, is the one that is counted deal by deal."""

from __future__ import annotations

import numpy as np
import pytest

from longhu.cards import Shoe
from longhu.counting.effects import effects_of
from longhu.counting.expectation import expectation_of
from longhu.counting.left import Left, ShoeDeals
from longhu.games.game import Game
from longhu.games.loader import load
from longhu.games.source import read_text
from longhu.odds.figures import wager_odds
from longhu.odds.removal import removals
from longhu.odds.sweep import ways_of_many
from longhu.simulate.plan import usual_cut
from tests.counting.games import PAIR_AND_WIN, PAIRS, SPADE, with_wager
from tests.odds.shoes import file_of, game_of


def held_against_counting(game: Game, wagers: list[str], rounds: int, *, compiled: bool) -> None:
    """The first round of a shoe and the last, and as many between them as asked for."""
    whole = ShoeDeals(game, decks=game.decks.default, cut=usual_cut(game), seed=3).block(0, 1)
    places = np.linspace(0, len(whole.counts) - 1, rounds).astype(int)
    shoes = [Shoe(tuple(whole.counts[place].tolist())) for place in places]
    counted = list(ways_of_many(game.procedure, shoes, compiled=compiled))
    for id in wagers:
        found = expectation_of(game, game.wagers[id]).of(Left.of_shoes(shoes))
        exact = [float(wager_odds(game.wagers[id], ways).ev) for ways in counted]
        assert found == pytest.approx(exact, abs=1e-13), id


@pytest.mark.parametrize("name", ["dragon-tiger", "dragon-tiger-suited-tie", "immortal-dragon-tiger", "ez-baccarat"])
def test_every_wager_of_a_game(name: str) -> None:
    game = game_of(name)
    held_against_counting(game, list(game.wagers), 2, compiled=False)


def test_twenty_one_as_a_polynomial_and_its_pairs() -> None:
    game = game_of("dragon-21")
    held_against_counting(game, list(game.wagers), 2, compiled=True)


def test_twenty_one_under_other_rules() -> None:
    """Hands that draw to 13 and no further."""
    text = file_of("dragon-21").read_text()
    assert "draws_to = { total = 16" in text
    game = load(read_text(text.replace("draws_to = { total = 16", "draws_to = { total = 13"), "short"))
    held_against_counting(game, ["dragon", "tie"], 2, compiled=True)


def test_a_wager_that_looks_at_pairs_and_at_the_draw() -> None:
    held_against_counting(with_wager("ez-baccarat", PAIR_AND_WIN), ["pair-and-win"], 2, compiled=False)


def test_a_wager_that_looks_at_suits() -> None:
    held_against_counting(
        with_wager("dragon-tiger-suited-tie", SPADE), ["spade", "suited-tie", "tie"], 3, compiled=False
    )


def test_a_wager_that_has_no_short_way() -> None:
    held_against_counting(with_wager("dragon-21", PAIRS), ["two-pairs"], 2, compiled=True)


@pytest.mark.parametrize("name", ["dragon-tiger", "dragon-bonus"])
def test_effects_are_those_of_exact_odds(name: str) -> None:
    game = game_of(name)
    exact = list(removals(game, Shoe.of_decks(8), game.wagers))
    for id, wager in game.wagers.items():
        found = effects_of(expectation_of(game, wager), 8)
        assert found.names == [each.stands_for for each in exact]
        assert found.by_kind == pytest.approx([float(each.effects[id]) for each in exact], abs=1e-13)
        assert found.none == (not any(each.effects[id] for each in exact))


def test_suits_can_have_effects() -> None:
    """At 3 to 1, a spade from 416 cards nets nothing, from 103 spades in 415 less, from 104 in 415 more."""
    game = with_wager("dragon-tiger-suited-tie", SPADE)
    found = effects_of(expectation_of(game, game.wagers["spade"]), 8)
    assert not found.suits_alike
    spades, others = found.by_card[:13], found.by_card[13:]
    assert spades == pytest.approx(np.full(13, 4 * 103 / 415 - 1), abs=1e-13)
    assert others == pytest.approx(np.full(39, 4 * 104 / 415 - 1), abs=1e-13)
