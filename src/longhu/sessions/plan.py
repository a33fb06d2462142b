"""What a patron means to do, as data: wagers, a bankroll, a system, and when to get up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from longhu.games.game import Game
from longhu.money import UNSTATED, Money, show
from longhu.sessions.stakes import Bet, Book
from longhu.sessions.systems import Ladder, OwnSystem
from longhu.settlement import SettlementError
from longhu.simulate.dealers import ByShoe, general_rules
from longhu.simulate.plan import PlanError, check_dealing

ROUNDS_MAX, SESSIONS_MAX = 10**6, 10**9
COIN, STAKE_MAX, BANKROLL_MAX = Money(1), Money(10**10), Money(10**12)  # a million rounds of it fit into 64 bits
SUM_MAX = 1 << 62


@dataclass(frozen=True)
class TableLimits:
    """The least and the most that a table takes on one wager; what a system wants is brought within."""

    min: Money = COIN
    max: Money = STAKE_MAX


@dataclass(frozen=True)
class SessionPlan:
    """Sessions of one kind. Each is a pure function of the plan and its number."""

    game: Game
    stakes: Mapping[str, Money]  # one unit of the system
    bankroll: Money
    rounds: int  # at most
    stop_win: Money | None  # get up when so much is won
    stop_loss: Money | None  # or lost
    system_name: str
    system: Ladder | OwnSystem
    limits: TableLimits
    sessions: int
    seed: int
    decks: int
    by_shoe: ByShoe | None
    book: Book = field(repr=False, compare=False)

    @property
    def high(self) -> int:
        """The bankroll at which it is enough."""
        return SUM_MAX if self.stop_win is None else self.bankroll + self.stop_win

    @property
    def low(self) -> int:
        return -1 if self.stop_loss is None else self.bankroll - self.stop_loss

    @cached_property
    def rules(self) -> tuple[Any, ...]:
        """Of the deal, as arrays for the kernel."""
        return general_rules(self.game.procedure)

    @cached_property
    def bets(self) -> tuple[Bet, ...]:
        """What each step of a known system stakes."""
        if isinstance(self.system, OwnSystem):
            return ()
        return tuple(self.placed({id: Money(s * step.units) for id, s in self.stakes.items()}) for step in self.system)

    def placed(self, stakes: Mapping[str, int]) -> Bet:
        """The bet that a table makes of these stakes: within its limits, and those of the document."""
        return self.book.bet_of({id: self._within(id, stake) for id, stake in stakes.items()})

    def _within(self, id: str, stake: int) -> Money:
        limits = [self.limits]
        if id in self.game.wagers:
            own = self.game.wagers[id].limit
            limits.append(TableLimits(own.min or COIN, own.max or STAKE_MAX))
        most, least = min(each.max for each in limits), max(each.min for each in limits)
        return Money(min(max(stake, least), most))


def session_plan(
    game: Game,
    *,
    stakes: Mapping[str, Money],
    bankroll: Money,
    system_name: str,
    system: Ladder | OwnSystem,
    sessions: int,
    seed: int,
    rounds: int | None = None,
    stop_win: Money | None = None,
    stop_loss: Money | None = None,
    limits: TableLimits | None = None,
    decks: int | None = None,
    by_shoe: ByShoe | None = None,
) -> SessionPlan:
    """Sessions that can be played; `PlanError` says what cannot."""
    rounds = ROUNDS_MAX if rounds is None else rounds
    limits = limits or TableLimits()
    decks = check_dealing(game, seed=seed, decks=decks, by_shoe=by_shoe)
    if not isinstance(rounds, int) or not 0 < rounds <= ROUNDS_MAX:
        raise PlanError(f"{rounds} rounds: expected a whole number from 1 to {ROUNDS_MAX:,}")
    if not isinstance(sessions, int) or not 0 < sessions <= SESSIONS_MAX:
        raise PlanError(f"{sessions} sessions: expected a whole number from 1 to {SESSIONS_MAX:,}")
    planned = SessionPlan(
        game, stakes, bankroll, rounds, stop_win, stop_loss, system_name, system, limits, sessions, seed, decks, by_shoe,
        Book(game, decks),
    )  # fmt: skip
    _check_money(planned)
    return planned


def _check_money(plan: SessionPlan) -> None:
    money = plan.game.currency or UNSTATED
    if not plan.stakes:
        raise PlanError("nothing is wagered: lay a stake on a wager")
    if not 0 < plan.bankroll <= BANKROLL_MAX:
        raise PlanError(
            f"a bankroll of {show(plan.bankroll, money)}: expected an amount up to {show(BANKROLL_MAX, money)}"
        )
    if not 0 < plan.limits.min <= plan.limits.max <= STAKE_MAX:
        raise PlanError(
            f"limits from {show(plan.limits.min, money)} to {show(plan.limits.max, money)}: the least comes first, and "
            f"{show(STAKE_MAX, money)} is the most that any table here takes"
        )
    for what, stop in (("stop-win", plan.stop_win), ("stop-loss", plan.stop_loss)):
        if stop is not None and stop <= 0:
            raise PlanError(f"a {what} of {show(stop, money)}: expected an amount above 0")
    if plan.stop_win is not None and plan.stop_win > BANKROLL_MAX:
        raise PlanError(f"a stop-win of {show(plan.stop_win, money)}: expected at most {show(BANKROLL_MAX, money)}")
    if plan.stop_loss is not None and plan.stop_loss >= plan.bankroll:
        raise PlanError(
            f"a stop-loss of {show(plan.stop_loss, money)} with a bankroll of {show(plan.bankroll, money)}: name "
            "less, or leave it out and play to the last"
        )
    _check_first_bet(plan)


def _check_first_bet(plan: SessionPlan) -> None:
    money = plan.game.currency or UNSTATED
    for id, stake in plan.stakes.items():
        if not plan.limits.min <= stake <= plan.limits.max:
            raise PlanError(
                f"{show(stake, money)} on {id}: the table takes from {show(plan.limits.min, money)} to "
                f"{show(plan.limits.max, money)}"
            )
    try:
        first = plan.book.bet_of(plan.stakes)
    except SettlementError as error:
        raise PlanError(error.text(plan.game.localization())) from None
    if first.staked > plan.bankroll:
        raise PlanError(
            f"stakes of {show(first.staked, money)} with a bankroll of {show(plan.bankroll, money)}: not even one "
            "round can be played"
        )
    most = max(abs(net) for bet in (first, *plan.bets) for net in bet.nets)
    if plan.bankroll + plan.rounds * most > SUM_MAX:
        raise PlanError(
            f"{plan.rounds:,} rounds that may each win {show(most, money)}: that is more than can be counted. Ask for "
            "fewer rounds, or lower limits"
        )
