"""A round that is over, card by card and in its order, as everybody at the table was told it (LOG-9).

It is told from its records, by the rules that it was played under, and with the same words as when it happened: what
nobody was shown then is not shown now. The one exception is a card that stayed face down in an electronic shoe: once the
secret of its shuffle is revealed, everybody can work out what it was, and it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from longhu.games.game import Game
from longhu.server.http.fields import Number, Time
from longhu.server.screens.told import message
from longhu.store.entries import RoundEntry
from longhu.table.acts import Event
from longhu.table.dealing import CardDrawn, ResultAnnounced
from longhu.table.handling import CardsRevealed
from longhu.table.irregularities.cards import CardsFoundLying
from longhu.table.irregularities.exposure import CardsExposed
from longhu.table.irregularities.missing import CardsSubstituted
from longhu.table.irregularities.restoring import CardsRestored
from longhu.table.state import Card, replace
from longhu.trail.record import Record, decode


class RecalledCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card in the order in which it left the shoe."""

    hand: str
    face: str | None  # None: nobody has seen it yet
    shown: bool  # did it lie open in the round?


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over. It is a recall: nothing of it can be played."""

    recall: bool = True
    table: str
    number: Number
    game: str
    digest: str  # of the rules
    started: Time
    ended: Time
    void: bool
    winner: str | None  # a hand, or "tie"
    totals: list[int] | None  # as announced
    cards: list[RecalledCard]
    events: list[dict[str, Any]]


def recalled(
    entry: RoundEntry, lines: Sequence[bytes], games: Mapping[str, Game], is_revealed: Callable[[int], bool]
) -> Recalled:
    """The round of these records; `is_revealed` says of a shoe whether its shuffle is."""
    records = [decode(line) for line in lines]
    game = games[records[0].game]
    told = [message(each.sequence, each.event, games[each.game]) for each in records]
    result = next((each.event for each in reversed(records) if isinstance(each.event, ResultAnnounced)), None)
    void = entry.ending < 0
    return Recalled(
        table=entry.table,
        number=entry.number,
        game=game.id,
        digest=game.digest,
        started=entry.started,
        ended=entry.ended,
        void=void,
        winner=None if void else game.winner(entry.ending) or "tie",
        totals=list(result.totals) if isinstance(result, ResultAnnounced) else None,
        cards=_cards(records, game, is_revealed),
        events=[each for each in told if each is not None],
    )


def _cards(records: Sequence[Record], game: Game, is_revealed: Callable[[int], bool]) -> list[RecalledCard]:
    """As they lay in the end; what was turned over on the way is open."""
    laid: list[Card] = []
    shoe = 0
    for each in records:
        event: Event = each.event
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
    all_told = all(card.public for card in laid) or is_revealed(shoe)
    return [
        RecalledCard(
            hand=game.procedure.hands[card.hand].id,
            face=card.card or None if card.public or all_told else None,
            shown=card.public,
        )
        for card in laid
    ]


def _open(card: Card, face: str) -> Card:
    return replace(card, card=face, public=True)
