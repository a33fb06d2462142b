"""What a study of counting found: a game's wagers, and how far each can be beaten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from longhu.counting.depths import Depth
from longhu.counting.effects import Effects
from longhu.counting.gain import Gain
from longhu.counting.tags import Count
from longhu.counting.trigger import Trigger
from longhu.games.game import Game, Wager
from longhu.simulate.shown import as_html, as_text

BLOCKS = " ▁▂▃▄▅▆▇█"


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

    def cells(self) -> list[str]:
        by_depth = sparkline([depth.positive for depth in self.depths])
        gains = [cell for gain in (self.counter, self.ceiling) for cell in _gain_cells(gain)]
        return [
            self.wager.name.en,
            f"{self.edge * 100:.3f}",
            self.bets_from,
            *gains,
            f"{self.best * 100:+.1f}",
            by_depth,
        ]


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

    def title(self) -> str:
        return (
            f"{self.game.name.en}: how far each wager can be beaten. {self.decks} decks, {self.cut} cards behind the "
            f"cut, {self.shoes:,} shoes, seed {self.seed}"
        )

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """What is shown of it: a head, and a row a wager. Units for a unit staked, and per cent."""
        gains = ["/ 100 rounds", "/ shoe", "bets %"]
        head = ["wager", "edge %", "bets from", f"counter {gains[0]}", *gains[1:], f"ceiling {gains[0]}", *gains[1:]]
        return [*head, "best %", "by depth"], [each.cells() for each in self.wagers.values()]

    def __str__(self) -> str:
        return as_text(self.title(), *self.cells())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self.title(), *self.cells())


def _gain_cells(gain: Gain) -> list[str]:
    if not gain.bets:
        return ["-", "-", "0"]
    return [f"{_units(gain.per_100)} ± {_units(gain.per_100_error)}", _units(gain.per_shoe), f"{gain.share * 100:.2f}"]


def _units(amount: float) -> str:
    """To a thousandth; less than half of one has no sign."""
    return f"{round(amount, 3) + 0.0:.3f}"


def sparkline(shares: Sequence[float]) -> str:
    """A sign for each share; the largest is a full block, and what is not nothing is seen.

    >>> sparkline([0, 0.001, 0.25, 0.5])
    ' ▁▄█'
    """
    most = max(shares, default=0.0) or 1.0
    full = len(BLOCKS) - 1
    return "".join(BLOCKS[0 if share <= 0 else max(1, round(share / most * full))] for share in shares)
