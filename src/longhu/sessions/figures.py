"""What sessions show: how they end, how long they last, how deep they fall, and what the bets were worth exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from math import sqrt
from typing import Any

from longhu.money import UNSTATED, Currency, Money, show
from longhu.sessions.bars import Bars, bars_of
from longhu.sessions.plan import ROUNDS_MAX, SessionPlan
from longhu.sessions.tally import Distribution, Tally
from longhu.simulate.ends import End

PERCENTS = (1, 5, 25, 50, 75, 95, 99)


@dataclass(frozen=True, repr=False)
class Sessions:
    """Many sessions of one patron. Amounts are in minor units of money."""

    plan: SessionPlan
    tally: Tally
    seconds: float

    @property
    def sessions(self) -> int:
        return self.tally.results.number

    @property
    def seed(self) -> int:
        return self.plan.seed

    @property
    def complete(self) -> bool:
        return self.sessions == self.plan.sessions

    @property
    def results(self) -> Distribution:
        """What was won or lost in the end."""
        return self.tally.results

    @property
    def rounds(self) -> Distribution:
        return self.tally.rounds

    @property
    def drawdowns(self) -> Distribution:
        """The deepest fall of the bankroll below the highest point before it."""
        return self.tally.drawdowns

    @cached_property
    def staked(self) -> int:
        """In all sessions together."""
        return sum(bet.staked * number for bet, number in self.tally.placed.items())

    @cached_property
    def expected(self) -> float:
        """What the bets of a session were worth by the exact odds, on average: whatever a system does, it is the edge on
        what it stakes."""
        worth = sum(bet.expected * number for bet, number in self.tally.placed.items())
        return float(worth / self.sessions)

    @cached_property
    def z(self) -> float:
        """How many standard errors the result is from what the bets were worth; 0 where it cannot differ.

        What a round brings beyond its expectation has mean 0 whatever came before, so the squares of its spread add up
        over all bets that were placed.
        """
        variance = sum(bet.variance * number for bet, number in self.tally.placed.items())
        return (self.results.mean - self.expected) * self.sessions / sqrt(variance) if variance else 0.0

    @property
    def ruin(self) -> float:
        """The share of sessions that ended because the next bet could not be covered."""
        return self.tally.ended[End.RUINED] / self.sessions

    @property
    def ruin_error(self) -> float:
        """Its standard error."""
        return sqrt(self.ruin * (1 - self.ruin) / self.sessions)

    @property
    def ends(self) -> Mapping[End, float]:
        """The share of each way to end that came up."""
        return {end: self.tally.ended[end] / self.sessions for end in End if self.tally.ended[end]}

    @property
    def ahead(self) -> float:
        return self.results.share(low=1)

    @property
    def even(self) -> float:
        return self.results.share(low=0, high=0)

    @property
    def behind(self) -> float:
        return self.results.share(high=-1)

    @cached_property
    def bars(self) -> Bars:
        """The results in steps of a round amount, for a picture."""
        return bars_of(self.results)

    @property
    def currency(self) -> Currency:
        return self.plan.game.currency or UNSTATED

    def shown(self, amount: float) -> str:
        """Money for people; a mean has one decimal more than the smallest coin."""
        if isinstance(amount, int):
            return show(Money(amount), self.currency)
        return f"{self.major(amount):.{self.currency.decimals + 1}f}"

    def major(self, amount: float) -> float:
        return float(amount / 10**self.currency.decimals)

    def title(self) -> str:
        plan, money = self.plan, self.currency
        bets = ", ".join(f"{show(stake, money)} on {plan.game.wagers[id].name.en}" for id, stake in plan.stakes.items())
        until = [f"{plan.rounds:,} rounds"] if plan.rounds < ROUNDS_MAX else []
        until += [f"{show(plan.stop_win, money)} won"] if plan.stop_win else []
        until += [f"{show(plan.stop_loss, money)} lost"] if plan.stop_loss else []
        how = plan.by_shoe
        dealt = "a fresh shoe each round" if how is None else f"shoe by shoe, {how.cut} cards behind the cut"
        return (
            f"{plan.game.name.en}, {self.sessions:,} sessions of {bets}, {plan.system_name}, bankroll "
            f"{show(plan.bankroll, money)}, until {' or '.join([*until, 'ruin'])}; {plan.decks} decks, {dealt}, seed {self.seed}"
        )

    def cells(self) -> list[tuple[str, str]]:
        """What is shown of it: a name and a figure each."""
        shown = self.shown
        results = self.results
        return [
            ("result of a session", f"{shown(results.mean)} ± {shown(results.standard_error)}"),
            ("worth by the exact odds", f"{shown(self.expected)} (z {self.z:+.2f})"),
            ("staked in a session", shown(self.staked / self.sessions)),
            ("ahead, even, behind", f"{_percent(self.ahead)}, {_percent(self.even)}, {_percent(self.behind)}"),
            ("risk of ruin", f"{_percent(self.ruin)} ± {_percent(self.ruin_error)}"),
            ("ended", ", ".join(f"{end.says} {_percent(share)}" for end, share in self.ends.items())),
            ("worst and best", f"{shown(results.percentile(0))} and {shown(results.percentile(100))}"),
        ]

    def percentiles(self) -> list[tuple[str, list[int]]]:
        """Of the results, the rounds and the drawdowns, at `PERCENTS`."""
        kinds = {"result": self.results, "rounds played": self.rounds, "deepest drawdown": self.drawdowns}
        return [(name, [each.percentile(percent) for percent in PERCENTS]) for name, each in kinds.items()]

    def percentile_cells(self) -> list[list[str]]:
        """The same in words; rounds are no money."""
        return [
            [name, *(f"{each:,}" if name == "rounds played" else self.shown(each) for each in found)]
            for name, found in self.percentiles()
        ]

    def rows(self) -> list[dict[str, Any]]:
        """One flat row for each result that came up, for a data frame or a CSV file."""
        rows, upto = [], 0
        for result, number in self.results:
            upto += number
            share, at_most = number / self.sessions, upto / self.sessions
            rows.append({"result": self.shown(result), "sessions": number, "share": share, "at_most": at_most})
        return rows

    def picture(self) -> str:
        """The results and the course of the bankroll, as SVG."""
        from longhu.sessions.picture import picture

        return picture(self)

    def __str__(self) -> str:
        wide = max(len(name) for name, _ in self.cells())
        facts = [f"{name:{wide}}  {figure}" for name, figure in self.cells()]
        marks = ", ".join(f"{percent} %" for percent in PERCENTS)
        spread = [f"{name} at {marks}: {'  '.join(found)}" for name, *found in self.percentile_cells()]
        return "\n".join([self.title(), *facts, *spread])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(figure)}</td></tr>" for name, figure in self.cells())
        return f"<table><caption>{escape(self.title())}</caption><tbody>{rows}</tbody></table>{self.picture()}"


def _percent(share: float) -> str:
    return f"{share * 100:.2f} %"
