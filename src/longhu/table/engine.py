"""A table as a state machine: `decide` judges a command, `evolve` applies an event.

`decide` changes nothing and `evolve` judges nothing: history is replayed, never tried again under newer rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import groupby

from msgspec.structs import replace

from longhu.games.game import Game
from longhu.ledger import mover, posted
from longhu.table import (
    betting,
    calls,
    cash,
    checkpoint,
    dealing,
    defects,
    differential,
    handling,
    nominees,
    opening,
    people,
    refusals,
    returned,
    settling,
    shoe,
    shuffling,
    spoken,
    suspension,
)
from longhu.table.acts import DECIDERS, EVOLVERS, RUN_EVOLVERS, Command, Event, Refusal, cite
from longhu.table.irregularities import (
    cards,
    expiry,
    exposure,
    late,
    missing,
    power,
    remedies,
    restoring,
    rulings,
    void,
    withdrawal,
)
from longhu.table.positions import Position, may_act_as
from longhu.table.state import Table

AREAS = (  # each registers its commands and events when it is imported
    betting, calls, cash, checkpoint, dealing, defects, differential, handling, nominees, opening, people, refusals, returned, settling, shoe,
    shuffling, spoken, suspension, cards, expiry, exposure, late, missing, power, remedies, restoring, rulings, void, withdrawal,
)  # fmt: skip

MOVE_MONEY = frozenset(kind for kind in EVOLVERS if kind.transactions is not Event.transactions)


def decide(table: Table, game: Game, command: Command) -> list[Event] | Refusal:
    """What happens when somebody asks for this: events, or the reason why not."""
    if table.stopped:
        return Refusal(f"the table has stopped: {table.stopped}", "Call the gaming shift manager")
    if table.settings is not None and table.game != game.digest:
        return Refusal("these are not the rules that the table was opened with", clause="RUL-3")
    refusal = _not_entitled(table, game, command)
    return refusal if refusal is not None else DECIDERS[type(command)](table, game, command)


def _not_entitled(table: Table, game: Game, command: Command) -> Refusal | None:
    """Whoever asks must hold the position in which it is asked, or act in it; and that must be high enough."""
    held = held_by(table, command)
    if held is None or not may_act_as(held, command.position):
        return Refusal(
            f"{command.by} does not hold the position of {command.position.word} here",
            clause=cite(game, "position-above"),
        )
    if not may_act_as(command.position, command.needs):
        return Refusal(
            f"a {command.position.word} may not do this",
            f"Ask a {command.needs.word}",
            cite(game, "position-above"),
        )
    return None


def held_by(table: Table, command: Command) -> Position | None:
    """The position that whoever asks holds or acts in; None for a stranger."""
    if isinstance(command, opening.OpenTable):
        return command.staff.get(command.by)
    if isinstance(command, people.Join):
        return table.staff.get(command.by, Position.PATRON)
    held = people.standing(table, command.by)
    if held is None and any(each.person == command.by for each in table.nominees.values()):
        return Position.PATRON
    return held


def evolve(table: Table, event: Event) -> Table:
    """The table after an event: its state, and the money that the event moved."""
    after = EVOLVERS[type(event)](table, event)
    transactions = event.transactions()
    return replace(after, balances=posted(table.balances, transactions)) if transactions else after


def replay(table: Table, events: Iterable[Event]) -> Table:
    """The table after many events: as `evolve` would leave it.

    Events of a kind are taken as they come in a row, and one set of balances is posted to all along.
    """
    balances = dict(table.balances)
    table, move = replace(table, balances=balances), mover(balances)
    for kind, row in groupby(events, type):
        run = list(row)
        at_once = RUN_EVOLVERS.get(kind)
        table = at_once(table, run) if at_once else reduce(EVOLVERS[kind], run, table)
        if kind in MOVE_MONEY:
            for event in run:
                event.moves(move)
    return table
