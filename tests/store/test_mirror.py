"""The second copy of the trails: whole after a crash, and never on top of something else."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path
from queue import SimpleQueue

import pytest

from longhu.store import mirror
from longhu.store.errors import AlreadyExists, Damaged
from longhu.store.group_commit import GroupCommit
from longhu.store.interface import Store
from longhu.store.mirror import Mirror, MirrorFolder, check_mirror
from longhu.store.sqlite import SqliteStore
from tests.audit.evening import START
from tests.store.house import Place, Seat, opened, with_wallet
from tests.store.tampering import rewrite_lines, tamper

KILLS = int(os.environ.get("LONGHU_KILLS", "4"))
LONG = "person:" + "八" * 150


def copied(folder: Path, trail: str = "T1") -> list[bytes]:
    return list(MirrorFolder(folder).lines(trail))


@pytest.mark.clause("LOG-2")
def test_every_trail_is_copied_byte_for_byte(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    seat = opened(store)
    with_wallet(store, amount=500)
    with Mirror(store, folder):
        store.commit([seat.buys(1, 2, 3), seat.buys(4)])
        purse = with_wallet(store, "bob", amount=7)
        store.commit([purse.pays_out(2)])
        store.create_trail(LONG, START)
    for trail in ("T1", "person:ann", "person:bob"):
        assert copied(folder, trail) == list(store.records(trail)) != []
    assert check_mirror(store, folder) == 0
    store.commit([seat.buys(5, 6)])
    assert check_mirror(store, folder) == 2
    with Mirror(store, folder):
        pass
    assert copied(folder) == list(store.records("T1"))
    assert check_mirror(store, folder) == 0


@pytest.mark.clause("LOG-2")
def test_what_others_append_is_copied_while_it_happens(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = place.open(), place.open()
    seat, done = opened(other), SimpleQueue[int]()
    append = MirrorFolder.append

    def watched(folder: MirrorFolder, trail: str, lines: list[bytes]) -> None:
        append(folder, trail, lines)
        done.put(len(lines))

    monkeypatch.setattr(MirrorFolder, "append", watched)
    with Mirror(store, tmp_path / "copy"):
        assert done.get(timeout=20) == 1
        other.commit([seat.buys(1)])
        assert done.get(timeout=20) == 1
        assert copied(tmp_path / "copy") == list(store.records("T1"))
    store.close()
    other.close()


def test_each_day_has_a_file_that_only_its_owner_reads(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "house.db")
    seat = opened(store)
    days = 3
    for _ in range(days):
        seat.chain.last_at += 24 * 3600 * 1000
        store.commit([seat.buys(1), seat.buys(2)])
    with Mirror(store, tmp_path / "copy"):
        pass
    files = MirrorFolder(tmp_path / "copy").days("T1")
    assert [len(each.read_bytes().splitlines()) for each in files] == [1, 2, 2, 2]
    assert copied(tmp_path / "copy") == list(store.records("T1"))
    for each in (tmp_path / "copy").rglob("*"):
        assert stat.S_IMODE(each.stat().st_mode) & 0o077 == 0, each
    store.close()


def test_what_a_crash_has_cut_off_is_copied_again(tmp_path: Path) -> None:
    store, folder = SqliteStore(tmp_path / "house.db"), tmp_path / "copy"
    seat = opened(store)
    store.commit([seat.buys(1, 2, 3)])
    with Mirror(store, folder):
        pass
    (day,) = MirrorFolder(folder).days("T1")
    whole = day.read_bytes()
    for length in (len(whole) - 1, len(whole) - 200, len(whole.splitlines()[0]), 1, 0):
        day.write_bytes(whole[:length])
        with Mirror(store, folder):
            pass
        assert day.read_bytes() == whole
    store.close()


@pytest.mark.clause("LOG-2")
def test_a_store_or_a_copy_that_was_changed_is_told(place: Place, store: Store, tmp_path: Path) -> None:
    folder, told = tmp_path / "copy", list[str]()
    seat = opened(store)
    other = opened(store, "T2")
    store.commit([seat.buys(1, 2, 3), other.buys(1)])
    with Mirror(store, folder):
        pass
    rewrite_lines(place, "T1", lambda old: [*old[:-1], old[-1].replace(b"3", b"4")])
    with pytest.raises(Damaged, match="record 4 of T1 is another in the second copy"):
        check_mirror(store, folder)
    before = copied(folder)
    store.commit([other.buys(2)])
    with Mirror(store, folder, told.append):
        pass
    assert len(told) == 1
    assert "the second copy of T1" in told[0]
    assert copied(folder) == before, "it is left as it is"
    assert copied(folder, "T2") == list(store.records("T2")), "the others go on"
    tamper(place, "delete from appends where table_id = 'T1' and last_sequence = 4")
    with pytest.raises(Damaged, match="more than the 1 records of the store"):
        check_mirror(store, folder)
    with pytest.raises(Damaged, match="no second copy"):
        check_mirror(store, tmp_path / "elsewhere")


def test_two_never_copy_to_one_folder(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "house.db")
    with Mirror(store, tmp_path / "copy"), pytest.raises(AlreadyExists, match="somebody else copies"):
        Mirror(store, tmp_path / "copy").start()
    store.close()


def test_a_disk_that_is_full_is_told_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, folder, told = SqliteStore(tmp_path / "house.db"), tmp_path / "copy", list[str]()
    seat = opened(store)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(MirrorFolder, "append", full)
        with Mirror(store, folder, told.append):
            pass
    assert "No space left" in told[0]
    store.commit([seat.buys(1)])
    with Mirror(store, folder):
        pass
    assert copied(folder) == list(store.records("T1"))
    store.close()


@pytest.mark.clause("LOG-2", "REC-3")
def test_a_disk_that_fills_in_the_middle_leaves_nothing_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, folder, told = SqliteStore(tmp_path / "house.db"), tmp_path / "copy", SimpleQueue[str]()
    seat = opened(store)
    store.commit([seat.buys(1, 2, 3, 4)])
    append, calls = MirrorFolder.append, list[int]()

    def full_at_times(self: MirrorFolder, trail: str, lines: list[bytes]) -> None:
        calls.append(len(lines))
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        append(self, trail, lines)

    monkeypatch.setattr(mirror, "BLOCK", 1)
    monkeypatch.setattr(MirrorFolder, "append", full_at_times)
    with Mirror(store, folder, told.put):
        assert "No space left" in told.get(timeout=20)
    assert copied(folder) == list(store.records("T1"))
    store.close()


@pytest.mark.clause("LOG-2", "REC-3")
def test_a_copy_is_whole_again_after_a_kill_at_any_instant(tmp_path: Path) -> None:
    path, folder, chance = tmp_path / "house.db", tmp_path / "copy", random.Random(7)
    store = SqliteStore(path)
    opened(store)
    for _ in range(KILLS):
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.store.test_copies", str(path), str(folder)], stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        child.stdout.readline()
        threading.Event().wait(chance.random() * 0.3)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        with Mirror(store, folder):
            pass
        assert copied(folder) == list(store.records("T1"))
    assert check_mirror(store, folder) == 0
    store.close()


def main(path: str, folder: str) -> None:
    """Append and copy until somebody kills this process."""
    mirror.EVERY = 0.0
    store = SqliteStore(Path(path))
    seat = Seat(store.standing("T1"))
    with Mirror(store, Path(folder)), GroupCommit(store) as writer:
        print("ready", flush=True)  # noqa: T201
        while True:
            writer.append(seat.buys(*[1] * 20))


if __name__ == "__main__":
    main(*sys.argv[1:])
