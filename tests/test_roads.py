"""The roads: vectors worked out by hand, and what holds for every sequence of results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from longhu.cards import cards
from longhu.deal.procedure import HandName, deal_out
from longhu.games import registry
from longhu.games.game import Game
from longhu.messages.localization import english
from longhu.roads.board import (
    FIRST,
    ROWS,
    SECOND,
    Cell,
    Colour,
    DerivedRoad,
    Hand,
    RoundResult,
    ask,
    bead_plate,
    big_road,
    derived_road,
    round_result,
    scoreboard,
    streak_lengths,
)
from longhu.roads.text import (
    ROADS_NOTICE,
    bead_plate_lines,
    big_road_lines,
    derived_road_lines,
    hand_signs,
    scoreboard_lines,
)
from longhu.table.settling import outcome_of
from longhu.texts import Text

WINNERS: dict[str, Hand | None] = {"P": FIRST, "B": SECOND, "T": None}
LETTERS = {winner: letter for letter, winner in WINNERS.items()}
HANDS = (HandName("player", Text("Player")), HandName("banker", Text("Banker")))


def rounds(letters: str) -> list[RoundResult]:
    """`BPT`: Banker won, Player won, a tie."""
    return [RoundResult(WINNERS[letter]) for letter in letters]


def colours(road: DerivedRoad, results: Sequence[RoundResult]) -> str:
    """`BRB`: blue, red, blue."""
    return "".join(cell.colour.name[0] for cell in derived_road(road, results))


def big_road_told(letters: str) -> str:
    """`B(0,0) P(1,0)+1`: the cells with their ties."""
    return " ".join(
        f"{LETTERS[cell.winner]}({cell.place.column},{cell.place.row})" + (f"+{cell.ties}" if cell.ties else "")
        for cell in big_road(rounds(letters)).cells
    )


# ---------------------------------------------------------------- vectors


BIG_ROADS = {
    "": "",
    "TT": "",
    "BBPTPB": "B(0,0) B(0,1) P(1,0)+1 P(1,1) B(2,0)",
    "TTB": "B(0,0)+2",
    "TTBT": "B(0,0)+3",
    "TBTTB": "B(0,0)+3 B(0,1)",
    "B" * 9 + "P" * 10: (
        "B(0,0) B(0,1) B(0,2) B(0,3) B(0,4) B(0,5) B(1,5) B(2,5) B(3,5) "
        "P(1,0) P(1,1) P(1,2) P(1,3) P(1,4) P(2,4) P(3,4) P(4,4) P(5,4) P(6,4)"
    ),
    # A tail keeps to its row although (2,5) is free.
    "B" * 7 + "P" * 7: (
        "B(0,0) B(0,1) B(0,2) B(0,3) B(0,4) B(0,5) B(1,5) P(1,0) P(1,1) P(1,2) P(1,3) P(1,4) P(2,4) P(3,4)"
    ),
}


@pytest.mark.parametrize(("letters", "told"), BIG_ROADS.items())
def test_the_big_road(letters: str, told: str) -> None:
    assert big_road_told(letters) == told


def test_a_tail_along_the_top_pushes_the_next_streak_past_it() -> None:
    """Six streaks of twenty turn in rows 5, 4, 3, 2, 1 and 0; the seventh finds no free top before column 25."""
    cells = big_road(rounds(("B" * 20 + "P" * 20) * 3 + "B")).cells
    firsts = [cells[index * 20].place for index in range(7)]
    assert firsts == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (25, 0)]
    assert [cells[index * 20 + 19].place.row for index in range(6)] == [5, 4, 3, 2, 1, 0]
    assert cells[119].place == (24, 0)


def test_ties_before_the_first_winner_wait_for_its_cell() -> None:
    assert big_road(rounds("TTT")).ties_waiting == 3
    assert big_road(rounds("TTTP")).ties_waiting == 0
    assert big_road(rounds("PT")).ties_waiting == 0


DERIVED = """
    results        big-eye    small     pig
    BPPPB          BRB        -         -
    BBPPB          RR         -         -
    BPPTPB         BRB        -         -
    TBPPPTB        BRB        -         -
    B              -          -         -
    BP             -          -         -
    BBPP           R          -         -
    BPBPBP         RRRR       RRR       RR
    BBBPPBPPPBB    RBBBRBR    BRBBB     RRRR
    BPPPPPPPP      BRRRRRR    -         -
"""


@pytest.mark.parametrize("row", DERIVED.strip().splitlines()[1:])
def test_the_derived_roads(row: str) -> None:
    letters, *expected = row.split()
    assert [colours(road, rounds(letters)) or "-" for road in DerivedRoad] == expected


def test_a_tail_counts_as_depth() -> None:
    """Eight against eight: nothing irregular, though the second streak is drawn five deep; the ninth breaks it."""
    assert colours(DerivedRoad.BIG_EYE_BOY, rounds("B" * 8 + "P" * 8)) == "R" * 7
    assert colours(DerivedRoad.BIG_EYE_BOY, rounds("B" * 8 + "P" * 9)) == "R" * 7 + "B"
    assert colours(DerivedRoad.BIG_EYE_BOY, rounds("B" * 8 + "P" * 8 + "B")) == "R" * 8


def test_a_derived_road_is_drawn_as_the_big_road_is() -> None:
    """Eight reds turn right at the bottom, and the blue that follows starts the column beside their top."""
    cells = derived_road(DerivedRoad.BIG_EYE_BOY, rounds("B" * 9 + "P" * 10))
    assert [cell.place for cell in cells] == [(0, row) for row in range(6)] + [(1, 5), (2, 5), (1, 0)]


def test_the_bead_plate_leaves_nothing_out() -> None:
    plate = bead_plate(rounds("TTBPTPB"))
    assert "".join(LETTERS[bead.result.winner] for bead in plate) == "TTBPTPB"
    assert [bead.place for bead in plate] == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 0)]


# ---------------------------------------------------------------- properties

winners = st.sampled_from((FIRST, SECOND, None))
flags = st.booleans()
mixed = st.lists(st.builds(RoundResult, winners, st.tuples(flags, flags)), max_size=90)
streaky = st.lists(st.tuples(winners, st.integers(1, 25)), max_size=14).map(
    lambda runs: [RoundResult(winner) for winner, length in runs for _ in range(length)]
)
shoes = mixed | streaky
hands = st.sampled_from((FIRST, SECOND))
derived_roads = st.sampled_from(DerivedRoad)


def won(results: Sequence[RoundResult]) -> list[Hand]:
    return [result.winner for result in results if result.winner is not None]


def exchanged(result: RoundResult) -> RoundResult:
    first, second = result.pairs
    other: dict[Hand | None, Hand | None] = {FIRST: SECOND, SECOND: FIRST, None: None}
    return RoundResult(other[result.winner], (second, first))


@given(shoes)
def test_the_big_road_reads_back_as_the_winners_and_the_ties(results: list[RoundResult]) -> None:
    road = big_road(results)
    assert [cell.winner for cell in road.cells] == won(results)
    assert sum(cell.ties for cell in road.cells) + road.ties_waiting == len(results) - len(won(results))
    assert not (road.cells and road.ties_waiting)


@given(shoes)
def test_a_cell_carries_the_ties_up_to_the_next_winner(results: list[RoundResult]) -> None:
    """Written out again with each cell's ties behind it, the road differs from the shoe by early ties at most."""
    again = "".join(LETTERS[cell.winner] + "T" * cell.ties for cell in big_road(results).cells)
    letters = "".join(LETTERS[result.winner] for result in results)
    early = len(letters) - len(letters.lstrip("T"))
    if won(results):
        assert again == letters[early] + "T" * early + letters[early + 1 :]


@given(shoes)
@example(rounds("B" * 20 + "P" * 20 + "B" * 20 + "P" * 20 + "B" * 20 + "P" * 20 + "BPB"))
def test_where_the_big_road_lies(results: list[RoundResult]) -> None:
    """Top of a free column, down while it can, then right for good; this leaves one place for every cell."""
    taken: set[Cell] = set()
    top = -1
    for _, run in groupby(big_road(results).cells, key=lambda cell: cell.winner):
        streak = [cell.place for cell in run]
        assert streak[0] == (min(column for column in range(top + 1, 999) if Cell(column, 0) not in taken), 0)
        top = streak[0].column
        turned = False
        for place, following in pairwise(streak):
            below = Cell(place.column, place.row + 1)
            turned = turned or below.row >= ROWS or below in taken
            assert following == ((place.column + 1, place.row) if turned else below)
            taken.add(place)
        taken.add(streak[-1])
    assert len(taken) == len(won(results))


@given(hands, st.lists(st.integers(1, ROWS), max_size=30))
def test_without_tails_each_streak_is_a_column_and_neighbours_differ(hand: Hand, lengths: list[int]) -> None:
    both: tuple[Hand, Hand] = (FIRST, SECOND)
    results = [RoundResult(both[(hand + streak) % 2]) for streak, length in enumerate(lengths) for _ in range(length)]
    columns: dict[int, list[Hand]] = {}
    for cell in big_road(results).cells:
        columns.setdefault(cell.place.column, []).append(cell.winner)
    assert list(columns) == list(range(len(lengths)))
    assert [len(column) for column in columns.values()] == lengths
    assert all(len(set(column)) == 1 for column in columns.values())
    assert all(one[0] != other[0] for one, other in pairwise(columns.values()))


@given(shoes)
def test_streaks_add_up(results: list[RoundResult]) -> None:
    lengths = streak_lengths(results)
    assert sum(lengths) == len(won(results))
    assert len(lengths) == len([None for _ in groupby(won(results))])
    assert all(lengths)


@given(shoes, derived_roads)
def test_how_many_colours_a_derived_road_has(results: list[RoundResult], road: DerivedRoad) -> None:
    """All won rounds but those of the first streaks, and the round after them, which has nothing to compare."""
    lengths = streak_lengths(results)
    silent = sum(lengths[: road.back]) + (len(lengths) > road.back)
    assert len(derived_road(road, results)) == sum(lengths) - silent


@given(shoes, derived_roads)
def test_derived_colours_as_players_read_them_off_a_board_without_a_bottom(
    results: list[RoundResult], road: DerivedRoad
) -> None:
    """The other way to tell the rule, by looking at cells: first column against column, then left and above left."""
    columns = [len(list(run)) for _, run in groupby(won(results))]
    board = {(column, row) for column, length in enumerate(columns) for row in range(length)}
    read = ""
    for column, length in enumerate(columns):
        for row in range(length):
            left = column - road.value
            if row == 0 and left >= 1:
                read += "R" if columns[column - 1] == columns[left - 1] else "B"
            elif row > 0 and left >= 0:
                read += "B" if (left, row) not in board and (left, row - 1) in board else "R"
    assert colours(road, results) == read


@given(shoes, derived_roads)
def test_a_derived_road_lies_as_a_big_road_of_its_colours_would(results: list[RoundResult], road: DerivedRoad) -> None:
    cells = derived_road(road, results)
    as_hands: dict[Colour, Hand] = {Colour.RED: FIRST, Colour.BLUE: SECOND}
    same = big_road([RoundResult(as_hands[cell.colour]) for cell in cells])
    assert [cell.place for cell in cells] == [cell.place for cell in same.cells]


@given(shoes, winners)
def test_a_new_round_leaves_every_earlier_cell_where_it_was(results: list[RoundResult], winner: Hand | None) -> None:
    before, after = scoreboard(results), scoreboard([*results, RoundResult(winner)])
    assert after.bead_plate[:-1] == before.bead_plate
    old, new = before.big_road, after.big_road
    for one, other in zip(old.cells[:-1], new.cells, strict=False):
        assert one == other
    if old.cells:
        last = old.cells[-1]
        assert new.cells[len(old.cells) - 1] == (replace(last, ties=last.ties + 1) if winner is None else last)
    for road in DerivedRoad:
        assert after.derived[road][: len(before.derived[road])] == before.derived[road]
        if winner is None:
            assert after.derived[road] == before.derived[road]


@given(shoes, hands)
def test_ask_tells_what_then_happens(results: list[RoundResult], hand: Hand) -> None:
    asked = ask(results, hand)
    after = scoreboard([*results, RoundResult(hand)])
    assert asked.bead == after.bead_plate[-1]
    assert asked.big_road == after.big_road.cells[-1]
    for road, before in scoreboard(results).derived.items():
        gained = after.derived[road][len(before) :]
        assert gained == (() if asked.derived[road] is None else (asked.derived[road],))


@given(shoes)
def test_the_two_answers_to_ask_are_opposite_and_come_together(results: list[RoundResult]) -> None:
    """And they come as soon as a streak lies far enough back."""
    first, second = (ask(results, hand).derived for hand in (FIRST, SECOND))
    for road in DerivedRoad:
        answers = {cell.colour for cell in (first[road], second[road]) if cell is not None}
        assert answers == (set(Colour) if len(streak_lengths(results)) > road.back else set())


def test_ask_before_anything_to_compare() -> None:
    assert set(ask([], FIRST).derived.values()) == {None}
    assert ask(rounds("TT"), SECOND).big_road.ties == 2


def test_ask_after_two_streaks_of_one_and_three() -> None:
    """Player on: a fourth beside one is regular. Banker: three beside one is not."""
    player, banker = (ask(rounds("BPPP"), hand).derived[DerivedRoad.BIG_EYE_BOY] for hand in (FIRST, SECOND))
    assert player is not None
    assert banker is not None
    assert (player.colour, banker.colour) == (Colour.RED, Colour.BLUE)
    assert (player.place, banker.place) == ((1, 1), (2, 0))  # after blue, red


@given(shoes, derived_roads)
def test_derived_roads_know_no_hand(results: list[RoundResult], road: DerivedRoad) -> None:
    assert derived_road(road, [exchanged(result) for result in results]) == derived_road(road, results)


@given(shoes, derived_roads)
def test_derived_roads_know_no_tie(results: list[RoundResult], road: DerivedRoad) -> None:
    untied = [result for result in results if result.winner is not None]
    assert derived_road(road, untied) == derived_road(road, results)


# ---------------------------------------------------------------- from a game

GAMES = {id: registry.load_game(path) for id, path in registry.all_games().items()}


def result_of(game: Game, number: int) -> RoundResult:
    outcome = outcome_of(game, number)
    return round_result(game.hands, outcome.winner, outcome.pairs)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_ending_of_every_game_goes_on_the_board(game: Game) -> None:
    """Winners and pairs are the game's own facts, hand by hand, and all three results occur."""
    seen = set()
    for number in game.outcomes.endings:
        told, result = game.outcomes.describe(number), result_of(game, number)
        seen.add(result.winner)
        assert told["tie"] == (result.winner is None)
        for index, hand in enumerate(game.procedure.hands):
            assert told[f"{hand.id}.wins"] == (result.winner == index)
            assert result.pairs[index] == told.get(f"{hand.id}.pair", False)
    assert seen == {FIRST, SECOND, None}


ROUNDS = """
    game                    cards                 winner    pairs
    dragon-tiger            KH 2S                 P         --
    dragon-tiger            2H KS                 B         --
    dragon-tiger            KH KS                 T         --
    immortal-dragon-tiger   4H KS 4C 7D           P         1-
    immortal-dragon-tiger   2H KS 3C TD 4C 2D     P         --
    immortal-dragon-tiger   4H 4S 4C 4D           T         12
    immortal-dragon-tiger   KH 4S 7C 4D           B         -2
    dragon-21               KH 9S KC 9D           P         12
"""


@pytest.mark.parametrize("row", ROUNDS.strip().splitlines()[1:])
def test_rounds_dealt_by_hand(row: str) -> None:
    id, *drawn, winner, pairs = row.split()
    game = GAMES[id]
    number = deal_out(game.procedure, cards(" ".join(drawn))).number
    assert number is not None
    assert result_of(game, number) == RoundResult(WINNERS[winner], (pairs[0] != "-", pairs[1] != "-"))


# ---------------------------------------------------------------- on a terminal


def test_the_bead_plate_in_text() -> None:
    results = [
        RoundResult(SECOND),
        RoundResult(FIRST, (True, False)),
        RoundResult(SECOND, (False, True)),
        RoundResult(None, (True, True)),
        *rounds("PPB"),
    ]
    assert bead_plate_lines(bead_plate(results), HANDS) == (" B   B", " P.", "'B", "'=.", " P", " P")


def test_the_big_road_in_text() -> None:
    assert big_road_lines(big_road(rounds("BBPTPBTT" + "P" * 7)), HANDS) == (
        "B   P/  B/2 P",
        "B   P       P",
        "            P",
        "            P",
        "            P",
        "            P   P",
    )


def test_ties_without_a_winner_in_text() -> None:
    assert big_road_lines(big_road(rounds("TT")), HANDS) == ("/2", "", "", "", "", "")
    assert big_road_lines(big_road([]), HANDS) == ("",) * ROWS


def test_a_derived_road_in_text() -> None:
    cells = derived_road(DerivedRoad.BIG_EYE_BOY, rounds("BBBPPBPPPBB"))
    assert derived_road_lines(cells) == ("o x o x o", "  x", "  x", "", "", "")


def test_a_narrow_screen_shows_the_latest_columns() -> None:
    plate = bead_plate(rounds("B" * 12 + "P" * 6))
    assert bead_plate_lines(plate, HANDS, columns=2)[0] == " B   P"
    assert bead_plate_lines(plate, HANDS, columns=20) == bead_plate_lines(plate, HANDS)


@given(shoes, st.integers(1, 12))
@example(rounds("B" * 25 + "P"), 3)  # the tail runs to column 19, the newest cell is in column 1
def test_a_narrow_screen_always_shows_the_newest_cell(results: list[RoundResult], columns: int) -> None:
    """What is shown is a stretch of the whole road; the newest cell is in it, and nothing is wider than asked."""
    road = big_road(results)
    lines = big_road_lines(road, HANDS, columns)
    assert len(lines) == ROWS
    if road.cells:
        whole = big_road_lines(road, HANDS)
        step = max(len(f"B/{cell.ties}") if cell.ties > 1 else 1 + cell.ties for cell in road.cells) + 1
        stretches = [
            start
            for start in range(road.cells[-1].place.column + 1)
            if lines == tuple(line[start * step : (start + columns) * step].rstrip() for line in whole)
        ]
        assert any(start <= road.cells[-1].place.column < start + columns for start in stretches)


@given(shoes)
def test_the_big_road_in_text_reads_back(results: list[RoundResult]) -> None:
    """Every sign stands where its cell is, and there are no others."""
    cells = big_road(results).cells
    if not cells:
        return
    lines = big_road_lines(big_road(results), HANDS)
    step = max(len(f"B/{cell.ties}") if cell.ties > 1 else 1 + cell.ties for cell in cells) + 1
    for cell in cells:
        sign = lines[cell.place.row][cell.place.column * step :][:step].rstrip()
        assert sign == LETTERS[cell.winner] + ("", "/", f"/{cell.ties}")[min(cell.ties, 2)]
    assert sum(map(str.isalpha, "".join(lines))) == len(cells)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_whole_board_of_every_game(game: Game) -> None:
    """Titles in order, the hands by the game's own names, and the notice that it foretells nothing."""
    results = [result_of(game, number) for number in list(game.outcomes.endings)[::97][:80]]
    lines = scoreboard_lines(results, game.procedure.hands)
    titles = [line.partition(":")[0] for line in lines if line and not line.startswith(" ")][:5]
    assert titles == ["Bead Plate", "Big Road", "Big Eye Boy", "Small Road", "Cockroach Pig"]
    text = "\n".join(lines)
    for hand in game.procedure.hands:
        assert hand.en in text
    assert lines[-1] == english(ROADS_NOTICE())
    assert all(line == line.rstrip() for line in lines)


def test_the_whole_board_in_text() -> None:
    tiger_won = RoundResult(SECOND)
    hands = (HandName("dragon", Text("Dragon")), HandName("tiger", Text("Tiger")))
    board = scoreboard_lines([tiger_won, *rounds("PPPBT")], hands, columns=8)
    blank = [""] * 5
    assert board == (
        *("Bead Plate", "   T", "   D", "   D", "   D", "   T", "   ="),
        *("Big Road", "  T  D  T/", "     D", "     D", "", "", ""),
        *("Big Eye Boy: x if Dragon wins, o if Tiger wins", "  x o x", *blank),
        *("Small Road: o if Dragon wins, x if Tiger wins", "", *blank),
        *("Cockroach Pig", "", *blank),
        "D Dragon, T Tiger, = tie, on the big road /",
        "o red: regular, x blue: irregular",
        english(ROADS_NOTICE()),
    )


def test_pairs_are_explained_only_where_there_are_some() -> None:
    paired = scoreboard_lines([RoundResult(None, (False, True))], HANDS)
    assert ". pair of Player, ' pair of Banker" in paired
    assert not any("pair" in line for line in scoreboard_lines(rounds("B"), HANDS))


@pytest.mark.parametrize(
    ("names", "signs"),
    [("Dragon Tiger", ("D", "T")), ("player banker", ("P", "B")), ("Red Rose", ("1", "2")), ("=x Tiger", ("1", "2"))],
)
def test_hands_are_told_apart_by_their_signs(names: str, signs: tuple[str, str]) -> None:
    first, second = names.split()
    assert hand_signs((HandName("a", Text(first)), HandName("b", Text(second)))) == signs
