"""Games that stay in progress too long are cancelled and refunded (DBO-30D-1)."""

from __future__ import annotations

from typing import ClassVar

from longhu.eventsourcing import Decision, Refusal, about
from longhu.games.game import Game
from longhu.positions import Position
from longhu.table.messages import Command, chosen, cite, decides
from longhu.table.state import Round, Table

DAY = 24 * 60 * 60 * 1000  # milliseconds: days of 24 hours, whatever the clocks do (Q47)


class CancelExpired(Command, frozen=True, kw_only=True):
    """The sweep looks at a table: a game in progress for longer than the document allows is cancelled."""

    needs: ClassVar[Position] = Position.DEALER


def expires_at(game: Game, round: Round) -> int | None:
    """So many times 24 hours after the first wager was accepted, or after the first card (Q47); None where it never does."""
    rule = game.irregularities.get("game-expired")
    start = round.first_card_at if chosen(game, "expiry") == "from-deal" else round.first_wager
    return None if rule is None or start is None else start + rule.days * DAY


def expired(game: Game, round: Round, at: int) -> bool:
    """Has it been open for longer than that? At the very end it still is."""
    end = expires_at(game, round)
    return end is not None and at > end


def overdue(game: Game, round: Round, at: int) -> Refusal | None:
    """A game that has expired is neither dealt nor paid: all that is left is to cancel it."""
    if not expired(game, round, at):
        return None
    days = game.irregularities["game-expired"].days
    told = f"the game has been in progress for more than {days} days"
    return Refusal(told, "Cancel it, and the stakes are refunded", cite(game, "expiry"))


@decides(CancelExpired)
def cancel_expired(table: Table, game: Game, command: CancelExpired) -> Decision:
    from longhu.table.irregularities.void import IrregularityFound, voided

    round, rule = table.round, game.irregularities.get("game-expired")
    if rule is None:
        return Refusal("a round of this game stays open however long it takes", "A ruling may end it")
    if round is None or round.first_wager is None:
        return Refusal("no game is in progress", clause=cite(game, "expiry"))
    if not expired(game, round, command.at):
        return Refusal(
            f"the game has not been in progress for more than {rule.days} days",
            "It goes on from where it stands",
            cite(game, "expiry"),
        )
    told = f"in progress for more than {rule.days} days"
    found = IrregularityFound(
        kind="game-expired", told=told, remedy=rule.remedy, **about(command, cite(game, "expiry"))
    )
    return [found, *voided(table, command, told, rule.clauses)]
