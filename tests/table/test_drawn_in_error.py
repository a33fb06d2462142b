"""A card drawn in error: reported, ruled on, and the shoe's counts stay right."""

from __future__ import annotations

import pytest

from longhu.audit.record import hides
from longhu.eventsourcing import about
from longhu.positions import Position
from longhu.table.dealing import ANOTHER_CARD_COMES_NEXT, AnnounceResult, AnnounceTotals, DrawCard
from longhu.table.handling import PassHands, RefuseHand, RevealHand
from longhu.table.irregularities.cards import DrawCardsTogether
from longhu.table.irregularities.drawn_in_error import CARD_IS_DUE, CardsDrawnInError, ReportDrawnInError
from longhu.table.irregularities.rulings import NEXT_ROUND_WOULD_KNOW_IT, MakeRuling
from longhu.table.messages import NO_CARD_DUE, NO_ROUND
from longhu.table.remedies.procedure import IncidentOpened
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.settling import SettleRound
from longhu.table.state import CardInError
from longhu.table.views import view, viewer
from tests.table.irregular import D21, DT, IDT, assert_void, betting, finish, hands, physical, returned
from tests.table.rounds import Play

RULES = {  # who rules, by what
    DT: ("sue", "dee", "DT-5.2a", Position.PIT_SUPERVISOR),
    IDT: ("gus", "pam", "IDT-6.1", Position.GAMING_SHIFT_MANAGER),
    D21: ("gus", "pam", "D21-12.0f", Position.GAMING_SHIFT_MANAGER),
    "dragon-bonus": ("gus", "pam", "", Position.GAMING_SHIFT_MANAGER),
}
CARDS = {
    DT: ("9S", "2H"),
    IDT: ("9S", "2H", "KD", "5C"),
    D21: ("TS", "9H", "TH", "9C"),
    "dragon-bonus": ("9S", "2H", "KD", "5C"),
}
METHOD = {IDT: {"method": "B"}, D21: {"method": "A"}}
HAND = {DT: "dragon", D21: "dragon"}


def complete(game: str) -> Play:
    """Both hands have their cards, and ann has a wager on the one that wins."""
    play = betting(physical(game, **METHOD.get(game, {})), ann={HAND.get(game, "player"): "50.00"})
    play.draw(*CARDS[game])
    if not play.current.all_public:
        play.turn_over()
    if "announce-totals" in play.game.cites:
        play.does(AnnounceTotals, "dee")
    return play


def left(play: Play) -> tuple[int, int]:
    """Cards in the shoe as the table counts them, and how many have left it."""
    assert play.table.shoe is not None
    return play.table.shoe.left, play.table.shoe.drawn


@pytest.mark.clause("DT-5.2a", "IDT-6.1", "D21-12.0f", "D21-12.0a")
@pytest.mark.parametrize("game", list(RULES))
@pytest.mark.parametrize("exposed", [True, False])
def test_a_nine_that_nobody_is_due_waits_for_the_ruling_of_whoever_the_document_names(game: str, exposed: bool) -> None:
    play, (ruler, below, clause, position) = complete(game), RULES[game]
    before = left(play)
    assert play.refused(DrawCard, "dee", card="9H")
    events = play.does(ReportDrawnInError, "dee", card="9H", exposed=exposed)
    assert left(play) == (before[0] - 1, before[1] + 1)
    incident = next(event for event in events if isinstance(event, IncidentOpened))
    assert (incident.decider, incident.clause) == (position, clause)
    play.refused(AnnounceResult, "dee")
    play.refused(MakeRuling, below, decision="burn", reason="over", clause=clause)
    play.refused(MakeRuling, ruler, decision="continue", reason="over", clause=clause)  # the card must go somewhere
    play.refused(MakeRuling, ruler, decision="burn", clause=clause, reason="")
    play.does(MakeRuling, ruler, decision="burn", reason="over")
    assert play.table.shoe is not None
    assert play.table.shoe.discards[-1] == "9H"
    assert ("9H" in play.table.shoe.unseen) == (not exposed)
    finish_as_is(play)
    assert play.net("ann") == "50.00"
    assert left(play) == (before[0] - 1, before[1] + 1)


def finish_as_is(play: Play) -> None:
    play.does(AnnounceResult, "dee")
    play.does(SettleRound, "dee")


@pytest.mark.clause("IDT-6.1", "DT-5.2b")
@pytest.mark.parametrize("game", [IDT, DT, D21])
@pytest.mark.parametrize("face", ["9H", ""])
def test_put_back_in_order_it_is_the_next_card(game: str, face: str) -> None:
    play, ruler = complete(game), RULES[game][0]
    before = left(play)
    play.does(ReportDrawnInError, "dee", card=face, exposed=False)
    play.does(MakeRuling, ruler, decision="replace", reason="nobody has seen it")
    assert left(play) == before
    finish_as_is(play)
    betting(play, ann={HAND.get(game, "player"): "50.00"})
    if face:
        assert play.refused(DrawCard, "dee", card="3C").reason == ANOTHER_CARD_COMES_NEXT(card="9H")
    play.draw("9H")
    assert hands(play)[0] == "9H"
    play.draw("3C")  # nothing more is known of what comes
    assert left(play) == (before[0] - 2, before[1] + 2)


def test_a_card_that_everybody_has_seen_does_not_open_the_next_round() -> None:
    play = complete(IDT)
    play.does(ReportDrawnInError, "dee", card="9H", exposed=True)
    refusal = play.refused(MakeRuling, "gus", decision="replace", reason="in order")
    assert refusal.reason == NEXT_ROUND_WOULD_KNOW_IT()
    shown = view(play.table, play.game, viewer(play.table, "ann"))
    assert shown.round is not None
    assert shown.round.in_error == ("9H",)


@pytest.mark.parametrize("game", [IDT, DT, D21])
def test_the_round_may_be_void(game: str) -> None:
    play, (ruler, _, clause, _) = complete(game), RULES[game]
    play.does(ReportDrawnInError, "dee", card="9H", exposed=False)
    before = left(play)
    events = play.does(MakeRuling, ruler, decision="void", reason="nobody can tell whose it is")
    assert_void(play, events, clause)
    assert returned(events) == {f"ann {HAND.get(game, 'player')}": 5000}
    assert play.table.shoe is not None
    assert (left(play), "9H" in play.table.shoe.discards) == (before, True)


def test_two_cards_in_error_go_back_in_the_order_in_which_they_came() -> None:
    play = complete(IDT)
    before = left(play)
    assert (
        play.refused(DrawCardsTogether, "dee", order_known=True, cards=("9H", "3C"), clause="IDT-6.1").reason
        == NO_CARD_DUE()
    )
    play.does(ReportDrawnInError, "dee", card="9H", exposed=False)
    play.does(ReportDrawnInError, "dee", card="3C", exposed=False)
    play.does(MakeRuling, "gus", decision="replace", reason="nobody has seen them")
    finish_as_is(play)
    betting(play)
    play.refused(DrawCard, "dee", card="3C")
    play.draw("9H")
    play.refused(DrawCard, "dee", card="9H")
    play.draw("3C")
    assert left(play) == (before[0] - 2, before[1] + 2)


@pytest.mark.clause("IDT-6.1")
def test_a_card_over_of_two_drawn_together_is_ruled_on_and_can_open_the_next_round() -> None:
    play = betting(physical(IDT, method="B"), ann={"player": "100.00"})
    play.draw("9S", "2H", "KD")
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("9H", "8H"))
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.draw()
    play.does(AnnounceTotals, "dee")
    play.refused(AnnounceResult, "dee", "IDT-6.1")
    play.does(ReportDrawnInError, "dee", exposed=False)
    play.does(MakeRuling, "gus", decision="replace", reason="nobody has seen it")
    finish_as_is(play)
    betting(play)
    play.refused(DrawCard, "dee", card="2C")
    play.draw("8H")
    assert hands(play)[0] == "8H"
    assert left(play) == (416 - 5, 5)


def test_while_a_card_is_due_none_is_in_error() -> None:
    play = physical(IDT, method="B")
    assert play.refused(ReportDrawnInError, "dee", exposed=False).reason == NO_ROUND()
    betting(play)
    for faces in ("", "9S", "2H", "2D"):
        if faces:
            play.draw(faces)
        assert (
            play.refused(ReportDrawnInError, "dee", card="8C", exposed=True, clause="IDT-6.1").reason == CARD_IS_DUE()
        )
    play.draw("3H")
    play.does(AnnounceTotals, "dee")
    assert play.refused(ReportDrawnInError, "dee", card="8C", exposed=True).reason == CARD_IS_DUE()  # Player has 1


def test_a_card_that_comes_while_betting_is_open_is_ruled_on_before_the_call() -> None:
    play = physical(IDT, method="B")
    play.open_betting()
    play.bet("ann", "player", "50.00")
    play.does(ReportDrawnInError, "dee", exposed=False)
    play.does(MakeRuling, "gus", decision="replace", reason="it is face down")
    play.close_betting()
    play.draw("9S", "2H", "KD", "5C")
    finish(play)
    assert play.net("ann") == "50.00"


def test_of_hands_face_down_nobody_knows_whether_a_fifth_card_is_due() -> None:
    play = betting(physical(IDT, method="A"), ann={"player": "50.00"})
    play.draw("", "", "", "")
    play.does(ReportDrawnInError, "dee", exposed=False)
    play.does(MakeRuling, "gus", decision="replace", reason="it may be due yet")
    play.does(PassHands, "dee")
    play.does(RefuseHand, "ann", hand="player")
    play.does(RevealHand, "dee", hand="player", cards=("2S", "KD"))
    play.does(RevealHand, "dee", hand="banker", cards=("2H", "5C"))
    play.does(AnnounceTotals, "dee")
    play.draw("")
    assert left(play) == (416 - 5, 5)


def test_a_slip_is_refused_and_so_is_a_card_that_the_shoe_cannot_hold() -> None:
    """Whoever sees a fifth king lie there reports a foreign card; by a slip nothing is void."""
    play = complete(IDT)
    before = left(play)
    play.refused(ReportDrawnInError, "dee", card="9X", exposed=True)
    for _ in range(7):
        play.does(ReportDrawnInError, "dee", card="9S", exposed=True)
    play.refused(ReportDrawnInError, "dee", "IDT-5.1", card="9S", exposed=True)
    assert left(play) == (before[0] - 7, before[1] + 7)


def test_a_face_that_nobody_has_seen_stays_hidden() -> None:
    stamp = about(Play(IDT).command(ReportDrawnInError, "dee", exposed=False), "")
    for card, exposed, secret in (("9H", False, True), ("9H", True, False), ("", False, False)):
        assert hides(CardsDrawnInError(cards=(CardInError(card, exposed),), shoe_number=1, **stamp)) == secret
    play = complete(IDT)
    play.does(ReportDrawnInError, "dee", card="9H", exposed=False)
    for person in ("ann", "dee", "gus"):
        shown = view(play.table, play.game, viewer(play.table, person))
        assert shown.round is not None
        assert shown.round.in_error == (None,)
