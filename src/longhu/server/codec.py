"""The wire: how values, commands and views are encoded for a client and decoded again, and what is wrong where they cannot be.

Everything follows from how a field is declared. Money (`Amount`) is a decimal string, a position is a word, a tuple of
named things is an object by their names, so that one of them can change without the others. Numbers and
texts have bounds. Nothing is converted silently: `"5"` is no number, and 5 is no amount.

A command on the wire is made from the table's own: the same name without its version, the same fields without who and when,
which the server says itself. What only the house may do (`HOUSE_ONLY`) has no wire form; what it does alone at some tables is for
`authorization` to refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache
from operator import attrgetter
from struct import Struct
from types import GenericAlias, NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET, Meta, UnsetType
from msgspec.structs import FieldInfo, asdict

from longhu.eventsourcing import name_of
from longhu.games.values import amount_wrong
from longhu.messages.message import Message, message_code
from longhu.money import Amount, Currency, Money, MoneyError, parse, show
from longhu.positions import Position
from longhu.protocol import (
    COMMAND_ID_MAX,
    COMMAND_ID_PATTERN,
    LIST_MAX,
    MONEY_PATTERN,
    MONEY_TEXT_MAX,
    PASSWORD_MAX,
    PERSON_LETTERS,
    PERSON_MAX,
    SIGNATURES_MAX,
    SIGNED_MONEY_PATTERN,
    TEXT_MAX,
    TEXT_PATTERN,
    WHOLE_MAX,
)
from longhu.server.streams.commands import Actor
from longhu.table import engine
from longhu.table.card_source import (
    ConnectSource,
    CountMessages,
    LoseSource,
    ReadCard,
    ReadCuttingCard,
    ReportReadError,
    ReportRemoved,
)
from longhu.table.checkpoint import RecordState
from longhu.table.messages import TABLE, Command
from longhu.table.opening import ChangeSettings, OpenTable
from longhu.table.people import JoinTable
from longhu.table.shuffling import CommitShuffle, RevealShuffle
from longhu.table.state import Settings
from longhu.table.suspension import SuspendTable
from longhu.table.views import SeatView, StakeView, View

FIELD_WRONG = message_code("field-wrong", field="text", problem="message")
KEY_TWICE = message_code("key-twice")

MoneyText = Annotated[
    str,
    Meta(
        max_length=MONEY_TEXT_MAX,
        description="An amount: digits, and behind a point at most as many decimals as the currency has",
        examples=["100.00"],
        extra_json_schema={"pattern": MONEY_PATTERN},  # what is wrong with it is told by `money.parse`
    ),
]
Shown = Annotated[
    str,
    Meta(pattern=SIGNED_MONEY_PATTERN, description="An amount of money as a decimal string", examples=["-12.50"]),
]
Whole = Annotated[int, Meta(ge=0, le=WHOLE_MAX)]
Text = Annotated[str, Meta(max_length=TEXT_MAX, pattern=TEXT_PATTERN)]

Id = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=COMMAND_ID_MAX,
        pattern=COMMAND_ID_PATTERN,
        description="An idempotency key: new for each command; sent twice, the command is done once",
        examples=["3f0c7a52-bet-1"],
    ),
]
Person = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=PERSON_MAX,
        pattern=f"^[{PERSON_LETTERS}]+$",
        description="The name that somebody signs in with",
        examples=["ann"],
    ),
]
Password = Annotated[str, Meta(min_length=1, max_length=PASSWORD_MAX, examples=["correct horse battery staple"])]

PositionWord = Literal[tuple(each.value for each in Position)]  # type: ignore[valid-type]

OF_THE_SHUFFLE = (CommitShuffle, RevealShuffle)  # who knew a secret would know every card
OF_SHOES = (ConnectSource, ReadCard, ReadCuttingCard, ReportRemoved, ReportReadError, CountMessages)  # that read cards
HOUSE_ONLY: tuple[type[Command], ...] = (  # people have other ways, or none
    *OF_THE_SHUFFLE, *OF_SHOES, LoseSource, OpenTable, RecordState,
)  # fmt: skip

KEYED: dict[Any, Callable[[Any], str]] = {  # things with a name of their own
    StakeView: lambda stake: f"{stake.patron}/{stake.place}/{stake.wager}",
    SeatView: lambda seat: seat.person,
}


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody else's word for it."""

    person: Person
    password: Password

    def __repr__(self) -> str:
        """Without the password: a log line must not have it."""
        return f"Signature(person={self.person!r})"


Signatures = Annotated[
    tuple[Signature, ...], Meta(max_length=SIGNATURES_MAX, description="Of others who did it with you")
]

Way = Callable[[Any, Currency], Any]  # from a value to another form of it


class Add(msgspec.Struct, frozen=True, tag="add", tag_field="op"):
    """Something that has a name is new, or another."""

    path: str
    value: Any


class Replace(msgspec.Struct, frozen=True, tag="replace", tag_field="op"):
    """Something that is always there is another; null is a value."""

    path: str
    value: Any


class Remove(msgspec.Struct, frozen=True, tag="remove", tag_field="op"):
    """Something that had a name is gone."""

    path: str


Operation = Add | Replace | Remove  # of JSON Patch (RFC 6902)
Difference = Callable[[str, Any, Any, Currency], list[Operation]]


class Unreadable(ValueError):
    """Something on the wire that is not what its field should be: which field, and what is wrong with it."""

    def __init__(self, problem: Message, *path: str) -> None:
        self.problem, self.path = problem, path
        super().__init__(problem.code)

    @property
    def message(self) -> Message:
        """What is wrong, with the field that it is about."""
        return FIELD_WRONG(field=".".join(self.path), problem=self.problem) if self.path else self.problem


class Form(NamedTuple):
    """One type: what a client may send and what it is sent, and the ways there and back; None where a value stands as it is."""

    type: Any  # with the bounds of what is accepted
    sent: Any  # with every field, and without bounds
    reads: Way | None = None
    writes: Way | None = None
    differs: Difference | None = None  # what to send of two of them, where less than all will do

    def read(self, value: Any, currency: Currency) -> Any:
        return value if self.reads is None else self.reads(value, currency)

    def write(self, value: Any, currency: Currency) -> Any:
        return value if self.writes is None else self.writes(value, currency)

    def change(self, path: str, before: Any, after: Any, currency: Currency) -> list[Operation]:
        """What makes the first into the second, at a place where there is something already."""
        if self.differs is None or before is None or after is None:
            return [Replace(path, self.write(after, currency))]
        return self.differs(path, before, after, currency)


@cache
def form(kind: Any) -> Form:
    """How values of this type stand on the wire."""
    plain = _PLAIN.get(kind)
    if plain is not None:
        return plain
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return Form(kind, kind)
    if origin in (Union, UnionType):
        return _optional(args)
    if origin is tuple:
        return _tuple(args)
    if origin is dict:
        return _dict(*(form(each) for each in args))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _struct(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Form(kind, kind)
    raise TypeError(f"{kind} has no form on the wire: give it one in longhu.server.codec")


_parsed = lru_cache(1 << 12)(parse)  # people stake the same amounts again and again


def _money(text: str, currency: Currency) -> Money:
    try:
        return _parsed(text, currency)
    except MoneyError as error:
        raise Unreadable(amount_wrong(error)) from None


def _named(path: str, name: Any) -> str:
    """The place of something with a name, as a JSON Pointer (RFC 6901).

    >>> _named("/round/stakes", "#1/2/tie")
    '/round/stakes/#1~12~1tie'
    """
    return f"{path}/{str(name).replace('~', '~0').replace('/', '~1')}"


_PLAIN: dict[Any, Form] = {
    Amount: Form(MoneyText, Shown, _money, show),
    int: Form(Whole, int),
    bool: Form(bool, bool),
    str: Form(Text, str),
    Message: Form(Message, Message),  # in views and events only; another one replaces it as a whole
    Position: Form(PositionWord, PositionWord, lambda word, _: Position(word), lambda position, _: position.value),
}


def _optional(args: tuple[Any, ...]) -> Form:
    """Something or nothing, or something that may be left out; the table has no other unions."""
    kinds = [each for each in args if each not in (NoneType, UnsetType)]
    (kind,) = kinds
    own = form(kind)

    def unless_none(way: Way | None) -> Way | None:
        if way is None:
            return None
        return lambda value, currency: value if value is None or value is UNSET else way(value, currency)

    type, sent = own.type, own.sent
    if NoneType in args:
        type, sent = type | None, sent | None
    return Form(type, sent, unless_none(own.reads), unless_none(own.writes), own.differs)


def _tuple(args: tuple[Any, ...]) -> Form:
    if len(args) == 2 and args[1] is Ellipsis:
        return _by_name(args[0]) if args[0] in KEYED else _list(form(args[0]))
    own = [form(each) for each in args]

    def reads(values: Any, currency: Currency) -> tuple[Any, ...]:
        return tuple([each.read(value, currency) for each, value in zip(own, values, strict=True)])

    def writes(values: Any, currency: Currency) -> list[Any]:
        return [each.write(value, currency) for each, value in zip(own, values, strict=True)]

    return Form(
        GenericAlias(tuple, tuple(each.type for each in own)),
        GenericAlias(tuple, tuple(each.sent for each in own)),
        reads if any(each.reads for each in own) else None,
        writes if any(each.writes for each in own) else None,
    )


def _list(own: Form) -> Form:
    reads, writes = own.reads, own.writes
    return Form(
        Annotated[GenericAlias(tuple, (own.type, ...)), Meta(max_length=LIST_MAX)],
        GenericAlias(tuple, (own.sent, ...)),
        reads and (lambda values, currency: tuple([reads(each, currency) for each in values])),
        writes and (lambda values, currency: [writes(each, currency) for each in values]),
    )


def _by_name(kind: type[msgspec.Struct]) -> Form:
    """Things that have names, as an object; a change tells those that came, changed or went."""
    name, own = KEYED[kind], form(kind)

    def writes(values: Any, currency: Currency) -> dict[str, Any]:
        return {name(each): own.write(each, currency) for each in values}

    def differs(path: str, before: Any, after: Any, currency: Currency) -> list[Operation]:
        gone = {name(each): each for each in before}
        fresh = [each for each in after if gone.pop(name(each), None) != each]
        came = [Add(_named(path, name(each)), own.write(each, currency)) for each in fresh]
        return [*came, *(Remove(_named(path, each)) for each in gone)]

    return Form(GenericAlias(dict, (str, own.type)), GenericAlias(dict, (str, own.sent)), None, writes, differs)


def _dict(key: Form, value: Form) -> Form:
    def reads(given: Mapping[Any, Any], currency: Currency) -> dict[Any, Any]:
        found = {}
        for name, each in given.items():
            try:
                found[key.read(name, currency)] = value.read(each, currency)
            except Unreadable as error:
                raise Unreadable(error.problem, str(name), *error.path) from None
        if len(found) != len(given):
            raise Unreadable(KEY_TWICE())
        return found

    def writes(given: Mapping[Any, Any], currency: Currency) -> dict[Any, Any]:
        return {key.write(name, currency): value.write(each, currency) for name, each in given.items()}

    def differs(path: str, before: Mapping[Any, Any], after: Mapping[Any, Any], currency: Currency) -> list[Operation]:
        found: list[Operation] = []
        for name, each in after.items():
            if name not in before:
                found.append(Add(_named(path, key.write(name, currency)), value.write(each, currency)))
            elif before[name] != each:
                found += value.change(_named(path, key.write(name, currency)), before[name], each, currency)
        gone = [name for name in before if name not in after]
        return [*found, *(Remove(_named(path, key.write(name, currency))) for name in gone)]

    return Form(
        Annotated[GenericAlias(dict, (key.type, value.type)), Meta(max_length=LIST_MAX)],
        GenericAlias(dict, (key.sent, value.sent)),
        reads if key.reads or value.reads else None,
        writes if key.writes or value.writes else None,
        differs,
    )


# ------------------------------------------------ structs


def _struct(kind: type[msgspec.Struct]) -> Form:
    own = fields_of(kind)
    arguments = reader(own)
    stands = not any(form(each.type).writes for each in own)  # as it is
    return Form(
        as_struct(f"{kind.__name__}Form", kind.__doc__, own),
        kind if stands else as_sent(kind.__name__, kind.__doc__, [_as_sent_field(each) for each in own]),
        lambda value, currency: kind(**arguments(value, currency)),
        None if stands else writer(own),
        difference(own),
    )


def fields_of(kind: type[msgspec.Struct], *, besides: tuple[str, ...] = ()) -> list[FieldInfo]:
    return [each for each in msgspec.structs.fields(kind) if each.name not in besides]


def as_struct(
    name: str, doc: str | None, fields: list[FieldInfo], also: tuple[tuple[Any, ...], ...] = (), **how: Any
) -> type[msgspec.Struct]:
    """A struct of these fields in their wire form, which takes no others; `how` are options of `defstruct`."""
    return msgspec.defstruct(
        name,
        [*(_as_field(each) for each in fields), *also],
        module=__name__,
        namespace={"__doc__": doc},
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        omit_defaults=True,
        **how,
    )


def as_sent(name: str, doc: str | None, fields: Sequence[tuple[Any, ...]], **how: Any) -> type[msgspec.Struct]:
    """A struct as it is sent: its fields are always there, unless they may be unset."""
    return msgspec.defstruct(
        name, fields, module=__name__, namespace={"__doc__": doc}, frozen=True, kw_only=True, **how
    )


def _as_sent_field(field: FieldInfo) -> tuple[Any, ...]:
    sent = form(field.type).sent
    return (field.name, sent | UnsetType, UNSET) if field.default is UNSET else (field.name, sent)


def _as_field(field: FieldInfo) -> tuple[Any, ...]:
    """A field as it stands on the wire; a usual value that would read otherwise there is left to the table."""
    own = form(field.type)
    if field.required:
        return field.name, own.type
    if field.default_factory is not NODEFAULT or (own.reads and field.default not in (None, ())):
        return may_be_left_out(field)
    return field.name, own.type, field.default


def may_be_left_out(field: FieldInfo) -> tuple[Any, ...]:
    return field.name, form(field.type).type | UnsetType, UNSET


def reader(fields: list[FieldInfo]) -> Callable[[Any, Currency], dict[str, Any]]:
    """From the wire form of a struct to arguments for the struct itself; what was not told is not among them."""
    converted = [(each.name, reads) for each in fields if (reads := form(each.type).reads) is not None]
    may_lack = any(_as_field(each)[-1] is UNSET for each in fields)

    def read(value: Any, currency: Currency) -> dict[str, Any]:
        found = asdict(value)
        for name, reads in converted:
            told = found[name]
            if told is UNSET or told == ():
                continue
            try:
                found[name] = reads(told, currency)
            except Unreadable as error:
                raise Unreadable(error.problem, name, *error.path) from None
        return {name: told for name, told in found.items() if told is not UNSET} if may_lack else found

    return read


def _getter(fields: list[FieldInfo]) -> Callable[[Any], tuple[Any, ...]]:
    """All of these of a struct at once."""
    names = [each.name for each in fields]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple([getattr(value, name) for name in names])


def writer(fields: list[FieldInfo]) -> Callable[[Any, Currency], dict[str, Any]]:
    """A struct as data that can be encoded."""
    names, values = [each.name for each in fields], _getter(fields)
    converted = [(each.name, writes) for each in fields if (writes := form(each.type).writes) is not None]
    may_lack = any(each.default is UNSET for each in fields)

    def write(value: Any, currency: Currency) -> dict[str, Any]:
        found = dict(zip(names, values(value), strict=True))
        for name, writes in converted:
            found[name] = writes(found[name], currency)
        return {name: told for name, told in found.items() if told is not UNSET} if may_lack else found

    return write


def difference(fields: list[FieldInfo]) -> Difference:
    """What has changed from one struct to another of its kind."""
    plan = [(each.name, form(each.type)) for each in fields]

    def differs(path: str, before: Any, after: Any, currency: Currency) -> list[Operation]:
        found: list[Operation] = []
        for name, own in plan:
            old, new = getattr(before, name), getattr(after, name)
            if old is not new and old != new:
                found += own.change(f"{path}/{name}", old, new, currency)
        return found

    return differs


def difference_beside(fields: list[FieldInfo]) -> Callable[..., dict[str, list[Operation]]]:
    """What has changed from one struct to another, by field, where it is known what has changed for somebody else.

    What is the very same for both, before and after, has changed in the same way, and is not looked at again.
    """
    plan = [(each.name, f"/{each.name}", form(each.type)) for each in fields]

    def differs(
        before: Any, after: Any, others: tuple[Any, Any] | None, known: dict[str, list[Operation]], currency: Currency
    ) -> dict[str, list[Operation]]:
        found = {}
        theirs, their_new = others or (None, None)
        for name, path, own in plan:
            old, new = getattr(before, name), getattr(after, name)
            if others and old is getattr(theirs, name) and new is getattr(their_new, name):
                if name in known:
                    found[name] = known[name]
            elif old is not new and old != new:
                found[name] = own.change(path, old, new, currency)
        return found

    return differs


# ------------------------------------------------ commands

AREAS = engine.AREAS  # whose commands are known
HEADER = Command.__struct_fields__  # by, at, position: the server says them, or looks them up
NOT_SAID: dict[type[Command], tuple[str, ...]] = {  # what the house knows better
    JoinTable: ("status", "name"),
    SuspendTable: ("cause",),
}

if TYPE_CHECKING:

    class WireCommand(msgspec.Struct):
        """Any command that people may give."""

        position: str | None

else:
    WireCommand = Any  # made below, of all of them


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

    others = [each.name for each in _fields(kind) if each.name != "changes"]

    def read(asked: Any, currency: Currency) -> dict[str, Any]:
        try:
            changes = msgspec.to_builtins(_read_settings(asked.changes, currency))
            return {"changes": changes, **{name: getattr(asked, name) for name in others}}
        except Unreadable as error:
            raise Unreadable(error.problem, "changes", *error.path) from None

    return read


FORMS = {kind: _made(kind) for kind in TABLE.deciders}
KINDS = {made: kind for kind, made in FORMS.items()}
_MAKERS = {made: (kind, _reader(kind)) for kind, made in FORMS.items()}
ACCEPTED = {name_of(kind): FORMS[kind] for kind in sorted(FORMS, key=name_of) if kind not in HOUSE_ONLY}
if TYPE_CHECKING:
    WrittenCommand = dict[str, Any]  # a command as `written` gives it
else:
    WireCommand = WrittenCommand = Union[tuple(ACCEPTED.values())]  # noqa: UP007


def command(asked: WireCommand, actor: Actor, at: int, currency: Currency) -> Command:
    """What somebody asks of the table: theirs, now, in the position that they name or else hold. `Unreadable` names a field."""
    kind, read = _MAKERS[type(asked)]
    told = read(asked, currency)
    told["position"] = actor.position if asked.position is None else Position(asked.position)
    return kind(by=actor.person, at=at, **told)


def written(command: Command, currency: Currency) -> WrittenCommand:
    """A command as somebody would send it, without who and when; what goes without saying is left out."""
    kind = type(command)
    fields = [each for each in _fields(kind) if each.name != "changes" or kind is not ChangeSettings]
    told: dict[str, Any] = {"command": name_of(kind)}
    if isinstance(command, ChangeSettings):
        told["changes"] = {
            each.name: form(each.type).write(msgspec.convert(command.changes[each.name], each.type), currency)
            for each in _SETTINGS
            if each.name in command.changes
        }
    unusual = [each for each in fields if each.required or getattr(command, each.name) != _usual(each)]
    return {**told, **{each.name: form(each.type).write(getattr(command, each.name), currency) for each in unusual}}


def _usual(field: FieldInfo) -> Any:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


# ------------------------------------------------ views

Patch = dict[str, list[Operation]]  # what changes on a screen, by the field of the view that it is in

if TYPE_CHECKING:
    SentView = dict[str, Any]
else:
    SentView = form(View).sent  # a view as it is sent

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


# ------------------------------------------------ frames

TEXT = 0x81  # a whole text in one frame (RFC 6455)

encode = msgspec.json.Encoder().encode
_medium = Struct(">BBH").pack


def framed(text: bytes) -> bytes:
    """A text as a frame.

    >>> framed(b"hello")
    b'\\x81\\x05hello'
    """
    size = len(text)
    if size < 126:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return _medium(TEXT, 126, size) + text
    return bytes((TEXT, 127)) + size.to_bytes(8) + text
