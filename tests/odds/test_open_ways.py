"""Deals counted while some cards lie face down on the table, against every order in which a small shoe can lie."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from longhu.cards import Card, Shoe, cards
from longhu.deal.procedure import TOO_MANY_CARDS, Procedure, deal_so_far
from longhu.odds.ways import Known, open_ways, ways
from tests.odds.shoes import VOID, Chances, baccarat, chances, one_card, shoe_of, twenty_one
from tests.rounds import refused

PROCEDURES: dict[str, tuple[Procedure[Any], str]] = {
    "one card": (one_card(suits=True), "3S 3H 8S KD KS"),
    "baccarat": (baccarat(suits=True), "3S 3H 8S KD KS 2C 4D"),
    "twenty-one": (twenty_one(), "AS AH KS 5C 6S 9H 8D"),
}


def by_order(procedure: Procedure[Any], drawn: list[Card], lies_open: dict[int, Card]) -> Chances:
    """Every order of all cards in which those places hold those cards, dealt out."""
    tally: Counter[int] = Counter()
    for order in permutations(drawn):
        if all(order[place] == each for place, each in lies_open.items()):
            dealt = (deal_so_far(procedure, order[:length]).number for length in range(1, len(order) + 1))
            tally[next((number for number in dealt if number is not None), VOID)] += 1
    return {number: Fraction(some, tally.total()) for number, some in tally.items()}


def known_of(lies_open: dict[int, Card]) -> Known:
    """Initial cards go to the two hands in turn."""
    first, second = (tuple(each for place, each in sorted(lies_open.items()) if place % 2 == hand) for hand in (0, 1))
    return first, second


@pytest.mark.parametrize("open_places", [(1,), (0,), (1, 3), (0, 2), (3,), (1, 2), (0, 1, 3), (1, 2, 3)])
@pytest.mark.parametrize("name", PROCEDURES)
def test_cards_that_lie_face_down_are_as_unknown_as_those_in_the_shoe(name: str, open_places: tuple[int, ...]) -> None:
    procedure, text = PROCEDURES[name]
    drawn = list(cards(text))
    lies_open = {place: drawn[place] for place in open_places if place < procedure.initial_cards}
    found = open_ways(procedure, shoe_of(Counter(drawn)), known_of(lies_open))
    assert chances(found) == by_order(procedure, drawn, lies_open)


@pytest.mark.parametrize("name", PROCEDURES)
def test_with_every_card_open_it_is_what_it_always_was(name: str) -> None:
    procedure, text = PROCEDURES[name]
    shoe, drawn = Shoe.of_decks(8), list(cards(text))
    for length in range(procedure.initial_cards + 1):
        dealt = deal_so_far(procedure, drawn[:length])
        known = dealt.hand(0), dealt.hand(1)
        if procedure.name != "twenty-one" or length > 1:  # an empty table of twenty-one takes its time
            assert open_ways(procedure, shoe, known) == ways(procedure, shoe, drawn[:length])


def test_more_cards_than_a_round_takes_are_no_round() -> None:
    first, second = cards("3S 4S"), cards("KD")
    with refused(TOO_MANY_CARDS):
        open_ways(one_card(), Shoe.of_decks(1), (tuple(first), tuple(second)))
