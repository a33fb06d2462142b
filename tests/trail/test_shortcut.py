"""Rounds like others before: the short way gives the same verdict as asking the rules again, and forgets in time."""

from __future__ import annotations

import io
from functools import cache

import pytest

from longhu.cli.play_table import YOU, PracticeTable, YourHand, practice_settings
from longhu.cli.play_trail import TrailFile
from longhu.games.registry import built_in, load_game
from longhu.table.handling import Reveal
from longhu.table.settings import Limit
from longhu.trail.shortcut import steps
from longhu.trail.shortcut.walk import Walk
from longhu.trail.verify import Verifier, verify

GAMES = tuple(built_in())


@cache
def evening(id: str, rounds: int, others: int = 0) -> tuple[bytes, ...]:
    """What a practice table keeps: the same few wagers again and again, and other patrons with wagers of their own."""
    game = load_game(built_in()[id])
    layout = next(iter(game.layouts.values()))
    others = min(others, layout.positions_max - 1)
    offered = game.offered(layout.id)
    limits = {wager: Limit(500, offered[wager].limit.max or 100_000) for wager in offered}
    method = next(iter(game.methods), "")
    settings = practice_settings(
        game, layout=layout.id, decks=game.decks.default, method=method, limits=limits, seats=1 + others
    )
    house, file = PracticeTable(game, settings, 10**8, others=others, seed=3), io.BytesIO()
    trail = TrailFile(file, house)
    assert house.open() is None
    mains = [wager for wager in limits if offered[wager].hand]
    for number in range(rounds):
        house.new_shoe()
        house.open_round()
        house.bet(mains[number % 2], 500 * (1 + number % 3))
        house.others_bet()
        while (act := house.dealers_act()) is not None:
            if isinstance(act, YourHand):
                house.must(Reveal(by=YOU, at=house.now(), hand=game.procedure.hands[act.hand].id))
    trail.end()
    return tuple(file.getvalue().splitlines(keepends=True))


@pytest.mark.parametrize("id", GAMES)
def test_both_ways_check_the_same(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    walked, whole = [0], Verifier._walked_through

    def counted(self: Verifier, *args: object) -> None:
        walked[0] += 1
        whole(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Verifier, "_walked_through", counted)
    lines = evening(id, 300)
    checked = verify(lines)
    assert checked == verify(lines, shortcuts=False)
    assert checked.rounds == 300
    assert walked[0] > 20, "hardly any round was like another: the short way is not taken"


@pytest.mark.parametrize("id", GAMES)
def test_both_ways_check_the_same_at_a_full_table(id: str) -> None:
    lines = evening(id, 30, others=3)
    assert verify(lines) == verify(lines, shortcuts=False)


def test_what_is_remembered_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, most = evening("dragon-tiger", 120), [0]
    learn = Walk.learn

    def watched(self: Walk, *args: object, **named: object) -> bool:
        most[0] = max(most[0], self.memory.steps)
        return learn(self, *args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Walk, "learn", watched)
    checked = verify(lines)
    unbounded, most[0] = most[0], 0
    monkeypatch.setattr(steps, "STEPS_MAX", 40)
    assert verify(lines) == checked
    assert most[0] < 60 < unbounded


def test_a_short_and_a_long_proof_need_the_same_memory() -> None:
    import tracemalloc

    def peak(lines: tuple[bytes, ...]) -> int:
        tracemalloc.start()
        verify(lines)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    long = evening("dragon-tiger", 1200)
    short = evening("dragon-tiger", 120)
    peak(short)  # what is loaded and kept for good
    assert peak(long) < 2 * peak(short) + 2_000_000
