"""A simulation: the same everywhere, and as the exact odds say."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import longhu
from longhu.games.game import Game
from longhu.games.registry import built_in, find, load_game
from longhu.simulate.dealers import ByShoe
from longhu.simulate.figures import Simulation, exact_odds
from longhu.simulate.plan import ROUNDS_PER_BLOCK, SHOES_PER_BLOCK, Plan, PlanError, plan, usual_cut
from longhu.simulate.run import on_threads, run
from longhu.simulate.saved import SavedError, read, resumed, save
from longhu.simulate.simulation import simulate
from longhu.simulate.totals import Totals, dealt


def game(id: str = "dragon-bonus") -> Game:
    return load_game(find(id))


SHOES = ByShoe(cut=30, per_depth=20, depths=3)


def small(rounds: int = 2_500_000, seed: int = 7, by_shoe: ByShoe | None = None) -> Plan:
    return plan(game(), rounds=rounds, seed=seed, by_shoe=by_shoe)


@pytest.mark.parametrize("by_shoe", [None, SHOES], ids=["fresh", "by shoe"])
def test_the_same_on_one_thread_on_many_and_in_any_order(by_shoe: ByShoe | None) -> None:
    planned = small(9_000_000, by_shoe=by_shoe)
    one, many, shuffled = (Totals(planned) for _ in range(3))
    run(one, on_threads(1))
    run(many, on_threads(5))
    portions = [dealt(planned, *each) for each in shuffled.missing(most=3)]
    assert len(portions) > 1
    for portion in [*reversed(portions), portions[0]]:  # one of them arrives twice
        shuffled.add(portion)
    for each in (many, shuffled):
        assert np.array_equal(one.by_depth, each.by_depth)
        assert one.spread == each.spread or by_shoe is None
        assert (each.upto, each.ahead) == (planned.blocks, set())


def test_another_seed_deals_other_cards() -> None:
    tallies = [plan(game(), rounds=1000, seed=seed).deal(0) for seed in range(5)]
    assert all(not np.array_equal(one, other) for one, other in combinations(tallies, 2))


def test_blocks_have_nothing_in_common() -> None:
    planned = small(4 * ROUNDS_PER_BLOCK)
    tallies = [planned.dealer.fresh(7, block, 1000, 8) for block in range(5)]
    assert all(not np.array_equal(one, other) for one, other in combinations(tallies, 2))


def test_exactly_as_many_rounds_as_were_asked_for() -> None:
    for rounds in (1, 15, 33, 1000, ROUNDS_PER_BLOCK + 1):
        assert simulate(game("dragon-tiger"), rounds, seed=1).rounds == rounds


@pytest.mark.parametrize("id", list(built_in()))
def test_every_wager_is_as_the_exact_odds_say(id: str) -> None:
    """Four seeds, so that a z-score beyond 4.5 in any of some 140 would be a defect and no bad luck."""
    for seed in range(4):
        result = longhu.game(id).simulate(3_000_000, seed=seed)
        for wager, each in result.items():
            assert abs(each.z) < 4.5, (id, seed, wager, each.z)
            assert each.variance == pytest.approx(float(result.odds[wager].variance), rel=0.03)
            assert each.hit_frequency == pytest.approx(float(result.odds[wager].hit_frequency), abs=0.002)


@pytest.mark.parametrize("id", list(built_in()))
def test_covariances_are_as_the_exact_odds_say(id: str) -> None:
    result = longhu.game(id).simulate(3_000_000, seed=11)
    exact = result.odds.covariances()
    for both, covariance in result.covariances().items():
        found = exact.get(both, exact.get(both[::-1]))
        assert found is not None
        assert covariance == pytest.approx(float(found), abs=0.03, rel=0.02)


@pytest.mark.parametrize("id", list(built_in()))
def test_each_round_that_every_shoe_has_is_worth_what_the_first_is(id: str) -> None:
    rules = game(id)
    how = ByShoe(cut=usual_cut(rules) + 20, burn=3, per_depth=8, depths=4)
    result = simulate(rules, 2_000_000, seed=5, by_shoe=how)
    sure = [depth for depth in result.depths if depth.sure]
    assert len(sure) >= 2
    for depth in sure:
        for wager, each in depth.wagers.items():
            assert abs(each.z) < 4.5, (id, depth.first, wager, each.z)


def test_burn_cards_shorten_the_shoe_and_change_nothing_else() -> None:
    shoes = [plan(game(), rounds=500_000, seed=3, by_shoe=ByShoe(cut=30, burn=burn)) for burn in (0, 100)]
    results = [Simulation(run(Totals(each), on_threads()), 1.0, exact_odds(each)) for each in shoes]
    per_shoe = [each.rounds / each.totals.units for each in results]
    assert per_shoe[1] == pytest.approx(per_shoe[0] * (416 - 30 - 100) / (416 - 30), rel=0.01)
    assert abs(results[1]["banker"].z) < 4.5


def test_rounds_behind_the_cut() -> None:
    shoes = [plan(game("dragon-tiger"), rounds=1000, seed=3, by_shoe=ByShoe(cut=30, after=after)) for after in (0, 3)]
    per_shoe = [each.deal(0).sum() / each.size(0) for each in shoes]
    assert per_shoe == [193, 196]  # (416 - 30) / 2 rounds of two cards


@pytest.mark.parametrize("workers", [0, -1])
def test_nobody_deals_on_no_threads(workers: int) -> None:
    with pytest.raises(PlanError, match=f"{workers} workers: expected"):
        longhu.game("dragon-tiger").simulate(10, workers=workers)
    with pytest.raises(PlanError, match=f"{workers} workers: expected"):
        longhu.game("dragon-tiger").count("tie", workers=workers)


# ------------------------------------------------ plans


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"rounds": 0}, "0 rounds: expected"),
        ({"rounds": -5}, "-5 rounds: expected"),
        ({"seed": -1}, "a seed of -1"),
        ({"seed": 1 << 64}, "a seed of"),
        ({"decks": 0}, "is dealt from"),
        ({"by_shoe": ByShoe(cut=5)}, "at least 8 must be there"),
        ({"by_shoe": ByShoe(cut=416)}, "none is left to deal"),
        ({"by_shoe": ByShoe(cut=400, burn=30)}, "none is left to deal"),
        ({"by_shoe": ByShoe(cut=30, burn=-1)}, "from 0 on"),
    ],
)
def test_what_cannot_be_dealt_is_refused(how: dict[str, object], says: str) -> None:
    wanted: dict[str, object] = {"rounds": 1000, "seed": 1, **how}
    with pytest.raises(PlanError, match=says):
        plan(game(), **wanted)  # type: ignore[arg-type]


@given(st.integers(1, 10**8), st.integers(1, 50))
@settings(max_examples=60)
def test_the_blocks_of_a_plan_are_all_of_it_once(rounds: int, most: int) -> None:
    planned = plan(game("dragon-tiger"), rounds=rounds, seed=1)
    assert sum(planned.size(block) for block in range(planned.blocks)) == rounds
    portions = list(Totals(planned).missing(most))
    assert [block for first, count in portions for block in range(first, first + count)] == list(range(planned.blocks))
    assert all(count <= most for _, count in portions)
    if planned.blocks > planned.whole_blocks:
        assert portions[-1] == (planned.whole_blocks, 1)  # what is not full stands alone


# ------------------------------------------------ runs on disk


@pytest.mark.parametrize("by_shoe", [None, SHOES], ids=["fresh", "by shoe"])
def test_a_run_goes_on_from_its_file(tmp_path: Path, by_shoe: ByShoe | None) -> None:
    shorter, longer = small(5_000_000, by_shoe=by_shoe), small(9_000_000, by_shoe=by_shoe)
    file = tmp_path / "run.json"
    save(run(Totals(shorter), on_threads()), file)
    totals = resumed(read(file), longer, "run.json")
    assert 0 < totals.upto == shorter.whole_blocks
    at_once = run(Totals(longer), on_threads())
    run(totals, on_threads())
    assert np.array_equal(totals.by_depth, at_once.by_depth)
    assert totals.spread == at_once.spread
    assert [each.name for each in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (plan(load_game(find("dragon-bonus-online")), rounds=5_000_000, seed=7), "with the game dragon-bonus"),
        (plan(load_game(find("dragon-bonus")), rounds=5_000_000, seed=8), "with the seed 7"),
        (plan(load_game(find("dragon-bonus")), rounds=5_000_000, seed=7, decks=6), "with the decks 8"),
        (plan(load_game(find("dragon-bonus")), rounds=5_000_000, seed=7, by_shoe=SHOES), "way to deal: a fresh shoe"),
        (plan(load_game(find("dragon-bonus")), rounds=1000, seed=7), "more than this run asks for"),
    ],
)
def test_a_file_of_another_run_is_refused(tmp_path: Path, other: Plan, says: str) -> None:
    file = tmp_path / "run.json"
    save(run(Totals(small(5_000_000)), on_threads()), file)
    with pytest.raises(SavedError, match=says):
        resumed(read(file), other, "run.json")


@pytest.mark.parametrize("text", ["", "{}", "null", '{"format": 3}', "\xff", "[" * 5000])
def test_a_file_that_is_no_run_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "run.json"
    file.write_text(text, encoding="latin-1")
    with pytest.raises(SavedError, match="is no saved run"):
        read(file)


def test_the_standard_error_of_shoes_comes_from_how_far_blocks_are_apart() -> None:
    """Rounds of one shoe depend on each other a little: the error is near that of independent rounds, not equal to it."""
    planned = plan(game(), rounds=75 * SHOES_PER_BLOCK * 25, seed=9, by_shoe=ByShoe(cut=30))
    result = Simulation(run(Totals(planned), on_threads()), 1.0, exact_odds(planned))
    assert result.totals.spread.blocks >= 20
    for each in result.values():
        independent = (each.variance / each.rounds) ** 0.5
        assert each.standard_error != independent
        assert each.standard_error == pytest.approx(independent, rel=0.6)


@pytest.mark.parametrize("by_shoe", [None, SHOES], ids=["fresh", "by shoe"])
def test_blocks_that_came_back_out_of_order_are_kept_and_not_dealt_again(
    tmp_path: Path, by_shoe: ByShoe | None
) -> None:
    planned = small(9_000_000, by_shoe=by_shoe)
    whole, part = run(Totals(planned), on_threads(2)), Totals(planned)
    for block in (3, 0, 2) if by_shoe is None else (1,):
        part.add(dealt(planned, block, 1))
    assert part.ahead
    save(part, tmp_path / "run.json")
    goes_on = resumed(read(tmp_path / "run.json"), planned, "run.json")
    assert (goes_on.upto, goes_on.ahead) == (part.upto, part.ahead)
    assert np.array_equal(run(goes_on, on_threads(2)).by_depth, whole.by_depth)
