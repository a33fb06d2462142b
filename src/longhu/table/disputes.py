"""Disputes: somebody says that a round was not right, people state what they saw, and a person in a named position rules.

A dispute is a file about a round, in progress or over. It names the round, and copies nothing of it: what was dealt and paid stands in the records.
A ruling moves no money. Where it says that payments are to be corrected, they are, one by one and by two people, as every wrong payment is
(`correct-payment`, which then names the dispute). Who rules is the document's to say (IDT-6.1, D21-12.0f), and the gaming shift manager's where it says
nothing (Q39).
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.document import ruler, ruling_clause
from longhu.table.messages import (
    ASK_POSITION,
    GIVE_REASON,
    NOT_AT_TABLE,
    NOTHING_TOLD,
    POSITION_TOO_LOW,
    POSSIBLE_RANGE,
    REASON_MISSING,
    SAY_WHAT_HAPPENED,
    Command,
    decides,
    evolves,
)
from longhu.table.state import Dispute, Table, may_bet

NO_ROUND_OF_NUMBER = message_code("no-round-of-number", round="number")
NO_SUCH_DISPUTE = message_code("no-such-dispute", dispute="number")
DISPUTE_RULED_ON = message_code("dispute-ruled-on", dispute="number")
RAISE_ANOTHER = message_code("raise-another-dispute")
DISPUTE_RAISED_ALREADY = message_code("dispute-raised-already", dispute="number", round="number")
ADD_STATEMENT = message_code("add-statement")
TOO_MANY_DISPUTES = message_code("too-many-disputes", most="number")
WAIT_FOR_RULING = message_code("wait-for-ruling")
ONLY_STAFF_FOR_OTHERS = message_code("only-staff-for-others")
RAISED_IT_THEMSELVES = message_code("raised-it-themselves", person="person")
SOMEBODY_ELSE_RULES = message_code("somebody-else-rules")

OPEN_MAX = 5  # disputes of one person at a table that nobody has ruled on
About = Literal["payment", "wager", "cards", "other"]
DisputeDecision = Literal["payments-stand", "correct"]


class OfAnybody(Command, frozen=True, kw_only=True):
    """An act of somebody who has played here, whether they are still at the table or not."""

    def held_by(self, table: Table) -> Position | None:
        return super().held_by(table) or Position.PATRON


class RaiseDispute(OfAnybody, frozen=True, kw_only=True, tag="raise-dispute/1"):
    """A round was not right: a patron says so, or staff, for themselves or on a patron's word."""

    round: int
    about: About
    told: str
    patron: str = ""  # on whose word


class DisputeRaised(Event, frozen=True, kw_only=True, tag="dispute-raised/1"):
    dispute: int  # its number, from 1 in the table's life
    round: int
    about: About
    told: str
    patron: str  # whose it is; "" is the staff's


class AddStatement(OfAnybody, frozen=True, kw_only=True, tag="add-statement/1"):
    """What somebody has seen, for the file of a dispute; staff take down the words of others."""

    also_by: ClassVar[tuple[Position, ...]] = (Position.SURVEILLANCE,)

    dispute: int
    told: str
    person: str = ""  # whose words they are, where somebody else writes them down


class StatementAdded(Event, frozen=True, kw_only=True, tag="statement-added/1"):
    dispute: int
    told: str
    person: str


class RuleOnDispute(Command, frozen=True, kw_only=True, tag="rule-on-dispute/1"):
    """Decide a dispute, with a reason: the payments stand, or they are to be corrected."""

    needs: ClassVar[Position] = Position.DEALER

    dispute: int
    decision: DisputeDecision
    reason: str


class DisputeRuled(Event, frozen=True, kw_only=True, tag="dispute-ruled/1"):
    dispute: int
    decision: DisputeDecision
    reason: str


@decides(RaiseDispute)
def raise_dispute(table: Table, game: Game, command: RaiseDispute) -> Decision:
    clause, patron = ruling_clause(game), command.patron
    if not 1 <= command.round <= table.rounds:
        remedy = POSSIBLE_RANGE(least=1, most=table.rounds) if table.rounds else None
        return Refusal(NO_ROUND_OF_NUMBER(round=command.round), remedy, clause)
    if not command.told.strip():
        return Refusal(NOTHING_TOLD(), SAY_WHAT_HAPPENED(), clause)
    if command.position is Position.PATRON:
        if patron not in ("", command.by):
            return Refusal(ONLY_STAFF_FOR_OTHERS(), clause=clause)
        patron = command.by
    elif patron and not (may_bet(table, patron) or patron in table.paid_lately()):
        return Refusal(NOT_AT_TABLE(person=patron), clause=clause)
    own = [each for each in table.disputes.values() if not each.decision and each.raised_by(patron, command.by)]
    same = next((each for each in own if each.round == command.round), None)
    if same is not None:
        return Refusal(DISPUTE_RAISED_ALREADY(dispute=same.number, round=same.round), ADD_STATEMENT(), clause)
    if patron and len(own) >= OPEN_MAX:
        return Refusal(TOO_MANY_DISPUTES(most=OPEN_MAX), WAIT_FOR_RULING(), clause)
    raised = DisputeRaised(
        dispute=len(table.disputes) + 1,
        round=command.round,
        about=command.about,
        told=command.told,
        patron=patron,
        **about(command, clause),
    )
    return [raised]


def _open(table: Table, game: Game, number: int) -> Dispute | Refusal:
    """The dispute of this number, as long as nobody has ruled on it."""
    dispute, clause = table.disputes.get(number), ruling_clause(game)
    if dispute is None:
        return Refusal(NO_SUCH_DISPUTE(dispute=number), clause=clause)
    if dispute.decision:
        return Refusal(DISPUTE_RULED_ON(dispute=number), RAISE_ANOTHER(), clause)
    return dispute


@decides(AddStatement)
def add_statement(table: Table, game: Game, command: AddStatement) -> Decision:
    """A patron speaks in an own dispute, and hears of no other."""
    clause, is_patron = ruling_clause(game), command.position is Position.PATRON
    dispute = table.disputes.get(command.dispute)
    if is_patron and dispute is not None and dispute.patron != command.by:
        return Refusal(NO_SUCH_DISPUTE(dispute=command.dispute), clause=clause)
    found = _open(table, game, command.dispute)
    if isinstance(found, Refusal):
        return found
    if not command.told.strip():
        return Refusal(NOTHING_TOLD(), SAY_WHAT_HAPPENED(), clause)
    if is_patron and command.person not in ("", command.by):
        return Refusal(ONLY_STAFF_FOR_OTHERS(), clause=clause)
    person = command.person.strip() or command.by
    return [StatementAdded(dispute=found.number, told=command.told, person=person, **about(command, clause))]


@decides(RuleOnDispute)
def rule_on_dispute(table: Table, game: Game, command: RuleOnDispute) -> Decision:
    clause, needed = ruling_clause(game), ruler(game)
    dispute = _open(table, game, command.dispute)
    if isinstance(dispute, Refusal):
        return dispute
    if command.position < needed:
        low = POSITION_TOO_LOW(position=command.position.value, needed=needed.value)
        return Refusal(low, ASK_POSITION(position=needed.value), clause)
    if command.by == dispute.by:
        return Refusal(RAISED_IT_THEMSELVES(person=command.by), SOMEBODY_ELSE_RULES(), clause or "SEC-1")
    if not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON(), clause)
    told = {"decision": command.decision, "reason": command.reason}
    return [DisputeRuled(dispute=dispute.number, **told, **about(command, clause))]  # type: ignore[arg-type]


@evolves(DisputeRaised)
def dispute_raised(table: Table, event: DisputeRaised) -> Table:
    dispute = Dispute(event.dispute, event.round, event.about, event.patron, event.by, event.at)
    return replace(table, disputes={**table.disputes, event.dispute: dispute})


@evolves(StatementAdded)
def statement_added(table: Table, _event: StatementAdded) -> Table:
    return table  # what was said is in the record


@evolves(DisputeRuled)
def dispute_ruled(table: Table, event: DisputeRuled) -> Table:
    ruled = replace(table.disputes[event.dispute], decision=event.decision)
    return replace(table, disputes={**table.disputes, event.dispute: ruled})
