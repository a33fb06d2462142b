"""A round that is over, card by card and in its order, as everybody at the table was told it (LOG-9).

It is told from its records, by the rules that it was played under, and with the same words as when it happened: what
nobody was shown then is not shown now. The one exception is a card that stayed face down in an electronic shoe: once the
secret of its shuffle is revealed, everybody can work out what it was, and it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from longhu.audit.record import decode
from longhu.audit.resettlement import RoundCards, round_cards
from longhu.games.game import Game
from longhu.server.http.fields import Number, Time
from longhu.server.realtime.public_events import message
from longhu.store.entries import RoundEntry
from longhu.table.dealing import ResultAnnounced


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
    shoe: Number  # that it was dealt from; 0 where no card was drawn
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
    laid = round_cards(each.event for each in records)
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
        shoe=laid.shoe,
        cards=_cards(laid, game, is_revealed),
        events=[each for each in told if each is not None],
    )


def _cards(laid: RoundCards, game: Game, is_revealed: Callable[[int], bool]) -> list[RecalledCard]:
    """As they lay in the end; what was turned over on the way is open."""
    all_told = all(card.public for card in laid.cards) or is_revealed(laid.shoe)
    return [
        RecalledCard(
            hand=game.procedure.hands[card.hand].id,
            face=card.card or None if card.public or all_told else None,
            shown=card.public,
        )
        for card in laid.cards
    ]
