"""A ruling on single wagers: this one stands, that one goes back (IDT-6.1)."""

from __future__ import annotations

from typing import Any

import pytest

from longhu.table.confirmation import ConfirmReport
from longhu.table.engine import replay
from longhu.table.handling import PassHands
from longhu.table.irregularities.drawn_in_error import ReportDrawnInError
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident, RulingMade
from longhu.table.remedies.passing import HandPassed
from longhu.table.remedies.void import StakeReturned
from longhu.table.state import Table
from tests.table.irregular import D21, DT, IDT, betting, returned
from tests.table.rounds import Play

TIE_GOES_BACK: dict[str, Any] = {"decision": "continue", "reason": "bob's Tie was pushed over the line by a sleeve"}


def with_incident(game: str = IDT, **settings: Any) -> Play:
    """Four cards of a round lie there (Player 5, Banker 6), and something has happened that the document does not name."""
    play = Play(game, cards="2D KC 3D 6C KH", **settings)
    betting(play, ann={"banker": "100.00"}, bob={"player": "50.00", "tie": "10.00"})
    for _ in range(4):
        play.draw()
    play.does(ReportIncident, "dee", told="a sleeve has moved chips")
    return play


@pytest.mark.clause("IDT-6.1")
def test_one_wager_goes_back_and_the_others_stand() -> None:
    play = with_incident(method="B")
    asked = play.asks(MakeRuling, "gus", **TIE_GOES_BACK, returns=(("bob", 2, "tie"),))
    assert isinstance(asked, list)
    assert not returned(asked)  # money would move once cards are out: two people
    events = play.does(ConfirmReport, "dee", number=play.table.reports)
    assert returned(events) == {"bob tie": 1000}
    assert (play.last(StakeReturned).why, play.last(StakeReturned).clause) == ("ruling", "IDT-6.1")
    assert play.last(RulingMade).by == "gus"
    assert {stake.key for stake in play.current.stakes.values()} == {"ann/1/banker", "bob/2/player"}
    play.finish()
    assert (play.net("ann"), play.net("bob")) == ("95.00", "-50.00")
    assert replay(Table(game=""), play.log) == play.table


@pytest.mark.clause("IDT-6.1")
def test_only_wagers_that_lie_there_can_be_named_and_a_void_round_returns_them_all() -> None:
    play = with_incident(method="B")
    missing = play.refused(MakeRuling, "gus", **TIE_GOES_BACK, returns=(("bob", 2, "banker"),), clause="IDT-6.1")
    assert missing.reason.code == "no-such-wager"
    said = {**TIE_GOES_BACK, "decision": "void"}
    void = play.refused(MakeRuling, "gus", **said, returns=(("bob", 2, "tie"),), clause="IDT-6.1")
    assert void.reason.code == "unknown-ruling"
    play.refused(MakeRuling, "pam", **TIE_GOES_BACK, returns=(("bob", 2, "tie"),), clause="IDT-6.1")


@pytest.mark.clause("D21-11Aa", "D21-12.0f")
def test_a_wager_that_stands_keeps_the_one_that_it_has_to_stand_beside() -> None:
    play = Play(D21, cards="TS 2H 5S 3H")
    betting(play, ann={"dragon": "50.00", "dragon-perfect-pair": "10.00"})
    play.does(ReportIncident, "dee", told="a drink")
    said: dict[str, Any] = {"decision": "continue", "reason": "wet chips"}
    alone = play.refused(MakeRuling, "gus", **said, returns=(("ann", 1, "dragon"),))
    assert alone.reason.code == "wager-needs-another"
    both = (("ann", 1, "dragon"), ("ann", 1, "dragon-perfect-pair"))
    play.asks(MakeRuling, "gus", **said, returns=both)
    events = play.does(ConfirmReport, "dee", number=play.table.reports)
    assert returned(events) == {"ann dragon": 5000, "ann dragon-perfect-pair": 1000}


@pytest.mark.clause("IDT-6.1", "IDT-3.10.2")
def test_whoever_has_no_wager_left_on_a_hand_handles_it_no_longer() -> None:
    play = Play(IDT, method="A", cards="2D KC 3D 6C KH")
    betting(play, ann={"banker": "100.00"}, bob={"banker": "50.00"})
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    assert play.current.holders[1] == "ann"
    play.does(ReportIncident, "dee", told="ann's chips were bob's")
    play.asks(MakeRuling, "gus", decision="continue", reason="not hers", returns=(("ann", 1, "banker"),))
    events = play.does(ConfirmReport, "dee", number=play.table.reports)
    assert any(isinstance(event, HandPassed) for event in events)
    assert play.current.holders[1] == "bob"


@pytest.mark.clause("DT-5.2a")
def test_a_card_drawn_in_error_is_burned_and_a_wager_goes_back_in_one_ruling() -> None:
    play = betting(Play(DT, device="hand-shoe"), ann={"dragon": "50.00"}, bob={"tie": "10.00"})
    play.draw("TS", "9H")
    play.asks(ReportDrawnInError, "dee", card="4D", exposed=True)
    if play.table.awaited is not None:
        play.does(ConfirmReport, "sue", number=play.table.reports)
    play.asks(MakeRuling, "sue", decision="burn", reason="slipped", returns=(("bob", 2, "tie"),))
    play.does(ConfirmReport, "dee", number=play.table.reports)
    assert not play.current.in_error
    assert [stake.key for stake in play.current.stakes.values()] == ["ann/1/dragon"]
