"""What a patron types at the table, in plain words."""

from __future__ import annotations

from longhu.games.game import Game, Wager
from longhu.money import UNSTATED, MoneyError, parse
from longhu.roads.text import hand_signs
from longhu.wording import shown, suggest

HELP = {
    "{main} 50": "put 50 on a wager; several at once: {side} 5 {main} 100; more adds to it",
    "(Enter)": "no more bets: the cards are dealt",
    "same": "the wagers of your last round again",
    "double": "as much again on everything that you have placed",
    "clear": "take everything back; `clear {side}` takes back one wager",
    "odds": "the exact house edge of each wager, from a full shoe and from this one",
    "rules {side}": "what a wager pays, line by line{clause}",
    "limits": "the notice of the table: all wagers",
    "roads": "the whole scoreboard",
    "buy 500": "more chips",
    "contribute TEXT": "add a text of yours to the next shuffle",
    "shuffle": "what this shoe was shuffled from, and the secret of the last one, to check it",
    "leave": "go home (Ctrl-D does it too)",
}
SAME_AS = {
    "?": "help",
    "h": "help",
    "q": "leave",
    "quit": "leave",
    "exit": "leave",
    "bye": "leave",
    "rebet": "same",
    "undo": "clear",
    "deal": "",
    "notice": "limits",
    "road": "roads",
    "scoreboard": "roads",
    "edge": "odds",
    "rule": "rules",
}
COMMANDS = (
    "help",
    "leave",
    "same",
    "double",
    "clear",
    "odds",
    "rules",
    "limits",
    "roads",
    "buy",
    "contribute",
    "shuffle",
    "",
)


class NotUnderstood(ValueError):
    """What was typed is no wager and no command, with the reason."""


class NoSuchWager(NotUnderstood):
    """A word where a wager should stand, and what was perhaps meant."""

    def __init__(self, game: Game, word: str, meant: str) -> None:
        self.word, self.meant = word, meant
        near = suggest(meant, [*game.wagers, *filter(None, COMMANDS)]).partition(" Possible")[0]
        super().__init__(f"{shown(word)} is no wager and no command.{near} `limits` lists the wagers, `help` the rest")


def command(text: str) -> tuple[str, str] | None:
    """A word of the list and what follows it; None where it must be wagers.

    >>> command("rules  tie"), command("quit"), command("player 50")
    (('rules', 'tie'), ('leave', ''), None)
    """
    first, _, rest = text.strip().partition(" ")
    word = SAME_AS.get(first.lower(), first.lower())
    return (word, rest.strip()) if word in COMMANDS else None


def help_lines(game: Game) -> list[tuple[str, str]]:
    """What can be typed, with wagers and a clause of this game."""
    wagers = list(game.wagers.values())
    main = next((wager for wager in wagers if wager.hand), wagers[0])
    side = next((wager for wager in wagers if not wager.hand), main)
    clause = next((line.clause for line in side.lines if line.clause), "")
    also = f"; `rules {clause}` shows a clause" if clause else ""
    return [
        (words.format(main=main.id, side=side.id), says.format(main=main.id, side=side.id, clause=also))
        for words, says in HELP.items()
    ]


def wager_named(game: Game, words: list[str]) -> Wager | None:
    """A wager by its id, by its name in either language, or a hand's main wager by its initial."""
    for name in (" ".join(words), "-".join(words)):
        for spelling in (name, name.lower()):
            if spelling in game.wager_of_name:
                return game.wager_of_name[spelling]
    initials = dict(zip(hand_signs(game.procedure.hands), game.procedure.hands, strict=True))
    hand = initials.get(words[0].upper()) if len(words) == 1 and words[0].isalpha() else None
    return next((wager for wager in game.wagers.values() if hand and wager.hand == hand.id), None)


def wagers(game: Game, text: str) -> list[tuple[Wager, int]]:
    """`tie 5 banker 100` as wagers and amounts, in an order in which they can be placed."""
    words = text.replace("=", " ").replace(",", " ").split()
    found: list[tuple[Wager, int]] = []
    while words:
        wager, taken = _first_wager(game, words)
        if taken == len(words):
            raise NotUnderstood(f"how much on {wager.name.en}? Write it behind, as in `{wager.id} 50`")
        try:
            amount = parse(words[taken], game.currency or UNSTATED)
        except MoneyError as error:
            raise NotUnderstood(f"{wager.name.en}: {error}") from None
        found.append((wager, amount))
        words = words[taken + 1 :]
    if not found:
        raise NotUnderstood(f"no wager is named, as in `{next(iter(game.wagers))} 50`")
    return sorted(found, key=lambda each: bool(each[0].requires))  # what stands only beside another comes after it


def _first_wager(game: Game, words: list[str]) -> tuple[Wager, int]:
    """The longest name at the start: "Player Pair" before "Player"."""
    for taken in range(min(len(words), 5), 0, -1):
        wager = wager_named(game, words[:taken])
        if wager is not None:
            return wager, taken
    if words[0][0].isdigit():
        raise NotUnderstood(f"{shown(words[0])} on what? Write the wager first, as in `{next(iter(game.wagers))} 50`")
    names = "-".join(word for word in words[:3] if not word[0].isdigit())
    raise NoSuchWager(game, words[0], names.lower())
