"""What a verifier finds: the first thing that is wrong, in words; and what was checked, with counts."""

from __future__ import annotations

from typing import Any

import msgspec

from longhu.audit import signed_heads
from longhu.audit.record import SALT_BYTES
from longhu.table.acts import Event


class VerificationFailed(Exception):
    """The first thing that is wrong: where it stands, and what it is, in words."""

    def __init__(self, line: int, says: str, *, sequence: int = 0, at: int = 0, event: str = "") -> None:
        self.line, self.says, self.sequence, self.at, self.event = line, says, sequence, at, event
        super().__init__(str(self))

    def __str__(self) -> str:
        place = f"line {self.line}"
        if self.sequence:
            told = [f"record {self.sequence}", self.event, signed_heads.when(self.at) if self.at else ""]
            place += f" ({', '.join(filter(None, told))})"
        return f"{place}: {self.says}"


class NotAProof(VerificationFailed):
    """It is something else than a proof, and may be sound as what it is."""


class VerificationReport(msgspec.Struct):
    """What was checked, and how much of it."""

    table: str
    span: str
    games: list[str]
    records: int = 0
    first_at: int = 0
    last_at: int = 0
    commands: int = 0
    refusals: int = 0
    rounds: int = 0
    voided: int = 0
    wagers: int = 0
    cards: int = 0
    face_down: int = 0
    postings: int = 0
    commitments: int = 0
    contributions: int = 0
    shuffles: int = 0
    shuffled_cards: int = 0
    heads: int = 0
    signed_to: int = 0  # the last record that a head is of
    anchors: int = 0  # kept outside, and in agreement
    anchored_to: int = 0
    states: int = 0
    remarks: list[str] = []
    head: str = ""


def event_name(event: Event) -> str:
    return str(type(event).__struct_config__.tag).partition("/")[0]


def is_salt(text: str) -> bool:
    return len(text) == 2 * SALT_BYTES and not text.strip("0123456789abcdef")


def held_word(position: Any) -> str:
    return "no position" if position is None else f"the position of {position.word}"


def difference(event: Event, expected: Event) -> str:
    """What the trail says and what the rules say, in the first field that differs."""
    if type(event) is not type(expected):
        return f"{event_name(event)} is on record, and the rules lead to {event_name(expected)}"
    for field in event.__struct_fields__:
        found, due = getattr(event, field), getattr(expected, field)
        if found != due:
            return f"{field} is {shown(found)}, and the rules make it {shown(due)}"
    return "it differs from what the rules say"


def shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 200 else text[:200] + "…"
