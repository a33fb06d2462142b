"""Rounds that are over: where they stand in the trail, and what they meant for whoever played."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from longhu.store import repositories
from longhu.store.database import CHUNK
from longhu.store.entries import Append, Appended, Play, PlaySums, RoundEntry
from longhu.store.errors import InvalidAppend, WrongExpectedVersion
from longhu.store.interface import Store
from tests.store.house import Seat, opened


def decided(seat: Seat, *plays: Play, round: RoundEntry | None = None) -> Append:
    """One record, and what is told with it."""
    return replace(seat.buys(1), plays=plays, round=round)


def a_play(seat: Seat, net: int, *, at: int, round: int = 1, person: str = "ann", kind: str = "round") -> Play:
    """A play that the next record decides."""
    return Play(person, seat.table, round, at, abs(net), net, seat.chain.sequence + 1, kind)


def a_round(seat: Seat, number: int, *, first: int = 1, winner: str = "player") -> RoundEntry:
    """A round that the next record ends."""
    return RoundEntry(seat.table, number, first, seat.chain.sequence + 1, 10 * number, 10 * number + 5, winner)


def ats(plays: Iterable[Play]) -> list[int]:
    return [each.at for each in plays]


@pytest.mark.clause("LOG-9", "MON-5")
def test_plays_and_rounds_are_kept_with_the_records_that_decided_them(store: Store) -> None:
    one, two = opened(store, "T1"), opened(store, "T2")
    first, entry = a_play(one, -50, at=100), a_round(one, 1)
    other = a_play(one, 70, at=100, person="bob")
    assert store.commit([decided(one, first, other, round=entry)]) == [Appended(2, 2)]
    second = a_play(two, 20, at=200, round=4)
    put_right = a_play(one, 30, at=300, kind="reversal")
    store.commit([decided(two, second), decided(one, put_right)])
    assert store.plays("ann") == [put_right, second, first]
    assert store.plays("bob") == [other]
    assert store.plays("cem") == store.plays("a\0b") == []
    assert store.rounds("T1") == [entry]
    assert store.round("T1", 1) == entry
    assert store.round("T1", 2) is store.round("T2", 1) is store.round("T1", 2**70) is None


@pytest.mark.clause("LIM-3")
def test_what_was_lost_since_a_time(store: Store) -> None:
    seat = opened(store)
    for at, net in ((100, -50), (200, 20), (300, -5)):
        store.commit([decided(seat, a_play(seat, net, at=at), a_play(seat, -net, at=at, person="bob"))])
    assert [store.lost("ann", since) for since in (0, 100, 101, 201, 300, 301)] == [35, 35, -15, 5, 5, 0]
    assert store.lost("bob", 0) == -35
    assert store.lost("cem", 0) == store.lost("ann", 2**70) == 0
    asked = [("ann", 0), ("cem", 0), ("ann", 101), ("a\0b", 0), ("bob", 0), ("ann", 2**70), ("ann", -(2**70))] * CHUNK
    assert (
        store.purses(asked)
        == [(store.wallet(person), store.lost(person, max(since, 0))) for person, since in asked[:7]] * CHUNK
    )
    assert store.purses([]) == []


@pytest.mark.clause("MON-5")
def test_plays_are_read_page_by_page_without_a_seam(store: Store) -> None:
    seats = [opened(store, f"T{number}") for number in range(3)]
    times = [100, 200, 200, 200, 300, 400, 400]
    for number, at in enumerate(times):
        seat = seats[number % 3]
        store.commit([decided(seat, a_play(seat, 1, at=at))])
    newest_first = sorted(times, reverse=True)
    assert ats(store.plays("ann")) == newest_first
    assert ats(store.plays("ann", since=200, until=400)) == [300, 200, 200, 200]
    assert ats(store.plays("ann", until=400, before=300)) == [200, 200, 200, 100]
    for limit in (1, 2, 3, 5):
        found: list[Play] = []
        before = None
        while page := store.plays("ann", before=before, limit=limit):
            assert len(page) >= min(limit, len(times) - len(found))
            found += page
            before = page[-1].at
        assert ats(found) == newest_first
        assert len({(each.table, each.sequence) for each in found}) == len(times)


@pytest.mark.clause("MON-5")
def test_the_plays_of_a_period_are_summed(store: Store) -> None:
    seat, other = opened(store, "T1"), opened(store, "T2")
    for at, net in ((100, -5), (200, 7), (300, -11)):
        store.commit([decided(seat, a_play(seat, net, at=at)), decided(other, a_play(other, 1, at=at, person="bob"))])
    for since, until in ((0, None), (100, 300), (101, 301), (301, None), (0, 100)):
        plays = store.plays("ann", since=since, until=until)
        expected = PlaySums(len(plays), sum(each.staked for each in plays), sum(each.net for each in plays))
        assert store.sums("ann", since=since, until=until) == expected
    assert store.sums("ann").count == 3
    assert store.sums("cem") == store.sums("a\0b") == store.sums("ann", since=2**70) == PlaySums(0, 0, 0)


@pytest.mark.clause("LOG-9")
def test_rounds_are_read_page_by_page(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = opened(store)
    for number in range(1, 13):
        store.commit([decided(seat, round=a_round(seat, number))])
    assert [each.number for each in store.rounds("T1", limit=10)] == list(range(12, 2, -1))
    assert [each.number for each in store.rounds("T1", before=3, limit=10)] == [2, 1]
    assert [each.number for each in store.rounds("T1", limit=0)] == [12]
    assert store.rounds("T9") == []
    monkeypatch.setattr(repositories, "MOST", 5)
    assert len(store.rounds("T1", limit=10**30)) == 5  # what is held in memory has a bound


def test_a_round_that_is_void_after_all_is_entered_anew(store: Store) -> None:
    seat = opened(store)
    first = a_round(seat, 1)
    store.commit([decided(seat, round=first)])
    void = a_round(seat, 1, first=first.first, winner="")
    store.commit([decided(seat, round=void)])
    assert store.rounds("T1") == [void]
    third, fourth = decided(seat, round=a_round(seat, 2)), decided(seat, round=a_round(seat, 2, winner=""))
    assert store.commit([third, fourth]) == [Appended(4, 4), Appended(5, 5)]  # twice in one batch
    assert store.round("T1", 2) == fourth.round


def test_nothing_is_told_of_records_that_are_not_stored(store: Store) -> None:
    seat = opened(store)
    other = Seat(seat.standing())
    store.commit([seat.buys(1)])
    late = decided(other, a_play(other, -5, at=1), round=a_round(other, 1))
    assert isinstance(store.commit([late])[0], WrongExpectedVersion)
    again = decided(seat, a_play(seat, -5, at=1))
    store.commit([again])
    store.commit([again])
    assert store.lost("ann", 0) == 5
    assert store.rounds("T1") == []


def test_what_is_told_is_told_of_these_records(store: Store) -> None:
    seat = opened(store)
    start = seat.standing()
    play, entry = a_play(seat, -5, at=1), a_round(seat, 1)
    wrong: list[Append] = []
    for changes in (
        {"table": "T2"},
        {"sequence": 1},
        {"sequence": 3},
        {"person": ""},
        {"person": "a\0b"},
        {"kind": "\ud800"},
        {"net": 2**63},
        {"staked": -1},
        {"at": 2**63},
        {"round": -1},
    ):
        wrong.append(replace(seat.buys(1), plays=(replace(play, **changes),)))
        seat.stands(start)
    wrong.append(decided(seat, play, play))
    seat.stands(start)
    for changes in (
        {"table": "T2"},
        {"last": 0},
        {"last": 3},
        {"first": 0},
        {"first": 3},
        {"winner": "\0"},
        {"number": 2**63},
    ):
        wrong.append(replace(seat.buys(1), round=replace(entry, **changes)))
        seat.stands(start)
    for append in wrong:
        assert isinstance(store.commit([append])[0], InvalidAppend), append
    assert store.standing("T1").sequence == 1
    assert store.commit([decided(seat, play, round=entry)]) == [Appended(2, 2)]
