"""A report as Markdown, for documents that others go on writing."""

from __future__ import annotations

from longhu.report.blocks import (
    Block,
    Boxes,
    Caution,
    Cells,
    ColumnKind,
    Facts,
    PlotRow,
    Prose,
    Section,
    ShellCommand,
    Table,
    text_of,
)


def as_markdown(title: str, blocks: tuple[Block, ...], sections: tuple[Section, ...] = ()) -> str:
    """A page with a title; each section has a heading of its own."""
    told = [f"# {title}", "", *_blocks(blocks)]
    for section in sections:
        told += [f"## {section.title}", "", *_blocks(section.blocks)]
    return "\n".join(told).rstrip() + "\n"


def _blocks(blocks: tuple[Block, ...]) -> list[str]:
    return [line for block in blocks for line in (*_lines(block), "")]


def _lines(block: Block) -> list[str]:
    match block:
        case Prose() | Caution():
            return [text_of(block.text)]
        case ShellCommand():
            return [f"    {block.text}"]
        case Facts():
            return [f"- {fact.name}: {fact.text}" for fact in block.facts]
        case Table():
            return _table(block)
        case Boxes():
            return [_row(row) for row in block.rows]
        case PlotRow():
            return [figure.says for figure in block.figures]


def _table(table: Table) -> list[str]:
    shown = table.columns_kept(lambda column: column.kind is not ColumnKind.DRAWN)
    exact = [column.kind is ColumnKind.EXACT for column in shown.columns]
    marks = tuple("---:" if column.kind in (ColumnKind.NUMBER, ColumnKind.EXACT) else "---" for column in shown.columns)
    rows = [
        tuple(f"`{text_of(cell)}`" if digits else cell for cell, digits in zip(row, exact, strict=True))
        for row in (*shown.rows, *([shown.total] if shown.total else []))
    ]
    head: Cells = tuple(column.title for column in shown.columns)
    titled = [f"**{table.title}**", ""] if table.title else []
    return [*titled, *map(_row, (head, marks, *rows))]


def _row(cells: Cells) -> str:
    return "| " + " | ".join(text_of(cell).replace("|", "\\|") for cell in cells) + " |"
