"""Rounds like others before: the short way gives the same verdict as asking the rules again, and forgets in time."""

from __future__ import annotations

import io
import re
from functools import cache

import pytest

from longhu.cli.play_table import YOU, PracticeTable, YourHand, practice_settings
from longhu.cli.play_trail import TrailFile
from longhu.games.registry import built_in, load_game
from longhu.table.handling import Reveal
from longhu.table.settings import Limit
from longhu.trail.findings import Wrong
from longhu.trail.shortcut import steps
from longhu.trail.shortcut.walk import Walk
from longhu.trail.verify import Verifier, verify
from tests.trail.forging import mended

GAMES = tuple(built_in())
_AT = re.compile(rb'"at":(\d+)')


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


# ------------------------------------------------ what a forger would try on the short way


def rounds_of(lines: tuple[bytes, ...]) -> list[tuple[int, int]]:
    """The first and the last line of each round."""
    starts = [place for place, line in enumerate(lines) if b'"event":"round-started/1"' in line]
    return [
        (start, next(end for end in range(start, len(lines)) if b'"event":"round-ended/1"' in lines[end]))
        for start in starts
    ]


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("id", GAMES)
def test_wagers_moved_behind_the_cards_are_seen(id: str) -> None:
    """Past-posting, forged with care: times, since and chain all fit, and every single record is one that was seen before."""
    lines = evening(id, 300)
    start, end = rounds_of(lines)[-3]
    body = list(lines[start : end + 1])
    bets = [line for line in body if b"wager-placed/1" in line or b"betting-closed/1" in line]
    cards = [line for line in body if b"card-drawn/1" in line]
    rest = [line for line in body[1:] if line not in bets and line not in cards]
    times = [_AT.search(line)[1] for line in body]  # type: ignore[index]
    moved = [body[0], *cards, *bets, *rest]
    timed = [_AT.sub(b'"at":' + at, line, count=1) for line, at in zip(moved, times, strict=True)]
    placed = next(line for line in timed if b"wager-placed/1" in line)
    since = b'"since":' + _AT.search(placed)[1]  # type: ignore[index]
    timed = [re.sub(rb'"since":\d+', since, line) for line in timed]
    forged = mended([*lines[:start], *timed, *lines[end + 1 :]])
    with pytest.raises(Wrong):
        verify(forged, shortcuts=False)
    with pytest.raises(Wrong):
        verify(forged)


def test_a_command_that_is_kept_is_always_asked_again() -> None:
    """What stands beside an event is no step of an ordinary round: its time could be another."""
    lines = evening("dragon-tiger", 300)
    start, _ = rounds_of(lines)[-3]
    line = lines[start].rstrip(b"\n")
    asked = b',"asked":{"command":"call-place-your-bets/1","by":"dealer","at":1,"position":1,"wagering":true}}\n'
    with pytest.raises(Wrong):
        verify(mended([*lines[:start], line[:-1] + asked, *lines[start + 1 :]]))


@pytest.mark.parametrize("at", [b"0" + b"1" * 12, b"9" * 5000, b"-1", b"1e3"])
def test_times_that_are_none_are_seen(at: bytes) -> None:
    lines = evening("dragon-tiger", 300)
    start, _ = rounds_of(lines)[-3]
    forged = [*lines[:start], _AT.sub(b'"at":' + at, lines[start], count=1), *lines[start + 1 :]]
    with pytest.raises(Wrong):
        verify(mended(forged))
