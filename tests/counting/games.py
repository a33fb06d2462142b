"""Games for the tests of counting: those that ship, and wagers that none of them has."""

from __future__ import annotations

from longhu.games.game import Game
from longhu.games.loader import load
from longhu.games.source import read_text
from tests.odds.shoes import file_of

PAIR_AND_WIN = """
[[wager]]
id = "pair-and-win"
name = { en = "Pair and win" }
lines = [{ says = "A pair that wins", when = "player.pair and player.wins", pays = "15:1" }]
"""
SPADE = """
[[wager]]
id = "spade"
name = { en = "Dragon spade" }
lines = [{ says = "Dragon's card is a spade", when = "dragon.suit == spades", pays = "3:1" }]
"""
PAIRS = """
[[wager]]
id = "two-pairs"
name = { en = "Two pairs" }
layouts = []
lines = [{ says = "Both hands are pairs", when = "dragon.pair and tiger.pair", pays = "200:1" }]
"""


def with_wager(name: str, wager: str) -> Game:
    """A game with one wager more, on whatever layouts it has none of: it is asked for by its id."""
    return load(read_text(file_of(name).read_text() + wager, name))
