"""What a table won against what it should have won, with the exact odds of everything that lay on it."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from msgspec.structs import replace

from longhu.cards import Shoe
from longhu.money import Money, parse
from longhu.odds.figures import game_odds
from longhu.odds.together import together
from longhu.table.irregularities.power import ReportMalfunction, RoundReversed
from longhu.table.opening import ChangeSettings, CloseTable, OpenTable
from longhu.table.settling import RoundEnded
from longhu.table.shoe import EndShoe
from longhu.table.theory import POINTS_MAX, Figures, Theory, figures
from longhu.table.wrong_payments import CorrectPayment
from tests.table.rounds import Play, equipment_for


def theory_of(play: Play) -> Theory:
    known: dict[tuple[str, int], Figures] = {}

    def found(digest: str, decks: int) -> Figures:
        assert digest == play.game.digest
        return known.setdefault((digest, decks), figures(play.game, decks))

    theory = Theory(found)
    for event in play.log:
        theory.take(event)
    return theory


def settled(play: Play, patrons: tuple[str, ...] = ("ann", "bob", "cay")) -> int:
    """What patrons have lost, by their chips."""
    return -sum(play.table.balances.get(f"patron:{each}", 0) - parse("10000.00") for each in patrons)


@pytest.mark.clause("OPS-4")
def test_the_win_is_what_patrons_lost_and_the_expectation_what_they_staked_times_the_exact_edge() -> None:
    play = Play("dragon-tiger", cards="KH QS 2H 3S 9D 9C")
    play.round(ann={"dragon": "50.00", "tie": "10.00"}, bob={"tiger": "30.00"})
    play.round(ann={"dragon": "20.00"})
    play.round()
    play.round(cay={"tie": "5.00"}, bob={"tiger": "100.00"})
    theory, odds = theory_of(play), game_odds(play.game, Shoe.of_decks(8))
    staked = {"dragon": 7000, "tiger": 13000, "tie": 1500}
    assert theory.win == settled(play)
    assert theory.rounds == 4
    assert theory.staked == sum(staked.values())
    assert theory.expected == sum((odds[wager].house_edge * amount for wager, amount in staked.items()), Fraction(0))
    assert [each.round for each in theory.points] == [1, 2, 3, 4]
    assert theory.points[-1].win == theory.win


@pytest.mark.parametrize("game", ["dragon-tiger", "immortal-dragon-tiger"])
def test_the_variance_of_a_round_is_that_of_all_wagers_together(game: str) -> None:
    """Dragon against Tiger hedge each other: the house risks less than with either alone. `together` is another way to it."""
    play = Play(game, people={"ann": 1})
    first, second = [wager.id for wager in play.game.wagers.values() if wager.hand][:2]
    play.round(ann={first: "100.00", second: "100.00", "tie": "20.00"})
    odds = game_odds(play.game, Shoe.of_decks(play.settings.decks))
    stakes = {first: Money(10000), second: Money(10000), "tie": Money(2000)}
    exact = together(play.game, odds.ways, stakes)
    (point,) = theory_of(play).points
    assert point.deviation == pytest.approx(sqrt(exact.variance), rel=1e-9)
    assert point.expected == pytest.approx(-float(exact.expected), rel=1e-9)
    apart = sum(odds[id].variance * stake**2 for id, stake in stakes.items())
    assert exact.variance < apart


def test_void_rounds_count_for_nothing_and_reversed_ones_are_taken_back() -> None:
    play = Play("dragon-bonus-online", cards="KH QS 2H 3S", people={"ann": 1})
    play.round(ann={"player": "50.00"})
    before = theory_of(play)
    play.round(ann={"banker": "70.00"})
    assert theory_of(play).staked == before.staked + 7000
    play.does(ReportMalfunction, "dee", number=play.table.rounds, told="the reels stuck")
    assert play.last(RoundReversed).number == play.table.rounds
    after = theory_of(play)
    assert (after.staked, after.win, after.rounds, after.expected) == (
        before.staked,
        before.win,
        before.rounds,
        before.expected,
    )
    assert after.now.deviation == pytest.approx(before.now.deviation)
    assert after.points[-1].round == before.points[-1].round or after.points[-1].win == before.win


def test_an_earlier_round_that_is_reversed_is_taken_back_with_its_correction() -> None:
    play = Play("dragon-bonus-online", people={"ann": 1})
    play.round(ann={"player": "50.00"})
    play.load()
    before = theory_of(play)
    play.round(ann={"banker": "70.00"})
    told: dict[str, Any] = {"round": 2, "wager": "banker", "error": "too-little", "patron": "ann", "amount": 10_00}
    play.does(CorrectPayment, "dee", **told, cause="record", reason="a chip more")
    play.load()
    play.round(ann={"player": "50.00"})
    whole = theory_of(play)
    play.does(ReportMalfunction, "dee", number=2)
    after = theory_of(play)
    assert (after.rounds, after.staked) == (2, whole.staked - 7000)
    assert after.expected == 2 * before.expected
    assert after.win == -sum(each.net for round in play.table.settled for each in round.paid)


def test_an_opening_starts_anew_and_other_decks_have_other_edges() -> None:
    play = Play("dragon-tiger", people={"ann": 1})
    play.round(ann={"tie": "100.00"})
    first = theory_of(play)
    tray = play.table.balances["float:T1"]
    play.does(EndShoe, "dee", why="closing")
    play.does(CloseTable, "sue", float_counted=tray, counted_by=("sue", "dee"))
    play.does(OpenTable, "opal", **play.opening(float_counted=tray))
    assert theory_of(play).staked == 0
    play.does(ChangeSettings, "sue", changes={"decks": 6, "equipment": equipment_for(6)}, why="fewer")
    play.settings = play.table.settings or play.settings
    play.load()
    play.round(ann={"tie": "100.00"})
    again = theory_of(play)
    assert again.staked == first.staked
    assert again.expected == 10000 * game_odds(play.game, Shoe.of_decks(6))["tie"].house_edge != first.expected


def test_a_long_evening_keeps_so_many_points_and_the_last() -> None:
    play = Play("dragon-tiger", people={"ann": 1})
    play.round(ann={"dragon": "10.00"})
    opening = [each for each in play.log if type(each).__name__ == "TableOpened"]
    start = next(place for place, each in enumerate(play.log) if type(each).__name__ == "RoundStarted")
    known = figures(play.game, 8)
    theory = Theory(lambda _, __: known)
    for each in opening:
        theory.take(each)
    rounds = POINTS_MAX * 3 + 1
    for number in range(1, rounds + 1):
        for event in play.log[start:]:
            theory.take(replace(event, number=number) if isinstance(event, RoundEnded) else event)
    assert theory.rounds == rounds
    assert POINTS_MAX / 2 <= len(theory.points) <= POINTS_MAX + 2
    assert theory.points[-1].win == theory.win
