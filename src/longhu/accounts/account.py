"""Accounts: made, given a position, a password, and closed. What they were before stays on record (LOG-4, LOG-5)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.messages import Decision, HouseCommand, HouseEvent, about
from longhu.accounts.names import HOUSE, is_well_formed, name_refused
from longhu.accounts.policy import Policy
from longhu.accounts.state import ACCOUNT, Account
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.positions import Position, next_above
from longhu.protocol import DISPLAY_NAME_MAX, FULL_NAME_MAX
from longhu.table.messages import ASK_POSITION

USE_ADMIN = message_code("use-longhu-admin")
MAY_NOT_APPOINT = message_code("may-not-appoint", position="position", to="position")
MAY_NOT_CREATE_STAFF = message_code("may-not-create-staff", position="position")
NO_SUCH_ACCOUNT = message_code("no-such-account")
CREATE_IT_FIRST = message_code("create-it-first")
ACCOUNT_CLOSED = message_code("account-closed", person="person")
CREATE_ANOTHER = message_code("create-another-account")
NAME_TAKEN = message_code("name-taken", person="person")
CHOOSE_ANOTHER_NAME = message_code("choose-another-name")
OTHER_MONEY_ACCOUNT = message_code("account-of-other-money", account="choice")
NAME_NOT_SHOWABLE = message_code("name-not-showable")
NAME_RULE = message_code("name-rule", maximum="number")
PATRON_OR_STAFF = message_code("patron-or-staff")
CLOSE_AND_CREATE = message_code("close-and-create")
HOLDS_POSITION_ALREADY = message_code("holds-position-already", person="person", position="position")
CHOOSE_ANOTHER_POSITION = message_code("choose-another-position")
DISPLAY_NAME_RULE = message_code("display-name-rule", maximum="number")
DISPLAY_NAME_LIKE_SIGN_IN = message_code("display-name-like-sign-in-name")
DISPLAY_NAME_REMEDY = message_code("display-name-remedy")


class CreateAccount(HouseCommand, frozen=True, kw_only=True, tag="create-account/1"):
    """A new person: a patron, or somebody of the staff, which takes as high a position as changing positions does."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR
    internal: ClassVar[bool] = True

    person: str
    name: str
    to: Position
    password: str = ""  # as argon2id keeps it
    play_money: bool = False


class AccountCreated(HouseEvent, frozen=True, kw_only=True, tag="account-created/1"):
    person: str
    name: str
    to: Position
    password: str
    play_money: bool


class ChangePosition(HouseCommand, frozen=True, kw_only=True, tag="change-position/1"):
    """Put somebody of the staff into another position."""

    needs: ClassVar[Position] = Position.PIT_MANAGER
    reasoned: ClassVar[bool] = True

    to: Position


class PositionChanged(HouseEvent, frozen=True, kw_only=True, tag="position-changed/1"):
    before: Position
    after: Position


class SetPassword(HouseCommand, frozen=True, kw_only=True, tag="set-password/1"):
    """Another password, one's own or that of somebody who has forgotten it."""

    needs: ClassVar[Position] = Position.GAMING_SHIFT_MANAGER
    own: ClassVar[bool] = True
    internal: ClassVar[bool] = True

    password: str  # as argon2id keeps it


class PasswordChanged(HouseEvent, frozen=True, kw_only=True, tag="password-changed/1"):
    password: str


class SetDisplayName(HouseCommand, frozen=True, kw_only=True, tag="set-display-name/1"):
    """Be called so by other patrons, from the next table on that one comes to; "" is to be called by one's seat."""

    own: ClassVar[bool] = True

    name: str


class DisplayNameSet(HouseEvent, frozen=True, kw_only=True, tag="display-name-set/1"):
    before: str
    after: str


class CloseAccount(HouseCommand, frozen=True, kw_only=True, tag="close-account/1"):
    """No more sign-ins, for good; the name is never given to anybody else."""

    needs: ClassVar[Position] = Position.PIT_MANAGER
    own: ClassVar[bool] = True
    reasoned: ClassVar[bool] = True


class AccountClosed(HouseEvent, frozen=True, kw_only=True, tag="account-closed/1"):
    pass


def outranks(position: Position, other: Position) -> bool:
    """Is this the higher position? The auditor stands outside the order, and answers to the operator alone (SEC-1).

    >>> outranks(Position.PIT_MANAGER, Position.DEALER), outranks(Position.PIT_MANAGER, Position.AUDITOR)
    (True, False)
    """
    if other is Position.AUDITOR:
        return position is Position.CASINO_OPERATOR
    return position > other


def may_give(command: HouseCommand, to: Position) -> Refusal | None:
    """Positions are given from above; the highest is given by the house itself, at its own console (LOG-4, IDT-6.2)."""
    if command.by == HOUSE or outranks(command.position, to):
        return None
    above = Position.CASINO_OPERATOR if to is Position.AUDITOR else next_above(to)
    remedy = USE_ADMIN() if to is Position.CASINO_OPERATOR else ASK_POSITION(position=above.value)
    return Refusal(MAY_NOT_APPOINT(position=command.position.value, to=to.value), remedy, "SEC-1")


def _may_employ(command: CreateAccount) -> Refusal | None:
    """Whoever could create staff alone would have as many second signatures as wanted (SEC-1)."""
    needed = ChangePosition.needs
    if command.by == HOUSE or command.position >= needed:
        return may_give(command, command.to)
    return Refusal(MAY_NOT_CREATE_STAFF(position=command.position.value), ASK_POSITION(position=needed.value), "SEC-1")


def no_account(account: Account) -> Refusal | None:
    """Why nothing can be done with an account: there is none, or it is closed."""
    if not account.person:
        return Refusal(NO_SUCH_ACCOUNT(), CREATE_IT_FIRST(), "LOG-5")
    if account.closed:
        return Refusal(ACCOUNT_CLOSED(person=account.person), CREATE_ANOTHER(), "LOG-5")
    return None


@ACCOUNT.decides(CreateAccount)
def create_account(account: Account, policy: Policy, command: CreateAccount) -> Decision:
    refusal = name_refused(command.person, by_house=command.by == HOUSE) or _bad_shown_name(command.name)
    if refusal is not None:
        return refusal
    if account.person:
        return Refusal(NAME_TAKEN(person=command.person), CHOOSE_ANOTHER_NAME(), "LOG-5")
    if command.to is not Position.PATRON and (refusal := _may_employ(command)) is not None:
        return refusal
    if command.play_money is not policy.play_money:
        return Refusal(OTHER_MONEY_ACCOUNT(account="play" if command.play_money else "real"), clause="MON-6")
    created = AccountCreated(
        person=command.person,
        name=command.name.strip() or command.person,
        to=command.to,
        password=command.password,
        play_money=command.play_money,
        **about(command, "LOG-5"),
    )
    return [created]


def _bad_shown_name(name: str) -> Refusal | None:
    if len(name) <= FULL_NAME_MAX and (name.isprintable() or not name):
        return None
    return Refusal(NAME_NOT_SHOWABLE(), NAME_RULE(maximum=FULL_NAME_MAX), "LOG-5")


@ACCOUNT.evolves(AccountCreated)
def account_created(_account: Account, event: AccountCreated) -> Account:
    return Account(
        person=event.person,
        name=event.name,
        position=event.to,
        password=event.password,
        password_given=bool(event.password) and event.by != HOUSE,
        play_money=event.play_money,
        created=event.at,
        reviewed=event.at,
        checked=event.at,
    )


@ACCOUNT.decides(ChangePosition)
def change_position(account: Account, _policy: Policy, command: ChangePosition) -> Decision:
    if (refusal := no_account(account)) is not None:
        return refusal
    if account.is_patron or command.to is Position.PATRON:
        return Refusal(PATRON_OR_STAFF(), CLOSE_AND_CREATE(), "SEC-1")
    if command.to is account.position:
        already = HOLDS_POSITION_ALREADY(person=account.person, position=command.to.value)
        return Refusal(already, CHOOSE_ANOTHER_POSITION(), "LOG-4")
    if (refusal := may_give(command, command.to)) is not None:
        return refusal
    return [PositionChanged(before=account.position, after=command.to, **about(command, "LOG-4"))]


@ACCOUNT.evolves(PositionChanged)
def position_changed(account: Account, event: PositionChanged) -> Account:
    return replace(account, position=event.after)


@ACCOUNT.decides(SetPassword)
def set_password(account: Account, _policy: Policy, command: SetPassword) -> Decision:
    refusal = no_account(account)
    return refusal or [PasswordChanged(password=command.password, **about(command, "SEC-2"))]


@ACCOUNT.evolves(PasswordChanged)
def password_changed(account: Account, event: PasswordChanged) -> Account:
    """A password is one's own, unless somebody else has chosen it; one that is typed at the house's console stands."""
    return replace(account, password=event.password, password_given=event.by not in (account.person, HOUSE))


@ACCOUNT.decides(SetDisplayName)
def set_display_name(account: Account, _policy: Policy, command: SetDisplayName) -> Decision:
    refusal = no_account(account) or _bad_display_name(command.name)
    return refusal or [
        DisplayNameSet(before=account.display_name, after=command.name, **about(command, "SEC-2")),
    ]


def _bad_display_name(name: str) -> Refusal | None:
    """It is never anybody's name to sign in with, and looks like none, so that nobody learns which of those there are."""
    if not name:
        return None
    if len(name) > DISPLAY_NAME_MAX or not name.isprintable() or name != name.strip() or "  " in name:
        return Refusal(NAME_NOT_SHOWABLE(), DISPLAY_NAME_RULE(maximum=DISPLAY_NAME_MAX), "SEC-2")
    if is_well_formed(name) or name.startswith("#"):
        return Refusal(DISPLAY_NAME_LIKE_SIGN_IN(), DISPLAY_NAME_REMEDY(), "SEC-2")
    return None


@ACCOUNT.evolves(DisplayNameSet)
def display_name_set(account: Account, event: DisplayNameSet) -> Account:
    return replace(account, display_name=event.after)


@ACCOUNT.decides(CloseAccount)
def close_account(account: Account, _policy: Policy, command: CloseAccount) -> Decision:
    refusal = no_account(account)
    return refusal or [AccountClosed(**about(command, "LOG-5"))]


@ACCOUNT.evolves(AccountClosed)
def account_closed(account: Account, event: AccountClosed) -> Account:
    return replace(account, closed=event.at)
