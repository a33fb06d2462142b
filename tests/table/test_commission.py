"""Commission on a tally: wins are paid in full, and what is due of them is collected later (Q51: DBC-MAIN-3, DBO-BET-7)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import longhu
from longhu.table.cash import CashOut
from longhu.table.commission import CollectCommission, CommissionCollected
from longhu.table.engine import replay
from longhu.table.irregularities.power import ReportMalfunction
from longhu.table.opening import CloseTable
from longhu.table.people import LeaveTable
from longhu.table.settling import WagerSettled
from longhu.table.shoe import EndShoe
from longhu.table.state import Table
from longhu.table.views import Role, Viewer, view
from tests.table.irregular import DBO
from tests.table.rounds import Play

DBC = "dragon-bonus"


def tallying(game: str = DBC, cards: str = "2H 9S 3D KC", **settings: Any) -> Play:
    return Play(longhu.game(game, commission="tally").definition, cards=cards, **settings)


def won(play: Play, patron: str = "ann", amount: str = "100.00") -> Play:
    play.round(**{patron: {"banker": amount}})
    return play


def due(play: Play, patron: str = "ann") -> int:
    return play.table.tallied().get(patron, 0)


@pytest.mark.clause("DBC-MAIN-3", "DBO-BET-7")
@pytest.mark.parametrize("game", [DBC, DBO])
def test_a_win_is_paid_in_full_and_its_commission_goes_on_the_tally(game: str) -> None:
    play = won(tallying(game))
    settled = play.last(WagerSettled)
    assert (settled.net, settled.commission, settled.tallied) == (100_00, 5_00, True)
    assert (play.net("ann"), due(play)) == ("100.00", 5_00)
    assert play.table.balances["commissions:T1"] == -5_00
    assert sum(play.table.balances.values()) == 0
    play.does(CollectCommission, "dee", patron="ann")
    assert (play.net("ann"), due(play)) == ("95.00", 0)
    assert play.last(CommissionCollected).clause == settled_clause(game)
    play.refused(CollectCommission, "dee", patron="ann")
    assert replay(Table(game=""), play.log) == play.table


def settled_clause(game: str) -> str:
    return {DBC: "DBC-MAIN-3", DBO: "DBO-BET-7"}[game]


@pytest.mark.clause("DBC-MAIN-3")
def test_read_as_usual_it_is_taken_from_each_win() -> None:
    play = won(Play(DBC, cards="2H 9S 3D KC"))
    assert (play.net("ann"), due(play), play.last(WagerSettled).tallied) == ("95.00", 0, False)
    play.refused(CollectCommission, "dee")


@pytest.mark.clause("DBC-MAIN-3")
def test_it_is_tallied_for_each_patron_and_collected_from_everybody_at_the_end_of_the_shoe() -> None:
    play = tallying()
    play.round(ann={"banker": "100.00"}, bob={"banker": "40.00"}, cay={"player": "40.00"})
    assert play.table.tallied() == {"ann": 5_00, "bob": 2_00}
    play.does(EndShoe, "dee", why="the shoe is over")
    assert play.table.tallied() == {}
    assert (play.net("ann"), play.net("bob"), play.net("cay")) == ("95.00", "38.00", "-40.00")


@pytest.mark.clause("DBC-MAIN-3")
def test_a_new_shoe_in_the_place_of_the_last_ends_it_too() -> None:
    play = won(tallying())
    play.load("2H 9S 3D KC")
    assert play.table.tallied() == {}
    assert play.net("ann") == "95.00"


def test_a_game_that_is_shuffled_for_every_round_has_no_end_of_a_shoe() -> None:
    play = won(tallying(DBO))
    play.load("2H 9S 3D KC")
    won(play)
    assert due(play) == 10_00


@pytest.mark.clause("DBC-MAIN-3")
def test_whoever_goes_pays_it_first_and_what_is_not_there_is_owed() -> None:
    play = won(tallying())
    play.does(CashOut, "ann", amount=10_100_00)  # all that lies before her
    assert (due(play), play.chips("ann"), play.table.balances["world:ann"]) == (0, "0.00", 95_00)
    play.does(LeaveTable, "ann")


@pytest.mark.clause("DBC-MAIN-3")
def test_what_nobody_has_chips_for_stays_owed() -> None:
    play = tallying(people={"ann": 1})
    won(play)
    play.table = without_chips(play)
    play.does(CollectCommission, "dee")
    assert (due(play), play.table.balances["unpaid:ann"], play.table.balances["claims:T1"]) == (0, 3_00, -3_00)
    assert sum(play.table.balances.values()) == 0


def without_chips(play: Play) -> Table:
    """Ann has 2.00 left, and the rest lies in the tray."""
    balances = dict(play.table.balances)
    balances["float:T1"] += balances["patron:ann"] - 2_00  # type: ignore[assignment]
    balances["patron:ann"] = 2_00  # type: ignore[assignment]
    return replace(play.table, balances=balances)


@pytest.mark.clause("OPS-4")
def test_a_table_does_not_close_while_commission_is_due() -> None:
    play = won(tallying(DBO))
    play.reveal()
    count: dict[str, Any] = {"float_counted": play.table.balances["float:T1"], "counted_by": ("sue", "dee")}
    refused = play.refused(CloseTable, "sue", "OPS-4", **count)
    assert refused.reason.code == "commission-due"
    play.does(CollectCommission, "dee")
    play.does(CloseTable, "sue", **{**count, "float_counted": play.table.balances["float:T1"]})


@pytest.mark.clause("MON-2")
@pytest.mark.parametrize("unit", [100, 500, 2500])
def test_it_is_paid_in_whole_chips_and_the_rest_is_owed_to_the_patron(unit: int) -> None:
    play = won(tallying(chip_unit=unit))
    play.does(CollectCommission, "dee")
    assert play.table.balances["patron:ann"] % unit == 0
    assert play.table.balances["patron:ann"] + play.table.owed_to("ann") == 10_095_00
    assert sum(play.table.balances.values()) == 0


@pytest.mark.clause("DBO-MALF-1")
@pytest.mark.parametrize("first", [True, False])
def test_a_round_that_is_reversed_leaves_the_patron_as_before_once_the_tally_is_paid(first: bool) -> None:
    play = won(tallying(DBO))
    if first:
        play.does(CollectCommission, "dee")
    play.does(ReportMalfunction, "dee", number=1)
    if not first:
        play.does(CollectCommission, "dee")
    assert (play.net("ann"), due(play)) == ("0.00", 0)


def test_patron_and_dealer_see_what_is_on_the_tally_and_nobody_else_does() -> None:
    play = won(tallying())

    def seen(person: str, role: Role) -> tuple[int | None, dict[str, int] | None]:
        found = view(play.table, play.game, Viewer(person, role))
        return found.commission, found.commissions

    assert seen("ann", Role.PATRON) == (5_00, None)
    assert seen("bob", Role.PATRON) == (0, None)
    assert seen("dee", Role.DEALER) == (None, {"ann": 5_00})
    assert seen("", Role.SPECTATOR) == (None, None)
