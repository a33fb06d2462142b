"""Rounds settled again from their cards: as they were paid, and found out where one was not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from longhu.audit.proof import RECORD
from longhu.audit.record import Record, decode
from longhu.audit.resettlement import Resettled, resettled
from longhu.table.remedies.void import RoundVoided
from longhu.table.settling import RoundEnded, WagerSettled
from longhu.table.state import Outcome
from tests.audit.evening import GAMES, Told, Trail, load, ordinary, random_evening, scenarios


def records(trail: Trail) -> list[Record]:
    return [decode(line.rstrip(b"\n")) for line in trail.proof() if line.startswith(RECORD)]


def again(trail: Trail, changed: Iterable[Record] | None = None) -> Resettled:
    return resettled(records(trail) if changed is None else changed, trail.games.__getitem__)


def is_right(trail: Trail) -> int:
    """How many wagers were settled again, all of them as they were."""
    found, lines = again(trail), records(trail)
    assert found.differences == []
    assert found.wagers == sum(isinstance(each.event, WagerSettled) for each in lines)
    assert found.rounds == sum(isinstance(each.event, RoundEnded) for each in lines)
    assert found.void == sum(isinstance(each.event, RoundVoided) for each in lines)
    return found.wagers


@pytest.mark.clause("LOG-2")
@pytest.mark.parametrize("game", GAMES)
def test_every_wager_of_an_evening_is_paid_as_the_cards_say(game: str) -> None:
    assert is_right(ordinary(game).trail)
    is_right(random_evening(load(game, {}), 7, 1200))


def test_every_page_of_the_documentation_is_paid_as_the_cards_say() -> None:
    """With all their irregularities: cards put right, missing ones replaced, rounds reversed."""
    assert sum(is_right(trail) for _, trail in scenarios()) > 30


def _altered(lines: list[Record], **changes: Any) -> Iterator[Record]:
    """The same records, but for the first settlement that is altered."""
    done = False
    for each in lines:
        if isinstance(each.event, WagerSettled) and not done:
            done = True
            each = replace(each, event=replace(each.event, **changes))
        yield each


@pytest.mark.parametrize("changes", [{"net": 12_345}, {"line": 7}, {"result": "push"}, {"commission": 5}])
def test_a_payment_that_the_cards_do_not_say_is_named(changes: dict[str, Any]) -> None:
    told = Told("dragon-tiger")
    told.round(ann={"dragon": "50.00"}, bob={"tie": "10.00"})
    found = again(told.trail, _altered(records(told.trail), **changes))
    (difference,) = found.differences
    assert (difference.round, found.differing) == (1, 1)
    assert "of" in difference.about
    assert difference.recorded != difference.found or "commission" in changes


def test_another_outcome_than_the_cards_have_is_named() -> None:
    told = Told("dragon-tiger")
    told.round(ann={"dragon": "50.00"})
    lines = [
        replace(each, event=replace(each.event, outcome=Outcome("tie", ("tiger",))))
        if isinstance(each.event, RoundEnded)
        else each
        for each in records(told.trail)
    ]
    (difference,) = again(told.trail, lines).differences
    assert (difference.about, difference.recorded) == ("the outcome", "tie; pairs: tiger")
    assert difference.found in ("dragon", "tiger")
