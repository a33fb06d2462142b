"""Play sessions: known systems compiled and on all cores, somebody's own in Python. Cards are the same for both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from longhu.compiled_kernels import announce_compiling
from longhu.money import UNSTATED, show
from longhu.sessions.plan import SessionPlan
from longhu.sessions.stakes import Bet
from longhu.sessions.systems import OwnSystem, Played, SystemFault
from longhu.sessions.tally import Distribution, Tally, Whole
from longhu.settlement import SettlementError
from longhu.simulate.ends import End
from longhu.simulate.run import in_order

ROUNDS_PER_BLOCK, SESSIONS_PER_BLOCK = 1 << 21, 1 << 12
LEAST_PER_BLOCK = 16
CHUNK = 64  # rounds that are dealt at once for a system in Python
NO_GRID: Whole = np.empty(0, np.int64)

Block = tuple[int, int]  # the first session, and how many


def prepare(plan: SessionPlan) -> None:
    """Compile before many threads ask for it at once, and say so where that takes a while."""
    from longhu.simulate.kernels import sessions as kernel

    if isinstance(plan.system, OwnSystem):
        announce_compiling(kernel.deal_on)
        next(_endings(plan, 0))
    else:
        announce_compiling(kernel.play)
        _played(plan, 0, 0, NO_GRID)


def play(plan: SessionPlan, workers: int | None = None) -> Iterator[Tally]:
    """The sessions of a plan, block by block and in order."""
    if isinstance(plan.system, OwnSystem):
        return (_summed(*_played_in_python(plan, *block, NO_GRID)[:-1]) for block in _blocks(plan))
    return in_order(lambda block: _summed(*_played(plan, *block, NO_GRID)[:-1]), _blocks(plan), workers)


def paths(plan: SessionPlan, sessions: int, grid: Whole) -> NDArray[np.int64]:
    """The bankroll after the rounds of a grid, in the first sessions, played once more; it stays where a session ended."""
    by = _played_in_python if isinstance(plan.system, OwnSystem) else _played
    return by(plan, 0, min(sessions, plan.sessions), grid)[-1]


def _blocks(plan: SessionPlan) -> Iterator[Block]:
    """How many sessions are a block changes no figure: a session knows nothing of the others."""
    size = max(LEAST_PER_BLOCK, min(SESSIONS_PER_BLOCK, ROUNDS_PER_BLOCK // plan.rounds))
    for first in range(0, plan.sessions, size):
        yield first, min(size, plan.sessions - first)


Outcome = tuple[Whole, Whole, Whole, NDArray[np.uint8], Counter[Bet], Whole]


def _summed(results: Whole, rounds: Whole, drawdowns: Whole, ended: NDArray[np.uint8], placed: Counter[Bet]) -> Tally:
    return Tally(Distribution(results), Distribution(rounds), Distribution(drawdowns), Counter(ended.tolist()), placed)


def _shoe(plan: SessionPlan) -> tuple[int, int]:
    """Where the cutting card comes, and how many rounds begin behind it."""
    how = plan.by_shoe
    return (1, 0) if how is None else (52 * plan.decks - how.cut - how.burn, how.after)


def _played(plan: SessionPlan, first: int, sessions: int, grid: Whole) -> Outcome:
    """Under a ladder, compiled."""
    from longhu.simulate.kernels import sessions as kernel

    if isinstance(plan.system, OwnSystem):
        raise AssertionError("a system of somebody's own is played in Python")
    bets = plan.bets
    results, rounds, drawdowns = (np.zeros(sessions, np.int64) for _ in range(3))
    ended, placed = np.zeros(sessions, np.uint8), np.zeros(len(bets), np.int64)
    walked = np.zeros((sessions, len(grid)), np.int64)
    kernel.play(
        plan.rules, _shoe(plan), plan.decks, np.uint64(plan.seed), first,
        (plan.bankroll, plan.high, plan.low, plan.rounds),
        bets[0].kinds.of, np.array([bet.nets for bet in bets], np.int64), np.array([bet.staked for bet in bets], np.int64),
        np.array([(step.won, place, step.lost) for place, step in enumerate(plan.system)], np.int64),
        placed, results, rounds, drawdowns, ended, grid, walked,
    )  # fmt: skip
    counted = Counter[Bet]()
    for bet, number in zip(bets, placed.tolist(), strict=True):
        counted[bet] += number  # steps beyond a limit are one bet
    return results, rounds, drawdowns, ended, counted, walked


def _endings(plan: SessionPlan, session: int) -> Iterator[int]:
    """The rounds of a session, without end."""
    from longhu.simulate.kernels import sessions as kernel

    rules, shoe = plan.rules, _shoe(plan)
    cards, at, endings = np.empty(52 * plan.decks, np.uint8), np.empty(2, np.int64), np.empty(CHUNK, np.int64)
    words = kernel.sit_down(shoe, np.uint64(plan.seed), session, cards, at)
    while True:
        kernel.deal_on(rules, shoe, words, cards, at, endings)
        yield from endings.tolist()


def _played_in_python(plan: SessionPlan, first: int, sessions: int, grid: Whole) -> Outcome:
    """Under a system of somebody's own, asked before every round."""
    results, rounds, drawdowns = (np.zeros(sessions, np.int64) for _ in range(3))
    ended, placed = np.zeros(sessions, np.uint8), Counter[Bet]()
    walked = np.zeros((sessions, len(grid)), np.int64)
    for place in range(sessions):
        row = walked[place]
        results[place], rounds[place], drawdowns[place], ended[place] = _session(
            plan, first + place, placed, grid.tolist(), row
        )
    return results, rounds, drawdowns, ended, placed, walked


def _session(
    plan: SessionPlan, session: int, placed: Counter[Bet], grid: list[int], walked: Whole
) -> tuple[int, int, int, End]:
    """What it won, in how many rounds, how deep it fell, and how it ended."""
    bank: int = plan.bankroll
    peak = bank
    rounds, deepest, mark = 0, 0, 0  # the history is in the hands of the system, and no way to count rounds
    history: list[Played] = []
    endings = _endings(plan, session)
    end: End | None = None
    while end is None:
        bet = _wished(plan, history, bank, f"round {rounds + 1} of session {session}")
        if bet is None or bet.staked > bank:
            end = End.LEFT if bet is None else End.RUINED
            break
        net = bet.nets[bet.kinds.of[next(endings)]]
        placed[bet] += 1
        bank += net
        rounds += 1
        history.append(Played(bet.stakes, net))
        peak = max(peak, bank)
        deepest = max(deepest, peak - bank)
        if mark < len(grid) and grid[mark] == rounds:
            walked[mark] = bank
            mark += 1
        end = _over(plan, bank, rounds)
    walked[mark:] = bank
    return bank - plan.bankroll, rounds, deepest, end


def _over(plan: SessionPlan, bank: int, rounds: int) -> End | None:
    """Does a session end after this round, and how?"""
    if bank >= plan.high:
        return End.STOPPED_AHEAD
    if bank <= plan.low:
        return End.STOPPED_BEHIND
    if bank == 0:
        return End.RUINED
    return End.PLAYED_ALL if rounds == plan.rounds else None


def _wished(plan: SessionPlan, history: list[Played], bank: int, where: str) -> Bet | None:
    """The bet that somebody's system places; None when it leaves."""
    system = plan.system
    if not isinstance(system, OwnSystem):
        raise AssertionError("a ladder is played by the kernel")
    wished = system.wish(history, bank, plan.stakes, where)
    if wished is None:
        return None
    try:
        return plan.placed(wished)
    except SettlementError as error:
        asked = ", ".join(f"{id}={show(stake, plan.game.currency or UNSTATED)}" for id, stake in wished.items())
        raise SystemFault(
            f"{system.name} staked {asked[:120]} in {where}: {error.text(plan.game.localization())}"
        ) from None
