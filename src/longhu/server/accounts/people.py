"""People with accounts: what they ask for themselves, whether they may play, and their money and time in figures (PLY-1, MON-5)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from longhu.accounts import record
from longhu.accounts.account import CloseAccount, CreateAccount, not_apart
from longhu.accounts.alerts import ALERT_CONSOLE, Significant
from longhu.accounts.engine import decide_account
from longhu.accounts.house_log import SetUpOperator
from longhu.accounts.limits import in_force, review_due
from longhu.accounts.messages import Cosigned, HouseCommand
from longhu.accounts.names import HOUSE_TRAIL, PERSON_TRAILS, trail_of
from longhu.accounts.policy import Policy
from longhu.accounts.protection import AcknowledgeRealityCheck, check_due, may_play, next_check
from longhu.accounts.sign_in_rules import LockAccount
from longhu.accounts.state import Account, Kind, Span
from longhu.accounts.wallet import PaidIn, PaidOut, PayIn
from longhu.eventsourcing import Refusal, name_of
from longhu.messages.message import message_code, program_reason
from longhu.positions import Position
from longhu.server.accounts.house_log import PROGRAM_ONLY, HouseLogService
from longhu.server.accounts.sessions import BatchLoader
from longhu.server.accounts.sign_in import Authentication, SignedIn
from longhu.server.streams.account_stream import Accounts, new_id, stranger
from longhu.server.streams.commands import SYSTEM, Actor, Committed
from longhu.store.entries import LossLimit, Play, Session
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Store

MONEY_IN_WALLET = message_code("money-in-wallet")
PAY_IT_OUT_FIRST = message_code("pay-it-out-first")
NO_GUESTS = message_code("no-guests")
SIGN_IN_WITH_ACCOUNT = message_code("sign-in-with-account")
GUEST_MONEY = program_reason("guest-money")
ACCOUNT_CLOSED = program_reason("account-closed")
ACCOUNT_LOCKED = program_reason("account-locked")

PAGE = 100  # plays of a statement


class PatronFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What stays on screen."""

    balance: int | None  # in the wallet; None for staff
    since: int  # when the session started
    elapsed: int  # milliseconds
    net: int  # won at the tables since then, below zero where it was lost
    check_at: int  # when the next reality check is due
    check_due: bool
    review_due: bool  # is it time to look at one's limits again (LIM-2)?


class Movement(msgspec.Struct, frozen=True):
    """Money that was paid in, or (below zero) out."""

    sequence: int  # the record of it in the person's trail
    at: int
    amount: int
    reference: str
    by: str


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a span of time in somebody's account, oldest first, with the sums of the span and of a lifetime."""

    person: str
    play_money: bool
    since: int
    until: int
    movements: list[Movement]  # of the page, as are
    plays: list[Play]
    before: int | None  # ask for the page before this one with it; None: this is the first of the span
    deposited: int
    withdrawn: int
    staked: int
    net: int  # won at the tables, below zero where it was lost
    lifetime_net_deposits: int


def _statement(store: Store, account: Account, since: int, until: int, before: int | None, limit: int) -> Statement:
    """The last so many rounds from `since` to before `until`, and before `before`, with the payments between them."""
    moved = [each for each in _movements(store, account.person) if since <= each.at < until]
    end = until if before is None else min(before, until)
    plays = store.plays(account.person, since=since, before=end, limit=limit)
    more = plays[-1].at if len(plays) >= limit else None
    sums = store.sums(account.person, since=since, until=until)
    return Statement(
        person=account.person,
        play_money=account.play_money,
        since=since,
        until=until,
        movements=[each for each in moved if (since if more is None else more) <= each.at < end],
        plays=plays[::-1],
        before=more,
        deposited=sum(each.amount for each in moved if each.amount > 0),
        withdrawn=-sum(each.amount for each in moved if each.amount < 0),
        staked=sums.staked,
        net=sums.net,
        lifetime_net_deposits=account.net_deposits,
    )


def _movements(store: Store, person: str) -> Iterator[Movement]:
    for line in store.records(trail_of(person)):
        found = record.decode(line)
        event = found.event
        if isinstance(event, PaidIn | PaidOut):
            amount = event.amount if isinstance(event, PaidIn) else -event.amount
            yield Movement(found.sequence, event.at, amount, event.reference, event.by)


def signed_by(second: Actor | None) -> dict[str, Any]:
    """Who signed with whoever asks, as a command has it."""
    return {} if second is None else {"second": second.person, "second_position": second.position}


class People:
    """Everybody who has an account. All methods may be called at the same time, on one event loop."""

    def __init__(
        self,
        store: Store,
        commits: GroupCommit,
        now: Callable[[], int],
        policy: Policy,
        house_log: HouseLogService | None = None,
    ) -> None:
        self.policy, self.house_log = policy, house_log or HouseLogService(store, commits, now, policy)
        self._store, self._now = store, now
        self._purses = BatchLoader(store.purses)
        self.accounts = Accounts(store, commits, now, policy)
        self.authentication = Authentication(self.accounts, self.house_log)
        self.account, self.names = self.accounts.account, self.accounts.names
        self.sign_in, self.signed, self.actor = (
            self.authentication.sign_in,
            self.authentication.signed,
            self.authentication.actor,
        )
        self.newcomer = self.authentication.newcomer
        self.sign_out, self.sign_out_everywhere = self.authentication.sign_out, self.authentication.sign_out_everywhere
        self.change_password, self.sweep = self.authentication.change_password, self.authentication.sweep
        self.sessions = self.authentication.sessions.of

    def close(self) -> None:
        self.authentication.passwords.close()

    def forget(self, trail: str, sequence: int = 0) -> None:
        """Another node wrote to this trail, up to that record; "" says that it may be any."""
        if trail in ("", HOUSE_TRAIL):
            self.house_log.forget(trail, sequence)
        if not trail or trail.startswith(PERSON_TRAILS):
            person = trail.removeprefix(PERSON_TRAILS)
            if self.accounts.forget(person, sequence):
                self.authentication.sessions.forget(person)

    # ------------------------------------------------ accounts

    async def create(
        self,
        by: Actor,
        person: str,
        name: str,
        password: str | None,
        position: Position | None = None,
        *,
        second: Actor | None = None,
        why: str = "",
        console: str = "",
    ) -> Account | Refusal:
        """A new account: a patron with a wallet, or somebody of the staff. Without a password nobody signs in with one."""
        asked = CreateAccount(
            by=by.person,
            position=by.position,
            why=why,
            console=console,
            **signed_by(second),
            person=person,
            name=name,
            to=Position.PATRON if position is None else position,
            play_money=self.policy.play_money,
        )
        decision = decide_account(await self.account(person) or Account(), self.policy, asked)
        if isinstance(decision, Refusal):
            return decision
        if password is not None and (unfit := self.authentication.passwords.unfit(password, person)) is not None:
            return unfit
        kept = await self.authentication.passwords.kept(password) if password is not None else ""
        refusal = await self.accounts.begin(person, wallet=asked.to is Position.PATRON)
        book = self.accounts.book(person)
        done = refusal or await book.do(replace(asked, password=kept), new_id(by.person))
        return done if isinstance(done, Refusal) else book.state

    async def guest(self, address: str = "", agent: str = "") -> SignedIn | Refusal:
        """Somebody without an account gets one with play money, and no password."""
        if not self.policy.play_money:
            return Refusal(NO_GUESTS(), SIGN_IN_WITH_ACCOUNT(), "MON-6")
        person = f"guest-{secrets.token_hex(5)}"
        created = await self.create(SYSTEM, person, "Guest", None)
        if isinstance(created, Refusal):
            return created
        money = PayIn(amount=self.policy.guest_money, reference=GUEST_MONEY)
        paid = await self.act(SYSTEM, person, money, "welcome")
        return paid if isinstance(paid, Refusal) else await self.authentication.begin(person, address, agent)

    async def act(
        self, by: Actor, person: str, command: HouseCommand, id: str, *, second: Actor | None = None
    ) -> Committed | Refusal:
        """What somebody asks for their own account, or staff for somebody else's. Sent twice with one id, it is done once."""
        if await self.account(person) is None:
            return stranger(person)
        if command.internal:
            return Refusal(PROGRAM_ONLY(), clause="SEC-1")
        if isinstance(command, CloseAccount) and await self.wallet(person):
            return Refusal(MONEY_IN_WALLET(), PAY_IT_OUT_FIRST(), "MON-3")
        signed = signed_by(second) if isinstance(command, Cosigned) else {}
        stamped = replace(command, by=by.person, position=by.position, **signed)
        done = await self.accounts.book(person).do(stamped, by.own(id))
        if isinstance(command, CloseAccount | LockAccount) and isinstance(done, Committed):
            ended = ACCOUNT_CLOSED if isinstance(command, CloseAccount) else ACCOUNT_LOCKED
            await self.authentication.end_all(by, person, ended)
        return done

    async def not_apart(self, actor: Actor, signs: Account) -> Refusal | None:
        """Why somebody who signs may be nobody else than whoever asks (SEC-1)."""
        asks = await self.account(actor.person)
        return None if asks is None else not_apart(asks, signs, self._now())

    async def at_console(self, user: str, command: str, person: str) -> None:
        """Somebody types at the house's own console: that is said before it is done, and nobody can switch it off (LOG-3, SEC-1)."""
        told = ALERT_CONSOLE(user=user, command=command, person=person)
        await self.house_log.raise_alert(Significant.CONSOLE, "", told, person=person)

    async def set_up(self, user: str, person: str, name: str, password: str) -> Account | Refusal:
        """One of the first two operators, on record as such; a further one raises an alert."""
        first = SetUpOperator(person=person, console=user)
        if isinstance(await self.house_log.act(SYSTEM, first, f"set-up:{person}"), Refusal):
            await self.at_console(user, name_of(CreateAccount), person)
        return await self.create(SYSTEM, person, name, password, Position.CASINO_OPERATOR, console=user)

    async def acknowledge(self, by: Actor) -> Committed | Refusal:
        """A patron has seen the reality check, and plays on (PLY-2)."""
        return await self.act(by, by.person, AcknowledgeRealityCheck(), secrets.token_hex(12))

    # ------------------------------------------------ money and play

    async def wallet(self, person: str) -> int | None:
        return await asyncio.to_thread(self._store.wallet, person)

    async def may_play(
        self, person: str, at: int, stake: int = 0, staked: Callable[[], int] = lambda: 0
    ) -> Refusal | None:
        """Why somebody may not wager, sit down or buy chips now (LIM-2, LIM-3, PLY-2); None where nothing is against it.

        `stake` is what would be at risk beside what `staked` says is at risk already: where there is a limit on losses, that is
        asked, and asked again where it is another meanwhile. Whoever has no account has agreed on nothing with the house: a
        patron who plays for cash.
        """
        account = await self.accounts.book(person).current()
        if not account.person:
            return None
        if not account.limits and not account.imposed:  # most have none, and every wager asks
            return may_play(account, self.policy, at)
        spans = [span for span in Span if in_force(account, Kind.LOSS, span) is not None]
        while True:
            risked = staked()
            losses = await asyncio.to_thread(self._losses, person, spans, at) if spans else {}
            if risked == staked():
                return may_play(account, self.policy, at, losses=losses, stake=risked + stake)

    async def bounds(self, person: str, at: int) -> tuple[LossLimit, ...]:
        """What somebody may lose, for the store to hold against each wager: other nodes may take one at the same moment."""
        account = await self.accounts.book(person).current()
        if not account.limits and not account.imposed:  # most have none
            return ()
        limits = [(span, in_force(account, Kind.LOSS, span)) for span in Span]
        return tuple(LossLimit(max(at - span.ms, 0), most) for span, most in limits if most is not None)

    def _losses(self, person: str, spans: list[Span], at: int) -> dict[Span, int]:
        return {span: self._store.lost(person, at - span.ms) for span in spans}

    async def figures(self, session: Session) -> PatronFigures:
        """What somebody who is signed in is shown all the time (PLY-1)."""
        account = await self.accounts.book(session.person).current()
        wallet, lost = await self._purses.ask((session.person, session.created))
        at = self._now()
        return PatronFigures(
            balance=wallet if account.is_patron else None,
            since=session.created,
            elapsed=max(0, at - session.created),
            net=-lost,
            check_at=next_check(account, self.policy),
            check_due=check_due(account, self.policy, at) is not None,
            review_due=review_due(account, at),
        )

    async def statement(self, account: Account, since: int, until: int, before: int | None, limit: int) -> Statement:
        """A page of what somebody paid in, took out and played in a time (MON-5)."""
        return await asyncio.to_thread(_statement, self._store, account, since, until, before, limit)
