"""The wire: messages of a socket, commands and views, from JSON and to JSON.

A command on the wire is made from the table's own: the same name without its version, the same fields without who and when,
which the server says itself. Amounts are decimal strings. What only the house may do has no wire form; what it does alone at some
tables is for `authorization` to refuse.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Union

import msgspec
from msgspec import NODEFAULT, UNSET, UnsetType
from msgspec.structs import FieldInfo

from longhu.eventsourcing import Event
from longhu.money import Currency
from longhu.server.authorization import HOUSE_ONLY
from longhu.server.cosigning import Signatures
from longhu.server.problems import Problem
from longhu.server.streams.commands import Actor
from longhu.server.wire_types import (
    POSITION_OF,
    Id,
    Operation,
    PositionWord,
    Shown,
    Unreadable,
    as_sent,
    as_struct,
    difference_beside,
    fields_of,
    form,
    may_be_left_out,
    reader,
    writer,
)
from longhu.table import engine
from longhu.table.messages import TABLE, Command
from longhu.table.opening import ChangeSettings
from longhu.table.people import Join
from longhu.table.settings import Settings
from longhu.table.views import View

AREAS = engine.AREAS  # whose commands are known
HEADER = Command.__struct_fields__  # by, at, position: the server says them, or looks them up
NOT_SAID: dict[type[Command], tuple[str, ...]] = {Join: ("status", "name")}  # what the house knows better

if TYPE_CHECKING:

    class WireCommand(msgspec.Struct):
        """Any command that people may give."""

        position: str | None

else:
    WireCommand = Any  # made below, of all of them


def name_of(kind: type[Command] | type[Event]) -> str:
    """The name on the wire: that under which it is stored, without its version."""
    return str(kind.__struct_config__.tag).partition("/")[0]


# ------------------------------------------------ the form of each command


def _fields(kind: type[Command]) -> list[FieldInfo]:
    return fields_of(kind, besides=(*HEADER, *NOT_SAID.get(kind, ())))


def _made(kind: type[Command]) -> type[msgspec.Struct]:
    """The wire form of a command."""
    fields: list[FieldInfo] = _fields(kind)
    also: tuple[tuple[Any, ...], ...] = (("position", PositionWord | None, None),)
    if kind is ChangeSettings:
        fields = [each for each in fields if each.name != "changes"]
        also = (("changes", _Changes), *also)
    return as_struct(kind.__name__, kind.__doc__, fields, also, tag=name_of(kind), tag_field="command")


_SETTINGS = fields_of(Settings, besides=("table",))
_Changes = msgspec.defstruct(
    "Changes",
    [may_be_left_out(each) for each in _SETTINGS],
    module=__name__,
    namespace={"__doc__": "Settings of a table that shall be others."},
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
)
_read_settings = reader(_SETTINGS)


def _reader(kind: type[Command]) -> Callable[[Any, Currency], dict[str, Any]]:
    """Arguments for the command, from its wire form."""
    if kind is not ChangeSettings:
        return reader(_fields(kind))

    def read(asked: Any, currency: Currency) -> dict[str, Any]:
        try:
            return {"changes": msgspec.to_builtins(_read_settings(asked.changes, currency)), "why": asked.why}
        except Unreadable as error:
            raise Unreadable(error.says, "changes", *error.path) from None

    return read


FORMS = {kind: _made(kind) for kind in TABLE.deciders}
KINDS = {made: kind for kind, made in FORMS.items()}
_MAKERS = {made: (kind, _reader(kind)) for kind, made in FORMS.items()}
_WRITERS = {kind: writer(_fields(kind)) for kind in TABLE.deciders if kind is not ChangeSettings}
ACCEPTED = {name_of(kind): made for kind, made in FORMS.items() if kind not in HOUSE_ONLY}
if TYPE_CHECKING:
    WrittenCommand = dict[str, Any]  # a command as `written` gives it
else:
    WireCommand = WrittenCommand = Union[tuple(ACCEPTED.values())]  # noqa: UP007


def command(asked: WireCommand, actor: Actor, at: int, currency: Currency) -> Command:
    """What somebody asks of the table: theirs, now, in the position that they name or else hold. `Unreadable` names a field."""
    kind, read = _MAKERS[type(asked)]
    position = actor.position if asked.position is None else POSITION_OF[asked.position]
    return kind(by=actor.person, at=at, position=position, **read(asked, currency))


def written(command: Command, currency: Currency) -> WrittenCommand:
    """A command as somebody would send it, without who and when; what goes without saying is left out."""
    kind = type(command)
    if isinstance(command, ChangeSettings):
        changes = {
            each.name: form(each.type).write(msgspec.convert(command.changes[each.name], each.type), currency)
            for each in _SETTINGS
            if each.name in command.changes
        }
        return {"command": name_of(kind), "changes": changes, "why": command.why}
    told = _WRITERS[kind](command, currency)
    unusual = {each.name for each in _fields(kind) if each.required or getattr(command, each.name) != _usual(each)}
    return {"command": name_of(kind), **{name: value for name, value in told.items() if name in unusual}}


def _usual(field: FieldInfo) -> Any:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


# ------------------------------------------------ messages of a socket


class CommandMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="command", tag_field="type"):
    """Somebody gives a command; the id is its idempotency key."""

    id: Id
    command: WireCommand
    signatures: Signatures = ()


class PingMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="ping", tag_field="type"):
    """Is somebody there, and how far away?"""

    id: Id | None = None


class DoneMessage(msgspec.Struct, frozen=True, omit_defaults=True, tag="done", tag_field="type"):
    """A command is committed, as these records."""

    first: int
    last: int
    id: str
    duplicate: bool = False


class RefusedMessage(msgspec.Struct, frozen=True, tag="refused", tag_field="type"):
    """The rules or the house do not allow a command."""

    reason: str
    remedy: str
    clause: str
    id: str


class PongMessage(msgspec.Struct, frozen=True, tag="pong", tag_field="type"):
    """The answer to a ping, with the server's time."""

    at: int
    id: str | UnsetType = UNSET


class AccountMessage(msgspec.Struct, frozen=True, kw_only=True, tag="account", tag_field="type"):
    """The wallet and the session of whoever is signed in (PLY-1): at first, and whenever money has moved."""

    at: int
    balance: Shown | None
    session_since: int
    session_net: Shown
    check_due: bool
    next_check: int | None


ID = ("id", str | UnsetType, UNSET)  # of the message that is answered
ProblemMessage = as_sent(
    "ProblemMessage",
    "Something could not be read or done. `about` is the type of the problem.",
    [*((each.name, each.type) for each in fields_of(Problem, besides=("type", "request"))), ("about", str), ID],
    tag="problem",
    tag_field="type",
)


def problem_message(problem: Problem, id: str | None) -> msgspec.Struct:
    """A problem, with the id of the message that it is about, where that has one."""
    told = msgspec.structs.asdict(problem)
    about, _ = told.pop("type"), told.pop("request")
    return ProblemMessage(**told, about=about, id=UNSET if id is None else id)


class _Identified(msgspec.Struct, frozen=True):
    """Of a message its id, whatever else it says."""

    id: Id


encode_message = msgspec.json.Encoder().encode
_messages = msgspec.json.Decoder(CommandMessage | PingMessage)
_identified = msgspec.json.Decoder(_Identified)


def decode_message(text: str | bytes) -> CommandMessage | PingMessage:
    """A message; `msgspec.MsgspecError`, `UnicodeError` or `RecursionError` where it is none."""
    message: CommandMessage | PingMessage = _messages.decode(text)
    return message


def id_of(text: str | bytes) -> str | None:
    """The id of a message that cannot be decoded, so that the client knows which one it was.

    >>> id_of(b'{"type":"command","id":"w3","command":7}')
    'w3'
    """
    try:
        return _identified.decode(text).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


# ------------------------------------------------ views


Patch = dict[str, list[Operation]]  # what changes on a screen, by the field of the view that it is in

if TYPE_CHECKING:
    SentView = dict[str, Any]
else:
    SentView = form(View).sent  # a view as it is sent


class SnapshotMessage(msgspec.Struct, frozen=True, kw_only=True, tag="snapshot", tag_field="type"):
    """The table as this viewer may see it now."""

    table: str
    sequence: int  # of the last event that is in it
    at: int
    countdown: int | None  # milliseconds left to bet
    play_money: bool
    view: SentView


_write_view = writer(fields_of(View))
_changed_beside = difference_beside(fields_of(View))


def view(view: View, currency: Currency) -> SentView:
    """What somebody may see of a table, with amounts as strings; stakes and seats are objects by their names."""
    return _write_view(view, currency)


def changes(before: View, after: View, currency: Currency) -> Patch:
    """A JSON Patch (RFC 6902) from one view to the next."""
    return _changed_beside(before, after, None, {}, currency)


def changes_beside(before: View, after: View, others: tuple[View, View], known: Patch, currency: Currency) -> Patch:
    """The same, where it is known what has changed for somebody else: `known` is the patch between those two views."""
    return _changed_beside(before, after, others, known, currency)


def operations(patch: Patch) -> list[Operation]:
    """A patch as it is sent."""
    return [each for field in patch.values() for each in field]
