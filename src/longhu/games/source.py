"""A game file as text: read safely, and with the place of every value.

`tomllib` reads the file; it does not say where a value stood. A second, simple pass over the same text,
which is known to be sound by then, notes line and column of each key and value, so that every mistake is
told with its place.
"""

from __future__ import annotations

import pathlib
import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from longhu.messages.localization import Localization
from longhu.messages.message import Message, message_code
from longhu.wording import shown

FILE_BYTES_MAX = 256 * 1024
NESTING_MAX = 12
Path = tuple[str | int, ...]

CANNOT_BE_READ = message_code("file-cannot-be-read", reason="text")
FILE_TOO_LARGE = message_code("file-too-large", kib="number")
FILE_NOT_UTF8 = message_code("file-not-utf8", byte="number")
FILE_NOT_TOML = message_code("file-not-toml", detail="text")
FILE_ENDS_TOO_EARLY = message_code("file-ends-too-early", detail="text")
FILE_TOO_DEEP = message_code("file-too-deep", most="number")
TOO_MANY_DIGITS = message_code("file-too-many-digits")
NUMBER_TOO_LARGE = message_code("file-number-too-large", found="text")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class FileMistake:
    """One mistake in a file, where it is, and what can be done."""

    place: Place
    message: Message
    path: Path = field(default=(), compare=False)  # the value or key in the file; () where the text itself is wrong
    offset: int | None = field(default=None, compare=False)  # the character of a text at which it is

    def text(self, words: Localization | None = None) -> str:
        """The mistake as a sentence, in English unless another language is asked for."""
        return (words or Localization()).text(self.message)

    def at(self, file: str) -> str:
        return f"{file}:{self.place.line}:{self.place.column}: {self.text()}"


class GameFileError(ValueError):
    """A game file that cannot be used, with every mistake found in it."""

    def __init__(self, file: str, problems: list[FileMistake]) -> None:
        self.file = file
        self.problems = sorted(set(problems), key=lambda each: (each.place, each.text()))
        super().__init__("\n".join(problem.at(file) for problem in self.problems))


@dataclass(frozen=True, slots=True)
class FileSource:
    """The data of a file and where each key and value stands in it."""

    name: str
    data: dict[str, Any]
    keys: dict[Path, Place] = field(repr=False)
    values: dict[Path, Place] = field(repr=False)
    written: dict[Path, str] = field(default_factory=dict, repr=False)  # texts as they stand in the file
    text: str = field(default="", repr=False)  # the whole file

    def inside(self, path: Path, offset: int) -> Place:
        """The place of a character of a text; quotes, line ends and escapes in the file are counted."""
        start, raw = self.value_place(path), self.written.get(path, "")
        quote = 3 if raw[:3] in ('"""', "'''") else 1
        at = quote + 1 if raw[quote : quote + 1] == "\n" else quote
        for _ in range(offset):
            escaped = _ESCAPE.match(raw, at) if raw.startswith('"') else None
            at = escaped.end() if escaped else at + 1
        lines = raw.count("\n", 0, at)
        column = at - raw.rfind("\n", 0, at) if lines else start.column + at
        return Place(start.line + lines, column)

    def key_place(self, path: Path) -> Place:
        return self._nearest(self.keys, path)

    def value_place(self, path: Path) -> Place:
        return self._nearest(self.values, path)

    def _nearest(self, places: dict[Path, Place], path: Path) -> Place:
        """The place of a path, or of the closest thing around it (a key that is missing has no place)."""
        for end in range(len(path), -1, -1):
            for known in (places, self.keys, self.values):
                if path[:end] in known:
                    return known[path[:end]]
        return Place(1, 1)


def read_file(path: pathlib.Path) -> FileSource:
    """Read a game file from disk, refusing one that is too large before reading it."""
    try:
        with path.open("rb") as file:
            octets = file.read(FILE_BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GameFileError(str(path), [FileMistake(Place(1, 1), CANNOT_BE_READ(reason=str(reason)))]) from None
    return read_bytes(octets, str(path))


def read_bytes(octets: bytes, name: str) -> FileSource:
    if len(octets) > FILE_BYTES_MAX:
        _fail(name, Place(1, 1), FILE_TOO_LARGE(kib=FILE_BYTES_MAX // 1024))
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError as error:
        line = octets.count(b"\n", 0, error.start) + 1
        _fail(name, Place(line, 1), FILE_NOT_UTF8(byte=error.start))
    return read_text(text.removeprefix("\ufeff").replace("\r\n", "\n"), name)


def read_text(text: str, name: str) -> FileSource:
    _refuse_deep_nesting(text, name)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place, message = _toml_complaint(str(error), text)
        _fail(name, place, message)
    except (RecursionError, ValueError):  # what tomllib itself cannot hold: a number of thousands of digits
        found = re.search(r"[0-9_]{1000,}", text)
        _fail(name, _place(text, found.start() if found else 0), TOO_MANY_DIGITS())
    scan = _Scan(text)
    try:
        scan.document()
    except _TooDeep:
        _fail(name, scan.place(), FILE_TOO_DEEP(most=NESTING_MAX))
    source = FileSource(name, data, scan.keys, scan.values, scan.written, text)
    _refuse_huge_numbers(source)
    return source


def _refuse_huge_numbers(source: FileSource) -> None:
    parts: list[tuple[Path, Any]] = [((), source.data)]
    while parts:
        path, value = parts.pop()
        if isinstance(value, dict):
            parts += [((*path, key), each) for key, each in value.items()]
        elif isinstance(value, list):
            parts += [((*path, index), each) for index, each in enumerate(value)]
        elif isinstance(value, int) and value.bit_length() > 63:
            _fail(source.name, source.value_place(path), NUMBER_TOO_LARGE(found=shown(value)))


def _fail(name: str, place: Place, message: Message) -> Any:
    raise GameFileError(name, [FileMistake(place, message)])


def _place(text: str, at: int) -> Place:
    return Place(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def _toml_complaint(complaint: str, text: str) -> tuple[Place, Message]:
    """`Invalid value (at line 3, column 8)` as a place and the rest, in the words of Python's own reader."""
    found = re.search(r"^(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)$", complaint, re.DOTALL)
    if not found:
        return Place(1, 1), FILE_NOT_TOML(detail=complaint[:200])
    if found[2]:
        return Place(int(found[2]), int(found[3])), FILE_NOT_TOML(detail=found[1][:200])
    return Place(text.count("\n") + 1, 1), FILE_ENDS_TOO_EARLY(detail=found[1][:200])


_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}' r"|'''(?:[^']|'(?!''))*'{3,5}" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'", re.DOTALL
)
_OPEN_STRING = re.compile(  # a string, or as much as there is of one that never ends
    r'"""(?:[^"\\]|\\.|"(?!""))*(?:"{3,5}|\Z)'
    r"|'''(?:[^']|'(?!''))*(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\.)*(?:"|(?=\n)|\Z)'
    r"|'[^'\n]*(?:'|(?=\n)|\Z)",
    re.DOTALL,
)
_KEY = r"""(?:[A-Za-z0-9_-]{1,64}|"(?:[^"\\\n]|\\.){0,64}"|'[^'\n]{0,64}')"""
_DOTTED = rf"(?P<dotted>(?:{_KEY}[ \t]{{0,9}}\.[ \t]{{0,9}}){{{NESTING_MAX}}})"  # early, before tomllib labours at it
_BRACKETS = re.compile(rf"{_DOTTED}|{_OPEN_STRING.pattern}|#[^\n]*|[\[{{\]}}]", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\n\s*|.)", re.DOTALL)
_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_INLINE_BLANK = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^\s,\]}#]+(?: [0-9:.+Z-]+)?")


def _refuse_deep_nesting(text: str, name: str) -> None:
    """Count brackets outside strings and comments, before anything recurses into them."""
    depth = 0
    for found in _BRACKETS.finditer(text):
        if found[0] in ("[", "{"):
            depth += 1
        elif found[0] in ("]", "}"):
            depth = max(0, depth - 1)
        if depth > NESTING_MAX or found["dotted"]:
            place = _place(text, found.start())
            _fail(name, place, FILE_TOO_DEEP(most=NESTING_MAX))


class _TooDeep(Exception):
    """A key of too many parts."""


class _Scan:
    """Walk over text that is known to be valid TOML and note where things stand."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.keys: dict[Path, Place] = {}
        self.values: dict[Path, Place] = {}
        self.written: dict[Path, str] = {}
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._line = 0
        self._arrays: dict[Path, int] = {}  # arrays of tables: how many elements so far

    def place(self) -> Place:
        while self._line + 1 < len(self._lines) and self._lines[self._line + 1] <= self.at:
            self._line += 1
        return Place(self._line + 1, self.at - self._lines[self._line] + 1)

    def skip(self, pattern: re.Pattern[str] = _BLANK) -> None:
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()

    def document(self) -> None:
        table: Path = ()
        self.skip()
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self.header()
            else:
                self.pair(table)
            self.skip()

    def header(self) -> Path:
        place, double = self.place(), self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        names = self.dotted()
        self.at += 2 if double else 1
        path: Path = ()
        for name in names[:-1]:
            path = self._inside((*path, name))
        path = (*path, names[-1])
        if double:
            number = self._arrays[path] = self._arrays.get(path, -1) + 1
            self.keys.setdefault(path, place)
            path = (*path, number)
        self.keys[path] = self.values[path] = place
        return path

    def _inside(self, path: Path) -> Path:
        """A path that leads through an array of tables leads through its last element."""
        return (*path, self._arrays[path]) if path in self._arrays else path

    def dotted(self) -> list[str]:
        names: list[str] = []
        while True:
            self.skip(_INLINE_BLANK)
            quoted = _STRING.match(self.text, self.at)
            found = quoted or _BARE.match(self.text, self.at)
            if found is None:
                return names
            self.at = found.end()
            names.append(tomllib.loads(f"k = {found[0]}")["k"] if quoted else found[0])
            if len(names) > NESTING_MAX:
                raise _TooDeep
            self.skip(_INLINE_BLANK)
            if not self.text.startswith(".", self.at):
                return names
            self.at += 1

    def pair(self, table: Path) -> None:
        place = self.place()
        path = table
        for name in self.dotted():
            path = (*path, name)
            self.keys.setdefault(path, place)
        self.at += 1  # the equals sign
        self.skip(_INLINE_BLANK)
        self.value(path)

    def value(self, path: Path) -> None:
        self.values[path] = self.place()
        if self.text.startswith("[", self.at):
            self.array(path)
        elif self.text.startswith("{", self.at):
            self.inline_table(path)
        else:
            quoted = _STRING.match(self.text, self.at)
            found = quoted or _SCALAR.match(self.text, self.at)
            if quoted:
                self.written[path] = quoted[0]
            self.at = found.end() if found else self.at + 1

    def array(self, path: Path) -> None:
        self.at += 1
        number = 0
        while True:
            self.skip()
            if self.text.startswith("]", self.at):
                self.at += 1
                return
            self.value((*path, number))
            number += 1
            self.skip()
            if self.text.startswith(",", self.at):
                self.at += 1

    def inline_table(self, path: Path) -> None:
        self.at += 1
        while True:
            self.skip()
            if self.text.startswith("}", self.at):
                self.at += 1
                return
            self.pair(path)
            self.skip()
            if self.text.startswith(",", self.at):
                self.at += 1
