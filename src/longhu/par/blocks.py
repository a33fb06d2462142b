"""What a report is made of: sections of prose, facts, tables and figures.

The report is put together once, as plain texts; the page and the PDF only set it. So no number can differ
between the two, and what a game file says stays text in both.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any


class Kind(Enum):
    """How the cells of a column are set."""

    TEXT = "text"
    NUMBER = "number"  # to the right, never broken
    EXACT = "exact"  # digits that may be many: small, and broken where the column ends
    CLAUSE = "clause"


DIGITS_MAX = 26  # of a number that a column shows in one piece


def kind_of(*numbers: str) -> Kind:
    """How a column of such exact numbers is set: as others are, unless they have very many digits.

    >>> kind_of("172,640"), kind_of("9" * 60)
    (<Kind.NUMBER: 'number'>, <Kind.EXACT: 'exact'>)
    """
    return Kind.EXACT if max(map(len, numbers), default=0) > DIGITS_MAX else Kind.NUMBER


@dataclass(frozen=True, slots=True)
class Prose:
    text: str
    block: str = field(default="prose", init=False)


@dataclass(frozen=True, slots=True)
class Caution:
    """What a reader must not miss."""

    text: str
    block: str = field(default="caution", init=False)


@dataclass(frozen=True, slots=True)
class Command:
    """Something to type in a terminal."""

    text: str
    block: str = field(default="command", init=False)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that the report states, by name."""

    name: str
    text: str
    kind: Kind = Kind.TEXT


@dataclass(frozen=True, slots=True)
class Facts:
    facts: tuple[Fact, ...]
    block: str = field(default="facts", init=False)


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    kind: Kind = Kind.NUMBER


Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head; `total` is the sum at the foot, `marked` are the rows to look at."""

    columns: tuple[Column, ...]
    rows: tuple[Cells, ...]
    total: Cells = ()
    marked: tuple[int, ...] = ()
    title: str = ""
    block: str = field(default="table", init=False)

    def __post_init__(self) -> None:
        for row in (*self.rows, *([self.total] if self.total else [])):
            if len(row) != len(self.columns):
                raise AssertionError(f"a row of {len(row)} cells in a table of {len(self.columns)} columns: {row}")


@dataclass(frozen=True, slots=True)
class Figure:
    """A plot, as SVG of our own writing, and what it shows in words."""

    svg: str
    says: str


@dataclass(frozen=True, slots=True)
class Figures:
    """Plots side by side, where there is room for so many."""

    figures: tuple[Figure, ...]
    abreast: int = 2
    block: str = field(default="figures", init=False)


Block = Prose | Caution | Command | Facts | Table | Figures


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

    >>> plain(Fact("decks", "8"))
    {'name': 'decks', 'text': '8', 'kind': 'text'}
    """
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return value
