"""Dragon Bonus Baccarat, the patron's card, clause by clause."""

from __future__ import annotations

from itertools import product

import pytest

import longhu
from longhu.cards import RANKS, cards
from longhu.settlement import WAGER_NEEDS_ANOTHER
from longhu.table.betting import PlaceWager
from longhu.table.dealing import DrawCard
from tests.clauses.dragon_bonus import (
    BONUS_ROUNDS,
    TWO_CARDS,
    every_round,
    third_cards_that_banker_draws_against,
    worth,
)
from tests.clauses.live import (
    Played,
    at_table,
    credit,
    hands_of,
    paid_rounds,
    placed,
    play_round,
    played,
    refused_settings,
    so_far,
    whose_card,
)

GAME = longhu.game("dragon-bonus")
DEFINITION = GAME.definition


@pytest.fixture(scope="module")
def rounds() -> tuple[Played, ...]:
    """Every pair of first totals with every third card."""
    return every_round(GAME)


# ------------------------------------------------ the whole card


@pytest.mark.clause("DBC-GEN-1")
def test_the_card_leaves_decks_limits_and_date_to_the_house() -> None:
    for decks in 1, 6, 8, 10:
        round = play_round(at_table(GAME, betting=False, decks=decks), "KS 7D", "KH 6C", {"player": "0.01"})
        assert round.net == "0.01"
    assert {(wager.limit.min, wager.limit.max) for wager in GAME.wagers.values()} == {(None, None)}
    assert DEFINITION.cap is None
    assert DEFINITION.effective is None
    assert played(GAME, "KS 7D", "KH 6C", player="1000000.00").net == "1000000.00"


@pytest.mark.clause("DBC-GEN-1")
@pytest.mark.parametrize("decks", [0, 11])
def test_a_house_chooses_from_one_to_ten_decks(decks: int) -> None:
    refusal = refused_settings(GAME, "DBC-GEN-1", decks=decks)
    assert (refusal.reason.code, refusal.reason.args["decks"]) == ("decks-outside-range", decks)


# ------------------------------------------------ Objective


@pytest.mark.clause("DBC-OBJ-1")
@pytest.mark.parametrize(
    ("player", "banker", "totals", "winner"),
    [
        ("KS 8D", "KH 7C", (8, 7), "player"),
        ("KS 9D", "KH 8C", (9, 8), "player"),
        ("KS AD +QH", "KH QC +JS", (1, 0), "player"),
        ("KS 7D", "KH 8C", (7, 8), "banker"),
        ("KS 8D", "KH 9C", (8, 9), "banker"),
        ("KS QD +JH", "KH AC +QC", (0, 1), "banker"),
    ],
)
def test_the_total_nearer_to_9_wins(player: str, banker: str, totals: tuple[int, int], winner: str) -> None:
    settled = played(GAME, player, banker)
    assert tuple(settled.totals.values()) == totals
    assert settled.winner == winner


@pytest.mark.clause("DBC-OBJ-2", "DBC-MAIN-1")
def test_the_higher_total_wins_and_the_lower_loses_for_a_patron_who_bet_on_both() -> None:
    settled = played(GAME, "KS 7D", "QC JS +4H", player="10.00", banker="10.00")
    assert settled.totals == {"player": 7, "banker": 4}
    assert (settled["player"].net, settled["banker"].net) == ("10.00", "-10.00")


@pytest.mark.clause("DBC-OBJ-3")
def test_equal_totals_push_both_main_bets() -> None:
    settled = played(GAME, "KS 5D +KD", "KH 5C", player="10.00", banker="10.00")
    assert settled.totals == {"player": 5, "banker": 5}
    assert settled.winner is None
    assert (settled["player"].result, settled["banker"].result) == ("push", "push")
    assert settled.credit == "20.00"


# ------------------------------------------------ the bets


BET_ROUNDS = """
    player      banker     wager                stake   credit  clauses
    KS 7D       KH 6C      player               25.00   50.00   MAIN-2
    KS 6D       KH 7C      banker               100.00  195.00  MAIN-3
    KS 4D +10H  KH 4C      tie                  10.00   90.00   TIE-1 TIE-2
    KS 4D +10H  KH 5C      tie                  10.00   0.00    TIE-1
    KS 5D +10H  KH 4C      tie                  10.00   0.00    TIE-1
    KS 4D +4H   QC JS +4C  dragon-bonus-player  10.00   20.00   DB-2
    KS 7D       QC JS +4C  dragon-bonus-player  10.00   0.00    DB-2 PAY-LOSE
    KS 8D       KH 7C      dragon-bonus-player  10.00   20.00   DB-2
    KS 8D       KH 9C      dragon-bonus-player  10.00   0.00    DB-2 PAY-LOSE
    QC JS +4C   KS 3D +5H  dragon-bonus-banker  10.00   20.00   DB-2
    QC JS +4C   KS 7D      dragon-bonus-banker  10.00   0.00    DB-2 PAY-LOSE
    KS 7D       KH 8C      dragon-bonus-banker  10.00   20.00   DB-2
    KS 9D       KH 8C      dragon-bonus-banker  10.00   0.00    DB-2 PAY-LOSE
    KS 6D       KH 6C      dragon-bonus-player  10.00   0.00    PAY-LOSE
    KS 6D       KH 6C      dragon-bonus-banker  10.00   0.00    PAY-LOSE
    2S 2D +5C   QC JS +9H  dragon-bonus-player  10.00   0.00    PAY-LOSE
    KS 4D +5H   KD QC +JS  dragon-bonus-banker  10.00   0.00    PAY-LOSE
    KS QD +JH   KH 3C +6S  dragon-bonus-player  10.00   0.00    PAY-LOSE
"""


@pytest.mark.parametrize(("player", "banker", "wager", "stake", "back"), paid_rounds(BET_ROUNDS, "DBC"))
def test_what_a_bet_gives_back(player: str, banker: str, wager: str, stake: str, back: str) -> None:
    assert credit(GAME, player, banker, wager, stake) == back


@pytest.mark.clause("DBC-MAIN-3")
def test_the_commission_on_a_banker_win_is_recorded() -> None:
    assert played(GAME, "KS 6D", "KH 7C", banker="100.00")["banker"].commission == "5.00"


@pytest.mark.clause("DBC-MAIN-3")
def test_a_fraction_of_the_commission_goes_to_the_patron_unless_the_house_says_otherwise() -> None:
    assert played(GAME, "KS 6D", "KH 7C", banker="0.50").net == "0.48"
    assert played(longhu.game("dragon-bonus", rounding="house"), "KS 6D", "KH 7C", banker="0.50").net == "0.47"


@pytest.mark.clause("DBC-MAIN-1")
@pytest.mark.parametrize("bets", [["player"], ["banker"], ["player", "banker"]])
def test_player_banker_or_both_may_be_bet_on(bets: list[str]) -> None:
    assert list(played(GAME, "KS 7D", "KH 6C", **dict.fromkeys(bets, "10.00"))) == bets


@pytest.mark.clause("DBC-TIE-3")
@pytest.mark.parametrize("beside", [{}, {"player": "25.00"}, {"banker": "25.00"}])
def test_tie_stands_alone_or_beside_player_or_banker(beside: dict[str, str]) -> None:
    settled = played(GAME, "KS 6D", "KH 6C", tie="10.00", **beside)
    assert settled["tie"].net == "80.00"
    assert set(settled) == {"tie", *beside}


@pytest.mark.clause("DBC-DB-1")
@pytest.mark.parametrize(
    "bonus",
    [[], ["dragon-bonus-player"], ["dragon-bonus-banker"], ["dragon-bonus-player", "dragon-bonus-banker"]],
    ids=["none", "on Player", "on Banker", "on both"],
)
def test_a_bonus_bet_is_optional_on_one_hand_or_both(bonus: list[str]) -> None:
    assert set(played(GAME, "KS 7D", "KH 6C", player="10.00", **dict.fromkeys(bonus, "5.00"))) == {"player", *bonus}


@pytest.mark.clause("DBC-DB-3")
@pytest.mark.parametrize(
    "bonus",
    [["dragon-bonus-player"], ["dragon-bonus-banker"], ["dragon-bonus-player", "dragon-bonus-banker"]],
    ids=["on Player", "on Banker", "on both"],
)
def test_bonus_bets_are_not_stand_alone(bonus: list[str]) -> None:
    play = at_table(GAME)
    for wager in bonus:
        refusal = play.refused(PlaceWager, "ann", "DBC-DB-3", place=1, wager=wager, amount=500)
        assert refusal.reason == WAGER_NEEDS_ANOTHER(wager=wager, others=["player", "banker", "tie"])
    assert not play.current.stakes


@pytest.mark.clause("DBC-DB-3")
@pytest.mark.parametrize("bonus", ["dragon-bonus-player", "dragon-bonus-banker"])
@pytest.mark.parametrize("main", ["player", "banker", "tie"])
def test_any_main_bet_may_accompany_either_bonus_bet(main: str, bonus: str) -> None:
    assert set(played(GAME, "KS 7D", "KH 6C", **{main: "10.00", bonus: "5.00"})) == {main, bonus}


@pytest.mark.clause("DBC-DB-3")
def test_a_house_may_want_the_bonus_bet_on_the_same_hand() -> None:
    same_hand = longhu.game("dragon-bonus", bonus_same_hand="yes")
    assert len(played(same_hand, "KS 7D", "KH 6C", player="10.00", dragon_bonus_player="5.00")) == 2
    play = at_table(same_hand)
    placed(play, {"banker": "10.00", "tie": "10.00"})
    refusal = play.refused(PlaceWager, "ann", place=1, wager="dragon-bonus-player", amount=500)
    assert refusal.reason == WAGER_NEEDS_ANOTHER(wager="dragon-bonus-player", others=["player"])


# ------------------------------------------------ Card Values, The Count


@pytest.mark.parametrize(
    ("hand", "value"),
    [
        pytest.param("AS", 1, marks=pytest.mark.clause("DBC-CARD-1")),
        pytest.param("10S", 0, marks=pytest.mark.clause("DBC-CARD-2")),
        pytest.param("JD", 0, marks=pytest.mark.clause("DBC-CARD-2")),
        pytest.param("QC", 0, marks=pytest.mark.clause("DBC-CARD-2")),
        pytest.param("KH", 0, marks=pytest.mark.clause("DBC-CARD-2")),
        *(pytest.param(f"{value}S", value, marks=pytest.mark.clause("DBC-CARD-3")) for value in range(2, 10)),
        pytest.param("9D", 9, marks=pytest.mark.clause("DBC-CARD-3")),
        pytest.param("5S 9D", 4, marks=pytest.mark.clause("DBC-COUNT-2")),
        pytest.param("4S 6D", 0, marks=pytest.mark.clause("DBC-COUNT-2")),
        pytest.param("5S 7D +3C", 5, marks=pytest.mark.clause("DBC-COUNT-2")),
    ],
)
def test_what_cards_are_worth(hand: str, value: int) -> None:
    assert worth(GAME, hand) == value


@pytest.mark.clause("DBC-COUNT-1", "DBC-COUNT-2")
@pytest.mark.parametrize("size", [2, 3])
def test_no_hand_counts_more_than_9_and_only_the_last_digit_counts(size: int) -> None:
    values = dict(zip(RANKS, [*range(1, 10), 0, 0, 0, 0], strict=True))
    for first, second in product(RANKS, repeat=2):
        two = values[first] + values[second]
        for third in RANKS if size == 3 and two % 10 <= 5 else ("",) if size == 2 else ():  # only then a third is dealt
            total = worth(GAME, f"{first}S {second}S" + (f" +{third}S" if third else ""))
            assert 0 <= total <= 9
            assert str(total) == str(two + values.get(third, 0))[-1]


# ------------------------------------------------ The Deal


@pytest.mark.clause("DBC-DEAL-1")
def test_each_hand_is_dealt_two_cards_first() -> None:
    assert hands_of(so_far(GAME, "KS KH 2D 3C")) == {"player": cards("KS 2D"), "banker": cards("KH 3C")}


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        pytest.param("KS 2D", "4H 5C", marks=pytest.mark.clause("DBC-DEAL-4")),
        pytest.param("KS 8D", "KH 2C", marks=pytest.mark.clause("DBC-PLAYER-89", "DBC-DEAL-4")),
        pytest.param("KS 9D", "KH 2C", marks=pytest.mark.clause("DBC-PLAYER-89", "DBC-DEAL-4")),
        pytest.param("KS 2D", "KH 9C", marks=pytest.mark.clause("DBC-BANKER-89", "DBC-DEAL-4")),
        pytest.param("KS 2D", "KH 8C", marks=pytest.mark.clause("DBC-BANKER-89", "DBC-DEAL-4")),
    ],
)
def test_a_natural_ends_the_game_on_four_cards(player: str, banker: str) -> None:
    assert whose_card(GAME, player, banker) == "nobody"
    assert sum(map(len, played(GAME, player, banker).hands.values())) == 4


@pytest.mark.clause("DBC-DEAL-5")
def test_no_hand_ever_has_four_cards(rounds: tuple[Played, ...]) -> None:
    assert {len(hand) for each in rounds for hand in each.hands.values()} == {2, 3}
    assert so_far(GAME, "KS KH 2D QC AH AC").refused(DrawCard, "dee").reason.code == "hands-complete"


# ------------------------------------------------ Player Hand, Banker Hand


@pytest.mark.parametrize("banker", [total for total in TWO_CARDS if total < 8])
@pytest.mark.parametrize(
    ("player", "draws"),
    [
        *(pytest.param(total, True, marks=pytest.mark.clause("DBC-PLAYER-05")) for total in range(6)),
        *(pytest.param(total, False, marks=pytest.mark.clause("DBC-PLAYER-67")) for total in (6, 7)),
    ],
)
def test_player_draws_on_0_to_5_and_stands_on_6_and_7(player: int, draws: bool, banker: int) -> None:
    for hand in TWO_CARDS[player]:
        assert (whose_card(GAME, hand, TWO_CARDS[banker][0]) == "player") is draws


@pytest.mark.parametrize(
    ("banker", "third_cards"),
    [
        pytest.param(0, "A 2 3 4 5 6 7 8 9 T J Q K", marks=pytest.mark.clause("DBC-BANKER-02")),
        pytest.param(1, "A 2 3 4 5 6 7 8 9 T J Q K", marks=pytest.mark.clause("DBC-BANKER-02")),
        pytest.param(2, "A 2 3 4 5 6 7 8 9 T J Q K", marks=pytest.mark.clause("DBC-BANKER-02")),
        pytest.param(3, "A 2 3 4 5 6 7 9 T J Q K", marks=pytest.mark.clause("DBC-BANKER-3")),
        pytest.param(4, "2 3 4 5 6 7", marks=pytest.mark.clause("DBC-BANKER-4")),
        pytest.param(5, "4 5 6 7", marks=pytest.mark.clause("DBC-BANKER-5")),
        pytest.param(6, "6 7", marks=pytest.mark.clause("DBC-BANKER-6")),
        pytest.param(7, "", marks=pytest.mark.clause("DBC-BANKER-7")),
    ],
)
def test_banker_draws_against_these_third_cards_and_no_others(banker: int, third_cards: str) -> None:
    for hand in TWO_CARDS[banker]:
        assert third_cards_that_banker_draws_against(GAME, hand) == third_cards


@pytest.mark.clause("DBC-BANKER-STAND")
@pytest.mark.parametrize("player", ["KS 6D", "KS 7D"])
@pytest.mark.parametrize("banker", [total for total in TWO_CARDS if total < 8])
def test_banker_uses_players_table_when_player_took_no_card(player: str, banker: int) -> None:
    for hand in TWO_CARDS[banker]:
        assert whose_card(GAME, player, hand) == ("banker" if banker <= 5 else "nobody")


# ------------------------------------------------ the paytable of Dragon Bonus


@pytest.mark.parametrize(("player", "banker", "wager", "stake", "back"), paid_rounds(BONUS_ROUNDS, "DBC"))
def test_what_a_bonus_bet_gives_back(player: str, banker: str, wager: str, stake: str, back: str) -> None:
    assert credit(GAME, player, banker, wager, stake) == back
