"""Signing in and out, and what becomes of wrong passwords (LOG-5, SEC-2, PLY-4).

Wrong passwords are counted by account and source. A source is a device that has signed in before, an address, or a member of
staff who sends somebody's password as a signature. Three wrong passwords lock the account for that source alone, so nobody
keeps the owner out from elsewhere. All sources from which the owner has never signed in share one delay that doubles with each
wrong password: guessing from many addresses is no quicker than from one.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from longhu.accounts.account import no_account, not_appointed
from longhu.accounts.appointments import Appointment, lowest
from longhu.accounts.messages import Cosigned, CosignedEvent, Decision, HouseCommand, HouseEvent, about
from longhu.accounts.names import HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.state import ACCOUNT, Account, Guesses, Stretch, Tries
from longhu.accounts.times import DAY, LATEST, MINUTE, MONTH, SECOND, whole_minute
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.messages import ASK_POSITION

LOCKED_BY_HOUSE = message_code("locked-by-house")
ASK_STAFF_TO_UNLOCK = message_code("ask-staff-to-unlock")
LOCKED_FOR_SOURCE = message_code("locked-for-source")
TRY_AFTER = message_code("try-after-or-unlock", at="time")
GUESSED_ELSEWHERE = message_code("guessed-elsewhere")
WAIT_OR_KNOWN_DEVICE = message_code("wait-or-known-device")
SESSION_NOT_OPEN = message_code("session-not-open")
LOCKED_ALREADY = message_code("account-locked-already", person="person")
NOT_LOCKED = message_code("account-not-locked", person="person")

KNOWN_MAX = 20  # devices, and addresses, that an account remembers
SOURCES_MAX = 50  # with wrong passwords, that an account remembers
FORGOTTEN_AFTER = DAY  # without a further wrong password, earlier ones do not count
IPV6_NETWORK = 64  # bits: what one customer of a network has, and can choose addresses from


class StartSession(HouseCommand, frozen=True, kw_only=True, tag="start-session/1"):
    """The password was right."""

    own: ClassVar[bool] = True
    internal: ClassVar[bool] = True

    session: str
    address: str
    agent: str
    device: str = ""  # the digest of what the browser keeps; "": nothing


class SessionStarted(HouseEvent, frozen=True, kw_only=True, tag="session-started/1"):
    session: str
    address: str
    agent: str
    last: int  # the sign-in before this one
    device: str = ""


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
    """The password was wrong, or the account was locked for that source."""

    internal: ClassVar[bool] = True

    address: str
    device: str = ""
    sent_by: str = ""  # the person signed in who sent it, as a signature or to change their own password
    times: int = 1  # how often since the last record of it


class SignInRefused(HouseEvent, frozen=True, kw_only=True, tag="sign-in-refused/1"):
    address: str
    times: int
    failures: int  # in a row from this source
    source: str
    known: bool = False  # has the owner signed in from there, or does somebody signed in send it?
    guesses: int = 0  # wrong passwords from all unknown sources together


class AccountLocked(HouseEvent, frozen=True, kw_only=True, tag="account-locked/1"):
    until: int
    source: str = ""  # for which source; "": for all


class GuessesDelayed(HouseEvent, frozen=True, kw_only=True, tag="guesses-delayed/1"):
    """No unknown source is listened to before then."""

    until: int


class LockAccount(HouseCommand, frozen=True, kw_only=True, tag="lock-account/1"):
    """Nobody signs in with this account, or stays signed in, until staff unlock it."""

    needs: ClassVar[Position] = Position.PIT_MANAGER
    reasoned: ClassVar[bool] = True


class UnlockAccount(Cosigned, frozen=True, kw_only=True, tag="unlock-account/1"):
    """Staff have seen who it is: the account may be used again before its time."""

    needs: ClassVar[Position] = lowest(Appointment.UNLOCK)
    reasoned: ClassVar[bool] = True


class AccountUnlocked(CosignedEvent, frozen=True, kw_only=True, tag="account-unlocked/1"):
    locked_until: int  # what it had been


class Source(msgspec.Struct, frozen=True):
    """Where a password comes from."""

    key: str
    known: bool


def source_of(
    account: Account, policy: Policy, at: int, *, address: str, device: str = "", sent_by: str = ""
) -> Source:
    """Where a password for this account comes from; one inside a live session is known by who is signed in there."""
    if sent_by:
        return Source(f"session of {sent_by}", known=True)
    since = at - policy.known_days * DAY
    if device and account.devices.get(device, 0) > since:
        return Source(f"device {device[:16]}", known=True)
    network = network_of(address)
    return Source(f"address {network}", known=account.addresses.get(network, 0) > since)


def network_of(address: str) -> str:
    """An address, or of IPv6 the network that one customer has.

    >>> network_of("192.0.2.1"), network_of("2001:db8::1:2"), network_of("")
    ('192.0.2.1', '2001:db8::/64', '')
    """
    try:
        if not isinstance(ip_address(address), IPv6Address):
            return address
        return str(ip_network((address.partition("%")[0], IPV6_NETWORK), strict=False))
    except ValueError:
        return address


def locked_by_house(account: Account) -> bool:
    return account.locked_until == LATEST


def locked(account: Account, source: Source, at: int) -> Refusal | None:
    """Why no password is taken from this source now: too many wrong ones, or the house has said so (SEC-2)."""
    if locked_by_house(account):
        return Refusal(LOCKED_BY_HOUSE(), ASK_STAFF_TO_UNLOCK(), "SEC-2")
    tries = account.tries.get(source.key)
    until = max(account.locked_until, tries.locked_until if tries else 0)
    if at < until:
        return Refusal(LOCKED_FOR_SOURCE(), TRY_AFTER(at=whole_minute(until)), "SEC-2")
    if not source.known and at < account.guesses.until:
        return Refusal(GUESSED_ELSEWHERE(), WAIT_OR_KNOWN_DEVICE(), "SEC-2")
    return None


def locked_somewhere(account: Account, at: int) -> bool:
    """Is there anything that staff could unlock?"""
    return at < max(account.locked_until, account.guesses.until) or any(
        at < each.locked_until for each in account.tries.values()
    )


def delay(guesses: int, policy: Policy) -> int:
    """How long unknown sources wait after so many wrong passwords: nothing, then a second, doubled each time.

    >>> [delay(guesses, Policy()) // SECOND for guesses in (2, 3, 4, 10, 13, 1_000_000)]
    [0, 1, 2, 128, 900, 900]
    """
    beyond = guesses - policy.failures
    return 0 if beyond < 0 else min(SECOND << min(beyond, 32), policy.lock_minutes * MINUTE)


@ACCOUNT.decides(StartSession)
def start_session(account: Account, policy: Policy, command: StartSession) -> Decision:
    source = source_of(account, policy, command.at, address=command.address, device=command.device)
    refusal = no_account(account) or locked(account, source, command.at)
    if refusal is not None:
        return refusal
    started = SessionStarted(
        session=command.session,
        address=command.address,
        agent=command.agent,
        last=account.signed_in,
        device=command.device,
        **about(command, "LOG-5"),
    )
    return [started]


@ACCOUNT.evolves(SessionStarted)
def session_started(account: Account, event: SessionStarted) -> Account:
    """The time to the next reality check runs from the first session of several.

    The device and the address are known from now on, and have made no mistake. What others guess elsewhere still counts.
    """
    network = network_of(event.address)
    sources = (f"device {event.device[:16]}", f"address {network}")
    return replace(
        account,
        sessions={**account.sessions, event.session: event.at},
        signed_in=event.at,
        signed_in_before=account.signed_in,
        signed_in_from=event.address,
        signed_in_from_before=account.signed_in_from,
        devices=_remembered(account.devices, event.device, event.at),
        addresses=_remembered(account.addresses, network, event.at),
        tries={key: each for key, each in account.tries.items() if key not in sources},
        failures_new=0,
        failures_since=account.failures_new,
        checked=account.checked if account.sessions else event.at,
    )


def _remembered(known: dict[str, int], name: str, at: int) -> dict[str, int]:
    """The newest last; of many, the oldest is forgotten."""
    if not name:
        return known
    found = {**{each: last for each, last in known.items() if each != name}, name: at}
    return dict(list(found.items())[-KNOWN_MAX:])


@ACCOUNT.decides(EndSession)
def end_session(account: Account, _policy: Policy, command: EndSession) -> Decision:
    started = account.sessions.get(command.session)
    if started is None:
        return Refusal(SESSION_NOT_OPEN(), clause="LOG-5")
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
    """The third wrong password in a row locks the account for its source; while that is locked, further ones change nothing."""
    if (refusal := no_account(account)) is not None:
        return refusal
    at = command.at
    source = source_of(account, policy, at, address=command.address, device=command.device, sent_by=command.sent_by)
    counts = int(locked(account, source, at) is None)
    tries, guesses = account.tries.get(source.key, Tries()), account.guesses
    failures = counts + (tries.failures if at < tries.at + FORGOTTEN_AFTER else 0)
    guessed = (0 if source.known else counts) + (guesses.failures if at < guesses.at + FORGOTTEN_AFTER else 0)
    told = about(command, "SEC-2")
    refused = SignInRefused(
        address=command.address,
        times=command.times,
        failures=failures,
        source=source.key,
        known=source.known,
        guesses=guessed,
        **told,
    )
    events: list[HouseEvent] = [refused]
    if failures >= policy.failures:
        events.append(AccountLocked(until=at + policy.lock_minutes * MINUTE, source=source.key, **told))
    if counts and not source.known and (wait := delay(guessed, policy)):
        events.append(GuessesDelayed(until=at + wait, **told))
    return events


@ACCOUNT.evolves(SignInRefused)
def sign_in_refused(account: Account, event: SignInRefused) -> Account:
    new = account.failures_new + event.times
    before, guesses = account.tries.get(event.source, Tries()), account.guesses
    others = {
        key: each
        for key, each in account.tries.items()
        if key != event.source and event.at < max(each.at + FORGOTTEN_AFTER, each.locked_until)
    }
    fresh = replace(before, failures=event.failures, at=event.at)
    tries = {**others, event.source: fresh} if event.failures or event.source in account.tries else others
    if not event.known:
        lasts = event.at < guesses.at + FORGOTTEN_AFTER
        sources = {**dict.fromkeys(guesses.sources if lasts else ()), event.source: None}
        guesses = replace(guesses, failures=event.guesses, at=event.at, sources=tuple(sources)[:SOURCES_MAX])
    return replace(account, failures_new=new, tries=dict(list(tries.items())[-SOURCES_MAX:]), guesses=guesses)


@ACCOUNT.evolves(AccountLocked)
def account_locked(account: Account, event: AccountLocked) -> Account:
    """The count starts again: after the lock has passed there are as many tries as before."""
    if not event.source:
        return replace(account, locked_until=event.until)
    locked = Tries(failures=0, at=event.at, locked_until=event.until)
    return replace(account, tries={**account.tries, event.source: locked})


@ACCOUNT.evolves(GuessesDelayed)
def guesses_delayed(account: Account, event: GuessesDelayed) -> Account:
    return replace(account, guesses=replace(account.guesses, until=event.until))


@ACCOUNT.decides(LockAccount)
def lock_account(account: Account, _policy: Policy, command: LockAccount) -> Decision:
    if (refusal := no_account(account)) is not None:
        return refusal
    if locked_by_house(account):
        return Refusal(LOCKED_ALREADY(person=account.person), clause="SEC-2")
    return [AccountLocked(until=LATEST, **about(command, "SEC-2"))]


@ACCOUNT.decides(UnlockAccount)
def unlock_account(account: Account, _policy: Policy, command: UnlockAccount) -> Decision:
    if (refusal := no_account(account)) is not None:
        return refusal
    if not locked_somewhere(account, command.at) and not any(each.failures for each in account.tries.values()):
        return Refusal(NOT_LOCKED(person=account.person), clause="SEC-2")
    if locked_by_house(account) and command.by != HOUSE and command.position < LockAccount.needs:
        return Refusal(LOCKED_BY_HOUSE(), ASK_POSITION(position=LockAccount.needs.value), "SEC-1")
    if (refusal := not_appointed(Appointment.UNLOCK, command, account.person, account.position)) is not None:
        return refusal
    return [AccountUnlocked(locked_until=account.locked_until, **about(command, "SEC-2"))]


@ACCOUNT.evolves(AccountUnlocked)
def account_unlocked(account: Account, _event: AccountUnlocked) -> Account:
    return replace(account, tries={}, guesses=Guesses(), locked_until=0)
