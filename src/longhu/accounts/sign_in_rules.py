"""Signing in and out, and what becomes of wrong passwords (LOG-5, SEC-2, PLY-4)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.account import no_account
from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, about
from longhu.accounts.names import HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.state import ACCOUNT, Account, Stretch
from longhu.accounts.times import LATEST, MINUTE, MONTH, moment
from longhu.eventsourcing import Refusal
from longhu.positions import Position, may_act_as


class StartSession(HouseCommand, frozen=True, kw_only=True, tag="start-session/1"):
    """The password was right."""

    own: ClassVar[bool] = True
    internal: ClassVar[bool] = True

    session: str
    address: str
    agent: str


class SessionStarted(HouseEvent, frozen=True, kw_only=True, tag="session-started/1"):
    session: str
    address: str
    agent: str
    last: int  # the sign-in before this one


class EndSession(HouseCommand, frozen=True, kw_only=True, tag="end-session/1"):
    """A session is over, because somebody said so or because nobody did anything any more."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR
    own: ClassVar[bool] = True
    internal: ClassVar[bool] = True
    recorded: ClassVar[bool] = False  # two who end the same session mean the same

    session: str
    ended: int  # when it was last used


class SessionEnded(HouseEvent, frozen=True, kw_only=True, tag="session-ended/1"):
    session: str
    started: int
    ended: int


class RefuseSignIn(HouseCommand, frozen=True, kw_only=True, tag="refuse-sign-in/1"):
    """The password was wrong, or the account was locked."""

    internal: ClassVar[bool] = True

    address: str
    times: int = 1  # how often since the last record of it


class SignInRefused(HouseEvent, frozen=True, kw_only=True, tag="sign-in-refused/1"):
    address: str
    times: int
    failures: int  # in a row


class AccountLocked(HouseEvent, frozen=True, kw_only=True, tag="account-locked/1"):
    until: int


class LockAccount(HouseCommand, frozen=True, kw_only=True, tag="lock-account/1"):
    """Nobody signs in with this account, or stays signed in, until staff unlock it."""

    needs: ClassVar[Position] = Position.PIT_MANAGER
    reasoned: ClassVar[bool] = True


class UnlockAccount(HouseCommand, frozen=True, kw_only=True, tag="unlock-account/1"):
    """Staff have seen who it is: the account may be used again before its time."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR
    reasoned: ClassVar[bool] = True


class AccountUnlocked(HouseEvent, frozen=True, kw_only=True, tag="account-unlocked/1"):
    locked_until: int  # what it had been


def locked_by_house(account: Account) -> bool:
    return account.locked_until == LATEST


def locked(account: Account, at: int) -> Refusal | None:
    """Too many wrong passwords, or the house has said so (SEC-2)."""
    if at >= account.locked_until:
        return None
    if locked_by_house(account):
        return Refusal("the account is locked by the house", "Ask the staff to unlock it", "SEC-2")
    remedy = f"Try again after {moment(account.locked_until + MINUTE - 1)}, or ask the staff to unlock it"
    return Refusal("the account is locked after wrong passwords", remedy, "SEC-2")


@ACCOUNT.decides(StartSession)
def start_session(account: Account, _policy: Policy, command: StartSession) -> Decision:
    refusal = no_account(account) or locked(account, command.at)
    if refusal is not None:
        return refusal
    started = SessionStarted(
        session=command.session,
        address=command.address,
        agent=command.agent,
        last=account.signed_in,
        **about(command, "LOG-5"),
    )
    return [started]


@ACCOUNT.evolves(SessionStarted)
def session_started(account: Account, event: SessionStarted) -> Account:
    """The time to the next reality check runs from the first session of several."""
    return replace(
        account,
        sessions={**account.sessions, event.session: event.at},
        signed_in=event.at,
        signed_in_before=account.signed_in,
        signed_in_from=event.address,
        signed_in_from_before=account.signed_in_from,
        failures=0,
        failures_new=0,
        failures_since=account.failures_new,
        checked=account.checked if account.sessions else event.at,
    )


@ACCOUNT.decides(EndSession)
def end_session(account: Account, _policy: Policy, command: EndSession) -> Decision:
    started = account.sessions.get(command.session)
    if started is None:
        return Refusal("that session is not open", "There is nothing to end", "LOG-5")
    ended = min(max(command.ended, started), command.at)
    return [SessionEnded(session=command.session, started=started, ended=ended, **about(command, "LOG-5"))]


@ACCOUNT.evolves(SessionEnded)
def session_ended(account: Account, event: SessionEnded) -> Account:
    left = {id: start for id, start in account.sessions.items() if id != event.session}
    stretches = joined((*account.stretches, Stretch(event.started, event.ended)))
    kept = tuple(each for each in stretches if each.end > event.at - MONTH)
    return replace(account, sessions=left, stretches=kept)


def joined(stretches: tuple[Stretch, ...]) -> tuple[Stretch, ...]:
    """Without overlaps, in order: an hour at two screens is an hour.

    >>> joined((Stretch(5, 9), Stretch(1, 6), Stretch(20, 30)))
    (Stretch(start=1, end=9), Stretch(start=20, end=30))
    """
    found: list[Stretch] = []
    for each in sorted(stretches, key=lambda stretch: stretch.start):
        if found and each.start <= found[-1].end:
            found[-1] = Stretch(found[-1].start, max(found[-1].end, each.end))
        else:
            found.append(each)
    return tuple(found)


@ACCOUNT.decides(RefuseSignIn)
def refuse_sign_in(account: Account, policy: Policy, command: RefuseSignIn) -> Decision:
    """The third wrong password in a row locks the account; while it is locked, further ones change nothing."""
    if (refusal := no_account(account)) is not None:
        return refusal
    is_locked = locked(account, command.at) is not None
    failures = account.failures if is_locked else account.failures + 1
    told = about(command, "SEC-2")
    events: list[HouseEvent] = [
        SignInRefused(address=command.address, times=command.times, failures=failures, **told),
    ]
    if failures >= policy.failures:
        events.append(AccountLocked(until=command.at + policy.lock_minutes * MINUTE, **told))
    return events


@ACCOUNT.evolves(SignInRefused)
def sign_in_refused(account: Account, event: SignInRefused) -> Account:
    return replace(account, failures=event.failures, failures_new=account.failures_new + event.times)


@ACCOUNT.evolves(AccountLocked)
def account_locked(account: Account, event: AccountLocked) -> Account:
    """The count starts again: after the lock has passed there are as many tries as before."""
    return replace(account, failures=0, locked_until=event.until)


@ACCOUNT.decides(LockAccount)
def lock_account(account: Account, _policy: Policy, command: LockAccount) -> Decision:
    if (refusal := no_account(account)) is not None:
        return refusal
    if locked_by_house(account):
        return Refusal(f"the account of {account.person} is locked", "There is nothing to lock", "SEC-2")
    return [AccountLocked(until=LATEST, **about(command, "SEC-2"))]


@ACCOUNT.decides(UnlockAccount)
def unlock_account(account: Account, _policy: Policy, command: UnlockAccount) -> Decision:
    if (refusal := no_account(account)) is not None:
        return refusal
    if locked(account, command.at) is None and not account.failures:
        return Refusal(f"the account of {account.person} is not locked", "There is nothing to unlock", "SEC-2")
    if locked_by_house(account) and command.by != HOUSE and not may_act_as(command.position, LockAccount.needs):
        needed = LockAccount.needs.word
        return Refusal("the house has locked this account", f"Ask a {needed} to unlock it", "SEC-1")
    return [AccountUnlocked(locked_until=account.locked_until, **about(command, "SEC-2"))]


@ACCOUNT.evolves(AccountUnlocked)
def account_unlocked(account: Account, _event: AccountUnlocked) -> Account:
    return replace(account, failures=0, locked_until=0)
