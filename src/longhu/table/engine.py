"""A table as a state machine: `decide` judges a command, `evolve` applies an event.

`decide` changes nothing and `evolve` judges nothing: history is replayed, never tried again under newer rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from longhu.eventsourcing import Event, Refusal
from longhu.eventsourcing import replay as replay_with
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position, may_act_as
from longhu.table import (
    betting,
    betting_phase,
    call_bets,
    cash,
    checkpoint,
    dealing,
    differential,
    handling,
    nominees,
    opening,
    people,
    settling,
    shoe,
    shuffling,
    suspension,
    tie_returns,
)
from longhu.table.irregularities import cards, exposure, late, missing, power, rulings
from longhu.table.messages import ASK_POSITION, POSITION_TOO_LOW, TABLE, Command, evolve
from longhu.table.remedies import mispassed, procedure, restoring, void, withdrawal
from longhu.table.state import Table
from longhu.table.suspension import TABLE_STOPPED

CALL_SHIFT_MANAGER = message_code("call-shift-manager")
OTHER_RULES = message_code("other-rules")
POSITION_NOT_HELD = message_code("position-not-held", person="person", position="position")
JOIN_TABLE_FIRST = message_code("join-table-first")
TAKE_POSITION_FIRST = message_code("take-position-first")

__all__ = ["decide", "evolve", "held_by", "replay"]

AREAS = (  # each registers its commands and events when it is imported
    betting, betting_phase, call_bets, cash, checkpoint, dealing, differential, handling, nominees, opening, people, settling, shoe,
    shuffling, suspension, tie_returns, cards, exposure, late, missing, power, rulings, mispassed, procedure, restoring, void, withdrawal,
)  # fmt: skip

_PATRON = Position.PATRON  # asked at every command, and the class is slow to ask


def decide(table: Table, game: Game, command: Command) -> list[Event] | Refusal:
    """What happens when somebody asks for this: events, or the reason why not."""
    refusal = _not_to_be_asked(table, game, command)
    return TABLE.decide(table, game, command) if refusal is None else refusal


def _not_to_be_asked(table: Table, game: Game, command: Command) -> Refusal | None:
    """What keeps anybody, or whoever asks, from asking this here."""
    if table.stopped:
        return Refusal(TABLE_STOPPED(), CALL_SHIFT_MANAGER())
    if table.settings is not None and table.game != game.digest:
        return Refusal(OTHER_RULES(), clause="RUL-3")
    held, used = held_by(table, command), command.position
    if held is None or not may_act_as(held, used) or not may_act_as(used, command.needs):
        return _not_entitled(held, game, command)
    return None


def _not_entitled(held: Position | None, game: Game, command: Command) -> Refusal:
    """Whoever asks must hold the position in which it is asked, or act in it; and that must be high enough."""
    clause, used = Command.reserved_by(command, game), command.position
    high_enough = may_act_as(used, command.needs)
    if (held is None and high_enough) or (held is not None and not may_act_as(held, used)):
        unheld = POSITION_NOT_HELD(person=command.by, position=used.code)
        if held is not None:
            return Refusal(unheld, ASK_POSITION(position=used.code), clause)
        return Refusal(unheld, JOIN_TABLE_FIRST() if used is _PATRON else TAKE_POSITION_FIRST(), clause)
    return Refusal(
        POSITION_TOO_LOW(position=used.code, needed=command.needs.code),
        ASK_POSITION(position=command.needs.code),
        command.reserved_by(game),
    )


def held_by(table: Table, command: Command) -> Position | None:
    """The position that whoever asks holds or acts in; None for a stranger."""
    kind, person = type(command), command.by
    if kind is opening.OpenTable or kind is people.Join:
        return _held_by_newcomer(table, command)
    if person in table.people and person not in table.staff and person not in table.acting:  # as most are
        return _PATRON
    held = people.standing(table, command.by)
    if held is None and any(each.person == command.by for each in table.nominees.values()):
        return Position.PATRON
    return held


def _held_by_newcomer(table: Table, command: Command) -> Position | None:
    if isinstance(command, opening.OpenTable):
        return command.staff.get(command.by)
    return table.staff.get(command.by, Position.PATRON)


def replay(table: Table, events: Iterable[Event]) -> Table:
    """The table after many events."""
    return replay_with(evolve, table, events)
