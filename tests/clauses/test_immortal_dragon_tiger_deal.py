"""Immortal Dragon Tiger Baccarat, clause by clause: its approval, its cards, its points and its Table of Play."""

from __future__ import annotations

import pytest

import longhu
from longhu.cards import RANKS, card, cards
from longhu.deal.baccarat import (
    DRAWS_AFTER_STAND,
    DRAWS_AGAINST_THIRD_CARD,
    NATURAL,
    NATURAL_NO_MORE_CARDS,
    STANDS_AFTER_STAND,
    STANDS_AGAINST_THIRD_CARD,
)
from longhu.deal.procedure import DRAWS_ON_TOTAL, INITIAL_CARD, STANDS_ON_TOTAL, Reason
from longhu.eventsourcing import Refusal
from longhu.messages.message import MessageCode
from longhu.paytable import game_json
from longhu.table.betting import PlaceWager
from longhu.table.dealing import AnnounceResult, AnnounceTotals, CardDrawn, DrawCard
from tests.clauses.dragon_bonus import worth
from tests.clauses.live import at_table, hands_of, next_draw, play_round, played, refused_settings, so_far, whose
from tests.rounds import in_dealing_order
from tests.table.rounds import Play

GAME = longhu.game("immortal-dragon-tiger")
DEFINITION = GAME.definition


def dealt(player: str, banker: str) -> Play:
    """A table at which these hands lie open; the round may want more cards."""
    return so_far(GAME, in_dealing_order(player, banker))


def drawn(play: Play) -> CardDrawn:
    """The card that the dealer draws next, which the table allows."""
    draw = next_draw(play)
    assert not isinstance(draw, Refusal), draw
    return draw


def last_reason(play: Play) -> Reason:
    """Why the table gives no further card, or the next one."""
    return play.current.dealt(DEFINITION.procedure).due.reasons[-1]


# ------------------------------------------------ heading: approval and effect


@pytest.mark.clause("IDT-0a")
def test_the_definition_and_the_rules_view_name_authority_statute_and_operator() -> None:
    for text in DEFINITION.authority, game_json(DEFINITION)["authority"] or "":
        assert "Gambling Regulatory Authority of Singapore" in text
        assert "section 100(1) of the Casino Control Act 2006" in text
        assert "Marina Bay Sands" in text


# ------------------------------------------------ 1. definitions


@pytest.mark.clause("IDT-1.1")
def test_terms_belong_to_this_game() -> None:
    """A 9 is a natural here and ends the deal; Dragon Tiger has no such term, and its king beats a 9."""
    dragon_tiger = longhu.game("dragon-tiger")
    assert played(GAME, "KS 9D", "QH 2C").winner == "player"
    assert played(dragon_tiger, "9D", "KC").winner == "tiger"
    assert played(GAME, "5S 2D", "KH 6C", dragon_tiger="10.00")["dragon-tiger"].net == "300.00"
    other = at_table(dragon_tiger)
    for wager in "dragon-tiger", "player", "immortal-dragon":
        refusal = other.refused(PlaceWager, "ann", place=1, wager=wager, amount=500)
        assert refusal.reason.code == "wager-not-offered"


@pytest.mark.clause("IDT-1.1.4", "IDT-3.12")
@pytest.mark.parametrize(
    ("player", "banker", "sizes"),
    [
        ("5S 2D", "KH 6C", (2, 2)),
        ("5S 2D", "2C 3H +AD", (2, 3)),
        ("2S 3D +2H", "KH 6C", (3, 2)),
        ("2S 3D +2H", "KD 4C +2S", (3, 3)),
    ],
)
def test_a_round_has_one_player_hand_and_one_banker_hand_of_two_or_three_cards(
    player: str, banker: str, sizes: tuple[int, int]
) -> None:
    hands = played(GAME, player, banker).hands
    assert list(hands) == ["player", "banker"]
    assert hands["player"] == cards(player.replace("+", ""))
    assert hands["banker"] == cards(banker.replace("+", ""))
    assert (len(hands["player"]), len(hands["banker"])) == sizes


@pytest.mark.clause("IDT-1.1.7")
def test_the_initial_deal_is_over_when_the_fourth_card_is_placed() -> None:
    faces = ["2S", "KD", "3D", "4C"]
    draws = [drawn(so_far(GAME, " ".join(faces[:count]))) for count in range(5)]
    assert [(draw.why, draw.clause) for draw in draws] == [
        (INITIAL_CARD(hand="player", which="first"), "IDT-3.6"),
        (INITIAL_CARD(hand="banker", which="first"), "IDT-3.12.2"),
        (INITIAL_CARD(hand="player", which="second"), "IDT-3.12.1"),
        (INITIAL_CARD(hand="banker", which="second"), "IDT-3.12.2"),
        (DRAWS_ON_TOTAL(hand="player", total=5), "IDT-3.13-P05"),
    ]
    for count in range(4):
        round = so_far(GAME, " ".join(faces[:count]))
        assert round.refused(AnnounceResult, "dee").reason.code == "hands-incomplete"


@pytest.mark.clause("IDT-1.1.8")
@pytest.mark.parametrize(
    ("player", "banker", "hand", "total"),
    [
        ("KS 8D", "QH 2C", "player", 8),
        ("KS 9D", "QH 2C", "player", 9),
        ("KS 2D", "QH 8C", "banker", 8),
        ("KS 2D", "7H 2C", "banker", 9),
    ],
)
def test_8_or_9_on_either_hand_in_the_initial_deal_is_a_natural(
    player: str, banker: str, hand: str, total: int
) -> None:
    natural = NATURAL_NO_MORE_CARDS(naturals=[NATURAL(hand=hand, total=total)])
    assert natural in [reason.message for reason in played(GAME, player, banker).reasons]


@pytest.mark.clause("IDT-1.1.8")
@pytest.mark.parametrize(("third", "total"), [("3H", 8), ("4H", 9)])
def test_8_or_9_with_three_cards_is_no_natural(third: str, total: int) -> None:
    """Banker's 4 still draws against it."""
    round = played(GAME, f"2S 3D +{third}", "KD 4C +AS")
    assert round.totals["player"] == total
    assert len(round.hands["banker"]) == 3
    assert not [reason for reason in round.reasons if reason.message.code == NATURAL_NO_MORE_CARDS.code]


@pytest.mark.clause("IDT-1.1.15")
@pytest.mark.parametrize(
    ("player", "banker", "tied"),
    [
        ("5S 2D", "3H 4C", True),  # 7-7
        ("2S 3D +2H", "KH 7C", True),  # 7-7 with three cards against two
        ("KS 6D", "2C 3H +AD", True),  # 6-6 with two cards against three
        ("5S 2D", "KH 6C", False),  # 7-6
    ],
)
def test_a_tie_is_equal_totals_whatever_the_number_of_cards(player: str, banker: str, tied: bool) -> None:
    round = played(GAME, player, banker, player="10.00", banker="10.00", tie="10.00")
    assert (round.winner is None) is tied
    assert (round["tie"].result == "win") is (round["player"].net == round["banker"].net == "0.00") is tied


# ------------------------------------------------ 2.1 the cards


@pytest.mark.clause("IDT-2.1a")
def test_the_game_is_played_with_four_to_ten_decks() -> None:
    for decks in range(4, 11):
        play = at_table(GAME, betting=False, decks=decks)
        assert play_round(play, "5S 2D", "KH 6C", {"player": "10.00"}).net == "5.00"
    for decks in 0, 3, 11:
        refusal = refused_settings(GAME, "IDT-2.1a", decks=decks)
        assert (refusal.reason.code, refusal.reason.args["decks"]) == ("decks-outside-range", decks)


@pytest.mark.clause("IDT-2.1b")
def test_each_deck_has_the_52_cards() -> None:
    shoe = at_table(GAME, decks=10).table.shoe
    assert shoe is not None
    assert shoe.left == 520
    named = {card(f"{rank}{suit}").number for rank in RANKS for suit in "SHDC"}
    assert len(named) == 52
    assert {shoe.counts[each] for each in named} == {10}


@pytest.mark.clause("IDT-2.1b")
def test_each_deck_brings_one_of_each_card() -> None:
    """A fifth king of spades needs a fifth deck: of four it is refused, as a card to look at again or to report."""
    five, four = (at_table(GAME, device="hand-shoe", method="B", decks=decks) for decks in (5, 4))
    for play in five, four:
        play.bet("ann", "tie", "10.00")
        play.close_betting()
        play.draw("KS", "KS", "KS", "KS")
        play.does(AnnounceTotals, "dee")
    five.draw("KS")
    refusal = four.refused(DrawCard, "dee", "IDT-5.1", card="KS")
    assert (refusal.reason.code, refusal.reason.args["card"]) == ("card-not-in-shoe", "KS")


@pytest.mark.clause("IDT-2.1b")
def test_there_are_no_jokers() -> None:
    play = at_table(GAME, device="hand-shoe", method="B")
    play.bet("ann", "tie", "10.00")
    play.close_betting()
    for joker in "Joker", "JK", "X":
        assert play.refused(DrawCard, "dee", card=joker).reason.code == "not-a-card"
    play.draw("KS")


# ------------------------------------------------ 3.3 and 3.4 points


@pytest.mark.clause("IDT-3.3.1")
@pytest.mark.parametrize(
    ("card", "points"),
    [("AS", 1), ("2H", 2), ("3C", 3), ("4D", 4), ("5S", 5), ("6H", 6), ("7C", 7), ("8S", 8), ("9D", 9)],
)
def test_2_to_9_count_their_face_and_an_ace_counts_one(card: str, points: int) -> None:
    assert worth(GAME, card) == points


@pytest.mark.clause("IDT-3.3.2")
@pytest.mark.parametrize("card", ["10S", "JD", "QC", "KH"])
def test_ten_jack_queen_and_king_count_nothing(card: str) -> None:
    assert worth(GAME, card) == 0
    assert worth(GAME, f"{card} 7C") == 7


@pytest.mark.clause("IDT-3.4.1")
@pytest.mark.parametrize(("hand", "total"), [("2S 3D", 5), ("KS QD", 0), ("4S 5D", 9), ("AS 2D +6C", 9)])
def test_a_sum_up_to_nine_is_the_total(hand: str, total: int) -> None:
    assert worth(GAME, hand) == total


@pytest.mark.clause("IDT-3.4.2")
@pytest.mark.parametrize(("hand", "total"), [("7S 8D", 5), ("9S 3D +5C", 7), ("4S 6D", 0), ("7S 8D +5C", 0)])
def test_of_a_sum_from_ten_only_the_units_count(hand: str, total: int) -> None:
    assert worth(GAME, hand) == total


@pytest.mark.clause("IDT-3.4.1", "IDT-3.4.2")
def test_the_totals_of_a_round_are_units() -> None:
    """24 counts 4 and 26 counts 6."""
    assert played(GAME, "7S 8D +9H", "KD 6C").totals == {"player": 4, "banker": 6}
    assert played(GAME, "7S 8D +7H", "9D 8C").totals == {"player": 2, "banker": 7}


# ------------------------------------------------ 3.12 the first four cards


@pytest.mark.clause("IDT-3.12.1", "IDT-3.12.2")
def test_player_has_the_first_and_third_cards_and_banker_the_second_and_fourth() -> None:
    play = so_far(GAME, "AS 2S 3S 4S")
    assert hands_of(play) == {"player": cards("AS 3S"), "banker": cards("2S 4S")}


# ------------------------------------------------ 3.13 the Table of Play

PLAYERS_TWO = ["KS 10D", "KS AD", "KS 2D", "KS 3D", "KS 4D", "KS 5D", "KS 6D", "KS 7D", "KS 8D", "KS 9D"]  # 0 to 9
BANKERS_TWO = ["QH 10C", "QH AC", "QH 2C", "QH 3C", "QH 4C", "QH 5C", "QH 6C", "QH 7C", "QH 8C", "QH 9C"]

EVERY_RANK, NONE = "A23456789TJQK", ""
BANKER_AFTER_PLAYERS_DRAW = [  # Banker's total, the third cards of Player against which Banker draws, the clause
    (0, EVERY_RANK, "IDT-3.13-B02"),
    (1, EVERY_RANK, "IDT-3.13-B02"),
    (2, EVERY_RANK, "IDT-3.13-B02"),
    (3, "A2345679TJQK", "IDT-3.13-B3"),
    (4, "234567", "IDT-3.13-B4"),
    (5, "4567", "IDT-3.13-B5"),
    (6, "67", "IDT-3.13-B6"),
    (7, NONE, "IDT-3.13-B7"),
]


@pytest.mark.clause("IDT-3.13-NAT")
def test_a_round_with_a_natural_ends_on_four_cards() -> None:
    round = played(GAME, "KS 2D", "8H QC")
    assert round.totals == {"player": 2, "banker": 8}
    natural = NATURAL_NO_MORE_CARDS(naturals=[NATURAL(hand="banker", total=8)])
    assert round.reasons[-1] == Reason(natural, ("IDT-3.13-NAT", "IDT-1.1.8"))
    assert dealt("KS 2D", "8H QC").refused(DrawCard, "dee").reason.code == "hands-complete"


@pytest.mark.clause("IDT-3.13-NAT")
@pytest.mark.parametrize("natural", [8, 9])
@pytest.mark.parametrize("other", range(10))
def test_a_natural_on_either_hand_ends_the_round_whatever_the_other_has(natural: int, other: int) -> None:
    for player, banker in (natural, other), (other, natural):
        play = dealt(PLAYERS_TWO[player], BANKERS_TWO[banker])
        assert whose(play) == "nobody"
        reason = last_reason(play)
        assert (reason.message.code, reason.clauses) == (NATURAL_NO_MORE_CARDS.code, ("IDT-3.13-NAT", "IDT-1.1.8"))


@pytest.mark.clause("IDT-3.13-P05")
@pytest.mark.parametrize("player", range(6))
@pytest.mark.parametrize("banker", range(8))
def test_player_draws_on_0_to_5_without_a_natural(player: int, banker: int) -> None:
    draw = drawn(dealt(PLAYERS_TWO[player], BANKERS_TWO[banker]))
    assert (draw.card.hand, draw.clause) == ("player", "IDT-3.13-P05")
    assert draw.why == DRAWS_ON_TOTAL(hand="player", total=player)


@pytest.mark.clause("IDT-3.13-P67", "IDT-3.13-BPS")
@pytest.mark.parametrize("player", [6, 7])
@pytest.mark.parametrize(
    "banker",
    [
        pytest.param(0, marks=pytest.mark.clause("IDT-3.13-B02")),
        pytest.param(1, marks=pytest.mark.clause("IDT-3.13-B02")),
        pytest.param(2, marks=pytest.mark.clause("IDT-3.13-B02")),
        3,
        4,
        5,
    ],
)
def test_player_stands_on_6_or_7_and_banker_then_draws_on_0_to_5(player: int, banker: int) -> None:
    round = played(GAME, PLAYERS_TWO[player], f"{BANKERS_TWO[banker]} +AS")
    assert len(round.hands["player"]) == 2
    assert len(round.hands["banker"]) == 3
    assert Reason(STANDS_ON_TOTAL(hand="player", total=player), ("IDT-3.13-P67",)) in round.reasons
    assert round.reasons[-1] == Reason(
        DRAWS_AFTER_STAND(hand="banker", total=banker, other="player"), ("IDT-3.13-BPS",)
    )


@pytest.mark.clause("IDT-3.13-P67", "IDT-3.13-BPS")
@pytest.mark.parametrize("player", [6, 7])
@pytest.mark.parametrize("banker", [6, pytest.param(7, marks=pytest.mark.clause("IDT-3.13-B7"))])
def test_nobody_draws_when_both_hands_have_6_or_7(player: int, banker: int) -> None:
    round = played(GAME, PLAYERS_TWO[player], BANKERS_TWO[banker])
    assert round.totals == {"player": player, "banker": banker}
    assert round.reasons[-2:] == [
        Reason(STANDS_ON_TOTAL(hand="player", total=player), ("IDT-3.13-P67",)),
        Reason(STANDS_AFTER_STAND(hand="banker", total=banker, other="player"), ("IDT-3.13-BPS",)),
    ]


@pytest.mark.parametrize("third", RANKS)
@pytest.mark.parametrize(
    ("banker", "draws_against", "clause"),
    [
        pytest.param(banker, ranks, clause, marks=pytest.mark.clause(clause), id=f"Banker {banker}")
        for banker, ranks, clause in BANKER_AFTER_PLAYERS_DRAW
    ],
)
def test_banker_draws_by_its_total_and_players_third_card(
    banker: int, draws_against: str, clause: str, third: str
) -> None:
    """Whatever the total on which Player drew."""
    draws = third in draws_against
    for player in range(6):
        round = played(GAME, f"{PLAYERS_TWO[player]} +{third}H", BANKERS_TWO[banker] + (" +AS" if draws else ""))
        assert len(round.hands["banker"]) == (3 if draws else 2)
        value = min(RANKS.index(third) + 1, 10) % 10
        code = DRAWS_AGAINST_THIRD_CARD if draws else STANDS_AGAINST_THIRD_CARD
        told = code(hand="banker", total=banker, other="player", third=value)
        assert round.reasons[-1] == Reason(told, (clause,))


@pytest.mark.parametrize(
    ("banker", "third", "code", "total", "value", "clause"),
    [
        pytest.param(
            "QH 3C +AS", "9S", DRAWS_AGAINST_THIRD_CARD, 3, 9, "IDT-3.13-B3",
            marks=pytest.mark.clause("IDT-3.13-B3"),
        ),
        pytest.param(
            "QH 3C", "8S", STANDS_AGAINST_THIRD_CARD, 3, 8, "IDT-3.13-B3",
            marks=pytest.mark.clause("IDT-3.13-B3"),
        ),
        pytest.param(
            "QH 4C +AS", "6S", DRAWS_AGAINST_THIRD_CARD, 4, 6, "IDT-3.13-B4",
            marks=pytest.mark.clause("IDT-3.13-B4"),
        ),
        pytest.param(
            "QH 5C", "JS", STANDS_AGAINST_THIRD_CARD, 5, 0, "IDT-3.13-B5",
            marks=pytest.mark.clause("IDT-3.13-B5"),
        ),
        pytest.param(
            "QH 2C +AS", "8S", DRAWS_AGAINST_THIRD_CARD, 2, 8, "IDT-3.13-B02",
            marks=pytest.mark.clause("IDT-3.13-B02"),
        ),
    ],
)  # fmt: skip
def test_the_reason_names_bankers_total_players_card_and_the_row(
    banker: str, third: str, code: MessageCode, total: int, value: int, clause: str
) -> None:
    assert played(GAME, f"KS 5D +{third}", banker).reasons[-2:] == [
        Reason(DRAWS_ON_TOTAL(hand="player", total=5), ("IDT-3.13-P05",)),
        Reason(code(hand="banker", total=total, other="player", third=value), (clause,)),
    ]


@pytest.mark.parametrize(
    ("player", "banker", "wants"),
    [
        pytest.param("KS 5D", "QH 3C", "player", marks=pytest.mark.clause("IDT-3.13-P05")),
        pytest.param("KS 6D", "QH 6C", "nobody", marks=pytest.mark.clause("IDT-3.13-P67")),
        pytest.param("KS 5D +9H", "QH 2C", "banker", marks=pytest.mark.clause("IDT-3.13-B02")),
        pytest.param("KS 5D +8H", "QH 3C", "nobody", marks=pytest.mark.clause("IDT-3.13-B3")),
        pytest.param("KS 5D +AH", "QH 4C", "nobody", marks=pytest.mark.clause("IDT-3.13-B4")),
        pytest.param("KS 5D +4H", "QH 5C", "banker", marks=pytest.mark.clause("IDT-3.13-B5")),
        pytest.param("KS 5D +5H", "QH 6C", "nobody", marks=pytest.mark.clause("IDT-3.13-B6")),
        pytest.param("KS 5D +7H", "QH 7C", "nobody", marks=pytest.mark.clause("IDT-3.13-B7")),
        pytest.param("KS 7D", "QH 5C", "banker", marks=pytest.mark.clause("IDT-3.13-BPS")),
    ],
)
def test_no_card_is_drawn_or_left_out_against_the_table_of_play(player: str, banker: str, wants: str) -> None:
    """The dealer can neither announce a result before the hands are complete, nor draw a card after that."""
    play = dealt(player, banker)
    assert whose(play) == wants
    if wants == "nobody":
        assert play.refused(DrawCard, "dee").reason.code == "hands-complete"
        play.does(AnnounceResult, "dee")
    else:
        assert play.refused(AnnounceResult, "dee").reason.code == "hands-incomplete"


# ------------------------------------------------ 3.14 the winner


@pytest.mark.clause("IDT-3.14")
@pytest.mark.parametrize(
    ("player", "banker", "totals", "winner"),
    [
        ("5S 2D", "KH 6C", (7, 6), "player"),
        ("2S 2D +KH", "KD 5C", (4, 5), "banker"),
        ("KS 8D", "QH 9C", (8, 9), "banker"),  # a natural is beaten by a higher one
        ("2S 3D +4H", "KD 4C +4S", (9, 8), "player"),
        ("KS 10D +AH", "QH JC +QS", (1, 0), "player"),
    ],
)
def test_the_hand_with_the_higher_total_wins(player: str, banker: str, totals: tuple[int, int], winner: str) -> None:
    round = played(GAME, player, banker, player="10.00", banker="10.00", tie="10.00")
    assert (round.totals["player"], round.totals["banker"]) == totals
    assert round.winner == winner
    assert {wager: paid.result for wager, paid in round.items() if paid.result != "lose"} == {winner: "win"}
