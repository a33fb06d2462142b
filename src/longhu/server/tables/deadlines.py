"""What happens by itself when a time is up, at every table, whoever deals: silence is an answer, and nobody waits for ever."""

from __future__ import annotations

from collections.abc import Iterator

from longhu.accounts.names import AUTO_DEALER
from longhu.games.game import Game
from longhu.positions import Position
from longhu.server.tables.turn import Turn
from longhu.table.document import expires_at
from longhu.table.irregularities.exposure import RevealForAbsent
from longhu.table.remedies.void import CancelExpired
from longhu.table.remedies.withdrawal import TimeIsUp
from longhu.table.state import Round, Table


def deadlines(table: Table, game: Game) -> Iterator[Turn]:
    """Every time that runs at this table, and what is done when it is up."""
    round = table.round
    if round is None or table.settings is None:
        return
    offer, after = round.halt.offer, table.settings.reveal_seconds * 1000
    if offer is not None:
        yield Turn(offer.until, TimeIsUp(by=AUTO_DEALER, at=0, position=Position.DEALER))
    elif not round.halt.for_ruling and not round.asks_supervisor:
        for hand in _held(game, round):
            command = RevealForAbsent(by=AUTO_DEALER, at=0, position=Position.DEALER, hand=hand)
            yield Turn(round.last_card_at + after, command)
    end = expires_at(game, round)
    if end is not None:  # a game in progress for longer than the document allows is cancelled and refunded (REC-5)
        yield Turn(end + 1, CancelExpired(by=AUTO_DEALER, at=0, position=Position.DEALER))


def _held(game: Game, round: Round) -> Iterator[str]:
    """Hands that patrons hold face down, and whose faces the table knows: those of a physical shoe a person tells."""
    for number, hand in enumerate(game.procedure.hands):
        hidden = [each for each in round.cards_of(number) if not each.public]
        if hidden and round.holders[number] and all(each.card for each in hidden):
            yield hand.id
