"""Coming in and going: passwords are looked at, sessions begin and end, and all of it is on record (LOG-5, SEC-2, PLY-4)."""

from __future__ import annotations

import asyncio
import hashlib
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from longhu.accounts.account import SetPassword
from longhu.accounts.alerts import Significant
from longhu.accounts.engine import decide_account
from longhu.accounts.protection import is_excluded
from longhu.accounts.sign_in_rules import EndSession, RefuseSignIn, StartSession, locked, locked_by_house
from longhu.accounts.state import Account
from longhu.accounts.times import MINUTE
from longhu.eventsourcing import Refusal
from longhu.server.actor import SYSTEM, Actor
from longhu.server.people.accounts import Accounts, new_id, stranger
from longhu.server.people.failures import Failures
from longhu.server.people.floor import Floor
from longhu.server.people.passwords import Passwords
from longhu.server.people.sessions import NOTE_MAX, Sessions, digest_of, id_of
from longhu.server.streams.outcomes import Committed
from longhu.store.entries import Session

LOST_AFTER = MINUTE  # a session that is on record and was not kept so long after will never be
WRONG = Refusal(  # the same whatever is wrong: nobody learns from a locked account which password is the right one
    "the name or the password is wrong, or the account is locked", "Try again in a while, or ask the staff", "SEC-2"
)


class SignedIn(msgspec.Struct, frozen=True):
    """Somebody has come in."""

    token: str  # for the browser alone
    session: Session
    account: Account

    def __repr__(self) -> str:
        """Without the token: a log line must not have it."""
        return f"SignedIn({self.account.person!r})"


class Entrance:
    """Where people come in."""

    def __init__(self, accounts: Accounts, floor: Floor) -> None:
        policy = accounts.policy
        self.passwords, self.sessions = Passwords(policy), Sessions(accounts.store, policy)
        self._accounts, self._floor, self._policy = accounts, floor, policy
        self._failures = Failures(policy)
        self._trying: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # ------------------------------------------------ passwords

    async def sign_in(self, person: str, password: str, address: str, agent: str) -> SignedIn | Refusal:
        """Come in. A stranger gets the same answer, after the same time, as somebody with a wrong password."""
        found = await self.checked(person.strip().lower(), password, address)
        return found if isinstance(found, Refusal) else await self.begin(found.person, address, agent)

    async def signed(self, person: str, password: str, address: str, asked_by: str) -> Account | Refusal:
        """A second signature: somebody else says with their own password that they were there (SEC-1)."""
        return await self.checked(person.strip().lower(), password, address, f"as a signature that {asked_by} sent")

    async def checked(self, person: str, password: str, address: str, why: str = "") -> Account | Refusal:
        """Somebody's account, where this is their password; everything else is on record.

        One try at a time for each account: a thousand at once are no quicker, and the third wrong one locks it.
        """
        account = await self._accounts.account(person)
        if account is None or not account.password:
            await self.passwords.is_right(password, "")
            await self._noted_stranger(person, address[:NOTE_MAX])
            return WRONG
        book = self._accounts.book(person)
        async with self._trying.setdefault(person, asyncio.Lock()):
            is_right = await self.passwords.is_right(password, (await book.current()).password)
            account = await book.current()
            if not is_right or locked(account, self._accounts.now()) is not None:
                await self._noted_failure(person, address[:NOTE_MAX], why)
                return WRONG
        return account if not account.closed else Refusal("the account is closed", "Ask the staff", "LOG-5")

    async def change_password(
        self, by: Actor, person: str, password: str, *, old: str = "", but: str = ""
    ) -> Committed | Refusal:
        """One's own, with the old one, or that of somebody below. All sessions end but the one with the token `but`."""
        account = await self._accounts.account(person)
        if account is None:
            return stranger(person)
        asked = SetPassword(by=by.person, position=by.position, password="", at=self._accounts.now())
        decision = decide_account(account, self._policy, asked)
        if isinstance(decision, Refusal):
            return decision
        if by.person == person and isinstance(found := await self.checked(person, old, ""), Refusal):
            wrong = Refusal("the old password is wrong, or the account is locked", WRONG.remedy, "SEC-2")
            return wrong if found is WRONG else found
        if (unfit := self.passwords.unfit(password, person)) is not None:
            return unfit
        kept = await self.passwords.kept(password)
        done = await self._accounts.book(person).do(replace(asked, password=kept), new_id(by.person))
        if isinstance(done, Committed):
            await self.end_all(by, person, "the password was changed", but=digest_of(but))
        return done

    async def _noted_failure(self, person: str, address: str, why: str) -> None:
        at, book = self._accounts.now(), self._accounts.book(person)
        before = book.state.locked_until
        if times := self._failures.to_record(person, at):
            asked = RefuseSignIn(by=SYSTEM.person, position=SYSTEM.position, address=address, times=times, why=why)
            await book.do(asked, new_id(person))
        if book.state.locked_until > before:
            says = f"the account of {person} is locked after {self._policy.failures} wrong passwords"
            await self._floor.raise_alert(Significant.LOCKED, "", says, person=person)
        await self._noted_burst(at)

    async def _noted_stranger(self, name: str, address: str) -> None:
        at = self._accounts.now()
        if times := self._failures.to_record("", at):
            mark = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:16]
            await self._floor.strangers(address, mark, times)
        await self._noted_burst(at)

    async def _noted_burst(self, at: int) -> None:
        if self._failures.is_burst(at):
            says = f"at least {self._policy.burst} sign-ins were refused within {self._policy.burst_minutes} minutes"
            await self._floor.raise_alert(Significant.SIGN_IN_FAILURES, "", says)

    # ------------------------------------------------ sessions

    async def begin(self, person: str, address: str, agent: str) -> SignedIn | Refusal:
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
        )
        done = await book.do(asked, new_id(person))
        if isinstance(done, Refusal):
            return done
        session = replace(session, created=book.state.sessions.get(asked.session, at))  # as the record has it
        await self.sessions.keep(session)
        return SignedIn(fresh.token, session, book.state)

    async def actor(self, token: str) -> tuple[Actor, Session] | None:
        """Who has this token, while the session lasts; being asked makes it last."""
        at = self._accounts.now()
        session = await self.sessions.find(digest_of(token), at)
        if session is None or session.ended:
            return None
        if at >= session.until:
            await self._over(session)
            return None
        account = await self._accounts.book(session.person).current()
        if not _may_act(account):
            return None
        session = await self.sessions.used(session, at)
        return Actor(session.person, account.position, id_of(session.digest)), session

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
            await self._noted_end(by, session.person, id_of(session.digest), at, "signed out")

    async def sign_out_everywhere(self, actor: Actor, but: str = "") -> int:
        """End all sessions of somebody, but perhaps the one with the token `but`; how many there were."""
        return await self.end_all(actor, actor.person, "signed out everywhere", but=digest_of(but))

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
                await self._noted_end(SYSTEM, person, id, started, "it was never used")
                ended += 1
            elif session is not None and (session.ended or at >= session.until):
                await self._over(session)
                ended += 1
        return ended

    async def _over(self, session: Session) -> None:
        """A session has run out: it lasted until it was last used."""
        at = session.ended or session.seen
        await self.sessions.end(session, self._accounts.now())
        await self._noted_end(SYSTEM, session.person, id_of(session.digest), at, "its time was up")

    async def _noted_end(self, by: Actor, person: str, id: str, ended: int, why: str) -> None:
        asked = EndSession(by=by.person, position=by.position, session=id, ended=ended, why=why)
        await self._accounts.book(person).do(asked, f"end:{id}")


def _may_act(account: Account) -> bool:
    """Is it an account with which somebody may do anything at all?"""
    return bool(account.person) and not account.closed and not locked_by_house(account)
