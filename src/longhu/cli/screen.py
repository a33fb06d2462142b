"""Tables on a terminal, or as plain text where there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from longhu.cli.plain import PlainColumn, PlainConsole, PlainTable, PlainText

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

PIPE_WIDTH = 200
WIDE = 110  # columns of a terminal on which nothing has to be left out


def console(*, to_errors: bool = False) -> Console:
    """Where results go: as wide as the terminal, or wide enough for nothing to be cut in a file."""
    from rich.console import Console

    stream = sys.stderr if to_errors else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else PIPE_WIDTH, highlight=False, markup=False)


def cell(text: str, style: str = "") -> Text:
    """Text as it is: what a game file says is never read as a terminal's markup."""
    from rich.text import Text

    return Text(text, style)


def table(*columns: str, title: str = "") -> Table:
    """A table with a rule under its head; a column whose name ends in `>` is set to the right."""
    from rich import box
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False, title_style="bold")
    for name in columns:
        shown.add_column(name.removesuffix(">"), justify="right" if name.endswith(">") else "left", overflow="fold")
    return shown


class FigureScreen:
    """Where pages of figures go: rich on a terminal, plain text into a pipe or a file."""

    def __init__(self) -> None:
        self.rich = sys.stdout.isatty()
        self.console: Any = console() if self.rich else PlainConsole()

    @property
    def wide(self) -> bool:
        """Is there room for everything?"""
        return bool(self.console.width >= WIDE)

    def cell(self, text: str, style: str = "") -> Any:
        return cell(text, style) if self.rich else PlainText(text)

    def table(self, *columns: str, title: str = "") -> Any:
        if self.rich:
            return table(*columns, title=title)
        return PlainTable([PlainColumn(name.removesuffix(">"), name.endswith(">")) for name in columns], title)

    def print(self, what: object) -> None:
        self.console.print(what, soft_wrap=isinstance(what, str))


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
