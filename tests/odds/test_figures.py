"""What wagers return: the figures of the rule documents, published ones as witnesses, and what ties figures together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import ceil, isclose
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import longhu
from longhu.cards import DECK, Shoe, cards
from longhu.deal.procedure import Procedure
from longhu.games.game import Result
from longhu.games.registry import load_game
from longhu.money import Money
from longhu.odds.alternatives import Returns
from longhu.odds.claims import reckonings
from longhu.odds.figures import GameOdds, WagerOdds, game_odds, wager_odds
from longhu.odds.removal import cards_that_differ, removals
from longhu.odds.together import covariances, together
from longhu.odds.ways import Ways, ways
from longhu.report.notation import rounded_percent
from longhu.settlement import WAGER_NEEDS_ANOTHER
from tests.odds.shoes import game_of, usual_odds
from tests.rounds import refused
from tests.test_every_game import AS_FILED, EDITIONS, Edition

BACCARAT = ["immortal-dragon-tiger", "dragon-bonus", "dragon-bonus-online", "ez-baccarat", "super-6"]


def in_percent(share: Fraction, like: str) -> str:
    """A share with as many decimals as a printed figure has, rounded exactly; signed where the figure is."""
    decimals = len(like.partition(".")[2])
    return f"{float(round(share * 100, decimals)):{'+' if like[0] in '+-' else ''}.{decimals}f}"


def stated(clause: str, game: str, wager: str, figure: str, says: str) -> Any:
    return pytest.param(game, wager, figure, says, marks=pytest.mark.clause(clause), id=f"{clause} {wager}")


# ------------------------------------------------ figures that the documents state


@pytest.mark.parametrize(
    ("game", "wager", "figure", "says"),
    [
        stated("DBO-RTP-1", "dragon-bonus-online", "player", "rtp", "98.764919"),
        stated("DBO-RTP-2", "dragon-bonus-online", "banker", "rtp", "98.942094"),
        stated("DBO-RTP-3", "dragon-bonus-online", "tie", "rtp", "85.640371"),
        stated("DBO-RTP-4", "dragon-bonus-online", "dragon-bonus-player", "rtp", "97.348325"),
        stated("DBO-RTP-5", "dragon-bonus-online", "dragon-bonus-banker", "rtp", "90.626926"),
        stated("IDT-4.1b", "immortal-dragon-tiger", "player", "rtp", "97.8513"),
        stated("IDT-4.1c", "immortal-dragon-tiger", "banker", "rtp", "98.9421"),
        stated("IDT-4.2c", "immortal-dragon-tiger", "dragon-tiger", "rtp", "85.1657"),
        stated("IDT-4.5b", "immortal-dragon-tiger", "player-pair", "rtp", "89.6386"),
        stated("IDT-4.5b", "immortal-dragon-tiger", "banker-pair", "rtp", "89.6386"),
        stated("IDT-4.6b", "immortal-dragon-tiger", "immortal-dragon", "rtp", "82.3715"),
        stated("DT-4.1c", "dragon-tiger", "tie", "house_edge", "10.3614"),
        stated("D21-5.1A-OVER", "dragon-21", "dragon", "ev", "+10.7365"),
        stated("D21-5.1A-OVER", "dragon-21", "tiger", "ev", "+10.7365"),
        stated("D21-5.1.c.ii", "dragon-21", "tie", "house_edge", "6.2924"),
        stated("D21-11Ac", "dragon-21", "dragon-perfect-pair", "house_edge", "4.0964"),
        stated("D21-11Ac", "dragon-21", "tiger-perfect-pair", "house_edge", "4.0964"),
    ],
)
def test_a_figure_of_the_rulebook_is_exact(game: str, wager: str, figure: str, says: str) -> None:
    odds = usual_odds(game)
    assert odds.decks == 8
    assert in_percent(getattr(odds[wager], figure), says) == says


@pytest.mark.clause("DBO-RTP-1", "DBO-RTP-2", "DBO-RTP-3", "DBO-RTP-4", "DBO-RTP-5")
def test_the_online_game_returns_what_it_publishes() -> None:
    """To the two decimals that it prints, and only when Banker's 0 to 2 draws against an 8 (Q42)."""
    odds = usual_odds("dragon-bonus-online")
    assert {id: in_percent(each.rtp, "00.00") for id, each in odds.items()} == {
        "player": "98.76",
        "banker": "98.94",
        "tie": "85.64",
        "dragon-bonus-player": "97.35",
        "dragon-bonus-banker": "90.63",
    }
    as_printed = game_odds(game_of("dragon-bonus-online", banker_0_2_vs_8="stand"))
    assert [in_percent(each.rtp, "00.00") for each in as_printed.values()] == [
        "99.58", "98.15", "86.23", "101.36", "88.48",
    ]  # fmt: skip


@pytest.mark.clause("DT-4.1c")
def test_eight_decks_of_dragon_tiger_tie_31_times_in_415() -> None:
    tie = usual_odds("dragon-tiger")["tie"]
    assert (tie.hit_frequency, tie.house_edge) == (Fraction(31, 415), Fraction(43, 415))


@pytest.mark.clause("DT-4.1d", "DT-4.1e")
@pytest.mark.parametrize("decks", [*range(1, 11), 100])
def test_the_edge_of_big_and_small_is_a_thirteenth_whatever_the_decks(decks: int) -> None:
    odds = game_odds(game_of("dragon-tiger"), Shoe.of_decks(decks))
    for wager in ("dragon-big", "dragon-small", "tiger-big", "tiger-small"):
        assert odds[wager].house_edge == Fraction(1, 13)


@pytest.mark.clause("IDT-4.5b")
def test_a_pair_returns_372_of_415() -> None:
    odds = usual_odds("immortal-dragon-tiger")
    assert odds["player-pair"].rtp == odds["banker-pair"].rtp == Fraction(372, 415)


def test_a_pair_by_points_would_favour_the_patron() -> None:
    """+32.34 % where a ten pairs with a picture, against the usual -10.36 % (Q25)."""
    odds = game_odds(game_of("immortal-dragon-tiger", pair_basis="points"))
    assert in_percent(odds["player-pair"].ev, "+0.00") == "+32.34"
    assert in_percent(usual_odds("immortal-dragon-tiger")["player-pair"].ev, "+0.00") == "-10.36"


@pytest.mark.clause("D21-11Ac")
def test_perfect_pairs_have_the_chances_that_the_rulebook_gives() -> None:
    for wager in ("dragon-perfect-pair", "tiger-perfect-pair"):
        perfect, coloured, mixed, none = (each.probability for each in usual_odds("dragon-21")[wager].lines)
        assert (mixed, coloured, perfect) == (Fraction(16, 415), Fraction(8, 415), Fraction(7, 415))
        assert none == Fraction(384, 415)
        assert usual_odds("dragon-21")[wager].house_edge == Fraction(17, 415)


@pytest.mark.clause("D21-5.1A-OVER")
def test_over_21_at_1_to_2_the_house_keeps_its_edge() -> None:
    """Q13: at 5 to 1 the patron is ahead, at 1 to 2 the edge is 3.4030 %, and even at about 1.58 to 1."""
    counted = usual_odds("dragon-21").ways
    read = game_of("dragon-21", over_21_pays="1-to-2")
    for wager in ("dragon", "tiger"):
        printed, other = usual_odds("dragon-21")[wager], wager_odds(read.wagers[wager], counted)
        assert printed.favours_patron
        assert not other.favours_patron
        assert in_percent(other.house_edge, "0.0000") == "3.4030"
        over = printed.lines[2]
        assert over.line.clause == "D21-5.1A-OVER"
        assert f"{float(5 - printed.ev / over.probability):.2f}" == "1.58"


def test_a_continuous_shuffler_is_the_whole_shoe_without_what_it_holds_out() -> None:
    """The odds' part of D21-1.0-CONTINUOUS-SHUFFLER: that a table has such a device is for the live table to show."""
    game = longhu.game("dragon-21")
    held_out = cards("AS AH KS")
    left = Shoe.of_decks(8).without(held_out)
    odds = game.odds(shoe=left)
    assert odds.shoe.size == 413
    blackjacks = Fraction(4 * 30 * 29 * 127 * 126, 413 * 412 * 411 * 410)
    assert odds["tie"].lines[0].probability == blackjacks
    assert odds["dragon"].ev != usual_odds("dragon-21")["dragon"].ev


# ------------------------------------------------ figures that others have published

PUBLISHED_EDGES = """
    game                     wager                edge
    dragon-bonus             player               1.2351
    dragon-bonus             banker               1.0579
    dragon-bonus             tie                  14.3596
    dragon-bonus             dragon-bonus-player  2.65
    dragon-bonus             dragon-bonus-banker  9.37
    immortal-dragon-tiger    tie                  14.3596
    immortal-dragon-tiger    player-pair          10.3614
    ez-baccarat              player               1.2351
    ez-baccarat              banker               1.0183
    ez-baccarat              tie                  14.3596
    ez-baccarat              dragon-7             7.6113
    ez-baccarat              panda-8              10.1876
    super-6                  banker               1.4581
    super-6                  super-6              29.98
    dragon-tiger             dragon               3.7349
    dragon-tiger             tiger                3.7349
    dragon-tiger-suited-tie  tie                  32.77
    dragon-tiger-suited-tie  suited-tie           13.98
"""
EDGES = [line.split() for line in PUBLISHED_EDGES.split("\n")[2:-1]]


@pytest.mark.parametrize(("game", "wager", "edge"), EDGES, ids=[" ".join(row[:2]) for row in EDGES])
def test_a_published_edge_is_found(game: str, wager: str, edge: str) -> None:
    assert in_percent(usual_odds(game)[wager].house_edge, edge) == edge


def test_the_edges_of_dragon_tiger_as_fractions() -> None:
    odds = usual_odds("dragon-tiger")
    assert odds["dragon"].house_edge == odds["tiger"].house_edge == Fraction(31, 830)
    suited = usual_odds("dragon-tiger-suited-tie")["suited-tie"]
    assert suited.hit_frequency == Fraction(7, 415)


@pytest.mark.parametrize("name", BACCARAT)
def test_banker_player_and_tie_come_as_often_as_published(name: str) -> None:
    odds = usual_odds(name)
    assert in_percent(odds["banker"].probability(Result.LOSE), "00.0000") == "44.6247"  # Player wins
    assert in_percent(odds["tie"].hit_frequency, "0.0000") == "9.5156"
    counted, wins = odds.ways, odds.game.outcomes.partition("banker.wins")[True]
    banker = sum(some for number, some in counted.of.items() if wins >> number & 1)
    assert in_percent(Fraction(banker, counted.deals), "00.0000") == "45.8597"


def test_without_ties_the_edge_is_of_what_is_resolved() -> None:
    odds = usual_odds("dragon-bonus")
    risks = {id: each.element_of_risk for id, each in odds.items()}
    assert in_percent(risks["player"] or Fraction(0), "0.0000") == "1.3650"
    assert in_percent(risks["banker"] or Fraction(0), "0.0000") == "1.1692"
    assert risks["tie"] is None
    assert usual_odds("dragon-tiger")["dragon"].element_of_risk is None  # half a stake lost is resolved


def test_claims_are_checked_to_the_decimals_that_were_printed() -> None:
    game = game_of("dragon-bonus-online")
    taken, as_printed = reckonings(game, lambda chosen: game_of("dragon-bonus-online", **chosen))
    assert (taken.under, taken.agrees) == ("", True)
    assert [each.rounded for each in taken.checked] == ["98.76", "98.94", "85.64", "97.35", "90.63"]
    assert (as_printed.under, as_printed.agrees) == ("banker_0_2_vs_8=stand", False)
    assert not any(each.agrees for each in as_printed.checked)


@pytest.mark.parametrize(
    ("share", "decimals", "says"),
    [("0.98765", 2, "98.77"), ("0.987649999", 2, "98.76"), ("-0.00005", 2, "-0.01"), ("-0.00004", 2, "0.00")],
)
def test_a_percentage_is_rounded_half_away_from_nothing(share: str, decimals: int, says: str) -> None:
    assert rounded_percent(Fraction(share), decimals) == says
    assert rounded_percent(Fraction(1), 0) == "100"


def test_games_that_are_dealt_alike_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[object] = []

    def counting(procedure: Procedure[Any], shoe: Shoe) -> Ways:
        counts.append(procedure)
        return ways(procedure, shoe)

    monkeypatch.setattr("longhu.odds.alternatives.ways", counting)
    returns = Returns(Shoe.of_decks(8))
    one = returns.of(game_of("immortal-dragon-tiger"))
    assert returns.of(game_of("immortal-dragon-tiger", rounding="house")) == one
    assert len(counts) == 1
    assert returns.of(game_of("immortal-dragon-tiger", pair_basis="points")) != one
    assert len(counts) == 2


# ------------------------------------------------ what ties figures together, for every game

_counted: list[tuple[object, Shoe, Ways]] = []


def counted_once(procedure: Procedure[Any], shoe: Shoe) -> Ways:
    """Editions that are dealt alike share their deals."""
    for known, of_shoe, counted in _counted:
        if known == procedure and of_shoe == shoe:
            return counted
    _counted.append((procedure, shoe, ways(procedure, shoe)))
    return _counted[-1][2]


SHORT = Shoe.of_counts({"AS": 1, "AH": 1, "2C": 1, "3D": 1, "KD": 1})  # too few for many a round


def check_figures(each: WagerOdds) -> None:
    """A wager's figures, worked out a second time from its lines."""
    nets = each.nets
    assert sum((line.probability for line in each.lines), each.void) == 1
    assert sum(nets.values()) == 1
    assert each.ev == sum(line.contribution for line in each.lines)
    assert each.ev == sum(net * chance for net, chance in nets.items())
    assert each.rtp == 1 + each.ev
    assert each.house_edge == -each.ev
    assert each.favours_patron is (each.ev > 0)
    assert each.variance == sum(chance * (net - each.ev) ** 2 for net, chance in nets.items())
    assert isclose(each.standard_deviation**2, each.variance)
    assert each.hit_frequency == sum(chance for net, chance in nets.items() if net > 0)
    assert sum((each.probability(result) for result in Result), each.void) == 1
    resolved = sum(chance for net, chance in nets.items() if net)
    if each.element_of_risk is None:
        assert resolved in (0, 1)
    else:
        assert each.element_of_risk * resolved == each.house_edge


@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_the_figures_of_every_wager_fit_together(edition: Edition) -> None:
    game = edition.game
    for shoe in (Shoe.of_decks(8), SHORT):
        counted = counted_once(game.procedure, shoe)
        for wager in game.wagers.values():
            each = wager_odds(wager, counted)
            check_figures(each)
            assert each.void == Fraction(counted.void, counted.deals)
    assert (each.void > 0) is (game.procedure.cards_max > SHORT.size)


@pytest.mark.parametrize("edition", AS_FILED, ids=str)
def test_the_wagers_that_are_offered_are_the_wagers_that_are_told(edition: Edition) -> None:
    game = edition.game
    odds = game_odds(game, SHORT)
    assert list(odds) == list(game.offered(None))
    for layout in game.layouts:
        assert list(game_odds(game, SHORT, wagers=game.offered(layout))) == list(game.offered(layout))


# ------------------------------------------------ how long until the return is near


def test_how_many_rounds_it_takes_is_told_by_the_spread() -> None:
    """Dragon Big wins or loses one unit: a variance of 168/169, and 95 % within 1.96 standard deviations."""
    big = usual_odds("dragon-tiger")["dragon-big"]
    assert big.variance == Fraction(168, 169)
    z = NormalDist().inv_cdf(0.975)
    assert big.rounds_within(0.01) == ceil(z * z * 168 / 169 / 0.01**2) == 38_188
    assert big.rounds_within(Fraction(1, 10)) == 382
    assert big.rounds_within(0.02) < big.rounds_within(0.01)


@pytest.mark.parametrize("margin", [0.001, 0.01, Fraction(1, 20)])
def test_after_so_many_rounds_the_band_is_as_wide_as_asked(margin: float) -> None:
    for each in usual_odds("immortal-dragon-tiger").values():
        rounds = each.rounds_within(margin)
        low, high = each.band(rounds)
        assert isclose((low + high) / 2, each.rtp)
        assert (high - low) / 2 <= float(margin) * (1 + 1e-9)
        low, high = each.band(rounds - 1)
        assert (high - low) / 2 > float(margin) * (1 - 1e-9)


@pytest.mark.parametrize("margin", [0, -0.01, Fraction(0)])
def test_a_margin_of_nothing_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="expected more than nothing"):
        usual_odds("dragon-tiger")["tie"].rounds_within(margin)


# ------------------------------------------------ several wagers together


@pytest.mark.parametrize("name", ["dragon-tiger", "immortal-dragon-tiger", "dragon-bonus-online", "super-6"])
def test_covariances_are_symmetric_and_hold_the_variances(name: str) -> None:
    odds = usual_odds(name)
    found = covariances(odds.game.wagers, odds.ways)
    assert len(found) == len(odds) ** 2
    for one in odds:
        assert found[one, one] == odds[one].variance
        for other in odds:
            assert found[one, other] == found[other, one]
            assert found[one, other] ** 2 <= odds[one].variance * odds[other].variance


def test_the_covariance_of_dragon_and_tie_by_hand() -> None:
    """They meet only in a tie: Dragon loses a half and Tie wins eleven; otherwise Tie loses one, Dragon wins or loses."""
    odds, tie = usual_odds("dragon-tiger"), Fraction(31, 415)
    product = tie * Fraction(-1, 2) * 11
    assert covariances(odds.game.wagers, odds.ways)["dragon", "tie"] == product - odds["dragon"].ev * odds["tie"].ev


ROUND_AMOUNTS = st.integers(1, 50).map(lambda hundreds: Money(hundreds * 10_000))  # every rate leaves whole cents


@cache
def spread(name: str) -> Mapping[tuple[str, str], Fraction]:
    odds = usual_odds(name)
    return covariances(odds.game.wagers, odds.ways)


@settings(max_examples=max(12, settings().max_examples // 5))
@given(data=st.data(), name=st.sampled_from(["dragon-tiger", "immortal-dragon-tiger", "dragon-bonus", "ez-baccarat"]))
def test_without_a_cap_the_whole_is_the_sum_of_its_parts(data: st.DataObject, name: str) -> None:
    odds = usual_odds(name)
    stakes = data.draw(st.dictionaries(st.sampled_from(list(odds)), ROUND_AMOUNTS, min_size=1))
    joint = together(odds.game, odds.ways, stakes)
    assert joint.expected == sum(stake * odds[id].ev for id, stake in stakes.items())
    assert joint.staked == sum(stakes.values())
    assert joint.rtp == 1 + joint.expected / joint.staked
    assert joint.variance == sum(
        stakes[one] * stakes[other] * spread(name)[one, other] for one in stakes for other in stakes
    )
    assert sum(joint.nets.values()) == 1
    assert list(joint.nets) == sorted(joint.nets)
    assert not joint.cuts
    assert joint.cut == joint.cut_probability == 0


@pytest.mark.parametrize("name", ["dragon-tiger", "immortal-dragon-tiger", "dragon-bonus-online"])
def test_one_wager_together_with_none_is_that_wager(name: str) -> None:
    odds = usual_odds(name)
    stake = Money(100_00)
    for id, each in odds.items():
        joint = together(odds.game, odds.ways, {id: stake})
        assert joint.nets == {stake * net: chance for net, chance in each.nets.items()}
        assert joint.expected == stake * each.ev
        assert joint.rtp == each.rtp
        assert joint.variance == stake**2 * each.variance
        assert isclose(joint.standard_deviation, stake * each.standard_deviation)


def test_opposite_wagers_together_by_hand() -> None:
    """10.00 on Dragon and 10.00 on Tiger: nothing moves but for a tie, which takes half of both."""
    odds = usual_odds("dragon-tiger")
    joint = together(odds.game, odds.ways, {"dragon": Money(10_00), "tiger": Money(10_00)})
    assert joint.nets == {-10_00: Fraction(31, 415), 0: Fraction(384, 415)}


def test_money_is_rounded_as_the_table_rounds_it() -> None:
    """One cent on Banker: 0.95 of a cent is paid as a whole one, or not at all."""
    odds = usual_odds("immortal-dragon-tiger")
    banker = odds["banker"]
    to_patron = together(odds.game, odds.ways, {"banker": Money(1)})
    assert to_patron.expected == banker.probability(Result.WIN) - banker.probability(Result.LOSE)
    house = game_of("immortal-dragon-tiger", rounding="house")
    assert together(house, odds.ways, {"banker": Money(1)}).expected == -banker.probability(Result.LOSE)


def test_a_void_round_gives_all_stakes_back() -> None:
    game = game_of("immortal-dragon-tiger")
    counted = ways(game.procedure, SHORT)
    joint = together(game, counted, {"tie": Money(1_00), "player": Money(1_00), "banker": Money(1_00)})
    assert counted.void
    assert sum(joint.nets.values()) == 1
    assert joint.nets[Money(0)] >= Fraction(counted.void, counted.deals)
    assert set(covariances(game.wagers, ways(game.procedure, Shoe.of_counts({"AS": 3}))).values()) == {0}


# ------------------------------------------------ the cap of the online game


def chance_of(odds: GameOdds, holds: Callable[[Mapping[str, Any]], bool]) -> Fraction:
    """The chance of some facts, ending by ending, whatever the wagers' lines say."""
    describe = odds.game.outcomes.describe
    return Fraction(sum(some for number, some in odds.ways.of.items() if holds(describe(number))), odds.ways.deals)


def won_by(odds: GameOdds, margin: int) -> Fraction:
    """The chance that Player wins by so much without a natural."""
    return chance_of(odds, lambda told: told["player.margin"] == margin and not told["player.natural"])


@pytest.mark.clause("DBO-CAP-1")
def test_the_cap_is_just_out_of_reach_at_the_largest_stakes() -> None:
    """3,300.00 is exactly the largest credit at 100.00 a bet."""
    odds = usual_odds("dragon-bonus-online")
    largest = together(odds.game, odds.ways, dict.fromkeys(odds, Money(100_00)))
    assert largest.cuts == {}
    pair = together(odds.game, odds.ways, {"player": Money(100_00), "dragon-bonus-player": Money(100_00)})
    assert max(pair.nets) + pair.staked == 3_300_00
    assert pair.cuts == {}
    one_cent_more = together(odds.game, odds.ways, {"player": Money(100_01), "dragon-bonus-player": Money(100_00)})
    assert one_cent_more.cuts == {2: won_by(odds, 9)}


@pytest.mark.clause("DBO-CAP-1")
def test_a_raised_bonus_bet_stops_at_the_cap() -> None:
    """Player 100.00 and the bonus 200.00 win by 9: 200.00 + 6,200.00, of which 3,100.00 is cut."""
    odds = usual_odds("dragon-bonus-online")
    stakes = {"player": Money(100_00), "dragon-bonus-player": Money(200_00)}
    joint = together(odds.game, odds.ways, stakes)
    assert joint.cuts == {3_100_00: won_by(odds, 9)}
    assert max(joint.nets) == 3_300_00 - 300_00
    assert joint.cut == 3_100_00 * won_by(odds, 9)
    assert joint.cut_probability == won_by(odds, 9)
    uncut = sum(stake * odds[id].ev for id, stake in stakes.items())
    assert joint.expected == uncut - joint.cut


def test_a_cap_on_profit_counts_no_stakes() -> None:
    """The same bets win 100.00 + 6,000.00, of which 2,800.00 is cut (Q45)."""
    odds = usual_odds("dragon-bonus-online")
    game = game_of("dragon-bonus-online", cap_basis="profit")
    joint = together(game, odds.ways, {"player": Money(100_00), "dragon-bonus-player": Money(200_00)})
    assert joint.cuts == {2_800_00: won_by(odds, 9)}
    assert max(joint.nets) == 3_300_00


def test_a_cap_may_cut_in_more_than_one_way() -> None:
    """A bonus of 400.00 beside 100.00: by 9 it is 12,600.00 and by 8 it is 4,600.00; by 7 only 3,000.00."""
    odds = usual_odds("dragon-bonus-online")
    joint = together(odds.game, odds.ways, {"player": Money(100_00), "dragon-bonus-player": Money(400_00)})
    assert joint.cuts == {1_300_00: won_by(odds, 8), 9_300_00: won_by(odds, 9)}
    assert joint.cut == 1_300_00 * won_by(odds, 8) + 9_300_00 * won_by(odds, 9)
    assert joint.nets[Money(3_300_00 - 500_00)] == won_by(odds, 8) + won_by(odds, 9)


# ------------------------------------------------ effects of removal


@pytest.mark.parametrize("name", ["dragon-tiger", "immortal-dragon-tiger", "dragon-tiger-suited-tie"])
def test_a_card_taken_out_at_random_alters_nothing_on_average(name: str) -> None:
    game, shoe = game_of(name), Shoe.of_decks(8).without(cards("KS KS KH 5D 8C 8C 8C AS"))
    found = list(removals(game, shoe, game.wagers))
    assert any(each.effects["tie"] > 0 for each in found)
    assert any(each.effects["tie"] < 0 for each in found)
    weights = [sum(shoe.count(card) for card in DECK if str(card).startswith(each.stands_for)) for each in found]
    assert sum(weights) == shoe.size
    for wager in game.wagers:
        assert sum(weight * each.effects[wager] for weight, each in zip(weights, found, strict=True)) == 0


def test_a_second_ace_out_makes_a_tie_less_likely_by_hand() -> None:
    """An ace short, ties are 31 x 30 + 12 x 32 x 31 of 415 x 414; two short, 30 x 29 + 12 x 32 x 31 of 414 x 413."""
    game, shoe = game_of("dragon-tiger"), Shoe.of_decks(8).without(cards("AS"))
    ace = next(each for each in removals(game, shoe, game.wagers) if each.stands_for == "A")
    before = Fraction(31 * 30 + 12 * 32 * 31, 415 * 414)
    after = Fraction(30 * 29 + 12 * 32 * 31, 414 * 413)
    assert ace.effects["tie"] == 12 * (after - before)


def test_one_card_stands_for_its_rank_where_suits_do_not_matter() -> None:
    uneven = Shoe.of_decks(8).without(cards("AS"))
    assert list(cards_that_differ(game_of("dragon-tiger"), uneven).values()) == list("A23456789TJQK")
    assert len(cards_that_differ(game_of("dragon-21"), uneven)) == 52
    assert list(cards_that_differ(game_of("dragon-21"), Shoe.of_decks(8)).values()) == list("A23456789TJQK")
    assert list(cards_that_differ(game_of("dragon-21"), Shoe.of_counts({"AS": 2, "7D": 1})).values()) == ["AS", "7D"]


def test_a_card_with_a_suit_of_its_own_stands_for_itself(tmp_path: Path) -> None:
    """A wager on Dragon's suit: a spade out is worth less to it than a heart, in a shoe that has as many of each."""
    text = game_of("dragon-tiger-suited-tie").text
    file = tmp_path / "suits.toml"
    wager = 'lines = [{ says = "A spade", when = "dragon.suit == spades", pays = "3:1" }]'
    file.write_text(f'{text}\n[[wager]]\nid = "spade"\nname = {{ en = "Spade" }}\n{wager}\n', encoding="utf-8")
    game, shoe = load_game(file), Shoe.of_decks(8)
    effects = {each.stands_for: each.effects["spade"] for each in removals(game, shoe, game.wagers)}
    assert len(effects) == 52
    assert effects["KS"] == 4 * (Fraction(103, 415) - Fraction(104, 416)) < 0 < effects["KH"]


def test_several_wagers_together_from_python() -> None:
    odds = longhu.game("dragon-bonus-online").odds(decks=8)
    joint = odds.together(player="100.00", dragon_bonus_player="50.00")
    assert joint.staked == 150_00
    assert joint.expected == 100_00 * odds["player"].ev + 50_00 * odds["dragon-bonus-player"].ev
    paired = odds.covariances()
    assert joint.covariances["player", "dragon-bonus-player"] == paired["player", "dragon-bonus-player"] > 0
    assert joint.variance == (
        100_00**2 * odds["player"].variance
        + 50_00**2 * odds["dragon-bonus-player"].variance
        + 2 * 100_00 * 50_00 * paired["player", "dragon-bonus-player"]
    )
    with refused(WAGER_NEEDS_ANOTHER, wager="dragon-bonus-player"):
        odds.together(dragon_bonus_player="50.00")
