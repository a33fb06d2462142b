"""What the document of a game says to the table: citations, readings, and its rules for irregularities."""

from __future__ import annotations

from longhu.eventsourcing import Refusal
from longhu.games.game import Game, Rule
from longhu.messages.message import message_code
from longhu.positions import OF_WORD, Position
from longhu.table.state import Round

ROUND_EXPIRED = message_code("round-expired", days="number")
CANCEL_EXPIRED_ROUND = message_code("cancel-expired-round")


def cite(game: Game, step: str) -> str:
    """The clause behind a step of the round, "" where the document has none."""
    clauses = game.cites.get(step, ())
    return clauses[0] if clauses else ""


OF_THE_SET = ("extra-card", "missing-card", "unshuffled-cards")  # foreign by a wide reading only (Q10)


def rule_of(game: Game, kind: str) -> Rule | None:
    """The document's rule for a kind, or its rule for everything else."""
    literal = kind in OF_THE_SET and game.chosen.get("foreign_scope") == "literal"
    named = None if literal else game.irregularities.get(kind)
    return named or game.irregularities.get("other")


def clause_of(game: Game, kind: str) -> str:
    """The clause that its rule stands on, "" where the document has none."""
    rule = rule_of(game, kind)
    return rule.clauses[0] if rule and rule.clauses else ""


def ruler(game: Game) -> Position:
    """Who decides what the document does not name; a gaming shift manager where it says nothing at all (Q39)."""
    rule = game.irregularities.get("other")
    return OF_WORD[rule.decides] if rule and rule.decides else Position.GAMING_SHIFT_MANAGER


def ruling_clause(game: Game) -> str:
    """The clause that leaves it to a ruling, "" where the document has none."""
    rule = game.irregularities.get("other")
    return rule.clauses[0] if rule and rule.clauses else ""


DAY = 24 * 60 * 60 * 1000  # milliseconds: days of 24 hours, whatever the clocks do (Q47)


def expires_at(game: Game, round: Round) -> int | None:
    """So many times 24 hours after the first wager was accepted, or after the first card (Q47); None where it never does."""
    rule = game.irregularities.get("game-expired")
    start = round.first_card_at if game.chosen.get("expiry") == "from-deal" else round.first_wager
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
    return Refusal(ROUND_EXPIRED(days=days), CANCEL_EXPIRED_ROUND(), cite(game, "expiry"))
