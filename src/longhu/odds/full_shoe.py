"""The exact odds of a game from a full shoe, counted once: tables of one game ask for them again and again."""

from __future__ import annotations

from longhu.cards import Shoe
from longhu.games.game import Game
from longhu.odds.figures import GameOdds, game_odds

_ODDS: dict[tuple[str, int], GameOdds] = {}
_ODDS_MAX = 16


def full_shoe_odds(game: Game, decks: int) -> GameOdds:
    """Every wager's odds from so many decks."""
    known = _ODDS.get((game.digest, decks))
    if known is None:
        if len(_ODDS) >= _ODDS_MAX:
            _ODDS.clear()
        known = _ODDS[game.digest, decks] = game_odds(game, Shoe.of_decks(decks), wagers=game.wagers)
    return known
