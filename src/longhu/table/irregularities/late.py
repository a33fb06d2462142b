"""Wagers placed, raised or pulled back after the closing call, found to be off the limits, or at a spot and not entered.

At a screen the table refuses all of these before they happen. On a physical layout chips appear and disappear; staff
report what they see, and the ledger keeps to the rules: late chips never count, a wager that was lifted stays at risk,
and one that was found too small or too large is settled as the document says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Transaction, is_spot, moved
from longhu.messages.message import message_code
from longhu.money import Amount
from longhu.positions import Position
from longhu.table import differential
from longhu.table.betting import (
    NO_SUCH_WAGER,
    counted_beside,
    left_without,
    limit_clause,
    limit_for,
    no_companion,
    of_another_position,
    short_of_chips,
    until_first_card,
)
from longhu.table.cash import ASK_FOR_FILL, in_tray, tray_short
from longhu.table.document import cite
from longhu.table.messages import (
    AMOUNT_NOT_POSITIVE,
    ASK_POSITION,
    BETTING_STILL_OPEN,
    COUNT_AGAIN,
    GIVE_REASON,
    NOT_AT_TABLE,
    NOT_WHOLE_CHIPS,
    REASON_MISSING,
    TABLE_NOT_OPEN,
    WITHDRAWAL_OFFERED,
    Command,
    decides,
    evolves,
    evolves_round,
)
from longhu.table.remedies.procedure import follow
from longhu.table.remedies.withdrawal import WAGERS_STAY, decided_wagers, withdrawable
from longhu.table.state import Phase, Round, Stake, Table, may_bet, open_round, stake_key

UNPAID = message_code("unpaid", patron="person", reason="reason")
WAGER_AS_FOUND = message_code("wager-as-found", patron="person", wager="wager")

AFTER_THE_CALL = (Phase.CLOSED, Phase.DEALING, Phase.COMPLETE, Phase.ANNOUNCED)


PLACE_AS_WAGER = message_code("place-as-wager")
SAY_WHOSE_CHIPS = message_code("say-whose-chips")
AREA_NOT_ON_LAYOUT = message_code("area-not-on-layout", wager="wager", place="number")
LET_PATRON_TAKE_BACK = message_code("let-patron-take-back")
DEVICE_KEEPS_STAKES = message_code("device-keeps-stakes")
REPORTED_ALREADY = message_code("reported-already")
RECORD_AS_ANSWER = message_code("record-as-answer")
FREE_UNTIL_FIRST_CARD = message_code("free-until-first-card")
HEAVIER_MAY_COME_DOWN = message_code("heavier-may-come-down")
LOST_ON_LIFTED = message_code("lost-on-lifted", patron="person", amount="money")
RECORD_AT_MOST = message_code("record-at-most", amount="money")
WITHIN_LIMITS = message_code("within-limits", amount="money")
CHIPS_FOUND = message_code("chips-found", amount="money", patron="person", wager="wager")
NO_CHIPS_CAN_LIE = message_code("no-chips-can-lie", patron="person", wager="wager", place="number")
CARDS_HAVE_DECIDED = message_code("cards-have-decided", wager="wager")
NO_SPOT = message_code("no-spot", patron="person")
REPORT_OTHERWISE = message_code("report-otherwise")
CHIPS_OFF_LIMITS = message_code("chips-off-limits", amount="money")
REPORT_OFF_LIMITS = message_code("report-off-limits")
NO_SUCH_ROUND = message_code("no-such-round", round="number")
ROUND_OVER = message_code("round-over", round="number")
PAYMENTS_FINAL = message_code("payments-final")


class ReportLateChips(Command, frozen=True, kw_only=True, tag="report-late-chips/1"):
    """Chips that were put down after the closing call: they go back, whatever the result (DT-5.6, IDT-5.4)."""

    needs: ClassVar[Position] = Position.DEALER

    patron: str
    place: int
    wager: str
    amount: Amount  # the part that came too late


class LateChipsReturned(Event, frozen=True, kw_only=True, tag="late-chips-returned/1"):
    """They were never a wager, so the ledger has nothing to move."""

    patron: str
    place: int
    wager: str
    amount: Amount


class ReportLiftedWager(Command, frozen=True, kw_only=True, tag="report-lifted-wager/1"):
    """A patron has pulled a wager back after the closing call (DT-5.7, IDT-5.5)."""

    needs: ClassVar[Position] = Position.DEALER

    patron: str
    place: int
    wager: str


class WagerLifted(Event, frozen=True, kw_only=True, tag="wager-lifted/1"):
    """The chips may be gone; the claim stays on the layout in the ledger, and is settled on the result (Q12)."""

    key: str


class RecordUnpaidLoss(Command, frozen=True, kw_only=True, tag="record-unpaid-loss/1"):
    """What a patron lost on a lifted wager and will not hand over: the tray lacks it, and the pit must act (Q12)."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    patron: str
    amount: Amount
    reason: str


class UnpaidLossRecorded(Event, frozen=True, kw_only=True, tag="unpaid-loss-recorded/1"):
    table: str
    patron: str
    amount: Amount
    reason: str
    wager: str = ""  # where it is known which

    def transactions(self) -> tuple[Transaction, ...]:
        what, source, target = (
            UNPAID(patron=self.patron, reason=self.reason),
            f"float:{self.table}",
            f"unpaid:{self.patron}",
        )
        return (moved(what, self.amount, source, target, clause=self.clause, wager=self.wager),)


class ReportOffLimitsWager(Command, frozen=True, kw_only=True, tag="report-off-limits-wager/1"):
    """Chips that lay on the layout before the call turn out to be under the minimum or over the maximum (Q38)."""

    needs: ClassVar[Position] = Position.DEALER

    patron: str
    place: int
    wager: str
    amount: Amount  # what lies there
    round: int | None = None  # which round it is about; the one in progress where none is said


class OffLimitsWagerFound(Event, frozen=True, kw_only=True, tag="off-limits-wager-found/1"):
    """The stake as it was found; `added` is what the ledger did not have on the layout, or had too much (negative)."""

    stake: Stake
    added: Amount

    def transactions(self) -> tuple[Transaction, ...]:
        return as_it_lies(self.stake, self.added, self.clause)


class ReportUnenteredChips(Command, frozen=True, kw_only=True, tag="report-unentered-chips/1"):
    """Chips that lay at a spot before the closing call, and that nobody has entered, or entered otherwise: the wager is what lies there."""

    needs: ClassVar[Position] = Position.DEALER

    patron: str  # the spot
    place: int
    wager: str
    amount: Amount  # what lies there in all; 0 where nothing does


class ChipsEntered(Event, frozen=True, kw_only=True, tag="chips-entered/1"):
    """The stake as it lies at its spot; `added` is what the ledger did not have on the layout, or had too much (negative)."""

    stake: Stake
    added: Amount

    def transactions(self) -> tuple[Transaction, ...]:
        return as_it_lies(self.stake, self.added, self.clause)


def as_it_lies(stake: Stake, added: int, clause: str) -> tuple[Transaction, ...]:
    """What the ledger has on the layout becomes what lies there."""
    what = WAGER_AS_FOUND(patron=stake.patron, wager=stake.wager)
    return (moved(what, added, stake.purse, stake.account, clause=clause, wager=stake.wager),) if added else ()


def closed_round(table: Table) -> Round | None:
    """The round whose betting is over and whose wagers are not yet settled."""
    round = table.round
    return round if round is not None and round.phase in AFTER_THE_CALL else None


def _key(command: ReportLateChips | ReportLiftedWager | ReportOffLimitsWager | ReportUnenteredChips) -> str:
    return stake_key(command.patron, command.place, command.wager)


# ------------------------------------------------ too late


@decides(ReportLateChips)
def report_late_chips(table: Table, game: Game, command: ReportLateChips) -> Decision:
    round = closed_round(table)
    if round is None:
        return Refusal(BETTING_STILL_OPEN(), PLACE_AS_WAGER(), cite(game, "late-wager"))
    if not may_bet(table, command.patron):
        return Refusal(NOT_AT_TABLE(person=command.patron), SAY_WHOSE_CHIPS(), cite(game, "late-wager"))
    if (wrong_spot := of_another_position(command.patron, command.place)) is not None:
        return wrong_spot
    if command.amount <= 0:
        return Refusal(AMOUNT_NOT_POSITIVE(amount=command.amount), clause=cite(game, "late-wager"))
    if table.settings is not None and not table.settings.whole(command.amount):
        whole = NOT_WHOLE_CHIPS(amount=command.amount, unit=table.settings.chip_unit)
        return Refusal(whole, COUNT_AGAIN(), cite(game, "late-wager"))
    if not _on_layout(table, command):
        nowhere = AREA_NOT_ON_LAYOUT(wager=command.wager, place=command.place)
        return Refusal(nowhere, SAY_WHOSE_CHIPS(), cite(game, "late-wager"))
    step = "late-increase" if _key(command) in round.stakes else "late-wager"
    returned = LateChipsReturned(
        patron=command.patron,
        place=command.place,
        wager=command.wager,
        amount=command.amount,
        **about(command, cite(game, step)),
    )
    return [returned]


def _on_layout(table: Table, command: ReportLateChips | ReportOffLimitsWager | ReportUnenteredChips) -> bool:
    settings = table.settings
    return settings is not None and 1 <= command.place <= settings.positions and command.wager in settings.limits


@evolves(LateChipsReturned)
def late_chips_returned(table: Table, _event: LateChipsReturned) -> Table:
    return table


@decides(ReportLiftedWager)
def report_lifted(table: Table, game: Game, command: ReportLiftedWager) -> Decision:
    round, clause = closed_round(table), cite(game, "late-withdrawal")
    if round is None:
        return Refusal(BETTING_STILL_OPEN(), LET_PATRON_TAKE_BACK(), clause)
    if game.chosen.get("late_withdrawal") == "block":
        return Refusal(DEVICE_KEEPS_STAKES(), WAGERS_STAY(), clause)
    stake = round.stakes.get(_key(command))
    if stake is None:
        return Refusal(NO_SUCH_WAGER(patron=command.patron, wager=command.wager, place=command.place), clause=clause)
    if stake.claim:
        return Refusal(REPORTED_ALREADY(), clause=clause)
    honoured = _honoured(table, game, round, stake)
    if honoured is not None:
        return honoured
    return [WagerLifted(key=stake.key, **about(command, clause))]


def _honoured(table: Table, game: Game, round: Round, stake: Stake) -> Refusal | None:
    """Where a rule lets a wager go, pulling it back is no late withdrawal (IDT-5.5)."""
    offer = round.halt.offer
    if offer and stake.patron in offer.waits_for and stake in withdrawable(table, game, whole=offer.whole):
        return Refusal(WITHDRAWAL_OFFERED(), RECORD_AS_ANSWER(), offer.clause)
    if until_first_card(game, round):
        return Refusal(FREE_UNTIL_FIRST_CARD(), LET_PATRON_TAKE_BACK(), cite(game, "late-withdrawal"))
    lowers = differential.lowering(table, game, stake.wager)
    if lowers and differential.wrong_lowering(table, game, stake.amount) is None:
        return Refusal(HEAVIER_MAY_COME_DOWN(), LET_PATRON_TAKE_BACK(), differential.cited(game, 1))
    return None


@evolves_round(WagerLifted)
def wager_lifted(round: Round, event: WagerLifted) -> Round:
    stake = replace(round.stakes[event.key], claim=True)
    return replace(round, stakes={**round.stakes, event.key: stake})


@decides(RecordUnpaidLoss)
def record_unpaid(table: Table, game: Game, command: RecordUnpaidLoss) -> Decision:
    clause, lost = cite(game, "late-withdrawal"), table.claims_lost.get(command.patron, 0)
    if table.settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if not 0 < command.amount <= lost:
        return Refusal(LOST_ON_LIFTED(patron=command.patron, amount=lost), RECORD_AT_MOST(amount=lost), clause)
    if not command.reason.strip():
        return Refusal(REASON_MISSING(), GIVE_REASON(), clause)
    if command.amount > in_tray(table):
        return tray_short(table, command.amount, ASK_FOR_FILL(), "OPS-2")
    paid = [each for round in table.settled for each in round.paid]
    wagers = {each.wager for each in paid if each.patron == command.patron and each.claim and each.net < 0}
    unpaid = UnpaidLossRecorded(
        table=table.settings.table,
        patron=command.patron,
        amount=command.amount,
        reason=command.reason,
        wager=wagers.pop() if len(wagers) == 1 else "",
        **about(command, clause),
    )
    return [unpaid]


@evolves(UnpaidLossRecorded)
def unpaid_recorded(table: Table, event: UnpaidLossRecorded) -> Table:
    lost = {**table.claims_lost, event.patron: table.claims_lost[event.patron] - event.amount}
    return replace(table, claims_lost={patron: amount for patron, amount in lost.items() if amount})


# ------------------------------------------------ too small, too large


@decides(ReportOffLimitsWager)
def report_off_limits(table: Table, game: Game, command: ReportOffLimitsWager) -> Decision:
    refusal = _is_final(table, game, command) or _cannot_lie_there(table, game, command)
    refusal = refusal or _result_known(table, game, command)
    if refusal is not None:
        return refusal
    before, kind = open_round(table).stakes.get(_key(command)), _off(table, game, command)
    corrects = before is not None and before.found
    if not kind and not corrects:
        return Refusal(WITHIN_LIMITS(amount=command.amount), clause=limit_clause(game, command.wager))
    rule = game.irregularities.get(kind)
    if kind and rule is None:  # the document is silent
        told = CHIPS_FOUND(amount=command.amount, patron=command.patron, wager=command.wager)
        return follow(table, game, command, kind, told)
    added = command.amount - (before.amount if before else 0)
    if corrects and not added:
        return Refusal(REPORTED_ALREADY(), clause=limit_clause(game, command.wager))
    short = short_of_chips(table, command.patron, added)
    if short is not None:
        return short
    stake = before or Stake(command.patron, command.place, command.wager, 0, command.at, command.patron)
    stake = replace(stake, amount=command.amount, found=bool(kind))
    clause = rule.clauses[0] if rule else limit_clause(game, command.wager)
    return [OffLimitsWagerFound(stake=stake, added=added, **about(command, clause))]


def _off(table: Table, game: Game, command: ReportOffLimitsWager | ReportUnenteredChips) -> str:
    """The kind of irregularity that so many chips are, "" within the limits: a count that was wrong is put right so."""
    limit = limit_for(table, game, command.wager, command.patron)
    if command.amount < limit.min:
        return "under-minimum"
    together = command.amount + counted_beside(open_round(table), game, command.patron, command.wager, command.place)
    return "over-maximum" if together > limit.max else ""


def _cannot_lie_there(table: Table, game: Game, command: ReportOffLimitsWager | ReportUnenteredChips) -> Refusal | None:
    settings, least = table.settings, 0 if isinstance(command, ReportUnenteredChips) else 1
    if closed_round(table) is None or settings is None:
        return Refusal(BETTING_STILL_OPEN(), clause=limit_clause(game, command.wager))
    if (wrong_spot := of_another_position(command.patron, command.place)) is not None:
        return wrong_spot
    if not may_bet(table, command.patron) or not _on_layout(table, command) or command.amount < least:
        nowhere = NO_CHIPS_CAN_LIE(patron=command.patron, wager=command.wager, place=command.place)
        return Refusal(nowhere, SAY_WHOSE_CHIPS(), limit_clause(game, command.wager))
    if not settings.whole(command.amount):
        whole = NOT_WHOLE_CHIPS(amount=command.amount, unit=settings.chip_unit)
        return Refusal(whole, COUNT_AGAIN(), limit_clause(game, command.wager))
    return None


def _result_known(table: Table, game: Game, command: ReportOffLimitsWager | ReportUnenteredChips) -> Refusal | None:
    """Once the cards have decided the wager, a dealer alone does not say what lay there."""
    if command.position >= Position.PIT_SUPERVISOR:
        return None
    if not open_round(table).announced and command.wager not in decided_wagers(table, game):
        return None
    supervisor = ASK_POSITION(position=Position.PIT_SUPERVISOR.value)
    return Refusal(CARDS_HAVE_DECIDED(wager=command.wager), supervisor, limit_clause(game, command.wager))


def _is_final(table: Table, game: Game, command: ReportOffLimitsWager) -> Refusal | None:
    """What earlier rounds paid or collected stays as it is (IDT-5.14)."""
    number = table.rounds if command.round is None else command.round
    if table.round is not None and number == table.round.number:
        return None
    if not 1 <= number <= table.rounds:
        return Refusal(NO_SUCH_ROUND(round=number))
    rule = game.irregularities.get("over-maximum")
    return Refusal(ROUND_OVER(round=number), PAYMENTS_FINAL(), rule.clauses[-1] if rule else "")


@evolves_round(OffLimitsWagerFound)
def off_limits_found(round: Round, event: OffLimitsWagerFound) -> Round:
    return replace(round, stakes={**round.stakes, event.stake.key: event.stake})


# ------------------------------------------------ at a spot, and not entered


@decides(ReportUnenteredChips)
def report_unentered(table: Table, game: Game, command: ReportUnenteredChips) -> Decision:
    """Chips of no account: nobody but the dealer tells the table of them, and a round may be dealt before that is done."""
    if not is_spot(command.patron):
        return Refusal(NO_SPOT(patron=command.patron), REPORT_OTHERWISE(), cite(game, "late-wager"))
    refusal = _cannot_lie_there(table, game, command) or _result_known(table, game, command)
    if refusal is not None:
        return refusal
    round = open_round(table)
    before = round.stakes.get(_key(command))
    added = command.amount - (before.amount if before else 0)
    if not added:
        return Refusal(REPORTED_ALREADY(), clause=limit_clause(game, command.wager))
    if command.amount and _off(table, game, command):
        return Refusal(CHIPS_OFF_LIMITS(amount=command.amount), REPORT_OFF_LIMITS(), limit_clause(game, command.wager))
    stake = before or Stake(command.patron, command.place, command.wager, 0, command.at, command.by, confirmed=True)
    stakes = {**round.stakes, stake.key: replace(stake, amount=command.amount, found=False)}
    refusal = _stands_alone(table, game, command, stakes)
    if refusal is not None:
        return refusal
    clause = cite(game, "chips-on-layout") or cite(game, "closing-call")
    entered = ChipsEntered(stake=stakes[stake.key], added=added, **about(command, clause))
    return [entered, *differential.judged(table, game, command, stakes)]


def _stands_alone(
    table: Table, game: Game, command: ReportUnenteredChips, stakes: Mapping[str, Stake]
) -> Refusal | None:
    """Is it without the wager that it has to stand beside, or would it leave another without?"""
    own = no_companion(table, game, command.wager, command.patron) if command.amount else None
    return own or left_without(game, stakes, command.patron)


@evolves_round(ChipsEntered)
def chips_entered(round: Round, event: ChipsEntered) -> Round:
    stakes = {**round.stakes, event.stake.key: event.stake}
    if not event.stake.amount:
        del stakes[event.stake.key]
    first = event.at if round.first_wager is None else round.first_wager
    return replace(round, stakes=stakes, first_wager=first)
