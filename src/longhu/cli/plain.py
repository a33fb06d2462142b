"""Tables of figures as plain text, for pipes and files: what rich would print, without the time to start it.

It knows just as much of rich's interface as the pages of figures use. Cells are never folded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from unicodedata import east_asian_width

GAP = "   "


def width(text: str) -> int:
    """How many columns a text takes; a Chinese sign takes two.

    >>> width("Tie 和")
    6
    """
    return len(text) if text.isascii() else sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


class PlainText:
    """A text that takes styles and forgets them."""

    def __init__(self, text: str) -> None:
        self.text = text

    def append(self, text: str, style: str = "") -> PlainText:  # noqa: ARG002
        self.text += text
        return self

    def __str__(self) -> str:
        return self.text


@dataclass
class PlainColumn:
    """A column's head, and to which side its cells are set."""

    name: str
    right: bool
    no_wrap: bool = True

    def set(self, text: str, wide: int) -> str:
        room = " " * (wide - width(text))
        return room + text if self.right else text + room


@dataclass
class PlainTable:
    columns: list[PlainColumn]
    title: str = ""
    caption: str = ""
    caption_justify: str = "left"
    rows: list[list[str]] = field(default_factory=list)

    def add_row(self, *cells: object) -> None:
        self.rows.append([str(cell) for cell in cells])

    def __str__(self) -> str:
        head = [column.name for column in self.columns]
        wide = [max(map(width, cells)) for cells in zip(head, *self.rows, strict=True)]
        lines = [
            GAP.join(column.set(cell, room) for column, cell, room in zip(self.columns, row, wide, strict=True))
            for row in (head, *self.rows)
        ]
        lines.insert(1, "─" * (sum(wide) + len(GAP) * (len(wide) - 1)))
        title = [*self.title.split("\n")] if self.title else []
        shown = [*title, "", *(f" {line}".rstrip() for line in lines), ""]
        return "\n".join([*shown, self.caption] if self.caption else shown)


class PlainConsole:
    """Prints; as wide as anything needs."""

    width = 200

    def print(self, what: object, *, soft_wrap: bool = True) -> None:  # noqa: ARG002
        print(what)
