"""Long checks for the auditor: verify a whole table, or settle a day of it again (LOG-2).

Each check runs in a thread of its own and reports its progress.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from functools import cache
from itertools import islice
from threading import Event as Flag
from typing import Annotated, Literal

import msgspec
from litestar import get
from msgspec import Meta

from longhu.audit.record import Record, decode
from longhu.audit.report import VerificationFailed, VerificationReport
from longhu.audit.resettlement import Resettled, resettled
from longhu.games.game import Game
from longhu.money import UNSTATED, show
from longhu.protocol import DAY_PATTERN, TRAIL_NAME_MAX
from longhu.server.api import guards
from longhu.server.api.audit.records import AUDIT, span_of
from longhu.server.api.guards import live_table
from longhu.server.api.http import Number, Time, query
from longhu.server.codec import Id, Shown
from longhu.server.observability import log
from longhu.server.problems import NOT_A_DAY, WRITE_DAY, ProblemKind, Trouble
from longhu.server.tables.theory import names_in_records, records_named
from longhu.store import integrity
from longhu.store.entries import RoundEntry
from longhu.store.errors import Damaged, StoreError
from longhu.store.interface import Store
from longhu.table.opening import SettingsChanged, TableOpened
from longhu.table.remedies.void import RoundVoided
from longhu.table.settling import RoundEnded
from longhu.table.state import Settings

REMEMBERED = 32  # checks, with what they found
STOPPED = "the house is stopping"
OF_SETTINGS = names_in_records(TableOpened, SettingsChanged)


class TableCheck(msgspec.Struct, kw_only=True):
    """A check of a table, as far as it has come."""

    kind: str  # "verify" or "resettle"
    table: str
    day: str  # "" is the whole of it
    began: int  # milliseconds, UTC
    done: int = 0  # records, or rounds
    of: int = 0
    state: str = "waiting"  # "running", "done"
    wrong: str = ""  # the first thing that is not right
    verified: VerificationReport | None = None
    resettled: Resettled | None = None


class _Stopped(Exception):
    pass


class Checks:
    """One at a time: each takes all of a processor."""

    def __init__(self, store: Store, turn: asyncio.Semaphore) -> None:
        self._store, self._turn = store, turn
        self._known: OrderedDict[tuple[str, str], TableCheck] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop = Flag()

    def look(self, person: str, run: str, kind: str, table: str, day: str, now: int) -> TableCheck:
        """The check that this person gave this name; where there is none, it begins now."""
        known = self._known.get((person, run))
        if known is not None and (known.kind, known.table, known.day) == (kind, table, day):
            return known
        check = TableCheck(kind=kind, table=table, day=day, began=now)
        self._known[person, run] = check
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        task = asyncio.get_running_loop().create_task(self._go(check))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return check

    async def _go(self, check: TableCheck) -> None:
        look = {"verify": self._verify, "resettle": self._resettle}[check.kind]
        async with self._turn:
            check.state = "running"
            try:
                await asyncio.to_thread(look, check)
            except (VerificationFailed, Damaged) as error:
                check.wrong = str(error)
            except _Stopped:
                check.wrong = STOPPED
            except StoreError as error:
                check.wrong = str(error)
            except Exception as error:
                log.exception("a check failed", table=check.table)
                check.wrong = f"{type(error).__name__}: {error}"
            check.state = "done"

    async def stop(self) -> None:
        """Stop the checks that are running."""
        self._stop.set()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _verify(self, check: TableCheck) -> None:
        check.of = self._store.standing(check.table).sequence
        lines = self._counted(check, integrity.proof_of(self._store, check.table))
        check.verified = _checked(self._store, check.table, lines)

    def _counted(self, check: TableCheck, lines: Iterator[bytes]) -> Iterator[bytes]:
        for line in lines:
            if self._stop.is_set():
                raise _Stopped
            check.done = min(check.done + 1, check.of)
            yield line

    def _resettle(self, check: TableCheck) -> None:
        rounds = self._rounds(check)
        if rounds is None:
            check.resettled = Resettled(differences=[])
            return
        first, last, check.of = rounds
        files = self._store.games(check.table)

        @cache
        def game(digest: str) -> Game:
            return files[digest].load(f"the rules {digest[:12]}")

        lines = islice(self._store.records(check.table, first - 1), last - first + 1)
        check.resettled = resettled(self._decoded(check, lines), game, self._settings(check.table, first))

    def _decoded(self, check: TableCheck, lines: Iterator[bytes]) -> Iterator[Record]:
        for line in lines:
            if self._stop.is_set():
                raise _Stopped
            record = decode(line)
            if isinstance(record.event, RoundEnded | RoundVoided):
                check.done += 1
            yield record

    def _rounds(self, check: TableCheck) -> tuple[int, int, int] | None:
        """The first and the last record of the rounds that ended on that day, and how many there are; None where none did."""
        start, end = span_of(check.day)
        found: list[RoundEntry] = []
        first = last = count = 0
        before: int | None = None
        while found := self._store.rounds(check.table, before=before, limit=1000):
            if self._stop.is_set():
                raise _Stopped
            of_day = [each for each in found if start <= each.ended < end]
            if of_day:
                first, last, count = of_day[-1].first, last or of_day[0].last, count + len(of_day)
            if found[-1].ended < start or len(found) < 1000:
                break
            before = found[-1].number
        return (first, last, count) if count else None

    def _settings(self, table: str, first: int) -> Settings | None:
        """Those of the table when that record was made."""
        for _, line in records_named(self._store, table, OF_SETTINGS, first - 1):
            event = decode(line).event
            return event.settings if isinstance(event, TableOpened) else _after(event)
        return None


def _checked(store: Store, table: str, lines: Iterator[bytes]) -> VerificationReport:
    """The chain as it is stored, and everything that the lines of the proof say; `VerificationFailed` or `Damaged` for the first mistake."""
    from longhu.audit.verify import verify  # a large part of the program, which few ask for

    integrity.check_chain(store, table)
    return verify(lines)


def _after(event: object) -> Settings | None:
    return event.after if isinstance(event, SettingsChanged) else None


# ------------------------------------------------ routes


class TableQuery(msgspec.Struct, frozen=True, kw_only=True):
    table: Annotated[str, Meta(min_length=1, max_length=TRAIL_NAME_MAX)]


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


class CheckRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A check of a table; the same `run` asks how far it has come, another begins anew."""

    run: Id
    kind: Literal["verify", "resettle"]
    table: Annotated[str, Meta(min_length=1, max_length=TRAIL_NAME_MAX)]
    day: Annotated[str, Meta(pattern=DAY_PATTERN)] = ""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a check has come, and what it found."""

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
    verified: VerificationReport | None
    resettled: Resettled | None
    staked: Shown
    paid: Shown


@get("/api/audit/checks", opt={**AUDIT, "query": CheckRequest, "problems": (404,)})
async def check_table(request: guards.Request) -> Progress:
    """Verify a table from its first record to its last, or settle a day of it again; asked again, it says how far it has come."""
    asked, house = query(request, CheckRequest), guards.house(request)
    live, actor = await live_table(request, asked.table), await guards.acting(request)
    try:
        span_of(asked.day)
    except ValueError:
        raise Trouble(ProblemKind.MALFORMED, NOT_A_DAY(day=asked.day), remedy=WRITE_DAY()) from None
    checks: Checks = request.app.state.checks
    found = checks.look(actor.person, asked.run, asked.kind, live.name, asked.day, house.now())
    money, again = live.game.currency or UNSTATED, found.resettled
    known = found.state == "done"
    return Progress(
        **msgspec.structs.asdict(found),
        at=house.now(),
        right=not found.wrong and not (again is not None and again.differing) if known else None,
        staked=show(again.staked if again is not None else 0, money),
        paid=show(again.paid if again is not None else 0, money),
    )


@get("/api/audit/verify", opt={**AUDIT, "query": TableQuery, "problems": (404,)})
async def verify_table(request: guards.Request) -> Verified:
    """Check all records of a table again: chain, rules, cards, money, shuffles (LOG-2)."""
    live, house = await live_table(request, query(request, TableQuery).table), guards.house(request)
    async with request.app.state.verifying:  # one at a time: it takes all of a processor
        return await asyncio.to_thread(_verified, house.store, live.name, house.now())


def _verified(store: Store, table: str, at: int) -> Verified:
    try:
        found = _checked(store, table, integrity.proof_of(store, table))
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
