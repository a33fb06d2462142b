"""The shape of a database: made from nothing, made once, and never older than the program that made it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from longhu.store import database, postgresql, sqlite
from longhu.store.database import Script, scripts
from longhu.store.errors import SchemaTooNew, StoreError
from tests.store.house import Place, a_place, opened
from tests.store.server import Server
from tests.store.tampering import ask

SHAPE = {
    "sqlite": "select name, sql from sqlite_schema order by name",
    "postgresql": "select table_name, column_name, data_type from information_schema.columns "
    "where table_schema = current_schema() order by 1, 2",
}


@pytest.fixture
def more(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Script]]:
    """Scripts of a later version."""
    added: list[Script] = []

    def known(backend: str) -> list[Script]:
        return [*scripts(backend), *added]

    monkeypatch.setattr(sqlite, "scripts", known)
    monkeypatch.setattr(postgresql, "scripts", known)
    yield added
    added.clear()


KNOWN = len(scripts("sqlite"))


def later(step: int, text: str) -> Script:
    """The script that comes so many after the last."""
    return Script(KNOWN + step, f"{KNOWN + step:04}-later.sql", text)


def test_both_backends_have_the_same_scripts() -> None:
    assert [each.name for each in scripts("sqlite")] == [each.name for each in scripts("postgresql")]


def test_an_empty_database_gets_its_shape_once(place: Place) -> None:
    place.open().close()
    shape = ask(place, SHAPE[place.backend])
    assert len(shape) > 9
    store = place.open()
    opened(store)
    store.close()
    place.open().close()
    assert ask(place, SHAPE[place.backend]) == shape


def test_whoever_starts_at_the_same_time_waits(place: Place) -> None:
    barrier, failed = threading.Barrier(6), list[Exception]()

    def start() -> None:
        barrier.wait()
        try:
            place.open().close()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    store = place.open()
    opened(store)
    store.close()


def test_a_newer_database_is_refused(place: Place, more: list[Script]) -> None:
    more.append(later(1, "create table later (id integer)"))
    place.open().close()
    more.clear()
    with pytest.raises(
        SchemaTooNew, match=f"has shape {KNOWN + 1}, and this version of Longhu knows shapes up to {KNOWN}"
    ):
        place.open()


def test_an_older_database_is_brought_to_the_newer_shape(place: Place, more: list[Script]) -> None:
    store = place.open()
    seat = opened(store)
    store.close()
    more.append(later(1, "create table later (id integer); insert into later values (7)"))
    more.append(later(2, "insert into later values (8)"))
    for _ in range(2):
        store = place.open()
        assert store.standing("T1") == seat.standing()
        store.close()
        assert ask(place, "select id from later order by id") == [(7,), (8,)]


def test_postgresql_does_not_pack_rounds_the_slow_way(server: Server, tmp_path: Path) -> None:
    place = a_place("postgresql", tmp_path, server.address)
    store = place.open()
    seat = opened(store)
    store.commit([seat.buys(*range(1, 300))])
    store.keep_state("T1", 1, "a form", b"the same again " * 10_000)
    store.close()
    found = ask(place, "select pg_column_compression(postings) from appends")
    found += ask(place, "select pg_column_compression(state) from states")
    (knows_lz4,) = ask(
        place, "select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression'"
    )[0]
    assert {each for row in found for each in row} == {None, "lz4" if knows_lz4 else None}
    large = "select octet_length(postings) > 30000 from appends order by last_sequence desc limit 1"
    assert ask(place, large) == [(True,)]  # as it must be to be packed at all


def test_a_script_that_fails_leaves_nothing_behind(place: Place, more: list[Script]) -> None:
    place.open().close()
    shape = ask(place, SHAPE[place.backend])
    more.append(later(1, "create table later (id integer); insert into nowhere values (7)"))
    with pytest.raises(StoreError, match="nowhere"):
        place.open()
    assert ask(place, SHAPE[place.backend]) == shape
    more.clear()
    place.open().close()


def test_scripts_have_numbers_without_a_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scripts/odd").mkdir(parents=True)
    (tmp_path / "scripts/odd/0002-second.sql").write_text("select 1")
    monkeypatch.setattr(database, "files", lambda _: tmp_path)
    with pytest.raises(AssertionError, match="numbered"):
        scripts("odd")
