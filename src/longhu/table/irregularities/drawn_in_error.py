"""A card drawn in error: one left the shoe although no hand was due it (DT-5.2, IDT-6.1, D21-12.0f).

What becomes of it is ruled on: it is burned, put back in its order, or the round is void.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import CARD_OF_TEXT
from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.dealing import hands_complete
from longhu.table.document import clause_of
from longhu.table.messages import (
    DEAL_ON,
    SHOE_NOT_LOADED,
    Command,
    decides,
    evolves,
)
from longhu.table.people import of_the_deal
from longhu.table.remedies.procedure import follow, not_to_be_entered, round_in_hand
from longhu.table.state import DEALING, CardInError, Phase, Round, Table, open_round

CARD_IS_DUE = message_code("card-is-due")
LAY_CARD = message_code("lay-card")
SHOE_GIVES_NONE_IN_ERROR = message_code("shoe-gives-none-in-error")
DRAWN_IN_ERROR = message_code("drawn-in-error")


class ReportDrawnInError(Command, frozen=True, kw_only=True, tag="report-drawn-in-error/1"):
    """A card left the shoe that no hand is due; where cards lie beside the shoe, they are the ones that are over."""

    needs: ClassVar[Position] = Position.DEALER

    exposed: bool  # anybody may have seen its face
    card: str = ""  # "" lies face down, and nobody has told it


class CardsDrawnInError(Event, frozen=True, kw_only=True, tag="cards-drawn-in-error/1"):
    cards: tuple[CardInError, ...]
    shoe_number: int
    from_reserve: bool = False  # they lay beside the shoe


class CardsInErrorBurned(Event, frozen=True, kw_only=True, tag="cards-in-error-burned/1"):
    """They go to the discards."""

    count: int


class CardsPutBack(Event, frozen=True, kw_only=True, tag="cards-put-back/1"):
    """They are in the shoe again, as the next that come."""

    count: int


@decides(ReportDrawnInError)
@of_the_deal
def report_drawn_in_error(table: Table, game: Game, command: ReportDrawnInError) -> Decision:
    round = table.round if table.round is not None and table.round.in_error else round_in_hand(table)
    shoe, settings = table.shoe, table.settings
    if isinstance(round, Refusal):
        return round
    if shoe is None or settings is None:
        return Refusal(SHOE_NOT_LOADED())
    clause = clause_of(game, "drawn-in-error")
    if round.phase is Phase.CLOSED or (round.phase is DEALING and _may_be_due(game, round)):
        return Refusal(CARD_IS_DUE(), LAY_CARD(), clause)
    over = round.reserve
    if not over and settings.virtual_shoe:
        return Refusal(SHOE_GIVES_NONE_IN_ERROR(), DEAL_ON(), clause)
    impossible = None if over else not_to_be_entered(table, game, (command.card,))
    if impossible is not None:
        return impossible
    told = str(CARD_OF_TEXT[command.card]) if command.card and not over else ""  # cards beside the shoe are known
    cards = tuple(CardInError(each, command.exposed) for each in over or (told,))
    drawn = CardsDrawnInError(cards=cards, shoe_number=shoe.number, from_reserve=bool(over), **about(command, clause))
    if round.in_error:
        return [drawn]
    return follow(table, game, command, "drawn-in-error", DRAWN_IN_ERROR(), [drawn])


def _may_be_due(game: Game, round: Round) -> bool:
    """Is a card due, as far as anybody can know? Of hands that lie face down, nobody can."""
    if len(round.cards) < game.procedure.initial_cards:
        return True
    return round.all_known and round.all_public and not hands_complete(game, round)


@evolves(CardsDrawnInError)
def cards_drawn_in_error(table: Table, event: CardsDrawnInError) -> Table:
    round, shoe = open_round(table), table.shoe
    if shoe is None:
        raise AssertionError("a card without a shoe")
    round = replace(round, in_error=(*round.in_error, *event.cards))
    if event.from_reserve:
        return replace(table, round=replace(round, reserve=()))
    return replace(table, round=round, shoe=shoe.gives([each.card for each in event.cards]))


@evolves(CardsInErrorBurned)
def cards_in_error_burned(table: Table, _event: CardsInErrorBurned) -> Table:
    round, shoe = open_round(table), table.shoe
    if shoe is None:
        raise AssertionError("a card without a shoe")
    discards = tuple(each.card for each in round.in_error)
    unseen = tuple(each.card for each in round.in_error if not each.exposed)
    shoe = replace(shoe, discards=shoe.discards + discards, unseen=shoe.unseen + unseen)
    return replace(table, round=replace(round, in_error=()), shoe=shoe)


@evolves(CardsPutBack)
def cards_put_back(table: Table, _event: CardsPutBack) -> Table:
    round, shoe = open_round(table), table.shoe
    if shoe is None:
        raise AssertionError("a card without a shoe")
    back = shoe.takes_back([each.card for each in round.in_error])
    return replace(table, round=replace(round, in_error=()), shoe=back)
