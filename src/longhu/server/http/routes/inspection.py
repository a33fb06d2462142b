"""The auditor's desk: records found and read one by one, each with its place in the chain and the money that it moved; and long
looks at a whole table (LOG-2, LOG-6)."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

import msgspec
from litestar import get
from msgspec import Meta

from longhu.accounts import record as house_record
from longhu.accounts.names import HOUSE_TRAIL
from longhu.audit.findings import Checked
from longhu.audit.record import beginning, decode, digest
from longhu.audit.resettle import Resettled
from longhu.money import UNSTATED, Currency, Money, show
from longhu.server.house import House
from longhu.server.http import guards
from longhu.server.http.checks import Checks, span_of
from longhu.server.http.fields import Moment, Number, Shown, Time, is_name, query
from longhu.server.http.problems import Kind, Trouble
from longhu.server.http.routes.audit import AUDIT, noted
from longhu.server.http.routes.tables import live_table
from longhu.server.http.search import Trail, Wanted, search
from longhu.server.http.withheld import told_until
from longhu.store.errors import NotFound
from longhu.store.interface import Store

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


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A look at a table; the same `run` asks how far it has come, another begins anew."""

    run: Annotated[str, Meta(min_length=1, max_length=80, pattern="^[A-Za-z0-9._~:-]+$")]
    kind: Literal["verify", "resettle"]
    table: Annotated[str, Meta(min_length=1, max_length=200)]
    day: Annotated[str, Meta(pattern=r"^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] = ""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a look has come, and what it found."""

    kind: str
    table: str
    day: str
    state: str  # "waiting", "running", "done"
    began: Time
    at: Time
    done: Number
    of: Number
    right: bool | None  # None until it is known
    wrong: str
    verified: Checked | None
    resettled: Resettled | None
    staked: Shown
    paid: Shown


@get("/api/audit/search", opt={**AUDIT, "query": Question, "problems": (404,)})
async def search_records(request: guards.Asked) -> Answer:
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


def _trails(request: guards.Asked, asked: Question) -> list[Trail]:
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


def _trail(request: guards.Asked, name: str) -> Trail | None:
    """A trail by its name, with as much of it as may be read."""
    house = guards.house(request)
    live = house.tables.get(name)
    if live is not None:
        return Trail(name, told_until(house.store, name, live.durable), is_table=True)
    if not is_name(name) or (name != HOUSE_TRAIL and ":" not in name):
        return None
    try:
        return Trail(name, house.store.standing(name).sequence, is_table=False)
    except NotFound:
        return None


@get("/api/audit/record", opt={**AUDIT, "query": OneRecord, "problems": (404,)})
async def one_record(request: guards.Asked) -> WholeRecord:
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


@get("/api/audit/checks", opt={**AUDIT, "query": Run, "problems": (404,)})
async def check_table(request: guards.Asked) -> Progress:
    """Look at a table from its first record to its last, or settle a day of it again; asked again, it says how far it has come."""
    asked, house = query(request, Run), guards.house(request)
    live, actor = await live_table(request, asked.table), await guards.acting(request)
    try:
        span_of(asked.day)
    except ValueError:
        raise Trouble(Kind.MALFORMED, f"{asked.day} is no day.", remedy="Write it as 2026-11-16.") from None
    checks: Checks = request.app.state.checks
    found = checks.look(actor.person, asked.run, asked.kind, live.id, asked.day, house.now())
    money, again = live.game.currency or UNSTATED, found.resettled
    known = found.state == "done"
    return Progress(
        kind=found.kind,
        table=found.table,
        day=found.day,
        state=found.state,
        began=found.began,
        at=house.now(),
        done=found.done,
        of=found.of,
        right=not found.wrong and not (again is not None and again.differing) if known else None,
        wrong=found.wrong,
        verified=found.verified,
        resettled=again if known else None,
        staked=show(Money(again.staked if again is not None else 0), money),
        paid=show(Money(again.paid if again is not None else 0), money),
    )


HANDLERS = [search_records, one_record, check_table]
