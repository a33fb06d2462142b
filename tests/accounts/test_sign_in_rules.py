"""Signing in and out: what is on record, what locks an account, and how long somebody was there."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.accounts.limits import time_played
from longhu.accounts.policy import Policy
from longhu.accounts.sign_in_rules import (
    AccountLocked,
    EndSession,
    LockAccount,
    RefuseSignIn,
    SessionEnded,
    SessionStarted,
    SignInRefused,
    StartSession,
    UnlockAccount,
    joined,
    locked,
)
from longhu.accounts.state import Account, Span, Stretch
from longhu.accounts.times import DAY, HOUR, MINUTE, MONTH
from longhu.positions import Position
from tests.accounts.keeping import PLAY, START, Kept, an_account


def signs_in(kept: Kept[Account], session: str = "s1", address: str = "192.0.2.1") -> SessionStarted:
    (event,) = kept.done(StartSession(session=session, address=address, agent="a browser"), "ann")
    assert isinstance(event, SessionStarted)
    return event


def fails(kept: Kept[Account]) -> list[type]:
    return [type(event) for event in kept.by_house(RefuseSignIn(address="192.0.2.9"))]


@pytest.mark.clause("LOG-5", "PLY-4")
def test_each_session_is_on_record_and_the_last_sign_in_is_known() -> None:
    kept = an_account()
    assert signs_in(kept).last == 0
    kept.later(HOUR)
    (ended,) = kept.done(EndSession(session="s1", ended=kept.at, why="signed out"), "ann")
    assert ended == SessionEnded(
        by="ann", at=START + HOUR, clause="LOG-5", why="signed out", session="s1", started=START, ended=START + HOUR
    )
    kept.later(DAY)
    assert signs_in(kept, "s2", "192.0.2.2").last == START
    state = kept.state
    assert (state.signed_in_before, state.signed_in_from_before) == (START, "192.0.2.1")
    assert state.sessions == {"s2": START + HOUR + DAY}


def test_a_session_ends_once() -> None:
    kept = an_account()
    signs_in(kept)
    kept.done(EndSession(session="s1", ended=kept.at), "ann")
    assert "not open" in kept.refused(EndSession(session="s1", ended=kept.at), "ann").reason


def test_a_session_that_ran_out_ended_when_it_was_last_used() -> None:
    kept = an_account()
    signs_in(kept)
    kept.later(3 * HOUR)
    kept.by_house(EndSession(session="s1", ended=START + HOUR))
    assert kept.state.stretches == (Stretch(START, START + HOUR),)


@pytest.mark.parametrize("ended", [0, START - DAY, START + DAY])
def test_no_session_lasts_longer_than_until_now_or_less_than_nothing(ended: int) -> None:
    kept = an_account()
    signs_in(kept)
    kept.later(HOUR)
    kept.by_house(EndSession(session="s1", ended=ended))
    (stretch,) = kept.state.stretches
    assert START <= stretch.end <= START + HOUR


# ------------------------------------------------ wrong passwords


@pytest.mark.clause("SEC-2", "LOG-5")
def test_the_third_wrong_password_locks_the_account_for_a_while() -> None:
    kept = an_account()
    assert [fails(kept) for _ in range(3)] == [[SignInRefused], [SignInRefused], [SignInRefused, AccountLocked]]
    until = START + PLAY.lock_minutes * MINUTE
    assert kept.state.locked_until == until
    refusal = kept.refused(StartSession(session="s1", address="", agent=""), "ann")
    assert refusal.clause == "SEC-2"
    assert "Try again after 2026-11-16 20:15 UTC" in refusal.remedy
    kept.later(PLAY.lock_minutes * MINUTE)
    signs_in(kept)


@pytest.mark.clause("SEC-2")
def test_tries_while_it_is_locked_make_it_no_longer() -> None:
    kept = an_account()
    for _ in range(20):
        fails(kept)
    assert kept.state.locked_until == START + PLAY.lock_minutes * MINUTE
    kept.later(PLAY.lock_minutes * MINUTE)
    assert [fails(kept) for _ in range(3)][-1] == [SignInRefused, AccountLocked]


@pytest.mark.clause("SEC-2")
def test_a_right_password_starts_the_count_again() -> None:
    kept = an_account()
    fails(kept), fails(kept)
    signs_in(kept)
    assert kept.state.failures == 0
    assert fails(kept) == fails(kept) == [SignInRefused]


@pytest.mark.clause("SEC-2")
def test_whoever_signs_in_learns_of_wrong_passwords_since_the_last_time() -> None:
    kept = an_account()
    signs_in(kept)
    fails(kept)
    kept.by_house(RefuseSignIn(address="", times=7))
    assert kept.state.failures_since == 0
    signs_in(kept, "s2")
    assert kept.state.failures_since == 8
    signs_in(kept, "s3")
    assert kept.state.failures_since == 0


@pytest.mark.clause("SEC-2", "LOG-4")
def test_staff_unlock_it_and_say_why() -> None:
    kept = an_account()
    for _ in range(3):
        fails(kept)
    assert kept.refused(UnlockAccount(why="seen in person"), "dee", Position.DEALER).clause == "SEC-1"
    assert kept.refused(UnlockAccount(), "sue", Position.PIT_SUPERVISOR).clause == "LOG-4"
    assert kept.refused(UnlockAccount(why="me"), "ann").clause == "SEC-1"
    kept.done(UnlockAccount(why="seen in person"), "sue", Position.PIT_SUPERVISOR)
    assert locked(kept.state, kept.at) is None
    signs_in(kept)
    assert "not locked" in kept.refused(UnlockAccount(why="again"), "sue", Position.PIT_SUPERVISOR).reason


@pytest.mark.clause("SEC-2")
def test_what_the_house_has_locked_stays_locked_until_it_is_unlocked_from_as_high() -> None:
    kept = an_account()
    assert kept.refused(LockAccount(why="a stolen card"), "sue", Position.PIT_SUPERVISOR).clause == "SEC-1"
    kept.done(LockAccount(why="a stolen card"), "mia", Position.PIT_MANAGER)
    kept.later(1000 * DAY)
    refusal = kept.refused(StartSession(session="s1", address="", agent=""), "ann")
    assert refusal.reason == "the account is locked by the house"
    assert "nothing to lock" in kept.refused(LockAccount(why="again"), "mia", Position.PIT_MANAGER).remedy
    assert (
        kept.refused(UnlockAccount(why="x"), "sue", Position.PIT_SUPERVISOR).remedy == "Ask a pit manager to unlock it"
    )
    kept.done(UnlockAccount(why="it is back"), "mia", Position.PIT_MANAGER)
    signs_in(kept)


@given(st.lists(st.sampled_from(["right", "wrong", "wait"]), max_size=40), st.integers(1, 5))
def test_never_more_wrong_passwords_than_allowed_between_two_locks(tries: list[str], allowed: int) -> None:
    """However somebody mixes them: between two right ones, or two locks, there are fewer than the policy says."""
    kept = an_account(Policy(play_money=True, failures=allowed, lock_minutes=10))
    taken = 0  # wrong passwords that were looked at since the count last started
    for number, each in enumerate(tries):
        if each == "wait":
            kept.later(3 * MINUTE)
        elif locked(kept.state, kept.at) is not None:
            kept.refused(StartSession(session=f"s{number}", address="", agent=""), "ann")
        elif each == "right":
            kept.done(StartSession(session=f"s{number}", address="", agent=""), "ann")
            taken = 0
        else:
            taken += 1
            is_locked = AccountLocked in fails(kept)
            assert is_locked is (taken == allowed)
            taken = 0 if is_locked else taken
    assert kept.replay() == kept.state


# ------------------------------------------------ how long


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 60)), max_size=12))
def test_overlapping_stretches_are_joined(spans: list[tuple[int, int]]) -> None:
    stretches = tuple(Stretch(start, start + length) for start, length in spans)
    found = joined(stretches)
    minutes = {minute for each in stretches for minute in range(each.start, each.end)}
    assert sum(each.end - each.start for each in found) == len(minutes)
    assert all(one.end < other.start for one, other in pairwise(found))


def test_time_is_counted_once_however_many_screens() -> None:
    kept = an_account()
    signs_in(kept, "s1")
    kept.later(HOUR)
    signs_in(kept, "s2")
    kept.later(HOUR)
    kept.done(EndSession(session="s1", ended=kept.at), "ann")
    kept.later(HOUR)
    assert time_played(kept.state, Span.DAY, kept.at) == 3 * HOUR
    kept.done(EndSession(session="s2", ended=kept.at), "ann")
    kept.later(23 * HOUR)
    assert time_played(kept.state, Span.DAY, kept.at) == HOUR
    assert time_played(kept.state, Span.WEEK, kept.at) == 3 * HOUR


def test_what_is_older_than_a_month_is_forgotten() -> None:
    kept = an_account()
    signs_in(kept, "s1")
    kept.later(HOUR)
    kept.done(EndSession(session="s1", ended=kept.at), "ann")
    kept.later(MONTH)
    signs_in(kept, "s2")
    kept.later(HOUR)
    kept.done(EndSession(session="s2", ended=kept.at), "ann")
    assert len(kept.state.stretches) == 1
