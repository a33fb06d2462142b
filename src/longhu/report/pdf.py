"""The report as a PDF for the file: archival (PDF/A-2a) and accessible (PDF/UA-1), set by typst.

The template gets the report as JSON, so nothing that a game file says is read as markup. Only the fonts that
come with typst are used, which makes the same report the same bytes on every machine. They have no Chinese:
Chinese names are left out, and any other sign that they lack is marked.
"""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import typst

from longhu.report.blocks import Report, plain

TEMPLATE = Path(__file__).with_name("document.typ")
LACKING = "[…]"  # stands for signs that no font of the document has
HAVE = (
    (0x20, 0x24F),  # Latin
    (0x370, 0x4FF),  # Greek, Cyrillic
    (0x1E00, 0x1EFF),  # Latin of Vietnam and others
    (0x2010, 0x2040),  # dashes, quotation marks
    (0x2070, 0x20BF),  # superscripts, currencies
    (0x2190, 0x22FF),  # arrows, mathematical signs
    (0x2660, 0x2667),  # suits of cards
)
SECONDS_PER_DAY = 86_400


def printable(value: Any) -> Any:
    """The same texts, with a mark for signs that the fonts lack and without what is no sign at all.

    >>> printable({"says": ["Tie 和局", "Ø 5\\u00a0%"]})
    {'says': ['Tie […]', 'Ø 5\\xa0%']}
    """
    if isinstance(value, dict):
        return {name: printable(each) for name, each in value.items()}
    if isinstance(value, list):
        return [printable(each) for each in value]
    if not isinstance(value, str):
        return value
    return re.sub("\0+", LACKING, "".join(sign if _printable(sign) else "\0" for sign in value.replace("\t", " ")))


def _printable(sign: str) -> bool:
    return (sign.isprintable() or sign in "\n\N{NO-BREAK SPACE}") and (
        sign == "\n" or any(low <= ord(sign) <= high for low, high in HAVE)
    )


def document(report: Report) -> bytes:
    """A PDF; the day of the report is its date."""
    return _compile(report, format="pdf", pdf_standards=["a-2a", "ua-1"])


def _compile(report: Report, **how: Any) -> bytes:
    told = plain(report)
    day = date.fromisoformat(report.date)
    compiled = typst.compile(
        TEMPLATE.read_bytes(),
        root=TEMPLATE.parent,
        sys_inputs={"report": json.dumps(printable(told), ensure_ascii=False)},
        ignore_system_fonts=True,
        timestamp=(day - date(1970, 1, 1)).days * SECONDS_PER_DAY,
        **how,
    )
    if not isinstance(compiled, bytes):
        raise AssertionError("typst gave no single document")
    return compiled


def pages(pdf: bytes) -> int:
    """How many pages it has: the tree of pages tells at its root."""
    return max((int(count) for count in re.findall(rb"/Type\s*/Pages\b[^>]*?/Count\s+(\d+)", pdf)), default=0)
