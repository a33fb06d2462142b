"""How fast a proof is verified: the whole command on a real file, and against merely decoding its lines.

The files are what `longhu play --rounds N --log FILE` writes: one patron with a wager a round, shoe after shoe, the shuffles committed to and
revealed. `this file` is `longhu verify FILE` as anybody would start it, from the first instruction to the last: the start, the
loading of compiled code and the learning of what rounds there are count. (Compiling itself does not; that is done once on a machine.) Beside the
time of the processor stands that of the clock: they differ by what other programs take. `a million` is worked out: this file, and the rest at the pace
of the second half of it, for which the learning is over; the goal is held against that.

`x decoding` is what the second half takes against decoding its lines, in turns in this process, so it means something on a noisy machine.
`asked again` is the same proof without the memory of rounds like others before. At a busy table hardly any round is like another; there wagers are known one
by one. It has three times the records a round, and a goal of its own.

    python bench/verify.py                    20,000 rounds of each game
    python bench/verify.py 120000             so many; to write them takes minutes
    python bench/verify.py evening.jsonl …    files that are there, the whole command only

The goal is a million rounds in a minute on an ordinary core that has nothing else to do, and 400,000 of a busy table.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from longhu.audit.proof import records
from longhu.audit.record import decode
from longhu.audit.verify import Verifier, verify
from longhu.cli.play_evening import evening
from longhu.games.registry import built_in, load_game

ROUNDS, REPEATS, GOAL = 20_000, 3, 1_000_000
BUSY, PATRONS, BUSY_GOAL = "immortal-dragon-tiger", 6, 400_000
LONGHU = ("-c", "from longhu.cli.main import run; run()")
ROUND_ENDED = b'"event":"round-ended/1"'


class Spent(NamedTuple):
    """Seconds of the processor and of the clock."""

    processor: float
    clock: float


def command(file: Path) -> Spent:
    """`longhu verify FILE`, the best of a few."""
    best = Spent(float("inf"), float("inf"))
    for _ in range(REPEATS):
        start = time.perf_counter()
        with open(os.devnull, "wb") as nowhere:
            arguments = [sys.executable, *LONGHU, "verify", str(file)]
            out = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
            child = os.posix_spawn(sys.executable, arguments, os.environ, file_actions=out)
            _, status, used = os.wait4(child, 0)
        if status:
            raise SystemExit(f"longhu verify {file} failed")
        best = min(best, Spent(used.ru_utime + used.ru_stime, time.perf_counter() - start))
    return best


def seconds(*works: Callable[[], object]) -> list[float]:
    """The best of a few runs of each, by turns, of this process alone."""
    best = [float("inf")] * len(works)
    for _ in range(REPEATS):
        for place, work in enumerate(works):
            gc.collect()
            start = time.process_time()
            work()
            best[place] = min(best[place], time.process_time() - start)
    return best


def decoded(lines: list[bytes]) -> None:
    for line in records(lines):
        decode(line)


def digested(lines: list[bytes]) -> None:
    """What no verifier can do without, by `hashlib`."""
    for line in records(lines):
        sha256(line).hexdigest()


def second_half(lines: list[bytes]) -> float:
    """The best time of the second half of a file, when the first has been read."""
    best, half = float("inf"), len(lines) // 2
    first, second = b"".join(lines[:half]), b"".join(lines[half:])
    for _ in range(REPEATS):
        verifier = Verifier()
        verifier.file(BytesIO(first))
        gc.collect()
        start = time.process_time()
        verifier.file(BytesIO(second))
        verifier.finish()
        best = min(best, time.process_time() - start)
    return best


def measure(name: str, lines: list[bytes], few: list[bytes], rounds: int, folder: Path, goal: int = GOAL) -> None:
    gc.freeze()
    file = folder / "proof.jsonl"
    file.write_bytes(b"".join(lines))
    whole, half = command(file), second_half(lines)
    decoding, digesting = seconds(partial(decoded, lines), partial(digested, lines))
    (asking,) = seconds(partial(verify, few, shortcuts=False))
    pace = 60 * GOAL / (whole.processor + 2 * half / rounds * (GOAL - rounds))
    print(
        f"{name:24}{len(lines) / rounds:>9.1f}{whole.processor:>8.1f}{whole.clock:>8.1f}{60 * rounds / whole.processor:>12,.0f}{pace:>12,.0f}"
        f"{len(lines) / (2 * half):>12,.0f}{2 * half / decoding:>12.2f}{60 * rounds / digesting:>15,.0f}"
        f"{60 * rounds / asking * len(few) / len(lines):>13,.0f}{goal:>12,}  {'reached' if pace >= goal else 'MISSED'}",
        flush=True,
    )


def of_each_game(rounds: int) -> None:
    print(f"{rounds:,} rounds of each game, one core, in rounds a minute; the goal is {GOAL:,}")
    print(
        f"{'game':24}{'records':>9}{'this file':>16}{'':>12}{'':>12}{'records':>12}{'second half':>12}{'':>15}{'':>13}\n"
        f"{'':24}{'a round':>9}{'cpu s':>8}{'clock s':>8}{'this file':>12}{'a million':>12}{'a second':>12}{'x decoding':>12}"
        f"{'digests alone':>15}{'asked again':>13}{'goal':>12}"
    )
    with TemporaryDirectory() as folder:
        for id in built_in():
            game = load_game(built_in()[id])
            if id == next(iter(built_in())):
                warm = Path(folder) / "warm.jsonl"
                warm.write_bytes(b"".join(evening(game, 2000)))
                command(warm)  # compiles, where nobody has done that yet
            measure(id, evening(game, rounds), evening(game, rounds // 20), rounds, Path(folder))
        game, fewer = load_game(built_in()[BUSY]), rounds // 3
        busy, few = (evening(game, number, others=PATRONS - 1) for number in (fewer, fewer // 20))
        measure(f"{PATRONS} patrons as they like", busy, few, fewer, Path(folder), BUSY_GOAL)


def of_files(files: list[Path]) -> None:
    print(f"the whole of `longhu verify FILE`, one core; the goal is {GOAL:,} rounds a minute")
    print(f"{'file':40}{'rounds':>10}{'records':>12}{'cpu s':>8}{'clock s':>9}{'a minute':>12}  goal")
    for file in files:
        with file.open("rb") as lines:
            kinds = [ROUND_ENDED in line for line in lines]
        rounds, whole = sum(kinds), command(file)
        pace = 60 * rounds / whole.processor
        print(
            f"{file.name[:38]:40}{rounds:>10,}{len(kinds) - 2:>12,}{whole.processor:>8.1f}{whole.clock:>9.1f}{pace:>12,.0f}"
            f"  {'goal reached' if pace >= GOAL else 'MISSED'}",
            flush=True,
        )


def main() -> None:
    given = sys.argv[1:]
    if given and not given[0].isdigit():
        of_files([Path(each) for each in given])
    else:
        of_each_game(int(given[0]) if given else ROUNDS)


if __name__ == "__main__":
    main()
