"""The power fails: what was synced is on the disk, of what was not synced any part may be.

SQLite writes through a layer that remembers what it wrote since the last sync. At many instants the disk is made as it could
be after a failure at that instant, and the store is opened from it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from longhu.store import sqlite
from longhu.store.integrity import check_chain, check_ends, check_money
from longhu.store.sqlite import SqliteStore
from tests.store.house import opened

CUTS = 200
Write = tuple[int, bytes]


class Disk:
    """Files as they are for certain, and what was written to them since."""

    def __init__(self) -> None:
        self.certain: dict[str, bytes] = {}
        self.since: dict[str, list[Write | int]] = {}  # writes at a place, cuts to a length
        self.syncs = 0
        self.watched: Callable[[], object] = lambda: None

    def note(self, name: str, change: Write | int) -> None:
        self.since.setdefault(name, []).append(change)
        self.watched()

    def sync(self, name: str) -> None:
        self.syncs += 1
        self.certain[name] = _applied(self.certain.get(name, b""), self.since.pop(name, []))
        self.watched()

    def delete(self, name: str) -> None:
        self.certain.pop(name, None)
        self.since.pop(name, None)

    def failed(self, chance: random.Random) -> dict[str, bytes]:
        """What the files could hold after a failure now: each write since the last sync is there, torn, or not."""
        files = dict(self.certain)
        for name, since in self.since.items():
            there = [_torn(each, chance) for each in since if chance.random() < 0.7]
            files[name] = _applied(files.get(name, b""), there)
        return files


def _torn(change: Write | int, chance: random.Random) -> Write | int:
    if isinstance(change, int) or chance.random() < 0.8:
        return change
    place, data = change
    return place, data[: chance.randrange(len(data) + 1)]


def _applied(file: bytes, changes: list[Write | int]) -> bytes:
    content = bytearray(file)
    for change in changes:
        if isinstance(change, int):
            del content[change:]
        else:
            place, data = change
            content.extend(bytes(max(0, place - len(content))))
            content[place : place + len(data)] = data
    return bytes(content)


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else str(name)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        self._disk.note(self._name, (offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        self._disk.note(self._name, newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._disk.sync(self._name)


class _Layer(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        super().__init__("remembering", "unix", True)
        self._disk = disk

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self._disk.delete(filename)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _File(self._disk, name, flags)


@pytest.fixture
def disk() -> Iterator[Disk]:
    disk = Disk()
    layer = _Layer(disk)
    try:
        yield disk
    finally:
        layer.unregister()


@pytest.mark.clause("REC-1", "REC-3")
def test_whatever_was_acknowledged_survives_a_failure_of_power(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PAGES_KEPT", 30)  # so that the log is written back often
    chance = random.Random(11)
    store = SqliteStore(tmp_path / "house.db")
    seat = opened(store)
    told = 1
    failures: list[tuple[int, dict[str, bytes]]] = []

    def watched() -> None:
        if chance.random() < 0.15:
            failures.append((told, disk.failed(chance)))

    disk.watched = watched
    for number in range(60):
        (done,) = store.commit([seat.buys(*[1] * (1 + number % 4))])
        told = seat.chain.sequence
        assert not isinstance(done, Exception)
        failures.append((told, disk.failed(chance)))
    disk.watched = lambda: None
    store.close()
    for number, (acknowledged, files) in enumerate(chance.sample(failures, min(CUTS, len(failures)))):
        _check(tmp_path / f"after {number}", files, acknowledged)


def _check(folder: Path, files: dict[str, bytes], acknowledged: int) -> None:
    folder.mkdir()
    for name, content in files.items():
        (folder / Path(name).name).write_bytes(content)
    store = SqliteStore(folder / "house.db")
    assert store.standing("T1").sequence >= acknowledged
    check_ends(store)
    check_chain(store, "T1")
    check_money(store, "T1")
    store.close()


@pytest.mark.clause("REC-3")
def test_an_append_is_synced_before_it_is_acknowledged(disk: Disk, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "house.db")
    seat = opened(store)
    for _ in range(5):
        before = disk.syncs
        store.commit([seat.buys(1)])
        assert disk.syncs > before
        assert not any(name.endswith("-wal") for name in disk.since)
    store.close()
