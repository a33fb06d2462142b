"""A balance is a row that changes in the commit that moves it: whichever node asks, it is what the postings add up to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from longhu.store.entries import Append, Appended, Duplicate
from longhu.store.errors import Damaged, InvalidAppend, WrongExpectedVersion
from longhu.store.integrity import check_chain, check_money
from longhu.store.interface import Store
from longhu.table.fills import AcceptChips, ChipRequestMoved
from longhu.table.state import ChipRequest
from tests.store.house import DEALER, Place, Seat, opened
from tests.store.tampering import ask, tamper

FILLED = 10**12  # what a table is opened with


@pytest.fixture
def other(place: Place) -> Iterator[Store]:
    """Another node."""
    with closing(place.open()) as opened:
        yield opened


def credits(seat: Seat, amount: int) -> Append:
    """Chips from the tray back to the cage: no pocket is touched."""
    before = seat.standing()
    at = before.last_at + 1
    request = ChipRequest(number=1, kind="credit", amount=amount, stage="accepted")
    events = [ChipRequestMoved(at=at, table=seat.table, request=request, **DEALER)]
    return seat.made(before, AcceptChips(at=at, number=1, **DEALER), events, "")


def test_rows_change_with_every_commit(place: Place, store: Store) -> None:
    seat, total = opened(store), FILLED
    for number in range(2, 8):
        assert store.commit([seat.fills(number), seat.fills(1, 2)])[0] == Appended(3 * number - 4, 3 * number - 4)
        total += number + 3
        assert store.balances("T1") == {"cage": -total, "float:T1": total}
        assert ask(place, "select balance from balances where account = 'float:T1'") == [(total,)]
    check_money(store, "T1")


@pytest.mark.clause("MON-3")
def test_nobody_takes_more_than_there_is_whichever_node_asks(store: Store, other: Store) -> None:
    seat = opened(store)
    store.commit([credits(seat, FILLED - 10)])
    stands = seat.standing()
    (refused,) = other.commit([credits(seat, 11)])
    assert isinstance(refused, InvalidAppend)
    seat.stands(stands)
    assert other.commit([credits(seat, 10)]) == [Appended(3, 3)]
    assert other.balances("T1") == {}
    assert other.balances("T1", empty=True) == {"cage": 0, "float:T1": 0}


def test_what_another_node_has_appended_meanwhile_is_found(store: Store, other: Store) -> None:
    here, there = opened(store, "T1"), opened(store, "T2")
    behind = here.standing()
    assert other.commit([here.fills(5)]) == [Appended(2, 2)]
    results = store.commit([there.fills(7), Seat(behind).fills(6)])
    assert [type(each) for each in results] == [Appended, WrongExpectedVersion]
    assert store.commit([here.fills(8), there.fills(9)]) == [Appended(3, 3), Appended(3, 3)]
    assert store.balances("T1")["float:T1"] == FILLED + 13
    for table in ("T1", "T2"):
        check_chain(other, table)
        check_money(other, table)


def test_a_command_that_was_done_before_is_found_in_the_middle_of_a_batch(store: Store) -> None:
    seat = opened(store)
    assert store.commit([seat.fills(5, command="c")]) == [Appended(2, 2)]
    batch = [seat.fills(6), seat.fills(7, command="c")]  # the second is decided anew, on what is there now
    assert store.commit(batch) == [Appended(3, 3), Duplicate(2, 2)]
    assert store.balances("T1")["float:T1"] == FILLED + 11
    check_chain(store, "T1")
    check_money(store, "T1")


WRONG_ROWS = {
    "another": ("update balances set balance = balance + 1 where account = 'float:T1'", "float:T1 in T1 stands at"),
    "none": ("delete from balances where account = 'float:T1'", "float:T1 in T1 stands at 0"),
    "none, where nothing is left": (
        "delete from balances where account = 'patron:ann'",
        "patron:ann was moved in T1, and what it holds is not written down",
    ),
}


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("row", WRONG_ROWS)
def test_every_row_is_checked(place: Place, store: Store, row: str) -> None:
    seat = opened(store)
    store.commit([seat.buys(5), seat.cashes(5)])
    store.commit([seat.fills(7)])
    check_money(store, "T1")
    statement, says = WRONG_ROWS[row]
    tamper(place, statement)
    with pytest.raises(Damaged, match=says):
        check_money(store, "T1")
