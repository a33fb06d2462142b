"""Accounts: made, given a position, a password, and closed. What they were before stays on record (LOG-4, LOG-5)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.accounts.appointments import Appointment, lowest, required
from longhu.accounts.messages import Cosigned, CosignedEvent, Decision, HouseCommand, HouseEvent, about, too_low
from longhu.accounts.names import HOUSE, is_well_formed, name_refused
from longhu.accounts.policy import Policy
from longhu.accounts.state import ACCOUNT, Account
from longhu.accounts.times import DAY
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.protocol import DISPLAY_NAME_MAX, FULL_NAME_MAX

USE_ADMIN = message_code("use-longhu-admin")
ONLY_AT_CONSOLE = message_code("only-at-console")
TAKES_TWO = message_code("takes-two-people")
SECOND_SIGNS = message_code("second-person-signs", position="position")
SECOND_IS_SOMEBODY_ELSE = message_code("second-is-somebody-else")
SECOND_TOO_LOW = message_code("second-person-too-low", person="person", position="position")
SOMEBODY_ELSE_SIGNS = message_code("somebody-else-signs")
CHOSE_THE_PASSWORD = message_code("chose-the-password", person="person", other="person")
CHOSE_BOTH_PASSWORDS = message_code("chose-both-passwords", person="person", one="person", other="person")
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
NO_PERSONS_POSITION = message_code("no-persons-position", position="position")
REGISTER_DEVICE = message_code("register-device")
CHOOSE_ANOTHER_POSITION = message_code("choose-another-position")
DISPLAY_NAME_RULE = message_code("display-name-rule", maximum="number")
DISPLAY_NAME_LIKE_SIGN_IN = message_code("display-name-like-sign-in-name")
DISPLAY_NAME_REMEDY = message_code("display-name-remedy")


class CreateAccount(Cosigned, frozen=True, kw_only=True, tag="create-account/1"):
    """A new person: a patron, or somebody of the staff, which takes two people above."""

    needs: ClassVar[Position] = lowest(Appointment.CREATE)
    internal: ClassVar[bool] = True

    person: str
    name: str
    to: Position
    password: str = ""  # as argon2id keeps it
    play_money: bool = False


class AccountCreated(CosignedEvent, frozen=True, kw_only=True, tag="account-created/1"):
    person: str
    name: str
    to: Position
    password: str
    play_money: bool


class ChangePosition(Cosigned, frozen=True, kw_only=True, tag="change-position/1"):
    """Put somebody of the staff into another position."""

    needs: ClassVar[Position] = lowest(Appointment.MOVE)
    reasoned: ClassVar[bool] = True

    to: Position


class PositionChanged(CosignedEvent, frozen=True, kw_only=True, tag="position-changed/1"):
    before: Position
    after: Position


class SetPassword(Cosigned, frozen=True, kw_only=True, tag="set-password/1"):
    """Another password, one's own or that of somebody who has forgotten it."""

    needs: ClassVar[Position] = lowest(Appointment.RESET)
    own: ClassVar[bool] = True
    internal: ClassVar[bool] = True

    password: str  # as argon2id keeps it


class PasswordChanged(CosignedEvent, frozen=True, kw_only=True, tag="password-changed/1"):
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


def not_appointed(act: Appointment, command: Cosigned, person: str, *positions: Position) -> Refusal | None:
    """Why this is not done about somebody in these positions: it takes others, or somebody else who signs (SEC-1)."""
    if Position.DEVICE in positions:
        return Refusal(NO_PERSONS_POSITION(position=Position.DEVICE.value), REGISTER_DEVICE(), "SEC-1")
    if command.by == HOUSE:
        return None
    asks, signs = required(act, *positions)
    if asks is None:
        return Refusal(ONLY_AT_CONSOLE(), USE_ADMIN(), "SEC-1")
    if not command.position >= asks:
        return too_low(command.position, asks)
    if signs is None:
        return None
    if not command.second:
        return Refusal(TAKES_TWO(), SECOND_SIGNS(position=signs.value), "SEC-1")
    if command.second in (command.by, person):
        return Refusal(SECOND_IS_SOMEBODY_ELSE(), SECOND_SIGNS(position=signs.value), "SEC-1")
    if not command.second_position >= signs:
        low = SECOND_TOO_LOW(person=command.second, position=command.second_position.value)
        return Refusal(low, SECOND_SIGNS(position=signs.value), "SEC-1")
    return None


SECOND_AFTER = DAY  # in which the owner of a new account finds that somebody else uses it


def not_apart(asks: Account, signs: Account, at: int) -> Refusal | None:
    """Why two who act together may be one person: one has just chosen the other's password, or a third has chosen both (SEC-1)."""
    for one, other in ((asks, signs), (signs, asks)):
        if one.person in other.password_by and _just_given(other, at):
            chose = CHOSE_THE_PASSWORD(person=one.person, other=other.person)
            return Refusal(chose, SOMEBODY_ELSE_SIGNS(), "SEC-1")
    if asks.password_by[:1] == signs.password_by[:1] != () and _just_given(asks, at) and _just_given(signs, at):
        both = CHOSE_BOTH_PASSWORDS(person=asks.password_by[0], one=asks.person, other=signs.person)
        return Refusal(both, SOMEBODY_ELSE_SIGNS(), "SEC-1")
    return None


def _just_given(account: Account, at: int) -> bool:
    """May whoever chose the password still be the one who uses it?"""
    return account.password_given or at < account.password_chosen + SECOND_AFTER


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
    if (refusal := not_appointed(Appointment.CREATE, command, command.person, command.to)) is not None:
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
        password_given=bool(event.password) and _is_given(event),
        password_by=_chosen_by(event),
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
    refusal = not_appointed(Appointment.MOVE, command, account.person, account.position, command.to)
    if refusal is not None:
        return refusal
    return [PositionChanged(before=account.position, after=command.to, **about(command, "LOG-4"))]


@ACCOUNT.evolves(PositionChanged)
def position_changed(account: Account, event: PositionChanged) -> Account:
    return replace(account, position=event.after)


@ACCOUNT.decides(SetPassword)
def set_password(account: Account, _policy: Policy, command: SetPassword) -> Decision:
    refusal = no_account(account)
    if refusal is None and command.by != account.person:
        refusal = not_appointed(Appointment.RESET, command, account.person, account.position)
    return refusal or [PasswordChanged(password=command.password, **about(command, "SEC-2"))]


@ACCOUNT.evolves(PasswordChanged)
def password_changed(account: Account, event: PasswordChanged) -> Account:
    """A password is one's own, unless somebody else has chosen it."""
    if event.by == account.person:
        return replace(account, password=event.password, password_given=False, password_chosen=event.at)
    given = _is_given(event)
    return replace(account, password=event.password, password_given=given, password_by=_chosen_by(event))


def _is_given(event: AccountCreated | PasswordChanged) -> bool:
    """Has a person chosen it for somebody else, be it at the console? The program's own accounts have no first sign-in."""
    return event.by != HOUSE or bool(event.console)


def _chosen_by(event: AccountCreated | PasswordChanged) -> tuple[str, ...]:
    return tuple(each for each in (event.by, event.second) if each and each != HOUSE)


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
