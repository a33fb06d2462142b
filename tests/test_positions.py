"""Positions: a ladder, and what stands outside it."""

from __future__ import annotations

from itertools import product

import pytest

from longhu.positions import LADDER, OUTSIDE_LADDER, Position, next_above, outranks


@pytest.mark.clause("IDT-6.2")
@pytest.mark.parametrize(("one", "other"), [*product(Position, repeat=2)])
def test_who_may_act_as_whom(one: Position, other: Position) -> None:
    """A higher position acts as a lower one, and nobody as the cage, surveillance or the auditor but they themselves."""
    both = one in LADDER and other in LADDER
    may = one is other or (both and LADDER.index(one) > LADDER.index(other))
    assert (one >= other, one < other) == (may, not may)
    assert (one > other, one <= other) == (may and one is not other, not may or one is other)


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize("outside", OUTSIDE_LADDER)
def test_outside_the_ladder_everybody_answers_to_the_operator(outside: Position) -> None:
    assert next_above(outside) is Position.CASINO_OPERATOR
    assert [each for each in Position if outranks(each, outside)] == [Position.CASINO_OPERATOR]
    assert not any(outranks(outside, each) for each in Position)


def test_who_is_staff() -> None:
    assert [each for each in Position if not each.is_staff] == [Position.DEVICE, Position.AUDITOR, Position.PATRON]
    assert [each for each in Position if each.reads_everything] == [Position.AUDITOR, Position.SURVEILLANCE]
