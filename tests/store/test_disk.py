"""A SQLite store and its disk: full, failing, copied while in use."""

from __future__ import annotations

import resource
import signal
import stat
import threading
from pathlib import Path

import apsw
import pytest

from longhu.store.entries import Appended
from longhu.store.errors import AlreadyExists, CommitFailed, StoreError, StoreUnusable
from longhu.store.group_commit import GroupCommit
from longhu.store.integrity import check_chain, check_ends, check_money, check_wallets
from longhu.store.sqlite import SqliteStore
from tests.store.house import Seat, opened, with_wallet


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


def sound(store: SqliteStore) -> None:
    """The file, the chain and the money."""
    check_ends(store)
    check_chain(store, "T1")
    check_money(store, "T1")
    connection = apsw.Connection(str(store.path))
    assert list(connection.execute("pragma integrity_check")) == [("ok",)]
    connection.close()


def append_for_ever(writer: GroupCommit, seat: Seat, told: list[int]) -> None:
    while True:
        told.append(writer.append(seat.buys(*[1] * 20)).last)


def test_a_full_disk_refuses_and_corrupts_nothing(path: Path) -> None:
    store = SqliteStore(path, pages_max=60)
    seat = opened(store)
    told = [1]
    with GroupCommit(store) as writer:
        with pytest.raises(CommitFailed, match="the disk is full"):
            append_for_ever(writer, seat, told)
        seat.stands(store.standing("T1"))
        assert seat.chain.sequence == told[-1]
        with pytest.raises(CommitFailed, match="full"):
            writer.append(seat.buys(*[1] * 20))
    sound(store)
    store.close()
    roomy = SqliteStore(path)
    assert roomy.standing("T1").sequence == told[-1]
    assert roomy.commit([Seat(roomy.standing("T1")).buys(1)]) == [Appended(told[-1] + 1, told[-1] + 1)]
    sound(roomy)
    roomy.close()


def test_a_disk_that_fails_ends_the_store_until_it_is_opened_again(path: Path) -> None:
    store = SqliteStore(path)
    seat = opened(store)
    told = [1]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with GroupCommit(store) as writer:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
            with pytest.raises(StoreError):
                append_for_ever(writer, seat, told)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, before)
        assert store.standing("T1").sequence == told[-1]  # readers go on
        with pytest.raises(StoreUnusable, match="open the store again"):
            writer.append(Seat(store.standing("T1")).buys(1))
    store.close()
    again = SqliteStore(path)
    assert again.standing("T1").sequence == told[-1]
    assert again.commit([Seat(again.standing("T1")).buys(1)]) == [Appended(told[-1] + 1, told[-1] + 1)]
    sound(again)
    again.close()


def test_a_store_that_another_process_writes_to_for_too_long_is_busy(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("longhu.store.sqlite.WAITS", 10)
    store = SqliteStore(path)
    seat = opened(store)
    other = apsw.Connection(str(path))
    other.execute("begin immediate")
    append = seat.buys(1)
    with pytest.raises(CommitFailed, match="Ask again"):
        store.commit([append])
    other.execute("rollback")
    other.close()
    assert store.commit([append]) == [Appended(2, 2)]
    store.close()


def test_a_closed_store_says_so(path: Path) -> None:
    store = SqliteStore(path)
    seat = opened(store)
    store.close()
    with pytest.raises(StoreUnusable, match="closed"):
        store.commit([seat.buys(1)])
    with pytest.raises(StoreUnusable, match="closed"):
        store.tables()


@pytest.mark.clause("REC-3")
def test_every_commit_is_synced(path: Path) -> None:
    store = SqliteStore(path)
    asked = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    with store._writing() as session:
        assert {name: session.ask(f"pragma {name}")[0][0] for name in asked} == asked
    store.close()


def test_only_the_owner_reads_the_file(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path)
    store.backup(tmp_path / "copy.db")
    for each in tmp_path.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == 0o600, each
    store.close()


def test_a_backup_is_made_while_the_store_is_in_use(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path)
    seat = opened(store)
    purse = with_wallet(store, "bob", amount=500)
    store.commit([purse.pays_out(100)])
    secret = bytes(range(32))
    store.commit([seat.commits(1, secret)])
    stop = threading.Event()
    told: list[int] = []

    def appends() -> None:
        with GroupCommit(store) as writer:
            while not stop.is_set():
                told.append(writer.append(seat.buys(1)).last)

    thread = threading.Thread(target=appends)
    thread.start()
    copies = []
    for number in range(3):
        while len(told) < 10 * (number + 1):
            stop.wait(0.001)
        least = told[-1]
        copies.append((tmp_path / f"copy {number}.db", least))
        store.backup(copies[-1][0])
    stop.set()
    thread.join()
    for copy, least in copies:
        restored = SqliteStore(copy)
        sound(restored)
        assert restored.standing("T1").sequence >= least
        assert restored.sealed("T1") == {1: secret}
        assert restored.wallet("bob") == 400
        assert check_wallets(restored) == 1
        assert restored.commit([Seat(restored.standing("T1")).buys(1)])
        restored.close()
    sound(store)
    with pytest.raises(AlreadyExists, match="never written over"):
        store.backup(copies[0][0])
    with pytest.raises(CommitFailed, match="no backup of that name"):
        store.backup(tmp_path / "nowhere" / "copy.db")
    assert not list(tmp_path.glob("*.unfinished*"))
    store.close()
