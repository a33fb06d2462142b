"""Cards seen too early, found face up, not passed, or held by somebody who is absent."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT, card
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.dealing import CardDrawn, DrawCard, draw_card
from longhu.table.document import rule_of, ruler
from longhu.table.handling import CardsRevealed, faces_of
from longhu.table.messages import (
    CARD_NOT_TOLD,
    HAND_ALREADY_OPEN,
    POSSIBLE_VALUES,
    TELL_EACH_FACE,
    Command,
    decides,
    evolves,
)
from longhu.table.priority import hand_index
from longhu.table.remedies.passing import HandPassed
from longhu.table.remedies.procedure import (
    UNKNOWN_IRREGULARITY,
    Case,
    IncidentOpened,
    follow,
    not_to_be_entered,
    round_in_hand,
)
from longhu.table.remedies.void import IrregularityFound
from longhu.table.remedies.withdrawal import WAIT
from longhu.table.state import Deferred, Round, Table

BY_MISTAKE = ("card-exposed", "dealt-face-up", "not-passed")


NO_CARD_FACE_DOWN = message_code("no-card-face-down")
FACES_TOLD_WRONG = message_code("faces-told-wrong", needed="number", told="number")
CARDS_LAY_OPEN = message_code("cards-lay-open", cards="cards")
CARDS_BESIDE_SHOE_FIRST = message_code("cards-beside-shoe-first")
DEAL_THEM_FIRST = message_code("deal-them-first")
FACE_UP_BEFORE_FIRST = message_code("face-up-before-first", card="card")
CARD_FACE_UP_BEFORE_FIRST = message_code("card-face-up-before-first")
NO_PATRON_HOLDS_HAND = message_code("no-patron-holds-hand")
DEALER_REVEALS_IT = message_code("dealer-reveals-it")
TIME_LEFT_TO_REVEAL = message_code("time-left-to-reveal", person="person", seconds="number")
PATRON_ABSENT = message_code("patron-absent", person="person")


class ExposeCards(Command, frozen=True, kw_only=True, tag="expose-cards/1"):
    """Cards lie open by mistake: turned early, dealt face up, or turned by the dealer instead of being passed."""

    needs: ClassVar[Position] = Position.DEALER

    kind: str  # one of BY_MISTAKE
    places: tuple[int, ...] = ()  # among the cards of the round, from 0; none: all of them
    cards: tuple[str, ...] = ()  # faces that the table does not know yet


class CardsExposed(Event, frozen=True, kw_only=True, tag="cards-exposed/1"):
    places: tuple[int, ...]
    cards: tuple[str, ...]


class ReportFaceUpCard(Command, frozen=True, kw_only=True, tag="report-face-up-card/1"):
    """The next card lies face up in the shoe (IDT-5.6)."""

    needs: ClassVar[Position] = Position.DEALER

    card: str = ""  # what a physical shoe shows


class RevealForAbsent(Command, frozen=True, kw_only=True, tag="reveal-for-absent/1"):
    """The dealer turns the cards of somebody who is not there, or whose time is over (IDT-5.10, D21-12.0e)."""

    needs: ClassVar[Position] = Position.DEALER

    hand: str
    gone: bool = False  # the dealer sees that the holder has left; otherwise the time has to be up
    cards: tuple[str, ...] = ()


# ------------------------------------------------ seen too early


@decides(ExposeCards)
def expose_cards(table: Table, game: Game, command: ExposeCards) -> Decision:
    round = round_in_hand(table)
    if isinstance(round, Refusal):
        return round
    if command.kind not in BY_MISTAKE:
        return Refusal(UNKNOWN_IRREGULARITY(kind=command.kind), POSSIBLE_VALUES(values=BY_MISTAKE))
    places = command.places or tuple(range(len(round.cards)))
    hidden = tuple(place for place, each in enumerate(round.cards) if not each.public and place in places)
    if not hidden or len(hidden) != len(places):
        return Refusal(NO_CARD_FACE_DOWN())
    unknown = [place for place in hidden if not round.cards[place].card]
    if len(unknown) != len(command.cards) or "" in command.cards:
        return Refusal(FACES_TOLD_WRONG(needed=len(unknown), told=len(command.cards)))
    impossible = not_to_be_entered(table, game, command.cards)
    if impossible is not None:
        return impossible
    told = iter(command.cards)
    faces = tuple(str(card(round.cards[place].card or next(told))) for place in hidden)
    rule = rule_of(game, command.kind)
    clause = rule.clauses[0] if rule and rule.clauses else ""
    shown = CardsExposed(places=hidden, cards=faces, **about(command, clause))
    return follow(table, game, command, command.kind, CARDS_LAY_OPEN(cards=faces), [shown])


@evolves(CardsExposed)
def cards_exposed(table: Table, event: CardsExposed) -> Table:
    round, shoe = table.round, table.shoe
    if round is None or shoe is None:
        raise AssertionError("cards without a round")
    cards, told = list(round.cards), []
    for place, face in zip(event.places, event.cards, strict=True):
        if not cards[place].card:
            told.append(face)
        cards[place] = replace(cards[place], card=face, public=True, source=cards[place].source or "dealer")
    return replace(table, round=replace(round, cards=tuple(cards)), shoe=shoe.told(told))


@decides(ReportFaceUpCard)
def face_up_in_shoe(table: Table, game: Game, command: ReportFaceUpCard) -> Decision:
    """Once the first card of the round is out, it is played like any other; before that, somebody rules (Q35)."""
    round = round_in_hand(table)
    if isinstance(round, Refusal):
        return round
    known = CARD_OF_TEXT.get(command.card)
    rule = rule_of(game, "card-face-up")
    clause = rule.clauses[0] if rule and rule.clauses else ""
    if round.reserve:
        return Refusal(CARDS_BESIDE_SHOE_FIRST(), DEAL_THEM_FIRST(), clause)
    if not round.cards:
        told = FACE_UP_BEFORE_FIRST(card=command.card) if command.card else CARD_FACE_UP_BEFORE_FIRST()
        found = IrregularityFound(kind="card-face-up", told=told, remedy="ruling", **about(command, clause))
        return [found, IncidentOpened(told=told, decider=ruler(game), **about(command, clause))]
    asked = DrawCard(by=command.by, at=command.at, position=command.position, card=str(known or command.card))
    drawn = draw_card(table, game, asked)
    if isinstance(drawn, Refusal) or not any(isinstance(event, CardDrawn) for event in drawn):
        return drawn
    facts = [
        replace(event, card=replace(event.card, public=True), clause=clause) if isinstance(event, CardDrawn) else event
        for event in drawn
    ]
    if any(isinstance(event, CardDrawn) and not event.card.card for event in facts):
        return Refusal(CARD_NOT_TOLD(), TELL_EACH_FACE())
    return follow(table, game, command, "card-face-up", None, facts)


# ------------------------------------------------ absent


@decides(RevealForAbsent)
def reveal_for_absent(table: Table, game: Game, command: RevealForAbsent) -> Decision:
    hand = hand_index(game, command.hand)
    round = _turnable(table, hand)
    if isinstance(round, Refusal):
        return round
    holder = round.holders[hand] if hand is not None else ""
    if hand is None or not holder or table.settings is None:
        return Refusal(NO_PATRON_HOLDS_HAND(), DEALER_REVEALS_IT())
    rule = rule_of(game, "patron-absent")
    clause = rule.clauses[0] if rule and rule.clauses else ""
    cards = round.cards_of(hand)
    if all(each.public for each in cards):
        return Refusal(HAND_ALREADY_OPEN(hand=command.hand))
    over = round.last_card_at + table.settings.reveal_seconds * 1000
    if not command.gone and command.at < over:
        left = (over - command.at + 999) // 1000
        return Refusal(TIME_LEFT_TO_REVEAL(person=holder, seconds=left), WAIT(), clause)
    faces = faces_of(table, game, cards, command.cards)
    if not isinstance(faces, tuple):
        return faces
    declined = round.declined[hand]

    def revealed(case: Case) -> list[Event]:
        stamp = about(command, case.clause())
        passed = HandPassed(hand=command.hand, to="", declined=declined, **stamp)
        return [passed, CardsRevealed(hand=command.hand, cards=faces, **stamp)]

    told = PATRON_ABSENT(person=holder)
    return follow(table, game, command, "patron-absent", told, own=revealed, deferred=Deferred(command.hand))


def _turnable(table: Table, hand: int | None) -> Round | Refusal:
    """The round; also while cards of the other hand are sought, for whoever left with them turns nothing (IDT-5.11)."""
    round = table.round
    if round is None or not round.search.missing or round.halt.incident or hand is None:
        return round_in_hand(table)
    gone = {round.cards[place].hand for place in round.search.missing}
    return round_in_hand(table) if round.hands[hand] in gone else round
