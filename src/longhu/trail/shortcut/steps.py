"""Steps that the rules have confirmed, and where they lead."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from longhu.cards import CARD_OF_TEXT
from longhu.games.game import Game
from longhu.table.state import Table
from longhu.trail.shortcut.hands import Hands, Known

if TYPE_CHECKING:
    from longhu.trail.shortcut.walk import Guess, Walk

VARY = frozenset(("balances", "last_tie", "paid", "results", "returned", "round", "rounds", "shoe", "shoes", "shuffle"))
STEPS_MAX = 200_000  # remembered; then everything is forgotten, so that memory does not grow
TABLES_MAX = 16  # ways in which a table stood between rounds
NO_MONEY: tuple[tuple[str, int], ...] = ()

Key = tuple[Hashable, ...]


class Step:
    """A step that the rules have confirmed, and those that may follow it."""

    __slots__ = ("closing", "commands", "guesses", "money", "passes", "settling", "then", "turns", "wagers")

    def __init__(self, commands: int = 0, money: tuple[tuple[str, int], ...] = NO_MONEY) -> None:
        self.commands, self.money = commands, money  # 1 where it is the first event of a command
        self.then: dict[Key, Step] = {}
        self.guesses: dict[int, Guess] = {}  # what came last from here, by what the hands come to
        self.turns: dict[Hashable, Step] = {}  # how the deal goes on, whatever the cards are
        self.wagers: tuple[str, ...] = ()  # on the layout
        self.passes: dict[Key, Step] = {}  # who is given a hand, with these wagers
        self.settling: dict[Key, Step] = {}  # what a result leads to, with these wagers
        self.closing: Closing | None = None  # where the round is over


class Closing:
    """What a whole round leaves behind, besides cards and money."""

    def __init__(self, table: Table) -> None:
        self.paid, self.last_tie = table.paid, table.last_tie
        self.all = False  # is there nothing else? Otherwise the events have to be applied one by one


class Place:
    """A table as it stands between rounds, and everything that was learned of rounds from there."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.bets, self.deal = Step(), Step()

    def is_like(self, table: Table) -> bool:
        """Do the two differ only in what every round changes?"""
        for field in _STAYS:
            held, found = getattr(self._table, field), getattr(table, field)
            if held is not found and held != found:
                return False
        return True


_STAYS = tuple(name for name in Table.__struct_fields__ if name not in VARY)


class Memory:
    """Everything that was learned of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = b'","game":"%b","event":' % game.digest.encode()
        self.steps = 0
        self._marks: dict[tuple[str, ...], int] = {}
        self._winners: dict[int, str | None] = {}
        self._places: list[Place] = []
        self._last: tuple[Table | None, Place | None] = (None, None)
        empty = (game.procedure.empty, game.procedure.empty)
        self.no_cards = Hands(Known(), game.procedure, empty)

    def place(self, table: Table) -> Place:
        """Where rounds of a table like this start."""
        if self.steps > STEPS_MAX:
            self._places, self._last, self.steps = [], (None, None), 0
        last, place = self._last
        if place is not None and last is table:
            return place
        for number, place in enumerate(self._places):
            if place.is_like(table):
                if number:
                    self._places.insert(0, self._places.pop(number))
                return place
        self._places = [Place(table), *self._places[: TABLES_MAX - 1]]
        return self._places[0]

    def leaves(self, walk: Walk, table: Table) -> Table:
        """A round has led from a place to this table, which is like it."""
        self._last = (table, walk.place)
        return table

    def winner(self, ending: int) -> str | None:
        if ending not in self._winners:
            self._winners[ending] = self.game.winner(ending)
        return self._winners[ending]

    def mark(self, faces: list[str]) -> int:
        """The mark of a hand, from the cards that it looks at."""
        seen = tuple(faces[: self.game.procedure.marked_cards])
        mark = self._marks.get(seen)
        if mark is None:
            mark = self._marks[seen] = self.game.procedure.mark([CARD_OF_TEXT[face] for face in faces])
        return mark
