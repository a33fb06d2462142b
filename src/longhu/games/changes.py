"""Changes to a game file, one after the other, as a designer makes them: a value set, a line put in, taken out or moved.

They are made to the file's data, or just as well to a document of tomlkit, which keeps its comments. A doubtful clause
whose options no longer fit what the file says is left out, and told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from longhu.games.reader import ENTRIES_MAX, TEXT_MAX, hint
from longhu.games.readings import find, place_of
from longhu.games.source import NESTING_MAX, Path
from longhu.messages.localization import english
from longhu.messages.message import Message, message_code
from longhu.wording import shown

CHANGE_IMPOSSIBLE = message_code("change-impossible", number="number", problem="message")
CHANGE_WITHOUT_VALUE = message_code("change-without-value", at="text")
CHANGE_NOWHERE = message_code("change-nowhere", at="text")
CHANGE_NOT_IN_LIST = message_code("change-not-in-list", at="text")
CHANGE_BEHIND_END = message_code("change-behind-end", at="text", entries="number", place="number")
CHANGE_MOVES_OUTSIDE = message_code("change-moves-outside", at="text", last="number", found="text")
CHANGE_NO_READING = message_code("change-no-reading", reading="text", hint="message")
CHANGE_NO_OPTION = message_code("change-no-option", reading="text", option="text", hint="message")

CHANGES_MAX = 400
NUMBER_MAX = 1_000_000

Word = Annotated[str, Meta(max_length=60)]
Text = Annotated[str, Meta(max_length=TEXT_MAX)]
Number = Annotated[int, Meta(ge=-NUMBER_MAX, le=NUMBER_MAX)]
Place = Annotated[int, Meta(ge=0, lt=ENTRIES_MAX)]
Numbers = Annotated[list[Number], Meta(max_length=ENTRIES_MAX)]
Table = Annotated[dict[Word, Text | Numbers], Meta(max_length=20)]


class GameChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One change. `read` takes another option of a doubtful clause: `at` is its id, `to` the option."""

    do: Literal["set", "remove", "insert", "move", "read"]
    at: Annotated[list[Word | Place], Meta(min_length=1, max_length=NESTING_MAX)]  # keys, and places from 0 in lists
    to: bool | Text | Number | Numbers | Table | None = None


Changes = Annotated[list[GameChange], Meta(max_length=CHANGES_MAX)]


class ChangeError(ValueError):
    """A change that this file has no place for."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return english(self.message)


def changed(data: Any, changes: Sequence[GameChange], made: Callable[[Any], Any] = deepcopy) -> list[str]:
    """Make all changes, in order; tells the readings that had to be left out. `made` turns what is told into a value of the file."""
    for number, change in enumerate(changes, 1):
        try:
            _DO[change.do](data, tuple(change.at), change.to, made)
        except ChangeError as error:
            raise ChangeError(CHANGE_IMPOSSIBLE(number=number, problem=error.message)) from None
    return _without_misfits(data)


def _set(data: Any, at: Path, to: Any, made: Callable[[Any], Any]) -> None:
    if to is None:
        raise ChangeError(CHANGE_WITHOUT_VALUE(at=_named(at)))
    holder, key = _holder(data, at[:-1]), at[-1]
    if not (isinstance(holder, dict) and isinstance(key, str)):
        _inside(holder, at)
    holder[key] = made(to)
    _say_so_in_readings(data, at, made)


def _remove(data: Any, at: Path, _to: Any, _made: Callable[[Any], Any]) -> None:
    holder = _holder(data, at[:-1])
    _inside(holder, at)
    del holder[at[-1]]


def _insert(data: Any, at: Path, to: Any, made: Callable[[Any], Any]) -> None:
    holder, place = _list(data, at)
    if to is None:
        raise ChangeError(CHANGE_WITHOUT_VALUE(at=_named(at)))
    if place > len(holder) or len(holder) >= ENTRIES_MAX:
        raise ChangeError(CHANGE_BEHIND_END(at=_named(at[:-1]), entries=len(holder), place=place))
    holder.insert(place, made(to))


def _move(data: Any, at: Path, to: Any, _made: Callable[[Any], Any]) -> None:
    holder, place = _list(data, at)
    _inside(holder, at)
    if not isinstance(to, int) or isinstance(to, bool) or not 0 <= to < len(holder):
        raise ChangeError(CHANGE_MOVES_OUTSIDE(at=_named(at), last=len(holder) - 1, found=shown(to)))
    holder.insert(to, holder.pop(place))


def _read(data: Any, at: Path, to: Any, made: Callable[[Any], Any]) -> None:
    """The option becomes what the file says, and the others say what they would change of that."""
    readings = {each["id"]: each for each in _tables(data, "reading") if isinstance(each.get("id"), str)}
    reading = readings.get(str(at[0]))
    if reading is None or len(at) > 1:
        raise ChangeError(CHANGE_NO_READING(reading=_named(at), hint=hint(str(at[0]), readings)))
    options = reading.get("options")
    if not isinstance(options, dict) or to not in options:
        known = list(options) if isinstance(options, dict) else []
        raise ChangeError(CHANGE_NO_OPTION(reading=shown(at[0]), option=shown(to), hint=hint(str(to), known)))
    if to == reading.get("taken"):
        return
    wanted = {id: _wants(option) for id, option in options.items()}
    before = {each: _value(data, each) for each in wanted[to]}
    for each, value in wanted[to].items():
        _set(data, _resolved(data, each), value, made)
    reading["taken"] = to
    for id in list(options):
        others = {} if id == to else {**before, **wanted[id]}
        moves = [
            {"at": each, "from": _value(data, each), "to": value}
            for each, value in others.items()
            if _value(data, each) != value
        ]
        says = options[id]["says"] if isinstance(options[id], dict) else options[id]
        options[id] = made({"says": says, "change": moves}) if moves else says


_DO: dict[str, Callable[[Any, Path, Any, Callable[[Any], Any]], None]] = {
    "set": _set, "remove": _remove, "insert": _insert, "move": _move, "read": _read,
}  # fmt: skip


# ------------------------------------------------ places in the file


def _holder(data: Any, path: Path) -> Any:
    for depth, part in enumerate(path):
        _inside(data, path[: depth + 1])
        data = data[part]
    return data


def _inside(holder: Any, at: Path) -> None:
    """Refuse a place that is not there."""
    part = at[-1]
    there = part in holder if isinstance(holder, dict) and isinstance(part, str) else False
    if isinstance(holder, list) and isinstance(part, int):
        there = 0 <= part < len(holder)
    if not there:
        raise ChangeError(CHANGE_NOWHERE(at=_named(at)))


def _list(data: Any, at: Path) -> tuple[Any, int]:
    holder, place = _holder(data, at[:-1]), at[-1]
    if not isinstance(holder, list) or not isinstance(place, int):
        raise ChangeError(CHANGE_NOT_IN_LIST(at=_named(at[:-1])))
    return holder, place


def _named(at: Path) -> str:
    return shown(".".join(map(str, at)), 120)


# ------------------------------------------------ readings


def _tables(data: Any, key: str) -> Iterator[Any]:
    found = data.get(key)
    return (each for each in (found if isinstance(found, list) else []) if isinstance(each, dict))


def _moves(reading: Any) -> Iterator[Any]:
    """What the options of a reading would change."""
    options = reading.get("options")
    for option in options.values() if isinstance(options, dict) else ():
        if isinstance(option, dict) and isinstance(option.get("change"), list):
            yield from (
                each for each in option["change"] if isinstance(each, dict) and {"at", "from", "to"} <= each.keys()
            )


def _wants(option: Any) -> dict[str, Any]:
    """What an option makes of each place that it changes."""
    return {str(each["at"]): _plain(each["to"]) for each in _moves({"options": {"": option}})}


def _plain(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value


def _value(data: Any, at: str) -> Any:
    try:
        return _plain(find(data, tuple(at.split("."))))
    except KeyError as error:
        raise ChangeError(CHANGE_NOWHERE(at=shown(str(error.args[0]), 120))) from None


def _resolved(data: Any, at: str) -> Path:
    """A path as readings write it, with the place of each element that it names by its id."""
    path: list[str | int] = []
    for part in at.split("."):
        key = place_of(data, part)
        if key is None:
            raise ChangeError(CHANGE_NOWHERE(at=shown(at, 120)))
        path.append(key)
        data = data[key]
    return tuple(path)


def _say_so_in_readings(data: Any, at: Path, made: Callable[[Any], Any]) -> None:
    """Options that change this very value start from what it is now."""
    for reading in _tables(data, "reading"):
        for move in _moves(reading):
            try:
                same = _resolved(data, str(move["at"])) == at
            except ChangeError:
                continue
            if same:
                move["from"] = made(_value(data, str(move["at"])))


def _without_misfits(data: Any) -> list[str]:
    """Take out the readings whose options no longer fit the file."""
    left_out: list[str] = []
    readings = data.get("reading")
    for place in reversed(range(len(readings) if isinstance(readings, list) else 0)):
        if isinstance(readings[place], dict) and not all(_fits(data, move) for move in _moves(readings[place])):
            left_out.append(str(readings[place].get("id", "")))
            del readings[place]
    return left_out[::-1]


def _fits(data: Any, move: Any) -> bool:
    try:
        found = _value(data, str(move["at"]))
    except ChangeError:
        return False
    return bool(found == _plain(move["from"]) and found != _plain(move["to"]))
