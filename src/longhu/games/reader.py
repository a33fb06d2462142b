"""Typed access to a game file's values; every mistake is noted with its place and reading goes on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import date, datetime
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from longhu.games.source import FileMistake, FileSource, GameFileError, Path
from longhu.messages.message import Message, message_code
from longhu.wording import enumerated, nearest, shown

T = TypeVar("T")
TEXT_MAX = 600
ENTRIES_MAX = 200
PROBLEMS_MAX = 500  # more are not told at once

FOUND_VALUE = message_code("file-found-value", kind="choice", value="text")
FOUND_KIND = message_code("file-found-kind", kind="choice")
MUST_BE = message_code("file-must-be", key="text", what="choice", found="message")
UNKNOWN_KEY = message_code("file-unknown-key", found="text", hint="message")
FILE_HAS_NO = message_code("file-has-no", key="text")
KEY_MISSING = message_code("file-key-missing", table="text", key="text")
TOO_MANY_ENTRIES = message_code("file-too-many-entries", key="text", found="number", most="number")
TEXT_EMPTY = message_code("file-text-empty", key="text")
TEXT_TOO_LONG = message_code("file-text-too-long", key="text", found="number", most="number")
TEXT_INVISIBLE = message_code("file-text-invisible", key="text", character="text")
NO_ID = message_code("file-no-id", found="text")
OUT_OF_RANGE = message_code("file-out-of-range", key="text", found="text", least="number", most="number")
NOT_ONE_OF = message_code("file-not-one-of", key="text", found="text", hint="message")
NO_PERCENTAGE = message_code("file-no-percentage", key="text", found="text")
DID_YOU_MEAN = message_code("did-you-mean", near="text", possible="text")
POSSIBLE_NAMES = message_code("possible-names", possible="text")
NONE_POSSIBLE = message_code("none-possible")
_ID = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")


class Wrong(Exception):
    """A value that could not be read; its problem is noted already."""


class Node:
    """A value in the file together with where it stands."""

    def __init__(self, source: FileSource, problems: list[FileMistake], value: Any, path: Path = ()) -> None:
        self.source, self.problems, self.value, self.path = source, problems, value, path

    # ------------------------------------------------ mistakes

    def note(self, message: Message, *, at: int | None = None, key: bool = False) -> None:
        """Remember a mistake at this value, at its key, or at a character of this text."""
        place = self.source.key_place(self.path) if key else self.source.value_place(self.path)
        if at is not None:
            place = self.source.inside(self.path, at)
        self.problems.append(FileMistake(place, message, self.path, at))
        if len(self.problems) >= PROBLEMS_MAX:
            raise GameFileError(self.source.name, self.problems)

    def fail(self, message: Message, *, at: int | None = None, key: bool = False) -> NoReturn:
        self.note(message, at=at, key=key)
        raise Wrong

    def attempt(self, read: Callable[[], T]) -> T | None:
        """Go on after a mistake, with nothing in its stead."""
        try:
            return read()
        except Wrong:
            return None

    def done(self) -> None:
        if self.problems:
            raise GameFileError(self.source.name, self.problems)

    @property
    def row(self) -> int:
        return self.source.value_place(self.path).line

    @property
    def place_name(self) -> str:
        named = next((part for part in reversed(self.path) if isinstance(part, str)), self.source.name)
        return named if named.isprintable() else shown(named)

    # ------------------------------------------------ tables and lists

    def table(self, required: Iterable[str] = (), optional: Iterable[str] = ()) -> Node:
        """This value as a table with just these keys."""
        if not isinstance(self.value, dict):
            self._must_be("table")
        known = [*required, *optional]
        for key in self.value:
            if key not in known:
                self.child(key).note(UNKNOWN_KEY(found=repr(key[:40]), hint=hint(key, known)), key=True)
        for key in required:
            if key not in self.value:
                self.note(self._lacks(key), key=True)
        return self

    def _must_be(self, what: str) -> NoReturn:
        self.fail(MUST_BE(key=self.place_name, what=what, found=kind(self.value)))

    def _lacks(self, key: str) -> Message:
        return KEY_MISSING(table=self._titled(), key=repr(key)) if self.path else FILE_HAS_NO(key=repr(key))

    def _titled(self) -> str:
        named = self.value.get("id") if isinstance(self.path[-1], int) else None
        parts = [str(part) for part in self.path if isinstance(part, str)]
        return f"[{'.'.join(parts)}]" + (f" {shown(named)}" if isinstance(named, str) else "")

    def child(self, key: str | int) -> Node:
        return Node(self.source, self.problems, self.value[key], (*self.path, key))

    def get(self, key: str) -> Node | None:
        return self.child(key) if key in self.value else None

    def need(self, key: str) -> Node:
        if key not in self.value:
            raise Wrong  # `table` has noted it
        return self.child(key)

    def items(self, most: int = ENTRIES_MAX) -> list[tuple[str, Node]]:
        if not isinstance(self.value, dict):
            self._must_be("table")
        if len(self.value) > most:
            self.fail(TOO_MANY_ENTRIES(key=self.place_name, found=len(self.value), most=most))
        return [(key, self.child(key)) for key in self.value]

    def elements(self, most: int = ENTRIES_MAX) -> list[Node]:
        if not isinstance(self.value, list):
            self._must_be("list")
        if len(self.value) > most:
            self.fail(TOO_MANY_ENTRIES(key=self.place_name, found=len(self.value), most=most))
        return [self.child(index) for index in range(len(self.value))]

    def list_of(self, read: Callable[[Node], T]) -> tuple[T, ...]:
        """Every element that can be read; the mistakes in the others are noted."""
        good: list[T] = []
        for element in self.elements():
            try:
                good.append(read(element))
            except Wrong:
                continue
        return tuple(good)

    # ------------------------------------------------ values

    def text(self) -> str:
        if not isinstance(self.value, str):
            self._must_be("text")
        value: str = self.value
        if not value.strip():
            self.fail(TEXT_EMPTY(key=self.place_name))
        if len(value) > TEXT_MAX:
            self.fail(TEXT_TOO_LONG(key=self.place_name, found=len(value), most=TEXT_MAX))
        for at, sign in enumerate(value):
            if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp"):
                self.fail(TEXT_INVISIBLE(key=self.place_name, character=f"U+{ord(sign):04X}"), at=at)
        return value

    def id(self) -> str:
        value = self.text()
        if not _ID.fullmatch(value) or len(value) > 60:
            self.fail(NO_ID(found=repr(value[:60])))
        return value

    def integer(self, least: int, most: int) -> int:
        if type(self.value) is not int:
            self._must_be("whole-number")
        if not least <= self.value <= most:
            self.fail(OUT_OF_RANGE(key=self.place_name, found=shown(self.value), least=least, most=most))
        return int(self.value)

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            self._must_be("truth")
        return self.value

    def one_of(self, possible: Iterable[str]) -> str:
        value, listed = self.text(), list(possible)
        if value not in listed:
            self.fail(NOT_ONE_OF(key=self.place_name, found=repr(value[:40]), hint=hint(value, listed)))
        return value

    def day(self) -> date | datetime:
        if not isinstance(self.value, date):
            self._must_be("date")
        return self.value

    def percentage(self) -> tuple[Fraction, int]:
        """`98.76%` as an exact share and its number of decimals."""
        found = re.fullmatch(r"([0-9]{1,4})(?:\.([0-9]{1,12}))?\s?%", self.text())
        if not found:
            self.fail(NO_PERCENTAGE(key=self.place_name, found=repr(self.value)))
        decimals = found[2] or ""
        return Fraction(int(found[1] + decimals), 100 * 10 ** len(decimals)), len(decimals)


def kind(value: object) -> Message:
    """What was found, in the file's own words."""
    for type_, name in (
        (bool, "truth"), (int, "number"), (float, "decimal-number"), (str, "text"),
        (list, "list"), (dict, "table"), (datetime, "date-and-time"), (date, "date"),
    ):  # fmt: skip
        if isinstance(value, type_):
            plain = isinstance(value, bool | int | float | str)
            return FOUND_VALUE(kind=name, value=shown(value)) if plain else FOUND_KIND(kind=name)
    return FOUND_KIND(kind="time")  # the last that TOML has


def hint(found: str, possible: Iterable[str]) -> Message:
    """What to say of a name that does not exist: the nearest one, and all."""
    names = list(possible)
    if not names:
        return NONE_POSSIBLE()
    near = nearest(found, names)
    if not near:
        return POSSIBLE_NAMES(possible=enumerated(names))
    return DID_YOU_MEAN(near=repr(near), possible=enumerated(names))
