"""For the auditor, who reads everything and changes nothing: records, proofs, accounts, people (LOG-2, LOG-6).

Whatever is taken out is itself on record, as a significant event (LOG-3). A record that hides a card comes when its time has come.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from itertools import islice
from typing import Annotated, Any

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response import Stream
from msgspec import Meta

from longhu.accounts import record
from longhu.accounts.alerts import Significant
from longhu.accounts.names import HOUSE_TRAIL, trail_of
from longhu.audit import export
from longhu.audit.proof import ProofError
from longhu.audit.record import decode
from longhu.audit.report import VerificationFailed
from longhu.audit.signed_heads import public_key
from longhu.eventsourcing import Event
from longhu.money import UNSTATED, Money, show
from longhu.positions import Position
from longhu.server.house import House
from longhu.server.http import guards
from longhu.server.http.checks import span_of
from longhu.server.http.fields import PAGE_MAX, Number, Shown, Time, is_name, query
from longhu.server.http.guards import staff
from longhu.server.http.problems import Kind, Trouble
from longhu.server.http.routes.people import known
from longhu.server.http.routes.tables import live_table
from longhu.server.http.withheld import told_until
from longhu.store import integrity, proofs
from longhu.store.entries import Entry
from longhu.store.errors import Damaged
from longhu.store.interface import Store
from longhu.store.validation import storable

AUDIT = staff(Position.CASINO_OPERATOR)
LINES = "application/x-ndjson"
CHUNK = 500  # lines that are read at a time
LAST_PLACE = 2**31 - 1  # behind every posting of a record


class TablePage(msgspec.Struct, frozen=True, kw_only=True):
    table: Annotated[str, Meta(min_length=1, max_length=200)]
    after: Number = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100


class TrailPage(msgspec.Struct, frozen=True, kw_only=True):
    after: Number = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = 100


class AccountPage(TrailPage, frozen=True, kw_only=True):
    """A part of an account's movements: so many behind the first ones, or behind one by its trail and record."""

    trail: Annotated[str, Meta(max_length=200)] = ""
    sequence: Number = 0


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What of a table; all of it where nothing is said."""

    day: Annotated[str, Meta(pattern=r"^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] = ""  # UTC
    shoe: Number = 0


class OneTable(msgspec.Struct, frozen=True, kw_only=True):
    table: Annotated[str, Meta(min_length=1, max_length=200)]


class Records(msgspec.Struct, frozen=True, kw_only=True):
    """Records of a table, as they stand in its trail."""

    table: str
    records: list[msgspec.Raw]
    after: Number | None  # ask for the rest with this; None: that was all
    withheld: Number  # records that hide a card whose time has not come, and those behind them


class TrailRecords(msgspec.Struct, frozen=True, kw_only=True):
    """Records of a trail that has no game, each with its digest; what a password was made into is left out."""

    trail: str
    records: list[dict[str, Any]]
    after: Number | None


class Movement(msgspec.Struct, frozen=True, kw_only=True):
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
    movements: list[Movement]
    more: bool


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What was checked in all records of a table."""

    table: str
    right: bool
    wrong: str = ""  # the first thing that is not right
    records: Number = 0
    rounds: Number = 0
    cards: Number = 0
    postings: Number = 0
    shuffles: Number = 0
    heads: Number = 0
    remarks: list[str] = []
    at: Time


async def noted(request: guards.Asked, what: str, table: str = "") -> None:
    """On record before anything is told."""
    actor = await guards.acting(request)
    await guards.house(request).floor.raise_alert(Significant.EXPORT, table, f"{actor.person} took out {what}")


@get("/api/audit/records", opt={**AUDIT, "query": TablePage, "problems": (404,)})
async def records(request: guards.Asked) -> Records:
    """Records of a table, byte for byte as the chain has them."""
    page, store = query(request, TablePage), guards.house(request).store
    live = await live_table(request, page.table)
    await noted(request, "records", live.name)

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


@get("/api/audit/proof/{table:str}", opt={**AUDIT, "query": Part, "gives": LINES})
async def proof(request: guards.Asked, table: FromPath[str]) -> Stream:
    """The trail of a table as a proof that `longhu verify` checks without the house: all of it, a day or a shoe."""
    live, house, part = await live_table(request, table), guards.house(request), query(request, Part)
    span, name = _span(part)
    await noted(request, f"the proof of {span.says}" if name else "the proof", live.name)
    private = house.config.private_key()
    key = public_key(private) if private is not None else ""
    until = await asyncio.to_thread(told_until, house.store, live.name, live.snapshot)
    program = version("longhu")
    lines = proofs.proof_of(house.store, live.name, program=program, key=key, last=until)
    if name:
        lines = export.export(lines, span, None, program)
    try:
        first = await asyncio.to_thread(lambda: list(islice(lines, CHUNK)))
    except ProofError as error:
        raise Trouble(Kind.NOT_FOUND, f"Table {live.name}: {error}", remedy="Choose another day or shoe.") from None
    attached = {"Content-Disposition": f'attachment; filename="{_file_name(live.name + name)}.jsonl"'}
    return Stream(_streamed(first, lines), media_type=LINES, headers=attached)


def _span(part: Part) -> tuple[export.Span, str]:
    """Which part of the trail, and what its file is called behind the table's name."""
    if part.shoe:
        return export.shoe(part.shoe), f"-shoe-{part.shoe}"
    if not part.day:
        return export.whole(), ""
    try:
        return export.day(span_of(part.day)[0], part.day), f"-{part.day}"
    except ValueError:
        raise Trouble(Kind.MALFORMED, f"{part.day} is no day.", remedy="Write it as 2026-11-16.") from None


async def _streamed(first: list[bytes], lines: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Read in a thread, a part at a time: a long trail is never in memory as a whole."""
    yield b"".join(first)
    while part := await asyncio.to_thread(lambda: list(islice(lines, CHUNK))):
        yield b"".join(part)


def _file_name(table: str) -> str:
    return "".join(each if each.isascii() and (each.isalnum() or each in "._-") else "-" for each in table)


@get("/api/audit/accounts/{account:str}", opt={**AUDIT, "query": AccountPage})
async def account(request: guards.Asked, account: FromPath[str]) -> Movements:
    """Every movement of an account of the ledger, trail by trail: `patron:ann`, `world:ann`, `float:T7`, `cage`."""
    page, house = query(request, AccountPage), guards.house(request)
    if not is_name(account) or not storable(page.trail):
        raise Trouble(Kind.NOT_FOUND, "No account is called so.")
    await noted(request, f"the movements of {account[:100]}")
    behind = (page.trail, page.sequence, -1 if not page.trail else LAST_PLACE)

    def moved() -> list[Movement]:
        entries = islice(house.store.follow(account, behind), page.after, page.after + page.limit + 1)
        return [_movement(house.store, each, house) for each in entries]

    found = await asyncio.to_thread(moved)
    return Movements(account=account, movements=found[: page.limit], more=len(found) > page.limit)


def _movement(store: Store, entry: Entry, house: House) -> Movement:
    live = house.tables.get(entry.table)
    money = live.game.currency or UNSTATED if live is not None else house.config.money
    (line,) = store.records_between(entry.table, entry.sequence, entry.sequence)
    event: Event = decode(line).event if live is not None else record.decode(line).event
    others: Counter[str] = Counter()
    for name, moved in event.postings():
        if name != entry.account:
            others[name] += moved
    return Movement(
        trail=entry.table,
        sequence=entry.sequence,
        amount=show(Money(entry.amount), money),
        balance=show(Money(entry.balance), money),
        at=event.at,
        kind=str(type(event).__struct_config__.tag),
        by=event.by,
        others={name: show(Money(moved), money) for name, moved in others.items()},
    )


@get("/api/audit/people/{person:str}", opt={**AUDIT, "query": TrailPage})
async def person_trail(request: guards.Asked, person: FromPath[str]) -> TrailRecords:
    """Everything on record about somebody's account."""
    found = await known(request, person)
    await noted(request, f"the trail of {found.person}")
    return await _trail(request, trail_of(found.person))


@get("/api/audit/house", opt={**AUDIT, "query": TrailPage})
async def house_trail(request: guards.Asked) -> TrailRecords:
    """The house's own book: approvals, alerts, what the nodes run, steps of the clock."""
    await noted(request, "the house's own book")
    return await _trail(request, HOUSE_TRAIL)


async def _trail(request: guards.Asked, name: str) -> TrailRecords:
    page, store = query(request, TrailPage), guards.house(request).store
    lines = await asyncio.to_thread(store.records_between, name, page.after + 1, page.after + page.limit)
    after = page.after + len(lines) if len(lines) == page.limit else None
    return TrailRecords(trail=name, records=[record.told(line) for line in lines], after=after)


@get("/api/audit/verify", opt={**AUDIT, "query": OneTable, "problems": (404,)})
async def verify_table(request: guards.Asked) -> Verified:
    """Check all records of a table again: chain, rules, cards, money, shuffles (LOG-2)."""
    live, house = await live_table(request, query(request, OneTable).table), guards.house(request)
    async with request.app.state.verifying:  # one at a time: it takes all of a processor
        return await asyncio.to_thread(_verified, house.store, live.name, house.now())


def _verified(store: Store, table: str, at: int) -> Verified:
    from longhu.audit.verify import verify  # a large part of the program, which few ask for

    try:
        integrity.check_chain(store, table)
        found = verify(proofs.proof_of(store, table))
    except (VerificationFailed, Damaged) as error:
        return Verified(table=table, right=False, wrong=str(error), at=at)
    return Verified(
        table=table,
        right=True,
        records=found.records,
        rounds=found.rounds,
        cards=found.cards,
        postings=found.postings,
        shuffles=found.shuffles,
        heads=found.heads,
        remarks=found.remarks,
        at=at,
    )


HANDLERS = [records, proof, account, person_trail, house_trail, verify_table]
