"""Exact counts for one card each: every pair of cards, in closed form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from longhu.cards import Card, Shoe
from longhu.deal.one_card import OneCard
from longhu.deal.procedure import ending_number
from longhu.odds.falling import behind
from longhu.odds.marks import kinds


def count(procedure: OneCard, left: Shoe, dealt: Sequence[Card]) -> dict[int, int]:
    """The deals by ending; a card that is already on the table has one way to be what it is."""
    held = kinds(left, suits=procedure.suits)
    firsts = {dealt[0]: 1} if dealt else held
    missing = 2 - len(dealt)
    found: dict[int, int] = defaultdict(int)
    for first, first_ways in firsts.items():
        one = procedure.take(procedure.empty, first)
        for second, second_held in held.items():
            second_ways = second_held - (first == second and not dealt)
            draw = procedure.draw_number(one, procedure.take(procedure.empty, second))
            number = ending_number(procedure, draw, procedure.mark([first]), procedure.mark([second]))
            found[number] += first_ways * second_ways
    return found if behind(left.size, missing, min(left.size, missing)) else {}
