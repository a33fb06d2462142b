"""Cards that do not belong in the shoe, a lost order, too few cards, a wrong hand, cards drawn together.

Cards told to a physical shoe are in the order in which they leave it. A patron who leaves with cards is in
test_missing_card, cards seen too early are in test_exposed_cards, whatever else goes wrong is in test_interruptions.
"""

from __future__ import annotations

import pytest

import longhu
from longhu.games.vocabulary import IRREGULARITY
from longhu.table.betting import CHIPS_WAGERED
from longhu.table.betting_phase import CallPlaceYourBets
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard, ResultAnnounced
from longhu.table.irregularities.cards import (
    CARDS_LIE_RIGHT,
    DrawCardsTogether,
    JudgeIrregularity,
    ReportMislaidCards,
)
from longhu.table.irregularities.drawn_in_error import ReportDrawnInError
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import AS_TOLD, ASK_POSITION, CARD_NOT_IN_SHOE, DEAL_ON, POSITION_TOO_LOW
from longhu.table.remedies.procedure import (
    INCIDENTS,
    IRREGULARITY_TOLD,
    NOT_A_CARD,
    REPORT_INCIDENT,
    USE_REPORT,
    JudgementAwaited,
    ReportIrregularity,
)
from longhu.table.remedies.restoring import CardsRestored
from longhu.table.remedies.void import STAKE_RETURNED, IrregularityFound, RoundVoided, ShoeCondemned
from longhu.table.remedies.withdrawal import (
    TIME_LEFT_TO_ANSWER,
    AnswerWithdrawalOffer,
    CloseWithdrawalOffer,
    WithdrawalOfferClosed,
    WithdrawalOffered,
)
from longhu.table.settling import SettleRound
from longhu.table.shoe import CARDS_TO_BE_REPLACED
from tests.table.irregular import (
    D21,
    DT,
    IDT,
    METHOD_B,
    assert_void,
    betting,
    dealt,
    finish,
    hands,
    kinds,
    physical,
    postings,
    returned,
    with_cards_left,
)
from tests.table.rounds import Play

# ---------------------------------------------------------------- cards that do not belong in the shoe


@pytest.mark.clause("DT-5.1", "DT-5.1.1")
def test_a_ninth_king_of_spades_in_eight_decks_is_asked_about_and_voids_the_round_once_it_is_reported() -> None:
    play = physical(DT)
    for _ in range(4):
        betting(play, cay={"tie": "5.00"})
        play.draw("KS", "KS")
        finish(play)
    play.log.clear()
    betting(play, ann={"dragon": "50.00", "tie": "10.00"}, bob={"tiger-big": "5.00"})
    before = play.table
    asked = play.refused(DrawCard, "dee", "DT-5.1", card="KS")
    assert (asked.reason, play.table) == (CARD_NOT_IN_SHOE(card="KS"), before)
    events = play.does(ReportIrregularity, "dee", kind="foreign-card", told="a ninth king of spades")
    found = next(event for event in events if isinstance(event, IrregularityFound))
    assert (found.kind, found.clause) == ("foreign-card", "DT-5.1")
    assert returned(events) == {"ann dragon": 5000, "ann tie": 1000, "bob tiger-big": 500}
    assert_void(play, events, "DT-5.1.1")
    assert play.net("ann") == play.net("bob") == "0.00"


@pytest.mark.parametrize("text", ["9X", "1OS", "hello", "JOKER", "KS KH"])
def test_a_text_that_names_no_card_is_a_slip_and_voids_nothing(text: str) -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"})
    before = play.table
    assert play.refused(DrawCard, "dee", card=text).reason == NOT_A_CARD(text=text)
    assert play.table == before
    play.draw("KS")


@pytest.mark.clause("DT-5.1.2")
def test_earlier_rounds_stand_when_a_foreign_card_is_found_in_dragon_tiger() -> None:
    play = Play(DT, cards="KS 2H 3S 4D 9C 9D", device="reading-shoe")
    for _ in range(40):
        play.round(ann={"dragon": "10.00"}, bob={"tiger": "20.00"})
    before, results, chips = postings(play.log), play.table.results, (play.chips("ann"), play.chips("bob"))
    betting(play, ann={"dragon": "10.00"})
    assert play.current.number == 41
    play.does(ReportIrregularity, "dee", kind="foreign-card", told="a card with a red back")
    assert postings(play.log)[: len(before)] == before
    assert play.table.results == results
    assert len(results) == 40
    assert (play.chips("ann"), play.chips("bob")) == chips


@pytest.mark.clause("IDT-5.1", "IDT-5.1.1")
@pytest.mark.parametrize(
    ("kind", "also"),
    [
        ("extra-card", ()),
        ("missing-card", ()),
        ("foreign-card", ()),
        ("unshuffled-cards", ()),
        ("extra-card", ("foreign-card",)),
        ("missing-card", ("unshuffled-cards", "extra-card", "foreign-card")),
    ],
)
def test_extra_missing_foreign_or_unshuffled_cards_void_the_round(kind: str, also: tuple[str, ...]) -> None:
    play = Play(IDT, layout="B", method="B", cards="4S 5H 4D 2C", device="reading-shoe")
    betting(play, ann={"player": "100.00", "player-pair": "10.00"}, bob={"tie": "5.00"})
    for _ in range(4):
        play.draw()
    assert hands(play)[0] == "4S 4D"  # Player Pair is winning already, and comes back all the same
    events = play.does(ReportIrregularity, "dee", kind=kind, also=also)
    found = [event.kind for event in events if isinstance(event, IrregularityFound)]
    assert sorted(found) == sorted((kind, *also))
    assert returned(events) == {"ann player": 10000, "ann player-pair": 1000, "bob tie": 500}
    assert_void(play, events, "IDT-5.1.1")


@pytest.mark.clause("IDT-5.1.2")
def test_earlier_rounds_stand_when_the_twelfth_is_void() -> None:
    play = Play(IDT, method="B", device="reading-shoe")
    for _ in range(11):
        play.round(ann={"player": "100.00"}, bob={"banker": "50.00"})
    before, results = postings(play.log), play.table.results
    betting(play, ann={"player": "100.00"})
    assert play.current.number == 12
    play.does(ReportIrregularity, "dee", kind="unshuffled-cards")
    assert postings(play.log)[: len(before)] == before
    assert [each.message for each in postings(play.log)[len(before) :]] == [
        CHIPS_WAGERED(patron="ann", wager="player"),
        STAKE_RETURNED(patron="ann", wager="player"),
    ]
    assert play.table.results == results


@pytest.mark.parametrize("game", [DT, IDT, D21])
def test_wrong_cards_found_between_rounds_void_nothing_and_are_replaced_before_the_next(game: str) -> None:
    play = Play(game, device="reading-shoe")
    play.round(ann={play.game.procedure.hands[0].id: "50.00"})
    results = play.table.results
    events = play.does(ReportIrregularity, "dee", kind="extra-card")
    assert kinds(events) == ["IrregularityFound", "ShoeCondemned"]
    assert play.table.results == results
    assert play.refused(CallPlaceYourBets, "dee").reason == CARDS_TO_BE_REPLACED()
    play.load()
    play.open_betting()


def test_a_house_may_settle_what_was_decided_when_a_round_is_void() -> None:
    """Player Pair has won and Small Dragon has lost already; the others are open and come back (Q02)."""
    kept = longhu.game(IDT, void_keeps_decided="yes").definition
    play = betting(
        Play(kept, layout="B", method="B", cards="2S 5H 2D 2C", device="reading-shoe"),
        ann={"player": "100.00", "player-pair": "10.00"},
        bob={"tie": "5.00", "small-dragon": "5.00"},
    )
    for _ in range(4):
        play.draw()
    events = play.does(ReportIrregularity, "dee", kind="foreign-card")
    assert returned(events) == {"ann player": 10000, "bob tie": 500}
    assert (play.net("ann"), play.net("bob")) == ("110.00", "-5.00")
    assert (play.table.round, play.table.results) == (None, ())


def test_a_shoe_with_a_foreign_card_is_not_dealt_from_again() -> None:
    play = betting(Play(DT, device="reading-shoe"), ann={"dragon": "50.00"})
    play.does(ReportIrregularity, "dee", kind="foreign-card")
    play.refused(CallPlaceYourBets, "dee")


def test_read_literally_a_missing_card_is_not_foreign_and_goes_to_a_ruling() -> None:
    literal = longhu.game(DT, foreign_scope="literal").definition
    play = betting(Play(literal, device="reading-shoe"), ann={"dragon": "50.00"})
    assert kinds(play.does(ReportIrregularity, "dee", kind="missing-card")) == ["IrregularityFound", "IncidentOpened"]


def test_a_kind_that_has_no_name_is_refused() -> None:
    play = betting(Play(DT), ann={"dragon": "50.00"})
    assert play.refused(ReportIrregularity, "dee", kind="earthquake").remedy == REPORT_INCIDENT()


# ---------------------------------------------------------------- order of the shoe, and too few cards


@pytest.mark.clause("DT-5.4")
@pytest.mark.parametrize("shown", [["4S"], []], ids=["after Dragon's card", "before any card"])
def test_a_scattered_shoe_voids_the_round_seen_or_unseen(shown: list[str]) -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"}, bob={"tie": "5.00"})
    play.draw(*shown) if shown else None
    events = play.does(ReportIrregularity, "sue", kind="order-altered", told="the shoe was dropped")
    assert returned(events) == {"ann dragon": 5000, "bob tie": 500}
    assert_void(play, events, "DT-5.4")


def test_in_dragon_tiger_a_dealer_reports_and_a_pit_supervisor_judges_the_order_of_the_shoe() -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"})
    assert isinstance(play.does(ReportIrregularity, "dee", kind="order-altered")[-1], JudgementAwaited)
    play.refused(DrawCard, "dee", card="4S")
    refusal = play.refused(JudgeIrregularity, "dee", put_right=False, clause="DT-5.4")
    assert refusal.reason == POSITION_TOO_LOW(position="dealer", needed="pit-supervisor")
    assert_void(play, play.does(JudgeIrregularity, "sue", put_right=False), "DT-5.4")


@pytest.mark.clause("IDT-5.2")
def test_order_lost_voids_the_round_and_order_restored_from_the_log_does_not() -> None:
    play = betting(Play(IDT, method="A", device="reading-shoe"), ann={"player": "100.00"})
    play.draw()
    assert not play.current.cards[0].public
    assert_void(play, play.does(ReportIrregularity, "dee", kind="order-altered"), "IDT-5.2")
    assert play.net("ann") == "0.00"
    again = betting(Play(IDT, method="A", device="reading-shoe"), ann={"player": "100.00"})
    again.draw()
    events = again.does(ReportIrregularity, "dee", kind="order-altered", recoverable=True, told="device log")
    assert kinds(events) == ["IrregularityFound"]
    again.finish()
    assert again.table.results


@pytest.mark.clause("DT-5.5")
def test_with_one_card_left_dragon_has_it_and_the_round_is_void() -> None:
    play = with_cards_left(betting(physical(DT), ann={"dragon": "50.00", "tie": "10.00"}), "4S")
    play.draw("4S")
    assert hands(play) == ("4S", "")
    events = play.does(DrawCard, "dee", card="9D")
    assert returned(events) == {"ann dragon": 5000, "ann tie": 1000}
    assert_void(play, events, "DT-5.5")


@pytest.mark.clause("IDT-5.3")
def test_five_cards_left_where_six_are_needed_void_the_round_at_the_sixth() -> None:
    play = with_cards_left(betting(physical(IDT, method="B"), ann={"player": "100.00"}), "2S KH 2D 2C 3H")
    play.draw("2S", "KH", "2D", "2C")
    play.does(AnnounceTotals, "dee")
    play.draw("3H")  # Player 4 draws a 3; Banker 2 draws too
    events = play.does(DrawCard, "dee", card="9H")
    assert returned(events) == {"ann player": 10000}
    assert_void(play, events, "IDT-5.3")


@pytest.mark.clause("D21-12.0b")
def test_the_shoe_empties_while_tiger_holds_14_and_earlier_rounds_stand() -> None:
    play = physical(D21)
    betting(play, ann={"dragon": "50.00"})
    play.draw("TS", "9H", "TH", "9C")
    finish(play)
    before, won = postings(play.log), play.net("ann")
    with_cards_left(betting(play, ann={"dragon": "50.00"}, bob={"tiger": "25.00"}), "TS TH TC 4D")
    play.draw("TS", "TH", "TC", "4D")
    assert hands(play) == ("TS TC", "TH 4D")
    events = play.does(DrawCard, "dee", card="2C")
    assert returned(events) == {"ann dragon": 5000, "bob tiger": 2500}
    assert next(event for event in events if isinstance(event, RoundVoided)).clause == "D21-12.0b"
    assert postings(play.log)[: len(before)] == before
    assert play.net("ann") == won == "50.00"
    for kind in ("foreign-card", "extra-card", "missing-card"):
        play.load()
        betting(play, bob={"tiger": "25.00"})
        assert returned(play.does(ReportIrregularity, "dee", kind=kind)) == {"bob tiger": 2500}
    play.load()
    betting(play, bob={"tiger": "25.00"})
    assert not returned(play.does(ReportIrregularity, "dee", kind="order-altered"))  # a casino supervisor judges (Q24)
    assert returned(play.does(JudgeIrregularity, "gus", put_right=False)) == {"bob tiger": 2500}


# ---------------------------------------------------------------- on the wrong hand


@pytest.mark.clause("DT-5.2a")
def test_two_cards_on_dragon_that_cannot_be_told_apart_void_the_round() -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"}, bob={"tiger": "20.00"})
    play.draw("4S", "9D")
    events = play.does(ReportMislaidCards, "dee", lies=("dragon", "dragon"), recoverable=False)
    assert isinstance(events[-1], JudgementAwaited)
    assert hands(play) == ("4S 9D", "")
    play.refused(AnnounceResult, "dee")
    play.refused(JudgeIrregularity, "dee", put_right=False, clause="DT-5.2a")
    events = play.does(JudgeIrregularity, "sue", put_right=False)
    assert returned(events) == {"ann dragon": 5000, "bob tiger": 2000}
    assert_void(play, events, "DT-5.2a")


@pytest.mark.clause("DT-5.2b")
def test_two_cards_on_dragon_in_a_known_order_are_put_right_and_tiger_wins() -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"}, bob={"tiger": "20.00"})
    play.draw("4S", "9D")
    events = play.does(ReportMislaidCards, "sue", lies=("dragon", "dragon"))
    assert next(event for event in events if isinstance(event, CardsRestored)).clause == "DT-5.2b"
    assert not any(isinstance(event, WithdrawalOffered) for event in events)
    assert hands(play) == ("4S", "9D")
    finish(play)
    assert play.last(ResultAnnounced).winner == "tiger"
    assert (play.net("ann"), play.net("bob")) == ("-50.00", "20.00")


def test_the_supervisor_may_say_that_the_second_card_came_first() -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"})
    play.draw("4S", "9D")
    play.does(ReportMislaidCards, "dee", lies=("dragon", "dragon"), recoverable=False)
    play.refused(JudgeIrregularity, "sue", put_right=True, order=(1, 1))
    play.does(JudgeIrregularity, "sue", put_right=True, order=(1, 0))
    assert hands(play) == ("9D", "4S")


def test_a_house_may_let_patrons_withdraw_before_cards_are_put_right() -> None:
    lenient = longhu.game(DT, reconstruct_withdrawal="on").definition
    play = betting(Play(lenient, device="hand-shoe"), ann={"dragon": "50.00"}, bob={"tiger": "20.00"})
    play.draw("4S")
    play.does(DrawCardsTogether, "sue", order_known=True, cards=("9D", "3C"))
    play.does(AnswerWithdrawalOffer, "ann", withdraw=True)
    play.does(AnswerWithdrawalOffer, "bob", withdraw=False)
    play.draw()
    assert hands(play) == ("4S", "9D")
    play.does(ReportDrawnInError, "dee", exposed=False)
    play.does(MakeRuling, "sue", decision="burn", reason="nobody is due it")
    finish(play)
    assert (play.net("ann"), play.net("bob")) == ("0.00", "20.00")


@pytest.mark.clause("IDT-5.7a")
def test_cards_1_and_2_on_player_card_2_moves_to_banker_and_the_round_continues() -> None:
    play = betting(physical(IDT, method="B"), ann={"player": "100.00"})
    play.draw("9S", "2H")
    events = play.does(ReportMislaidCards, "dee", lies=("player", "player"))
    assert (events[-1].clause, kinds(events)) == (
        "IDT-5.7a",
        ["IrregularityFound", "CardsFoundMislaid", "CardsRestored"],
    )
    assert hands(play) == ("9S", "2H")
    play.draw("KD", "5C")
    assert hands(play) == ("9S KD", "2H 5C")
    finish(play)
    assert play.net("ann") == "100.00"


@pytest.mark.clause("D21-12.0c")
def test_card_four_on_dragon_instead_of_tiger_is_moved_and_the_round_continues() -> None:
    play = betting(physical(D21, method="A"), ann={"tiger": "50.00"})
    play.draw("TS", "TH", "8C", "KD")
    play.does(ReportMislaidCards, "dee", lies=("dragon", "tiger", "dragon", "dragon"))
    assert hands(play) == ("TS 8C", "TH KD")
    finish(play)
    assert play.net("ann") == "50.00"
    lost = betting(physical(D21, method="A"), ann={"tiger": "50.00"})
    lost.draw("TS")
    lost.does(DrawCardsTogether, "dee", order_known=False, cards=("TH", "8C"))
    lost.refused(JudgeIrregularity, "pam", "D21-12.0c", put_right=False)  # below a casino supervisor (Q24)
    assert_void(lost, lost.does(JudgeIrregularity, "gus", put_right=False), "D21-12.0c")


def test_a_misdeal_whose_order_is_lost_follows_the_rule_for_a_lost_order_and_keeps_the_shoe() -> None:
    play = betting(physical(IDT, method="B"), ann={"player": "100.00"})
    play.draw("9S", "2H")
    events = play.does(ReportMislaidCards, "dee", lies=("player", "player"), recoverable=False)
    assert_void(play, events, "IDT-5.2")
    assert not any(isinstance(event, ShoeCondemned) for event in events)


def test_a_misdeal_is_reported_with_a_hand_for_each_card() -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"})
    play.draw("4S", "9D")
    play.refused(ReportMislaidCards, "dee", lies=("dragon",))
    play.refused(ReportMislaidCards, "dee", lies=("dragon", "lion"))
    assert play.refused(ReportMislaidCards, "dee", lies=("dragon", "tiger")).reason == CARDS_LIE_RIGHT()


# ---------------------------------------------------------------- drawn together


@pytest.mark.clause("DT-5.3")
def test_two_cards_together_void_dragon_tiger_unless_their_order_is_known() -> None:
    play = betting(physical(DT), ann={"dragon": "50.00", "tie": "5.00"})
    events = play.does(DrawCardsTogether, "sue", order_known=False, cards=("4S", "9D"))
    assert returned(events) == {"ann dragon": 5000, "ann tie": 500}
    assert_void(play, events, "DT-5.3")
    known = betting(physical(DT), ann={"tiger": "50.00"})
    events = known.does(DrawCardsTogether, "sue", order_known=True, cards=("4S", "9D"))
    assert not any(isinstance(event, WithdrawalOffered) for event in events)
    known.draw()
    known.draw()
    assert hands(known) == ("4S", "9D")
    finish(known)
    assert known.net("ann") == "50.00"


def test_the_dealer_alone_does_not_judge_cards_drawn_together_in_dragon_tiger() -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"})
    assert isinstance(play.does(DrawCardsTogether, "dee", order_known=True, cards=("4S", "9D"))[-1], JudgementAwaited)
    play.refused(DrawCard, "dee")
    assert_void(play, play.does(JudgeIrregularity, "sue", put_right=False), "DT-5.3")


@pytest.mark.clause("IDT-5.8", "IDT-5.8.1")
def test_cards_2_and_3_together_in_a_visible_order_wait_for_answers_and_are_restored() -> None:
    play = betting(physical(IDT, method="B"), bob={"banker": "100.00"}, cay={"player": "50.00"})
    play.draw("9S")
    events = play.does(DrawCardsTogether, "dee", order_known=True, cards=("2H", "KD"))
    offer = next(event.offer for event in events if isinstance(event, WithdrawalOffered))
    assert (offer.clause, offer.waits_for, offer.cards) == ("IDT-5.8.1", ("bob", "cay"), ("2H", "KD"))
    play.refused(DrawCard, "dee", clause="IDT-5.8.1")
    events = play.does(AnswerWithdrawalOffer, "bob", withdraw=True)
    assert returned(events) == {"bob banker": 10000}
    play.refused(DrawCard, "dee", clause="IDT-5.8.1")
    events = play.does(AnswerWithdrawalOffer, "cay", withdraw=False)
    assert isinstance(events[-1], WithdrawalOfferClosed)
    play.draw()
    play.draw()
    assert hands(play) == ("9S KD", "2H")
    play.draw("5C")
    finish(play)
    assert (play.net("bob"), play.net("cay")) == ("0.00", "50.00")


def test_whoever_says_nothing_until_the_time_is_up_stays() -> None:
    play = betting(physical(IDT, method="B"), bob={"banker": "100.00"}, cay={"player": "50.00"})
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("2H", "KD"))
    assert play.current.halt.offer is not None
    until = play.current.halt.offer.until
    assert until == play.now + 30_000
    assert play.refused(CloseWithdrawalOffer, "dee", at=until - 1, clause="IDT-5.8.1").reason == TIME_LEFT_TO_ANSWER(
        seconds=1
    )
    play.does(AnswerWithdrawalOffer, "cay", withdraw=False, at=until - 1)
    play.refused(AnswerWithdrawalOffer, "cay", withdraw=True, at=until - 1)
    play.refused(AnswerWithdrawalOffer, "bob", withdraw=True, at=until)
    events = play.does(CloseWithdrawalOffer, "dee", at=until)
    closed = next(event for event in events if isinstance(event, WithdrawalOfferClosed))
    assert closed.silent == ("bob",)
    assert sorted(play.current.stakes) == ["bob/2/banker", "cay/3/player"]
    play.draw()


def test_nobody_answers_for_somebody_else_but_staff_on_the_patrons_word() -> None:
    play = betting(physical(IDT, method="B"), bob={"banker": "100.00"}, cay={"player": "50.00"})
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("2H", "KD"))
    play.refused(AnswerWithdrawalOffer, "ann", withdraw=True, patron="bob")
    play.refused(AnswerWithdrawalOffer, "ann", withdraw=True)  # ann has nothing at stake
    play.refused(
        AnswerWithdrawalOffer, "dee", "SEC-1", withdraw=True, patron="bob"
    )  # one person alone says what bob said
    answered = play.does(AnswerWithdrawalOffer, "dee", withdraw=True, patron="bob", cosigned_by=("sue",))
    assert returned(answered) == {"bob banker": 10000}


def test_where_nobody_has_wagered_nobody_is_asked() -> None:
    play = betting(physical(IDT, method="B"))
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("2H", "KD"))
    play.draw()
    assert hands(play) == ("2H", "")


@pytest.mark.clause("IDT-5.8.2", "IDT-5.8.2.1")
def test_order_unknown_during_the_initial_deal_voids_and_afterwards_does_not() -> None:
    play = betting(physical(IDT, method="B"), ann={"player": "100.00"}, bob={"tie": "10.00"})
    play.draw("9S", "2H")
    events = play.does(DrawCardsTogether, "dee", order_known=False, cards=("3D", "4C"))
    assert returned(events) == {"ann player": 10000, "bob tie": 1000}
    assert_void(play, events, "IDT-5.8.2.1")
    fourth = betting(physical(IDT, method="B"), ann={"player": "100.00"})
    fourth.draw("9S", "2H", "3D")
    assert_void(fourth, fourth.does(DrawCardsTogether, "dee", order_known=False, cards=("4C", "5H")), "IDT-5.8.2.1")
    fifth = betting(physical(IDT, method="B"), ann={"player": "100.00"})
    fifth.draw("2S", "KH", "2D", "2C")
    fifth.does(AnnounceTotals, "dee")
    events = fifth.does(DrawCardsTogether, "dee", order_known=False, cards=("4C", "5H"))
    assert events[0].clause == "IDT-5.8.2.2a"
    assert fifth.table.round is not None


@pytest.mark.clause("IDT-5.8.2.2a", "IDT-5.8.2.2b")
def test_a_pit_manager_orders_third_cards_and_open_wagers_may_be_withdrawn() -> None:
    play = Play(IDT, layout="B", **METHOD_B)
    betting(play, ann={"player": "100.00", "player-pair": "10.00", "tie": "10.00"}, bob={"banker": "50.00"})
    play.draw("2S", "KH", "2D", "2C")
    play.does(AnnounceTotals, "dee")
    play.does(DrawCardsTogether, "dee", order_known=False, cards=("4C", "9H"))
    play.refused(DrawCard, "dee")
    play.refused(JudgeIrregularity, "sue", put_right=True, order=(1, 0), clause="IDT-5.8.2.2a")
    play.refused(JudgeIrregularity, "pam", put_right=False, clause="IDT-5.8.2.2a")
    events = play.does(JudgeIrregularity, "pam", put_right=True, order=(1, 0))
    offer = next(event.offer for event in events if isinstance(event, WithdrawalOffered))
    assert (offer.cards, offer.clause) == (("9H", "4C"), "IDT-5.8.2.2b")
    play.refused(AnswerWithdrawalOffer, "ann", withdraw=True, wagers=((1, "player-pair"),))  # the cards have decided it
    part = play.refused(AnswerWithdrawalOffer, "ann", "IDT-5.8.2.2b", withdraw=True, wagers=((1, "tie"),))
    assert part.reason.code == "withdrawal-in-part"
    assert returned(play.does(AnswerWithdrawalOffer, "ann", withdraw=True)) == {"ann player": 10000, "ann tie": 1000}
    play.does(AnswerWithdrawalOffer, "bob", withdraw=False)
    play.draw()
    play.draw()
    assert hands(play) == ("2S 2D 9H", "KH 2C 4C")  # 3 against 6
    finish(play)
    assert play.net("ann") == "110.00"  # Player Pair at 11 to 1
    assert play.net("bob") == "47.50"


def test_a_card_set_aside_that_no_hand_is_due_waits_for_a_ruling() -> None:
    play = betting(physical(IDT, method="B"), ann={"player": "100.00"})
    play.draw("9S", "2H", "KD")
    play.does(DrawCardsTogether, "dee", order_known=True, cards=("5C", "8D"))
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.draw()
    play.does(AnnounceTotals, "dee")
    play.refused(AnnounceResult, "dee", "IDT-6.1")
    play.does(ReportDrawnInError, "dee", exposed=False)
    play.does(MakeRuling, "gus", decision="burn", reason="nobody is due it")
    finish(play)
    assert play.table.shoe is not None
    assert sorted(play.table.shoe.discards) == sorted(["9S", "2H", "KD", "5C", "8D"])
    assert play.table.shoe.left == 416 - 5


def test_cards_drawn_together_are_dealt_in_the_order_in_which_the_shoe_read_them() -> None:
    virtual = betting(Play(IDT, method="B"), ann={"player": "100.00"})
    refusal = virtual.refused(DrawCardsTogether, "dee", order_known=True, count=2)
    assert refusal.reason.code == "no-real-cards"  # a program deals one card at a time
    play = betting(Play(IDT, method="B", cards="9S 2H KD 5C", device="reading-shoe"), ann={"player": "100.00"})
    play.does(DrawCardsTogether, "dee", order_known=True, count=2)
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.finish()
    assert dealt(play) == ["9S", "2H", "KD", "5C"]


def test_a_card_too_many_among_cards_drawn_together_is_asked_about_first() -> None:
    play = betting(physical(IDT, method="B", decks=4), ann={"player": "100.00"})
    asked = play.refused(DrawCardsTogether, "dee", "IDT-5.1", order_known=True, cards=("KS",) * 5)
    assert asked.reason == CARD_NOT_IN_SHOE(card="KS")


# ---------------------------------------------------------------- found after the announcement, or judged twice


@pytest.mark.clause("DT-5.2b")
def test_cards_put_right_after_the_announcement_are_announced_and_settled_anew() -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"})
    play.draw("KS", "2H")
    play.does(AnnounceResult, "dee")
    play.does(ReportMislaidCards, "dee", lies=("dragon", "dragon"), recoverable=False)
    play.does(JudgeIrregularity, "sue", put_right=True, order=(1, 0))
    assert hands(play) == ("2H", "KS")
    play.refused(SettleRound, "dee")
    play.does(AnnounceResult, "dee", winner="tiger")
    play.does(SettleRound, "dee")
    assert play.net("ann") == "-50.00"


@pytest.mark.clause("IDT-5.7a")
def test_in_baccarat_the_totals_are_told_again_once_the_cards_lie_right() -> None:
    play = betting(Play(IDT, **METHOD_B), ann={"player": "50.00"})
    play.draw("9S", "2H", "KD", "5C")
    play.does(AnnounceTotals, "dee")
    play.does(ReportMislaidCards, "dee", lies=("player", "player", "banker", "banker"))
    assert hands(play) == ("9S KD", "2H 5C")
    play.does(AnnounceTotals, "dee")


@pytest.mark.parametrize("lies", [("dragon", "dragon"), ("tiger", "dragon")])
def test_the_order_that_was_judged_is_restored_where_patrons_may_withdraw_first(lies: tuple[str, str]) -> None:
    """Open cards have decided everything, so that nobody has anything left to withdraw."""
    asked = longhu.game(DT, reconstruct_withdrawal="on").definition
    play = betting(Play(asked, device="hand-shoe"), ann={"dragon": "50.00"}, bob={"tiger": "50.00"})
    play.draw("4S", "9D")
    play.does(ReportMislaidCards, "dee", lies=lies, recoverable=False)
    play.does(JudgeIrregularity, "sue", put_right=True, order=(1, 0))
    assert hands(play) == ("9D", "4S")
    assert play.last(CardsRestored).clause == "DT-5.2b"


def test_a_judgement_does_not_lower_who_decides_an_incident() -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"})
    play.draw("KS", "2H")
    play.does(ReportIncident, "dee", told="a patron reached over the table")
    play.does(ReportIrregularity, "dee", kind="order-altered")
    play.does(JudgeIrregularity, "sue", put_right=True)
    assert play.refused(MakeRuling, "dee", decision="continue", reason="no harm").remedy == ASK_POSITION(
        position="gaming-shift-manager"
    )
    play.refused(MakeRuling, "sue", decision="continue", reason="no harm")
    play.does(MakeRuling, "gus", decision="continue", reason="no harm")
    finish(play)
    assert play.net("ann") == "50.00"


def test_what_comes_to_light_meanwhile_is_ruled_on_together_by_whoever_stands_higher() -> None:
    play = betting(Play(IDT, method="B"), ann={"player": "50.00"})
    play.does(ReportIncident, "dee", told="a patron reached over the table")
    play.does(ReportIrregularity, "dee", kind="malfunction", told="the shoe beeps")
    told = [AS_TOLD(text="a patron reached over the table"), AS_TOLD(text="the shoe beeps")]
    beeps = IRREGULARITY_TOLD(irregularity=IRREGULARITY["malfunction"](), told=told[1])
    assert play.current.halt.incident == INCIDENTS(incidents=[told[0], beeps])
    play.refused(MakeRuling, "pam", decision="continue", reason="no harm")


def test_a_ruling_to_void_a_lost_order_condemns_the_shoe_like_the_judgement() -> None:
    play = betting(physical(DT), ann={"dragon": "50.00"})
    play.draw("KS")
    play.does(ReportIrregularity, "dee", kind="order-altered")
    events = play.does(MakeRuling, "sue", decision="void", reason="the shoe fell")
    assert any(isinstance(event, ShoeCondemned) for event in events)
    assert_void(play, events, "DT-5.4")


# ---------------------------------------------------------------- enough cards, and cards that are out


@pytest.mark.clause("IDT-5.3", "DT-5.5")
def test_a_round_is_not_void_for_want_of_cards_while_there_are_some_or_none_is_due() -> None:
    electronic = betting(Play(IDT, method="B"), ann={"player": "50.00"})
    assert electronic.refused(ReportIrregularity, "dee", "IDT-5.3", kind="insufficient-cards").remedy == DEAL_ON()
    electronic.refused(DrawCardsTogether, "dee", order_known=True, count=500)
    complete = betting(physical(DT), ann={"dragon": "50.00"})
    complete.draw("2S", "KH")
    complete.refused(ReportIrregularity, "dee", "DT-5.5", kind="insufficient-cards")
    finish(complete)
    assert complete.net("ann") == "-50.00"
    short = betting(physical(DT), ann={"dragon": "50.00"})
    short.draw("2S")
    assert_void(short, short.does(ReportIrregularity, "dee", kind="insufficient-cards"), "DT-5.5")


@pytest.mark.clause("IDT-5.1", "IDT-5.1.1")
def test_a_foreign_card_voids_the_round_also_beside_an_order_that_can_be_restored() -> None:
    play = betting(Play(IDT, method="B", device="reading-shoe"), ann={"player": "100.00"})
    play.draw()
    mixed = {"kind": "order-altered", "recoverable": True, "also": ("foreign-card", "missing-card")}
    events = play.does(ReportIrregularity, "dee", **mixed)
    found = [event.kind for event in events if isinstance(event, IrregularityFound)]
    assert sorted(found) == ["foreign-card", "missing-card", "order-altered"]
    assert_void(play, events, "IDT-5.1.1")


@pytest.mark.clause("DT-5.1")
def test_a_foreign_card_voids_the_round_without_the_judgement_that_a_lost_order_waits_for() -> None:
    play = betting(Play(DT, device="reading-shoe"), ann={"dragon": "100.00"})
    play.does(ReportIrregularity, "dee", kind="order-altered", also=("foreign-card",))
    assert play.table.round is None


def test_what_comes_to_light_as_well_has_its_own_report_where_that_says_more() -> None:
    play = betting(Play(IDT, method="B", device="reading-shoe"), ann={"player": "100.00"})
    refusal = play.refused(ReportIrregularity, "dee", "IDT-5.15", kind="foreign-card", also=("power-failure",))
    assert refusal.remedy == USE_REPORT(command="report-power-failure")


@pytest.mark.clause("IDT-5.1")
def test_between_rounds_every_kind_of_wrong_card_is_on_record_and_the_shoe_is_left() -> None:
    play = Play(IDT, method="B", device="reading-shoe")
    events = play.does(ReportIrregularity, "dee", kind="extra-card", also=("foreign-card",))
    found = {event.kind: event.clause for event in events if isinstance(event, IrregularityFound)}
    assert found == {kind: play.game.irregularities[kind].clauses[0] for kind in ("extra-card", "foreign-card")}
    assert play.table.shoe is not None
    assert play.table.shoe.replaced_after_round
