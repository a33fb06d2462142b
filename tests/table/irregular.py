"""What the tests of irregularities share: a round to a certain point, and what became of its money."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from longhu.cards import DECK, cards
from longhu.eventsourcing import Event
from longhu.table.dealing import AnnounceResult, AnnounceTotals, CardDrawn
from longhu.table.remedies.void import RoundVoided, StakeReturned
from longhu.table.settling import SettleRound, WagerSettled
from tests.table.rounds import Play

DT, IDT, D21, DBO = "dragon-tiger", "immortal-dragon-tiger", "dragon-21", "dragon-bonus-online"
METHOD_B: dict[str, Any] = {"method": "B", "device": "hand-shoe"}  # face up, from a physical shoe


def physical(game: str, **settings: Any) -> Play:
    """A table with a physical shoe: the dealer tells each card."""
    return Play(game, device="hand-shoe", **settings)


def betting(play: Play, **bets: dict[str, str]) -> Play:
    """The round after the closing call, with these wagers."""
    play.open_betting()
    for patron, wagers in bets.items():
        for wager, amount in wagers.items():
            play.bet(patron, wager, amount)
    play.close_betting()
    return play


def hands(play: Play) -> tuple[str, str]:
    """The cards of both hands, as the table has them."""
    first, second = (" ".join(each.card for each in play.current.cards_of(hand)) for hand in (0, 1))
    return first, second


def finish(play: Play, *further: str) -> list[Event]:
    """Totals where they are told, further cards from a physical shoe, the result and the payments."""
    if "announce-totals" in play.game.cites and not play.current.totals_announced:
        play.does(AnnounceTotals, "dee")
    for face in further:
        play.draw(face)
    return [*play.does(AnnounceResult, "dee"), *play.does(SettleRound, "dee")]


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def returned(events: list[Event]) -> dict[str, int]:
    """What came back, by patron and wager."""
    back = [event.stake for event in events if isinstance(event, StakeReturned)]
    return {f"{stake.patron} {stake.wager}": stake.amount for stake in back}


def postings(events: list[Event]) -> list[Any]:
    return [transaction for event in events for transaction in event.transactions()]


def with_cards_left(play: Play, left: str) -> Play:
    """The same table with nothing but these cards in its physical shoe."""
    assert play.table.shoe is not None
    counts = tuple(cards(left).count(each) for each in DECK)
    play.table = replace(play.table, shoe=replace(play.table.shoe, counts=counts))
    return play


def assert_void(play: Play, events: list[Event], clause: str) -> None:
    """The round is over without an outcome, by this clause, and every stake is back."""
    voided = next(event for event in events if isinstance(event, RoundVoided))
    assert voided.clause == clause
    assert play.table.round is None
    assert not any(isinstance(event, WagerSettled) for event in play.log)
    assert not [account for account in play.table.balances if account.startswith("layout:")]


def dealt(play: Play) -> list[str]:
    """Every card that was dealt, in order."""
    return [event.card.card for event in play.log if isinstance(event, CardDrawn)]
