"""The shape of a database: made from nothing, made once, and never older than the program that made it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from longhu.audit.record import beginning
from longhu.ledger import unlimited
from longhu.store import migrations, postgresql, sqlite
from longhu.store.entries import Appended, Duplicate, Standing
from longhu.store.errors import StoreError, TooNew
from longhu.store.integrity import check_chain, check_ends, check_money
from longhu.store.migrations import Script, scripts
from tests.store.house import Place, Seat, a_place, opened, rules, with_wallet
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
    with pytest.raises(TooNew, match=f"has shape {KNOWN + 1}, and this version of Longhu knows shapes up to {KNOWN}"):
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


def test_a_database_of_the_first_shape_goes_on_with_people_in_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as first:
        for backend in (sqlite, postgresql):
            first.setattr(backend, "scripts", lambda name: scripts(name)[:1])
        place.open().close()
    at = {"sqlite": "integer", "postgresql": "bigint"}[place.backend]
    digest, head = rules().digest, beginning("T1")
    ask(
        place,
        f"insert into games values ('{digest}', '', '{{}}'); insert into tables values ('T1', '{digest}', 5, 0, '{head}', 0); "
        f"insert into table_games values ('T1', '{digest}'); insert into balances values ('T1', 'cage', cast(0 as {at}), true)",
    )
    store = place.open()
    assert [each.table for each in store.tables()] == ["T1"]
    seat = Seat(store.standing("T1"))
    with_wallet(store, amount=300)
    assert store.commit([seat.fills(), seat.buys(100)]) == [Appended(1, 1), Appended(2, 2)]
    assert store.wallet("ann") == 200
    check_ends(store)
    check_money(store, "T1")
    store.close()


@pytest.mark.clause("LOG-2")
def test_records_of_the_second_shape_are_the_same_records(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row for each record, each posting and each command becomes a row for each command."""
    with monkeypatch.context() as second:
        for backend in (sqlite, postgresql):
            second.setattr(backend, "scripts", lambda name: scripts(name)[:2])
        place.open().close()
    ann, bob = Seat(Standing("T1", 0, beginning("T1"), 0)), 'patron:bób "八" \\'
    appends = [ann.fills(), ann.buys(5, 6, 7), ann.buys(8, patron=bob.removeprefix("patron:")), ann.cashes(3)]
    digest = rules().digest
    ask(place, f"insert into games values ('{digest}', '', '{{}}')")
    stands = f"5, {ann.chain.sequence}, '{ann.chain.head}', {ann.chain.last_at}"
    ask(place, f"insert into tables values ('T1', '{digest}', {stands})")
    ask(place, f"insert into table_games values ('T1', '{digest}')")
    held = Counter[str]()
    for append in appends:
        last = append.after + len(append.lines)
        ask(place, f"insert into commands values ('T1', '{append.command}', {append.after + 1}, {last})")
        for sequence, (line, postings) in enumerate(zip(append.lines, append.postings, strict=True), append.after + 1):
            blob = f"x'{line.hex()}'" if place.backend == "sqlite" else f"'\\x{line.hex()}'"
            ask(place, f"insert into records values ('T1', {sequence}, {blob})")
            for number, (account, amount) in enumerate(postings):
                held[account] += amount
                row = f"'T1', {sequence}, {number}, '{account}', {amount}, {held[account]}"
                ask(place, f"insert into postings values ({row})")
    for account, balance in held.items():
        ask(place, f"insert into balances values ('T1', '{account}', {balance}, {str(unlimited(account)).lower()})")
    store = place.open()
    assert [line for append in appends for line in append.lines] == list(store.records("T1"))
    assert check_chain(store, "T1") == 6
    assert check_money(store, "T1") == sum(len(each) for append in appends for each in append.postings)
    assert [(each.sequence, each.balance) for each in store.follow(bob)] == [(5, 8)]
    assert store.commit([appends[1]]) == [Duplicate(2, 4)]
    assert store.commit([Seat(store.standing("T1")).buys(1)]) == [Appended(7, 7)]
    store.close()


def test_records_of_no_command_are_not_left_behind(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as second:
        for backend in (sqlite, postgresql):
            second.setattr(backend, "scripts", lambda name: scripts(name)[:2])
        place.open().close()
    ask(place, "insert into records values ('T1', 1, " + ("x'7b7d')" if place.backend == "sqlite" else "'\\x7b7d')"))
    with pytest.raises(StoreError, match="left_behind"):
        place.open()
    assert ask(place, "select count(*) from records") == [(1,)]


def test_large_appends_of_the_fourth_shape_are_read_with_those_that_are_packed_otherwise(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as fourth:
        for backend in (sqlite, postgresql):
            fourth.setattr(backend, "scripts", lambda name: scripts(name)[:4])
        store = place.open()
        ask(place, scripts(place.backend)[5].text)  # as this program writes
        seat = opened(store)
        appends = [seat.buys(*range(1, 300))]
        assert store.commit(appends) == [Appended(2, 300)]
        store.close()
        ask(place, "alter table tables drop column balanced")
        ask(place, "alter table balances rename column held to balance")
    store = place.open()
    appends.append(seat.buys(*range(1, 300)))
    assert store.commit(appends) == [Duplicate(2, 300), Appended(301, 599)]
    assert list(store.records("T1", 1)) == [line for append in appends for line in append.lines]
    assert check_chain(store, "T1") == 599
    check_money(store, "T1")
    store.close()


def test_postgresql_does_not_pack_rounds_the_slow_way(server: Server, tmp_path: Path) -> None:
    place = a_place("postgresql", tmp_path, server.address)
    store = place.open()
    seat = opened(store)
    store.commit([seat.buys(*range(1, 300))])
    store.keep_state("T1", 1, "a form", b"the same again " * 10_000)
    store.close()
    found = ask(place, "select pg_column_compression(lines), pg_column_compression(postings) from appends")
    found += ask(place, "select pg_column_compression(state) from states")
    (knows_lz4,) = ask(
        place, "select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression'"
    )[0]
    assert {each for row in found for each in row} == {None, "lz4" if knows_lz4 else None}
    large = "select octet_length(lines) > 50000 from appends order by last_sequence desc limit 1"
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
    monkeypatch.setattr(migrations, "files", lambda _: tmp_path)
    with pytest.raises(AssertionError, match="numbered"):
        scripts("odd")
