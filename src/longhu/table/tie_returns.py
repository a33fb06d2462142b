"""After a tie: wagers that it returned may be changed before the next round starts (D21-5.11).

The chips are the patron's again when the round is settled. What the patron lets lie, more or less than before, is a
wager of the next round from its opening call; what nobody mentions is not wagered again.
"""

from __future__ import annotations

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.money import Amount
from longhu.positions import Position
from longhu.table import nominees
from longhu.table.betting import MAY_NOT_CHANGE_WAGER, PlaceWager, WagerPlaced, place_wager
from longhu.table.document import cite
from longhu.table.messages import Command, decides, evolve, evolves
from longhu.table.state import Phase, Round, Stake, Table, stake_key

VOID_HAND_DEALT = message_code("void-hand-dealt")
WAIT_FOR_VOID_HAND = message_code("wait-for-void-hand")
NEXT_ROUND_STARTED = message_code("next-round-started")
BET_AS_USUAL = message_code("bet-as-usual")
WINNERS_NOT_PAID = message_code("winners-not-paid")
WAIT_FOR_PAYMENTS = message_code("wait-for-payments")
NO_RETURNED_WAGER = message_code("no-returned-wager", patron="person", wager="wager", place="number")


class ChangeReturnedWager(Command, frozen=True, kw_only=True, tag="change-returned-wager/1"):
    """Let so much of a returned wager lie for the next round; nothing takes it away."""

    place: int
    wager: str
    amount: Amount
    patron: str = ""  # whose wager, where a nominee or the dealer changes it


class ReturnedWagerChanged(Event, frozen=True, kw_only=True, tag="returned-wager-changed/1"):
    before: Amount  # as the tie returned it
    stake: Stake


@decides(ChangeReturnedWager)
def change_returned(table: Table, game: Game, command: ChangeReturnedWager) -> Decision:
    patron, clause = command.patron or command.by, cite(game, "change-after-tie")
    key = stake_key(patron, command.place, command.wager)
    if table.round is not None and not table.round.wagering:
        return Refusal(VOID_HAND_DEALT(), WAIT_FOR_VOID_HAND(), clause)
    if table.round is not None:
        started = table.round.phase is Phase.BETTING
        return Refusal(
            NEXT_ROUND_STARTED() if started else WINNERS_NOT_PAID(),
            BET_AS_USUAL() if started else WAIT_FOR_PAYMENTS(),
            clause,
        )
    entitled = command.by == patron or nominees.may_act_for(table, command.by, patron, "wager")
    if not entitled and command.position < Position.DEALER:
        return Refusal(MAY_NOT_CHANGE_WAGER(person=command.by, patron=patron), clause=cite(game, "nominee"))
    before = table.returned.get(key)
    if before is None:
        return Refusal(NO_RETURNED_WAGER(patron=patron, wager=command.wager, place=command.place), clause=clause)
    since = before.since if command.amount == before.amount else command.at  # when it reached this amount (Q29)
    stake = replace(before, amount=command.amount, since=since, placed_by=command.by)
    others = replace(table, kept={id: each for id, each in table.kept.items() if id != key})
    if command.amount:
        opened, _ = _opened(others, game, command, _next_round(others, game, command))
        placed = _place(opened, game, command, stake)
        if isinstance(placed, Refusal):
            return placed
    return [ReturnedWagerChanged(before=before.amount, stake=stake, **about(command, clause))]


@evolves(ReturnedWagerChanged)
def returned_changed(table: Table, event: ReturnedWagerChanged) -> Table:
    kept = {**table.kept, event.stake.key: event.stake}
    if not event.stake.amount:
        del kept[event.stake.key]
    return replace(table, kept=kept)


def placed_again(table: Table, game: Game, command: Command, started: Table) -> list[Event]:
    """What lies on the areas when the next round starts; what no longer fits is left out."""
    if not table.kept or started.round is None or not started.round.wagering:
        return []
    return _opened(table, game, command, started)[1]


def _next_round(table: Table, game: Game, command: Command) -> Table:
    return replace(table, round=Round(table.rounds + 1, Phase.BETTING, "", command.at, game.hands))


def _opened(table: Table, game: Game, command: Command, started: Table) -> tuple[Table, list[Event]]:
    """A round that has just started, with the kept wagers on the layout."""
    events: list[Event] = []
    for stake in table.kept.values():
        placed = _place(started, game, command, stake)
        if not isinstance(placed, Refusal):
            lying = [_lying_since(event, stake.since) for event in placed]
            events += lying
            for event in lying:
                started = evolve(started, event)
    return started, events


def _lying_since(event: Event, since: int) -> Event:
    """Whoever let it lie first comes first when hands are passed, not whoever was named first at the call."""
    return replace(event, stake=replace(event.stake, since=since)) if isinstance(event, WagerPlaced) else event


def _place(table: Table, game: Game, command: Command, stake: Stake) -> Decision:
    position = Position.PATRON if stake.placed_by in table.people else Position.DEALER
    again = PlaceWager(
        by=stake.placed_by,
        at=command.at,
        position=position,
        place=stake.place,
        wager=stake.wager,
        amount=stake.amount,
        patron=stake.patron,
        requested=True,  # it lay there already
    )
    return place_wager(table, game, again)
