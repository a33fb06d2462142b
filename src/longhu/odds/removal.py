"""Effects of removal: how much a wager gains or loses when one card leaves the shoe.

The basis of every card count. Where suits do not matter, or only whether two agree and the shoe has as many of each,
one card stands for its rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from longhu.cards import DECK, Card, Shoe
from longhu.games.game import Game, Wager
from longhu.odds.figures import wager_odds
from longhu.odds.sweep import ways_of_many
from longhu.odds.ways import Ways


@dataclass(frozen=True, slots=True)
class Removal:
    """What taking this card out does to the expectation of each wager."""

    card: Card
    stands_for: str  # `A` for any ace, or the card itself
    effects: Mapping[str, Fraction]


def cards_that_differ(game: Game, shoe: Shoe) -> dict[Card, str]:
    """One card of each kind whose removal can differ, with what it stands for."""
    procedure = game.procedure
    even = all(len(set(shoe.counts[rank::13])) == 1 for rank in range(13))
    between_cards = procedure.marked_cards > 1  # a pair is of one suit or not, whichever; one card has its suit
    alike = not getattr(procedure, "suits", True) or (even and between_cards)
    found: dict[Card, str] = {}
    for each in DECK:
        name = str(each)[0] if alike else str(each)
        if shoe.count(each) and name not in found.values():
            found[each] = name
    return dict(sorted(found.items(), key=lambda item: (item[0].rank, item[0].number)))


def removals(game: Game, shoe: Shoe, wagers: Mapping[str, Wager]) -> Iterator[Removal]:
    """Take out each card that differs, one at a time; they come as they are found."""
    out = cards_that_differ(game, shoe)
    shoes = [shoe, *(shoe.without([each]) for each in out)]
    counted = ways_of_many(game.procedure, shoes)
    before = _expectations(next(counted), wagers)
    for (each, stands_for), deals in zip(out.items(), counted, strict=True):
        after = _expectations(deals, wagers)
        yield Removal(each, stands_for, {id: after[id] - before[id] for id in wagers})


def _expectations(counted: Ways, wagers: Mapping[str, Wager]) -> dict[str, Fraction]:
    return {id: wager_odds(wager, counted).ev for id, wager in wagers.items()}


def balance(shoe: Shoe, found: Sequence[Removal], wager: str) -> Fraction:
    """The effects weighted with how many cards each stands for.

    It is nothing, exactly, while the cards suffice for a round: a card burned unseen alters no odds.
    """
    by_rank = shoe.by_rank()
    weights = [by_rank[each.card.rank - 1] if len(each.stands_for) == 1 else shoe.count(each.card) for each in found]
    return sum((weight * each.effects[wager] for weight, each in zip(weights, found, strict=True)), Fraction(0))
