"""How many deals end in each way: exact counts for any shoe, and for what is left of a round.

All ordered deals of the same number of cards are equally likely. A round that stops early is counted
once for every way in which the cards behind it could lie, so that one number of deals serves as the
denominator of every ending. Deals that run out of cards before the round is finished end in no ending:
the round is void.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, cast

from longhu.cards import Card, Shoe
from longhu.deal.facts import Endings, bits
from longhu.deal.procedure import TOO_MANY_CARDS, DealError, Procedure, deal_so_far, new_deal
from longhu.odds.falling import falling


@dataclass(frozen=True)
class Ways:
    """The deals that remain, by the number of the ending that they lead to; only what can happen is listed."""

    of: Mapping[int, int]
    deals: int

    @cached_property
    def void(self) -> int:
        """Deals in which the cards run out before the round is finished."""
        return self.deals - sum(self.of.values())

    def reachable(self, size: int) -> Endings:
        """The endings that can still happen, as a set."""
        return bits(self.of, size)


Known = tuple[tuple[Card, ...], tuple[Card, ...]]  # the first cards of each hand, as far as they are known
Counter = Callable[[Any, Shoe, Known], dict[int, int]]
COUNTERS = {"one-card": "one_card", "baccarat": "baccarat", "twenty-one": "twenty_one"}  # by procedure, the module


def ways(procedure: Procedure[Any], shoe: Shoe, dealt: Sequence[Card] = ()) -> Ways:
    """Count the deals of a round that starts from this shoe and of which these cards are already on the table.

    >>> from longhu.deal.one_card import OneCard
    >>> from longhu.deal.procedure import HandName
    >>> from longhu.texts import Text
    >>> dragon_tiger = OneCard((HandName("dragon", Text("Dragon")), HandName("tiger", Text("Tiger"))))
    >>> counted = ways(dragon_tiger, Shoe.of_decks(8))
    >>> sum(counted.of[rank * 13 + rank] for rank in range(13)), counted.deals / 2
    (12896, 86320.0)
    """
    so_far = deal_so_far(procedure, dealt)  # refuses cards that the round has no room for
    left = shoe.without(dealt)
    if so_far.number is not None:
        return Ways({so_far.number: 1}, 1)
    return _counted(procedure, left, (so_far.hand(0), so_far.hand(1)))


def open_ways(procedure: Procedure[Any], shoe: Shoe, known: Known) -> Ways:
    """The same while some cards lie open and others, dealt before them or not, lie face down.

    Unseen cards are alike whether they lie on the table or in the shoe, and it makes no difference which of a hand's initial
    cards is open. So it is enough to know the open cards of each hand; of those that it drew later, all before an open one.

    >>> from longhu.cards import cards
    >>> from longhu.deal.one_card import OneCard
    >>> from longhu.deal.procedure import HandName
    >>> from longhu.texts import Text
    >>> dragon_tiger = OneCard((HandName("dragon", Text("Dragon")), HandName("tiger", Text("Tiger"))))
    >>> counted = open_ways(dragon_tiger, Shoe.of_decks(8), ((), tuple(cards("KS"))))  # the tiger has a king
    >>> counted.of[12 * 13 + 12], counted.deals
    (31, 415)
    """
    if (number := _finished(procedure, known)) is not None:
        return Ways({number: 1}, 1)
    return _counted(procedure, shoe.without([*known[0], *known[1]]), known)


def _counted(procedure: Procedure[Any], left: Shoe, known: Known) -> Ways:
    found = counter(procedure)(procedure, left, known)
    ordered = {number: found[number] for number in sorted(found) if found[number]}
    dealt = len(known[0]) + len(known[1])
    return Ways(ordered, falling(left.size, min(left.size, procedure.cards_max - dealt)))


def _finished(procedure: Procedure[Any], known: Known) -> int | None:
    """The ending, where the round is over with these cards."""
    rest, deal = [list(hand) for hand in known], new_deal(procedure)
    while (turn := deal.dealt.due.hand) is not None:
        if not rest[turn]:
            return None
        deal = deal.then(rest[turn].pop(0))
    if rest[0] or rest[1]:
        raise DealError(TOO_MANY_CARDS())
    return deal.dealt.number


def counter(procedure: Procedure[Any]) -> Counter:
    """How deals of this procedure are counted; only that module is imported. An unknown procedure is enumerated."""
    module = import_module(f"longhu.odds.{COUNTERS.get(procedure.name, 'enumeration')}")
    return cast(Counter, module.count)
