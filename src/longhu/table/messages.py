"""Commands and events of a table: the register that all areas of the table share.

`decides` registers the function that judges a command, `evolves` the one that applies an event, and `evolves_round` one
that applies an event to the round in progress, for the many events that change nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from longhu.eventsourcing import Command as BaseCommand
from longhu.eventsourcing import Event, Refusal, Register, about
from longhu.games.game import Game
from longhu.ledger import posted
from longhu.messages.message import Message, message_code
from longhu.table.document import cite
from longhu.table.state import Round, Table, open_round, replace

TABLE_NOT_OPEN = message_code("table-not-open")
ROUND_IN_PROGRESS = message_code("round-in-progress")
FINISH_ROUND_FIRST = message_code("finish-round-first")
NOT_AT_TABLE = message_code("not-at-table", person="person")
BETTING_NOT_OPEN = message_code("betting-not-open")
ROUND_WAITS_FOR_RULING = message_code("round-waits-for-ruling")
PIT_DECIDES_FIRST = message_code("pit-decides-first")
WITHDRAWAL_OFFERED = message_code("withdrawal-offered")
WAIT_FOR_ANSWERS = message_code("wait-for-answers")
ROUND_UNDECIDED = message_code("round-undecided")
DECIDE_IT_FIRST = message_code("decide-it-first")
INITIAL_DEAL_NOT_OVER = message_code("initial-deal-not-over")
CARDS_FACE_DOWN = message_code("cards-face-down")
REVEAL_CARDS_FIRST = message_code("reveal-cards-first")
NO_CARD_DUE = message_code("no-card-due")
NO_SUCH_HAND = message_code("no-such-hand", hand="text")
SHOE_NOT_LOADED = message_code("shoe-not-loaded")
AMOUNT_NOT_POSITIVE = message_code("amount-not-positive", amount="money")
NOT_WHOLE_CHIPS = message_code("not-whole-chips", amount="money", unit="money")
CHIPS_DO_NOT_ADD_UP = message_code("chips-do-not-add-up", amount="money")
COUNT_AGAIN = message_code("count-again")
TAKE_WHOLE_CHIPS = message_code("take-whole-chips")
NOT_ENOUGH_CHIPS = message_code("not-enough-chips", patron="person", held="money")
BUY_CHIPS_FIRST = message_code("buy-chips-first")
POSITION_TOO_LOW = message_code("position-too-low", position="position", needed="position")
ASK_POSITION = message_code("ask-position", position="position")
REASON_MISSING = message_code("reason-missing")
GIVE_REASON = message_code("give-reason")
POSSIBLE_RANGE = message_code("possible-range", least="number", most="number")
POSSIBLE_VALUES = message_code("possible-values", values="texts")
HANDS_COMPLETE = message_code("hands-complete")
ANNOUNCE_RESULT = message_code("announce-result")
DEAL_ON = message_code("deal-on")
CARD_NOT_TOLD = message_code("card-not-told")
BETTING_STILL_OPEN = message_code("betting-still-open")
HAND_NOT_PASSED = message_code("hand-not-passed", hand="text")
HAND_ALREADY_OPEN = message_code("hand-already-open", hand="hand")
TELL_EACH_FACE = message_code("tell-each-face")
NO_SUCH_CARD = message_code("no-such-card")
NO_ROUND = message_code("no-round")
AS_TOLD = message_code("as-told", text="text")  # what a person typed
CARD_NOT_IN_SHOE = message_code("card-not-in-shoe", card="card")
TAKE_WHOLE_CHIPS_OR_ALL = message_code("take-whole-chips-or-all")

E = TypeVar("E", bound=Event)


def stored_name(name: str) -> str:
    """`DrawCard` is kept as draw-card/1; a command that changes its form takes a tag of its own."""
    return re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() + "/1"


class Command(BaseCommand, frozen=True, kw_only=True, tag=stored_name):
    """Something that somebody asks of the table."""

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
    reason: Message | str


def on_record(command: Command, refusal: Refusal) -> CommandRefused:
    """The refusal as an event for the log."""
    return CommandRefused(command=type(command).__name__, reason=refusal.reason, **about(command, refusal.clause))


@evolves(CommandRefused)
def command_refused(table: Table, _event: CommandRefused) -> Table:
    return table


def evolve(table: Table, event: Event) -> Table:
    """The table after an event: its state, and the money that the event moved."""
    after = TABLE.evolve(table, event)
    transactions = event.transactions()
    return replace(after, balances=posted(table.balances, transactions)) if transactions else after
