"""The figures of a game under each reading of its doubtful clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from longhu.cards import Shoe
from longhu.deal.procedure import Procedure
from longhu.games.game import Game, Option, Reading
from longhu.odds.figures import wager_odds
from longhu.odds.ways import Ways, ways

Reload = Callable[[Mapping[str, str]], Game]  # the same file under other readings


@dataclass(frozen=True, slots=True)
class Alternative:
    """One option of a reading, with the expectation of every wager that is offered under it."""

    reading: Reading
    option: Option
    game: Game
    evs: Mapping[str, Fraction]

    @property
    def chosen(self) -> bool:
        """Is it the option in force?"""
        return self.option.id == self.reading.chosen


class Returns:
    """The expectation of every wager for one shoe; games that are dealt alike are counted once."""

    def __init__(self, shoe: Shoe, *counted: tuple[Procedure[Any], Ways]) -> None:
        self.shoe = shoe
        self._counted = list(counted)  # what is known already

    def of(self, game: Game) -> dict[str, Fraction]:
        counted = next((some for procedure, some in self._counted if procedure == game.procedure), None)
        if counted is None:
            counted = ways(game.procedure, self.shoe)
            self._counted.append((game.procedure, counted))
        return {id: wager_odds(wager, counted).ev for id, wager in game.offered(None).items()}


def alternatives(game: Game, reload: Reload, returns: Returns) -> Iterator[tuple[Reading, list[Alternative]]]:
    """Every reading with its options; a reading that leaves the file as it is has none."""
    chosen = {reading.id: reading.chosen for reading in game.readings.values() if reading.chosen != reading.default}
    for reading in game.readings.values():
        found: list[Alternative] = []
        if any(option.changes for option in reading.options.values()):
            for option in reading.options.values():
                other = game if option.id == reading.chosen else reload({**chosen, reading.id: option.id})
                found.append(Alternative(reading, option, other, returns.of(other)))
        yield reading, found


def changed(found: list[Alternative]) -> list[str]:
    """The wagers whose figures the options do not agree about; one that is not always offered is among them."""
    ids = dict.fromkeys(id for each in found for id in each.evs)
    return [id for id in ids if len({each.evs.get(id) for each in found}) > 1]
