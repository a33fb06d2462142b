"""The rulebook: every clause of the rule documents, and what regulators ask.

A clause has an id (``IDT-5.11.3``: document, hyphen, number as printed), what it requires, how a test can
see it, and, where the document is doubtful, the reading that we take.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DOCUMENTS = {
    "DT": "Dragon Tiger (MBS), rules in effect from 17 July 2013",
    "D21": "Dragon 21",
    "IDT": "Immortal Dragon Tiger Baccarat (MBS), rules in effect from 28 July 2025",
    "DBO": "Baccarat with Dragon Bonus, online, 2020",
    "DBC": "Dragon Bonus baccarat, the patron's card",
}
KINDS = (
    "definition", "deal", "wager", "payout", "lifecycle", "limits", "roles", "irregularity", "equipment", "layout",
    "display", "figure", "incorporated-by-reference",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clause:
    """One requirement of one document."""

    id: str
    place: str  # where the document says it: "1.1.2 (start)"
    kind: str
    requirement: str
    acceptance: str
    reading: str  # how a doubtful clause is read, with the number of the question; else empty

    @property
    def document(self) -> str:
        return self.id.partition("-")[0]


@dataclass(frozen=True, slots=True)
class Standard:
    """Something that regulators ask of any table system."""

    id: str
    area: str
    requirement: str


@cache
def clauses() -> Mapping[str, Clause]:
    """All clauses by id, in the documents' order."""
    return {row[0]: Clause(*row) for row in rulebook_rows("clauses.csv")}


@cache
def standards() -> Mapping[str, Standard]:
    return {row[0]: Standard(*row) for row in rulebook_rows("standards.csv")}


def rulebook_rows(name: str) -> list[list[str]]:
    """The rows of one of the rulebook's tables, without its head."""
    with (Path(__file__).parent / "rulebook" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]
