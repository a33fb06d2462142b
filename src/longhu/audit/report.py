"""The report of a verification: the first check that failed, with its place in the file, or counts of what was replayed.

It also lists what was noticed and what could not be checked.
"""

from __future__ import annotations

from typing import Any

import msgspec

from longhu.audit.signed_heads import when
from longhu.eventsourcing import Event, name_of
from longhu.positions import Position

SHOWN = 200  # characters of a value in a message


class CheckFailed(Exception):
    """A check that does not hold, in words. The verifier adds the place in the file."""


class VerificationFailed(Exception):
    """The first check that failed: where, and what was found."""

    def __init__(self, line: int, says: str, *, sequence: int = 0, at: int = 0, event: str = "") -> None:
        self.line, self.says, self.sequence, self.at, self.event = line, says, sequence, at, event
        super().__init__(str(self))

    def __str__(self) -> str:
        place = f"line {self.line}"
        if self.sequence:
            about = [f"record {self.sequence}", self.event, when(self.at) if self.at else ""]
            place += f" ({', '.join(filter(None, about))})"
        return f"{place}: {self.says}"


class NotAProof(VerificationFailed):
    """The file is of another kind than a proof of a table, and may be sound as what it is."""


class VerificationReport(msgspec.Struct):
    """What was replayed, in numbers; and in words what was noticed and what was not checked."""

    table: str
    span: str
    games: list[str]
    editions: list[str] = []  # of the rules: what every round names
    records: int = 0
    first_at: int = 0
    last_at: int = 0
    commands: int = 0
    refusals: int = 0
    second_persons: int = 0  # acts that somebody co-signed, and reports that somebody confirmed
    authorities: list[int] = []  # the versions of the table of authority that the records name
    rounds: int = 0
    voided: int = 0
    wagers: int = 0
    cards: int = 0
    sources: dict[str, int] = {}  # cards that were laid, by whose word their faces are
    face_down: int = 0
    postings: int = 0
    commitments: int = 0
    contributions: int = 0
    shuffles: int = 0
    shuffled_cards: int = 0
    heads: int = 0
    signed_to: int = 0  # the last record with a signed head
    anchors: int = 0  # heads kept by witnesses, which agree
    anchored_to: int = 0
    states: int = 0
    not_checked: list[str] = []
    remarks: list[str] = []
    head: str = ""


def position_name(position: Position | None) -> str:
    return "no position" if position is None else f"the position of {position.word}"


def difference(event: Event, expected: Event) -> str:
    """The first field in which a record differs from what the rules lead to."""
    if type(event) is not type(expected):
        return f"{name_of(event)} is on record, and the rules lead to {name_of(expected)}"
    for field in event.__struct_fields__:
        found, due = getattr(event, field), getattr(expected, field)
        if found != due:
            return f"{field} is {_shown(found)}, and the rules make it {_shown(due)}"
    return "it differs from what the rules lead to"


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
