"""Every stored name with its shape is written down in stored_names.txt: a name keeps its shape.

`make stored-names` (`python -m tests.test_stored_names --write`) writes the file. Until 0.2.0 it writes all of it; from then on it adds lines and
changes none.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import NODEFAULT, UnsetType

from longhu.accounts import record as house
from longhu.accounts.state import ACCOUNT, HOUSE_LOG
from longhu.audit import proof
from longhu.audit import record as trail
from longhu.eventsourcing import stored_name
from longhu.money import Amount, Money
from longhu.table.messages import TABLE
from longhu.table.state import Table
from longhu.upcasting import UPCASTERS, current_name

FILE = Path(__file__).parent / "stored_names.txt"
HEAD = """\
# What is stored, and in which shape: every command and event by its stored name, with its fields in their order.
#
# A name keeps its shape, since records of it are in somebody's audit log. To change one: give its class the next version (tag="wager-placed/2"),
# write the upcaster from the old one (longhu/upcasting.py), and run `make stored-names`, which adds the line. See docs/audit-log.md.
#
# Until 0.2.0 is released this list is edited freely and on purpose: `make stored-names` writes all of it. From then on it only grows.
#
# A field is `name: type`, with `= value` where it may be left out; [type] is a list, {type: type} a map, `?` may be left out of the record.
# Stake#1a2b3c is the type of that shape, listed below: another shape of it is another shape of every name that holds it.
"""
SECTIONS = {  # the start of a line, and what is in the section
    "event ": "events of tables, of accounts and of the house's log",
    "command ": "commands",
    "line ": "lines of proofs, and of other audit logs",
    "type ": "parts of these",
    "words ": "words: others may be added, none goes",
    "state ": "the state of a table: a field may be added with a usual value, none goes or changes",
}
RELEASED = tuple(int(part) for part in version("longhu").split(".")[:2]) >= (0, 2)
Shapes = dict[str, str]  # by the start of the line: "event wager-placed/1"


# ------------------------------------------------ shapes


def shapes() -> Shapes:
    """Everything that is stored."""
    found: Shapes = {}
    events = {*TABLE.evolvers, *ACCOUNT.evolvers, *HOUSE_LOG.evolvers}
    commands = {*TABLE.deciders, *ACCOUNT.deciders, *HOUSE_LOG.deciders}
    lines: dict[str, type[msgspec.Struct]] = {
        f"{proof.FORMAT} opening": proof.Opening,
        f"{proof.FORMAT} record": trail.Record,
        f"{proof.FORMAT} head": proof.HeadLine,
        f"{proof.FORMAT} end": proof.EndLine,
        f"{trail.PROTOCOL} record": house.AccountRecord,
    }
    found |= {f"event {stored_name(each)}": _fields(each, frozen=True) for each in events}
    found |= {f"command {stored_name(each)}": _fields(each, frozen=True) for each in commands}
    found |= {f"line {name}": _fields(each, frozen=True) for name, each in lines.items()}
    for kind in _parts([*events, *commands, *lines.values()]):
        if issubclass(kind, msgspec.Struct):
            found[f"type {_called(kind)}"] = _fields(kind, frozen=True)
    for kind in _parts([*events, *commands, *lines.values(), Table]):
        if issubclass(kind, Enum):
            found[f"words {kind.__name__}"] = ", ".join(str(each.value) for each in kind)
    for kind in (Table, *_parts([Table])):
        if issubclass(kind, msgspec.Struct):
            found[f"state {kind.__name__}"] = _fields(kind, frozen=False)
    return found


def _fields(kind: type[msgspec.Struct], *, frozen: bool) -> str:
    types = _hints(kind)
    return ", ".join(
        f"{each.encode_name}: {_named(types[each.name], frozen)}{_usual(each)}" for each in msgspec.structs.fields(kind)
    )


@cache
def _hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The types as they are declared, where `money.Amount` is still itself."""
    return get_type_hints(kind, include_extras=True)


def _usual(field: msgspec.structs.FieldInfo) -> str:
    if field.default is not NODEFAULT and field.default is not msgspec.UNSET:
        return f" = {msgspec.json.encode(field.default).decode()}"
    return f" = {msgspec.json.encode(field.default_factory()).decode()}" if callable(field.default_factory) else ""


def _named(kind: Any, frozen: bool) -> str:
    """A type in words."""
    if kind in PLAIN:
        return PLAIN[kind]
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(map(str, args))
    if origin in (Union, UnionType):
        return _union(args, frozen)
    if origin is tuple:
        return f"[{', '.join(_named(each, frozen) for each in args if each is not Ellipsis)}]"
    if origin in (list, dict):
        return f"{'[' if origin is list else '{'}{': '.join(_named(each, frozen) for each in args)}{']' if origin is list else '}'}"
    if hasattr(kind, "__metadata__"):  # Annotated
        return _named(args[0], frozen)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind.__name__
    return _called(kind) if frozen else str(kind.__name__)


PLAIN: dict[Any, str] = {
    Amount: "money", Money: "money", str: "text", int: "number", bool: "yes or no", NoneType: "null", Any: "anything", UnsetType: "?", object: "anything",
}  # fmt: skip


def _union(args: tuple[Any, ...], frozen: bool) -> str:
    tagged = {each for each in args if isinstance(each, type) and each in MESSAGES}
    others = [_named(each, frozen) for each in args if each not in tagged]
    if len(tagged) > 5:
        return " | ".join(["an event" if "event" in MESSAGES[min(tagged, key=str)] else "a command", *others])
    return " | ".join([*sorted(stored_name(each) for each in tagged), *others])


MESSAGES = {
    each: which
    for register in (TABLE, ACCOUNT, HOUSE_LOG)
    for which, kinds in (("event", register.evolvers), ("command", register.deciders))
    for each in kinds
}


def _called(kind: type[msgspec.Struct]) -> str:
    """A type with the start of the digest of its shape; within its own shape, as in a message within a message, by its name."""
    if kind in _BEING_CALLED:
        return kind.__name__
    _BEING_CALLED.append(kind)
    try:
        return f"{kind.__name__}#{hashlib.sha256(_fields(kind, frozen=True).encode()).hexdigest()[:6]}"
    finally:
        _BEING_CALLED.pop()


_BEING_CALLED: list[type[msgspec.Struct]] = []


def _parts(kinds: Iterable[Any]) -> list[type]:
    """The structs and enumerations that these hold, and that those hold, but for commands and events."""
    found: dict[type, None] = {}

    def visit(kind: Any) -> None:
        for each in get_args(kind):
            visit(each)
        if (
            isinstance(kind, type)
            and kind not in MESSAGES
            and issubclass(kind, msgspec.Struct | Enum)
            and kind not in found
        ):
            found[kind] = None
            inside(kind)

    def inside(kind: type) -> None:
        if issubclass(kind, msgspec.Struct):
            for each in _hints(kind).values():
                visit(each)

    for kind in kinds:
        inside(kind)
    return list(found)


# ------------------------------------------------ the file


def read() -> Shapes:
    found: Shapes = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, shape = line.partition(": ") if ": " in line else (line.rstrip(":"), "", "")
            found[name] = shape
    return found


def written(shapes: Mapping[str, str]) -> str:
    def section(start: str, says: str) -> Iterator[str]:
        yield f"\n# {says}\n"
        yield from (f"{name}: {shapes[name]}".rstrip() for name in sorted(shapes) if name.startswith(start))

    return HEAD + "\n".join(line for start, says in SECTIONS.items() for line in section(start, says)) + "\n"


def changed(known: Shapes, now: Shapes) -> list[str]:
    """What may not be so, and what to do about each."""
    return [*_gone(known, now), *_other(known, now), *_new(known, now)]


def _gone(known: Shapes, now: Shapes) -> Iterator[str]:
    for line in known.keys() - now.keys():
        kind, _, name = line.partition(" ")
        if kind in ("event", "command") and f"{kind} {current_name(name)}" not in now:
            yield f"{name} is gone: records of it are stored. Write an upcaster to what it is now (longhu/upcasting.py)."
        elif kind in ("words", "state", "line"):
            yield f"{line} is gone: it is stored. Keep it."


def _other(known: Shapes, now: Shapes) -> Iterator[str]:
    for line in known.keys() & now.keys():
        kind, _, name = line.partition(" ")
        before, after = known[line].split(", "), now[line].split(", ")
        may_grow = kind in ("words", "state") and set(before) <= set(after)
        if before != after and not (
            may_grow and all(" = " in each or kind == "words" for each in set(after) - set(before))
        ):
            yield (
                f"{line} has another shape:\n    before: {known[line]}\n    now:    {now[line]}\n"
                f'    Give its class the next version (tag="{_next(name)}"), and write the upcaster (longhu/upcasting.py).'
            )


def _next(name: str) -> str:
    start, _, number = name.rpartition("/")
    return f"{start}/{int(number) + 1}" if number.isdigit() else name


def _new(known: Shapes, now: Shapes) -> Iterator[str]:
    for line in now.keys() - known.keys():
        yield f"{line} is new: choose its name for keeps, and write it down."


def write() -> None:
    now = shapes()
    if RELEASED:
        known = read()
        refused = [*_gone(known, now), *_other(known, now)]
        if refused:
            sys.exit("\n".join(["stored_names.txt only grows:", *refused]))
        now = {**known, **now}
    FILE.write_text(written(now), encoding="utf-8")


# ------------------------------------------------ tests

DO = "Until 0.2.0, `make stored-names` writes the list anew: do it on purpose, and read the difference."


@pytest.mark.clause("LOG-1")
def test_every_stored_name_keeps_its_shape() -> None:
    wrong = sorted(changed(read(), shapes()))
    assert not wrong, "\n".join([*wrong, "" if RELEASED else DO])


def test_every_name_has_a_version() -> None:
    names = [name.partition(" ")[2] for name in read() if name.startswith(("event ", "command "))]
    assert all(name.rpartition("/")[2].isdigit() for name in names)
    assert len(names) == len(set(names))


def test_every_upcaster_leads_from_a_listed_name_to_one_in_use() -> None:
    known, now = read(), shapes()
    for old in UPCASTERS:
        assert any(f"{kind} {old}" in known for kind in ("event", "command")), old
        assert any(f"{kind} {current_name(old)}" in now for kind in ("event", "command")), old


NAMES = {"event a/1": "x: text", "type T#1": "y: number", "words W": "one, two", "state S": "z: number"}


@pytest.mark.parametrize(
    ("now", "says"),
    [
        ({**NAMES, "event a/1": "x: number"}, 'tag="a/2"'),
        ({**NAMES, "event a/1": 'x: text, y: text = ""'}, 'tag="a/2"'),
        ({name: NAMES[name] for name in NAMES if name != "event a/1"}, "a/1 is gone"),
        ({**NAMES, "event b/1": ""}, "event b/1 is new"),
        ({**NAMES, "words W": "one"}, "words W has another shape"),
        ({**NAMES, "words W": "one, two, three"}, ""),
        ({**NAMES, "state S": "a: number = 0, z: number"}, ""),
        ({**NAMES, "state S": "a: number, z: number"}, "state S has another shape"),
        ({**NAMES, "type T#2": "y: text"}, "type T#2 is new"),
    ],
)
def test_what_may_change_and_what_may_not(now: Shapes, says: str) -> None:
    found = changed(NAMES, now)
    assert says in "\n".join(found)
    assert bool(found) == bool(says)


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    write()
