"""Who handles the cards: the dealer alone, or whoever has the largest wager on a hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import longhu
from longhu.games.game import Game
from longhu.money import parse
from longhu.positions import Position
from longhu.table.betting import PlaceWager
from longhu.table.betting_phase import RoundStarted
from longhu.table.cash import CashOut
from longhu.table.dealing import AnnounceResult, AnnounceTotals, CardDrawn, DrawCard, ResultAnnounced, TotalsAnnounced
from longhu.table.handling import (
    CardsRevealed,
    ChooseFirstHand,
    GrantSqueeze,
    NameHolder,
    PassHands,
    RefuseHand,
    RevealHand,
    SqueezeCard,
    glimpse,
)
from longhu.table.irregularities.missing import ReportMissingCards
from longhu.table.irregularities.power import ReportPowerFailure
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import POSSIBLE_VALUES
from longhu.table.opening import ChangeSettings, OpenTable
from longhu.table.people import AssignStaff, LeaveTable
from longhu.table.remedies.passing import HandPassed, HolderAsked
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer, ExposedCardsJudged
from longhu.table.views import view, viewer
from tests.table.rounds import Play

SEATS = {f"seat{number}": number for number in range(1, 8)}
FOUR_CARDS = "2D 9C KC QC"  # Player 2, Banker 9: no further card
SIX_CARDS = "2D 3C KC QC 5H 4S"  # Player 2 and a 5, Banker 3 and a 4: both draw
TIME = 10_000_000
NOTHING = ("", Fraction(0))  # of a card


def table(game: str | Game = "immortal-dragon-tiger", cards: str = FOUR_CARDS, **settings: Any) -> Play:
    play = Play(game, cards=cards, people={**SEATS, "dora": None}, positions=7, **settings)
    play.open_betting()
    return play


def bets(play: Play, wager: str, **amounts: str) -> None:
    """Wagers in the order in which they were placed, a second apart: `seat3="300.00"`."""
    for patron, amount in amounts.items():
        play.bet(patron, wager, amount)


def passed(play: Play) -> tuple[str, str]:
    """Close betting, deal four cards and pass the hands; who holds Player and Banker, "" for the dealer."""
    play.close_betting()
    play.draw(*[""] * 4)
    play.does(PassHands, "dee")
    return play.current.holders


def refuses(play: Play, patron: str, hand: str = "player") -> str:
    """Who has the hand next."""
    play.does(RefuseHand, patron, hand=hand)
    return play.current.holders[["player", "banker"].index(hand)]


def face_seen_by(play: Play, person: str, place: int) -> str | None:
    """What somebody is shown of a card."""
    round = view(play.table, play.game, viewer(play.table, person)).round
    assert round is not None
    return round.cards[place].face


# ------------------------------------------------ the methods


@pytest.mark.clause("IDT-3.9")
@pytest.mark.parametrize("method", ["A", "B"])
def test_every_round_is_dealt_by_method_a_or_b(method: str) -> None:
    play = table(method=method)
    assert play.last(RoundStarted).method == play.current.method == method


@pytest.mark.clause("IDT-3.9")
@pytest.mark.parametrize("method", ["", "C", "AB"])
def test_no_table_opens_with_another_method(method: str) -> None:
    play = Play("immortal-dragon-tiger", open=False, method=method)
    play.refused(OpenTable, "sue", **play.opening())


@pytest.mark.clause("IDT-3.9.1")
@pytest.mark.parametrize("method", ["A", "B"])
def test_no_patron_draws_a_card(method: str) -> None:
    play = table(method=method)
    bets(play, "player", seat3="300.00")
    play.close_betting()
    play.refused(DrawCard, "seat3")
    play.does(DrawCard, "dee")
    play.refused(DrawCard, "seat3")


@pytest.mark.clause("IDT-3.9.2a")
def test_a_pit_manager_or_above_chooses_the_method() -> None:
    play = Play("immortal-dragon-tiger", method="A")
    play.refused(ChangeSettings, "dee", changes={"method": "B"})
    play.refused(ChangeSettings, "sue", "IDT-3.9.2b", changes={"method": "B"})
    play.does(ChangeSettings, "pam", changes={"method": "B"})
    play.does(ChangeSettings, "gus", changes={"method": "A"})
    play.open_betting()
    assert play.current.method == "A"


@pytest.mark.clause("IDT-3.9.2b")
def test_the_method_changes_between_rounds_only() -> None:
    play = Play("immortal-dragon-tiger", method="A")
    play.does(ChangeSettings, "pam", changes={"method": "B"})
    play.open_betting()
    play.refused(ChangeSettings, "pam", "IDT-3.9.2b", changes={"method": "A"})
    play.close_betting()
    play.refused(ChangeSettings, "pam", "IDT-3.9.2b", changes={"method": "A"})
    play.finish()
    play.does(ChangeSettings, "pam", changes={"method": "A"})
    play.open_betting()
    assert play.current.method == "A"


@pytest.mark.clause("IDT-3.10")
def test_method_a_lets_patrons_be_passed_refuse_squeeze_and_reveal() -> None:
    play = table()
    bets(play, "player", seat1="100.00", seat3="300.00")
    assert passed(play) == ("seat3", "")
    assert refuses(play, "seat3") == "seat1"
    play.does(SqueezeCard, "seat1", place=0, step=1)
    play.does(RevealHand, "seat1", hand="player")
    assert [(each.card, each.public) for each in play.current.cards_of(0)] == [("2D", True), ("KC", True)]


@pytest.mark.clause("IDT-3.10.1")
def test_under_method_a_the_dealer_draws_and_announces() -> None:
    play = table(cards=SIX_CARDS)
    bets(play, "player", seat3="300.00")
    passed(play)
    for hand, holder in (("player", "seat3"), ("banker", "dee")):
        play.does(RevealHand, holder, hand=hand)
    play.refused(AnnounceTotals, "seat3")
    play.does(AnnounceTotals, "dee")
    play.deal()
    play.refused(AnnounceResult, "seat3")
    play.does(AnnounceResult, "dee")
    told = [event for event in play.log if isinstance(event, CardDrawn | TotalsAnnounced | ResultAnnounced)]
    assert len(told) == 8
    assert {(event.by, event.position) for event in told} == {("dee", Position.DEALER)}


@pytest.mark.clause("IDT-3.10")
def test_cards_go_to_nobody_while_patrons_are_asked_or_a_ruling_is_awaited() -> None:
    play = table()
    bets(play, "player", seat1="100.00", seat3="300.00")
    play.close_betting()
    play.draw(*[""] * 4)
    play.does(ReportPowerFailure, "dee")
    offer = play.current.halt.offer
    assert offer is not None
    play.refused(PassHands, "dee", offer.clause)
    for patron in offer.waits_for:
        play.does(AnswerWithdrawalOffer, patron, withdraw=False)
    play.does(ReportIncident, "dee", told="seat3 marks the cards")
    play.refused(PassHands, "dee", "IDT-6.1")
    play.does(MakeRuling, "opal", decision="continue", reason="nothing was found")
    play.does(PassHands, "dee")
    play.does(ReportIncident, "dee", told="seat3 marks the cards")
    play.refused(RefuseHand, "seat3", "IDT-6.1", hand="player")
    play.refused(GrantSqueeze, "pam", "IDT-6.1", hand="player", person="seat1")
    play.refused(SqueezeCard, "seat3", "IDT-6.1", place=2, step=1)
    play.refused(RevealHand, "seat3", "IDT-6.1", hand="player")
    play.refused(RevealHand, "dee", "IDT-6.1", hand="banker")
    play.does(MakeRuling, "opal", decision="continue", reason="nothing was found")
    play.does(RevealHand, "seat3", hand="player")


@pytest.mark.clause("IDT-3.15")
def test_a_hand_is_granted_to_nobody_while_patrons_are_asked_or_its_cards_are_gone() -> None:
    play = table(device="hand-shoe")
    bets(play, "player", seat1="100.00")
    passed(play)
    play.does(ReportPowerFailure, "dee")
    play.refused(GrantSqueeze, "pam", "IDT-5.15.1a", hand="player", person="seat2")
    play.does(AnswerWithdrawalOffer, "seat1", withdraw=False)
    play.does(ReportMissingCards, "dee", hand="player")
    play.refused(GrantSqueeze, "pam", "IDT-6.1", hand="player", person="seat2")
    assert play.current.holders[0] == "seat1"


@pytest.mark.clause("IDT-3.13")
def test_totals_are_not_told_while_a_ruling_is_awaited() -> None:
    play = table()
    bets(play, "player", seat3="300.00")
    passed(play)
    play.turn_over()
    play.does(ReportIncident, "dee", told="a card fell from the shoe")
    play.refused(AnnounceTotals, "dee", "IDT-3.13")
    play.does(MakeRuling, "opal", decision="continue", reason="it is back in the shoe")
    play.does(AnnounceTotals, "dee")


def test_a_result_that_is_none_is_refused_and_stops_nothing() -> None:
    play = table()
    bets(play, "player", seat3="300.00")
    passed(play)
    play.deal()
    for word in ("", "Banker", "dragon"):
        told = POSSIBLE_VALUES(values=["player", "banker", "tie"])
        assert play.refused(AnnounceResult, "dee", winner=word).remedy == told
    play.does(AnnounceResult, "dee", winner="banker")


@pytest.mark.clause("IDT-3.15")
def test_a_grantee_hands_the_cards_back_before_leaving() -> None:
    play = table()
    bets(play, "player", seat3="300.00")
    passed(play)
    play.does(CashOut, "dora", amount=parse("10000.00"))
    play.does(GrantSqueeze, "pam", hand="player", person="dora")
    play.refused(LeaveTable, "dora")
    play.does(RefuseHand, "dora", hand="player")
    assert play.current.holders[0] == "seat3"
    play.does(LeaveTable, "dora")


@pytest.mark.clause("IDT-3.15", "IDT-3.10.2")
def test_a_hand_is_passed_to_no_grantee_who_has_left() -> None:
    """Before the hands are passed nobody holds anything: whoever was named may go, and the wagers decide."""
    play = table()
    bets(play, "player", seat3="300.00")
    play.does(GrantSqueeze, "pam", hand="player", person="dora")
    play.does(CashOut, "dora", amount=parse("10000.00"))
    play.does(LeaveTable, "dora")
    passed(play)
    assert play.current.holders[0] == "seat3"


# ------------------------------------------------ the priority


@pytest.mark.clause("IDT-3.10.2", "DBC-DEAL-2")
@pytest.mark.parametrize("game", ["immortal-dragon-tiger", "dragon-bonus"])
def test_the_largest_wager_counts_whether_its_patron_sits_or_stands(game: str) -> None:
    play = table(game)
    bets(play, "player", seat1="100.00", dora="300.00")
    assert passed(play) == ("dora", "")
    play.does(SqueezeCard, "dora", place=0, step=1)
    assert refuses(play, "dora") == "seat1"


@pytest.mark.clause("IDT-3.10.2")
def test_each_hand_is_passed_face_down_to_the_largest_wager_on_it() -> None:
    play = table()
    bets(play, "player", seat1="100.00", seat3="300.00")
    bets(play, "banker", seat2="50.00")
    assert passed(play) == ("seat3", "seat2")
    assert not any(each.public for each in play.current.cards)
    assert [each.holder for each in play.current.cards] == ["seat3", "seat2", "seat3", "seat2"]


@pytest.mark.clause("IDT-3.10.2")
def test_main_wagers_add_up_across_positions_and_side_wagers_do_not_count() -> None:
    play = table()
    bets(play, "player", seat1="300.00", seat3="200.00", seat5="50.00")
    play.bet("seat3", "player", "150.00", place=4)
    play.bet("seat5", "big-dragon", "1000.00")
    assert passed(play)[0] == "seat3"


def test_a_house_may_take_the_largest_single_wager_and_count_seats_the_other_way() -> None:
    readings = {"squeeze_measure": "single-wager", "seat_direction": "descending"}
    play = table(longhu.game("immortal-dragon-tiger", **readings).definition)
    bets(play, "player", seat3="200.00", seat5="300.00", seat2="300.00", seat7="300.00")
    play.bet("seat3", "player", "150.00", place=4)
    assert passed(play)[0] == "seat5"
    assert refuses(play, "seat5") == "seat2"
    assert refuses(play, "seat2") == "seat7"
    assert refuses(play, "seat7") == "seat3"


@pytest.mark.clause("IDT-3.10.3")
def test_after_a_refusal_comes_the_next_largest_and_at_last_the_dealer() -> None:
    play = table()
    bets(play, "player", seat6="100.00", seat3="300.00", seat1="200.00")
    assert passed(play)[0] == "seat3"
    play.refused(RefuseHand, "seat1", hand="player")
    assert refuses(play, "seat3") == "seat1"
    play.refused(RevealHand, "seat3", hand="player")
    assert refuses(play, "seat1") == "seat6"
    assert refuses(play, "seat6") == ""
    play.refused(RevealHand, "seat6", hand="player")
    play.does(RevealHand, "dee", hand="player")


@pytest.mark.clause("IDT-3.10.4")
def test_among_equals_the_first_to_reach_the_amount_comes_first() -> None:
    play = table()
    for patron, at, amount in (("seat2", 1, "100.00"), ("seat5", 1001, "300.00"), ("seat2", 4001, "200.00")):
        seat = SEATS[patron]
        play.does(PlaceWager, patron, place=seat, wager="player", amount=parse(amount), at=TIME + at)
    assert passed(play)[0] == "seat5"


@pytest.mark.clause("IDT-3.10.4.1")
@pytest.mark.parametrize("named", ["seat2", "seat5"])
def test_two_equal_wagers_at_one_moment_wait_for_a_pit_supervisor(named: str) -> None:
    play = table()
    for patron in ("seat2", "seat5"):
        play.does(PlaceWager, patron, place=SEATS[patron], wager="player", amount=parse("300.00"), at=TIME)
    bets(play, "player", seat7="100.00")
    assert passed(play)[0] == ""
    assert play.last(HolderAsked).among == ("seat2", "seat5")
    for patron in ("seat2", "seat5", "dee"):
        play.refused(RevealHand, patron, "IDT-3.10.4.1", hand="player")
    play.refused(AnnounceTotals, "dee")
    play.refused(NameHolder, "dee", hand="player", person=named)
    play.refused(NameHolder, "sue", "IDT-3.10.4.1", hand="player", person="seat7")
    play.does(NameHolder, "sue", hand="player", person=named)
    assert play.current.holders[0] == named
    play.does(RevealHand, named, hand="player")


@pytest.mark.clause("IDT-3.10.4.1")
def test_both_hands_may_wait_for_a_supervisor_and_so_may_one_after_a_refusal() -> None:
    play = table()
    bets(play, "player", seat1="500.00")
    for wager, pair in (("player", ("seat2", "seat3")), ("banker", ("seat5", "seat6"))):
        for patron in pair:
            play.does(PlaceWager, patron, place=SEATS[patron], wager=wager, amount=parse("300.00"), at=TIME)
    assert passed(play) == ("seat1", "")
    play.does(RefuseHand, "seat1", hand="player")
    assert set(play.current.asks_supervisor) == {0, 1}
    assert play.current.holders == ("", "")
    play.refused(NameHolder, "sue", "IDT-3.10.4.1", hand="player", person="seat1")
    play.does(NameHolder, "sue", hand="player", person="seat3")
    play.refused(RevealHand, "seat3", "IDT-3.10.4.1", hand="player")
    play.does(NameHolder, "sue", hand="banker", person="seat5")
    play.does(RevealHand, "seat3", hand="player")
    assert play.current.holders == ("seat3", "seat5")


@pytest.mark.clause("IDT-3.10.4.1")
def test_where_all_decline_a_pit_supervisor_may_pick_somebody_or_the_dealer_turns_the_cards() -> None:
    play = table()
    bets(play, "player", seat2="300.00", seat5="200.00")
    bets(play, "banker", seat7="100.00")
    assert passed(play) == ("seat2", "seat7")
    play.refused(NameHolder, "sue", hand="player", person="seat5")
    assert [refuses(play, each) for each in ("seat2", "seat5")] == ["seat5", ""]
    play.refused(NameHolder, "dee", hand="player", person="seat3")
    play.refused(NameHolder, "sue", "IDT-3.10.4.1", hand="player", person="nobody")
    play.refused(NameHolder, "sue", hand="banker", person="seat3")
    play.does(NameHolder, "sue", hand="player", person="seat3")
    assert play.current.holders == ("seat3", "seat7")
    assert play.log[-1].clause == "IDT-3.10.4.1"
    assert refuses(play, "seat3") == ""
    play.does(RevealHand, "dee", hand="player")


@pytest.mark.clause("IDT-3.10.5")
@pytest.mark.parametrize(
    ("ascending", "order"),
    [(True, ["seat5", "seat7", "seat2", "seat4"]), (False, ["seat5", "seat2", "seat7", "seat4"])],
    ids=["seats ascend counter clockwise", "seats descend counter clockwise"],
)
def test_refused_among_equals_the_cards_go_counter_clockwise_then_to_the_next_amount(
    ascending: bool, order: list[str]
) -> None:
    play = table(seats_ascend_counter_clockwise=ascending)
    bets(play, "player", seat4="200.00", seat5="300.00", seat2="300.00", seat7="300.00")
    held = [passed(play)[0]]
    while held[-1]:
        held.append(refuses(play, held[-1]))
    assert held == [*order, ""]


@pytest.mark.clause("DBC-DEAL-2")
def test_dragon_bonus_gives_each_hand_to_the_largest_bet_on_it() -> None:
    play = table("dragon-bonus")
    bets(play, "player", seat1="50.00", seat4="75.00")
    bets(play, "banker", seat2="25.00")
    assert passed(play) == ("seat4", "seat2")
    assert refuses(play, "seat4") == "seat1"


@pytest.mark.clause("DBC-DEAL-3")
@pytest.mark.parametrize(
    ("wager", "holders"), [("banker", ("", "seat2")), ("player", ("seat2", "")), ("tie", ("", ""))], ids=str
)
def test_dragon_bonus_has_the_dealer_reveal_what_nobody_bet_on(wager: str, holders: tuple[str, str]) -> None:
    play = table("dragon-bonus")
    bets(play, wager, seat2="25.00")
    assert passed(play) == holders
    for hand, holder in zip(("player", "banker"), holders, strict=True):
        play.refused(RevealHand, "seat2" if not holder else "dee", hand=hand)
        play.does(RevealHand, holder or "dee", hand=hand)
    assert play.current.all_public


# ------------------------------------------------ turning cards over


@pytest.mark.clause("IDT-1.1.13")
def test_a_squeeze_shows_a_card_step_by_step_to_its_holder_before_it_is_public() -> None:
    play = table()
    bets(play, "player", seat3="300.00", seat1="100.00")
    passed(play)
    assert glimpse(play.table, 0, "seat3") == NOTHING
    for step in (1, 4, 9):
        play.does(SqueezeCard, "seat3", place=0, step=step)
        assert glimpse(play.table, 0, "seat3") == ("2D", Fraction(step, 10))
        assert glimpse(play.table, 0, "seat1") == glimpse(play.table, 0, "dee") == NOTHING
        assert not play.current.cards[0].public
    play.refused(SqueezeCard, "seat3", place=0, step=9)
    play.refused(SqueezeCard, "seat1", place=0, step=10)
    play.refused(SqueezeCard, "seat3", place=1, step=1)
    assert glimpse(play.table, 2, "seat3") == NOTHING
    play.does(RevealHand, "seat3", hand="player")
    assert glimpse(play.table, 0, "seat1") == ("2D", Fraction(1))
    assert play.last(CardsRevealed).cards == ("2D", "KC")


@pytest.mark.clause("IDT-3.10.6")
@pytest.mark.parametrize("first", ["player", "banker"])
def test_the_dealer_says_which_hand_is_revealed_first_and_the_result_is_the_same(first: str) -> None:
    play = table()
    bets(play, "player", seat3="300.00")
    bets(play, "banker", seat2="50.00")
    passed(play)
    holders, second = {"player": "seat3", "banker": "seat2"}, "banker" if first == "player" else "player"
    play.refused(ChooseFirstHand, "seat3", hand=first)
    play.does(ChooseFirstHand, "dee", hand=first)
    play.refused(RevealHand, holders[second], "IDT-3.10.6", hand=second)
    play.does(RevealHand, holders[first], hand=first)
    play.does(RevealHand, holders[second], hand=second)
    shown = [event.hand for event in play.log if isinstance(event, CardsRevealed)]
    assert shown == [first, second]
    play.finish()
    assert play.last(ResultAnnounced).totals == (2, 9)
    assert (play.net("seat3"), play.net("seat2")) == ("-300.00", "47.50")


@pytest.mark.clause("IDT-3.10.7a", "IDT-3.10.7b")
def test_further_cards_come_face_down_to_the_squeezer_and_are_exposed_by_the_dealer_where_there_is_none() -> None:
    play = table(cards=SIX_CARDS)
    bets(play, "banker", seat2="50.00")
    assert passed(play) == ("", "seat2")
    play.turn_over()
    play.does(AnnounceTotals, "dee")
    play.draw()  # Player's third, whose hand nobody handles
    third = play.current.cards[4]
    assert (third.hand, third.public, third.holder) == ("player", False, "")
    play.refused(RevealHand, "seat2", hand="player")
    play.does(RevealHand, "dee", hand="player")
    assert play.current.cards[4].public
    play.draw()  # Banker's third
    third = play.current.cards[5]
    assert (third.hand, third.public, third.holder) == ("banker", False, "seat2")
    play.refused(RevealHand, "dee", hand="banker")
    assert [face_seen_by(play, person, 5) for person in ("seat2", "seat3", "dee", "sue")] == [None] * 4
    play.does(SqueezeCard, "seat2", place=5, step=1)
    assert [face_seen_by(play, person, 5) for person in ("seat2", "seat3", "dee", "sue")] == ["4S", None, None, None]
    play.does(RevealHand, "seat2", hand="banker")
    assert play.current.cards[5].public


# ------------------------------------------------ Method B


@pytest.mark.clause("IDT-3.11", "IDT-3.11.2a", "IDT-3.11.2b")
def test_under_method_b_no_patron_touches_a_card() -> None:
    play = table(method="B")
    bets(play, "player", seat3="300.00")
    play.close_betting()
    for drawn in range(1, 5):
        play.draw()
        play.refused(SqueezeCard, "seat3", "IDT-3.11", place=drawn - 1, step=1)
        play.refused(RevealHand, "seat3", hand="player")
        assert play.current.holders == ("", "")
        assert [each.holder for each in play.current.cards] == [""] * drawn
    play.refused(PassHands, "dee", "IDT-3.11")
    play.refused(RefuseHand, "seat3", hand="player")
    play.refused(GrantSqueeze, "pam", "IDT-3.11", hand="player", person="seat3")
    play.finish()


@pytest.mark.clause("IDT-3.11.2b")
def test_cards_that_a_house_deals_face_down_under_method_b_are_turned_by_the_dealer() -> None:
    play = Play(longhu.game("immortal-dragon-tiger", method_b_face="down").definition, cards=FOUR_CARDS, method="B")
    play.open_betting()
    play.bet("ann", "player", "300.00")
    play.close_betting()
    play.draw(*[""] * 4)
    assert not any(each.public for each in play.current.cards)
    play.refused(RevealHand, "ann", "IDT-3.11", hand="player")
    play.refused(SqueezeCard, "ann", "IDT-3.11", place=0, step=1)
    play.does(RevealHand, "dee", hand="player")


@pytest.mark.clause("IDT-3.11.1")
def test_under_method_b_the_dealer_lays_each_card_face_up_in_its_area_and_announces() -> None:
    play = table(cards=SIX_CARDS, method="B")
    bets(play, "player", seat3="300.00")
    play.finish()
    drawn = [event for event in play.log if isinstance(event, CardDrawn)]
    areas = [event.card.hand for event in drawn]
    assert areas == ["player", "banker", "player", "banker", "player", "banker"]
    assert set(areas) <= set(play.game.layouts["A"].places)
    assert all(event.card.public for event in drawn)
    told = [*drawn, play.last(TotalsAnnounced), play.last(ResultAnnounced)]
    assert {event.by for event in told} == {"dee"}


# ------------------------------------------------ whom a pit manager allows


@pytest.mark.clause("IDT-3.15")
def test_only_whom_the_pit_manager_names_squeezes_a_granted_hand() -> None:
    play = table()
    bets(play, "banker", seat2="300.00", seat6="100.00")
    passed(play)
    play.does(ChooseFirstHand, "dee", hand="banker")
    play.refused(SqueezeCard, "dora", place=1, step=1)
    play.refused(GrantSqueeze, "sue", hand="banker", person="dora")
    play.refused(GrantSqueeze, "pam", hand="banker", person="somebody")
    play.does(GrantSqueeze, "pam", hand="banker", person="dora")
    assert play.current.holders == ("", "dora")
    for other in ("seat2", "seat6", "dee"):
        play.refused(SqueezeCard, other, place=1, step=1)
        play.refused(RevealHand, other, hand="banker")
    play.does(SqueezeCard, "dora", place=1, step=1)
    play.does(RevealHand, "dora", hand="banker")


@pytest.mark.clause("IDT-3.15")
def test_a_grant_made_before_the_deal_goes_before_the_largest_wager_until_it_is_refused() -> None:
    play = table()
    bets(play, "banker", seat2="300.00")
    play.does(GrantSqueeze, "pam", hand="banker", person="dora")
    assert passed(play) == ("", "dora")
    assert refuses(play, "dora", "banker") == "seat2"


# ------------------------------------------------ positions


@pytest.mark.clause("IDT-6.2")
def test_a_gaming_shift_manager_may_do_what_the_positions_below_may() -> None:
    play = table()
    for patron in ("seat2", "seat5"):
        play.does(PlaceWager, patron, place=SEATS[patron], wager="player", amount=parse("300.00"), at=TIME)
    play.close_betting()
    play.does(DrawCard, "gus", position=Position.DEALER)
    play.draw(*[""] * 3)
    play.does(PassHands, "gus")  # the higher position itself will do
    play.does(NameHolder, "gus", position=Position.PIT_SUPERVISOR, hand="player", person="seat2")
    play.does(GrantSqueeze, "gus", position=Position.PIT_MANAGER, hand="banker", person="seat7")
    assert play.last(HandPassed).by == "gus"


@pytest.mark.clause("IDT-6.2")
def test_a_pit_supervisor_does_a_pit_managers_work_only_when_recorded_as_acting() -> None:
    play = table()
    grant = {"hand": "banker", "person": "seat7"}
    play.refused(GrantSqueeze, "sue", "IDT-6.2", **grant)
    play.refused(GrantSqueeze, "sue", "IDT-6.2", position=Position.PIT_MANAGER, **grant)
    play.refused(AssignStaff, "sue", "IDT-6.2", person="sue", to=Position.PIT_MANAGER, acting=True)
    play.does(AssignStaff, "pam", person="sue", to=Position.PIT_MANAGER, acting=True)
    play.does(GrantSqueeze, "sue", position=Position.PIT_MANAGER, **grant)


@pytest.mark.clause("IDT-5.15.2", "IDT-5.15.1a")
@pytest.mark.parametrize(("steps", "decided"), [((10, 10), True), ((10, 9), False), ((9, 9), False)])
def test_what_its_holder_has_squeezed_open_establishes_an_outcome(steps: tuple[int, int], decided: bool) -> None:
    """Player 2D KC: whoever has seen both knows that Player Pair is lost, and power cannot bring it back (Q31)."""
    play = table(layout="B")
    bets(play, "player", seat3="300.00")
    play.bet("seat3", "player-pair", "50.00")
    assert passed(play)[0] == "seat3"
    for place, step in zip((0, 2), steps, strict=True):
        play.does(SqueezeCard, "seat3", place=place, step=step)
    play.does(ReportPowerFailure, "dee")
    judged = play.last(ExposedCardsJudged)
    assert judged.withdrawal is not decided
    assert (play.current.halt.offer is None) is decided
    if decided:
        assert judged.decided["player-pair"] == "lost"
        assert judged.clause == "IDT-5.15.2"


@pytest.mark.clause("DBC-DEAL-2")
def test_the_card_of_dragon_bonus_speaks_of_the_largest_wager_not_of_several_together() -> None:
    play = table("dragon-bonus")
    play.bet("seat3", "player", "8.00")
    play.bet("seat3", "player", "8.00", place=4)
    bets(play, "player", seat1="10.00")
    assert passed(play)[0] == "seat1"
