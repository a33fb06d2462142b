"""A limit on losses holds over all tables and all nodes: it is judged in the transaction that writes the wager."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from longhu.store.entries import Append, Appended, Exposure, LossLimit, OpenStake, Play, RoundEntry
from longhu.store.errors import InvalidAppend, LossLimitExceeded
from longhu.store.interface import Store
from tests.store.house import Place, Seat, opened, with_wallet
from tests.store.test_races import both

DAY = (LossLimit(since=1000, most=100),)


def staking(
    seat: Seat, staked: int, *, round: int = 1, bounds: tuple[LossLimit, ...] = DAY, person: str = "ann"
) -> Append:
    """One record after which Ann has so much at stake at the table."""
    return replace(seat.buys(1, patron="cash"), risks=(Exposure(person, round, staked, bounds),))


def settling(seat: Seat, net: int, *, round: int = 1, at: int = 2000) -> Append:
    """One record that ends the round."""
    last = seat.chain.sequence + 1
    play = Play("ann", seat.table, round, at, abs(net), net, last)
    return replace(
        seat.buys(1, patron="cash"), plays=(play,), round=RoundEntry(seat.table, round, 1, last, at - 1, at, "tie")
    )


@pytest.fixture
def seats(store: Store) -> tuple[Seat, Seat]:
    with_wallet(store)
    with_wallet(store, "bob")
    return opened(store, "T1"), opened(store, "T2")


def told(store: Store, seat: Seat, append: Append) -> str:
    """ "" where it was written, else what was left of the limit; the seat stands where the store does."""
    (result,) = store.commit([append])
    seat.stands(store.standing(seat.table))
    if isinstance(result, LossLimitExceeded):
        return f"{result.person} lost {result.lost}, staked {result.staked}, may {result.most}"
    assert isinstance(result, Appended)
    return ""


@pytest.mark.clause("LIM-3")
def test_what_lies_at_all_tables_counts_together(store: Store, seats: tuple[Seat, Seat]) -> None:
    one, two = seats
    assert told(store, one, staking(one, 60)) == ""
    assert told(store, two, staking(two, 50)) == "ann lost 0, staked 110, may 100"
    assert store.standing("T2").sequence == 1
    assert told(store, two, staking(two, 90, person="bob")) == "", "another's limit is another's"
    assert told(store, two, staking(two, 40)) == ""
    assert told(store, one, staking(one, 61)) == "ann lost 0, staked 101, may 100"
    assert told(store, one, staking(one, 10, bounds=())) == "", "who takes something back is never refused"
    assert told(store, two, staking(two, 90)) == ""


@pytest.mark.clause("LIM-3")
def test_what_was_at_stake_is_lost_or_won_once_the_round_is_over(store: Store, seats: tuple[Seat, Seat]) -> None:
    one, two = seats
    assert told(store, one, staking(one, 60)) == ""
    assert told(store, one, settling(one, -60)) == ""
    assert told(store, two, staking(two, 41)) == "ann lost 60, staked 41, may 100"
    assert told(store, two, staking(two, 40)) == ""
    assert told(store, one, staking(one, 1, round=2)) == "ann lost 60, staked 41, may 100"
    assert told(store, two, settling(two, 25)) == ""
    assert told(store, one, staking(one, 66, round=2)) == "ann lost 35, staked 66, may 100"
    assert told(store, one, staking(one, 65, round=2)) == ""


@pytest.mark.clause("LIM-3")
def test_every_bound_has_its_own_time(store: Store, seats: tuple[Seat, Seat]) -> None:
    one, two = seats
    assert told(store, one, settling(one, -90, at=500)) == ""
    assert told(store, two, staking(two, 100)) == "", "that was before"
    week = (*DAY, LossLimit(since=500, most=200))
    assert told(store, two, staking(two, 105, bounds=week[1:])) == ""
    assert told(store, two, staking(two, 111, bounds=week[1:])) == "ann lost 90, staked 111, may 200"
    assert told(store, two, staking(two, 105, bounds=week)) == "ann lost 0, staked 105, may 100"


@pytest.mark.clause("LIM-3")
def test_what_is_written_together_counts_as_well(store: Store, seats: tuple[Seat, Seat]) -> None:
    one, two = seats
    results = store.commit([staking(one, 60), staking(two, 41)])
    assert [type(each) for each in results] == [Appended, LossLimitExceeded]
    two.stands(store.standing("T2"))
    results = store.commit([settling(one, -60), staking(two, 41)])
    assert [type(each) for each in results] == [Appended, LossLimitExceeded]
    two.stands(store.standing("T2"))
    results = store.commit([settling(two, 10), staking(two, 50, round=2)])
    assert [type(each) for each in results] == [Appended, Appended]
    results = store.commit([settling(two, 0, round=2), staking(one, 50, round=2)])
    assert [type(each) for each in results] == [Appended, Appended], "a round that is over frees what lay there"
    results = store.commit([staking(one, 1, round=2), staking(two, 49, round=3)])
    assert [type(each) for each in results] == [Appended, Appended]
    results = store.commit([settling(two, 0, round=1), staking(one, 2, round=2)])
    assert [type(each) for each in results] == [Appended, LossLimitExceeded], (
        "an older round that is entered again ends no newer"
    )


@pytest.mark.clause("LIM-3")
def test_of_two_wagers_at_two_nodes_at_once_one_gets_through(place: Place) -> None:
    stores = [place.open(), place.open()]
    with_wallet(stores[0])
    seats = [opened(stores[0], table) for table in ("T1", "T2")]
    for round in range(1, 11):
        results = both(stores, [staking(seat, 60, round=round) for seat in seats])
        assert sorted(type(each).__name__ for each in results) == ["Appended", "LossLimitExceeded"]
        for seat in seats:
            seat.stands(stores[0].standing(seat.table))
            assert told(stores[1], seat, settling(seat, 0, round=round)) == ""
    for store in stores:
        store.close()


@pytest.mark.clause("LIM-3")
def test_what_lies_since_before_the_limit_counts_as_it_is_told(store: Store, seats: tuple[Seat, Seat]) -> None:
    one, two = seats

    def beside(append: Append, *lying: OpenStake) -> Append:
        (risk,) = append.risks
        return replace(append, risks=(replace(risk, elsewhere=lying),))

    assert told(store, one, beside(staking(one, 60), OpenStake("T3", 4, 50))) == "ann lost 0, staked 110, may 100"
    assert told(store, one, beside(staking(one, 50), OpenStake("T3", 4, 50))) == ""
    early, late, more = OpenStake("T1", 0, 90), OpenStake("T1", 2, 70), OpenStake("T1", 1, 60)
    assert told(store, two, beside(staking(two, 50), early)) == "", "the store knows of a later round"
    assert told(store, two, beside(staking(two, 51), more)) == "ann lost 0, staked 111, may 100", "once, not twice"
    assert told(store, two, beside(staking(two, 51), late)) == "ann lost 0, staked 121, may 100"


def test_a_risk_that_cannot_be_stored_is_a_defect(store: Store, seats: tuple[Seat, Seat]) -> None:
    seat = seats[0]
    start = seat.standing()
    unfit = [
        Exposure("", 1, 1),
        Exposure("a\0b", 1, 1),
        Exposure("ann", -1, 1),
        Exposure("ann", 1, -1),
        Exposure("ann", 1, 2**63),
    ]
    for wrong in (*unfit, Exposure("ann", 1, 1, elsewhere=(OpenStake("T2", 1, -1),))):
        seat.stands(start)
        (result,) = store.commit([replace(seat.buys(1), risks=(wrong,))])
        assert isinstance(result, InvalidAppend)
