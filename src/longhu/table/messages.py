"""Commands and events of a table, with the functions that judge and apply them: `decide` and `evolve` of a whole table.

`decides` registers the function of an area that judges a command, `evolves` the one that applies an event, and `evolves_round`
one that applies an event to the round in progress, for the many events that change nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import msgspec

from longhu.eventsourcing import Command as BaseCommand
from longhu.eventsourcing import Event, Refusal, Register, about, name_of, stored_name
from longhu.games.game import Game
from longhu.ledger import Transaction, posted
from longhu.messages.message import Message, message_code
from longhu.positions import OUTSIDE_LADDER, Position
from longhu.table import authority
from longhu.table.document import cite
from longhu.table.state import Awaited, Round, Table, open_round, replace, standing

TABLE_NOT_OPEN = message_code("table-not-open")
OPEN_TABLE_THEN = message_code("open-table-then")
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
CHIPS_NOT_COUNTED = message_code("chips-not-counted")
COUNT_BY_VALUE = message_code("count-by-value")
TAKE_WHOLE_CHIPS = message_code("take-whole-chips")
NOT_ENOUGH_CHIPS = message_code("not-enough-chips", patron="person", held="money")
BUY_CHIPS_FIRST = message_code("buy-chips-first")
POSITION_TOO_LOW = message_code("position-too-low", position="position", needed="position")
ASK_POSITION = message_code("ask-position", position="position")
REASON_MISSING = message_code("reason-missing")
GIVE_REASON = message_code("give-reason")
NOTHING_TOLD = message_code("nothing-told")
SAY_WHAT_HAPPENED = message_code("say-what-happened")
POSSIBLE_RANGE = message_code("possible-range", least="number", most="number")
POSSIBLE_VALUES = message_code("possible-values", values="texts")
TABLE_STOPPED = message_code("table-stopped")
CALL_SHIFT_MANAGER = message_code("call-shift-manager")
OTHER_RULES = message_code("other-rules")
POSITION_NOT_HELD = message_code("position-not-held", person="person", position="position")
JOIN_TABLE_FIRST = message_code("join-table-first")
TAKE_POSITION_FIRST = message_code("take-position-first")
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
AS_TOLD = message_code("as-told", text="reason")
REPORT_DRAWN_IN_ERROR = message_code("report-drawn-in-error")
CARD_NOT_IN_SHOE = message_code("card-not-in-shoe", card="card")
TAKE_WHOLE_CHIPS_OR_ALL = message_code("take-whole-chips-or-all")

E = TypeVar("E", bound=Event)
PATRON = Position.PATRON  # asked at every command, and the class is slow to ask


class Command(BaseCommand, frozen=True, kw_only=True):
    """Something that somebody asks of the table."""

    cosigned_by: tuple[str, ...] = ()  # who confirm it with their own sign-in; the server says it, never the wire

    def staff_of(self, table: Table) -> Collection[str]:
        """Who is on the staff of the table, for good or acting."""
        return table.staff.keys() | table.acting.keys()

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

    command: str  # its stored name
    reason: Message


def on_record(command: Command, refusal: Refusal) -> CommandRefused:
    """The refusal as an event for the log."""
    return CommandRefused(command=stored_name(command), reason=refusal.reason, **about(command, refusal.clause))


@evolves(CommandRefused)
def command_refused(table: Table, _event: CommandRefused) -> Table:
    return table


class ActCosigned(Event, frozen=True, kw_only=True, tag="act-cosigned/1"):
    """What follows is the act of several people: these confirm it, each with their own sign-in (SEC-1)."""

    command: str
    cosigned_by: tuple[str, ...]


@evolves(ActCosigned)
def act_cosigned(table: Table, _event: ActCosigned) -> Table:
    return table


class ConfirmationAwaited(Event, frozen=True, kw_only=True, tag="confirmation-awaited/1"):
    """A report is on record, and nothing follows from it until a second person confirms it (SEC-1)."""

    awaited: Awaited


@evolves(ConfirmationAwaited)
def confirmation_awaited(table: Table, event: ConfirmationAwaited) -> Table:
    return replace(table, awaited=event.awaited, reports=event.awaited.number)


# ------------------------------------------------ a table as a state machine


def decide(table: Table, game: Game, command: Command) -> list[Event] | Refusal:
    """What happens when somebody asks for this: events, or the reason why not. It changes nothing."""
    if table.stopped:
        return Refusal(TABLE_STOPPED(), CALL_SHIFT_MANAGER())
    if table.settings is not None and table.game != game.digest:
        return Refusal(OTHER_RULES(), clause="RUL-3")
    held = command.held_by(table)
    used = command.position
    if held is None or used not in held.covers or used not in command.open_to:
        return _not_entitled(held, game, command)
    refusal = authority.not_allowed(table, game, command)
    if refusal is not None:
        return refusal
    decision = TABLE.deciders[type(command)](table, game, _with_ids(game, command))
    return decision if isinstance(decision, Refusal) else _confirmed(table, command, decision)


def _with_ids(game: Game, command: Command) -> Command:
    """The same with wagers by their ids, whatever the layout calls them: 庄 is Banker (IDT-7-Ab, IDT-7-Bb, IDT-7-Cb, IDT-7-Db, IDT-7-Ea)."""
    wager = getattr(command, "wager", "")
    if wager and wager not in game.wagers and wager in game.wager_of_name:
        return replace(command, wager=game.wager_of_name[wager].id)
    wagers = getattr(command, "wagers", ())
    if wagers and any(isinstance(each, str) and each not in game.wagers for each in wagers):
        named = game.wager_of_name
        ids = tuple([named[each].id if each in named else each for each in wagers])
        return replace(command, wagers=ids)
    return command


def _confirmed(table: Table, command: Command, events: list[Event]) -> list[Event] | Refusal:
    """What follows; where a second person is needed for it, with that person, or once somebody has confirmed it."""
    row = authority.second_person(table, command, events)
    if row is None:
        return events
    if command.cosigned_by:
        return authority.not_confirmed(table, command, row) or [
            ActCosigned(command=name_of(command), cosigned_by=command.cosigned_by, **about(command, row.clause)),
            *events,
        ]
    needed = authority.needed_of(row, command.position)
    if not row.waits:
        alone = authority.SECOND_PERSON_NEEDED(command=name_of(command), position=needed.value)
        return Refusal(alone, authority.COSIGN_HERE(), row.clause)
    awaited = Awaited(
        number=table.reports + 1,
        name=name_of(command),
        command=msgspec.json.decode(msgspec.json.encode(command)),
        by=command.by,
        needed=needed,
        surveillance=row.surveillance,
    )
    return [ConfirmationAwaited(awaited=awaited, **about(command, row.clause))]


def _not_entitled(held: Position | None, game: Game, command: Command) -> Refusal:
    """Whoever asks must hold the position in which it is asked, or act in it; and that must be high enough."""
    clause, used = Command.reserved_by(command, game), command.position
    if held < used if held is not None else used in command.open_to:
        unheld = POSITION_NOT_HELD(person=command.by, position=used.value)
        if held is not None:
            return Refusal(unheld, ASK_POSITION(position=used.value), clause)
        return Refusal(unheld, JOIN_TABLE_FIRST() if used is PATRON else TAKE_POSITION_FIRST(), clause)
    needed = command.needs.value
    too_low = POSITION_TOO_LOW(position=used.value, needed=needed)
    reserved = "SEC-1" if used in OUTSIDE_LADDER else command.reserved_by(game)
    return Refusal(too_low, ASK_POSITION(position=needed), reserved)


def evolve(table: Table, event: Event, transactions: Sequence[Transaction] | None = None) -> Table:
    """The table after an event: its state, and the money that the event moved. It judges nothing.

    `transactions` are those of the event, where somebody has them already.
    """
    after = TABLE.evolvers[type(event)](table, event)
    moved = event.transactions() if transactions is None else transactions
    return replace(after, balances=posted(table.balances, moved)) if moved else after
