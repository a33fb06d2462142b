"""The cutting card of real cards: the dealer reports it, and the count only warns."""

from __future__ import annotations

from typing import Any

import pytest

import longhu
from longhu.eventsourcing import Event
from longhu.table.authority import NO_REAL_CARDS
from longhu.table.betting_phase import CallPlaceYourBets
from longhu.table.cutting_card import (
    CUTTING_CARD_SHOWN_ALREADY,
    NO_CUTTING_CARD,
    CuttingCardShown,
    ReportCuttingCard,
)
from longhu.table.dealing import DrawCard
from longhu.table.messages import SHOE_NOT_LOADED
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer, WithdrawalOffered
from longhu.table.shoe import CUTTING_CARD_OUT
from longhu.table.state import Equipment
from longhu.table.views import View, view, viewer
from tests.table.irregular import D21, DT, IDT, betting, dealt, finish, hands, kinds, physical
from tests.table.rounds import Play, equipment_for

NATURAL = {
    IDT: ("9S", "2H", "KD", "5C"),
    DT: ("9S", "2H"),
    D21: ("TS", "9H", "TH", "9C"),
    "dragon-bonus": ("9S", "2H", "KD", "5C"),
}
GAMES = list(NATURAL)
HAND = {game: longhu.game(game).definition.procedure.hands[0].id for game in GAMES}
FACE_UP = {IDT: {"method": "B"}, D21: {"method": "A"}}


def real(game: str, **settings: Any) -> Play:
    """A table with real cards, dealt face up, where ann has a wager and betting is closed."""
    return betting(physical(game, **FACE_UP.get(game, {}), **settings), ann={HAND[game]: "50.00"})


def play_out(play: Play, *faces: str) -> list[Event]:
    """These cards as they leave the shoe, and the end of the round."""
    for face in faces:
        play.draw(face)
    if play.current.hands and not play.current.all_public:
        play.turn_over()
    return finish(play)


def last_round(play: Play) -> bool:
    return play.refused(CallPlaceYourBets, "dee").reason == CUTTING_CARD_OUT()


@pytest.mark.clause("IDT-3.16a", "IDT-3.16b", "D21-11.0a", "D21-11.0b")
@pytest.mark.parametrize("game", [IDT, DT, D21])
@pytest.mark.parametrize("after", [0, 1, 2])
@pytest.mark.parametrize("area", ["", "Paiza Club"])
def test_no_card_is_lost_when_the_cutting_card_comes(game: str, after: int, area: str) -> None:
    play, cards = real(game, area=area), NATURAL[game]
    first, rest = cards[:after], cards[after:]
    play.draw(*first) if first else None
    events = play.does(ReportCuttingCard, "dee")
    clause = {IDT: "IDT-3.16a", D21: "D21-11.0a"}.get(game, "")
    offered = any(isinstance(event, WithdrawalOffered) for event in events)
    assert offered == (game == IDT and after == 0 and area == "Paiza Club")  # a high limit area of that game alone
    assert events[0].clause == ("IDT-3.16.1" if offered else clause)
    if offered:
        play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play_out(play, *rest)
    assert tuple(dealt(play)) == cards
    assert last_round(play)


@pytest.mark.clause("IDT-3.16.1")
def test_in_place_of_the_first_card_a_patron_at_high_limits_withdraws_and_the_first_card_is_still_players() -> None:
    play = real(IDT, area="Paiza Club")
    events = play.does(ReportCuttingCard, "dee")
    assert kinds(events) == ["CuttingCardShown", "WithdrawalOffered"]
    play.refused(DrawCard, "dee", "IDT-3.16.1", card="9S")
    play.does(AnswerWithdrawalOffer, "ann", withdraw=True)
    play.draw("9S", "4H")
    assert hands(play) == ("9S", "4H")


@pytest.mark.clause("IDT-3.16b")
def test_after_the_last_card_the_round_is_still_the_last() -> None:
    play = real(IDT)
    play.draw(*NATURAL[IDT])
    shown = play.does(ReportCuttingCard, "dee")
    assert kinds(shown) == ["CuttingCardShown"]
    finish(play)
    assert play.net("ann") == "50.00"
    assert last_round(play)


def test_between_two_rounds_the_round_before_was_the_last() -> None:
    play = real(IDT)
    play_out(play, *NATURAL[IDT])
    assert play.does(ReportCuttingCard, "dee")[0].clause == "IDT-3.16a"
    assert last_round(play)


def test_while_betting_is_open_nobody_has_to_be_asked() -> None:
    play = physical(IDT, method="B", area="Paiza Club")
    play.open_betting()
    play.bet("ann", "player", "50.00")
    assert kinds(play.does(ReportCuttingCard, "dee")) == ["CuttingCardShown"]  # whoever wants takes the wager back
    play.close_betting()
    play_out(play, *NATURAL[IDT])
    assert last_round(play)


@pytest.mark.parametrize("game", GAMES)
def test_one_shoe_has_one_cutting_card(game: str) -> None:
    play = real(game)
    play.does(ReportCuttingCard, "dee")
    assert play.refused(ReportCuttingCard, "dee").reason == CUTTING_CARD_SHOWN_ALREADY()
    play.refused(ReportCuttingCard, "ann")
    play.refused(ReportCuttingCard, "cay")


def test_it_is_reported_of_real_cards_that_were_cut() -> None:
    assert betting(Play(IDT)).refused(ReportCuttingCard, "dee").reason == NO_REAL_CARDS()
    assert Play(IDT, device="hand-shoe", cards=None).refused(ReportCuttingCard, "dee").reason == SHOE_NOT_LOADED()


def dealers_view(play: Play) -> View:
    return view(play.table, play.game, viewer(play.table, "dee"))


@pytest.mark.clause("D21-7.0d")
@pytest.mark.parametrize("game", [IDT, D21])
def test_the_count_warns_and_nothing_follows_from_it(game: str) -> None:
    """The cutting card is never reported: the shoe goes on, and the dealer is told to look."""
    play = physical(game, **FACE_UP[game], cut_reserve=416 - 18)  # 18 cards before it
    most = play.game.procedure.cards_max
    for _ in range(6):
        shoe = play.table.shoe
        assert shoe is not None
        assert dealers_view(play).cutting_card_expected == (shoe.drawn + most > 18)
        betting(play, ann={HAND[game]: "50.00"})
        play_out(play, *NATURAL[game])
        assert not dealers_view(play).cutting_card_out
    assert not any(isinstance(event, CuttingCardShown) for event in play.log)
    play.open_betting()
    play.does(ReportCuttingCard, "dee")
    assert (dealers_view(play).cutting_card_expected, dealers_view(play).cutting_card_out) == (False, True)


def test_a_virtual_shoe_reports_its_own_and_keeps_the_card() -> None:
    play = Play(IDT, method="B", cards=None)
    play.load("9S 2H KD 5C 8S 3H QD 4C", cut_by="ann", cut_behind=416 - 4)
    play.round(ann={"player": "50.00"})
    betting(play, ann={"player": "50.00"})
    assert kinds(play.does(DrawCard, "dee")) == ["CuttingCardShown", "CardDrawn"]
    assert hands(play) == ("8S", "")
    assert not view(play.table, play.game, viewer(play.table, "dee")).cutting_card_expected


@pytest.mark.clause("D21-3.4.b")
def test_a_device_that_mixes_all_the_time_has_none() -> None:
    equipment = equipment_for(8, setup="continuous-shuffler", shuffler=416)
    play = betting(physical_shuffler(equipment), ann={"dragon": "50.00"})
    assert play.refused(ReportCuttingCard, "dee").reason == NO_CUTTING_CARD()


def physical_shuffler(equipment: Equipment) -> Play:
    return Play(D21, method="A", device="shuffler", equipment=equipment)
