"""Disputes: what is open in the house, the file of one, and its records for whoever looks into it elsewhere (IDT-6.1).

A file is read from the records that it refers to, by their numbers: nothing of them is kept a second time. Patrons read of their own disputes what
they have said, the ruling, and what was moved to them or from them.
"""

from __future__ import annotations

import asyncio
from typing import Literal

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from longhu.audit.record import Record, decode
from longhu.money import UNSTATED, Currency, show
from longhu.positions import Position
from longhu.server.api import guards
from longhu.server.api.audit.records import LINES, noted
from longhu.server.api.audit.visibility import told_until
from longhu.server.api.guards import at_table, staff
from longhu.server.api.http import Held, Number, Time
from longhu.server.codec import Shown
from longhu.server.problems import ProblemKind, Trouble
from longhu.server.streams.table_stream import TableStream
from longhu.store.interface import Store
from longhu.table.disputes import NO_SUCH_DISPUTE, DisputeDecision, DisputeRaised, DisputeRuled, StatementAdded
from longhu.table.state import Dispute
from longhu.table.wrong_payments import PaymentCorrected, PaymentError


class DisputeView(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute about a round of a table, in short."""

    table: str
    number: Number
    round: Number
    about: str
    patron: str  # whose it is; "" is the staff's
    by: str  # who has raised it; "" to patrons where it was staff
    at: Time
    decision: Literal["", "payments-stand", "correct"]  # "" while nobody has ruled


class DisputeStatement(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody said; the first is of whoever raised it."""

    record: Number
    at: Time
    by: str  # who has written it down
    position: Held
    person: str  # whose words they are
    told: str


class DisputeRuling(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided, and why."""

    record: Number
    at: Time
    by: str  # "" to patrons
    position: Held
    decision: DisputeDecision
    reason: str
    clause: str


class DisputeEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that was corrected by two because of the ruling."""

    record: Number
    at: Time
    by: str  # "" to patrons
    cosigned_by: list[str]
    wager: str
    error: PaymentError
    patron: str
    other: str
    amount: Shown
    owed: Shown
    reason: str


class DisputeFile(msgspec.Struct, frozen=True, kw_only=True):
    """All that belongs to a dispute; the round itself is read by its number, or by the numbers of its records."""

    dispute: DisputeView
    statements: list[DisputeStatement]
    ruling: DisputeRuling | None
    entries: list[DisputeEntry]
    round_records: tuple[Number, Number] | None  # the first and the last; null while it is in progress, and to patrons
    records: list[Number]  # of the dispute itself; none to patrons


@get("/api/disputes", opt=guards.SIGNED_IN)
async def disputes(request: guards.Request) -> list[DisputeView]:
    """Every dispute of the house, those that nobody has ruled on first, then the newest; a patron's own."""
    actor = await guards.acting(request)
    found = [
        _view(name, each, actor.position)
        for name, live in guards.house(request).tables.items()
        for each in live.state.disputes.values()
        if _may_read(each, actor.person, actor.position)
    ]
    return sorted(found, key=lambda each: (bool(each.decision), -each.at))


@get("/api/tables/{table:str}/disputes/{number:int}", opt={**guards.SIGNED_IN, "problems": (404,)})
async def dispute_file(request: guards.Request, table: FromPath[str], number: FromPath[int]) -> DisputeFile:
    """The file of a dispute: statements, ruling, what was moved, and the records that it refers to."""
    actor, live, house = await at_table(request, table)
    dispute = _found(live, number, actor.person, actor.position)
    records = await asyncio.to_thread(_records, house.store, live, number)
    span = await asyncio.to_thread(_round_span, house.store, live, dispute)
    return _file(live, dispute, records, span, "" if actor.position.is_staff else actor.person)


@get("/api/tables/{table:str}/disputes/{number:int}/records", opt={**staff(Position.PIT_SUPERVISOR), "gives": LINES})
async def dispute_records(request: guards.Request, table: FromPath[str], number: FromPath[int]) -> Response[bytes]:
    """The records of the round and of the dispute, byte for byte as the chain has them: one line each. An export is itself on record."""
    actor, live, house = await at_table(request, table)
    dispute = _found(live, number, actor.person, actor.position)
    await noted(request, "records", live.name, live.name)

    def lines() -> list[bytes]:
        store, span = house.store, _round_span(house.store, live, dispute)
        until = told_until(store, live.name, live.snapshot)  # a card that lies face down is not told by a dispute
        round = store.records_between(live.name, span[0], min(span[1], until)) if span is not None else []
        own = [line for each in _numbers(live, number) for line in store.records_between(live.name, each, each)]
        return [*round, *own]

    name = f"dispute-{number}-round-{dispute.round}.jsonl"
    attached = {"Content-Disposition": f'attachment; filename="{name}"'}
    body = b"".join(line + b"\n" for line in await asyncio.to_thread(lines))
    return Response(body, media_type=LINES, headers=attached)


# ------------------------------------------------ reading


def _may_read(dispute: Dispute, person: str, position: Position) -> bool:
    return position.is_staff or dispute.patron == person


def _found(live: TableStream, number: int, person: str, position: Position) -> Dispute:
    dispute = live.state.disputes.get(number)
    if dispute is None or not _may_read(dispute, person, position):
        raise Trouble(ProblemKind.NOT_FOUND, NO_SUCH_DISPUTE(dispute=min(number, 2**53)))
    return dispute


def _numbers(live: TableStream, number: int) -> tuple[int, ...]:
    """The records of the dispute itself."""
    return live.snapshot.milestones.disputes.get(number, ())


def _records(store: Store, live: TableStream, number: int) -> list[Record]:
    return [decode(line) for each in _numbers(live, number) for line in store.records_between(live.name, each, each)]


def _round_span(store: Store, live: TableStream, dispute: Dispute) -> tuple[int, int] | None:
    entry = store.round(live.name, dispute.round)
    return None if entry is None else (entry.first, entry.last)


def _view(table: str, dispute: Dispute, position: Position) -> DisputeView:
    told = position.is_staff or dispute.by == dispute.patron
    return DisputeView(
        table=table,
        number=dispute.number,
        round=dispute.round,
        about=dispute.about,
        patron=dispute.patron,
        by=dispute.by if told else "",
        at=dispute.at,
        decision=dispute.decision,  # type: ignore[arg-type]  # of the ruling, or ""
    )


def _file(
    live: TableStream, dispute: Dispute, records: list[Record], span: tuple[int, int] | None, patron: str
) -> DisputeFile:
    """For staff, or for the patron whose it is: who of the staff said or did what is not a patron's business."""
    money = live.game.currency or UNSTATED
    statements, entries, ruling = [], [], None
    for record in records:
        match record.event:
            case (DisputeRaised() | StatementAdded()) as event if not patron or event.by == patron:
                statements.append(_statement(record.sequence, event))
            case DisputeRuled() as event:
                ruling = _ruling(record.sequence, event, patron)
            case PaymentCorrected() as event if not patron or patron in (event.patron, event.other):
                entries.append(_entry(record.sequence, event, money, patron))
    return DisputeFile(
        dispute=_view(live.name, dispute, Position.PATRON if patron else Position.DEALER),
        statements=statements,
        ruling=ruling,
        entries=entries,
        round_records=None if patron else span,
        records=[] if patron else [each.sequence for each in records],
    )


def _statement(sequence: int, event: DisputeRaised | StatementAdded) -> DisputeStatement:
    person = event.person if isinstance(event, StatementAdded) else event.patron or event.by
    return DisputeStatement(
        record=sequence, at=event.at, by=event.by, position=event.position.value, person=person, told=event.told
    )


def _ruling(sequence: int, event: DisputeRuled, patron: str) -> DisputeRuling:
    return DisputeRuling(
        record=sequence,
        at=event.at,
        by="" if patron else event.by,
        position=event.position.value,
        decision=event.decision,
        reason=event.reason,
        clause=event.clause,
    )


def _entry(sequence: int, event: PaymentCorrected, money: Currency, patron: str) -> DisputeEntry:
    """A patron is told of no other patron."""
    known = (
        (event.patron, event.other)
        if not patron
        else [each if each == patron else "" for each in (event.patron, event.other)]
    )
    return DisputeEntry(
        record=sequence,
        at=event.at,
        by="" if patron else event.by,
        cosigned_by=[] if patron else list(event.cosigned_by),
        wager=event.wager,
        error=event.error,
        patron=known[0],
        other=known[1],
        amount=show(event.amount, money),
        owed=show(event.owed, money),
        reason="" if patron else event.reason,
    )
