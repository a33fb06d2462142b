"""A round from the opening call to its end: what may happen when, and what may not."""

from __future__ import annotations

from typing import Any

import pytest

import longhu
from longhu.cards import Shoe
from longhu.odds.figures import game_odds
from longhu.table.betting import WAGER_DEPENDS_ON_THIS, PlaceWager, TakeWagerBack, WagerPlaced
from longhu.table.betting_phase import CallNoMoreBets, CallPlaceYourBets, ConfirmDeal, DealConfirmed, RoundStarted
from longhu.table.cutting_card import CuttingCardShown
from longhu.table.dealing import (
    TOTALS,
    AnnounceResult,
    AnnounceTotals,
    CardDrawn,
    DrawCard,
    ResultAnnounced,
    totals_told,
)
from longhu.table.handling import PassHands, RevealHand
from longhu.table.irregularities.rulings import ReportIncident
from longhu.table.messages import (
    ANNOUNCE_RESULT,
    CARDS_FACE_DOWN,
    HANDS_COMPLETE,
    INITIAL_DEAL_NOT_OVER,
    NO_ROUND,
    ROUND_WAITS_FOR_RULING,
)
from longhu.table.opening import CloseTable, OpenTable, high_limit
from longhu.table.remedies.void import (
    ROUND_NEVER_EXPIRES,
    RULING_MAY_END_IT,
    CancelExpiredRound,
    IrregularityFound,
    RoundVoided,
    StakeReturned,
)
from longhu.table.settling import RoundEnded, SettleRound, WagerSettled
from longhu.table.state import DAY, CardSet, Phase, replace
from tests.table.irregular import betting
from tests.table.rounds import Play, equipment_for, settings_for

LONGEST = 30 * DAY

MBS = [
    pytest.param("dragon-tiger", "KS QH", "dragon", marks=pytest.mark.clause("DT-1.1.2a"), id="dragon-tiger"),
    pytest.param("immortal-dragon-tiger", "2D 9C KC QC", "banker", marks=pytest.mark.clause("IDT-1.1.10a"), id="idt"),
]
ENDS = [
    pytest.param("dragon-tiger", "KS QH", "dragon", marks=pytest.mark.clause("DT-1.1.2b"), id="dragon-tiger"),
    pytest.param("immortal-dragon-tiger", "2D 9C KC QC", "banker", marks=pytest.mark.clause("IDT-1.1.10b"), id="idt"),
]


# ------------------------------------------------ a round starts and ends


@pytest.mark.parametrize(("game", "cards", "wager"), MBS)
def test_a_round_starts_at_the_opening_call(game: str, cards: str, wager: str) -> None:
    play = Play(game, cards=cards)
    assert play.table.round is None
    started = play.does(CallPlaceYourBets, "dee")
    assert [type(event) for event in started] == [RoundStarted]
    assert play.current.phase is Phase.BETTING
    play.refused(CallPlaceYourBets, "dee")
    play.bet("ann", wager, "10.00")
    play.finish()
    assert play.table.round is None


@pytest.mark.parametrize(("game", "cards", "wager"), ENDS)
def test_a_round_with_wagers_ends_only_when_they_are_settled(game: str, cards: str, wager: str) -> None:
    play = Play(game, cards=cards)
    play.open_betting()
    play.bet("ann", wager, "10.00")
    play.close_betting()
    play.deal()
    play.refused(SettleRound, "dee")
    assert RoundEnded not in [type(event) for event in play.does(AnnounceResult, "dee")]
    play.refused(CallPlaceYourBets, "dee")
    play.refused(CloseTable, "sue", float_counted=0, counted_by=("sue", "dee"))
    assert play.current.phase is Phase.ANNOUNCED
    kinds = [type(event) for event in play.does(SettleRound, "dee")]
    assert kinds == [WagerSettled, RoundEnded]
    assert play.table.round is None


@pytest.mark.parametrize(("game", "cards", "wager"), ENDS)
def test_a_round_without_wagers_ends_with_the_announcement(game: str, cards: str, wager: str) -> None:
    play = Play(game, cards=cards)
    play.open_betting()
    play.bet("ann", wager, "10.00")
    play.does(TakeWagerBack, "ann", place=1, wager=wager)
    play.close_betting()
    play.deal()
    kinds = [type(event) for event in play.does(AnnounceResult, "dee")]
    assert kinds == [ResultAnnounced, RoundEnded]
    assert play.table.round is None
    assert play.net("ann") == "0.00"
    play.open_betting()


# ------------------------------------------------ the calls


@pytest.mark.parametrize(
    ("game", "clause"),
    [
        pytest.param("dragon-tiger", "DT-3.1", marks=pytest.mark.clause("DT-3.1")),
        pytest.param("immortal-dragon-tiger", "IDT-3.1", marks=pytest.mark.clause("IDT-3.1")),
    ],
)
def test_betting_opens_with_place_your_bets(game: str, clause: str) -> None:
    play = Play(game)
    wager = {"place": 1, "wager": "tie", "amount": 2500}
    play.refused(PlaceWager, "ann", clause, **wager)
    play.refused(CallPlaceYourBets, "ann")
    play.does(CallPlaceYourBets, "dee")
    play.does(PlaceWager, "ann", **wager)


@pytest.mark.parametrize(
    ("game", "amount", "late"),
    [
        pytest.param("dragon-tiger", 1000, "DT-5.6a", marks=pytest.mark.clause("DT-3.2")),
        pytest.param("immortal-dragon-tiger", 2500, "IDT-5.4a", marks=pytest.mark.clause("IDT-3.2")),
    ],
)
def test_betting_closes_with_no_more_bets(game: str, amount: int, late: str) -> None:
    play, call = Play(game), 1_000_000
    wager = {"place": 1, "wager": "tie", "amount": amount}
    play.open_betting()
    play.refused(CallNoMoreBets, "ann")
    play.does(PlaceWager, "ann", at=call - 1, **wager)
    play.does(CallNoMoreBets, "dee", at=call)
    play.refused(PlaceWager, "bob", late, at=call + 1, **wager)


@pytest.mark.clause("DT-3.4a")
def test_no_card_is_drawn_while_betting_is_open() -> None:
    play = Play("dragon-tiger")
    play.refused(DrawCard, "dee", "DT-3.4a")
    play.open_betting()
    play.bet("ann", "dragon", "10.00")
    play.refused(DrawCard, "dee", "DT-3.4a")
    play.close_betting()
    play.does(DrawCard, "dee")


def test_no_card_is_drawn_once_both_hands_are_complete() -> None:
    play = betting(Play("dragon-21", cards="KS 7H QD 9C"), ann={"dragon": "50.00"})
    play.deal()
    refusal = play.refused(DrawCard, "dee", "D21-10.1a")
    assert (refusal.reason, refusal.remedy) == (HANDS_COMPLETE(), ANNOUNCE_RESULT())


def test_a_result_waits_for_the_cards_and_for_a_ruling() -> None:
    play = betting(Play("dragon-21", method="B", cards="KS 7H QD 9C"), ann={"dragon": "50.00"})
    play.draw(*[""] * 4)
    assert play.refused(AnnounceResult, "dee", "D21-10.1a").reason == CARDS_FACE_DOWN()
    play.turn_over()
    play.does(ReportIncident, "dee", told="a glass fell over")
    assert play.refused(AnnounceResult, "dee", "D21-10.1a").reason == ROUND_WAITS_FOR_RULING()


@pytest.mark.clause("IDT-3.16a")
def test_the_cutting_card_is_shown_by_its_own_clause() -> None:
    play = Play("immortal-dragon-tiger", cards="2D 3C KC QC 5H 4S")
    assert play.table.shoe is not None
    play.table = replace(play.table, shoe=replace(play.table.shoe, cut_at=play.table.shoe.drawn + 1))
    betting(play, ann={"player": "50.00"})
    play.draw("", "")
    shown = play.last(CuttingCardShown)
    assert (shown.first, shown.clause) == (False, "IDT-3.16a")


@pytest.mark.clause("IDT-3.13")
@pytest.mark.parametrize("method", ["A", "B"])
def test_no_third_card_before_both_totals_are_announced(method: str) -> None:
    play = Play("immortal-dragon-tiger", cards="2D 3C KC QC 5H 4S", method=method)
    play.open_betting()
    play.close_betting()
    assert play.refused(AnnounceTotals, "dee", "IDT-3.13").reason == INITIAL_DEAL_NOT_OVER()
    play.draw(*[""] * 4)
    play.refused(DrawCard, "dee", "IDT-3.13")
    if method == "A":
        play.does(PassHands, "dee")
        play.does(RevealHand, "dee", hand="player")
        play.refused(AnnounceTotals, "dee", "IDT-3.13")
        play.does(RevealHand, "dee", hand="banker")
        play.refused(DrawCard, "dee", "IDT-3.13")
    said = play.does(AnnounceTotals, "dee")
    assert [event.totals for event in said] == [(2, 3)]  # type: ignore[attr-defined]
    assert totals_told(play.game, (2, 3)) == TOTALS(first="player", first_total=2, second="banker", second_total=3)
    play.does(DrawCard, "dee")
    assert play.last(CardDrawn).card.hand == "player"


# ------------------------------------------------ equipment and the house


def set_of(*backs: str) -> dict[str, Any]:
    return {"decks": len(backs), "equipment": equipment_for(len(backs), sets=(CardSet(backs),))}


@pytest.mark.parametrize(
    ("game", "clause"),
    [
        pytest.param("dragon-tiger", "DT-2.1c", marks=pytest.mark.clause("DT-2.1c")),
        pytest.param("immortal-dragon-tiger", "IDT-2.1c", marks=pytest.mark.clause("IDT-2.1c")),
    ],
)
def test_a_set_of_one_red_and_five_blue_decks_is_refused(game: str, clause: str) -> None:
    mixed = Play(game, open=False, **set_of("red", "blue", "blue", "blue", "blue", "blue"))
    mixed.refused(OpenTable, "sue", clause, **mixed.opening())
    plain = Play(game, open=False, **set_of(*["blue"] * 6))
    plain.does(OpenTable, "sue", **plain.opening())


@pytest.mark.clause("IDT-1.1.5")
@pytest.mark.parametrize(
    ("area", "high"), [("Paiza Club", True), ("Ruby Room", True), ("Main floor", False), ("", False)], ids=str
)
def test_tables_of_the_paiza_club_and_the_ruby_room_are_high_limit(area: str, high: bool) -> None:
    game = longhu.game("immortal-dragon-tiger").definition
    assert high_limit(game, settings_for(game, area=area)) is high


# ------------------------------------------------ Dragon Bonus online


def online(cards: str = "") -> Play:
    return Play("dragon-bonus-online", cards=cards)


@pytest.mark.clause("DBO-ABOUT-3")
def test_every_game_is_dealt_from_416_cards() -> None:
    play = online("2D 9C KC QC")
    play.round(ann={"banker": "20.00"})
    assert play.table.shoe is not None
    assert play.table.shoe.left == 412
    play.refused(CallPlaceYourBets, "dee", "DBO-ABOUT-3")
    play.load("2D 3C KC QC 5H 4S")
    assert play.table.shoe.left == 416
    play.round(ann={"banker": "20.00"})
    play.refused(CallPlaceYourBets, "dee", "DBO-ABOUT-3")


@pytest.mark.clause("DBO-CHANCE-1")
def test_the_chances_are_the_same_at_the_start_of_every_game() -> None:
    """The odds of what is left in the shoe, at a table, are those that are published: before the first game and the fortieth."""
    play, published = online(), longhu.game("dragon-bonus-online").odds()
    for number in range(1, 41):
        play.open_betting()
        assert play.table.shoe is not None
        counts = play.table.shoe.counts
        assert (play.current.number, sum(counts), counts) == (number, 416, Shoe.of_decks(8).counts)
        if number in (1, 40):
            left = game_odds(play.game, Shoe(counts), wagers=play.game.wagers)
            assert {id: each.ev for id, each in left.items()} == {id: each.ev for id, each in published.items()}
        play.bet("ann", "player", "5.00")
        play.close_betting()
        play.finish()
        assert 406 <= play.table.shoe.left <= 412


@pytest.mark.clause("DBO-RANK-1")
def test_nothing_is_settled_before_the_last_card_that_is_due() -> None:
    play = online("2D 3C KC QC 5H 4S")
    play.open_betting()
    play.bet("ann", "player", "20.00")
    play.close_betting()
    for drawn in range(6):
        assert len(play.current.cards) == drawn
        play.refused(AnnounceResult, "dee")
        play.refused(SettleRound, "dee")
        play.draw()
    assert not [event for event in play.log if isinstance(event, WagerSettled)]
    play.finish()
    assert len([event for event in play.log if isinstance(event, WagerSettled)]) == 1


@pytest.mark.clause("DBO-DEAL-1")
def test_the_players_own_confirmation_closes_betting_and_needs_a_bet() -> None:
    play = online("2D 9C KC QC")
    play.open_betting()
    play.refused(DrawCard, "dee", "DBO-DEAL-1")
    play.refused(ConfirmDeal, "ann", "DBO-DEAL-1")
    play.refused(CallNoMoreBets, "dee", "DBO-DEAL-1")
    play.bet("ann", "banker", "20.00")
    play.does(ConfirmDeal, "ann")
    assert play.current.phase is Phase.CLOSED
    play.refused(PlaceWager, "ann", "DBO-DEAL-1", place=1, wager="tie", amount=500)
    play.refused(PlaceWager, "ann", "DBO-DEAL-1", place=1, wager="banker", amount=500)
    play.does(DrawCard, "dee")


@pytest.mark.clause("DBO-DEAL-1")
def test_with_several_players_the_deal_waits_for_everyone_who_bets() -> None:
    play = online()
    play.open_betting()
    play.bet("ann", "banker", "20.00")
    play.bet("stan", "player", "20.00")
    assert [type(event) for event in play.does(ConfirmDeal, "ann")] == [DealConfirmed]
    play.refused(DrawCard, "dee", "DBO-DEAL-1")
    play.bet("stan", "tie", "5.00")
    play.bet("ann", "banker", "5.00")
    play.does(ConfirmDeal, "stan")
    play.refused(DrawCard, "dee", "DBO-DEAL-1")  # ann has changed her mind since
    play.does(ConfirmDeal, "ann")
    assert play.current.phase is Phase.CLOSED


@pytest.mark.clause("DBO-DEAL-1")
def test_a_player_who_lowers_a_bet_confirms_the_deal_again() -> None:
    play = online()
    play.open_betting()
    play.bet("ann", "banker", "20.00")
    play.bet("stan", "player", "20.00")
    play.does(ConfirmDeal, "ann")
    play.does(TakeWagerBack, "ann", place=1, wager="banker", amount=5_00)
    play.does(ConfirmDeal, "stan")
    play.refused(DrawCard, "dee", "DBO-DEAL-1")
    play.does(ConfirmDeal, "ann")
    assert play.current.phase is Phase.CLOSED


def test_where_a_dealer_calls_patrons_do_not_close_betting() -> None:
    play = Play("dragon-tiger")
    play.open_betting()
    play.bet("ann", "dragon", "10.00")
    play.refused(ConfirmDeal, "ann", "DT-3.2")


def left_in_progress(drawn: int) -> tuple[Play, int]:
    """Banker 20.00 and Dragon Bonus 5.00, and when the first of them was accepted."""
    play = online("2D 9C KC QC")
    play.open_betting()
    play.bet("ann", "banker", "20.00")
    accepted = play.now
    play.bet("ann", "dragon-bonus-banker", "5.00")
    play.close_betting()
    for _ in range(drawn):
        play.draw()
    return play, accepted


@pytest.mark.clause("DBO-30D-1a")
def test_a_game_is_cancelled_when_it_has_been_in_progress_for_more_than_30_days() -> None:
    play, accepted = left_in_progress(drawn=2)
    assert play.game.irregularities["game-expired"].days * DAY == LONGEST == 30 * 24 * 60 * 60 * 1000
    play.refused(CancelExpiredRound, "house", "DBO-30D-1a", at=accepted + LONGEST)
    assert play.table.round is not None
    events = play.does(CancelExpiredRound, "house", at=accepted + LONGEST + 1000)
    assert [type(event) for event in events] == [IrregularityFound, StakeReturned, StakeReturned, RoundVoided]
    assert events[0].clause == "DBO-30D-1a"
    assert play.refused(CancelExpiredRound, "house", "DBO-30D-1a").reason == NO_ROUND()
    assert play.table.round is None


@pytest.mark.clause("DBO-30D-1b")
@pytest.mark.parametrize("drawn", [0, 2, 4])
def test_a_cancelled_game_gives_25_back_and_records_no_win(drawn: int) -> None:
    play, accepted = left_in_progress(drawn)
    assert play.chips("ann") == "9975.00"
    events = play.does(CancelExpiredRound, "house", at=accepted + LONGEST + 1000)
    returned = [event for event in events if isinstance(event, StakeReturned)]
    assert sum(event.stake.amount for event in returned) == 2500
    assert {event.clause for event in returned} == {"DBO-30D-1b"}
    assert play.chips("ann") == "10000.00"
    assert play.table.results == ()
    assert not [event for event in play.log if isinstance(event, WagerSettled | ResultAnnounced)]


def test_thirty_days_count_from_the_first_wager_that_was_not_taken_back() -> None:
    play = online()
    play.open_betting()
    play.bet("ann", "banker", "20.00")
    first = play.now
    play.does(TakeWagerBack, "ann", place=1, wager="banker")
    play.refused(CancelExpiredRound, "house", at=first + LONGEST + 1000)
    play.bet("ann", "banker", "20.00", at=first + LONGEST + 2000)
    play.refused(CancelExpiredRound, "house", at=first + 2 * LONGEST + 2000)
    play.does(CancelExpiredRound, "house", at=first + 2 * LONGEST + 2001)


def test_a_bonus_is_not_left_without_the_bet_that_it_stands_beside() -> None:
    play = online()
    play.open_betting()
    play.bet("ann", "banker", "20.00")
    play.bet("ann", "dragon-bonus-banker", "5.00")
    own = play.game.wagers["dragon-bonus-banker"].clauses[0]
    assert play.last(WagerPlaced).clause == own
    refusal = play.refused(TakeWagerBack, "ann", own, place=1, wager="banker")
    assert refusal.reason.code == WAGER_DEPENDS_ON_THIS.code
    play.does(TakeWagerBack, "ann", place=1, wager="dragon-bonus-banker")
    play.does(TakeWagerBack, "ann", place=1, wager="banker")


def test_games_without_the_rule_stay_open() -> None:
    play = Play("dragon-tiger")
    play.open_betting()
    play.bet("ann", "dragon", "10.00")
    stays = play.refused(CancelExpiredRound, "house", at=play.now + LONGEST + 1000)
    assert stays.reason == ROUND_NEVER_EXPIRES()
    assert stays.remedy == RULING_MAY_END_IT()
