"""Deal the blocks of a plan on all cores of this machine.

The kernels let go of the interpreter, so threads are enough. Blocks are handed out in order and few at a time: whoever
stops early waits for a moment, and has every block up to some number.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from longhu.simulate.plan import PlanError
from longhu.simulate.totals import Portion, Totals, dealt

AHEAD = 3  # portions for each worker that are handed out
Asked = TypeVar("Asked")
Done = TypeVar("Done")
Deal = Callable[[Totals], Iterator[Portion]]  # deals what is missing, in whatever order it comes back


class ClusterError(Exception):
    """A cluster that cannot be reached, or does not deal: what was found, and what to do."""


def cores() -> int:
    """That this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # a system without affinities
        return os.cpu_count() or 1


def threads(workers: int | None) -> int:
    """So many; all cores where nobody says."""
    if workers is not None and workers < 1:
        raise PlanError(f"{workers} workers: expected a whole number from 1 on, or none for all cores")
    return workers or cores()


def on_threads(workers: int | None = None) -> Deal:
    """On so many threads of this machine; all cores where nobody says."""
    number = threads(workers)

    def deal(totals: Totals) -> Iterator[Portion]:
        plan, missing = totals.plan, totals.missing()
        plan.dealer.prepare(by_shoe=plan.by_shoe is not None)
        return in_order(lambda portion: dealt(plan, *portion), missing, number)

    return deal


def in_order(work: Callable[[Asked], Done], asked: Iterator[Asked], workers: int | None = None) -> Iterator[Done]:
    """What the work comes to for each that is asked for, in the order in which they are: all cores where nobody says."""
    number = threads(workers)
    with ThreadPoolExecutor(number, "longhu-deal") as pool:
        waiting: deque[Future[Done]] = deque()
        try:
            for each in islice(asked, AHEAD * number):
                waiting.append(pool.submit(work, each))
            while waiting:
                done = waiting.popleft().result()
                for each in islice(asked, 1):
                    waiting.append(pool.submit(work, each))
                yield done
        finally:
            for future in waiting:
                future.cancel()


def run(totals: Totals, deal: Deal, progress: Callable[[Totals], None] | None = None) -> Totals:
    """Deal what is missing. Interrupted, `totals` has what came back until then."""
    for portion in deal(totals):
        totals.add(portion)
        if progress is not None:
            progress(totals)
    return totals
