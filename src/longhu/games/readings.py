"""The [[reading]] sections: doubtful clauses, the reading taken, and what a house may choose instead.

An option changes the file itself, value by value, so a game under another reading is loaded, checked and
digested like any other game.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from longhu.games.game import Change, Option, Reading
from longhu.games.reader import Node, Wrong
from longhu.games.source import FileSource
from longhu.games.translations import read_text
from longhu.games.values import SECOND_ID, clauses_in
from longhu.messages.message import message_code
from longhu.wording import shown, suggest

READING_TAKES_NONE = message_code("file-reading-takes-none")
TAKEN_OPTION_CHANGES = message_code("file-taken-option-changes", option="text")
OPTION_CHANGES_NOTHING = message_code("file-option-changes-nothing", option="text")
NOTHING_AT = message_code("file-nothing-at", path="text")
FILE_SAYS_OTHERWISE = message_code("file-says-otherwise", found="text")
CHANGE_CHANGES_NOTHING = message_code("file-change-changes-nothing")


class ReadingError(ValueError):
    """A choice that the game does not offer."""


def read_readings(node: Node | None, data: Any) -> dict[str, Reading]:
    """All readings, each with the option that the file itself takes."""
    readings: dict[str, Reading] = {}
    if node is None:
        return readings
    for element in node.elements():
        try:
            reading = _read_reading(element, data)
        except Wrong:
            continue
        if reading.id in readings:
            element.child("id").note(SECOND_ID(what="reading", id=repr(reading.id)))
        readings[reading.id] = reading
    return readings


def _read_reading(node: Node, data: Any) -> Reading:
    node.table(["id", "asks", "takes", "because"], ["question", "clause", "options", "taken", "at_table"])
    question, taken, at_table = node.get("question"), node.get("taken"), node.get("at_table")
    options = _read_options(node.get("options"), data)
    default = taken.one_of(options) if taken else ""
    if options and not default:
        node.fail(READING_TAKES_NONE(), key=True)
    table_only = at_table.truth() if at_table else False
    for option in options.values():
        place = node.child("options").child(option.id)
        asked = isinstance(place.value, dict) and "change" in place.value
        if option.id == default and asked:
            place.child("change").note(TAKEN_OPTION_CHANGES(option=shown(option.id)), key=True)
        elif not table_only and option.id != default and not asked:
            node.note(OPTION_CHANGES_NOTHING(option=shown(option.id)), key=True)
    return Reading(
        node.need("id").id(),
        question.text() if question else "",
        read_text(node.need("asks")),
        read_text(node.need("takes")),
        read_text(node.need("because")),
        clauses_in(node),
        default,
        default,
        options,
        table_only,
        node.row,
    )


def _read_options(node: Node | None, data: Any) -> dict[str, Option]:
    options: dict[str, Option] = {}
    if node is None:
        return options
    for id, element in node.items():
        if isinstance(element.value, str):
            options[id] = Option(id, read_text(element))
            continue
        element.table(["says"], ["change"])
        change = element.get("change")
        changes = change.list_of(lambda each: _read_change(each, data)) if change else ()
        options[id] = Option(id, read_text(element.need("says")), changes)
    return options


def _read_change(node: Node, data: Any) -> Change:
    node.table(["at", "from", "to"])
    at = node.need("at")
    change = Change(tuple(at.text().split(".")), node.need("from").value, node.need("to").value)
    try:
        found = find(data, change.at)
    except KeyError as error:
        at.fail(NOTHING_AT(path=repr(error.args[0])))
    if found != change.old:
        node.child("from").fail(FILE_SAYS_OTHERWISE(found=shown(found, 80)))
    if change.new == change.old:
        node.child("to").fail(CHANGE_CHANGES_NOTHING())
    return change


def find(data: Any, at: tuple[str, ...]) -> Any:
    """The value at a path; a part names a key, an element's id, or an element's place from 0."""
    for depth, part in enumerate(at):
        key = place_of(data, part)
        if key is None:
            raise KeyError(".".join(at[: depth + 1]))
        data = data[key]
    return data


def place_of(data: Any, part: str) -> str | int | None:
    """The key or the place in a list that a part of a path means; None where there is no such thing."""
    if isinstance(data, dict):
        return part if part in data else None
    if isinstance(data, list):
        for index, element in enumerate(data):
            if isinstance(element, dict) and element.get("id") == part:
                return index
        if part.isascii() and part.isdigit() and int(part[:6]) < len(data):
            return int(part[:6])
    return None


def choose(source: FileSource, readings: Mapping[str, Reading], chosen: Mapping[str, str]) -> FileSource:
    """The file as it reads under these choices; the places of its values stay what they were."""
    data = deepcopy(source.data)
    for id, option in chosen.items():
        reading = readings.get(id)
        if reading is None:
            raise ReadingError(f"no reading is called {id!r}.{suggest(id, readings)}")
        if option not in reading.options:
            raise ReadingError(f"reading {id!r} has no option {option!r}.{suggest(option, reading.options)}")
        for change in reading.options[option].changes:
            find(data, change.at[:-1])[place_of(find(data, change.at[:-1]), change.at[-1])] = deepcopy(change.new)
        for table in data["reading"]:
            if table.get("id") == id:
                table["taken"] = option
    return FileSource(source.name, data, source.keys, source.values, source.written, source.text)
