"""Immortal Dragon Tiger Baccarat, clause by clause: what each wager wins, pushes and loses, and what it pays."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

import longhu
from longhu.api import Game
from longhu.cards import RANKS, SUITS
from tests.clauses.live import credit, played

GAME = longhu.game("immortal-dragon-tiger")
PAIRS_BY_POINTS = longhu.game("immortal-dragon-tiger", pair_basis="points")
FRACTION_TO_HOUSE = longhu.game("immortal-dragon-tiger", rounding="house")

NATURAL_9 = "9C QC"  # against it no hand draws, so that two cards of the other hand decide


def result(player: str, banker: str, wager: str, game: Game = GAME) -> str:
    return played(game, player, banker, **{wager: "10.00"})[wager].result


# ------------------------------------------------ 1.1 what each wager is


@pytest.mark.parametrize(
    ("player", "banker", "wins", "pushes"),
    [
        pytest.param(
            "2S 3D +2H", "KH 6C", "player dragon-tiger big-dragon", "", id="7-6, three cards and two",
            marks=pytest.mark.clause("IDT-1.1.1", "IDT-1.1.3", "IDT-1.1.11"),
        ),
        pytest.param(
            "5S 2D", "KH 6C", "player dragon-tiger small-dragon", "", id="7-6, two cards each",
            marks=pytest.mark.clause("IDT-1.1.1", "IDT-1.1.3", "IDT-1.1.11", "IDT-1.1.16"),
        ),
        pytest.param(
            "5S 2D", "KH 5C +QD", "player small-dragon", "", id="7-5",
            marks=pytest.mark.clause("IDT-1.1.3"),
        ),
        pytest.param(
            "2S 3D +2H", "KD 4C +AS", "player big-dragon", "", id="7-5, three cards each",
            marks=pytest.mark.clause("IDT-1.1.1", "IDT-1.1.3"),
        ),
        pytest.param(
            "KS 2D +3H", "KD 4C +2S", "banker big-tiger", "", id="5-6, three cards each",
            marks=pytest.mark.clause("IDT-1.1.2", "IDT-1.1.12"),
        ),
        pytest.param(
            "KS 2D +3H", "KD 6C", "banker small-tiger", "", id="5-6, three cards and two",
            marks=pytest.mark.clause("IDT-1.1.2", "IDT-1.1.12"),
        ),
        pytest.param(
            "KS 5D +8H", "QH 6C", "banker small-tiger", "", id="3-6",
            marks=pytest.mark.clause("IDT-1.1.12"),
        ),
        pytest.param(
            "KS 4D +6H", "KD 6C +KC", "banker big-tiger", "", id="0-6, Banker's two-card 6 draws a king",
            marks=pytest.mark.clause("IDT-1.1.2", "IDT-1.1.12"),
        ),
        pytest.param(
            "5S 2D", "9H KD", "banker immortal-dragon", "player", id="7-9",
            marks=pytest.mark.clause("IDT-1.1.1", "IDT-1.1.6", "IDT-1.1.11"),
        ),
        pytest.param(
            "2S 3D +2H", "KD 4C +4S", "banker immortal-dragon", "player", id="7-8, three cards each",
            marks=pytest.mark.clause("IDT-1.1.1", "IDT-1.1.6", "IDT-1.1.11"),
        ),
        pytest.param(
            "5S 2D", "3H 4C", "tie", "player banker", id="7-7",
            marks=pytest.mark.clause("IDT-1.1.6", "IDT-1.1.11", "IDT-1.1.16", "IDT-1.1.17"),
        ),
        pytest.param(
            "KS 6D", "9H KD", "banker", "", id="6-9",
            marks=pytest.mark.clause("IDT-1.1.6"),
        ),
        pytest.param(
            "KS 6D", "QH 6C", "tie tiger-tie", "player banker", id="6-6, two cards each",
            marks=pytest.mark.clause("IDT-1.1.12", "IDT-1.1.16", "IDT-1.1.17"),
        ),
        pytest.param(
            "KS 3D +3H", "KD 6C", "tie tiger-tie", "player banker", id="6-6, three cards and two",
            marks=pytest.mark.clause("IDT-1.1.17"),
        ),
        pytest.param(
            "KS 6D", "QH 5C +AC", "tie tiger-tie", "player banker", id="6-6, two cards and three",
            marks=pytest.mark.clause("IDT-1.1.2", "IDT-1.1.17"),
        ),
    ],
)  # fmt: skip
def test_these_wagers_win_and_all_others_lose(player: str, banker: str, wins: str, pushes: str) -> None:
    """All twelve wagers lie on the layout; what is not named loses."""
    round = played(GAME, player, banker, layout="E", **dict.fromkeys(GAME.wagers, "10.00"))
    ended = {wager: paid.result for wager, paid in round.items()}
    expected = dict.fromkeys(GAME.wagers, "lose")
    expected |= dict.fromkeys(wins.split(), "win") | dict.fromkeys(pushes.split(), "push")
    assert ended == expected


# ------------------------------------------------ 1.1.9 pairs


@pytest.mark.clause("IDT-1.1.9a")
@pytest.mark.parametrize(
    ("player", "banker", "wager", "expected"),
    [
        ("4S 9D +4H", "KH 6C", "player-pair", "lose"),  # the third card makes no pair
        ("9D 4S +4H", "KH 6C", "player-pair", "lose"),
        ("4S 4H", "KH 6C", "player-pair", "win"),
        ("4S 4H", "9C KC", "player-pair", "win"),
        ("2S 2H +KD", "KH 6C", "player-pair", "win"),
        ("2S 2H +9D", "KH 2C +2D", "player-pair", "win"),
        ("2S 2H +9D", "KH 2C +2D", "banker-pair", "lose"),  # neither the third card nor the other hand's pair
        ("KS 6D", "2C 2H +2S", "banker-pair", "win"),
        ("KS 6D", "2C 2H +2S", "player-pair", "lose"),
    ],
)
def test_a_hands_first_two_cards_alone_decide_its_pair(player: str, banker: str, wager: str, expected: str) -> None:
    assert result(player, banker, wager) == expected


@pytest.mark.clause("IDT-1.1.9b")
@pytest.mark.parametrize(
    ("two", "expected"),
    [("KS KD", "win"), ("7H 7H", "win"), ("10S 10D", "win"), ("AS AC", "win"), ("KS QD", "lose"), ("10S KD", "lose")],
)
def test_a_pair_is_two_cards_of_one_rank(two: str, expected: str) -> None:
    assert result(two, NATURAL_9, "player-pair") == expected
    assert result(NATURAL_9, two, "banker-pair") == expected


@pytest.mark.clause("IDT-1.1.9b")
@pytest.mark.parametrize("second", RANKS)
@pytest.mark.parametrize("first", RANKS)
def test_only_equal_ranks_pair_under_the_reading_by_rank(first: str, second: str) -> None:
    expected = "win" if first == second else "lose"
    assert result(f"{first}S {second}D", NATURAL_9, "player-pair") == expected
    assert result(NATURAL_9, f"{first}S {second}D", "banker-pair") == expected


@pytest.mark.clause("IDT-1.1.9c")
@pytest.mark.parametrize("game", [GAME, PAIRS_BY_POINTS], ids=["by rank", "by points"])
def test_two_different_pictures_never_pair(game: Game) -> None:
    for one, other in permutations("JQK", 2):
        for suit in SUITS:
            for second in SUITS:
                two = f"{one}{suit.value} {other}{second.value}"
                assert result(two, NATURAL_9, "player-pair", game) == "lose"
                assert result(NATURAL_9, two, "banker-pair", game) == "lose"


@pytest.mark.clause("IDT-1.1.9b")
@pytest.mark.parametrize("second", RANKS)
@pytest.mark.parametrize("first", RANKS)
def test_a_house_may_pair_a_10_with_a_picture(first: str, second: str) -> None:
    """Q25 read literally: a ten has the same point value as a picture, and nothing else changes."""
    ten_with_picture = {first, second} in ({"T", "J"}, {"T", "Q"}, {"T", "K"})
    expected = "win" if first == second or ten_with_picture else "lose"
    assert result(f"{first}S {second}D", NATURAL_9, "player-pair", PAIRS_BY_POINTS) == expected
    assert result(NATURAL_9, f"{first}S {second}D", "banker-pair", PAIRS_BY_POINTS) == expected


def pair_return(game: Game, decks: int) -> Fraction:
    """What a unit on Player Pair brings back on average, counted over the ranks of Player's first two cards."""
    of_rank, size = 4 * decks, 52 * decks
    back = Fraction(0)
    for first in RANKS:
        for second in RANKS:
            ways = of_rank * (of_rank - (first == second))
            back += Fraction(credit(game, f"{first}S {second}D", NATURAL_9, "player-pair", "1.00")) * ways
    return back / (size * (size - 1))


@pytest.mark.clause("IDT-4.5b")
def test_a_pair_wager_returns_372_of_415_with_eight_decks() -> None:
    assert pair_return(GAME, decks=8) == Fraction(372, 415)
    assert round(100 * pair_return(GAME, decks=8), 4) == Fraction("89.6386")


@pytest.mark.clause("IDT-1.1.9b")
def test_pairs_by_points_would_give_the_patron_an_edge() -> None:
    """Why Q25 takes rank: at 11 to 1 the literal reading pays 32.34 % more than is staked."""
    assert round(100 * pair_return(PAIRS_BY_POINTS, decks=8) - 100, 2) == Fraction("32.34")
    assert round(100 * pair_return(GAME, decks=8) - 100, 2) == Fraction("-10.36")


# ------------------------------------------------ 3.14 ties, and a 7 that is beaten

TIES = [
    ("KS 10D +QH", "KD 10C +KC", 0),
    ("KS AD +KH", "KD AC +KC", 1),
    ("KS 2D +KH", "KD 2C +KC", 2),
    ("KS 3D +KH", "KD 3C +KC", 3),
    ("KS 4D +KH", "KD 4C", 4),
    ("KS 5D +KH", "KD 5C", 5),
    ("KS 6D", "QH 6C", 6),
    ("KS 7D", "QH 7C", 7),
    ("KS 8D", "QH 8C", 8),
    ("KS 9D", "QH 9C", 9),
]


@pytest.mark.clause("IDT-3.14.1a", "IDT-3.14.1b", "IDT-3.14.1c")
@pytest.mark.parametrize(("player", "banker", "total"), TIES, ids=[f"{total}-{total}" for _, _, total in TIES])
def test_a_tie_returns_player_and_banker_and_wins_tie_but_tiger_tie_only_at_6(
    player: str, banker: str, total: int
) -> None:
    round = played(GAME, player, banker, player="100.00", banker="40.00", tie="10.00", tiger_tie="10.00")
    assert round.totals == {"player": total, "banker": total}
    assert (round["player"].result, round["player"].net) == ("push", "0.00")
    assert (round["banker"].result, round["banker"].net) == ("push", "0.00")
    assert round["tie"].result == "win"
    assert round["tiger-tie"].result == ("win" if total == 6 else "lose")


@pytest.mark.clause("IDT-3.14.1a")
def test_player_100_and_banker_40_come_back_on_6_6() -> None:
    round = played(GAME, "KS 6D", "QH 6C", player="100.00", banker="40.00")
    assert (round.credit, round.net) == ("140.00", "0.00")


SEVENS_BEATEN = [
    ("5S 2D", "9H KD"),  # natural 9
    ("5S 2D", "8H KD"),  # natural 8
    ("2S 3D +2H", "KD 4C +4S"),  # three cards each, 8
    ("2S 3D +2H", "KD 4C +5S"),  # 9
    ("5S 2D", "KD 5C +3S"),  # two cards against three
    ("5S 2D", "KD 5C +4S"),
]


@pytest.mark.clause("IDT-3.14.2")
@pytest.mark.parametrize(("player", "banker"), SEVENS_BEATEN)
def test_player_is_a_push_when_its_7_is_beaten_by_8_or_9(player: str, banker: str) -> None:
    """The Player wager alone (Q26): Banker and Immortal Dragon win."""
    round = played(GAME, player, banker, layout="C", player="100.00", banker="100.00", immortal_dragon="10.00")
    assert round.winner == "banker"
    assert (round["player"].result, round["player"].net) == ("push", "0.00")
    assert round["player"].clause == "IDT-3.14.2"
    assert round["banker"].net == "95.00"
    assert round["immortal-dragon"].net == "250.00"


@pytest.mark.clause("IDT-3.14.2")
@pytest.mark.parametrize(
    ("player", "banker"),
    [("KS 6D", "9H KD"), ("KS 6D", "QH 7C"), ("KS 2D", "8H QC"), ("KS 8D", "QH 9C"), ("2S 3D +3H", "KD 4C +5S")],
    ids=["6-9", "6-7", "2-8", "8-9", "8-9, three cards each"],
)
def test_player_loses_with_any_other_total_that_is_beaten(player: str, banker: str) -> None:
    assert credit(GAME, player, banker, "player", "100.00") == "0.00"


# ------------------------------------------------ 4. settlement


@pytest.mark.parametrize(
    ("player", "banker", "wager", "stake", "back"),
    [
        # Player
        pytest.param("KS 8D", "QH 5C", "player", "100.00", "200.00", marks=pytest.mark.clause("IDT-4.1a")),
        pytest.param("5S 2D", "KH 6C", "player", "100.00", "150.00", marks=pytest.mark.clause("IDT-4.1b")),
        pytest.param("2S 3D +2H", "KH 6C", "player", "100.00", "150.00", marks=pytest.mark.clause("IDT-4.1b")),
        pytest.param("5S 2D", "KD 5C +6S", "player", "100.00", "150.00", marks=pytest.mark.clause("IDT-4.1b")),
        pytest.param("5S 2D", "KH 6C", "player", "5.00", "7.50", marks=pytest.mark.clause("IDT-4.1b")),
        # Banker
        pytest.param("KS 2D +3H", "KD 6C", "banker", "100.00", "195.00", marks=pytest.mark.clause("IDT-4.1c")),
        pytest.param("KS 6D", "QH 7C", "banker", "100.00", "195.00", marks=pytest.mark.clause("IDT-4.1c")),
        pytest.param("5S 2D", "9H KD", "banker", "100.00", "195.00", marks=pytest.mark.clause("IDT-4.1c")),
        pytest.param("KS 2D +3H", "KD 6C", "banker", "5.00", "9.75", marks=pytest.mark.clause("IDT-4.1c")),
        # Tie
        pytest.param("5S 2D", "3H 4C", "tie", "10.00", "90.00", marks=pytest.mark.clause("IDT-4.1d")),
        pytest.param("KS 10D +QH", "KD 10C +KC", "tie", "10.00", "90.00", marks=pytest.mark.clause("IDT-4.1d")),
        # Dragon Tiger
        pytest.param("2S 3D +2H", "KD 4C +2S", "dragon-tiger", "10.00", "1010.00", marks=pytest.mark.clause("IDT-4.2a")),
        pytest.param("5S 2D", "2C 3H +AD", "dragon-tiger", "10.00", "410.00", marks=pytest.mark.clause("IDT-4.2b")),
        pytest.param("2S 3D +2H", "KH 6C", "dragon-tiger", "10.00", "410.00", marks=pytest.mark.clause("IDT-4.2b")),
        pytest.param("5S 2D", "KH 6C", "dragon-tiger", "10.00", "310.00", marks=pytest.mark.clause("IDT-4.2c")),
        # big and small
        pytest.param("2S 3D +2H", "KH 6C", "big-dragon", "10.00", "310.00", marks=pytest.mark.clause("IDT-4.3a")),
        pytest.param("5S 2D", "KH 6C", "small-dragon", "10.00", "160.00", marks=pytest.mark.clause("IDT-4.3b")),
        pytest.param("KS 2D +3H", "KD 4C +2S", "big-tiger", "10.00", "510.00", marks=pytest.mark.clause("IDT-4.3c")),
        pytest.param("KS 2D +3H", "KD 6C", "small-tiger", "10.00", "230.00", marks=pytest.mark.clause("IDT-4.3d")),
        # Tiger Tie, beside which Tie is paid too
        pytest.param("KS 6D", "QH 6C", "tiger-tie", "10.00", "360.00", marks=pytest.mark.clause("IDT-4.4")),
        pytest.param("KS 6D", "QH 6C", "tie", "10.00", "90.00", marks=pytest.mark.clause("IDT-4.4")),
        # pairs
        pytest.param("9C QC", "KS KD", "banker-pair", "10.00", "120.00", marks=pytest.mark.clause("IDT-4.5b")),
        pytest.param("7H 7H +2S", "QH 6C", "player-pair", "10.00", "120.00", marks=pytest.mark.clause("IDT-4.5b")),
        # Immortal Dragon
        pytest.param("5S 2D", "9H KD", "immortal-dragon", "10.00", "260.00", marks=pytest.mark.clause("IDT-4.6b")),
        pytest.param("2S 3D +2H", "KD 4C +4S", "immortal-dragon", "10.00", "260.00", marks=pytest.mark.clause("IDT-4.6b")),
    ],
)  # fmt: skip
def test_a_winning_wager_is_paid(player: str, banker: str, wager: str, stake: str, back: str) -> None:
    assert credit(GAME, player, banker, wager, stake) == back


@pytest.mark.clause("IDT-4.4")
def test_tiger_tie_and_tie_are_both_paid_on_6_6() -> None:
    assert played(GAME, "KS 6D", "QH 6C", tiger_tie="10.00", tie="10.00").credit == "450.00"


@pytest.mark.parametrize(
    ("player", "banker", "total", "back"),
    [
        pytest.param("2S 3D +6H", "KD 5C +5S", 1, "200.00", marks=pytest.mark.clause("IDT-4.1a")),
        pytest.param("2S 3D +7H", "KD 5C +5S", 2, "200.00", marks=pytest.mark.clause("IDT-4.1a")),
        pytest.param("2S 3D +8H", "KD 2C +8S", 3, "200.00", marks=pytest.mark.clause("IDT-4.1a")),
        pytest.param("2S 2D +KH", "KD 3C +KS", 4, "200.00", marks=pytest.mark.clause("IDT-4.1a")),
        pytest.param("2S 3D +KH", "KD 4C", 5, "200.00", marks=pytest.mark.clause("IDT-4.1a")),
        pytest.param("KS 6D", "KD 5C +KS", 6, "200.00", marks=pytest.mark.clause("IDT-4.1a")),
        pytest.param("KS 7D", "KD 5C +KS", 7, "150.00", marks=pytest.mark.clause("IDT-4.1a", "IDT-4.1b")),
        pytest.param("KS 8D", "QH 7C", 8, "200.00", marks=pytest.mark.clause("IDT-4.1a")),
        pytest.param("KS 9D", "QH 8C", 9, "200.00", marks=pytest.mark.clause("IDT-4.1a")),
    ],
)
def test_player_wins_even_money_with_every_total_but_7(player: str, banker: str, total: int, back: str) -> None:
    round = played(GAME, player, banker, player="100.00")
    assert (round.winner, round.totals["player"]) == ("player", total)
    assert round.credit == back


@pytest.mark.clause("IDT-4.1c")
def test_half_a_cent_of_bankers_95_percent_goes_to_the_patron() -> None:
    """Q01: .95 to 1 on 50 cents is 47.5 cents. A house may post that the fraction stays with it."""
    assert credit(GAME, "KS 2D +3H", "KD 6C", "banker", "0.50") == "0.98"
    assert credit(FRACTION_TO_HOUSE, "KS 2D +3H", "KD 6C", "banker", "0.50") == "0.97"


@pytest.mark.clause("IDT-4.1b")
def test_half_a_cent_of_players_1_to_2_goes_to_the_patron() -> None:
    assert credit(GAME, "5S 2D", "KH 6C", "player", "0.25") == "0.38"
    assert credit(FRACTION_TO_HOUSE, "5S 2D", "KH 6C", "player", "0.25") == "0.37"
