"""Read access for the auditor: records, proofs, accounts, people, and the program of this node (LOG-2, LOG-6, LOG-10).

The auditor changes nothing. Every export is itself on record, as a significant event (LOG-3). A record that hides a card is withheld
until the card may be known.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import islice
from typing import Annotated, Any

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response import Stream
from msgspec import Meta

from longhu.accounts import record
from longhu.accounts.alerts import ALERT_EXPORT, Significant
from longhu.accounts.names import HOUSE_TRAIL, trail_of
from longhu.audit import export
from longhu.audit.export import DAY
from longhu.audit.proof import ProofError
from longhu.audit.record import decode
from longhu.audit.signed_heads import public_key
from longhu.eventsourcing import Event, stored_name
from longhu.messages.message import Message, message_code
from longhu.money import UNSTATED, show
from longhu.positions import Position
from longhu.protocol import DAY_PATTERN, PAGE_MAX, TRAIL_NAME_MAX
from longhu.server.accounts.house_log import running_now
from longhu.server.api import guards
from longhu.server.api.audit.visibility import told_until
from longhu.server.api.guards import live_table, staff
from longhu.server.api.http import Number, Time, is_name, query
from longhu.server.codec import Shown
from longhu.server.house import House
from longhu.server.problems import NOT_A_DAY, WRITE_DAY, ProblemKind, Trouble
from longhu.store import integrity
from longhu.store.entries import Entry
from longhu.store.interface import Store
from longhu.store.validation import storable

NO_SUCH_PART = message_code("no-such-part", table="text", detail="text")
CHOOSE_DAY_OR_SHOE = message_code("choose-day-or-shoe")
NO_LEDGER_ACCOUNT = message_code("no-ledger-account")

AUDIT = staff(Position.CASINO_OPERATOR)
LINES = "application/x-ndjson"
CHUNK = 500  # lines that are read at a time
LAST_PLACE = 2**31 - 1  # behind every posting of a record


class RecordsQuery(msgspec.Struct, frozen=True, kw_only=True):
    table: Annotated[str, Meta(min_length=1, max_length=TRAIL_NAME_MAX)]
    after: Number = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100


class TrailQuery(msgspec.Struct, frozen=True, kw_only=True):
    after: Number = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100


class AccountQuery(TrailQuery, frozen=True, kw_only=True):
    """A part of an account's movements: so many behind the first ones, or behind one by its trail and record."""

    trail: Annotated[str, Meta(max_length=TRAIL_NAME_MAX)] = ""
    sequence: Number = 0


class ProofQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What of a table; all of it where nothing is said."""

    day: Annotated[str, Meta(pattern=DAY_PATTERN)] = ""  # UTC
    shoe: Number = 0


StoredEvent = Annotated[
    dict[str, Any],
    Meta(
        description="An event as it is stored: its name with the version, who, when, by which clause, and fields of its own",
        extra_json_schema={
            "properties": {
                "event": {"type": "string"},
                "by": {"type": "string"},
                "at": {"type": "integer"},
                "clause": {"type": "string"},
            },
            "required": ["event", "by", "at", "clause"],
        },
    ),
]
StoredRecord = Annotated[
    msgspec.Raw, Meta(description="A record as docs/audit-log.md has it", extra_json_schema={"type": "object"})
]


class Records(msgspec.Struct, frozen=True, kw_only=True):
    """Records of a table, as they stand in its trail."""

    table: str
    records: list[StoredRecord]
    after: Number | None  # ask for the rest with this; None: that was all
    withheld: Number  # records that hide a card whose time has not come, and those behind them


class TrailRecords(msgspec.Struct, frozen=True, kw_only=True):
    """Records of a trail that has no game, each with its digest; what a password was made into is left out."""

    trail: str
    records: list[dict[str, Any]]
    after: Number | None


class AccountMovement(msgspec.Struct, frozen=True, kw_only=True):
    """One movement of an account, with the balance after it."""

    trail: str
    sequence: Number
    amount: Shown
    balance: Shown
    at: Time
    kind: str  # the stored name of the record's event
    by: str
    others: dict[str, Shown]  # what the same record moved on other accounts


class Movements(msgspec.Struct, frozen=True, kw_only=True):
    account: str
    movements: list[AccountMovement]
    more: bool


async def noted(request: guards.Request, what: str, of: str, table: str = "") -> None:
    """On record before anything is told."""
    actor = await guards.acting(request)
    await guards.house(request).house_log.raise_alert(
        Significant.EXPORT, table, ALERT_EXPORT(person=actor.person, what=what, of=of)
    )


@get("/api/audit/records", opt={**AUDIT, "query": RecordsQuery, "problems": (404,)})
async def records(request: guards.Request) -> Records:
    """Records of a table, byte for byte as the chain has them."""
    page, store = query(request, RecordsQuery), guards.house(request).store
    live = await live_table(request, page.table)
    await noted(request, "records", live.name, live.name)

    def found() -> tuple[int, list[bytes]]:
        until = told_until(store, live.name, live.snapshot)
        return until, store.records_between(live.name, page.after + 1, min(page.after + page.limit, until))

    until, lines = await asyncio.to_thread(found)
    last = page.after + len(lines)
    return Records(
        table=live.name,
        records=[msgspec.Raw(line) for line in lines],
        after=last if lines and last < until else None,
        withheld=live.sequence - until,
    )


@get("/api/audit/proof/{table:str}", opt={**AUDIT, "query": ProofQuery, "gives": LINES})
async def proof(request: guards.Request, table: FromPath[str]) -> Stream:
    """The trail of a table as a proof that `longhu verify` checks without the house: all of it, a day or a shoe."""
    live, house, part = await live_table(request, table), guards.house(request), query(request, ProofQuery)
    span, name = _span(part)
    await noted(request, "proof", f"{live.name}{name}", live.name)
    private = house.config.private_key()
    key = public_key(private) if private is not None else ""
    until = await asyncio.to_thread(told_until, house.store, live.name, live.snapshot)
    program = version("longhu")
    lines = integrity.proof_of(house.store, live.name, program=program, key=key, last=until)
    if name:
        lines = export.export(lines, span, None, program)
    try:
        first = await asyncio.to_thread(lambda: list(islice(lines, CHUNK)))
    except ProofError as error:
        raise Trouble(
            ProblemKind.NOT_FOUND, NO_SUCH_PART(table=live.name, detail=str(error)), remedy=CHOOSE_DAY_OR_SHOE()
        ) from None
    attached = {"Content-Disposition": f'attachment; filename="{_file_name(live.name + name)}.jsonl"'}
    return Stream(_streamed(first, lines), media_type=LINES, headers=attached)


def _span(part: ProofQuery) -> tuple[export.LogSpan, str]:
    """Which part of the trail, and what its file is called behind the table's name."""
    if part.shoe:
        return export.shoe(part.shoe), f"-shoe-{part.shoe}"
    if not part.day:
        return export.whole(), ""
    try:
        return export.day(span_of(part.day)[0], part.day), f"-{part.day}"
    except ValueError:
        raise Trouble(ProblemKind.MALFORMED, NOT_A_DAY(day=part.day), remedy=WRITE_DAY()) from None


def span_of(day: str) -> tuple[int, int]:
    """From when to when a day goes, UTC in milliseconds; "" is all of time. `ValueError` where it is no day."""
    if not day:
        return 0, 2**62
    start = round(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp() * 1000)
    return start, start + DAY


async def _streamed(first: list[bytes], lines: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Read in a thread, a part at a time: a long trail is never in memory as a whole."""
    yield b"".join(first)
    while part := await asyncio.to_thread(lambda: list(islice(lines, CHUNK))):
        yield b"".join(part)


def _file_name(table: str) -> str:
    return "".join(each if each.isascii() and (each.isalnum() or each in "._-") else "-" for each in table)


@get("/api/audit/accounts/{account:str}", opt={**AUDIT, "query": AccountQuery})
async def account(request: guards.Request, account: FromPath[str]) -> Movements:
    """Every movement of an account of the ledger, trail by trail: `patron:ann`, `world:ann`, `float:T7`, `cage`."""
    page, house = query(request, AccountQuery), guards.house(request)
    if not is_name(account) or not storable(page.trail):
        raise Trouble(ProblemKind.NOT_FOUND, NO_LEDGER_ACCOUNT())
    await noted(request, "movements", account[:100])
    behind = (page.trail, page.sequence, -1 if not page.trail else LAST_PLACE)

    def moved() -> list[AccountMovement]:
        entries = islice(house.store.follow(account, behind), page.after, page.after + page.limit + 1)
        return [_movement(house.store, each, house) for each in entries]

    found = await asyncio.to_thread(moved)
    return Movements(account=account, movements=found[: page.limit], more=len(found) > page.limit)


def _movement(store: Store, entry: Entry, house: House) -> AccountMovement:
    live = house.tables.get(entry.table)
    money = live.game.currency or UNSTATED if live is not None else house.config.money
    (line,) = store.records_between(entry.table, entry.sequence, entry.sequence)
    event: Event = decode(line).event if live is not None else record.decode(line).event
    others: Counter[str] = Counter()
    for name, moved in event.postings():
        if name != entry.account:
            others[name] += moved
    return AccountMovement(
        trail=entry.table,
        sequence=entry.sequence,
        amount=show(entry.amount, money),
        balance=show(entry.balance, money),
        at=event.at,
        kind=stored_name(event),
        by=event.by,
        others={name: show(moved, money) for name, moved in others.items()},
    )


@get("/api/audit/people/{person:str}", opt={**AUDIT, "query": TrailQuery})
async def person_trail(request: guards.Request, person: FromPath[str]) -> TrailRecords:
    """Everything on record about somebody's account."""
    found = await guards.account_of(request, person)
    await noted(request, "log", found.person)
    return await _trail(request, trail_of(found.person))


@get("/api/audit/house", opt={**AUDIT, "query": TrailQuery})
async def house_trail(request: guards.Request) -> TrailRecords:
    """The house's own book: approvals, alerts, what the nodes run, steps of the clock."""
    await noted(request, "log", HOUSE_TRAIL)
    return await _trail(request, HOUSE_TRAIL)


async def _trail(request: guards.Request, name: str) -> TrailRecords:
    page, store = query(request, TrailQuery), guards.house(request).store
    lines = await asyncio.to_thread(store.records_between, name, page.after + 1, page.after + page.limit)
    after = page.after + len(lines) if len(lines) == page.limit else None
    return TrailRecords(trail=name, records=[record.told(line) for line in lines], after=after)


class RunningProgram(msgspec.Struct, frozen=True, kw_only=True):
    """The program of the node that answers, as it lies on its disk now."""

    node: str
    version: str
    digest: str
    definitions: dict[str, str]  # the digest of each game file that comes with it
    right: bool  # what lies there is what was started
    wrong: Message | None = None  # and this is why no further round starts here
    at: Time


@get("/api/audit/program", opt=AUDIT)
async def program(request: guards.Request) -> RunningProgram:
    """Hash the program and its game files again; where they are not what was started, this node starts no further round (LOG-10)."""
    house = guards.house(request)
    found = await running_now()
    await house.maintenance.check_program(found)
    changed = house.maintenance.changed
    return RunningProgram(
        node=house.config.node,
        version=version("longhu"),
        digest=found.digest,
        definitions=found.definitions,
        right=changed is None,
        wrong=None if changed is None else changed.reason,
        at=house.now(),
    )
