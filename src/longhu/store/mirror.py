"""The mirror: a second copy of every audit log, in append-only files: a folder for each log, a file for each day.

A record is copied once it is durable in the store, byte for byte, with a line feed behind it. The day is that of the record,
in UTC. The folder of a table has its rules as well, so that `longhu verify` reads it as it is. On start the mirror reads how far each
log has been copied, and goes on from there; a line that a crash has cut off is removed first. A copy that is not the
beginning of what the store has is left as it is and reported: one of the two was changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from itertools import groupby, islice
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import msgspec

from longhu.audit.export import WHOLE
from longhu.audit.proof import ProofError, closing_line, opening_line, read_opening
from longhu.audit.record import digest
from longhu.store.errors import AlreadyExists, Damaged, NotFound, StoreError
from longhu.store.interface import Store

EVERY = 0.5  # seconds between two looks at what is new
BLOCK = 2000  # records between two syncs of the disk
NAME = 100  # characters of a trail's name that its folder has, where the name is long
ENDING = ".jsonl"
RULES = "rules.json"  # the first line of a proof: the table's name, and every game file that it ever had
OPENED = b'"event":"table-opened/'  # perhaps with other rules
Alarm = Callable[[str], None]


class _Event(msgspec.Struct):
    at: int


class _Record(msgspec.Struct):
    sequence: int
    event: _Event


_decoder = msgspec.json.Decoder(_Record)


class MirrorFolder:
    """Where the copies are. Only its owner reads them: the trail of a person has what the password was made into."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def of(self, trail: str) -> Path:
        """The folder of a trail."""
        name = quote(trail, safe="")
        if len(name) > 2 * NAME:
            name = f"{name[:NAME]}-{hashlib.sha256(trail.encode()).hexdigest()}"
        return self.path / name

    def days(self, trail: str) -> list[Path]:
        """The files of a trail, the oldest first."""
        return _days(self.of(trail))

    def lines(self, trail: str) -> Iterator[bytes]:
        """Every record that was copied, without its end; what a crash has cut off is none."""
        return lines_in(self.of(trail))

    def last(self, trail: str) -> bytes | None:
        """The last record that was copied; what a crash has cut off behind it is taken away."""
        for day in reversed(self.days(trail)):
            with day.open("rb+") as file:
                end, line = _last_line(file.fileno())
                if file.seek(0, os.SEEK_END) > end:
                    file.truncate(end)
                    os.fsync(file.fileno())
            if line:
                return line
        return None

    def put_rules(self, trail: str, line: bytes) -> None:
        """What a proof of this table begins with; whole, or as it was."""
        path = self.of(trail) / RULES
        if path.exists() and path.read_bytes() == line:
            return
        new = path.with_suffix(".new")
        with open(os.open(new, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        _sync(path.parent)

    def append(self, trail: str, lines: Iterable[bytes]) -> None:
        """More records of a trail, durably."""
        folder = self.of(trail)
        if not folder.exists():
            folder.mkdir(mode=0o700)
            _sync(self.path)
        for day, of_day in groupby(lines, _day):
            path = folder / f"{day}{ENDING}"
            is_new = not path.exists()
            opened = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
            with open(opened, "wb") as file:
                file.write(b"".join(line + b"\n" for line in of_day))
                file.flush()
                os.fsync(file.fileno())
            if is_new:
                _sync(folder)


def _days(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{ENDING}"))


def lines_in(folder: Path) -> Iterator[bytes]:
    """The records in the folder of a trail, without their ends."""
    for day in _days(folder):
        with day.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line[:-1]


def _last_line(file: int) -> tuple[int, bytes]:
    """Where the last whole line ends, and that line; read from behind."""
    end = os.fstat(file).st_size
    tail, start = b"", end
    while start and tail.count(b"\n") < 2:
        size = min(start, 65_536)
        start -= size
        tail = os.pread(file, size, start) + tail
    whole = tail[: tail.rfind(b"\n") + 1]
    return start + len(whole), whole[:-1].rpartition(b"\n")[2]


def _day(line: bytes) -> str:
    return datetime.fromtimestamp(_decoder.decode(line).event.at / 1000, UTC).date().isoformat()


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class Mirror(AbstractContextManager["Mirror"]):
    """A thread that copies whatever is appended to a store, by whomever, while it is entered.

    One at a time copies to a folder: whoever enters beside it gets `AlreadyExists`.
    """

    def __init__(self, store: Store, path: Path, alarm: Alarm = lambda _: None) -> None:
        self._store, self._folder, self._alarm = store, MirrorFolder(path), alarm
        self._copied: dict[str, int] = {}  # the last sequence of each trail that is in its file
        self._ruled: set[str] = set()  # trails whose rules are there, or that have none
        self._told: set[str] = set()  # trails of which something was said
        self._news: set[str] = set()
        self._everything = True
        self._wanted, self._stopping = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="longhu-copies", daemon=True)

    def start(self) -> None:
        self._folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = os.open(self._folder.path / "lock", os.O_CREAT | os.O_WRONLY, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            raise AlreadyExists(
                f"somebody else copies to {self._folder.path}. Give each node a folder of its own, or copy by one."
            ) from None
        self._changes = self._store.changes(self._wake)
        self._changes.__enter__()
        self._thread.start()
        self._wanted.set()

    def stop(self) -> None:
        """What is durable by now is copied before this returns."""
        self._changes.__exit__(None, None, None)
        self._stopping.set()
        self._wanted.set()
        self._thread.join()
        os.close(self._lock)

    def __enter__(self) -> Mirror:
        self.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.stop()

    def _wake(self, trail: str, _sequence: int) -> None:
        """Called by the thread of the store that tells what was appended."""
        if trail:
            self._news.add(trail)
        else:
            self._everything = True
        self._wanted.set()

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            stops = self._stopping.is_set()
            self._wanted.clear()
            self._pass(last=stops)
            if stops:
                return
            self._stopping.wait(EVERY)  # what comes meanwhile is copied together

    def _pass(self, *, last: bool) -> None:
        everything, self._everything = self._everything or last, False
        news, self._news = self._news, set()
        try:
            for trail, sequence in self._stands(everything, news):
                if sequence > self._copied.get(trail, -1) and trail not in self._told:
                    self._follow(trail)
        except (StoreError, OSError) as error:  # the disk is full, or the store is gone: tried again with the next news
            self._everything = True
            self._say("", f"the second copy could not be written: {error}")

    def _stands(self, everything: bool, news: set[str]) -> list[tuple[str, int]]:
        if not everything:
            return [(trail, self._store.standing(trail).sequence) for trail in sorted(news)]
        tables = [(each.table, self._store.standing(each.table).sequence) for each in self._store.tables()]
        return [*tables, *((each.name, each.sequence) for each in self._store.trails())]

    def _follow(self, trail: str) -> None:
        """Everything of a trail that is not copied yet."""
        try:
            copied = self._copied[trail] if trail in self._copied else self._found(trail)
        except Damaged as error:
            self._say(trail, str(error))
            return
        lines = self._store.records(trail, copied)
        while block := list(islice(lines, BLOCK)):
            self._folder.append(trail, block)
            copied += len(block)
            self._copied[trail] = copied
            if any(OPENED in line for line in block):
                self._ruled.discard(trail)
        self._copied[trail] = copied
        if copied and trail not in self._ruled:
            self._put_rules(trail)
            self._ruled.add(trail)

    def _put_rules(self, trail: str) -> None:
        try:
            games = self._store.games(trail)
        except NotFound:  # of a person, or of the house
            return
        self._folder.put_rules(trail, opening_line(trail, WHOLE, games))

    def _found(self, trail: str) -> int:
        """How far a trail was copied before; its last record must be one of the store's."""
        line = self._folder.last(trail)
        if line is None:
            return 0
        try:
            sequence = _decoder.decode(line).sequence
        except msgspec.MsgspecError:
            sequence = 0
        if self._store.records_between(trail, sequence, sequence) != [line]:
            raise Damaged(
                f"the second copy of {trail} in {self._folder.of(trail)} ends with a record {sequence} that the store does "
                "not have. One of the two was changed, or an older backup was restored. Nothing more is copied there: keep "
                "both, find out, and move that folder away."
            )
        return sequence

    def _say(self, trail: str, says: str) -> None:
        """Once for each trail."""
        if trail not in self._told:
            self._alarm(says)
            if trail:
                self._told.add(trail)


def proof_in(folder: Path) -> Iterator[bytes]:
    """The copy of a table, `folder` of its own, as the proof of all that was copied; `ProofError` where it is none."""
    try:
        opening = (folder / RULES).read_bytes()
    except FileNotFoundError:
        tables = sorted(each.parent.name for each in folder.glob(f"*/{RULES}"))
        found = (
            f"Tables in it: {', '.join(tables)}." if tables else "`longhu admin check` checks trails without a game."
        )
        raise ProofError(f"this folder is not the copy of a table: it has no {RULES}. {found}") from None
    name = read_opening(opening).table
    yield opening
    count, last = 0, b""
    for last in lines_in(folder):
        count += 1
        yield last + b"\n"
    if not count:
        raise ProofError(f"nothing of table {name} was copied")
    yield closing_line(count, digest(last))


def check_mirror(store: Store, path: Path) -> int:
    """Every copied record against the store's; how many records of the store are not copied yet.

    `Damaged` names the first that differs.
    """
    folder, behind = MirrorFolder(path), 0
    if not path.is_dir():
        raise Damaged(f"there is no second copy in {path}. Is the folder mounted?")
    for trail in [*(each.table for each in store.tables()), *(each.name for each in store.trails())]:
        copied, sequence = folder.lines(trail), 0
        for sequence, line in enumerate(store.records(trail), 1):
            copy = next(copied, None)
            if copy is None:
                behind += store.standing(trail).sequence - sequence + 1
                break
            if copy != line:
                raise Damaged(
                    f"record {sequence} of {trail} is another in the second copy, {folder.of(trail)}: {copy[:100]!r}. "
                    "One of the two was changed: keep both, and compare with heads that were signed."
                )
        else:
            more = next(copied, None)
            if more is not None and store.records_between(trail, sequence + 1, sequence + 1) != [more]:
                raise Damaged(
                    f"the second copy of {trail}, {folder.of(trail)}, has more than the {sequence} records of the store. "
                    "Records were taken out of the store, or an older backup was restored."
                )
    return behind
