"""What one command leads to stands together: whoever began it is named to its end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from longhu.audit.report import VerificationFailed
from longhu.audit.verify import verify
from longhu.eventsourcing import Decision
from longhu.money import show
from longhu.table.dealing import AnnounceResult
from longhu.table.messages import Command
from longhu.table.settling import SettleRound
from tests.audit.evening import Told
from tests.audit.forging import mended, parsed, written
from tests.table.rounds import STAFF

ROUNDS = 24
Lines = tuple[bytes, ...]


class TwoInTheirTurns(Told):
    """The dealer and a supervisor announce and settle by turns."""

    announced = 0

    def asks(self, command: type[Command], by: str, **fields: Any) -> Decision:
        self.announced += command is AnnounceResult
        turn = ("dee", "sue")[self.announced // 3 % 2] if command in (AnnounceResult, SettleRound) else by
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


def verdict(lines: list[bytes]) -> str:
    try:
        verify(lines)
    except VerificationFailed as wrong:
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
@pytest.mark.parametrize(("id", "people", "wagers"), EVENINGS)
def test_whoever_began_a_command_is_named_to_its_end(id: str, people: int, wagers: bool) -> None:
    """Each record is right in another round; only that two people share a command is wrong."""
    lines = evening(id, people, wagers=wagers)
    assert verify(lines).rounds == ROUNDS
    for place in begun_before(lines):
        forged = mended([*lines[:place], by_somebody_else(lines[place]), *lines[place + 1 :]])
        assert "by is" in verdict(forged)


@pytest.mark.clause("LOG-2")
def test_a_round_without_wagers_ends_with_its_result() -> None:
    """The result of a round with wagers is told in the same words, and something else may come behind it."""
    lines = evening("dragon-tiger", 1, wagers=False)
    for place in [place for place in range(1, len(lines)) if ends_unwagered(lines, place)][-12:]:
        record = parsed(lines[place])
        record["event"]["at"] += 1
        asked = {
            "command": "settle-round/1",
            **{name: record["event"][name] for name in ("by", "at", "position")},
            "cosigned_by": [],
        }
        forged = mended([*lines[:place], written({**record, "asked": asked}), *lines[place + 1 :]])
        assert "must come first" in verdict(forged)


def ends_unwagered(lines: Lines, place: int) -> bool:
    return b'"round-ended/1"' in lines[place] and b'"result-announced/1"' in lines[place - 1]
