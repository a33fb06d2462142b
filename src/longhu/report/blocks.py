"""What a report is made of: prose, facts, tables, boxes and figures, in sections where it is long.

A result becomes blocks once. The renderers beside this module, and the terminal of the command line, only set them, so no number can
differ between two of them, and what a game file says stays text in each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any


class ColumnKind(Enum):
    """How the cells of a column are set."""

    TEXT = "text"
    NUMBER = "number"  # to the right, never broken
    EXACT = "exact"  # digits that may be many: small, and broken where the column ends
    CLAUSE = "clause"
    DRAWN = "drawn"  # bars made of signs, for terminals


class Tone(Enum):
    """How a text stands out where there are colours."""

    PLAIN = "plain"
    QUIET = "quiet"
    GOOD = "good"
    EVEN = "even"
    HALF = "half"
    BAD = "bad"
    FIRST = "first"  # of the two hands, as scoreboards paint them
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Span:
    """A text in one tone."""

    text: str
    tone: Tone = Tone.PLAIN
    strong: bool = False


Cell = str | Span | tuple[Span, ...]


def text_of(cell: Cell) -> str:
    """The text alone.

    >>> text_of((Span("Player", strong=True), Span(" wins", Tone.GOOD)))
    'Player wins'
    """
    if isinstance(cell, str):
        return cell
    return cell.text if isinstance(cell, Span) else "".join(each.text for each in cell)


DIGITS_MAX = 26  # of a number that a column shows in one piece


def kind_of(*numbers: Cell) -> ColumnKind:
    """How a column of such exact numbers is set: as others are, unless they have very many digits.

    >>> kind_of("172,640"), kind_of("9" * 60)
    (<ColumnKind.NUMBER: 'number'>, <ColumnKind.EXACT: 'exact'>)
    """
    return (
        ColumnKind.EXACT if max((len(text_of(each)) for each in numbers), default=0) > DIGITS_MAX else ColumnKind.NUMBER
    )


@dataclass(frozen=True, slots=True)
class Prose:
    text: Cell
    block: str = field(default="prose", init=False)


@dataclass(frozen=True, slots=True)
class Caution:
    """What a reader must not miss."""

    text: str
    block: str = field(default="caution", init=False)


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """Something to type in a terminal."""

    text: str
    block: str = field(default="command", init=False)


@dataclass(frozen=True, slots=True)
class NamedFact:
    """One thing that the report states, by name."""

    name: str
    text: str
    kind: ColumnKind = ColumnKind.TEXT


@dataclass(frozen=True, slots=True)
class Facts:
    facts: tuple[NamedFact, ...]
    block: str = field(default="facts", init=False)


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    kind: ColumnKind = ColumnKind.NUMBER
    spare: bool = False  # left out where there is little room


Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head; `total` is the sum at the foot, `marked` are the rows to look at."""

    columns: tuple[Column, ...]
    rows: tuple[Cells, ...]
    total: Cells = ()
    marked: tuple[int, ...] = ()
    title: str = ""
    ruled: tuple[int, ...] = ()  # rows that begin a group
    block: str = field(default="table", init=False)

    def __post_init__(self) -> None:
        for row in (*self.rows, *([self.total] if self.total else [])):
            if len(row) != len(self.columns):
                raise AssertionError(f"a row of {len(row)} cells in a table of {len(self.columns)} columns: {row}")

    def columns_kept(self, keep: Callable[[Column], bool]) -> Table:
        """The same table with some of its columns."""
        places = [place for place, column in enumerate(self.columns) if keep(column)]

        def some(row: Cells) -> Cells:
            return tuple(row[place] for place in places)

        columns = tuple(self.columns[place] for place in places)
        return replace(self, columns=columns, rows=tuple(map(some, self.rows)), total=self.total and some(self.total))


@dataclass(frozen=True, slots=True)
class Boxes:
    """Framed cells side by side, as areas lie on a cloth; a row of them after the other."""

    rows: tuple[Cells, ...]
    block: str = field(default="boxes", init=False)


@dataclass(frozen=True, slots=True)
class Figure:
    """A plot, as SVG of our own writing, and what it shows in words."""

    svg: str
    says: str


@dataclass(frozen=True, slots=True)
class PlotRow:
    """Plots side by side, where there is room for so many."""

    figures: tuple[Figure, ...]
    abreast: int = 2
    block: str = field(default="figures", init=False)


Block = Prose | Caution | ShellCommand | Facts | Table | Boxes | PlotRow


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    blocks: tuple[Block, ...]
    parts: tuple[Section, ...] = ()
    chinese: str = ""  # the title in Chinese, where the layout has it


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    chinese: str
    subtitle: str
    date: str  # 2026-03-31
    reference: str  # at the head of every printed page
    facts: Facts
    notes: tuple[Block, ...]  # what holds for the whole report
    sections: tuple[Section, ...]


def plain(value: Any) -> Any:
    """Nothing but mappings, lists and texts: what a template, or JSON, takes.

    >>> plain(NamedFact("decks", "8"))
    {'name': 'decks', 'text': '8', 'kind': 'text'}
    """
    if isinstance(value, Span):
        return value.text
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return value
