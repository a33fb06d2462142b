"""The cards of a round as they lay in the end, from what its records say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from longhu.eventsourcing import Event
from longhu.table.dealing import CardDrawn
from longhu.table.handling import CardsRevealed
from longhu.table.irregularities.cards import CardsFoundLying
from longhu.table.irregularities.exposure import CardsExposed
from longhu.table.irregularities.missing import CardsSubstituted
from longhu.table.remedies.restoring import CardsRestored
from longhu.table.state import Card, replace


class Laid(NamedTuple):
    """In the order in which they left the shoe; what was turned over on the way is open."""

    cards: list[Card]
    shoe: int  # its number; 0 where no card was drawn


def laid_cards(events: Iterable[Event]) -> Laid:
    laid: list[Card] = []
    shoe = 0
    for event in events:
        match event:
            case CardDrawn():
                laid.append(event.card)
                shoe = event.shoe_number
            case CardsRevealed():
                faces = iter(event.cards)
                laid = [_open(card, next(faces, card.card)) if card.hand == event.hand else card for card in laid]
            case CardsExposed() | CardsSubstituted():
                for place, face in zip(event.places, event.cards, strict=True):
                    laid[place] = _open(laid[place], face)
            case CardsFoundLying():
                laid = [replace(card, hand=hand) for card, hand in zip(laid, event.hands, strict=True)]
            case CardsRestored():
                laid = list(event.after)
    return Laid(laid, shoe)


def _open(card: Card, face: str) -> Card:
    return replace(card, card=face, public=True)
