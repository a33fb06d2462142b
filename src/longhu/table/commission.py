"""Commission that is tallied: a win is paid in full, and what the patron owes of it is collected later (Q51).

No document says when a commission is taken. A house that reads it so (`commission=tally`) keeps it beside the chips, patron by patron. It is collected
when the dealer asks for it, before whoever owes it takes chips to the cage or leaves, and at the end of the shoe; a table does not close before. What
a patron has no chips for stays owed, as after a corrected payment. A game that deals every round from a full shoe has no end of a shoe.
"""

from __future__ import annotations

from typing import ClassVar

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Posting, Transaction, chips_account
from longhu.messages.message import message_code
from longhu.money import Amount
from longhu.positions import Position
from longhu.table.messages import TABLE_NOT_OPEN, Command, decides, evolves
from longhu.table.owed import owing, taken_back
from longhu.table.state import TALLY, Table

NO_COMMISSION_DUE = message_code("no-commission-due")
COMMISSION_COLLECTED = message_code("commission-collected", patron="person")


class CollectCommission(Command, frozen=True, kw_only=True, tag="collect-commission/1"):
    """The commission that a patron has on the tally is paid, or everybody's."""

    needs: ClassVar[Position] = Position.DEALER

    patron: str = ""  # "" is everybody


class CommissionCollected(Event, frozen=True, kw_only=True, tag="commission-collected/1"):
    """So much goes off the tally: paid in chips, or owed where they are not there."""

    table: str
    patron: str
    amount: Amount
    chips: Amount  # that went to the tray
    owed: Amount = 0  # by how much more the house owes the patron for want of a chip, or less

    @property
    def unpaid(self) -> int:
        """What the patron has no chips for."""
        return self.amount - self.chips + self.owed

    def transactions(self) -> tuple[Transaction, ...]:
        moves = (
            (f"{TALLY}{self.patron}", -self.amount),
            (f"commissions:{self.table}", self.amount),
            (chips_account(self.patron), -self.chips),
            (f"float:{self.table}", self.chips),
            (f"unpaid:{self.patron}", self.unpaid),
            (f"claims:{self.table}", -self.unpaid),
        )
        postings = [Posting(*each) for each in moves if each[1]]
        postings += owing(self.table, self.patron, self.owed)
        return (Transaction(COMMISSION_COLLECTED(patron=self.patron), tuple(postings), self.clause),)


@decides(CollectCommission)
def collect_commission(table: Table, game: Game, command: CollectCommission) -> Decision:
    if table.settings is None:
        return Refusal(TABLE_NOT_OPEN())
    found = collected(table, game, command, command.patron)
    return found or Refusal(NO_COMMISSION_DUE(), clause=tally_clause(game))


def tally_clause(game: Game) -> str:
    """The clause that leaves open when a commission is taken."""
    reading = game.readings.get("commission")
    return reading.clauses[0] if reading is not None and reading.clauses else ""


def collected(table: Table, game: Game, command: Command, patron: str = "") -> list[Event]:
    """What is collected of this patron, or of everybody, where anything is due."""
    settings = table.settings
    if settings is None:
        return []
    found: list[Event] = []
    for owner, amount in table.tallied().items():
        if patron in ("", owner):
            chips, owed = taken_back(table, owner, amount)
            stamp = about(command, tally_clause(game))
            found.append(
                CommissionCollected(table=settings.table, patron=owner, amount=amount, chips=chips, owed=owed, **stamp)
            )
    return found


@evolves(CommissionCollected)
def commission_collected(table: Table, _event: CommissionCollected) -> Table:
    return table  # only money moved, and that is the ledger's
