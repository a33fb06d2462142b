"""Who is at the table: patrons seated and standing, staff, and the dealer of the moment.

Where a patron has gone and left chips behind, a pit supervisor sends them to the cage and frees the seat (OPS-2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import is_spot
from longhu.messages.message import message_code
from longhu.money import AMOUNT_MAX, Amount
from longhu.positions import LADDER, OUTSIDE_LADDER, Position, next_above, outranks
from longhu.table.authority import ANOTHER_DEALS, TAKE_DEAL_FIRST
from longhu.table.cash import cashed
from longhu.table.commission import collected
from longhu.table.document import cite, ruler, ruling_clause
from longhu.table.messages import (
    ASK_POSITION,
    GIVE_REASON,
    NOT_AT_TABLE,
    POSSIBLE_RANGE,
    REASON_MISSING,
    TABLE_NOT_OPEN,
    Command,
    decides,
    evolves,
)
from longhu.table.nominees import END_ROLE_FIRST
from longhu.table.state import Person, Phase, Table, standing

NO_SUCH_SEAT = message_code("no-such-seat", seat="number", seats="number")
SEAT_IS_TAKEN = message_code("seat-is-taken", seat="number")
TAKE_ANOTHER_SEAT_OR_STAND = message_code("take-another-seat-or-stand")
NOT_A_NAME = message_code("not-a-name", name="text")
NAME_A_PERSON = message_code("name-a-person")
AT_TABLE_ALREADY = message_code("at-table-already", person="person")
HELD_NOT_ACTED_IN = message_code("held-not-acted-in", to="position")
STAFF_DO_NOT_PLAY = message_code("staff-do-not-play")
WAGERS_STILL_ON_LAYOUT = message_code("wagers-still-on-layout", patron="person")
WAIT_FOR_ROUND_TO_END = message_code("wait-for-round-to-end")
HOLDS_A_HAND = message_code("holds-a-hand", person="person")
HAND_BACK_OR_WAIT = message_code("hand-back-or-wait")
DEALER_REVEALS_OR_WAIT = message_code("dealer-reveals-or-wait")
CHIPS_STILL_AT_TABLE = message_code("chips-still-at-table", patron="person")
CASH_OUT_FIRST = message_code("cash-out-first")
NOMINEE_ROLE_STANDS = message_code("nominee-role-stands", person="person")
SUPERVISOR_ENDS_ROLE = message_code("supervisor-ends-role")
MAXIMUM_OUT_OF_RANGE = message_code("maximum-out-of-range", minimum="money", maximum="money")
MAXIMUM_FOR_NO_WAGER = message_code("maximum-for-no-wager")
NAME_WAGERS = message_code("name-wagers", wagers="wagers")
ROUND_WAGERS_MADE = message_code("round-wagers-made", round="number")
GRANT_MAXIMUM_LATER = message_code("grant-maximum-later")
PLAYS_HERE = message_code("plays-here", person="person")
PATRON_LEAVES_FIRST = message_code("patron-leaves-first")
CANNOT_ASSIGN_ABOVE = message_code("cannot-assign-above", position="position", to="position")
RANKS_ABOVE = message_code("ranks-above", person="person", held="position", position="position")
NOBODY_ELSE_IS = message_code("nobody-else-is", position="position")
NAME_ANOTHER_FIRST = message_code("name-another-first")
DEALS_ALREADY = message_code("deals-already", person="person")

TABLE_RATES_NOBODY = message_code("table-rates-nobody")
PLAY_WITH_CHIPS = message_code("play-with-chips")

NOBODY = ("", "*")  # what orders and wagers write for the dealer, or for everybody


class JoinTable(Command, frozen=True, kw_only=True, tag="join-table/1"):
    """Come to the table, to a seat or standing."""

    seat: int | None = None
    status: tuple[str, ...] = ()
    name: str = ""  # that others may see; the house looks it up

    def held_by(self, table: Table) -> Position | None:
        return table.staff.get(self.by, Position.PATRON)


class PatronJoined(Event, frozen=True, kw_only=True, tag="patron-joined/1"):
    person: str
    seat: int | None
    status: tuple[str, ...]
    name: str = ""  # chosen by the patron, for others to see


class LeaveTable(Command, frozen=True, kw_only=True, tag="leave-table/1"):
    """Go away, paid what is owed; not while money lies on the layout or chips are not cashed out."""


class PatronLeft(Event, frozen=True, kw_only=True, tag="patron-left/1"):
    person: str


class TakeSeat(Command, frozen=True, kw_only=True, tag="take-seat/1"):
    """Sit down at a free seat, or stand up (None)."""

    seat: int | None


class SeatTaken(Event, frozen=True, kw_only=True, tag="seat-taken/1"):
    person: str
    seat: int | None


class GrantMaximum(Command, frozen=True, kw_only=True, tag="grant-maximum/1"):
    """One patron's own maximum on the wagers named, above the table's or below it; None takes it back (D21-5.8.b)."""

    needs: ClassVar[Position] = Position.PIT_MANAGER

    person: str
    most: Amount | None
    wagers: tuple[str, ...]  # that it is for


class MaximumGranted(Event, frozen=True, kw_only=True, tag="maximum-granted/1"):
    person: str
    most: Amount | None
    wagers: tuple[str, ...]


class AssignStaff(Command, frozen=True, kw_only=True, tag="assign-staff/1"):
    """Put somebody into a position, for good or acting for a while."""

    needs: ClassVar[Position] = Position.PIT_MANAGER

    person: str
    to: Position
    acting: bool = False


class StaffAssigned(Event, frozen=True, kw_only=True, tag="staff-assigned/1"):
    person: str
    to: Position
    acting: bool


class TakeTheDeal(Command, frozen=True, kw_only=True, tag="take-the-deal/1"):
    """A dealer takes over the table."""

    needs: ClassVar[Position] = Position.DEALER


class DealerChanged(Event, frozen=True, kw_only=True, tag="dealer-changed/1"):
    before: str
    dealer: str


def is_somebody(id: str) -> bool:
    """May a person go by this name?"""
    return bool(id.strip()) and id not in NOBODY and not is_spot(id)


def can_rule(game: Game, *held: Mapping[str, Position]) -> bool:
    """Does anybody among these decide what no clause covers? Without them a round might never end (IDT-6.1, D21-12.0f)."""
    return any(position >= ruler(game) for each in held for position in each.values())


def _seat_refused(table: Table, person: str, seat: int | None) -> Refusal | None:
    if seat is None or table.settings is None:
        return None
    if not 1 <= seat <= table.settings.positions:
        return Refusal(
            NO_SUCH_SEAT(seat=seat, seats=table.settings.positions),
            POSSIBLE_RANGE(least=1, most=table.settings.positions),
        )
    taken = next((each.id for each in table.people.values() if each.seat == seat and each.id != person), None)
    return Refusal(SEAT_IS_TAKEN(seat=seat), TAKE_ANOTHER_SEAT_OR_STAND()) if taken else None


@decides(JoinTable)
def join(table: Table, _game: Game, command: JoinTable) -> Decision:
    if table.settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if not is_somebody(command.by):
        return Refusal(NOT_A_NAME(name=command.by), NAME_A_PERSON())
    if command.by in table.people:
        return Refusal(AT_TABLE_ALREADY(person=command.by))
    if command.by in table.staff or command.by in table.acting:
        return Refusal(STAFF_DO_NOT_PLAY())
    if table.settings.patrons == "unrated":
        return Refusal(TABLE_RATES_NOBODY(), PLAY_WITH_CHIPS())
    refused = _seat_refused(table, command.by, command.seat)
    joined = PatronJoined(
        person=command.by, seat=command.seat, status=command.status, name=command.name, **about(command)
    )
    return refused or [joined]


@evolves(PatronJoined)
def patron_joined(table: Table, event: PatronJoined) -> Table:
    number = table.visits + 1
    person = Person(event.person, event.seat, event.status, number=number, name=event.name)
    return replace(table, people={**table.people, event.person: person}, visits=number)


def has_wagers(table: Table, person: str) -> bool:
    """Does money of theirs lie on the layout, or in the dealer's hand?"""
    round = table.round
    return round is not None and bool(
        round.stakes_of(person) or any(each.patron == person for each in round.spoken.values())
    )


def holds_a_hand(table: Table, person: str) -> bool:
    round = table.round
    if round is None or round.phase is not Phase.DEALING:
        return False
    return person in round.holders or any(each.holder == person and not each.public for each in round.cards)


def is_represented(table: Table, person: str) -> bool:
    """Does a nominee act for them, or they for somebody?"""
    return any(person in (each.person, each.patron) for each in table.nominees.values() if each.active)


@decides(LeaveTable)
def leave(table: Table, game: Game, command: LeaveTable) -> Decision:
    if command.by not in table.people:
        return Refusal(NOT_AT_TABLE(person=command.by))
    if has_wagers(table, command.by):
        return Refusal(WAGERS_STILL_ON_LAYOUT(patron=command.by), WAIT_FOR_ROUND_TO_END())
    if holds_a_hand(table, command.by):
        return Refusal(HOLDS_A_HAND(person=command.by), HAND_BACK_OR_WAIT())
    if table.balances.get(f"patron:{command.by}"):
        return Refusal(CHIPS_STILL_AT_TABLE(patron=command.by), CASH_OUT_FIRST())
    if is_represented(table, command.by):
        clause = game.cites.get("nominee", ("",))[0]
        return Refusal(NOMINEE_ROLE_STANDS(person=command.by), SUPERVISOR_ENDS_ROLE(), clause)
    due = collected(table, game, command, command.by)  # of which nothing is there to be paid
    return [*due, *cashed(table, command, command.by), PatronLeft(person=command.by, **about(command))]


@evolves(PatronLeft)
def patron_left(table: Table, event: PatronLeft) -> Table:
    gone = event.person
    return replace(
        table,
        people={id: each for id, each in table.people.items() if id != gone},
        nominees={id: each for id, each in table.nominees.items() if gone not in (id, each.person)},
        self_only={id: acts for id, acts in table.self_only.items() if id != gone},
        returned={key: stake for key, stake in table.returned.items() if stake.patron != gone},
        kept={key: stake for key, stake in table.kept.items() if stake.patron != gone},
    )


@decides(TakeSeat)
def take_seat(table: Table, _game: Game, command: TakeSeat) -> Decision:
    if command.by not in table.people:
        return Refusal(NOT_AT_TABLE(person=command.by))
    refused = _seat_refused(table, command.by, command.seat)
    return refused or [SeatTaken(person=command.by, seat=command.seat, **about(command))]


@evolves(SeatTaken)
def seat_taken(table: Table, event: SeatTaken) -> Table:
    person = replace(table.people[event.person], seat=event.seat)
    return replace(table, people={**table.people, event.person: person})


@decides(GrantMaximum)
def grant_maximum(table: Table, game: Game, command: GrantMaximum) -> Decision:
    clause, settings = (game.maximum.clauses or game.cites.get("limits", ("",)))[0], table.settings
    if command.person not in table.people or settings is None:
        return Refusal(NOT_AT_TABLE(person=command.person), clause=clause)
    strange = next((each for each in command.wagers if each not in settings.limits), None)
    if strange is not None or not command.wagers:
        return Refusal(MAXIMUM_FOR_NO_WAGER(), NAME_WAGERS(wagers=[*settings.limits]), clause)
    least = max(settings.least(each) for each in command.wagers)
    if command.most is not None and not least <= command.most <= AMOUNT_MAX:
        return Refusal(MAXIMUM_OUT_OF_RANGE(minimum=least, maximum=AMOUNT_MAX), clause=clause)
    if table.round is not None and table.round.phase is not Phase.BETTING:
        return Refusal(
            ROUND_WAGERS_MADE(round=table.round.number),
            GRANT_MAXIMUM_LATER(),
            clause,
        )
    return [MaximumGranted(person=command.person, most=command.most, wagers=command.wagers, **about(command, clause))]


@evolves(MaximumGranted)
def maximum_granted(table: Table, event: MaximumGranted) -> Table:
    person = table.people[event.person]
    maxima = {wager: most for wager, most in person.maxima.items() if wager not in event.wagers}
    if event.most is not None:
        maxima |= dict.fromkeys(event.wagers, event.most)
    return replace(table, people={**table.people, event.person: replace(person, maxima=maxima)})


def _may_assign(position: Position, to: Position) -> bool:
    """Does this position include the other? Those outside the ladder are given by the operator alone (SEC-1)."""
    return to is not Position.DEVICE and (position >= to or outranks(position, to))


@decides(AssignStaff)
def assign_staff(table: Table, game: Game, command: AssignStaff) -> Decision:
    above = "SEC-1" if command.to in OUTSIDE_LADDER else cite(game, "position-above")
    if not is_somebody(command.person):
        return Refusal(NOT_A_NAME(name=command.person), NAME_A_PERSON())
    if command.person in table.people:
        return Refusal(PLAYS_HERE(person=command.person), PATRON_LEAVES_FIRST())
    if not _may_assign(command.position, command.to):
        return Refusal(CANNOT_ASSIGN_ABOVE(position=command.position.value, to=command.to.value), clause=above)
    held = standing(table, command.person)
    if held is not None and not _may_assign(command.position, held):
        return Refusal(
            RANKS_ABOVE(person=command.person, held=held.value, position=command.position.value),
            ASK_POSITION(position=held.value if held in LADDER else next_above(held).value),
            above,
        )
    if command.acting and command.to in OUTSIDE_LADDER:
        return Refusal(HELD_NOT_ACTED_IN(to=command.to.value), clause="SEC-1")
    assigned = StaffAssigned(person=command.person, to=command.to, acting=command.acting, **about(command))
    after = staff_assigned(table, assigned)
    if can_rule(game, table.staff, table.acting) and not can_rule(game, after.staff, after.acting):
        return Refusal(NOBODY_ELSE_IS(position=ruler(game).value), NAME_ANOTHER_FIRST(), ruling_clause(game))
    return [assigned]


@evolves(StaffAssigned)
def staff_assigned(table: Table, event: StaffAssigned) -> Table:
    if event.acting:
        return replace(table, acting={**table.acting, event.person: event.to})
    return replace(table, staff={**table.staff, event.person: event.to})


@decides(TakeTheDeal)
def take_the_deal(table: Table, _game: Game, command: TakeTheDeal) -> Decision:
    if table.dealer == command.by:
        return Refusal(DEALS_ALREADY(person=command.by))
    return [DealerChanged(before=table.dealer, dealer=command.by, **about(command))]


C = TypeVar("C", bound=Command)
Judge = Callable[[Table, Game, C], Decision]


def another_deals(table: Table, game: Game) -> Refusal:
    return Refusal(ANOTHER_DEALS(dealer=table.dealer), TAKE_DEAL_FIRST(), cite(game, "dealer-draws"))


def of_the_deal(judge: Judge[C]) -> Judge[C]:
    """Judge an act of the deal: of several dealers, one has the deal (IDT-3.9.1).

    Whoever acts first takes it, in the same decision, so that nobody deals unnamed. Afterwards another acts only who holds a
    higher position (IDT-6.2).
    """

    @wraps(judge)
    def judged(table: Table, game: Game, command: C) -> Decision:
        if command.by == table.dealer or command.position < Position.DEALER:
            return judge(table, game, command)
        if table.dealer:
            above = (standing(table, command.by) or Position.PATRON) > Position.DEALER
            return judge(table, game, command) if above else another_deals(table, game)
        decision = judge(table, game, command)
        if isinstance(decision, Refusal):
            return decision
        return [DealerChanged(before="", dealer=command.by, **about(command)), *decision]

    return judged


@evolves(DealerChanged)
def dealer_changed(table: Table, event: DealerChanged) -> Table:
    return replace(table, dealer=event.dealer)


class FreeSeat(Command, frozen=True, kw_only=True, tag="free-seat/1"):
    """Take the chips of an absent patron to the cage for them, and free the seat."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    patron: str
    reason: str


@decides(FreeSeat)
def free_seat(table: Table, game: Game, command: FreeSeat) -> Decision:
    patron = command.patron
    if patron not in table.people:
        return Refusal(NOT_AT_TABLE(person=patron))
    if not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON(), "OPS-2")
    if has_wagers(table, patron):
        return Refusal(WAGERS_STILL_ON_LAYOUT(patron=patron), WAIT_FOR_ROUND_TO_END())
    if holds_a_hand(table, patron):
        return Refusal(HOLDS_A_HAND(person=patron), DEALER_REVEALS_OR_WAIT())
    if is_represented(table, patron):
        clause = game.cites.get("nominee", ("",))[0]
        return Refusal(NOMINEE_ROLE_STANDS(person=patron), END_ROLE_FIRST(), clause)
    return [*cashed(table, command, patron, "OPS-2"), PatronLeft(person=patron, **about(command))]
