"""Authorization: what the house allows somebody at a table, before the rules of the table decide.

`submit` is the one way to a table, for sockets, HTTP and robots alike. A command comes with its time. `submit` stamps it with who gives it
and in which position, checks what the house forbids (an account that may not play, somebody who is no longer staff, what the house
does by itself), finds the loss limits that the store must hold it against, and hands it to the table's stream.

What a session allows is cached, and dropped as soon as the session or the account changes.

Whoever takes part in an act of two people confirms it with their own password (SEC-1, OPS-1). The server alone says who has: it puts them
into the command (`cosigned_by`), and the table's rules say whether they are enough.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from longhu.accounts.limits import not_a_patron
from longhu.accounts.messages import AUDITOR_CHANGES_NOTHING
from longhu.accounts.messages import too_low as position_too_low
from longhu.accounts.names import AUTO_DEALER, AUTO_SUPERVISOR, CAGE, HOUSE
from longhu.accounts.policy import Policy
from longhu.accounts.protection import may_play, next_check
from longhu.accounts.state import Account
from longhu.eventsourcing import Refusal
from longhu.ledger import is_spot
from longhu.messages.message import message_code
from longhu.positions import OUTSIDE_LADDER, Position
from longhu.protocol import COMMAND_ID_MAX, COMMAND_ID_PATTERN
from longhu.server.accounts.people import People
from longhu.server.accounts.sessions import digest_of
from longhu.server.codec import HOUSE_ONLY, OF_THE_SHUFFLE, Signature
from longhu.server.problems import TAKE_A_NEW_ID
from longhu.server.streams.account_stream import AccountStream
from longhu.server.streams.commands import SYSTEM, Actor, Committed, own_key
from longhu.server.streams.stream import NO_LIMITS, Answer, LossLimits, Snapshot
from longhu.server.streams.table_stream import TableStream, staked
from longhu.server.timers import is_dealt_automatically
from longhu.store.entries import OpenStake, Session
from longhu.table.authority import PROGRAM_DOES_THIS, TAKE_DEAL_FIRST
from longhu.table.betting import PlaceWager, TakeWagerBack
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets
from longhu.table.call_bets import SpeakWager
from longhu.table.cash import BuyIn
from longhu.table.confirmation import ConfirmReport
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard
from longhu.table.differential import ScaleBack
from longhu.table.fills import AcceptChips, DeliverChips, IssueChips
from longhu.table.handling import PassHands
from longhu.table.messages import POSITION_NOT_HELD, Command
from longhu.table.people import STAFF_DO_NOT_PLAY, AssignStaff, JoinTable, TakeSeat
from longhu.table.settling import SettleRound
from longhu.table.shoe import LoadShoe, VerifyCards
from longhu.table.state import Table
from longhu.table.tie_returns import ChangeReturnedWager

COMMAND_ID_RULE = message_code("command-id-rule", maximum="number")
SHOE_IS_ELECTRONIC = message_code("shoe-is-electronic")
ASK_FOR_NEW_SHOE = message_code("ask-for-new-shoe")
HOUSE_DEALS_HERE = message_code("house-deals-here")
PAYS_FROM_ACCOUNT = message_code("pays-from-account", person="person")
PATRON_BUYS_CHIPS = message_code("patron-buys-chips")
NOT_STAFF = message_code("not-staff", person="person")
GIVE_POSITION_FIRST = message_code("give-position-first")
NOTHING_TO_COSIGN = message_code("nothing-to-cosign", position="position")
LEAVE_SIGNATURES_OUT = message_code("leave-signatures-out")
SIGN_WITH_OWN_PASSWORD = message_code("sign-with-own-password")
NOT_SIGNED = message_code("person-not-signed", person="person")

if TYPE_CHECKING:
    from longhu.server.house import House

OWN_STAFF = {  # who acts for the house at every table, and in which position
    HOUSE: Position.CASINO_OPERATOR,
    CAGE: Position.CAGE,
    AUTO_SUPERVISOR: Position.PIT_SUPERVISOR,
    AUTO_DEALER: Position.DEALER,
}
OWN_COUNT = (AUTO_DEALER, AUTO_SUPERVISOR)  # who counts the tray where no person does
GRANTS_MAX = 20_000
_COMMAND_ID = re.compile(COMMAND_ID_PATTERN)
DEALER_ONLY: tuple[type[Command], ...] = (  # of the automatic dealer, where the house deals (PLY-3)
    AnnounceResult, AnnounceTotals, CallNoMoreBets, CallPlaceYourBets, DrawCard, PassHands, ScaleBack, SettleRound,
)  # fmt: skip
PATRON = Position.PATRON  # asked at every command, and the class is slow to ask
_NOT_EVERYBODYS = frozenset([*HOUSE_ONLY, *DEALER_ONLY, LoadShoe])


class Grant(NamedTuple):
    """What a session allows, while neither it nor the account changes."""

    actor: Actor
    plays: bool  # does nothing keep them from playing?
    session: Session
    cached: object  # the session as it is cached: another, or none, once it changes
    account: AccountStream[Account]
    state: Account
    since: int  # milliseconds, UTC
    until: int

    def is_valid(self, cached: object, at: int) -> bool:
        account = self.account
        is_same = cached is self.cached and account.state is self.state and account.is_current
        return is_same and self.since <= at < self.until


class AuthorizationCache:
    """Grants by the token of a session."""

    def __init__(self, people: People) -> None:
        self._people, self._sessions = people, people.authentication.sessions
        self._grants: OrderedDict[str, tuple[str, Grant]] = OrderedDict()

    async def grant(self, token: str, at: int) -> Grant | None:
        """What somebody with this token may do; None where the session has ended."""
        digest, known = self._grants.get(token, ("", None))
        if known is not None and known.is_valid(self._sessions.cached.get(digest), at):
            return known
        found = await self._people.actor(token)
        if found is None:
            self._grants.pop(token, None)
            return None
        return self._cached(token, *found, at)

    def _cached(self, token: str, actor: Actor, session: Session, at: int) -> Grant:
        digest, account, policy = digest_of(token), self._people.accounts.book(actor.person), self._people.policy
        state, until = account.state, self._sessions.unasked_until(digest)
        plays = _plays_freely(state, policy, at)
        until = min(until, next_check(state, policy)) if plays else until
        found = Grant(actor, plays, session, self._sessions.cached.get(digest), account, state, at, until)
        self._grants[token] = (digest, found)
        self._grants.move_to_end(token)
        if len(self._grants) > GRANTS_MAX:
            self._grants.popitem(last=False)
        return found


def _plays_freely(account: Account, policy: Policy, at: int) -> bool:
    """Nothing is against it until the next reality check; limits and exclusions are looked at each time."""
    watched = account.limits or account.imposed or account.excluded is not None or account.barred is not None
    return not watched and not_a_patron(account) is None and may_play(account, policy, at) is None


async def submit(
    house: House, actor: Actor, live: TableStream, command: Command, key: str, *, plays: bool = False
) -> asyncio.Future[Answer] | Committed | Refusal:
    """Authorise a command at a table and queue it: the answer comes once it is durable. Sent twice with one key, it is done once.

    With `plays` nothing is known to keep this person from playing. The future fails with `StoreUnavailable`, `TableHalted` or
    `IdempotencyConflict`; the last may be raised here as well.
    """
    allowed = await authorize(house, actor, live, command, plays=plays)
    if isinstance(allowed, Refusal):
        return await live.previous(own_key(actor.person, key), command) or allowed
    return live.submit(allowed[0], own_key(actor.person, key), limits=allowed[1])


async def execute(
    house: House, actor: Actor, live: TableStream, command: Command, key: str, *, plays: bool = False
) -> Committed | Refusal:
    """Submit a command and wait for its answer. Giving up the wait does not take the command back."""
    submitted = await submit(house, actor, live, command, key, plays=plays)
    answer = await asyncio.shield(submitted) if isinstance(submitted, asyncio.Future) else submitted
    if answer is None:
        raise AssertionError("a command without an answer")
    return answer


async def authorize(
    house: House, actor: Actor, live: TableStream, command: Command, *, plays: bool = False
) -> tuple[Command, LossLimits] | Refusal:
    """May this person give this command here and now? The command as it is given, and the loss limits that it is held against."""
    reserved = reserved_for_house(live.state, command) if actor != SYSTEM else None
    refusal = reserved and (too_low(actor, command, live) or reserved)
    if refusal is not None:
        return refusal
    position = actor.position if command.position is PATRON else command.position
    command = replace(command, by=actor.person, position=position)
    if isinstance(command, JoinTable):
        command = await introduced(house, command)
    limits = NO_LIMITS
    refusal = forbidden(actor, command)
    if refusal is None and not (plays and _is_own_play(actor, command)):
        refusal = await _refused_by_house(house, command)
        limits = await _loss_limits(house, live, command)
    if refusal is None and not is_in_place(live.state, actor):
        refusal = await assign(live, actor, command.at)
    if refusal is None and isinstance(command, IN_TURN):
        refusal = await _same_person(house, actor, live, command)
    return refusal or (command, limits)


async def introduced(house: House, command: JoinTable) -> JoinTable:
    """With what the house knows of whoever comes: the name to show, and what they are to the casino (D21-2.2.h)."""
    account = await house.people.account(command.by)
    if account is None:
        return replace(command, name="", status=())
    status = () if account.association == "none" else (account.association,)
    return replace(command, name=account.display_name, status=status)


def _is_own_play(actor: Actor, command: Command) -> bool:
    """Does it stake or take back money of their own, and nobody else's?"""
    return isinstance(command, (PlaceWager, TakeWagerBack)) and command.patron in ("", actor.person)


def unfit_id(id: str) -> Refusal | None:
    """Why a command cannot have this id: it stands in the store, with the name of whoever gives it."""
    if len(id) <= COMMAND_ID_MAX and _COMMAND_ID.fullmatch(id):
        return None
    return Refusal(COMMAND_ID_RULE(maximum=COMMAND_ID_MAX), TAKE_A_NEW_ID(), "REC-3")


def reserved_for_house(table: Table, command: Command) -> Refusal | None:
    """What people may not do at this table, whatever position they hold."""
    kind, settings = type(command), table.settings
    if kind not in _NOT_EVERYBODYS:
        return None
    if kind in HOUSE_ONLY:
        return Refusal(PROGRAM_DOES_THIS(), clause="RUL-6" if kind in OF_THE_SHUFFLE else "")
    if kind is LoadShoe and settings is not None and settings.virtual_shoe:
        return Refusal(SHOE_IS_ELECTRONIC(), ASK_FOR_NEW_SHOE(), "RUL-6")
    if kind in DEALER_ONLY and is_dealt_automatically(table):
        return Refusal(HOUSE_DEALS_HERE(), TAKE_DEAL_FIRST(), "PLY-3")
    return None


def too_low(actor: Actor, command: Command, live: TableStream) -> Refusal | None:
    """What is for staff: a patron is told whom to ask, and nothing of how staff would go about it."""
    if actor.position is not Position.PATRON or actor.position >= command.needs:
        return None
    clause = command.reserved_by(live.game)
    return position_too_low(actor.position, command.needs, clause)


def forbidden(actor: Actor, command: Command) -> Refusal | None:
    """What nobody in this position does at any table."""
    if actor.position is Position.AUDITOR:
        return Refusal(AUDITOR_CHANGES_NOTHING(), clause="SEC-1")
    if isinstance(command, JoinTable) and actor.position is not Position.PATRON:
        return Refusal(STAFF_DO_NOT_PLAY(), clause="SEC-1")
    return None


def is_in_place(table: Table, actor: Actor) -> bool:
    """Does somebody hold at this table what they hold in the house? Whoever is no longer staff acts in no position, either."""
    held, acting = table.staff.get(actor.person, PATRON), table.acting.get(actor.person, PATRON)
    return held == actor.position and not (actor.position is PATRON and acting is not PATRON)


async def assign(live: TableStream, actor: Actor, at: int) -> Refusal | None:
    """Give somebody at this table the position that they hold in the house, and no other; the refusal, where it cannot be."""

    def assignment(snapshot: Snapshot[Table]) -> Command | None:
        table = snapshot.state
        if is_in_place(table, actor):
            return None
        return AssignStaff(
            by=HOUSE,
            at=at,
            position=Position.CASINO_OPERATOR,
            person=actor.person,
            to=actor.position,
            acting=table.staff.get(actor.person, PATRON) == actor.position,
        )

    while not is_in_place(live.state, actor):
        done = await live.propose(assignment)
        if isinstance(done, Refusal):
            return done
    return None


async def _refused_by_house(house: House, command: Command) -> Refusal | None:
    """What the house forbids, whatever the rules of the table say."""
    match command:
        case CallPlaceYourBets():
            return house.maintenance.changed
        case BuyIn() if not is_spot(command.patron) and await house.people.account(command.patron) is not None:
            return Refusal(PAYS_FROM_ACCOUNT(person=command.patron), PATRON_BUYS_CHIPS(), "MON-3")
        case AssignStaff():
            account = await house.people.account(command.person)
            if account is None or account.position is Position.PATRON:
                return Refusal(NOT_STAFF(person=command.person), GIVE_POSITION_FIRST(), "SEC-1")
            if command.to is not account.position and {command.to, account.position} & set(OUTSIDE_LADDER):
                held = POSITION_NOT_HELD(person=command.person, position=command.to.value)
                return Refusal(held, GIVE_POSITION_FIRST(), "SEC-1")
    for person, stake in _at_stake(command):
        refusal = await house.people.may_play(person, command.at, stake, partial(house.staked, person))
        if refusal is not None:
            return refusal
    return None


def _at_stake(command: Command) -> Sequence[tuple[str, int]]:
    """Whose account must be one that may play, and with how much: whoever takes a seat, or has money wagered. A spot has no account."""
    if is_spot(getattr(command, "patron", "")):
        return ()
    match command:
        case PlaceWager() | ChangeReturnedWager():
            return ((command.patron or command.by, command.amount),)
        case SpeakWager():
            return ((command.patron or command.by, sum(command.chips)),)
        case JoinTable():
            return ((command.by, 0),)
        case TakeSeat() if command.seat is not None:
            return ((command.by, 0),)
    return ()


async def _loss_limits(house: House, live: TableStream, command: Command) -> LossLimits:
    """The loss limits of those whose stakes the command may change, and what they have at other tables."""
    people = [person for person, _ in _at_stake(command)]
    if isinstance(command, TakeWagerBack) and not is_spot(command.patron):
        people = [command.patron or command.by]
    limits = NO_LIMITS
    for person in people:
        bounds = await house.people.bounds(person, command.at)
        if bounds:
            await house.read_tables_for_limits(person)
            limits = {**limits, person: (bounds, _elsewhere(house, person, live))}
    return limits


def _elsewhere(house: House, person: str, here: TableStream) -> tuple[OpenStake, ...]:
    rounds = [(live.name, live.state) for live in house.tables.values() if live is not here and live.state.round]
    found = [OpenStake(name, state.round.number, staked(state, person)) for name, state in rounds if state.round]
    return tuple(each for each in found if each.staked)


# ------------------------------------------------ acts of two people

IN_TURN = (ConfirmReport, IssueChips, DeliverChips, AcceptChips, VerifyCards)  # others have taken part before


async def _same_person(house: House, actor: Actor, live: TableStream, command: Command) -> Refusal | None:
    """Why whoever takes part after others may be one of them (SEC-1). Nothing is on its way to the table when it returns."""
    compared = {actor.person}
    while True:
        await live.idle()
        others = _took_part(live.state, command) - compared
        if not others:
            return None
        for person in others:
            account = await house.people.account(person)
            if account is not None and (same := await house.people.not_apart(actor, account)) is not None:
                return same
        compared |= others


def _took_part(table: Table, command: Command) -> set[str]:
    """Those who did their part of it earlier, from screens of their own."""
    match command:
        case ConfirmReport() if table.awaited is not None:
            return {table.awaited.by}
        case IssueChips() | DeliverChips() | AcceptChips() if table.float_record is not None:
            request = table.float_record.requests.get(command.number)
            return set() if request is None else {*request.steps.values()}
        case VerifyCards():
            return {*table.verified}
    return set()


class Cosigning:
    """Checks signatures that come from one address."""

    def __init__(self, people: People, address: str, throttle: Callable[[], None]) -> None:
        self._people, self._address = people, address
        self._throttle = throttle  # raises where too many passwords have come from there

    async def signed(self, actor: Actor, signatures: Sequence[Signature]) -> dict[str, Position] | Refusal:
        """Who has signed, in which position; a refusal where one of them has not.

        Nobody but staff has anything signed: anybody else who sends the passwords of others is trying them.
        """
        if signatures and not actor.position.is_staff:
            return Refusal(NOTHING_TO_COSIGN(position=actor.position.value), LEAVE_SIGNATURES_OUT(), "SEC-1")
        found: dict[str, Position] = {}
        for each in signatures:
            self._throttle()
            account = await self._people.signed(each.person, each.password, self._address, actor.person)
            if isinstance(account, Refusal):
                return account
            for other in (actor, *(Actor(person, position) for person, position in found.items())):
                if (same := await self._people.not_apart(other, account)) is not None:
                    return same
            found[account.person] = account.position
        return found

    async def second(self, actor: Actor, signatures: Sequence[Signature]) -> Actor | Refusal | None:
        """Somebody else who signs for what one person may not do alone; None where nobody has signed."""
        signed = await self.signed(actor, signatures)
        if isinstance(signed, Refusal):
            return signed
        return next((Actor(person, position) for person, position in signed.items()), None)

    async def cosigned(
        self, live: TableStream, actor: Actor, command: Command, signatures: Sequence[Signature], at: int
    ) -> Command | Refusal:
        """The command with everybody who has signed for it at this table, each in the position that they hold in the house.

        A refusal where somebody has not signed who is named in it, or where a signature is wrong. Nothing of it is taken from the wire.
        """
        if not signatures and not named(command):
            return command
        signed = await self.signed(actor, signatures)
        if isinstance(signed, Refusal):
            return signed
        refusal = missing(actor, command, signed) or await put_among_staff(live, signed, at)
        if refusal is not None:
            return refusal
        return replace(command, cosigned_by=(*command.cosigned_by, *signed))


def named(command: Command) -> tuple[str, ...]:
    """Who is said to have counted."""
    found: tuple[str, ...] = getattr(command, "counted_by", ())
    return found


def missing(actor: Actor, command: Command, signed: Collection[str]) -> Refusal | None:
    """Why an act of several people is not theirs; None where everybody named is there, or has signed."""
    absent = next((each for each in named(command) if each != actor.person and each not in signed), None)
    if absent is None:
        return None
    return Refusal(NOT_SIGNED(person=absent), SIGN_WITH_OWN_PASSWORD(), "SEC-1")


async def put_among_staff(live: TableStream, signed: Mapping[str, Position], at: int) -> Refusal | None:
    """Whoever signs for something at a table does it in the position that they hold in the house."""
    for person, position in signed.items():
        refusal = await assign(live, Actor(person, position), at)
        if refusal is not None:
            return refusal
    return None


# ------------------------------------------------ how often somebody may ask

REMEMBERED = 10_000  # addresses; those not heard of for longest are forgotten, which is in their favour


class Bucket:
    """A token bucket: so many requests in so many seconds, and twice as many at first."""

    __slots__ = ("_clock", "_left", "_most", "_refill", "_since")

    def __init__(self, amount: float, seconds: float = 1.0, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._refill, self._clock = 2 * amount, amount / seconds, clock
        self._left, self._since = self._most, clock()

    def wait(self) -> float:
        """Take one token and return 0; where there is none, the seconds until there is."""
        now = self._clock()
        left = self._left + (now - self._since) * self._refill
        left = left if left < self._most else self._most
        self._since = now
        if left >= 1:
            self._left = left - 1
            return 0.0
        self._left = left
        return (1 - left) / self._refill


class Rate:
    """A bucket for each address."""

    def __init__(self, amount: float, seconds: float = 1.0, clock: Callable[[], float] = monotonic) -> None:
        self._bucket = partial(Bucket, amount, seconds, clock)
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def wait(self, address: str) -> float:
        """Take one token of this address and return 0; where there is none, the seconds until there is."""
        bucket = self._buckets[address] = self._buckets.get(address) or self._bucket()
        self._buckets.move_to_end(address)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket.wait()
