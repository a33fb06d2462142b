"""Sessions from beginning to end, for whoever has a game and wants figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from secrets import randbits
from time import perf_counter

from longhu.games.game import Game
from longhu.money import Money
from longhu.sessions.figures import SessionFigures
from longhu.sessions.plan import SessionPlan, TableLimits, session_plan
from longhu.sessions.play import play, prepare
from longhu.sessions.systems import Asked, Ladder, OwnSystem, system
from longhu.sessions.tally import Tally
from longhu.simulate.dealers import ByShoe
from longhu.simulate.simulation import SEED_BITS

SESSIONS, SESSIONS_OF_OWN = 100_000, 5_000  # where nobody says how many; a system in Python takes its time


def usual_number(chosen: Ladder | OwnSystem) -> int:
    return SESSIONS_OF_OWN if isinstance(chosen, OwnSystem) else SESSIONS


def carry_out(
    plan: SessionPlan, workers: int | None = None, progress: Callable[[int], None] | None = None
) -> tuple[SessionFigures, bool]:
    """Play them all, or until somebody interrupts: what they came to, and were they stopped?"""
    tally, stopped = Tally(), False
    prepare(plan)
    started = perf_counter()
    try:
        for block in play(plan, workers):
            tally.merge(block)
            if progress is not None:
                progress(block.results.number)
    except KeyboardInterrupt:
        stopped = True
    return SessionFigures(plan, tally, perf_counter() - started), stopped


def play_sessions(
    game: Game,
    stakes: Mapping[str, Money],
    bankroll: Money,
    *,
    rounds: int | None = None,
    stop_win: Money | None = None,
    stop_loss: Money | None = None,
    betting: str | Asked = "flat",
    limits: tuple[Money, Money] | None = None,
    sessions: int | None = None,
    seed: int | None = None,
    decks: int | None = None,
    by_shoe: ByShoe | None = None,
    workers: int | None = None,
) -> SessionFigures:
    """Play so many sessions on this machine; an interrupt is the caller's own."""
    name = betting if isinstance(betting, str) else getattr(betting, "__qualname__", repr(betting))
    chosen = system(betting) if isinstance(betting, str) else OwnSystem(name, betting)
    planned = session_plan(
        game,
        stakes=stakes,
        bankroll=bankroll,
        system_name=name,
        system=chosen,
        sessions=usual_number(chosen) if sessions is None else sessions,
        seed=randbits(SEED_BITS) if seed is None else seed,
        rounds=rounds,
        stop_win=stop_win,
        stop_loss=stop_loss,
        limits=None if limits is None else TableLimits(*limits),
        decks=decks,
        by_shoe=by_shoe,
    )
    found, stopped = carry_out(planned, workers)
    if stopped:
        raise KeyboardInterrupt
    return found
