"""Spoken wagers: told aloud with the chips handed over, set down by the dealer before the closing call (D21-5.4)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Transaction, moved
from longhu.money import UNSTATED, Amount, Money, show
from longhu.positions import Position
from longhu.table.messages import Command, cite, decides, evolves_round
from longhu.table.state import Round, Spoken, Table, stake_key


class SpeakWager(Command, frozen=True, kw_only=True):
    """Tell a wager aloud and hand over its chips; it waits for the dealer."""

    place: int
    wager: str
    amount: Amount
    chips: tuple[Amount, ...] = ()  # what is handed over with it
    patron: str = ""  # for whom, where a nominee speaks


class WagerSpoken(Event, frozen=True, kw_only=True, tag="wager-spoken/1"):
    """The chips are in the dealer's hand."""

    spoken: Spoken

    def transactions(self) -> tuple[Transaction, ...]:
        patron = self.spoken.patron
        return (
            moved(
                f"{patron} hands chips over",
                self.spoken.amount,
                f"patron:{patron}",
                f"spoken:{patron}",
                self.clause,
                self.spoken.wager,
            ),
        )


class SetSpokenWager(Command, frozen=True, kw_only=True):
    """The dealer sets a spoken wager on the layout."""

    needs: ClassVar[Position] = Position.DEALER

    patron: str
    place: int
    wager: str


class SpokenWagerEnded(Event, frozen=True, kw_only=True, tag="spoken-wager-ended/1"):
    """The chips leave the dealer's hand: for the layout, or back because the wager lapsed or was taken back."""

    spoken: Spoken
    lapsed: bool
    taken_back: bool = False  # by the patron, before the dealer set it down

    def transactions(self) -> tuple[Transaction, ...]:
        patron = self.spoken.patron
        what = "is taken back" if self.taken_back else "lapses" if self.lapsed else "is set down"
        says = f"spoken {self.spoken.wager} of {patron} {what}"
        wager = self.spoken.wager
        return (moved(says, self.spoken.amount, f"spoken:{patron}", f"patron:{patron}", self.clause, wager),)


@decides(SpeakWager)
def speak_wager(table: Table, game: Game, command: SpeakWager) -> Decision:
    from longhu.table.betting import not_betting

    patron, round, clauses = command.patron or command.by, table.round, game.cites.get("spoken-wager", ())
    if not clauses:
        return Refusal("wagers are placed on the layout here", "Place the chips, or ask the dealer to")
    late = not_betting(table, game, command, patron)
    if late is not None or round is None:
        return late or Refusal("betting is not open")
    spoken = Spoken(patron, command.place, command.wager, command.chips, command.by)
    if min(command.chips, default=0) <= 0 or spoken.amount != command.amount:
        return Refusal(
            f"{show(command.amount, game.currency or UNSTATED)} was told and "
            f"{show(spoken.amount, game.currency or UNSTATED)} handed over",
            "Hand the chips over with the words",
            clauses[0],
        )
    if spoken.key in round.spoken:
        return Refusal("that wager waits for the dealer already", clause=clauses[0])
    if spoken.amount > table.balances.get(f"patron:{patron}", Money(0)):
        return Refusal(f"{patron} does not have so many chips", "Buy chips first", "MON-3")
    allowed = _set_down(table, game, command, spoken)
    return allowed if isinstance(allowed, Refusal) else [WagerSpoken(spoken=spoken, **about(command, clauses[0]))]


def _set_down(table: Table, game: Game, command: Command, spoken: Spoken) -> Decision:
    """The wager as if it were placed now, by whoever spoke."""
    from longhu.table.betting import PlaceWager, place_wager

    placed = PlaceWager(
        by=command.by,
        at=command.at,
        position=command.position,
        place=spoken.place,
        wager=spoken.wager,
        amount=spoken.amount,
        patron=spoken.patron,
        chips=spoken.chips,
    )
    return place_wager(table, game, placed)


@evolves_round(WagerSpoken)
def wager_spoken(round: Round, event: WagerSpoken) -> Round:
    return replace(round, spoken={**round.spoken, event.spoken.key: event.spoken})


@decides(SetSpokenWager)
def set_spoken_wager(table: Table, game: Game, command: SetSpokenWager) -> Decision:
    spoken = table.round.spoken.get(stake_key(command.patron, command.place, command.wager)) if table.round else None
    clauses = game.cites.get("spoken-wager", ("",))
    if spoken is None:
        return Refusal(f"no spoken {command.wager} of {command.patron} waits", clause=clauses[-1])
    down = SpokenWagerEnded(spoken=spoken, lapsed=False, **about(command, clauses[-1]))
    held = table.balances.get(f"patron:{spoken.patron}", Money(0))
    back = replace(table, balances={**table.balances, f"patron:{spoken.patron}": Money(held + spoken.amount)})
    placed = _set_down(back, game, command, spoken)
    return placed if isinstance(placed, Refusal) else [down, *placed]


@evolves_round(SpokenWagerEnded)
def spoken_wager_ended(round: Round, event: SpokenWagerEnded) -> Round:
    return replace(round, spoken={key: each for key, each in round.spoken.items() if key != event.spoken.key})


def taken_back(game: Game, command: Command, spoken: Spoken, amount: int | None) -> Decision:
    """Until the dealer sets it down a spoken wager is no wager yet: the chips come back, all of them."""
    clause = cite(game, "spoken-wager")
    if amount not in (None, spoken.amount):
        return Refusal("a spoken wager comes back whole", "Take all of it back, and speak another", clause)
    return [SpokenWagerEnded(spoken=spoken, lapsed=True, taken_back=True, **about(command, clause))]


def lapsed(command: Command, round: Round, clause: str) -> list[Event]:
    """What still waits when betting closes, or the round is void: the chips go back."""
    return [SpokenWagerEnded(spoken=each, lapsed=True, **about(command, clause)) for each in round.spoken.values()]
