"""The default settings of a table: the fullest layout, plain limits, and of equipment whatever a document asks for, assumed."""

from __future__ import annotations

from typing import Any

from longhu.cards import CARDS_PER_DECK
from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.table.requirements import ABOVE_RULES_MAXIMUM, SET_SMALLER_MINIMUM, as_read
from longhu.table.state import CardSet, Equipment, Limit, Settings

SEATS, RESERVE, SPARE = 7, 14, 2  # seats where the layout leaves a choice; cards behind the cutting card
SIDE = 5  # a wager that is on no hand takes this part of a hand's maximum


def fullest_layout(game: Game) -> str:
    """The layout with the most wagers, the first of several."""
    return max(game.layouts.values(), key=lambda layout: len(layout.wagers)).id


def usual_limits(game: Game, layout: str, least: int, most: int) -> dict[str, Limit] | Refusal:
    """Limits for every wager offered: up to `most` on a hand, a fifth of it elsewhere; the document's own come first."""
    limits: dict[str, Limit] = {}
    for id, wager in game.offered(layout).items():
        high = most if wager.hand else max(most // SIDE, least)
        high = high if wager.limit.max is None else min(high, wager.limit.max)
        low = least if wager.limit.min is None else max(least, wager.limit.min)
        if low > high:
            clauses = wager.limit.clauses
            return Refusal(
                ABOVE_RULES_MAXIMUM(wager=wager.id, maximum=high),
                SET_SMALLER_MINIMUM(),
                clauses[0] if clauses else "",
            )
        limits[id] = Limit(low, high)
    return limits


def usual_settings(
    game: Game,
    table: str,
    limits: dict[str, Limit],
    *,
    layout: str = "",
    decks: int = 0,
    method: str = "",
    seats: int = 1,
    **also: Any,
) -> Settings:
    """The rest of a table with such limits, with at least so many seats; what is not said is as the game usually has it.

    `also` are further settings: another area, a human dealer, a physical shoe.
    """
    layout, decks = layout or fullest_layout(game), decks or game.decks.default
    cards, cloth = decks * CARDS_PER_DECK, game.layouts.get(layout)
    positions = min(max(SEATS, seats, cloth.positions_min), cloth.positions_max) if cloth else seats
    usual = {
        "method": method or next(iter(game.methods), ""),
        "equipment": Equipment(
            sets=(CardSet(("blue",) * decks),),
            shoe=cards,
            cover=True,
            discard_rack=cards,
            pucks=2,
            drop_box=table,
            assumed=True,
        ),
        "automatic_dealer": True,
        "cut_reserve": max(RESERVE, game.procedure.cards_max + SPARE),
    }
    return Settings(
        table=table,
        layout=layout,
        positions=positions,
        limits=limits,
        decks=decks,
        **{**usual, **as_read(game), **also},
    )
