"""A report as a piece of HTML, as notebooks show a result."""

from __future__ import annotations

from html import escape

from longhu.report.blocks import (
    Block,
    Boxes,
    Caution,
    Cells,
    ColumnKind,
    Facts,
    PlotRow,
    Prose,
    ShellCommand,
    Table,
    text_of,
)


def as_html(*blocks: Block) -> str:
    """Nothing in a text is read as HTML; pictures are SVG of our own writing."""
    return "".join(map(_html, blocks))


def _html(block: Block) -> str:
    match block:
        case Prose() | Caution() | ShellCommand():
            return f"<p>{escape(text_of(block.text))}</p>"
        case Facts():
            rows = (f"<tr><th>{escape(fact.name)}</th><td>{escape(fact.text)}</td></tr>" for fact in block.facts)
            return f"<table><tbody>{''.join(rows)}</tbody></table>"
        case Table():
            return _table(block.columns_kept(lambda column: column.kind is not ColumnKind.DRAWN))
        case Boxes():
            return "".join(f"<table><tr>{_cells('td', row)}</tr></table>" for row in block.rows)
        case PlotRow():
            return "".join(figure.svg for figure in block.figures)


def _table(table: Table) -> str:
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = f"<thead><tr>{_cells('th', tuple(column.title for column in table.columns))}</tr></thead>"
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in table.rows)
    foot = f"<tfoot><tr>{_cells('td', table.total)}</tr></tfoot>" if table.total else ""
    return f"<table>{caption}{head}<tbody>{body}</tbody>{foot}</table>"


def _cells(tag: str, cells: Cells) -> str:
    return "".join(f"<{tag}>{escape(text_of(cell))}</{tag}>" for cell in cells)
