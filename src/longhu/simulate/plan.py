"""What is to be simulated, as data: any machine that has it deals the same rounds.

The work is cut into blocks. A block is a pure function of the plan and its number; its tally of endings is added to the
others in any order. So the same plan gives the same tally on one thread, on many, and on a cluster.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

import numpy as np

from longhu.games.game import Game
from longhu.games.loader import load
from longhu.games.source import read_text
from longhu.simulate.dealers import ByShoe, Dealer, Tally, dealer_of

ROUNDS_PER_BLOCK = 1 << 21
SHOES_PER_BLOCK = 1 << 12
LANES = 16  # shoes that are dealt side by side
SEEDS = 1 << 64
ROUNDS_MAX = 1 << 62
BEHIND = 14  # cards behind the cutting card, where nobody says


class PlanError(ValueError):
    """Something that cannot be simulated: what was found, and what is possible."""


@dataclass(frozen=True)
class Plan:
    """A simulation of a game. The text of the game file is part of it, so that a worker needs no files."""

    id: str
    text: str
    readings: tuple[tuple[str, str], ...]
    decks: int
    seed: int
    units: int  # rounds that are dealt; or shoes, sixteen at a time
    by_shoe: ByShoe | None = None

    @property
    def game(self) -> Game:
        return _game(self.id, self.text, self.readings)

    @property
    def dealer(self) -> Dealer:
        return _dealer(self.id, self.text, self.readings, self.decks)

    @property
    def units_per_block(self) -> int:
        return ROUNDS_PER_BLOCK if self.by_shoe is None else SHOES_PER_BLOCK

    @property
    def blocks(self) -> int:
        return ceil(self.units / self.units_per_block)

    @property
    def whole_blocks(self) -> int:
        """Those that a longer run has as well."""
        return self.units // self.units_per_block

    def size(self, block: int) -> int:
        """How many rounds or shoes a block has: only the last can be smaller."""
        return min(self.units_per_block, self.units - block * self.units_per_block)

    def deal(self, block: int) -> Tally:
        """The endings of a block."""
        size = self.size(block)
        if self.by_shoe is None:
            return self.dealer.fresh(self.seed, block, size, self.decks)
        return self.dealer.shoes(self.seed, block, size, self.decks, self.by_shoe)

    def nothing(self) -> Tally:
        """A tally in which nothing is counted yet."""
        return np.zeros((1 if self.by_shoe is None else self.by_shoe.depths, self.dealer.size), np.uint64)

    def of_blocks(self, blocks: int) -> Plan:
        """The same with so many full blocks."""
        return replace(self, units=blocks * self.units_per_block)

    @property
    def sure_rounds(self) -> int:
        """Rounds that every shoe has, however many cards each takes."""
        return self._rounds_of(self.game.procedure.cards_max)

    @property
    def most_rounds(self) -> int:
        """Rounds that no shoe passes, however few cards each takes."""
        return self._rounds_of(self.game.procedure.initial_cards)

    def _rounds_of(self, cards: int) -> int:
        """In a shoe whose rounds take so many cards each."""
        how = self.by_shoe
        return 0 if how is None else -(-(self.decks * 52 - how.cut - how.burn) // cards) + how.after


@lru_cache(maxsize=64)
def _game(id: str, text: str, readings: tuple[tuple[str, str], ...]) -> Game:
    return load(read_text(text, id), dict(readings))


@lru_cache(maxsize=64)
def _dealer(id: str, text: str, readings: tuple[tuple[str, str], ...], decks: int) -> Dealer:
    return dealer_of(_game(id, text, readings).procedure, decks)


def plan(game: Game, *, rounds: int, seed: int, decks: int | None = None, by_shoe: ByShoe | None = None) -> Plan:
    """A plan that can be carried out; `PlanError` says what cannot. Shoes are whole: they may come to some more rounds."""
    if not isinstance(rounds, int) or not 0 < rounds <= ROUNDS_MAX:
        raise PlanError(f"{rounds!r} rounds: expected a whole number from 1 to {ROUNDS_MAX}")
    decks = check_dealing(game, seed=seed, decks=decks, by_shoe=by_shoe)
    planned = Plan(game.id, game.text, tuple(sorted(game.taken.items())), decks, seed, rounds, by_shoe)
    if by_shoe is None:
        return planned
    return replace(planned, units=ceil(rounds / _rounds_per_shoe(planned, by_shoe) / LANES) * LANES)


def check_dealing(game: Game, *, seed: int, decks: int | None, by_shoe: ByShoe | None) -> int:
    """The number of decks, the usual one where nobody says; `PlanError` where it cannot be dealt so."""
    decks = game.decks.default if decks is None else decks
    if not game.decks.min <= decks <= game.decks.max:
        raise PlanError(f"{decks} decks: {game.id} is dealt from {game.decks.min} to {game.decks.max}")
    if not isinstance(seed, int) or not 0 <= seed < SEEDS:
        raise PlanError(f"a seed of {seed!r}: expected a whole number from 0 to {SEEDS - 1}")
    if by_shoe is not None:
        _check_shoe(game, decks, by_shoe)
    return decks


def _rounds_per_shoe(planned: Plan, how: ByShoe) -> float:
    """From a few shoes that every run of this kind looks at; the run itself tells how many rounds it came to."""
    shoes = 64 * LANES
    return float(np.sum(planned.dealer.shoes(0, 0, shoes, planned.decks, replace(how, depths=1)))) / shoes


def usual_cut(game: Game, after: int = 0) -> int:
    """Fourteen cards behind the cutting card; more where a round could need them."""
    return max(BEHIND, _behind(game, after))


def _behind(game: Game, after: int) -> int:
    """Cards that must be left behind the cutting card, so that the last rounds can always be finished."""
    return game.procedure.cards_max * (after + 1) + 2


def _check_shoe(game: Game, decks: int, how: ByShoe) -> None:
    cards, longest = 52 * decks, game.procedure.cards_max
    if min(how.burn, how.after) < 0 or min(how.per_depth, how.depths) < 1:
        raise PlanError("burn cards and rounds after the cut are whole numbers from 0 on, depths from 1 on")
    if how.cut < _behind(game, how.after):
        raise PlanError(
            f"{how.cut} cards behind the cutting card: a round of {game.id} takes up to {longest}, and "
            f"{how.after + 1} may begin near it, so at least {_behind(game, how.after)} must be there"
        )
    if how.cut + how.burn >= cards:
        raise PlanError(
            f"{how.cut} cards behind the cutting card and {how.burn} burnt, of {cards} in the shoe: none is left to "
            f"deal. At most {cards - how.burn - 1} can be behind it"
        )
