"""Progress bars on the standard error, where somebody waits at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from longhu.cli.terminal import console


def progress_if_watched(what: str, steps: int) -> AbstractContextManager[Callable[[int], None]]:
    """A bar where somebody waits at a terminal, and nothing elsewhere."""
    return progress(what, steps) if sys.stderr.isatty() else nullcontext(lambda _done: None)


@contextmanager
def progress(what: str, total: int, *, octets: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar on the standard error; the function given advances it, by steps or by octets read."""
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns: list[ProgressColumn] = [TextColumn(what), BarColumn(), TextColumn("{task.percentage:>3.0f}%")]
    columns += [TransferSpeedColumn()] if octets else []
    columns.append(TimeRemainingColumn())
    with Progress(*columns, console=console(to_errors=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


@contextmanager
def file_progress(what: str, octets: int | None) -> Iterator[Callable[[int, int], None]]:
    """A bar on the standard error for a file, with records a second; the function given advances it by octets and records read.

    Without a size, as of a pipe, the bar tells no share.
    """
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    with Progress(*columns, console=console(to_errors=True), transient=True) as bar:
        task, count = bar.add_task(what, total=octets, rate=""), 0

        def advance(octets: int, records: int) -> None:
            nonlocal count
            count += records
            rate = count / (bar.tasks[task].elapsed or 1.0)
            bar.update(task, advance=octets, rate=f"{count:,} records, {rate:,.0f} records/s")

        yield advance
