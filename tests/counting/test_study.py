"""What a counter earns and what perfect play earns, against what is known exactly."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import pytest

import longhu
from longhu.counting import study as module
from longhu.counting.expectation import expectation_of
from longhu.counting.figures import Study
from longhu.counting.gain import Ledger
from longhu.counting.left import Left, ShoeDeals
from longhu.counting.report import as_json
from longhu.counting.study import SHOES_PER_BLOCK, study
from longhu.counting.tags import Count
from longhu.counting.trigger import Trigger, bets
from longhu.simulate.plan import PlanError
from tests.counting.test_tags import DRAGON_7
from tests.odds.shoes import game_of


@dataclass(frozen=True)
class Asked:
    seed: int = 1
    shoes: int = 10
    decks: int | None = None
    cut: int | None = None
    level: int | None = None


@pytest.fixture(scope="module")
def dragon_tiger() -> Study:
    return study(game_of("dragon-tiger"), seed=11, shoes=1000)


def exact_ceiling(cards: int, good: int, cut: int) -> float:
    """Of an even-money wager on one of so many good cards, two cards a round: the cards seen are drawn without replacement."""
    earned = 0.0
    for seen in range(0, cards - cut, 2):
        for good_seen in range(max(0, seen - (cards - good)), min(seen, good) + 1):
            chance = comb(good, good_seen) * comb(cards - good, seen - good_seen) / comb(cards, seen)
            left, good_left = cards - seen, good - good_seen
            earned += chance * max(0.0, (2 * good_left - left) / left)
    return earned


def test_the_ceiling_of_dragon_big_is_the_exact_one(dragon_tiger: Study) -> None:
    """Dragon Big wins with the six highest ranks, so the hypergeometric distribution tells everything."""
    exact = exact_ceiling(416, 6 * 32, 14)
    for id in ("dragon-big", "tiger-small"):
        found = dragon_tiger.wagers[id].ceiling
        assert found.rounds == 1000 * 201
        assert abs(found.per_shoe - exact) < 4 * found.per_shoe_error
        assert found.per_shoe_error < 0.06 * exact
        assert found.per_100 == pytest.approx(found.per_shoe / 2.01)


def test_a_count_that_sees_everything_reaches_the_ceiling(dragon_tiger: Study) -> None:
    for id in ("dragon-big", "dragon-small", "tiger-big", "tiger-small"):
        found = dragon_tiger.wagers[id]
        assert found.trigger is not None
        assert found.trigger.true_count == 0
        assert found.trigger.breaks_even == pytest.approx(0, abs=1e-9)
        assert found.trigger.slope == pytest.approx(1 / 52)
        assert found.counter.per_shoe == pytest.approx(found.ceiling.per_shoe, abs=1e-9)


def test_a_study_shows_itself(dragon_tiger: Study) -> None:
    lines = str(dragon_tiger).splitlines()
    assert lines[0].startswith("Dragon Tiger: how far each wager can be beaten. 8 decks, 14 cards behind the cut")
    assert [line.split()[0] for line in lines[4:]] == ["Dragon", "Tiger", "Tie", "Dragon", "Dragon", "Tiger", "Tiger"]
    assert dragon_tiger._repr_html_().count("<tr>") == 8


def test_a_game_counts_the_wagers_it_is_asked_for() -> None:
    found = longhu.game("dragon-tiger").count("Dragon Big", "tie", shoes=2, seed=1)
    assert list(found.wagers) == ["dragon-big", "tie"]
    with pytest.raises(KeyError, match="no wager 'tiger-tie'"):
        longhu.game("dragon-tiger").count("tiger-tie")


def test_a_main_wager_of_dragon_tiger_is_never_good(dragon_tiger: Study) -> None:
    """It loses half on a tie and is even otherwise, whatever is left in the shoe."""
    for id in ("dragon", "tiger"):
        found = dragon_tiger.wagers[id]
        assert (found.count, found.trigger, found.counter.bets, found.ceiling.bets) == (None, None, 0, 0)
        assert found.best < 0


def test_a_tie_can_be_good_though_no_count_sees_it(dragon_tiger: Study) -> None:
    found = dragon_tiger.wagers["tie"]
    assert (found.count, found.counter.bets) == (None, 0)
    assert found.ceiling.per_shoe > 5 * found.ceiling.per_shoe_error


def test_depths_tell_the_same_as_the_whole(dragon_tiger: Study) -> None:
    for each in dragon_tiger.wagers.values():
        rounds = np.array([depth.rounds for depth in each.depths])
        assert rounds.sum() == each.ceiling.rounds
        assert rounds @ [depth.positive for depth in each.depths] == pytest.approx(each.ceiling.bets)
        assert rounds @ [depth.gain for depth in each.depths] / 1000 == pytest.approx(each.ceiling.per_shoe)
        for depth in each.depths:
            assert depth.mean <= depth.best
            assert depth.high <= depth.best
    big = dragon_tiger.wagers["dragon-big"].depths
    assert big[0].positive == 0
    assert big[-1].positive > 0.2
    assert [depth.high for depth in big] == sorted(depth.high for depth in big)


def test_percentiles_are_those_of_the_rounds(dragon_tiger: Study) -> None:
    game = game_of("dragon-tiger")
    wager, deals = game.wagers["tie"], ShoeDeals(game, decks=8, cut=14, seed=11)
    blocks = [deals.block(number, min(SHOES_PER_BLOCK, 1000 - number * SHOES_PER_BLOCK)) for number in range(8)]
    ev = np.concatenate([expectation_of(game, wager).of(left) for left in blocks])
    size = np.concatenate([left.size for left in blocks])
    for depth in dragon_tiger.wagers["tie"].depths:
        those = ev[(416 - size) * 20 // 416 == round(depth.dealt * 20 - 0.5)]
        assert len(those) == depth.rounds
        assert depth.high == pytest.approx(np.quantile(those, 0.95), abs=0.004)
        assert depth.best == those.max()


@pytest.mark.parametrize("name", ["immortal-dragon-tiger", "dragon-21"])
def test_nobody_passes_the_ceiling(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TRIAL_MIN", 24)
    found = study(game_of(name), seed=5, shoes=24)
    assert list(found.wagers) == list(game_of(name).wagers)
    for each in found.wagers.values():
        assert each.ceiling.per_shoe >= 0
        assert each.counter.per_shoe <= each.ceiling.per_shoe + 1e-12
        assert each.counter.per_100 <= each.ceiling.per_100 + 1e-12


def test_a_wager_that_favours_the_patron_is_bet_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TRIAL_MIN", 8)
    game = game_of("dragon-21")
    found = study(game, {"dragon": game.wagers["dragon"]}, seed=5, shoes=4).wagers["dragon"]
    assert found.edge == pytest.approx(-0.10736, abs=1e-5)
    assert found.counter.bets == found.counter.rounds
    assert found.counter.per_shoe == pytest.approx(found.ceiling.per_shoe)


def test_the_same_seed_gives_the_same_figures_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SHOES_PER_BLOCK", 64)
    game = game_of("dragon-tiger")
    one, many, other = (study(game, seed=seed, shoes=150, workers=n) for seed, n in ((3, 1), (3, 4), (4, 2)))
    assert as_json(one, 0) == as_json(many, 0)
    assert as_json(one, 0)["wagers"] != as_json(other, 0)["wagers"]


def test_a_trigger_is_found_on_other_shoes_than_it_is_measured_on(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[tuple[int, int]] = []
    block = ShoeDeals.block

    def watched(deals: ShoeDeals, number: int, shoes: int) -> Left:
        dealt.append((number, shoes))
        return block(deals, number, shoes)

    monkeypatch.setattr(ShoeDeals, "block", watched)
    study(game_of("dragon-tiger"), seed=3, shoes=1300, workers=1)
    assert len(dict(dealt)) == len(dealt), "no block is dealt twice"
    measured = sum(shoes for number, shoes in dealt if number < 1300 / SHOES_PER_BLOCK)
    assert (measured, sum(shoes for _, shoes in dealt)) == (1300, 1300 + 1300 // 4)


def test_errors_are_taken_over_shoes() -> None:
    """Against the textbook for the mean of shoes, and leaving out one shoe at a time for the rate."""
    game = game_of("dragon-bonus")
    ledger, blocks = Ledger(), [ShoeDeals(game, decks=8, cut=14, seed=9).block(number, 100) for number in range(4)]
    expected = expectation_of(game, game.wagers["dragon-bonus-player"])
    gains, rounds = [], []
    for left in blocks:
        ev = expected.of(left)
        ledger.take_in(Ledger.look(left, ev, ev > 0))
        gains += [ev[(left.shoe == shoe) & (ev > 0)].sum() for shoe in range(100)]
        rounds += [(left.shoe == shoe).sum() for shoe in range(100)]
    found, earned, played = ledger.gain(), np.array(gains), np.array(rounds)
    assert found.per_shoe == pytest.approx(earned.mean())
    assert found.per_shoe_error == pytest.approx(earned.std(ddof=1) / 20)
    without_one = (earned.sum() - earned) / (played.sum() - played)
    assert found.per_round == pytest.approx(earned.sum() / played.sum())
    assert found.per_round_error == pytest.approx(without_one.std() * np.sqrt(399), rel=0.01)
    assert found.per_bet * found.bets == pytest.approx(earned.sum())


def published_dragon_7() -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.float64]], Ledger]:
    """The published tags and trigger on 1,500 shoes: the results of the rounds that were bet, less their expectation."""
    game = game_of("ez-baccarat")
    wager, deals = game.wagers["dragon-7"], ShoeDeals(game, decks=8, cut=14, seed=2)
    count, trigger = Count(2, tuple("A23456789TJQK"), DRAGON_7, 0.0), Trigger(4.0, 0.0, 0.0)
    nets = np.array([0.0 if net is None else float(net) for net in wager.pays])
    ledger, surprises = Ledger(), []
    for number in range(30):
        left = deals.block(number, 50)
        ev = expectation_of(game, wager).of(left)
        betting = bets(trigger, count.true_counts(left))
        ledger.take_in(Ledger.look(left, ev, betting))
        surprises.append((nets[left.ending] - ev)[betting])
    return np.concatenate(surprises), ledger


def test_dragon_7_earns_what_was_published() -> None:
    """0.597 units a shoe with fourteen cards behind the cut (Jacobson, a hundred million shoes)."""
    surprises, ledger = published_dragon_7()
    gain = ledger.gain()
    assert abs(gain.per_shoe - 0.597) < 4 * gain.per_shoe_error
    assert gain.per_shoe_error < 0.04
    assert abs(surprises.mean()) < 4 * surprises.std() / np.sqrt(len(surprises)), "cards fall as expected"
    assert len(surprises) == gain.bets > 5000


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (Asked(shoes=1), "1 shoes: expected a whole number from 2"),
        (Asked(cut=416), "none is left to deal"),
        (Asked(cut=3), "at least 8 must be there"),
        (Asked(decks=99), "99 decks: dragon-bonus is dealt from"),
        (Asked(level=0), "level 0"),
        (Asked(level=6), "level 6"),
        (Asked(seed=-1), "a seed of -1"),
    ],
)
def test_what_cannot_be_studied(asked: Asked, says: str) -> None:
    with pytest.raises(PlanError, match=says):
        study(
            game_of("dragon-bonus"),
            seed=asked.seed,
            shoes=asked.shoes,
            decks=asked.decks,
            cut=asked.cut,
            level=asked.level,
        )
