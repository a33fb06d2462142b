"""Small valid games as text, and a way to break them one place at a time."""

from __future__ import annotations

import pytest

from longhu.games.game import Game
from longhu.games.loader import load
from longhu.games.source import GameFileError, read_bytes

FILE = "small.toml"
HERE = "¦"  # in a changed text: where the mistake is told to be

ONE_CARD = """\
format = 1

[game]
id = "small"
name = { en = "Small", zh = "小" }
version = "1"
effective = 2025-01-31
authority = "Nobody"
clauses = "DT"
shuffle = "each-shoe"
clause = "DT-0"
decks = { min = 1, max = 8, default = 6, clause = "DT-2.1a" }

[deal]
procedure = "one-card"
hands = [
  { id = "dragon", name = { en = "Dragon", zh = "龙" } },
  { id = "tiger", name = "Tiger" },
]
first_cards = "DT-3.4b"

[terms]
high = { means = "dragon.rank >= 8", clause = "DT-1.1.1" }

[[wager]]
id = "dragon"
name = "Dragon"
label = { en = "D", zh = "龙" }
hand = "dragon"
excludes = ["tiger"]
limit = { min = "5.00", max = "500.00", clause = "DT-4.1" }
clause = "DT-2.2.1"
lines = [
  { says = "Tie", when = "tie", result = "half", clause = "DT-3.8a" },
  { says = "Dragon wins", when = "dragon.wins", pays = "1:1", commission = "5%" },
]
otherwise = { says = "Tiger is higher", result = "lose", clause = "DT-3.6b" }

[[wager]]
id = "tiger"
name = "Tiger"
lines = [
  { when = "tie", result = "push" },
  { when = "tiger.wins", pays = "0.95:1" },
]

[[wager]]
id = "dragon-high"
name = "Dragon High"
requires = ["dragon", "tiger"]
layouts = ["A"]
optional = true
lines = [
  { when = "high", pays = "3:2" },
  { when = "dragon.rank < 7", result = "lose" },
  { when = "dragon.rank == 7", result = "lose" },
]

[[layout]]
id = "A"
name = "Layout A"
places = ["dragon", "tiger"]
positions = { min = 1, max = 7 }
title = true
rows = [
  { areas = ["dragon", "odds", "tiger"], each_position = true, notices = ["half"] },
  { areas = ["dragon-high"] },
]

[[layout]]
id = "B"
like = "A"

[[method]]
id = "open"
name = "Face up"
cards = "face-up"
squeeze = "nobody"
chosen_by = "dealer"

[limits]
currency = "SGD"
round_cap = { amount = "1000.00", basis = "credit" }
rounding = "patron"

[differential]
policy = "pro-rata"
decides = "pit-manager"

[cites]
closing-call = "DT-3.2"

[irregularities]
foreign-card = { remedy = "void", decides = "pit-supervisor", clause = "DT-5.1" }

[[reading]]
id = "odd_unit"
question = "Q01"
asks = "Who gets the odd unit?"
takes = "The patron."
because = "Nothing is said."
clause = "DT-3.8b"
taken = "patron"
options.patron = "the patron gets it"
options.house = { says = "the house gets it", change = [{ at = "limits.rounding", from = "patron", to = "house" }] }

[[reading]]
id = "late"
asks = "What is late?"
takes = "After the call."
because = "It says so."
at_table = true
taken = "call"
options.call = "after the call"
options.card = "after the first card"

[[claim]]
wager = "tiger"
rtp = "98.00%"
decks = 6
clause = "DT-4.1b"
"""

BACCARAT = """\
[game]
id = "small-baccarat"
name = "Small Baccarat"
decks = { min = 1, max = 8, default = 8 }

[deal]
procedure = "baccarat"
hands = [{ id = "player", name = "Player" }, { id = "banker", name = "Banker" }]
pair = "rank"
first_cards = { player = "X-1", banker = "X-2" }
natural = { totals = [8, 9] }
player = [
  { on = [0, 1, 2, 3, 4, 5], draws = "always" },
  { on = [6, 7], draws = "never" },
]
banker_if_player_stands = [
  { on = [0, 1, 2, 3, 4, 5], draws = "always", clause = "X-3" },
  { on = [6, 7], draws = "never" },
]
banker_if_player_draws = [
  { on = [0, 1, 2, 3], draws = "always" },
  { on = [4, 5, 6], draws = [4, 5, 6, 7] },
  { on = [7], draws = "never" },
]

[[wager]]
id = "player"
name = "Player"
lines = [{ when = "tie", result = "push" }, { when = "player.wins", pays = "1:1" }]
"""

TWENTY_ONE = """\
[game]
id = "small-21"
name = "Small 21"
decks = { min = 1, max = 8, default = 8 }

[deal]
procedure = "twenty-one"
hands = [{ id = "dragon", name = "Dragon" }, { id = "tiger", name = "Tiger" }]
pair = "rank"
blackjack = { clause = "X-1" }
draws_to = { total = 16, dragon = "X-2", tiger = "X-3" }

[[wager]]
id = "dragon"
name = "Dragon"
lines = [{ when = "tie", result = "push" }, { when = "dragon.wins", pays = "1:1" }]
"""


def game(text: str, readings: dict[str, str] | None = None) -> Game:
    return load(read_bytes(text.encode(), FILE), readings)


def changed(text: str, old: str, new: str) -> str:
    """The text with one passage changed, which must stand in it exactly once."""
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the game"
    return text.replace(old, new)


def mistakes(text: str, readings: dict[str, str] | None = None) -> list[str]:
    """What is told about a file that cannot be used, a line for each mistake."""
    with pytest.raises(GameFileError) as told:
        game(text, readings)
    return str(told.value).splitlines()


def marked(text: str) -> tuple[str, list[str]]:
    """The text without its marks, and the place of each mark as `file:line:column`."""
    places: list[str] = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        while HERE in line:
            places.append(f"{FILE}:{number + 1}:{line.index(HERE) + 1}")
            line = line.replace(HERE, "", 1)
        lines[number] = line
    return "\n".join(lines), places


def assert_told(text: str, old: str, new: str, *words: str) -> None:
    """Change one passage: the mistake is told where the mark stands, with these words."""
    broken, places = marked(changed(text, old, new))
    told = mistakes(broken)
    assert len(places) == 1
    there = [line for line in told if line.startswith(places[0] + ": ")]
    assert there, f"nothing is told at {places[0]}, but:\n" + "\n".join(told)
    assert any(all(word in line for word in words) for line in there), "\n".join(there)


def assert_only_told(text: str, old: str, new: str, *words: str) -> None:
    """As `assert_told`, and nothing else is told: a mistake that breeds others hides itself."""
    assert_told(text, old, new, *words)
    told = mistakes(marked(changed(text, old, new))[0])
    assert len(told) == 1, "one mistake was made, and these were told:\n" + "\n".join(told)
