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
from longhu.settlement import WAGER_NEEDS_ANOTHER
from longhu.table.betting import NO_SUCH_WAGER
from longhu.table.dealing import hands_complete
from longhu.table.differential import left_alone
from longhu.table.document import clause_of, rule_of, ruler, ruling_clause
from longhu.table.irregularities.cards import CARDS_ARE_GONE
from longhu.table.irregularities.drawn_in_error import CardsInErrorBurned, CardsPutBack
from longhu.table.irregularities.missing import CardsFoundMissing
from longhu.table.messages import (
    AS_TOLD,
    ASK_POSITION,
    CARD_NOT_IN_SHOE,
    CARD_NOT_TOLD,
    GIVE_REASON,
    NO_ROUND,
    NOTHING_TOLD,
    PIT_DECIDES_FIRST,
    POSITION_TOO_LOW,
    POSSIBLE_VALUES,
    REASON_MISSING,
    SAY_WHAT_HAPPENED,
    TELL_EACH_FACE,
    Command,
    decides,
    evolves,
)
from longhu.table.remedies.mispassed import HandRetrieved
from longhu.table.remedies.passing import passed_anew
from longhu.table.remedies.procedure import RULING_AWAITED, IncidentOpened, applied, retired
from longhu.table.remedies.restoring import restored
from longhu.table.remedies.void import StakeReturned, voided
from longhu.table.remedies.withdrawal import BettingReopened
from longhu.table.state import Halt, Phase, Round, Table, open_round, stake_key

NOTHING_TO_RULE_ON = message_code("nothing-to-rule-on")
UNKNOWN_RULING = message_code("unknown-ruling", decision="text")
FIND_OUT_OR_VOID = message_code("find-out-or-void")
WAITS_FOR_JUDGEMENT = message_code("waits-for-judgement", irregularity="message")
JUDGE_FIRST = message_code("judge-first")
NEXT_ROUND_WOULD_KNOW_IT = message_code("next-round-would-know-it")
BURN_IT_OR_VOID = message_code("burn-it-or-void")
RETURN_IT_TOO = message_code("return-it-too")
BURN_BEFORE_FIRST_CARD = message_code("burn-before-first-card")


class ReportIncident(Command, frozen=True, kw_only=True, tag="report-incident/1"):
    """Something happened that the document does not name."""

    needs: ClassVar[Position] = Position.DEALER

    told: str


class MakeRuling(Command, frozen=True, kw_only=True, tag="make-ruling/1"):
    """Decide an incident, always with a reason: play on, void the round, burn a card that was seen first.

    A card drawn in error is burned or put back as the next one, or the round is void. Where the round goes on, single wagers may
    go back to their patrons: the others stand.
    """

    needs: ClassVar[Position] = Position.DEALER

    decision: str  # one of DECISIONS, or of OF_CARDS_IN_ERROR
    reason: str
    card: str = ""  # the card to be burned
    returns: tuple[tuple[str, int, str], ...] = ()  # wagers that go back: whose, at which position, on what


class RulingMade(Event, frozen=True, kw_only=True, tag="ruling-made/1"):
    decision: str
    reason: str


class CardBurned(Event, frozen=True, kw_only=True, tag="card-burned/1"):
    """The next card of the shoe goes to the discards before the first card of the round (Q35)."""

    card: str
    shoe_number: int


DECISIONS = ("continue", "void", "burn")
OF_CARDS_IN_ERROR = ("burn", "replace", "void")


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
    round = table.round
    if round is None or not round.halt.for_ruling:
        return Refusal(NOTHING_TO_RULE_ON())
    clause = clause_of(game, "drawn-in-error") if round.in_error else ruling_clause(game)
    halt = round.halt
    decider = max(halt.decider, halt.judge, Position.PIT_SUPERVISOR if halt.frozen else Position.DEALER)
    if command.position < decider:
        needed = POSITION_TOO_LOW(position=command.position.value, needed=decider.value)
        return Refusal(needed, ASK_POSITION(position=decider.value), clause)
    possible = _possible(table, round)
    if command.returns:  # a void round returns them all
        possible = tuple(each for each in possible if each != "void")
    if command.decision not in possible:
        return Refusal(UNKNOWN_RULING(decision=command.decision), POSSIBLE_VALUES(values=possible), clause)
    if not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON(), clause)
    if command.decision != "void" and round.search.missing:
        return Refusal(CARDS_ARE_GONE(), FIND_OUT_OR_VOID(), clause)
    if command.decision != "void" and halt.waits:
        return Refusal(WAITS_FOR_JUDGEMENT(irregularity=IRREGULARITY[halt.waits]()), JUDGE_FIRST(), clause)
    made = RulingMade(decision=command.decision, reason=command.reason, **about(command, clause))
    if command.decision == "void":
        return [made, *_voided(table, game, command, round, clause)]
    if round.in_error:
        follows = _disposed(game, command, round, made)
    elif command.decision == "burn":
        follows = _burned(table, game, command, round)
    else:
        follows = _goes_on(table, game, command, round)
    returned = _returned(game, command, round, made)
    if isinstance(follows, Refusal) or isinstance(returned, Refusal):
        return follows if isinstance(follows, Refusal) else returned
    events = [made, *returned, *follows]
    return [*events, *passed_anew(applied(table, events), game, command)] if returned else events


def _returned(game: Game, command: MakeRuling, round: Round, made: RulingMade) -> Decision:
    """The wagers that the ruling names go back; none that stands may be left without one that it has to stand beside."""
    named = {stake_key(*each): each for each in command.returns}
    missing = next((each for key, each in named.items() if key not in round.stakes), None)
    if missing is not None:
        patron, place, wager = missing
        return Refusal(NO_SUCH_WAGER(patron=patron[:60], wager=wager[:60], place=place), clause=made.clause)
    alone = left_alone(game, [stake for key, stake in round.stakes.items() if key not in named]) if named else []
    if alone:
        needs = game.wagers[alone[0].wager]
        left = WAGER_NEEDS_ANOTHER(wager=needs.id, others=needs.requires)
        return Refusal(left, RETURN_IT_TOO(), needs.clauses[0] if needs.clauses else made.clause)
    return [StakeReturned(stake=round.stakes[key], why="ruling", **about(command, made.clause)) for key in named]


def _possible(table: Table, round: Round) -> tuple[str, ...]:
    """What may be decided. No card goes back into a virtual shoe: its order is sealed."""
    if not round.in_error:
        return DECISIONS
    virtual = table.settings is not None and table.settings.virtual_shoe
    return tuple(each for each in OF_CARDS_IN_ERROR if not virtual or each != "replace")


def _disposed(game: Game, command: MakeRuling, round: Round, made: RulingMade) -> Decision:
    """Cards drawn in error are burned, or put back; not before a round that would be bet on over an open card."""
    stamp, count = about(command, made.clause), len(round.in_error)
    if command.decision == "burn":
        return [CardsInErrorBurned(count=count, **stamp)]
    comes_later = round.phase is Phase.BETTING or hands_complete(game, round)
    if comes_later and any(each.exposed for each in round.in_error):
        return Refusal(NEXT_ROUND_WOULD_KNOW_IT(), BURN_IT_OR_VOID(), made.clause)
    return [CardsPutBack(count=count, **stamp)]


def _voided(table: Table, game: Game, command: MakeRuling, round: Round, clause: str) -> list[Event]:
    """Every stake back; where the document says nothing of rulings, by what it says of the trouble, or REC-2."""
    waits = round.halt.waits
    judged = rule_of(game, waits) if waits else None
    clause = clause or (judged.clauses[0] if judged and judged.clauses else "REC-2")
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
    if deferred is not None and deferred.hand:
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


@evolves(RulingMade)
def ruling_made(table: Table, event: RulingMade) -> Table:
    """An offer that patrons are thinking about stays open. What a reading shoe said of the round is settled by it."""
    round, source = open_round(table), table.source
    if source is not None and (source.fault is not None or (event.decision == "burn" and not round.in_error)):
        source = source.settled_for(round.number)
    return replace(table, source=source, round=replace(round, halt=Halt(offer=round.halt.offer)))
