"""Search in audit logs: find records by their content, and read one with its place in the chain and its postings (LOG-6).

The newest come first, in one log or in all. A long log is searched a part at a time: an answer says where it stopped, and the next
request goes on from there. Records that are withheld are not searched, and password hashes are not compared.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from litestar import get
from msgspec import Meta

from longhu.accounts import record as house_record
from longhu.accounts.names import HOUSE_TRAIL
from longhu.audit.record import beginning, decode, digest
from longhu.messages.message import Message, message_code
from longhu.money import UNSTATED, Currency, show
from longhu.protocol import (
    HITS_MAX,
    PERSON_MAX,
    SEARCH_TEXT_MAX,
    STORED_NAME_LETTERS,
    STORED_NAME_MAX,
    TRAIL_NAME_MAX,
    WHOLE_MAX,
)
from longhu.server.api import guards
from longhu.server.api.audit.records import AUDIT, StoredEvent, noted
from longhu.server.api.audit.visibility import told_until
from longhu.server.api.http import Moment, Number, Time, is_name, query
from longhu.server.codec import Shown
from longhu.server.house import House
from longhu.server.problems import ProblemKind, Trouble
from longhu.server.streams.table_stream import TableStream
from longhu.server.tables.theory import name_of
from longhu.store.errors import NotFound
from longhu.store.interface import Store

NO_SUCH_LOG = message_code("no-such-log", log="text")
SEARCH_ALL = message_code("search-all-logs")
NO_SUCH_RECORD = message_code("no-such-record", log="text", number="text")
FACE_DOWN_LATER = message_code("face-down-later")

PAGE = 500  # records that are read at a time
INDEX = "index"  # what an answer from the index says of where it stopped
BUDGET = 1.0  # seconds of looking for one question
_AT = re.compile(rb'"at":(\d+)')
_HEX = re.compile(r"[0-9a-f]{8,64}")
EVERYTHING, PEOPLE, TABLES = "", "people", "tables"  # which trails are looked through, where none is named
TrailName = Annotated[str, Meta(max_length=TRAIL_NAME_MAX)]


class SearchQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for, and where."""

    trail: TrailName = ""  # one of them; "" is `among`
    among: Literal["", "tables", "people", "house"] = ""  # all, where nothing is said
    kind: Annotated[str, Meta(max_length=STORED_NAME_MAX, pattern=f"^[{STORED_NAME_LETTERS}]*$")] = ""
    person: Annotated[str, Meta(max_length=PERSON_MAX)] = ""
    text: Annotated[str, Meta(max_length=SEARCH_TEXT_MAX)] = ""
    since: Moment = 0
    until: Moment | None = None
    sequence: Number = 0
    on: TrailName = ""  # where the answer before stopped: a trail,
    before: Number = 0  # and a record of it
    limit: Annotated[int, Meta(ge=1, le=HITS_MAX)] = 50


class RecordView(msgspec.Struct, frozen=True, kw_only=True):
    trail: str
    sequence: Number
    at: Time
    digest: str
    decimals: Number  # of amounts in it, which are whole numbers of the smallest unit
    event: StoredEvent


class SearchAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Records, newest first; where `on` says something, the search goes on there."""

    records: list[RecordView]
    looked_at: Number
    on: str
    before: Number


class RecordQuery(msgspec.Struct, frozen=True, kw_only=True):
    trail: Annotated[str, Meta(min_length=1, max_length=TRAIL_NAME_MAX)]
    sequence: Annotated[int, Meta(ge=1, le=WHOLE_MAX)]


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A posting of the record, and where the same account moved before and after it."""

    account: str
    amount: Shown
    balance: Shown
    before: Number | None  # the record of this trail that moved it last
    after: Number | None  # and the next


class WholeRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One record: as it stands, how it hangs in the chain, and what it moved."""

    trail: str
    sequence: Number
    last: Number  # of the trail, as far as it may be read
    decimals: Number
    line: str  # byte for byte, save what a password was made into
    whole: bool  # nothing is left out of it
    digest: str
    previous: str
    follows: bool  # the record before has that digest, or it is the first
    followed: bool | None  # the next names this one's digest; None where there is no next one yet
    says: list[Message]  # what the ledger says of it
    moved: list[Moved]


class Trail(msgspec.Struct, frozen=True):
    """A log, how much of it may be read, and the money of the amounts in it."""

    name: str
    last: int
    is_table: bool
    money: Currency = UNSTATED


class SearchStep(NamedTuple):
    """Some records that may be what is looked for, newest first, and where to go on behind them."""

    records: list[tuple[Trail, int, bytes]]  # each with its sequence
    on: str
    before: int


def search(store: Store, trails: Sequence[Trail], asked: SearchQuery, budget: float = BUDGET) -> SearchAnswer:
    """Records that have everything that is asked for; a search that goes on begins where the answer before stopped."""
    ends, found, looked_at = time.monotonic() + budget, list[RecordView](), 0
    is_words = asked.text and not _HEX.fullmatch(asked.text)
    for step in (_by_text if is_words else _backwards)(store, trails, asked):
        looked_at += len(step.records)
        found += [_view(*each) for each in step.records if _fits(*each, asked)]
        if len(found) >= asked.limit or time.monotonic() > ends:
            return SearchAnswer(records=found, looked_at=looked_at, on=step.on, before=step.before)
    return SearchAnswer(records=found, looked_at=looked_at, on="", before=0)


def _by_text(store: Store, trails: Sequence[Trail], asked: SearchQuery) -> Iterator[SearchStep]:
    """Records that the index of the store finds, in the order of writing; `before` is a place in that order."""
    of, before = {each.name: each for each in trails}, asked.before or None
    streams = [asked.trail] if asked.trail else None
    while True:
        page = store.search(asked.text, streams=streams, before=before, limit=asked.limit)
        readable = [each for each in page.records if each.table in of and each.sequence <= of[each.table].last]
        records = [(of[each.table], each.sequence, each.line) for each in readable]
        yield SearchStep(records, INDEX if page.before is not None else "", page.before or 0)
        if page.before is None:
            return
        before = page.before


def _backwards(store: Store, trails: Sequence[Trail], asked: SearchQuery) -> Iterator[SearchStep]:
    """Every record of these logs, one log after the other, each from its newest record back to `since`."""
    names = [each.name for each in trails]
    for trail in trails[names.index(asked.on) if asked.on in names else 0 :]:
        goes_on = trail.name == asked.on and asked.before
        for sequence, line in _records_before(store, trail, asked.before if goes_on else _end(store, trail, asked)):
            if _time(line) < asked.since:
                break
            yield SearchStep([(trail, sequence, line)], trail.name, sequence)


def _records_before(store: Store, trail: Trail, before: int) -> Iterator[tuple[int, bytes]]:
    last = min(before - 1, trail.last)
    while last > 0:
        first = max(1, last - PAGE + 1)
        lines = store.records_between(trail.name, first, last)
        yield from zip(range(last, first - 1, -1), reversed(lines), strict=True)
        last = first - 1


def _end(store: Store, trail: Trail, asked: SearchQuery) -> int:
    """Behind the last record that can be one: times in a log never go back."""
    if asked.sequence:
        return min(asked.sequence, trail.last) + 1
    low, high = 1, trail.last + 1
    if asked.until is None:
        return high
    while low < high:
        middle = (low + high) // 2
        found = store.records_between(trail.name, middle, middle)
        if found and _time(found[0]) < asked.until:
            low = middle + 1
        else:
            high = middle
    return low


def _time(line: bytes) -> int:
    found = _AT.search(line)
    return int(found[1]) if found else 0


def _fits(trail: Trail, sequence: int, line: bytes, asked: SearchQuery) -> bool:
    at = _time(line)
    if (
        (asked.sequence and sequence != asked.sequence)
        or at < asked.since
        or (asked.until is not None and at >= asked.until)
    ):
        return False
    if asked.kind and not name_of(line).startswith(asked.kind.encode()):
        return False
    if not asked.person and not asked.text:
        return True
    readable = line if trail.is_table else msgspec.json.encode(house_record.told(line))
    if asked.person and f'"{asked.person}"'.encode() not in readable:
        return False
    return not asked.text or _has(readable, line, asked.text)


def _has(readable: bytes, line: bytes, text: str) -> bool:
    """Is every part of the text in the record, or is it the beginning of its digest?"""
    told = readable.decode().lower()
    if all(part in told for part in text.lower().split()):
        return True
    return _HEX.fullmatch(text) is not None and digest(line).startswith(text)


def _view(trail: Trail, sequence: int, line: bytes) -> RecordView:
    told: dict[str, Any] = msgspec.json.decode(line) if trail.is_table else house_record.told(line)
    return RecordView(
        trail=trail.name,
        sequence=sequence,
        at=_time(line),
        digest=digest(line),
        decimals=trail.money.decimals,
        event=told["event"],
    )


@get("/api/audit/search", opt={**AUDIT, "query": SearchQuery, "problems": (404,)})
async def search_records(request: guards.Request) -> SearchAnswer:
    """Records by what is in them, newest first, in any log of the house (LOG-6)."""
    asked, house = query(request, SearchQuery), guards.house(request)
    await noted(request, "records", asked.trail[:80] or "*", asked.trail[:80])
    trails = await asyncio.to_thread(_trails, house, asked)
    if asked.trail and not trails:
        raise Trouble(ProblemKind.NOT_FOUND, NO_SUCH_LOG(log=asked.trail[:60]), remedy=SEARCH_ALL())
    return await asyncio.to_thread(search, house.store, trails, asked)


def _trails(house: House, asked: SearchQuery) -> list[Trail]:
    """The logs that are searched, each as far as it may be read."""
    if asked.trail:
        return [found] if (found := _trail(house, asked.trail)) is not None else []
    found_trails: list[Trail] = []
    if asked.among in (EVERYTHING, TABLES):
        found_trails += [_table(house, live) for _, live in sorted(house.tables.items())]
    for each in house.store.trails() if asked.among != TABLES else ():
        if not asked.among or (each.name == HOUSE_TRAIL) == (asked.among != PEOPLE):
            found_trails.append(Trail(each.name, each.sequence, False, house.config.money))
    return found_trails


def _trail(house: House, name: str) -> Trail | None:
    """A log by its name, with as much of it as may be read."""
    live = house.tables.get(name)
    if live is not None:
        return _table(house, live)
    if not is_name(name) or (name != HOUSE_TRAIL and ":" not in name):
        return None
    try:
        return Trail(name, house.store.standing(name).sequence, False, house.config.money)
    except NotFound:
        return None


def _table(house: House, live: TableStream) -> Trail:
    return Trail(live.name, told_until(house.store, live.name, live.snapshot), True, live.game.currency or UNSTATED)


@get("/api/audit/record", opt={**AUDIT, "query": RecordQuery, "problems": (404,)})
async def one_record(request: guards.Request) -> WholeRecord:
    """One record, how it hangs in the chain, and the money that it moved, with the way back and forth."""
    asked, house = query(request, RecordQuery), guards.house(request)
    trail = await asyncio.to_thread(_trail, house, asked.trail)
    if trail is None or asked.sequence > trail.last:
        raise Trouble(
            ProblemKind.NOT_FOUND,
            NO_SUCH_RECORD(log=asked.trail[:60], number=str(asked.sequence)),
            remedy=FACE_DOWN_LATER(),
        )
    await noted(request, "records", trail.name[:80], trail.name[:80])
    return await asyncio.to_thread(_whole, house.store, trail, asked.sequence)


def _whole(store: Store, trail: Trail, sequence: int) -> WholeRecord:
    lines = store.records_between(trail.name, max(1, sequence - 1), min(sequence + 1, trail.last))
    before = lines.pop(0) if sequence > 1 else None
    line, after = lines[0], lines[1] if len(lines) > 1 else None
    event: Any = decode(line).event if trail.is_table else house_record.decode(line).event
    told = line.decode() if trail.is_table else _without_password(line)
    previous = str(msgspec.json.decode(line)["previous"])
    own = digest(line)
    return WholeRecord(
        trail=trail.name,
        sequence=sequence,
        last=trail.last,
        decimals=trail.money.decimals,
        line=told,
        whole=told == line.decode(),
        digest=own,
        previous=previous,
        follows=previous == (beginning(trail.name) if before is None else digest(before)),
        followed=None if after is None else f'"previous":"{own}"'.encode() in after[:200],
        says=[each.message for each in event.transactions()],
        moved=_moved(store, trail.name, sequence, trail.money),
    )


def _without_password(line: bytes) -> str:
    told = house_record.told(line)
    del told["digest"]
    return msgspec.json.encode(told).decode()


def _moved(store: Store, trail: str, sequence: int, money: Currency) -> list[Moved]:
    found: list[Moved] = []
    for each in store.entries(trail, sequence - 1):
        if each.sequence != sequence:
            break
        before = store.moved_before(each.account, trail, sequence)
        after = next(store.follow(each.account, (trail, sequence, 2**31 - 1)), None)
        found.append(
            Moved(
                account=each.account,
                amount=show(each.amount, money),
                balance=show(each.balance, money),
                before=None if before is None else before.sequence,
                after=after.sequence if after is not None and after.table == trail else None,
            )
        )
    return found
