"""What is appended is told: by this store, by another, after a connection was lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

import psycopg
import pytest

from longhu.store.entries import Appended
from longhu.store.interface import Store
from longhu.store.notifications import channel
from longhu.store.postgresql import Connection, PostgresqlStore
from longhu.store.validation import NAME_BYTES
from tests.audit.evening import START
from tests.store.house import Place, Seat, a_place, opened, rules, with_wallet
from tests.store.server import Server

PATIENCE = 10.0  # seconds until something that should be told is missed
News = tuple[str, int]


class Heard:
    """Whoever is told."""

    def __init__(self) -> None:
        self.news: SimpleQueue[News] = SimpleQueue()

    def __call__(self, trail: str, sequence: int) -> None:
        self.news.put((trail, sequence))

    def until(self, expected: News) -> list[News]:
        """What is told, up to this; the test fails where it is not told."""
        told: list[News] = []
        while not told or told[-1] != expected:
            told.append(self.news.get(timeout=PATIENCE))
        return told

    def rest(self) -> Iterator[News]:
        with suppress(Empty):
            while True:
                yield self.news.get_nowait()


@pytest.fixture
def other(place: Place) -> Iterator[Store]:
    """Another node on the same database."""
    opened = place.open()
    yield opened
    opened.close()


def test_what_anybody_appends_is_told(store: Store, other: Store) -> None:
    one, two = opened(store, "T1"), opened(store, "T2")
    heard = Heard()
    with store.changes(heard):
        assert store.commit([one.buys(1, 2)]) == [Appended(2, 3)]
        assert heard.until(("T1", 3)) == [("T1", 3)]
        assert other.commit([two.buys(1)]) == [Appended(2, 2)]
        assert heard.until(("T2", 2)) == [("T2", 2)]
        with_wallet(other, "bob", amount=5)
        assert heard.until(("person:bob", 1)) == [("person:bob", 1)]
        with_wallet(store, "cem", amount=5)
        assert heard.until(("person:cem", 1)) == [("person:cem", 1)]
    assert not list(heard.rest())


def test_one_commit_tells_every_trail_that_it_touched_once(store: Store, other: Store) -> None:
    seats = [opened(store, f"T{number}") for number in range(5)]
    heard = Heard()
    with other.changes(heard):
        store.commit([seat.buys(1) for seat in seats for _ in range(3)])
        told = {heard.news.get(timeout=PATIENCE) for _ in range(5)}
        assert told == {(seat.table, 4) for seat in seats}
        store.commit([seats[0].buys(1)])
        assert heard.until(("T0", 5)) == [("T0", 5)]


def test_what_is_not_written_is_not_told(store: Store, other: Store) -> None:
    seat = opened(store)
    late = Seat(seat.standing())
    store.commit([seat.buys(1)])
    heard = Heard()
    with store.changes(heard), other.changes(heard):
        store.commit([late.buys(1)])
        store.commit([seat.buys(1)])
        assert [heard.news.get(timeout=PATIENCE) for _ in range(2)] == [("T1", 3)] * 2


def test_others_are_heard_while_this_one_writes_without_a_pause(store: Store, other: Store) -> None:
    busy, quiet = opened(store, "T1"), opened(other, "T2")
    heard, stop = Heard(), threading.Event()

    def write() -> None:
        while not stop.is_set():
            store.commit([busy.buys(1)])

    thread = threading.Thread(target=write)
    with store.changes(heard):
        thread.start()
        try:
            other.commit([quiet.buys(1)])
            assert ("T2", 2) in heard.until(("T2", 2))
        finally:
            stop.set()
            thread.join()


def test_odd_and_long_names_are_told(store: Store, other: Store) -> None:
    names = ["龙虎 'T1' \\ \" {,} %s ?", "x" * (NAME_BYTES - 20), "7 8 9", " "]
    seats = [opened(store, name) for name in names]
    heard = Heard()
    with other.changes(heard):
        for seat in seats:
            store.commit([seat.buys(1)])
            assert heard.until((seat.table, 2)) == [(seat.table, 2)]


def test_whoever_has_left_is_told_nothing_more(store: Store) -> None:
    seat = opened(store)
    left, stays = Heard(), Heard()
    with store.changes(stays):
        with store.changes(left):
            store.commit([seat.buys(1)])
            left.until(("T1", 2))
        store.commit([seat.buys(1)])
        stays.until(("T1", 3))
    assert not list(left.rest())


def test_a_store_that_is_closed_under_a_listener_lets_it_go(place: Place) -> None:
    store = place.open()
    opened(store)
    with store.changes(Heard()):
        store.close()


# ---------------------------------------------------------------- PostgreSQL


def cut(server: Server, schema: str) -> None:
    """Whoever listens there loses the connection."""
    with psycopg.connect(server.address, autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where query = %s",
            (f'listen "{channel(schema)}"',),
        )


def test_after_a_lost_connection_everything_may_have_changed(server: Server, tmp_path: Path) -> None:
    place = a_place("postgresql", tmp_path, server.address)
    store = place.open()
    seat = opened(store)
    heard = Heard()
    with store.changes(heard):
        store.commit([seat.buys(1)])
        heard.until(("T1", 2))
        cut(server, place.schema)
        assert heard.until(("", 0)) == [("", 0)]
        store.commit([seat.buys(1)])
        assert heard.until(("T1", 3)) == [("T1", 3)]
    store.close()


def test_whoever_listens_waits_for_a_server_that_is_away(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = a_place("postgresql", tmp_path, server.address)
    store = PostgresqlStore(place.address, schema=place.schema)
    seat = opened(store)
    heard, away, connect, tried = Heard(), threading.Event(), store._connect, SimpleQueue[bool]()

    def connected() -> Connection:
        tried.put(away.is_set())
        if away.is_set():
            raise psycopg.OperationalError("the server is away")
        return connect()

    away.set()
    monkeypatch.setattr(store, "_connect", connected)
    with store.changes(heard):
        assert not list(heard.rest())
        assert tried.get(timeout=PATIENCE)
        assert tried.get(timeout=PATIENCE)  # and again
        away.clear()
        assert heard.until(("", 0)) == [("", 0)]
        assert store.commit([seat.buys(1)]) == [Appended(2, 2)]
        assert heard.until(("T1", 2)) == [("T1", 2)]
    store.close()


def test_a_batch_over_many_trails_with_long_names_is_told_whole(store: Store) -> None:
    """More than one notice of PostgreSQL can hold."""
    names = [f"{number:02}".ljust(NAME_BYTES - 20, "\n") for number in range(60)]
    seats = [Seat(store.create(name, rules(), START)) for name in names]
    heard = Heard()
    with store.changes(heard):
        store.commit([seat.fills() for seat in seats])
        expected = {(name, 1) for name in names}
        told: set[News] = set()
        while told != expected:
            told.add(heard.news.get(timeout=PATIENCE))


@pytest.mark.parametrize("said", ["", "7 T1", '[["T1","7"]]', "{"])
def test_what_nobody_can_read_ends_nothing(server: Server, tmp_path: Path, said: str) -> None:
    """Whoever has the database may send to the channel, an older program too."""
    place = a_place("postgresql", tmp_path, server.address)
    store, heard = place.open(), Heard()
    seat = opened(store)
    with store.changes(heard):
        with psycopg.connect(place.address, autocommit=True) as anybody:
            anybody.execute("select pg_notify(%s, %s)", (channel(place.schema), said))
        heard.until(("", 0))
        store.commit([seat.buys(1)])
        assert heard.until(("T1", 2))[-1] == ("T1", 2)
    store.close()
