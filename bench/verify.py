"""How fast a proof is verified, against merely decoding its lines.

The proofs are what `longhu play --rounds N --log FILE` writes: one patron with a wager a round, shoe after shoe, the
shuffles committed to and revealed. Decoding and verifying run by turns in this process on one core, so the ratio means
something on a noisy machine. At a busy table hardly any round is like another. `asked again` is the same without the memory of rounds
like others before. The goal is a million rounds a minute on an ordinary core that has nothing else to do.
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
from longhu.trail.verify import verify

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


def measure(name: str, lines: list[bytes], few: list[bytes], rounds: int) -> None:
    gc.freeze()
    decoding, digesting, verifying = seconds(partial(decoded, lines), partial(digested, lines), partial(verify, lines))
    (asking,) = seconds(partial(verify, few, shortcuts=False))
    pace = 60 * rounds / verifying
    print(
        f"{name:24}{len(lines) / rounds:>14.1f}{pace:>12,.0f}{verifying / decoding:>12.1f}{60 * rounds / digesting:>14,.0f}"
        f"{60 * rounds / asking * len(few) / len(lines):>14,.0f}  {'goal reached' if pace >= GOAL else 'MISSED'}",
        flush=True,
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    print(f"{rounds:,} rounds of each game, one core; the goal is {GOAL:,} rounds a minute")
    print(
        f"{'game':24}{'records/round':>14}{'rounds/min':>12}{'x decoding':>12}{'digests alone':>14}{'asked again':>14}  goal"
    )
    for id in built_in():
        game = load_game(built_in()[id])
        measure(id, evening(game, rounds), evening(game, rounds // 10), rounds)
    game, fewer = load_game(built_in()[BUSY]), rounds // 20
    busy = evening(game, fewer, others=PATRONS - 1)
    measure(f"{PATRONS} patrons as they like", busy, busy, fewer)


if __name__ == "__main__":
    main()
