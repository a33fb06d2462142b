"""What the blocks dealt so far come to: added up exactly, in any order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from longhu.games.game import Wager
from longhu.simulate.dealers import Tally
from longhu.simulate.plan import Plan


@dataclass(frozen=True)
class Pay:
    """What a wager nets for each ending, in whole parts of a unit: a share of 1 / `parts`."""

    parts: int
    nets: NDArray[np.int64]

    @classmethod
    def of(cls, wager: Wager) -> Pay:
        parts = lcm(*(line.net.denominator for line in wager.lines))
        nets = [0 if net is None else int(net * parts) for net in wager.pays]  # None: no round ends so
        return cls(parts, np.array(nets, np.int64))

    def of_tally(self, tally: Tally) -> int:
        """The net of one unit on every round of a tally, in parts. Whole numbers: a block's stay far below 2 to the 63rd."""
        return int(tally.astype(np.int64) @ self.nets)


@dataclass
class Spread:
    """Sums over blocks, from which the spread of a mean follows when the rounds of a shoe depend on each other."""

    blocks: int = 0
    rounds_squared: int = 0
    nets_squared: dict[str, int] = field(default_factory=dict)
    nets_by_rounds: dict[str, int] = field(default_factory=dict)

    def add(self, rounds: int, nets: Mapping[str, int]) -> None:
        self.blocks += 1
        self.rounds_squared += rounds * rounds
        for wager, net in nets.items():
            self.nets_squared[wager] = self.nets_squared.get(wager, 0) + net * net
            self.nets_by_rounds[wager] = self.nets_by_rounds.get(wager, 0) + net * rounds

    def merge(self, other: Spread) -> None:
        self.blocks += other.blocks
        self.rounds_squared += other.rounds_squared
        for mine, others in (
            (self.nets_squared, other.nets_squared),
            (self.nets_by_rounds, other.nets_by_rounds),
        ):
            for wager, square in others.items():
                mine[wager] = mine.get(wager, 0) + square

    def standard_error(self, wager: str, rounds: int, mean: float) -> float:
        """Of a mean over all rounds, where blocks are independent and rounds within them need not be."""
        squares = self.nets_squared[wager] - 2 * mean * self.nets_by_rounds[wager] + mean * mean * self.rounds_squared
        return float(max(squares, 0.0) ** 0.5 / rounds)


@dataclass(frozen=True)
class Portion:
    """Some blocks in a row, dealt and added up: what a worker gives back."""

    first: int
    blocks: int
    tally: Tally
    spread: Spread


def dealt(plan: Plan, first: int, blocks: int) -> Portion:
    """Deal some blocks: a pure function of the plan and their numbers."""
    tally, spread, pays = plan.nothing(), Spread(), pays_of(plan)
    for block in range(first, first + blocks):
        of_it = plan.deal(block)
        tally += of_it
        endings = of_it.sum(axis=0)
        spread.add(int(endings.sum()), {id: pay.of_tally(endings) for id, pay in pays.items()})
    return Portion(first, blocks, tally, spread)


@lru_cache(maxsize=16)
def pays_of(plan: Plan) -> Mapping[str, Pay]:
    return {id: Pay.of(wager) for id, wager in plan.game.wagers.items()}


class Totals:
    """The tally of a run, and which blocks it has; a last block that is not full stands apart, a longer run has another."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.tally = plan.nothing()  # of full blocks
        self.spread = Spread()  # of full blocks
        self.last: Tally | None = None  # of the block that is not full
        self.upto = 0  # every block below it is in
        self.ahead: set[int] = set()  # and these

    def add(self, portion: Portion) -> None:
        """A block counts once, whoever dealt it."""
        blocks = range(portion.first, portion.first + portion.blocks)
        if any(self._has(block) for block in blocks):
            return
        if portion.first < self.plan.whole_blocks:
            self.tally += portion.tally
            self.spread.merge(portion.spread)
        else:
            self.last = portion.tally
        self.ahead.update(blocks)
        while self.upto in self.ahead:
            self.ahead.remove(self.upto)
            self.upto += 1

    def _has(self, block: int) -> bool:
        return block < self.upto or block in self.ahead

    def missing(self, most: int = 1) -> Iterator[tuple[int, int]]:
        """The blocks that are left, in order, so many in a row at most: the first, and how many. A smaller one stands alone."""
        block = self.upto
        while block < self.plan.blocks:
            end = block
            while (
                end < min(block + most, self.plan.blocks)
                and not self._has(end)
                and (end == block or end < self.plan.whole_blocks)
            ):
                end += 1
            if end > block:
                yield block, end - block
            block = max(end, block + 1)

    def grown(self, plan: Plan) -> Totals:
        """The same for a longer plan; a last block that was not full is left out, for there it is."""
        longer = Totals(plan)
        longer.tally += self.tally
        longer.spread.merge(self.spread)
        full = self.plan.whole_blocks
        longer.upto, longer.ahead = min(self.upto, full), {block for block in self.ahead if block < full}
        return longer

    @property
    def units(self) -> int:
        """Rounds, or shoes, that are in."""
        blocks = self.upto + len(self.ahead)
        if self.last is None:
            return blocks * self.plan.units_per_block
        return (blocks - 1) * self.plan.units_per_block + self.plan.size(self.plan.blocks - 1)

    @property
    def by_depth(self) -> Tally:
        return self.tally if self.last is None else self.tally + self.last

    @property
    def endings(self) -> Tally:
        """How often each ending came up."""
        return np.asarray(self.by_depth.sum(axis=0), np.uint64)

    @property
    def rounds(self) -> int:
        return int(self.by_depth.sum())
