"""How fast a proof is verified, against merely decoding its lines.

The proofs are what `longhu play --rounds N --log FILE` writes: one patron with a wager a round, shoe after shoe, the
shuffles committed to and revealed. Decoding and verifying run one after the other in this process on one core, so the
ratio means something on a noisy machine. At a busy table hardly any round is like another. `asked again` is the same without the memory of rounds like others before. The
goal is a million rounds a minute on an ordinary core that has nothing else to do.
"""

from __future__ import annotations

import gc
import io
import sys
import time
from collections.abc import Callable
from functools import partial

from longhu.cli.play_table import YOU, PracticeTable, YourHand, practice_settings
from longhu.cli.play_trail import TrailFile
from longhu.games.registry import built_in, load_game
from longhu.table.acts import Refusal
from longhu.table.handling import Reveal
from longhu.table.settings import Limit
from longhu.trail.proof import records
from longhu.trail.record import decode
from longhu.trail.verify import verify

ROUNDS, REPEATS, GOAL = 20_000, 3, 1_000_000
BUSY = "immortal-dragon-tiger"


def proof(id: str, rounds: int, others: int = 0) -> list[bytes]:
    """A table of so many rounds, as a house would keep it; other patrons bet as they like."""
    game = load_game(built_in()[id])
    layout = next(iter(game.layouts.values()))
    offered = game.offered(layout.id)
    limits = {wager: Limit(500, offered[wager].limit.max or 100_000) for wager in offered}
    method = next(iter(game.methods), "")
    settings = practice_settings(
        game, layout=layout.id, decks=game.decks.default, method=method, limits=limits, seats=1 + others
    )
    house, file = PracticeTable(game, settings, 10**9, others=others, seed=1), io.BytesIO()
    trail = TrailFile(file, house)
    house.open()
    mains = [wager for wager in limits if offered[wager].hand]
    for number in range(rounds):
        house.new_shoe()
        house.open_round()
        house.bet(mains[number % 2], 500 * (1 + number % 4))
        house.others_bet()
        while (act := house.dealers_act()) is not None:
            if isinstance(act, YourHand):
                house.must(Reveal(by=YOU, at=house.now(), hand=game.procedure.hands[act.hand].id))
            elif isinstance(act, Refusal):
                raise AssertionError(act)
    trail.end()
    return file.getvalue().splitlines(keepends=True)


def seconds(what: Callable[[], object]) -> float:
    """The best of a few runs, of this process alone."""
    best = float("inf")
    for _ in range(REPEATS):
        gc.collect()
        start = time.process_time()
        what()
        best = min(best, time.process_time() - start)
    return best


def decoded(lines: list[bytes]) -> int:
    return sum(decode(line).sequence for line in records(lines))


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    print(f"{rounds:,} rounds of each game, one core; the goal is {GOAL:,} rounds a minute")
    print(f"{'game':24}{'records/round':>14}{'rounds/min':>12}{'x decoding':>12}{'asked again':>14}")
    for id in built_in():
        lines = proof(id, rounds)
        few = proof(id, rounds // 10)
        gc.freeze()
        decoding, verifying = seconds(partial(decoded, lines)), seconds(partial(verify, lines))
        asking = seconds(partial(verify, few, shortcuts=False)) * 10
        print(
            f"{id:24}{len(lines) / rounds:>14.1f}{60 * rounds / verifying:>12,.0f}"
            f"{verifying / decoding:>12.1f}{60 * rounds / asking:>14,.0f}",
            flush=True,
        )
    busy = proof(BUSY, rounds // 20, others=5)
    took = seconds(partial(verify, busy))
    print(f"{BUSY} with six patrons, each as they like: {60 * (rounds // 20) / took:,.0f} rounds a minute")


if __name__ == "__main__":
    main()
