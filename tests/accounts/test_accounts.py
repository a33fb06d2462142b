"""Accounts, positions and who gives them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from longhu.accounts.account import (
    NAME_TAKEN,
    AccountClosed,
    ChangePosition,
    CloseAccount,
    CreateAccount,
    PositionChanged,
    SetPassword,
)
from longhu.accounts.engine import REASON_TOO_LONG, decide_account
from longhu.accounts.messages import HouseCommandRefused
from longhu.accounts.names import AUTO_DEALER, CAGE, HOUSE, name_refused
from longhu.accounts.state import Account
from longhu.accounts.times import DAY
from longhu.accounts.wallet import PayIn
from longhu.eventsourcing import Refusal
from longhu.positions import LADDER, OF_PEOPLE, OUTSIDE_LADDER, Position, outranks
from tests.accounts.keeping import PLAY, REAL, START, an_account
from tests.codes import code

STAFF = [each for each in OF_PEOPLE if each is not Position.PATRON]
SHIFT = Position.GAMING_SHIFT_MANAGER
ORDER = [each for each in STAFF if each in LADDER]


@pytest.mark.parametrize("name", ["ann", "a", "7", "ann.lee", "x" * 40, "dee_2", "a-b"])
def test_a_name_is_small_letters_and_digits(name: str) -> None:
    assert name_refused(name, by_house=False) is None


@pytest.mark.parametrize(
    "name", ["", "*", "Ann", "a b", "person:ann", ".ann", "ann-", "x" * 41, "Änn", "ann\n", "a\0b"]
)
def test_other_names_are_refused(name: str) -> None:
    refusal = name_refused(name, by_house=True)
    assert refusal is not None
    assert refusal.clause == "SEC-1"


@pytest.mark.parametrize("name", [HOUSE, CAGE, AUTO_DEALER, "auto", "robot-1", "robots", "table"])
def test_the_house_keeps_its_own_names(name: str) -> None:
    assert name_refused(name, by_house=False) is not None
    assert name_refused(name, by_house=True) is None


@pytest.mark.clause("LOG-5")
def test_an_account_says_who_made_it_and_when() -> None:
    kept = an_account()
    assert kept.state == Account(
        person="ann", name="Ann", password="kept", play_money=True, created=START, reviewed=START, checked=START
    )
    again = CreateAccount(person="ann", name="", to=Position.PATRON, play_money=True)
    assert kept.refused(again, HOUSE).reason == NAME_TAKEN(person="ann")


@pytest.mark.clause("MON-6")
def test_a_house_of_real_money_has_no_account_of_play_money() -> None:
    for policy, play_money in ((REAL, True), (PLAY, False)):
        asked = CreateAccount(by=HOUSE, person="ann", name="Ann", to=Position.PATRON, play_money=play_money)
        decision = decide_account(Account(), policy, asked)
        assert isinstance(decision, Refusal)
        assert decision.clause == "MON-6"


# ------------------------------------------------ positions


@pytest.mark.clause("SEC-1", "LOG-4", "IDT-6.2")
@pytest.mark.parametrize("giver", STAFF)
@pytest.mark.parametrize("held", STAFF)
@pytest.mark.parametrize("to", STAFF)
def test_a_position_is_given_from_above_only(giver: Position, held: Position, to: Position) -> None:
    """Whoever gives it stands above both what is given and what was held; auditors answer to the operator."""
    kept = an_account(person="dee", position=held)
    asked = ChangePosition(to=to, why="a new shift", second="other", second_position=Position.CASINO_OPERATOR)
    decision = kept.ask(asked, "boss", giver)
    allowed = (
        giver in ORDER
        and giver >= Position.PIT_MANAGER
        and all(giver > each if each in ORDER else giver is Position.CASINO_OPERATOR for each in (held, to))
        and held is not to
    )
    assert isinstance(decision, list) is allowed
    assert kept.state.position is (to if allowed else held)


@pytest.mark.clause("SEC-1", "LOG-4")
@pytest.mark.parametrize("giver", STAFF)
@pytest.mark.parametrize("to", OF_PEOPLE)
def test_an_account_is_made_from_above_only(giver: Position, to: Position) -> None:
    asked = CreateAccount(by="boss", position=giver, person="new", name="", to=to, play_money=True)
    asked = replace(asked, second="other", second_position=Position.CASINO_OPERATOR)
    decision = decide_account(Account(), PLAY, asked)
    above = giver is Position.CASINO_OPERATOR if to in OUTSIDE_LADDER else giver > to
    least = Position.PIT_SUPERVISOR if to is Position.PATRON else Position.PIT_MANAGER
    assert isinstance(decision, list) is (giver >= least and above)


@pytest.mark.clause("LOG-4")
def test_a_change_of_position_says_who_when_before_after_and_why() -> None:
    kept = an_account(person="dee", position=Position.DEALER)
    kept.later(DAY)
    asked = ChangePosition(to=Position.PIT_SUPERVISOR, why="promoted", second="max", second_position=SHIFT)
    (event,) = kept.done(asked, "mia", Position.PIT_MANAGER)
    assert event == PositionChanged(
        by="mia",
        second="max",
        at=START + DAY,
        position=Position.PIT_MANAGER,
        clause="LOG-4",
        why="promoted",
        before=Position.DEALER,
        after=Position.PIT_SUPERVISOR,
    )
    assert kept.refused(ChangePosition(to=Position.DEALER, why="  "), "mia", Position.PIT_MANAGER).clause == "LOG-4"


def test_the_highest_position_is_given_at_the_console() -> None:
    kept = an_account(person="dee", position=Position.DEALER)
    refusal = kept.refused(ChangePosition(to=Position.CASINO_OPERATOR, why="heir"), "boss", Position.CASINO_OPERATOR)
    assert code(refusal.remedy) == "use-longhu-admin"
    kept.by_house(ChangePosition(to=Position.CASINO_OPERATOR))
    assert kept.state.position is Position.CASINO_OPERATOR


@pytest.mark.clause("SEC-1")
def test_nobody_promotes_themselves() -> None:
    kept = an_account(person="dee", position=Position.PIT_MANAGER)
    refusal = kept.refused(ChangePosition(to=Position.PIT_SUPERVISOR, why="less work"), "dee", Position.PIT_MANAGER)
    assert refusal.reason.code == "not-for-oneself"


@pytest.mark.clause("SEC-1")
def test_a_patron_stays_a_patron_and_staff_stay_staff() -> None:
    for kept, to in (
        (an_account(), Position.DEALER),
        (an_account(person="dee", position=Position.DEALER), Position.PATRON),
    ):
        assert (
            kept.refused(ChangePosition(to=to, why="x"), "boss", Position.CASINO_OPERATOR).reason.code
            == "patron-or-staff"
        )


@pytest.mark.clause("SEC-1")
def test_an_auditor_changes_nothing() -> None:
    kept = an_account()
    for command in (
        CloseAccount(why="x"),
        SetPassword(password="new"),
        PayIn(amount=100),
        ChangePosition(to=Position.DEALER, why="x"),
    ):
        refusal = kept.refused(command, "otto", Position.AUDITOR)
        assert refusal.reason.code == "auditor-changes-nothing"


def test_an_auditor_chooses_a_password() -> None:
    kept = an_account(person="otto", position=Position.AUDITOR)
    kept.done(SetPassword(password="new"), "otto", Position.AUDITOR)
    assert kept.state.password == "new"
    assert not outranks(Position.GAMING_SHIFT_MANAGER, Position.AUDITOR)


@pytest.mark.clause("SEC-1")
def test_people_of_the_house_have_no_money_in_it() -> None:
    kept = an_account(person="dee", position=Position.DEALER)
    assert kept.refused(PayIn(amount=100), "dee", Position.DEALER).reason.code == "person-is-staff"


# ------------------------------------------------ closing


@pytest.mark.clause("LOG-5")
def test_a_closed_account_takes_nothing_more() -> None:
    kept = an_account()
    (event,) = kept.done(CloseAccount(why="moving away"), "ann")
    assert isinstance(event, AccountClosed)
    assert kept.state.closed == START
    assert kept.refused(PayIn(amount=100), "ann").reason.code == "account-closed"
    assert kept.refused(CloseAccount(why="again"), "ann").reason.code == "account-closed"


def test_a_refusal_is_on_record() -> None:
    kept = an_account()
    refusal = kept.refused(PayIn(amount=0), "ann")
    assert (
        HouseCommandRefused(
            by="ann",
            at=START,
            clause=refusal.clause,
            command="pay-in/1",
            reason=refusal.reason,
            remedy=refusal.remedy,
        ).refusal
        == refusal
    )
    assert b'"house-command-refused/1"' in kept.lines[-1]


def test_long_reasons_are_refused() -> None:
    assert an_account().refused(CloseAccount(why="x" * 501), "ann").reason == REASON_TOO_LONG()


def test_the_account_does_not_tell_the_password_in_a_log_line() -> None:
    assert "kept" not in repr(an_account().state)
