"""What rounding to chips costs: the house edge of a wager at a stake whose payments are rounded as a house has posted."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from longhu.games.game import Game
from longhu.money import HouseRounding, Money
from longhu.odds.figures import WagerOdds
from longhu.odds.full_shoe import full_shoe_odds
from longhu.settlement import won

TYPICAL = 10  # a typical stake is so many times the minimum, as far as the maximum goes


class Stakes(NamedTuple):
    """What may be staked on a wager."""

    least: int
    most: int
    step: int


class EdgeAt(NamedTuple):
    """The house edge at one stake, exact."""

    stake: Money
    edge: Fraction


class RoundingCost(NamedTuple):
    """A wager with exact payments, and under a policy of rounding at three stakes."""

    wager: str
    edge: Fraction
    least: EdgeAt
    typical: EdgeAt
    worst: EdgeAt  # where the policy is farthest from exact payments, whoever gains by it


def edge_at(odds: WagerOdds, stake: Money, rounding: HouseRounding) -> EdgeAt:
    """The exact edge of a stake, each payment rounded once."""
    net = sum((each.probability * won(each.line, stake, rounding)[0] for each in odds.lines), Fraction(0))
    return EdgeAt(stake, -net / stake)


def rounding_costs(game: Game, decks: int, stakes: Mapping[str, Stakes], rounding: HouseRounding) -> list[RoundingCost]:
    """The wagers whose payments the policy changes, from a full shoe."""
    odds = full_shoe_odds(game, decks)
    found = [_cost(id, odds[id], each, rounding) for id, each in stakes.items()]
    return [each for each in found if each.worst.edge != each.edge]


def _cost(id: str, odds: WagerOdds, stakes: Stakes, rounding: HouseRounding) -> RoundingCost:
    """The fractions that are rounded come round again after some stakes, and weigh less the larger the stake."""
    least, most, step = stakes
    again = lcm(rounding.unit * lcm(*(each.line.net.denominator for each in odds.lines)), step)
    tried = range(least, min(most, least + again) + 1, step)
    worst = max(
        (edge_at(odds, Money(stake), rounding) for stake in tried), key=lambda at: abs(at.edge - odds.house_edge)
    )
    typical = Money(max(least, min(least * TYPICAL, most) // step * step))
    return RoundingCost(
        id, odds.house_edge, edge_at(odds, Money(least), rounding), edge_at(odds, typical, rounding), worst
    )
