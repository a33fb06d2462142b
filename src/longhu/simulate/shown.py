"""A table of figures as Python shows it: in a terminal, and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def as_text(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, figures to the right.

    >>> print(as_text("Three rounds", ["wager", "return"], [["Tie", "94 %"], ["Player", "101 %"]]))
    Three rounds
    wager   return
    Tie       94 %
    Player   101 %
    """
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
    lines = [
        "  ".join(cell.rjust(width) if place else cell.ljust(width) for place, (cell, width) in enumerate(pairs))
        for pairs in (zip(row, widths, strict=True) for row in (head, *rows))
    ]
    return "\n".join([title, *(line.rstrip() for line in lines)])


def as_html(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Nothing in a cell is read as HTML."""
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
