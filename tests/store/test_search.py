"""Records found by what is in them: newest first, page by page, by an index that is filled behind the commits."""

from __future__ import annotations

from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhu.audit import proof
from longhu.store import sql
from longhu.store.entries import FoundRecord
from longhu.store.interface import Store
from longhu.store.sql import asked_words, words_of
from tests.audit.evening import START, ordinary
from tests.store.house import Place, appends_of, opened, with_wallet
from tests.store.tampering import ask, tamper


def everything(store: Store, text: str, limit: int = 3, streams: list[str] | None = None) -> list[FoundRecord]:
    """All pages."""
    found, before = list[FoundRecord](), None
    while True:
        page = store.search(text, streams=streams, before=before, limit=limit)
        found += page.records
        if page.before is None:
            return found
        before = page.before


def found(store: Store, text: str, streams: list[str] | None = None) -> list[tuple[str, int]]:
    return [(each.table, each.sequence) for each in everything(store, text, streams=streams)]


@pytest.fixture
def evening(store: Store) -> list[bytes]:
    trail = ordinary("dragon-tiger").trail
    store.create("T1", trail.games[next(iter(trail.games))], START)
    for append in appends_of(trail):
        store.commit([append])
    return list(proof.records(trail.lines))


@pytest.mark.clause("LOG-9")
@pytest.mark.parametrize(
    "text",
    ["ann", "Ann", "wager-placed/1", "wager-pl", "card-drawn", '"amount":', "DT-4.1", "dragon wins", "auto-dealer", ""],
)
def test_every_record_that_has_it_is_found_newest_first(store: Store, evening: list[bytes], text: str) -> None:
    parts = text.lower().split()
    expected = [
        ("T1", sequence)
        for sequence, line in reversed([*enumerate(evening, 1)])
        if all(part in line.decode().lower() for part in parts)
    ]
    assert found(store, text) == expected


def test_cards_and_amounts_of_every_record_are_found(store: Store, evening: list[bytes]) -> None:
    for sequence, line in enumerate(evening, 1):
        for name in ("card", "amount", "net"):
            for value in proof_values(line, name):
                assert ("T1", sequence) in found(store, value), (value, line)


def proof_values(line: bytes, name: str) -> set[str]:
    parts = line.decode().split(f'"{name}":')[1:]
    return {part.split(",")[0].strip('"-}]') for part in parts} - {"", "{"}


def test_what_is_in_no_index_is_looked_for_record_by_record(store: Store, evening: list[bytes]) -> None:
    """A digest is another in every record: nobody pays for having it in the index."""
    previous = evening[6].split(b'"previous":"')[1][:64].decode()
    assert found(store, previous) == [("T1", 7)]
    assert found(store, previous[:40]) == [("T1", 7)]


def test_a_search_knows_what_was_appended_just_before(store: Store) -> None:
    seat = opened(store)
    for number in range(5):
        store.commit([seat.buys(5, patron=f"p{number}")])
        assert found(store, f"p{number}") == [("T1", number + 2)]
    assert store.index_records() == 0
    store.commit([seat.buys(6), seat.buys(7, 8)])
    assert store.index_records() == 2
    assert store.index_records() == 0


def test_another_process_may_fill_the_index(place: Place, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "CHUNK", 3)
    seat = opened(store)
    for _ in range(10):
        store.commit([seat.buys(5, patron="ann")])
    with closing(place.open()) as other:
        assert len(found(other, "ann")) == len(found(store, "ann")) == 10
        store.commit([seat.buys(5, patron="ann")])
        assert len(found(store, "ann")) == len(found(other, "ann")) == 11
    assert ask(place, "select last from indexed") == ask(place, "select max(number) from appends")


@pytest.mark.parametrize("row", ["01ff", "7bff7d"])
def test_a_damaged_row_keeps_nobody_from_finding_the_others(place: Place, store: Store, row: str) -> None:
    seat = opened(store)
    store.commit([seat.buys(5), seat.buys(6)])
    blob = f"x'{row}'" if place.backend == "sqlite" else f"'\\x{row}'"
    tamper(place, f"update appends set lines = {blob} where last_sequence = 2")
    assert found(store, "ann") == [("T1", 3)]


def test_only_streams_that_are_named_are_looked_at(store: Store) -> None:
    one, two = opened(store, "T1"), opened(store, "T2")
    purse = with_wallet(store, "ann", 500)
    store.commit([one.buys(5), two.buys(6), purse.pays_in(7)])
    assert found(store, "ann") == [("person:ann", 2), ("T2", 2), ("T1", 2), ("person:ann", 1)]
    assert found(store, "ann", ["T1"]) == [("T1", 2)]
    assert found(store, "ann", ["T2", "person:ann"]) == [("person:ann", 2), ("T2", 2), ("person:ann", 1)]
    assert found(store, "ann", []) == found(store, "ann", ["T9", "a\0b"]) == []


def test_the_records_of_a_command_come_together(store: Store) -> None:
    seat = opened(store)
    store.commit([seat.buys(5, 6, 7), seat.buys(8)])
    page = store.search("ann", limit=2)
    assert [each.sequence for each in page.records] == [5, 4, 3, 2]
    assert page.before is not None
    again = store.search("ann", before=page.before)
    assert (again.records, again.before) == ([], None)


def test_an_answer_that_took_long_says_where_to_go_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words are in every record, and what is asked for in none: a page has an end all the same."""
    monkeypatch.setattr(sql, "CHUNK", 2)
    monkeypatch.setattr(sql, "PAGES", 2)
    seat = opened(store)
    store.commit([seat.buys(5) for _ in range(9)])
    page = store.search("bought/1 chips-b")
    assert len(page.records) == 4
    page = store.search("chips_bought")
    assert page.records == []
    assert everything(store, "chips.bought") == []


@pytest.mark.parametrize("text", ["'", '"', "a' & b", "*", "x OR y", "NEAR(a b)", "%s ?", "\0", "\ud800", "a" * 5000])
def test_no_text_is_a_language_of_the_database(store: Store, text: str) -> None:
    seat = opened(store)
    store.commit([seat.buys(5)])
    assert len(found(store, text)) <= 2


def test_names_of_any_language_are_found(store: Store) -> None:
    seat = opened(store)
    store.commit([seat.buys(5, patron="龙虎")])
    store.commit([seat.buys(5, patron="Łucja_2")])
    assert found(store, "龙") == found(store, "龙虎") == [("T1", 2)]
    assert found(store, "łucja") == found(store, "ŁUCJA_2") == [("T1", 3)]


def test_the_index_has_words_and_neither_names_of_fields_nor_digests() -> None:
    line = b'{"sequence":7,"at":12,"by":"ann","balances":{"bob":-5},"salt":"' + b"a" * 32 + b'"}'
    assert words_of([line, line]).split() == ["5", "ann", "balances", "bob"]


@given(st.text())
def test_whatever_is_asked_words_are_plain(text: str) -> None:
    for words in asked_words(text):
        assert all(word.isascii() and word.isalnum() for word in words)
