"""Wagers that favour patrons: a policy of the house, that none is offered unless the operator has seen its exact edge.

Dragon 21 as printed pays Dragon and Tiger so that patrons are 10.74 % ahead. Whoever opens such a table is told so, by how much, and that the
operator confirms it: the settings name the wagers (`favours_patrons`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.odds.full_shoe import full_shoe_odds
from longhu.positions import Position
from longhu.table.messages import POSITION_TOO_LOW
from longhu.table.state import Settings

OPERATOR = Position.CASINO_OPERATOR

EDGES_FAVOUR_PATRONS = message_code("edges-favour-patrons", edges="messages")
EDGE_FAVOURS_PATRONS = message_code("edge-favours-patrons", wager="wager", edge="percent")
OPERATOR_CONFIRMS_EDGES = message_code("operator-confirms-edges", wagers="wagers")


def patrons_edges(game: Game, settings: Settings) -> dict[str, Fraction]:
    """The wagers offered on which patrons are ahead, from a full shoe, and by how much of each unit staked."""
    odds = full_shoe_odds(game, settings.decks)
    return {id: odds[id].ev for id in settings.limits if odds[id].favours_patron}


def unconfirmed_edges(game: Game, settings: Settings, position: Position, before: Sequence[str] = ()) -> Refusal | None:
    """What nobody has confirmed, or not the operator; `before` had been confirmed already."""
    edges = patrons_edges(game, settings)
    left = [id for id in edges if id not in settings.favours_patrons]
    if left:
        told = [EDGE_FAVOURS_PATRONS(wager=id, edge=_percent(edges[id])) for id in left]
        return Refusal(EDGES_FAVOUR_PATRONS(edges=told), OPERATOR_CONFIRMS_EDGES(wagers=left))
    if position >= OPERATOR or all(id in before for id in edges):
        return None
    too_low = POSITION_TOO_LOW(position=position.value, needed=OPERATOR.value)
    return Refusal(too_low, OPERATOR_CONFIRMS_EDGES(wagers=[*edges]))


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:.4f}"
