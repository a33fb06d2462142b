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
    absence,
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
    absence, betting, calls, cash, checkpoint, dealing, defects, differential, handling, nominees, opening, people, refusals, returned, settling, shoe,
    shuffling, spoken, suspension, cards, expiry, exposure, late, missing, power, remedies, restoring, rulings, void, withdrawal,
)  # fmt: skip

MOVE_MONEY = frozenset(kind for kind in EVOLVERS if kind.transactions is not Event.transactions)


def decide(table: Table, game: Game, command: Command) -> list[Event] | Refusal:
    """What happens when somebody asks for this: events, or the reason why not."""
    if table.stopped:
        return Refusal(f"the table has stopped: {table.stopped}", "Call the gaming shift manager")
    if table.settings is not None and table.game != game.digest:
        return Refusal("these are not the rules that the table was opened with", clause="RUL-3")
    held, used = held_by(table, command), command.position
    if held is None or not may_act_as(held, used) or not may_act_as(used, command.needs):
        return _not_entitled(held, game, command)
    return DECIDERS[type(command)](table, game, command)


def _not_entitled(held: Position | None, game: Game, command: Command) -> Refusal:
    """Whoever asks must hold the position in which it is asked, or act in it; and that must be high enough."""
    clause = cite(game, "position-above")
    if held is None or not may_act_as(held, command.position):
        return Refusal(f"{command.by} does not hold the position of {command.position.word} here", clause=clause)
    return Refusal(f"a {command.position.word} may not do this", f"Ask a {command.needs.word}", clause)


def held_by(table: Table, command: Command) -> Position | None:
    """The position that whoever asks holds or acts in; None for a stranger."""
    kind = type(command)
    if kind is opening.OpenTable or kind is people.Join:
        return _held_by_newcomer(table, command)
    held = people.standing(table, command.by)
    if held is None and any(each.person == command.by for each in table.nominees.values()):
        return Position.PATRON
    return held


def _held_by_newcomer(table: Table, command: Command) -> Position | None:
    if isinstance(command, opening.OpenTable):
        return command.staff.get(command.by)
    return table.staff.get(command.by, Position.PATRON)


def evolve(table: Table, event: Event) -> Table:
    """The table after an event: its state, and the money that the event moved."""
    after = EVOLVERS[type(event)](table, event)
    transactions = event.transactions()
    return replace(after, balances=posted(table.balances, transactions)) if transactions else after


def own(table: Table) -> Table:
    """The same table with balances, and stakes of its round, that nobody else holds: for events that are applied in place."""
    round = table.round
    mine = None if round is None else replace(round, stakes=round.stakes.copy())
    return replace(table, balances=table.balances.copy(), round=mine)


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
