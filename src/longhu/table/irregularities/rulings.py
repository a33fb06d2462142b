"""What no clause covers: a person in a named position decides, with a reason (IDT-6.1, D21-12.0f)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.games.vocabulary import IRREGULARITY
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.document import rule_of, ruler, ruling_clause
from longhu.table.irregularities.cards import CARDS_ARE_GONE
from longhu.table.irregularities.missing import CardsFoundMissing
from longhu.table.messages import (
    AS_TOLD,
    ASK_POSITION,
    CARD_NOT_IN_SHOE,
    CARD_NOT_TOLD,
    GIVE_REASON,
    NO_ROUND,
    PIT_DECIDES_FIRST,
    POSITION_TOO_LOW,
    POSSIBLE_VALUES,
    REASON_MISSING,
    TELL_EACH_FACE,
    Command,
    decides,
    evolves,
    evolves_round,
)
from longhu.table.remedies.mispassed import HandRetrieved
from longhu.table.remedies.procedure import RULING_AWAITED, IncidentOpened, applied, retired
from longhu.table.remedies.restoring import restored
from longhu.table.remedies.void import voided
from longhu.table.remedies.withdrawal import BettingReopened
from longhu.table.state import Halt, Phase, Round, Table

NOTHING_TOLD = message_code("nothing-told")
SAY_WHAT_HAPPENED = message_code("say-what-happened")
NOTHING_TO_RULE_ON = message_code("nothing-to-rule-on")
UNKNOWN_RULING = message_code("unknown-ruling", decision="text")
FIND_OUT_OR_VOID = message_code("find-out-or-void")
WAITS_FOR_JUDGEMENT = message_code("waits-for-judgement", irregularity="message")
JUDGE_FIRST = message_code("judge-first")
BURN_BEFORE_FIRST_CARD = message_code("burn-before-first-card")


class ReportIncident(Command, frozen=True, kw_only=True, tag="report-incident/1"):
    """Something happened that the document does not name."""

    needs: ClassVar[Position] = Position.DEALER

    told: str


class MakeRuling(Command, frozen=True, kw_only=True, tag="make-ruling/1"):
    """Decide an incident: play on, void the round, or burn a card that was seen first; always with a reason."""

    needs: ClassVar[Position] = Position.DEALER

    decision: str  # one of DECISIONS
    reason: str
    card: str = ""  # the card to be burned


class RulingMade(Event, frozen=True, kw_only=True, tag="ruling-made/1"):
    decision: str
    reason: str


class CardBurned(Event, frozen=True, kw_only=True, tag="card-burned/1"):
    """The next card of the shoe goes to the discards before the first card of the round (Q35)."""

    card: str
    shoe_number: int


DECISIONS = ("continue", "void", "burn")


@decides(ReportIncident)
def report_incident(table: Table, game: Game, command: ReportIncident) -> Decision:
    if table.round is None:
        return Refusal(NO_ROUND())
    if not command.told.strip():
        return Refusal(NOTHING_TOLD(), SAY_WHAT_HAPPENED())
    if table.round.halt.incident:
        return Refusal(RULING_AWAITED(incident=table.round.halt.incident), PIT_DECIDES_FIRST(), ruling_clause(game))
    return [IncidentOpened(told=AS_TOLD(text=command.told), decider=ruler(game), **about(command, ruling_clause(game)))]


@decides(MakeRuling)
def rule(table: Table, game: Game, command: MakeRuling) -> Decision:
    round, clause = table.round, ruling_clause(game)
    if round is None or not round.halt.for_ruling:
        return Refusal(NOTHING_TO_RULE_ON())
    halt = round.halt
    decider = max(halt.decider, halt.judge, Position.PIT_SUPERVISOR if halt.frozen else Position.DEALER)
    if command.position < decider:
        needed = POSITION_TOO_LOW(position=command.position.value, needed=decider.value)
        return Refusal(needed, ASK_POSITION(position=decider.value), clause)
    if command.decision not in DECISIONS:
        return Refusal(UNKNOWN_RULING(decision=command.decision), POSSIBLE_VALUES(values=DECISIONS), clause)
    if not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON(), clause)
    if command.decision != "void" and round.search.missing:
        return Refusal(CARDS_ARE_GONE(), FIND_OUT_OR_VOID(), clause)
    if command.decision != "void" and halt.waits:
        return Refusal(WAITS_FOR_JUDGEMENT(irregularity=IRREGULARITY[halt.waits]()), JUDGE_FIRST(), clause)
    made = RulingMade(decision=command.decision, reason=command.reason, **about(command, clause))
    if command.decision == "void":
        return [made, *_voided(table, game, command, round)]
    if command.decision == "burn":
        burned = _burned(table, game, command, round)
        return burned if isinstance(burned, Refusal) else [made, *burned]
    return [made, *_goes_on(table, game, command, round)]


def _voided(table: Table, game: Game, command: MakeRuling, round: Round) -> list[Event]:
    """Every stake back; where the document says nothing of rulings, by what it says of the trouble, or REC-2."""
    waits = round.halt.waits
    judged = rule_of(game, waits) if waits else None
    clause = ruling_clause(game) or (judged.clauses[0] if judged and judged.clauses else "REC-2")
    return [
        *voided(table, command, AS_TOLD(text=command.reason), (clause,)),
        *retired(table, game, command, waits, clause),
    ]


def _goes_on(table: Table, game: Game, command: MakeRuling, round: Round) -> list[Event]:
    """What the report would have done is done now, and cards that lie wrong go where they belong."""
    stamp, deferred = about(command, ruling_clause(game)), round.halt.deferred
    if deferred is not None and deferred.gone:
        return [CardsFoundMissing(places=deferred.gone, decider=ruler(game), **stamp)]
    done: list[Event] = []
    if deferred is not None and deferred.hand is not None:
        done = [HandRetrieved(hand=deferred.hand, to=deferred.to, **stamp)]
    return [*done, *restored(applied(table, done), game, command, ruling_clause(game))]


def _burned(table: Table, game: Game, command: MakeRuling, round: Round) -> Decision:
    """The card that was seen is burned, and betting opens again (Q35)."""
    shoe, settings, clause = table.shoe, table.settings, ruling_clause(game)
    if round.cards or round.reserve or shoe is None or settings is None or not shoe.left:
        return Refusal(BURN_BEFORE_FIRST_CARD(), clause=clause)
    known = CARD_OF_TEXT.get(command.card)
    if known is None or not shoe.counts[known.number]:
        return Refusal(
            CARD_NOT_IN_SHOE(card=command.card) if command.card else CARD_NOT_TOLD(), TELL_EACH_FACE(), clause
        )
    burned = CardBurned(card=str(known), shoe_number=shoe.number, **about(command, clause))
    closed = round.phase is Phase.CLOSED
    return [burned, *([BettingReopened(number=round.number, **about(command, clause))] if closed else [])]


@evolves(CardBurned)
def card_burned(table: Table, event: CardBurned) -> Table:
    shoe = table.shoe
    if shoe is None:
        raise AssertionError("a card burned without a shoe")
    return replace(table, shoe=replace(shoe.gives((event.card,)), discards=(*shoe.discards, event.card)))


@evolves_round(RulingMade)
def ruling_made(round: Round, _event: RulingMade) -> Round:
    """An offer that patrons are thinking about stays open."""
    return replace(round, halt=Halt(offer=round.halt.offer))
