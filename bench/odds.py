"""How fast deals are counted, against hand-written C that is compiled and run in the same run.

Each of ours and its yardstick run in turn, on one core, measured in CPU time of the thread, so that the ratio
means something on a noisy machine. The integers of both are compared before anything is timed.
"""

from __future__ import annotations

import ctypes
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from longhu.games.registry import built_in, load_game
from longhu.odds import sweep
from longhu.odds.kernels.baccarat import count
from longhu.odds.kernels.meetings import Meetings
from longhu.odds.kernels.rules import BaccaratRules
from longhu.odds.open_hands import DrawMemo
from longhu.odds.twenty_one import ValueShoe

REPEATS = 15
YARDSTICKS = Path(__file__).parent / "yardsticks"


def yardsticks(folder: str) -> ctypes.CDLL | None:
    """The C side by side, compiled for this machine; None where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    library = Path(folder) / "yardsticks.so"
    sources = [str(source) for source in sorted(YARDSTICKS.glob("*.c"))]
    subprocess.run([compiler, "-O3", "-march=native", "-fPIC", "-shared", "-o", str(library), *sources], check=True)
    return ctypes.CDLL(str(library))


def pointer(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def seconds(run: Callable[[], Any]) -> float:
    start = time.thread_time()
    run()
    return time.thread_time() - start


def compare(what: str, ours: Callable[[], Any], theirs: Callable[[], Any], each: int, goal: float) -> bool:
    """The ratio of both times; at most the goal is good."""
    ours()
    theirs()
    times = [(seconds(ours), seconds(theirs)) for _ in range(REPEATS)]
    mine, yardstick = (statistics.median(column) / each * 1e6 for column in zip(*times, strict=True))
    ratio = statistics.median(own / other for own, other in times)
    verdict = "reached" if ratio <= goal else "MISSED"
    print(f"{what:44}{mine:12,.2f}{yardstick:12,.2f}{ratio:8.2f}   at most {goal:.2f}: {verdict}")
    return ratio <= goal


def baccarat_counts(c: ctypes.CDLL) -> bool:
    """All deals of a shoe with both pair flags, random shoes of about 260 cards."""
    procedure: Any = load_game(built_in()["immortal-dragon-tiger"]).procedure
    rules, shoes = BaccaratRules.of(procedure), 1000
    ranks = 32 - np.random.default_rng(1).integers(0, 20, (shoes, 13))
    blocks, out = sweep.in_lanes(ranks.astype(float), 4), np.empty((shoes, 1600))
    same, one = np.ascontiguousarray(ranks, np.int32), np.empty(1600)
    marked = rules.marked

    def ours() -> None:
        count(blocks, marked.values, rules.turn, rules.draws, rules.marks, marked.starts, marked.pairs, out)

    def theirs() -> None:
        c.baccarat_counts_many(pointer(same), shoes, pointer(one))

    ours()
    theirs()
    assert (out[-1] == one).all(), "the kernel and the C disagree"
    return compare("baccarat, all deals with pairs, a shoe", ours, theirs, shoes, 1.5)


def baccarat_sweep(c: ctypes.CDLL) -> bool:
    """One wager over many shoes; the C gives both hands' wins, so it does what a wager on either needs."""
    game, shoes = load_game(built_in()["dragon-bonus"]), 4096
    chance = np.random.default_rng(2)
    values = 32.0 - chance.integers(0, 20, (shoes, 10))
    values[:, 0] += 96 - chance.integers(0, 50, shoes)
    polynomial = sweep.BaccaratSweep(game, game.wagers["player"])
    player, banker = np.empty(shoes), np.empty(shoes)

    def theirs() -> None:
        c.baccarat_sweep(pointer(values), shoes, pointer(player), pointer(banker))

    theirs()
    assert (polynomial.sums(values) == player - banker).all(), "the kernel and the C disagree"
    return compare("baccarat, one wager over many, a shoe", lambda: polynomial.sums(values), theirs, shoes, 1 / 0.7)


def dragon_21(c: ctypes.CDLL) -> bool:
    """Eight decks: both totals, then both totals with the value of a pair in either hand."""
    procedure: Any = load_game(built_in()["dragon-21"]).procedure
    shoe = ValueShoe(dict(zip(range(1, 11), [32] * 9 + [128], strict=True)), 416, 24)
    values = np.array(list(shoe.values.values()), np.int32)
    drawing = DrawMemo(procedure)
    anything = drawing.start(procedure.empty)
    totals = Meetings.of(drawing, [(anything, anything)])
    _, tables, groups = sweep.prepared(procedure)
    polynomial, graph = np.zeros((25, 100, 4), np.uint64), np.zeros((11, 11, 10, 10, 4), np.uint64)
    c.dragon21_polynomial_build()
    met = totals.ends(shoe)[0]
    c.dragon21_graph(pointer(values), 11, pointer(graph))
    for (one, other), ways in met.items():
        limbs = graph[0, 0, one - 17, other - 17]
        assert ways == int.from_bytes(limbs.tobytes(), "little"), "the kernel and the C disagree"
    assert len(tables) == groups.tables
    reached = compare(
        "dragon 21, both totals, eight decks",
        lambda: totals.limbs(shoe),
        lambda: c.dragon21_polynomial(pointer(values), pointer(polynomial)),
        1,
        1.0,
    )
    return reached & compare(
        "dragon 21, with pairs, eight decks",
        lambda: groups.limbs(shoe),
        lambda: c.dragon21_graph(pointer(values), 11, pointer(graph)),
        1,
        1.0,
    )


def main() -> int:
    reached = True
    with tempfile.TemporaryDirectory() as folder:
        c = yardsticks(folder)
        if c is None:
            print("no C compiler was found, so the kernels are not measured: install gcc", file=sys.stderr)
        else:
            print(f"{'':44}{'ours, µs':>12}{'C, µs':>12}{'ratio':>8}   (CPU time, median of {REPEATS})")
            for part in (baccarat_counts, baccarat_sweep, dragon_21):
                reached &= part(c)
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
