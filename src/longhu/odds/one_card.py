"""Exact counts for one card each: every pair of cards, in closed form."""

from __future__ import annotations

from collections import defaultdict

from longhu.cards import Shoe
from longhu.deal.one_card import OneCard
from longhu.deal.procedure import ending_number
from longhu.odds.falling import behind
from longhu.odds.marks import kinds
from longhu.odds.ways import Known


def count(procedure: OneCard, left: Shoe, known: Known) -> dict[int, int]:
    """The deals by ending; a card that lies open has one way to be what it is."""
    held = kinds(left, suits=procedure.suits)
    firsts, seconds = ({each[0]: 1} if each else held for each in known)
    missing = 2 - len(known[0]) - len(known[1])
    found: dict[int, int] = defaultdict(int)
    for first, first_ways in firsts.items():
        one = procedure.take(procedure.empty, first)
        for second, second_held in seconds.items():
            second_ways = second_held - (first == second and missing == 2)
            draw = procedure.draw_number(one, procedure.take(procedure.empty, second))
            number = ending_number(procedure, draw, procedure.mark([first]), procedure.mark([second]))
            found[number] += first_ways * second_ways
    return found if behind(left.size, missing, min(left.size, missing)) else {}
