"""A wager may be named as the layout calls it, in any of its languages; it is stored by its id (IDT-7)."""

from __future__ import annotations

import pytest

import longhu
from longhu.games.registry import built_in
from longhu.money import parse
from longhu.table.betting import AreaCapped, CapArea, PlaceWager, TakeWagerBack, WagerPlaced
from longhu.table.default_settings import fullest_layout
from longhu.table.irregularities.late import ReportOffLimitsWager
from longhu.table.people import GrantMaximum, MaximumGranted
from tests.table.rounds import Play


@pytest.mark.clause("IDT-7-Ab", "IDT-7-Bb", "IDT-7-Cb", "IDT-7-Db", "IDT-7-Ea")
@pytest.mark.parametrize("layout", ["A", "B", "C", "D", "E"])
def test_chinese_areas_take_the_same_wagers(layout: str) -> None:
    play = Play("immortal-dragon-tiger", layout=layout)
    play.open_betting()
    for name, id in (("庄", "banker"), ("闲", "player"), ("莊", "banker"), ("閒", "player"), ("Banker", "banker")):
        play.does(PlaceWager, "ann", place=1, wager=name, amount=parse("25.00"))
        assert play.last(WagerPlaced).stake.wager == id
    stakes = {each.wager: each.amount for each in play.current.stakes.values()}
    assert stakes == {"banker": 75_00, "player": 50_00}
    play.does(TakeWagerBack, "ann", place=1, wager="庄")
    assert [each.wager for each in play.current.stakes.values()] == ["player"]
    if "player-pair" not in play.game.offered(layout):
        play.refused(PlaceWager, "ann", "IDT-4.5a", place=1, wager="闲对", amount=parse("25.00"))


@pytest.mark.parametrize("game", built_in())
def test_every_name_of_every_wager_is_accepted(game: str) -> None:
    definition = longhu.game(game).definition
    layout = fullest_layout(definition)
    offered = definition.offered(layout)
    for name, wager in definition.wager_of_name.items():
        if wager.id not in offered:
            continue
        play = Play(definition, layout=layout)
        play.open_betting()
        for each in wager.requires[:1]:
            play.bet("ann", each, "5.00")
        play.does(PlaceWager, "ann", place=1, wager=name, amount=parse("5.00"))
        assert play.last(WagerPlaced).stake.wager == wager.id


def test_staff_name_wagers_so_as_well() -> None:
    play = Play("immortal-dragon-tiger", chips="physical", device="hand-shoe")
    play.open_betting()
    play.does(CapArea, "pam", place=4, wager="和", most=1)
    assert play.last(AreaCapped).wager == "tie"
    play.does(GrantMaximum, "pam", person="ann", most=5000_00, wagers=("庄", "player"))
    assert play.last(MaximumGranted).wagers == ("banker", "player")
    play.bet("ann", "banker", "25.00")
    play.close_betting()
    play.does(ReportOffLimitsWager, "dee", patron="ann", place=1, wager="庄", amount=1_00)
    play.refused(PlaceWager, "ann", place=1, wager="大", amount=parse("25.00"))
