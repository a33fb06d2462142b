"""What a settlement needs in the tray, chips found off the limits, lifted wagers, and rounds that are reversed."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

import longhu
from longhu.eventsourcing import Event
from longhu.games.game import Maximum
from longhu.money import Money, parse, show
from longhu.table.betting import ANSWER_THE_OFFER, PlaceWager, TakeWagerBack
from longhu.table.betting_phase import CallNoMoreBets, ConfirmDeal
from longhu.table.call_bets import SpeakWager, SpokenWagerEnded
from longhu.table.cash import TRAY_HAS_LESS, CashOut
from longhu.table.dealing import AnnounceResult, DrawCard
from longhu.table.differential import RemoveWager, ScaleBack, WagerReduced
from longhu.table.engine import replay
from longhu.table.irregularities.cards import DrawCardsTogether
from longhu.table.irregularities.late import (
    LET_PATRON_TAKE_BACK,
    RECORD_AS_ANSWER,
    RecordUnpaidLoss,
    ReportLateChips,
    ReportLiftedWager,
    ReportOffLimitsWager,
    UnpaidLossRecorded,
)
from longhu.table.irregularities.power import PaymentsReversed, ReportMalfunction
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import ASK_POSITION, GIVE_REASON
from longhu.table.nominees import AnnounceNominee, ApproveNominee, NameNominee, OrderInPerson
from longhu.table.opening import TableClosed
from longhu.table.remedies.procedure import USE_REPORT, ReportIrregularity
from longhu.table.remedies.void import ROUND_NOT_EXPIRED, CancelExpiredRound
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.settling import RoundCapped, SettleRound, WagerSettled
from longhu.table.state import Halt, Offer, Table
from longhu.table.theory import table_win
from tests.table.irregular import D21, DBO, DT, IDT, betting, postings
from tests.table.rounds import Play

DAYS = 24 * 60 * 60 * 1000
DBC = "dragon-bonus"


def with_tray(play: Play, held: str) -> Play:
    """The same table with so much in its tray; the rest is in the cage."""
    tray, amount = f"float:{play.settings.table}", parse(held)
    over = play.table.balances[tray] - amount
    balances = {**play.table.balances, tray: amount, "cage": Money(play.table.balances.get("cage", 0) + over)}
    play.table = replace(play.table, balances={id: each for id, each in balances.items() if each})
    return play


def main_wager(play: Play) -> str:
    return play.game.procedure.hands[0].id


# ------------------------------------------------ what the tray must hold


@pytest.mark.clause("DBO-CAP-1")
def test_a_capped_round_is_paid_only_from_a_tray_that_holds_every_payment() -> None:
    """Player wins 9 to 0 without a natural: 100 and 3000 are paid, and then all but 800 of it is taken back."""
    game = longhu.game(DBO).definition
    assert game.cap is not None
    low = dataclasses.replace(game, cap=dataclasses.replace(game.cap, amount=parse("1000.00")))
    play = Play(low, cards="2S KH 3D QC 4S TD")
    betting(play, ann={"player": "100.00", "dragon-bonus-player": "100.00"})
    play.deal()
    play.does(AnnounceResult, "dee")
    with_tray(play, "1000.00")
    assert play.refused(SettleRound, "dee", "OPS-2").reason == TRAY_HAS_LESS(amount=3100_00)
    with_tray(play, "3100.00")
    events = play.does(SettleRound, "dee")
    (capped,) = (event for event in events if isinstance(event, RoundCapped))
    assert (capped.patron, show(capped.cut), capped.clause) == ("ann", "2300.00", "DBO-CAP-1")
    assert (capped.by, capped.at) == ("dee", play.now)
    assert play.net("ann") == "800.00"
    assert show(play.table.balances["float:T1"]) == "2300.00", "what is over stays with the house"


def lifted_and_lost(game: str = DT, cards: str = "KS QH", wager: str = "tiger") -> Play:
    """Ann has pulled 50.00 back after the call, and lost it."""
    play = betting(Play(game, cards=cards), ann={wager: "50.00"})
    play.does(ReportLiftedWager, "dee", patron="ann", place=1, wager=wager)
    play.finish()
    return play


UNPAID: dict[str, Any] = {"patron": "ann", "amount": parse("50.00"), "reason": "walked away with the chips"}


@pytest.mark.clause("DT-5.7")
def test_an_unpaid_amount_is_taken_off_a_tray_that_holds_it_and_names_the_wager() -> None:
    play = with_tray(lifted_and_lost(), "49.99")
    assert play.refused(RecordUnpaidLoss, "sue", "DT-5.7", **{**UNPAID, "reason": " "}).remedy == GIVE_REASON()
    assert play.refused(RecordUnpaidLoss, "sue", "OPS-2", **UNPAID).reason == TRAY_HAS_LESS(amount=5000)
    with_tray(play, "100.00")
    (told,) = postings(play.does(RecordUnpaidLoss, "sue", **UNPAID))
    assert (told.wager, told.clause) == ("tiger", "DT-5.7")


@pytest.mark.clause("DBO-MALF-1")
@pytest.mark.parametrize("recorded", [False, True])
def test_a_round_that_is_reversed_leaves_no_claim_of_a_lifted_wager(recorded: bool) -> None:
    play = lifted_and_lost(DBO, "9S 2H KD 5C", "banker")
    before = play.table.balances["float:T1"] - parse("50.00")
    if recorded:
        play.does(RecordUnpaidLoss, "sue", **UNPAID)
        assert play.last(UnpaidLossRecorded).wager == "banker"
    play.does(ReportMalfunction, "dee", number=1)
    assert play.table.claims_lost == {}
    assert "unpaid:ann" not in play.table.balances
    assert play.table.balances["float:T1"] == before
    assert play.net("ann") == "0.00"
    play.refused(RecordUnpaidLoss, "sue", **UNPAID)


@pytest.mark.clause("DBO-MALF-1")
def test_what_a_patron_took_away_is_owed_after_a_reversal_and_is_not_in_the_tray() -> None:
    play = Play(DBO, cards="9S 2H KD 5C")
    before = play.table.balances["float:T1"]
    play.round(ann={"player": "100.00"})
    play.does(CashOut, "ann", amount=parse("10060.00"))
    (told,) = postings(play.does(ReportMalfunction, "dee", number=1))
    reversed = play.last(PaymentsReversed)
    assert (show(reversed.chips), show(reversed.claim)) == ("40.00", "60.00")
    assert play.table.balances["unpaid:ann"] == parse("60.00")
    assert play.table.balances["float:T1"] == before - parse("60.00")
    assert (told.wager, told.clause) == ("player", "DBO-MALF-1")
    assert sum(play.table.balances.values()) == 0
    assert replay(Table(game=""), play.log) == play.table


@pytest.mark.clause("DBO-MALF-1")
def test_wagers_of_a_reversed_round_do_not_count_for_the_theoretical_win() -> None:
    play = Play(DBO, cards="9S 2H KD 5C")
    play.round(ann={"player": "100.00"})
    play.round(ann={"player": "20.00", "tie": "5.00"})
    play.does(ReportMalfunction, "dee", number=2)
    closed = TableClosed(table="T1", float_counted=0, drop=0, win=0, counted_by=("sue", "dee"))
    told = table_win([*play.log, closed], {"player": Fraction(1, 100), "tie": Fraction(1, 10)})
    assert told is not None
    assert told.staked == {"player": parse("100.00")}
    assert told.theoretical == parse("1.00")


# ------------------------------------------------ chips found off the limits


def found(**fields: Any) -> dict[str, Any]:
    return {"patron": "ann", "place": 1, "wager": "banker", "amount": 1, **fields}


@pytest.mark.clause("IDT-5.12b")
def test_once_the_cards_have_decided_a_wager_a_supervisor_says_what_lay_there() -> None:
    play = betting(Play(IDT, method="B", cards="9S 2H KD 5C"), ann={"banker": "1000.00"})
    play.deal()
    play.refused(ReportOffLimitsWager, "dee", "IDT-3.5.1b", **found())  # nothing has been announced, all lies open
    play.does(AnnounceResult, "dee")
    assert play.refused(ReportOffLimitsWager, "dee", "IDT-3.5.1b", **found()).remedy == ASK_POSITION(
        position="pit-supervisor"
    )
    play.does(ReportOffLimitsWager, "sue", **found())
    play.does(SettleRound, "dee")
    assert play.net("ann") == "-0.01"


def test_while_the_wager_is_open_the_dealer_says_it() -> None:
    play = betting(Play(IDT, method="B", cards="9S 2H KD 5C"), ann={"banker": "1000.00"})
    play.draw()
    play.does(ReportOffLimitsWager, "dee", **found())


SUMMED = dataclasses.replace(
    longhu.game(IDT).definition, maximum=Maximum("outcome")
)  # of Dragon 21, which has no IDT-5.13


@pytest.mark.parametrize(
    ("placed", "lies"),
    [("800.00", {2: "800.00"}), ("1000.00", {2: "500.00"}), ("", {1: "1500.00", 2: "500.00"})],
)
def test_a_maximum_for_all_areas_together_is_so_for_chips_found_later(placed: str, lies: dict[int, str]) -> None:
    play = Play(SUMMED, method="B", cards="9S 2H KD 5C")
    play.open_betting()
    if placed:
        play.bet("ann", "banker", placed)
    play.close_betting()
    for place, amount in lies.items():
        play.does(ReportOffLimitsWager, "dee", **found(place=place, amount=parse(amount)))
    play.finish()
    assert play.net("ann") == "-1000.00"
    assert next(event for event in play.log if settled_at(event, 2)).clause == "IDT-5.13b"


def settled_at(event: Event, place: int) -> bool:
    return isinstance(event, WagerSettled) and event.stake.place == place


def test_chips_within_the_limits_of_all_areas_together_are_not_off_them() -> None:
    play = betting(Play(SUMMED, method="B"), ann={"banker": "800.00"})
    play.refused(ReportOffLimitsWager, "dee", "IDT-3.5.1b", **found(place=2, amount=parse("200.00")))
    play.does(ReportOffLimitsWager, "dee", **found(place=2, amount=parse("200.01")))


@pytest.mark.parametrize(
    ("kind", "own"), [("under-minimum", "report-off-limits-wager"), ("over-maximum", "report-off-limits-wager")]
)
def test_chips_off_the_limits_have_a_report_of_their_own(kind: str, own: str) -> None:
    play = betting(Play(IDT, method="B"), ann={"banker": "50.00"})
    assert play.refused(ReportIrregularity, "dee", kind=kind).remedy == USE_REPORT(command=own)


# ------------------------------------------------ late chips and lifted wagers


@pytest.mark.clause("DT-5.6a")
@pytest.mark.parametrize("where", [{"place": -7, "wager": "dragon"}, {"place": 1, "wager": "nonsense"}])
def test_late_chips_lie_somewhere_on_the_layout(where: dict[str, Any]) -> None:
    play = betting(Play(DT), ann={"dragon": "50.00"})
    play.refused(ReportLateChips, "dee", "DT-5.6a", patron="ann", amount=100, **where)


@pytest.mark.clause("IDT-5.5", "IDT-5.16.1")
def test_a_wager_pulled_back_while_the_heavier_hand_may_come_down_is_taken_back() -> None:
    play = Play(IDT, method="B", differential=parse("400.00"))
    betting(play, ann={"banker": "500.00"}, bob={"banker": "1000.00"})
    lifted = {"patron": "ann", "place": 1, "wager": "banker"}
    assert play.refused(ReportLiftedWager, "dee", "IDT-5.16.1", **lifted).remedy == LET_PATRON_TAKE_BACK()
    play.does(TakeWagerBack, "dee", **lifted, requested=True)
    too_far = {"patron": "bob", "place": 2, "wager": "banker"}
    play.does(TakeWagerBack, "dee", **too_far, requested=True)
    assert play.current.differential == ""


@pytest.mark.clause("IDT-5.5", "IDT-5.8.1")
def test_a_wager_pulled_back_while_its_patron_is_asked_is_an_answer() -> None:
    play = betting(Play(IDT, method="B", device="reading-shoe"), ann={"banker": "500.00"})
    play.does(DrawCardsTogether, "dee", order_known=True)
    lifted = {"patron": "ann", "place": 1, "wager": "banker"}
    assert play.refused(ReportLiftedWager, "dee", "IDT-5.8.1", **lifted).remedy == RECORD_AS_ANSWER()
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.does(ReportLiftedWager, "dee", **lifted)


# ------------------------------------------------ cards are out: wagers stay as they are


@pytest.mark.clause("IDT-5.4a", "IDT-5.5")
def test_with_cards_beside_the_shoe_nothing_is_wagered_until_the_first_card() -> None:
    late = longhu.game(IDT, close_on="first-card").definition
    play = Play(late, method="B", device="reading-shoe")
    betting(play, ann={"banker": "500.00"})
    play.bet("ann", "tie", "25.00")
    play.refused(ReportLiftedWager, "dee", "IDT-5.5", patron="ann", place=1, wager="tie")
    play.does(DrawCardsTogether, "dee", order_known=True)
    more: dict[str, Any] = {"place": 1, "wager": "tie", "amount": parse("25.00")}
    play.refused(PlaceWager, "ann", "IDT-5.4b", **more)
    assert play.refused(TakeWagerBack, "ann", "IDT-5.5", place=1, wager="tie").remedy == ANSWER_THE_OFFER()
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.refused(PlaceWager, "ann", "IDT-5.4b", **more)
    play.refused(TakeWagerBack, "ann", "IDT-5.5", place=1, wager="tie")


@pytest.mark.clause("IDT-5.16.1", "IDT-5.16.2")
def test_with_cards_beside_the_shoe_patrons_neither_lower_nor_raise_for_the_differential() -> None:
    play = Play(IDT, method="B", differential=parse("400.00"), device="reading-shoe")
    betting(play, ann={"banker": "1000.00"}, bob={"player": "500.00"})
    play.does(DrawCardsTogether, "dee", order_known=True)
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.does(AnswerWithdrawalOffer, "bob", withdraw=False)
    play.refused(TakeWagerBack, "ann", "IDT-5.5", place=1, wager="banker", amount=parse("100.00"))
    play.refused(PlaceWager, "bob", "IDT-5.4b", place=2, wager="player", amount=parse("100.00"))
    off: dict[str, Any] = {"patron": "ann", "place": 1, "wager": "banker", "amount": parse("100.00")}
    play.does(RemoveWager, "pam", reason="the largest", **off)
    play.draw()


# ------------------------------------------------ wagers that stand only beside another


@pytest.mark.clause("D21-5.13")
def test_scaling_back_leaves_a_pair_wager_where_it_is() -> None:
    """The clause reduces the wagers on the heavier hand, and nothing else."""
    play = Play(D21, differential=100)
    betting(play, ann={"dragon": "5.00", "dragon-perfect-pair": "100.00"}, bob={"dragon": "1000.00"})
    events = play.does(ScaleBack, "dee")
    assert {event.stake.wager for event in events if isinstance(event, WagerReduced)} == {"dragon"}
    assert play.current.stakes["ann/1/dragon-perfect-pair"].amount == 100_00
    play.finish()


@pytest.mark.clause("D21-5.13", "D21-5.8.a")
@pytest.mark.parametrize(
    ("limit", "left"),
    [
        (1000_00, {"ann/1/dragon": 5_00, "bob/2/dragon": 995_00}),  # 4.97 of ann's would be under the minimum
        (7_00, {"ann/1/dragon": 5_00}),  # no room for two minimums: the last comes off
        (3_00, {}),
    ],
)
def test_scaling_back_leaves_no_wager_under_the_minimum(limit: int, left: dict[str, int]) -> None:
    play = betting(Play(D21, differential=limit), ann={"dragon": "5.00"}, bob={"dragon": "1000.00"})
    play.does(ScaleBack, "dee")
    assert {key: stake.amount for key, stake in play.current.stakes.items()} == left


@pytest.mark.clause("DBC-DB-3")
def test_a_bonus_is_not_left_alone_by_a_withdrawal() -> None:
    play = betting(Play(DBC), ann={"player": "50.00", "dragon-bonus-player": "5.00"})
    asked = Offer("device-reset", play.now + 60_000, ("ann",), whole=False, then="continue")
    play.table = replace(play.table, round=replace(play.current, halt=Halt(offer=asked)))
    play.refused(AnswerWithdrawalOffer, "ann", "DBC-DB-3", withdraw=True, wagers=((1, "player"),))
    play.does(AnswerWithdrawalOffer, "ann", withdraw=True, wagers=((1, "dragon-bonus-player"),))
    assert list(play.current.stakes) == ["ann/1/player"]


@pytest.mark.clause("D21-2.2.fa")
@pytest.mark.parametrize("patrons", [(), ("ann",)])
def test_nobody_answers_an_offer_for_a_patron_who_has_been_ordered_to_wager_in_person(patrons: tuple[str, ...]) -> None:
    play = Play(D21, method="A")
    play.does(NameNominee, "ann", person="bob")
    play.does(ApproveNominee, "sue", patron="ann")
    play.does(AnnounceNominee, "sue", patron="ann")
    betting(play, ann={"dragon": "50.00"}, cay={"tiger": "50.00"})
    asked = Offer("device-reset", play.now + 60_000, ("ann", "cay"), whole=False, then="continue")
    play.table = replace(play.table, round=replace(play.current, halt=Halt(offer=asked)))
    play.does(OrderInPerson, "sue", act="wager", patrons=patrons)
    play.refused(AnswerWithdrawalOffer, "bob", patron="ann", withdraw=True)
    play.does(AnswerWithdrawalOffer, "ann", withdraw=True)


# ------------------------------------------------ games that stay open too long


@pytest.mark.clause("DBO-30D-1a")
def test_an_expired_game_is_neither_dealt_nor_announced_nor_paid() -> None:
    play = Play(DBO, cards="9S 2H KD 5C")
    play.open_betting()
    play.bet("ann", "player", "50.00")
    late = play.now + 30 * DAYS + 1
    play.close_betting()
    asked = play.now
    play.refused(DrawCard, "dee", "DBO-30D-1a", at=late)
    play.now = asked
    play.deal()
    play.refused(AnnounceResult, "dee", "DBO-30D-1a", at=late)
    play.now = asked
    play.does(AnnounceResult, "dee")
    play.refused(SettleRound, "dee", "DBO-30D-1a", at=late)
    play.does(CancelExpiredRound, "house")
    assert play.net("ann") == "0.00"


@pytest.mark.clause("DBO-30D-1a")
def test_an_expired_game_takes_no_wager_and_no_closing_call() -> None:
    play = Play(DBO)
    play.open_betting()
    play.bet("ann", "banker", "5.00")
    late = play.now + 30 * DAYS + 1
    more = {"place": 1, "wager": "banker", "amount": 500}
    play.refused(PlaceWager, "ann", "DBO-30D-1a", **more, at=late)
    play.refused(CallNoMoreBets, "dee", "DBO-30D-1a", at=late)
    play.refused(ConfirmDeal, "ann", "DBO-30D-1a", at=late)
    play.does(CancelExpiredRound, "house", at=late)
    assert play.chips("ann") == "10000.00"


def test_the_game_file_says_after_how_many_days_a_game_expires() -> None:
    game = longhu.game(DBO).definition
    assert game.irregularities["game-expired"].days == 30
    soon = dataclasses.replace(game.irregularities["game-expired"], days=2)
    play = Play(dataclasses.replace(game, irregularities={**game.irregularities, "game-expired": soon}))
    betting(play, ann={"player": "50.00"})
    start = play.current.first_wager or 0
    assert play.refused(CancelExpiredRound, "house", at=start + 2 * DAYS).reason == ROUND_NOT_EXPIRED(days=2)
    play.does(CancelExpiredRound, "house", at=start + 2 * DAYS + 1)


@pytest.mark.clause("DBO-30D-1a")
def test_no_dealer_calls_a_game_expired_that_is_not() -> None:
    play = betting(Play(DBO, cards="9S 2H KD 5C"), ann={"banker": "50.00"})
    play.deal()
    play.does(AnnounceResult, "dee")
    assert play.refused(ReportIrregularity, "dee", kind="game-expired").remedy == USE_REPORT(
        command="cancel-expired-round"
    )
    play.does(SettleRound, "dee")
    assert play.net("ann") == "-50.00"


# ------------------------------------------------ the clause and the wager of a transaction


@pytest.mark.parametrize(
    ("game", "clause"), [(DT, "DT-3.2"), (IDT, "IDT-3.2"), (D21, "D21-5.9"), (DBO, "DBO-DEAL-1"), (DBC, "DBC-MAIN-1")]
)
def test_a_wager_taken_back_names_the_clause_that_leaves_it_to_the_patron(game: str, clause: str) -> None:
    play = Play(game)
    play.open_betting()
    play.bet("ann", main_wager(play), "50.00")
    (told,) = postings(play.does(TakeWagerBack, "ann", place=1, wager=main_wager(play)))
    assert (told.clause, told.wager) == (clause, main_wager(play))


@pytest.mark.parametrize(
    ("game", "clause"), [(DT, "REC-2"), (IDT, "IDT-6.1"), (D21, "D21-12.0f"), (DBO, "REC-2"), (DBC, "REC-2")]
)
def test_a_stake_returned_by_a_ruling_names_what_leaves_it_to_one(game: str, clause: str) -> None:
    play = Play(game)
    betting(play, ann={main_wager(play): "50.00"})
    play.does(ReportIncident, "dee", told="the fire alarm")
    (told,) = postings(play.does(MakeRuling, "gus", decision="void", reason="everybody leaves"))
    assert (told.clause, told.wager) == (clause, main_wager(play))


@pytest.mark.clause("D21-5.4a")
def test_chips_handed_over_with_a_spoken_wager_name_it() -> None:
    play = Play(D21)
    play.open_betting()
    spoken: dict[str, Any] = {"place": 1, "wager": "dragon", "amount": 5000, "chips": (5000,)}
    (told,) = postings(play.does(SpeakWager, "ann", **spoken))
    assert told.wager == "dragon"
    play.close_betting()
    assert play.last(SpokenWagerEnded).transactions()[0].wager == "dragon"
