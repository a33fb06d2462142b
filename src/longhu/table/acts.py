"""What people ask (commands), what happened (events), and what the rules do not allow (refusals).

Each area of the table keeps its commands and events beside the functions that judge and apply them, and registers
them here: `decides` judges a command and changes nothing, `evolves` applies an event and judges nothing. `evolves_round`
registers an evolver of the round in progress, for the many events that change nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec

from longhu.table.positions import Position
from longhu.table.state import Round, Table, open_round, replace

if TYPE_CHECKING:
    from longhu.games.game import Game
    from longhu.ledger import Transaction


def stored_name(name: str) -> str:
    """`DrawCard` is kept as draw-card/1; a command that changes its form takes a tag of its own."""
    return re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() + "/1"


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="command", tag=stored_name):
    """Something that somebody asks of the table; time and identity come in with it."""

    needs: ClassVar[Position] = Position.PATRON  # the lowest position that may ask for it

    by: str  # a person
    at: int  # milliseconds, UTC
    position: Position = Position.PATRON  # the position in which the person acts

    def reserved_by(self, game: Game) -> str:
        """The clause that reserves it to its position, where a document has one; else positions stand on their order."""
        return cite(game, "position-above") or "SEC-1"


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", gc=False):
    """Something that happened. Its stored name, the tag, is chosen for keeps."""

    by: str = ""
    at: int = 0
    position: Position = Position.PATRON
    clause: str = ""

    def transactions(self) -> tuple[Transaction, ...]:
        """The money that it moved."""
        return ()

    def postings(self) -> Sequence[tuple[str, int]]:
        """The postings of these transactions: account and amount."""
        return [(each.account, each.amount) for one in self.transactions() for each in one.postings]


class Refusal(msgspec.Struct, frozen=True):
    """Someone asked for what the rules do not allow: which rule, what was found, what can be done."""

    reason: str
    remedy: str = ""
    clause: str = ""

    def __str__(self) -> str:
        cited = f" ({self.clause})" if self.clause else ""
        return f"Refused{cited}: {self.reason}." + (f"\n{self.remedy}." if self.remedy else "")


Decision = list[Event] | Refusal
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)

DECIDERS: dict[type[Command], Callable[[Table, Game, Any], Decision]] = {}
EVOLVERS: dict[type[Event], Callable[[Table, Any], Table]] = {}


def decides(command: type[C]) -> Callable[[Callable[[Table, Game, C], Decision]], Callable[[Table, Game, C], Decision]]:
    """Register the function that judges a command."""

    def register(function: Callable[[Table, Game, C], Decision]) -> Callable[[Table, Game, C], Decision]:
        DECIDERS[command] = function
        return function

    return register


def evolves(*events: type[E]) -> Callable[[Callable[[Table, E], Table]], Callable[[Table, E], Table]]:
    """Register the function that applies an event."""

    def register(function: Callable[[Table, E], Table]) -> Callable[[Table, E], Table]:
        for event in events:
            EVOLVERS[event] = function
        return function

    return register


def evolves_round(event: type[E]) -> Callable[[Callable[[Round, E], Round]], Callable[[Round, E], Round]]:
    """Register the function that applies an event to the round in progress: without one, the event is a defect."""

    def register(function: Callable[[Round, E], Round]) -> Callable[[Round, E], Round]:
        def on_table(table: Table, event: E) -> Table:
            return replace(table, round=function(open_round(table), event))

        EVOLVERS[event] = on_table
        return function

    return register


def about(command: Command, clause: str = "") -> dict[str, Any]:
    """Who, when, in which position and by which rule: what an event takes from the command behind it."""
    return {"by": command.by, "at": command.at, "position": command.position, "clause": clause}


def chosen(game: Game, reading: str) -> str:
    """How the house reads a doubtful clause, "" where the game has no such reading."""
    known = game.readings.get(reading)
    return known.chosen if known is not None else ""


def cite(game: Game, step: str) -> str:
    """The clause behind a step of the round, "" where the document has none."""
    clauses = game.cites.get(step, ())
    return clauses[0] if clauses else ""
