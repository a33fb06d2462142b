"""Commands and views as they stand on the wire.

A command on the wire is made from the table's own: the same name without its version, the same fields without who and when,
which the server says itself. Amounts are decimal strings. What only the house may do has no form that is accepted, or is
kept from people at the tables where it matters (`for_the_house`):

- The shuffle of an electronic shoe is the house's alone, from the commitment to the reveal. A dealer who could commit to a
  secret would know every card, and one who could load the shoe would cut the time short in which patrons add to it.
- Where the house deals by itself it deals alone: the countdown that patrons see is the one that holds, and no game goes
  faster than it may (PLY-3). Staff report what goes wrong there and rule on it, or take the deal.
- A table is opened by a route of its own, which looks whether the game is approved and puts the house's staff to it.
- What the house knows of a patron (an employee, an associate) is not the patron's to say.
- Digests of the state are recorded by the house, between rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Union

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo

from longhu.money import Currency
from longhu.server.actor import Actor
from longhu.server.screens.forms import (
    POSITION_OF,
    PositionWord,
    Unreadable,
    as_struct,
    difference,
    difference_beside,
    fields_of,
    form,
    may_be_left_out,
    reader,
    writer,
)
from longhu.server.tables.dealing import deals
from longhu.table import engine
from longhu.table.acts import DECIDERS, Command, Event, Refusal
from longhu.table.calls import CallNoMoreBets, CallPlaceYourBets
from longhu.table.checkpoint import RecordState
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard
from longhu.table.differential import ScaleBack
from longhu.table.handling import PassHands
from longhu.table.opening import ChangeSettings, OpenTable
from longhu.table.people import Join
from longhu.table.settings import Settings
from longhu.table.settling import Settle
from longhu.table.shoe import LoadShoe
from longhu.table.shuffling import CommitShuffle, RevealShuffle
from longhu.table.state import Table
from longhu.table.views import View

AREAS = engine.AREAS  # whose commands are known
HEADER = Command.__struct_fields__  # by, at, position: the server says them, or looks them up
Kinds = tuple[type[Command], ...]
OF_THE_SHUFFLE: Kinds = (CommitShuffle, RevealShuffle)
THE_HOUSE_ALONE: Kinds = (*OF_THE_SHUFFLE, OpenTable, RecordState)
THE_DEALERS: Kinds = (
    AnnounceResult, AnnounceTotals, CallNoMoreBets, CallPlaceYourBets, DrawCard, PassHands, ScaleBack, Settle,
)  # fmt: skip
_NOT_EVERYBODYS = frozenset([*THE_HOUSE_ALONE, *THE_DEALERS, LoadShoe])
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


FORMS = {kind: _made(kind) for kind in DECIDERS}
KINDS = {made: kind for kind, made in FORMS.items()}
_MAKERS = {made: (kind, _reader(kind)) for kind, made in FORMS.items()}
_WRITERS = {kind: writer(_fields(kind)) for kind in DECIDERS if kind is not ChangeSettings}
ACCEPTED = {name_of(kind): made for kind, made in FORMS.items() if kind not in THE_HOUSE_ALONE}
if not TYPE_CHECKING:
    WireCommand = Union[tuple(ACCEPTED.values())]  # noqa: UP007


def command(asked: WireCommand, actor: Actor, at: int, currency: Currency) -> Command:
    """What somebody asks of the table: theirs, now, in the position that they name or else hold. `Unreadable` names a field."""
    kind, read = _MAKERS[type(asked)]
    position = actor.position if asked.position is None else POSITION_OF[asked.position]
    return kind(by=actor.person, at=at, position=position, **read(asked, currency))


def written(command: Command, currency: Currency) -> dict[str, Any]:
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


def for_the_house(table: Table, command: Command) -> Refusal | None:
    """What people may not do at this table, whatever position they hold."""
    kind, settings = type(command), table.settings
    if kind not in _NOT_EVERYBODYS:
        return None
    if kind in THE_HOUSE_ALONE:
        return Refusal("the house does this by itself", clause="RUL-6" if kind in OF_THE_SHUFFLE else "")
    if kind is LoadShoe and settings is not None and settings.electronic_shoe:
        return Refusal("the shoe is electronic, and the house loads it", "Ask for a new shoe", "RUL-6")
    if kind in THE_DEALERS and deals(table):
        return Refusal("the house deals at this table", "Take the deal first", "PLY-3")
    return None


# ------------------------------------------------ views


_write_view, _changed_view = writer(fields_of(View)), difference(fields_of(View))
_changed_beside = difference_beside(fields_of(View))


def view(view: View, currency: Currency) -> dict[str, Any]:
    """What somebody may see of a table, with amounts as strings; stakes and seats are objects by their names."""
    return _write_view(view, currency)


def changes(before: View, after: View, currency: Currency) -> dict[str, Any]:
    """A merge patch (RFC 7386) from one view to the next; something that is not there any more is null."""
    return _changed_view(before, after, currency)


def changes_beside(
    before: View, after: View, others: tuple[View, View], known: dict[str, Any], currency: Currency
) -> dict[str, Any]:
    """The same, where it is known what has changed for somebody else: `known` is the patch between those two views."""
    return _changed_beside(before, after, others, known, currency)
