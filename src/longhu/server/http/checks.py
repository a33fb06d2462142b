"""Long looks at a table for the auditor: all of it verified, a day of it settled again. Each goes on in a thread of its own, and
whoever asks is told how far it has come (LOG-2)."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from threading import Event as Flag

import msgspec

from longhu.audit.export import DAY
from longhu.audit.record import Record, decode
from longhu.audit.report import VerificationFailed, VerificationReport
from longhu.audit.resettlement import Resettled, resettled
from longhu.games.game import Game
from longhu.server.logs import log
from longhu.server.tables.theory import records_named
from longhu.store import integrity, proofs
from longhu.store.entries import RoundEntry
from longhu.store.errors import Damaged, StoreError
from longhu.store.interface import Store
from longhu.table.opening import SettingsChanged, TableOpened
from longhu.table.settings import Settings

REMEMBERED = 32  # checks, with what they found
STOPPED = "the house is stopping"
OF_SETTINGS = frozenset([b"table-opened/1", b"settings-changed/1"])


class Check(msgspec.Struct, kw_only=True):
    """One look, as far as it has come."""

    kind: str  # "verify" or "resettle"
    table: str
    day: str  # "" is the whole of it
    began: int  # milliseconds, UTC
    ended: int = 0
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
        self._known: OrderedDict[tuple[str, str], Check] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop = Flag()

    def look(self, person: str, run: str, kind: str, table: str, day: str, now: int) -> Check:
        """The look that somebody calls so; where there is none, it begins now."""
        known = self._known.get((person, run))
        if known is not None and (known.kind, known.table, known.day) == (kind, table, day):
            return known
        check = Check(kind=kind, table=table, day=day, began=now)
        self._known[person, run] = check
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        task = asyncio.get_running_loop().create_task(self._go(check))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return check

    async def _go(self, check: Check) -> None:
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
        """Whatever is under way ends soon."""
        self._stop.set()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _verify(self, check: Check) -> None:
        from longhu.audit.verify import verify  # a large part of the program, which few ask for

        check.of = self._store.standing(check.table).sequence
        integrity.check_chain(self._store, check.table)
        check.verified = verify(self._counted(check, proofs.proof_of(self._store, check.table)))

    def _counted(self, check: Check, lines: Iterator[bytes]) -> Iterator[bytes]:
        for line in lines:
            if self._stop.is_set():
                raise _Stopped
            check.done = min(check.done + 1, check.of)
            yield line

    def _resettle(self, check: Check) -> None:
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

    def _decoded(self, check: Check, lines: Iterator[bytes]) -> Iterator[Record]:
        for line in lines:
            if self._stop.is_set():
                raise _Stopped
            record = decode(line)
            if record.event.__struct_config__.tag in ("round-ended/1", "round-voided/1"):
                check.done += 1
            yield record

    def _rounds(self, check: Check) -> tuple[int, int, int] | None:
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


def _after(event: object) -> Settings | None:
    return event.after if isinstance(event, SettingsChanged) else None


def span_of(day: str) -> tuple[int, int]:
    """From when to when a day goes, UTC in milliseconds; "" is all of time. `ValueError` where it is no day."""
    if not day:
        return 0, 2**62
    start = round(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp() * 1000)
    return start, start + DAY
