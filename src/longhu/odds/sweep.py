"""Many shoes at once, by compiled kernels: for card counting, effects of removal and charts over compositions.

The kernels give the same integers as the plain counters, which tests show; where a shoe is too small or too
large for them, the plain counter takes over. numba and numpy are imported here and nowhere on the way to a
single answer: starting them costs more than one answer does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING, Any

from longhu.cards import Shoe
from longhu.deal.baccarat import Baccarat
from longhu.deal.procedure import Procedure
from longhu.deal.twenty_one import TwentyOne
from longhu.games.game import Game, Wager
from longhu.odds.falling import falling
from longhu.odds.figures import wager_odds
from longhu.odds.ways import Ways, ways

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from longhu.odds.kernels.meetings import Meetings
    from longhu.odds.open_hands import DrawMemo, Start

# From how many shoes on a kernel is quicker than the plain counter, start-up included.
PAYS_FROM = {"baccarat": 40, "twenty-one": 3}
CARDS_MIN, CARDS_MAX = 6, 458  # for which baccarat's whole numbers fit into doubles
AT_ONCE = 1024  # shoes in one call of a kernel


def ways_of_many(procedure: Procedure[Any], shoes: Sequence[Shoe], *, compiled: bool | None = None) -> Iterator[Ways]:
    """The deals of each shoe by ending. `compiled` chooses the way; left open, the quicker one is taken."""
    if compiled is None:
        compiled = len(shoes) >= PAYS_FROM.get(procedure.name, len(shoes) + 1)
    if compiled and isinstance(procedure, Baccarat):
        yield from _baccarat_ways(procedure, shoes)
    elif compiled and isinstance(procedure, TwentyOne):
        yield from _twenty_one_ways(procedure, shoes)
    else:
        yield from (ways(procedure, shoe) for shoe in shoes)


def _fits(shoe: Shoe) -> bool:
    return CARDS_MIN <= shoe.size <= CARDS_MAX


def _baccarat_ways(procedure: Baccarat, shoes: Sequence[Shoe]) -> Iterator[Ways]:
    for start in range(0, len(shoes), AT_ONCE):
        some = shoes[start : start + AT_ONCE]
        counted = iter(baccarat_counts(procedure, [shoe for shoe in some if _fits(shoe)]))
        for shoe in some:
            if _fits(shoe):
                row = next(counted)
                of = {int(number): int(row[number]) for number in row.nonzero()[0]}
                yield Ways(of, falling(shoe.size, CARDS_MIN))
            else:
                yield ways(procedure, shoe)


def baccarat_counts(procedure: Baccarat, shoes: Sequence[Shoe]) -> NDArray[np.float64]:
    """The deals of each shoe (a row) by ending (a column), as whole numbers in doubles."""
    import numpy as np

    from longhu.compiled_kernels import announce_compiling
    from longhu.odds.kernels.baccarat import count
    from longhu.odds.kernels.rules import BaccaratRules

    rules = BaccaratRules.of(procedure)
    out = np.empty((len(shoes) + 3 & ~3, procedure.outcomes().size))
    if shoes:
        announce_compiling(count)
        marked = rules.marked
        blocks = in_lanes(marked.counts(shoes), 4)
        count(blocks, marked.values, rules.turn, rules.draws, rules.marks, marked.starts, marked.pairs, out)
    return out[: len(shoes)]


def in_lanes(rows: NDArray[Any], multiple: int) -> NDArray[Any]:
    """Rows of counts as blocks of four, lane by lane; the last row fills up what is missing to a multiple."""
    import numpy as np

    missing = -len(rows) % multiple
    filled = np.concatenate([rows, np.repeat(rows[-1:], missing, axis=0)])
    return np.ascontiguousarray(filled.reshape(-1, 4, rows.shape[1]).transpose(0, 2, 1))


def _twenty_one_ways(procedure: TwentyOne, shoes: Sequence[Shoe]) -> Iterator[Ways]:
    from longhu.compiled_kernels import announce_compiling
    from longhu.odds.kernels.meetings import TooWide
    from longhu.odds.kernels.twenty_one import deals, meet
    from longhu.odds.twenty_one import DealtRound

    announce_compiling(deals, meet)
    for shoe in shoes:
        try:
            drawing, tables, meetings = prepared(procedure)
            round = DealtRound(drawing, shoe)
            met = dict(zip(tables, meetings.ends(round.shoe), strict=True))
        except TooWide:
            yield ways(procedure, shoe)
            continue
        found = round.endings(lambda one, other, met=met: met[one, other])  # type: ignore[misc]
        of = {number: found[number] for number in sorted(found) if found[number]}
        yield Ways(of, falling(shoe.size, min(shoe.size, procedure.cards_max)))


@lru_cache(maxsize=4)
def prepared(procedure: TwentyOne) -> tuple[DrawMemo, list[tuple[Start, Start]], Meetings]:
    """What hands can take together under these rules, for any shoe: half a second's work, done once."""
    from longhu.odds.kernels.meetings import Meetings
    from longhu.odds.open_hands import DrawMemo
    from longhu.odds.twenty_one import DealtRound

    drawing = DrawMemo(procedure)
    starts = DealtRound(drawing, Shoe.of_decks(8)).starts().values()  # a shoe in which everything can happen
    tables = [(one, other) for one, other in starts if not one.stands and not other.stands]
    return drawing, tables, Meetings.of(drawing, tables)


def expectations(game: Game, wager: Wager, shoes: Sequence[Shoe]) -> NDArray[np.float64]:
    """What one wager is expected to net in each shoe, for one unit staked, to the last digits of a double."""
    import numpy as np

    procedure = game.procedure
    found = np.empty(len(shoes))
    if isinstance(procedure, Baccarat) and not game.looks_at_marks(wager):
        fitting = [place for place, shoe in enumerate(shoes) if shoe.size >= CARDS_MIN]
        if fitting:
            values = value_counts([shoes[place] for place in fitting])
            found[fitting] = BaccaratSweep(game, wager).expectations(values)
        others = [place for place, shoe in enumerate(shoes) if shoe.size < CARDS_MIN]
    else:
        others = list(range(len(shoes)))
    for place, counted in zip(others, ways_of_many(procedure, [shoes[place] for place in others]), strict=True):
        found[place] = float(wager_odds(wager, counted).ev)
    return found


def value_counts(shoes: Sequence[Shoe]) -> NDArray[np.float64]:
    """How many cards of each point value of baccarat, 0 to 9, a row a shoe."""
    import numpy as np

    ranks = np.array([shoe.by_rank() for shoe in shoes], np.float64)
    return np.concatenate([ranks[:, 9:].sum(axis=1, keepdims=True), ranks[:, :9]], axis=1)


class BaccaratSweep:
    """One wager that does not look at pairs, as a polynomial in the counts of the values: a microsecond a shoe."""

    def __init__(self, game: Game, wager: Wager) -> None:
        import numpy as np

        from longhu.compiled_kernels import announce_compiling
        from longhu.odds.kernels import polynomial
        from longhu.odds.kernels.rules import BaccaratRules

        if not isinstance(game.procedure, Baccarat) or game.looks_at_marks(wager):
            raise ValueError(f"{wager.id} of {game.id} is no polynomial in the values: use expectations()")
        nets: Mapping[int, Fraction] = {
            number // game.procedure.marks**2: wager.line(number).net for number in game.outcomes.endings
        }
        self.scale = lcm(*(net.denominator for net in nets.values()))
        scaled = np.zeros(polynomial.DRAWS)
        for draw, net in nets.items():
            scaled[draw] = float(net * self.scale)
        announce_compiling(polynomial.coefficients, polynomial.evaluate)
        rules = BaccaratRules.of(game.procedure)
        sets, numbers, self._starts = polynomial.half_sets()
        self._made = polynomial.products(sets, numbers)
        self._terms = polynomial.coefficients(rules.turn, rules.draws, scaled, numbers, self._starts)

    def sums(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """The nets of all deals of each shoe, times `scale`: exact while they stay below 2 to the 53rd."""
        import numpy as np

        from longhu.odds.kernels.polynomial import evaluate

        blocks = in_lanes(np.asarray(values, np.float64), 8)
        out = np.empty(4 * len(blocks))
        evaluate(blocks, self._terms, self._made, self._starts, out)
        return out[: len(values)]

    def expectations(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Shoes given as counts of the values 0 to 9, a row each, with six cards or more."""
        import numpy as np

        size = np.asarray(values, np.float64).sum(axis=1)
        deals = np.ones(len(size))
        for drawn in range(CARDS_MIN):
            deals = deals * (size - drawn)
        return self.sums(values) / deals / self.scale
