"""A report as plain text: for pipes and files, and as Python prints a result. Cells are never folded."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

from longhu.report.blocks import (
    Block,
    Boxes,
    Caution,
    Cells,
    Column,
    ColumnKind,
    Facts,
    PlotRow,
    Prose,
    ShellCommand,
    Table,
    text_of,
)

GAP = "   "
SHARES = " ▁▂▃▄▅▆▇█"  # of a line, from below
EIGHTHS = " ▏▎▍▌▋▊▉"  # of a full block, for the end of a bar
TO_THE_RIGHT = (ColumnKind.NUMBER, ColumnKind.EXACT)


def as_text(*blocks: Block) -> str:
    """Blocks one under the other; a table stands apart.

    >>> wagers = (Column("wager", ColumnKind.TEXT), Column("return"))
    >>> print(as_text(Prose("Three rounds"), Table(wagers, (("Tie", "94 %"), ("Player", "101 %")))))
    Three rounds
    <BLANKLINE>
    wager    return
    ───────────────
    Tie        94 %
    Player    101 %
    """
    told: list[str] = []
    apart = False
    for block in blocks:
        set_apart = isinstance(block, Table | Boxes | Facts)
        if told and (apart or set_apart):
            told.append("")
        told += _lines(block)
        apart = set_apart
    return "\n".join(line.rstrip() for line in told)


def width(text: str) -> int:
    """How many columns a text takes; a Chinese sign takes two.

    >>> width("Tie 和")
    6
    """
    return len(text) if text.isascii() else sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def _lines(block: Block) -> list[str]:
    match block:
        case Prose() | Caution() | ShellCommand():
            return text_of(block.text).split("\n")
        case Facts():
            room = max(width(fact.name) for fact in block.facts)
            return [f"{_set(fact.name, room)}{GAP}{fact.text}" for fact in block.facts]
        case Table():
            return _table(block)
        case Boxes():
            return [line for row in block.rows for line in _boxes(row)]
        case PlotRow():
            return [figure.says for figure in block.figures]


def _table(table: Table) -> list[str]:
    head = tuple(column.title for column in table.columns)
    rows = [*table.rows, *([table.total] if table.total else [])]
    cells = [[text_of(cell) for cell in row] for row in (head, *rows)]
    rooms = [max(map(width, column)) for column in zip(*cells, strict=True)]
    rule = "─" * (sum(rooms) + len(GAP) * (len(rooms) - 1))
    lines = [_row(table.columns, row, rooms) for row in cells]
    body = lines[1 : 1 + len(table.rows)]
    shown = [lines[0], rule, *body] if any(head) else body
    if table.total:
        shown += [rule, lines[-1]]
    return [*table.title.split("\n"), "", *shown] if table.title else shown


def _row(columns: Sequence[Column], row: Sequence[str], rooms: Sequence[int]) -> str:
    return GAP.join(
        _set(cell, room, right=column.kind in TO_THE_RIGHT)
        for column, cell, room in zip(columns, row, rooms, strict=True)
    )


def _boxes(row: Cells) -> list[str]:
    texts = [text_of(cell) for cell in row]
    bars = ["─" * (width(text) + 2) for text in texts]
    return [f"┌{'┬'.join(bars)}┐", f"│ {' │ '.join(texts)} │", f"└{'┴'.join(bars)}┘"]


def _set(text: str, room: int, *, right: bool = False) -> str:
    spare = " " * (room - width(text))
    return spare + text if right else text + spare
