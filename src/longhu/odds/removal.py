"""Effects of removal: how much a wager gains or loses when one card leaves the shoe.

The basis of every card count. Where suits do not matter, or the shoe has as many of each, one card stands
for its rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from longhu.cards import DECK, Card, Shoe
from longhu.games.game import Game, Wager
from longhu.odds.figures import wager_odds
from longhu.odds.ways import ways


@dataclass(frozen=True, slots=True)
class Removal:
    """What taking this card out does to the expectation of each wager."""

    card: Card
    stands_for: str  # `A` for any ace, or the card itself
    effects: Mapping[str, Fraction]


def cards_that_differ(game: Game, shoe: Shoe) -> dict[Card, str]:
    """One card of each kind whose removal can differ, with what it stands for."""
    suits = getattr(game.procedure, "suits", True)
    alike = not suits or all(len(set(shoe.counts[rank::13])) == 1 for rank in range(13))
    found: dict[Card, str] = {}
    for each in DECK:
        name = str(each)[0] if alike else str(each)
        if shoe.count(each) and name not in found.values():
            found[each] = name
    return dict(sorted(found.items(), key=lambda item: (item[0].rank, item[0].number)))


def removals(game: Game, shoe: Shoe, wagers: Mapping[str, Wager]) -> Iterator[Removal]:
    """Take out each card that differs, one at a time; they come as they are found."""
    before = expectations(game, shoe, wagers)
    for each, stands_for in cards_that_differ(game, shoe).items():
        after = expectations(game, shoe.without([each]), wagers)
        yield Removal(each, stands_for, {id: after[id] - before[id] for id in wagers})


def expectations(game: Game, shoe: Shoe, wagers: Mapping[str, Wager]) -> dict[str, Fraction]:
    counted = ways(game.procedure, shoe)
    return {id: wager_odds(wager, counted).ev for id, wager in wagers.items()}


def balance(shoe: Shoe, found: Sequence[Removal], wager: str) -> Fraction:
    """The effects weighted with how many cards each stands for; a full round's worth of symmetry makes it vanish."""
    weights = [
        shoe.count(each.card) if len(each.stands_for) == 2 else shoe.by_rank()[each.card.rank - 1] for each in found
    ]
    return sum((weight * each.effects[wager] for weight, each in zip(weights, found, strict=True)), Fraction(0))
