"""A hand that went to the wrong person: reported, taken back, and passed to the right one (IDT-5.7b)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.document import rule_of
from longhu.table.messages import HAND_ALREADY_OPEN, HAND_NOT_PASSED, NOT_AT_TABLE, Command, decides, evolves_round
from longhu.table.priority import hand_index, takes_cards
from longhu.table.remedies.passing import rightly_held
from longhu.table.remedies.procedure import Case, follow, round_in_hand
from longhu.table.remedies.restoring import handed
from longhu.table.state import Deferred, Round, Table, open_round

SAY_WHO_HAS_HAND = message_code("say-who-has-hand")
RETRIEVE_HAND = message_code("retrieve-hand")
HAND_IS_DUE_TO = message_code("hand-is-due-to", hand="hand", person="person")
HAND_WITH_ON_RECORD = message_code("hand-with-on-record", hand="hand", person="person")
HAND_NOT_MISPASSED = message_code("hand-not-mispassed")
HAND_WENT_WRONG = message_code("hand-went-wrong", hand="hand", person="person", due="person")


class ReportMispassedHand(Command, frozen=True, kw_only=True, tag="report-mispassed-hand/1"):
    """A hand went to somebody who is not entitled to it."""

    needs: ClassVar[Position] = Position.DEALER

    hand: str
    to: str


class HandMispassed(Event, frozen=True, kw_only=True, tag="hand-mispassed/1"):
    hand: str
    to: str
    due: str  # "" is the dealer


class RetrieveHand(Command, frozen=True, kw_only=True, tag="retrieve-hand/1"):
    """Take a hand back from the wrong person, and pass it to the right one (IDT-5.7b)."""

    needs: ClassVar[Position] = Position.DEALER

    hand: str


class HandRetrieved(Event, frozen=True, kw_only=True, tag="hand-retrieved/1"):
    hand: str
    to: str


@decides(ReportMispassedHand)
def report_mispassed(table: Table, game: Game, command: ReportMispassedHand) -> Decision:
    round, hand = round_in_hand(table), hand_index(game, command.hand)
    if isinstance(round, Refusal):
        return round
    if hand is None or not round.passed or hand in round.asks_supervisor:
        return Refusal(HAND_NOT_PASSED(hand=command.hand))
    if all(each.public for each in round.cards_of(hand)):
        return Refusal(HAND_ALREADY_OPEN(hand=command.hand))
    rule, due = rule_of(game, "wrong-recipient"), round.mispassed.get(hand, round.holders[hand])
    clause = rule.clauses[0] if rule and rule.clauses else ""
    if not takes_cards(table, command.to):
        return Refusal(NOT_AT_TABLE(person=command.to), SAY_WHO_HAS_HAND(), clause)
    if command.to == due:
        remedy = RETRIEVE_HAND() if hand in round.mispassed else None
        return Refusal(HAND_IS_DUE_TO(hand=command.hand, person=due), remedy, clause)
    if command.to == round.holders[hand]:
        return Refusal(HAND_WITH_ON_RECORD(hand=command.hand, person=command.to), RETRIEVE_HAND(), clause)
    wrong = HandMispassed(hand=command.hand, to=command.to, due=due, **about(command, clause))
    return [wrong]


@decides(RetrieveHand)
def retrieve_hand(table: Table, game: Game, command: RetrieveHand) -> Decision:
    """While nobody has seen them the cards go to the right person; once seen, the outcome stands (Q36)."""
    round, hand = round_in_hand(table), hand_index(game, command.hand)
    if isinstance(round, Refusal):
        return round
    if hand is None or hand not in round.mispassed:
        return Refusal(HAND_NOT_MISPASSED())
    if retrievable(game, round, hand):
        return retrieved(table, game, command, hand)
    told, stands = _went_wrong(round, hand), Deferred(command.hand, round.holders[hand])
    return follow(table, game, command, "wrong-squeezer", told, deferred=stands)


def retrievable(game: Game, round: Round, hand: int) -> bool:
    """Does a hand at the wrong person go to the right one? Not once it was seen, nor where a house lets it stay (Q36)."""
    seen = any(each.seen or each.public for each in round.cards_of(hand))
    return not seen and game.chosen.get("wrong_recipient") != "stand"


def retrieved(table: Table, game: Game, command: Command, hand: int) -> Decision:
    """The hand goes to whom it is due, or a ruling comes first."""
    round = open_round(table)
    due = round.mispassed[hand]

    def passed_on(case: Case) -> list[Event]:
        return [HandRetrieved(hand=round.hands[hand], to=due, **about(command, case.clause()))]

    told, deferred = _went_wrong(round, hand), Deferred(round.hands[hand], due)
    return follow(table, game, command, "wrong-recipient", told, own=passed_on, deferred=deferred)


def _went_wrong(round: Round, hand: int) -> Message:
    held, due = round.holders[hand] or "dealer", round.mispassed[hand] or "dealer"
    return HAND_WENT_WRONG(hand=round.hands[hand], person=held, due=due)


@evolves_round(HandMispassed)
def hand_mispassed(round: Round, event: HandMispassed) -> Round:
    hand = round.hands.index(event.hand)
    return _held_by(round, hand, event.to, {**round.mispassed, hand: event.due}, event.at)


@evolves_round(HandRetrieved)
def hand_retrieved(round: Round, event: HandRetrieved) -> Round:
    hand = round.hands.index(event.hand)
    return _held_by(round, hand, event.to, rightly_held(round, hand), event.at)


def _held_by(round: Round, hand: int, holder: str, mispassed: dict[int, str], at: int) -> Round:
    holders = [*round.holders]
    holders[hand] = holder
    cards = tuple(handed(each, holder) if each.hand == round.hands[hand] else each for each in round.cards)
    return replace(round, cards=cards, holders=(holders[0], holders[1]), mispassed=mispassed, last_card_at=at)
