"""Chips and the tray: buying in, fills and credits, counts at opening and closing, what the table won."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from longhu.money import show
from longhu.odds.figures import game_odds
from longhu.positions import Position
from longhu.table.cash import BuyIn, CashOut, ChipsBought
from longhu.table.dealing import AnnounceResult
from longhu.table.fills import ChipRequestMoved, RequestChips
from longhu.table.opening import (
    CLOSING_FLOAT,
    DROP_BOX,
    TRAY_COUNT_OFF,
    ChangeSettings,
    CloseTable,
    OpenTable,
    TableClosed,
    TableOpened,
)
from longhu.table.people import AssignStaff
from longhu.table.settling import RoundCapped, SettleRound, WagerSettled
from longhu.table.theory import table_win
from tests.table.chips import moves, tray
from tests.table.rounds import Play

TRAY = {1000_00: 50, 100_00: 400, 25_00: 400}  # 100,000.00


def closing(play: Play, **changes: Any) -> dict[str, Any]:
    return {"float_counted": tray(play), "counted_by": ("sue", "dee"), **changes}


def test_a_patron_buys_chips_for_cash_and_takes_them_away() -> None:
    play = Play("dragon-tiger", people={"ann": 1})
    before = tray(play)
    play.does(BuyIn, "dee", patron="ann", amount=500_00)
    assert (play.chips("ann"), before - tray(play)) == ("10500.00", 500_00)
    play.refused(BuyIn, "ann", patron="ann", amount=500_00)
    play.refused(BuyIn, "dee", "OPS-2", patron="ann", amount=0)
    play.refused(BuyIn, "dee", "OPS-2", patron="ann", amount=tray(play) + 1)
    play.refused(CashOut, "ann", "OPS-2", amount=10_500_01)
    play.does(CashOut, "ann", amount=10_500_00)
    assert play.chips("ann") == "0.00"


def test_chips_are_bought_in_whole_chips() -> None:
    play = Play("dragon-tiger", people={"ann": 1}, chip_unit=5_00)
    play.refused(BuyIn, "dee", "OPS-2", patron="ann", amount=7_50)


def test_chips_leave_the_table_and_come_to_it_in_whole_chips() -> None:
    play = Play("dragon-tiger", people={"ann": 1}, chip_unit=5_00)
    play.refused(CashOut, "ann", "OPS-2", amount=7_50)
    play.refused(RequestChips, "sue", "OPS-3", kind="fill", amount=7_50)
    play.refused(RequestChips, "sue", "OPS-3", kind="credit", amount=1)
    play.does(CashOut, "ann", amount=5_00)
    play.does(RequestChips, "sue", kind="fill", amount=5_00, chips={5_00: 1})


def test_chips_of_a_smaller_unit_than_the_tables_are_taken_away_all_together() -> None:
    play = Play("dragon-tiger", people={"ann": 1}, cards=None)
    play.does(CashOut, "ann", amount=1)
    play.does(ChangeSettings, "opal", changes={"chip_unit": 5_00})
    play.refused(CashOut, "ann", "OPS-2", amount=4_99)
    play.does(CashOut, "ann", amount=9_999_99)
    assert play.chips("ann") == "0.00"


# ---------------------------------------------------------------- OPS-1 counts


@pytest.mark.clause("OPS-1")
def test_the_tray_is_counted_by_value_and_by_two_at_opening_and_closing() -> None:
    play = Play("dragon-tiger", open=False)
    count = {"float_counted": 100_000_00, "chips": TRAY}
    play.refused(OpenTable, "sue", "OPS-1", **play.opening(**count, counted_by=("sue",)))
    play.refused(OpenTable, "sue", "OPS-1", **play.opening(**count, counted_by=("sue", "sue")))
    play.refused(OpenTable, "sue", "OPS-1", **play.opening(float_counted=100_025_00, chips=TRAY))
    play.does(OpenTable, "sue", **play.opening(**count))
    assert (play.last(TableOpened).chips, play.last(TableOpened).counted_by) == (TRAY, ("sue", "dee"))
    play.refused(CloseTable, "sue", "OPS-1", **closing(play, counted_by=("dee",)))
    play.refused(CloseTable, "sue", "OPS-1", **closing(play, chips={25_00: 3}))
    play.does(CloseTable, "sue", **closing(play, chips=TRAY))
    assert play.last(TableClosed).chips == TRAY


@pytest.mark.clause("OPS-1")
def test_a_table_opens_with_what_it_was_closed_with() -> None:
    play = Play("dragon-tiger", float_counted=100_000_00, people={}, cards=None)
    play.does(CloseTable, "sue", **closing(play))
    refusal = play.refused(OpenTable, "sue", "OPS-1", **play.opening(float_counted=99_900_00))
    told = TRAY_COUNT_OFF(counted=99_900_00, difference=-100_00, against="last-closing")
    assert refusal.reason == told
    play.does(OpenTable, "sue", **play.opening(float_counted=100_000_00))
    assert play.last(TableOpened).difference == 0


@pytest.mark.clause("OPS-1")
@pytest.mark.parametrize(
    ("off", "by", "closes"),
    [(-5_00, "sue", True), (5_00, "sue", True), (-5_01, "sue", False), (-5_01, "gus", True), (500_00, "pam", False)],
)
def test_a_count_that_is_far_off_needs_the_gaming_shift_manager(off: int, by: str, closes: bool) -> None:
    play = Play("dragon-tiger", people={}, cards=None, discrepancy_max=5_00)
    ledger, count = tray(play), closing(play, float_counted=tray(play) + off)
    if not closes:
        play.refused(CloseTable, by, "OPS-1", **count)
        return
    play.does(CloseTable, by, **count)
    closed = play.last(TableClosed)
    assert (closed.difference, closed.win) == (off, off)
    assert play.table.balances == {"cage": off, "over-short:T1": -off}  # the cage has what was counted
    assert [each.clause for each in closed.transactions()] == ["OPS-1", "OPS-1"]
    play.does(OpenTable, "sue", **play.opening(float_counted=ledger + off))
    assert [each.clause for each in play.last(TableOpened).transactions()] == ["OPS-1"]


@pytest.mark.clause("OPS-4")
def test_the_drop_box_goes_to_the_cage_by_its_own_standard() -> None:
    play = Play("dragon-tiger", people={"ann": 1}, cards=None)
    play.does(CloseTable, "sue", **closing(play))
    assert [(each.message, each.clause) for each in play.last(TableClosed).transactions()] == [
        (CLOSING_FLOAT(), "OPS-1"),
        (DROP_BOX(), "OPS-4"),
    ]


@pytest.mark.clause("OPS-1")
@pytest.mark.parametrize(
    "counted_by", [("sue", "ann"), ("sue", "zed"), ("sue", "aud"), ("sue", "dee", "zed"), ("", "*")]
)
def test_two_of_the_staff_count_the_tray(counted_by: tuple[str, ...]) -> None:
    play = Play("dragon-tiger", people={"ann": 1}, cards=None)
    play.does(AssignStaff, "opal", person="aud", to=Position.AUDITOR)
    play.refused(CloseTable, "sue", "OPS-1", **closing(play, counted_by=counted_by))
    shut = Play("dragon-tiger", open=False)
    shut.refused(OpenTable, "sue", "OPS-1", **shut.opening(counted_by=counted_by))
    play.does(CloseTable, "sue", **closing(play, counted_by=("sue", "dee", "aud")))


@pytest.mark.clause("OPS-1")
@pytest.mark.parametrize("chips", [{100_00: -1, 200_00: 1}, {-100_00: -1}, {0: 5, 100_00: 1}])
def test_chips_are_counted_in_whole_numbers_of_real_ones(chips: dict[int, int]) -> None:
    play = Play("dragon-tiger", open=False)
    play.refused(OpenTable, "sue", "OPS-1", **play.opening(float_counted=100_00, chips=chips))
    play.does(OpenTable, "sue", **play.opening(float_counted=100_00, chips={100_00: 1, 25_00: 0}))


# ---------------------------------------------------------------- OPS-2 how the tray changes


@pytest.mark.clause("OPS-2")
@pytest.mark.parametrize("game", ["dragon-21", "dragon-bonus", "dragon-tiger", "immortal-dragon-tiger"])
def test_the_tray_changes_only_by_exchange_settlement_fill_and_credit(game: str) -> None:
    play = Play(game, people={"ann": 1, "bob": 2})
    main = [id for id, wager in play.game.wagers.items() if wager.hand]
    for _ in range(3):
        play.round(ann={main[0]: "50.00"}, bob={main[1]: "50.00", "tie": "5.00"})
    moves(play, "fill", 1000_00)
    moves(play, "credit", 500_00)
    play.does(CashOut, "ann", amount=100_00)
    play.does(CloseTable, "sue", **closing(play))
    touching = {
        type(event)
        for event in play.log
        for transaction in event.transactions()
        if any(posting.account == "float:T1" for posting in transaction.postings)
    }
    assert touching <= {TableOpened, ChipsBought, WagerSettled, RoundCapped, ChipRequestMoved, TableClosed}
    assert {ChipsBought, WagerSettled, ChipRequestMoved} <= touching


def test_a_tray_that_is_short_waits_for_a_fill() -> None:
    play = Play("dragon-tiger", cards="KH 2S", people={"ann": 1}, float_counted=10_020_00)
    play.open_betting()
    play.bet("ann", "dragon", "50.00")
    play.close_betting()
    play.deal()
    play.does(AnnounceResult, "dee")
    play.refused(SettleRound, "dee", "OPS-2")
    moves(play, "fill", 30_00)
    play.does(SettleRound, "dee")
    assert (play.net("ann"), tray(play)) == ("50.00", 0)


# ---------------------------------------------------------------- OPS-4 what the table won


@pytest.mark.clause("OPS-4")
def test_table_win_hold_and_theoretical_win() -> None:
    play = Play("dragon-tiger", cards="KH 2S 3D 9C KH KS", people={"ann": 1, "bob": 2})
    play.round(ann={"dragon": "100.00"})  # wins
    play.round(ann={"dragon": "200.00"}, bob={"tie": "10.00"})  # both lose
    play.round(ann={"tiger": "60.00"})  # a tie takes half
    moves(play, "fill", 5000_00)
    moves(play, "credit", 700_00)
    play.does(CashOut, "bob", amount=9_990_00)
    play.does(CloseTable, "sue", **closing(play))
    edges = {id: each.house_edge for id, each in game_odds(play.game).items()}
    told = table_win(play.log, edges)
    assert told is not None
    assert show(told.win) == "140.00"  # -100 + 200 + 10 + 30
    assert told.win == play.last(TableClosed).win
    assert told.win == sum(-event.net for event in play.log if isinstance(event, WagerSettled))
    assert (told.fills, told.credits, told.drop) == (5000_00, 700_00, 20_000_00)
    assert told.hold == Fraction(140, 20_000)
    assert told.staked == {"dragon": 300_00, "tie": 10_00, "tiger": 60_00}
    assert told.theoretical == 300_00 * edges["dragon"] + 60_00 * edges["tiger"] + 10_00 * edges["tie"]
    assert play.table.balances["cage"] == told.win  # all that the table sent less all that it was given, in the ledger
