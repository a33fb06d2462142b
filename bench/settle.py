"""How fast rounds are settled, against msgspec merely reading and writing the same lines.

Both run interleaved in this process on one core, so the ratio means something on a noisy machine. Each
run starts cold, as a file of 200,000 rounds given to `longhu settle` does. The goal is 0.2 or more.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec

from longhu.cards import DECK, Card
from longhu.deal.procedure import Procedure
from longhu.games.game import Game
from longhu.games.registry import built_in, load_game
from longhu.roundfile import RoundFile

ROUNDS, BATCH, REPEATS, GOAL = 200_000, 500, 5, 0.2
STAKES = ["5.00", "10.00", "15.00", "20.00", "25.00", "40.00", "50.00", "75.00", "100.00"]


def rounds(game: Game, seed: int, count: int = ROUNDS, amounts: list[str] = STAKES) -> list[bytes]:
    """Random rounds from eight decks, with stakes in chips on three of the game's wagers."""
    chance = random.Random(seed)
    shoe = [card for card in DECK for _ in range(8)]
    wagers = list(game.wagers)[:3]
    lines: list[bytes] = []
    for _ in range(count):
        drawn = one_round(game.procedure, chance.sample(shoe, game.procedure.cards_max))
        stakes = {id: chance.choice(amounts) for id in wagers}
        lines.append(json.dumps({"cards": drawn, "wagers": stakes}).encode())
    return lines


def one_round(procedure: Procedure[Any], cards: list[Card]) -> list[str]:
    """As many of these cards as one round takes."""
    count = 0
    hands = [procedure.empty, procedure.empty]
    while (turn := procedure.due(hands[0], hands[1]).hand) is not None:
        hands[turn] = procedure.take(hands[turn], cards[count])
        count += 1
    return [str(card) for card in cards[:count]]


def settle(game: Game, lines: list[bytes]) -> Callable[[], None]:
    def run() -> None:
        table = RoundFile(game)
        gc.collect()
        gc.freeze()  # as the command does: what is loaded stays, and need not be looked at again
        for start in range(0, len(lines), BATCH):
            "\n".join(table.settle_lines(lines[start : start + BATCH]))

    return run


def echo(lines: list[bytes]) -> Callable[[], None]:
    def run() -> None:
        decode, encode = msgspec.json.decode, msgspec.json.encode
        for line in lines:
            encode(decode(line))

    return run


def seconds(run: Callable[[], None]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> int:
    print(f"{'game':24}{'settle':>12}{'msgspec':>12}{'ratio':>8}   (rounds a second, median of {REPEATS})")
    reached = True
    for path in built_in().values():
        game = load_game(path)
        lines = rounds(game, seed=1)
        ours, theirs = settle(game, lines), echo(lines)
        times = [(seconds(ours), seconds(theirs)) for _ in range(REPEATS)]
        mine, yardstick = (statistics.median(column) for column in zip(*times, strict=True))
        ratio = statistics.median(other / own for own, other in times)
        reached &= ratio >= GOAL
        print(f"{game.id:24}{ROUNDS / mine:12,.0f}{ROUNDS / yardstick:12,.0f}{ratio:8.2f}")
    print(f"goal {GOAL}: {'reached' if reached else 'MISSED'}")
    game = load_game(built_in()["immortal-dragon-tiger"])
    lines = rounds(game, seed=1, count=ROUNDS // 10, amounts=[f"{n // 100}.{n % 100:02}" for n in range(1, 10_001)])
    ratio = seconds(echo(lines)) / seconds(settle(game, lines))
    print(f"for comparison, {game.id} with stakes from 10,000 amounts, which chips never make: {ratio:.2f}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
