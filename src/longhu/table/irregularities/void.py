"""What the document does when something goes wrong, and the void round that often follows.

A void round has no outcome: every stake goes back, decided or not (Q02), and earlier rounds stay as they are.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.games.game import Game
from longhu.ledger import Transaction, moved
from longhu.table.acts import Command, Decision, Event, Refusal, about, decides, evolves
from longhu.table.positions import OF_WORD, Position
from longhu.table.settling import round_over
from longhu.table.state import Stake, Table


class ReportIrregularity(Command, frozen=True, kw_only=True):
    """Something happened at the table that the document has a procedure for."""

    needs: ClassVar[Position] = Position.DEALER

    kind: str  # one of the vocabulary's irregularities
    told: str = ""


class IrregularityFound(Event, frozen=True, kw_only=True, tag="irregularity-found/1"):
    kind: str
    told: str
    remedy: str


class RoundVoided(Event, frozen=True, kw_only=True, tag="round-voided/1"):
    number: int
    why: str


class StakeReturned(Event, frozen=True, kw_only=True, tag="stake-returned/1"):
    stake: Stake
    why: str

    def transactions(self) -> tuple[Transaction, ...]:
        says = f"{self.stake.wager} of {self.stake.patron} returned: {self.why}"
        target = f"patron:{self.stake.patron}"
        return (moved(says, self.stake.amount, self.stake.account, target, clause=self.clause, wager=self.stake.wager),)


def irregular(table: Table, game: Game, command: Command, kind: str, told: str) -> Decision:
    """The document's own procedure for one kind of irregularity; what it does not cover goes to a ruling."""
    from longhu.table.irregularities.rulings import IncidentOpened

    rule = game.irregularities.get(kind) or game.irregularities.get("other")
    if rule is None:
        incident = IncidentOpened(told=f"{kind}: {told}", decider=Position.GAMING_SHIFT_MANAGER, **about(command))
        return [incident]
    clause = rule.clauses[0] if rule.clauses else ""
    found = IrregularityFound(kind=kind, told=told, remedy=rule.remedy, **about(command, clause))
    if rule.remedy == "void":
        return [found, *voided(table, command, kind, rule.clauses)]
    if rule.remedy == "continue":
        return [found]
    decider = OF_WORD[rule.decides] if rule.decides else Position.DEALER
    return [found, IncidentOpened(told=f"{kind}: {told}", decider=decider, **about(command, clause))]


def voided(table: Table, command: Command, why: str, clauses: tuple[str, ...]) -> list[Event]:
    """Every stake back, then the round is over."""
    round = table.round
    if round is None:
        return []
    clause = clauses[min(1, len(clauses) - 1)] if clauses else ""
    back = [StakeReturned(stake=stake, why="void", **about(command, clause)) for stake in round.stakes.values()]
    return [*back, RoundVoided(number=round.number, why=why, **about(command, clause))]


@decides(ReportIrregularity)
def report(table: Table, game: Game, command: ReportIrregularity) -> Decision:
    from longhu.table.irregularities.remedies import remedy

    if table.round is None:
        return Refusal("no round is in progress", "Replace the cards before the next round, where cards are wrong")
    return remedy(table, game, command)


@evolves(IrregularityFound)
def irregularity_found(table: Table, _event: IrregularityFound) -> Table:
    return table


@evolves(StakeReturned)
def stake_returned(table: Table, event: StakeReturned) -> Table:
    round = table.round
    if round is None:
        raise AssertionError("a stake returned without a round")
    stakes = {key: stake for key, stake in round.stakes.items() if key != event.stake.key}
    return replace(table, round=replace(round, stakes=stakes))


@evolves(RoundVoided)
def round_voided(table: Table, _event: RoundVoided) -> Table:
    return round_over(table)
