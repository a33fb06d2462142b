"""Call bets: told aloud with the chips handed over, set down by the dealer before the closing call (D21-5.4).

`betting` decides whether one is taken and set down: by the rules of any other wager.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.ledger import Transaction, chips_account, moved
from longhu.messages.message import message_code
from longhu.money import Amount
from longhu.positions import Position
from longhu.table.document import cite
from longhu.table.messages import Command, evolves_round
from longhu.table.state import Round, Spoken

CALL_BET_COMES_BACK_WHOLE = message_code("call-bet-comes-back-whole")
TAKE_BACK_AND_CALL_AGAIN = message_code("take-back-and-call-again")
CHIPS_HANDED_OVER = message_code("chips-handed-over", patron="person", wager="wager")
CALL_BET_ENDED = message_code("call-bet-ended", patron="person", wager="wager", how="choice")


class SpeakWager(Command, frozen=True, kw_only=True, tag="speak-wager/1"):
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
                CHIPS_HANDED_OVER(patron=patron, wager=self.spoken.wager),
                self.spoken.amount,
                chips_account(patron),
                f"spoken:{patron}",
                self.clause,
                self.spoken.wager,
            ),
        )


class SetSpokenWager(Command, frozen=True, kw_only=True, tag="set-spoken-wager/1"):
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
        how = "taken-back" if self.taken_back else "lapsed" if self.lapsed else "set-down"
        what = CALL_BET_ENDED(patron=patron, wager=self.spoken.wager, how=how)
        wager = self.spoken.wager
        return (moved(what, self.spoken.amount, f"spoken:{patron}", chips_account(patron), self.clause, wager),)


@evolves_round(WagerSpoken)
def wager_spoken(round: Round, event: WagerSpoken) -> Round:
    return replace(round, spoken={**round.spoken, event.spoken.key: event.spoken})


@evolves_round(SpokenWagerEnded)
def spoken_wager_ended(round: Round, event: SpokenWagerEnded) -> Round:
    return replace(round, spoken={key: each for key, each in round.spoken.items() if key != event.spoken.key})


def taken_back(game: Game, command: Command, spoken: Spoken, amount: int | None) -> Decision:
    """Until the dealer sets it down a spoken wager is no wager yet: the chips come back, all of them."""
    clause = cite(game, "spoken-wager")
    if amount not in (None, spoken.amount):
        return Refusal(CALL_BET_COMES_BACK_WHOLE(), TAKE_BACK_AND_CALL_AGAIN(), clause)
    return [SpokenWagerEnded(spoken=spoken, lapsed=True, taken_back=True, **about(command, clause))]


def lapsed(command: Command, round: Round, clause: str) -> list[Event]:
    """What still waits when betting closes, or the round is void: the chips go back."""
    return [SpokenWagerEnded(spoken=each, lapsed=True, **about(command, clause)) for each in round.spoken.values()]
