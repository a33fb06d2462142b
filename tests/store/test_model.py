"""Any sequence of batches, against the plainest store there could be: lists in memory, and sums over all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longhu.audit.record import beginning, digest
from longhu.ledger import unlimited
from longhu.store.entries import Append, Appended, Duplicate, StreamHead
from longhu.store.errors import InvalidAppend, WrongExpectedVersion
from longhu.store.integrity import check_chain, check_money
from longhu.store.interface import Store
from tests.audit.evening import START
from tests.store.house import Place, Seat, rules

names = count(1)


class Asked(msgspec.Struct, frozen=True):
    """One append: where, from how far behind the last record, moving how much, under a new id or an earlier one."""

    table: int
    behind: int
    amounts: tuple[int, ...]
    again: int | None
    pocket: bool


asked = st.builds(
    Asked,
    table=st.integers(0, 1),
    behind=st.sampled_from([0, 0, 0, 0, 1, 2]),
    amounts=st.one_of(st.tuples(st.integers(-40, -1)), st.lists(st.integers(1, 30), min_size=1, max_size=3).map(tuple)),
    again=st.one_of(st.none(), st.none(), st.none(), st.integers(0, 5)),
    pocket=st.booleans(),
)


class Kept:
    """A table in memory."""

    def __init__(self, table: str) -> None:
        self.table, self.lines, self.ats = table, list[bytes](), list[int]()
        self.postings: list[tuple[str, int]] = []
        self.commands: dict[str, tuple[int, int]] = {}

    def standing(self, behind: int = 0) -> StreamHead:
        sequence = max(len(self.lines) - behind, 0)
        if sequence == 0:
            return StreamHead(self.table, 0, beginning(self.table), 0)
        return StreamHead(self.table, sequence, digest(self.lines[sequence - 1]), self.ats[sequence - 1])

    def balances(self) -> dict[str, int]:
        held: dict[str, int] = {}
        for account, amount in self.postings:
            held[account] = held.get(account, 0) + amount
        return {account: balance for account, balance in held.items() if balance}

    def take(self, append: Append) -> type | Duplicate | Appended:
        if append.command in self.commands:
            return Duplicate(*self.commands[append.command])
        if append.after != len(self.lines) or append.head != self.standing().head:
            return WrongExpectedVersion
        before = list(self.postings)
        self.postings += [each for postings in append.postings for each in postings]
        if any(balance < 0 and not unlimited(account) for account, balance in self.balances().items()):
            self.postings = before
            return InvalidAppend
        self.lines += append.lines
        self.ats += [append.at] * len(append.lines)
        self.commands[append.command] = (append.after + 1, len(self.lines))
        return Appended(append.after + 1, len(self.lines))


def made(kept: Kept, asked: Asked) -> Append:
    seat = Seat(kept.standing(asked.behind))
    known = list(kept.commands)
    again = known[asked.again % len(known)] if asked.again is not None and known else ""
    if asked.amounts[0] < 0:
        return seat.cashes(-asked.amounts[0], command=again)
    return (seat.buys if asked.pocket else seat.fills)(*asked.amounts, command=again)


@pytest.fixture
def stores(place: Place) -> Iterator[list[Store]]:
    """Two nodes."""
    with ExitStack() as opened:
        yield [opened.enter_context(closing(place.open())) for _ in range(2)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 1), st.lists(asked, max_size=6)), max_size=6))
def test_two_nodes_do_what_lists_in_memory_would_do(
    stores: list[Store], batches: list[tuple[int, list[Asked]]]
) -> None:
    store, tables = stores[0], [Kept(f"T{next(names)}") for _ in range(2)]
    for kept in tables:
        fill = Seat(store.create(kept.table, rules(), START)).fills()
        assert store.commit([fill]) == [kept.take(fill)]
    for node, batch in batches:
        appends: list[Append] = []
        expected: list[type | Duplicate | Appended] = []
        for each in batch:
            appends.append(made(tables[each.table], each))
            expected.append(tables[each.table].take(appends[-1]))
        results = stores[node].commit(appends)
        assert [type(each) if isinstance(each, Exception) else each for each in results] == expected
    for kept in tables:
        assert list(store.records(kept.table)) == kept.lines
        assert store.standing(kept.table) == kept.standing()
        assert store.balances(kept.table) == kept.balances()
        assert [(each.account, each.amount) for each in store.entries(kept.table)] == kept.postings
        for command, (first, last) in kept.commands.items():
            assert store.done(kept.table, command) == Duplicate(first, last)
        check_chain(store, kept.table)
        check_money(store, kept.table)
