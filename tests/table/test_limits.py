"""Limits and areas, wagers that staff place, and what comes too late or is found to be off the limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import longhu
from longhu.messages.message import Message
from longhu.money import AMOUNT_MAX, parse, show
from longhu.table.betting import (
    AREA_CAPPED,
    BET_THE_MINIMUM,
    CHOOSE_WAGER,
    MAY_ADD,
    NO_SUCH_WAGER,
    PATRON_HAS_NOT_ASKED,
    SAY_PATRON_ASKED,
    WAGER_ABOVE_MAXIMUM,
    WAGER_BELOW_MINIMUM,
    WAGER_NOT_OFFERED,
    AreaCapped,
    CapArea,
    PlaceWager,
    TakeWagerBack,
    WagerPlaced,
    WagerTakenBack,
)
from longhu.table.betting_phase import AbandonRound, CallNoMoreBets, CallPlaceYourBets
from longhu.table.cash import BuyIn, CashOut
from longhu.table.dealing import DrawCard
from longhu.table.irregularities.cards import DrawCardsTogether
from longhu.table.irregularities.device import ResetDevice
from longhu.table.irregularities.late import (
    NO_CHIPS_CAN_LIE,
    LateChipsReturned,
    OffLimitsWagerFound,
    RecordUnpaidLoss,
    ReportLateChips,
    ReportLiftedWager,
    ReportOffLimitsWager,
    UnpaidLossRecorded,
    WagerLifted,
)
from longhu.table.irregularities.power import ReportPowerFailure
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import AMOUNT_NOT_POSITIVE, NOT_WHOLE_CHIPS
from longhu.table.open_acts import open_acts
from longhu.table.opening import PostedLimit
from longhu.table.people import MAXIMUM_OUT_OF_RANGE, GrantMaximum, JoinTable, LeaveTable, MaximumGranted
from longhu.table.remedies.procedure import IncidentOpened
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.settling import WagerSettled
from longhu.table.state import Limit, area_account
from tests.table.rounds import Play

BANKER_WINS = "2D 9C KC QC"
PLAYER_WINS = "9D 2C KC QC"
BOTH_NINE = "9D 9C KC QC"


def immortal(cards: str = BANKER_WINS, readings: dict[str, str] | None = None, **settings: Any) -> Play:
    """Immortal Dragon Tiger with limits of 25.00 and 1000.00, betting open."""
    game = longhu.game("immortal-dragon-tiger", **readings or {}).definition
    layout = settings.get("layout", "A")
    limits = {id: Limit(2500, 100_000) for id in game.offered(layout)}
    play = Play(game, cards=cards, limits=limits, method="B", **settings)
    play.open_betting()
    return play


def again(play: Play, cards: str) -> None:
    """Another shoe, which starts with these cards, and the opening call."""
    play.load(cards)
    play.open_betting()


# ------------------------------------------------ limits


@pytest.mark.clause("IDT-3.5.1b", "LIM-1")
@pytest.mark.parametrize(
    ("amount", "taken"),
    [("20.00", False), ("24.99", False), ("25.00", True), ("1000.00", True), ("1025.00", False)],
    ids=str,
)
def test_a_wager_lies_within_the_limits(amount: str, taken: bool) -> None:
    play = immortal()
    wager = {"place": 1, "wager": "banker", "amount": parse(amount)}
    if taken:
        play.does(PlaceWager, "ann", **wager)
    else:
        play.refused(PlaceWager, "ann", "IDT-3.5.1b", **wager)
        assert play.chips("ann") == "10000.00"


@pytest.mark.clause("LIM-1")
@pytest.mark.parametrize(
    ("amount", "reason", "remedy"),
    [
        ("4.99", WAGER_BELOW_MINIMUM(wager="dragon", amount=499, minimum=500), BET_THE_MINIMUM()),
        ("510.01", WAGER_ABOVE_MAXIMUM(wager="dragon", amount=510_01, maximum=500_00), MAY_ADD(amount=500_00)),
        ("0.00", AMOUNT_NOT_POSITIVE(amount=0), BET_THE_MINIMUM()),
    ],
    ids=str,
)
def test_limits_stand_on_the_standard_where_the_document_has_no_clause(
    amount: str, reason: Message, remedy: Message
) -> None:
    game = longhu.game("dragon-tiger").definition
    play = Play(game, limits={id: Limit(500, 50_000) for id in game.offered(None)})
    play.open_betting()
    refusal = play.refused(PlaceWager, "ann", place=1, wager="dragon", amount=parse(amount))
    assert (refusal.reason, refusal.remedy, refusal.clause) == (reason, remedy, "LIM-1")


@pytest.mark.clause("LIM-1")
def test_what_is_left_of_a_wager_stands_on_the_standard_as_well() -> None:
    play = Play("dragon-tiger")
    play.open_betting()
    play.bet("ann", "dragon", "10.00")
    place = next(iter(play.table.round.stakes.values())).place if play.table.round else 0
    play.refused(TakeWagerBack, "ann", "LIM-1", place=place, wager="dragon", amount=parse("6.00"))


def test_whoever_asks_for_a_wager_that_is_not_offered_is_told_which_are() -> None:
    play = immortal()
    refusal = play.refused(PlaceWager, "ann", place=1, wager="nope", amount=2500)
    assert refusal.reason == WAGER_NOT_OFFERED(wager="nope")
    assert refusal.remedy == CHOOSE_WAGER(wagers=[*play.game.offered("A")])


@pytest.mark.clause("IDT-3.5.1b")
def test_a_wager_built_up_in_steps_stops_at_the_maximum_and_each_patron_has_the_whole_of_it() -> None:
    play = immortal()
    play.bet("ann", "banker", "900.00", place=4)
    refusal = play.refused(PlaceWager, "ann", "IDT-3.5.1b", place=4, wager="banker", amount=12500)
    assert refusal.remedy == MAY_ADD(amount=100_00)
    play.bet("ann", "banker", "100.00", place=4)
    play.bet("bob", "banker", "1000.00", place=4)


@pytest.mark.clause("IDT-3.5.1b")
def test_the_maximum_is_for_each_wager_at_one_playing_area() -> None:
    play = immortal(PLAYER_WINS)
    play.bet("ann", "banker", "1000.00", place=2)
    play.bet("ann", "banker", "1000.00", place=3)
    refusal = play.refused(PlaceWager, "ann", "IDT-3.5.1b", place=3, wager="banker", amount=2500)
    assert refusal.reason == WAGER_ABOVE_MAXIMUM(wager="banker", amount=1025_00, maximum=1000_00)
    play.finish()
    assert play.net("ann") == "-2000.00"


@pytest.mark.clause("IDT-5.13b")
def test_over_the_maximum_of_one_area_the_chips_on_another_do_not_count() -> None:
    play = immortal(PLAYER_WINS)
    play.bet("ann", "banker", "1000.00", place=2)
    play.close_betting()
    about: dict[str, Any] = {"patron": "ann", "place": 3, "wager": "banker"}
    play.refused(ReportOffLimitsWager, "dee", "IDT-3.5.1b", amount=1000_00, **about)
    play.does(ReportOffLimitsWager, "dee", amount=1500_00, **about)
    play.finish()
    assert play.net("ann") == "-2000.00"  # 1000.00 of each area


@pytest.mark.clause("LIM-1")
@pytest.mark.parametrize(("reading", "taken"), [("area", True), ("outcome", False)])
@pytest.mark.parametrize(("game", "wager"), [("dragon-tiger", "dragon"), ("dragon-bonus", "player")])
def test_where_the_document_is_silent_the_maximum_is_for_an_area_unless_the_house_reads_otherwise(
    game: str, wager: str, reading: str, taken: bool
) -> None:
    play = Play(longhu.game(game, maximum_per=reading).definition)
    play.open_betting()
    play.bet("ann", wager, "1000.00", place=1)
    again: dict[str, Any] = {"place": 2, "wager": wager, "amount": 500}
    if taken:
        play.does(PlaceWager, "ann", **again)
    else:
        refusal = play.refused(PlaceWager, "ann", **again)
        assert refusal.reason == WAGER_ABOVE_MAXIMUM(wager=wager, amount=1005_00, maximum=1000_00)


@pytest.mark.clause("D21-5.8.b", "D21-5.7.bb")
def test_of_dragon_21_one_maximum_is_for_all_areas_and_the_operators_cap_for_each() -> None:
    play = Play("dragon-21", area_cap="named", area_named=("ann",))
    play.does(GrantMaximum, "pam", person="ann", most=3000_00, wagers=("dragon",))
    play.open_betting()
    play.refused(PlaceWager, "ann", "D21-5.7.bb", place=1, wager="dragon", amount=1000_01)
    for place in (1, 2, 3):
        play.bet("ann", "dragon", "1000.00", place=place)
    play.refused(PlaceWager, "ann", "D21-5.8.b", place=4, wager="dragon", amount=500)
    play.bet("bob", "dragon", "600.00", place=4)
    play.refused(PlaceWager, "bob", "D21-5.8.b", place=5, wager="dragon", amount=400_01)


def test_a_house_may_let_the_maximum_bind_the_sum_on_an_area() -> None:
    play = immortal(readings={"limit_scope": "area"})
    play.bet("ann", "banker", "700.00", place=4)
    play.refused(PlaceWager, "bob", "IDT-3.5.1b", place=4, wager="banker", amount=parse("400.00"))
    play.bet("bob", "banker", "300.00", place=4)
    play.bet("bob", "player", "1000.00", place=4)


@pytest.mark.clause("IDT-3.5.1c")
@pytest.mark.parametrize("layout", ["A", "D"])
def test_the_notice_lists_minimum_and_maximum_of_every_wager_offered(layout: str) -> None:
    play = immortal(layout=layout)
    shown = play.notice.limits
    assert list(shown) == list(play.game.offered(layout))
    assert set(shown.values()) == {PostedLimit(min=25_00, max=1_000_00, increment=1)}


def test_the_notice_says_the_steps_in_whole_chips_and_whether_the_area_is_a_high_limit_one() -> None:
    plain, high = immortal(chip_unit=5_00), immortal(area="Ruby Room")
    shown = plain.notice
    assert {each.increment for each in shown.limits.values()} == {5_00}
    assert (shown.area, shown.high_limit) == (None, False)
    shown = high.notice
    assert (shown.area, shown.high_limit) == ("Ruby Room", True)


def test_a_wager_is_laid_and_lowered_in_whole_chips() -> None:
    play = Play("dragon-tiger", chip_unit=1_00)
    play.open_betting()
    play.refused(PlaceWager, "ann", place=1, wager="dragon", amount=5_01)
    play.bet("ann", "dragon", "10.00")
    play.refused(PlaceWager, "ann", place=1, wager="dragon", amount=50)
    play.refused(TakeWagerBack, "ann", place=1, wager="dragon", amount=50)
    play.does(TakeWagerBack, "ann", place=1, wager="dragon", amount=1_00)
    offered = [act for act in open_acts(play.table, play.game, "ann", play.now) if isinstance(act, PlaceWager)]
    assert {act.amount for act in offered} == {1_00, 5_00}


@pytest.mark.parametrize(
    ("wager", "clause"),
    [
        pytest.param("player", "DBO-MAX-1", marks=pytest.mark.clause("DBO-MAX-1")),
        pytest.param("banker", "DBO-MAX-2", marks=pytest.mark.clause("DBO-MAX-2")),
        pytest.param("tie", "DBO-MAX-3", marks=pytest.mark.clause("DBO-MAX-3")),
        pytest.param("dragon-bonus-player", "DBO-MAX-4", marks=pytest.mark.clause("DBO-MAX-4")),
        pytest.param("dragon-bonus-banker", "DBO-MAX-5", marks=pytest.mark.clause("DBO-MAX-5")),
    ],
)
def test_each_bet_of_the_online_game_has_its_own_maximum_which_no_house_raises(wager: str, clause: str) -> None:
    play = Play("dragon-bonus-online")
    play.does(GrantMaximum, "pam", person="ann", most=5000_00, wagers=(wager,))
    play.open_betting()
    if play.game.wagers[wager].requires:
        play.bet("ann", "player" if wager != "player" else "tie", "5.00")
    refusal = play.refused(PlaceWager, "ann", clause, place=1, wager=wager, amount=100_01)
    assert refusal.reason == WAGER_ABOVE_MAXIMUM(wager=wager, amount=100_01, maximum=100_00)
    play.bet("ann", wager, "100.00")
    play.refused(PlaceWager, "ann", clause, place=1, wager=wager, amount=1)


@pytest.mark.clause("D21-5.8.b")
def test_a_personal_maximum_is_for_wagers_to_come() -> None:
    play = Play("dragon-21")
    play.open_betting()
    own: dict[str, Any] = {"person": "ann", "wagers": ("dragon",)}
    play.does(GrantMaximum, "pam", most=2000_00, **own)
    play.bet("ann", "dragon", "2000.00")
    play.close_betting()
    for most in (5000_00, None):
        play.refused(GrantMaximum, "pam", most=most, **own)
    play.deal()
    play.refused(GrantMaximum, "pam", most=None, **own)
    play.finish()
    play.refused(GrantMaximum, "pam", most=0, **own)
    play.does(GrantMaximum, "pam", most=None, **own)


@pytest.mark.clause("D21-5.8.b")
def test_a_personal_maximum_lifts_or_lowers_only_the_wagers_that_it_names() -> None:
    play = Play("dragon-21")
    play.open_betting()
    play.refused(GrantMaximum, "pam", "D21-5.8.b", person="ann", most=5000_00, wagers=())
    play.refused(GrantMaximum, "pam", "D21-5.8.b", person="ann", most=5000_00, wagers=("dragon", "banker"))
    play.does(GrantMaximum, "pam", person="ann", most=5000_00, wagers=("dragon",))
    play.does(GrantMaximum, "pam", person="ann", most=100_00, wagers=("tie",))
    assert play.last(MaximumGranted).clause == "D21-5.8.b"
    play.bet("ann", "dragon", "4000.00")
    play.refused(PlaceWager, "ann", "D21-5.8.b", place=2, wager="dragon", amount=1000_01)
    play.refused(PlaceWager, "ann", "D21-5.8.b", place=1, wager="tiger", amount=1000_01)
    play.refused(PlaceWager, "ann", "D21-5.8.b", place=1, wager="tie", amount=100_01)
    play.bet("ann", "tie", "100.00")
    play.bet("bob", "tie", "1000.00")
    play.does(GrantMaximum, "pam", person="ann", most=None, wagers=("tie",))
    play.bet("ann", "tie", "900.00")
    play.refused(PlaceWager, "ann", "D21-5.8.b", place=1, wager="dragon", amount=1000_01)


def test_a_personal_maximum_leaves_room_for_the_minimum() -> None:
    play = Play("dragon-21")
    refusal = play.refused(GrantMaximum, "pam", person="ann", most=4_99, wagers=("dragon",))
    assert refusal.reason == MAXIMUM_OUT_OF_RANGE(minimum=5_00, maximum=AMOUNT_MAX)
    play.does(GrantMaximum, "pam", person="ann", most=5_00, wagers=("dragon",))


@pytest.mark.clause("IDT-3.5.1a")
def test_two_patrons_on_one_area_are_settled_separately() -> None:
    play = immortal()
    play.bet("ann", "banker", "100.00", place=4)
    play.bet("bob", "banker", "40.00", place=4)
    assert len(play.current.stakes) == 2
    play.finish()
    settled = {event.stake.patron: show(event.net) for event in play.log if isinstance(event, WagerSettled)}
    assert settled == {"ann": "95.00", "bob": "38.00"}
    assert (play.net("ann"), play.net("bob")) == ("95.00", "38.00")


@pytest.mark.clause("IDT-3.7")
def test_a_pit_manager_caps_the_wagers_on_an_area() -> None:
    play = immortal()
    area: dict[str, Any] = {"place": 4, "wager": "banker"}
    play.refused(CapArea, "dee", most=2, **area)
    play.refused(CapArea, "sue", most=2, **area)
    play.refused(CapArea, "pam", most=2, place=4, wager="player-pair")  # layout A has no such area
    play.does(CapArea, "pam", most=2, **area)
    assert play.last(AreaCapped).clause == "IDT-3.7"
    play.bet("ann", "banker", "25.00", place=4)
    play.bet("bob", "banker", "25.00", place=4)
    refusal = play.refused(PlaceWager, "cay", "IDT-3.7", amount=2500, **area)
    assert refusal.reason == AREA_CAPPED(wager="banker", place=4, most=2, counts="patrons")
    play.bet("cay", "tie", "25.00", place=4)  # other areas of the position are not capped
    play.bet("cay", "player", "25.00", place=4)
    play.bet("cay", "banker", "25.00", place=3)
    play.bet("ann", "banker", "25.00", place=4)  # whose wager is there already
    play.does(CapArea, "pam", most=None, **area)
    play.bet("cay", "banker", "25.00", place=4)


@pytest.mark.clause("IDT-3.7")
def test_on_a_capped_area_one_patron_may_have_every_kind_of_wager_beside() -> None:
    play = immortal()
    play.does(CapArea, "pam", place=2, wager="banker", most=1)
    play.bet("ann", "banker", "25.00", place=2)
    play.bet("bob", "tie", "25.00", place=2)
    play.refused(PlaceWager, "bob", "IDT-3.7", place=2, wager="banker", amount=2500)
    assert play.table.caps == {area_account(2, "banker"): 1}


# ------------------------------------------------ wagers placed on request


@pytest.mark.clause("IDT-3.8a")
@pytest.mark.parametrize("placer", ["dee", "sue", "pam"])
def test_staff_place_a_wager_on_request_and_both_are_on_record(placer: str) -> None:
    play = Play("immortal-dragon-tiger", people={"eve": 5}, method="B")
    play.open_betting()
    asked = {"patron": "eve", "place": 5, "wager": "banker"}
    unasked = play.refused(PlaceWager, placer, "IDT-3.8a", **asked, amount=parse("50.00"))
    assert (unasked.reason, unasked.remedy) == (PATRON_HAS_NOT_ASKED(patron="eve"), SAY_PATRON_ASKED())
    play.does(PlaceWager, placer, **asked, requested=True, amount=parse("50.00"))
    stake = play.last(WagerPlaced).stake
    assert (stake.patron, stake.place, stake.placed_by, stake.requested) == ("eve", 5, placer, True)
    assert play.last(WagerPlaced).clause == "IDT-3.8a"
    assert play.chips("eve") == "9950.00"
    play.refused(TakeWagerBack, placer, "IDT-3.8a", **asked)
    play.does(TakeWagerBack, placer, **asked, requested=True)
    assert play.last(WagerTakenBack).requested
    assert play.chips("eve") == "10000.00"


@pytest.mark.clause("IDT-3.8b")
def test_a_wager_set_on_the_wrong_area_and_not_corrected_is_settled_where_it_lies() -> None:
    play = immortal(BOTH_NINE)  # a tie on 9; Tiger Tie would need 6
    play.does(
        PlaceWager, "dee", patron="ann", requested=True, place=1, wager="tie", amount=parse("25.00")
    )  # ann said Tiger Tie
    play.close_betting()
    play.refused(TakeWagerBack, "ann", "IDT-5.5", place=1, wager="tie")
    play.finish()
    assert play.last(WagerSettled).stake.wager == "tie"
    assert play.net("ann") == "200.00"  # 8 to 1


@pytest.mark.clause("IDT-3.8b")
def test_before_the_call_it_may_be_corrected() -> None:
    play = immortal(BOTH_NINE)
    play.does(PlaceWager, "dee", patron="ann", requested=True, place=1, wager="tie", amount=parse("25.00"))
    play.does(TakeWagerBack, "ann", place=1, wager="tie")
    play.bet("ann", "tiger-tie", "25.00")
    play.finish()
    assert play.net("ann") == "-25.00"


# ------------------------------------------------ too late


def dragon_tiger(cards: str) -> Play:
    play = Play("dragon-tiger", cards=cards)
    play.open_betting()
    return play


@pytest.mark.clause("DT-5.6a")
@pytest.mark.parametrize("cards", ["KS QH", "QH KS"], ids=["Dragon wins", "Dragon loses"])
def test_a_late_dragon_wager_of_100_goes_back_whatever_the_result(cards: str) -> None:
    play = dragon_tiger(cards)
    play.bet("bob", "tiger", "10.00")
    play.close_betting()
    play.refused(PlaceWager, "ann", "DT-5.6a", place=1, wager="dragon", amount=parse("100.00"))
    play.does(ReportLateChips, "dee", patron="ann", place=1, wager="dragon", amount=parse("100.00"))
    assert play.last(LateChipsReturned).clause == "DT-5.6a"
    play.finish()
    assert play.net("ann") == "0.00"
    assert [event.stake.patron for event in play.log if isinstance(event, WagerSettled)] == ["bob"]


@pytest.mark.clause("DT-5.6b")
def test_of_a_wager_raised_late_from_50_to_80_only_50_counts() -> None:
    play = dragon_tiger("KS QH")
    play.bet("ann", "dragon", "50.00")
    play.close_betting()
    play.refused(PlaceWager, "ann", "DT-5.6b", place=1, wager="dragon", amount=parse("30.00"))
    play.does(ReportLateChips, "dee", patron="ann", place=1, wager="dragon", amount=parse("30.00"))
    returned = play.last(LateChipsReturned)
    assert (returned.clause, show(returned.amount)) == ("DT-5.6b", "30.00")
    play.finish()
    settled = play.last(WagerSettled)
    assert (show(settled.stake.amount), show(settled.net)) == ("50.00", "50.00")
    assert play.net("ann") == "50.00"


@pytest.mark.clause("DT-5.7")
@pytest.mark.parametrize(("cards", "net"), [("KS QH", "-50.00"), ("QH KS", "50.00")], ids=["loses", "wins"])
def test_a_tiger_wager_lifted_after_the_call_is_settled_all_the_same(cards: str, net: str) -> None:
    play = dragon_tiger(cards)
    play.bet("ann", "tiger", "50.00")
    play.refused(ReportLiftedWager, "dee", "DT-5.7", patron="ann", place=1, wager="tiger")
    play.close_betting()
    play.refused(TakeWagerBack, "ann", "DT-5.7", place=1, wager="tiger")
    play.does(ReportLiftedWager, "dee", patron="ann", place=1, wager="tiger")
    (stake,) = play.current.stakes.values()
    assert (stake.claim, show(stake.amount)) == (True, "50.00")
    play.finish()
    assert play.net("ann") == net


@pytest.mark.clause("DT-5.7")
def test_what_cannot_be_collected_is_recorded_as_unpaid_for_the_supervisor() -> None:
    play = dragon_tiger("KS QH")
    play.bet("ann", "tiger", "50.00")
    play.bet("bob", "tiger", "50.00")
    play.close_betting()
    unknown = play.refused(ReportLiftedWager, "dee", "DT-5.7", patron="ann", place=1, wager="dragon")
    assert unknown.reason == NO_SUCH_WAGER(patron="ann", wager="dragon", place=1)
    play.does(ReportLiftedWager, "dee", patron="ann", place=1, wager="tiger")
    assert play.last(WagerLifted).clause == "DT-5.7"
    play.finish()
    tray = play.table.balances["float:T1"]
    unpaid: dict[str, Any] = {"amount": parse("50.00"), "reason": "walked away with the chips"}
    play.refused(RecordUnpaidLoss, "dee", patron="ann", **unpaid)
    play.refused(RecordUnpaidLoss, "sue", "DT-5.7", patron="bob", **unpaid)
    play.does(RecordUnpaidLoss, "sue", patron="ann", **unpaid)
    assert play.last(UnpaidLossRecorded).reason == "walked away with the chips"
    assert play.table.balances["unpaid:ann"] == parse("50.00")
    assert tray - play.table.balances["float:T1"] == parse("50.00")
    play.refused(RecordUnpaidLoss, "sue", "DT-5.7", patron="ann", **unpaid)


@pytest.mark.clause("IDT-5.4a")
@pytest.mark.parametrize("cards", [BANKER_WINS, PLAYER_WINS], ids=["Banker wins", "Banker loses"])
def test_a_late_banker_wager_of_100_goes_back_whatever_the_outcome(cards: str) -> None:
    play = immortal(cards)
    play.close_betting()
    late = {"place": 1, "wager": "banker", "amount": parse("100.00")}
    play.refused(PlaceWager, "ann", "IDT-5.4a", **late)
    play.draw()
    play.refused(PlaceWager, "ann", "IDT-5.4a", **late)
    play.does(ReportLateChips, "dee", patron="ann", **late)
    play.finish()
    assert play.net("ann") == "0.00"


@pytest.mark.clause("IDT-5.4a")
def test_while_the_differential_lets_the_lighter_hand_go_up_chips_are_taken_after_the_call() -> None:
    play = immortal(differential=parse("100.00"))
    play.bet("ann", "player", "25.00")
    play.bet("bob", "banker", "225.00")
    play.close_betting()
    play.bet("ann", "player", "100.00")
    play.refused(PlaceWager, "ann", "IDT-5.4b", place=1, wager="player", amount=2500)  # the window has closed
    play.finish()
    assert (play.net("ann"), play.net("bob")) == ("-125.00", "213.75")


@pytest.mark.clause("IDT-5.4a")
def test_after_a_reset_of_the_device_wagers_are_taken_until_the_second_call() -> None:
    play = immortal()
    play.close_betting()
    late = {"place": 1, "wager": "banker", "amount": parse("100.00")}
    play.refused(PlaceWager, "ann", "IDT-5.4a", **late)
    play.does(ResetDevice, "dee", dealer_error=True)
    play.does(PlaceWager, "ann", **late)
    play.close_betting()
    play.refused(PlaceWager, "bob", "IDT-5.4a", **late)
    play.finish()
    assert play.net("ann") == "95.00"


@pytest.mark.clause("IDT-5.4b")
def test_of_a_wager_raised_late_to_80_only_50_is_settled() -> None:
    play = immortal()
    play.bet("ann", "banker", "50.00")
    play.close_betting()
    play.refused(PlaceWager, "ann", "IDT-5.4b", place=1, wager="banker", amount=parse("30.00"))
    play.does(ReportLateChips, "dee", patron="ann", place=1, wager="banker", amount=parse("30.00"))
    assert (play.last(LateChipsReturned).clause, play.last(LateChipsReturned).amount) == ("IDT-5.4b", 3000)
    play.finish()
    assert show(play.last(WagerSettled).stake.amount) == "50.00"
    assert play.net("ann") == "47.50"


@pytest.mark.clause("IDT-5.5")
def test_a_tie_wager_lifted_after_the_call_is_lost_when_there_is_no_tie() -> None:
    play = immortal(PLAYER_WINS)
    play.bet("ann", "tie", "50.00")
    play.close_betting()
    play.refused(TakeWagerBack, "ann", "IDT-5.5", place=1, wager="tie")
    play.does(ReportLiftedWager, "dee", patron="ann", place=1, wager="tie")
    play.finish()
    assert play.net("ann") == "-50.00"


def cut_before_the_first_card(play: Play) -> None:
    play.does(DrawCard, "dee")


def cards_drawn_together(play: Play) -> None:
    play.does(DrawCardsTogether, "dee", order_known=True)


def device_reset(play: Play) -> None:
    play.does(ResetDevice, "dee", dealer_error=True)


def power_failure(play: Play) -> None:
    play.does(ReportPowerFailure, "dee")


@pytest.mark.clause("IDT-5.5")
@pytest.mark.parametrize(
    ("window", "settings"),
    [
        pytest.param(cut_before_the_first_card, {"area": "Ruby Room", "cut_reserve": 412}, id="3.16.1"),
        pytest.param(cards_drawn_together, {"device": "reading-shoe"}, id="5.8"),
        pytest.param(device_reset, {}, id="5.9"),
        pytest.param(power_failure, {}, id="5.15"),
    ],
)
def test_a_withdrawal_after_the_call_is_honoured_where_a_rule_allows_it(
    window: Callable[[Play], None], settings: dict[str, Any]
) -> None:
    play = immortal(" ".join([PLAYER_WINS] * 2), **settings)
    play.finish()  # four cards, so that the cutting card may come next
    play.open_betting()
    play.bet("ann", "tie", "50.00")
    play.close_betting()
    play.refused(TakeWagerBack, "ann", "IDT-5.5", place=1, wager="tie")
    play.refused(AnswerWithdrawalOffer, "ann", withdraw=True)
    window(play)
    play.does(AnswerWithdrawalOffer, "ann", withdraw=True)
    play.finish()
    assert play.net("ann") == "0.00"


@pytest.mark.clause("IDT-5.5")
def test_a_withdrawal_that_the_differential_asks_for_is_honoured() -> None:
    play = immortal(PLAYER_WINS, differential=parse("100.00"))
    play.bet("ann", "banker", "150.00")
    play.close_betting()
    play.does(TakeWagerBack, "ann", place=1, wager="banker", amount=parse("50.00"))
    play.finish()
    assert play.net("ann") == "-100.00"


# ------------------------------------------------ found to be off the limits


def found(play: Play, patron: str, amount: str, wager: str = "banker") -> None:
    """Chips of the patron turn out to be this much, after the call."""
    place = play.table.people[patron].seat
    play.does(ReportOffLimitsWager, "dee", patron=patron, place=place, wager=wager, amount=parse(amount))


@pytest.mark.clause("IDT-5.12a")
def test_a_first_short_banker_wager_of_10_that_wins_is_credited_19_50() -> None:
    play = immortal(BANKER_WINS)
    play.close_betting()
    found(play, "ann", "10.00")
    assert play.chips("ann") == "9990.00"
    play.finish()
    settled = play.last(WagerSettled)
    assert (show(settled.stake.amount + settled.net), settled.clause) == ("19.50", "IDT-5.12a")
    assert play.net("ann") == "9.50"
    assert play.table.short_once == ("ann",)


@pytest.mark.clause("IDT-5.12b")
def test_a_first_short_banker_wager_of_10_that_loses_is_collected() -> None:
    play = immortal(PLAYER_WINS)
    play.bet("ann", "banker", "25.00")  # as it was entered; 10.00 lie there
    play.close_betting()
    found(play, "ann", "10.00")
    play.finish()
    assert play.last(WagerSettled).clause == "IDT-5.12b"
    assert play.net("ann") == "-10.00"
    assert play.table.short_once == ("ann",)


@pytest.mark.clause("IDT-5.12c")
@pytest.mark.parametrize("cards", [BANKER_WINS, PLAYER_WINS], ids=["wins", "loses"])
def test_a_second_short_wager_goes_back_whatever_the_outcome(cards: str) -> None:
    play = immortal(PLAYER_WINS)
    play.close_betting()
    found(play, "ann", "10.00")
    play.finish()
    again(play, cards)
    play.close_betting()
    found(play, "ann", "10.00")
    found(play, "bob", "10.00")  # for bob it is the first
    play.finish()
    settled = {event.stake.patron: event for event in play.log if isinstance(event, WagerSettled)}
    assert (settled["ann"].net, settled["ann"].returned, settled["ann"].clause) == (0, 1000, "IDT-5.12c")
    assert play.net("ann") == "-10.00"  # of the first round
    assert play.net("bob") == ("9.50" if cards == BANKER_WINS else "-10.00")


@pytest.mark.clause("IDT-5.12c")
def test_a_patron_who_goes_and_comes_back_has_had_the_one_time() -> None:
    play = immortal(PLAYER_WINS)
    play.close_betting()
    found(play, "ann", "10.00")
    play.finish()
    play.does(CashOut, "ann", amount=parse("9990.00"))
    play.does(LeaveTable, "ann")
    play.does(JoinTable, "ann", seat=1)
    play.does(BuyIn, "dee", patron="ann", amount=parse("100.00"))
    again(play, PLAYER_WINS)
    play.close_betting()
    found(play, "ann", "10.00")
    play.finish()
    assert play.chips("ann") == "100.00"


@pytest.mark.clause("IDT-5.12a", "IDT-5.12b", "IDT-5.12c")
@pytest.mark.parametrize("order", [("player", "tie"), ("tie", "player")], ids=["player first", "tie first"])
def test_several_short_wagers_of_one_round_are_settled_and_those_of_the_next_returned(order: tuple[str, str]) -> None:
    play = immortal(PLAYER_WINS)
    play.close_betting()
    for wager in order:
        found(play, "ann", "10.00", wager)
    play.finish()
    settled = {event.stake.wager: (event.net, event.clause) for event in play.log if isinstance(event, WagerSettled)}
    assert settled == {"player": (1000, "IDT-5.12a"), "tie": (-1000, "IDT-5.12b")}
    again(play, PLAYER_WINS)
    play.close_betting()
    for wager in order:
        found(play, "ann", "10.00", wager)
    play.finish()
    returned = [event for event in play.log[-10:] if isinstance(event, WagerSettled)]
    assert {(event.net, event.returned, event.clause) for event in returned} == {(0, 1000, "IDT-5.12c")}
    assert play.net("ann") == "0.00"


@pytest.mark.clause("IDT-5.13a", "LIM-1")
def test_a_banker_wager_of_1500_that_wins_is_paid_as_1000() -> None:
    play = immortal(BANKER_WINS)
    play.bet("ann", "banker", "1000.00")
    play.close_betting()
    found(play, "ann", "1500.00")
    play.finish()
    settled = play.last(WagerSettled)
    assert (show(settled.net), show(settled.stake.amount), settled.clause) == ("950.00", "1500.00", "IDT-5.13a")
    assert play.net("ann") == "950.00"


@pytest.mark.clause("IDT-5.13a")
def test_over_the_maximum_a_push_gives_everything_back() -> None:
    play = immortal(BOTH_NINE)
    play.close_betting()
    found(play, "ann", "1500.00")
    play.finish()
    assert play.net("ann") == "0.00"


@pytest.mark.clause("IDT-5.13b")
def test_a_banker_wager_of_1500_that_loses_is_collected_up_to_1000() -> None:
    play = immortal(PLAYER_WINS)
    play.close_betting()
    found(play, "ann", "1500.00")
    play.finish()
    settled = play.last(WagerSettled)
    assert (show(-settled.net), show(settled.returned), settled.clause) == ("1000.00", "500.00", "IDT-5.13b")
    assert play.net("ann") == "-1000.00"


@pytest.mark.clause("IDT-5.14")
def test_a_claim_in_round_9_about_round_7_changes_nothing() -> None:
    play = immortal(" ".join([BANKER_WINS] * 8))
    play.finish()
    for _ in range(6):
        play.round(ann={"banker": "1000.00"})
    play.round()
    play.open_betting()
    play.bet("bob", "banker", "25.00")
    play.close_betting()
    assert play.current.number == 9
    before = play.table
    about: dict[str, Any] = {"patron": "ann", "place": 1, "wager": "banker", "amount": parse("1500.00")}
    play.refused(ReportOffLimitsWager, "dee", "IDT-5.14", round=7, **about)
    assert play.table == before
    play.does(ReportOffLimitsWager, "dee", round=9, **about)
    assert play.last(OffLimitsWagerFound).stake.found


@pytest.mark.clause("IDT-5.14")
def test_between_rounds_nothing_can_be_found_any_more() -> None:
    play = immortal(BANKER_WINS)
    play.bet("ann", "banker", "1000.00")
    play.finish()
    before = play.table.balances
    play.refused(
        ReportOffLimitsWager, "dee", "IDT-5.14", patron="ann", place=1, wager="banker", amount=parse("1500.00")
    )
    assert play.table.balances == before


def test_chips_within_the_limits_are_not_found_to_be_off_them() -> None:
    play = immortal()
    about: dict[str, Any] = {"patron": "ann", "place": 1, "wager": "banker"}
    play.refused(ReportOffLimitsWager, "dee", "IDT-3.5.1b", **about, amount=parse("1500.00"))  # the call comes first
    play.close_betting()
    play.refused(ReportOffLimitsWager, "dee", "IDT-3.5.1b", **about, amount=parse("1000.00"))
    nowhere = play.refused(ReportOffLimitsWager, "dee", "IDT-3.5.1b", **{**about, "place": 99}, amount=parse("1500.00"))
    assert nowhere.reason == NO_CHIPS_CAN_LIE(patron="ann", wager="banker", place=99)
    play.refused(ReportOffLimitsWager, "ann", **about, amount=parse("1500.00"))
    play.refused(ReportOffLimitsWager, "dee", "MON-3", **about, amount=parse("20000.00"))


def test_chips_that_are_found_are_whole_chips() -> None:
    play = immortal(chip_unit=500)
    play.bet("ann", "banker", "50.00")
    play.close_betting()
    about: dict[str, Any] = {"patron": "ann", "place": 1, "wager": "banker"}
    assert (
        play.refused(ReportOffLimitsWager, "dee", "IDT-3.5.1b", **about, amount=1).reason.code == NOT_WHOLE_CHIPS.code
    )
    assert play.refused(ReportLateChips, "dee", "IDT-5.4a", **about, amount=1).reason.code == NOT_WHOLE_CHIPS.code
    play.does(ReportOffLimitsWager, "dee", **about, amount=500)


def test_chips_over_the_maximum_may_be_reported_where_one_chip_is_the_minimum() -> None:
    play = immortal(chip_unit=2500)
    play.close_betting()
    acts = open_acts(play.table, play.game, "dee", play.now)
    assert ReportOffLimitsWager in [act if isinstance(act, type) else type(act) for act in acts]


@pytest.mark.clause("IDT-5.12a")
def test_a_wrong_count_of_what_was_found_is_put_right() -> None:
    play = immortal(BANKER_WINS)
    play.bet("ann", "banker", "50.00")
    play.close_betting()
    found(play, "ann", "1.00")
    about: dict[str, Any] = {"patron": "ann", "place": 1, "wager": "banker"}
    play.refused(ReportOffLimitsWager, "dee", "IDT-3.5.1b", **about, amount=parse("1.00"))
    found(play, "ann", "10.00")
    (stake,) = play.current.stakes.values()
    assert (stake.amount, stake.found, play.chips("ann")) == (1000, True, "9990.00")
    found(play, "ann", "50.00")
    (stake,) = play.current.stakes.values()
    assert (stake.amount, stake.found, play.chips("ann")) == (5000, False, "9950.00")
    play.refused(ReportOffLimitsWager, "dee", "IDT-3.5.1b", **about, amount=parse("60.00"))
    play.finish()
    assert (play.net("ann"), play.table.short_once) == ("47.50", ())


def test_where_a_document_is_silent_the_pit_decides_about_a_short_wager() -> None:
    play = dragon_tiger("KS QH")
    play.close_betting()
    events = play.does(ReportOffLimitsWager, "dee", patron="ann", place=1, wager="dragon", amount=100)
    assert IncidentOpened in [type(event) for event in events]
    play.refused(DrawCard, "dee")


def test_an_opened_round_that_nobody_bets_on_is_put_away() -> None:
    play = Play("dragon-bonus-online")
    play.does(CallPlaceYourBets, "dee")
    play.refused(CallNoMoreBets, "dee")
    play.refused(AbandonRound, "ann")
    play.does(ReportIncident, "dee", told="a drink on the cards")
    play.refused(AbandonRound, "dee")
    play.does(MakeRuling, "gus", decision="continue", reason="wiped up")
    play.does(AbandonRound, "dee")
    assert play.table.round is None
    play.does(CallPlaceYourBets, "dee")
    play.bet("ann", "player", "10.00")
    play.refused(AbandonRound, "dee")
