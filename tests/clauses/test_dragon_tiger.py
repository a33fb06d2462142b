"""Dragon Tiger, clause by clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as replace_row
from fractions import Fraction
from itertools import combinations, product

import pytest

import longhu
from longhu.cards import RANKS, Shoe, card, cards
from longhu.games.game import Result
from longhu.paytable import pays, printed_row
from longhu.table.betting import PlaceWager
from longhu.table.betting_phase import RoundStarted
from longhu.table.dealing import DrawCard
from longhu.table.views import Viewer, view
from tests.clauses.live import (
    at_table,
    credit,
    hands_of,
    paid_rounds,
    play_round,
    played,
    refused_settings,
    so_far,
    whose_card,
)

GAME = longhu.game("dragon-tiger")
DEFINITION = GAME.definition

SEVEN_WAGERS = ("dragon", "tiger", "tie", "dragon-big", "dragon-small", "tiger-big", "tiger-small")


def result(dragon: str, tiger: str, wager: str) -> str:
    return played(GAME, dragon, tiger, **{wager: "10.00"})[wager].result


def net(dragon: str, tiger: str, wager: str, stake: str = "10.00") -> str:
    return played(GAME, dragon, tiger, **{wager: stake})[wager].net


# ------------------------------------------------ the document


@pytest.mark.clause("DT-0")
def test_a_round_names_the_rules_of_17_july_2013_and_is_played_by_no_others() -> None:
    play = at_table(GAME, "KS QH")
    started = play.last(RoundStarted)
    assert (started.game, started.game_id, started.version) == (DEFINITION.digest, "dragon-tiger", "2013-07-17")
    assert started.in_force == "2013-07-17T00:00:00+08:00", "from the start of that day, in Singapore"
    play.game = longhu.game("dragon-tiger", rounding="house").definition
    assert play.refused(PlaceWager, "ann", place=1, wager="dragon", amount=500).reason.code == "other-rules"


# ------------------------------------------------ 1. Definitions


@pytest.mark.clause("DT-1.1")
def test_a_tie_here_is_not_a_tie_of_dragon_21() -> None:
    """Terms belong to their game: two kings tie at Dragon Tiger, and 10 with K is no equal rank."""
    assert played(GAME, "KS", "KH", tie="5.00")["tie"].result == "win"
    assert played(GAME, "TS", "KH", tie="5.00")["tie"].result == "lose"
    assert played(longhu.game("dragon-21"), "TS 8S", "KH 8H", tie="5.00")["tie"].result == "win"


@pytest.mark.clause("DT-1.1")
@pytest.mark.parametrize("wager", ["dragon-big", "dragon-small", "tiger-big", "tiger-small"])
def test_the_terms_of_dragon_tiger_are_unknown_at_a_table_of_another_game(wager: str) -> None:
    assert played(GAME, "8S", "6H", **{wager: "5.00"})[wager].stake == "5.00"
    other = at_table(longhu.game("dragon-21"))
    assert other.refused(PlaceWager, "ann", place=1, wager=wager, amount=500).reason.code == "wager-not-offered"


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
    assert played(GAME, "JS", "JH", tie="5.00").net == "55.00"
    assert played(GAME, "JS", "QH", tie="5.00").net == "-5.00"


# ------------------------------------------------ 2. Mode of play


@pytest.mark.clause("DT-2.1a")
@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
def test_four_to_eight_decks_are_played_with(decks: int) -> None:
    round = play_round(at_table(GAME, betting=False, decks=decks), "KS", "QH", {"dragon": "10.00"})
    assert round.net == "10.00"


@pytest.mark.clause("DT-2.1a")
@pytest.mark.parametrize("decks", [0, 3, 9])
def test_three_decks_and_nine_are_refused(decks: int) -> None:
    refusal = refused_settings(GAME, "DT-2.1a", decks=decks)
    assert (refusal.reason.code, refusal.reason.args["decks"]) == ("decks-outside-range", decks)


@pytest.mark.clause("DT-2.1b")
def test_eight_decks_are_416_cards_eight_of_each() -> None:
    play = at_table(GAME)
    shoe = play.table.shoe
    assert shoe is not None
    named = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "SHDC"]
    assert (shoe.left, len(named)) == (416, 52)
    assert {shoe.counts[card(each).number] for each in named} == {8}


@pytest.mark.clause("DT-2.1b")
@pytest.mark.parametrize("joker", ["Joker", "red joker", "JK", "X"])
def test_a_joker_is_no_card_of_the_game(joker: str) -> None:
    play = at_table(GAME, device="hand-shoe")
    play.bet("ann", "dragon", "5.00")
    play.close_betting()
    assert play.refused(DrawCard, "dee", card=joker).reason.code == "not-a-card"
    play.draw("KS")


@pytest.mark.clause("DT-2.2")
@pytest.mark.parametrize("layout", "ABCDEF")
def test_a_table_uses_one_of_six_layouts(layout: str) -> None:
    assert played(GAME, "KS", "QH", layout=layout, dragon="10.00").net == "10.00"


@pytest.mark.clause("DT-2.2")
@pytest.mark.parametrize("layout", ["G", "", "a"])
def test_layout_g_is_refused(layout: str) -> None:
    refusal = refused_settings(GAME, "DT-2.2", layout=layout)
    assert (refusal.reason.code, refusal.reason.args["name"]) == ("layout-unknown", layout)


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
    stakes = dict.fromkeys(SEVEN_WAGERS, "10.00")
    assert set(played(GAME, "KS", "4H", layout=layout, **stakes)) == set(SEVEN_WAGERS)
    play = at_table(GAME, layout=layout)
    assert play.notice.limits.keys() == {*SEVEN_WAGERS}
    for other in ("dragon-pair", "player", "dragon-odd"):
        assert play.refused(PlaceWager, "ann", place=1, wager=other, amount=500).reason.code == "wager-not-offered"


@pytest.mark.clause("DT-2.2-Aa")
def test_the_places_of_layout_a_hold_cards_and_take_no_wagers() -> None:
    """Without the bottom row nobody can wager on Dragon, though its card place is still there."""
    layout = GAME.layouts["A"]
    places_only = replace_row(layout, rows=layout.rows[:-1])
    assert layout.places == places_only.places == ("dragon", "tiger")
    cut = at_table(replace_row(DEFINITION, layouts={"A": places_only}))
    for wager in ("dragon", "tiger"):
        at_table(GAME).bet("ann", wager, "10.00")
        assert cut.refused(PlaceWager, "ann", place=1, wager=wager, amount=1000).reason.code == "wager-not-on-layout"


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
    (odds,) = {cell.odds for cell in cells if not cell.wager}
    for wager in {cell.wager for cell in cells if cell.wager}:  # and a live table pays what the layout prints
        dragon, tiger = next(
            hands
            for hands in (("KS", "QH"), ("QS", "KH"), ("2S", "3H"), ("KS", "KH"))
            if result(*hands, wager) == "win"
        )
        assert net(dragon, tiger, wager, "1.00") == f"{odds.partition('-')[0]}.00"


@pytest.mark.clause("DT-2.2-Ab")
def test_both_tie_areas_warn_that_dragon_and_tiger_lose_half() -> None:
    left, _, right = printed_row(DEFINITION, GAME.layouts["A"].rows[0])
    assert left.notices == right.notices == ("Dragon and Tiger lose half",)
    assert played(GAME, "5S", "5H", dragon="10.00", tiger="30.00", tie="1.00").net == "-9.00"


# ------------------------------------------------ 3. How to play


@pytest.mark.clause("DT-3.3a")
def test_each_wager_is_settled_on_its_own() -> None:
    settled = played(GAME, "KS", "4H", dragon="10.00", tiger_small="10.00")
    assert (settled["dragon"].net, settled["tiger-small"].net) == ("10.00", "10.00")


@pytest.mark.clause("DT-3.3a", "DT-3.3b")
@pytest.mark.parametrize(("dragon", "tiger"), [("KS", "4H"), ("7S", "7H"), ("2S", "QH")])
def test_all_127_combinations_are_accepted_and_none_changes_what_a_wager_gives(dragon: str, tiger: str) -> None:
    """Placed one after the other at a table, in this order and in the opposite one."""
    alone = {wager: net(dragon, tiger, wager) for wager in SEVEN_WAGERS}
    subsets = [subset for size in range(1, 8) for subset in combinations(SEVEN_WAGERS, size)]
    assert len(subsets) == 127
    for subset in subsets:
        for order in (subset, subset[::-1]):
            settled = played(GAME, dragon, tiger, **dict.fromkeys(order, "10.00"))
            assert {wager: paid.net for wager, paid in settled.items()} == {wager: alone[wager] for wager in subset}


@pytest.mark.clause("DT-3.4b")
def test_one_card_goes_to_dragon_and_then_one_to_tiger_and_everybody_sees_them() -> None:
    play = at_table(GAME, "9C 2D")
    play.bet("ann", "tie", "10.00")
    play.close_betting()
    for shown in ([("dragon", "9C")], [("dragon", "9C"), ("tiger", "2D")]):
        play.draw()
        round = view(play.table, DEFINITION, Viewer()).round
        assert round is not None
        assert [(card.hand, card.face) for card in round.cards] == shown, "as a stranger sees them"
    assert hands_of(play) == {"dragon": cards("9C"), "tiger": cards("2D")}


@pytest.mark.clause("DT-3.4b")
def test_neither_hand_takes_a_second_card() -> None:
    assert whose_card(GAME, "9C") == "tiger"
    assert so_far(GAME, "9C 2D").refused(DrawCard, "dee").reason.code == "hands-complete"


@pytest.mark.clause("DT-3.5")
def test_ranks_run_from_ace_low_to_king_high() -> None:
    """Every card loses to all that stand to its right, whichever hand it is dealt to."""
    for lower, higher in combinations("A23456789TJQK", 2):
        won = played(GAME, f"{lower}S", f"{higher}S", dragon="10.00", tiger="10.00")
        assert (won.winner, won["dragon"].net, won["tiger"].net) == ("tiger", "-10.00", "10.00")
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
    assert played(GAME, f"8{dragon}", f"8{tiger}", tie="10.00").net == "110.00"
    assert played(GAME, f"8{dragon}", f"9{tiger}", tiger="10.00").net == "10.00"


@pytest.mark.clause("DT-3.8a")
def test_two_fives_are_a_tie_without_a_winner() -> None:
    settled = played(GAME, "5S", "5C", tie="10.00")
    assert settled.winner is None
    assert settled.totals == {"dragon": 5, "tiger": 5}
    assert (settled["tie"].result, settled["tie"].clause) == ("win", "DT-4.1c")


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
    rows = {line.clause: pays(line) for _, line in won}
    for dragon, tiger in product(RANKS, repeat=2):
        for paid in played(GAME, f"{dragon}S", f"{tiger}H", **dict.fromkeys(SEVEN_WAGERS, "10.00")).values():
            if paid.result == "win":
                assert rows[paid.clause] == f"{paid.net.partition('.')[0][:-1]} to 1"
    assert rows == {
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
