"""A card that was entered wrongly: the cards that were dealt stand, so the entry is put right by another event (IDT-6.3)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.dealing import TELL_CARD
from longhu.table.document import cite, rule_of
from longhu.table.messages import (
    CARD_NOT_TOLD,
    NO_ROUND,
    NO_SUCH_CARD,
    Command,
    decides,
    evolve,
    evolves,
)
from longhu.table.people import of_the_deal
from longhu.table.remedies.procedure import ROUND_PAID, not_to_be_entered, round_in_hand
from longhu.table.remedies.restoring import restored
from longhu.table.state import Phase, Source, Table, open_round

CARD_LIES_SO = message_code("card-lies-so", card="card")
CORRECT_PAYMENTS = message_code("correct-payments")


class CorrectCard(Command, frozen=True, kw_only=True, tag="correct-card/1"):
    """Put right the face of a card that was entered wrongly: at once by the dealer alone, later by two people."""

    needs: ClassVar[Position] = Position.DEALER

    laid: int  # which card of the round, from 0
    card: str  # what lies there


class CardCorrected(Event, frozen=True, kw_only=True, tag="card-corrected/1"):
    """Another face was entered than the one that lies there; what was announced of it is announced anew."""

    place: int
    before: str
    card: str
    source: Source  # whose word it is now
    totals_again: bool  # it is one of the cards whose totals were announced


@decides(CorrectCard)
@of_the_deal
def correct_card(table: Table, game: Game, command: CorrectCard) -> Decision:
    """Everything that follows from the face is worked out again: whose card is next, and on which hand the others lie."""
    clause = cite(game, "cards-stand") or "LOG-3"
    if table.round is None or table.round.phase is Phase.PAID:
        return Refusal(ROUND_PAID() if table.rounds else NO_ROUND(), CORRECT_PAYMENTS(), clause)
    round = round_in_hand(table)
    if isinstance(round, Refusal):
        return round
    if not 0 <= command.laid < len(round.cards) or not round.cards[command.laid].public:
        return Refusal(NO_SUCH_CARD(), clause=clause)
    before = round.cards[command.laid].card
    if not command.card:
        return Refusal(CARD_NOT_TOLD(), TELL_CARD(), clause)
    if CARD_OF_TEXT.get(command.card) == CARD_OF_TEXT[before]:
        return Refusal(CARD_LIES_SO(card=before), clause=clause)
    if (impossible := not_to_be_entered(table, game, (command.card,))) is not None:
        return impossible
    corrected = CardCorrected(
        place=command.laid,
        before=before,
        card=str(CARD_OF_TEXT[command.card]),
        source="two-people" if command.cosigned_by else "dealer",
        totals_again=round.totals_announced and command.laid < game.procedure.initial_cards,
        **about(command, clause),
    )
    rule = rule_of(game, "wrong-order")
    order = rule.clauses[0] if rule and rule.clauses else clause
    return [corrected, *restored(evolve(table, corrected), game, command, order)]


@evolves(CardCorrected)
def card_corrected(table: Table, event: CardCorrected) -> Table:
    round, shoe = open_round(table), table.shoe
    if shoe is None:
        raise AssertionError("a card without a shoe")
    cards, counts = list(round.cards), list(shoe.counts)
    cards[event.place] = replace(cards[event.place], card=event.card, source=event.source)
    counts[CARD_OF_TEXT[event.before].number] += 1
    counts[CARD_OF_TEXT[event.card].number] -= 1
    again = replace(
        round,
        cards=tuple(cards),
        phase=Phase.DEALING,
        totals_announced=round.totals_announced and not event.totals_again,
    )
    return replace(table, round=again, shoe=replace(shoe, counts=tuple(counts)), last_tie=False)
