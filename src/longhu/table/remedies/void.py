"""A void round has no outcome: every stake goes back, decided or not (Q02), and earlier rounds stay as they are.

A game that stays in progress too long is cancelled and refunded in the same way (DBO-30D-1).
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Transaction, moved
from longhu.messages.message import Message, message_code
from longhu.positions import Position
from longhu.table.call_bets import lapsed
from longhu.table.document import ROUND_EXPIRED, cite
from longhu.table.messages import NO_ROUND, Command, decides, evolves, evolves_round
from longhu.table.settling import kept, round_over
from longhu.table.state import Round, Stake, Table

STAKE_RETURNED = message_code("stake-returned", patron="person", wager="wager")
ROUND_NEVER_EXPIRES = message_code("round-never-expires")
RULING_MAY_END_IT = message_code("ruling-may-end-it")
ROUND_NOT_EXPIRED = message_code("round-not-expired", days="number")
ROUND_GOES_ON = message_code("round-goes-on")


class IrregularityFound(Event, frozen=True, kw_only=True, tag="irregularity-found/1"):
    kind: str  # one of the vocabulary's irregularities
    told: Message | None  # what was found, or what a person said of it
    remedy: str  # one of the vocabulary's remedies, or what was done instead


class RoundVoided(Event, frozen=True, kw_only=True, tag="round-voided/1"):
    number: int
    why: Message  # the irregularity, or the reason of a ruling


class StakeReturned(Event, frozen=True, kw_only=True, tag="stake-returned/1"):
    stake: Stake
    why: str  # "void", "withdrawn" or "ruling"

    def transactions(self) -> tuple[Transaction, ...]:
        what = STAKE_RETURNED(patron=self.stake.patron, wager=self.stake.wager)
        stake = self.stake
        return (moved(what, stake.amount, stake.account, stake.purse, clause=self.clause, wager=stake.wager),)


class ShoeCondemned(Event, frozen=True, kw_only=True, tag="shoe-condemned/1"):
    """No further round is dealt from these cards."""

    number: int
    why: str  # the irregularity
    new_set: bool = False  # the next shoe takes another set, counted first (IDT-5.11.5)


class CancelExpiredRound(Command, frozen=True, kw_only=True, tag="cancel-expired-round/1"):
    """The sweep looks at a table: a game in progress for longer than the document allows is cancelled."""

    needs: ClassVar[Position] = Position.DEALER


CARDS_WRONG = (  # kinds after which nobody can trust what is left in the shoe
    "foreign-card", "extra-card", "missing-card", "unshuffled-cards", "order-altered", "insufficient-cards",
)  # fmt: skip


LEFT_WITH_CARDS = "patron-left-with-cards"


def voided(table: Table, command: Command, why: Message, clauses: tuple[str, ...]) -> list[Event]:
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


@decides(CancelExpiredRound)
def cancel_expired(table: Table, game: Game, command: CancelExpiredRound) -> Decision:
    round, rule = table.round, game.irregularities.get("game-expired")
    if rule is None:
        return Refusal(ROUND_NEVER_EXPIRES(), RULING_MAY_END_IT())
    if round is None or round.first_wager is None:
        return Refusal(NO_ROUND(), clause=cite(game, "expiry"))
    if not round.has_expired(game, command.at):
        return Refusal(ROUND_NOT_EXPIRED(days=rule.days), ROUND_GOES_ON(), cite(game, "expiry"))
    expiry = cite(game, "expiry")
    why = ROUND_EXPIRED(days=rule.days)
    found = IrregularityFound(kind="game-expired", told=why, remedy=rule.remedy, **about(command, expiry))
    return [found, *voided(table, command, why, rule.clauses)]


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
    return round_over(kept(table, shown=False))


@evolves(ShoeCondemned)
def shoe_condemned(table: Table, event: ShoeCondemned) -> Table:
    shoe = replace(table.shoe, replaced_after_round=True) if table.shoe else None
    return replace(table, shoe=shoe, new_set=table.new_set or event.new_set)
