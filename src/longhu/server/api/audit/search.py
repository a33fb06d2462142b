"""Records found by what is in them and read one by one, each with its place in the chain and the money that it moved (LOG-6).

The newest come first, in one log or in all. A long log is looked through a part at a time: an answer says where it stopped, and the next
question goes on from there. What nobody may read yet is not looked at, and what a password was made into is not in what is compared.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from litestar import get
from msgspec import Meta

from longhu.accounts import record as house
from longhu.accounts import record as house_record
from longhu.accounts.names import HOUSE_TRAIL
from longhu.audit.record import beginning, decode, digest
from longhu.money import UNSTATED, Currency, Money, show
from longhu.server.api import guards
from longhu.server.api.audit.records import AUDIT, noted
from longhu.server.api.audit.visibility import told_until
from longhu.server.api.codec import Moment, Number, Shown, Time, is_name, query
from longhu.server.api.problems import Kind, Trouble
from longhu.server.house import House
from longhu.server.tables.theories import name_of
from longhu.store.errors import Missing
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


HITS_MAX = 200
EVERYTHING, PEOPLE, TABLES = "", "people", "tables"  # which trails are looked through, where none is named
TrailName = Annotated[str, Meta(max_length=200)]


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for, and where."""

    trail: TrailName = ""  # one of them; "" is `among`
    among: Literal["", "tables", "people", "house"] = ""  # all, where nothing is said
    kind: Annotated[str, Meta(max_length=60, pattern="^[a-z0-9/-]*$")] = ""
    person: Annotated[str, Meta(max_length=60)] = ""
    text: Annotated[str, Meta(max_length=200)] = ""
    since: Moment = 0
    until: Moment | None = None
    sequence: Number = 0
    on: TrailName = ""  # where the answer before stopped: a trail,
    before: Number = 0  # and a record of it
    limit: Annotated[int, Meta(ge=1, le=HITS_MAX)] = 50


class FoundRecord(msgspec.Struct, frozen=True, kw_only=True):
    trail: str
    sequence: Number
    at: Time
    digest: str
    decimals: Number  # of amounts in it, which are whole numbers of the smallest unit
    event: dict[str, Any]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Records, newest first; where `on` says something, the search goes on there."""

    records: list[FoundRecord]
    looked_at: Number
    on: str
    before: Number


class OneRecord(msgspec.Struct, frozen=True, kw_only=True):
    trail: Annotated[str, Meta(min_length=1, max_length=200)]
    sequence: Annotated[int, Meta(ge=1, le=2**53 - 1)]


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
    says: list[str]  # what the ledger says of it
    moved: list[Moved]


@get("/api/audit/search", opt={**AUDIT, "query": Question, "problems": (404,)})
async def search_records(request: guards.Request) -> Answer:
    """Records by what is in them, newest first, in any trail of the house (LOG-6)."""
    asked, house = query(request, Question), guards.house(request)
    await noted(request, "records that were searched", asked.trail[:80])
    trails = await asyncio.to_thread(_trails, request, asked)
    if asked.trail and not trails:
        raise _no_trail(asked.trail)
    wanted = Wanted(
        kind=asked.kind,
        person=asked.person,
        text=asked.text,
        since=asked.since,
        until=2**62 if asked.until is None else asked.until,
        sequence=asked.sequence,
    )
    start = (asked.on, asked.before)
    found = await asyncio.to_thread(lambda: search(house.store, trails, wanted, asked.limit, start=start))
    return Answer(
        records=[
            FoundRecord(**msgspec.structs.asdict(each), decimals=_money(house, each.trail).decimals)
            for each in found.hits
        ],
        looked_at=found.looked_at,
        on=found.trail,
        before=found.before,
    )


def _money(house: House, trail: str) -> Currency:
    """What amounts in the records of a trail are in."""
    live = house.tables.get(trail)
    return live.game.currency or UNSTATED if live is not None else house.config.money


def _no_trail(name: str) -> Trouble:
    return Trouble(Kind.NOT_FOUND, f"No trail is called {name[:60]!r}.", remedy="Search among all of them.")


def _trails(request: guards.Request, asked: Question) -> list[Trail]:
    house = guards.house(request)
    store, tables = house.store, house.tables
    if asked.trail:
        return [found] if (found := _trail(request, asked.trail)) is not None else []
    found_trails: list[Trail] = []
    if asked.among in (EVERYTHING, TABLES):
        found_trails += [
            Trail(name, told_until(store, name, live.durable), is_table=True) for name, live in sorted(tables.items())
        ]
    for each in store.trails() if asked.among != TABLES else ():
        if not asked.among or (each.name == HOUSE_TRAIL) == (asked.among != PEOPLE):
            found_trails.append(Trail(each.name, each.sequence, is_table=False))
    return found_trails


def _trail(request: guards.Request, name: str) -> Trail | None:
    """A trail by its name, with as much of it as may be read."""
    house = guards.house(request)
    live = house.tables.get(name)
    if live is not None:
        return Trail(name, told_until(house.store, name, live.durable), is_table=True)
    if not is_name(name) or (name != HOUSE_TRAIL and ":" not in name):
        return None
    try:
        return Trail(name, house.store.standing(name).sequence, is_table=False)
    except Missing:
        return None


@get("/api/audit/record", opt={**AUDIT, "query": OneRecord, "problems": (404,)})
async def one_record(request: guards.Request) -> WholeRecord:
    """One record, how it hangs in the chain, and the money that it moved, with the way back and forth."""
    asked, house = query(request, OneRecord), guards.house(request)
    trail = await asyncio.to_thread(_trail, request, asked.trail)
    if trail is None or asked.sequence > trail.last:
        raise Trouble(
            Kind.NOT_FOUND,
            f"There is no record {asked.sequence} of {asked.trail[:60]!r} that may be read.",
            remedy="A record of a card that lies face down comes when its time has come.",
        )
    await noted(request, "single records", trail.name[:80])
    return await asyncio.to_thread(_whole, house.store, trail, asked.sequence, _money(house, trail.name))


def _whole(store: Store, trail: Trail, sequence: int, money: Currency) -> WholeRecord:
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
        decimals=money.decimals,
        line=told,
        whole=told == line.decode(),
        digest=own,
        previous=previous,
        follows=previous == (beginning(trail.name) if before is None else digest(before)),
        followed=None if after is None else f'"previous":"{own}"'.encode() in after[:200],
        says=[each.says for each in event.transactions()],
        moved=_moved(store, trail.name, sequence, money),
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
                amount=show(Money(each.amount), money),
                balance=show(Money(each.balance), money),
                before=None if before is None else before.sequence,
                after=after.sequence if after is not None and after.table == trail else None,
            )
        )
    return found


HANDLERS = [search_records, one_record]
