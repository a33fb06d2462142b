"""Cards seen too early or by the wrong person, a holder who is absent, a device that is reset, the cutting card."""

from __future__ import annotations

from typing import Any

import pytest

import longhu
from longhu.positions import Position
from longhu.table.betting import PlaceWager, TakeWagerBack
from longhu.table.betting_phase import CallPlaceYourBets
from longhu.table.cutting_card import CuttingCardShown
from longhu.table.dealing import AnnounceTotals, DrawCard
from longhu.table.handling import PassHands, RevealHand, SqueezeCard
from longhu.table.irregularities.device import DEVICE_NOT_ELECTRONIC, ResetDevice
from longhu.table.irregularities.exposure import FACE_UP_BEFORE_FIRST, ExposeCards, ReportFaceUpCard, RevealForAbsent
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.remedies.mispassed import ReportMispassedHand, RetrieveHand
from longhu.table.remedies.procedure import NOT_A_CARD, IncidentOpened
from longhu.table.remedies.void import (
    IrregularityFound,
)
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer, WithdrawalOffered
from longhu.table.shoe import CUTTING_CARD_OUT
from longhu.table.state import Phase
from tests.table.irregular import (
    D21,
    IDT,
    betting,
    dealt,
    finish,
    hands,
    kinds,
    physical,
    returned,
)
from tests.table.rounds import Play

# ---------------------------------------------------------------- seen too early, or by the wrong person


@pytest.mark.clause("IDT-5.6")
def test_a_nine_face_up_in_the_shoe_is_players_second_card() -> None:
    play = betting(physical(IDT, method="A"), ann={"player": "100.00"})
    play.draw("", "")
    events = play.does(ReportFaceUpCard, "dee", card="9S")
    assert (events[0].clause, play.current.cards[2].public, play.current.cards[2].hand) == ("IDT-5.6", True, "player")
    play.draw("")
    play.does(PassHands, "dee")
    play.does(RevealHand, "ann", hand="player")
    play.does(RevealHand, "dee", hand="player", cards=("KD",))
    play.does(RevealHand, "dee", hand="banker", cards=("2C", "5H"))
    assert hands(play) == ("KD 9S", "2C 5H")
    finish(play)
    assert play.net("ann") == "100.00"


def test_a_card_face_up_before_the_first_card_is_ruled_on() -> None:
    play = betting(physical(IDT, method="A"), ann={"player": "100.00"})
    events = play.does(ReportFaceUpCard, "dee", card="9S")
    incident = next(event for event in events if isinstance(event, IncidentOpened))
    assert incident.decider is Position.GAMING_SHIFT_MANAGER
    assert incident.told == FACE_UP_BEFORE_FIRST(card="9S")
    play.refused(MakeRuling, "pam", decision="burn", card="9S", reason="it was seen")
    play.refused(MakeRuling, "gus", decision="burn", reason="it was seen")
    play.does(MakeRuling, "gus", decision="burn", card="9S", reason="it was seen")
    assert play.current.phase is Phase.BETTING
    assert play.table.shoe is not None
    assert (play.table.shoe.discards, play.table.shoe.left) == (("9S",), 415)
    play.close_betting()
    play.draw("")
    play.does(ReportIncident, "dee", told="a card on the floor")
    play.refused(MakeRuling, "gus", decision="burn", card="2S", reason="too late for that")


@pytest.mark.clause("D21-12.0d")
def test_in_dragon_21_a_face_up_nine_reached_as_card_three_is_dealt_to_dragon() -> None:
    play = betting(physical(D21, method="C"), ann={"dragon": "50.00"})
    play.draw("TS", "TH")
    play.does(ReportFaceUpCard, "dee", card="9S")
    assert hands(play) == ("TS 9S", "TH")
    play.draw("8C")
    play.does(RevealHand, "dee", hand="dragon")
    play.does(RevealHand, "dee", hand="tiger")
    finish(play)
    assert play.net("ann") == "50.00"
    shown = betting(physical(D21, method="C"), ann={"dragon": "50.00"})
    shown.draw("TS", "TH")
    events = shown.does(ExposeCards, "dee", kind="card-exposed", places=(1,))
    assert (events[0].clause, shown.table.round is not None) == ("D21-12.0d", True)


@pytest.mark.clause("IDT-5.7b")
def test_an_unseen_hand_is_retrieved_from_the_wrong_seat_and_passed_to_the_right_one() -> None:
    play = betting(Play(IDT, method="A", cards="9S 2H KD 5C"), ann={"player": "100.00"}, bob={"player": "50.00"})
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    play.does(ReportMispassedHand, "dee", hand="player", to="bob")
    assert play.current.holders[0] == "bob"
    events = play.does(RetrieveHand, "dee", hand="player")
    assert (play.current.holders[0], events[0].clause) == ("ann", "IDT-5.7b")
    play.refused(RevealHand, "bob", hand="player")
    play.does(RevealHand, "ann", hand="player")
    play.finish()
    assert play.net("ann") == "100.00"


@pytest.mark.clause("IDT-5.7.1a")
@pytest.mark.parametrize("looks", ["reveals", "squeezes"])
def test_the_outcome_stands_once_the_wrong_person_has_seen_the_hand(looks: str) -> None:
    play = betting(Play(IDT, method="A", cards="9S 2H KD 5C"), ann={"player": "100.00"}, bob={"player": "50.00"})
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    play.does(ReportMispassedHand, "dee", hand="player", to="bob")
    if looks == "reveals":
        play.does(RevealHand, "bob", hand="player")
    else:
        play.does(SqueezeCard, "bob", place=0, step=3)
    events = play.does(RetrieveHand, "dee", hand="player")
    assert [(event.kind, event.clause) for event in events if isinstance(event, IrregularityFound)] == [
        ("wrong-squeezer", "IDT-5.7.1a")
    ]
    assert play.current.holders[0] == "bob"
    play.finish()
    assert (play.net("ann"), play.net("bob")) == ("100.00", "50.00")


def test_a_house_may_let_a_hand_stay_with_the_wrong_person_even_unseen() -> None:
    strict = longhu.game(IDT, wrong_recipient="stand").definition
    play = betting(Play(strict, method="A"), ann={"player": "100.00"}, bob={"player": "50.00"})
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    play.refused(RetrieveHand, "dee", hand="player")
    play.does(ReportMispassedHand, "dee", hand="player", to="bob")
    play.does(RetrieveHand, "dee", hand="player")
    assert play.current.holders[0] == "bob"


@pytest.mark.clause("IDT-5.7.1b")
def test_the_outcome_stands_when_the_dealer_turned_both_hands_by_oversight() -> None:
    play = betting(Play(IDT, method="A", cards="9S 2H KD 5C"), ann={"player": "100.00"})
    for _ in range(4):
        play.draw()
    events = play.does(ExposeCards, "dee", kind="not-passed")
    assert (kinds(events), events[0].clause) == (["IrregularityFound", "CardsExposed"], "IDT-5.7.1b")
    finish(play)
    assert play.net("ann") == "100.00"


@pytest.mark.clause("IDT-5.7.1c")
def test_the_outcome_stands_when_card_2_was_dealt_face_up() -> None:
    play = betting(physical(IDT, method="A"), ann={"player": "100.00"})
    play.draw("", "")
    events = play.does(ExposeCards, "dee", kind="dealt-face-up", places=(1,), cards=("2H",))
    assert events[0].clause == "IDT-5.7.1c"
    play.draw("", "")
    play.does(PassHands, "dee")
    play.does(RevealHand, "ann", hand="player")
    play.does(RevealHand, "dee", hand="player", cards=("9S", "KD"))
    play.does(RevealHand, "dee", hand="banker", cards=("5C",))
    finish(play)
    assert play.net("ann") == "100.00"


@pytest.mark.clause("IDT-5.7.1d")
def test_a_card_that_the_dealer_flips_early_changes_nothing_and_nobody_may_withdraw() -> None:
    play = betting(Play(IDT, method="A", cards="9S 2H KD 5C"), ann={"player": "100.00"})
    for _ in range(4):
        play.draw()
    events = play.does(ExposeCards, "dee", kind="card-exposed", places=(3,))
    assert (kinds(events), events[0].clause) == (["IrregularityFound", "CardsExposed"], "IDT-5.7.1d")
    assert play.current.halt.offer is None
    play.refused(AnswerWithdrawalOffer, "ann", withdraw=True)
    play.finish()
    assert play.net("ann") == "100.00"


def test_a_card_that_lies_open_cannot_be_exposed_again_and_a_text_that_names_no_card_is_a_slip() -> None:
    play = betting(physical(IDT, method="A", decks=4), ann={"player": "100.00"})
    play.draw("", "")
    play.does(ExposeCards, "dee", kind="card-exposed", places=(0,), cards=("KS",))
    play.refused(ExposeCards, "dee", kind="card-exposed", places=(0,), cards=("KS",))
    play.refused(ExposeCards, "dee", kind="card-exposed", places=(1,))
    slip = play.refused(ExposeCards, "dee", kind="card-exposed", places=(1,), cards=("1X",))
    assert slip.reason == NOT_A_CARD(text="1X")
    play.does(ExposeCards, "dee", kind="card-exposed", places=(1,), cards=("2H",))


# ---------------------------------------------------------------- absent, and a device that is reset


@pytest.mark.clause("IDT-5.10")
def test_the_dealer_exposes_the_cards_of_somebody_who_is_absent_and_the_third_card_too() -> None:
    play = betting(Play(IDT, method="A", cards="2S KH 2D 7C 5H", reveal_seconds=45), ann={"player": "100.00"})
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    passed = play.now
    play.refused(RevealForAbsent, "dee", hand="player", at=passed + 44_999, clause="IDT-5.10")
    play.does(RevealForAbsent, "dee", hand="player", at=passed + 45_000)
    play.does(RevealHand, "dee", hand="banker")
    play.does(AnnounceTotals, "dee")
    play.draw()
    assert not play.current.cards[4].public
    play.does(RevealHand, "dee", hand="player")
    finish(play)
    assert play.net("ann") == "100.00"
    third = betting(Play(IDT, method="A", cards="2S KH 2D 7C 5H"), ann={"player": "100.00"})
    for _ in range(4):
        third.draw()
    third.turn_over()
    third.does(AnnounceTotals, "dee")
    third.draw()
    third.refused(RevealHand, "dee", hand="player")
    events = third.does(RevealForAbsent, "dee", hand="player", gone=True)
    assert (events[-1].clause, third.current.all_public) == ("IDT-5.10", True)


@pytest.mark.clause("D21-12.0e")
def test_in_dragon_21_the_dealer_reveals_for_a_dragon_past_the_time_limit() -> None:
    play = betting(Play(D21, method="B", cards="TS TH 9C 8D"), ann={"dragon": "50.00"})
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    assert play.current.holders[0] == "ann"
    play.refused(RevealHand, "dee", hand="dragon")
    play.refused(RevealForAbsent, "dee", hand="dragon")
    events = play.does(RevealForAbsent, "dee", hand="dragon", at=play.current.last_card_at + 60_000)
    assert events[0].clause == "D21-12.0e"
    play.finish()
    assert play.net("ann") == "50.00"


@pytest.mark.clause("IDT-5.9a", "IDT-5.9b")
def test_after_a_reset_patrons_may_withdraw_and_betting_is_open_until_a_second_call() -> None:
    play = betting(Play(IDT), ann={"player": "100.00", "tie": "10.00"}, bob={"banker": "50.00"})
    events = play.does(ResetDevice, "dee", dealer_error=True)
    offer = next(event.offer for event in events if isinstance(event, WithdrawalOffered))
    assert (offer.clause, offer.waits_for) == ("IDT-5.9a", ("ann", "bob"))
    events = play.does(AnswerWithdrawalOffer, "ann", withdraw=True, wagers=((1, "player"),))  # some stay (Q34)
    assert returned(events) == {"ann player": 10000}
    play.refused(PlaceWager, "cay", place=3, wager="tie", amount=2500)
    events = play.does(AnswerWithdrawalOffer, "bob", withdraw=False)
    assert events[-1].clause == "IDT-5.9b"
    assert play.current.phase is Phase.BETTING
    play.bet("cay", "tie", "25.00")
    play.refused(DrawCard, "dee")
    play.close_betting()
    play.refused(PlaceWager, "cay", place=3, wager="tie", amount=2500, clause="IDT-5.4b")
    play.finish()
    other = betting(physical(IDT), ann={"player": "100.00"})
    assert other.refused(ResetDevice, "dee", dealer_error=True, clause="IDT-5.9a").reason == DEVICE_NOT_ELECTRONIC()
    assert other.current.halt.offer is None


def test_a_house_may_ask_for_all_or_none_after_a_reset() -> None:
    strict = longhu.game(IDT, withdrawal_scope="all").definition
    play = betting(Play(strict), ann={"player": "100.00", "tie": "10.00"})
    play.does(ResetDevice, "dee", dealer_error=True)
    play.refused(AnswerWithdrawalOffer, "ann", withdraw=True, wagers=((1, "player"),))
    assert len(returned(play.does(AnswerWithdrawalOffer, "ann", withdraw=True))) == 2


# ---------------------------------------------------------------- the cutting card


def at_the_cut(after: int, **settings: Any) -> Play:
    """A table after a round of four cards, whose cutting card comes after so many cards of the next."""
    play = Play(IDT, method="B", cards=None, **settings)
    play.load("9S 2H KD 5C " * 2, cut_by="ann", cut_behind=416 - 4 - after)
    play.round(cay={"tie": "5.00"})
    return play


@pytest.mark.clause("IDT-3.16a")
def test_the_cutting_card_takes_no_place_the_next_card_goes_to_the_hand_that_was_due() -> None:
    play = betting(at_the_cut(2), ann={"player": "100.00"})
    play.draw()
    play.draw()
    events = play.does(DrawCard, "dee")
    assert kinds(events) == ["CuttingCardShown", "CardDrawn"]
    assert hands(play) == ("9S KD", "2H")


@pytest.mark.clause("IDT-3.16b")
def test_the_round_in_which_the_cutting_card_shows_is_finished() -> None:
    play = Play(IDT, method="B", cards=None)
    play.load("2S KH 2D 2C 4H 3D", cut_by="ann", cut_behind=416 - 3)
    play.round(ann={"player": "100.00"})
    assert dealt(play) == ["2S", "KH", "2D", "2C", "4H", "3D"]
    assert play.net("ann") == "100.00"
    assert play.refused(CallPlaceYourBets, "dee").reason == CUTTING_CARD_OUT()


@pytest.mark.clause("IDT-3.16.1")
def test_in_a_high_limit_area_the_cutting_card_first_lets_patrons_withdraw() -> None:
    play = betting(at_the_cut(0, area="Paiza Club"), ann={"banker": "500.00", "tie": "10.00"})
    events = play.does(DrawCard, "dee")
    assert kinds(events) == ["CuttingCardShown", "WithdrawalOffered"]
    assert events[-1].clause == "IDT-3.16.1"
    play.refused(DrawCard, "dee", clause="IDT-3.16.1")
    assert returned(play.does(AnswerWithdrawalOffer, "ann", withdraw=True, wagers=((1, "banker"),))) == {
        "ann banker": 50000
    }
    play.draw()
    assert hands(play) == ("9S", "")
    elsewhere = betting(at_the_cut(0, area="Main Floor"), ann={"banker": "500.00"})
    assert kinds(elsewhere.does(DrawCard, "dee")) == ["CuttingCardShown", "CardDrawn"]  # in one act: nobody is asked
    elsewhere.refused(AnswerWithdrawalOffer, "ann", withdraw=True)
    elsewhere.refused(TakeWagerBack, "ann", place=1, wager="banker", clause="IDT-5.5")
    second = betting(at_the_cut(1, area="Paiza Club"), ann={"banker": "500.00"})
    second.draw()
    assert isinstance(second.does(DrawCard, "dee")[0], CuttingCardShown)
    second.refused(AnswerWithdrawalOffer, "ann", withdraw=True)
    second.refused(TakeWagerBack, "ann", place=1, wager="banker", clause="IDT-5.5")
