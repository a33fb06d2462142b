"""Hands that went to the wrong person, holders who are absent, and what a ruling does about either."""

from __future__ import annotations

import pytest

from longhu.table.betting_phase import CallPlaceYourBets
from longhu.table.dealing import AnnouncementContradicted, AnnounceResult
from longhu.table.engine import evolve
from longhu.table.handling import GrantSqueeze, PassHands, RefuseHand, RevealHand, SqueezeCard, glimpse
from longhu.table.irregularities.cards import DrawCardsTogether, JudgeIrregularity
from longhu.table.irregularities.exposure import ExposeCards, ReportFaceUpCard, RevealForAbsent
from longhu.table.irregularities.rulings import MakeRuling
from longhu.table.remedies.mispassed import ReportMispassedHand, RetrieveHand
from longhu.table.remedies.restoring import restored
from longhu.table.remedies.void import IrregularityFound
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.settling import SettleRound
from tests.table.irregular import D21, IDT, betting, physical
from tests.table.rounds import Play

DBC = "dragon-bonus"


def passed(play: Play, **bets: dict[str, str]) -> Play:
    """Four cards dealt face down and passed."""
    betting(play, **bets)
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    return play


@pytest.mark.clause("DBC-DEAL-3")
def test_the_dealer_reveals_for_a_patron_who_has_gone() -> None:
    play = passed(Play(DBC, cards="9S 2H KD 5C"), ann={"player": "50.00"})
    events = play.does(RevealForAbsent, "dee", hand="player", gone=True)
    found = next(event for event in events if isinstance(event, IrregularityFound))
    assert (found.remedy, found.clause) == ("dealer-reveals", "DBC-DEAL-3")
    play.finish()
    assert play.net("ann") == "50.00"


@pytest.mark.clause("D21-12.0f")
def test_a_ruling_to_go_on_takes_a_hand_back_and_passes_it_to_whoever_it_is_due() -> None:
    play = passed(Play(D21, method="B"), ann={"dragon": "50.00"}, bob={"tiger": "50.00"})
    play.does(ReportMispassedHand, "dee", hand="dragon", to="cay")
    play.does(RetrieveHand, "dee", hand="dragon")
    play.refused(RevealHand, "ann", hand="dragon")
    play.does(MakeRuling, "gus", decision="continue", reason="nobody has looked")
    assert play.current.holders == ("ann", "bob")
    assert not play.current.mispassed
    play.does(RevealHand, "ann", hand="dragon")


@pytest.mark.clause("D21-12.0f")
def test_once_seen_the_hand_stays_where_a_ruling_leaves_it() -> None:
    play = passed(Play(D21, method="B"), ann={"dragon": "50.00"}, bob={"tiger": "50.00"})
    play.does(ReportMispassedHand, "dee", hand="dragon", to="cay")
    play.does(SqueezeCard, "cay", place=0, step=3)
    play.does(RetrieveHand, "dee", hand="dragon")
    play.does(MakeRuling, "gus", decision="continue", reason="cay has seen it")
    assert play.current.holders == ("cay", "bob")
    assert not play.current.mispassed
    play.does(RevealHand, "cay", hand="dragon")


def test_a_ruling_to_void_leaves_nothing_to_be_done() -> None:
    play = passed(Play(D21, method="B"), ann={"dragon": "50.00"})
    play.does(ReportMispassedHand, "dee", hand="dragon", to="cay")
    play.does(RetrieveHand, "dee", hand="dragon")
    play.does(MakeRuling, "gus", decision="void", reason="too late in the night")
    play.does(CallPlaceYourBets, "dee")
    assert play.current.halt.deferred is None


@pytest.mark.clause("IDT-5.7b")
def test_whoever_receives_a_hand_has_not_seen_what_another_squeezed() -> None:
    play = passed(Play(IDT, method="A", cards="9S 2H KD 5C"), ann={"player": "50.00"}, bob={"banker": "50.00"})
    play.does(SqueezeCard, "ann", place=0, step=10)
    play.does(ReportMispassedHand, "dee", hand="player", to="cay")
    assert glimpse(play.table, 0, "cay")[0] == ""
    assert not any(each.seen for each in play.current.cards)
    play.does(RetrieveHand, "dee", hand="player")
    assert play.current.holders[0] == "ann"


@pytest.mark.clause("IDT-5.7b")
def test_the_time_to_reveal_starts_anew_with_a_hand_that_was_retrieved() -> None:
    play = passed(Play(IDT, method="A", cards="9S 2H KD 5C"), ann={"player": "50.00"}, bob={"banker": "50.00"})
    play.does(ReportMispassedHand, "dee", hand="player", to="cay")
    play.now += play.settings.reveal_seconds * 1000
    play.does(RetrieveHand, "dee", hand="player")
    play.refused(RevealForAbsent, "dee", "IDT-5.10", hand="player")


@pytest.mark.clause("IDT-5.7a")
def test_a_card_that_moves_to_the_other_hand_is_unseen_by_its_new_holder() -> None:
    play = passed(Play(IDT, method="A", cards="9S 2H KD 5C"), ann={"player": "50.00"}, bob={"banker": "50.00"})
    play.does(SqueezeCard, "ann", place=0, step=10)
    (moved,) = restored(play.table, play.game, play.command(JudgeIrregularity, "sue", put_right=True), "", (1, 0, 2, 3))
    play.table = evolve(play.table, moved)
    assert [(each.card, each.holder) for each in play.current.cards[:2]] == [("2H", "ann"), ("9S", "bob")]
    assert glimpse(play.table, 1, "bob")[0] == ""
    assert not any(each.seen for each in play.current.cards)


@pytest.mark.clause("IDT-5.6", "IDT-5.8")
def test_a_card_face_up_in_the_shoe_comes_after_those_beside_it() -> None:
    play = betting(physical(IDT, method="B"), ann={"player": "50.00"})
    play.draw("9S")
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("2H", "KD"))
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.refused(ReportFaceUpCard, "dee", "IDT-5.6", card="5C")
    play.draw()
    play.draw()
    play.does(ReportFaceUpCard, "dee", card="5C")
    assert [each.card for each in play.current.cards] == ["9S", "2H", "KD", "5C"]


@pytest.mark.clause("IDT-5.7.1d")
def test_a_card_that_lies_open_is_told_by_its_face() -> None:
    play = betting(physical(IDT, method="A"), ann={"player": "50.00"})
    play.draw("", "")
    play.refused(ExposeCards, "dee", kind="card-exposed", places=(0,), cards=("",))
    play.does(ExposeCards, "dee", kind="card-exposed", places=(0,), cards=("9S",))


def test_a_slip_of_the_tongue_is_on_record_and_the_cards_stand() -> None:
    play = betting(physical("dragon-tiger"), ann={"dragon": "50.00"})
    play.draw("KS", "2H")
    before = play.table
    slip = play.does(AnnounceResult, "dee", winner="tiger")
    assert [(each.announced, each.cards_say) for each in slip if isinstance(each, AnnouncementContradicted)] == [
        ("tiger", "dragon")
    ]
    assert play.table == before
    play.refused(MakeRuling, "sue", decision="void", reason="a slip of the tongue")
    play.does(AnnounceResult, "dee", winner="dragon")
    play.does(SettleRound, "dee")
    assert play.net("ann") == "50.00"


def at_cay(game: str = IDT, method: str = "A") -> Play:
    """The first hand is due to ann, and cay has it."""
    first, second = ("player", "banker") if game == IDT else ("dragon", "tiger")
    play = passed(Play(game, method=method, cards="9S 2H KD 5C"), ann={first: "50.00"}, bob={second: "50.00"})
    play.does(ReportMispassedHand, "dee", hand=first, to="cay")
    return play


@pytest.mark.clause("IDT-5.7b")
def test_a_hand_that_went_astray_twice_is_still_due_to_the_first_holder() -> None:
    play = at_cay()
    play.refused(ReportMispassedHand, "dee", "IDT-5.7b", hand="player", to="cay")
    play.refused(ReportMispassedHand, "dee", "IDT-5.7b", hand="player", to="ann")
    play.does(ReportMispassedHand, "dee", hand="player", to="stan")
    play.does(RetrieveHand, "dee", hand="player")
    assert (play.current.holders[0], play.current.mispassed) == ("ann", {})


@pytest.mark.clause("IDT-5.7b")
def test_whoever_has_a_hand_wrongly_gives_it_back_and_declines_nothing() -> None:
    play = at_cay()
    play.does(RefuseHand, "cay", hand="player")
    assert (play.current.holders[0], play.current.declined[0]) == ("ann", ())
    assert play.last(IrregularityFound).clause == "IDT-5.7b"
    play.refused(RetrieveHand, "dee", hand="player")


@pytest.mark.clause("IDT-5.7.1a")
def test_a_hand_that_was_seen_and_is_then_refused_is_no_longer_at_the_wrong_person() -> None:
    play = at_cay()
    play.does(SqueezeCard, "cay", place=0, step=3)
    play.does(RefuseHand, "cay", hand="player")
    assert (play.current.holders[0], play.current.mispassed) == ("ann", {})


@pytest.mark.clause("D21-12.0f")
def test_where_a_ruling_comes_first_a_hand_given_back_waits_for_it() -> None:
    play = at_cay(D21, "B")
    play.does(RefuseHand, "cay", hand="dragon")
    assert play.current.halt.incident
    play.does(MakeRuling, "gus", decision="continue", reason="nobody has looked")
    assert (play.current.holders[0], play.current.declined[0]) == ("ann", ())


@pytest.mark.clause("IDT-3.15", "IDT-5.7b")
def test_a_hand_granted_to_somebody_is_not_retrieved_from_there() -> None:
    play = at_cay()
    play.does(GrantSqueeze, "pam", hand="player", person="stan")
    play.refused(RetrieveHand, "dee", hand="player")
    assert play.current.holders[0] == "stan"


@pytest.mark.clause("IDT-5.10", "IDT-5.7b")
def test_a_hand_that_the_dealer_has_turned_over_is_not_at_the_wrong_person() -> None:
    play = at_cay()
    play.does(RevealForAbsent, "dee", hand="player", gone=True)
    play.refused(RetrieveHand, "dee", hand="player")
    assert not play.current.mispassed
