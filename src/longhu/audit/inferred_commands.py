"""The command behind an event, where the event says it: most records need not keep the command beside the event.

`inferred_command` gives the plainest command that could have led to an event. Where it is the one that was given, the record leaves
it out, and the verifier infers it again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from longhu.eventsourcing import Event
from longhu.games.game import Game
from longhu.table.betting import PlaceWager, TakeBack, WagerPlaced, WagerTakenBack
from longhu.table.betting_phase import BettingClosed, CallNoMoreBets, CallPlaceYourBets, RoundStarted
from longhu.table.cash import BuyIn, ChipsBought
from longhu.table.checkpoint import RecordState, StateRecorded
from longhu.table.dealing import AnnounceResult, AnnounceTotals, CardDrawn, DrawCard, ResultAnnounced, TotalsAnnounced
from longhu.table.handling import CardSqueezed, CardsRevealed, HandPassed, PassHands, Reveal, Squeeze
from longhu.table.messages import Command
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
    infer = INFERRED.get(type(event))
    return infer(game, event) if infer is not None else None


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
    return TakeBack(
        by=event.by, at=event.at, position=event.position, place=stake.place, wager=stake.wager, patron=patron
    )


def _revealed(game: Game, event: CardsRevealed) -> Command | None:
    hands = game.procedure.hands
    if not 0 <= event.hand < len(hands):
        return None
    return Reveal(by=event.by, at=event.at, position=event.position, hand=hands[event.hand].id)


INFERRED: dict[type[Event], Callable[[Game, Any], Command | None]] = {
    RoundStarted: lambda _, event: CallPlaceYourBets(
        by=event.by, at=event.at, position=event.position, wagering=event.wagering
    ),
    WagerPlaced: _placed,
    WagerTakenBack: _taken_back,
    BettingClosed: lambda _, event: CallNoMoreBets(by=event.by, at=event.at, position=event.position),
    CardDrawn: lambda _, event: DrawCard(by=event.by, at=event.at, position=event.position, card=event.card.card),
    HandPassed: lambda _, event: PassHands(by=event.by, at=event.at, position=event.position),
    CardSqueezed: lambda _, event: Squeeze(
        by=event.by, at=event.at, position=event.position, place=event.place, step=event.step
    ),
    CardsRevealed: _revealed,
    TotalsAnnounced: lambda _, event: AnnounceTotals(by=event.by, at=event.at, position=event.position),
    ResultAnnounced: lambda _, event: AnnounceResult(by=event.by, at=event.at, position=event.position),
    WagerSettled: lambda _, event: Settle(by=event.by, at=event.at, position=event.position),
    ChipsBought: lambda _, event: BuyIn(
        by=event.by, at=event.at, position=event.position, patron=event.patron, amount=event.amount
    ),
    CardsVerified: lambda _, event: VerifyCards(
        by=event.by, at=event.at, position=event.position, counted=event.counted
    ),
    ShuffleCommitted: lambda _, event: CommitShuffle(
        by=event.by, at=event.at, position=event.position, commitment=event.commitment
    ),
    ContributionMade: lambda _, event: Contribute(
        by=event.by, at=event.at, position=event.position, value=event.contribution.value
    ),
    ShuffleRevealed: lambda _, event: RevealShuffle(
        by=event.by, at=event.at, position=event.position, secret=event.secret
    ),
    ShoeEnded: lambda _, event: EndShoe(by=event.by, at=event.at, position=event.position, why=event.why),
    StateRecorded: lambda _, event: RecordState(by=event.by, at=event.at, position=event.position),
}
