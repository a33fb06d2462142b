"""An electronic dealing device that must be reset (IDT-5.9), and every other reset (IDT-6.1)."""

from __future__ import annotations

from typing import Any

import pytest

from longhu.positions import Position
from longhu.table.betting import PlaceWager
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard
from longhu.table.equipment import DEVICE_NOT_OF_SET_UP
from longhu.table.irregularities.cards import DrawCardsTogether
from longhu.table.irregularities.device import DEVICE_NOT_ELECTRONIC, ResetDevice
from longhu.table.irregularities.rulings import MakeRuling
from longhu.table.opening import OpenTable
from longhu.table.remedies.procedure import IncidentOpened
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer, CardsDiscarded, WithdrawalOffered
from longhu.table.state import CardSet, Phase
from tests.table.irregular import D21, IDT, betting, dealt, finish, kinds, returned
from tests.table.rounds import Play, equipment_for

ELECTRONIC = ("virtual", "reading-shoe")


def table(device: str, **settings: Any) -> Play:
    return Play(IDT, method="B", device=device, cards="9S 2H KD 5C 8S 3H QD 4C", **settings)


def draw(play: Play, *faces: str) -> None:
    for face in faces:
        play.draw("" if play.settings.virtual_shoe else face)


@pytest.mark.clause("IDT-5.9a", "IDT-5.9b")
@pytest.mark.parametrize("device", ELECTRONIC)
@pytest.mark.parametrize("out", [0, 1, 2, 4])
def test_after_the_closing_call_patrons_may_withdraw_cards_out_or_not(device: str, out: int) -> None:
    play = betting(table(device), ann={"player": "100.00", "tie": "10.00"}, bob={"banker": "50.00"})
    draw(play, *("9S", "2H", "KD", "5C")[:out])
    events = play.does(ResetDevice, "dee", dealer_error=True)
    offer = next(event.offer for event in events if isinstance(event, WithdrawalOffered))
    assert (offer.clause, offer.waits_for, offer.whole) == ("IDT-5.9a", ("ann", "bob"), False)
    play.refused(DrawCard, "dee", "IDT-5.9a", card="8S")
    assert returned(play.does(AnswerWithdrawalOffer, "ann", withdraw=True, wagers=((1, "player"),)))
    events = play.does(AnswerWithdrawalOffer, "bob", withdraw=False)
    assert kinds(events)[-1] == "BettingReopened"
    assert any(isinstance(event, CardsDiscarded) for event in events) == bool(out)
    assert (events[-1].clause, play.current.phase, play.current.cards) == ("IDT-5.9b", Phase.BETTING, ())
    play.bet("cay", "tie", "25.00")
    play.close_betting()
    play.refused(PlaceWager, "cay", "IDT-5.4b", place=3, wager="tie", amount=2500)
    before = len(dealt(play))
    draw(play, "8S", "3H", "QD", "4C")
    assert dealt(play)[before] == ("8S" if out == 4 or device != "virtual" else (["9S", "2H", "KD", "5C"])[out])
    if device != "virtual" or out == 4:
        finish(play)
        assert play.net("bob") == "-50.00"
    assert play.table.shoe is not None
    assert play.table.shoe.drawn == out + 4  # and no card was lost or counted twice
    assert play.table.shoe.left == 416 - out - 4


@pytest.mark.clause("IDT-5.9b")
def test_cards_beside_the_shoe_go_to_the_discards_too() -> None:
    play = betting(table("reading-shoe"), ann={"player": "50.00"})
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("9S", "2H"))
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.does(ResetDevice, "dee", dealer_error=True)
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    assert play.table.shoe is not None
    assert (play.current.reserve, play.table.shoe.discards) == ((), ("9S", "2H"))
    assert play.table.shoe.unseen == ("9S", "2H")


@pytest.mark.clause("IDT-6.1")
@pytest.mark.parametrize("device", ELECTRONIC)
def test_any_other_reset_is_the_shift_managers(device: str) -> None:
    """Before the closing call, by nobody's error, or once the result is known."""
    play = table(device)
    play.open_betting()
    play.bet("ann", "player", "50.00")
    assert incident(play.does(ResetDevice, "dee", dealer_error=True)) is Position.GAMING_SHIFT_MANAGER
    play.refused(MakeRuling, "pam", decision="continue", reason="reset", clause="IDT-6.1")
    play.does(MakeRuling, "gus", decision="continue", reason="reset")
    play.close_betting()
    draw(play, "9S", "2H")
    assert incident(play.does(ResetDevice, "dee", dealer_error=False)) is Position.GAMING_SHIFT_MANAGER
    assert play.current.halt.offer is None
    play.does(MakeRuling, "gus", decision="continue", reason="the device is well")
    draw(play, "KD", "5C")
    play.does(AnnounceTotals, "dee")
    play.does(AnnounceResult, "dee")
    assert incident(play.does(ResetDevice, "dee", dealer_error=True)) is Position.GAMING_SHIFT_MANAGER


def incident(events: list[Any]) -> Position:
    assert events[0].clause == "IDT-6.1"
    return next(event.decider for event in events if isinstance(event, IncidentOpened))


@pytest.mark.clause("IDT-5.9a")
def test_a_hand_shoe_has_nothing_to_reset() -> None:
    play = betting(table("hand-shoe"), ann={"player": "50.00"})
    assert play.refused(ResetDevice, "dee", "IDT-5.9a", dealer_error=True).reason == DEVICE_NOT_ELECTRONIC()


@pytest.mark.clause("D21-12.0f")
def test_a_document_that_does_not_name_it_leaves_it_to_its_casino_supervisor() -> None:
    play = betting(Play(D21, method="A"), ann={"dragon": "50.00"})
    events = play.does(ResetDevice, "dee", dealer_error=True)
    assert events[-1].clause == "D21-12.0f"
    assert isinstance(events[-1], IncidentOpened)


# ---------------------------------------------------------------- what a device is combined with


@pytest.mark.clause("D21-3.4.a.ii.C", "D21-3.4.a.iii")
@pytest.mark.parametrize(
    ("device", "setup", "clause"),
    [
        ("hand-shoe", "continuous-shuffler", ""),
        ("reading-shoe", "continuous-shuffler", ""),
        ("shuffler", "shoe", ""),
        ("shuffler", "batch-shuffler", "D21-3.4.a.ii.C"),
    ],
)
def test_a_device_fits_what_stands_on_the_table(device: str, setup: str, clause: str) -> None:
    refusal = stands(device, setup).refused(OpenTable, "opal", **stands(device, setup).opening())
    assert refusal.reason == DEVICE_NOT_OF_SET_UP(device=device, setup=setup)
    assert refusal.clause == clause


@pytest.mark.parametrize(
    ("device", "setup"),
    [
        ("hand-shoe", "shoe"), ("hand-shoe", "batch-shuffler"), ("reading-shoe", "batch-shuffler"), ("shuffler", "continuous-shuffler"),
        ("virtual", "shoe"), ("virtual", "batch-shuffler"), ("virtual", "continuous-shuffler"),
    ],
)  # fmt: skip
def test_these_go_together(device: str, setup: str) -> None:
    play = stands(device, setup)
    play.does(OpenTable, "opal", **play.opening())


def stands(device: str, setup: str) -> Play:
    backs = ("blue", "red") if setup == "batch-shuffler" else ("blue",)
    sets = tuple(CardSet((back,) * 8) for back in backs)
    equipment = equipment_for(8, setup=setup, shuffler=416, sets=sets)
    return Play(D21, method="A", device=device, equipment=equipment, open=False)
