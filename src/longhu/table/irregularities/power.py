"""Power failure and malfunction (IDT-5.15, DBO-MALF-1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Posting, Transaction, chips_account
from longhu.messages.message import message_code
from longhu.money import Amount
from longhu.positions import Position
from longhu.table.cash import ASK_FOR_FILL, in_tray, tray_short
from longhu.table.document import rule_of
from longhu.table.irregularities.late import LET_PATRON_TAKE_BACK
from longhu.table.messages import (
    ASK_POSITION,
    BETTING_STILL_OPEN,
    FINISH_ROUND_FIRST,
    ROUND_IN_PROGRESS,
    Command,
    decides,
    evolves,
)
from longhu.table.owed import owing, taken_back
from longhu.table.remedies.procedure import follow, round_in_hand, said
from longhu.table.remedies.void import IrregularityFound
from longhu.table.state import Paid, PaidRound, Phase, Table

PAYMENTS_REVERSED = message_code("payments-reversed", number="number", patron="person")
ROUND_NOT_KEPT = message_code("round-not-kept", round="number")
CORRECT_EACH_PAYMENT = message_code("correct-each-payment")
PAID_ROUND_STANDS = message_code("paid-round-stands")
SHIFT_MANAGER = Position.GAMING_SHIFT_MANAGER.value


class ReportPowerFailure(Command, frozen=True, kw_only=True, tag="report-power-failure/1"):
    """The lights went out during a round; what lies open decides whether patrons may withdraw."""

    needs: ClassVar[Position] = Position.DEALER

    told: str = ""


class ReportMalfunction(Command, frozen=True, kw_only=True, tag="report-malfunction/1"):
    """A fault in the round in progress, or in one that was settled before: its payments are taken back."""

    needs: ClassVar[Position] = Position.DEALER

    number: int  # of the round
    told: str = ""


class PaymentsReversed(Event, frozen=True, kw_only=True, tag="payments-reversed/1"):
    """A patron is put back to where the round began; what the chips at the table do not cover is a claim."""

    table: str
    number: int
    patron: str
    paid: tuple[Paid, ...]
    chips: Amount  # taken from the patron at the table; below 0, given to the patron
    claim: Amount = 0  # what the patron owes, having left with it
    unpaid: Amount = 0  # what had been recorded as owed for this round, and is owed no longer
    owed: Amount = 0  # by how much more the house owes the patron for want of a chip, or less

    def transactions(self) -> tuple[Transaction, ...]:
        moves = (
            (chips_account(self.patron), -self.chips),
            (f"world:{self.patron}", -self.claim),
            (f"unpaid:{self.patron}", self.claim - self.unpaid),
            (f"float:{self.table}", self.to_tray),
        )
        postings = [Posting(*each) for each in moves if each[1]]
        postings += owing(self.table, self.patron, self.owed)
        wagers = list(dict.fromkeys(each.wager for each in self.paid if each.wager))
        what = PAYMENTS_REVERSED(number=self.number, patron=self.patron)
        wager = wagers[0] if len(wagers) == 1 else ""
        return (Transaction(what, tuple(postings), self.clause, wager),) if postings else ()

    @property
    def to_tray(self) -> int:
        return self.chips + self.unpaid


class RoundReversed(Event, frozen=True, kw_only=True, tag="round-reversed/1"):
    number: int
    decks: int  # that it was dealt from


@decides(ReportPowerFailure)
def report_power_failure(table: Table, game: Game, command: ReportPowerFailure) -> Decision:
    round = round_in_hand(table)
    if isinstance(round, Refusal):
        return round
    rule = rule_of(game, "power-failure")
    if round.phase is Phase.BETTING:
        clause = rule.clauses[0] if rule and rule.clauses else ""
        return Refusal(BETTING_STILL_OPEN(), LET_PATRON_TAKE_BACK(), clause)
    return follow(table, game, command, "power-failure", said(command.told))


@decides(ReportMalfunction)
def report_malfunction(table: Table, game: Game, command: ReportMalfunction) -> Decision:
    round, rule = table.round, game.irregularities.get("malfunction")
    told = said(command.told)
    if round is not None and command.number == round.number:
        return follow(table, game, command, "malfunction", told)
    clause = rule.clauses[0] if rule and rule.clauses else ""
    if round is not None:
        return Refusal(ROUND_IN_PROGRESS(), FINISH_ROUND_FIRST(), clause)
    settled = table.settled_round(command.number)
    if settled is None:
        return Refusal(ROUND_NOT_KEPT(round=command.number), CORRECT_EACH_PAYMENT(), clause)
    if rule is None or rule.remedy not in ("void", "refund"):
        return Refusal(PAID_ROUND_STANDS(), ASK_POSITION(position=SHIFT_MANAGER))
    back = _reversed(table, command, settled, clause)
    out = -sum(event.to_tray for event in back)
    if out > in_tray(table):
        return tray_short(table, out, ASK_FOR_FILL(), "OPS-2")
    found = IrregularityFound(kind="malfunction", told=told, remedy=rule.remedy, **about(command, clause))
    back.sort(key=lambda event: -event.to_tray)  # collections before payments
    return [found, *back, RoundReversed(number=settled.number, decks=settled.decks, **about(command, clause))]


def _reversed(table: Table, command: ReportMalfunction, settled: PaidRound, clause: str) -> list[PaymentsReversed]:
    """One new transaction for each patron; what was posted stays as it is."""
    events: list[PaymentsReversed] = []
    for patron in dict.fromkeys(each.patron for each in settled.paid):
        paid = tuple(each for each in settled.paid if each.patron == patron)
        net = sum(each.net for each in paid)
        chips, owed = taken_back(table, patron, net)
        events.append(
            PaymentsReversed(
                table=table.settings.table if table.settings else "",
                number=command.number,
                patron=patron,
                paid=paid,
                chips=chips,
                claim=net - chips + owed,
                unpaid=max(0, _lost_claims(paid) - table.claims_lost.get(patron, 0)),
                owed=owed,
                **about(command, clause),
            )
        )
    return events


def _lost_claims(paid: Iterable[Paid]) -> int:
    """What was lost on wagers whose chips had been lifted."""
    return -sum(each.net for each in paid if each.claim and each.net < 0)


@evolves(PaymentsReversed)
def payments_reversed(table: Table, _event: PaymentsReversed) -> Table:
    return table  # only money moved, and that is the ledger's


@evolves(RoundReversed)
def round_reversed(table: Table, event: RoundReversed) -> Table:
    """Its result comes off the board, where it is still on it: the board ends with the rounds that are kept."""
    at = next(place for place, each in enumerate(table.settled) if each.number == event.number)
    round, later, results = table.settled[at], table.settled[at + 1 :], table.results
    place = len(results) - 1 - sum(each.shown for each in later)
    if round.shown and place >= 0:
        results = (*results[:place], *results[place + 1 :])
    left = {
        patron: lost - _lost_claims(each for each in round.paid if each.patron == patron)
        for patron, lost in table.claims_lost.items()
    }
    claims = {patron: lost for patron, lost in left.items() if lost > 0}
    return replace(table, results=results, settled=(*table.settled[:at], *later), claims_lost=claims)
