"""The cut of a shoe: who makes it, and where."""

from __future__ import annotations

import pytest

from longhu.table.messages import POSSIBLE_RANGE
from longhu.table.shoe import OFFER_CUT_FIRST, CardsCut, LoadShoe, VerifyCards
from longhu.table.shuffling import CutCards
from tests.table.rounds import Play


def about_to_load(burn: int = 0) -> Play:
    play = Play("dragon-21", cards=None, people={"ann": 1}, burn=burn)
    for person in ("dee", "sue"):
        play.does(VerifyCards, person, counted=416)
    play.shuffle()
    return play


@pytest.mark.clause("D21-7.0c")
def test_whoever_declines_the_cut_does_not_make_it() -> None:
    play = about_to_load()
    play.refused(LoadShoe, "dee", "D21-7.0c", cut_by="ann", declined=("ann",))
    play.does(CutCards, "ann")
    play.does(LoadShoe, "dee")
    assert play.last(CardsCut).person == "ann"


@pytest.mark.clause("D21-7.0c")
@pytest.mark.parametrize(("burn", "most"), [(0, 415), (3, 412)])
def test_the_cut_leaves_a_card_to_deal_after_those_that_are_burned(burn: int, most: int) -> None:
    play = about_to_load(burn)
    refusal = play.refused(CutCards, "ann", "D21-7.0c", behind=most + 1)
    assert refusal.remedy == POSSIBLE_RANGE(least=1, most=most)
    play.does(CutCards, "ann", behind=most)
    play.does(LoadShoe, "dee")


@pytest.mark.parametrize("game", ["immortal-dragon-tiger", "dragon-tiger", "dragon-bonus"])
def test_the_dealer_cuts_real_cards_only_once_every_seated_patron_has_declined(game: str) -> None:
    play = Play(game, cards=None, people={"ann": 1, "stan": None}, device="hand-shoe")
    assert play.refused(LoadShoe, "dee").reason == OFFER_CUT_FIRST(patron="ann")
    play.does(LoadShoe, "dee", declined=("ann",))
    assert play.last(CardsCut).person == "dee"
