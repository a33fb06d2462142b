"""A part of an audit log as a proof of its own: a shoe, a day, or all of it.

A part starts where the state of the table was put on record, so that whoever gets it can check that it starts from the
right one. One pass finds it, and keeps the lines since the last such place in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from longhu.audit import proof
from longhu.audit.record import Record, decode, digest, why_no_record
from longhu.audit.signed_heads import Head, day_of
from longhu.eventsourcing import Event
from longhu.table.checkpoint import StateRecorded
from longhu.table.engine import evolve
from longhu.table.shuffling import ShuffleCommitted, ShuffleRevealed
from longhu.table.state import Table

WHOLE = "the whole table"
DAY = 86_400_000  # milliseconds


class LogSpan(msgspec.Struct, frozen=True):
    """Which records are wanted, and what that is called."""

    says: str
    starts: Callable[[Event], bool]
    ends: Callable[[Event], bool] = lambda _: False  # with this record
    over: Callable[[Event], bool] = lambda _: False  # before this record


def whole() -> LogSpan:
    return LogSpan(WHOLE, lambda _: True)


def shoe(number: int) -> LogSpan:
    """From the commitment to the secret."""
    return LogSpan(
        f"shoe {number}",
        lambda event: isinstance(event, ShuffleCommitted) and event.number == number,
        ends=lambda event: isinstance(event, ShuffleRevealed) and event.number == number,
    )


def day(start: int, says: str) -> LogSpan:
    """The records of a day, which starts at this millisecond (UTC)."""
    return LogSpan(says, lambda event: start <= event.at < start + DAY, over=lambda event: event.at >= start + DAY)


def is_span(says: str, *, part: bool, shoe: int, last_at: int) -> bool:
    """Is a proof that ends with this shoe, at this time, what it is called?"""
    if says == WHOLE:
        return not part
    if says.startswith("shoe "):
        return says == f"shoe {shoe}"
    return says == day_of(last_at)


class Signer(msgspec.Struct, frozen=True):
    """Whoever vouches for the last record: the house's key, and what it signs."""

    key: str
    sign: Callable[[str, int, str], Head]


def export(lines: Iterable[bytes], span: LogSpan, signer: Signer | None = None, program: str = "") -> Iterator[bytes]:
    """The lines of the proof; `ProofError` where nothing of the span is there, or the records do not follow each other."""
    source = proof.followed(lines)
    opening = proof.read_opening(next(source, b""))
    key = signer.key if signer else opening.key
    says = opening.span if span.says == WHOLE else span.says  # the whole of a part is that part
    first = proof.opening_line(opening.table, says, opening.games, program=program, key=key)
    table: Table | None = Table(game="")  # None once the part has begun: nobody asks for it any more
    since: list[bytes] = [first]  # what the proof starts with, if it starts with the next record
    sequence, head, records = 0, "", 0
    for line in source:
        if line.startswith(proof.STATE):
            table = _state(line)
        elif line.startswith(proof.HEAD) and signer is None:
            since.append(line)
        if not line.startswith(proof.RECORD):
            continue
        record = _decoded(line)
        if span.over(record.event):
            break
        if table is not None:
            if isinstance(record.event, StateRecorded):
                since, records = [first, proof.state_line(table)], 0
            table = None if span.starts(record.event) else evolve(table, record.event)
        since.append(line)
        sequence, head, records = record.sequence, digest(line.rstrip(b"\n")), records + 1
        if table is None:
            yield from since
            since = []
        if table is None and span.ends(record.event):
            break
    if table is not None:
        raise proof.ProofError(
            f"nothing of {span.says} is in this audit log. Without --shoe and --day all of it is exported."
        )
    yield from since
    if signer is not None:
        yield proof.head_line(signer.sign(opening.table, sequence, head))
    yield proof.closing_line(records, head)


def _state(line: bytes) -> Table:
    try:
        return proof.read_state(line)
    except proof.ProofError as error:
        raise proof.ProofError(f"{error}. `longhu verify` says where.") from None


def _decoded(line: bytes) -> Record:
    try:
        return decode(line)
    except msgspec.MsgspecError as error:
        raise proof.ProofError(f"{why_no_record(line, error)}. `longhu verify` says where.") from None
