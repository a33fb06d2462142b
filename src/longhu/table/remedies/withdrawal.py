"""Patrons are asked whether they withdraw, and the round waits for their answers.

Whoever says nothing until the time is up stays (Q34). Where all or nothing may be withdrawn, a wager that the exposed
cards decide already is no longer the patron's to take: it stays and is settled.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.cards import card
from longhu.eventsourcing import Decision, Event, Refusal, about, replay
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.odds.figures import WagerStanding
from longhu.odds.reach import Exposed, decided
from longhu.positions import Position
from longhu.settlement import WAGER_NEEDS_ANOTHER
from longhu.table import nominees
from longhu.table.betting import NO_SUCH_WAGER
from longhu.table.differential import left_alone
from longhu.table.document import cite
from longhu.table.messages import Command, decides, evolve, evolves, evolves_round
from longhu.table.opening import high_limit
from longhu.table.remedies.passing import passed_anew
from longhu.table.remedies.restoring import restored, rightful
from longhu.table.remedies.void import StakeReturned
from longhu.table.settling import cleared
from longhu.table.state import Offer, Phase, Round, Stake, Table, open_round

NO_WITHDRAWAL_OFFERED = message_code("no-withdrawal-offered")
MAY_NOT_ANSWER_FOR = message_code("may-not-answer-for", person="person", patron="person")
NOT_ASKED = message_code("not-asked", patron="person")
ANSWER_TOO_LATE = message_code("answer-too-late")
WAGERS_STAY = message_code("wagers-stay")
WITHDRAWAL_IN_PART = message_code("withdrawal-in-part")
WITHDRAW_ALL_OR_NONE = message_code("withdraw-all-or-none")
WITHDRAW_IT_TOO = message_code("withdraw-it-too")
TIME_LEFT_TO_ANSWER = message_code("time-left-to-answer", seconds="number")
WAIT = message_code("wait")


class WithdrawalOffered(Event, frozen=True, kw_only=True, tag="withdrawal-offered/1"):
    offer: Offer


class AnswerWithdrawalOffer(Command, frozen=True, kw_only=True, tag="answer-withdrawal-offer/1"):
    """Withdraw, or stay; by the patron, a nominee who may wager, or staff on the patron's word."""

    withdraw: bool
    wagers: tuple[tuple[int, str], ...] = ()  # position and wager, where not all of them; only if that is allowed
    patron: str = ""


class WithdrawalOfferAnswered(Event, frozen=True, kw_only=True, tag="withdrawal-offer-answered/1"):
    patron: str
    withdraws: bool


class CloseWithdrawalOffer(Command, frozen=True, kw_only=True, tag="close-withdrawal-offer/1"):
    """The time to answer is over: silence means stay."""

    needs: ClassVar[Position] = Position.DEALER


class WithdrawalOfferClosed(Event, frozen=True, kw_only=True, tag="withdrawal-offer-closed/1"):
    why: str
    then: str
    silent: tuple[str, ...]  # who has not answered, and stays


class BettingReopened(Event, frozen=True, kw_only=True, tag="betting-reopened/1"):
    number: int


class CardsDiscarded(Event, frozen=True, kw_only=True, tag="cards-discarded/1"):
    """The cards that are out go to the discards before betting opens again: nobody bets on cards that were seen."""


class ExposedCardsJudged(Event, frozen=True, kw_only=True, tag="exposed-cards-judged/1"):
    """The cards that lay open or were squeezed open, which of the wagers on offer they decide, and what follows (IDT-5.15)."""

    exposed: tuple[tuple[str, ...], tuple[str, ...]]  # by hand; "" lies face down
    decided: dict[str, str]
    withdrawal: bool


# ------------------------------------------------ what is decided


def exposed(game: Game, round: Round) -> Exposed:
    """The two hands as far as somebody has seen them, each card where it belongs (Q31)."""
    cards, _over = rightful(game, round.cards)
    first, second = (
        [card(each.card) if each.exposed else None for each in cards if each.hand == hand] for hand in game.hands
    )
    return first, second


def decided_wagers(table: Table, game: Game) -> dict[str, WagerStanding]:
    """Which wagers of the layout the exposed cards decide, whatever may still come (Q31)."""
    round, settings = table.round, table.settings
    if round is None or settings is None or not any(each.exposed for each in round.cards):
        return {}
    found = decided(game, exposed(game, round), settings.layout)
    return {wager: how for wager, how in found.items() if how is not WagerStanding.OPEN}


def withdrawable(table: Table, game: Game, *, whole: bool) -> list[Stake]:
    """The stakes that an offer is about."""
    stakes = list(table.round.stakes.values()) if table.round else []
    settled = decided_wagers(table, game) if whole and stakes else {}
    return [stake for stake in stakes if stake.wager not in settled]


# ------------------------------------------------ offering


def offered(
    table: Table,
    game: Game,
    command: Command,
    why: str,
    then: str,
    clause: str,
    *,
    whole: bool,
    order: tuple[int, ...] = (),
) -> list[Event]:
    """Ask everybody who has something to withdraw; with nobody to ask, what follows is done at once."""
    round, settings = table.round, table.settings
    if round is None or settings is None:
        return []
    patrons = tuple(dict.fromkeys(stake.patron for stake in withdrawable(table, game, whole=whole)))
    until = command.at + settings.withdrawal_seconds * 1000
    offer = Offer(why, until, patrons, whole, then, clause, round.reserve, order)
    if not patrons:
        return _concluded(table, game, command, offer)
    return [WithdrawalOffered(offer=offer, **about(command, clause))]


def offer_at_the_cut(table: Table, game: Game, command: Command) -> list[Event]:
    """The cutting card in place of the first card: in a high limit area patrons may withdraw (IDT-3.16.1)."""
    if table.settings is None or not high_limit(game, table.settings) or "cutting-card-first" not in game.cites:
        return []
    whole = game.chosen.get("withdrawal_scope") == "all"
    step = "cutting-card-first"
    return offered(table, game, command, step, "continue", cite(game, step), whole=whole)


def unless_decided(
    table: Table, game: Game, command: Command, why: str, clauses: tuple[str, str], *, only_placed: bool
) -> list[Event]:
    """Everything may be withdrawn as long as nothing is decided; otherwise the round is played out (IDT-5.15)."""
    if table.round is None:
        return []
    found = decided_wagers(table, game)
    if only_placed:
        placed = {stake.wager for stake in table.round.stakes.values()}
        found = {wager: how for wager, how in found.items() if wager in placed}
    first, second = exposed(game, table.round)
    faces = tuple(str(each) if each else "" for each in first), tuple(str(each) if each else "" for each in second)
    judged = ExposedCardsJudged(
        exposed=faces,
        decided={wager: how.value for wager, how in found.items()},
        withdrawal=not found,
        **about(command, clauses[1] if found else clauses[0]),
    )
    if found:
        return [judged]
    return [judged, *offered(table, game, command, why, "continue", clauses[0], whole=True)]


def _concluded(table: Table, game: Game, command: Command, offer: Offer) -> list[Event]:
    """What follows once everybody has answered."""
    rule = game.irregularities.get(offer.why)
    clauses = rule.clauses if rule else ()
    if offer.then == "reopen" and table.round is not None:
        clause = clauses[1] if len(clauses) > 1 else offer.clause
        stamp = about(command, clause)
        out = [CardsDiscarded(**stamp)] if table.round.cards or table.round.reserve else []
        return [*out, BettingReopened(number=table.round.number, **stamp)]
    if offer.then == "reconstruct":
        clause = clauses[0] if rule and rule.remedy != "void" else offer.clause
        return restored(table, game, command, clause, offer.order)
    return []


# ------------------------------------------------ answering


@decides(AnswerWithdrawalOffer)
def answer_offer(table: Table, game: Game, command: AnswerWithdrawalOffer) -> Decision:
    round, patron = table.round, command.patron or command.by
    offer = round.halt.offer if round else None
    if round is None or offer is None:
        return Refusal(NO_WITHDRAWAL_OFFERED())
    if not _speaks_for(table, command, patron):
        return Refusal(MAY_NOT_ANSWER_FOR(person=command.by, patron=patron), clause=offer.clause)
    if patron not in offer.waits_for:
        return Refusal(NOT_ASKED(patron=patron), clause=offer.clause)
    if command.at >= offer.until:
        return Refusal(ANSWER_TOO_LATE(), WAGERS_STAY(), offer.clause)
    returned: list[Event] = []
    if command.withdraw:
        stakes = _chosen(table, game, command, offer, patron)
        if isinstance(stakes, Refusal):
            return stakes
        returned = [StakeReturned(stake=stake, why="withdrawn", **about(command, offer.clause)) for stake in stakes]
    answered = WithdrawalOfferAnswered(patron=patron, withdraws=command.withdraw, **about(command, offer.clause))
    if offer.waits_for != (patron,):
        return [answered, *returned]
    closed = WithdrawalOfferClosed(why=offer.why, then=offer.then, silent=(), **about(command, offer.clause))
    facts = [answered, *returned, closed]
    return [*facts, *_over(table, game, command, offer, facts)]


def _speaks_for(table: Table, command: Command, patron: str) -> bool:
    if command.by == patron or command.position >= Position.DEALER:
        return True
    return nominees.may_act_for(table, command.by, patron, "wager")


def _chosen(
    table: Table, game: Game, command: AnswerWithdrawalOffer, offer: Offer, patron: str
) -> list[Stake] | Refusal:
    """The stakes that come back."""
    mine = [stake for stake in withdrawable(table, game, whole=offer.whole) if stake.patron == patron]
    wanted = [stake for stake in mine if not command.wagers or (stake.place, stake.wager) in command.wagers]
    unknown = [each for each in command.wagers if each not in [(stake.place, stake.wager) for stake in mine]]
    if unknown:
        place, wager = unknown[0]
        return Refusal(NO_SUCH_WAGER(patron=patron, wager=wager, place=place), clause=offer.clause)
    if offer.whole and wanted != mine:
        rule = game.irregularities.get(offer.why)
        clause = rule.clauses[2] if rule and rule.remedy == "offer-withdrawal-unless-decided" else offer.clause
        return Refusal(WITHDRAWAL_IN_PART(), WITHDRAW_ALL_OR_NONE(), clause)
    if not offer.whole:
        staying = [stake for stake in open_round(table).stakes_of(patron) if stake not in wanted]
        for stake in left_alone(game, staying):
            alone = game.wagers[stake.wager]
            clause = alone.clauses[0] if alone.clauses else offer.clause
            return Refusal(WAGER_NEEDS_ANOTHER(wager=alone.id, others=alone.requires), WITHDRAW_IT_TOO(), clause)
    return wanted


@decides(CloseWithdrawalOffer)
def time_is_up(table: Table, game: Game, command: CloseWithdrawalOffer) -> Decision:
    offer = table.round.halt.offer if table.round else None
    if offer is None:
        return Refusal(NO_WITHDRAWAL_OFFERED())
    if command.at < offer.until:
        left = (offer.until - command.at + 999) // 1000
        return Refusal(TIME_LEFT_TO_ANSWER(seconds=left), WAIT(), offer.clause)
    closed = WithdrawalOfferClosed(
        why=offer.why, then=offer.then, silent=offer.waits_for, **about(command, offer.clause)
    )
    return [closed, *_over(table, game, command, offer, [closed])]


def _over(table: Table, game: Game, command: Command, offer: Offer, facts: list[Event]) -> list[Event]:
    """Hands go on to those who still wager on them, and what was to follow is done."""
    table = replay(evolve, table, facts)
    passed = passed_anew(table, game, command)
    return [*passed, *_concluded(replay(evolve, table, passed), game, command, offer)]


# ------------------------------------------------ what it does to the round


@evolves_round(WithdrawalOffered)
def offer_made(round: Round, event: WithdrawalOffered) -> Round:
    return replace(round, halt=replace(round.halt, offer=event.offer))


@evolves_round(WithdrawalOfferAnswered)
def offer_answered(round: Round, event: WithdrawalOfferAnswered) -> Round:
    offer = round.halt.offer
    if offer is None:
        raise AssertionError("an answer without an offer")
    waits_for = tuple(patron for patron in offer.waits_for if patron != event.patron)
    return replace(round, halt=replace(round.halt, offer=replace(offer, waits_for=waits_for)))


@evolves_round(WithdrawalOfferClosed)
def offer_closed(round: Round, _event: WithdrawalOfferClosed) -> Round:
    return replace(round, halt=replace(round.halt, offer=None))


@evolves_round(BettingReopened)
def betting_reopened(round: Round, _event: BettingReopened) -> Round:
    """The differential is judged afresh at the next closing call."""
    return replace(round, phase=Phase.BETTING, differential="")


@evolves(CardsDiscarded)
def cards_discarded(table: Table, _event: CardsDiscarded) -> Table:
    """The deal begins again with the first card."""
    round = open_round(table)
    again = Round(
        round.number,
        round.phase,
        round.method,
        round.started,
        round.hands,
        round.wagering,
        stakes=round.stakes,
        first_card_at=round.first_card_at,
        first_wager=round.first_wager,
        ready=round.ready,
        spoken=round.spoken,
        halt=round.halt,
        granted=round.granted,
    )
    return replace(table, round=again, shoe=cleared(table))


@evolves(ExposedCardsJudged)
def exposed_cards_judged(table: Table, _event: ExposedCardsJudged) -> Table:
    return table  # kept for the audit
