"""The command behind an event, where the event says it: most records need not keep the command beside the event.

`inferred_command` gives the plainest command that could have led to an event. Where it is the one that was given, the record leaves
it out, and the verifier infers it again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from longhu.games.game import Game
from longhu.table.acts import Command, Event
from longhu.table.betting import PlaceWager, TakeBack, WagerPlaced, WagerTakenBack
from longhu.table.calls import BettingClosed, CallNoMoreBets, CallPlaceYourBets, RoundStarted
from longhu.table.cash import BuyIn, ChipsBought
from longhu.table.checkpoint import RecordState, StateRecorded
from longhu.table.dealing import AnnounceResult, AnnounceTotals, CardDrawn, DrawCard, ResultAnnounced, TotalsAnnounced
from longhu.table.handling import CardSqueezed, CardsRevealed, HandPassed, PassHands, Reveal, Squeeze
from longhu.table.settling import Settle, WagerSettled
from longhu.table.shoe import CardsVerified, EndShoe, ShoeEnded, VerifyCards
from longhu.table.shuffling import (
    CommitShuffle,
    Contribute,
    ContributionMade,
    RevealShuffle,
    ShuffleCommitted,
    ShuffleRevealed,
)


def inferred_command(game: Game, event: Event) -> Command | None:
    """The command behind the first event that it led to; None where the event does not say."""
    asked = _ASKED.get(type(event))
    return asked(game, event) if asked is not None else None


def _who(event: Event) -> dict[str, Any]:
    return {"by": event.by, "at": event.at, "position": event.position}


def _placed(_game: Game, event: WagerPlaced) -> Command:
    stake = event.stake
    patron = "" if stake.patron == event.by else stake.patron
    return PlaceWager(
        by=event.by,
        at=event.at,
        position=event.position,
        place=stake.place,
        wager=stake.wager,
        amount=event.added,
        patron=patron,
        chips=event.chips,
    )


def _taken_back(_game: Game, event: WagerTakenBack) -> Command:
    stake = event.stake
    patron = "" if stake.patron == event.by else stake.patron
    return TakeBack(place=stake.place, wager=stake.wager, patron=patron, **_who(event))


def _revealed(game: Game, event: CardsRevealed) -> Command | None:
    hands = game.procedure.hands
    return Reveal(hand=hands[event.hand].id, **_who(event)) if 0 <= event.hand < len(hands) else None


_ASKED: dict[type[Event], Callable[[Game, Any], Command | None]] = {
    RoundStarted: lambda _, event: CallPlaceYourBets(wagering=event.wagering, **_who(event)),
    WagerPlaced: _placed,
    WagerTakenBack: _taken_back,
    BettingClosed: lambda _, event: CallNoMoreBets(**_who(event)),
    CardDrawn: lambda _, event: DrawCard(card=event.card.card, **_who(event)),
    HandPassed: lambda _, event: PassHands(**_who(event)),
    CardSqueezed: lambda _, event: Squeeze(place=event.place, step=event.step, **_who(event)),
    CardsRevealed: _revealed,
    TotalsAnnounced: lambda _, event: AnnounceTotals(**_who(event)),
    ResultAnnounced: lambda _, event: AnnounceResult(**_who(event)),
    WagerSettled: lambda _, event: Settle(**_who(event)),
    ChipsBought: lambda _, event: BuyIn(patron=event.patron, amount=event.amount, **_who(event)),
    CardsVerified: lambda _, event: VerifyCards(counted=event.counted, **_who(event)),
    ShuffleCommitted: lambda _, event: CommitShuffle(commitment=event.commitment, **_who(event)),
    ContributionMade: lambda _, event: Contribute(value=event.contribution.value, **_who(event)),
    ShuffleRevealed: lambda _, event: RevealShuffle(secret=event.secret, **_who(event)),
    ShoeEnded: lambda _, event: EndShoe(why=event.why, **_who(event)),
    StateRecorded: lambda _, event: RecordState(**_who(event)),
}
