"""Dragon Tiger, clause by clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import combinations, product

import pytest

import longhu
from longhu.cards import DECK, RANKS, CardError, Shoe, card, cards
from longhu.deal.procedure import CARDS_LEFT_OVER, deal_so_far
from longhu.games.game import Result
from longhu.money import Money
from longhu.paytable import pays, printed_row
from longhu.settlement import (
    DECKS_OUTSIDE_RANGE,
    LAYOUT_UNKNOWN,
    WAGER_NOT_ON_LAYOUT,
    check_decks,
    check_stakes,
)
from tests.clauses.round_table import paid_rounds
from tests.rounds import credit, played, refused

GAME = longhu.game("dragon-tiger")
DEFINITION = GAME.definition

SEVEN_WAGERS = ("dragon", "tiger", "tie", "dragon-big", "dragon-small", "tiger-big", "tiger-small")


def result(dragon: str, tiger: str, wager: str) -> str:
    return played(GAME, dragon, tiger, **{wager: "10.00"})[wager].result


def net(dragon: str, tiger: str, wager: str, stake: str = "10.00") -> str:
    return played(GAME, dragon, tiger, **{wager: stake})[wager].net


# ------------------------------------------------ the document


@pytest.mark.clause("DT-0")
def test_the_rules_are_those_of_17_july_2013_and_a_round_says_so() -> None:
    assert DEFINITION.effective == date(2013, 7, 17)
    assert DEFINITION.version == "2013-07-17"
    assert played(GAME, "KS", "QH").settled.game.version == "2013-07-17"


# ------------------------------------------------ 1. Definitions


@pytest.mark.clause("DT-1.1")
def test_a_tie_here_is_not_a_tie_of_dragon_21() -> None:
    """Terms belong to their game: two kings tie at Dragon Tiger, and 10 with K is no equal rank."""
    assert played(GAME, "KS", "KH").winner is None
    assert played(GAME, "TS", "KH").winner == "tiger"
    assert longhu.game("dragon-21").settle("TS KH 8S 8H").winner is None


@pytest.mark.clause("DT-1.1")
def test_the_terms_of_dragon_tiger_are_unknown_to_other_games() -> None:
    dragon_21 = longhu.game("dragon-21").definition
    assert {"dragon.big", "dragon.small", "tiger.big", "tiger.small"} == set(DEFINITION.terms)
    assert not set(DEFINITION.terms) & set(dragon_21.terms)
    assert DEFINITION.outcomes.facts["tie"].says != dragon_21.outcomes.facts["tie"].says


@pytest.mark.clause("DT-1.1.1", "DT-3.9a", "DT-3.9b")
@pytest.mark.parametrize("rank", RANKS)
def test_big_is_8_and_higher(rank: str) -> None:
    expected = "win" if rank in "89TJQK" else "lose"
    assert result(f"{rank}S", "2H", "dragon-big") == expected
    assert result("2H", f"{rank}S", "tiger-big") == expected


@pytest.mark.clause("DT-1.1.3", "DT-3.10a", "DT-3.10b")
@pytest.mark.parametrize("rank", RANKS)
def test_small_is_6_and_lower_and_7_is_neither(rank: str) -> None:
    expected = "win" if rank in "A23456" else "lose"
    assert result(f"{rank}S", "2H", "dragon-small") == expected
    assert result("2H", f"{rank}S", "tiger-small") == expected


@pytest.mark.clause("DT-1.1.4")
def test_a_tie_is_two_cards_of_one_rank() -> None:
    assert played(GAME, "JS", "JH").winner is None
    assert played(GAME, "JS", "QH").winner == "tiger"


# ------------------------------------------------ 2. Mode of play


@pytest.mark.clause("DT-2.1a")
@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
def test_four_to_eight_decks_are_played_with(decks: int) -> None:
    assert check_decks(DEFINITION, decks) == decks
    assert GAME.settle("KS QH", decks=decks, dragon="10.00").net == "10.00"


@pytest.mark.clause("DT-2.1a")
@pytest.mark.parametrize("decks", [3, 9])
def test_three_decks_and_nine_are_refused(decks: int) -> None:
    with refused(DECKS_OUTSIDE_RANGE, "DT-2.1a", decks=decks, least=4, most=8):
        GAME.settle("KS QH", decks=decks, dragon="10.00")


@pytest.mark.clause("DT-2.1b")
def test_eight_decks_are_416_cards_eight_of_each() -> None:
    shoe = Shoe.of_decks(8)
    assert shoe.size == 416
    named = {f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "SHDC"}
    assert {str(each) for each in DECK} == named
    assert len(named) == 52
    assert {shoe.count(card(each)) for each in named} == {8}


@pytest.mark.clause("DT-2.1b")
@pytest.mark.parametrize("joker", ["Joker", "red joker", "JK", "X"])
def test_a_joker_is_no_card_of_the_game(joker: str) -> None:
    with pytest.raises(CardError, match="without jokers"):
        Shoe.of_counts({"AS": 8, joker: 1})


@pytest.mark.clause("DT-2.2")
def test_a_table_uses_one_of_six_layouts() -> None:
    assert list(GAME.layouts) == ["A", "B", "C", "D", "E", "F"]


@pytest.mark.clause("DT-2.2")
def test_layout_g_is_refused() -> None:
    with refused(LAYOUT_UNKNOWN, name="G"):
        played(GAME, "KS", "QH", layout="G", dragon="10.00")


@pytest.mark.clause("DT-2.2.1", "DT-2.2.2", "DT-2.2.3", "DT-2.2.4")
@pytest.mark.parametrize(
    "layout",
    [
        "A",
        pytest.param("B", marks=pytest.mark.clause("DT-2.2-B")),
        pytest.param("C", marks=pytest.mark.clause("DT-2.2-C")),
        pytest.param("D", marks=pytest.mark.clause("DT-2.2-D")),
        pytest.param("E", marks=pytest.mark.clause("DT-2.2-E")),
        pytest.param("F", marks=pytest.mark.clause("DT-2.2-F")),
    ],
)
def test_every_layout_has_areas_for_the_seven_wagers_and_no_others(layout: str) -> None:
    assert sorted(GAME.layouts[layout].wagers) == sorted(SEVEN_WAGERS)
    stakes = dict.fromkeys(SEVEN_WAGERS, "10.00")
    assert set(played(GAME, "KS", "4H", layout=layout, **stakes)) == set(SEVEN_WAGERS)


@pytest.mark.clause("DT-2.2-Aa")
def test_the_places_of_layout_a_hold_cards_and_take_no_wagers() -> None:
    """Without the bottom row nobody can wager on Dragon, though its card place is still there."""
    layout = GAME.layouts["A"]
    assert layout.places == ("dragon", "tiger")
    places_only = replace(layout, rows=layout.rows[:-1])
    assert places_only.places == ("dragon", "tiger")
    cut = replace(DEFINITION, layouts={"A": places_only})
    for wager in ("dragon", "tiger"):
        check_stakes(DEFINITION, {wager: Money(10_00)}, "A")
        with refused(WAGER_NOT_ON_LAYOUT, wager=wager, layout="A"):
            check_stakes(cut, {wager: Money(10_00)}, "A")


DIAGRAM_A = [
    pytest.param(0, "Tie | 11-1 | Tie", marks=pytest.mark.clause("DT-2.2-Ab")),
    pytest.param(
        1,
        "Tiger Small | Dragon Small | 1-1 | Tiger Small | Dragon Small",
        marks=pytest.mark.clause("DT-2.2-Ac"),
    ),
    pytest.param(
        2,
        "Tiger Big | Dragon Big | 1-1 | Tiger Big | Dragon Big",
        marks=pytest.mark.clause("DT-2.2-Ad"),
    ),
    pytest.param(3, "Tiger | Dragon | 1-1 | Tiger | Dragon", marks=pytest.mark.clause("DT-2.2-Ae")),
]


@pytest.mark.parametrize(("row", "printed"), DIAGRAM_A)
def test_diagram_a_from_the_dealer_to_the_patrons(row: int, printed: str) -> None:
    cells = printed_row(DEFINITION, GAME.layouts["A"].rows[row])
    names = [GAME.wagers[cell.wager].name.en if cell.wager else cell.odds for cell in cells]
    assert " | ".join(names) == printed
    assert len(GAME.layouts["A"].rows) == len(DIAGRAM_A)


@pytest.mark.clause("DT-2.2-Ab")
def test_both_tie_areas_warn_that_dragon_and_tiger_lose_half() -> None:
    left, _, right = printed_row(DEFINITION, GAME.layouts["A"].rows[0])
    assert left.notices == right.notices == ("Dragon and Tiger lose half",)


# ------------------------------------------------ 3. How to play


@pytest.mark.clause("DT-3.3a")
def test_each_wager_is_settled_on_its_own() -> None:
    settled = played(GAME, "KS", "4H", dragon="10.00", tiger_small="10.00")
    assert (settled["dragon"].net, settled["tiger-small"].net) == ("10.00", "10.00")


@pytest.mark.clause("DT-3.3a", "DT-3.3b")
@pytest.mark.parametrize(("dragon", "tiger"), [("KS", "4H"), ("7S", "7H"), ("2S", "QH")])
def test_all_127_combinations_are_accepted_and_none_changes_what_a_wager_gives(dragon: str, tiger: str) -> None:
    alone = {wager: net(dragon, tiger, wager) for wager in SEVEN_WAGERS}
    subsets = [subset for size in range(1, 8) for subset in combinations(SEVEN_WAGERS, size)]
    assert len(subsets) == 127
    for subset in subsets:
        settled = played(GAME, dragon, tiger, **dict.fromkeys(subset, "10.00"))
        assert {wager: paid.net for wager, paid in settled.items()} == {wager: alone[wager] for wager in subset}


@pytest.mark.clause("DT-3.4b")
def test_one_card_goes_to_dragon_and_then_one_to_tiger() -> None:
    settled = GAME.settle("9C 2D")
    assert settled.hands == {"dragon": cards("9C"), "tiger": cards("2D")}
    assert {method.cards for method in DEFINITION.methods.values()} == {"face-up"}


@pytest.mark.clause("DT-3.4b")
def test_neither_hand_takes_a_second_card() -> None:
    assert deal_so_far(DEFINITION.procedure, cards("9C")).due.hand == 1
    with refused(CARDS_LEFT_OVER, cards=["KS"]):
        GAME.settle("9C 2D KS")


@pytest.mark.clause("DT-3.5")
def test_ranks_run_from_ace_low_to_king_high() -> None:
    """Every card loses to all that stand to its right, whichever hand it is dealt to."""
    for lower, higher in combinations("A23456789TJQK", 2):
        assert played(GAME, f"{lower}S", f"{higher}S").winner == "tiger"
        assert played(GAME, f"{higher}S", f"{lower}S").winner == "dragon"


@pytest.mark.clause("DT-3.6a")
@pytest.mark.parametrize(("dragon", "tiger", "winner"), [("10S", "9H", "dragon"), ("QS", "KH", "tiger")])
def test_the_higher_card_wins_the_round(dragon: str, tiger: str, winner: str) -> None:
    assert played(GAME, dragon, tiger).winner == winner
    loser = "tiger" if winner == "dragon" else "dragon"
    assert result(dragon, tiger, winner) == "win"
    assert result(dragon, tiger, loser) == "lose"


@pytest.mark.clause("DT-3.7")
@pytest.mark.parametrize("dragon", "SHDC")
@pytest.mark.parametrize("tiger", "SHDC")
def test_suits_do_not_rank(dragon: str, tiger: str) -> None:
    assert played(GAME, f"8{dragon}", f"8{tiger}").winner is None
    assert played(GAME, f"8{dragon}", f"9{tiger}").winner == "tiger"


@pytest.mark.clause("DT-3.8a")
def test_two_fives_are_a_tie_without_a_winner() -> None:
    settled = played(GAME, "5S", "5C", tie="10.00")
    assert settled.winner is None
    assert settled.settled.dealt.totals == (5, 5)
    assert settled["tie"].result == "win"


@pytest.mark.clause("DT-3.8b")
@pytest.mark.parametrize(
    ("wager", "stake", "back", "lost"),
    [("dragon", "100.00", "50.00", "-50.00"), ("tiger", "30.00", "15.00", "-15.00")],
)
def test_a_tie_takes_half_of_dragon_and_tiger(wager: str, stake: str, back: str, lost: str) -> None:
    settled = played(GAME, "5S", "5C", **{wager: stake})
    assert (settled.credit, settled.net) == (back, lost)
    assert settled[wager].result == "half"


@pytest.mark.clause("DT-3.8b")
def test_the_odd_half_unit_of_a_tie_goes_to_the_patron_unless_the_house_says_otherwise() -> None:
    assert played(GAME, "5S", "5C", dragon="0.05").credit == "0.03"
    assert played(longhu.game("dragon-tiger", rounding="house"), "5S", "5C", dragon="0.05").credit == "0.02"


ROUNDS = """
    dragon  tiger  wager         stake   credit  clauses
    KS      QS     dragon        25.00   50.00   4.1a
    QS      KS     tiger         25.00   50.00   4.1b
    9S      9H     tie           10.00   120.00  4.1c
    5S      5C     tie           10.00   120.00  3.8c
    10S     9H     tiger         20.00   0.00    3.6b
    9S      10H    dragon        20.00   0.00    3.6b
    10S     9H     tie           5.00    0.00    3.6b
    8S      2H     dragon-big    10.00   20.00   3.9a
    2S      KD     tiger-big     10.00   20.00   3.9a
    8S      8D     dragon-big    10.00   20.00   3.9a
    6S      KH     dragon-big    10.00   0.00    3.9b
    KS      AD     tiger-big     10.00   0.00    3.9b
    AS      KH     dragon-small  10.00   20.00   3.10a
    KS      6D     tiger-small   10.00   20.00   3.10a
    6S      6D     tiger-small   10.00   20.00   3.10a
    8S      2H     dragon-small  10.00   0.00    3.10b
    2S      JD     tiger-small   10.00   0.00    3.10b
    7S      2D     dragon-big    10.00   0.00    3.11
    7S      2D     dragon-small  10.00   0.00    3.11
    7S      2D     tiger-small   10.00   20.00   3.11
    2S      7D     tiger-big     10.00   0.00    3.12
    2S      7D     tiger-small   10.00   0.00    3.12
    2S      7D     dragon-small  10.00   20.00   3.12
    10C     2H     dragon-big    10.00   20.00   4.1d
    2H      10C    tiger-big     10.00   20.00   4.1d
    KH      3C     tiger-small   10.00   20.00   4.1e
    3C      KH     dragon-small  10.00   20.00   4.1e
"""


@pytest.mark.parametrize(("dragon", "tiger", "wager", "stake", "back"), paid_rounds(ROUNDS, "DT"))
def test_what_a_wager_gives_back(dragon: str, tiger: str, wager: str, stake: str, back: str) -> None:
    assert credit(GAME, dragon, tiger, wager, stake) == back


# ------------------------------------------------ 4. Settlement


@pytest.mark.clause("DT-4.1")
def test_five_rows_say_what_winning_wagers_are_paid() -> None:
    won = [(wager.id, line) for wager in GAME.wagers.values() for line in wager.lines if line.result is Result.WIN]
    assert [id for id, _ in won] == list(SEVEN_WAGERS), "each wager wins in one way"
    assert {line.clause: pays(line) for _, line in won} == {
        "DT-4.1a": "1 to 1",
        "DT-4.1b": "1 to 1",
        "DT-4.1c": "11 to 1",
        "DT-4.1d": "1 to 1",
        "DT-4.1e": "1 to 1",
    }


@pytest.mark.clause("DT-4.1")
@pytest.mark.parametrize("layout", "ABCDEF")
@pytest.mark.parametrize(
    ("dragon", "tiger", "expected"),
    [
        ("KS", "4H", "dragon 10.00, tiger -10.00, tie -10.00, dragon-big 10.00, tiger-small 10.00"),
        ("9S", "9H", "dragon -5.00, tiger -5.00, tie 110.00, dragon-big 10.00, tiger-small -10.00"),
    ],
)
def test_every_layout_pays_by_the_same_table(layout: str, dragon: str, tiger: str, expected: str) -> None:
    nets = dict(each.split(" ") for each in expected.split(", "))
    settled = played(GAME, dragon, tiger, layout=layout, **dict.fromkeys(nets, "10.00"))
    assert {wager: paid.net for wager, paid in settled.items()} == nets


def average(worth: Callable[[str, str], Fraction], *, decks: int) -> Fraction:
    """Over all 169 pairs of ranks, each as often as a full shoe deals it."""
    held = dict(zip(RANKS, Shoe.of_decks(decks).by_rank(), strict=True))
    size = 52 * decks
    ways = {
        (dragon, tiger): held[dragon] * (held[tiger] - (dragon == tiger)) for dragon, tiger in product(RANKS, RANKS)
    }
    assert sum(ways.values()) == size * (size - 1)
    return sum((count * worth(f"{dragon}S", f"{tiger}H") for (dragon, tiger), count in ways.items()), Fraction(0)) / (
        size * (size - 1)
    )


def edge(wager: str, *, decks: int) -> Fraction:
    """What the house keeps of each unit staked."""
    return -average(lambda dragon, tiger: Fraction(net(dragon, tiger, wager, "1.00")), decks=decks)


@pytest.mark.clause("DT-4.1c")
def test_eight_decks_tie_31_times_in_415_and_leave_an_edge_of_43_in_415() -> None:
    assert average(lambda dragon, tiger: Fraction(played(GAME, dragon, tiger).winner is None), decks=8) == Fraction(
        31, 415
    )
    assert edge("tie", decks=8) == Fraction(43, 415)
    assert f"{float(edge('tie', decks=8)):.4%}" == "10.3614%"


@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
@pytest.mark.parametrize(
    "wager",
    [
        pytest.param("dragon-big", marks=pytest.mark.clause("DT-4.1d")),
        pytest.param("tiger-big", marks=pytest.mark.clause("DT-4.1d")),
        pytest.param("dragon-small", marks=pytest.mark.clause("DT-4.1e")),
        pytest.param("tiger-small", marks=pytest.mark.clause("DT-4.1e")),
    ],
)
def test_the_seven_alone_makes_the_edge_of_big_and_small(wager: str, decks: int) -> None:
    assert edge(wager, decks=decks) == Fraction(1, 13)
