"""How fast and in how much memory a proof is verified.

A verifier must decode every line and make its SHA-256. `ratio` is what verifying takes against these two, by turns in this process, so
it means something on a noisy machine. `before` is the same ratio of `--ask-all`, measured at commit 74b01f6, before the verifier had one way only;
the goal is to be no slower than that, but for noise.

The proofs are what `longhu play --rounds N --log FILE` writes: one patron with a wager a round, shoe after shoe, and a busy table with six patrons.
Memory is that of `longhu verify FILE`, for a file and one ten times as long; the goal is that it does not grow.

    python bench/verify.py             3,000 rounds of each game, and memory for 5,000 and 50,000
    python bench/verify.py 1000        so many rounds of each game, without memory
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from longhu.audit.proof import records
from longhu.audit.record import decode
from longhu.audit.verify import verify
from longhu.cli.practice.evening import evening
from longhu.games.registry import built_in, load_game

ROUNDS, REPEATS, PATRONS = 3_000, 5, 6
BUSY, BUSY_TABLE = "immortal-dragon-tiger", "six patrons"
BEFORE = {
    "dragon-21": 18.9,
    "dragon-bonus": 16.6,
    "dragon-bonus-online": 15.3,
    "dragon-tiger": 12.9,
    "immortal-dragon-tiger": 16.3,
    BUSY_TABLE: 12.7,
}
NOISE = 1.05  # by which two runs of the same program differ on a busy machine
LONG, GROWTH = (5_000, 50_000), 1.05  # rounds of the files whose memory is compared; the most by which it may grow
COMMAND = """
import sys
from longhu.cli.main import main
assert main(["verify", sys.argv[1], "--json"]) == 0
status = dict(line.split(":") for line in open("/proc/self/status"))
print(status["VmHWM"].split()[0], file=sys.stderr)
"""


def decode_and_hash(lines: list[bytes]) -> None:
    """What no verifier can do without."""
    for line in records(lines):
        decode(line)
        sha256(line).hexdigest()


def by_turns(lines: list[bytes]) -> tuple[float, float]:
    """The best seconds of this process for decoding with SHA-256, and for verifying."""
    best, works = [float("inf"), float("inf")], list[Callable[[list[bytes]], object]]([decode_and_hash, verify])
    for _ in range(REPEATS):
        for place, work in enumerate(works):
            gc.collect()
            start = time.process_time()
            work(lines)
            best[place] = min(best[place], time.process_time() - start)
    return best[0], best[1]


def speed(name: str, lines: list[bytes], rounds: int) -> None:
    gc.freeze()  # what the benchmark itself holds is not looked through again and again
    least, seconds = by_turns(lines)
    gc.unfreeze()
    ratio, before = seconds / least, BEFORE[name]
    print(
        f"{name:24}{len(lines):>9,}{rounds / seconds:>10,.0f}{len(lines) / seconds:>11,.0f}{ratio:>8.1f}{before:>8.1f}"
        f"  {'reached' if ratio <= NOISE * before else 'MISSED'}",
        flush=True,
    )


def speeds(rounds: int) -> None:
    print(
        f"{'verify':24}{'records':>9}{'rounds/s':>10}{'records/s':>11}{'ratio':>8}{'before':>8}  goal: no slower than before"
    )
    for id, file in built_in().items():
        speed(id, evening(load_game(file), rounds), rounds)
    fewer = rounds // 3  # with three times the records each
    speed(BUSY_TABLE, evening(load_game(built_in()[BUSY]), fewer, others=PATRONS - 1), fewer)


def mebibytes(file: Path) -> float:
    """The most memory that `longhu verify FILE` takes."""
    done = subprocess.run([sys.executable, "-c", COMMAND, str(file)], capture_output=True, check=True)
    return int(done.stderr) / 1024


def memory() -> None:
    game, used = load_game(built_in()["dragon-tiger"]), list[float]()
    with TemporaryDirectory() as folder:
        for rounds in LONG:
            file = Path(folder) / f"{rounds}.jsonl"
            file.write_bytes(b"".join(evening(game, rounds)))
            used.append(mebibytes(file))
            print(f"memory, {rounds:,} rounds, {file.stat().st_size >> 20} MiB: {used[-1]:.1f} MiB", flush=True)
    grown = used[-1] / used[0]
    print(f"ten times the rounds: {grown:.2f} x the memory  {'reached' if grown <= GROWTH else 'MISSED'}")


def main() -> None:
    given = sys.argv[1:]
    speeds(int(given[0]) if given else ROUNDS)
    if not given:
        memory()


if __name__ == "__main__":
    main()
