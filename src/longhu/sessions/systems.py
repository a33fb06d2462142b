"""Betting systems: which multiple of the stakes comes next, after a round that won, pushed or lost.

The known ones are ladders: a step stakes so many units, a win leads to one step, a loss to another, and a push leaves it
where it is. What a round nets as a whole decides whether it was won.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, TypeGuard

from longhu.wording import suggest

DOUBLINGS = 40  # more than any limit lets happen


class SystemFault(ValueError):
    """A betting system that cannot be played: what it did, and what was expected."""


@dataclass(frozen=True, slots=True)
class LadderStep:
    """One step of a ladder."""

    units: int
    won: int  # the step after a win
    lost: int  # the step after a loss


Ladder = tuple[LadderStep, ...]

SYSTEMS: Mapping[str, Ladder] = {
    "flat": (LadderStep(1, 0, 0),),
    "martingale": tuple(LadderStep(2**place, 0, min(place + 1, DOUBLINGS)) for place in range(DOUBLINGS + 1)),
    "paroli": (LadderStep(1, 1, 0), LadderStep(2, 2, 0), LadderStep(4, 0, 0)),
    "1-3-2-6": (LadderStep(1, 1, 0), LadderStep(3, 2, 0), LadderStep(2, 3, 0), LadderStep(6, 0, 0)),
}


class Played(NamedTuple):
    """A round as a system remembers it."""

    stakes: Mapping[str, int]  # in minor units, as they were placed; empty where it sat out
    net: int


Wish = Mapping[str, int] | int | None
Asked = Callable[[Sequence[Played], int, Mapping[str, int]], Wish]


@dataclass(frozen=True)
class OwnSystem:
    """Somebody's own: called before every round with the history, the bankroll and the stakes that were given.

    It returns stakes by wager in minor units, or a multiple of the given ones; nothing staked sits a round out, and
    None leaves the table.
    """

    name: str
    ask: Asked

    def wish(
        self, history: Sequence[Played], bankroll: int, stakes: Mapping[str, int], where: str
    ) -> Mapping[str, int] | None:
        """What it wants to stake next; `SystemFault` says where it made no sense."""
        try:
            wished = self.ask(history, bankroll, dict(stakes))
        except (Exception, SystemExit) as error:
            raise SystemFault(f"{self.name} failed in {where}: {error!r}") from error
        if wished is None:
            return None
        if _is_amount(wished):
            return {id: stake * wished for id, stake in stakes.items() if wished}
        if isinstance(wished, Mapping) and all(isinstance(id, str) and _is_amount(wished[id]) for id in wished):
            return {id: amount for id, amount in wished.items() if amount}
        raise SystemFault(
            f"{self.name} returned {repr(wished)[:60]} in {where}: expected amounts by wager in "
            "minor units, a whole multiple of the stakes, or None to leave"
        )


def _is_amount(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def system(name: str) -> Ladder | OwnSystem:
    """One of the known systems, or `MODULE:CALLABLE`; `SystemFault` where there is none."""
    if name in SYSTEMS:
        return SYSTEMS[name]
    module, sign, attribute = name.partition(":")
    if not sign or not module or not attribute:
        raise SystemFault(f"no system is called {name[:60]!r}.{suggest(name, [*SYSTEMS, 'MODULE:CALLABLE'])}")
    try:
        found = getattr(_imported(module), attribute)
    except (Exception, SystemExit) as error:
        raise SystemFault(f"{name[:60]} cannot be had: {error!r}") from error
    if not callable(found):
        raise SystemFault(f"{name[:60]} is no function: it is of type {type(found).__name__}")
    return OwnSystem(name, found)


def _imported(module: str) -> object:
    """A module that is installed, or lies in the folder where the command is given."""
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        return import_module(module)
    finally:
        sys.path.remove(here)
