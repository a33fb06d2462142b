"""Sign-in and sign-out: check passwords, begin and end sessions, put all of it on record (LOG-5, SEC-2, PLY-4)."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict, deque
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from longhu.accounts.account import SetPassword
from longhu.accounts.alerts import Significant
from longhu.accounts.engine import decide_account
from longhu.accounts.messages import ASK_THE_STAFF
from longhu.accounts.names import CHOOSE_ANOTHER
from longhu.accounts.policy import Policy
from longhu.accounts.protection import is_excluded
from longhu.accounts.sign_in_rules import (
    EndSession,
    RefuseSignIn,
    Source,
    StartSession,
    locked,
    locked_by_house,
    source_of,
)
from longhu.accounts.state import Account
from longhu.accounts.times import MINUTE
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code, program_reason
from longhu.server.accounts.house_log import HouseLogService
from longhu.server.accounts.passwords import Passwords
from longhu.server.accounts.sessions import NOTE_MAX, Sessions, device_of, digest_of, id_of, new_token
from longhu.server.streams.account_stream import Accounts, new_id, stranger
from longhu.server.streams.commands import SYSTEM, Actor, Committed
from longhu.store.entries import Session

SIGN_IN_WRONG = message_code("sign-in-wrong")
TRY_LATER_OR_ASK = message_code("try-later-or-ask")
SIGNER_PASSWORD_GIVEN = message_code("signer-password-given", person="person")
SIGNER_SIGNS_IN_FIRST = message_code("signer-signs-in-first")
THE_ACCOUNT_IS_CLOSED = message_code("the-account-is-closed")
OLD_PASSWORD_WRONG = message_code("old-password-wrong")
PASSWORD_UNCHANGED = message_code("password-unchanged")
ALERT_LOCKED = message_code("alert-account-locked", person="person", failures="number", source="choice", address="text")
ALERT_GUESSING = message_code("alert-password-guessing", person="person", sources="number")
ALERT_BURST = message_code("alert-sign-in-failures", failures="number", minutes="number")

PASSWORD_CHANGED = program_reason("password-changed")
SIGNED_OUT = program_reason("signed-out")
SIGNED_OUT_EVERYWHERE = program_reason("signed-out-everywhere")
NEVER_USED = program_reason("session-never-used")
SESSION_EXPIRED = program_reason("session-expired")

RECORDS = 30  # of refused sign-ins in a minute, of one account or of all strangers together; further ones are counted into the next
KEYS_MAX = 10_000
LOST_AFTER = MINUTE  # a session that is on record and was not kept so long after will never be
WRONG = Refusal(  # the same whatever is wrong: nobody learns from a locked account which password is the right one
    SIGN_IN_WRONG(), TRY_LATER_OR_ASK(), "SEC-2"
)


class SignedIn(msgspec.Struct, frozen=True):
    """Somebody has come in."""

    token: str  # for the browser alone
    session: Session
    account: Account
    device: str = ""  # for the browser to keep: the device is known by it; "" for a guest

    def __repr__(self) -> str:
        """Without the token: a log line must not have it."""
        return f"SignedIn({self.account.person!r})"


class Authentication:
    """Who may sign in, and whose session a token is."""

    def __init__(self, accounts: Accounts, house_log: HouseLogService) -> None:
        policy = accounts.policy
        self.passwords, self.sessions = Passwords(policy), Sessions(accounts.store, policy)
        self._accounts, self._house_log, self._policy = accounts, house_log, policy
        self._failures = Failures(policy)
        self._trying: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    # ------------------------------------------------ passwords

    async def sign_in(
        self, person: str, password: str, address: str, agent: str, device: str = ""
    ) -> SignedIn | Refusal:
        """Come in. A stranger gets the same answer, after the same time, as somebody with a wrong password.

        `device` is what the browser kept of an earlier sign-in, and keeps after this one.
        """
        person = person.strip().lower()
        found = await self.checked(person, password, address, device=device_of(device, person))
        if isinstance(found, Refusal):
            return found
        kept = device if device_of(device, person) else new_token()
        begun = await self.begin(person, address, agent, device_of(kept, person))
        return begun if isinstance(begun, Refusal) else replace(begun, device=kept)

    async def signed(self, person: str, password: str, address: str, sent_by: str) -> Account | Refusal:
        """A second signature: somebody else says with their own password that they were there (SEC-1)."""
        why = f"signature sent by {sent_by}"
        found = await self.checked(person.strip().lower(), password, address, sent_by=sent_by, why=why)
        if isinstance(found, Account) and found.password_given:
            return Refusal(SIGNER_PASSWORD_GIVEN(person=found.person), SIGNER_SIGNS_IN_FIRST(), "SEC-1")
        return found

    async def checked(
        self, person: str, password: str, address: str, *, device: str = "", sent_by: str = "", why: str = ""
    ) -> Account | Refusal:
        """Somebody's account, where this is their password; everything else is on record.

        One try at a time from each known source, and one from all others: a thousand at once are no quicker, and the owner on
        a known device does not wait behind them.
        """
        account = await self._accounts.account(person)
        if account is None or not account.password:
            await self.passwords.is_right(password, "")
            await self._noted_stranger(person, address[:NOTE_MAX])
            return WRONG
        book = self._accounts.book(person)
        told = RefuseSignIn(
            by=SYSTEM.person,
            position=SYSTEM.position,
            address=address[:NOTE_MAX],
            device=device,
            sent_by=sent_by,
            why=why,
        )
        source = self._source(account, told)
        async with self._trying.setdefault((person, source.key if source.known else ""), asyncio.Lock()):
            is_right = await self.passwords.is_right(password, (await book.current()).password)
            account = await book.current()
            if not is_right or locked(account, self._source(account, told), self._accounts.now()) is not None:
                await self._noted_failure(person, told)
                return WRONG
        return account if not account.closed else Refusal(THE_ACCOUNT_IS_CLOSED(), ASK_THE_STAFF(), "LOG-5")

    def _source(self, account: Account, told: RefuseSignIn) -> Source:
        return source_of(
            account,
            self._policy,
            self._accounts.now(),
            address=told.address,
            device=told.device,
            sent_by=told.sent_by,
        )

    async def change_password(
        self,
        by: Actor,
        person: str,
        password: str,
        *,
        old: str = "",
        but: str = "",
        second: Actor | None = None,
        why: str = "",
        console: str = "",
    ) -> Committed | Refusal:
        """One's own, with the old one, or that of somebody below. All sessions end but the one with the token `but`."""
        account = await self._accounts.account(person)
        if account is None:
            return stranger(person)
        at = self._accounts.now()
        asked = SetPassword(by=by.person, position=by.position, password="", at=at, why=why, console=console)
        if second is not None:
            asked = replace(asked, second=second.person, second_position=second.position)
        decision = decide_account(account, self._policy, asked)
        if isinstance(decision, Refusal):
            return decision
        if by.person == person and isinstance(found := await self.checked(person, old, "", sent_by=person), Refusal):
            wrong = Refusal(OLD_PASSWORD_WRONG(), WRONG.remedy, "SEC-2")
            return wrong if found is WRONG else found
        if (unfit := self.passwords.unfit(password, person)) is not None:
            return unfit
        if by.person == person and password == old:
            return Refusal(PASSWORD_UNCHANGED(), CHOOSE_ANOTHER(), "SEC-2")
        kept = await self.passwords.kept(password)
        done = await self._accounts.book(person).do(replace(asked, password=kept), new_id(by.person))
        if isinstance(done, Committed):
            await self.end_all(by, person, PASSWORD_CHANGED, but=digest_of(but))
        return done

    async def _noted_failure(self, person: str, told: RefuseSignIn) -> None:
        at, book = self._accounts.now(), self._accounts.book(person)
        before = book.state
        source = self._source(before, told)
        counts = locked(before, source, at) is None
        if times := self._failures.to_record(person, at, counts=counts):
            await book.do(replace(told, times=times), new_id(person))
        after = book.state
        if _lock(after, source) > _lock(before, source):
            kind, address = _shown(source)
            found = ALERT_LOCKED(person=person, failures=self._policy.failures, source=kind, address=address)
            await self._house_log.raise_alert(Significant.LOCKED, "", found, person=person)
        if not source.known and len(after.guesses.sources) >= self._policy.many_sources:
            found = ALERT_GUESSING(person=person, sources=self._policy.many_sources)
            await self._house_log.raise_alert(Significant.GUESSING, "", found, person=person)
        await self._noted_burst(at)

    async def _noted_stranger(self, name: str, address: str) -> None:
        at = self._accounts.now()
        if times := self._failures.to_record("", at):
            mark = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:16]
            await self._house_log.strangers(address, mark, times)
        await self._noted_burst(at)

    async def _noted_burst(self, at: int) -> None:
        if self._failures.is_burst(at):
            found = ALERT_BURST(failures=self._policy.burst, minutes=self._policy.burst_minutes)
            await self._house_log.raise_alert(Significant.SIGN_IN_FAILURES, "", found)

    # ------------------------------------------------ sessions

    async def begin(self, person: str, address: str, agent: str, device: str = "") -> SignedIn | Refusal:
        """A session for somebody whose password was right.

        On record first, then kept: one that cannot be found is swept away, and one without a record is never there.
        """
        at, book = self._accounts.now(), self._accounts.book(person)
        await self.swept(person)
        fresh = self.sessions.new(person, at, address, agent)
        session = fresh.session
        asked = StartSession(
            by=person,
            position=(await book.current()).position,
            session=id_of(session.digest),
            address=session.address,
            agent=session.agent,
            device=device,
        )
        done = await book.do(asked, new_id(person))
        if isinstance(done, Refusal):
            return done
        session = replace(session, created=book.state.sessions.get(asked.session, at))  # as the record has it
        await self.sessions.keep(session)
        return SignedIn(fresh.token, session, book.state)

    async def actor(self, token: str) -> tuple[Actor, Session] | None:
        """Who has this token and may act, while the session lasts; being asked makes it last."""
        found = await self._signed_in(token)
        return None if found is None or found[0].password_given else _as_actor(*found)

    async def newcomer(self, token: str) -> tuple[Actor, Session] | None:
        """Who has this token and may do nothing yet but choose a password of their own (SEC-1)."""
        found = await self._signed_in(token)
        return _as_actor(*found) if found is not None and found[0].password_given else None

    async def _signed_in(self, token: str) -> tuple[Account, Session] | None:
        at = self._accounts.now()
        session = await self.sessions.find(digest_of(token), at)
        if session is None or session.ended:
            return None
        if at >= session.until:
            await self._over(session)
            return None
        account = await self._accounts.book(session.person).current()
        if not _is_open(account):
            return None
        return account, await self.sessions.used(session, at)

    async def stays(self, session: Session) -> bool:
        """Does a session still last, and is its owner not excluded? Being asked does not make it last longer."""
        at = self._accounts.now()
        found = await self.sessions.find(session.digest, at)
        if found is None or found.ended or at >= found.until:
            return False
        account = await self._accounts.account(session.person)
        return account is not None and not (account.closed or locked_by_house(account) or is_excluded(account, at))

    async def sign_out(self, token: str) -> None:
        """Go; a session that is over stays over."""
        at = self._accounts.now()
        session = await self.sessions.find(digest_of(token), at)
        if session is not None and not session.ended:
            await self.sessions.end(session, at)
            account = await self._accounts.book(session.person).current()
            by = Actor(session.person, account.position)
            await self._noted_end(by, session.person, id_of(session.digest), at, SIGNED_OUT)

    async def sign_out_everywhere(self, actor: Actor, but: str = "") -> int:
        """End all sessions of somebody, but perhaps the one with the token `but`; how many there were."""
        return await self.end_all(actor, actor.person, SIGNED_OUT_EVERYWHERE, but=digest_of(but))

    async def end_all(self, by: Actor, person: str, why: str, but: str = "") -> int:
        """End all sessions of somebody, but perhaps one, by its digest."""
        at = self._accounts.now()
        ended = await self.sessions.end_all(person, at, but)
        for id in (await self._accounts.book(person).current()).sessions:
            if id != id_of(but):
                await self._noted_end(by, person, id, at, why)
        return ended

    async def sweep(self) -> int:
        """End what nobody has used for too long; to be called every minute or so. How many sessions there were."""
        at, ended = self._accounts.now(), 0
        for person, open_sessions in self._accounts.signed_in().items():
            if self.sessions.lasting(person, at) < open_sessions:
                ended += await self.swept(person)
        await self.sessions.tidy(at)
        return ended

    async def swept(self, person: str) -> int:
        """Put on record that sessions of somebody are over which nobody has ended."""
        at, account = self._accounts.now(), await self._accounts.book(person).current()
        if not account.sessions:
            return 0
        kept = {id_of(each.digest): each for each in await self.sessions.of(person)}
        ended = 0
        for id, started in account.sessions.items():
            session = kept.get(id)
            if session is None and at >= started + LOST_AFTER:
                await self._noted_end(SYSTEM, person, id, started, NEVER_USED)
                ended += 1
            elif session is not None and (session.ended or at >= session.until):
                await self._over(session)
                ended += 1
        return ended

    async def _over(self, session: Session) -> None:
        """A session has run out: it lasted until it was last used."""
        at = session.ended or session.seen
        await self.sessions.end(session, self._accounts.now())
        await self._noted_end(SYSTEM, session.person, id_of(session.digest), at, SESSION_EXPIRED)

    async def _noted_end(self, by: Actor, person: str, id: str, ended: int, why: str) -> None:
        asked = EndSession(by=by.person, position=by.position, session=id, ended=ended, why=why)
        await self._accounts.book(person).do(asked, f"end:{id}")


def _lock(account: Account, source: Source) -> int:
    tries = account.tries.get(source.key)
    return tries.locked_until if tries is not None else 0


def _shown(source: Source) -> tuple[str, str]:
    """A source as an alert shows it: its kind, which tells the owner from a stranger, and its address or sender."""
    kind, _, which = source.key.partition(" ")
    if kind == "device":
        return kind, ""
    if kind == "session":
        return kind, which.removeprefix("of ")
    return "known" if source.known else "unknown", which or "?"


def _as_actor(account: Account, session: Session) -> tuple[Actor, Session]:
    return Actor(account.person, account.position, id_of(session.digest)), session


def _is_open(account: Account) -> bool:
    """Is it an account with which somebody may be signed in?"""
    return bool(account.person) and not account.closed and not locked_by_house(account)


# ------------------------------------------------ refused sign-ins in numbers


class Failures:
    """What this node has seen of wrong sign-ins lately."""

    def __init__(self, policy: Policy) -> None:
        self._burst, self._window = policy.burst, policy.burst_minutes * MINUTE
        self._lately: deque[int] = deque()
        self._tallies: OrderedDict[str, _Tally] = OrderedDict()

    def is_burst(self, at: int) -> bool:
        """Count one more: is it the one that makes a burst of them (LOG-3)? Then the count starts anew."""
        self._lately.append(at)
        while self._lately[0] <= at - self._window:
            self._lately.popleft()
        if len(self._lately) < self._burst:
            return False
        self._lately.clear()
        return True

    def to_record(self, key: str, at: int, *, counts: bool = False) -> int:
        """How many to write down now: this one and those held back before it; 0 to hold this one back.

        An attack must not fill the disk: beyond so many records in a minute, failures are told by their number. One that
        counts towards a lock is always written down.
        """
        tally = self._tallies.setdefault(key, _Tally())
        self._tallies.move_to_end(key)
        if len(self._tallies) > KEYS_MAX:
            self._tallies.popitem(last=False)
        return tally.take(at, counts)


class _Tally:
    def __init__(self) -> None:
        self._since, self._recorded, self._held_back = 0, 0, 0

    def take(self, at: int, counts: bool) -> int:
        if at >= self._since + MINUTE:
            self._since, self._recorded = at, 0
        if self._recorded >= RECORDS and not counts:
            self._held_back += 1
            return 0
        self._recorded += 1
        times, self._held_back = 1 + self._held_back, 0
        return times
