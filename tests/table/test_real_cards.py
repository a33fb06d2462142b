"""Hands of real cards: squeezed by patrons, given back, turned over and entered by the dealer."""

from __future__ import annotations

from typing import Any

import pytest

from longhu.table.correcting import CorrectCard
from longhu.table.dealing import AnnounceResult, AnnounceTotals, ResultAnnounced
from longhu.table.handling import (
    CardsGivenBack,
    CardsRevealed,
    ChooseFirstHand,
    FirstHandChosen,
    GrantSqueeze,
    PassHands,
    RefuseHand,
    RevealHand,
    SqueezeCard,
)
from longhu.table.irregularities.cards import DrawCardsTogether
from longhu.table.people import LeaveTable
from longhu.table.remedies.passing import HandPassed
from longhu.table.remedies.procedure import NOT_A_CARD
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.settling import SettleRound
from tests.table.irregular import hands, physical
from tests.table.rounds import Play

IDT, DBC, D21 = "immortal-dragon-tiger", "dragon-bonus", "dragon-21"


def passed(game: str = IDT, first: str = "", **settings: Any) -> Play:
    """Real cards, face down and passed: ann has the first hand, bob the second."""
    method = {IDT: "A"}.get(game, "")
    play = physical(game, **({"method": method} if method else {}), **settings)
    one, two = (hand.id for hand in play.game.procedure.hands)
    play.open_betting()
    play.bet("ann", one, "100.00")
    play.bet("bob", two, "100.00")
    play.close_betting()
    play.draw(*[""] * play.game.procedure.initial_cards)
    play.does(PassHands, "dee", **({"first": first} if first else {}))
    assert play.current.holders == ("ann", "bob")
    return play


# ------------------------------------------------ who says what the cards are


@pytest.mark.clause("IDT-3.10.1", "DBC-DEAL-2")
@pytest.mark.parametrize("game", [IDT, DBC])
def test_whoever_holds_the_cards_does_not_say_what_they_are(game: str) -> None:
    play = passed(game)
    before = play.table
    play.refused(RevealHand, "ann", hand="player", cards=("9H", "KH"))
    play.refused(RevealHand, "bob", hand="player", cards=("9H", "KH"))
    play.refused(RevealHand, "ann", hand="player", cards=("9H",))
    assert play.table == before


@pytest.mark.clause("IDT-3.10", "IDT-3.10.1")
def test_a_squeeze_of_real_cards_is_played_to_its_end() -> None:
    """The holders give the cards back; the dealer turns them, one after the other, and announces."""
    play = passed()
    play.does(RevealHand, "ann", hand="player")
    given = play.last(CardsGivenBack)
    assert (given.hand, given.places, given.by) == ("player", (0, 2), "ann")
    assert not any(each.public for each in play.current.cards)
    play.does(RevealHand, "dee", hand="player", cards=("2D",))
    assert hands(play)[0] == "2D "
    play.does(RevealHand, "dee", hand="player", cards=("KC",))
    play.does(RevealHand, "bob", hand="banker")
    play.does(RevealHand, "dee", hand="banker", cards=("3C", "QC"))
    assert hands(play) == ("2D KC", "3C QC")
    play.does(AnnounceTotals, "dee")
    play.draw("")  # to ann, who squeezes Player still (IDT-3.10.7)
    assert (play.current.cards[4].holder, play.current.cards[4].public) == ("ann", False)
    play.does(RevealHand, "ann", hand="player")
    play.does(RevealHand, "dee", hand="player", cards=("5H",))
    play.draw("")
    assert play.current.cards[5].holder == "bob"
    play.does(RevealHand, "dee", hand="banker", cards=("4S",))  # bob throws it over the table
    assert play.log[-2].clause == "IDT-3.10"
    assert isinstance(play.log[-2], CardsGivenBack)
    play.does(AnnounceResult, "dee")
    play.does(SettleRound, "dee")
    assert play.last(ResultAnnounced).totals == (7, 7)
    assert (play.net("ann"), play.net("bob")) == ("0.00", "0.00")


def test_a_hand_that_was_given_back_is_the_dealers_to_open() -> None:
    play = passed()
    play.does(RevealHand, "ann", hand="player")
    play.refused(RevealHand, "ann", hand="player")
    play.refused(RevealHand, "dee", hand="player")  # what lies there is to be entered
    play.refused(RevealHand, "dee", hand="player", cards=("2D", "KC", "4C"))
    assert play.refused(RevealHand, "dee", hand="player", cards=("9X",)).reason == NOT_A_CARD(text="9X")
    play.refused(RevealHand, "dee", hand="player", cards=("",))


def test_nobody_bends_a_card_on_the_screen_whose_face_the_table_does_not_know() -> None:
    play = passed()
    play.refused(SqueezeCard, "ann", place=0, step=1)


def test_a_card_that_a_reading_shoe_has_told_is_turned_over_by_its_holder() -> None:
    play = Play(IDT, method="A", device="reading-shoe")
    play.open_betting()
    play.bet("ann", "player", "100.00")
    play.close_betting()
    play.draw("2D", "9C", "KC", "QC")
    play.does(PassHands, "dee")
    play.refused(RevealHand, "ann", hand="player", cards=("9H", "KH"))
    play.does(RevealHand, "ann", hand="player")
    play.does(RevealHand, "dee", hand="banker")
    assert hands(play) == ("2D KC", "9C QC")


@pytest.mark.clause("D21-4.2a")
def test_dragon_21_has_the_dealer_enter_what_a_squeeze_shows() -> None:
    style = next((id for id, each in Play(D21).game.methods.items() if each.squeeze != "nobody"), "")
    play = physical(D21, method=style)
    play.open_betting()
    play.bet("ann", "dragon", "50.00")
    play.close_betting()
    play.draw(*[""] * 4)
    play.does(PassHands, "dee")
    play.refused(RevealHand, "ann", hand="dragon", cards=("TS", "TH"))
    play.does(RevealHand, "ann", hand="dragon")
    play.does(RevealHand, "dee", hand="dragon", cards=("TS", "TH"))
    play.does(RevealHand, "dee", hand="tiger", cards=("9H", "9C"))
    assert hands(play) == ("TS TH", "9H 9C")


# ------------------------------------------------ which hand opens first


@pytest.mark.clause("IDT-3.10.6")
@pytest.mark.parametrize(("said", "first"), [("", "player"), ("player", "player"), ("banker", "banker")])
def test_the_dealer_says_with_the_passing_which_hand_opens_first(said: str, first: str) -> None:
    play = passed(first=said)
    assert play.last(FirstHandChosen).clause == "IDT-3.10.6"
    one, other = ("ann", "bob") if first == "player" else ("bob", "ann")
    second = "banker" if first == "player" else "player"
    play.refused(RevealHand, other, "IDT-3.10.6", hand=second)
    play.does(RevealHand, one, hand=first)
    play.refused(RevealHand, other, "IDT-3.10.6", hand=second)  # it is not turned over yet
    play.does(RevealHand, "dee", hand=first, cards=("2D", "KC"))
    play.does(RevealHand, other, hand=second)


@pytest.mark.clause("IDT-3.10.6")
def test_the_order_is_said_after_the_initial_deal_and_before_a_hand_lies_open() -> None:
    play = physical(IDT, method="A")
    play.open_betting()
    play.bet("ann", "player", "100.00")
    play.refused(ChooseFirstHand, "dee", "IDT-3.10.6", hand="banker")
    play.close_betting()
    play.refused(ChooseFirstHand, "dee", "IDT-3.10.6", hand="banker")
    play.draw("", "", "", "")
    play.refused(PassHands, "dee", first="tiger")
    play.does(ChooseFirstHand, "dee", hand="player")
    play.does(PassHands, "dee")
    play.does(ChooseFirstHand, "dee", hand="banker")
    play.does(RevealHand, "dee", hand="banker", cards=("2D", "KC"))
    play.refused(ChooseFirstHand, "dee", "IDT-3.10.6", hand="player")


@pytest.mark.clause("DBC-DEAL-2")
def test_a_document_without_an_order_has_none() -> None:
    play = passed(DBC)
    assert not any(isinstance(each, FirstHandChosen) for each in play.log)
    play.does(RevealHand, "bob", hand="banker")


# ------------------------------------------------ any of the cards (IDT-3.15)


@pytest.mark.clause("IDT-3.15")
def test_a_pit_manager_grants_a_single_card() -> None:
    play = Play(IDT, cards="2D 9C KC QC", method="A")
    play.open_betting()
    play.bet("ann", "player", "100.00")
    play.close_betting()
    play.draw("", "", "", "")
    play.refused(GrantSqueeze, "pam", "IDT-3.15", hand="player", person="cay", places=(2,))  # nothing is passed yet
    play.does(PassHands, "dee")
    play.refused(GrantSqueeze, "pam", "IDT-3.15", hand="player", person="cay", places=(1,))  # of the other hand
    play.refused(GrantSqueeze, "sue", hand="player", person="cay", places=(2,))
    play.does(GrantSqueeze, "pam", hand="player", person="cay", places=(2,))
    assert [each.holder for each in play.current.cards] == ["ann", "", "cay", ""]
    play.does(SqueezeCard, "cay", place=2, step=4)
    play.refused(SqueezeCard, "cay", place=0, step=4)
    play.refused(SqueezeCard, "ann", place=2, step=5)
    play.does(RevealHand, "ann", hand="player")
    assert play.last(CardsRevealed).cards == ("2D", "")
    play.refused(LeaveTable, "cay")
    play.does(RevealHand, "cay", hand="player")
    assert hands(play)[0] == "2D KC"
    assert all(each.public for each in play.current.cards_of(0))


# ------------------------------------------------ whoever has withdrawn squeezes no longer


@pytest.mark.clause("IDT-3.10.2", "IDT-3.10.7b")
def test_after_a_withdrawal_the_hand_goes_to_the_highest_wager_that_is_left() -> None:
    play = Play(IDT, cards="2D 3C KC QC 5H 4S 4H", method="A", device="reading-shoe")
    play.open_betting()
    play.bet("ann", "player", "300.00")
    play.bet("bob", "player", "90.00")
    play.close_betting()
    play.draw("", "", "", "")
    play.does(PassHands, "dee")
    play.turn_over()
    play.does(AnnounceTotals, "dee")
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("5H", "4S"))
    play.does(AnswerWithdrawalOffer, "ann", withdraw=True)
    assert play.current.holders[0] == "ann"  # bob still thinks about it
    play.does(AnswerWithdrawalOffer, "bob", withdraw=False)
    assert (play.last(HandPassed).hand, play.last(HandPassed).to) == ("player", "bob")
    play.draw("")
    assert (play.current.cards[4].hand, play.current.cards[4].holder) == ("player", "bob")


@pytest.mark.clause("IDT-3.10.3")
def test_with_nobody_left_on_it_the_dealer_has_the_hand() -> None:
    play = Play(IDT, cards="2D 3C KC QC 5H 4S 4H", method="A", device="reading-shoe")
    play.open_betting()
    play.bet("ann", "player", "300.00")
    play.bet("bob", "banker", "90.00")
    play.close_betting()
    play.draw("", "", "", "")
    play.does(PassHands, "dee")
    play.turn_over()
    play.does(AnnounceTotals, "dee")
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("5H", "4S"))
    for patron in ("ann", "bob"):
        play.does(AnswerWithdrawalOffer, patron, withdraw=patron == "ann")
    assert play.current.holders == ("", "bob")
    play.refused(RefuseHand, "ann", hand="player")


# ------------------------------------------------ a correction in a squeezed hand


@pytest.mark.clause("IDT-6.3b")
def test_a_face_that_the_dealer_entered_of_a_squeezed_hand_is_corrected_too() -> None:
    play = passed()
    play.does(RevealHand, "dee", hand="player", cards=("2D", "KC"))
    play.does(CorrectCard, "dee", laid=2, card="QC")
    play.does(CorrectCard, "dee", laid=0, card="3D")
    assert hands(play)[0] == "3D QC"
    play.does(RevealHand, "dee", hand="banker", cards=("3C", "QD"))
    before = play.current
    play.asks(CorrectCard, "dee", laid=0, card="2D")
    assert (play.current, play.table.awaited is not None) == (before, True)
