"""Records found by what is in them, newest first, in one trail or in all. A long trail is looked through a part at a time: an
answer says where it stopped, and the next question goes on from there. What nobody may read yet is not looked at, and what a
password was made into is not in what is compared."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from longhu.accounts import record as house
from longhu.audit.record import digest
from longhu.server.tables.theory import name_of
from longhu.store.interface import Store

PAGE = 500  # records that are read at a time
BUDGET = 1.0  # seconds of looking for one question
_AT = re.compile(rb'"at":(\d+)')
_HEX = re.compile(r"[0-9a-f]{8,64}")


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a record must have: everything that is told here."""

    kind: str = ""  # the stored name of its event, or the beginning of it
    person: str = ""  # who is named in it
    text: str = ""  # anything in it; or the beginning of its digest
    since: int = 0  # milliseconds, UTC
    until: int = 2**62
    sequence: int = 0


class Trail(msgspec.Struct, frozen=True):
    """A trail, and how much of it may be read."""

    name: str
    last: int
    is_table: bool


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    trail: str
    sequence: int
    at: int
    digest: str
    event: dict[str, Any]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    hits: list[Hit]
    looked_at: int
    trail: str = ""  # where to go on, before that record; "" where everything was looked at
    before: int = 0


def search(
    store: Store,
    trails: Sequence[Trail],
    wanted: Wanted,
    limit: int,
    *,
    start: tuple[str, int] = ("", 0),
    budget: float = BUDGET,
) -> Found:
    """So many records at most; `start` is where an answer before stopped."""
    ends, hits, looked_at = time.monotonic() + budget, list[Hit](), 0
    names = [each.name for each in trails]
    first = names.index(start[0]) if start[0] in names else 0
    for trail in trails[first:]:
        before = start[1] if trail.name == start[0] and start[1] else _before(store, trail, wanted)
        for sequence, line in _backwards(store, trail, before):
            if _time(line) < wanted.since:
                break
            looked_at += 1
            if _fits(trail, sequence, line, wanted):
                hits.append(_hit(trail, sequence, line))
            if len(hits) >= limit or (looked_at % 64 == 0 and time.monotonic() > ends):
                return Found(hits=hits, looked_at=looked_at, trail=trail.name, before=sequence)
        if time.monotonic() > ends and trail is not trails[-1]:
            return Found(hits=hits, looked_at=looked_at, trail=trails[names.index(trail.name) + 1].name)
    return Found(hits=hits, looked_at=looked_at)


def _before(store: Store, trail: Trail, wanted: Wanted) -> int:
    """Behind the last record that can be one: times in a trail never go back."""
    if wanted.sequence:
        return min(wanted.sequence, trail.last) + 1
    low, high = 1, trail.last + 1
    if wanted.until >= 2**62:
        return high
    while low < high:
        middle = (low + high) // 2
        found = store.records_between(trail.name, middle, middle)
        if found and _time(found[0]) < wanted.until:
            low = middle + 1
        else:
            high = middle
    return low


def _backwards(store: Store, trail: Trail, before: int) -> Iterator[tuple[int, bytes]]:
    last = min(before - 1, trail.last)
    while last > 0:
        first = max(1, last - PAGE + 1)
        lines = store.records_between(trail.name, first, last)
        for place in range(len(lines) - 1, -1, -1):
            yield first + place, lines[place]
        last = first - 1


def _time(line: bytes) -> int:
    found = _AT.search(line)
    return int(found[1]) if found else 0


def _fits(trail: Trail, sequence: int, line: bytes, wanted: Wanted) -> bool:
    if wanted.sequence and sequence != wanted.sequence:
        return False
    if wanted.kind and not name_of(line).startswith(wanted.kind.encode()):
        return False
    if not wanted.person and not wanted.text:
        return True
    readable = line if trail.is_table else msgspec.json.encode(house.told(line))
    if wanted.person and f'"{wanted.person}"'.encode() not in readable:
        return False
    return not wanted.text or _has(readable, line, wanted.text)


def _has(readable: bytes, line: bytes, text: str) -> bool:
    if text.lower() in readable.decode().lower():
        return True
    return _HEX.fullmatch(text) is not None and digest(line).startswith(text)


def _hit(trail: Trail, sequence: int, line: bytes) -> Hit:
    told: dict[str, Any] = msgspec.json.decode(line) if trail.is_table else house.told(line)
    return Hit(trail=trail.name, sequence=sequence, at=_time(line), digest=digest(line), event=told["event"])
