"""Signing in and out: what is on record, what locks an account, and how long somebody was there."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.accounts.limits import time_played
from longhu.accounts.policy import Policy
from longhu.accounts.sign_in_rules import (
    LOCKED_ALREADY,
    AccountLocked,
    EndSession,
    GuessesDelayed,
    LockAccount,
    RefuseSignIn,
    SessionEnded,
    SessionStarted,
    SignInRefused,
    StartSession,
    UnlockAccount,
    delay,
    joined,
    locked,
    locked_somewhere,
    source_of,
)
from longhu.accounts.state import Account, Span, Stretch
from longhu.accounts.times import DAY, HOUR, MINUTE, MONTH, SECOND
from longhu.positions import Position
from longhu.table.messages import ASK_POSITION
from tests.accounts.keeping import PLAY, START, Kept, an_account
from tests.codes import code

HOME, ELSEWHERE = "192.0.2.1", "192.0.2.9"
DEVICE = "1a" * 16


def signs_in(kept: Kept[Account], session: str = "s1", address: str = HOME, device: str = "") -> SessionStarted:
    (event,) = kept.done(StartSession(session=session, address=address, agent="a browser", device=device), "ann")
    assert isinstance(event, SessionStarted)
    return event


def fails(kept: Kept[Account], address: str = ELSEWHERE, device: str = "", sent_by: str = "") -> list[type]:
    told = kept.by_house(RefuseSignIn(address=address, device=device, sent_by=sent_by))
    return [type(event) for event in told]


def is_locked(kept: Kept[Account], address: str = ELSEWHERE, device: str = "", sent_by: str = "") -> bool:
    source = source_of(kept.state, kept.policy, kept.at, address=address, device=device, sent_by=sent_by)
    return locked(kept.state, source, kept.at) is not None


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
    assert kept.refused(EndSession(session="s1", ended=kept.at), "ann").reason.code == "session-not-open"


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
@pytest.mark.parametrize("address", [HOME, ELSEWHERE])
def test_the_third_wrong_password_locks_the_account_for_its_source_for_a_while(address: str) -> None:
    kept = an_account()
    signs_in(kept)
    delayed = [] if address == HOME else [GuessesDelayed]
    told = [fails(kept, address) for _ in range(3)]
    assert told == [[SignInRefused], [SignInRefused], [SignInRefused, AccountLocked, *delayed]]
    refusal = kept.refused(StartSession(session="s2", address=address, agent=""), "ann")
    assert refusal.clause == "SEC-2"
    assert code(refusal.remedy) == "try-after-or-unlock"
    kept.later(PLAY.lock_minutes * MINUTE - 1)
    assert is_locked(kept, address)
    kept.later(1)
    signs_in(kept, "s2", address)


@pytest.mark.clause("SEC-2")
def test_tries_while_it_is_locked_make_it_no_longer() -> None:
    kept = an_account()
    for _ in range(20):
        fails(kept)
    kept.later(PLAY.lock_minutes * MINUTE - 1)
    assert is_locked(kept)
    kept.later(1)
    assert not is_locked(kept)
    for wait in (2, 4, 8):  # for unknown sources it goes on
        told = fails(kept)
        kept.later(wait * SECOND)
    assert told == [SignInRefused, AccountLocked, GuessesDelayed]


@pytest.mark.clause("SEC-2")
def test_a_right_password_starts_the_count_again() -> None:
    kept = an_account()
    fails(kept), fails(kept)
    signs_in(kept, address=ELSEWHERE)
    assert fails(kept) == fails(kept) == [SignInRefused]


# ------------------------------------------------ sources


@pytest.mark.clause("SEC-2")
def test_whoever_guesses_elsewhere_does_not_lock_the_owner_out() -> None:
    """Not on a device that has signed in before, not at an address from which somebody has, and not inside a session."""
    kept = an_account()
    signs_in(kept, "s1", HOME, DEVICE)
    for number in range(200):
        fails(kept, f"203.0.113.{number}")
        fails(kept, f"203.0.113.{number}", device="2b" * 16)
    assert is_locked(kept, "198.51.100.1"), "one more address is no further try"
    assert is_locked(kept, "198.51.100.1", device="2b" * 16)
    assert not is_locked(kept, "198.51.100.1", device=DEVICE)
    assert not is_locked(kept, HOME)
    assert not is_locked(kept, "", sent_by="dee"), "a signature"
    assert not is_locked(kept, "", sent_by="ann"), "a new password"
    signs_in(kept, "s2", "198.51.100.1", DEVICE)
    assert kept.replay() == kept.state


@pytest.mark.clause("SEC-2")
@pytest.mark.parametrize(
    "source", [{"device": DEVICE}, {"address": HOME}, {"sent_by": "dee"}], ids=["device", "address", "signature"]
)
def test_wrong_passwords_lock_a_known_source_too_and_no_other(source: dict[str, str]) -> None:
    kept = an_account()
    signs_in(kept, "s1", HOME, DEVICE)
    told = [fails(kept, **{"address": "198.51.100.7", **source}) for _ in range(4)]
    assert told == [[SignInRefused], [SignInRefused], [SignInRefused, AccountLocked], [SignInRefused]]
    others: list[dict[str, str]] = [{"device": DEVICE}, {"address": HOME}, {"sent_by": "dee"}, {"sent_by": "sue"}, {}]
    for each in others:
        assert is_locked(kept, **each) is (each == source)


@pytest.mark.clause("SEC-2")
def test_guessing_from_many_addresses_is_bounded() -> None:
    """20 addresses that try every ten seconds for a day: about a hundred passwords are looked at, and not 172,800."""
    kept, looked_at = an_account(), 0
    while kept.at < START + DAY:
        for number in range(20):
            if not is_locked(kept, f"203.0.113.{number}"):
                looked_at += 1
                fails(kept, f"203.0.113.{number}")
        kept.later(10 * SECOND)
    assert looked_at <= DAY // (PLAY.lock_minutes * MINUTE) + 15
    assert kept.replay() == kept.state


@pytest.mark.clause("SEC-2")
def test_networks_of_ipv6_are_one_source() -> None:
    kept = an_account()
    assert [AccountLocked in fails(kept, f"2001:db8::{number}") for number in range(1, 4)] == [False, False, True]
    assert len(kept.state.guesses.sources) == 1


@pytest.mark.clause("SEC-2")
def test_a_device_is_known_for_a_time_and_only_so_many_are() -> None:
    kept = an_account()
    signs_in(kept, "s0", HOME, DEVICE)
    kept.later(kept.policy.known_days * DAY - 1)
    assert source_of(kept.state, kept.policy, kept.at, address="", device=DEVICE).known
    kept.later(1)
    assert not source_of(kept.state, kept.policy, kept.at, address="", device=DEVICE).known
    for number in range(50):
        signs_in(kept, f"s{number}", f"192.0.2.{number}", f"{number:032x}")
    assert len(kept.state.devices) == len(kept.state.addresses) == 20


@pytest.mark.clause("SEC-2")
def test_wrong_passwords_of_another_day_do_not_count() -> None:
    kept = an_account()
    fails(kept), fails(kept)
    kept.later(DAY)
    assert fails(kept) == fails(kept) == [SignInRefused]
    assert delay(kept.state.guesses.failures, kept.policy) == 0


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
    assert not locked_somewhere(kept.state, kept.at)
    signs_in(kept, address=ELSEWHERE)
    assert kept.refused(UnlockAccount(why="again"), "sue", Position.PIT_SUPERVISOR).reason.code == "account-not-locked"


@pytest.mark.clause("SEC-2")
def test_what_the_house_has_locked_stays_locked_until_it_is_unlocked_from_as_high() -> None:
    kept = an_account()
    assert kept.refused(LockAccount(why="a stolen card"), "sue", Position.PIT_SUPERVISOR).clause == "SEC-1"
    kept.done(LockAccount(why="a stolen card"), "mia", Position.PIT_MANAGER)
    kept.later(1000 * DAY)
    refusal = kept.refused(StartSession(session="s1", address="", agent=""), "ann")
    assert refusal.reason.code == "locked-by-house"
    assert kept.refused(LockAccount(why="again"), "mia", Position.PIT_MANAGER).reason == LOCKED_ALREADY(person="ann")
    refusal = kept.refused(UnlockAccount(why="x"), "sue", Position.PIT_SUPERVISOR)
    assert refusal.remedy == ASK_POSITION(position="pit-manager")
    kept.done(UnlockAccount(why="it is back"), "mia", Position.PIT_MANAGER)
    signs_in(kept)


@given(st.lists(st.sampled_from(["right", "wrong", "wait"]), max_size=40), st.integers(1, 5))
def test_never_more_wrong_passwords_than_allowed_between_two_locks(tries: list[str], allowed: int) -> None:
    """However somebody mixes them: between two right ones, or two locks, there are fewer than the policy says."""
    kept = an_account(Policy(play_money=True, failures=allowed, lock_minutes=10))
    taken = 0  # wrong passwords that were looked at since the count last started
    for number, each in enumerate(tries):
        asked = StartSession(session=f"s{number}", address=ELSEWHERE, agent="")
        if each == "wait":
            kept.later(3 * MINUTE)
        elif is_locked(kept):
            kept.refused(asked, "ann")
        elif each == "right":
            kept.done(asked, "ann")
            taken = 0
        else:
            taken += 1
            now_locked = AccountLocked in fails(kept)
            assert now_locked is (taken == allowed)
            taken = 0 if now_locked else taken
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
