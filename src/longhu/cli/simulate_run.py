"""A simulation that somebody waits for: progress, files that keep it, and stopping."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from longhu.cli.play_interrupt import unbroken
from longhu.cli.terminal import console
from longhu.simulate.figures import Simulation
from longhu.simulate.run import ClusterError, Deal
from longhu.simulate.saved import SavedError, save
from longhu.simulate.totals import Totals

if TYPE_CHECKING:
    from longhu.odds.figures import GameOdds

SAVE_EVERY, LOOK_EVERY = 30.0, 0.25  # seconds
FIRST_BLOCKS, STRIDE = 8, 8  # before an error is judged first; how much longer a run gets at once
ENOUGH = 1.01  # of what seems to be needed

Watch = Callable[[Totals], None]


class Kept:
    """The file that keeps a run, if any. One that cannot be written does not stop the run: the figures are still to be had."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.failed: str | None = None  # what went wrong the last time it was written
        self._next = time.monotonic() + SAVE_EVERY

    def now_and_then(self, totals: Totals) -> None:
        if time.monotonic() >= self._next:
            self.now(totals)

    def now(self, totals: Totals) -> None:
        self._next = time.monotonic() + SAVE_EVERY
        if self.path is not None:
            try:
                save(totals, self.path)
                self.failed = None
            except SavedError as error:
                self.failed = str(error)


def carry_out(
    totals: Totals, deal: Deal, kept: Kept, odds: GameOdds, error: float | None = None
) -> tuple[Totals, float, bool]:
    """Deal all of it, or until the error is small enough: what was dealt, in how many seconds, and was it stopped?"""
    started, stopped = time.perf_counter(), False
    with _watched(totals, started, odds) as watch:
        try:
            if error is None:
                _deal(totals, deal, kept, watch)
            else:
                for longer in _until(totals, error, odds):
                    totals = longer
                    _deal(totals, deal, kept, watch)
        except KeyboardInterrupt:
            stopped = True
        except ClusterError:
            kept.now(totals)
            raise
    kept.now(totals)
    return totals, time.perf_counter() - started, stopped


def _deal(totals: Totals, deal: Deal, kept: Kept, watch: Watch) -> None:
    for portion in deal(totals):
        with unbroken():  # half a portion would be counted twice by whoever goes on
            totals.add(portion)
        kept.now_and_then(totals)
        watch(totals)


def _until(totals: Totals, error: float, odds: GameOdds) -> Iterator[Totals]:
    """Longer and longer runs; how long follows from what has been dealt, so it is the same on every machine."""
    totals = totals.grown(totals.plan.of_blocks(max(FIRST_BLOCKS, totals.plan.blocks)))
    while True:
        yield totals
        found = Simulation(totals, 0.0, odds).largest_error
        if found <= error:
            return
        blocks = totals.plan.blocks
        needed = ceil(blocks * (found / error) ** 2 * ENOUGH)
        totals = totals.grown(totals.plan.of_blocks(max(blocks + 1, min(needed, blocks * STRIDE))))


@contextmanager
def _watched(begun: Totals, started: float, odds: GameOdds) -> Iterator[Watch]:
    """A bar with the speed, the time left, and a return whose error shrinks; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda _totals: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    with Progress(*columns, TimeRemainingColumn(), console=console(to_errors=True), transient=True) as bar:
        task = bar.add_task("dealing", total=begun.plan.units, completed=begun.units)
        before, looked = begun.rounds, 0.0

        def watch(totals: Totals) -> None:
            nonlocal looked
            now = time.perf_counter()
            if now - looked < LOOK_EVERY:
                return
            looked = now
            words = _words(Simulation(totals, now - started, odds, before))
            bar.update(task, total=totals.plan.units, completed=totals.units, description=words)

        yield watch


def _words(result: Simulation) -> str:
    first = next(iter(result.values()))
    return f"{result.speed / 1e6:,.0f} M rounds/s  {first.wager.name.en} {first.rtp * 100:.4f} % ± {first.standard_error * 100:.4f}"
