"""Several who append to one table at once: one after the other gets through, and nothing is lost or done twice."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable

import pytest

from longhu.store.entries import Append, Appended
from longhu.store.errors import WrongExpectedVersion
from longhu.store.integrity import check_chain, check_money
from longhu.store.interface import Result, Store
from tests.store.appender import race
from tests.store.house import Place, Seat, opened

RACERS, TIMES = 3, 8
WAYS = pytest.mark.parametrize("makes", [Seat.buys, Seat.fills], ids=["pocket", "tray"])


def at_once(*runs: Callable[[], object]) -> None:
    threads = [threading.Thread(target=run) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def both(stores: list[Store], appends: list[Append]) -> list[Result]:
    """What comes of two appends in two stores at the same instant."""
    results: list[Result] = []
    barrier = threading.Barrier(2)

    def run(store: Store, append: Append) -> None:
        barrier.wait()
        results.extend(store.commit([append]))

    at_once(lambda: run(stores[0], appends[0]), lambda: run(stores[1], appends[1]))
    return results


@WAYS
def test_of_two_connections_that_append_at_once_one_gets_through(place: Place, makes: Callable[..., Append]) -> None:
    stores = [place.open(), place.open()]
    start = opened(stores[0]).standing()
    for _ in range(10):
        results = both(stores, [makes(Seat(start), 5), makes(Seat(start), 7)])
        assert sorted(type(each).__name__ for each in results) == [Appended.__name__, WrongExpectedVersion.__name__]
        start = stores[0].standing("T1")
    check_money(stores[1], "T1")
    for store in stores:
        store.close()


def test_one_command_that_two_connections_send_is_done_once(place: Place) -> None:
    stores = [place.open(), place.open()]
    seat = opened(stores[0])
    append = seat.buys(5)
    results = both(stores, [append, append])
    assert sorted(type(each).__name__ for each in results) == ["Appended", "Duplicate"]
    assert stores[0].balances("T1")["patron:ann"] == 5
    for store in stores:
        store.close()


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_racers_get_through_one_after_the_other(place: Place, kind: str) -> None:
    store = place.open()
    opened(store)
    racers = [(place, f"racer {number}", "T1", 10**number, TIMES) for number in range(RACERS)]
    if kind == "threads":
        at_once(*(lambda racer=racer: race(*racer) for racer in racers))
    else:
        spawn = multiprocessing.get_context("forkserver")
        spawn.set_forkserver_preload(["tests.store.appender"])
        processes = [spawn.Process(target=race, args=racer) for racer in racers]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
            assert process.exitcode == 0
    assert store.standing("T1").sequence == 1 + RACERS * TIMES
    assert store.balances("T1")["patron:ann"] == TIMES * sum(10**number for number in range(RACERS))
    check_chain(store, "T1")
    check_money(store, "T1")
    store.close()


@WAYS
def test_batches_over_the_same_tables_in_any_order_wait_and_do_not_lock_each_other_out(
    place: Place, makes: Callable[..., Append]
) -> None:
    stores = [place.open(), place.open()]
    names = [f"T{number}" for number in range(6)]
    for name in names:
        opened(stores[0], name)
    failed: list[object] = []

    def run(store: Store, order: list[str]) -> None:
        for _ in range(10):
            seats = [Seat(store.standing(name)) for name in order]
            results = store.commit([makes(seat, 1) for seat in seats])
            failed.extend(each for each in results if not isinstance(each, Appended | WrongExpectedVersion))

    at_once(lambda: run(stores[0], names), lambda: run(stores[1], names[::-1]))
    assert not failed
    for name in names:
        check_money(stores[0], name)
    for store in stores:
        store.close()
