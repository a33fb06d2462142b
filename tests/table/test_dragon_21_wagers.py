"""Dragon 21 at the live table: wagers, limits and calls; from the layout to the payments."""

from __future__ import annotations

from typing import Any

import pytest

import longhu
from longhu.table.betting import MAY_ADD, ConfirmWager, PlaceWager, TakeWagerBack, WagerPlaced
from longhu.table.betting_phase import BettingClosed, CallNoMoreBets, CallPlaceYourBets
from longhu.table.call_bets import SetSpokenWager, SpeakWager, SpokenWagerEnded
from longhu.table.cash import CashOut
from longhu.table.dealing import AnnounceResult, DrawCard, ResultAnnounced
from longhu.table.engine import evolve
from longhu.table.handling import PassHands
from longhu.table.opening import ChangeSettings, OpenTable, SettingsChanged
from longhu.table.people import GrantMaximum, LeaveTable
from longhu.table.remedies.procedure import ReportIrregularity
from longhu.table.remedies.void import StakeReturned
from longhu.table.settling import SettleRound, WagerSettled
from longhu.table.state import Limit, Phase, Table
from longhu.table.tie_returns import ChangeReturnedWager
from longhu.table.views import Viewer, view
from tests.table.rounds import Play, settings_for

DRAGON_WINS = "TS 9H TH 9C"  # 20 against 18
TIGER_WINS = "9H TS 9C TH"
TIE_ON_19 = "TS TD 9H 9C"
FOUR: dict[str, int | None] = {"ann": 1, "bob": 2, "cay": 3, "dan": 4}


def with_limits(low: int, high: int) -> dict[str, Limit]:
    return dict.fromkeys(settings_for(longhu.game("dragon-21").definition).limits, Limit(low * 100, high * 100))


def bet(place: int, wager: str, dollars: int, **fields: Any) -> dict[str, Any]:
    return {"place": place, "wager": wager, "amount": dollars * 100, **fields}


def betting(cards: str = DRAGON_WINS, **settings: Any) -> Play:
    """A table where betting is open."""
    play = Play("dragon-21", cards=cards, **settings)
    play.open_betting()
    return play


# ---------------------------------------------------------------- 5.3 to 5.6 how wagers are placed


@pytest.mark.clause("D21-5.3a")
def test_wagers_are_chips_on_an_area() -> None:
    play = betting()
    play.refused(PlaceWager, "cay", "D21-5.3a", **bet(3, "tiger", 50, cash=True))
    play.does(PlaceWager, "cay", **bet(3, "tiger", 50, chips=(25_00, 25_00)))
    placed = play.last(WagerPlaced)
    assert (placed.stake.place, placed.stake.wager, placed.chips) == (3, "tiger", (25_00, 25_00))
    assert play.table.balances["layout:3/tiger"] == 50_00


@pytest.mark.clause("D21-5.3b")
@pytest.mark.parametrize(
    ("chips", "restack"), [((100_00, 25_00, 5_00), False), ((5_00, 100_00), True)], ids=["large below", "small below"]
)
def test_smaller_chips_lie_above_larger_ones(chips: tuple[int, ...], restack: bool) -> None:
    play = betting()
    play.does(PlaceWager, "ann", **bet(1, "dragon", sum(chips) // 100, chips=chips))
    assert play.last(WagerPlaced).restack is restack
    told = view(play.table, play.game, Viewer()).round
    assert told is not None
    assert [each.restack for each in told.stakes] == [restack]
    play.finish()
    assert play.last(WagerSettled).net == sum(chips)  # a wrong stack is a wager all the same (Q40)


@pytest.mark.clause("D21-5.4a")
def test_a_spoken_wager_needs_its_chips() -> None:
    play = betting()
    play.refused(SpeakWager, "ann", "D21-5.4a", **bet(1, "dragon", 100))
    play.refused(SpeakWager, "ann", "D21-5.4a", **bet(1, "dragon", 100, chips=(50_00,)))
    play.does(SpeakWager, "ann", **bet(1, "dragon", 100, chips=(100_00,)))
    assert list(play.current.spoken) == ["ann/1/dragon"]
    assert play.current.stakes == {}  # it waits for the dealer
    assert play.chips("ann") == "9900.00"


@pytest.mark.clause("D21-5.4b")
def test_a_spoken_wager_stands_once_the_dealer_has_set_it_down() -> None:
    play = betting()
    play.does(SpeakWager, "ann", **bet(1, "dragon", 100, chips=(100_00,)))
    play.does(SpeakWager, "bob", **bet(2, "tiger", 100, chips=(100_00,)))
    play.does(SetSpokenWager, "dee", patron="ann", place=1, wager="dragon")
    play.close_betting()
    assert list(play.current.stakes) == ["ann/1/dragon"]
    assert play.last(SpokenWagerEnded).spoken.patron == "bob"
    assert play.last(SpokenWagerEnded).lapsed
    assert play.chips("bob") == "10000.00"
    play.refused(SetSpokenWager, "dee", "D21-5.4b", patron="bob", place=2, wager="tiger")
    play.finish()
    assert (play.net("ann"), play.net("bob")) == ("100.00", "0.00")


@pytest.mark.clause("D21-5.4b")
def test_a_spoken_wager_may_be_taken_back_until_the_dealer_sets_it_down() -> None:
    play = betting()
    play.bet("ann", "dragon", "50.00")
    play.does(SpeakWager, "ann", **bet(1, "dragon", 100, chips=(100_00,)))
    play.does(SpeakWager, "bob", **bet(2, "tiger", 100, chips=(100_00,)))
    play.refused(TakeWagerBack, "cay", place=2, wager="tiger", patron="bob")
    play.refused(TakeWagerBack, "bob", "D21-5.4a", place=2, wager="tiger", amount=50_00)
    play.does(TakeWagerBack, "bob", place=2, wager="tiger")
    assert (play.chips("bob"), play.last(SpokenWagerEnded).taken_back) == ("10000.00", True)
    play.refused(SetSpokenWager, "dee", "D21-5.4b", patron="bob", place=2, wager="tiger")
    play.does(TakeWagerBack, "ann", place=1, wager="dragon", amount=20_00)  # of the chips on the layout
    play.does(TakeWagerBack, "ann", place=1, wager="dragon")  # what was said last
    assert (play.chips("ann"), play.current.spoken) == ("9970.00", {})
    assert play.current.stakes["ann/1/dragon"].amount == 30_00


def test_a_void_round_gives_spoken_chips_back() -> None:
    play = betting(device="reading-shoe")
    play.does(SpeakWager, "ann", **bet(1, "dragon", 100, chips=(100_00,)))
    play.does(ReportIrregularity, "dee", kind="foreign-card", told="a joker")
    assert play.chips("ann") == "10000.00"


@pytest.mark.clause("D21-5.5b")
def test_an_assisted_wager_says_whether_the_patron_confirmed_it() -> None:
    play = betting()
    play.does(PlaceWager, "dee", **bet(1, "dragon", 50, patron="ann", requested=True))
    play.does(PlaceWager, "dee", **bet(2, "dragon", 50, patron="bob", requested=True))
    play.bet("cay", "tiger", "50.00")
    play.does(ConfirmWager, "ann", place=1, wager="dragon")
    play.close_betting()
    assert play.last(BettingClosed).unconfirmed == ("bob/2/dragon",)
    play.refused(ConfirmWager, "bob", place=2, wager="dragon")
    settled = {each.stake.patron: each.stake for each in play.finish() if isinstance(each, WagerSettled)}
    assert {patron: (stake.requested, stake.confirmed) for patron, stake in settled.items()} == {
        "ann": (True, True),
        "bob": (True, False),
        "cay": (False, True),
    }


@pytest.mark.clause("D21-5.6a")
def test_a_standing_patron_wagers_and_is_paid() -> None:
    play = betting(TIE_ON_19)
    play.bet("stan", "tie", "5.00", place=2)
    play.finish()
    assert play.net("stan") == "35.00"


# ---------------------------------------------------------------- 5.7 sharing an area


@pytest.mark.clause("D21-5.7")
def test_only_the_operator_decides_how_areas_are_shared() -> None:
    play = Play("dragon-21", cards=DRAGON_WINS)
    for person in ("dee", "sue", "gus"):
        play.refused(ChangeSettings, person, changes={"area_players": 3})
    play.open_betting()
    play.refused(ChangeSettings, "opal", "D21-5.7.a", changes={"area_players": 3})
    play.finish()
    play.does(ChangeSettings, "opal", changes={"area_players": 3}, why="a busy night")
    changed = play.last(SettingsChanged)
    assert (changed.by, changed.before.area_players, changed.after.area_players) == ("opal", 1, 3)
    play.open_betting()
    play.bet("ann", "dragon", "50.00", place=1)
    play.bet("bob", "dragon", "50.00", place=1)


@pytest.mark.clause("D21-5.7.a")
def test_up_to_three_patrons_share_an_area_where_the_operator_permits() -> None:
    for off in (0, 1):  # nothing set is read as one (Q17)
        alone = betting(people=FOUR, area_players=off)
        alone.bet("ann", "dragon", "50.00", place=1)
        alone.refused(PlaceWager, "bob", "D21-5.7.a", **bet(1, "dragon", 50))
    shared = betting(people=FOUR, area_players=3)
    for patron in ("ann", "bob", "cay"):
        shared.bet(patron, "dragon", "50.00", place=1)
    shared.refused(PlaceWager, "dan", "D21-5.7.a", **bet(1, "dragon", 50))
    shared.bet("ann", "dragon", "50.00", place=1)
    shared.bet("dan", "tiger", "50.00", place=1)  # another area
    play = Play("dragon-21", open=False, area_players=4)

    play.refused(OpenTable, "sue", "D21-5.7.a", **play.opening())


@pytest.mark.clause("D21-5.7.ba")
def test_everybody_on_an_area_may_be_capped_together() -> None:
    play = betting(area_players=3, area_cap="all")
    play.bet("ann", "dragon", "700.00", place=1)
    refusal = play.refused(PlaceWager, "bob", "D21-5.7.ba", **bet(1, "dragon", 400))
    assert refusal.remedy == MAY_ADD(amount=300_00)
    play.bet("bob", "dragon", "300.00", place=1)
    off = betting(area_players=3)
    off.bet("ann", "dragon", "700.00", place=1)
    off.bet("bob", "dragon", "400.00", place=1)


@pytest.mark.clause("D21-5.7.bb")
def test_named_patrons_on_an_area_may_be_capped_together() -> None:
    play = betting(area_players=3, area_cap="named", area_named=("ann", "bob"))
    play.bet("ann", "dragon", "700.00", place=1)
    play.bet("cay", "dragon", "1000.00", place=1)
    play.refused(PlaceWager, "bob", "D21-5.7.bb", **bet(1, "dragon", 400))
    play.bet("bob", "dragon", "300.00", place=1)


# ---------------------------------------------------------------- 5.8 several areas


@pytest.mark.clause("D21-5.8")
def test_one_outcome_may_be_backed_on_several_areas() -> None:
    play = betting(TIGER_WINS)
    play.bet("ann", "tiger", "25.00", place=1)
    play.bet("ann", "tiger", "50.00", place=4)
    paid = [each.net for each in play.finish() if isinstance(each, WagerSettled)]
    assert paid == [25_00, 50_00]
    one = longhu.game("dragon-21", sets_per_player="one").definition
    play = Play(one)
    play.open_betting()
    play.bet("ann", "tiger", "25.00", place=1)
    play.refused(PlaceWager, "ann", **bet(4, "tiger", 50))


@pytest.mark.clause("D21-5.8.a")
def test_the_minimum_holds_on_each_area() -> None:
    play = betting(limits=with_limits(25, 1000))
    play.bet("ann", "dragon", "25.00", place=1)
    play.refused(PlaceWager, "ann", "D21-5.8.a", **bet(2, "dragon", 10))


@pytest.mark.clause("D21-5.8.b")
def test_the_maximum_holds_over_all_areas_together() -> None:
    play = betting()
    play.bet("ann", "dragon", "600.00", place=1)
    play.refused(PlaceWager, "ann", "D21-5.8.b", **bet(2, "dragon", 500))
    play.bet("ann", "dragon", "400.00", place=2)
    play.refused(GrantMaximum, "sue", person="ann", wagers=("dragon",), most=2000_00)
    play.does(GrantMaximum, "pam", person="ann", wagers=("dragon",), most=2000_00)
    play.bet("ann", "dragon", "1000.00", place=3)
    play.refused(PlaceWager, "ann", "D21-5.8.b", **bet(3, "dragon", 5))


# ---------------------------------------------------------------- 5.9 to 5.11 the calls


@pytest.mark.clause("D21-5.9")
def test_betting_closes_at_the_call_and_at_nothing_else() -> None:
    play = betting(TIE_ON_19)
    play.bet("ann", "dragon", "50.00")
    play.refused(DrawCard, "dee")
    play.does(TakeWagerBack, "ann", place=1, wager="dragon")
    assert play.current.phase is Phase.BETTING
    play.close_betting()
    play.refused(PlaceWager, "ann", "D21-5.9.a", place=1, wager="dragon", amount=5000)
    play.finish()
    play.round(ann={"tie": "5.00"})
    table, closed_by = Table(game=""), []
    for event in play.log:
        after = evolve(table, event)
        if (
            table.round
            and table.round.phase is Phase.BETTING
            and after.round
            and after.round.phase is not Phase.BETTING
        ):
            closed_by.append(type(event))
        table = after
    assert closed_by == [BettingClosed, BettingClosed]


@pytest.mark.clause("D21-5.9.a")
def test_no_wager_after_the_call() -> None:
    play = betting()
    play.bet("ann", "dragon", "50.00")
    play.close_betting()
    play.refused(PlaceWager, "bob", "D21-5.9.a", **bet(2, "dragon", 25))
    play.refused(PlaceWager, "ann", "D21-5.9.a", **bet(1, "dragon", 25))


@pytest.mark.clause("D21-5.9.b")
def test_wagers_are_frozen_until_the_area_is_paid() -> None:
    play = betting(TIE_ON_19)
    play.bet("ann", "tie", "5.00")
    play.close_betting()
    play.refused(TakeWagerBack, "ann", "D21-5.9.b", place=1, wager="tie")
    play.draw()
    play.refused(TakeWagerBack, "ann", "D21-5.9.b", place=1, wager="tie", amount=1_00)
    play.deal()
    play.does(AnnounceResult, "dee")
    play.refused(TakeWagerBack, "ann", "D21-5.9.b", place=1, wager="tie")
    assert play.chips("ann") == "9995.00"
    play.does(SettleRound, "dee")
    play.does(CashOut, "ann", amount=10_035_00)  # the stake and what it won are hers to take


@pytest.mark.clause("D21-5.9c")
def test_nobody_can_let_a_late_wager_in() -> None:
    play = betting()
    play.close_betting()
    for person in ("dee", "sue", "gus"):
        play.refused_on_record(PlaceWager, person, "D21-5.9.a", **bet(1, "dragon", 25, patron="ann"))
        play.refused(CallPlaceYourBets, person)
        play.refused(CallNoMoreBets, person)


@pytest.mark.clause("D21-5.10")
def test_a_losing_wager_is_not_picked_up() -> None:
    play = betting(TIGER_WINS)
    play.bet("ann", "dragon", "50.00")
    play.close_betting()
    play.deal()
    play.does(AnnounceResult, "dee")
    assert play.last(ResultAnnounced).winner == "tiger"
    play.refused(TakeWagerBack, "ann", "D21-5.10", place=1, wager="dragon")
    before = play.table.balances["float:T1"]
    play.does(SettleRound, "dee")
    assert play.table.balances["float:T1"] == before + 50_00
    play.refused(ChangeReturnedWager, "ann", "D21-5.11", **bet(1, "dragon", 20))


@pytest.mark.clause("D21-5.11")
def test_after_a_tie_returned_wagers_may_be_changed_before_the_next_round() -> None:
    play = betting(TIE_ON_19)
    play.bet("ann", "dragon", "50.00")
    play.bet("bob", "tie", "5.00")
    play.bet("cay", "tiger", "50.00")
    play.close_betting()
    play.refused(TakeWagerBack, "ann", "D21-5.9.b", place=1, wager="dragon", amount=30_00)
    play.deal()
    play.does(AnnounceResult, "dee")
    play.refused(ChangeReturnedWager, "ann", "D21-5.11", **bet(1, "dragon", 20))  # Bob is not paid yet
    play.does(SettleRound, "dee")
    assert (play.net("ann"), play.net("bob")) == ("0.00", "35.00")
    play.refused(ChangeReturnedWager, "ann", "D21-5.8.a", **bet(1, "dragon", 2))
    play.does(ChangeReturnedWager, "ann", **bet(1, "dragon", 20))
    play.refused(ChangeReturnedWager, "bob", "D21-5.11", **bet(2, "tie", 10))  # it won; there is nothing returned
    play.open_betting()
    assert {key: stake.amount for key, stake in play.current.stakes.items()} == {"ann/1/dragon": 20_00}
    assert play.chips("ann") == "9980.00"
    play.refused(ChangeReturnedWager, "ann", "D21-5.11", **bet(1, "dragon", 50))


def test_a_returned_wager_may_be_taken_away_or_raised_within_the_limits() -> None:
    play = betting(TIE_ON_19)
    play.bet("ann", "dragon", "50.00")
    play.bet("bob", "tiger", "50.00")
    play.finish()
    play.refused(ChangeReturnedWager, "ann", "D21-5.8.b", **bet(1, "dragon", 1001))
    play.does(ChangeReturnedWager, "ann", **bet(1, "dragon", 1000))
    play.does(ChangeReturnedWager, "bob", **bet(2, "tiger", 50))
    play.does(ChangeReturnedWager, "bob", **bet(2, "tiger", 0))
    play.open_betting()
    assert {key: stake.amount for key, stake in play.current.stakes.items()} == {"ann/1/dragon": 1000_00}


@pytest.mark.clause("D21-5.11")
@pytest.mark.parametrize("dollars", [0, 20])
def test_nobody_else_changes_a_wager_that_a_tie_returned(dollars: int) -> None:
    play = betting(TIE_ON_19)
    play.bet("ann", "dragon", "50.00")
    play.finish()
    play.does(ChangeReturnedWager, "ann", **bet(1, "dragon", 50))
    play.refused(ChangeReturnedWager, "bob", **bet(1, "dragon", dollars, patron="ann"))
    play.does(ChangeReturnedWager, "dee", **bet(1, "dragon", 20, patron="ann"))
    play.open_betting()
    assert {key: stake.amount for key, stake in play.current.stakes.items()} == {"ann/1/dragon": 20_00}


@pytest.mark.clause("D21-5.11", "D21-1.0-VOID-HAND")
def test_a_wager_that_lies_after_a_tie_waits_while_a_void_hand_is_dealt() -> None:
    play = betting(f"{TIE_ON_19} {DRAGON_WINS}")
    play.bet("ann", "dragon", "50.00")
    play.finish()
    play.does(ChangeReturnedWager, "ann", **bet(1, "dragon", 20))
    play.does(CallPlaceYourBets, "sue", wagering=False)
    play.refused(ChangeReturnedWager, "ann", "D21-5.11", **bet(1, "dragon", 50))
    assert play.current.stakes == {}
    play.finish()
    play.open_betting()
    assert {key: stake.amount for key, stake in play.current.stakes.items()} == {"ann/1/dragon": 20_00}


@pytest.mark.clause("D21-8.0f", "D21-5.11")
@pytest.mark.parametrize(("dollars", "holder"), [(50, "ann"), (60, "bob")])
def test_wagers_that_lie_again_keep_the_moment_at_which_they_came_to_their_amount(dollars: int, holder: str) -> None:
    play = betting(f"{TIE_ON_19} {DRAGON_WINS}", method="B")
    play.bet("ann", "dragon", "50.00")
    play.bet("bob", "dragon", "50.00")
    play.finish()
    play.does(ChangeReturnedWager, "bob", **bet(2, "dragon", dollars))
    play.does(ChangeReturnedWager, "ann", **bet(1, "dragon", dollars))
    play.open_betting()
    play.close_betting()
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    assert play.current.holders[0] == holder


def test_a_win_with_17_is_returned_but_is_no_tie() -> None:
    play = betting("TS TD 7H 6C TH")  # Tiger draws to 26
    play.bet("ann", "dragon", "50.00")
    play.finish()
    line = play.game.wagers["dragon"].lines[play.last(WagerSettled).line]
    assert (line.says.en, play.net("ann")) == ("Win with 17", "0.00")
    assert play.table.returned == {}


def test_games_that_do_not_say_so_leave_nothing_on_the_layout() -> None:
    play = Play("immortal-dragon-tiger", cards="9S 9H TH TC")
    play.round(ann={"player": "50.00"})
    assert (play.last(WagerSettled).result, play.table.returned) == ("push", {})


# ---------------------------------------------------------------- 1.0 Void Hand, 11A Perfect Pair


@pytest.mark.clause("D21-1.0-VOID-HAND")
def test_a_void_hand_is_dealt_without_wagers() -> None:
    play = Play("dragon-21", cards=DRAGON_WINS)
    play.refused(CallPlaceYourBets, "dee", "D21-1.0-VOID-HAND", wagering=False)
    before = play.table.balances
    play.does(CallPlaceYourBets, "sue", wagering=False)
    for wager in play.settings.limits:
        play.refused(PlaceWager, "ann", "D21-1.0-VOID-HAND", **bet(1, wager, 25))
    start = len(play.log)
    play.finish()
    announced = play.last(ResultAnnounced)
    assert (announced.totals, announced.winner) == ((20, 18), "dragon")
    assert play.table.balances == before
    assert not any(event.transactions() for event in play.log[start:])
    unused = Play(longhu.game("dragon-21", void_hand="off").definition)
    unused.refused(CallPlaceYourBets, "sue", wagering=False)


@pytest.mark.clause("D21-11Ae")
def test_a_perfect_pair_is_paid_with_the_other_wagers() -> None:
    bets = {"dragon": "5.00", "dragon-perfect-pair": "10.00"}
    play = betting("TS 9H TS 9C", device="reading-shoe")
    for wager, amount in bets.items():
        play.bet("ann", wager, amount)
    play.close_betting()
    play.deal()
    play.refused(SettleRound, "dee", "D21-10.2")
    assert play.net("ann") == "-15.00"
    play.does(AnnounceResult, "dee")
    assert play.net("ann") == "-15.00"
    play.does(SettleRound, "dee")
    assert play.net("ann") == "255.00"  # 25 to 1 on ten, and five for Dragon's 20

    void = betting("TS 9H TS 9C", device="reading-shoe")
    for wager, amount in bets.items():
        void.bet("ann", wager, amount)
    void.close_betting()
    for _ in range(4):
        void.draw()
    void.does(ReportIrregularity, "dee", kind="foreign-card", told="a joker")
    assert void.last(StakeReturned).stake.amount in (5_00, 10_00)
    assert void.net("ann") == "0.00"


def test_nobody_leaves_with_chips_in_the_dealers_hand() -> None:
    play = betting()
    play.does(SpeakWager, "ann", **bet(1, "dragon", 100, chips=(100_00,)))
    play.does(CashOut, "ann", amount=9_900_00)
    play.refused(LeaveTable, "ann")
    play.close_betting()
    play.does(CashOut, "ann", amount=100_00)
    play.does(LeaveTable, "ann")
