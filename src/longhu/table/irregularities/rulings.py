"""What no clause covers: a person in a named position decides, with a reason (IDT-6.1, D21-12.0f)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.games.game import Game
from longhu.table.acts import Command, Decision, Event, Refusal, about, decides, evolves
from longhu.table.positions import OF_WORD, Position
from longhu.table.state import Table


class ReportIncident(Command, frozen=True, kw_only=True):
    """Something happened that the document does not name."""

    needs: ClassVar[Position] = Position.DEALER

    told: str


class IncidentOpened(Event, frozen=True, kw_only=True, tag="incident-opened/1"):
    told: str
    decider: Position


class Rule(Command, frozen=True, kw_only=True):
    """Decide an incident: play on, or void the round; always with a reason."""

    needs: ClassVar[Position] = Position.DEALER

    decision: str  # "continue" or "void"
    reason: str


class RulingMade(Event, frozen=True, kw_only=True, tag="ruling-made/1"):
    decision: str
    reason: str


@decides(ReportIncident)
def report_incident(table: Table, game: Game, command: ReportIncident) -> Decision:
    if table.round is None:
        return Refusal("no round is in progress")
    rule = game.irregularities.get("other")
    decider = OF_WORD[rule.decides] if rule and rule.decides else Position.GAMING_SHIFT_MANAGER
    clause = rule.clauses[0] if rule and rule.clauses else ""
    return [IncidentOpened(told=command.told, decider=decider, **about(command, clause))]


@evolves(IncidentOpened)
def incident_opened(table: Table, event: IncidentOpened) -> Table:
    if table.round is None:
        raise AssertionError("an incident without a round")
    return replace(table, round=replace(table.round, incident=event.told, decider=event.decider))


@decides(Rule)
def rule(table: Table, game: Game, command: Rule) -> Decision:
    from longhu.table.irregularities.void import voided

    round = table.round
    if round is None or not (round.incident or round.frozen):
        return Refusal("nothing waits for a ruling")
    decider = max(round.decider, Position.PIT_SUPERVISOR) if round.frozen else round.decider
    other = game.irregularities.get("other")
    clause = other.clauses[0] if other and other.clauses else ""
    if command.position < decider:
        return Refusal(f"a {decider.word} decides this", "Call one", clause)
    if command.decision not in ("continue", "void") or not command.reason.strip():
        return Refusal("a ruling is to continue or to void, with a reason", clause=clause)
    made = RulingMade(decision=command.decision, reason=command.reason, **about(command, clause))
    return [made, *voided(table, command, command.reason, (clause,))] if command.decision == "void" else [made]


@evolves(RulingMade)
def ruling_made(table: Table, _event: RulingMade) -> Table:
    if table.round is None:
        return table
    return replace(table, round=replace(table.round, incident="", frozen=False, decider=Position.DEALER))
