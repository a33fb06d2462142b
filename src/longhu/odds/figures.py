"""What a wager returns: expectation, edge, volatility and the chance of each line, as exact fractions.

All figures are for one unit staked. A void round gives the stake back and counts as nothing won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

from longhu.cards import Card, Shoe
from longhu.games.game import Game, Line, Result, Wager
from longhu.money import UNSTATED, parse
from longhu.odds.report import brief_table
from longhu.odds.ways import Ways, ways
from longhu.report.notation import as_percent
from longhu.report.notebook import as_html
from longhu.report.text import as_text

if TYPE_CHECKING:
    from longhu.odds.together import Together

Z_95 = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations


class WagerStanding(Enum):
    """Where a wager stands while the round is being dealt (IDT-5.15, Q31)."""

    WON = "won"
    LOST = "lost"
    PUSHED = "pushed"
    OPEN = "open"

    @classmethod
    def of(cls, nets: set[Fraction]) -> WagerStanding:
        """Decided is what pays the same whatever may still happen; half a stake lost is lost."""
        if len(nets) != 1:
            return cls.OPEN
        net = next(iter(nets))
        return cls.WON if net > 0 else cls.LOST if net < 0 else cls.PUSHED


@dataclass(frozen=True, slots=True)
class LineOdds:
    """One line of a wager and how likely it is to decide."""

    line: Line
    ways: int
    probability: Fraction

    @property
    def contribution(self) -> Fraction:
        """What the line adds to the expectation."""
        return self.probability * self.line.net


@dataclass(frozen=True, repr=False)
class WagerOdds:
    """Everything about one wager from one shoe."""

    wager: Wager
    lines: tuple[LineOdds, ...]
    void: Fraction  # the chance that the cards run out

    @cached_property
    def ev(self) -> Fraction:
        """Expected net for each unit staked; negative where the house is ahead."""
        return sum((each.contribution for each in self.lines), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        return -self.ev

    @property
    def rtp(self) -> Fraction:
        """Return to player: what comes back, on average, of each unit staked."""
        return 1 + self.ev

    @property
    def favours_patron(self) -> bool:
        return self.ev > 0

    @cached_property
    def hit_frequency(self) -> Fraction:
        """The chance to win anything."""
        return self.probability(Result.WIN)

    def probability(self, result: Result) -> Fraction:
        return sum((each.probability for each in self.lines if each.line.result is result), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        return sum((each.contribution * each.line.net for each in self.lines), Fraction(0)) - self.ev**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def element_of_risk(self) -> Fraction | None:
        """The edge for each unit that is neither pushed nor void; None where nothing is ever returned so."""
        returned = self.probability(Result.PUSH) + self.void
        if not returned or returned == 1:
            return None
        return self.house_edge / (1 - returned)

    @property
    def nets(self) -> dict[Fraction, Fraction]:
        """The distribution of the net result: what can be gained, and how likely that is."""
        found: dict[Fraction, Fraction] = {}
        for each in self.lines:
            if each.probability:
                found[each.line.net] = found.get(each.line.net, Fraction(0)) + each.probability
        if self.void:
            found[Fraction(0)] = found.get(Fraction(0), Fraction(0)) + self.void
        return dict(sorted(found.items()))

    @property
    def decided(self) -> WagerStanding:
        """Whether what is on the table already settles the wager."""
        return WagerStanding.of(set(self.nets))

    def rounds_within(self, margin: float | Fraction) -> int:
        """After how many rounds the actual return is within so much of the exact one, 95 times in 100.

        `margin` is a share of the stakes: 0.01 for one per cent.
        """
        if margin <= 0:
            raise ValueError(f"a margin of {float(margin):g}: expected more than nothing")
        return ceil((Z_95 * self.standard_deviation / float(margin)) ** 2)

    def band(self, rounds: int) -> tuple[float, float]:
        """Between which returns the actual one lies after so many rounds, 95 times in 100."""
        half = Z_95 * self.standard_deviation / sqrt(rounds)
        return float(self.rtp) - half, float(self.rtp) + half

    def __str__(self) -> str:
        told = [
            f"{self.wager.name.en}: house edge {self.house_edge} ({as_percent(self.house_edge)}), "
            f"returns {as_percent(self.rtp)}, standard deviation {self.standard_deviation:.4f}"
        ]
        for each in self.lines:
            net = f"{float(each.line.net):+g}"
            told.append(
                f"  {as_percent(each.probability):>12}  {net:>6}  {each.line.says.en}  {each.line.clause or ''}"
            )
        return "\n".join(line.rstrip() for line in told)

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class GameOdds(Mapping[str, WagerOdds]):
    """All wagers of a game from one shoe, by id."""

    game: Game
    shoe: Shoe  # before the cards on the table were drawn from it
    decks: int | None  # where the shoe is a full one
    dealt: tuple[Card, ...]
    ways: Ways
    wagers: Mapping[str, WagerOdds]

    def __getitem__(self, wager: str) -> WagerOdds:
        return self.wagers[wager]

    def __iter__(self) -> Iterator[str]:
        return iter(self.wagers)

    def __len__(self) -> int:
        return len(self.wagers)

    @property
    def void(self) -> Fraction:
        return Fraction(self.ways.void, self.ways.deals)

    def together(self, **stakes: str) -> Together:
        """Stakes on several wagers in one round, settled for every ending, cap and rounding included.

        A wager is named by its id, with `_` for `-`: `odds.together(player="100.00", dragon_bonus_player="100.00")`.
        """
        from longhu.odds.together import together
        from longhu.settlement import check_stakes

        money, known = self.game.currency or UNSTATED, self.game.wager_of_name
        named = {name: known.get(name) or known.get(name.replace("_", "-")) for name in stakes}
        amounts = {wager.id if wager else name: parse(stakes[name], money) for name, wager in named.items()}
        check_stakes(self.game, amounts)
        return together(self.game, self.ways, amounts)

    def covariances(self) -> dict[tuple[str, str], Fraction]:
        """The covariance of each two wagers, for one unit staked on each."""
        from longhu.odds.together import covariances

        return covariances({id: each.wager for id, each in self.items()}, self.ways)

    def rows(self) -> list[dict[str, Any]]:
        """One flat row a wager, for a data frame: `pandas.DataFrame(odds.rows())`, `polars.DataFrame(odds.rows())`."""
        return [
            {
                "game": self.game.id,
                "decks": self.decks,
                "wager": id,
                "ev": float(each.ev),
                "ev_exact": str(each.ev),
                "house_edge": float(each.house_edge),
                "rtp": float(each.rtp),
                "hit_frequency": float(each.hit_frequency),
                "push": float(each.probability(Result.PUSH)),
                "variance": float(each.variance),
                "standard_deviation": each.standard_deviation,
                "element_of_risk": None if each.element_of_risk is None else float(each.element_of_risk),
            }
            for id, each in self.wagers.items()
        ]

    def __str__(self) -> str:
        return as_text(brief_table(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(brief_table(self))


def wager_odds(wager: Wager, counted: Ways) -> WagerOdds:
    """One wager over counted deals."""
    sums = [0] * len(wager.lines)
    deciding = wager.deciding
    for number, some in counted.of.items():
        sums[deciding[number]] += some
    deals = counted.deals
    lines = tuple(LineOdds(line, some, Fraction(some, deals)) for line, some in zip(wager.lines, sums, strict=True))
    return WagerOdds(wager, lines, Fraction(counted.void, deals))


def game_odds(
    game: Game,
    shoe: Shoe | None = None,
    dealt: Sequence[Card] = (),
    wagers: Mapping[str, Wager] | None = None,
) -> GameOdds:
    """The exact odds of a game: from its usual shoe unless one is given, for all wagers unless some are named."""
    full = shoe or Shoe.of_decks(game.decks.default)
    return odds_over(game, full, ways(game.procedure, full, dealt), dealt, wagers)


def odds_over(
    game: Game, shoe: Shoe, counted: Ways, dealt: Sequence[Card] = (), wagers: Mapping[str, Wager] | None = None
) -> GameOdds:
    """The odds of a game over deals that have been counted already."""
    chosen = game.offered(None) if wagers is None else wagers
    each = {id: wager_odds(wager, counted) for id, wager in chosen.items()}
    return GameOdds(game, shoe, shoe.decks, tuple(dealt), counted, each)
