"""What a study of counting found: a game's wagers, and how far each can be beaten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from longhu.counting.depths import Depth
from longhu.counting.effects import Effects
from longhu.counting.gain import Gain
from longhu.counting.report import answer_table, row
from longhu.counting.tags import Count
from longhu.counting.trigger import Trigger
from longhu.games.game import Game, Wager
from longhu.report.notebook import as_html
from longhu.report.text import as_text


@dataclass(frozen=True)
class WagerStudy:
    """What counting does to one wager."""

    wager: Wager
    effects: Effects
    counts: tuple[Count, ...]  # the best of each level
    count: Count | None  # the one that is used; None where one card is as good as any other
    trigger: Trigger | None  # None where the counter never bets
    counter: Gain
    ceiling: Gain
    depths: tuple[Depth, ...]

    @property
    def edge(self) -> float:
        """The house's, in the full shoe."""
        return -self.effects.ev

    @property
    def best(self) -> float:
        """The highest expectation of any round that was met."""
        return max(depth.best for depth in self.depths)

    @property
    def bets_from(self) -> str:
        """The trigger in words."""
        if self.trigger is None:
            return "never"
        if self.counter.bets == self.counter.rounds:
            return "always"
        return f"{self.trigger.true_count:+g}" if self.trigger.true_count else "0"


@dataclass(frozen=True, repr=False)
class Study:
    """A game's wagers, and how they were measured."""

    game: Game
    decks: int
    cut: int
    shoes: int
    seed: int
    wagers: Mapping[str, WagerStudy]

    @property
    def rounds(self) -> int:
        return next(iter(self.wagers.values())).ceiling.rounds

    def rows(self) -> list[dict[str, object]]:
        """One flat row a wager, for a data frame or a CSV file."""
        return list(map(row, self.wagers.values()))

    def __str__(self) -> str:
        return as_text(answer_table(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(answer_table(self))
