"""A round that is over, card by card and in its order, as it was told at the table (LOG-9).

Staff read all of it. Everybody else reads what became of the cards, their own wagers, and of the wagers of others the sums: who
played what, and with which result, is forgotten with the round.

It is told from its records, by the rules that it was played under, and with the same words as when it happened: what
nobody was shown then is not shown now. The one exception is a card that stayed face down in an electronic shoe: once the
secret of its shuffle is revealed, everybody can work out what it was, and it is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from longhu.audit.laid import Laid, laid_cards
from longhu.audit.record import decode
from longhu.games.game import Game
from longhu.money import UNSTATED, Money, show
from longhu.server.actor import Actor
from longhu.server.http.fields import Number, Shown, Time
from longhu.server.screens.told import message
from longhu.store.entries import RoundEntry
from longhu.table.acts import Event
from longhu.table.dealing import ResultAnnounced
from longhu.table.irregularities.void import StakeReturned
from longhu.table.positions import Position
from longhu.table.public_identity import RecalledIdentity
from longhu.table.settling import WagerSettled


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
    staked: dict[str, Shown]  # by all patrons together, on each wager
    viewer: str  # what whoever asks is called in the events; "" where none of the wagers is theirs
    events: list[dict[str, Any]]


def recalled(
    entry: RoundEntry,
    lines: Sequence[bytes],
    games: Mapping[str, Game],
    is_revealed: Callable[[int], bool],
    actor: Actor | None,
) -> Recalled:
    """The round of these records for whoever asks; `is_revealed` says of a shoe whether its shuffle is."""
    records = [decode(line) for line in lines]
    game = games[records[0].game]
    own, is_staff = (actor.person, actor.position is not Position.PATRON) if actor is not None else ("", False)
    who = None if is_staff else RecalledIdentity(each.event for each in records)
    told = [
        message(each.sequence, each.event, games[each.game], who)
        for each in records
        if is_staff or patron_of(each.event) in ("", own)
    ]
    result = next((each.event for each in reversed(records) if isinstance(each.event, ResultAnnounced)), None)
    void = entry.ending < 0
    laid = laid_cards(each.event for each in records)
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
        staked=_staked((each.event for each in records), game),
        viewer=own if who is None else who.label(own) or "",
        events=[each for each in told if each is not None],
    )


def patron_of(event: Event) -> str:
    """Whose business alone an event is; "" for what concerns the table."""
    owned = next((part for name in ("stake", "spoken") if (part := getattr(event, name, None)) is not None), event)
    key: str = getattr(event, "key", "")
    patron: str = getattr(owned, "patron", "") or key.partition("/")[0]
    return patron


def _staked(events: Iterable[Event], game: Game) -> dict[str, str]:
    """What lay on each wager when it was settled or came back."""
    sums: Counter[str] = Counter()
    for event in events:
        if isinstance(event, WagerSettled | StakeReturned):
            sums[event.stake.wager] += event.stake.amount
    return {wager: show(Money(amount), game.currency or UNSTATED) for wager, amount in sums.items()}


def _cards(laid: Laid, game: Game, is_revealed: Callable[[int], bool]) -> list[RecalledCard]:
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
