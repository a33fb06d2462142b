"""Immortal Dragon Tiger Baccarat, clause by clause: its layouts and the wagers that they offer."""

from __future__ import annotations

import json

import pytest

import longhu
from longhu.paytable import printed_row
from longhu.roundfile import RoundFile
from longhu.table.betting import PlaceWager
from longhu.table.state import Limit
from tests.clauses.live import at_table, played, refused_settings

GAME = longhu.game("immortal-dragon-tiger")
DEFINITION = GAME.definition
LAYOUTS = DEFINITION.layouts

STANDING = {
    "player", "banker", "tie", "dragon-tiger", "big-dragon", "small-dragon", "big-tiger", "small-tiger", "tiger-tie",
}  # fmt: skip
PAIRS = {"player-pair", "banker-pair"}
IMMORTAL = {"immortal-dragon"}

CHINESE = {
    "闲": "player", "庄": "banker", "和": "tie", "龙虎": "dragon-tiger", "大龙": "big-dragon", "小龙": "small-dragon",
    "大虎": "big-tiger", "小虎": "small-tiger", "虎和": "tiger-tie", "闲对": "player-pair", "庄对": "banker-pair",
    "仙龙": "immortal-dragon",
}  # fmt: skip


def areas(layout: str) -> list[str]:
    """Every area of a layout, those that each position repeats once."""
    return [area for row in LAYOUTS[layout].rows for area in row.areas]


def repeated_areas(layout: str) -> list[str]:
    return [area for row in LAYOUTS[layout].rows if row.each_position for area in row.areas]


def stored(layout: str, wager: str) -> list[str]:
    """Under which wagers a line of a round file, written for this layout, is settled."""
    line = json.dumps({"cards": ["5S", "KH", "2D", "6C"], "wagers": {wager: "10.00"}}, ensure_ascii=False)
    (settled,) = RoundFile(DEFINITION, layout=layout).settle_lines([line.encode()])
    return list(json.loads(settled)["settlement"])


# ------------------------------------------------ 2.2 the areas


@pytest.mark.clause("IDT-2.2")
def test_there_are_five_layouts() -> None:
    assert list(LAYOUTS) == ["A", "B", "C", "D", "E"]
    for layout in LAYOUTS:
        assert played(GAME, "5S 2D", "KH 6C", layout=layout, player="10.00").net == "5.00"


@pytest.mark.clause("IDT-2.2")
@pytest.mark.parametrize("layout", ["F", "", "a"])
def test_a_sixth_layout_is_refused(layout: str) -> None:
    refusal = refused_settings(GAME, "IDT-2.2", layout=layout)
    assert (refusal.reason.code, refusal.reason.args["name"]) == ("layout-unknown", layout)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "wager",
    [
        pytest.param("player", marks=pytest.mark.clause("IDT-2.2.1")),
        pytest.param("banker", marks=pytest.mark.clause("IDT-2.2.2")),
    ],
)
def test_every_position_of_every_layout_has_an_area_for_each_hand(wager: str, layout: str) -> None:
    assert repeated_areas(layout).count(wager) == 1
    takes_at_every_position(layout, wager)


def takes_at_every_position(layout: str, wager: str) -> None:
    """The table takes it at each of its eight positions, and at no ninth."""
    play = at_table(GAME, layout=layout)
    for place in range(1, 9):
        play.bet("ann", wager, "5.00", place=place)
    assert len(play.current.stakes) == 8
    for place in 0, 9:
        refusal = play.refused(PlaceWager, "ann", place=place, wager=wager, amount=500)
        assert refusal.reason.code == "no-such-place"


def lacks(layout: str, wager: str, clause: str) -> None:
    """The table neither takes it nor opens with limits for it."""
    play = at_table(GAME, layout=layout)
    refusal = play.refused(PlaceWager, "ann", clause, place=1, wager=wager, amount=500)
    assert refusal.reason.code == "wager-not-on-layout"
    limits = {id: Limit(500, 100_000) for id in (*LAYOUTS[layout].wagers, wager)}
    assert refused_settings(GAME, clause, layout=layout, limits=limits).reason.code == "wager-not-on-layout"


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "wager",
    [
        pytest.param("tie", marks=pytest.mark.clause("IDT-2.2.3")),
        pytest.param("dragon-tiger", marks=pytest.mark.clause("IDT-2.2.4")),
        pytest.param("big-dragon", marks=pytest.mark.clause("IDT-2.2.5")),
        pytest.param("small-dragon", marks=pytest.mark.clause("IDT-2.2.6")),
        pytest.param("big-tiger", marks=pytest.mark.clause("IDT-2.2.7")),
        pytest.param("small-tiger", marks=pytest.mark.clause("IDT-2.2.8")),
        pytest.param("tiger-tie", marks=pytest.mark.clause("IDT-2.2.9")),
    ],
)
def test_every_layout_has_an_area_for_the_standing_side_wagers(wager: str, layout: str) -> None:
    assert wager in areas(layout)
    takes_at_every_position(layout, wager)


@pytest.mark.clause("IDT-2.2.10")
@pytest.mark.parametrize("wager", sorted(PAIRS))
def test_layouts_b_d_and_e_have_the_pair_areas(wager: str) -> None:
    assert [layout for layout in LAYOUTS if wager in areas(layout)] == ["B", "D", "E"]
    for layout in "BDE":
        takes_at_every_position(layout, wager)
    for layout in "AC":
        lacks(layout, wager, "IDT-4.5a")


@pytest.mark.clause("IDT-2.2.11")
def test_layouts_c_d_and_e_have_the_immortal_dragon_area() -> None:
    assert [layout for layout in LAYOUTS if "immortal-dragon" in areas(layout)] == ["C", "D", "E"]
    for layout in "CDE":
        takes_at_every_position(layout, "immortal-dragon")
    for layout in "AB":
        lacks(layout, "immortal-dragon", "IDT-4.6a")


# ------------------------------------------------ 3.5, 3.6, 4.5 and 4.6: what may be wagered


@pytest.mark.clause("IDT-3.5")
@pytest.mark.parametrize(
    ("layout", "wagers", "count"),
    [
        ("A", STANDING, 9),
        ("B", STANDING | PAIRS, 11),
        ("C", STANDING | IMMORTAL, 10),
        ("D", STANDING | PAIRS | IMMORTAL, 12),
        ("E", STANDING | PAIRS | IMMORTAL, 12),
    ],
)
def test_a_layout_offers_its_wagers_and_no_others(layout: str, wagers: set[str], count: int) -> None:
    assert set(at_table(GAME, layout=layout).notice.limits) == wagers
    assert len(wagers) == count
    for wager in GAME.wagers:
        if wager in wagers:
            assert list(played(GAME, "5S 2D", "KH 6C", layout=layout, **{wager: "10.00"})) == [wager]
        else:
            lacks(layout, wager, "")


@pytest.mark.clause("IDT-3.6")
@pytest.mark.parametrize("wager", sorted((STANDING | PAIRS | IMMORTAL) - {"player", "banker"}))
def test_a_side_wager_may_be_the_only_wager(wager: str) -> None:
    """Regardless of whether the patron has wagered on Player or Banker."""
    alone = played(GAME, "KS 6D", "QH 6C", layout="D", **{wager: "10.00"})
    beside = played(GAME, "KS 6D", "QH 6C", layout="D", player="10.00", banker="10.00", **{wager: "10.00"})
    assert list(alone) == [wager]
    assert alone[wager].net == beside[wager].net


@pytest.mark.parametrize(
    ("wager", "offered", "clause"),
    [
        pytest.param("player-pair", "BDE", "IDT-4.5a", marks=pytest.mark.clause("IDT-4.5a")),
        pytest.param("banker-pair", "BDE", "IDT-4.5a", marks=pytest.mark.clause("IDT-4.5a")),
        pytest.param("immortal-dragon", "CDE", "IDT-4.6a", marks=pytest.mark.clause("IDT-4.6a")),
    ],
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pairs_and_immortal_dragon_are_refused_where_the_layout_lacks_them(
    layout: str, wager: str, offered: str, clause: str
) -> None:
    if layout in offered:
        assert wager in played(GAME, "4S 3D", "9H 9D", layout=layout, **{wager: "10.00"})
    else:
        lacks(layout, wager, clause)


# ------------------------------------------------ 7. the appendix


@pytest.mark.parametrize(
    "layout",
    [
        pytest.param("A", marks=pytest.mark.clause("IDT-7-Aa")),
        pytest.param("B", marks=pytest.mark.clause("IDT-7-Ba")),
        pytest.param("C", marks=pytest.mark.clause("IDT-7-Ca")),
        pytest.param("D", marks=pytest.mark.clause("IDT-7-Da")),
        pytest.param("E", marks=pytest.mark.clause("IDT-7-Ea")),
    ],
)
def test_a_layout_has_one_to_eight_positions(layout: str) -> None:
    clause = f"IDT-7-{layout}a"
    for positions in 0, 9:
        refusal = refused_settings(GAME, clause, layout=layout, positions=positions)
        assert (refusal.reason.code, refusal.reason.args["places"]) == ("layout-places-wrong", positions)
    for positions in 1, 8:
        play = at_table(GAME, layout=layout, positions=positions)
        play.bet("ann", "player", "5.00", place=positions)
        refusal = play.refused(PlaceWager, "ann", place=positions + 1, wager="player", amount=500)
        assert refusal.reason.code == "no-such-place"


@pytest.mark.parametrize(
    ("layout", "chinese", "english"),
    [
        pytest.param("A", "庄", "banker", marks=pytest.mark.clause("IDT-7-Ab")),
        pytest.param("B", "闲", "player", marks=pytest.mark.clause("IDT-7-Bb")),
        pytest.param("C", "庄", "banker", marks=pytest.mark.clause("IDT-7-Cb")),
        pytest.param("D", "闲", "player", marks=pytest.mark.clause("IDT-7-Db")),
        pytest.param("E", "庄", "banker", marks=pytest.mark.clause("IDT-7-Ea")),
    ],
)
def test_a_wager_on_a_chinese_area_is_stored_as_its_english_counterpart(
    layout: str, chinese: str, english: str
) -> None:
    assert DEFINITION.wager_of_name[chinese] is GAME.wagers[english]
    assert stored(layout, chinese) == stored(layout, english) == [english]


@pytest.mark.clause("IDT-7-Ab", "IDT-7-Bb", "IDT-7-Cb", "IDT-7-Db", "IDT-7-Ea")
def test_every_area_of_every_layout_has_a_chinese_name_with_the_same_meaning() -> None:
    for layout in LAYOUTS:
        named = {wager.name.into("zh-Hans"): id for id, wager in DEFINITION.offered(layout).items()}
        assert named == {chinese: id for chinese, id in CHINESE.items() if id in LAYOUTS[layout].wagers}
        for chinese, id in named.items():
            assert stored(layout, chinese) == [id]


@pytest.mark.clause("IDT-7-Ea")
def test_layout_e_has_the_twelve_wagers_of_layout_d() -> None:
    on_e, on_d = (
        played(GAME, "5S 2D", "9H KD", layout=layout, **dict.fromkeys(GAME.wagers, "10.00")) for layout in "ED"
    )
    assert len(on_e) == 12
    assert {wager: paid.net for wager, paid in on_e.items()} == {wager: paid.net for wager, paid in on_d.items()}


@pytest.mark.clause("IDT-7-Eb")
def test_layout_e_has_banker_left_and_player_right_at_each_of_eight_numbered_positions() -> None:
    layout = LAYOUTS["E"]
    assert layout.places == ("banker", "player")
    (row,) = (row for row in layout.rows if "banker" in row.areas)
    assert row.areas == ("banker", "player")
    assert row.each_position
    assert layout.positions_max == 8
    (pairs,) = (row.areas for row in layout.rows if "banker-pair" in row.areas)
    assert pairs.index("banker-pair") < pairs.index("player-pair")


@pytest.mark.clause("IDT-7-Eb")
def test_layout_e_prints_the_odds_on_each_side_wager_area_and_the_title_in_the_centre() -> None:
    cells = [cell for row in LAYOUTS["E"].rows for cell in printed_row(DEFINITION, row)]
    odds = {cell.wager: cell.odds for cell in cells if cell.wager not in ("player", "banker")}
    assert odds == {
        "tie": "8-1",
        "dragon-tiger": "100-1 40-1 30-1",
        "big-dragon": "30-1",
        "small-dragon": "15-1",
        "big-tiger": "50-1",
        "small-tiger": "22-1",
        "tiger-tie": "35-1",
        "player-pair": "11-1",
        "banker-pair": "11-1",
        "immortal-dragon": "25-1",
    }
    assert LAYOUTS["E"].title
    assert DEFINITION.name.en == "Immortal Dragon Tiger Baccarat"
