"""Trails that are no table's: of people, and of the house."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from longhu.audit.record import beginning, digest
from longhu.audit.signed_heads import signed
from longhu.store import database
from longhu.store.entries import Appended, Duplicate, Entry, StreamHead, TrailEntry
from longhu.store.errors import AlreadyExists, InvalidAppend, NotFound, WrongExpectedVersion
from longhu.store.integrity import check_chain, check_ends, check_money, proof_of, trail_lines
from longhu.store.interface import Store
from tests.audit.evening import PRIVATE, START
from tests.store.house import Purse, opened, rules, with_wallet


def test_a_trail_without_a_game_is_a_trail_and_no_table(store: Store) -> None:
    opened(store, "T1")
    assert store.create_trail("person:ann", 7) == StreamHead("person:ann", 0, beginning("person:ann"), 0)
    store.create_trail("house", 8)
    purse = Purse("ann", store.standing("person:ann"))
    assert store.commit([purse.pays_in(500)]) == [Appended(1, 1)]
    assert [each.table for each in store.tables()] == ["T1"]
    assert store.trails() == [TrailEntry("house", 8, 0), TrailEntry("person:ann", 7, 1)]
    assert store.trails("person:") == [TrailEntry("person:ann", 7, 1)]
    assert store.trails("person:anne") == store.trails("T") == store.trails("%") == []
    assert store.standing("person:ann") == purse.standing


def test_names_are_one_for_tables_and_trails(store: Store) -> None:
    opened(store, "T1")
    store.create_trail("house", 1)
    for name in ("T1", "house"):
        with pytest.raises(AlreadyExists, match="already"):
            store.create_trail(name, 2)
    with pytest.raises(AlreadyExists, match="already"):
        store.create("house", rules(), 2)
    for name in ("", "a\0b", "\ud800", "x" * 501):
        with pytest.raises(InvalidAppend):
            store.create_trail(name, 2)


def test_a_trail_without_a_game_keeps_to_the_same_promises(store: Store) -> None:
    purse = with_wallet(store, amount=500)
    first = purse.standing
    append = purse.pays_out(100, command="c")
    assert store.commit([append, append]) == [Appended(2, 2), Duplicate(2, 2)]
    assert store.done("person:ann", "c") == Duplicate(2, 2)
    assert isinstance(store.commit([Purse("ann", first).pays_out(7)])[0], WrongExpectedVersion)
    (faulty,) = store.commit([replace(purse.pays_in(1), lines=(b"{}",))])
    assert isinstance(faulty, InvalidAppend)
    assert list(store.entries("person:ann", after=1)) == [
        Entry("person:ann", 2, 0, "world:ann", -100, 400),
        Entry("person:ann", 2, 1, "outside:ann", 100, -400),
    ]
    assert store.balances("person:ann") == {"outside:ann": -400, "world:ann": 400}
    assert check_chain(store, "person:ann") == 2
    assert check_money(store, "person:ann") == 4
    check_ends(store)


def test_a_record_names_rules_at_a_table_and_nowhere_else(store: Store) -> None:
    seat, purse = opened(store, "T1"), with_wallet(store)
    at_table, of_person = seat.buys(5), purse.pays_in(5)
    strange = of_person.lines[0].replace(b'"event":', b'"game":"' + b"f" * 64 + b'","event":', 1)
    (result,) = store.commit([replace(of_person, lines=(strange,))])
    assert isinstance(result, InvalidAppend)
    assert "is no table" in str(result)
    without = at_table.lines[0].replace(f'"game":"{rules().digest}",'.encode(), b"", 1)
    (result,) = store.commit([replace(at_table, lines=(without,))])
    assert isinstance(result, InvalidAppend)
    assert "no rules" in str(result)
    with pytest.raises(NotFound):
        store.games("person:ann")
    with pytest.raises(NotFound):
        store.adopt("person:ann", rules())
    with pytest.raises(NotFound):
        list(proof_of(store, "person:ann"))


@pytest.mark.clause("LOG-6")
def test_any_trail_can_be_exported_line_by_line(store: Store) -> None:
    purse = with_wallet(store, amount=500)
    store.commit([purse.pays_out(100)])
    seat = opened(store)
    lines = list(trail_lines(store, "person:ann"))
    assert [line.rstrip(b"\n") for line in lines] == list(store.records("person:ann"))
    head = beginning("person:ann")
    for number, line in enumerate(lines, 1):
        assert line.startswith(f'{{"sequence":{number},"previous":"{head}",'.encode())
        head = digest(line.removesuffix(b"\n"))
    assert head == store.standing("person:ann").head
    exporting = trail_lines(store, "T1")
    next(exporting)
    store.commit([seat.buys(5)])  # appended while it is exported
    assert list(exporting) == []
    with pytest.raises(NotFound):
        next(trail_lines(store, "person:bob"))
    kept = signed("person:ann", 2, head, START, PRIVATE)
    store.keep_head(kept)
    assert list(store.heads("person:ann")) == [kept]


def test_many_trails_are_listed_and_looked_at_without_a_seam(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "CHUNK", 5)
    names = [f"person:{number:04}" for number in range(13)]
    for name in names:
        store.create_trail(name, 1, wallet=name)
    store.commit([Purse(name, store.standing(name)).pays_in(1) for name in names[-4:]])
    assert [each.name for each in store.trails("person:")] == names
    assert [(each.standing.table, each.standing.sequence) for each in store.ends()] == [
        (name, int(name in names[-4:])) for name in names
    ]
    assert [person for person, _ in store.wallets()] == names
    assert [each.person for each in store.wallet_sums()] == names
    check_ends(store)


def test_records_from_one_to_another(store: Store) -> None:
    seat = opened(store)
    store.commit([seat.buys(1, 2, 3, 4)])
    lines = list(store.records("T1"))
    assert store.records_between("T1", 2, 4) == lines[1:4]
    assert store.records_between("T1", 5, 2**70) == []
    assert store.records_between("T1", 4, 99) == lines[3:]
    assert store.records_between("T9", 1, 2) == store.records_between("T1", 3, 2) == []
