"""Baccarat with Dragon Bonus, online, clause by clause."""

from __future__ import annotations

from pathlib import Path

import pytest

import longhu
from longhu.cards import RANKS, SUITS, Card, card, cards
from longhu.games import registry
from longhu.money import parse, show
from longhu.paytable import game_json, pays
from longhu.settlement import WAGER_NEEDS_ANOTHER, WAGERS_EXCLUDE
from longhu.table.betting import WAGER_ABOVE_MAXIMUM, PlaceWager
from longhu.table.betting_phase import RoundStarted
from longhu.table.dealing import CardDrawn, DrawCard
from longhu.table.settling import RoundCapped
from longhu.table.state import Limit
from longhu.table.views import Viewer, view
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
    played,
    refused_settings,
    whose_card,
)
from tests.table.rounds import Play

GAME = longhu.game("dragon-bonus-online")
DEFINITION = GAME.definition


@pytest.fixture(scope="module")
def rounds() -> tuple[Played, ...]:
    """Every pair of first totals with every third card."""
    return every_round(GAME)


def winner(player: str, banker: str) -> str | None:
    round = played(GAME, player, banker, player="10.00", banker="10.00", tie="10.00")
    assert {wager for wager, paid in round.items() if paid.result == "win"} == {round.winner or "tie"}
    return round.winner


# ------------------------------------------------ About the Game


@pytest.mark.clause("DBO-ABOUT-1")
def test_a_hand_has_two_or_three_cards_and_a_value_from_0_to_9(rounds: tuple[Played, ...]) -> None:
    assert {len(hand) for each in rounds for hand in each.hands.values()} == {2, 3}
    assert {total for each in rounds for total in each.totals.values()} == set(range(10))


@pytest.mark.clause("DBO-ABOUT-1")
def test_9_beats_8() -> None:
    assert winner("KS 9D", "KH 8C") == "player"
    assert winner("KS 8D", "KH 9C") == "banker"


@pytest.mark.clause("DBO-ABOUT-2a")
def test_a_deck_has_13_ranks_in_4_suits() -> None:
    shoe = at_table(GAME).table.shoe
    assert shoe is not None
    deck = [card(f"{rank}{suit.value}").number for rank in RANKS for suit in SUITS]
    assert len(set(deck)) == 52
    assert [shoe.counts[number] for number in deck] == [8] * 52


@pytest.mark.clause("DBO-ABOUT-2a")
@pytest.mark.parametrize("joker", ["Joker", "JK", "1S"])
def test_a_joker_cannot_be_dealt(joker: str) -> None:
    play = at_table(GAME, device="hand-shoe")
    play.bet("ann", "player", "5.00")
    play.close_betting()
    assert play.refused(DrawCard, "dee", card=joker).reason.code == "not-a-card"


@pytest.mark.clause("DBO-ABOUT-2b")
def test_the_shoe_holds_eight_decks_and_416_cards() -> None:
    shoe = at_table(GAME).table.shoe
    assert shoe is not None
    assert shoe.left == 416


@pytest.mark.clause("DBO-ABOUT-2b")
@pytest.mark.parametrize("decks", [1, 6, 7, 9, 10])
def test_any_other_number_of_decks_is_refused(decks: int) -> None:
    refusal = refused_settings(GAME, "DBO-ABOUT-2b", decks=decks)
    assert (refusal.reason.code, refusal.reason.args["decks"]) == ("decks-outside-range", decks)


# ------------------------------------------------ How to Play: the bets


@pytest.mark.clause("DBO-BET-0")
def test_five_bets_are_offered_and_no_others() -> None:
    five = dict.fromkeys(("player", "banker", "tie", "dragon-bonus-player", "dragon-bonus-banker"), "1.00")
    assert set(played(GAME, "KS 7D", "KH 6C", **five)) == set(five)
    play = at_table(GAME)
    assert [DEFINITION.wagers[id].name.en for id in play.notice.limits] == [
        "Player",
        "Banker",
        "Tie",
        "Dragon Bonus Player",
        "Dragon Bonus Banker",
    ]
    for other in "player-pair", "dragon", "dragon-bonus-tie":
        assert play.refused(PlaceWager, "ann", place=1, wager=other, amount=500).reason.code == "wager-not-offered"


@pytest.mark.clause("DBO-BET-2", "DBO-BET-7")
@pytest.mark.parametrize(
    ("stake", "gross", "commission", "net"),
    [("10.00", "10.00", "0.50", "9.50"), ("20.00", "20.00", "1.00", "19.00")],
)
def test_a_banker_win_is_charged_5_percent(stake: str, gross: str, commission: str, net: str) -> None:
    paid = played(GAME, "KS 5D +JH", "KH 7C", banker=stake)["banker"]
    assert show(parse(paid.net) + parse(paid.commission)) == gross
    assert (paid.commission, paid.net) == (commission, net)


@pytest.mark.clause("DBO-BET-7")
def test_half_a_cent_of_commission_goes_to_the_player_unless_the_house_says_otherwise() -> None:
    assert played(GAME, "KS 5D +JH", "KH 7C", banker="0.10").net == "0.10"
    by_the_house = longhu.game("dragon-bonus-online", rounding="house")
    assert played(by_the_house, "KS 5D +JH", "KH 7C", banker="0.10").net == "0.09"


@pytest.mark.clause("DBO-BET-7", "DBO-OUT-5")
def test_only_a_win_is_charged_commission() -> None:
    pushed = played(GAME, "KS 6D", "KH 6C", banker="10.00")["banker"]
    lost = played(GAME, "KS 7D", "KH 6C", banker="10.00")["banker"]
    assert (pushed.commission, pushed.net) == ("0.00", "0.00")
    assert (lost.commission, lost.net) == ("0.00", "-10.00")


@pytest.mark.clause("DBO-BET-4")
def test_both_bonus_bets_have_one_paytable() -> None:
    on_player, on_banker = (
        [(line.says.en, pays(line)) for line in GAME.wagers[wager].lines]
        for wager in ("dragon-bonus-player", "dragon-bonus-banker")
    )
    assert on_player == on_banker


@pytest.mark.clause("DBO-BET-4")
def test_player_by_9_and_banker_by_9_are_paid_alike() -> None:
    by_player = played(GAME, "KS 4D +5H", "KD QC +JS", tie="1.00", dragon_bonus_player="10.00")
    by_banker = played(GAME, "KS QD +JH", "KH 3C +6S", tie="1.00", dragon_bonus_banker="10.00")
    assert by_player["dragon-bonus-player"].net == by_banker["dragon-bonus-banker"].net == "300.00"


@pytest.mark.clause("DBO-BET-5")
@pytest.mark.parametrize("bonus", ["dragon-bonus-player", "dragon-bonus-banker"])
def test_a_bonus_bet_alone_is_refused(bonus: str) -> None:
    play = at_table(GAME)
    refusal = play.refused(PlaceWager, "ann", "DBO-BET-5", place=1, wager=bonus, amount=500)
    assert refusal.reason == WAGER_NEEDS_ANOTHER(wager=bonus, others=["player", "banker", "tie"])


@pytest.mark.clause("DBO-BET-5")
def test_one_bonus_bet_is_no_company_for_the_other_nor_another_players_bet_for_it() -> None:
    play = Play("dragon-bonus-online", people={"ann": 1, "bob": None})
    play.open_betting()
    play.bet("bob", "player", "5.00")
    for bonus in "dragon-bonus-player", "dragon-bonus-banker", "dragon-bonus-player":
        play.refused(PlaceWager, "ann", "DBO-BET-5", place=1, wager=bonus, amount=500)


@pytest.mark.clause("DBO-BET-5")
@pytest.mark.parametrize("bonus", ["dragon-bonus-player", "dragon-bonus-banker"])
@pytest.mark.parametrize("main", ["player", "banker", "tie"])
def test_any_main_bet_may_accompany_either_bonus_bet(main: str, bonus: str) -> None:
    assert set(played(GAME, "KS 7D", "KH 6C", **{main: "1.00", bonus: "5.00"})) == {main, bonus}


@pytest.mark.clause("DBO-BET-5")
def test_both_bonus_bets_may_be_placed_unless_the_house_allows_only_one() -> None:
    both = {"tie": "1.00", "dragon-bonus-player": "5.00", "dragon-bonus-banker": "5.00"}
    assert len(played(GAME, "KS 7D", "KH 6C", **both)) == 3
    play = at_table(longhu.game("dragon-bonus-online", bonus_both="no"))
    placed(play, {wager: stake for wager, stake in both.items() if wager != "dragon-bonus-banker"})
    refusal = play.refused(PlaceWager, "ann", place=1, wager="dragon-bonus-banker", amount=500)
    assert refusal.reason.code == WAGERS_EXCLUDE.code


@pytest.mark.clause("DBO-BET-6")
def test_all_wins_of_a_game_are_added_up() -> None:
    settled = played(GAME, "KS 4D +5H", "KD QC +JS", player="10.00", dragon_bonus_player="10.00")
    assert (settled["player"].net, settled["dragon-bonus-player"].net) == ("10.00", "300.00")
    assert settled.net == "310.00"


# ------------------------------------------------ Card Values


@pytest.mark.parametrize(
    ("hand", "value"),
    [
        pytest.param("KS", 0, marks=pytest.mark.clause("DBO-CARD-1")),
        pytest.param("QD", 0, marks=pytest.mark.clause("DBO-CARD-1")),
        pytest.param("JC", 0, marks=pytest.mark.clause("DBO-CARD-1")),
        pytest.param("10H", 0, marks=pytest.mark.clause("DBO-CARD-1")),
        pytest.param("AS", 1, marks=pytest.mark.clause("DBO-CARD-2")),
        pytest.param("2S", 2, marks=pytest.mark.clause("DBO-CARD-3")),
        pytest.param("3H", 3, marks=pytest.mark.clause("DBO-CARD-3")),
        pytest.param("4C", 4, marks=pytest.mark.clause("DBO-CARD-3")),
        pytest.param("5S", 5, marks=pytest.mark.clause("DBO-CARD-3")),
        pytest.param("6D", 6, marks=pytest.mark.clause("DBO-CARD-3")),
        pytest.param("7H", 7, marks=pytest.mark.clause("DBO-CARD-3")),
        pytest.param("8C", 8, marks=pytest.mark.clause("DBO-CARD-3")),
        pytest.param("9D", 9, marks=pytest.mark.clause("DBO-CARD-3")),
        pytest.param("7S 8D", 5, marks=pytest.mark.clause("DBO-CARD-4")),
        pytest.param("4S 6D", 0, marks=pytest.mark.clause("DBO-CARD-4")),
        pytest.param("9S 3D +5C", 7, marks=pytest.mark.clause("DBO-CARD-4")),
    ],
)
def test_what_cards_are_worth(hand: str, value: int) -> None:
    assert worth(GAME, hand) == value


# ------------------------------------------------ Hand Rankings


def document_rank(hand: tuple[Card, ...], value: int) -> tuple[int, int]:
    """The document's order: naturals above three-card 9 and 8, those above 7 to 0; by value within each."""
    if value < 8:
        return 0, value
    return (2 if len(hand) == 2 else 1), value


@pytest.mark.clause("DBO-RANK-3", "DBO-RANK-6", "DBO-RANK-7")
def test_the_higher_hand_of_the_documents_order_wins_every_round(rounds: tuple[Played, ...]) -> None:
    for each in rounds:
        player, banker = (document_rank(each.hands[hand], each.totals[hand]) for hand in ("player", "banker"))
        expected = None if player == banker else "player" if player > banker else "banker"
        assert each.winner == expected, each.hands
        won = {wager for wager, paid in each.items() if paid.result == "win"}
        assert won == {expected or "tie"}, each.hands


@pytest.mark.clause("DBO-RANK-3")
def test_a_natural_and_a_three_card_hand_never_meet(rounds: tuple[Played, ...]) -> None:
    for each in rounds:
        natural = any(len(hand) == 2 and each.totals[name] >= 8 for name, hand in each.hands.items())
        assert not natural or sum(len(hand) for hand in each.hands.values()) == 4


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        pytest.param("4S 5D", "KS 8D", id="natural 9 over natural 8", marks=pytest.mark.clause("DBO-RANK-4")),
        pytest.param("KS 8D", "KH 7C", id="natural 8 over 7", marks=pytest.mark.clause("DBO-RANK-5")),
        pytest.param(
            "2S 3D +4C", "QC JS +8H", id="three-card 9 over three-card 8", marks=pytest.mark.clause("DBO-RANK-6")
        ),
        pytest.param("2S 2D +4C", "KH 7C", id="three-card 8 over 7", marks=pytest.mark.clause("DBO-RANK-6")),
        pytest.param("KS 7D", "QC JS +6H", id="two-card 7 over three-card 6", marks=pytest.mark.clause("DBO-RANK-7")),
        pytest.param("KS 7D", "QC JS +10H", id="7 over 0", marks=pytest.mark.clause("DBO-RANK-7")),
    ],
)
@pytest.mark.clause("DBO-RANK-3")
def test_the_order_of_hands(higher: str, lower: str) -> None:
    assert winner(higher, lower) == "player"


@pytest.mark.clause("DBO-RANK-7")
def test_a_two_card_6_and_a_three_card_6_tie() -> None:
    assert winner("KS 6D", "QC JS +6H") is None


@pytest.mark.parametrize(
    ("hand", "against", "line"),
    [
        pytest.param("4S 5D", "KH 6C", "Natural win", marks=pytest.mark.clause("DBO-RANK-4")),
        pytest.param("2S 3D +4C", "KH 5C +KC", "Non-natural win by 4", marks=pytest.mark.clause("DBO-RANK-4")),
        pytest.param("KS 8D", "KH 6C", "Natural win", marks=pytest.mark.clause("DBO-RANK-5")),
        pytest.param("2S 2D +4C", "KH 4C +KC", "Non-natural win by 4", marks=pytest.mark.clause("DBO-RANK-5")),
    ],
)
def test_only_the_first_two_cards_make_a_natural(hand: str, against: str, line: str) -> None:
    settled = played(GAME, hand, against, tie="1.00", dragon_bonus_player="10.00")
    assert settled["dragon-bonus-player"].says == line


# ------------------------------------------------ Player and Banker Bets


BET_ROUNDS = """
    player     banker     wager                stake  credit  clauses
    KS 7D      QC JS +5H  player               10.00  20.00   BET-1
    KS 5D +JH  KH 7C      banker               10.00  19.50   BET-2
    KS 6D      KH 6C      tie                  10.00  90.00   BET-3
    KS 8D      KH 5C      player               10.00  20.00   OUT-1
    KS 5D      KH 8C      player               10.00  0.00    OUT-1
    KS 5D      KH 8C      banker               10.00  19.50   OUT-2
    KS 8D      KH 5C      banker               10.00  0.00    OUT-2
    KS 6D      QC JS +6H  tie                  10.00  90.00   OUT-3
    KS 5D +AH  KH 6C      tie                  10.00  90.00   OUT-3
    KS 6D      KH 6C      tie                  10.00  90.00   OUT-4
    KS 6D      KH 7C      tie                  10.00  0.00    OUT-4
    KS 7D      KH 6C      tie                  10.00  0.00    OUT-4
    KS 6D      KH 6C      banker               10.00  10.00   OUT-5 OUT-7
    KS 6D      KH 6C      player               10.00  10.00   OUT-5 OUT-7
    KS 9D      KH 9C      dragon-bonus-player  5.00   5.00    OUT-6
    KS 9D      KH 9C      dragon-bonus-banker  5.00   5.00    OUT-6
    KS 6D      KH 6C      dragon-bonus-player  5.00   0.00    OUT-6
    KS 6D      KH 6C      dragon-bonus-banker  5.00   0.00    OUT-6
    2S 2D +5C  QC JS +9H  dragon-bonus-player  5.00   0.00    OUT-6
    2S 2D +5C  QC JS +9H  dragon-bonus-banker  5.00   0.00    OUT-6
    KS 4D +5H  QC JS +6H  dragon-bonus-player  10.00  0.00    PAY-0
    KS QD +3H  KH 3C +3S  dragon-bonus-banker  10.00  0.00    PAY-0
    KS 8D      KH 7C      dragon-bonus-player  10.00  20.00   PAY-0
    KS 7D      KH 8C      dragon-bonus-banker  10.00  20.00   PAY-0
    KS 8D      KH 9C      dragon-bonus-player  10.00  0.00    PAY-0
    KS 4D +5H  KD QC +JS  dragon-bonus-banker  10.00  0.00    PAY-0
"""


@pytest.mark.parametrize(("player", "banker", "wager", "stake", "back"), paid_rounds(BET_ROUNDS, "DBO"))
def test_what_a_bet_gives_back(player: str, banker: str, wager: str, stake: str, back: str) -> None:
    assert credit(GAME, player, banker, wager, stake) == back


@pytest.mark.clause("DBO-OUT-5")
@pytest.mark.parametrize("beside", [{}, {"tie": "10.00"}], ids=["without a Tie bet", "with a Tie bet"])
def test_player_and_banker_are_pushed_with_or_without_a_tie_bet(beside: dict[str, str]) -> None:
    settled = played(GAME, "KS 6D", "KH 6C", player="10.00", banker="10.00", **beside)
    assert (settled["player"].result, settled["banker"].result) == ("push", "push")


# ------------------------------------------------ Dealing of Cards


@pytest.mark.clause("DBO-DEAL-2")
def test_four_cards_face_up_give_each_hand_two() -> None:
    play = at_table(GAME, "KS KH 2D 3C")
    play.bet("ann", "tie", "10.00")
    play.close_betting()
    for count in range(1, 5):
        play.draw()
        shown = view(play.table, DEFINITION, Viewer()).round
        assert shown is not None
        assert [each.face for each in shown.cards] == ["KS", "KH", "2D", "3C"][:count], "as a stranger sees them"
    assert hands_of(play) == {"player": cards("KS 2D"), "banker": cards("KH 3C")}


@pytest.mark.clause("DBO-DEAL-3")
def test_players_hand_is_completed_before_bankers(rounds: tuple[Played, ...]) -> None:
    drawn = [[event.card.hand for event in each.log if isinstance(event, CardDrawn)] for each in rounds]
    assert {tuple(hands[4:]) for hands in drawn} == {(), ("player",), ("banker",), ("player", "banker")}


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        pytest.param("KS 2D", "4H 5C", marks=pytest.mark.clause("DBO-DEAL-4")),
        pytest.param("KS 8D", "KH 9C", marks=pytest.mark.clause("DBO-DEAL-4")),
        pytest.param("KS 8D", "2H AC", marks=pytest.mark.clause("DBO-TABP-89")),
        pytest.param("KS 9D", "KH QC", marks=pytest.mark.clause("DBO-TABP-89")),
        pytest.param("KS 2D", "KH 8C", marks=pytest.mark.clause("DBO-TABB-8")),
        pytest.param("KS 5D", "4H 5C", marks=pytest.mark.clause("DBO-TABB-9")),
    ],
)
def test_a_natural_stands_both_hands(player: str, banker: str) -> None:
    assert whose_card(GAME, player, banker) == "nobody"


@pytest.mark.parametrize("banker", [total for total in TWO_CARDS if total < 8])
@pytest.mark.parametrize(
    ("player", "draws"),
    [
        *(pytest.param(total, True, marks=pytest.mark.clause("DBO-DEAL-5", "DBO-TABP-05")) for total in range(6)),
        *(pytest.param(total, False, marks=pytest.mark.clause("DBO-DEAL-5", "DBO-TABP-67")) for total in (6, 7)),
    ],
)
def test_player_draws_on_5_or_less_and_stands_on_6_and_7(player: int, draws: bool, banker: int) -> None:
    for hand in TWO_CARDS[player]:
        assert (whose_card(GAME, hand, TWO_CARDS[banker][0]) == "player") is draws


@pytest.mark.clause("DBO-DEAL-6")
@pytest.mark.parametrize("player", ["KS 6D", "KS 7D"])
@pytest.mark.parametrize(
    ("banker", "draws"), [*((total, "banker") for total in range(6)), (6, "nobody"), (7, "nobody")]
)
def test_banker_draws_on_5_or_less_when_player_stood(player: str, banker: int, draws: str) -> None:
    for hand in TWO_CARDS[banker]:
        assert whose_card(GAME, player, hand) == draws


@pytest.mark.parametrize(
    ("banker", "third_cards"),
    [
        pytest.param(0, "A 2 3 4 5 6 7 8 9 T J Q K", marks=pytest.mark.clause("DBO-DEAL-7", "DBO-TABB-03")),
        pytest.param(1, "A 2 3 4 5 6 7 8 9 T J Q K", marks=pytest.mark.clause("DBO-DEAL-7", "DBO-TABB-03")),
        pytest.param(2, "A 2 3 4 5 6 7 8 9 T J Q K", marks=pytest.mark.clause("DBO-DEAL-7", "DBO-TABB-03")),
        pytest.param(3, "A 2 3 4 5 6 7 9 T J Q K", marks=pytest.mark.clause("DBO-DEAL-7", "DBO-TABB-03")),
        pytest.param(4, "2 3 4 5 6 7", marks=pytest.mark.clause("DBO-DEAL-8", "DBO-TABB-4")),
        pytest.param(5, "4 5 6 7", marks=pytest.mark.clause("DBO-DEAL-9", "DBO-TABB-5")),
        pytest.param(6, "6 7", marks=pytest.mark.clause("DBO-DEAL-10", "DBO-TABB-6")),
        pytest.param(7, "", marks=pytest.mark.clause("DBO-TABB-7")),
    ],
)
def test_banker_draws_against_these_third_cards_and_no_others(banker: int, third_cards: str) -> None:
    for hand in TWO_CARDS[banker]:
        assert third_cards_that_banker_draws_against(GAME, hand) == third_cards


@pytest.mark.clause("DBO-TABB-7")
def test_banker_7_never_receives_a_third_card(rounds: tuple[Played, ...]) -> None:
    sevens = [each for each in rounds if each.hands["banker"][:2] == cards("KH 7C")]
    assert {len(each.hands["player"]) for each in sevens} == {2, 3}
    assert {len(each.hands["banker"]) for each in sevens} == {2}


@pytest.mark.clause("DBO-DEAL-7", "DBO-TABB-03")
@pytest.mark.parametrize("banker", ["KH QC", "KH AC", "KH 2C", "KH 3C"])
def test_a_house_may_read_the_row_for_0_to_3_as_it_is_printed(banker: str) -> None:
    as_printed = longhu.game("dragon-bonus-online", banker_0_2_vs_8="stand")
    assert third_cards_that_banker_draws_against(as_printed, banker) == "A 2 3 4 5 6 7 9 T J Q K"


# ------------------------------------------------ Dragon Bonus Payouts


@pytest.mark.parametrize(("player", "banker", "wager", "stake", "back"), paid_rounds(BONUS_ROUNDS, "DBO"))
def test_what_a_bonus_bet_gives_back(player: str, banker: str, wager: str, stake: str, back: str) -> None:
    assert credit(GAME, player, banker, wager, stake) == back


# ------------------------------------------------ Disclaimer


@pytest.mark.parametrize(
    ("wager", "clause"),
    [
        pytest.param("player", "DBO-MAX-1", marks=pytest.mark.clause("DBO-MAX-1")),
        pytest.param("banker", "DBO-MAX-2", marks=pytest.mark.clause("DBO-MAX-2")),
        pytest.param("tie", "DBO-MAX-3", marks=pytest.mark.clause("DBO-MAX-3")),
        pytest.param("dragon-bonus-player", "DBO-MAX-4", marks=pytest.mark.clause("DBO-MAX-4")),
        pytest.param("dragon-bonus-banker", "DBO-MAX-5", marks=pytest.mark.clause("DBO-MAX-5")),
    ],
)
def test_each_bet_takes_100_dollars_and_not_a_cent_more(wager: str, clause: str) -> None:
    play = at_table(GAME)
    if wager.startswith("dragon-bonus"):
        play.bet("ann", "tie", "1.00")
    over = play.refused(PlaceWager, "ann", place=1, wager=wager, amount=100_01)
    assert over.reason == WAGER_ABOVE_MAXIMUM(wager=wager, amount=100_01, maximum=100_00)
    play.bet("ann", wager, "100.00")
    play.refused(PlaceWager, "ann", place=1, wager=wager, amount=1)
    assert refused_settings(GAME, clause, limits=limits_with(wager, 100_01)).reason.code == "above-rules-maximum"


def limits_with(wager: str, most: int) -> dict[str, Limit]:
    """The limits of an ordinary table, but for the maximum of one bet."""
    return {**at_table(GAME).settings.limits, wager: Limit(1, most)}


@pytest.fixture
def raised(tmp_path: Path) -> Path:
    """The game with $200.00 allowed on Dragon Bonus Player."""
    rules = registry.find("dragon-bonus-online").read_text(encoding="utf-8")
    limit = '{{ max = "{}", clause = "DBO-MAX-4" }}'
    assert rules.count(limit.format("100.00")) == 1
    path = tmp_path / "dragon-bonus-online.toml"
    path.write_text(rules.replace(limit.format("100.00"), limit.format("200.00")), encoding="utf-8")
    return path


@pytest.mark.clause("DBO-CAP-1")
def test_the_best_game_at_100_dollars_a_bet_credits_3300_dollars_uncut() -> None:
    settled = played(GAME, "KS 4D +5H", "KD QC +JS", player="100.00", dragon_bonus_player="100.00")
    assert settled.credit == "3300.00"
    assert settled.cut is None


@pytest.mark.clause("DBO-CAP-1")
def test_no_combination_of_wins_credits_more_than_3300_dollars(raised: Path) -> None:
    stakes = {"player": "100.00", "dragon_bonus_player": "200.00"}
    settled = played(longhu.load(raised), "KS 4D +5H", "KD QC +JS", **stakes)
    assert settled["dragon-bonus-player"].net == "6000.00"
    assert (settled.credit, settled.net, settled.cut) == ("3300.00", "3000.00", "3100.00")
    capped = next(event for event in settled.log if isinstance(event, RoundCapped))
    assert capped.transactions()[0].clause == "DBO-CAP-1"


@pytest.mark.clause("DBO-CAP-1")
def test_a_house_may_count_only_what_is_won_towards_the_cap(raised: Path) -> None:
    stakes = {"player": "100.00", "dragon_bonus_player": "200.00"}
    settled = played(longhu.load(raised, cap_basis="profit"), "KS 4D +5H", "KD QC +JS", **stakes)
    assert (settled.credit, settled.net) == ("3600.00", "3300.00")


@pytest.mark.clause("DBO-TRADE-2")
def test_the_rules_are_named_by_their_year_and_the_publishers_marks_are_shown_to_nobody() -> None:
    table = at_table(GAME)
    started, shown_at_table = table.last(RoundStarted), view(table.table, table.game, Viewer())
    assert (started.version, started.in_force) == ("2020", "")
    assert (shown_at_table.version, shown_at_table.in_force) == ("2020", "")
    told = str(played(GAME, "KS 7D", "KH 6C", player="10.00"))
    shown = [told, str(shown_at_table), str(game_json(DEFINITION))]
    assert not any(mark in text for text in shown for mark in ("Scientific", "©", "™"))
