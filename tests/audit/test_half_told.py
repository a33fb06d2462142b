"""What one command leads to stands together: whoever began it is named to its end, whatever was known of others before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from longhu.audit import verify
from longhu.audit.findings import Wrong
from longhu.audit.shortcut import medley
from longhu.audit.verify import Verifier
from longhu.eventsourcing import Decision
from longhu.money import show
from longhu.table.dealing import AnnounceResult
from longhu.table.messages import Command
from longhu.table.settling import Settle
from tests.audit.evening import Told
from tests.audit.forging import mended, parsed, written
from tests.table.rounds import STAFF

WAYS = {"line by line": 10**9, "many at once": 0}  # lines, from which on a file is long
ROUNDS = 80
Lines = tuple[bytes, ...]


@pytest.fixture(params=WAYS)
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines like others before are compared with those, in one of two ways."""
    monkeypatch.setattr(verify, "LONG", WAYS[request.param])
    monkeypatch.setattr(verify, "LEAST", 1)
    monkeypatch.setattr(medley, "BUSY", 1)


class TwoInTheirTurns(Told):
    """The dealer and a supervisor announce and settle by turns."""

    announced = 0

    def asks(self, command: type[Command], by: str, **fields: Any) -> Decision:
        self.announced += command is AnnounceResult
        turn = ("dee", "sue")[self.announced // 3 % 2] if command in (AnnounceResult, Settle) else by
        return super().asks(command, turn, **fields)


@cache
def evening(id: str, people: int, *, wagers: bool) -> Lines:
    """An evening of two who take turns: of patrons who wager as they like, or with a wager in every other round only."""
    told, chance = TwoInTheirTurns(id, people=dict(list(SEATS.items())[:people])), random.Random(id)
    mains = [wager for wager in told.settings.limits if told.game.wagers[wager].hand]
    for number in range(ROUNDS):
        if number and number % 8 == 0:
            told.another_shoe()
        bets = {patron: {chance.choice(mains): show(chance.choice((500, 600, 700)))} for patron in told.table.people}
        told.round(**(bets if wagers or number % 2 else {}))
    return tuple(told.trail.proof())


SEATS: dict[str, int | None] = {"ann": 1, "bob": 2, "cay": 3, "dan": 4}
EVENINGS = [("immortal-dragon-tiger", 4, True), ("dragon-21", 4, True), ("dragon-tiger", 1, False)]


def verdict(lines: list[bytes], *, shortcuts: bool = True) -> str:
    try:
        verify.verify(lines, shortcuts=shortcuts)
    except Wrong as wrong:
        return str(wrong)
    return ""


def begun_before(lines: Lines) -> Iterator[int]:
    """Records that a command has led to which led to the one before, too: the last of each kind."""
    found: dict[tuple[str, str], int] = {}
    for place in range(2, len(lines) - 1):
        event, before = parsed(lines[place])["event"], parsed(lines[place - 1])["event"]
        both = (before["event"], event["event"])
        if both in AFTER and before["at"] == event["at"]:
            found[both[1], event["by"]] = place
    assert len(found) > 1
    yield from found.values()


AFTER = {("wager-settled/1", "wager-settled/1"), ("wager-settled/1", "round-ended/1"), ("result-announced/1", "round-ended/1")}  # fmt: skip


def by_somebody_else(line: bytes) -> bytes:
    record = parsed(line)
    other = "sue" if record["event"]["by"] == "dee" else "dee"
    record["event"] |= {"by": other, "position": STAFF[other].value}
    return written({**record, "held": STAFF[other].value})


@pytest.mark.clause("LOG-1", "LOG-2")
@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize(("id", "people", "wagers"), EVENINGS)
def test_whoever_began_a_command_is_named_to_its_end(id: str, people: int, wagers: bool) -> None:
    """Each line is one that the rules have confirmed in another round; only that two people share a command is new."""
    lines = evening(id, people, wagers=wagers)
    assert verify.verify(lines) == verify.verify(lines, shortcuts=False)
    for place in begun_before(lines):
        forged = mended([*lines[:place], by_somebody_else(lines[place]), *lines[place + 1 :]])
        due = verdict(forged, shortcuts=False)
        assert "by is" in due
        assert verdict(forged) == due


@pytest.mark.clause("LOG-2")
@pytest.mark.usefixtures("_way")
def test_a_round_without_wagers_ends_with_its_result() -> None:
    """The result of a round with wagers is told in the same words, and something else may come behind it."""
    lines = evening("dragon-tiger", 1, wagers=False)
    for place in [place for place in range(1, len(lines)) if ends_unwagered(lines, place)][-12:]:
        record = parsed(lines[place])
        record["event"]["at"] += 1
        asked = {"command": "settle/1", **{name: record["event"][name] for name in ("by", "at", "position")}}
        forged = mended([*lines[:place], written({**record, "asked": asked}), *lines[place + 1 :]])
        due = verdict(forged, shortcuts=False)
        assert "must come first" in due
        assert verdict(forged) == due


def ends_unwagered(lines: Lines, place: int) -> bool:
    return b'"round-ended/1"' in lines[place] and b'"result-announced/1"' in lines[place - 1]


def test_these_evenings_go_the_short_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the tests above would show nothing."""
    asked: list[bytes] = []
    recorded = Verifier._recorded

    def watched(self: Verifier, line: bytes) -> None:
        asked.append(line)
        recorded(self, line)

    monkeypatch.setattr(Verifier, "_recorded", watched)
    monkeypatch.setattr(medley, "BUSY", 1)
    for id, people, wagers in EVENINGS:
        lines = evening(id, people, wagers=wagers)
        asked.clear()
        verify.verify(lines)
        late = [line for line in asked if b'"round-ended/1"' in line]
        assert len(late) < 3 * ROUNDS / 4
