"""A wrong payment put right: two people, a new entry, records that stand, and nobody below zero (MON-1, SEC-1)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from longhu.money import show
from longhu.table.cash import BuyIn, CashOut
from longhu.table.confirmation import ConfirmReport
from longhu.table.irregularities.late import ReportOffLimitsWager
from longhu.table.irregularities.power import ReportMalfunction
from longhu.table.opening import CloseTable, OpenTable
from longhu.table.people import JoinTable, LeaveTable, TakeTheDeal
from longhu.table.settling import WagerSettled
from longhu.table.wrong_payments import NOT_SETTLED_YET, CorrectPayment, PaymentCorrected
from tests.table.chips import tray
from tests.table.rounds import Play

pytestmark = pytest.mark.clause("SEC-1")
USUAL: dict[str, Any] = {"round": 1, "wager": "dragon", "error": "too-much", "patron": "ann", "amount": 100_00,
                         "cause": "record", "reason": "the stake was bob's", "cosigned_by": ("sue",)}  # fmt: skip


def settled(**settings: Any) -> Play:
    """Ann has won 100.00 on Dragon, Bob has lost 50.00 on Tiger; round 1 is over."""
    play = Play("dragon-tiger", open=False, **{"chips": "electronic", **settings})
    play.does(OpenTable, "opal", **play.opening(float_counted=1_000_000_00))
    play.does(TakeTheDeal, "dee")
    for seat, person in enumerate(("ann", "bob"), 1):
        play.does(JoinTable, person, seat=seat)
        play.does(BuyIn, "dee", patron=person, amount=10_000_00)
    play.load("KH 2S 3D 9C")
    play.round(ann={"dragon": "100.00"}, bob={"tiger": "50.00"})
    return play


def entry(play: Play) -> dict[str, int]:
    """What the last correction moved, account by account."""
    moved: dict[str, int] = {}
    for account, amount in play.last(PaymentCorrected).postings():
        moved[account] = moved.get(account, 0) + amount
    return {account: amount for account, amount in moved.items() if amount}


# ---------------------------------------------------------------- two people


@pytest.mark.parametrize(
    ("by", "other", "right"),
    [
        ("dee", "sue", True),
        ("dee", "gus", True),
        ("sue", "pam", True),
        ("pam", "gus", True),
        ("pam", "dee", True),
        ("dee", "dee", False),
        ("dee", "rex", False),
        ("rex", "sue", False),  # who does not have the deal
        ("sue", "dee", False),
        ("sue", "sue", False),
        ("dee", "kit", False),
        ("dee", "ann", False),
        ("dee", "zed", False),
    ],
)
def test_a_dealer_reports_and_a_supervisor_signs_or_a_supervisor_starts_and_a_manager_signs(
    by: str, other: str, right: bool
) -> None:
    play = settled()
    told = {**USUAL, "cosigned_by": (other,)}
    if not right:
        play.refused(CorrectPayment, by, **told)
        return
    play.does(CorrectPayment, by, **told)
    event = play.last(PaymentCorrected)
    assert (event.by, event.cosigned_by, event.clause) == (by, (other,), "SEC-1")


def test_a_report_of_one_moves_nothing_until_another_confirms_it() -> None:
    play = settled()
    before = play.table.balances
    play.asks(CorrectPayment, "dee", **{**USUAL, "cosigned_by": ()})
    assert play.table.awaited is not None
    assert play.table.balances == before
    play.refused(ConfirmReport, "dee", number=play.table.awaited.number)
    play.does(ConfirmReport, "sue", number=play.table.awaited.number)
    event = play.last(PaymentCorrected)
    assert (event.by, event.cosigned_by, play.net("ann")) == ("dee", ("sue",), "0.00")


@pytest.mark.parametrize("person", ["ann", "kit"])
def test_neither_a_patron_nor_the_cage_corrects_a_payment(person: str) -> None:
    settled().refused(CorrectPayment, person, **USUAL)


# ---------------------------------------------------------------- the record was wrong


@pytest.mark.clause("MON-1")
def test_too_much_by_the_record_goes_back_to_the_tray() -> None:
    play = settled()
    before = [each for each in play.log if isinstance(each, WagerSettled)]
    play.does(CorrectPayment, "dee", **USUAL)
    assert entry(play) == {"patron:ann": -100_00, "float:T1": 100_00}
    assert (play.net("ann"), play.last(PaymentCorrected).owed) == ("0.00", 0)
    assert [each for each in play.log if isinstance(each, WagerSettled)] == before
    (moved,) = play.last(PaymentCorrected).transactions()
    assert (moved.wager, moved.clause, sum(each.amount for each in moved.postings)) == ("dragon", "SEC-1", 0)


def test_too_little_by_the_record_is_paid_and_nobody_is_asked() -> None:
    play = settled()
    play.does(CorrectPayment, "sue", **{**USUAL, "error": "too-little", "patron": "bob", "cosigned_by": ("pam",)})
    assert entry(play) == {"patron:bob": 100_00, "float:T1": -100_00}


def test_the_wrong_patron_by_the_record_pays_the_other() -> None:
    play = settled()
    play.does(CorrectPayment, "dee", **{**USUAL, "error": "wrong-patron", "other": "bob"})
    assert entry(play) == {"patron:ann": -100_00, "patron:bob": 100_00}


def test_nobody_goes_below_zero_and_the_rest_is_owed() -> None:
    play = settled()
    play.does(CashOut, "ann", amount=10_070_00)  # 30.00 are left
    play.does(CorrectPayment, "dee", **USUAL)
    assert entry(play) == {"patron:ann": -30_00, "float:T1": 30_00, "unpaid:ann": 70_00, "claims:T1": -70_00}
    assert (play.chips("ann"), play.last(PaymentCorrected).owed) == ("0.00", 70_00)


def test_where_the_other_patron_is_to_get_it_the_house_makes_up_what_is_not_there() -> None:
    play = settled()
    play.does(CashOut, "ann", amount=10_070_00)
    play.does(CorrectPayment, "dee", **{**USUAL, "error": "wrong-patron", "other": "bob"})
    assert entry(play) == {
        "patron:ann": -30_00, "patron:bob": 100_00, "float:T1": -70_00, "unpaid:ann": 70_00, "claims:T1": -70_00,
    }  # fmt: skip


def test_whoever_has_left_owes_all_of_it_after_the_last_round() -> None:
    play = settled()
    play.does(CashOut, "ann", amount=10_100_00)
    play.does(LeaveTable, "ann")
    play.does(CorrectPayment, "dee", **USUAL)
    assert entry(play) == {"unpaid:ann": 100_00, "claims:T1": -100_00}
    play.round(bob={"tiger": "50.00"})
    play.refused(CorrectPayment, "dee", "SEC-1", **{**USUAL, "patron": "zed"})  # the table knows nobody of that name
    play.refused(CorrectPayment, "dee", "SEC-1", **{**USUAL, "error": "too-little"})


# ---------------------------------------------------------------- the hand was wrong


def test_chips_that_a_hand_paid_wrongly_and_that_are_back_leave_the_ledger_as_the_rules_paid() -> None:
    play = settled(chips="physical")
    play.does(CorrectPayment, "dee", **{**USUAL, "cause": "hand"})
    assert entry(play) == {}
    error, right = play.last(PaymentCorrected).transactions()
    assert [(each.account, each.amount) for each in error.postings] == [("float:T1", -100_00), ("patron:ann", 100_00)]
    assert [(each.account, each.amount) for each in right.postings] == [("patron:ann", -100_00), ("float:T1", 100_00)]


@pytest.mark.parametrize(("error", "other"), [("too-much", ""), ("wrong-patron", "bob")])
def test_chips_that_are_not_handed_back_are_owed_and_the_tray_lacks_them(error: str, other: str) -> None:
    play = settled(chips="physical")
    told = {**USUAL, "cause": "hand", "error": error, "other": other, "handed_back": 60_00}
    play.does(CorrectPayment, "dee", **told)
    assert entry(play) == {"float:T1": -40_00, "unpaid:ann": 40_00}
    assert (play.net("ann"), play.net("bob")) == ("100.00", "-50.00")  # what the rules paid
    short = tray(play)
    count = {"float_counted": short, "chips": {1_00: short // 100}, "counted_by": ("sue", "dee")}
    play.does(CloseTable, "sue", **count)  # the count agrees


def test_what_a_hand_kept_back_is_paid() -> None:
    play = settled(chips="physical")
    play.does(CorrectPayment, "dee", **{**USUAL, "cause": "hand", "error": "too-little"})
    assert entry(play) == {}
    play.does(CashOut, "ann", amount=10_050_00)
    play.refused(CorrectPayment, "dee", "SEC-1", **{**USUAL, "cause": "hand", "error": "too-little"})


def test_no_hand_pays_electronic_chips() -> None:
    settled().refused(CorrectPayment, "dee", "SEC-1", **{**USUAL, "cause": "hand"})


# ---------------------------------------------------------------- which round, and what else


@pytest.mark.parametrize(
    "changes",
    [
        {"round": 0},
        {"round": 2},
        {"wager": "no-such"},
        {"amount": 0},
        {"amount": 10**18},
        {"reason": "  "},
        {"error": "wrong-patron"},
        {"error": "wrong-patron", "other": "ann"},
        {"other": "bob"},
        {"patron": "zed"},
        {"error": "wrong-patron", "other": "zed"},
        {"handed_back": 1},
        {"cause": "hand", "handed_back": 200_00},
        {"cause": "hand", "error": "too-little", "handed_back": 1},
    ],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any]) -> None:
    play = settled(chips="physical")
    before = play.table
    play.refused(CorrectPayment, "dee", "SEC-1", **{**USUAL, **changes})
    assert play.table == before


def test_the_round_in_progress_is_settled_first_and_earlier_ones_are_corrected_meanwhile() -> None:
    play = settled()
    play.open_betting()
    refusal = play.refused(CorrectPayment, "dee", "SEC-1", **{**USUAL, "round": 2})
    assert refusal.reason == NOT_SETTLED_YET(round=2)
    play.does(CorrectPayment, "dee", **USUAL)


@pytest.mark.clause("IDT-5.14")
def test_off_limits_chips_found_later_still_change_no_payment() -> None:
    play = Play("immortal-dragon-tiger", cards="2D KC 3D 6C KH", people={"ann": 1})
    play.round(ann={"banker": "100.00"})
    told = {"patron": "ann", "place": 1, "wager": "banker", "amount": 5000_00, "round": 1}
    play.refused(ReportOffLimitsWager, "sue", "IDT-5.14", **told)


@pytest.mark.clause("DBO-MALF-1")
def test_a_round_that_is_reversed_takes_back_what_it_paid_after_the_correction() -> None:
    play = Play("dragon-bonus-online", people={"ann": 1})
    play.round(ann={"player": "100.00"})
    won = [each for each in play.log if isinstance(each, WagerSettled)][-1].net
    play.does(CorrectPayment, "dee", **{**USUAL, "wager": "player", "error": "too-little", "amount": 10_00})
    assert play.net("ann") == show(won + 10_00)
    play.does(ReportMalfunction, "dee", number=1)
    assert play.net("ann") == "0.00"


@pytest.mark.clause("MON-1")
@pytest.mark.parametrize("chips", ["electronic", "physical"])
def test_no_sequence_of_corrections_creates_or_destroys_money(chips: str) -> None:
    for seed in range(20):
        chance, play = random.Random(seed), settled(chips=chips)
        for _ in range(40):
            error = chance.choice(("too-much", "too-little", "wrong-patron"))
            patron, other = chance.sample(("ann", "bob"), 2)
            amount = chance.choice((1, 500, 100_00, 9_999_00, 30_000_00))
            cause = chance.choice(("record", "hand"))
            told = {**USUAL, "error": error, "patron": patron, "amount": amount, "cause": cause,
                    "other": other if error == "wrong-patron" else "",
                    "handed_back": chance.choice((None, 0, amount // 2))}  # fmt: skip
            play.asks(CorrectPayment, chance.choice(("dee", "sue")), **{**told, "cosigned_by": ("pam",)})
            balances = play.table.balances
            assert sum(balances.values()) == 0
            assert all(
                held >= 0 for name, held in balances.items() if name.startswith(("patron:", "float:", "unpaid:"))
            )
