"""A patron leaves with a card of Immortal Dragon Tiger: the whole procedure of IDT-5.11.

Ann holds Player's hand, KD and 4H, and goes away with the 4H. Two cards are set aside, everything else is counted.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import longhu
from longhu.cards import DECK, cards
from longhu.eventsourcing import Event
from longhu.messages.message import Message
from longhu.positions import Position
from longhu.table.betting_phase import CallPlaceYourBets
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard, ResultAnnounced
from longhu.table.engine import replay
from longhu.table.handling import PassHands, RevealHand
from longhu.table.irregularities.cards import CardsSetAside, DrawCardsTogether, JudgeIrregularity
from longhu.table.irregularities.exposure import RevealForAbsent
from longhu.table.irregularities.missing import (
    CARD_ACCOUNTED_FOR,
    CARD_TOO_MANY,
    COUNT_DOES_NOT_FIT,
    AttendSearch,
    CardsFoundMissing,
    CardsSorted,
    CardsSubstituted,
    ReportMissingCards,
    ReserveCards,
    SortCards,
    SubstituteCards,
)
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import AS_TOLD, COUNT_AGAIN
from longhu.table.people import AssignStaff
from longhu.table.remedies.mispassed import ReportMispassedHand, RetrieveHand
from longhu.table.remedies.procedure import RULING_AWAITED, IncidentOpened, ReportIrregularity
from longhu.table.remedies.void import IrregularityFound, RoundVoided, ShoeCondemned
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.settling import SettleRound
from longhu.table.shoe import LoadShoe, VerifyCards
from longhu.table.state import Table, replace
from longhu.table.views import view, viewer
from tests.codes import code
from tests.table.irregular import with_cards_left
from tests.table.rounds import Play

IDT = "immortal-dragon-tiger"
GONE = 2  # the place of Player's second card


def passed(banker: tuple[str, str] = ("2C", "5H"), game: Any = IDT, **settings: Any) -> Play:
    """Ann holds Player's two cards face down; Banker's hand lies open."""
    play = Play(game, method="A", device="hand-shoe", **settings)
    play.open_betting()
    play.bet("ann", "player", "100.00")
    play.close_betting()
    play.draw("", "", "", "")
    play.does(PassHands, "dee")
    play.does(RevealHand, "dee", hand="banker", cards=banker)
    return play


def gone(play: Play, kept: str = "KD") -> list[Event]:
    return play.does(ReportMissingCards, "dee", places=(GONE,), left=(kept,))


def counted(less: str) -> dict[str, int]:
    """The sorted cards: eight full decks less these."""
    left = Counter(str(each) for each in DECK * 8)
    left.subtract(str(each) for each in cards(less))
    return dict(left)


def found_out(
    play: Play, reserve: tuple[str, str] = ("5S", "9D"), table: str = "KD 2C 5H", missing: str = "4H"
) -> None:
    """The procedure up to the substitute."""
    play.does(AttendSearch, "gus")
    play.does(ReserveCards, "dee", cards=reserve)
    play.does(SortCards, "dee", counts=counted(f"{table} {' '.join(reserve)} {missing}"))
    play.does(SubstituteCards, "dee", cards=(missing,))


@pytest.mark.clause("IDT-5.11")
def test_the_procedure_starts_only_where_neither_device_nor_surveillance_knows_the_card() -> None:
    electronic = Play(IDT, method="A", cards="KD 2C 9H 5H")
    electronic.open_betting()
    electronic.bet("ann", "player", "100.00")
    electronic.close_betting()
    for _ in range(4):
        electronic.draw()
    electronic.does(PassHands, "dee")
    events = electronic.does(ReportMissingCards, "dee", places=(GONE,))
    assert next(event for event in events if isinstance(event, IrregularityFound)).remedy == "known"
    assert [event.clause for event in events[:2]] == ["IDT-5.11", "IDT-5.11"], "what was found, and the cards shown"
    assert not electronic.current.search.missing
    assert (electronic.current.cards[GONE].card, electronic.current.cards[GONE].public) == ("9H", True)
    electronic.finish()
    assert electronic.net("ann") == "100.00"  # 9 against 7

    seen = passed()
    seen.does(ReportMissingCards, "dee", places=(GONE,), established=("4H",))
    assert not seen.current.search.missing
    assert seen.current.cards[GONE].card == "4H"

    unknown = passed()
    events = gone(unknown)
    assert isinstance(events[-1], CardsFoundMissing)
    assert events[-1].clause == "IDT-5.11"
    assert unknown.current.search.missing == (GONE,)
    unknown.refused(AnnounceTotals, "dee")
    unknown.refused(DrawCard, "dee")


@pytest.mark.clause("IDT-5.11.1a")
def test_cards_are_set_aside_only_with_a_gaming_shift_manager_present() -> None:
    play = passed()
    gone(play)
    play.refused(ReserveCards, "dee", cards=("5S", "9D"), clause="IDT-5.11.1a")
    play.refused(AttendSearch, "pam", clause="IDT-5.11.1a")
    play.refused(ReserveCards, "dee", cards=("5S", "9D"), clause="IDT-5.11.1a")
    (attends,) = play.does(AttendSearch, "gus")
    assert (attends.by, attends.clause) == ("gus", "IDT-5.11.1a")
    events = play.does(ReserveCards, "dee", cards=("5S", "9D"))
    assert [event.cards for event in events if isinstance(event, CardsSetAside)] == [("5S", "9D")]
    assert play.current.reserve == ("5S", "9D")


@pytest.mark.clause("IDT-5.11.1b")
def test_the_cards_set_aside_keep_their_order() -> None:
    both = passed(banker=("2C", "KH"))  # Player 4 draws; Banker 2 draws too
    gone(both)
    found_out(both, table="KD 2C KH")
    both.does(AnnounceTotals, "dee")
    both.draw()
    both.does(RevealHand, "dee", hand="player")
    both.draw()
    both.does(RevealHand, "dee", hand="banker")
    assert [each.card for each in both.current.cards_of(0)] == ["KD", "4H", "5S"]
    assert [each.card for each in both.current.cards_of(1)] == ["2C", "KH", "9D"]

    banker_only = passed(banker=("2C", "KH"))  # Player 7 stands; Banker 2 draws
    gone(banker_only)
    found_out(banker_only, table="KD 2C KH", missing="7S")
    banker_only.does(AnnounceTotals, "dee")
    banker_only.draw()
    banker_only.does(RevealHand, "dee", hand="banker")
    assert [each.card for each in banker_only.current.cards_of(1)] == ["2C", "KH", "5S"]
    banker_only.refused(DrawCard, "dee")


@pytest.mark.clause("IDT-5.11.2")
def test_the_record_of_the_sort_lists_every_card_and_is_shown_to_patrons_and_surveillance() -> None:
    play = passed()
    play.does(AssignStaff, "opal", person="aud", to=Position.AUDITOR)
    gone(play)
    play.refused(SortCards, "dee", counts=counted("KD"), clause="IDT-5.11.1a")  # two cards come first
    play.does(AttendSearch, "gus")
    play.does(ReserveCards, "dee", cards=("5S", "9D"))
    play.refused(SortCards, "dee", counts={"XX": 8}, clause="IDT-5.11.2")
    play.does(SortCards, "dee", counts=counted("KD 2C 5H 5S 9D 4H"))
    record = play.last(CardsSorted)
    assert len(record.counts) == 52
    assert (record.counts["4H"], record.counts["KS"]) == (7, 8)
    for person in ("ann", "bob", "stan", "aud"):  # patrons seated and standing, and whoever watches
        seen = view(play.table, play.game, viewer(play.table, person)).round
        assert seen is not None
        assert seen.sort_record == record.counts


@pytest.mark.clause("IDT-5.11.2.1")
def test_415_cards_accounted_for_and_seven_fours_of_hearts_seen_the_missing_card_is_the_eighth() -> None:
    play = passed()
    gone(play)
    play.does(AttendSearch, "gus")
    play.does(ReserveCards, "dee", cards=("5S", "9D"))
    sorted_out = counted("KD 2C 5H 5S 9D 4H")
    assert sum(sorted_out.values()) + 3 + 2 == 415  # with those on the table and the two set aside
    play.does(SortCards, "dee", counts=sorted_out)
    record = play.last(CardsSorted)
    assert (record.accounted_for, record.missing, record.clause) == (415, ("4H",), "IDT-5.11.2.1")


@pytest.mark.parametrize(
    ("less", "says"),
    [
        ("KD 2C 5H 5S 9D 4H 4H", COUNT_DOES_NOT_FIT(found=414, gone=1)),
        ("KD 2C 5H 9D 4H 6S", CARD_TOO_MANY(card="5S", found=9, decks=8)),  # the two cards set aside are counted too
    ],
)
def test_a_count_that_does_not_come_out_is_made_again(less: str, says: Message) -> None:
    play = passed()
    gone(play)
    play.does(AttendSearch, "gus")
    play.does(ReserveCards, "dee", cards=("5S", "9D"))
    refusal = play.refused(SortCards, "dee", counts=counted(less), clause="IDT-5.11.2.1")
    assert refusal.reason == says
    assert code(refusal.remedy).startswith(COUNT_AGAIN.code)


@pytest.mark.clause("IDT-5.11.3")
def test_the_missing_card_is_replaced_by_a_like_card_flagged_as_substitute() -> None:
    play = passed()
    gone(play)
    play.refused(SubstituteCards, "dee", cards=("4H",), clause="IDT-5.11.2.1")  # nobody knows it yet
    play.does(AttendSearch, "gus")
    play.does(ReserveCards, "dee", cards=("5S", "9D"))
    play.does(SortCards, "dee", counts=counted("KD 2C 5H 5S 9D 4H"))
    play.refused(SubstituteCards, "dee", cards=("4D",), clause="IDT-5.11.3")
    play.does(SubstituteCards, "dee", cards=("4H",))
    assert play.last(CardsSubstituted).clause == "IDT-5.11.3"
    card = play.current.cards[GONE]
    assert (card.card, card.public, card.substitute) == ("4H", True, True)
    assert [each.substitute for each in play.current.cards] == [False, False, True, False]


@pytest.mark.clause("IDT-5.11.4")
def test_player_on_king_and_substitute_four_takes_the_first_reserved_card_and_the_round_settles() -> None:
    play = passed()
    gone(play)
    found_out(play)
    play.does(AnnounceTotals, "dee")
    play.draw()
    play.does(RevealHand, "dee", hand="player")  # its holder has left
    assert [each.card for each in play.current.cards_of(0)] == ["KD", "4H", "5S"]
    play.does(AnnounceResult, "dee")
    play.does(SettleRound, "dee")
    assert play.last(ResultAnnounced).totals == (9, 7)
    assert play.net("ann") == "100.00"
    assert replay(Table(game=""), play.log) == play.table
    assert play.table.shoe is not None
    assert "4H" not in play.table.shoe.discards  # the substitute is no card of the set
    assert "9D" in play.table.shoe.discards


@pytest.mark.clause("IDT-5.11.5")
def test_no_other_round_starts_until_a_new_set_is_verified() -> None:
    play = passed()
    gone(play)
    found_out(play)
    assert play.last(ShoeCondemned).clause == "IDT-5.11.5"
    play.does(AnnounceTotals, "dee")
    play.draw()
    play.does(RevealHand, "dee", hand="player")
    play.does(AnnounceResult, "dee")
    play.does(SettleRound, "dee")
    play.refused(CallPlaceYourBets, "dee")
    play.refused(LoadShoe, "dee", clause="IDT-5.11.5")
    play.refused(VerifyCards, "dee", counted=415)
    play.refused(LoadShoe, "dee", clause="IDT-5.11.5")
    play.does(VerifyCards, "dee", counted=416)
    play.does(LoadShoe, "dee", declined=tuple(each.id for each in play.table.people.values() if each.seat))
    play.open_betting()


def test_a_house_may_take_out_the_substitutes_only() -> None:
    play = passed(game=longhu.game(IDT, replace="substitutes").definition)
    gone(play)
    found_out(play)
    assert not any(isinstance(event, ShoeCondemned) for event in play.log)


def test_cards_of_both_hands_could_not_be_told_apart_and_are_ruled_on() -> None:
    play = Play(IDT, method="A", device="hand-shoe")
    play.open_betting()
    play.bet("ann", "player", "100.00")
    play.close_betting()
    play.draw("", "", "", "")
    play.does(PassHands, "dee")
    events = play.does(ReportMissingCards, "dee", places=(2, 3), left=("KD", "2C"))
    assert isinstance(events[-1], IncidentOpened)
    play.does(AttendSearch, "gus")
    play.refused(ReserveCards, "dee", cards=("5S", "9D"))
    play.refused(MakeRuling, "gus", decision="continue", reason="as if nothing had happened")
    play.refused(MakeRuling, "pam", decision="void", reason="they are gone")
    play.does(MakeRuling, "gus", decision="void", reason="they cannot be told apart")
    assert play.net("ann") == "0.00"


def test_two_cards_of_one_hand_are_found_out_together() -> None:
    play = passed()
    play.does(ReportMissingCards, "dee", hand="player")
    play.does(AttendSearch, "gus")
    play.does(ReserveCards, "dee", cards=("5S", "9D"))
    play.does(SortCards, "dee", counts=counted("2C 5H 5S 9D 4H KD"))
    assert sorted(play.last(CardsSorted).missing) == ["4H", "KD"]
    play.does(SubstituteCards, "dee", cards=("KD", "4H"))
    play.does(AnnounceTotals, "dee")


def test_the_other_hand_is_turned_over_before_the_rest_is_counted() -> None:
    play = Play(IDT, method="A", device="hand-shoe")
    play.open_betting()
    play.bet("ann", "player", "100.00")
    play.close_betting()
    play.draw("", "", "", "")
    play.does(PassHands, "dee")
    gone(play)
    play.does(AttendSearch, "gus")
    play.does(ReserveCards, "dee", cards=("5S", "9D"))
    play.refused(SortCards, "dee", counts=counted("KD 2C 5H 5S 9D 4H"), clause="IDT-5.11.2")
    play.refused(RevealHand, "ann", hand="player", cards=("4H",))
    play.does(RevealHand, "dee", hand="banker", cards=("2C", "5H"))
    play.does(SortCards, "dee", counts=counted("KD 2C 5H 5S 9D 4H"))


def test_fewer_than_two_cards_left_and_a_foreign_card_void_the_round() -> None:
    play = passed()
    gone(play)
    play.does(AttendSearch, "gus")
    play.refused(JudgeIrregularity, "gus", put_right=True)
    play.refused(ReserveCards, "dee", cards=("5S",))
    play.refused(ReserveCards, "dee", cards=("5S", "1X"))
    play.does(ReportIrregularity, "dee", kind="foreign-card", told="a joker")
    assert play.last(RoundVoided).clause == "IDT-5.1.1"
    assert play.net("ann") == "0.00"


def test_a_card_that_lies_open_is_not_gone() -> None:
    play = passed()
    play.refused(ReportMissingCards, "dee", places=(1,), clause="IDT-5.11")
    play.refused(ReportMissingCards, "dee", places=(9,), clause="IDT-5.11")
    play.refused(ReportMissingCards, "dee", places=(GONE,), clause="IDT-5.11")  # the king that stayed is not told


# ---------------------------------------------------------------- cards that lay aside before, and a holder of both hands


@pytest.mark.clause("IDT-5.11.1a")
def test_cards_that_lie_aside_unseen_are_looked_at_before_anything_is_counted() -> None:
    play = Play(IDT, method="A", device="hand-shoe")
    play.open_betting()
    play.bet("ann", "player", "100.00")
    play.close_betting()
    play.draw("", "", "")
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("", ""))
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.draw("")  # one of the two is Banker's second card, the other waits
    play.does(PassHands, "dee")
    play.does(RevealHand, "dee", hand="banker", cards=("2C", "5H"))
    gone(play)
    play.refused(SortCards, "dee", "IDT-5.11.1a", counts=counted("KD 2C 5H 5S 9D 4H"))
    play.does(AttendSearch, "gus")
    play.refused(SortCards, "dee", "IDT-5.11.1a", counts=counted("KD 2C 5H 5S 9D 4H"))
    play.refused(ReserveCards, "dee", "IDT-5.11.1a", cards=("9D",))
    play.does(ReserveCards, "dee", cards=("5S", "9D"))  # the one that waited, and one from the shoe
    assert play.current.reserve == ("5S", "9D")
    play.refused(ReserveCards, "dee", "IDT-5.11.1a", cards=("5S", "9D"))
    play.does(SortCards, "dee", counts=counted("KD 2C 5H 5S 9D 4H"))
    play.does(SubstituteCards, "dee", cards=("4H",))
    assert play.table.shoe is not None
    assert (play.table.shoe.unknown, play.table.shoe.left) == (0, 8 * 52 - 6)
    play.does(AnnounceTotals, "dee")
    play.draw()
    assert play.current.cards[-1].card == "5S"


@pytest.mark.clause("IDT-5.11.2.1")
def test_a_card_of_which_every_one_has_been_seen_is_not_the_missing_one() -> None:
    play = passed()
    assert play.table.shoe is not None
    none_left = [0 if str(each) == "4H" else count for each, count in zip(DECK, play.table.shoe.counts, strict=True)]
    play.table = replace(play.table, shoe=replace(play.table.shoe, counts=tuple(none_left)))
    gone(play)
    play.does(AttendSearch, "gus")
    play.does(ReserveCards, "dee", cards=("5S", "9D"))
    refusal = play.refused(SortCards, "dee", "IDT-5.11.2.1", counts=counted("KD 2C 5H 5S 9D 4H"))
    assert refusal.reason == CARD_ACCOUNTED_FOR(card="4H")


@pytest.mark.clause("IDT-5.11", "IDT-5.10")
def test_the_other_hand_of_whoever_left_with_cards_is_turned_over_by_the_dealer() -> None:
    play = Play(IDT, method="A", device="hand-shoe")
    play.open_betting()
    play.bet("ann", "player", "100.00")
    play.bet("ann", "banker", "50.00")
    play.close_betting()
    play.draw("", "", "", "")
    play.does(PassHands, "dee")
    assert play.current.holders == ("ann", "ann")
    gone(play)
    play.refused(RevealForAbsent, "dee", hand="player", gone=True, cards=("4H",))
    play.does(RevealForAbsent, "dee", hand="banker", gone=True, cards=("2C", "5H"))
    found_out(play)
    assert play.current.cards[GONE].card == "4H"


@pytest.mark.clause("IDT-5.11.5")
@pytest.mark.parametrize("how", ["void", "established"])
def test_a_set_that_lacks_cards_is_not_dealt_from_again_however_the_round_ends(how: str) -> None:
    play = passed()
    if how == "established":
        play.does(ReportMissingCards, "dee", places=(GONE,), established=("4H",))
    else:
        gone(play)
        play.does(MakeRuling, "gus", decision="void", reason="nobody wants to count")
    condemned = play.last(ShoeCondemned)
    assert (condemned.new_set, condemned.clause) == (True, "IDT-5.11.5")
    assert play.table.new_set


@pytest.mark.clause("D21-12.0f")
def test_where_the_document_is_silent_a_ruling_lets_the_missing_card_be_found_out() -> None:
    play = Play("dragon-21", method="B", device="hand-shoe")
    play.open_betting()
    play.bet("ann", "dragon", "100.00")
    play.close_betting()
    play.draw("", "", "", "")
    play.does(PassHands, "dee")
    play.does(RevealHand, "dee", hand="tiger", cards=("2C", "5H"))
    gone(play)
    play.does(MakeRuling, "gus", decision="continue", reason="count the cards")
    assert play.current.search.missing == (GONE,)
    found_out(play)
    assert [each.card for each in play.current.cards] == ["KD", "2C", "4H", "5H"]


@pytest.mark.clause("IDT-5.11.5")
@pytest.mark.parametrize("how", ["foreign-card", "too few cards"])
def test_a_round_void_for_another_reason_still_leaves_a_set_that_lacks_cards(how: str) -> None:
    play = passed()
    gone(play)
    play.does(AttendSearch, "gus")
    if how == "foreign-card":
        play.does(ReportIrregularity, "dee", kind="foreign-card")
    else:
        with_cards_left(play, "9D")
        play.does(ReserveCards, "dee", cards=("9D",))
    assert play.table.round is None
    condemned = [event for event in play.log if isinstance(event, ShoeCondemned)]
    assert [(event.new_set, event.clause) for event in condemned] == [(True, "IDT-5.11.5")]
    assert play.table.new_set


@pytest.mark.clause("IDT-5.11.1a")
def test_while_a_ruling_is_awaited_nothing_is_set_aside_or_sorted_and_the_refusal_says_so() -> None:
    play = passed()
    gone(play)
    play.does(AttendSearch, "gus")
    play.does(ReportIncident, "dee", told="the lid of the shoe is broken")
    for refusal in (
        play.refused(ReserveCards, "dee", "IDT-6.1", cards=("5S", "9D")),
        play.refused(SortCards, "dee", "IDT-6.1", counts=counted("KD 2C 5H 5S 9D 4H")),
    ):
        assert refusal.reason == RULING_AWAITED(incident=AS_TOLD(text="the lid of the shoe is broken"))


@pytest.mark.clause("IDT-5.7b", "IDT-5.11.3")
def test_a_hand_with_substitutes_is_the_dealers_and_no_longer_at_the_wrong_person() -> None:
    play = passed()
    play.does(ReportMispassedHand, "dee", hand="player", to="cay")
    gone(play)
    found_out(play)
    assert (play.current.holders[0], play.current.mispassed) == ("", {})
    play.refused(RetrieveHand, "dee", hand="player")
