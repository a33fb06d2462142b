"""What a store remembers of its tables: it is written behind that without asking, and holds only where the database agrees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from longhu.store.entries import Append, Appended, Duplicate
from longhu.store.errors import Conflict, Missing
from longhu.store.integrity import check_chain, check_money
from longhu.store.interface import Store
from longhu.store.sql import SqlStore
from tests.store.house import Place, Seat, opened, rules

asked: list[object] = []


@pytest.fixture(autouse=True)
def looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look into the database before something is written."""
    asked.clear()
    found = SqlStore._found

    def looked(self: SqlStore[Any], *told: Any) -> Any:
        asked.append(told)
        return found(self, *told)

    monkeypatch.setattr(SqlStore, "_found", looked)


def warm(store: Store, *tables: str) -> list[Seat]:
    """Tables that the store remembers."""
    seats = [opened(store, table) for table in tables]
    assert asked
    asked.clear()
    return seats


def test_what_is_as_remembered_is_written_without_asking(store: Store) -> None:
    one, two = warm(store, "T1", "T2")
    assert store.commit([one.fills(5), two.fills(6), one.fills(7, 8)]) == [
        Appended(2, 2),
        Appended(2, 2),
        Appended(3, 4),
    ]
    assert store.commit([two.fills(9)]) == [Appended(3, 3)]
    assert not asked
    assert store.balances("T2")["float:T2"] == 10**12 + 15
    for table in ("T1", "T2"):
        check_chain(store, table)
        check_money(store, table)


MUST_BE_ASKED: dict[str, Callable[[Seat], Append]] = {
    "a pocket": lambda seat: seat.buys(5),
    "a secret": lambda seat: seat.commits(1, bytes(32)),
}


@pytest.mark.parametrize("what", MUST_BE_ASKED)
def test_what_belongs_to_no_table_alone_is_asked_for(store: Store, what: str) -> None:
    (seat,) = warm(store, "T1")
    assert store.commit([seat.fills(1), MUST_BE_ASKED[what](seat)]) == [Appended(2, 2), Appended(3, 3)]
    assert len(asked) == 1


def test_a_table_that_is_not_remembered_is_asked_for(store: Store) -> None:
    (seat,) = warm(store, "T1")
    new = Seat(store.create("T2", rules(), 0))
    assert store.commit([seat.fills(1), new.fills(2)]) == [Appended(2, 2), Appended(1, 1)]
    assert len(asked) == 1


def test_a_command_that_was_done_before_is_found_by_the_database(store: Store) -> None:
    (seat,) = warm(store, "T1")
    first = seat.fills(5, command="c")
    assert store.commit([first]) == [Appended(2, 2)]
    assert not asked
    batch = [seat.fills(6), seat.fills(7, command="c")]  # the second is decided anew, on what is there now
    assert store.commit(batch) == [Appended(3, 3), Duplicate(2, 2)]
    assert len(asked) == 1
    assert store.balances("T1")["float:T1"] == 10**12 + 11
    check_chain(store, "T1")
    check_money(store, "T1")


def test_what_somebody_else_has_appended_meanwhile_is_found_by_the_database(place: Place) -> None:
    store, other = place.open(), place.open()
    here, there = warm(store, "T1", "T2")
    behind = here.standing()
    assert other.commit([here.fills(5)]) == [Appended(2, 2)]
    asked.clear()
    late = Seat(behind).fills(6)
    results = store.commit([there.fills(7), late])
    assert [type(each) for each in results] == [Appended, Conflict]
    assert len(asked) == 1
    assert store.commit([here.fills(8), there.fills(9)]) == [Appended(3, 3), Appended(3, 3)]
    assert len(asked) == 1  # it is remembered again
    assert store.balances("T1")["float:T1"] == 10**12 + 13
    for table in ("T1", "T2"):
        check_chain(other, table)
        check_money(other, table)
    store.close()
    other.close()


def test_the_database_has_the_last_word_on_what_is_refused(place: Place) -> None:
    """What seems to be ahead of the table is behind it by now."""
    store, other = place.open(), place.open()
    (seat,) = warm(store, "T1")
    assert other.commit([seat.fills(5)]) == [Appended(2, 2)]
    asked.clear()
    assert store.commit([seat.fills(6)]) == [Appended(3, 3)]
    assert len(asked) == 1
    refused = store.commit([Seat(store.standing("T1")).fills(1), _elsewhere(seat)])
    assert [type(each) for each in refused] == [Appended, Missing]
    store.close()
    other.close()


def _elsewhere(seat: Seat) -> Append:
    return replace(seat.fills(1), table="T9")
