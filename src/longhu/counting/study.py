"""How far each wager of a game can be beaten by somebody who watches the cards.

Two sets of shoes are dealt. On the first, the trigger of each count is found; on the second, it is measured what the counter
earns from it, and what perfect play earns that knows the exact expectation before every round and bets a unit where it is
positive. Blocks of shoes are pure functions of the seed and their number and are added up in their order, so the same seed
gives the same figures on any number of threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from secrets import randbits

import numpy as np

from longhu.cards import CARDS_PER_DECK
from longhu.counting.depths import Depths, Range
from longhu.counting.effects import effects_of
from longhu.counting.expectation import Doubles, Expectation, expectation_of
from longhu.counting.figures import Study, WagerStudy
from longhu.counting.gain import Ledger
from longhu.counting.left import Left, ShoeDeals
from longhu.counting.tags import LEVEL_MAX, LEVELS, counts_of, recommended
from longhu.counting.trigger import Trial, Trigger, bets
from longhu.deal.twenty_one import TwentyOne
from longhu.games.game import Game, Wager
from longhu.simulate.dealers import ByShoe
from longhu.simulate.plan import PlanError, check_dealing, usual_cut
from longhu.simulate.run import threads
from longhu.simulate.simulation import SEED_BITS

SHOES_PER_BLOCK = 128
SHOES_MIN, SHOES_MAX = 2, 1 << 40
TRIAL_SHARE = 4  # so many shoes are measured for each one that is tried
TRIAL_MIN = 256
TRIAL_BLOCKS_FROM = 1 << 40  # numbers of blocks that no measurement reaches
AHEAD = 3  # blocks for each thread that are handed out


def usual_shoes(game: Game) -> int:
    """A few seconds' work: twenty-one takes longer than others."""
    return 1000 if isinstance(game.procedure, TwentyOne) else 10_000


def study(
    game: Game,
    wagers: Mapping[str, Wager] | None = None,
    *,
    seed: int | None = None,
    shoes: int | None = None,
    decks: int | None = None,
    cut: int | None = None,
    level: int | None = None,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Measure these wagers, or all. `PlanError` says what cannot be dealt; `progress` is told how many shoes are done more."""
    number = usual_shoes(game) if shoes is None else shoes
    seed = randbits(SEED_BITS) if seed is None else seed
    cut = usual_cut(game) if cut is None else cut
    decks = check_dealing(game, seed=seed, decks=decks, by_shoe=ByShoe(cut))
    if not SHOES_MIN <= number <= SHOES_MAX:
        raise PlanError(f"{number} shoes: expected a whole number from {SHOES_MIN} to {SHOES_MAX}")
    if level is not None and not 1 <= level <= LEVEL_MAX:
        raise PlanError(f"level {level}: tags of a count are compared up to 1, 2, … {LEVEL_MAX}")
    chosen = dict(game.wagers if wagers is None else wagers)
    subjects = {id: _Subject(wager, expectation_of(game, wager), decks, level) for id, wager in chosen.items()}
    deals = ShoeDeals(game, decks=decks, cut=cut, seed=seed)
    many, expectations = threads(workers), [subject.expectation for subject in subjects.values()]
    with ThreadPoolExecutor(many, "longhu-count") as pool:
        run = _Run(pool, many, deals, expectations, progress or (lambda _shoes: None))
        run.through(TRIAL_BLOCKS_FROM, trial_shoes(number), [subject.try_out for subject in subjects.values()])
        for subject in subjects.values():
            subject.decide()
        run.through(0, number, [subject.measure for subject in subjects.values()])
    return Study(game, decks, cut, number, seed, {id: subject.result() for id, subject in subjects.items()})


def trial_shoes(shoes: int) -> int:
    """On which triggers are found, when so many are measured."""
    return max(TRIAL_MIN, shoes // TRIAL_SHARE)


TakeIn = Callable[[], None]  # adds what was seen in a block; called in the order of the blocks
Reader = Callable[[Left, Doubles], TakeIn]  # looks at a block, at the same time as others


class _Subject:
    """A wager on its way through both sets of shoes."""

    def __init__(self, wager: Wager, expectation: Expectation, decks: int, level: int | None) -> None:
        self._wager, self.expectation = wager, expectation
        self._effects = effects_of(expectation, decks)
        self._counts = counts_of(self._effects, LEVELS if level is None else tuple(sorted({*LEVELS, level})))
        chosen = (count for count in self._counts if count.level == level)
        self._count = recommended(self._counts) if level is None else next(chosen, None)
        self._cards = CARDS_PER_DECK * decks
        self._trial = None if self._count is None else Trial(self._count)
        self._range = Range(self._effects.ev, self._effects.ev)
        self._trigger: Trigger | None = None
        self._counter, self._ceiling = Ledger(), Ledger()
        self._depths = Depths(self._cards, self._range)

    def try_out(self, left: Left, ev: Doubles) -> TakeIn:
        trial, met = self._trial, Range(float(ev.min()), float(ev.max()))
        seen = None if trial is None else trial.look(left, ev)

        def take_in() -> None:
            self._range = self._range.with_other(met)
            if trial is not None and seen is not None:
                trial.take_in(seen)

        return take_in

    def decide(self) -> None:
        """The trial is over: from here on the trigger is fixed."""
        self._trigger = None if self._trial is None else self._trial.trigger()
        self._depths = Depths(self._cards, self._range.with_room())

    def measure(self, left: Left, ev: Doubles) -> TakeIn:
        betting = np.zeros(len(ev), np.bool_)
        if self._trigger is not None and self._count is not None:
            betting = bets(self._trigger, self._count.true_counts(left))
        counter, ceiling = Ledger.look(left, ev, betting), Ledger.look(left, ev, ev > 0)
        depths = self._depths.look(left, ev)

        def take_in() -> None:
            self._counter.take_in(counter)
            self._ceiling.take_in(ceiling)
            self._depths.take_in(depths)

        return take_in

    def result(self) -> WagerStudy:
        gains = (self._counter.gain(), self._ceiling.gain())
        return WagerStudy(
            self._wager, self._effects, self._counts, self._count, self._trigger, *gains, self._depths.steps()
        )


@dataclass(frozen=True)
class _Run:
    """Deals blocks on threads, and lets every wager read them."""

    pool: ThreadPoolExecutor
    workers: int
    deals: ShoeDeals
    expectations: list[Expectation]
    progress: Callable[[int], None]

    def through(self, first: int, shoes: int, readers: list[Reader]) -> None:
        """So many shoes, from this block on."""
        whole, rest = divmod(shoes, SHOES_PER_BLOCK)
        blocks = ((first + number, SHOES_PER_BLOCK) for number in range(whole))
        for size, seen in self._in_order(chain(blocks, [(first + whole, rest)] if rest else []), readers):
            for take_in in seen:
                take_in()
            self.progress(size)

    def _in_order(self, blocks: Iterator[tuple[int, int]], readers: list[Reader]) -> Iterator[tuple[int, list[TakeIn]]]:
        """A few blocks are handed out at a time; they come back in their order."""
        waiting: deque[Future[tuple[int, list[TakeIn]]]] = deque()
        try:
            for block in islice(blocks, AHEAD * self.workers):
                waiting.append(self.pool.submit(self._read, *block, readers))
            while waiting:
                done = waiting.popleft().result()
                for block in islice(blocks, 1):
                    waiting.append(self.pool.submit(self._read, *block, readers))
                yield done
        finally:
            for future in waiting:
                future.cancel()

    def _read(self, block: int, shoes: int, readers: list[Reader]) -> tuple[int, list[TakeIn]]:
        """Wagers that are always expected to net the same are looked at once."""
        left = self.deals.block(block, shoes)
        found = {each.key: each for each in self.expectations}
        worth = {key: each.of(left) for key, each in found.items()}
        return shoes, [reader(left, worth[each.key]) for reader, each in zip(readers, self.expectations, strict=True)]
