"""Rounding to chips: a policy that a house posts, with what it costs, and that the operator confirms.

Without one every payment is exact to the smallest coin (`owed`). A policy changes the odds of a document, so nobody sets it in passing:
the refusal shows the house edge of each wager that it changes, and the command must name it to be accepted.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from longhu.eventsourcing import Refusal
from longhu.games.game import Game
from longhu.messages.message import Message, message_code
from longhu.money import Amount
from longhu.odds.rounding import EdgeAt, RoundingCost, Stakes, rounding_costs
from longhu.table.requirements import rounding_of
from longhu.table.state import Settings

ROUNDING_NOT_CONFIRMED = message_code("rounding-not-confirmed", to="choice", unit="money", costs="messages")
CONFIRM_ROUNDING = message_code("confirm-rounding", to="choice")
ROUNDING_COST = message_code(
    "rounding-cost",
    wager="wager",
    edge="percent",
    least="money",
    at_least="percent",
    typical="money",
    at_typical="percent",
    worst="money",
    at_worst="percent",
)

CHANGES_COST = {"rounding", "chip_unit", "limits", "decks", "layout"}  # settings that a policy's cost depends on


class PostedEdge(msgspec.Struct, frozen=True):
    """The house edge at a stake, as an exact fraction."""

    stake: Amount
    edge: str


class PostedCost(msgspec.Struct, frozen=True):
    """A wager whose payments are rounded: its edge with exact payments, at the minimum, at a typical stake, at the worst."""

    wager: str
    edge: str
    least: PostedEdge
    typical: PostedEdge
    worst: PostedEdge


class PostedRounding(msgspec.Struct, frozen=True):
    """Payments are rounded to whole chips, for the patron or for the house."""

    to: Literal["patron", "house"]
    unit: Amount
    costs: tuple[PostedCost, ...]


def costs_of(game: Game, settings: Settings) -> list[RoundingCost]:
    """What the table's policy costs, wager by wager."""
    stakes = {
        id: Stakes(settings.least(id), limit.max, settings.step(id))
        for id, limit in settings.limits.items()
        if settings.least(id) <= limit.max
    }
    return rounding_costs(game, settings.decks, stakes, rounding_of(game, settings))


def posted_rounding(game: Game, settings: Settings) -> PostedRounding | None:
    """The policy as the notice shows it; None where payments are exact."""
    if not settings.rounding:
        return None
    costs = tuple(
        PostedCost(each.wager, str(each.edge), _posted(each.least), _posted(each.typical), _posted(each.worst))
        for each in costs_of(game, settings)
    )
    return PostedRounding("patron" if settings.rounding == "patron" else "house", settings.chip_unit, costs)


def _posted(at: EdgeAt) -> PostedEdge:
    return PostedEdge(at.stake, str(at.edge))


def unconfirmed(game: Game, settings: Settings, confirmed: str) -> Refusal | None:
    """A policy that whoever sets it has not named; the refusal tells what it costs."""
    if not settings.rounding or confirmed == settings.rounding:
        return None
    costs = [_told(each) for each in costs_of(game, settings)]
    return Refusal(
        ROUNDING_NOT_CONFIRMED(to=settings.rounding, unit=settings.chip_unit, costs=costs),
        CONFIRM_ROUNDING(to=settings.rounding),
        "MON-2",
    )


def _told(cost: RoundingCost) -> Message:
    return ROUNDING_COST(
        wager=cost.wager,
        edge=_percent(cost.edge),
        least=cost.least.stake,
        at_least=_percent(cost.least.edge),
        typical=cost.typical.stake,
        at_typical=_percent(cost.typical.edge),
        worst=cost.worst.stake,
        at_worst=_percent(cost.worst.edge),
    )


def _percent(share: object) -> str:
    return f"{float(share) * 100:.4f}"  # type: ignore[arg-type]
