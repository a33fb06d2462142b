"""Sessions as a report, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from longhu.money import show as shown
from longhu.report.blocks import Block, Column, ColumnKind, Facts, NamedFact, Prose, Table
from longhu.report.notation import as_percent
from longhu.report.text import EIGHTHS
from longhu.sessions.plan import ROUNDS_MAX, STAKE_MAX
from longhu.simulate.ends import End

if TYPE_CHECKING:
    from longhu.sessions.figures import SessionFigures
    from longhu.sessions.tally import Distribution

BAR = 40  # columns of the longest bar
PERCENTS = (1, 5, 25, 50, 75, 95, 99)


def session_report(found: SessionFigures) -> list[Block]:
    """How sessions end, how they spread, and how fast they were played."""
    rounds = found.rounds.total
    speed = rounds / found.seconds / 1e6 if found.seconds else 0.0
    done = f"{found.seconds:.1f} seconds, {rounds:,} rounds, {speed:,.1f} million a second."
    return [*brief(found), _bar_table(found), Prose(f"{done} The same seed gives the same figures.")]


def brief(found: SessionFigures) -> list[Block]:
    """As Python and notebooks show sessions."""
    return [Prose(title(found)), _facts(found), _spread_table(found)]


def title(found: SessionFigures) -> str:
    plan, money = found.plan, found.currency
    bets = ", ".join(f"{shown(stake, money)} on {plan.game.wagers[id].name.en}" for id, stake in plan.stakes.items())
    until = [f"{plan.rounds:,} rounds"] if plan.rounds < ROUNDS_MAX else []
    until += [f"{shown(plan.stop_win, money)} won"] if plan.stop_win else []
    until += [f"{shown(plan.stop_loss, money)} lost"] if plan.stop_loss else []
    how = plan.by_shoe
    dealt = "a fresh shoe each round" if how is None else f"shoe by shoe, {how.cut} cards behind the cut"
    return (
        f"{plan.game.name.en}, {found.sessions:,} sessions of {bets}, {plan.system_name}, bankroll "
        f"{shown(plan.bankroll, money)}, until {' or '.join([*until, 'ruin'])}; {plan.decks} decks, {dealt}, seed {found.seed}"
    )


def _facts(found: SessionFigures) -> Facts:
    money, results = found.shown, found.results
    ends = ", ".join(f"{end.says} {as_percent(share, 2)}" for end, share in found.ends.items())
    shares = ", ".join(as_percent(share, 2) for share in (found.ahead, found.even, found.behind))
    return Facts(
        (
            NamedFact("result of a session", f"{money(results.mean)} ± {money(results.standard_error)}"),
            NamedFact("worth by the exact odds", f"{money(found.expected)} (z {found.z:+.2f})"),
            NamedFact("staked in a session", money(found.staked / found.sessions)),
            NamedFact("ahead, even, behind", shares),
            NamedFact("risk of ruin", f"{as_percent(found.ruin, 2)} ± {as_percent(found.ruin_error, 2)}"),
            NamedFact("ended", ends),
            NamedFact("worst and best", f"{money(results.percentile(0))} and {money(results.percentile(100))}"),
        )
    )


def _spread_table(found: SessionFigures) -> Table:
    """Results, rounds and drawdowns at `PERCENTS`; rounds are no money."""
    kinds = {"result": found.results, "rounds played": found.rounds, "deepest drawdown": found.drawdowns}
    columns = (Column("so many in 100 have at most", ColumnKind.TEXT), *(Column(str(percent)) for percent in PERCENTS))
    rows = []
    for name, each in kinds.items():
        values = [each.percentile(percent) for percent in PERCENTS]
        cells = [f"{value:,}" if each is found.rounds else found.shown(value) for value in values]
        rows.append((name, *cells))
    return Table(columns, tuple(rows))


def _bar_table(found: SessionFigures) -> Table:
    """The results, a bar for each step."""
    bars = found.bars
    most = max(bar.sessions for bar in bars.bars)
    rows = []
    for place, bar in enumerate(bars.bars):
        first, last = place == 0 and bars.below, place == len(bars.bars) - 1 and bars.above
        name = f"below {found.shown(bar.end)}" if first else found.shown(bar.start) + (" on" if last else "")
        rows.append((name, as_percent(bar.sessions / found.sessions, 2), _bar(bar.sessions / most)))
    return Table(
        (Column("result from", ColumnKind.TEXT), Column("sessions"), Column("", ColumnKind.DRAWN)), tuple(rows)
    )


def _bar(share: float) -> str:
    """Whole and eighth blocks; what came up at all is seen."""
    eighths = max(round(share * BAR * 8), 1 if share else 0)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def as_json(found: SessionFigures) -> dict[str, Any]:
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


def _spread(found: SessionFigures, of: Distribution) -> dict[str, Any]:
    return {
        "percentiles": {str(percent): found.shown(of.percentile(percent)) for percent in PERCENTS},
        "least": found.shown(of.percentile(0)),
        "most": found.shown(of.percentile(100)),
    }
