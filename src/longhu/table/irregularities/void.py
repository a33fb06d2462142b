"""What the document does when something goes wrong, and the void round that often follows.

A void round has no outcome: every stake goes back, decided or not (Q02), and earlier rounds stay as they are.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Transaction, moved
from longhu.positions import Position
from longhu.table.messages import Command, decides, evolves, evolves_round
from longhu.table.settling import round_over
from longhu.table.spoken import lapsed
from longhu.table.state import Round, Stake, Table


class ReportIrregularity(Command, frozen=True, kw_only=True):
    """Something happened at the table that the document has a procedure for."""

    needs: ClassVar[Position] = Position.DEALER

    kind: str  # one of the vocabulary's irregularities
    told: str = ""
    also: tuple[str, ...] = ()  # what came to light with it: an extra card beside a foreign one
    recoverable: bool = False  # the order of the cards can be restored, as from a device's log (IDT-5.2)


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


class ShoeCondemned(Event, frozen=True, kw_only=True, tag="shoe-condemned/1"):
    """No further round is dealt from these cards."""

    number: int
    why: str
    new_set: bool = False  # the next shoe takes another set, counted first (IDT-5.11.5)


CARDS_WRONG = (  # kinds after which nobody can trust what is left in the shoe
    "foreign-card", "extra-card", "missing-card", "unshuffled-cards", "order-altered", "insufficient-cards",
)  # fmt: skip


LEFT_WITH_CARDS = "patron-left-with-cards"


def irregular(table: Table, game: Game, command: Command, kind: str, told: str) -> Decision:
    """The document's own procedure for one kind of irregularity; what it does not cover goes to a ruling."""
    from longhu.table.irregularities.remedies import follow

    return follow(table, game, command, kind, told)


def voided(table: Table, command: Command, why: str, clauses: tuple[str, ...]) -> list[Event]:
    """Every stake back, then the round is over."""
    round = table.round
    if round is None:
        return []
    clause = clauses[min(1, len(clauses) - 1)] if clauses else ""
    back = [StakeReturned(stake=stake, why="void", **about(command, clause)) for stake in round.stakes.values()]
    return [*back, *lapsed(command, round, clause), RoundVoided(number=round.number, why=why, **about(command, clause))]


def condemned(table: Table, command: Command, why: str, clause: str, *, new_set: bool = False) -> list[Event]:
    """The shoe is not used again."""
    if table.shoe is None:
        return []
    return [ShoeCondemned(number=table.shoe.number, why=why, new_set=new_set, **about(command, clause))]


@decides(ReportIrregularity)
def report(table: Table, game: Game, command: ReportIrregularity) -> Decision:
    from longhu.games.vocabulary import IRREGULARITIES
    from longhu.table.irregularities.remedies import remedy

    unknown = next((kind for kind in (command.kind, *command.also) if kind not in IRREGULARITIES), None)
    if unknown is not None:
        return Refusal(f"{unknown!r} is no irregularity that has a name", "Report it as an incident, in words")
    if table.round is not None:
        return remedy(table, game, command)
    return _between_rounds(table, game, command)


def _between_rounds(table: Table, game: Game, command: ReportIrregularity) -> Decision:
    """Nothing is void, and the cards are replaced (Q10)."""
    from longhu.table.irregularities.remedies import rule_of

    kinds = [kind for kind in (command.kind, *command.also) if kind in CARDS_WRONG]
    if not kinds or table.shoe is None:
        return Refusal("no round is in progress", "Replace the cards before the next round, where cards are wrong")
    found: list[Event] = []
    for kind in kinds:
        rule = rule_of(game, kind)
        clause = rule.clauses[0] if rule and rule.clauses else ""
        found.append(IrregularityFound(kind=kind, told=command.told, remedy="replace", **about(command, clause)))
    return [*found, *condemned(table, command, kinds[0], found[0].clause)]


@evolves(IrregularityFound)
def irregularity_found(table: Table, _event: IrregularityFound) -> Table:
    return table


@evolves_round(StakeReturned)
def stake_returned(round: Round, event: StakeReturned) -> Round:
    stakes = dict(round.stakes)
    stakes.pop(event.stake.key, None)
    return replace(round, stakes=stakes)


@evolves(RoundVoided)
def round_voided(table: Table, _event: RoundVoided) -> Table:
    return round_over(table)


@evolves(ShoeCondemned)
def shoe_condemned(table: Table, event: ShoeCondemned) -> Table:
    shoe = replace(table.shoe, replaced_after_round=True) if table.shoe else None
    return replace(table, shoe=shoe, new_set=table.new_set or event.new_set)
