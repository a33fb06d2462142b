"""Old shapes of stored commands and events: how each is read as the one that followed it.

A stored name has a version, `wager-placed/1`, and its shape never changes. A command or event that needs another shape takes the
next version, and an upcaster here reads the old one. It works on decoded JSON, before anything is built of it:

    @upcasts("wager-placed/1", "wager-placed/2", adds=("pieces",))
    def wager_placed_2(old: Fields) -> Fields:
        return {**old, "pieces": 1}

Fields stand in the order of the new shape (`inserted` helps), and none is dropped that the old shape did not have: what the result still
holds too much is refused. `adds` are fields that an old record cannot tell: a verifier takes them from what the rules decide. A record keeps its bytes and its digest. Current names never come here: a record is decoded as it is, and only one that
cannot be is looked at again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Fields = dict[str, Any]  # of a command or an event, without its name
TAGS = ("event", "command")  # the field that holds the name; an event may name a command beside it


class Upcaster(NamedTuple):
    """The step from one version to the next."""

    name: str  # the stored name that follows
    adds: tuple[str, ...]
    fields: Callable[[Fields], Fields]


UPCASTERS: dict[str, Upcaster] = {}  # by the old stored name


def upcasts(
    old: str, new: str, adds: tuple[str, ...] = ()
) -> Callable[[Callable[[Fields], Fields]], Callable[[Fields], Fields]]:
    """Register how the fields of an old stored name become those of the next one."""

    def register(function: Callable[[Fields], Fields]) -> Callable[[Fields], Fields]:
        if old in UPCASTERS:
            raise AssertionError(f"{old} has an upcaster already")
        UPCASTERS[old] = Upcaster(new, adds, function)
        return function

    return register


def inserted(fields: Fields, before: str, **added: Any) -> Fields:
    """The fields with others before one of them.

    >>> inserted({"by": "ann", "clause": ""}, before="clause", why="late")
    {'by': 'ann', 'why': 'late', 'clause': ''}
    """
    place = list(fields).index(before)
    told = list(fields.items())
    return {**dict(told[:place]), **added, **dict(told[place:])}


def current_name(name: str) -> str:
    """The stored name that is in use today for an old one."""
    while name in UPCASTERS:
        name = UPCASTERS[name].name
    return name


def names_read_as(name: str) -> frozenset[str]:
    """All stored names that are read as this one."""
    return frozenset([name, *(old for old in UPCASTERS if current_name(old) == name)])


def upcast(value: Any) -> Any:
    """Decoded JSON with every command and event in it in today's shape; equal to what it was where all of them are."""
    if isinstance(value, list):
        return [upcast(each) for each in value]
    if not isinstance(value, dict):
        return value
    fields = {name: upcast(each) for name, each in value.items()}
    tag = next((each for each in TAGS if isinstance(fields.get(each), str)), None)
    while tag is not None and (step := UPCASTERS.get(fields[tag])) is not None:
        del fields[tag]
        if not fields.keys().isdisjoint(step.adds):
            raise ValueError("a field of a later version")
        fields = {tag: step.name, **step.fields(fields)}
    if tag == "event" and isinstance(fields.get("command"), str):  # a refusal names what was refused
        fields["command"] = current_name(fields["command"])
    return fields


def untold(event: Fields) -> frozenset[str]:
    """Fields of an event in today's shape that its stored shape does not tell."""
    found: set[str] = set()
    name = event.get("event", "")
    while (step := UPCASTERS.get(name)) is not None:
        found.update(step.adds)
        name = step.name
    return frozenset(found)
