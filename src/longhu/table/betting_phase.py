"""The betting phase: "Place your bets, please" starts a round and opens it, "No more bets" closes it."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table import call_bets, differential, shoe, tie_returns
from longhu.table.document import cite, overdue, ruling_clause
from longhu.table.messages import (
    ASK_POSITION,
    BETTING_NOT_OPEN,
    DECIDE_IT_FIRST,
    FINISH_ROUND_FIRST,
    POSITION_TOO_LOW,
    ROUND_IN_PROGRESS,
    ROUND_UNDECIDED,
    TABLE_NOT_OPEN,
    Command,
    decides,
    evolves,
    evolves_round,
)
from longhu.table.people import of_the_deal
from longhu.table.state import BETTING, CLOSED, Phase, Round, Table, open_round
from longhu.table.suspension import is_suspended

LOAD_SHOE = message_code("load-shoe")
SHOE_NOT_FULL = message_code("shoe-not-full")
LOAD_FULL_SHOE = message_code("load-full-shoe")
NO_VOID_HAND = message_code("no-void-hand")
NOTHING_WAGERED = message_code("nothing-wagered")
NO_WAGER_THIS_ROUND = message_code("no-wager-this-round", patron="person")
BET_BEFORE_DEAL = message_code("bet-before-deal")
CALL_CLOSES_BETTING = message_code("call-closes-betting")
WAIT_FOR_CALL = message_code("wait-for-call")
WAGERS_ON_LAYOUT = message_code("wagers-on-layout")
DEAL_OR_LET_TAKE_BACK = message_code("deal-or-let-take-back")


class CallPlaceYourBets(Command, frozen=True, kw_only=True, tag="call-place-your-bets/1"):
    """The opening call: a round starts."""

    needs: ClassVar[Position] = Position.DEALER

    wagering: bool = True  # False: a Void Hand


class RoundStarted(Event, frozen=True, kw_only=True, tag="round-started/1"):
    number: int
    game: str  # the digest of the rules that govern it
    game_id: str
    version: str
    in_force: str  # from when these rules are in force, as their document says; "" where it has no date
    method: str
    wagering: bool
    hands: tuple[str, str]  # their ids, in the order in which they are dealt


class CallNoMoreBets(Command, frozen=True, kw_only=True, tag="call-no-more-bets/1"):
    """The closing call."""

    needs: ClassVar[Position] = Position.DEALER


class BettingClosed(Event, frozen=True, kw_only=True, tag="betting-closed/1"):
    number: int
    unconfirmed: tuple[str, ...] = ()  # assisted wagers that their patrons have not confirmed (D21-5.5b)


class ConfirmDeal(Command, frozen=True, kw_only=True, tag="confirm-deal/1"):
    """A patron has placed everything: betting closes when all who wager have said so, where no call does (Q08)."""


class DealConfirmed(Event, frozen=True, kw_only=True, tag="deal-confirmed/1"):
    person: str


class AbandonRound(Command, frozen=True, kw_only=True, tag="abandon-round/1"):
    """Nobody bets: the round that was opened is put away, so that the table can be closed or changed."""

    needs: ClassVar[Position] = Position.DEALER


class RoundAbandoned(Event, frozen=True, kw_only=True, tag="round-abandoned/1"):
    number: int


@decides(CallPlaceYourBets)
@of_the_deal
def call_place_your_bets(table: Table, game: Game, command: CallPlaceYourBets) -> Decision:
    settings = table.settings
    if settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if table.round is not None:
        return Refusal(ROUND_IN_PROGRESS(), FINISH_ROUND_FIRST(), cite(game, "round-starts"))
    if (suspended := is_suspended(table)) is not None:
        return suspended
    if why := shoe.finished(table):
        return Refusal(why, LOAD_SHOE(), cite(game, "end-of-shoe"))
    if game.reshuffled and table.shoe is not None and table.shoe.drawn > settings.burn:
        return Refusal(SHOE_NOT_FULL(), LOAD_FULL_SHOE(), cite(game, "shuffle"))
    if not command.wagering and _no_void_hand(game):
        return Refusal(NO_VOID_HAND(), clause=cite(game, "void-hand"))
    if not command.wagering and command.position < Position.PIT_SUPERVISOR:
        needed = Position.PIT_SUPERVISOR.value
        return Refusal(
            POSITION_TOO_LOW(position=command.position.value, needed=needed),
            ASK_POSITION(position=needed),
            cite(game, "void-hand"),
        )
    step = "opening-call" if command.wagering else "void-hand"
    started = RoundStarted(
        number=table.rounds + 1,
        game=table.game,
        game_id=game.id,
        version=game.version,
        in_force=game.in_force,
        method=settings.method,
        wagering=command.wagering,
        hands=game.hands,
        **about(command, cite(game, step)),
    )
    return [started, *tie_returns.placed_again(table, game, command, round_started(table, started))]


def _no_void_hand(game: Game) -> bool:
    return "void-hand" not in game.cites or game.chosen.get("void_hand") == "off"


@evolves(RoundStarted)
def round_started(table: Table, event: RoundStarted) -> Table:
    """Wagers that a tie returned wait while a Void Hand is dealt: the next round is the one with wagers (D21-5.11)."""
    opened = Round(event.number, BETTING, event.method, event.at, event.hands, event.wagering)
    table = replace(table, round=opened, rounds=event.number, last_tie=False)
    return replace(table, returned={}, kept={}) if event.wagering else table


@decides(CallNoMoreBets)
@of_the_deal
def call_no_more_bets(table: Table, game: Game, command: CallNoMoreBets) -> Decision:
    if table.round is None or table.round.phase is not Phase.BETTING:
        return Refusal(BETTING_NOT_OPEN(), clause=cite(game, "closing-call"))
    if table.round.has_expired(game, command.at):
        return overdue(game)
    entered_later = table.settings is not None and table.settings.takes_spots
    if game.reshuffled and table.round.wagering and not table.round.stakes and not entered_later:
        return Refusal(NOTHING_WAGERED(), BET_BEFORE_DEAL(), cite(game, "first-card"))
    return _closed(table, game, command)


def _closed(table: Table, game: Game, command: Command) -> list[Event]:
    """Betting is over; wagers that lie too far apart are dealt with before the first card (Q16, Q52)."""
    round = open_round(table)
    open_ends = tuple(key for key, stake in round.stakes.items() if stake.requested and not stake.confirmed)
    closed = BettingClosed(number=round.number, unconfirmed=open_ends, **about(command, cite(game, "closing-call")))
    unheard = call_bets.lapsed(command, round, game.cites.get("spoken-wager", ("",))[-1])
    afresh = replace(table, round=replace(round, differential=""))  # after a reset it is the second call (IDT-5.9b)
    return [*unheard, closed, *differential.judged(afresh, game, command, round.stakes)]


@evolves_round(BettingClosed)
def betting_closed(round: Round, _event: BettingClosed) -> Round:
    return replace(round, phase=CLOSED, differential="")


@decides(ConfirmDeal)
def confirm_deal(table: Table, game: Game, command: ConfirmDeal) -> Decision:
    round = table.round
    if round is None or round.phase is not Phase.BETTING:
        return Refusal(BETTING_NOT_OPEN(), clause=cite(game, "closing-call"))
    if game.chosen.get("close_on") != "deal":
        return Refusal(CALL_CLOSES_BETTING(), WAIT_FOR_CALL(), cite(game, "closing-call"))
    if round.has_expired(game, command.at):
        return overdue(game)
    if not round.stakes_of(command.by):
        return Refusal(NO_WAGER_THIS_ROUND(patron=command.by), BET_BEFORE_DEAL(), cite(game, "first-card"))
    said: list[Event] = [DealConfirmed(person=command.by, **about(command, cite(game, "closing-call")))]
    waits = {stake.patron for stake in round.stakes.values()} - {*round.ready, command.by}
    return said if waits else [*said, *_closed(table, game, command)]


@evolves_round(DealConfirmed)
def deal_confirmed(round: Round, event: DealConfirmed) -> Round:
    return replace(round, ready=(*round.ready, event.person))


@decides(AbandonRound)
def abandon_round(table: Table, game: Game, command: AbandonRound) -> Decision:
    round = table.round
    if round is None or round.phase is not Phase.BETTING:
        return Refusal(BETTING_NOT_OPEN())
    if round.halt.for_ruling or round.halt.waits or round.halt.offer is not None:
        return Refusal(ROUND_UNDECIDED(), DECIDE_IT_FIRST(), ruling_clause(game))
    if round.stakes or round.spoken:
        return Refusal(WAGERS_ON_LAYOUT(), DEAL_OR_LET_TAKE_BACK(), cite(game, "round-ends"))
    return [RoundAbandoned(number=round.number, **about(command, cite(game, "round-ends")))]


@evolves(RoundAbandoned)
def round_abandoned(table: Table, _event: RoundAbandoned) -> Table:
    return replace(table, round=None)
