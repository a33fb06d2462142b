"""How fast a proof is verified, against merely decoding its lines.

The proofs are what `longhu play --rounds N --log FILE` writes: one patron with a wager a round, shoe after shoe, the
shuffles committed to and revealed. Decoding and verifying run by turns in this process on one core, and the time of the processor counts, so the
ratio means something on a noisy machine. In the first half of a file the verifier still learns what rounds there are; the second half
is how it goes on. `this file` is measured. `a million` is worked out, not measured: the first half once, and then the second as often as it
takes; the goal is held against that. To load the compiled code is not counted: the best of a few runs has it. `asked again` is the same without the
memory of rounds like others before. At a busy table hardly any round is like another. The goal is a million rounds in a minute on an ordinary core
that has nothing else to do.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256

from longhu.cli.play_evening import evening
from longhu.games.registry import built_in, load_game
from longhu.trail.proof import records
from longhu.trail.record import decode
from longhu.trail.verify import Verifier, verify

ROUNDS, REPEATS, GOAL = 20_000, 3, 1_000_000
BUSY, PATRONS = "immortal-dragon-tiger", 6


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
    """What no verifier can do without."""
    for line in records(lines):
        sha256(line).hexdigest()


def halves(lines: list[bytes]) -> list[float]:
    """The best times of the first half of a file and of the second."""
    best, half = [float("inf")] * 2, len(lines) // 2
    for _ in range(REPEATS):
        gc.collect()
        verifier, start = Verifier(), time.process_time()
        verifier.lines(lines[:half])
        middle = time.process_time()
        verifier.lines(lines[half:])
        verifier.finish()
        best = [min(best[0], middle - start), min(best[1], time.process_time() - middle)]
    return best


def measure(name: str, lines: list[bytes], few: list[bytes], rounds: int) -> None:
    gc.freeze()
    decoding, digesting = seconds(partial(decoded, lines), partial(digested, lines))
    learning, going_on = halves(lines)
    (asking,) = seconds(partial(verify, few, shortcuts=False))
    whole, million = learning + going_on, learning + going_on * (2 * GOAL / rounds - 1)
    pace = 60 * GOAL / million
    print(
        f"{name:24}{len(lines) / rounds:>14.1f}{60 * rounds / whole:>14,.0f}{pace:>14,.0f}{whole / decoding:>12.1f}"
        f"{2 * going_on / decoding:>14.1f}{60 * rounds / digesting:>14,.0f}{60 * rounds / asking * len(few) / len(lines):>14,.0f}"
        f"  {'goal reached' if pace >= GOAL else 'MISSED'}",
        flush=True,
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    print(f"{rounds:,} rounds of each game, one core, in rounds a minute; the goal is {GOAL:,}")
    print(
        f"{'game':24}{'records/round':>14}{'this file':>14}{'a million':>14}{'x decoding':>12}{'second half':>14}"
        f"{'digests alone':>14}{'asked again':>14}  goal"
    )
    for id in built_in():
        game = load_game(built_in()[id])
        measure(id, evening(game, rounds), evening(game, rounds // 10), rounds)
    game, fewer = load_game(built_in()[BUSY]), rounds // 20
    busy = evening(game, fewer, others=PATRONS - 1)
    measure(f"{PATRONS} patrons as they like", busy, busy, fewer)


if __name__ == "__main__":
    main()
