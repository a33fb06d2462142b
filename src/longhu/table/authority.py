"""The table of authority: who may do what at a table, from which moment on, and when a second person must confirm it.

One row says: this act, at tables of this kind, once the round has come so far, is for somebody in this position, and wants a second
person. `decide` reads the rows before it asks the rules of the act, and again when it knows what would follow. Of the rows of an act
**the first that holds decides**, so the latest moment stands first. An act without a row is for whoever its `needs` names, alone.

The last row is for every act: once a card of the round is out, nothing that one person of the staff does alone returns, adds or
changes a stake, opens betting again, or lets patrons withdraw (`MOVES`). So a new act is safe before anybody gives it a row; its own row
says it better, and may name surveillance, or that a document leaves it to one person (`alone`).

Two people are the house's policy (SEC-1), and no clause asks for them. Where the document names who decides, or leaves no choice
("shall be void"), the second person confirms the fact, and the document's rule follows.

To give an act a row, write one `Row` with its name on the wire, above the last row, with a `why`; `tests/table/test_authority.py` tries
it at each moment, and `docs/authority.md` shows it (`make docs`). A log names the version of the table that it was written under, and
is judged by that one: once a version has been released, a change makes a new one, with a new number in `AUTHORITIES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from longhu.eventsourcing import Event, Refusal, name_of
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.document import cite
from longhu.table.state import Phase, Table, standing

if TYPE_CHECKING:
    from longhu.table.messages import Command

POLICY = "SEC-1"  # what stands behind a second person where no clause does
PROGRAM = ("house", "auto-dealer", "auto-supervisor")  # the house's own program: nobody signs in under these names

TAKE_DEAL_FIRST = message_code("take-deal-first")
ANOTHER_DEALS = message_code("another-deals", dealer="person")
NOBODY_DEALS = message_code("nobody-deals")
NO_REAL_CARDS = message_code("no-real-cards")
ALL_CHIPS_RECORDED = message_code("all-chips-recorded")
REPORT_MALFUNCTION = message_code("report-malfunction-instead")
PROGRAM_DOES_THIS = message_code("house-does-this")
COSIGNER_IS_ACTOR = message_code("cosigner-is-actor", person="person")
COSIGNER_TWICE = message_code("cosigner-twice", person="person")
COSIGNER_NOT_STAFF = message_code("cosigner-not-staff", person="person")
SECOND_PERSON_NEEDED = message_code("second-person-needed", command="command", position="position")
COSIGNER_TOO_LOW = message_code("cosigner-too-low", person="person", position="position", needed="position")
ANOTHER_PERSON_CONFIRMS = message_code("another-person-confirms")
COSIGN_HERE = message_code("cosign-here")
CONFIRMATION_PENDING = message_code("confirmation-pending", command="command", person="person")
CONFIRM_OR_REJECT = message_code("confirm-or-reject")


class Moment(Enum):
    """From which moment of a round on a row holds."""

    ANY = "at any time"
    CALLED = "after the closing call"
    CARDS = "once a card of the round is out"
    BETWEEN = "between rounds"


class Tables(Enum):
    """The tables at which an act can occur at all."""

    ALL = "all"
    REAL_CARDS = "real cards"  # no program keeps the cards
    LOOSE_CHIPS = "physical chips"  # chips can lie there that nobody has recorded


class Case(NamedTuple):
    """Some forms of an act, and not its others."""

    says: str
    holds: Callable[[Command, Table], bool]


class Row(NamedTuple):
    """One line of the table of authority."""

    command: str  # by its name on the wire; EVERY for all
    second: Position | None = None  # one of the two must hold this position, or a higher; None: nobody else is needed
    since: Moment = Moment.ANY
    surveillance: bool = False  # may confirm it, too: it is a fact that can be seen
    alone: bool = False  # a document leaves it to one person, or somebody else has acted before: no later row holds
    actor: Position | None = None  # the lowest; None: as the act's `needs` says
    case: Case | None = None
    tables: Tables = Tables.ALL
    dealing: bool = False  # a dealer must be the one who has the deal (IDT-3.9.1, 6.2)
    waits: bool = True  # for a second person; False: that person signs at once, or it is refused
    program: bool = False  # of the house's program alone
    clause: str = POLICY
    why: str = ""


EVERY = "*"
PATRON, DEALER, SUPERVISOR = Position.PATRON, Position.DEALER, Position.PIT_SUPERVISOR
OF_THE_SET = ("foreign-card", "extra-card", "missing-card", "unshuffled-cards", "order-altered")  # of real cards
FOR_A_PATRON = Case("by staff for a patron", lambda command, _: command.position >= DEALER)
WRONG_SET = Case("of the cards themselves", lambda command, _: getattr(command, "kind", "") in OF_THE_SET)
BY_THE_PIT = Case("started by a supervisor or above", lambda command, _: command.position >= SUPERVISOR)
MOVED = Case(
    "to void the round, burn a card, or return a wager",
    lambda command, _: getattr(command, "decision", "") != "continue" or bool(getattr(command, "returns", ())),
)
LATER = Case("once the next card or the result has followed", lambda command, table: not _entered_last(table, command))

# What makes a round pay otherwise than its cards and stakes say: nobody does it alone once a card is out.
MOVES = frozenset([
    "round-voided", "stake-returned", "withdrawal-offered", "betting-reopened", "payments-reversed",
    "off-limits-wager-found", "chips-entered", "wager-placed", "wager-taken-back", "wager-reduced",
    "cards-found-mislaid", "cards-sorted", "cards-substituted", "card-burned", "cards-discarded", "cards-in-error-burned", "cards-put-back",
])  # fmt: skip
# What only stops a round until somebody decides: that act has a row of its own.
HALTS = frozenset(["irregularity-found", "incident-opened", "announcement-contradicted"])
# What goes on while a report waits for a second person: no card, no wager, no payment.
WHILE_WAITING = frozenset([
    "confirm-report", "reject-report", "join-table", "take-seat", "assign-staff", "take-the-deal", "suspend-table",
    "connect-source", "read-card", "read-cutting-card", "report-removed", "report-read-error", "count-messages", "lose-source",
    "commit-shuffle", "contribute", "raise-dispute", "add-statement", "rule-on-dispute", "request-chips", "issue-chips", "deliver-chips", "accept-chips", "recount-chips", "void-chip-request",
])  # fmt: skip

FIRST_TABLE = (
    Row("confirm-report", alone=True, why="it is the second person's act"),
    Row("reject-report", alone=True, why="nothing follows from the report, and the round goes on as it was"),
    Row("cancel-expired-round", program=True, why="the clock decides (DBO-30D-1), and the program reads it"),
    Row(
        "report-off-limits-wager", SUPERVISOR, Moment.CARDS, surveillance=True, tables=Tables.LOOSE_CHIPS, dealing=True,
        why="what lay there before the call is a fact that two have seen; what follows is the document's (IDT-5.12, IDT-5.13)",
    ),
    Row(
        "report-unentered-chips", SUPERVISOR, Moment.CARDS, surveillance=True, tables=Tables.LOOSE_CHIPS, dealing=True,
        why="what lay there before the call is a fact that two have seen: chance may have decided it",
    ),
    Row("report-late-chips", tables=Tables.LOOSE_CHIPS, dealing=True, why="they were never a wager: nothing moves"),
    Row("report-lifted-wager", tables=Tables.LOOSE_CHIPS, dealing=True, why="the wager stays at risk as it was"),
    Row(
        "record-unpaid-loss", DEALER, tables=Tables.LOOSE_CHIPS,
        why="the tray lacks what nobody handed over: one person could take it and say so",
    ),
    Row(
        "correct-payment", Position.PIT_MANAGER, case=BY_THE_PIT,
        why="money moves on somebody's word; what the pit starts, a manager confirms",
    ),
    Row("correct-payment", SUPERVISOR, dealing=True, why="money moves on somebody's word, and two have seen what was paid"),
    Row("raise-dispute", alone=True, why="anybody who played may; nothing moves"),
    Row("add-statement", alone=True, why="it is what somebody says; nothing moves"),
    Row(
        "rule-on-dispute", alone=True, clause="IDT-6.1",
        why="the document names who decides; each payment that follows is corrected by two",
    ),
    Row(
        "report-irregularity", SUPERVISOR, Moment.CALLED, surveillance=True, case=WRONG_SET, tables=Tables.REAL_CARDS, dealing=True, why="the document leaves no choice (shall be void), so two confirm the fact",
    ),
    Row("report-irregularity", SUPERVISOR, Moment.CARDS, surveillance=True, dealing=True, why="two confirm the fact"),
    Row(
        "draw-cards-together", SUPERVISOR, Moment.CALLED, surveillance=True, tables=Tables.REAL_CARDS, dealing=True,
        why="which card left the shoe first is a fact; a program draws one card at a time",
    ),
    Row(
        "report-mislaid-cards", SUPERVISOR, Moment.CARDS, surveillance=True, dealing=True,
        why="where a card lay, and in which order they came, decides the round",
    ),
    Row(
        "judge-irregularity", DEALER, Moment.CARDS, surveillance=True,
        why="the document names who decides; a second person has seen the cards",
    ),
    Row(
        "make-ruling", DEALER, Moment.CALLED, case=MOVED,
        why="the document names who decides (IDT-6.1); a second person knows that there is something to decide",
    ),
    Row(
        "report-missing-cards", SUPERVISOR, Moment.CARDS, surveillance=True, dealing=True,
        why="what the cards were is for the device or surveillance to say (IDT-5.11)",
    ),
    Row(
        "sort-cards", SUPERVISOR, Moment.CARDS, surveillance=True, dealing=True,
        why="the count says what the missing card was; it is made in view of surveillance (IDT-5.11.2)",
    ),
    Row("report-cutting-card", tables=Tables.REAL_CARDS, dealing=True, why="it takes no card's place; patrons may withdraw only before the first card (IDT-3.16.1)"),
    Row("report-drawn-in-error", dealing=True, why="the card lies aside until the ruling, which takes two"),
    Row("reset-device", SUPERVISOR, Moment.CARDS, dealing=True, why="patrons may withdraw after it (IDT-5.9)"),
    Row(
        "report-power-failure", SUPERVISOR, Moment.CARDS, surveillance=True, dealing=True,
        why="patrons may withdraw after it (IDT-5.15)",
    ),
    Row("report-malfunction", SUPERVISOR, Moment.BETWEEN, why="payments that were made are taken back, of any game during the malfunction (DBO-MALF-1)"),
    Row("report-malfunction", SUPERVISOR, Moment.CARDS, dealing=True, why="the round is void, and stakes go back"),
    Row(
        "answer-withdrawal-offer", SUPERVISOR, Moment.CARDS, surveillance=True, case=FOR_A_PATRON, waits=False,
        why="the patron's word, where the patron has no screen: two have heard it, before the time is up",
    ),
    Row("answer-withdrawal-offer", alone=True, why="a document offers it to patrons (IDT-5.8.1, IDT-5.9, IDT-5.15.1)"),
    Row("close-withdrawal-offer", alone=True, why="the time is up, and silence means stay (Q34)"),
    Row("expose-cards", dealing=True, why="what lies open lies open"),
    Row("report-face-up-card", dealing=True, why="the card is the next one, whoever has seen it"),
    Row(
        "correct-card", SUPERVISOR, Moment.CARDS, surveillance=True, case=LATER, tables=Tables.REAL_CARDS, dealing=True,
        why="what was entered has been acted on: two have looked at the card (IDT-6.3)",
    ),
    Row("correct-card", tables=Tables.REAL_CARDS, dealing=True, why="nothing has followed from the entry: whoever made it puts it right"),
    Row(
        "enter-unread-card", SUPERVISOR, surveillance=True, dealing=True,
        why="the shoe could not read it, so two people say what lies there",
    ),
    Row("leave-differential", alone=True, dealing=True, why="the document lets the dealer choose (D21-5.13), and no stake changes"),
    Row("deal-by-hand", DEALER, Moment.CALLED, why="from then on the cards are what people say, and no longer what the shoe reads"),
    Row(
        EVERY, SUPERVISOR, Moment.CARDS, surveillance=True,
        why="whatever it is, if it returns, adds or changes a stake, or moves a card (see MOVES)",
    ),
)  # fmt: skip

AUTHORITIES: dict[int, tuple[Row, ...]] = {1: FIRST_TABLE}
AUTHORITY = max(AUTHORITIES)  # the version that a table opens with today


# ------------------------------------------------ reading the table


@cache
def rows_of(version: int, command: type[Command]) -> tuple[Row, ...]:
    """The rows of an act, and then those of every act."""
    name, rows = name_of(command), AUTHORITIES[version]
    return tuple(row for row in rows if row.command in (name, EVERY))


@cache
def bounds_of(version: int, command: type[Command]) -> tuple[Row, ...]:
    """Those of them that say at which tables the act can occur, or that not everybody in a position does it."""
    rows = rows_of(version, command)
    return tuple(row for row in rows if row.program or row.dealing or row.tables is not Tables.ALL)


def has_come(table: Table, moment: Moment) -> bool:
    """Has the round come so far?"""
    round = table.round
    match moment:
        case Moment.ANY:
            return True
        case Moment.BETWEEN:
            return round is None
        case _ if round is None:
            return False
        case Moment.CALLED:
            return round.phase is not Phase.BETTING
    return bool(round.cards or round.reserve)


def _entered_last(table: Table, command: Command) -> bool:
    """Is it about a face that was entered last, with no card and no result since?"""
    round = table.round
    return round is not None and round.phase is Phase.DEALING and getattr(command, "laid", -1) in round.just_entered


def by_program(command: Command) -> bool:
    """Is it an act of the house's program, and of no person?"""
    return command.by in PROGRAM


def not_allowed(table: Table, game: Game, command: Command) -> Refusal | None:
    """Why this is not theirs to ask here, before the rules of the act are asked; None where it is."""
    awaited = table.awaited
    if awaited is not None and name_of(command) not in WHILE_WAITING:
        waiting = CONFIRMATION_PENDING(command=awaited.name, person=awaited.by)
        return Refusal(waiting, CONFIRM_OR_REJECT(), POLICY)
    for row in bounds_of(table.authority or AUTHORITY, type(command)):
        if row.case is not None and not row.case.holds(command, table):
            continue
        refusal = _not_here(table, row, command) or (_not_dealing(table, game, command) if row.dealing else None)
        if refusal is not None:
            return refusal
    return _wrong_cosigner(table, command) if command.cosigned_by else None


def _not_here(table: Table, row: Row, command: Command) -> Refusal | None:
    """What cannot occur at this kind of table, or is not for people to do."""
    settings = table.settings
    if row.program and not by_program(command):
        return Refusal(PROGRAM_DOES_THIS(), clause=row.clause)
    if settings is None:
        return None
    if row.tables is Tables.REAL_CARDS and settings.virtual_shoe:
        return Refusal(NO_REAL_CARDS(), REPORT_MALFUNCTION(), row.clause)
    if row.tables is Tables.LOOSE_CHIPS and settings.chips == "electronic":
        return Refusal(ALL_CHIPS_RECORDED(), clause=row.clause)
    return None


def _not_dealing(table: Table, game: Game, command: Command) -> Refusal | None:
    """Of the dealers only the one who has the deal acts; somebody in a higher position may (IDT-3.9.1, 6.2)."""
    if command.by == table.dealer or command.position is not DEALER or by_program(command):
        return None
    held = standing(table, command.by)
    if held is not None and held > DEALER:
        return None
    clause = cite(game, "dealer-draws") or POLICY
    if table.dealer:
        return Refusal(ANOTHER_DEALS(dealer=table.dealer), TAKE_DEAL_FIRST(), clause)
    automatic = table.settings is not None and table.settings.automatic_dealer
    return Refusal(NOBODY_DEALS(), TAKE_DEAL_FIRST(), clause) if automatic else None


def _wrong_cosigner(table: Table, command: Command) -> Refusal | None:
    """Whoever confirms is on the staff of this table, is somebody else, and does it once."""
    for place, person in enumerate(command.cosigned_by):
        if person == command.by:
            return Refusal(COSIGNER_IS_ACTOR(person=person), ANOTHER_PERSON_CONFIRMS(), POLICY)
        if person in command.cosigned_by[:place]:
            return Refusal(COSIGNER_TWICE(person=person), ANOTHER_PERSON_CONFIRMS(), POLICY)
        if person not in command.staff_of(table):
            return Refusal(COSIGNER_NOT_STAFF(person=person), ANOTHER_PERSON_CONFIRMS(), POLICY)
    return None


def second_person(table: Table, command: Command, events: Sequence[Event]) -> Row | None:
    """The row by which a second person is needed for what would follow; None where nobody is."""
    rows = rows_of(table.authority or AUTHORITY, type(command))
    for row in rows:
        if row.command == EVERY and command.position is PATRON:
            return None
        if row.case is not None and not row.case.holds(command, table):
            continue
        if not has_come(table, row.since):
            continue
        if row.alone:
            return None
        if row.second is None:
            continue
        if row.command == EVERY and not _moves(events):
            return None
        return None if by_program(command) or _only_halts(events) else row
    return None


def _moves(events: Sequence[Event]) -> bool:
    return any(name_of(event) in MOVES for event in events)


def _only_halts(events: Sequence[Event]) -> bool:
    return all(name_of(event) in HALTS for event in events)


def needed_of(row: Row, position: Position) -> Position:
    """The lowest position of the second person: one of the two holds what the row asks, and the other is of the staff."""
    return DEALER if row.second is None or position >= row.second else row.second


def not_confirmed(table: Table, command: Command, row: Row) -> Refusal | None:
    """Why those who have signed with it are not enough; None where one of them is."""
    needed = needed_of(row, command.position)
    for person in command.cosigned_by:
        held = standing(table, person)
        if held is not None and (held >= needed or (row.surveillance and held is Position.SURVEILLANCE)):
            return None
    person = command.cosigned_by[-1]
    held = standing(table, person) or Position.PATRON
    low = COSIGNER_TOO_LOW(person=person, position=held.value, needed=needed.value)
    return Refusal(low, ANOTHER_PERSON_CONFIRMS(), row.clause)
