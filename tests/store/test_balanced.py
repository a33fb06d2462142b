"""What accounts hold stands with every append. Rows of their own may be behind, and nobody can tell by what the store says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import apsw
import psycopg
import pytest

from longhu.store import memory, sql
from longhu.store.entries import Append, Appended, Duplicate
from longhu.store.errors import Damaged, Faulty, Unwritten
from longhu.store.integrity import check_money
from longhu.store.interface import Store
from longhu.store.plan import Writes
from longhu.table.cash import AdvanceChips, ChipsMoved
from longhu.table.state import FloatRequest
from tests.store.house import DEALER, Place, Seat, opened
from tests.store.tampering import ask, tamper

FILLED = 10**12  # what a table is opened with
MANY = 5  # records, here, before the rows are brought up to date


@pytest.fixture(autouse=True)
def behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "BEHIND", MANY)


@pytest.fixture
def other(place: Place) -> Iterator[Store]:
    """Another node, which remembers nothing of what was appended elsewhere."""
    with closing(place.open()) as opened:
        yield opened


def row(place: Place) -> tuple[object, ...]:
    """The record up to which rows of balances tell, and what the one of the tray says."""
    (found,) = ask(
        place,
        "select t.balanced, b.held from tables t join balances b on b.table_id = t.id and b.account = 'float:T1' "
        "where t.id = 'T1'",
    )
    return found


def credits(seat: Seat, amount: int) -> Append:
    """Chips from the tray back to the cage: no pocket is touched."""
    before = seat.standing()
    at = before.last_at + 1
    request = FloatRequest(number=1, kind="credit", amount=amount, stage="accepted")
    events = [ChipsMoved(at=at, table=seat.table, request=request, **DEALER)]
    return seat.made(before, AdvanceChips(at=at, number=1, **DEALER), events, "")


def test_rows_are_written_now_and_then_and_what_is_told_is_right_after_every_append(place: Place, store: Store) -> None:
    seat, total, written = opened(store), FILLED, [(1, FILLED)]
    for number in range(2, 20):
        assert store.commit([seat.fills(number)]) == [Appended(number, number)]
        total += number
        assert store.balances("T1") == {"cage": -total, "float:T1": total}
        if row(place) != written[-1]:
            written.append((number, total))
            assert row(place) == written[-1]
    assert [sequence for sequence, _ in written] == [1, 6, 11, 16]
    check_money(store, "T1")


def test_many_records_at_once_are_not_left_behind(place: Place, store: Store) -> None:
    seat = opened(store)
    store.commit([seat.fills(1), seat.fills(*range(1, 10))])
    assert row(place) == (11, FILLED + 46)


def test_what_touches_a_pocket_brings_all_rows_up_to_date(place: Place, store: Store) -> None:
    seat = opened(store)
    store.commit([seat.fills(7)])
    assert row(place) == (1, FILLED)
    store.commit([seat.buys(5)])
    assert row(place) == (3, FILLED + 7 - 5)


@pytest.mark.parametrize("node", ["the same", "another"])
def test_so_does_what_moves_other_accounts(place: Place, store: Store, other: Store, node: str) -> None:
    seat = opened(store)
    store.commit([seat.buys(5)])
    store.commit([seat.fills(7)])
    assert row(place) == (2, FILLED - 5)
    (store if node == "the same" else other).commit([seat.cashes(3)])
    assert row(place) == (4, FILLED - 5 + 7)
    check_money(store, "T1")


def test_another_node_goes_on_from_what_was_appended_and_not_from_the_rows(
    place: Place, store: Store, other: Store
) -> None:
    seat = opened(store)
    store.commit([seat.fills(7), credits(seat, 2)])
    assert row(place) == (1, FILLED)
    assert other.balances("T1")["float:T1"] == FILLED + 5
    assert other.commit([seat.fills(1)]) == [Appended(4, 4)]
    assert row(place) == (4, FILLED + 6)  # it has asked for them, and writes them down
    assert store.commit([seat.fills(1)]) == [Appended(5, 5)]
    check_money(other, "T1")


@pytest.mark.clause("MON-3")
def test_nobody_takes_more_than_there_is_though_the_row_has_more(place: Place, store: Store, other: Store) -> None:
    seat = opened(store)
    store.commit([credits(seat, FILLED - 10)])
    assert row(place) == (1, FILLED)
    stands = seat.standing()
    (refused,) = other.commit([credits(seat, 11)])
    assert isinstance(refused, Faulty)
    seat.stands(stands)
    assert other.commit([credits(seat, 10)]) == [Appended(3, 3)]
    assert other.balances("T1") == {}


def test_what_was_refused_leaves_what_is_behind_as_it_was(place: Place, store: Store) -> None:
    seat = opened(store)
    store.commit([seat.fills(7)])
    stands = seat.standing()
    (refused,) = store.commit([seat.cashes(3)])
    assert isinstance(refused, Faulty)
    seat.stands(stands)
    assert row(place) == (1, FILLED)
    assert store.commit([seat.fills(2)]) == [Appended(3, 3)]
    assert store.balances("T1")["float:T1"] == FILLED + 9
    check_money(store, "T1")


def test_a_store_that_is_opened_again_knows_what_its_accounts_hold(place: Place) -> None:
    first = place.open()
    seat = opened(first)
    first.commit([seat.fills(7)])
    first.close()
    again = place.open()
    assert again.balances("T1")["float:T1"] == FILLED + 7
    assert again.commit([seat.fills(1)]) == [Appended(3, 3)]
    assert row(place) == (3, FILLED + 8)
    again.close()


@pytest.mark.parametrize("written", [False, True])
def test_a_commit_that_fails_though_nothing_was_asked_leaves_nothing_wrong_behind(
    place: Place, store: Store, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    """It was judged on what is remembered, which moved on with it; it may have been written all the same."""
    seat = opened(store)
    store.commit([seat.fills(7)])
    put: Callable[[Store, Writes], None] = vars(type(store))["_put_alone"]

    def fails(self: Store, writes: Writes) -> None:
        if written:
            put(self, writes)
        raise Unwritten("the line was cut")

    append = seat.fills(2)
    with monkeypatch.context() as cut:
        cut.setattr(type(store), "_put_alone", fails)
        with pytest.raises(Unwritten):
            store.commit([append])
    assert row(place) == (1, FILLED)
    again = Duplicate(3, 3) if written else Appended(3, 3)
    assert store.commit([append]) == [again]
    assert store.commit([seat.fills(1)]) == [Appended(4, 4)]
    assert store.balances("T1")["float:T1"] == FILLED + 7 + 2 + 1
    check_money(store, "T1")


def test_a_table_with_more_accounts_than_are_remembered_is_asked_for_each_time(
    place: Place, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "ACCOUNTS", 1)
    seat = opened(store)
    for number in range(2, 9):
        assert store.commit([seat.fills(1)]) == [Appended(number, number)]
        assert row(place) == (number, FILLED + number - 1)
    check_money(store, "T1")


@pytest.fixture
def behind_by_one(store: Store) -> tuple[Seat, Seat, Append]:
    """Two tables, of which the first has more records than its rows tell of; and what the last of these was."""
    one, two = opened(store), opened(store, "T2")
    last = one.fills(7)
    store.commit([last])
    return one, two, last


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize(
    ("postings", "says"),
    [
        ("[[", "what records 2 to 2 of T1 moved cannot be read"),
        ('[[["cage",-7,-7],["float:T1",7,-3]]]', "float:T1 in T1 stands at -3 after record 2"),
    ],
)
def test_a_table_whose_postings_are_damaged_stops_alone(
    place: Place, other: Store, behind_by_one: tuple[Seat, Seat, Append], postings: str, says: str
) -> None:
    one, two, done_before = behind_by_one
    tamper(place, f"update appends set postings = '{postings}' where table_id = 'T1' and last_sequence = 2")
    for number in (2, 3):
        done, refused = other.commit([two.fills(1), Seat(one.standing()).fills(1)])
        assert done == Appended(number, number)
        assert isinstance(refused, Faulty)
        assert says in str(refused)
        assert "stop the table" in str(refused)
    assert other.commit([done_before]) == [Duplicate(2, 2)]
    with pytest.raises(Damaged, match=says):
        other.balances("T1")


WRONG_ROWS = {
    "another": ("update balances set held = held + 1 where account = 'float:T1'", "float:T1 in T1 stands at"),
    "none": ("delete from balances where account = 'float:T1'", "float:T1 in T1 stands at 0"),
    "none, where nothing is left": (
        "delete from balances where account = 'patron:ann'",
        "patron:ann was moved in T1, and what it holds is not written down",
    ),
}


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("row", WRONG_ROWS)
def test_a_row_is_checked_though_the_account_was_moved_since(place: Place, store: Store, row: str) -> None:
    seat = opened(store)
    store.commit([seat.buys(5), seat.cashes(5)])
    store.commit([seat.fills(7)])
    check_money(store, "T1")
    statement, says = WRONG_ROWS[row]
    tamper(place, statement)
    with pytest.raises(Damaged, match=says):
        check_money(store, "T1")


def test_rows_are_never_ahead_of_their_table(place: Place, store: Store) -> None:
    opened(store)
    with pytest.raises((apsw.ConstraintError, psycopg.errors.CheckViolation)):
        ask(place, "update tables set balanced = 2")


def test_whoever_knows_nothing_of_this_finds_no_balance(place: Place, store: Store) -> None:
    """An older program that still runs would take rows for what accounts hold now, and judge on that."""
    opened(store)
    with pytest.raises((apsw.SQLError, psycopg.errors.UndefinedColumn)):
        ask(place, "select balance from balances")
