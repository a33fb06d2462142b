"""`longhu simulate`: deal millions of rounds, and hold every wager against its exact odds."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from longhu.cli.main import INTERRUPTED, OK, BadInput
from longhu.cli.options.dealing import add_dealing, check_workers, chosen_seed, chosen_shoes, whole_number
from longhu.cli.options.file import check_folder
from longhu.cli.options.game import add_game, chosen_game
from longhu.cli.options.shoe import add_wagers, chosen_wagers
from longhu.cli.terminal import console, deliver, unbroken

if TYPE_CHECKING:
    from longhu.games.game import Game
    from longhu.odds.figures import GameOdds
    from longhu.simulate.figures import Simulation
    from longhu.simulate.run import Deal
    from longhu.simulate.totals import Totals

    Watch = Callable[[Totals], None]

EPILOG = """\
examples:
  longhu simulate immortal-dragon-tiger --rounds 1e9
  longhu simulate dragon-21 --rounds 500M --by-shoe --cut 52 --depths 8
  longhu simulate dragon-tiger --until-error 0.0001       till every return is known to a hundredth of a per cent
  longhu simulate dragon-bonus --rounds 1e11 --save run.json
  longhu simulate dragon-bonus --rounds 1e11 --resume run.json       goes on after a stop
  longhu simulate dragon-bonus --rounds 1e12 --seed 7 --cluster tcp://scheduler:8786

Every round is really dealt. The same seed gives the same figures on one core, on many, and on a cluster. z is how
many standard errors a return is from the exact one: within 2 in 19 cases of 20. Shoe by shoe, the number of
rounds depends on the cards (the cut-card effect), so the whole may be off by a trace where no round is; --depths
shows the rounds of a shoe in their order, and which of them every shoe has.
"""
USUAL_ROUNDS = "100M"
SAVE_EVERY, LOOK_EVERY = 30.0, 0.25  # seconds
FIRST_BLOCKS, STRIDE = 8, 8  # before an error is judged first; how much longer a run gets at once
ENOUGH = 1.01  # of what seems to be needed


def configure(parser: ArgumentParser) -> None:
    parser.description = "Deal rounds by the million: the return, spread and standard error of every wager."
    parser.epilog = EPILOG
    add_game(parser)
    add_wagers(parser)
    parser.add_argument("--rounds", metavar="N", help=f"how many, as 1000000, 1e9 or 500M ({USUAL_ROUNDS})")
    parser.add_argument("--until-error", metavar="E", help="go on until every return is known to this standard error")
    add_dealing(parser)
    parser.add_argument("--depths", metavar="N", type=int, help="tell the rounds of a shoe apart in so many steps (1)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="deal on a Dask cluster, as tcp://scheduler:8786")
    parser.add_argument("--save", metavar="FILE", help="keep what has been dealt here, now and then and at the end")
    parser.add_argument("--resume", metavar="FILE", help="go on from such a file, and keep it up to date")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="for programs")
    how.add_argument("--csv", action="store_true", help="a row a wager")


def run(args: Namespace) -> int:
    from longhu.simulate.figures import Simulation, exact_odds
    from longhu.simulate.report import as_json, simulation_report

    game = chosen_game(args)
    wagers, error = chosen_wagers(game, args), _error(args)
    totals, kept = _start(game, args), Kept(_file(args))
    odds, before = exact_odds(totals.plan, wagers), totals.rounds
    with _dealing(args) as deal:
        totals, seconds, stopped = carry_out(totals, deal, kept, odds, error)
    if not totals.rounds:
        print("longhu: stopped before anything was dealt", file=sys.stderr)
        return INTERRUPTED
    result = Simulation(totals, seconds, odds, before)
    deliver(args, figures=lambda: as_json(result), rows=result.rows, blocks=lambda: simulation_report(result))
    if kept.failed is not None:
        raise BadInput(f"the run is not kept: {kept.failed}")
    if stopped:
        where = (
            f"; go on with --resume {kept.path}, all else the same"
            if kept.path
            else f" (seed {totals.plan.seed}); --save keeps it"
        )
        print(f"longhu: stopped after {totals.rounds:,} rounds{where}", file=sys.stderr)
    return INTERRUPTED if stopped else OK


def _start(game: Game, args: Namespace) -> Totals:
    """Nothing dealt yet, or what a file has."""
    from longhu.simulate.plan import PlanError, plan
    from longhu.simulate.saved import SavedError, read, resumed
    from longhu.simulate.totals import Totals

    try:
        saved = read(Path(args.resume)) if args.resume is not None else None
        seed = chosen_seed(args, None if saved is None else saved.seed)
        planned = plan(
            game, rounds=_rounds(args), seed=seed, decks=args.decks, by_shoe=chosen_shoes(game, args, args.depths)
        )
        if saved is None:
            return Totals(planned)
        if args.until_error is not None:
            planned = planned.of_blocks(max(planned.blocks, saved.blocks, *(block + 1 for block in saved.ahead)))
        return resumed(saved, planned, args.resume)
    except PlanError as error:
        raise BadInput(str(error)) from None
    except SavedError as error:
        raise BadInput(f"--resume: {error}") from None


@contextmanager
def _dealing(args: Namespace) -> Iterator[Deal]:
    """Who deals: this machine, or a cluster."""
    from longhu.simulate.run import ClusterError, on_threads

    check_workers(args)
    if args.cluster is None:
        yield on_threads(args.workers)
        return
    if args.workers is not None:
        raise BadInput("--workers is for this machine, and a cluster has its own: leave one of them out")
    from longhu.simulate.cluster import on_cluster

    try:
        with on_cluster(args.cluster) as deal:
            yield deal
    except ClusterError as error:
        raise BadInput(f"--cluster: {error}") from None


def _file(args: Namespace) -> Path | None:
    """Where the run is kept; a file that is there already is written over only to go on with it."""
    if args.save is not None and args.resume is not None and Path(args.save) != Path(args.resume):
        raise BadInput("--resume keeps its own file up to date: leave --save out")
    if args.resume is not None:
        return _writable(Path(args.resume), "--resume")
    if args.save is None:
        return None
    check_folder("--save", args.save)
    path = Path(args.save)
    if path.exists():
        raise BadInput(f"--save {path}: there is such a file. Go on from it with --resume, or name another")
    return _writable(path, "--save")


def _writable(path: Path, option: str) -> Path:
    """Tell at once, not after hours of dealing, that the run cannot be kept there."""
    from longhu.simulate.saved import SavedError, check_writable

    try:
        check_writable(path)
    except SavedError as error:
        raise BadInput(f"{option}: {error}") from None
    return path


def _rounds(args: Namespace) -> int:
    if args.until_error is None:
        return whole_number(USUAL_ROUNDS if args.rounds is None else args.rounds, "--rounds")
    if args.rounds is not None:
        raise BadInput("--rounds and --until-error exclude each other")
    return 1  # the first look is longer; `carry_out` sees to that


def _error(args: Namespace) -> float | None:
    if args.until_error is None:
        return None
    try:
        error = float(args.until_error)
    except ValueError:
        error = 0.0
    if not 1e-8 <= error < 1:
        raise BadInput(f"--until-error {args.until_error[:40]!r}: expected a share of the stake, as 0.0001")
    return error


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
            from longhu.simulate.saved import SavedError, save

            try:
                save(totals, self.path)
                self.failed = None
            except SavedError as error:
                self.failed = str(error)


def carry_out(
    totals: Totals, deal: Deal, kept: Kept, odds: GameOdds, error: float | None = None
) -> tuple[Totals, float, bool]:
    """Deal all of it, or until the error is small enough: what was dealt, in how many seconds, and was it stopped?"""
    from longhu.simulate.run import ClusterError

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
    from longhu.simulate.figures import Simulation

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

    from longhu.simulate.figures import Simulation

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
