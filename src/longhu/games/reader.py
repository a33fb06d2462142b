"""Typed access to a game file's values; every mistake is noted with its place and reading goes on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import date, datetime
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from longhu.games.source import GameFileError, Path, Problem, Source
from longhu.wording import shown, suggest

T = TypeVar("T")
TEXT_MAX = 600
ENTRIES_MAX = 200
PROBLEMS_MAX = 500  # more are not told at once
_ID = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")


class Wrong(Exception):
    """A value that could not be read; its problem is noted already."""


class Node:
    """A value in the file together with where it stands."""

    def __init__(self, source: Source, problems: list[Problem], value: Any, path: Path = ()) -> None:
        self.source, self.problems, self.value, self.path = source, problems, value, path

    # ------------------------------------------------ mistakes

    def note(self, message: str, *, at: int | None = None, key: bool = False) -> None:
        """Remember a mistake at this value, at its key, or at a character of this text."""
        place = self.source.key_place(self.path) if key else self.source.value_place(self.path)
        if at is not None:
            place = self.source.inside(self.path, at)
        self.problems.append(Problem(place, message, self.path, at))
        if len(self.problems) >= PROBLEMS_MAX:
            raise GameFileError(self.source.name, self.problems)

    def fail(self, message: str, *, at: int | None = None, key: bool = False) -> NoReturn:
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
        named = next((part for part in reversed(self.path) if isinstance(part, str)), "the file")
        return named if named.isprintable() else shown(named)

    # ------------------------------------------------ tables and lists

    def table(self, required: Iterable[str] = (), optional: Iterable[str] = ()) -> Node:
        """This value as a table with just these keys."""
        if not isinstance(self.value, dict):
            self.fail(f"{self.place_name} must be a table, found {kind(self.value)}")
        known = [*required, *optional]
        for key in self.value:
            if key not in known:
                self.child(key).note(unknown_key(key, known), key=True)
        for key in required:
            if key not in self.value:
                self.note(f"{self._titled()} has no {key!r}, and needs one", key=True)
        return self

    def _titled(self) -> str:
        if not self.path:
            return "the file"
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
            self.fail(f"{self.place_name} must be a table, found {kind(self.value)}")
        if len(self.value) > most:
            self.fail(f"{self.place_name} has {len(self.value)} entries, and at most {most} are read")
        return [(key, self.child(key)) for key in self.value]

    def elements(self, most: int = ENTRIES_MAX) -> list[Node]:
        if not isinstance(self.value, list):
            self.fail(f"{self.place_name} must be a list, found {kind(self.value)}")
        if len(self.value) > most:
            self.fail(f"{self.place_name} has {len(self.value)} entries, and at most {most} are read")
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
            self.fail(f"{self.place_name} must be a text, found {kind(self.value)}")
        value: str = self.value
        if not value.strip():
            self.fail(f"{self.place_name} is empty")
        if len(value) > TEXT_MAX:
            self.fail(f"{self.place_name} has {len(value)} characters, and at most {TEXT_MAX} are read")
        for at, sign in enumerate(value):
            if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp"):
                self.fail(f"{self.place_name} holds the invisible character U+{ord(sign):04X}", at=at)
        return value

    def id(self) -> str:
        value = self.text()
        if not _ID.fullmatch(value) or len(value) > 60:
            self.fail(f"{value[:60]!r} is no id: use small letters, digits and hyphens, as in dragon-big")
        return value

    def integer(self, least: int, most: int) -> int:
        if type(self.value) is not int:
            self.fail(f"{self.place_name} must be a whole number, found {kind(self.value)}")
        if not least <= self.value <= most:
            self.fail(f"{self.place_name} is {shown(self.value)}, and must be from {least} to {most}")
        return int(self.value)

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            self.fail(f"{self.place_name} must be true or false, found {kind(self.value)}")
        return self.value

    def one_of(self, possible: Iterable[str]) -> str:
        value, listed = self.text(), list(possible)
        if value not in listed:
            self.fail(f"{self.place_name} is {value[:40]!r}.{suggest(value, listed)}")
        return value

    def day(self) -> date | datetime:
        if not isinstance(self.value, date):
            self.fail(f"{self.place_name} must be a date such as 2025-07-28, found {kind(self.value)}")
        return self.value

    def percentage(self) -> tuple[Fraction, int]:
        """`98.76%` as an exact share and its number of decimals."""
        found = re.fullmatch(r"([0-9]{1,4})(?:\.([0-9]{1,12}))?\s?%", self.text())
        if not found:
            self.fail(f'{self.place_name} is {self.value!r}: write a percentage such as "98.76%"')
        decimals = found[2] or ""
        return Fraction(int(found[1] + decimals), 100 * 10 ** len(decimals)), len(decimals)


def kind(value: object) -> str:
    """What was found, in the file's own words."""
    for type_, name in (
        (bool, "a truth value"), (int, "a number"), (float, "a decimal number"), (str, "a text"),
        (list, "a list"), (dict, "a table"), (datetime, "a date and time"), (date, "a date"),
    ):  # fmt: skip
        if isinstance(value, type_):
            return f"{name} ({shown(value)})" if isinstance(value, bool | int | float | str) else name
    return f"a {type(value).__name__}"


def unknown_key(found: str, possible: list[str]) -> str:
    return f"unknown key {found[:40]!r}.{suggest(found, possible)}"
