"""Commands and events of a table, with the functions that judge and apply them: `decide` and `evolve` of a whole table.

`decides` registers the function of an area that judges a command, `evolves` the one that applies an event, and `evolves_round`
one that applies an event to the round in progress, for the many events that change nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from longhu.eventsourcing import Command as BaseCommand
from longhu.eventsourcing import Event, Refusal, Register, about
from longhu.games.game import Game
from longhu.ledger import Transaction, posted
from longhu.positions import Position
from longhu.table.document import cite
from longhu.table.state import Round, Table, open_round, replace, standing

E = TypeVar("E", bound=Event)
PATRON = Position.PATRON  # asked at every command, and the class is slow to ask


def stored_name(name: str) -> str:
    """`DrawCard` is kept as draw-card/1; a command that changes its form takes a tag of its own."""
    return re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() + "/1"


class Command(BaseCommand, frozen=True, kw_only=True, tag=stored_name):
    """Something that somebody asks of the table."""

    def held_by(self, table: Table) -> Position | None:
        """The position that whoever asks holds or acts in; None for a stranger."""
        person, people = self.by, table.people
        if person in people and person not in table.staff and person not in table.acting:  # as most are
            return PATRON
        held = standing(table, person)
        if held is None and any(each.person == person for each in table.nominees.values()):
            return PATRON
        return held

    def reserved_by(self, game: Game) -> str:
        """The clause that reserves it to its position, where a document has one; else positions stand on their order."""
        return cite(game, "position-above") or "SEC-1"


TABLE: Register[Table, Game, Command, Event] = Register()
decides, evolves = TABLE.decides, TABLE.evolves


def evolves_round(event: type[E]) -> Callable[[Callable[[Round, E], Round]], Callable[[Round, E], Round]]:
    """Register the function that applies an event to the round in progress: without one, the event is a defect."""

    def register(function: Callable[[Round, E], Round]) -> Callable[[Round, E], Round]:
        @evolves(event)
        def on_table(table: Table, event: E) -> Table:
            return replace(table, round=function(open_round(table), event))

        return function

    return register


class CommandRefused(Event, frozen=True, kw_only=True, tag="command-refused/1"):
    """Somebody asked for what the rules do not allow (D21-4.2a, D21-4.2b, D21-5.9c, MON-4). It changes nothing."""

    command: str
    reason: str


def on_record(command: Command, refusal: Refusal) -> CommandRefused:
    """The refusal as an event for the log."""
    return CommandRefused(command=type(command).__name__, reason=refusal.reason, **about(command, refusal.clause))


@evolves(CommandRefused)
def command_refused(table: Table, _event: CommandRefused) -> Table:
    return table


# ------------------------------------------------ a table as a state machine


def decide(table: Table, game: Game, command: Command) -> list[Event] | Refusal:
    """What happens when somebody asks for this: events, or the reason why not. It changes nothing."""
    if table.stopped:
        return Refusal(f"the table has stopped: {table.stopped}", "Call the gaming shift manager")
    if table.settings is not None and table.game != game.digest:
        return Refusal("these are not the rules that the table was opened with", clause="RUL-3")
    held = command.held_by(table)
    if held is None or not held >= command.position >= command.needs:
        return _not_entitled(held, game, command)
    return TABLE.deciders[type(command)](table, game, command)


def _not_entitled(held: Position | None, game: Game, command: Command) -> Refusal:
    """Whoever asks must hold the position in which it is asked, or act in it; and that must be high enough."""
    clause, used = Command.reserved_by(command, game), command.position
    if (held is None and used >= command.needs) or (held is not None and held < used):
        told = f"{command.by} does not hold the position of {used.word} here"
        if held is not None:
            return Refusal(told, f"Ask a {used.word}", clause)
        return Refusal(told, "Join the table first" if used is PATRON else "Take that position first", clause)
    return Refusal(f"a {used.word} may not do this", f"Ask a {command.needs.word}", command.reserved_by(game))


def evolve(table: Table, event: Event, transactions: Sequence[Transaction] | None = None) -> Table:
    """The table after an event: its state, and the money that the event moved. It judges nothing.

    `transactions` are those of the event, where somebody has them already.
    """
    after = TABLE.evolvers[type(event)](table, event)
    moved = event.transactions() if transactions is None else transactions
    return replace(after, balances=posted(table.balances, moved)) if moved else after
