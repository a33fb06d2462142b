"""Cards that lay wrong, or left the shoe together, go where they belong (DT-5.2b, IDT-5.7a, IDT-5.8)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from longhu.cards import Card as Face
from longhu.cards import card
from longhu.deal.procedure import deal_so_far
from longhu.eventsourcing import Event, about
from longhu.games.game import Game
from longhu.table.messages import Command, evolves_round
from longhu.table.state import Card, Phase, Round, Table


class CardOrderFixed(Event, frozen=True, kw_only=True, tag="card-order-fixed/1"):
    """The order in which the cards beside the shoe are dealt."""

    cards: tuple[str, ...]


class CardsRestored(Event, frozen=True, kw_only=True, tag="cards-restored/1"):
    """Cards that lay wrong are where they belong; what was announced of them is announced again.

    `over` are those that no hand was due.
    """

    before: tuple[Card, ...]
    after: tuple[Card, ...]
    over: tuple[str, ...] = ()


def rightful(game: Game, cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards with the hands that they belong to, in the order in which they left the shoe; and those left over."""
    placed: list[Card] = []
    for place, each in enumerate(cards):
        if place < game.procedure.initial_cards:
            hand: str | None = game.hands[place % 2]
        else:
            known = [card(before.card) for before in placed if before.card]
            hand = _due(game, known) if len(known) == place else each.hand
        if hand is None:
            return tuple(placed), tuple(cards[place:])
        placed.append(replace(each, hand=hand))
    return tuple(placed), ()


def _due(game: Game, known: list[Face]) -> str | None:
    """The hand that is due a card after these."""
    due = deal_so_far(game.procedure, known).due.hand
    return None if due is None else game.hands[due]


def ordered(table: Table, command: Command, clause: str, order: tuple[int, ...]) -> list[Event]:
    """The cards beside the shoe in the order that was fixed; they are dealt before any other."""
    reserve = table.round.reserve if table.round else ()
    if not order or not reserve:
        return []
    return [CardOrderFixed(cards=tuple(reserve[place] for place in order), **about(command, clause))]


def restored(table: Table, game: Game, command: Command, clause: str, order: tuple[int, ...] = ()) -> list[Event]:
    """Put the cards where they belong: those on the table now, those beside the shoe as they are dealt."""
    round = table.round
    if round is None:
        return []
    if round.reserve:
        return ordered(table, command, clause, order)
    right, over = rightful(game, [round.cards[place] for place in order] or round.cards)
    if [(each.card, each.hand) for each in right] == [(each.card, each.hand) for each in round.cards]:
        return []
    right = tuple(handed(each, round.holders[round.hands.index(each.hand)] if round.passed else "") for each in right)
    faces = tuple(each.card for each in over)
    return [CardsRestored(before=round.cards, after=right, over=faces, **about(command, clause))]


def handed(laid: Card, holder: str) -> Card:
    """The card with somebody; what another has looked at, the new holder has not."""
    return laid if laid.holder == holder else replace(laid, holder=holder, seen=False, bent=0)


@evolves_round(CardOrderFixed)
def order_fixed(round: Round, event: CardOrderFixed) -> Round:
    return replace(round, reserve=event.cards)


@evolves_round(CardsRestored)
def cards_restored(round: Round, event: CardsRestored) -> Round:
    again = replace(round, phase=Phase.DEALING, totals_announced=False, just_entered=())
    return replace(again, cards=event.after, reserve=(*event.over, *round.reserve))
