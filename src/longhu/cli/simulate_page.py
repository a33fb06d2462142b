"""A simulation as people and programs read it."""

from __future__ import annotations

import csv
import json
import sys
from argparse import Namespace
from typing import Any

from longhu.cli.screen import FigureScreen
from longhu.simulate.figures import Depth, Simulation, WagerResult


def show(result: Simulation, args: Namespace) -> None:
    if args.json:
        print(json.dumps(as_json(result), ensure_ascii=False, indent=2))
    elif args.csv:
        rows = result.rows()
        writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        _print(result)


def as_json(result: Simulation) -> dict[str, Any]:
    """As DESIGN says it, and what else the run shows."""
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


def _print(result: Simulation) -> None:
    screen = FigureScreen()
    head, rows = result.cells()
    shown = screen.table(head[0], *(f"{name}>" for name in head[1:]), title=result.title())
    for row, each in zip(rows, result.values(), strict=True):
        style = "" if abs(each.z) < 3 else "yellow" if abs(each.z) < 4 else "red"
        shown.add_row(*(screen.cell(cell, style if place == 4 else "") for place, cell in enumerate(row)))
    screen.print(shown)
    if result.depths:
        _print_depths(screen, result)
    screen.print(
        f"{result.seconds:.1f} seconds, {result.speed / 1e6:,.0f} million rounds a second. The same seed gives the same figures."
    )


def _print_depths(screen: FigureScreen, result: Simulation) -> None:
    names = [each.wager.name.en for each in result.values()]
    title = "Return by the number of the round in its shoe (z); rounds with * not every shoe has"
    shown = screen.table("rounds", "dealt>", *(f"{name}>" for name in names), title=title)
    for depth in result.depths:
        returns = [f"{each.rtp * 100:.3f} ({each.z:+.1f})" for each in depth.wagers.values()]
        shown.add_row(*(screen.cell(cell) for cell in (_span(depth), f"{depth.rounds:,}", *returns)))
    screen.print(shown)


def _span(depth: Depth) -> str:
    mark = "" if depth.sure else " *"
    return f"{depth.first} on{mark}" if depth.last is None else f"{depth.first} to {depth.last}{mark}"
