"""How fast rounds are dealt, against the same deal in C, compiled for this machine and run in the same run.

Ours and the yardsticks take turns on one core, measured in processor time of the thread. The tallies of our kernels and of
the hand-vectorised C are the same, count by count, before anything is timed. With `--plain` the kernels are compiled for
a machine without AVX2 (in a process of their own) and held against plain C, for information: there they go on
dealing in lanes, which such a machine has to spell out, so that the tallies stay the same.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from longhu.games.registry import find, load_game
from longhu.simulate.dealers import ByShoe, Dealer, Tally, dealer_of
from longhu.simulate.plan import plan
from longhu.simulate.run import cores, on_threads, run
from longhu.simulate.totals import Totals

REPEATS, SEED, DECKS = 11, 1, 8
GOAL, GOAL_WORKERS = 0.8, 1.6
YARDSTICKS = Path(__file__).parent / "yardsticks"


@dataclass(frozen=True)
class Case:
    """A game, dealt one way, and the C that does the same."""

    says: str
    game: str
    yardstick: str
    blocks: int
    units: int  # rounds, or shoes, of a block
    cut: int = 0  # 0: a fresh shoe for every round

    @property
    def dealer(self) -> Dealer:
        return dealer_of(load_game(find(self.game)).procedure, DECKS)

    def ours(self) -> Tally:
        dealer = self.dealer
        tally: Tally = np.zeros(dealer.size, np.uint64)
        for block in range(self.blocks):
            if self.cut:
                dealt = dealer.shoes(SEED, block, self.units, DECKS, ByShoe(self.cut))
            else:
                dealt = dealer.fresh(SEED, block, self.units, DECKS)
            tally += dealt[0]
        return tally

    def theirs(self, c: ctypes.CDLL, kind: str) -> Tally:
        tally = np.zeros(self.dealer.size, np.uint64)
        name = f"{self.yardstick}_{'shoes' if self.cut else 'fresh'}_{kind}"
        numbers = [ctypes.c_uint64(each) for each in (SEED, 0, self.blocks, self.units)]
        depth = [ctypes.c_int(each) for each in ((DECKS, self.cut) if self.cut else (DECKS,))]
        getattr(c, name)(*numbers, *depth, ctypes.c_void_p(tally.ctypes.data))
        return tally


CASES = [
    Case("baccarat, fresh", "dragon-bonus", "baccarat", 8, 1 << 19),
    Case("baccarat, by shoe", "dragon-bonus", "baccarat", 8, 1 << 12, 14),
    Case("one card, fresh", "dragon-tiger", "one_card", 8, 1 << 20),
    Case("one card, by shoe", "dragon-tiger", "one_card", 8, 1 << 12, 14),
    Case("twenty-one, fresh", "dragon-21", "twenty_one", 8, 1 << 17),
    Case("twenty-one, by shoe", "dragon-21", "twenty_one", 8, 1 << 11, 30),
]


def compiled(folder: str) -> ctypes.CDLL | None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    library = Path(folder) / "dealing.so"
    sources = [str(YARDSTICKS / name) for name in ("dealing_lanes.c", "dealing_plain.c")]
    subprocess.run([compiler, "-O3", "-march=native", "-fPIC", "-shared", "-o", str(library), *sources], check=True)
    return ctypes.CDLL(str(library))


def rate(run: Callable[[], Tally]) -> float:
    """Million rounds a second of processor time."""
    start = time.thread_time()
    rounds = int(run().sum())
    return rounds / (time.thread_time() - start) / 1e6


def compare(case: Case, c: ctypes.CDLL, kind: str) -> bool:
    ours, theirs = case.ours(), case.theirs(c, kind)
    if kind == "lanes":
        assert (ours == theirs).all(), f"{case.says}: the kernel and the C deal different rounds"
    rates = [(rate(case.ours), rate(lambda: case.theirs(c, kind))) for _ in range(REPEATS)]
    mine, yardstick = (statistics.median(column) for column in zip(*rates, strict=True))
    ratio = statistics.median(own / other for own, other in rates)
    verdict = "" if kind == "plain" else f"   at least {GOAL}: {'reached' if ratio >= GOAL else 'MISSED'}"
    print(f"{case.says:28}{mine:10,.0f}{yardstick:10,.0f}{ratio:8.2f}{verdict}", flush=True)
    return kind == "plain" or ratio >= GOAL


def workers() -> bool:
    """Two threads against one, on the wall clock, in turns."""
    if cores() < 2:
        print("two workers: this machine has one core")
        return True
    planned = plan(load_game(find("dragon-21")), rounds=60_000_000, seed=SEED)

    def seconds(number: int) -> float:
        start = time.perf_counter()
        run(Totals(planned), on_threads(number))
        return time.perf_counter() - start

    seconds(2)
    ratio = statistics.median(seconds(1) / seconds(2) for _ in range(5))
    verdict = "reached" if ratio >= GOAL_WORKERS else "MISSED"
    print(f"{'two workers against one':48}{ratio:8.2f}   at least {GOAL_WORKERS}: {verdict}", flush=True)
    return ratio >= GOAL_WORKERS


def without_avx2() -> None:
    """The same kernels for an older machine, beside plain C: one of 2008, and the plainest of all."""
    for name, features in (("nehalem", "+sse2,+sse3,+ssse3,+sse4.1,+sse4.2,+popcnt"), ("x86-64", "+sse2")):
        print(f"compiled for {name}:", flush=True)
        env = {**os.environ, "NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
        subprocess.run([sys.executable, __file__, "--plain"], env=env, check=True)


def main() -> int:
    plain = "--plain" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        c = compiled(folder)
        if c is None:
            print("no C compiler: there is nothing to hold the kernels against")
            return 0
        kind = "plain" if plain or not hasattr(c, "baccarat_fresh_lanes") else "lanes"
        title = "without AVX2" if plain else "million rounds/s, one core"
        print(f"{title:28}{'ours':>10}{f'C {kind}':>10}{'ratio':>8}")
        verdicts = [compare(case, c, kind) for case in CASES]
        reached = all(verdicts)
        if not plain:
            reached &= workers()
            without_avx2()
            print(json.dumps({"goals": "reached" if reached else "MISSED"}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
