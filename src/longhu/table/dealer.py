"""The automatic dealer: what the dealer does next, asked of the table as it is.

It only ever proposes commands that a person could give; `decide` judges them like any others. None means that
somebody else's turn has come: patrons bet, hold cards, or think about an offer.
"""

from __future__ import annotations

from longhu.games.game import Game
from longhu.positions import Position
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard, is_over, next_hand
from longhu.table.differential import ScaleBack, exceeded
from longhu.table.handling import PassHands, RevealHand, squeezed
from longhu.table.irregularities.drawn_in_error import ReportDrawnInError
from longhu.table.messages import Command
from longhu.table.settling import SettleRound
from longhu.table.shoe import finished
from longhu.table.state import Phase, Round, Table


def next_act(table: Table, game: Game, *, by: str, at: int, betting_ms: int = 0) -> Command | None:
    """The dealer's next command; betting stays open for so many milliseconds."""
    round = table.round
    if table.settings is None or table.stopped:
        return None
    if round is None:
        return None if finished(table) or table.suspended else CallPlaceYourBets(by=by, at=at, position=Position.DEALER)
    if round.halt.for_ruling or round.halt.offer is not None:
        return None
    if exceeded(table, game):
        return ScaleBack(by=by, at=at, position=Position.DEALER) if round.differential == "scale" else None
    if round.phase is Phase.BETTING:
        over = at >= round.started + betting_ms
        return CallNoMoreBets(by=by, at=at, position=Position.DEALER) if over else None
    if round.phase is Phase.ANNOUNCED:
        return SettleRound(by=by, at=at, position=Position.DEALER)
    return _deals(game, round, by, at)


def automatic_act(table: Table, game: Game, *, by: str, at: int, betting_ms: int = 0) -> Command | None:
    """The same where the house has set the table to deal by itself; a table with a human dealer waits for the person."""
    if table.settings is None or not table.settings.automatic_dealer:
        return None
    return next_act(table, game, by=by, at=at, betting_ms=betting_ms)


def _deals(game: Game, round: Round, by: str, at: int) -> Command | None:
    """Cards, reveals and announcements, in the order of the procedure."""
    if len(round.cards) < game.procedure.initial_cards:
        return DrawCard(by=by, at=at, position=Position.DEALER)
    hidden = [each for each in round.cards if not each.public]
    if hidden:
        if squeezed(game, round) and not round.passed:
            return PassHands(by=by, at=at, position=Position.DEALER)
        opens = [each for each in hidden if round.hands.index(each.hand) == round.reveals_first] or hidden
        own = next((each for each in opens if not each.holder), None)
        if own is None or round.asks_supervisor:
            return None
        return RevealHand(by=by, at=at, position=Position.DEALER, hand=own.hand)
    if not round.totals_announced and "announce-totals" in game.cites:
        return AnnounceTotals(by=by, at=at, position=Position.DEALER)
    if next_hand(game, round)[0] is not None:
        return DrawCard(by=by, at=at, position=Position.DEALER)
    if is_over(round):
        return ReportDrawnInError(by=by, at=at, position=Position.DEALER, exposed=False)
    return AnnounceResult(by=by, at=at, position=Position.DEALER)
