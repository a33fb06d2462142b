"""Group commit: what arrives together is committed together, and everybody is told the truth."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue

import psycopg
import pytest

from longhu.store import group_commit
from longhu.store.entries import Append, Appended, Duplicate
from longhu.store.errors import CommitFailed, InvalidAppend, StoreError, StoreUnusable, WrongExpectedVersion
from longhu.store.group_commit import GroupCommit
from longhu.store.integrity import check_chain, check_money
from longhu.store.interface import Result, Store
from longhu.store.sqlite import SqliteStore
from tests.store.house import Seat, a_place, opened
from tests.store.server import Server


class Watched(SqliteStore):
    """A store that waits before it commits, tells how large each batch was, and fails when it is told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.batches: list[int] = []
        self.go, self.entered = threading.Event(), threading.Event()
        self.fails: Exception | None = None

    def commit(self, batch: Sequence[Append]) -> list[Result]:
        self.entered.set()
        self.go.wait()
        self.batches.append(len(batch))
        if self.fails is not None:
            raise self.fails
        return super().commit(batch)


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    store = Watched(tmp_path / "watched.db")
    store.go.set()
    return store


def submitted(writer: GroupCommit, append: Append) -> Future[Appended | Duplicate]:
    """One append, and what will become of it."""
    future: Future[Appended | Duplicate] = Future()

    def done(results: Sequence[Result]) -> None:
        (result,) = results
        if isinstance(result, StoreError):
            future.set_exception(result)
        else:
            future.set_result(result)

    writer.submit([append], done)
    return future


def held(watched: Watched) -> None:
    """From now on commits wait."""
    watched.go.clear()
    watched.entered.clear()
    watched.batches.clear()


def test_what_arrives_during_a_commit_is_committed_together(watched: Watched) -> None:
    seats = [opened(watched, f"T{number}") for number in range(10)]
    held(watched)
    with GroupCommit(watched) as writer:
        first = submitted(writer, seats[0].buys(1))
        watched.entered.wait()
        rest = [submitted(writer, seat.buys(1)) for seat in seats for _ in range(2)]
        assert not any(future.done() for future in [first, *rest])
        watched.go.set()
        assert first.result() == Appended(2, 2)
        assert [type(future.result()) for future in rest] == [Appended] * 20
    assert watched.batches == [1, 20]
    watched.close()


def test_everybody_is_called_once_with_the_result(watched: Watched) -> None:
    seat, told = opened(watched), SimpleQueue[Sequence[Result]]()
    held(watched)
    with GroupCommit(watched) as writer:
        start = seat.standing()
        writer.submit([seat.buys(1)], told.put)
        watched.entered.wait()
        writer.submit([Seat(start).buys(2)], told.put)
        assert told.empty()
        watched.go.set()
    assert told.get_nowait() == [Appended(2, 2)]
    (conflict,) = told.get_nowait()
    assert isinstance(conflict, WrongExpectedVersion)
    assert told.empty()
    with pytest.raises(StoreUnusable, match="closing"):
        writer.submit([seat.buys(1)], told.put)
    watched.close()


def test_what_is_handed_in_together_is_committed_and_told_together(watched: Watched) -> None:
    seat, other = opened(watched, "T1"), opened(watched, "T2")
    told, start = SimpleQueue[Sequence[Result]](), other.standing()
    held(watched)
    with GroupCommit(watched, batch=3) as writer:
        first = submitted(writer, seat.buys(1))
        watched.entered.wait()
        writer.submit([seat.buys(1) for _ in range(5)], told.put)
        writer.submit([other.buys(1), Seat(start).buys(2), other.buys(3)], told.put)
        watched.go.set()
        assert first.result() == Appended(2, 2)
        assert told.get() == [Appended(number, number) for number in range(3, 8)]
        done, refused, again = told.get()
        assert (done, again) == (Appended(2, 2), Appended(3, 3))
        assert isinstance(refused, WrongExpectedVersion)
        watched.fails = CommitFailed("the disk is full")
        writer.submit([seat.buys(1), other.buys(1)], told.put)
        failed = told.get()
    assert [type(each) for each in failed] == [CommitFailed, CommitFailed]
    assert failed[0] is not failed[1]
    assert watched.batches == [1, 5, 3, 2]
    watched.close()


def test_a_batch_has_its_limit_and_so_has_the_queue(watched: Watched) -> None:
    seat = opened(watched)
    held(watched)
    with GroupCommit(watched, batch=3, waiting=5) as writer:
        futures = [submitted(writer, seat.buys(1))]
        watched.entered.wait()
        futures += [submitted(writer, seat.buys(1)) for _ in range(5)]
        with pytest.raises(CommitFailed, match="5 appends are waiting"):
            submitted(writer, seat.buys(1))
        watched.go.set()
        assert [future.result().last for future in futures] == list(range(2, 8))
    assert watched.batches == [1, 3, 2]
    watched.close()


def test_one_that_cannot_be_stored_fails_alone(store: Store) -> None:
    good, bad = opened(store, "T1"), opened(store, "T2")
    start = bad.standing()
    with GroupCommit(store) as writer:
        futures = [submitted(writer, each) for each in (good.buys(1), bad.cashes(1), good.buys(2), Seat(start).buys(3))]
        again = submitted(writer, Seat(start).buys(4))
        with pytest.raises(InvalidAppend):
            futures[1].result()
        with pytest.raises(WrongExpectedVersion):
            again.result()
        assert [futures[place].result() for place in (0, 2, 3)] == [Appended(2, 2), Appended(3, 3), Appended(2, 2)]


def test_after_a_commit_that_failed_everybody_is_told_and_the_writer_goes_on(watched: Watched) -> None:
    seat = opened(watched)
    start = seat.standing()
    held(watched)
    with GroupCommit(watched) as writer:
        first = submitted(writer, seat.buys(1))
        watched.entered.wait()
        rest = [submitted(writer, seat.buys(1)) for _ in range(3)]
        watched.fails = CommitFailed("the disk is full")
        watched.go.set()
        for future in [first, *rest]:
            with pytest.raises(CommitFailed, match="full"):
                future.result()
        watched.fails = None
        assert writer.append(Seat(start).buys(1)) == Appended(2, 2)
    watched.close()


@pytest.mark.parametrize("error", [StoreUnusable("the disk failed"), ZeroDivisionError("a defect")])
def test_after_an_error_that_ends_the_store_nobody_is_left_waiting(watched: Watched, error: Exception) -> None:
    seat = opened(watched)
    held(watched)
    with GroupCommit(watched, batch=1) as writer:
        futures = [submitted(writer, seat.buys(1))]
        watched.entered.wait()
        futures += [submitted(writer, seat.buys(1)) for _ in range(3)]
        watched.fails = error
        watched.go.set()
        for future in futures:
            with pytest.raises(StoreUnusable):
                future.result()
        with pytest.raises(StoreUnusable):
            submitted(writer, seat.buys(1))
    assert watched.standing("T1").sequence == 1
    watched.close()


def test_a_callback_that_fails_keeps_nobody_else_waiting(watched: Watched, caplog: pytest.LogCaptureFixture) -> None:
    seat = opened(watched)

    def fails(_: Sequence[Result]) -> None:
        raise RuntimeError("the loop is closed")

    with GroupCommit(watched) as writer:
        writer.submit([seat.buys(1)], fails)
        assert writer.append(seat.buys(2)) == Appended(3, 3)
    assert "a callback after a commit failed" in caplog.text
    watched.close()


def test_closing_commits_what_was_handed_in_and_takes_nothing_more(watched: Watched) -> None:
    seat = opened(watched)
    held(watched)
    writer = GroupCommit(watched)
    futures = [submitted(writer, seat.buys(1)) for _ in range(4)]
    closing = threading.Thread(target=writer.close)
    closing.start()
    watched.go.set()
    closing.join()
    assert [future.result().last for future in futures] == [2, 3, 4, 5]
    with pytest.raises(StoreUnusable, match="closing"):
        submitted(writer, seat.buys(1))
    watched.close()


def test_a_disk_that_hangs_is_noticed(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = opened(watched)
    held(watched)
    with GroupCommit(watched) as writer:
        first = submitted(writer, seat.buys(1))
        watched.entered.wait()
        assert is_writing(writer)
        monkeypatch.setattr(group_commit, "HANGS", 0.0)
        assert not is_writing(writer)
        start = seat.standing()
        with pytest.raises(CommitFailed, match="the disk has not answered"):
            submitted(writer, seat.buys(2))
        watched.go.set()
        assert first.result() == Appended(2, 2)
        assert is_writing(writer)
        assert writer.append(Seat(start).buys(3)) == Appended(3, 3)
    assert not is_writing(writer)
    watched.close()


def is_writing(writer: GroupCommit) -> bool:
    return writer.is_writing


@pytest.mark.clause("REC-3")
def test_an_event_loop_appends_for_many(store: Store) -> None:
    seats = [opened(store, f"T{number}") for number in range(5)]

    async def one(writer: GroupCommit, seat: Seat) -> None:
        for _ in range(5):
            append = seat.buys(1)
            assert [type(each) for each in await writer.commit([append, append])] == [Appended, Duplicate]

    async def all_of_them(writer: GroupCommit) -> None:
        await asyncio.gather(*(one(writer, seat) for seat in seats))

    with GroupCommit(store) as writer:
        asyncio.run(all_of_them(writer))
    for seat in seats:
        assert check_chain(store, seat.table) == 6
        check_money(store, seat.table)


def test_a_wait_that_is_given_up_does_not_take_the_append_back(watched: Watched) -> None:
    seat = opened(watched)
    held(watched)

    async def impatient(writer: GroupCommit) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(writer.commit([seat.buys(1, command="c")]), 0.02)
        watched.go.set()

    with GroupCommit(watched) as writer:
        asyncio.run(impatient(writer))
    assert watched.done("T1", "c") == Duplicate(2, 2)
    watched.close()


def test_a_connection_lost_in_a_commit_fails_one_batch_and_the_next_is_written(server: Server, tmp_path: Path) -> None:
    place = a_place("postgresql", tmp_path, server.address)
    store = place.open()
    append = opened(store).buys(1)
    with (
        GroupCommit(store) as writer,
        psycopg.connect(server.address, options=f"-c search_path={place.schema}") as other,
    ):
        other.execute("select 1 from tables for update")
        waiting = submitted(writer, append)
        while not other.execute("select pg_terminate_backend(pid) from pg_locks where not granted").fetchall():
            pass  # until the commit waits for the lock
        with pytest.raises(CommitFailed, match="same command id"):
            waiting.result()
        other.rollback()
        assert writer.append(append) == Appended(2, 2)
    store.close()
