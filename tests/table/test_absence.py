"""A patron who has gone: the pit sends the chips to the cage and frees the seat."""

from __future__ import annotations

import pytest

from longhu.table.cash import ChipsCashed
from longhu.table.nominees import AnnounceNominee, ApproveNominee, NameNominee
from longhu.table.people import NOMINEE_ROLE_STANDS, WAGERS_STILL_ON_LAYOUT, FreeSeat, Join, PatronLeft
from tests.table.rounds import CHIPS, Play


@pytest.mark.clause("OPS-2")
def test_an_absent_patrons_chips_go_to_the_cage_and_the_seat_is_free() -> None:
    play = Play("dragon-tiger")
    assert play.chips("ann") == CHIPS
    play.does(FreeSeat, "sue", patron="ann", reason="did not come back")
    assert (play.last(ChipsCashed).patron, play.last(ChipsCashed).by) == ("ann", "sue")
    assert play.last(PatronLeft).person == "ann"
    assert play.table.balances.get("patron:ann", 0) == 0
    play.does(Join, "dora", seat=1)


def test_whoever_has_no_chips_leaves_without_any() -> None:
    play = Play("dragon-tiger")
    play.does(FreeSeat, "sue", patron="ann", reason="gone")
    play.does(Join, "ann", seat=1)
    (left,) = play.does(FreeSeat, "sue", patron="ann", reason="gone again")
    assert isinstance(left, PatronLeft)


def test_a_seat_is_not_freed_by_a_dealer_without_a_reason_or_from_somebody_who_plays() -> None:
    play = Play("dragon-tiger")
    play.refused(FreeSeat, "dee", patron="ann", reason="gone")
    play.refused(FreeSeat, "bob", patron="ann", reason="in my way")
    play.refused(FreeSeat, "sue", "OPS-2", patron="ann", reason="  ")
    play.refused(FreeSeat, "sue", patron="zed", reason="gone")
    play.open_betting()
    play.bet("ann", "dragon", "50.00")
    refusal = play.refused(FreeSeat, "sue", patron="ann", reason="gone")
    assert refusal.reason == WAGERS_STILL_ON_LAYOUT(patron="ann")
    play.does(FreeSeat, "sue", patron="bob", reason="gone")  # who has no wager in this round
    play.finish()
    play.does(FreeSeat, "sue", patron="ann", reason="gone")


def test_a_hand_is_handed_back_before_its_holder_is_sent_away() -> None:
    play = Play("immortal-dragon-tiger", method="A")
    play.open_betting()
    play.bet("ann", "player", "50.00")
    play.close_betting()
    for _ in range(play.game.procedure.initial_cards):
        play.draw()
    play.refused(FreeSeat, "sue", patron="ann", reason="gone")


@pytest.mark.clause("D21-2.2.c")
def test_whoever_is_represented_has_somebody_there() -> None:
    play = Play("dragon-21")
    play.does(NameNominee, "ann", person="stan")
    play.does(ApproveNominee, "sue", patron="ann")
    play.does(AnnounceNominee, "sue", patron="ann")
    for patron in ("ann", "stan"):
        refusal = play.refused(FreeSeat, "sue", patron=patron, reason="gone")
        assert refusal.reason == NOMINEE_ROLE_STANDS(person=patron)
