"""Sessions as people and programs read them."""

from __future__ import annotations

import csv
import json
import sys
from argparse import Namespace
from typing import Any

from longhu.cli.screen import FigureScreen
from longhu.money import show as shown
from longhu.sessions.figures import PERCENTS, Sessions
from longhu.sessions.plan import STAKE_MAX
from longhu.sessions.tally import Distribution
from longhu.simulate.ends import End

BAR, EIGHTHS = 40, " ▏▎▍▌▋▊▉"  # columns of the longest bar


def show(found: Sessions, args: Namespace) -> None:
    if args.json:
        print(json.dumps(as_json(found), ensure_ascii=False, indent=2))
    elif args.csv:
        rows = found.rows()
        writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        _print(found)


def as_json(found: Sessions) -> dict[str, Any]:
    """Amounts that are paid are decimal strings; means of them are numbers."""
    plan, how, money = found.plan, found.plan.by_shoe, found.currency
    return {
        "game": plan.game.id,
        "digest": plan.game.digest,
        "decks": plan.decks,
        "by_shoe": None if how is None else {"cut": how.cut, "burn": how.burn, "after_cut": how.after},
        "seed": found.seed,
        "sessions": found.sessions,
        "seconds": found.seconds,
        "complete": found.complete,
        "bets": {id: shown(stake, money) for id, stake in plan.stakes.items()},
        "bankroll": shown(plan.bankroll, money),
        "system": plan.system_name,
        "limits": {
            "min": shown(plan.limits.min, money),
            "max": None if plan.limits.max == STAKE_MAX else shown(plan.limits.max, money),
        },
        "rounds_max": plan.rounds,
        "stop_win": None if plan.stop_win is None else shown(plan.stop_win, money),
        "stop_loss": None if plan.stop_loss is None else shown(plan.stop_loss, money),
        "result": {
            "mean": found.major(found.results.mean),
            "standard_error": found.major(found.results.standard_error),
            "exact": found.major(found.expected),
            "z": found.z,
            "ahead": found.ahead,
            "even": found.even,
            "behind": found.behind,
            **_spread(found, found.results),
        },
        "staked": found.major(found.staked / found.sessions),
        "ruin": {"risk": found.ruin, "standard_error": found.ruin_error},
        "ends": {end.name.lower().replace("_", "-"): found.ends.get(end, 0.0) for end in End},
        "rounds": {
            "mean": found.rounds.mean,
            "percentiles": {str(percent): found.rounds.percentile(percent) for percent in PERCENTS},
            "most": found.rounds.percentile(100),
        },
        "drawdown": {"mean": found.major(found.drawdowns.mean), **_spread(found, found.drawdowns)},
    }


def _spread(found: Sessions, of: Distribution) -> dict[str, Any]:
    return {
        "percentiles": {str(percent): found.shown(of.percentile(percent)) for percent in PERCENTS},
        "least": found.shown(of.percentile(0)),
        "most": found.shown(of.percentile(100)),
    }


def _print(found: Sessions) -> None:
    screen = FigureScreen()
    screen.print(found.title())
    facts = screen.table("of all sessions", "")
    for name, figure in found.cells():
        facts.add_row(screen.cell(name), screen.cell(figure))
    screen.print(facts)
    spread = screen.table("so many in 100 have at most", *(f"{percent}>" for percent in PERCENTS))
    for row in found.percentile_cells():
        spread.add_row(*(screen.cell(cell) for cell in row))
    screen.print(spread)
    _print_bars(screen, found)
    rounds = found.rounds.total
    speed = rounds / found.seconds / 1e6 if found.seconds else 0.0
    screen.print(
        f"{found.seconds:.1f} seconds, {rounds:,} rounds, {speed:,.1f} million a second. The same seed gives the same figures."
    )


def _print_bars(screen: FigureScreen, found: Sessions) -> None:
    """The results, a bar for each step."""
    bars = found.bars
    most = max(bar.sessions for bar in bars.bars)
    table = screen.table("result from", "sessions>", "")
    for place, bar in enumerate(bars.bars):
        first, last = place == 0 and bars.below, place == len(bars.bars) - 1 and bars.above
        name = f"below {found.shown(bar.end)}" if first else found.shown(bar.start) + (" on" if last else "")
        share = f"{bar.sessions / found.sessions * 100:.2f} %"
        table.add_row(screen.cell(name), screen.cell(share), screen.cell(_bar(bar.sessions / most)))
    screen.print(table)


def _bar(share: float) -> str:
    """Whole and eighth blocks; what came up at all is seen."""
    eighths = max(round(share * BAR * 8), 1 if share else 0)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8 : eighths % 8 + 1].strip()
