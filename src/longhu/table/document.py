"""What the document of a game says to the table: citations, readings, and its rules for irregularities."""

from __future__ import annotations

from longhu.eventsourcing import Refusal
from longhu.games.game import Game, Rule
from longhu.messages.message import message_code
from longhu.positions import OF_WORD, Position

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


def overdue(game: Game) -> Refusal:
    """A round that has expired is neither dealt nor paid: all that is left is to cancel it."""
    days = game.irregularities["game-expired"].days
    return Refusal(ROUND_EXPIRED(days=days), CANCEL_EXPIRED_ROUND(), cite(game, "expiry"))
