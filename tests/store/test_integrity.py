"""A database that was changed behind the store's back, or that is no store at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from longhu.audit.signed_heads import signed
from longhu.store.address import open_store
from longhu.store.errors import Damaged, NotAStore
from longhu.store.integrity import check_chain, check_ends, check_money, check_wallets
from longhu.store.interface import Store
from tests.audit.evening import PRIVATE
from tests.store.house import Place, opened, with_wallet
from tests.store.server import Server
from tests.store.tampering import GUARDED, ask, rewrite_lines, rewrite_postings, tamper

Tampering = Callable[[Place], object]


def sql(statement: str) -> Tampering:
    return lambda place: tamper(place, statement)


def lines(change: Callable[[list[bytes]], list[bytes]], table: str = "T1") -> Tampering:
    return lambda place: rewrite_lines(place, table, change)


def postings(change: Callable[[Any], object]) -> Tampering:
    return lambda place: rewrite_postings(place, "T1", change)


def put(moved: Any, column: int, value: object) -> None:
    """Another value in the last posting of record 3, which gives Ann chips."""
    moved[1][3][column] = value


CHAIN = {  # the last row has the records 2 to 6
    "a changed line": lines(lambda old: [*old[:2], b"{}", *old[3:]]),
    "a record taken out": lines(lambda old: [*old[:2], *old[3:]]),
    "the tail cut off": lines(lambda old: old[:4]),
    "two in the other order": lines(lambda old: [old[0], old[2], old[1], *old[3:]]),
    "a row gone": sql("delete from appends where last_sequence = 6"),
    "all records gone": sql("delete from appends"),
    "another head": sql("update tables set head = 'f'"),
    "a higher number": sql("update tables set sequence = sequence + 1"),
    "a lower number": sql("update tables set sequence = sequence - 1"),
}
MONEY = {
    "a balance": sql("update balances set balance = balance + 1 where account = 'patron:ann'"),
    "a balance gone": sql("delete from balances where account = 'patron:ann'"),
    "an amount": postings(lambda moved: put(moved, 1, 7)),
    "a balance after": postings(lambda moved: put(moved, 2, 12)),
    "another's money": postings(lambda moved: put(moved, 0, "patron:bob")),
    "a posting gone": postings(lambda moved: moved[1].pop()),
    "a posting too many": postings(lambda moved: moved[4].append(["patron:ann", 1, 36])),
    "those of a record too many": postings(lambda moved: moved.append([["patron:ann", 1, 36]])),
    "no postings": sql("update appends set postings = '[]' where last_sequence = 6"),
}


@pytest.fixture
def filled(store: Store) -> Store:
    seat = opened(store)
    store.commit([seat.buys(5, 6, 7, 8, 9)])
    check_ends(store)
    check_chain(store, "T1")
    check_money(store, "T1")
    return store


@pytest.mark.parametrize("change", CHAIN)
@pytest.mark.clause("LOG-2")
def test_a_changed_trail_is_found_on_opening(place: Place, filled: Store, change: str) -> None:
    CHAIN[change](place)
    for check in (lambda: check_ends(filled), lambda: check_ends(filled, last=3), lambda: check_chain(filled, "T1")):
        with pytest.raises(Damaged, match="keep this database as it is"):
            check()


def test_the_end_is_looked_at_and_not_the_whole(place: Place, filled: Store) -> None:
    tamper(place, "delete from appends where last_sequence = 1")
    check_ends(filled, last=3)
    with pytest.raises(Damaged, match="record 1 of T1"):
        check_chain(filled, "T1")


@pytest.mark.parametrize("change", MONEY)
@pytest.mark.clause("MON-1")
def test_changed_money_is_found(place: Place, filled: Store, change: str) -> None:
    MONEY[change](place)
    with pytest.raises(Damaged, match="T1"):
        check_money(filled, "T1")


PERSON = {
    "a changed line": lines(lambda _: [b"{}"], "person:ann"),
    "the last record gone": sql("delete from appends where table_id = 'person:ann' and last_sequence = 2"),
    "a record too many": sql(
        "insert into appends (table_id, first_sequence, last_sequence, command, fingerprint, lines, postings) "
        "select table_id, 3, 3, 'another', '', lines, postings from appends where table_id = 'person:ann' and last_sequence = 2"
    ),
    "another head": sql("update tables set head = 'f' where id = 'person:ann'"),
    "a lower number": sql("update tables set sequence = 1 where id = 'person:ann'"),
    "all records gone": sql("delete from appends where table_id = 'person:ann'"),
}


@pytest.mark.parametrize("change", PERSON)
@pytest.mark.clause("LOG-2")
def test_a_changed_trail_of_a_person_is_found_on_opening(place: Place, store: Store, change: str) -> None:
    purse = with_wallet(store, amount=500)
    store.commit([purse.pays_out(100)])
    check_ends(store)
    PERSON[change](place)
    for check in (lambda: check_ends(store), lambda: check_chain(store, "person:ann")):
        with pytest.raises(Damaged, match="person:ann"):
            check()


@pytest.mark.clause("MON-1")
def test_a_wallet_that_is_not_the_sum_of_its_postings_is_found(place: Place, store: Store) -> None:
    with_wallet(store, amount=500)
    with_wallet(store, "bob")
    assert check_wallets(store) == 2
    assert check_money(store, "person:ann") == 2
    ask(place, "update wallets set balance = balance + 1 where person = 'ann'")
    with pytest.raises(Damaged, match="wallet of ann holds 501, and the postings in all trails sum to 500"):
        check_wallets(store)
    ask(place, "update wallets set balance = balance - 1 where person = 'ann'")
    tamper(place, "update balances set balance = balance + 1 where account = 'world:ann'")
    with pytest.raises(Damaged, match="sum to 501"):
        check_wallets(store)


@pytest.mark.parametrize("table", GUARDED)
@pytest.mark.parametrize("change", ["delete from {}", "update {} set table_id = 'T2'"])
@pytest.mark.clause("LOG-2", "LOG-7")
def test_the_database_lets_nobody_change_what_was_written(place: Place, filled: Store, table: str, change: str) -> None:
    if table == "heads":
        filled.keep_head(signed("T1", 6, filled.standing("T1").head, 1, PRIVATE))
    if table == "plays":
        ask(place, "insert into plays values ('ann', 1, 'T1', 3, 'round', 1, 5, -5)")
    with pytest.raises((apsw.ConstraintError, psycopg.errors.RaiseException), match="never changed"):
        ask(place, change.format(table))


@pytest.mark.clause("MON-3")
def test_the_database_lets_nobody_owe_who_may_not(place: Place, filled: Store) -> None:
    assert filled.balances("T1")["cage"] < 0
    with pytest.raises((apsw.ConstraintError, psycopg.errors.CheckViolation)):
        ask(place, "update balances set balance = -1 where account = 'patron:ann'")
    with_wallet(filled, "bob")
    with pytest.raises((apsw.ConstraintError, psycopg.errors.CheckViolation)):
        ask(place, "update wallets set balance = -1")


def test_an_address_names_a_store(server: Server, tmp_path: Path) -> None:
    for address in (tmp_path / "house.db", str(tmp_path / "other.db"), server.address):
        store = open_store(address)
        opened(store)
        store.close()
        again = open_store(address)
        assert [each.table for each in again.tables()] == ["T1"]
        again.close()
    with pytest.raises(NotAStore, match="mysql:// is no kind of store"):
        open_store("mysql://somewhere/else")


def test_a_damaged_store_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    store = open_store(path)
    opened(store)
    store.close()
    tamper(Place("sqlite", str(path)), "update tables set head = 'f'")
    with pytest.raises(Damaged):
        open_store(path)


def test_something_else_is_no_store(server: Server, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("nothing but words " * 100)
    other = tmp_path / "other.db"
    ask(Place("sqlite", str(other)), "create table notes (words text)")
    for address in (text, other, tmp_path / "no folder" / "house.db", tmp_path):
        with pytest.raises(NotAStore, match="Name another file"):
            open_store(address)
    assert text.read_text() == "nothing but words " * 100
    with pytest.raises(NotAStore, match="Check the address"):
        open_store(f"postgresql://longhu@/nowhere?host={server.folder}")


def again_and_again(address: str) -> None:
    """Until the server has read its settings."""
    for _ in range(100):
        open_store(address).close()


def test_a_server_that_could_lose_what_it_acknowledged_is_no_store(server: Server) -> None:
    ask(Place("postgresql", server.address), "select 1")
    with psycopg.connect(server.address, autocommit=True) as other:
        other.execute("alter system set fsync to off")
        other.execute("select pg_reload_conf()")
    try:
        with pytest.raises(NotAStore, match="fsync"):
            again_and_again(server.address)
    finally:
        with psycopg.connect(server.address, autocommit=True) as other:
            other.execute("alter system reset fsync")
            other.execute("select pg_reload_conf()")


def test_a_server_that_acknowledges_early_is_told_to_wait(server: Server) -> None:
    with psycopg.connect(server.address, autocommit=True) as other:
        other.execute("create role hasty login superuser")
        other.execute("alter role hasty set synchronous_commit to off")
    place = Place("postgresql", server.address.replace("longhu@", "hasty@"), "hasty")
    store = place.open()
    with store._writing() as session:  # type: ignore[attr-defined]
        assert session.ask("show synchronous_commit") == [("on",)]
    store.close()
