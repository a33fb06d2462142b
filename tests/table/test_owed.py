"""Payments to the cent, in chips: what no chip can pay is owed, and is paid in the end."""

from __future__ import annotations

from dataclasses import replace as changed
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longhu.games import registry
from longhu.games.game import Game, Result
from longhu.money import Money, show
from longhu.positions import Position
from longhu.table.cash import CashOut, ChipsCashed
from longhu.table.engine import evolve, replay
from longhu.table.irregularities.power import PaymentsReversed, ReportMalfunction
from longhu.table.opening import ChangeSettings, CloseTable, TableClosed
from longhu.table.people import FreeSeat, LeaveTable
from longhu.table.settling import RoundCapped, SettleRound, WagerSettled, payments
from longhu.table.state import Phase, Round, Stake, Table, replace
from longhu.table.theory import table_win
from longhu.table.views import Role, Viewer, view
from tests.table.rounds import Play

UNITS = (1, 5, 25, 50, 100, 250, 500, 2_500, 10_000)
PATRONS = ("ann", "bob")


def owed(play: Play, patron: str = "ann") -> str:
    return show(play.table.owed_to(patron))


def has(table: Table, patron: str) -> int:
    """Chips, and what is owed."""
    return table.balances.get(f"patron:{patron}", 0) + table.owed_to(patron)


# ---------------------------------------------------------------- every game, every outcome


@cache
def table_of(game: str, unit: int) -> Play:
    return Play(game, cards=None, people={"ann": 1, "bob": None}, chip_unit=unit, float_counted=10**14)


def outcomes(game: Game) -> list[int]:
    """An ending for each way in which the wagers of a game can be decided together."""
    found: dict[tuple[int, ...], int] = {}
    for number in game.outcomes.endings:
        found.setdefault(tuple(wager.deciding[number] for wager in game.wagers.values()), number)
    return list(found.values())


def exact(game: Game, ending: int, stakes: list[Stake], patron: str) -> int:
    """What a patron is to get, by the document's odds alone: to the cent, what is less to the patron, and capped."""
    credit = net = 0
    for stake in stakes:
        if stake.patron == patron:
            line = game.wagers[stake.wager].line(ending)
            pays = Fraction(-1, 2) if line.result is Result.HALF else line.net
            won = -int(-(stake.amount * pays) // 1)
            credit, net = credit + stake.amount + won, net + won
    cap = game.cap
    return credit if cap is None else credit - max(0, (credit if cap.basis == "credit" else net) - cap.amount)


@pytest.mark.parametrize("id", sorted(registry.built_in()))
@settings(max_examples=8, deadline=None)
@given(
    unit=st.sampled_from(UNITS),
    seed=st.integers(0, 2**32),
    before=st.tuples(st.integers(0, 10**4), st.integers(0, 10**4)),
)
def test_what_is_paid_and_what_is_owed_are_the_exact_payment(
    id: str, unit: int, seed: int, before: tuple[int, int]
) -> None:
    play, chance = table_of(id, unit), Random(seed)
    game = play.game
    wagers = list(play.settings.limits)
    first, second = (hand.id for hand in game.procedure.hands)
    hands = (first, second)
    ways = outcomes(game)
    for ending in chance.sample(ways, min(200, len(ways))):
        stakes = {
            stake.key: stake
            for patron in PATRONS
            for wager in chance.sample(wagers, min(3, len(wagers)))
            for stake in [Stake(patron, 1, wager, chance.choice((1, 3, 7, 19, 20, 333, 10**6)) * unit, 0, patron)]
        }
        lying = {stake.account: 0 for stake in stakes.values()}
        for stake in stakes.values():
            lying[stake.account] += stake.amount
        already = {
            f"owed:{patron}": amount % unit for patron, amount in zip(PATRONS, before, strict=True) if amount % unit
        }
        balances = {**play.table.balances, **{id: Money(each) for id, each in (lying | already).items()}}
        round = Round(1, Phase.ANNOUNCED, play.settings.method, 0, hands, stakes=stakes, first_wager=0)
        table = start = replace(play.table, round=round, balances=balances)
        command = SettleRound(by="dee", at=1, position=Position.DEALER)
        events = payments(table, game, command, ending)
        assert isinstance(events, list), events
        for event in events:
            table = evolve(table, event)
        for patron in PATRONS:
            due = exact(game, ending, list(stakes.values()), patron)
            assert has(table, patron) - has(start, patron) == due, (ending, patron)
            chips = table.balances.get(f"patron:{patron}", 0) - start.balances.get(f"patron:{patron}", 0)
            assert chips % unit == 0
            assert 0 <= table.owed_to(patron) < unit
        tray = table.balances[f"float:{play.settings.table}"] - start.balances[f"float:{play.settings.table}"]
        assert tray % unit == 0, "only chips leave the tray"
        assert sum(table.balances.values()) == sum(start.balances.values())


# ---------------------------------------------------------------- the points that were found

EXACTLY = [
    ("immortal-dragon-tiger", "2H 4S 2D 4C", "banker", "25.00", "20.00", "3.75"),  # 23.75 of 25.00
    ("dragon-bonus", "2H 4S 2D 4C", "banker", "5.00", "0.00", "4.75"),
    ("dragon-bonus-online", "2H 4S 2D 4C", "banker", "5.00", "0.00", "4.75"),
    ("dragon-tiger", "KS KH", "dragon", "5.00", "-5.00", "2.50"),
]


@pytest.mark.clause("DBO-BET-7", "DBC-MAIN-3", "DT-3.8b")
@pytest.mark.parametrize(("game", "cards", "wager", "stake", "chips", "rest"), EXACTLY)
def test_chips_of_five_change_no_payment(game: str, cards: str, wager: str, stake: str, chips: str, rest: str) -> None:
    play = Play(game, cards=cards, people={"ann": 1}, chip_unit=500)
    play.round(ann={wager: stake})
    assert (play.net("ann"), owed(play)) == (chips, rest)


def coins(**fields: Any) -> Play:
    """A table of five-dollar chips at which ann is owed 2.50 after a tie."""
    play = Play("dragon-tiger", cards="KS KH QS QH JS JH 9S 8H", people={"ann": 1, "bob": 2}, chip_unit=500, **fields)
    play.round(ann={"dragon": "5.00"})
    return play


def test_what_is_owed_is_paid_as_soon_as_it_makes_a_chip() -> None:
    play = coins()
    assert (play.chips("ann"), owed(play)) == ("9995.00", "2.50")
    play.round(ann={"dragon": "5.00"})
    assert (play.chips("ann"), owed(play)) == ("9995.00", "0.00")
    assert play.last(WagerSettled).owed == -250
    assert "breakage:T1" not in play.table.balances


def test_the_cage_pays_what_is_owed_when_a_patron_cashes_out() -> None:
    play = coins()
    pocket = play.table.balances["world:ann"]
    play.does(CashOut, "ann", amount=5_00)
    assert play.table.balances["world:ann"] - pocket == 7_50
    assert owed(play) == "0.00"
    play.refused(CashOut, "ann", "OPS-2", amount=0)


def test_with_no_chips_left_what_is_owed_is_fetched_alone() -> None:
    play = coins()
    play.does(CashOut, "bob", amount=10_000_00)
    play.refused(CashOut, "bob", "OPS-2", amount=0)
    without_chips(play)
    play.refused(CashOut, "ann", "OPS-2", amount=-5)
    play.does(CashOut, "ann", amount=0)
    assert owed(play) == "0.00"


def without_chips(play: Play) -> None:
    """Ann has lost everything but what she is owed."""
    balances = {id: each for id, each in play.table.balances.items() if id != "patron:ann"}
    play.table = replace(play.table, balances=balances)


@pytest.mark.parametrize("freed", [False, True])
def test_whoever_leaves_is_paid_what_is_owed(freed: bool) -> None:
    play = coins()
    if freed:
        play.does(FreeSeat, "sue", patron="ann", reason="gone for an hour")
    else:
        without_chips(play)
        play.does(LeaveTable, "ann")
    assert owed(play) == "0.00"
    assert play.last(ChipsCashed).owed == 2_50


def test_the_tables_win_is_without_what_it_still_owes() -> None:
    play = coins()
    tray = play.table.balances["float:T1"]
    assert tray == 100_000_000 - 2 * 10_000_00 + 5_00
    (closed,) = play.does(CloseTable, "gus", float_counted=tray, counted_by=("sue", "dee"))
    assert isinstance(closed, TableClosed)
    assert (closed.difference, closed.breakage, closed.win) == (0, 2_50, 2_50)
    assert "breakage:T1" not in play.table.balances
    assert owed(play) == "2.50"
    told = table_win(play.log, {"dragon": Fraction(0)})
    assert told is not None
    assert told.win == closed.win
    play.does(CashOut, "ann", amount=9_995_00)
    assert owed(play) == "0.00"


def test_patron_dealer_and_pit_see_what_is_owed() -> None:
    play = coins()
    assert view(play.table, play.game, Viewer("ann", Role.PATRON)).owed == 2_50
    assert view(play.table, play.game, Viewer("bob", Role.PATRON)).owed == 0
    assert view(play.table, play.game, Viewer("", Role.SPECTATOR)).owed is None
    assert view(play.table, play.game, Viewer("dee", Role.DEALER)).owes == {"ann": 2_50}
    assert view(play.table, play.game, Viewer("bob", Role.PATRON)).owes is None


@pytest.mark.clause("DBO-CAP-1")
def test_a_cap_takes_from_what_is_owed_before_it_asks_for_a_chip_back() -> None:
    play = Play("dragon-bonus-online", cards="2H 4S 2D 4C", people={"ann": 1}, chip_unit=500)
    cap = play.game.cap
    assert cap is not None
    play.game = replace_cap(play.game, 4_00)
    play.round(ann={"banker": "5.00"})  # 9.75 would come back
    capped = play.last(RoundCapped)
    assert (capped.cut, has(play.table, "ann")) == (5_75, 10_000_00 - 5_00 + 4_00)
    assert (play.chips("ann"), owed(play)) == ("9995.00", "4.00")


def replace_cap(game: Game, amount: int) -> Game:
    assert game.cap is not None
    return changed(game, cap=changed(game.cap, amount=Money(amount)))


@pytest.mark.clause("DBO-MALF-1")
@pytest.mark.parametrize("spent", [False, True])
def test_a_reversal_takes_back_what_was_owed_for_the_round(spent: bool) -> None:
    play = Play("dragon-bonus-online", cards="2H 4S 2D 4C", people={"ann": 1}, chip_unit=500)
    play.round(ann={"banker": "5.00"})
    assert owed(play) == "4.75"
    if spent:
        play.does(CashOut, "ann", amount=10_000_00)
    play.does(ReportMalfunction, "dee", number=1)
    back = play.last(PaymentsReversed)
    assert (back.claim, owed(play)) == ((4_75, "0.00") if spent else (0, "0.00"))
    assert play.chips("ann") == ("0.00" if spent else "10000.00")


def test_a_smaller_chip_is_brought_in_while_something_is_owed() -> None:
    play = coins()
    play.does(ChangeSettings, "opal", changes={"chip_unit": 50})
    play.round(bob={"dragon": "5.00"})
    assert owed(play) == "2.50"
    play.round(ann={"dragon": "5.00"})
    assert (owed(play), play.chips("ann")) == ("0.00", "9995.00")


def test_it_is_the_same_table_again_from_its_records() -> None:
    play = coins()
    assert replay(Table(game=""), play.log) == play.table
