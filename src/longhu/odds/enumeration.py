"""The plain way to count: deal every sequence of cards through the readable procedure.

It works for any procedure and is how the clever ways are proven; it is slow for a large shoe, so the
procedures of the built-in games have counters of their own.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from longhu.cards import Card, Shoe
from longhu.deal.procedure import Procedure, ending_number
from longhu.odds.falling import behind
from longhu.odds.marks import kinds
from longhu.odds.ways import Known


def count(procedure: Procedure[Any], left: Shoe, known: Known = ((), ())) -> dict[int, int]:
    """The deals by ending, one card after the other; cards of one kind are drawn together."""
    held = kinds(left, suits=True)
    counted = min(left.size, procedure.cards_max - len(known[0]) - len(known[1]))
    found: dict[int, int] = defaultdict(int)

    def deal(hands: list[Any], cards: list[list[Card]], ways: int, drawn: int) -> None:
        turn = procedure.due(hands[0], hands[1]).hand
        if turn is None:
            draw = procedure.draw_number(hands[0], hands[1])
            number = ending_number(procedure, draw, procedure.mark(cards[0]), procedure.mark(cards[1]))
            found[number] += ways * behind(left.size, drawn, counted)
            return
        before, place = hands[turn], len(cards[turn])
        if place < len(known[turn]):
            hands[turn] = procedure.take(before, known[turn][place])
            cards[turn].append(known[turn][place])
            deal(hands, cards, ways, drawn)
            cards[turn].pop()
            hands[turn] = before
            return
        for each in list(held):
            some = held[each]
            if some:
                held[each] -= 1
                hands[turn] = procedure.take(before, each)
                cards[turn].append(each)
                deal(hands, cards, ways * some, drawn + 1)
                cards[turn].pop()
                held[each] += 1
        hands[turn] = before

    deal([procedure.empty, procedure.empty], [[], []], 1, 0)
    return found
