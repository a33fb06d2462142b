"""What a table opens with: numbers that can be dealt and paid with, set by whom the document names, and who rules there."""

from __future__ import annotations

from typing import Any

import pytest

import longhu
from longhu.games.registry import built_in
from longhu.messages.message import Message
from longhu.money import AMOUNT_MAX
from longhu.positions import Position
from longhu.table.betting import CapArea
from longhu.table.equipment import BATCH_SHUFFLER_TAKES, BATCH_SHUFFLER_WRONG, CARDS_MISSING, UNKNOWN_SET_UP
from longhu.table.irregularities.late import ReportLiftedWager
from longhu.table.messages import ASK_POSITION, POSSIBLE_RANGE, POSSIBLE_VALUES
from longhu.table.opening import (
    MAY_NOT_SET,
    NAME_STAFF_WHO_IS,
    SEAT_BEYOND_LAYOUT,
    ChangeSettings,
    CloseTable,
    OpenTable,
)
from longhu.table.people import NAME_ANOTHER_FIRST, AssignStaff, TakeSeat
from longhu.table.requirements import (
    COUNT_MAX,
    NAME_THE_PATRONS,
    NO_WAGER_WITHIN_LIMITS,
    SETTING_OUT_OF_RANGE,
    TABLE_WITHOUT_NAME,
    WRITE_INSTEAD,
)
from longhu.table.shoe import EndShoe, LoadShoe, VerifyCards
from longhu.table.state import CardSet, Equipment
from tests.table.rounds import STAFF, Play, equipment_for

GAMES = tuple(built_in())


def refused(game: str, clause: str = "", by: str = "opal", **settings: Any) -> tuple[Message, Message | None]:
    """Why a table with these settings does not open, and what is said to help."""
    play = Play(game, open=False, **settings)
    refusal = play.refused(OpenTable, by, clause, **play.opening())
    return refusal.reason, refusal.remedy


def closed(play: Play) -> Play:
    play.does(CloseTable, "sue", float_counted=play.table.balances["float:T1"], counted_by=("sue", "dee"))
    return play


# ------------------------------------------------ numbers


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("settings", "setting", "value", "least", "most"),
    [
        ({"chip_unit": 0}, "chip_unit", 0, 1, AMOUNT_MAX),
        ({"chip_unit": -5}, "chip_unit", -5, 1, AMOUNT_MAX),
        ({"burn": -1}, "burn", -1, 0, None),
        ({"burn": 1000}, "burn", 1000, 0, None),
        ({"burn": 10**6}, "burn", 10**6, 0, None),
        ({"cut_reserve": 416}, "cut_reserve", 416, 1, 415),
        ({"cut_reserve": 413, "burn": 3}, "cut_reserve", 413, 1, 412),
        ({"cut_reserve": 5000}, "cut_reserve", 5000, 1, 415),
        ({"cut_reserve": -5}, "cut_reserve", -5, 1, 415),
        ({"area_players": -1}, "area_players", -1, 0, COUNT_MAX),
        ({"withdrawal_seconds": 0}, "withdrawal_seconds", 0, 1, 86400),
        ({"reveal_seconds": -1}, "reveal_seconds", -1, 0, 86400),
        ({"rounds_after_cut": -1}, "rounds_after_cut", -1, 0, COUNT_MAX),
        ({"discrepancy_max": -1}, "discrepancy_max", -1, 0, AMOUNT_MAX),
        ({"equipment": equipment_for(8, held_out=-1)}, "held_out", -1, 0, None),
        ({"equipment": equipment_for(8, shoe=10**30)}, "shoe", 10**30, 0, COUNT_MAX),
    ],
    ids=str,
)
def test_numbers_that_no_table_can_have_are_refused_with_their_span(
    game: str, settings: dict[str, Any], setting: str, value: int, least: int, most: int | None
) -> None:
    most = 416 - longhu.game(game).definition.procedure.cards_max if most is None else most
    told = SETTING_OUT_OF_RANGE(setting=setting, value=value), POSSIBLE_RANGE(least=least, most=most)
    assert refused(game, **settings) == told


@pytest.mark.parametrize("game", GAMES)
def test_a_table_has_a_name(game: str) -> None:
    assert refused(game, table=" ")[0] == TABLE_WITHOUT_NAME()


@pytest.mark.clause("D21-11.0a", "IDT-3.16b")
@pytest.mark.parametrize(("game", "clause"), [("dragon-21", "D21-11.0a"), ("immortal-dragon-tiger", "IDT-3.16b")])
def test_no_more_rounds_follow_the_cutting_card_than_a_reading_knows(game: str, clause: str) -> None:
    told = SETTING_OUT_OF_RANGE(setting="rounds_after_cut", value=2), POSSIBLE_VALUES(values=["0", "1"])
    assert refused(game, clause, rounds_after_cut=2) == told
    Play(game, rounds_after_cut=1)


@pytest.mark.clause("D21-3.1c")
def test_a_drop_box_and_those_who_share_an_area_have_names() -> None:
    refused("dragon-21", "D21-3.1c", equipment=equipment_for(8, drop_box=" "))
    assert refused("dragon-21", area_named=("",))[1] == NAME_THE_PATRONS()
    assert refused("dragon-21", area_cap="named", area_named=("ann", " "))[1] == NAME_THE_PATRONS()


def test_a_change_is_held_to_the_same_spans() -> None:
    play = Play("dragon-tiger", cards=None)
    wrong: list[dict[str, Any]] = [{"chip_unit": 0}, {"burn": -1}, {"cut_reserve": 416}, {"equipment": {"sets": []}}]
    for changes in wrong:
        play.refused(ChangeSettings, "opal", changes=changes)
    play.does(ChangeSettings, "opal", changes={"chip_unit": 100, "burn": 1, "cut_reserve": 414})


def test_limits_leave_room_for_a_wager_in_whole_chips() -> None:
    assert refused("dragon-tiger", chip_unit=1500_00)[0] == NO_WAGER_WITHIN_LIMITS(wager="dragon", step=1500_00)
    Play("dragon-tiger", chip_unit=1000_00, people={})


# ------------------------------------------------ equipment


@pytest.mark.parametrize("game", [each for each in GAMES if each != "dragon-21"])
def test_where_a_document_names_no_set_up_it_is_still_one_that_works(game: str) -> None:
    two = (CardSet(("blue",) * 8), CardSet(("red",) * 8))
    batch, continuous = "batch-shuffler", "continuous-shuffler"
    assert refused(game, equipment=equipment_for(8, setup="banana"))[0] == UNKNOWN_SET_UP(setup="banana")
    told = refused(game, equipment=equipment_for(8, setup=continuous, shuffler=416))
    assert told == (UNKNOWN_SET_UP(setup=continuous), POSSIBLE_VALUES(values=["shoe", batch]))
    told = refused(game, equipment=equipment_for(8, setup=batch, shuffler=416))
    assert told == (BATCH_SHUFFLER_WRONG(holds=416, sets=1), BATCH_SHUFFLER_TAKES(cards=416))
    told = refused(game, equipment=equipment_for(8, setup=batch, sets=two))
    assert told == (BATCH_SHUFFLER_WRONG(holds=0, sets=2), BATCH_SHUFFLER_TAKES(cards=416))
    assert refused(game, equipment=Equipment())[0] == CARDS_MISSING()
    Play(game, equipment=equipment_for(8, setup="batch-shuffler", sets=two, shuffler=416))


# ------------------------------------------------ who may set what


@pytest.mark.clause("IDT-3.9.2a")
def test_a_table_opens_with_another_method_only_by_a_pit_manager() -> None:
    refused("immortal-dragon-tiger", "IDT-3.9.2b", by="sue", method="B")
    for by, method in (("sue", "A"), ("pam", "B")):
        play = Play("immortal-dragon-tiger", open=False, method=method)
        play.does(OpenTable, by, **play.opening())


@pytest.mark.clause("D21-5.7")
@pytest.mark.parametrize(
    "settings", [{"area_players": 3}, {"area_cap": "all"}, {"area_named": ("ann",)}, {"extra_cards_face_up": True}]
)
def test_a_table_opens_with_shared_areas_only_by_the_operator(settings: dict[str, Any]) -> None:
    told = MAY_NOT_SET(position="gaming-shift-manager", settings=[*settings])
    assert refused("dragon-21", by="gus", **settings) == (told, ASK_POSITION(position="casino-operator"))
    Play("dragon-21", **settings)


def test_what_the_house_reads_needs_nobody_higher() -> None:
    game = longhu.game("dragon-21", area_players="3", area_cap="all", over_21_pays="1-to-2").definition
    play = Play(game, open=False)
    play.does(OpenTable, "sue", **play.opening())


@pytest.mark.clause("D21-3.4.a")
def test_a_table_opens_with_a_shuffler_only_by_the_operator() -> None:
    shuffler = equipment_for(8, setup="continuous-shuffler", shuffler=416)
    refused("dragon-21", "D21-3.4.a", by="gus", equipment=shuffler)
    Play("dragon-21", equipment=shuffler, cards=None)


# ------------------------------------------------ who rules


@pytest.mark.parametrize("game", GAMES)
def test_a_table_opens_with_somebody_who_can_rule(game: str) -> None:
    read = {"over_21_pays": "1-to-2"} if game == "dragon-21" else {}  # as printed it takes the operator
    play = Play(longhu.game(game, **read).definition, open=False)
    rule = play.game.irregularities.get("other")
    clause = rule.clauses[0] if rule else ""
    low = {person: position for person, position in STAFF.items() if position < Position.GAMING_SHIFT_MANAGER}
    refusal = play.refused(OpenTable, "sue", clause, **play.opening(staff=low))
    assert refusal.remedy == NAME_STAFF_WHO_IS(position="gaming-shift-manager")
    play.does(OpenTable, "sue", **play.opening(staff=low | {"gus": Position.GAMING_SHIFT_MANAGER}))
    refusal = play.refused(AssignStaff, "gus", clause, person="gus", to=Position.DEALER)
    assert refusal.remedy == NAME_ANOTHER_FIRST()
    play.does(AssignStaff, "gus", person="pam", to=Position.GAMING_SHIFT_MANAGER)
    play.does(AssignStaff, "gus", person="gus", to=Position.DEALER)


def test_staff_have_names_and_do_not_play() -> None:
    play = closed(Play("dragon-tiger", cards=None))
    count = play.table.last_closing
    for person in ("", "*", "ann"):
        play.refused(OpenTable, "sue", **play.opening(staff=STAFF | {person: Position.DEALER}, float_counted=count))


# ------------------------------------------------ what a change and a closing leave


def test_cards_are_not_burned_from_a_shoe_in_play() -> None:
    play = Play("dragon-21")
    play.refused(ChangeSettings, "opal", changes={"burn": 3})
    play.does(EndShoe, "dee")
    play.does(ChangeSettings, "opal", changes={"burn": 3})


@pytest.mark.clause("D21-6.0b")
def test_other_cards_are_counted_again() -> None:
    play = Play("dragon-21", cards=None, people={})
    for person in ("dee", "sue"):
        play.does(VerifyCards, person, counted=416)
    play.does(ChangeSettings, "opal", changes={"withdrawal_seconds": 20})
    counted = play.table.verified
    assert counted == ("dee", "sue")
    play.does(ChangeSettings, "opal", changes={"decks": 6, "equipment": equipment_for(6)})
    assert not play.table.verified
    play.shuffle()
    play.refused(LoadShoe, "dee", "D21-6.0b")


@pytest.mark.clause("D21-6.0b")
def test_a_closed_table_keeps_nothing_of_the_day() -> None:
    play = Play("dragon-21", cards="TS 9H TH 9C")
    play.open_betting()
    play.bet("ann", "tiger", "50.00")
    play.close_betting()
    play.does(ReportLiftedWager, "dee", patron="ann", place=1, wager="tiger")
    play.finish()
    play.does(VerifyCards, "dee", counted=416)
    play.does(CapArea, "pam", place=4, wager="tiger", most=2)
    play.does(AssignStaff, "gus", person="sue", to=Position.PIT_MANAGER, acting=True)
    kept = ("acting", "caps", "dealer", "verified", "settled", "claims_lost")
    assert all(getattr(play.table, name) for name in kept)
    closed(play)
    assert not any(getattr(play.table, name) for name in kept)


def test_a_position_does_not_go_while_somebody_sits_there() -> None:
    play = Play("immortal-dragon-tiger", people={"ann": 8, "stan": None})
    refusal = play.refused(ChangeSettings, "opal", changes={"positions": 2})
    assert refusal.reason == SEAT_BEYOND_LAYOUT(person="ann", seat=8, seats=2)
    play.does(TakeSeat, "ann", seat=2)
    play.does(ChangeSettings, "opal", changes={"positions": 2})


@pytest.mark.clause("RUL-3")
def test_a_closed_table_may_open_with_another_game() -> None:
    play = Play("immortal-dragon-tiger", people={"ann": 8}, cards=None)
    other = Play("dragon-21", open=False)  # which has seven seats
    play.game, own = other.game, play.game
    play.refused(CloseTable, "sue", "RUL-3", float_counted=0, counted_by=("sue", "dee"))
    play.game = own
    closed(play)
    play.game, opening = other.game, other.opening(float_counted=play.table.last_closing)
    play.refused(OpenTable, "sue", **opening)
    play.does(TakeSeat, "ann", seat=None)
    play.does(OpenTable, "opal", **opening)
    assert play.table.game == other.game.digest


# ------------------------------------------------ the clause behind a refusal


@pytest.mark.parametrize(
    ("game", "settings", "clause"),
    [
        ("dragon-tiger", {"method": "Z"}, "DT-3.4b"),
        ("immortal-dragon-tiger", {"method": "Z"}, "IDT-3.9"),
        ("dragon-21", {"method": "Z"}, "D21-8.0g"),
        ("dragon-bonus", {"method": "Z"}, "DBC-DEAL-2"),
        ("dragon-bonus-online", {"method": "Z"}, "DBO-DEAL-2"),
        ("dragon-tiger", {"rounding": "dealer"}, "DT-3.8b"),
        ("immortal-dragon-tiger", {"rounding": "dealer"}, "IDT-4.1b"),
        ("dragon-21", {"differential": 0}, "D21-5.13"),
        ("immortal-dragon-tiger", {"differential": -1}, "IDT-5.16"),
        ("immortal-dragon-tiger", {"area_cap": "some"}, "IDT-3.7"),
        ("dragon-21", {"area_cap": "some"}, "D21-5.7.ba"),
    ],
    ids=str,
)
def test_a_setting_that_the_game_does_not_have_is_refused_by_its_clause(
    game: str, settings: dict[str, Any], clause: str
) -> None:
    refused(game, clause, **settings)


@pytest.mark.parametrize(
    ("game", "clause"), [("dragon-tiger", "DT-2.2"), ("immortal-dragon-tiger", "IDT-2.2"), ("dragon-21", "D21-3.1a")]
)
def test_a_layout_that_the_document_does_not_show_is_refused_by_its_clause(game: str, clause: str) -> None:
    play = Play(game, cards=None)
    play.refused(ChangeSettings, "opal", clause, changes={"layout": "G"})


@pytest.mark.clause("IDT-1.1.5")
@pytest.mark.parametrize(
    ("area", "meant"),
    [
        ("ruby room", "Ruby Room"),
        ("Ruby  Room", "Ruby Room"),
        ("PAIZA CLUB", "Paiza Club"),
        ("Paiza-Club", "Paiza Club"),
    ],
)
def test_a_high_limit_area_is_not_taken_for_another_by_its_spelling(area: str, meant: str) -> None:
    assert refused("immortal-dragon-tiger", "IDT-1.1.5", area=area)[1] == WRITE_INSTEAD(word=meant)
    Play("immortal-dragon-tiger", area="Main floor", people={}, cards=None)
