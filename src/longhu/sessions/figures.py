"""What sessions show: how they end, how long they last, how deep they fall, and what the bets were worth exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

from longhu.money import UNSTATED, Currency, Money, show
from longhu.report.notebook import as_html
from longhu.report.text import as_text
from longhu.sessions.bars import Bars, bars_of
from longhu.sessions.plan import SessionPlan
from longhu.sessions.report import brief
from longhu.sessions.tally import Distribution, Tally
from longhu.simulate.ends import End


@dataclass(frozen=True, repr=False)
class SessionFigures:
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
        return as_text(*brief(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(*brief(self)) + self.picture()
