"""Everything that a PAR sheet (probability accounting report) states of a game, gathered as exact values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from longhu.cards import Shoe
from longhu.games.game import Game, Reading, Wager
from longhu.money import Money
from longhu.odds.alternatives import Alternative, Reload, Returns, alternatives
from longhu.odds.claims import Reckoning, reckonings
from longhu.odds.figures import GameOdds, WagerOdds, game_odds
from longhu.odds.together import Together, covariances, together

Advance = Callable[[int], None]  # told after each step of the work


@dataclass(frozen=True)
class Sheet:
    """A game from one shoe: its odds, and what they are held against."""

    odds: GameOdds
    layout: str | None  # the wagers are those of this layout
    by_decks: Mapping[int, Mapping[str, Fraction]]  # returns, for every number of decks that the game allows
    covariances: Mapping[tuple[str, str], Fraction]
    capped: Together | None  # the largest stakes together, where the game caps a round and limits stakes
    reckonings: tuple[Reckoning, ...]
    readings: tuple[tuple[Reading, list[Alternative]], ...]

    @property
    def game(self) -> Game:
        return self.odds.game

    def alike(self) -> Iterator[tuple[list[WagerOdds], dict[int, Fraction]]]:
        """Wagers that return the same whatever the number of decks, together."""
        found: dict[tuple[Fraction, ...], list[WagerOdds]] = {}
        for id, each in self.odds.items():
            found.setdefault(tuple(returns[id] for returns in self.by_decks.values()), []).append(each)
        for values, wagers in found.items():
            yield wagers, dict(zip(self.by_decks, values, strict=True))


def steps(game: Game) -> int:
    """How many times `gather` reports an advance."""
    return len(_decks(game)) + len(game.readings) + 2


def gather(
    game: Game,
    shoe: Shoe,
    reload: Reload,
    *,
    wagers: Mapping[str, Wager] | None = None,
    layout: str | None = None,
    advance: Advance = lambda _: None,
) -> Sheet:
    """Count everything. `reload` gives the same file under other readings."""
    offered = game.offered(layout)
    chosen = offered if wagers is None else wagers
    odds = game_odds(game, shoe, wagers=chosen)
    advance(1)
    by_decks: dict[int, Mapping[str, Fraction]] = {}
    for decks in _decks(game):
        counted = odds if odds.decks == decks else game_odds(game, Shoe.of_decks(decks), wagers=chosen)
        by_decks[decks] = {id: each.rtp for id, each in counted.items()}
        advance(1)
    readings: list[tuple[Reading, list[Alternative]]] = []
    for each in alternatives(game, reload, Returns(shoe, (game.procedure, odds.ways))):
        readings.append(each)
        advance(1)
    claims = tuple(reckonings(game, reload))
    advance(1)
    stakes = largest_stakes(offered) if game.cap else {}
    capped = together(game, odds.ways, stakes) if stakes else None
    return Sheet(odds, layout, by_decks, covariances(chosen, odds.ways), capped, claims, tuple(readings))


def _decks(game: Game) -> range:
    return range(game.decks.min, game.decks.max + 1)


def largest_stakes(offered: Mapping[str, Wager]) -> dict[str, Money]:
    """The most that the document lets a patron stake in one round, on all wagers that may stand together."""
    stakes: dict[str, Money] = {}
    for id, wager in offered.items():
        excluded = any(other in wager.excludes or id in offered[other].excludes for other in stakes)
        if wager.limit.max is not None and not excluded:
            stakes[id] = wager.limit.max
    return {id: stake for id, stake in stakes.items() if _stands(offered[id], stakes)}


def _stands(wager: Wager, stakes: Mapping[str, Money]) -> bool:
    """A wager that needs another one beside it is left out where no limit puts one there."""
    return not wager.requires or any(other in stakes for other in wager.requires)
