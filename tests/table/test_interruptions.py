"""Power failure, malfunction, and whatever else happens: a person in a named position decides."""

from __future__ import annotations

from typing import Any

import pytest

import longhu
from longhu.eventsourcing import Refusal
from longhu.games.vocabulary import IRREGULARITIES
from longhu.money import parse
from longhu.positions import Position
from longhu.table.betting_phase import CallNoMoreBets
from longhu.table.confirmation import ConfirmReport
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard
from longhu.table.engine import evolve, replay
from longhu.table.handling import PassHands, RevealHand
from longhu.table.irregularities.cards import DrawCardsTogether, JudgeIrregularity, ReportMislaidCards
from longhu.table.irregularities.device import ResetDevice
from longhu.table.irregularities.drawn_in_error import ReportDrawnInError
from longhu.table.irregularities.exposure import ExposeCards, ReportFaceUpCard, RevealForAbsent
from longhu.table.irregularities.missing import ReportMissingCards
from longhu.table.irregularities.power import (
    CORRECT_EACH_PAYMENT,
    PaymentsReversed,
    ReportMalfunction,
    ReportPowerFailure,
)
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident, RulingMade
from longhu.table.messages import Command
from longhu.table.people import AssignStaff
from longhu.table.remedies.mispassed import RetrieveHand
from longhu.table.remedies.procedure import USE_REPORT, ReportIrregularity
from longhu.table.remedies.void import IrregularityFound
from longhu.table.remedies.withdrawal import (
    AnswerWithdrawalOffer,
    CloseWithdrawalOffer,
    ExposedCardsJudged,
    WithdrawalOffered,
)
from longhu.table.settling import SettleRound
from longhu.table.shoe import LoadShoe
from longhu.table.state import Table
from longhu.table.wrong_payments import CorrectPayment
from tests.table.irregular import (
    D21,
    DBO,
    DT,
    IDT,
    METHOD_B,
    assert_void,
    betting,
    physical,
    postings,
    returned,
)
from tests.table.rounds import Play

# ---------------------------------------------------------------- power failure


def bankers_cards_open(layout: str) -> Play:
    """Banker's KD 6C lies open, Player's cards do not."""
    play = Play(IDT, layout=layout, method="A", cards="2S KD 3D 6C 9H 8H")
    betting(play, bob={"banker": "100.00", "tie": "10.00"}, cay={"player": "50.00"})
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee", first="banker")
    play.does(RevealHand, "bob", hand="banker")
    return play


@pytest.mark.clause("IDT-5.15", "IDT-5.15.1a")
def test_a_power_failure_lets_patrons_withdraw_as_long_as_nothing_is_decided() -> None:
    play = bankers_cards_open("A")
    events = play.does(ReportPowerFailure, "dee")
    judged = next(event for event in events if isinstance(event, ExposedCardsJudged))
    assert (judged.exposed, judged.decided) == ((("", ""), ("KD", "6C")), {})
    assert (judged.withdrawal, judged.clause) == (True, "IDT-5.15.1a")
    assert isinstance(events[-1], WithdrawalOffered)
    play.refused(RevealHand, "cay", hand="player")  # nobody looks at cards while others make up their minds
    on_b = bankers_cards_open("B")
    events = on_b.does(ReportPowerFailure, "dee")
    judged = next(event for event in events if isinstance(event, ExposedCardsJudged))
    assert judged.decided == {"banker-pair": "lost"}
    assert (judged.withdrawal, judged.clause) == (False, "IDT-5.15.2")
    assert on_b.current.halt.offer is None


@pytest.mark.clause("IDT-5.15.1b", "IDT-5.15.1c")
def test_after_a_power_failure_everything_or_nothing_is_withdrawn_and_the_others_play_on() -> None:
    play = bankers_cards_open("A")
    play.does(ReportPowerFailure, "dee")
    play.refused(AnswerWithdrawalOffer, "bob", withdraw=True, wagers=((2, "banker"),), clause="IDT-5.15.1b")
    events = play.does(AnswerWithdrawalOffer, "bob", withdraw=True)
    assert returned(events) == {"bob banker": 10000, "bob tie": 1000}
    play.does(AnswerWithdrawalOffer, "cay", withdraw=False)
    play.finish()  # Player 5 draws a 9 and has 4 against 6; Banker stands
    assert (play.net("bob"), play.net("cay")) == ("0.00", "-50.00")


@pytest.mark.clause("IDT-5.15.2")
def test_two_open_player_cards_decide_small_dragon_so_nobody_withdraws_and_the_round_completes() -> None:
    play = Play(IDT, layout="A", method="A", cards="KS 2H 2D 5C 6H")
    betting(play, ann={"player": "100.00"})
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    play.does(RevealHand, "ann", hand="player")
    events = play.does(ReportPowerFailure, "dee")
    judged = next(event for event in events if isinstance(event, ExposedCardsJudged))
    assert judged.decided["small-dragon"] == "lost"
    assert judged.clause == "IDT-5.15.2"
    play.refused(AnswerWithdrawalOffer, "ann", withdraw=True)
    play.finish()
    assert play.table.results
    assert play.net("ann") != "0.00"


def test_a_house_may_judge_a_power_failure_by_the_wagers_that_were_placed() -> None:
    lenient = longhu.game(IDT, established_on="placed").definition
    play = betting(Play(lenient, layout="B", method="B", cards="KS 2H 2D 5C 6H"), ann={"tie": "10.00"})
    for _ in range(3):
        play.draw()
    assert isinstance(play.does(ReportPowerFailure, "dee")[-1], WithdrawalOffered)


def test_a_power_failure_while_betting_is_open_needs_no_offer() -> None:
    play = Play(IDT)
    play.open_betting()
    play.refused(ReportPowerFailure, "dee", clause="IDT-5.15")


# ---------------------------------------------------------------- malfunction


@pytest.mark.clause("DBO-MALF-1")
def test_a_malfunction_refunds_the_game_concerned_and_reverses_its_payouts_and_no_other() -> None:
    cards = "9S 2H KD 5C " * 2 + "2S KH 7D 2C"
    play = Play(DBO, cards=cards)
    wagers = {"ann": {"player": "100.00"}, "stan": {"banker": "50.00"}}
    during = betting(Play(DBO, cards=cards), ann={"player": "100.00"})
    during.draw()
    assert returned(during.does(ReportMalfunction, "dee", number=1)) == {"ann player": 10000}
    assert_void(during, during.log, "DBO-MALF-1")
    play.round(**wagers)
    first = postings(play.log), play.net("ann"), play.net("stan")
    assert first[1:] == ("100.00", "-50.00")
    play.load(cards)
    play.round(**wagers)
    both = postings(play.log)
    assert (play.net("ann"), play.net("stan")) == ("200.00", "-100.00")
    events = play.does(ReportMalfunction, "dee", number=2)
    reversed = [event for event in events if isinstance(event, PaymentsReversed)]
    assert [(event.patron, event.chips, event.clause) for event in reversed] == [
        ("ann", 10000, "DBO-MALF-1"),
        ("stan", -5000, "DBO-MALF-1"),
    ]
    assert (play.net("ann"), play.net("stan")) == first[1:]
    assert len(play.table.results) == 1  # the board has lost the round concerned, and keeps the other
    assert postings(play.log)[: len(both)] == both  # what was posted stays; new transactions undo it
    play.refused(ReportMalfunction, "dee", number=2)


@pytest.mark.clause("DBO-MALF-1", "SEC-1")
def test_every_game_played_during_a_malfunction_is_taken_back_by_two_and_no_other() -> None:
    cards = "9S 2H KD 5C "
    play = Play(DBO, cards=cards)
    for _ in range(4):
        play.round(ann={"player": "100.00"}, stan={"banker": "50.00"})
        play.load(cards)
    assert (play.net("ann"), play.net("stan"), len(play.table.results)) == ("400.00", "-200.00", 4)
    before = play.table.balances
    waits = play.asks(ReportMalfunction, "dee", number=2)
    assert isinstance(waits, list)
    assert play.table.balances == before  # nobody takes back payments alone
    play.does(ConfirmReport, "sue", number=play.table.reports)
    play.does(ReportMalfunction, "dee", number=3)
    assert [each.number for each in play.table.settled] == [1, 4]
    assert (play.net("ann"), play.net("stan"), len(play.table.results)) == ("200.00", "-100.00", 2)
    again = play.refused(ReportMalfunction, "dee", number=2, clause="DBO-MALF-1")
    assert again.reason.code == "round-not-kept"
    play.open_betting()
    waiting = play.refused(ReportMalfunction, "dee", number=1, clause="DBO-MALF-1")
    assert waiting.reason.code == "round-in-progress"
    assert replay(Table(game=""), play.log) == play.table


@pytest.mark.clause("DBO-MALF-1")
def test_the_board_keeps_the_results_of_the_games_that_stand() -> None:
    play = Play(DBO, cards="9S 2H KD 5C")  # Player wins, then Banker, then Player
    for cards in ("2H 9S KD 5C", "9S 2H KD 5C", None):
        play.round(ann={"player": "100.00"})
        if cards:
            play.load(cards)
    won = [each.winner for each in play.table.results]
    play.does(ReportMalfunction, "dee", number=2)
    assert [each.winner for each in play.table.results] == [won[0], won[2]]
    assert won == ["player", "banker", "player"]


@pytest.mark.clause("DBO-MALF-1")
def test_a_game_that_was_corrected_before_is_taken_back_as_corrected() -> None:
    play = Play(DBO, cards="9S 2H KD 5C")
    play.round(ann={"player": "100.00"})
    play.load("9S 2H KD 5C")
    play.round(ann={"player": "100.00"})
    told: dict[str, Any] = {"round": 1, "wager": "player", "error": "too-much", "patron": "ann", "amount": 30_00}
    play.does(CorrectPayment, "dee", **told, cause="record", reason="70 lay there")
    assert play.net("ann") == "170.00"
    play.does(ReportMalfunction, "dee", number=1)
    assert play.net("ann") == "100.00"


def test_a_round_too_far_back_is_not_kept_and_each_payment_is_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("longhu.table.settling.KEPT_ROUNDS", 2)
    play = Play(DBO, cards="9S 2H KD 5C")
    for _ in range(3):
        play.round(ann={"player": "100.00"})
        play.load("9S 2H KD 5C")
    refusal = play.refused(ReportMalfunction, "dee", number=1)
    assert (refusal.reason.code, refusal.remedy) == ("round-not-kept", CORRECT_EACH_PAYMENT())
    told: dict[str, Any] = {"round": 1, "wager": "player", "error": "too-much", "patron": "ann", "amount": 100_00}
    play.does(CorrectPayment, "dee", **told, cause="record", reason="the screen froze")
    assert play.net("ann") == "200.00"


def test_winnings_that_have_left_the_table_are_a_claim() -> None:
    from longhu.table.cash import CashOut

    play = Play(DBO, cards="9S 2H KD 5C")
    play.round(ann={"player": "100.00"})
    play.does(CashOut, "ann", amount=parse("10070.00"))
    play.does(ReportMalfunction, "dee", number=1)
    reversal = play.last(PaymentsReversed)
    assert (reversal.chips, reversal.claim) == (3000, 7000)
    assert play.chips("ann") == "0.00"
    assert sum(play.table.balances.values()) == 0


def test_rules_that_say_nothing_of_a_malfunction_leave_a_paid_round_as_it_is() -> None:
    play = Play(DT)
    play.round(ann={"dragon": "50.00"})
    play.refused(ReportMalfunction, "dee", number=1)


# ---------------------------------------------------------------- whatever else happens


@pytest.mark.clause("IDT-6.1")
def test_an_incident_blocks_settlement_until_a_gaming_shift_manager_decides_with_a_reason() -> None:
    play = betting(Play(IDT, method="B", cards="9S 2H KD 5C"), ann={"player": "100.00"})
    play.deal()
    play.does(AnnounceResult, "dee")
    play.does(ReportIncident, "dee", told="a patron says that the card was a 7")
    play.refused(SettleRound, "dee")
    play.refused(MakeRuling, "pam", decision="continue", reason="the camera shows a 9", clause="IDT-6.1")
    play.refused(MakeRuling, "gus", decision="continue", reason=" ", clause="IDT-6.1")
    play.refused(SettleRound, "dee")
    events = play.does(MakeRuling, "gus", decision="continue", reason="the camera shows a 9")
    made = next(event for event in events if isinstance(event, RulingMade))
    assert (made.by, made.reason, made.clause) == ("gus", "the camera shows a 9", "IDT-6.1")
    play.does(SettleRound, "dee")
    assert play.net("ann") == "100.00"


@pytest.mark.clause("D21-12.0f")
def test_in_dragon_21_an_incident_waits_for_a_casino_supervisor() -> None:
    play = betting(Play(D21, method="A"), ann={"dragon": "50.00"})
    play.deal()
    play.does(AnnounceResult, "dee")
    play.does(ReportIncident, "dee", told="a drink over the cards")
    play.refused(SettleRound, "dee")
    play.refused(
        MakeRuling, "pam", decision="void", reason="wet", clause="D21-12.0f"
    )  # below a casino supervisor (Q39)
    play.does(MakeRuling, "gus", decision="void", reason="nobody can read the cards")
    assert play.table.round is None
    assert play.net("ann") == "0.00"


@pytest.mark.parametrize("game", [DT, DBO, "dragon-bonus"])
def test_where_a_document_has_no_rule_for_the_rest_a_gaming_shift_manager_decides_too(game: str) -> None:
    play = betting(Play(game), ann={play_hand(game): "50.00"})
    play.does(ReportIncident, "dee", told="the fire alarm")
    play.refused(DrawCard, "dee")
    play.refused(MakeRuling, "pam", decision="void", reason="everybody leaves")
    assert returned(play.does(MakeRuling, "gus", decision="void", reason="everybody leaves"))


def play_hand(game: str) -> str:
    return longhu.game(game).definition.procedure.hands[0].id


def test_somebody_recorded_as_acting_gaming_shift_manager_may_rule() -> None:
    play = betting(Play(IDT), ann={"player": "100.00"})
    play.does(ReportIncident, "dee", told="the fire alarm")
    play.does(AssignStaff, "gus", person="pam", to=Position.GAMING_SHIFT_MANAGER, acting=True)
    play.does(MakeRuling, "pam", decision="void", reason="everybody leaves")


ANY_REPORT: dict[str, tuple[type[Command], dict[str, Any]]] = {
    "drawn-in-error": (ReportDrawnInError, {"exposed": False}),
    "wrong-order": (ReportMislaidCards, {"lies": ("dragon", "dragon")}),
    "drawn-together-order-known": (DrawCardsTogether, {"order_known": True, "cards": ("4S", "9D")}),
    "drawn-together-initial-deal": (DrawCardsTogether, {"order_known": False, "cards": ("4S", "9D")}),
    "card-face-up": (ReportFaceUpCard, {"card": "9S"}),
    "card-exposed": (ExposeCards, {"kind": "card-exposed", "places": (0,)}),
    "dealt-face-up": (ExposeCards, {"kind": "dealt-face-up", "places": (0,)}),
    "patron-absent": (RevealForAbsent, {"hand": "dragon", "gone": True}),
    "drawn-together-later": (DrawCardsTogether, {"order_known": False, "cards": ("4S", "9D")}),
}
AFTER_THE_DEAL = ("drawn-in-error", "patron-absent", "drawn-together-later")


@pytest.mark.clause("D21-12.0a")
@pytest.mark.parametrize("kind", IRREGULARITIES)
def test_every_kind_of_irregularity_has_a_procedure_in_dragon_21_and_an_audit_entry(kind: str) -> None:
    play = betting(physical(D21, method="B"), ann={"dragon": "50.00"}, bob={"tiger": "50.00"})
    play.draw("TS", "2H")
    if kind in AFTER_THE_DEAL:
        play.draw("5S", "3H")
        play.does(PassHands, "dee")
    command, fields = ANY_REPORT.get(kind, (ReportIrregularity, {"kind": kind}))
    events = play.does(command, "dee", **fields)
    found = next(event for event in events if isinstance(event, IrregularityFound))
    rule = play.game.irregularities.get(kind) or play.game.irregularities["other"]
    assert (found.kind, found.remedy, found.clause) == (kind, rule.remedy, rule.clauses[0])
    assert found.clause.startswith("D21-12.0")
    assert (found.by, found.position, found.at) == ("dee", Position.DEALER, play.now)
    assert (rule.remedy == "ruling") == bool(play.table.round and play.table.round.halt.incident)


def test_a_kind_whose_report_has_to_say_more_is_pointed_to_its_own_report() -> None:
    play = betting(Play(IDT), ann={"player": "100.00"})
    assert play.refused(ReportIrregularity, "dee", kind="power-failure").remedy == USE_REPORT(
        command="report-power-failure"
    )


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        (DrawCardsTogether, {"order_known": True}),
        (ReportMislaidCards, {"lies": ()}),
        (ExposeCards, {"kind": "card-exposed"}),
        (ReportFaceUpCard, {}),
        (RetrieveHand, {"hand": "player"}),
        (RevealForAbsent, {"hand": "player"}),
        (ReportMissingCards, {"hand": "player"}),
        (ResetDevice, {"dealer_error": True}),
        (ReportPowerFailure, {}),
        (ReportIncident, {"told": "smoke"}),
        (MakeRuling, {"decision": "void", "reason": "smoke"}),
        (JudgeIrregularity, {"put_right": True}),
        (AnswerWithdrawalOffer, {"withdraw": True}),
        (CloseWithdrawalOffer, {}),
    ],
)
def test_without_a_round_there_is_nothing_to_report_and_patrons_report_nothing(
    command: type[Command], fields: dict[str, Any]
) -> None:
    play = Play(IDT)
    play.refused(command, "gus", **fields)
    betting(play, ann={"player": "100.00"})
    if command is not AnswerWithdrawalOffer:
        assert isinstance(play.asks(command, "ann", **fields), Refusal)


def test_the_log_of_irregular_rounds_replays_to_the_table_that_was_live() -> None:
    play = Play(IDT, layout="B", **METHOD_B)
    start = Table(game="")
    betting(play, ann={"player": "100.00", "player-pair": "10.00"}, bob={"banker": "50.00"})
    play.draw("2S", "KH", "2D", "2C")
    play.does(AnnounceTotals, "dee")
    play.does(DrawCardsTogether, "dee", order_known=False, cards=("4C", "9H"))
    play.does(JudgeIrregularity, "pam", put_right=True, order=(1, 0))
    play.does(AnswerWithdrawalOffer, "ann", withdraw=True)
    play.does(ReportIrregularity, "dee", kind="foreign-card")
    assert replay(start, play.log) == play.table
    stepwise = start
    for event in play.log:
        stepwise = evolve(stepwise, event)
    assert stepwise == play.table
    assert sum(play.table.balances.values()) == 0
    play.refused(CallNoMoreBets, "dee")
    play.refused(LoadShoe, "ann")
