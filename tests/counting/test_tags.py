"""The best count of a level is the best of all there are."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from longhu.cards import CARDS_PER_DECK, Shoe, cards
from longhu.counting.effects import Effects, effects_of
from longhu.counting.expectation import Doubles, expectation_of
from longhu.counting.left import Left
from longhu.counting.tags import NEAR, Count, best_count, counts_of, recommended
from tests.counting.games import SPADE, with_wager
from tests.odds.shoes import game_of

DRAGON_7 = (0, 0, 0, -1, -1, -1, -1, 2, 2, 0, 0, 0, 0)  # as it was published for EZ Baccarat, in 2011


def effects(name: str, wager: str) -> Effects:
    game = game_of(name)
    return effects_of(expectation_of(game, game.wagers[wager]), 8)


def correlations(tags: np.ndarray[tuple[int, ...], np.dtype[np.int8]], of: Doubles) -> Doubles:
    """By the book: covariance over both deviations, where tags differ at all."""
    centred = tags - tags.mean(axis=1, keepdims=True)
    found: Doubles = centred @ (of - of.mean()) / np.sqrt((centred**2).sum(axis=1) * ((of - of.mean()) ** 2).sum())
    return found


@pytest.mark.parametrize("seed", range(4))
def test_no_tags_from_minus_1_to_1_do_better(seed: int) -> None:
    by_rank = np.random.default_rng(seed).normal(size=13)
    found = best_count(Effects(0.0, np.tile(by_rank, 4)), 1)
    every = np.tile(np.array(found.tags, np.int8), (3**10, 1))  # three tags stay as they were found
    every[:, seed : seed + 10] = np.array(list(product((-1, 0, 1), repeat=10)), np.int8)
    every = every[np.ptp(every, axis=1) > 0]
    all_of_them = correlations(every, by_rank)
    if sum(found.tags):
        assert found.correlation == pytest.approx(all_of_them.max(), abs=1e-12)
        assert all_of_them[every.sum(axis=1) == 0].max() < found.correlation - NEAR
    else:
        assert found.correlation == pytest.approx(all_of_them[every.sum(axis=1) == 0].max(), abs=1e-12)
        assert found.correlation >= all_of_them.max() - NEAR


def test_a_higher_level_is_as_good_or_better_but_for_beginning_at_nothing() -> None:
    for wager in ("player", "tie", "dragon-7", "panda-8"):
        found = counts_of(effects("ez-baccarat", wager), (1, 2, 3, 4))
        assert [count.level for count in found] == [1, 2, 3, 4]
        for lower, higher in pairwise(found):
            assert higher.correlation >= lower.correlation - NEAR
            assert max(map(abs, higher.tags)) <= higher.level


def test_the_published_count_of_dragon_7_is_beaten() -> None:
    of = effects("ez-baccarat", "dragon-7")
    (published,) = correlations(np.array([DRAGON_7], np.int8), of.by_kind)
    assert 0.95 < published < best_count(of, 2).correlation < 1


def test_where_one_card_is_as_good_as_any_other_there_is_no_count() -> None:
    for wager in ("player-pair", "banker-pair"):
        found = counts_of(effects("immortal-dragon-tiger", wager))
        assert found == ()
        assert recommended(found) is None


def test_the_lowest_level_that_will_do_is_recommended() -> None:
    made = [Count(level, ("A",), (1,), correlation) for level, correlation in ((1, 0.9), (2, 0.97), (3, 0.98))]
    chosen = recommended(tuple(made))
    assert chosen is not None
    assert chosen.level == 2


def test_tags_that_begin_at_nothing_are_preferred_where_they_are_nearly_as_good() -> None:
    of = effects("ez-baccarat", "banker")
    found = best_count(of, 1)
    (better,) = correlations(np.array([(0, 1, 1, 1, 0, 0, 0, -1, -1, 0, 0, 0, 0)], np.int8), of.by_kind)
    assert found.tags == (0, 0, 1, 1, 0, 0, 0, -1, -1, 0, 0, 0, 0)
    assert better - NEAR < found.correlation < better


def test_a_count_by_suit() -> None:
    game = with_wager("dragon-tiger-suited-tie", SPADE)
    of = effects_of(expectation_of(game, game.wagers["spade"]), 8)
    count = counts_of(of)[2]
    assert dict(zip(count.names, count.tags, strict=True)) == {
        name: -3 if name.endswith("S") else 1 for name in count.names
    }
    assert count.correlation == pytest.approx(1)
    assert count.begins(8) == 0


def test_the_running_count_begins_as_it_says_and_adds_the_tags_that_are_seen() -> None:
    count = Count(1, tuple("A23456789TJQK"), (1,) * 7 + (-1,) * 6, 1.0)
    assert count.begins(8) == -32
    seen = cards("AS 7H KD 2C 2C")
    left = Shoe.of_decks(8).without(seen)
    running = count.begins(8) + sum(count.tags[card.rank - 1] for card in seen)
    assert count.true_counts(Left.of_shoes([left])) == pytest.approx([running / (left.size / CARDS_PER_DECK)])
