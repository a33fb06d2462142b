"""A PostgreSQL server that keeps somebody waiting: nobody waits for ever."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from longhu.store import postgresql
from longhu.store.database import Pool
from longhu.store.entries import Appended, Duplicate
from longhu.store.errors import CommitFailed, StoreError
from longhu.store.group_commit import GroupCommit
from longhu.store.postgresql import Patient, PostgresqlStore, reached
from tests.store.house import Place, Seat, a_place, opened
from tests.store.server import Server


@pytest.fixture
def place(server: Server, tmp_path: Path) -> Place:
    return a_place("postgresql", tmp_path, server.address)


@pytest.fixture
def store(place: Place) -> Iterator[PostgresqlStore]:
    store = PostgresqlStore(place.address, schema=place.schema)
    yield store
    store.close()


def locked(place: Place) -> psycopg.Connection:
    """Somebody who has the table and does not let go."""
    other = psycopg.connect(place.address, options=f"-c search_path={place.schema}")
    other.execute("select 1 from tables for update")
    return other


def test_a_lock_that_is_not_given_back_fails_the_commit(
    place: Place, store: PostgresqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = opened(store)
    start = seat.standing()
    monkeypatch.setitem(postgresql.LIMITS, "lock_timeout", "50ms")
    impatient = PostgresqlStore(place.address, schema=place.schema)
    with locked(place) as other, pytest.raises(CommitFailed, match="lock timeout"):
        impatient.commit([seat.buys(1)])
    other.close()
    assert impatient.commit([Seat(start).buys(1)]) == [Appended(2, 2)]
    impatient.close()


def test_a_node_that_was_frozen_in_a_transaction_does_not_keep_its_locks(
    place: Place, store: PostgresqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = opened(store)
    monkeypatch.setitem(postgresql.LIMITS, "transaction_timeout", "500ms")
    frozen = PostgresqlStore(place.address, schema=place.schema)
    with frozen._readers.lent() as connection:
        if not connection.execute("select 1 from pg_settings where name = 'transaction_timeout'").fetchall():
            pytest.skip("this PostgreSQL server ends no transactions by itself")

    def freeze() -> None:
        """Lock the table, and do nothing more until others have got through."""
        with frozen._writing() as writing:
            assert writing.ask("select id from tables for update") == [("T1",)]
            assert store.commit([seat.buys(1)]) == [Appended(2, 2)]

    with pytest.raises(CommitFailed, match="Nothing was acknowledged"):
        freeze()
    assert store.standing("T1").sequence == 2
    frozen.close()


@contextmanager
def silent(pool: Pool[Patient], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The server does not answer on the connection that is lent next, and is not waited for long."""
    with pool.lent() as connection:
        process = connection.info.backend_pid
    with monkeypatch.context() as impatient:
        impatient.setattr(postgresql, "ANSWERS", 0.3)
        os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process, signal.SIGCONT)


def test_a_server_that_does_not_answer_is_given_up(store: PostgresqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = opened(store)
    append = seat.buys(1)
    with GroupCommit(store) as writer:
        with silent(store._writers, monkeypatch), pytest.raises(CommitFailed, match=r"has not answered for 0\.3 s"):
            writer.append(append)
        assert writer.append(append) == Appended(2, 2)
        remembered = seat.fills(5)
        with silent(store._writers, monkeypatch), pytest.raises(CommitFailed, match=r"has not answered for 0\.3 s"):
            writer.append(remembered)
        assert writer.append(remembered) in (Appended(3, 3), Duplicate(3, 3))  # the server may have gone on with it
    with silent(store._readers, monkeypatch), pytest.raises(StoreError, match="has not answered"):
        store.standing("T1")
    assert store.standing("T1").sequence == 3


def test_a_connection_that_was_lost_while_nobody_used_it_is_made_anew(server: Server, store: PostgresqlStore) -> None:
    seat = opened(store)
    assert store.standing("T1").sequence == 1
    with store._writers.lent() as writer, store._readers.lent() as reader:
        lost = [writer.info.backend_pid, reader.info.backend_pid]
    with psycopg.connect(server.address, autocommit=True) as other:
        assert other.execute("select pg_terminate_backend(pid, 5000) from unnest(%s) as pid", (lost,)).fetchall() == [
            (True,),
            (True,),
        ]
    assert store.standing("T1").sequence == 1
    assert store.commit([seat.buys(1)]) == [Appended(2, 2)]


def test_the_address_says_how_long_to_wait_where_it_does() -> None:
    assert reached("postgresql://ann@host/db")["connect_timeout"] == 10
    told = reached("postgresql://ann@host/db?connect_timeout=3&keepalives=0")
    assert (told["connect_timeout"], told["keepalives"], told["host"]) == ("3", "0", "host")
