"""Odds for programs: JSON and CSV rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict, cast

from longhu.games.game import Result
from longhu.money import UNSTATED, show
from longhu.odds.figures import GameOdds, WagerOdds

if TYPE_CHECKING:
    from longhu.odds.together import Together


class ShoeFigures(TypedDict):
    by_rank: list[int]


class LineFigures(TypedDict):
    """A line of a wager: how often it decides, and what it comes to for one unit staked."""

    says: str
    result: Literal["win", "lose", "push", "half"]
    pays: str | None
    net: str
    clause: str | None
    ways: int
    probability: str


class ReturnFigures(TypedDict):
    """What a wager returns, for one unit staked."""

    name: str
    ev: str
    house_edge: float
    rtp: float
    hit_frequency: float
    variance: float
    standard_deviation: float
    element_of_risk: float | None
    favours_patron: bool
    decided: NotRequired[str]


class WagerFigures(ReturnFigures):
    """The same, line by line."""

    lines: list[LineFigures]


class ShoeOdds(TypedDict):
    """How often things happen with a shoe; fractions are exact and reduced, as texts."""

    game: str
    version: str
    digest: str
    decks: int | None
    cards: int
    shoe: NotRequired[ShoeFigures]
    dealt: NotRequired[list[str]]
    deals: int
    void: str


class OddsFigures(ShoeOdds):
    """The exact odds of every wager."""

    wagers: dict[str, WagerFigures]


def as_json(odds: GameOdds) -> OddsFigures:
    """Fractions are exact and reduced, as texts; the other figures are for one unit staked."""
    told: dict[str, Any] = {
        "game": odds.game.id,
        "version": odds.game.version,
        "digest": odds.game.digest,
        "decks": odds.decks,
        "cards": odds.shoe.size,
    }
    if odds.decks is None:
        told["shoe"] = {"by_rank": list(odds.shoe.by_rank())}
    if odds.dealt:
        told["dealt"] = [str(each) for each in odds.dealt]
    told["deals"] = odds.ways.deals
    told["void"] = str(odds.void)
    told["wagers"] = {id: _wager(each, dealt=bool(odds.dealt)) for id, each in odds.items()}
    return cast(OddsFigures, told)


def _wager(each: WagerOdds, *, dealt: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": each.wager.name.en,
        "ev": str(each.ev),
        "house_edge": float(each.house_edge),
        "rtp": float(each.rtp),
        "hit_frequency": float(each.hit_frequency),
        "variance": float(each.variance),
        "standard_deviation": each.standard_deviation,
        "element_of_risk": None if each.element_of_risk is None else float(each.element_of_risk),
        "favours_patron": each.favours_patron,
    }
    if dealt:
        told["decided"] = each.decided.value
    told["lines"] = [
        {
            "says": one.line.says.en,
            "result": one.line.result.value,
            "pays": one.line.odds.printed if one.line.odds else None,
            "net": str(one.line.net),
            "clause": one.line.clause,
            "ways": one.ways,
            "probability": str(one.probability),
        }
        for one in each.lines
    ]
    return told


def together_json(joint: Together) -> dict[str, Any]:
    """Amounts of money are texts in major units; averages are exact fractions of a minor unit."""
    money = joint.game.currency or UNSTATED
    return {
        "stakes": {id: show(stake, money) for id, stake in joint.stakes.items()},
        "staked": show(joint.staked, money),
        "expected": str(joint.expected),
        "rtp": float(joint.rtp),
        "standard_deviation": joint.standard_deviation,
        "covariances": {
            one: {other: str(joint.covariances[one, other]) for other in joint.stakes} for one in joint.stakes
        },
        "nets": [{"net": show(net, money), "probability": str(chance)} for net, chance in joint.nets.items()],
        "cap": {
            "probability": str(joint.cut_probability),
            "expected_cut": str(joint.cut),
            "cuts": [{"cut": show(cut, money), "probability": str(chance)} for cut, chance in joint.cuts.items()],
        },
    }


HEAD = ["wager", "ev", "house_edge", "rtp", "hit_frequency", "push", "variance", "standard_deviation"]


def csv_rows(odds: GameOdds) -> list[list[str]]:
    """A head and one row a wager; `ev` is exact."""
    head = [*HEAD, "element_of_risk", *(["decided"] if odds.dealt else [])]
    rows = [head]
    for id, each in odds.items():
        risk = each.element_of_risk
        figures = (each.house_edge, each.rtp, each.hit_frequency, each.probability(Result.PUSH), each.variance)
        row = [id, str(each.ev), *(repr(float(figure)) for figure in figures), repr(each.standard_deviation)]
        row.append("" if risk is None else repr(float(risk)))
        rows.append(row + ([each.decided.value] if odds.dealt else []))
    return rows


def together_rows(joint: Together) -> list[list[str]]:
    """How the whole round can end: a head, and one row a result; the probability is exact."""
    money = joint.game.currency or UNSTATED
    return [["net", "probability"], *([show(net, money), str(chance)] for net, chance in joint.nets.items())]
