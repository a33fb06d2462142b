"""The table differential: what it is, and each document's own way to bring it down."""

from __future__ import annotations

from typing import Any

import pytest

import longhu
from longhu.eventsourcing import Event
from longhu.money import parse, show
from longhu.positions import Position
from longhu.table.betting import PlaceWager, TakeWagerBack, WagerPlaced, WagerTakenBack
from longhu.table.betting_phase import CallNoMoreBets
from longhu.table.dealer import next_act
from longhu.table.dealing import CardDrawn, DrawCard
from longhu.table.differential import (
    AT_MOST,
    DIFFERENTIAL,
    DIFFERENTIAL_WITHIN_LIMIT,
    ONLY_THOSE_ON_HAND_RAISE,
    DifferentialExceeded,
    DifferentialLeft,
    DifferentialMet,
    Gap,
    LeaveDifferential,
    RemoveWager,
    ScaleBack,
    WagerReduced,
    differential_told,
    shares,
    table_differential,
)
from longhu.table.irregularities.device import ResetDevice
from longhu.table.irregularities.exposure import ReportFaceUpCard
from longhu.table.irregularities.power import ReportPowerFailure
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import ASK_POSITION, NOT_WHOLE_CHIPS
from longhu.table.open_acts import open_acts
from longhu.table.opening import ChangeSettings, OpenTable, PostedLimit, SettingsChanged
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.state import Limit, Phase, Stake
from tests.table.rounds import Play

PEOPLE = {"ann": 1, "bob": 2, "cay": 3, "dan": 4}


def table(game: str, differential: str | None, most: str = "10000.00", **settings: Any) -> Play:
    definition = longhu.game(game).definition
    limits = {id: Limit(2500, parse(most)) for id in definition.offered(next(iter(definition.layouts)))}
    limit = None if differential is None else parse(differential)
    return Play(game, people=dict(PEOPLE), limits=limits, differential=limit, **settings)


def immortal(differential: str = "5000.00", **bets: str) -> Play:
    """Immortal Dragon Tiger after the closing call; `ann_player="2000.00"` is a wager."""
    play = table("immortal-dragon-tiger", differential, method="B", cards="2D 9C KC QC")
    play.open_betting()
    for who, amount in bets.items():
        patron, wager = who.split("_")
        play.bet(patron, wager, amount)
    play.close_betting()
    return play


def gap(play: Play) -> str:
    return show(table_differential(play.game, play.current.stakes))


def kinds(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


# ------------------------------------------------ what it is


@pytest.mark.clause("D21-1.0-TABLE-DIFFERENTIAL")
@pytest.mark.parametrize(("dragon", "tiger"), [("900.00", "650.00"), ("650.00", "900.00")])
def test_dragon_and_tiger_lie_250_apart_whichever_leads_and_tie_does_not_count(dragon: str, tiger: str) -> None:
    play = table("dragon-21", None)
    play.open_betting()
    play.bet("ann", "dragon", dragon)
    play.bet("bob", "tiger", tiger)
    play.bet("cay", "tie", "500.00")
    assert gap(play) == "250.00"


@pytest.mark.clause("IDT-1.1.14")
def test_player_and_banker_lie_5500_apart_and_tie_does_not_count() -> None:
    play = table("immortal-dragon-tiger", None)
    play.open_betting()
    play.bet("ann", "player", "4000.00")
    play.bet("bob", "banker", "9500.00")
    play.bet("cay", "tie", "2000.00")
    assert gap(play) == "5500.00"


# ------------------------------------------------ the limit on the notice


@pytest.mark.clause("D21-5.12a")
def test_the_operator_of_dragon_21_sets_the_limit_on_the_differential() -> None:
    play = table("dragon-21", None)
    change: dict[str, Any] = {"changes": {"differential": 100_00}, "why": "a busy night"}
    for below in ("sue", "pam", "gus"):
        refusal = play.refused(ChangeSettings, below, "D21-5.12a", **change)
        assert refusal.remedy == ASK_POSITION(position="casino-operator")
    play.does(ChangeSettings, "opal", **change)
    assert play.last(SettingsChanged).clause == "D21-5.12a"
    assert play.notice.differential == 100_00
    play.refused(ChangeSettings, "gus", "D21-5.12a", changes={"differential": None})
    play.does(ChangeSettings, "opal", changes={"differential": None})
    assert play.notice.differential is None


@pytest.mark.clause("D21-5.12a")
def test_a_table_of_dragon_21_opens_with_a_differential_by_the_operator_only() -> None:
    play = Play("dragon-21", open=False, differential=100_00)
    play.refused(OpenTable, "sue", "D21-5.12a", position=Position.PIT_SUPERVISOR, **play.opening())
    play.does(OpenTable, "opal", **play.opening())
    assert play.notice.differential == 100_00


def test_where_no_document_names_who_sets_it_a_pit_supervisor_does() -> None:
    play = table("immortal-dragon-tiger", None)
    play.does(ChangeSettings, "sue", changes={"differential": 100_00})
    assert play.last(SettingsChanged).clause == "IDT-5.16"


@pytest.mark.clause("D21-5.12b")
def test_the_notice_shows_the_differential_beside_the_limits_and_follows_a_change() -> None:
    play = table("dragon-21", "5000.00")
    shown = play.notice
    assert shown.limits["dragon"] == PostedLimit(min=25_00, max=10_000_00, increment=1)
    assert shown.differential == 5_000_00
    play.open_betting()
    play.refused(ChangeSettings, "opal", changes={"differential": 200_000})
    assert play.notice.differential == 5_000_00
    play.finish()
    play.does(ChangeSettings, "opal", changes={"differential": 200_000})
    assert play.notice.differential == 2_000_00


# ------------------------------------------------ IDT-5.16: ask, raise, remove


@pytest.mark.clause("IDT-5.16")
@pytest.mark.parametrize(("banker", "starts"), [("9000.00", True), ("7000.00", False), ("7000.01", True)])
def test_the_procedure_starts_when_the_gap_passes_the_limit(banker: str, starts: bool) -> None:
    play = table("immortal-dragon-tiger", "5000.00", method="B")
    play.open_betting()
    play.bet("ann", "player", "2000.00")
    play.bet("bob", "banker", banker)
    events = play.does(CallNoMoreBets, "dee")
    assert (DifferentialExceeded in kinds(events)) is starts
    if starts:
        play.refused(DrawCard, "dee", "IDT-5.16")
    else:
        play.does(DrawCard, "dee")


def test_the_dealer_reads_who_leads_by_how_much_and_what_is_allowed() -> None:
    play = immortal(ann_player="2000.00", bob_banker="9000.00")
    event = play.last(DifferentialExceeded)
    told = DIFFERENTIAL(leads="banker", trails="player", gap=7000_00, limit=5000_00, over=2000_00)
    assert differential_told(play.game, Gap(event.totals, event.limit)) == told


@pytest.mark.clause("IDT-5.16.1")
def test_banker_bettors_are_asked_and_2000_less_ends_the_procedure() -> None:
    play = immortal(ann_player="2000.00", bob_banker="5000.00", cay_banker="4000.00")
    assert play.last(DifferentialExceeded).asks == ("bob", "cay")
    play.refused(TakeWagerBack, "ann", "IDT-5.5", place=1, wager="player")
    events = play.does(TakeWagerBack, "bob", place=2, wager="banker", amount=parse("2000.00"))
    assert kinds(events) == [WagerTakenBack, DifferentialMet]
    assert events[0].clause == "IDT-5.16.1"
    assert gap(play) == "5000.00"
    assert play.chips("bob") == "7000.00"
    play.refused(TakeWagerBack, "cay", "IDT-5.5", place=3, wager="banker", amount=parse("1000.00"))
    play.does(DrawCard, "dee")


@pytest.mark.clause("IDT-5.16.2")
def test_a_player_bettor_adds_2000_and_a_banker_increase_is_refused() -> None:
    play = immortal(ann_player="2000.00", bob_banker="9000.00", dan_tie="25.00")
    assert play.last(DifferentialExceeded).may_raise == ("ann",)
    play.refused(PlaceWager, "bob", "IDT-5.16.2", place=2, wager="banker", amount=parse("25.00"))
    newcomer = play.refused(PlaceWager, "cay", "IDT-5.16.2", place=3, wager="player", amount=parse("2000.00"))
    assert newcomer.reason == ONLY_THOSE_ON_HAND_RAISE(hand="player")
    play.refused(PlaceWager, "dan", "IDT-5.4b", place=4, wager="tie", amount=parse("25.00"))
    events = play.does(PlaceWager, "ann", place=1, wager="player", amount=parse("2000.00"))
    assert kinds(events) == [WagerPlaced, DifferentialMet]
    assert events[0].clause == "IDT-5.16.2"
    assert gap(play) == "5000.00"
    play.does(DrawCard, "dee")


@pytest.mark.clause("IDT-5.16.2")
def test_individual_maximums_still_apply_to_a_raise() -> None:
    play = table("immortal-dragon-tiger", "1000.00", most="3000.00", method="B")
    play.open_betting()
    play.bet("ann", "player", "1500.00")
    play.bet("bob", "banker", "3000.00")
    play.bet("cay", "banker", "2000.00")
    play.close_betting()
    play.refused(PlaceWager, "ann", "IDT-3.5.1b", place=1, wager="player", amount=parse("1600.00"))


@pytest.mark.clause("IDT-5.16.3")
def test_dealing_is_blocked_until_a_pit_manager_removes_1000_of_banker_with_a_reason() -> None:
    play = immortal(ann_player="3000.00", bob_banker="5000.00", cay_banker="4000.00")
    assert gap(play) == "6000.00"
    removal = {"patron": "cay", "place": 3, "wager": "banker", "reason": "the last to come"}
    play.refused(RemoveWager, "sue", "IDT-5.16.3", **removal)
    play.refused(RemoveWager, "pam", "IDT-5.16.3", **{**removal, "reason": " "})
    play.refused(RemoveWager, "pam", "IDT-5.16.3", patron="ann", place=1, wager="player", reason="smaller")
    play.does(RemoveWager, "pam", **removal, amount=parse("999.99"))
    play.refused(DrawCard, "dee", "IDT-5.16")
    events = play.does(RemoveWager, "pam", **removal, amount=parse("0.01"))
    assert kinds(events) == [WagerReduced, DifferentialMet]
    reduced = play.last(WagerReduced)
    assert (reduced.by, reduced.why, reduced.reason) == ("pam", "removed", "the last to come")
    assert play.chips("cay") == "7000.00"
    play.draw()
    assert play.last(CardDrawn).by == "dee"


def test_a_wager_does_not_come_down_so_far_that_the_other_hand_leads_too_far() -> None:
    play = immortal("1000.00", ann_player="2000.00", bob_banker="9000.00")
    refusal = play.refused(TakeWagerBack, "bob", "IDT-5.16.1", place=2, wager="banker")
    assert refusal.remedy == AT_MOST(amount=8000_00)
    play.does(TakeWagerBack, "bob", place=2, wager="banker", amount=parse("8000.00"))
    assert play.current.differential == ""


def test_what_came_off_is_not_settled_and_the_rest_is() -> None:
    play = immortal(ann_player="2000.00", bob_banker="9000.00")
    play.does(TakeWagerBack, "bob", place=2, wager="banker", amount=parse("2000.00"))
    play.finish()
    assert (play.net("ann"), play.net("bob")) == ("-2000.00", "6650.00")  # Banker 9 beats 2 and pays .95 on 7000.00


# ------------------------------------------------ D21-5.13: pro rata


@pytest.mark.clause("D21-5.13")
def test_dragon_1500_and_500_become_1050_and_350_and_the_excess_goes_back() -> None:
    play = table("dragon-21", "1000.00")
    play.open_betting()
    play.bet("ann", "dragon", "1500.00")
    play.bet("bob", "dragon", "500.00")
    play.bet("cay", "tiger", "400.00")
    play.close_betting()
    play.refused(DrawCard, "dee", "D21-5.13")
    events = play.does(ScaleBack, "dee")
    assert kinds(events) == [WagerReduced, WagerReduced, DifferentialMet]
    left = {stake.patron: show(stake.amount) for stake in play.current.stakes.values()}
    assert left == {"ann": "1050.00", "bob": "350.00", "cay": "400.00"}
    assert (play.chips("ann"), play.chips("bob"), play.chips("cay")) == ("8950.00", "9650.00", "9600.00")
    play.does(DrawCard, "dee")


@pytest.mark.clause("D21-5.13")
def test_only_the_dealer_scales_wagers_back_and_only_what_is_over_the_limit() -> None:
    play = table("dragon-21", "1000.00")
    play.open_betting()
    play.bet("ann", "dragon", "1000.00")
    play.close_betting()
    play.refused(ScaleBack, "dee", "D21-5.13")
    play = table("dragon-21", "999.99")
    play.open_betting()
    play.bet("ann", "dragon", "1000.00")
    play.close_betting()
    play.refused(ScaleBack, "bob")
    play.does(ScaleBack, "dee")


@pytest.mark.clause("D21-5.13", "D21-5.8.a")
def test_a_wager_at_the_minimum_is_not_scaled_below_it() -> None:
    play = table("dragon-21", "50.00", cards="TS 9H TH 9C")
    play.open_betting()
    play.bet("ann", "dragon", "100.00")
    play.bet("bob", "dragon", "25.00")
    play.close_betting()
    play.does(ScaleBack, "dee")
    assert {stake.patron: stake.amount for stake in play.current.stakes.values()} == {"ann": 2500, "bob": 2500}
    play.finish()
    assert (play.net("ann"), play.net("bob")) == ("25.00", "25.00")  # Dragon 20 against 18, even money


def stake(patron: str, amount: int, since: int = 0) -> Stake:
    return Stake(patron, 1, "dragon", amount, since, patron)


@pytest.mark.clause("D21-5.13")
@pytest.mark.parametrize(
    ("amounts", "target", "unit", "left"),
    [
        ((1500, 500), 1400, 1, (1050, 350)),
        ((500, 500, 500), 1000, 100, (400, 300, 300)),  # a spare chip to the earlier of equals
        ((900, 300, 300), 1000, 100, (600, 200, 200)),
        ((700, 300, 500), 1000, 100, (500, 200, 300)),  # 466.7, 200, 333.3
        ((500, 500), 950, 100, (500, 400)),  # never more than the target: 900
        ((100, 5000), 510, 100, (0, 500)),  # nothing is left of a small one
    ],
    ids=str,
)
def test_each_is_cut_down_to_whole_chips_and_spare_chips_go_to_the_largest_remainder(
    amounts: tuple[int, ...], target: int, unit: int, left: tuple[int, ...]
) -> None:
    stakes = [stake(f"p{place}", amount, since=place) for place, amount in enumerate(amounts)]
    assert tuple(shares(stakes, target, unit, {}).values()) == left


@pytest.mark.clause("D21-5.13")
def test_the_dealer_may_leave_the_differential_as_it_is_and_that_is_on_record() -> None:
    play = table("dragon-21", "1000.00", cards="TS 9H TH 9C")
    play.open_betting()
    play.bet("ann", "dragon", "3000.00")
    play.bet("bob", "tiger", "500.00")
    play.close_betting()
    play.refused(DrawCard, "dee", "D21-5.13")
    play.refused(LeaveDifferential, "ann")
    assert LeaveDifferential in [type(act) for act in open_acts(play.table, play.game, "dee", play.now)]
    play.does(LeaveDifferential, "dee")
    left = play.last(DifferentialLeft)
    assert (left.totals, left.limit, left.by, left.clause) == ((3000_00, 500_00), 1000_00, "dee", "D21-5.13")
    play.refused(ScaleBack, "dee", "D21-5.13")
    play.finish()
    assert (play.net("ann"), play.net("bob")) == ("3000.00", "-500.00")  # nothing was reduced


@pytest.mark.clause("IDT-5.16.3")
def test_the_differential_of_immortal_dragon_tiger_is_not_left() -> None:
    play = immortal(ann_player="2000.00", bob_banker="9000.00")
    play.refused(LeaveDifferential, "dee", "IDT-5.16")
    play.refused(LeaveDifferential, "gus", "IDT-5.16")
    play.refused(DrawCard, "dee", "IDT-5.16")


@pytest.mark.clause("IDT-5.16.1", "IDT-5.16.2")
def test_the_heavier_hand_comes_down_and_the_lighter_goes_up_at_the_same_time() -> None:
    play = immortal(ann_player="2000.00", bob_banker="9000.00", cay_player="1000.00")
    play.bet("ann", "player", "500.00")
    play.does(TakeWagerBack, "bob", place=2, wager="banker", amount=parse("300.00"))
    assert play.current.differential == "asked"
    events = play.does(PlaceWager, "cay", place=3, wager="player", amount=parse("200.00"))
    assert (kinds(events), gap(play)) == ([WagerPlaced, DifferentialMet], "5000.00")


@pytest.mark.clause("IDT-5.16.3")
def test_the_pit_manager_removes_wagers_without_a_further_call() -> None:
    play = immortal(ann_player="2000.00", bob_banker="9000.00")
    removal: dict[str, Any] = {"patron": "bob", "place": 2, "wager": "banker", "reason": "the only one"}
    events = play.does(RemoveWager, "pam", **removal, amount=parse("2000.00"))
    assert kinds(events) == [WagerReduced, DifferentialMet]
    play.does(DrawCard, "dee")


def test_a_house_may_have_immortal_dragon_tiger_scaled_back_too() -> None:
    game = longhu.game("immortal-dragon-tiger", differential_mode="prorata").definition
    limits = {id: Limit(2500, 1_000_000) for id in game.offered("A")}
    play = Play(game, people=dict(PEOPLE), limits=limits, differential=100_000, method="B")
    play.open_betting()
    play.bet("ann", "banker", "4000.00")
    play.close_betting()
    play.refused(TakeWagerBack, "ann", "IDT-5.5", place=1, wager="banker")
    play.does(ScaleBack, "dee")
    assert [show(each.amount) for each in play.current.stakes.values()] == ["1000.00"]


def test_what_patrons_withdraw_after_the_call_may_open_the_differential_or_close_it() -> None:
    """A power failure lets patrons withdraw before the first card; the gap is judged again when it is drawn."""
    play = immortal(ann_player="5000.00", bob_banker="9000.00")
    play.does(ReportPowerFailure, "dee")
    play.does(AnswerWithdrawalOffer, "ann", withdraw=True)
    play.does(AnswerWithdrawalOffer, "bob", withdraw=False)
    assert kinds(play.does(DrawCard, "dee")) == [DifferentialExceeded]
    play.refused(DrawCard, "dee", "IDT-5.16")
    play.does(ReportPowerFailure, "dee")
    play.does(AnswerWithdrawalOffer, "bob", withdraw=True)
    assert kinds(play.does(DrawCard, "dee")) == [DifferentialMet]
    assert kinds(play.does(DrawCard, "dee")) == [CardDrawn]


def test_after_a_reset_of_the_device_the_procedure_starts_afresh_at_the_second_call() -> None:
    play = immortal(ann_player="2000.00", bob_banker="9000.00")
    play.does(ResetDevice, "dee", dealer_error=True)
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.does(AnswerWithdrawalOffer, "bob", withdraw=False)
    play.close_betting()
    assert play.current.differential == "asked"


@pytest.mark.clause("D21-5.13")
def test_nothing_is_scaled_back_while_a_ruling_is_awaited_or_once_betting_is_open_again() -> None:
    play = table("dragon-21", "1000.00", cards="9S")
    play.open_betting()
    play.bet("ann", "dragon", "4000.00")
    play.close_betting()
    play.does(ReportFaceUpCard, "dee", card="9S")
    assert next_act(play.table, play.game, by="dee", at=play.now) is None
    play.refused(ScaleBack, "dee", "D21-5.13")
    play.does(MakeRuling, "gus", decision="burn", card="9S", reason="it was seen")
    assert (play.current.phase, play.current.differential) == (Phase.BETTING, "")
    play.refused(ScaleBack, "dee", "D21-5.13")
    play.close_betting()
    assert isinstance(next_act(play.table, play.game, by="dee", at=play.now), ScaleBack)
    play.does(ScaleBack, "dee")
    assert gap(play) == "1000.00"


@pytest.mark.clause("IDT-5.16", "IDT-5.9b")
def test_no_step_of_the_procedure_is_taken_while_patrons_are_asked_or_betting_is_open_again() -> None:
    play = immortal(ann_player="2000.00", bob_banker="9000.00")
    play.does(ResetDevice, "dee", dealer_error=True)
    removal: dict[str, Any] = {"patron": "bob", "place": 2, "wager": "banker", "reason": "the largest"}
    play.refused(RemoveWager, "pam", "IDT-5.16", **removal, amount=parse("2000.00"))
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.does(AnswerWithdrawalOffer, "bob", withdraw=False)
    assert (play.current.phase, play.current.differential) == (Phase.BETTING, "")
    within = play.refused(RemoveWager, "pam", "IDT-5.16", **removal, amount=parse("2000.00"))
    assert within.reason == DIFFERENTIAL_WITHIN_LIMIT()
    play.close_betting()
    play.does(ReportIncident, "dee", told="a glass fell over")
    play.refused(RemoveWager, "pam", "IDT-5.16", **removal, amount=parse("2000.00"))
    play.does(MakeRuling, "gus", decision="continue", reason="it was empty")
    play.does(RemoveWager, "pam", **removal, amount=parse("2000.00"))


@pytest.mark.clause("IDT-5.16.3")
def test_a_wager_comes_off_in_whole_chips() -> None:
    play = Play("immortal-dragon-tiger", differential=1000, chip_unit=500)
    play.open_betting()
    play.bet("ann", "player", "50.00")
    play.close_betting()
    removal: dict[str, Any] = {"patron": "ann", "place": 1, "wager": "player", "reason": "the only one"}
    refusal = play.refused(RemoveWager, "pam", "IDT-5.16.3", **removal, amount=4001)
    assert refusal.reason.code == NOT_WHOLE_CHIPS.code
    play.does(RemoveWager, "pam", **removal, amount=4000)
