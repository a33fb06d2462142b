"""Rounding to chips is posted, shown with its cost, and confirmed by the operator; the chips that a page offers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import longhu
from longhu.cards import Shoe
from longhu.eventsourcing import Refusal
from longhu.money import UNSTATED, HouseRounding, Money
from longhu.odds.figures import game_odds
from longhu.odds.rounding import Stakes, edge_at, rounding_costs
from longhu.settlement import won
from longhu.table.opening import MAY_NOT_SET, ChangeSettings, OpenTable, SettingsChanged, TableOpened
from longhu.table.requirements import CHIP_VALUES_OFF, check_settings
from longhu.table.rounding import CONFIRM_ROUNDING, ROUNDING_COST, ROUNDING_NOT_CONFIRMED
from longhu.table.state import Limit
from longhu.texts import LANGUAGES
from tests.table.rounds import Play, settings_for

FIVES: dict[str, Any] = {"chip_unit": 500, "rounding": "patron"}


def costs_told(refusal: Refusal) -> dict[str, Any]:
    costs = refusal.reason.args["costs"]
    assert isinstance(costs, list)
    return {each.args["wager"]: each.args for each in costs}  # type: ignore[union-attr, misc]


def test_a_table_that_rounds_is_not_opened_until_the_policy_is_named() -> None:
    play = Play("dragon-tiger", open=False, **FIVES)
    refusal = play.refused(OpenTable, "opal", "MON-2", **play.opening())
    assert refusal.reason.code == ROUNDING_NOT_CONFIRMED.code
    assert refusal.remedy == CONFIRM_ROUNDING(to="patron")
    told = costs_told(refusal)
    # chips of five take nothing of 5.00 on a tie: the edge of Dragon is that of the other outcomes, 0
    assert told["dragon"]["at_least"] == "0.0000"
    assert told["dragon"]["edge"] == f"{float(game_odds(play.game)['dragon'].house_edge) * 100:.4f}"
    assert "tie" not in told, "11 to 1 is whole chips"
    play.refused(OpenTable, "opal", "MON-2", **play.opening(), confirms_rounding="house")
    play.does(OpenTable, "opal", **play.opening(), confirms_rounding="patron")
    assert play.last(TableOpened).settings.rounding == "patron"


def test_exact_payments_need_no_confirmation_whatever_the_chips() -> None:
    play = Play("dragon-tiger", chip_unit=500)
    assert play.notice.rounding is None


def test_only_the_operator_posts_a_policy() -> None:
    play = Play("dragon-tiger", cards=None, chip_unit=500)
    changes = {"changes": {"rounding": "house"}, "confirms_rounding": "house"}
    assert play.refused(ChangeSettings, "gus", "MON-2", **changes).reason.code == MAY_NOT_SET.code
    shown = play.refused(ChangeSettings, "opal", "MON-2", changes={"rounding": "house"})
    assert shown.reason.code == ROUNDING_NOT_CONFIRMED.code
    play.does(ChangeSettings, "opal", **changes)
    assert play.last(SettingsChanged).after.rounding == "house"
    larger = {"limits": {id: Limit(10_00, 500_00) for id in play.settings.limits}}
    assert play.refused(ChangeSettings, "sue", "MON-2", changes=larger).reason.code == MAY_NOT_SET.code
    assert play.refused(ChangeSettings, "opal", changes=larger).reason.code == ROUNDING_NOT_CONFIRMED.code
    play.does(ChangeSettings, "opal", changes=larger, confirms_rounding="house")
    play.does(ChangeSettings, "opal", changes={"rounding": ""})
    assert play.notice.rounding is None


def posted(to: str) -> Play:
    play = Play("immortal-dragon-tiger", cards=None, people={"ann": 1}, chip_unit=500)
    play.does(ChangeSettings, "opal", changes={"rounding": to}, confirms_rounding=to)
    play.load("2D KC 3D 6C KH")  # Banker wins
    return play


@pytest.mark.parametrize(("to", "net"), [("patron", "5.00"), ("house", "0.00")])
def test_a_posted_policy_rounds_each_payment_once_and_owes_nothing(to: str, net: str) -> None:
    play = posted(to)
    play.round(ann={"banker": "5.00"})
    assert play.net("ann") == net
    assert not any(account.startswith(("owed:", "breakage:")) for account in play.table.balances)


def test_the_notice_shows_the_exact_cost_of_each_wager_that_is_rounded() -> None:
    shown = posted("house").notice.rounding
    assert shown is not None
    banker = next(each for each in shown.costs if each.wager == "banker")
    odds = game_odds(longhu.game("immortal-dragon-tiger").definition)["banker"]
    won_at_all = sum((each.probability for each in odds.lines if each.line.net > 0), Fraction(0))
    lost = sum((each.probability for each in odds.lines if each.line.net < 0), Fraction(0))
    assert Fraction(banker.edge) == odds.house_edge
    assert banker.least.stake == 500
    assert Fraction(banker.least.edge) == lost, "0.95 to 1 on one chip pays no chip"
    assert Fraction(banker.typical.edge) == lost - won_at_all * Fraction(45, 50)
    assert Fraction(banker.worst.edge) == Fraction(banker.least.edge)


@pytest.mark.parametrize(
    "id", ["dragon-tiger", "immortal-dragon-tiger", "dragon-21", "dragon-bonus", "dragon-bonus-online"]
)
@pytest.mark.parametrize("to_patron", [True, False])
def test_the_worst_stake_is_the_worst_of_all_that_may_be_placed(id: str, to_patron: bool) -> None:
    game = longhu.game(id).definition
    rounding, stakes = HouseRounding(to_patron, Money(500)), Stakes(500, 200_000, 500)
    odds = game_odds(game, Shoe.of_decks(game.decks.default), wagers=game.wagers)
    offered = list(game.offered(next(iter(game.layouts))))
    told = {
        each.wager: each for each in rounding_costs(game, game.decks.default, dict.fromkeys(offered, stakes), rounding)
    }
    for wager in offered:
        exact = odds[wager].house_edge
        every = [edge_at(odds[wager], Money(stake), rounding).edge - exact for stake in range(500, 200_001, 500)]
        found = abs(told[wager].worst.edge - exact) if wager in told else 0
        assert found == max(map(abs, every)), wager
        for line in odds[wager].lines:
            assert won(line.line, Money(500), rounding)[0] % 500 == 0


def test_the_cost_is_told_in_three_languages() -> None:
    play = Play("immortal-dragon-tiger", open=False, **FIVES)
    refusal = play.refused(OpenTable, "opal", **play.opening())
    for language in LANGUAGES:
        told = play.game.localization(language, UNSTATED).text(refusal.reason)
        assert "5" in told
        assert "%" in told
        assert "{" not in told
    assert ROUNDING_COST.code in {each.code for each in refusal.reason.args["costs"]}  # type: ignore[union-attr]


# ---------------------------------------------------------------- the chips on a page


@pytest.mark.parametrize(
    ("least", "most", "unit", "chips"),
    [
        (5_00, 500_00, 1, (5_00, 25_00, 100_00, 500_00)),
        (5_00, 500_00, 500, (5_00, 25_00, 100_00, 500_00)),
        (25_00, 10_000_00, 1, (25_00, 100_00, 500_00, 1000_00, 5000_00, 10_000_00)),
        (10_00, 1000_00, 1, (5_00, 25_00, 100_00, 500_00, 1000_00)),
        (50, 10_00, 50, (50, 1_00, 5_00)),
    ],
)
def test_a_page_offers_chips_that_fit_the_limits(least: int, most: int, unit: int, chips: tuple[int, ...]) -> None:
    game = longhu.game("dragon-tiger").definition
    limits = {id: Limit(least, most) for id in game.offered(next(iter(game.layouts)))}
    assert Play(game, cards=None, people={}, limits=limits, chip_unit=unit).notice.chip_values == chips


def test_a_house_chooses_its_chips() -> None:
    play = Play("dragon-tiger", cards=None, people={})
    play.does(ChangeSettings, "sue", changes={"chip_values": [10_00, 50_00, 200_00]})
    assert play.notice.chip_values == (10_00, 50_00, 200_00)


@pytest.mark.parametrize("values", [(5_00, 5_00), (25_00, 5_00), (0,), (-500,), (7_50,)])
def test_chips_on_a_page_are_whole_and_in_order(values: tuple[int, ...]) -> None:
    game = longhu.game("dragon-tiger").definition
    refusal = check_settings(game, settings_for(game, chip_unit=500, chip_values=values))
    assert refusal is not None
    assert refusal.reason == CHIP_VALUES_OFF(unit=500)
