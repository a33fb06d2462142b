"""The terminal: reports (rich on a terminal, plain text into a pipe or a file), progress bars, and Ctrl-C."""

from __future__ import annotations

import csv
import json
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from longhu.report.blocks import Block, Boxes, Caution, Cell, ColumnKind, Facts, Prose, Span, Table, Tone, text_of
from longhu.report.text import TO_THE_RIGHT, as_text

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

PIPE_WIDTH = 200
WIDE = 110  # columns of a terminal on which nothing has to be left out
STYLES = {
    Tone.PLAIN: "",
    Tone.QUIET: "dim",
    Tone.GOOD: "green",
    Tone.EVEN: "yellow",
    Tone.HALF: "magenta",
    Tone.BAD: "red",
    Tone.FIRST: "bright_blue",
    Tone.SECOND: "bright_red",
}


class Terminal:
    """The standard output."""

    def __init__(self) -> None:
        self.colours = sys.stdout.isatty()
        self._console = console() if self.colours else None

    @property
    def width(self) -> int:
        return self._console.width if self._console else PIPE_WIDTH

    def show(self, *blocks: Block) -> None:
        kept = blocks if self.width >= WIDE else [_narrow(block) for block in blocks]
        if self._console is None:
            print(as_text(*kept))
            return
        for block in kept:
            self._console.print(_set(block), soft_wrap=isinstance(block, Prose | Caution))

    def say(self, text: str = "", tone: Tone = Tone.PLAIN, *, strong: bool = False) -> None:
        self.show(Prose(Span(text, tone, strong)))

    def lines_of(self, text: str) -> int:
        """How many lines a text takes."""
        return len(_text(text).wrap(self._console, self.width)) if self._console else 1


def console(*, to_errors: bool = False) -> Console:
    """As wide as the terminal, or wide enough for nothing to be cut in a file."""
    from rich.console import Console

    stream = sys.stderr if to_errors else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else PIPE_WIDTH, highlight=False, markup=False)


def _narrow(block: Block) -> Block:
    return block.columns_kept(lambda column: not column.spare) if isinstance(block, Table) else block


def _set(block: Block) -> RenderableType:
    match block:
        case Prose():
            return _text(block.text)
        case Caution():
            return _text(Span(text_of(block.text), Tone.EVEN, strong=True))
        case Table():
            return _table(block)
        case Boxes():
            return _boxes(block)
        case Facts():
            return _facts(block)
    return _text(as_text(block))


def _text(cell: Cell) -> Text:
    """Text as it is: what a game file says is never read as a terminal's markup."""
    from rich.text import Text

    spans = (Span(cell),) if isinstance(cell, str) else (cell,) if isinstance(cell, Span) else cell
    return Text.assemble(
        *((each.text, f"{'bold ' if each.strong else ''}{STYLES[each.tone]}".strip()) for each in spans)
    )


def _table(told: Table) -> RenderableType:
    from rich import box
    from rich.table import Table as Shown

    shown = Shown(
        box=box.SIMPLE_HEAD, title=told.title or None, title_justify="left", pad_edge=False, title_style="bold"
    )
    shown.show_header = any(column.title for column in told.columns)
    for column in told.columns:
        right = column.kind in TO_THE_RIGHT
        shown.add_column(
            column.title, justify="right" if right else "left", overflow="fold", no_wrap=column.kind is ColumnKind.DRAWN
        )
    for place, row in enumerate(told.rows):
        shown.add_row(*map(_text, row), end_section=place + 1 in told.ruled)
    if told.total:
        shown.add_section()
        shown.add_row(*map(_text, told.total))
    return shown


def _boxes(told: Boxes) -> RenderableType:
    from rich import box
    from rich.console import Group
    from rich.table import Table as Shown

    rows = []
    for cells in told.rows:
        row = Shown(box=box.SQUARE, show_header=False, padding=(0, 1))
        for _ in cells:
            row.add_column(justify="center")
        row.add_row(*map(_text, cells))
        rows.append(row)
    return Group(*rows)


def _facts(told: Facts) -> RenderableType:
    from rich.table import Table as Shown

    shown = Shown.grid(padding=(0, 3, 0, 0))
    for fact in told.facts:
        shown.add_row(_text(fact.name), _text(fact.text))
    return shown


def deliver(
    args: Namespace,
    *,
    figures: Callable[[], object],
    rows: Callable[[], Sequence[Mapping[str, object]]],
    blocks: Callable[[], Sequence[Block]],
) -> None:
    """A result as it was asked for: `--json`, `--csv`, or for people."""
    if args.json:
        print(json.dumps(figures(), ensure_ascii=False, indent=2))
    elif args.csv:
        flat = rows()
        writer = csv.DictWriter(sys.stdout, list(flat[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(flat)
    else:
        Terminal().show(*blocks())


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


@contextmanager
def unbroken() -> Iterator[None]:
    """What happens inside happens as a whole: a Ctrl-C in the middle waits for its end.

    Only the main thread hears signals, and a step within a step waits for the outer one.
    """
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt
