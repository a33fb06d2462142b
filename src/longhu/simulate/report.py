"""A simulation as a report, for people and for programs."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

from longhu.report.blocks import Block, Column, ColumnKind, Prose, Span, Table, Tone
from longhu.report.notation import as_percent

if TYPE_CHECKING:
    from longhu.simulate.figures import DepthResult, Simulation, WagerResult

SUSPICIOUS, WRONG = 3, 4  # standard errors between simulated and exact return


def simulation_report(result: Simulation) -> list[Block]:
    """The wagers beside their exact odds, and the rounds of a shoe where they were told apart."""
    blocks: list[Block] = [wager_table(result)]
    if result.depths:
        blocks.append(_depth_table(result))
    speed = f"{result.speed / 1e6:,.0f} million rounds a second"
    return [*blocks, Prose(f"{result.seconds:.1f} seconds, {speed}. The same seed gives the same figures.")]


def wager_table(result: Simulation) -> Table:
    """A row for each wager."""
    columns = (
        Column("wager", ColumnKind.TEXT),
        *(Column(name) for name in ("return", "± error", "exact", "z", "wins", "sd")),
    )
    rows = tuple(
        (
            each.wager.name.en,
            as_percent(each.rtp),
            as_percent(each.standard_error),
            as_percent(each.exact_rtp),
            Span(f"{each.z:+.2f}", _tone(each)),
            as_percent(each.hit_frequency),
            f"{sqrt(each.variance):.4f}",
        )
        for each in result.values()
    )
    return Table(columns, rows, title=title(result))


def title(result: Simulation) -> str:
    how = result.plan.by_shoe
    dealt = "a fresh shoe each" if how is None else f"shoe by shoe, {how.cut} cards behind the cut"
    return f"{result.game.name.en}, {result.plan.decks} decks, {result.rounds:,} rounds, {dealt}, seed {result.seed}"


def _tone(each: WagerResult) -> Tone:
    return Tone.PLAIN if abs(each.z) < SUSPICIOUS else Tone.EVEN if abs(each.z) < WRONG else Tone.BAD


def _depth_table(result: Simulation) -> Table:
    names = [each.wager.name.en for each in result.values()]
    columns = (Column("rounds", ColumnKind.TEXT), Column("dealt"), *(Column(name) for name in names))
    rows = []
    for depth in result.depths:
        returns = [f"{each.rtp * 100:.3f} ({each.z:+.1f})" for each in depth.wagers.values()]
        rows.append((_span(depth), f"{depth.rounds:,}", *returns))
    says = "Return by the number of the round in its shoe (z); rounds with * not every shoe has"
    return Table(columns, tuple(rows), title=says)


def _span(depth: DepthResult) -> str:
    mark = "" if depth.sure else " *"
    return f"{depth.first} on{mark}" if depth.last is None else f"{depth.first} to {depth.last}{mark}"


def as_json(result: Simulation) -> dict[str, Any]:
    """For programs: one object, wagers by their ids."""
    how = result.plan.by_shoe
    told: dict[str, Any] = {
        "game": result.game.id,
        "digest": result.game.digest,
        "decks": result.plan.decks,
        "rounds": result.rounds,
        "seed": result.seed,
        "seconds": result.seconds,
        "complete": result.complete,
        "by_shoe": None
        if how is None
        else {"shoes": result.totals.units, "cut": how.cut, "burn": how.burn, "after_cut": how.after},
        "wagers": {id: _figures(each) for id, each in result.items()},
    }
    if result.depths:
        told["depths"] = [
            {
                "first_round": each.first,
                "last_round": each.last,
                "rounds": each.rounds,
                "every_shoe_has_them": each.sure,
                "wagers": {id: _figures(of_it) for id, of_it in each.wagers.items()},
            }
            for each in result.depths
        ]
    told["covariances"] = [
        {"wagers": list(both), "covariance": covariance} for both, covariance in result.covariances().items()
    ]
    return told


def _figures(each: WagerResult) -> dict[str, float]:
    return {
        "rtp": each.rtp,
        "standard_error": each.standard_error,
        "exact_rtp": each.exact_rtp,
        "z": each.z,
        "variance": each.variance,
        "hit_frequency": each.hit_frequency,
    }
