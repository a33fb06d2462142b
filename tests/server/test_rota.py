"""When feeds tell: at once where nothing else happens, and under load one after the other, for a share of the time."""

from __future__ import annotations

import heapq
from itertools import pairwise

import pytest

from longhu.server.screens.rota import APART, RESTS_MOST, SHARE, Rota

TOOK = 0.001


def busy(feeds: int, seconds: float, took: float = TOOK) -> list[tuple[float, int]]:
    """When each feed tells, where all have something to say at any moment, for the first time at the same."""
    rota, now = Rota(), 0.0
    rota.feeds = feeds
    told: list[tuple[float, int]] = []
    due = [(0.0, feed) for feed in range(feeds)]  # when somebody says something to a feed, or it tells
    waits: set[int] = set()  # for their turn
    rested = dict.fromkeys(range(feeds), 0.0)
    while now < seconds:
        moment, feed = heapq.heappop(due)
        now = max(moment, now)
        if feed not in waits and (moment := rota.turn(now, rested[feed])) > now:
            waits.add(feed)
            heapq.heappush(due, (moment, feed))
            continue
        waits.discard(feed)
        told.append((now, feed))
        now += took
        rested[feed] = rota.told(now, took)
        heapq.heappush(due, (now, feed))
    return told


def test_a_feed_that_has_rested_tells_at_once() -> None:
    rota = Rota()
    rota.feeds = 1
    assert rota.turn(5.0, 0.0) == 5.0
    rested = rota.told(5.0, TOOK)
    assert rested == pytest.approx(5.0 + (SHARE - 1) * TOOK)
    assert rota.turn(5.001, rested) == rested
    assert rota.turn(9.0, rested) == 9.0


@pytest.mark.parametrize("feeds", [2, 16, 60])
def test_busy_feeds_tell_one_after_the_other(feeds: int) -> None:
    told = [moment for moment, _ in busy(feeds, 20.0)]
    assert min(after - before for before, after in pairwise(told)) >= APART * TOOK * 0.999


@pytest.mark.parametrize("feeds", [1, 2, 10])
def test_all_together_take_their_share_of_the_time(feeds: int) -> None:
    assert len(busy(feeds, 20.0)) * TOOK == pytest.approx(20.0 / SHARE, rel=0.1)


@pytest.mark.parametrize("feeds", [1, 16, 60])
def test_every_feed_tells_as_often_as_the_others_and_often_enough(feeds: int) -> None:
    times: dict[int, list[float]] = {}
    for moment, feed in busy(feeds, 20.0):
        times.setdefault(feed, []).append(moment)
    counts = [len(each) for each in times.values()]
    assert len(counts) == feeds
    assert max(counts) - min(counts) <= 1
    waits = [after - before for each in times.values() for before, after in pairwise(each)]
    assert max(waits) <= RESTS_MOST + (APART + 1) * TOOK * feeds


def test_very_many_tables_leave_the_loop_most_of_its_time() -> None:
    assert len(busy(1000, 20.0)) * TOOK <= 20.0 / APART * 1.01
