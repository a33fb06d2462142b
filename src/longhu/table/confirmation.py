"""A report that waits for a second person: confirmed from that person's own screen, or rejected with a reason (SEC-1).

Until then no card, wager or payment moves, and what lies on the table stays as it lies. Confirmed, the report is decided on the table as it
is then, with whoever confirms it as co-signer; rejected, the round goes on as it was. Who may confirm is in the table of authority.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about, stored_name
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.authority import ANOTHER_PERSON_CONFIRMS, COSIGNER_TOO_LOW, POLICY
from longhu.table.messages import GIVE_REASON, REASON_MISSING, TABLE, ActCosigned, Command, decide, decides, evolves
from longhu.table.state import Awaited, Table

NOTHING_TO_CONFIRM = message_code("nothing-to-confirm", number="number")
REPORTED_IT_THEMSELVES = message_code("reported-it-themselves", person="person")


class ConfirmReport(Command, frozen=True, kw_only=True, tag="confirm-report/1"):
    """A second person has seen it, too: what the report asks for is done."""

    needs: ClassVar[Position] = Position.DEALER
    also_by: ClassVar[tuple[Position, ...]] = (Position.SURVEILLANCE,)

    number: int  # of the report


class ReportConfirmed(Event, frozen=True, kw_only=True, tag="report-confirmed/1"):
    number: int
    command: str
    reported_by: str


class RejectReport(Command, frozen=True, kw_only=True, tag="reject-report/1"):
    """It was not so, or whoever reported it takes it back: the round goes on as it was."""

    needs: ClassVar[Position] = Position.DEALER
    also_by: ClassVar[tuple[Position, ...]] = (Position.SURVEILLANCE,)

    number: int
    reason: str


class ReportRejected(Event, frozen=True, kw_only=True, tag="report-rejected/1"):
    number: int
    command: str
    reported_by: str
    reason: str


def asked(awaited: Awaited) -> Command:
    """The act that waits, as it was given."""
    kinds = {stored_name(kind): kind for kind in TABLE.deciders}
    command: Command = msgspec.convert(awaited.command, kinds[awaited.command["command"]], str_keys=True)
    return command


def _waiting(table: Table, number: int) -> Awaited | Refusal:
    if table.awaited is None or table.awaited.number != number:
        return Refusal(NOTHING_TO_CONFIRM(number=number), clause=POLICY)
    return table.awaited


def _too_low(awaited: Awaited, command: Command) -> Refusal | None:
    """Whoever confirms or rejects holds the position that the report asks for, or is surveillance where it may be."""
    if command.position >= awaited.needed or (awaited.surveillance and command.position is Position.SURVEILLANCE):
        return None
    held, needed = command.position.value, awaited.needed.value
    low = COSIGNER_TOO_LOW(person=command.by, position=held, needed=needed)
    return Refusal(low, ANOTHER_PERSON_CONFIRMS(), POLICY)


@decides(ConfirmReport)
def confirm_report(table: Table, game: Game, command: ConfirmReport) -> Decision:
    awaited = _waiting(table, command.number)
    if isinstance(awaited, Refusal):
        return awaited
    if command.by == awaited.by:
        return Refusal(REPORTED_IT_THEMSELVES(person=command.by), ANOTHER_PERSON_CONFIRMS(), POLICY)
    if (low := _too_low(awaited, command)) is not None:
        return low
    report = replace(asked(awaited), at=command.at, cosigned_by=(command.by,))
    decision = decide(replace(table, awaited=None), game, report)
    if isinstance(decision, Refusal):
        return decision
    confirmed = ReportConfirmed(
        number=awaited.number, command=awaited.name, reported_by=awaited.by, **about(command, POLICY)
    )
    return [confirmed, *(event for event in decision if not isinstance(event, ActCosigned))]


@decides(RejectReport)
def reject_report(table: Table, _game: Game, command: RejectReport) -> Decision:
    awaited = _waiting(table, command.number)
    if isinstance(awaited, Refusal):
        return awaited
    if command.by != awaited.by and (low := _too_low(awaited, command)) is not None:
        return low
    if not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON(), POLICY)
    rejected = ReportRejected(
        number=awaited.number,
        command=awaited.name,
        reported_by=awaited.by,
        reason=command.reason,
        **about(command, POLICY),
    )
    return [rejected]


@evolves(ReportConfirmed, ReportRejected)
def waits_no_longer(table: Table, _event: Event) -> Table:
    return replace(table, awaited=None)
