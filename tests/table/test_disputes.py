"""The file of a dispute: who raises one, who speaks in it, who rules, and by what money moves (IDT-6.1, D21-12.0f)."""

from __future__ import annotations

from typing import Any

import pytest

from longhu.positions import Position
from longhu.table.cash import CashOut
from longhu.table.confirmation import ConfirmReport
from longhu.table.disputes import (
    OPEN_MAX,
    AddStatement,
    DisputeRaised,
    DisputeRuled,
    RaiseDispute,
    RuleOnDispute,
    StatementAdded,
)
from longhu.table.engine import replay
from longhu.table.opening import CloseTable
from longhu.table.people import LeaveTable
from longhu.table.shoe import EndShoe
from longhu.table.state import Table
from longhu.table.wrong_payments import CorrectPayment, PaymentCorrected
from tests.table.irregular import D21, DT, IDT, betting
from tests.table.rounds import Play

SAID: dict[str, Any] = {"round": 1, "about": "payment", "told": "I was on Banker"}
RULED: dict[str, Any] = {"dispute": 1, "reason": "the camera shows it"}
BACK: dict[str, Any] = {"round": 1, "wager": "player", "error": "too-much", "patron": "bob", "amount": 20_00,
                        "cause": "record", "reason": "dispute 1", "dispute": 1}  # fmt: skip


def played(game: str = IDT, rounds: int = 1) -> Play:
    play = Play(game)
    for _ in range(rounds):
        main = next(id for id, wager in play.game.wagers.items() if wager.hand)
        play.round(ann={main: "50.00"}, bob={main: "50.00"})
        play.load()
    return play


def raised(game: str = IDT) -> Play:
    play = played(game)
    play.does(RaiseDispute, "ann", **SAID)
    return play


@pytest.mark.clause("IDT-6.1")
def test_a_patron_or_staff_raise_one_about_any_round_and_nothing_moves() -> None:
    play = played(rounds=3)
    before = play.table.balances
    play.does(RaiseDispute, "ann", **SAID)
    play.does(RaiseDispute, "dee", **{**SAID, "round": 2, "patron": "bob"})
    play.does(RaiseDispute, "dee", **{**SAID, "round": 2})
    betting(play, ann={"player": "50.00"})
    play.does(RaiseDispute, "ann", **{**SAID, "round": 4})  # in progress
    raised = [each for each in play.log if isinstance(each, DisputeRaised)]
    assert [(each.dispute, each.round, each.patron, each.by) for each in raised] == [
        (1, 1, "ann", "ann"), (2, 2, "bob", "dee"), (3, 2, "", "dee"), (4, 4, "ann", "ann"),
    ]  # fmt: skip
    assert all(each.clause == "IDT-6.1" for each in raised)
    play.finish()
    assert play.table.balances["float:T1"] == before["float:T1"] + sum(
        before[f"patron:{each}"] - play.table.balances[f"patron:{each}"] for each in ("ann", "bob")
    )
    assert replay(Table(game=""), play.log) == play.table


def test_whoever_has_left_still_raises_one_also_once_the_table_is_closed() -> None:
    play = played()
    for person in ("ann", "bob", "cay", "stan"):
        play.does(CashOut, person, amount=play.table.balances[f"patron:{person}"])
        play.does(LeaveTable, person)
    play.does(RaiseDispute, "ann", **SAID)
    play.does(AddStatement, "ann", dispute=1, told="my brother saw it")
    play.does(EndShoe, "dee", why="closing")
    play.reveal()
    play.does(CloseTable, "sue", float_counted=play.table.balances["float:T1"], counted_by=("sue", "dee"))
    play.does(RaiseDispute, "bob", **SAID)
    assert [each.patron for each in play.table.disputes.values()] == ["ann", "bob"]


@pytest.mark.parametrize(
    ("by", "changes", "code"),
    [
        ("ann", {"round": 0}, "no-round-of-number"),
        ("ann", {"round": 2}, "no-round-of-number"),
        ("ann", {"told": " "}, "nothing-told"),
        ("ann", {"patron": "bob"}, "only-staff-for-others"),
        ("dee", {"patron": "zed"}, "not-at-table"),
    ],
)
def test_what_cannot_be_raised(by: str, changes: dict[str, Any], code: str) -> None:
    assert played().refused(RaiseDispute, by, **{**SAID, **changes}, clause="IDT-6.1").reason.code == code


def test_one_about_a_round_is_open_at_a_time_and_so_many_in_all() -> None:
    play = played(rounds=OPEN_MAX + 1)
    for number in range(1, OPEN_MAX + 1):
        play.does(RaiseDispute, "ann", **{**SAID, "round": number})
    assert play.refused(RaiseDispute, "ann", **SAID).reason.code == "dispute-raised-already"
    last = {**SAID, "round": OPEN_MAX + 1}
    assert play.refused(RaiseDispute, "ann", **last).reason.code == "too-many-disputes"
    play.does(RuleOnDispute, "gus", **RULED, decision="payments-stand")
    play.does(RaiseDispute, "ann", **last)


@pytest.mark.clause("IDT-6.1")
def test_people_state_what_they_saw_and_a_patron_hears_of_no_other_dispute() -> None:
    play = raised()
    play.does(AddStatement, "dee", dispute=1, told="they lay on Player")
    play.does(AddStatement, "sue", dispute=1, told="I saw nothing", person="cay")
    play.does(AddStatement, "ann", dispute=1, told="ask the camera")
    said = [(each.by, each.person) for each in play.log if isinstance(each, StatementAdded)]
    assert said == [("dee", "dee"), ("sue", "cay"), ("ann", "ann")]
    for number in (1, 2):
        other = play.refused(AddStatement, "bob", dispute=number, told="me too")
        assert other.reason.code == "no-such-dispute"
    assert play.refused(AddStatement, "ann", dispute=1, told="x", person="bob").reason.code == "only-staff-for-others"


@pytest.mark.clause("IDT-6.1", "D21-12.0f")
@pytest.mark.parametrize(("game", "clause"), [(IDT, "IDT-6.1"), (D21, "D21-12.0f"), (DT, "")])
def test_whoever_the_document_names_rules_with_a_reason_once(game: str, clause: str) -> None:
    play = raised(game)
    for low in ("dee", "sue", "pam"):
        refused = play.refused(RuleOnDispute, low, **RULED, decision="correct", clause=clause)
        assert refused.reason.code == "position-too-low"
    play.refused(RuleOnDispute, "gus", **{**RULED, "reason": ""}, decision="correct", clause=clause)
    before = play.table.balances
    play.does(RuleOnDispute, "gus", **RULED, decision="correct")
    ruled = play.last(DisputeRuled)
    assert (ruled.by, ruled.position, ruled.clause) == ("gus", Position.GAMING_SHIFT_MANAGER, clause)
    assert play.table.balances == before
    for act in (RuleOnDispute, AddStatement):
        told = {"told": "more"} if act is AddStatement else {"decision": "correct", "reason": "again"}
        assert play.refused(act, "gus", dispute=1, **told).reason.code == "dispute-ruled-on"
    own = {**SAID, "round": 1}
    play.does(RaiseDispute, "gus", **own)
    assert play.refused(RuleOnDispute, "gus", **{**RULED, "dispute": 2}, decision="correct").reason.code == (
        "raised-it-themselves"
    )


@pytest.mark.clause("IDT-6.1", "SEC-1")
def test_money_moves_by_a_correction_of_two_that_names_the_dispute_and_only_as_it_is_ruled() -> None:
    play = raised()
    assert play.refused(CorrectPayment, "dee", **BACK).reason.code == "dispute-asks-nothing"  # nobody has ruled
    play.does(RuleOnDispute, "gus", **RULED, decision="correct")
    before = play.table.balances
    assert play.asks(CorrectPayment, "dee", **BACK)
    assert play.table.balances == before  # one person moves nothing
    play.does(ConfirmReport, "sue", number=play.table.reports)
    entry = play.last(PaymentCorrected)
    assert (entry.dispute, entry.round, entry.by, entry.cosigned_by) == (1, 1, "dee", ("sue",))
    assert play.table.balances["patron:bob"] == before["patron:bob"] - 20_00
    other = play.refused(CorrectPayment, "dee", **{**BACK, "dispute": 7})
    assert other.reason.code == "dispute-asks-nothing"
    stands = raised()
    stands.does(RuleOnDispute, "gus", **RULED, decision="payments-stand")
    assert stands.refused(CorrectPayment, "dee", **BACK).reason.code == "dispute-asks-nothing"
    assert replay(Table(game=""), play.log) == play.table


def test_a_dispute_is_raised_while_a_report_waits_for_a_second_person() -> None:
    play = played()
    told = {**BACK, "dispute": 0}
    play.asks(CorrectPayment, "dee", **told)
    assert play.table.awaited is not None
    play.does(RaiseDispute, "ann", **SAID)
    play.does(AddStatement, "sue", dispute=1, told="I am to sign for it")
