"""A person's account, and the house's own log, at one moment: all that the rules ask about."""

from __future__ import annotations

from enum import Enum

import msgspec

from longhu.accounts.alerts import Significant
from longhu.accounts.messages import HouseCommand, HouseCommandRefused, HouseEvent, refused
from longhu.accounts.policy import Policy
from longhu.accounts.times import DAY, MONTH, WEEK
from longhu.eventsourcing import Refusal, Register
from longhu.messages.message import Message
from longhu.positions import Position
from longhu.protocol import Association
from longhu.table.opening import ChangeSettings
from longhu.table.people import FreeSeat, GrantMaximum

Orderable = ChangeSettings | FreeSeat | GrantMaximum  # what may be ordered for the end of a round


class Kind(Enum):
    """What patrons limit for themselves."""

    DEPOSIT = "deposit"  # paid in, whatever is paid out again (LIM-2)
    LOSS = "loss"  # lost at the tables
    TIME = "time"  # signed in; in minutes


class Span(Enum):
    """Over which time: always the last so many hours, never from midnight on."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    @property
    def ms(self) -> int:
        return {Span.DAY: DAY, Span.WEEK: WEEK, Span.MONTH: MONTH}[self]


class Raise(msgspec.Struct, frozen=True):
    """A higher limit that was asked for, and that must be asked for again once a day has passed."""

    most: int | None
    earliest: int
    latest: int


class Limit(msgspec.Struct, frozen=True):
    """A patron's own limit: in minor units, or in minutes."""

    most: int | None  # None: none
    pending: Raise | None = None


class Exclusion(msgspec.Struct, frozen=True):
    since: int
    until: int | None  # None: for good
    returns: bool = False  # it ends only when the person has asked to come back


class Deposit(msgspec.Struct, frozen=True, array_like=True):
    at: int
    amount: int


class Stretch(msgspec.Struct, frozen=True, array_like=True):
    """A time in which somebody was signed in."""

    start: int
    end: int


class Tries(msgspec.Struct, frozen=True):
    """Wrong passwords from one source."""

    failures: int = 0  # in a row
    at: int = 0  # the last of them
    locked_until: int = 0  # nothing is taken from there before


class Guesses(msgspec.Struct, frozen=True):
    """Wrong passwords from all unknown sources together."""

    failures: int = 0
    at: int = 0  # the last of them
    until: int = 0  # no unknown source is listened to before
    sources: tuple[str, ...] = ()  # where they came from


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """A person as the house knows them; without a name where there is no account yet."""

    person: str = ""
    name: str = ""  # as the staff know them
    display_name: str = ""  # as other patrons see them at a table; "": by their seat
    position: Position = Position.PATRON
    association: Association = "none"  # what a patron is to the casino
    play_money: bool = False
    password: str = ""  # as argon2id keeps it; "": nobody signs in with one
    password_given: bool = False  # chosen by somebody else: nothing is done with it but choosing another
    password_by: tuple[str, ...] = ()  # who chose the last that its owner did not choose, and who signed for that
    password_chosen: int = 0  # when its owner last chose one
    created: int = 0
    closed: int = 0  # when; 0 while it is open

    devices: dict[str, int] = {}  # that have signed in, by digest, and when last
    addresses: dict[str, int] = {}  # from which somebody has signed in, and when last
    tries: dict[str, Tries] = {}  # wrong passwords by source
    guesses: Guesses = Guesses()
    failures_new: int = 0  # wrong passwords since the last sign-in
    failures_since: int = 0  # between the sign-in before and the last: what whoever is signed in is told
    locked_until: int = 0  # for all sources
    sessions: dict[str, int] = {}  # those that are open, with their start
    signed_in: int = 0  # when last
    signed_in_before: int = 0  # and the time before: what is shown as the last sign-in (PLY-4)
    signed_in_from: str = ""
    signed_in_from_before: str = ""
    stretches: tuple[Stretch, ...] = ()  # closed sessions of the last month, none overlapping, in order

    limits: dict[str, Limit] = {}  # one's own, by `key`
    imposed: dict[str, int] = {}  # set by the house
    reviewed: int = 0  # when the patron last looked at them
    cool_off_until: int = 0
    excluded: Exclusion | None = None  # by oneself
    barred: Exclusion | None = None  # by the house
    check_minutes: int = 0  # between two reality checks; 0: as the house has it
    checked: int = 0  # from when the time to the next one runs

    deposits: tuple[Deposit, ...] = ()  # of the last month
    deposited: int = 0  # in all its life (MON-5)
    withdrawn: int = 0

    @property
    def is_patron(self) -> bool:
        return self.position is Position.PATRON

    @property
    def net_deposits(self) -> int:
        """What was paid in and not paid out, in all its life (MON-5)."""
        return self.deposited - self.withdrawn

    def __repr__(self) -> str:
        """Without what a password was made into: a log line must not have it."""
        return f"Account({self.person!r}, {self.position.word})"


def key(kind: Kind, span: Span) -> str:
    """A limit's name in an account."""
    return f"{kind.value}/{span.value}"


class Alert(msgspec.Struct, frozen=True):
    """Something that stays open until somebody who may has looked at it (SEC-2)."""

    number: int
    kind: Significant
    at: int
    message: Message
    table: str = ""
    person: str = ""  # whom it is about: they do not acknowledge it themselves


class Approval(msgspec.Struct, frozen=True):
    """Rules that this house may open tables with (RUL-4)."""

    game: str  # their id
    effective: int  # from when
    by: str


class Program(msgspec.Struct, frozen=True):
    """What a node runs, as it was when the node started."""

    digest: str
    definitions: dict[str, str]  # game files by their name
    at: int
    changed: tuple[str, ...] = ()  # what was found to be otherwise since


class DeviceKey(msgspec.Struct, frozen=True):
    """The credential of a shoe that reads cards."""

    table: str  # the only one that it speaks to
    digest: str  # of its secret
    created: int
    by: str
    revoked: int = 0  # when; 0 while it is good


class Wait(Enum):
    """What became of something that waits for the end of a round."""

    WAITING = "waiting"
    DONE = "done"
    REFUSED = "refused"
    TAKEN_BACK = "taken-back"


class Order(msgspec.Struct, frozen=True):
    """Something to be done at a table between two rounds."""

    number: int
    by: str
    at: int
    command: Orderable
    state: Wait = Wait.WAITING
    refusal: Refusal | None = None  # why the table refused it


class HouseLog(msgspec.Struct, frozen=True, kw_only=True):
    """The house's own log."""

    play_money: bool | None = None  # None before it was first started
    set_up: tuple[str, ...] = ()  # the first operators
    approved: dict[str, Approval] = {}  # by the digest of the rules
    tables: dict[str, str] = {}  # those made, with the digest of their rules
    alerts: dict[int, Alert] = {}  # those that are open
    raised: int = 0  # how many there ever were
    programs: dict[str, Program] = {}  # by node
    devices: dict[str, DeviceKey] = {}  # by their names
    orders: dict[str, tuple[Order, ...]] = {}  # by table, the newest first
    ordered: int = 0  # how many there ever were


ACCOUNT: Register[Account, Policy, HouseCommand, HouseEvent] = Register()
HOUSE_LOG: Register[HouseLog, Policy, HouseCommand, HouseEvent] = Register()

ACCOUNT.evolves(HouseCommandRefused)(refused)
HOUSE_LOG.evolves(HouseCommandRefused)(refused)
