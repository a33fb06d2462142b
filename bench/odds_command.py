"""`longhu odds` as a whole command, start-up and all, in seconds of CPU; into a pipe, as a program would read it.

A bare interpreter beside it tells how fast the machine is at the moment.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage

REPEATS = 7
GOALS = {
    "immortal-dragon-tiger": 0.3,
    "dragon-bonus": 0.3,
    "dragon-bonus-online": 0.3,
    "dragon-tiger": 0.3,
    "dragon-21": 2.0,
}


def cpu(*arguments: str) -> float:
    """The median of several runs."""
    spent: list[float] = []
    for _ in range(REPEATS):
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        after = getrusage(RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(spent)


def main() -> int:
    print(f"{'longhu odds, the whole command':44}{'CPU s':>12}   (median of {REPEATS})")
    print(f"{'a bare interpreter':44}{cpu('-c', 'pass'):12.3f}")
    reached = True
    for game, goal in GOALS.items():
        spent = cpu("-m", "longhu", "odds", game)
        reached &= spent <= goal
        print(f"{game:44}{spent:12.3f}   at most {goal:.1f}: {'reached' if spent <= goal else 'MISSED'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
