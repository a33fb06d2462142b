"""What people have: one wallet each, moved by every trail, spent once."""

from __future__ import annotations

import threading
from collections import Counter
from itertools import count

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longhu.store.entries import Append, Appended, WalletSum
from longhu.store.errors import AlreadyExists, InsufficientFunds, InvalidAppend, WrongExpectedVersion
from longhu.store.group_commit import GroupCommit
from longhu.store.integrity import check_money, check_wallets
from longhu.store.interface import Store
from tests.audit.evening import START
from tests.store.house import Place, Purse, Seat, opened, rules, with_wallet
from tests.store.test_races import at_once

names = count(1)


@pytest.mark.clause("MON-1", "MON-3")
def test_a_wallet_is_moved_by_every_trail(store: Store) -> None:
    one, two, purse = opened(store, "T1"), opened(store, "T2"), with_wallet(store, amount=1000)
    assert store.commit([one.buys(300, 200), two.buys(400)]) == [Appended(2, 3), Appended(2, 2)]
    assert store.wallet("ann") == 100
    assert store.commit([two.cashes(150), purse.pays_out(200)]) == [Appended(3, 3), Appended(2, 2)]
    assert store.wallet("ann") == 50
    assert list(store.wallets()) == [("ann", 50)]
    assert store.purses([("bob", 0), ("ann", 0)]) == [(None, 0), (50, 0)]
    assert list(store.wallet_sums()) == [WalletSum("ann", 50, 50)]
    assert sum(each.amount for each in store.follow("world:ann")) == 50
    assert store.balances("T1")["world:ann"] == -500
    check_wallets(store)


@pytest.mark.clause("MON-3")
def test_nobody_spends_what_is_not_in_the_wallet(store: Store) -> None:
    seat, purse = opened(store), with_wallet(store, amount=500)
    append = seat.buys(400, 101)
    (result,) = store.commit([append])
    assert isinstance(result, InsufficientFunds)
    assert (result.person, result.balance, result.wanted) == ("ann", 100, 101)
    assert "Nothing of it was written" in str(result)
    assert store.standing("T1").sequence == 1
    assert store.done("T1", append.command) is None
    assert store.wallet("ann") == 500
    assert isinstance(store.commit([purse.pays_out(501)])[0], InsufficientFunds)
    purse.standing = store.standing("person:ann")
    assert store.commit([purse.pays_in(1), append]) == [Appended(2, 2), Appended(2, 3)]  # now there is enough
    assert store.wallet("ann") == 0


def test_a_record_is_judged_as_a_whole_and_each_in_its_turn(store: Store) -> None:
    seat = opened(store)
    with_wallet(store, amount=100)
    both = msgspec.structs.replace(seat.buys(5), postings=((("world:ann", -150), ("cage", 50), ("world:ann", 100)),))
    assert store.commit([both]) == [Appended(2, 2)]
    assert store.wallet("ann") == 50
    late = msgspec.structs.replace(
        seat.buys(5, 6), postings=((("world:ann", -60), ("cage", 60)), (("world:ann", 60), ("cage", -60)))
    )
    assert isinstance(store.commit([late])[0], InsufficientFunds)


def test_in_a_batch_each_finds_what_the_ones_before_left(store: Store) -> None:
    one, two = opened(store, "T1"), opened(store, "T2")
    with_wallet(store, amount=100)
    results = store.commit([one.buys(60), two.buys(60), one.cashes(60)])
    assert [type(each) for each in results] == [Appended, InsufficientFunds, Appended]
    assert store.wallet("ann") == 100
    two.stands(store.standing("T2"))
    assert store.commit([two.buys(100)]) == [Appended(2, 2)]
    check_wallets(store)


def test_whoever_has_no_wallet_plays_for_cash(store: Store) -> None:
    seat = opened(store)
    with_wallet(store, amount=5)
    assert store.commit([seat.buys(10**9, patron="bob")]) == [Appended(2, 2)]
    assert store.wallet("bob") is None
    assert store.wallet("a\0b") is None
    assert store.balances("T1")["world:bob"] == -(10**9)


def test_a_wallet_is_somebody_s_alone_and_from_the_beginning(store: Store) -> None:
    seat = opened(store)
    store.commit([seat.buys(10, patron="bob")])
    with_wallet(store)
    with pytest.raises(AlreadyExists, match="has played for cash"):
        store.create_trail("person:bob", 1, wallet="bob")
    with pytest.raises(AlreadyExists, match="wallet of 'ann' already"):
        store.create_trail("person:other", 1, wallet="ann")
    with pytest.raises(InvalidAppend):
        store.create_trail("person:odd", 1, wallet="a\0b")
    assert [each.name for each in store.trails()] == ["person:ann"]  # nothing is left of those
    with pytest.raises(AlreadyExists):
        store.create_trail("person:ann", 1, wallet="anne")
    assert store.wallet("anne") is None


def test_a_wallet_has_its_limit(store: Store) -> None:
    purse = with_wallet(store, amount=2**63 - 1)
    assert isinstance(store.commit([purse.pays_in(1)])[0], InvalidAppend)
    assert store.wallet("ann") == 2**63 - 1


@pytest.mark.clause("MON-3")
def test_two_nodes_cannot_spend_one_balance(place: Place) -> None:
    stores = [place.open(), place.open()]
    seats = [opened(stores[0], "T1"), opened(stores[0], "T2")]
    purse = with_wallet(stores[0])
    for turn in range(10):
        stores[0].commit([purse.pays_in(100)])
        results: list[object] = []
        barrier = threading.Barrier(2)

        def spend(number: int, barrier: threading.Barrier = barrier, results: list[object] = results) -> None:
            append = seats[number].buys(100)
            barrier.wait()
            results.extend(stores[number].commit([append]))

        at_once(lambda: spend(0), lambda: spend(1))
        assert sorted(type(each).__name__ for each in results) == ["Appended", "InsufficientFunds"], (turn, results)
        for number, seat in enumerate(seats):
            seat.stands(stores[number].standing(seat.table))
        assert stores[0].wallet("ann") == 0
    check_wallets(stores[1])
    for store in stores:
        store.close()


def test_many_nodes_that_spend_and_pay_in_wait_and_do_not_lock_each_other_out(place: Place) -> None:
    stores = [place.open() for _ in range(3)]
    people = ["ann", "bob", "cem"]
    for number in range(3):
        opened(stores[0], f"T{number}")
        with_wallet(stores[0], people[number], amount=1000)
    failed: list[object] = []

    def run(number: int) -> None:
        store = stores[number]
        for turn in range(8):
            seats = [Seat(store.standing(f"T{(number + turn + each) % 3}")) for each in range(3)]
            person = people[(number + turn) % 3]
            batch = [seat.buys(7, patron=each) for seat, each in zip(seats, people[:: 1 - 2 * (turn % 2)], strict=True)]
            batch.append(Purse(person, store.standing(f"person:{person}")).pays_in(3))
            failed.extend(each for each in store.commit(batch) if not isinstance(each, Appended | WrongExpectedVersion))

    at_once(*(lambda number=number: run(number) for number in range(3)))
    assert not failed
    assert check_wallets(stores[0]) == 3
    for store in stores:
        store.close()


def test_a_wallet_is_opened_while_somebody_of_that_name_buys_for_cash(place: Place) -> None:
    """Whoever comes first: the wallet is the sum of what moved, or there is none."""
    stores = [place.open(), place.open()]
    opened(stores[0])
    for turn in range(10):
        person = f"p{turn}"
        seat = Seat(stores[0].standing("T1"))
        append = seat.buys(5, patron=person)
        barrier = threading.Barrier(2)
        taken: list[bool] = []

        def create(person: str = person, barrier: threading.Barrier = barrier, taken: list[bool] = taken) -> None:
            barrier.wait()
            try:
                stores[1].create_trail(f"person:{person}", 1, wallet=person)
            except AlreadyExists:
                taken.append(True)

        def buy(append: Append = append, barrier: threading.Barrier = barrier) -> None:
            barrier.wait()
            stores[0].commit([append])

        at_once(create, buy)
        bought = stores[0].done("T1", append.command) is not None
        assert stores[0].wallet(person) == (None if taken else 0)
        assert bought == bool(taken)
    check_wallets(stores[0])
    for store in stores:
        store.close()


def test_a_writer_tells_who_is_short(store: Store) -> None:
    seat = opened(store)
    with_wallet(store, amount=5)
    with (
        GroupCommit(store) as writer,
        pytest.raises(InsufficientFunds, match="ann has 5 in the wallet, and this takes 6"),
    ):
        writer.append(seat.buys(6))


class House:
    """Two tables, two people with wallets and one who plays for cash, in memory and in the store."""

    def __init__(self, store: Store) -> None:
        mark = next(names)
        self.seats = {each: Seat(store.create(f"{each}-{mark}", rules(), START)) for each in ("T1", "T2")}
        store.commit([seat.fills() for seat in self.seats.values()])
        self.purses = {each: with_wallet(store, f"{each}-{mark}") for each in ("ann", "bob")}
        self.people = {each: f"{each}-{mark}" for each in ("ann", "bob", "cem")}
        self.pockets, self.chips = Counter[str](), Counter[tuple[str, str]]()

    def moved(self, trail: str, person: str, amount: int) -> tuple[Append, type]:
        """An append that moves so much into the pocket, or out of it, and what should come of it."""
        if trail == "purse":
            purse = self.purses[person]
            start = purse.standing
            append = purse.pays_in(amount) if amount > 0 else purse.pays_out(-amount)
            if self._pocketed(person, amount):
                return append, Appended
            purse.standing = start
            return append, InsufficientFunds
        seat = self.seats[trail]
        before = seat.standing()
        called = self.people[person]
        append = seat.cashes(amount, called) if amount > 0 else seat.buys(-amount, patron=called)
        if amount > self.chips[trail, person]:
            seat.stands(before)
            return append, InvalidAppend
        if not self._pocketed(person, amount):
            seat.stands(before)
            return append, InsufficientFunds
        self.chips[trail, person] -= amount
        return append, Appended

    def _pocketed(self, person: str, amount: int) -> bool:
        if person in self.purses and self.pockets[person] + amount < 0:
            return False
        self.pockets[person] += amount
        return True


moves = st.tuples(
    st.sampled_from(["T1", "T2", "purse"]),
    st.sampled_from(["ann", "bob", "cem"]),
    st.integers(-40, 40).filter(lambda amount: amount != 0),
).filter(lambda move: move[0] != "purse" or move[1] != "cem")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(moves, min_size=1, max_size=6), max_size=6))
@pytest.mark.clause("MON-1", "MON-3")
def test_wallets_hold_what_sums_in_memory_hold(store: Store, batches: list[list[tuple[str, str, int]]]) -> None:
    house = House(store)
    for batch in batches:
        asked = [house.moved(*move) for move in batch]
        results = store.commit([append for append, _ in asked])
        assert [type(each) for each in results] == [kind for _, kind in asked]
    for person, purse in house.purses.items():
        assert store.wallet(purse.person) == house.pockets[person]
        check_money(store, f"person:{purse.person}")
    check_wallets(store)
    for seat in house.seats.values():
        check_money(store, seat.table)
