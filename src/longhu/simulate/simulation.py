"""A simulation from beginning to end, for whoever has a game and wants figures."""

from __future__ import annotations

from secrets import randbits
from time import perf_counter

from longhu.games.game import Game
from longhu.simulate.dealers import ByShoe
from longhu.simulate.figures import Simulation, exact_odds
from longhu.simulate.plan import plan
from longhu.simulate.run import on_threads, run
from longhu.simulate.totals import Totals

SEED_BITS = 32  # of a seed that nobody chose: short enough to be written down


def simulate(
    game: Game,
    rounds: int,
    *,
    seed: int | None = None,
    decks: int | None = None,
    by_shoe: ByShoe | None = None,
    workers: int | None = None,
) -> Simulation:
    """Deal so many rounds on this machine, and hold every wager against its exact odds."""
    chosen = randbits(SEED_BITS) if seed is None else seed
    planned = plan(game, rounds=rounds, seed=chosen, decks=decks, by_shoe=by_shoe)
    started = perf_counter()
    totals = run(Totals(planned), on_threads(workers))
    return Simulation(totals, perf_counter() - started, exact_odds(planned))
