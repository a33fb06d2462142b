"""Dragon 21, clause by clause: Dragon, Tiger and Tie wagers and what they pay."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import longhu
from longhu.cards import DECK, Card, cards
from longhu.deal.procedure import deal_so_far
from longhu.deal.twenty_one import TwentyOneEnding
from longhu.table.betting import PlaceWager
from tests.clauses.live import Played, at_table, credit, paid_rounds, played

GAME = longhu.game("dragon-21")
DEFINITION = GAME.definition


# ---------------------------------------------------------------- 5.1, 5.1A: the document's own rows, and one round each


ROUNDS = """
    dragon      tiger       wager   stake   credit  clauses
    TS TD       9C 9H       dragon  50.00   100.00  5.1.a.i.A
    TS 6D +6C   9H 7S +9D   dragon  10.00   60.00   5.1.a.i.B 5.1A-OVER
    TS 8D       TC 6H +9S   dragon  50.00   100.00  5.1.a.i.C
    TS 7D       TC 6H +9S   dragon  50.00   50.00   5.1.a.i.C
    AS KD       9C 5H       dragon  20.00   50.00   5.1.a.i.D
    AS KD       7C 7S       dragon  20.00   50.00   5.1.a.i.D
    TS TD       9C 9H       dragon  20.00   40.00   5.1.a.i-ODDS
    TS 7D       TC 6H +9S   dragon  20.00   20.00   5.1.a.i-ODDS
    TS 9D       TH 9C       dragon  50.00   50.00   5.1.a.ii
    TS 8D       TC 9H       dragon  50.00   0.00    5.1.a.iii
    TC 6H +9S   TS 6D +6C   dragon  50.00   0.00    5.1.a.iii
    TC 6H +9S   TS 8D       dragon  50.00   0.00    5.1.a.iii
    TC TH       AS KD       dragon  50.00   0.00    5.1.a.iii

    9C 9H       TS TD       tiger   50.00   100.00  5.1.b.i.A
    9H 7S +9D   TS 6D +6C   tiger   10.00   60.00   5.1.b.i.B 5.1A-OVER
    TC 6H +9S   TS 8D       tiger   50.00   100.00  5.1.b.i.C
    TC 6H +9S   TS 7D       tiger   50.00   50.00   5.1.b.i.C
    9C 5H       AS KD       tiger   20.00   50.00   5.1.b.i.D 5.1.b.i-ODDS
    TS 6D +7C   9H 7S +7D   tiger   50.00   50.00   5.1.b.ii
    TC 9H       TS 8D       tiger   50.00   0.00    5.1.b.iii
    TS 6D +6C   TC 6H +9S   tiger   50.00   0.00    5.1.b.iii
    AS KD       TC TH       tiger   50.00   0.00    5.1.b.iii

    TS 7D       TC 6H +9S   dragon  100.00  100.00  5.1A-17
    TC 6H +9S   TS 7D       tiger   100.00  100.00  5.1A-17
    TS 8D       TC 7H       dragon  100.00  200.00  5.1A-18-21
    TS 9D       TC 7H       dragon  100.00  200.00  5.1A-18-21
    TS TD       TC 7H       dragon  100.00  200.00  5.1A-18-21
    TS 6D +5C   TC 7H       dragon  100.00  200.00  5.1A-18-21
    TC 9H       AS KD       tiger   100.00  250.00  5.1A-BJ
    TC 9H       AS KD       tiger   5.00    12.50   5.1A-BJ

    TS 8D       9C 9H       tie     10.00   80.00   5.1.c.i 5.1.c.i-U21
    TS 7D       9C 8H       tie     10.00   80.00   5.1.c.i-U21
    TS TD       JC QH       tie     10.00   80.00   5.1.c.i-U21
    TS 6D +6C   9H 7S +6H   tie     10.00   80.00   5.1.c.i-O21
    TS 6D +KC   9H 7S +QH   tie     10.00   80.00   5.1.c.i-O21
    TS 6D +5C   9H 7S +5D   tie     10.00   100.00  5.1.c.i-21
    AS KD       AH TC       tie     10.00   130.00  5.1.c.i-BJ
    TC 9H       TS 8D       tie     10.00   0.00    5.1.c.ii
    TS 8D       TC 9H       tie     10.00   0.00    5.1.c.ii
    TS 6D +6C   9H 7S +7D   tie     10.00   0.00    5.1.c.ii
"""


@pytest.mark.parametrize(("dragon", "tiger", "wager", "stake", "back"), paid_rounds(ROUNDS, "D21"))
def test_what_a_wager_gives_back(dragon: str, tiger: str, wager: str, stake: str, back: str) -> None:
    assert credit(GAME, dragon, tiger, wager, stake) == back


@pytest.mark.clause("D21-5.1A-TIE", "D21-5.1.a.ii", "D21-5.1.b.ii")
@pytest.mark.parametrize(("dragon", "tiger"), [("TS TD", "JC QH"), ("AS KD", "AH TC"), ("TS 6D +7C", "9H 7S +7D")])
def test_a_tie_returns_dragon_and_tiger(dragon: str, tiger: str) -> None:
    round = played(GAME, dragon, tiger, dragon="100.00", tiger="40.00")
    assert {id: (paid.result, paid.net) for id, paid in round.items()} == {
        "dragon": ("push", "0.00"),
        "tiger": ("push", "0.00"),
    }
    assert round.credit == "140.00"


@pytest.mark.clause("D21-5.1.c.i-BJ")
def test_two_blackjacks_pay_the_tie_bet_and_return_the_rest() -> None:
    round = played(GAME, "AS KD", "AH TC", dragon="50.00", tiger="20.00", tie="10.00")
    assert {id: paid.net for id, paid in round.items()} == {"dragon": "0.00", "tiger": "0.00", "tie": "120.00"}


@pytest.mark.clause("D21-5.1A")
@pytest.mark.parametrize(
    ("winning", "beaten", "back"),
    [
        ("TS 7D", "TC 6H +9S", "100.00"),
        ("TS 8D", "TC 7H", "200.00"),
        ("TS 9D", "TC 7H", "200.00"),
        ("TS TD", "TC 7H", "200.00"),
        ("TS 6D +5C", "TC 7H", "200.00"),
        ("AS KD", "TC 7H", "250.00"),
        ("TS 6D +6C", "TC 6H +9S", "600.00"),
        ("TS 9D", "TC 9H", "100.00"),  # a tie: neither is beaten
    ],
)
def test_one_table_pays_dragon_and_tiger_alike(winning: str, beaten: str, back: str) -> None:
    assert credit(GAME, winning, beaten, "dragon", "100.00") == back
    assert credit(GAME, beaten, winning, "tiger", "100.00") == back


@pytest.mark.clause("D21-5.1A-OVER")
def test_the_half_to_1_reading_of_a_win_over_21_is_the_houses_choice() -> None:
    """Q13: 5 to 1 is what is printed; `.5 to 1` may be what was meant. Nothing else changes."""
    lost_point = longhu.game("dragon-21", over_21_pays="1-to-2")
    assert GAME.readings["over_21_pays"].chosen == "5-to-1"
    for game, back in (GAME, "60.00"), (lost_point, "15.00"):
        assert credit(game, "TS 6D +6C", "9H 7S +9D", "dragon", "10.00") == back
        assert credit(game, "9H 7S +9D", "TS 6D +6C", "tiger", "10.00") == back
        assert credit(game, "TS 7D", "9H 7S +9D", "dragon", "10.00") == "10.00"
        assert credit(game, "TS 6D +6C", "9H 7S +6H", "tie", "10.00") == "80.00"


@pytest.mark.clause("D21-5.1A-BJ")
def test_the_half_cent_of_3_to_2_goes_to_the_patron_unless_the_house_keeps_it() -> None:
    """Q01: 3 to 2 on 5.05 is 7.575."""
    for_the_house = longhu.game("dragon-21", rounding="house")
    assert credit(GAME, "AS KD", "TC 9H", "dragon", "5.05") == "12.63"
    assert credit(for_the_house, "AS KD", "TC 9H", "dragon", "5.05") == "12.62"


# ---------------------------------------------------------------- 5.1 over every ending of a round


Hand = tuple[int, bool]  # its total, and whether it is Blackjack
BLACKJACK = (21, True)
DRAWN_OUT = {
    **{total: f"TS {total - 10}D" for total in range(17, 20)},
    20: "TS TD",
    **{total: f"TS 6D +{total - 16}C" for total in range(21, 26)},
    26: "TS 6D +TC",
}
STOPPED = {  # by a Blackjack of the other hand
    **{total: f"2S {total - 2}D" for total in range(4, 12)},
    **{total: f"TS {total - 10}D" for total in range(12, 20)},
    20: "TS TD",
}


@pytest.fixture(scope="module")
def endings() -> dict[tuple[Hand, Hand], Played]:
    """A live round for every way in which one can end, with ten on Dragon, Tiger and Tie."""
    hands = {
        ((dragon, False), (tiger, False)): (DRAWN_OUT[dragon], DRAWN_OUT[tiger].replace("S", "H").replace("D", "C"))
        for dragon, tiger in product(DRAWN_OUT, repeat=2)
    }
    for total, text in STOPPED.items():
        hands[BLACKJACK, (total, False)] = "AS KD", text
        hands[(total, False), BLACKJACK] = text, "AS KD"
    hands[BLACKJACK, BLACKJACK] = "AS KD", "AH TC"
    stakes = {"dragon": "10.00", "tiger": "10.00", "tie": "10.00"}
    return {ending: played(GAME, *texts, **stakes) for ending, texts in hands.items()}


def wins(hand: Hand, other: Hand) -> bool:
    """5.1(a)(i) and (b)(i), item by item, and (ii) ahead of them."""
    (total, blackjack), (others, others_blackjack) = hand, other
    if total == others:
        return False
    return (
        (total < 22 and others < 22 and total > others)  # (A)
        or (total >= 22 and others >= 22 and total < others)  # (B)
        or (total <= 21 and others > 21)  # (C)
        or (blackjack and not others_blackjack)  # (D)
    )


@pytest.mark.clause("D21-5.1", "D21-5.1.a", "D21-5.1.b", "D21-5.1.c")
def test_the_rounds_end_in_all_the_ways_that_section_9_leaves(endings: dict[tuple[Hand, Hand], Played]) -> None:
    """Ten totals against ten; a Blackjack against any two cards; two Blackjacks. The table counts them so."""
    possible = cast(Mapping[int, TwentyOneEnding], DEFINITION.outcomes.endings).values()
    assert {tuple((hand.total, hand.blackjack) for hand in end.hands) for end in possible} == set(endings)
    for (dragon, tiger), round in endings.items():
        assert round.totals == {"dragon": dragon[0], "tiger": tiger[0]}


@pytest.mark.clause("D21-5.1.a", "D21-5.1.b", "D21-5.1.a.iii", "D21-5.1.b.iii")
def test_dragon_and_tiger_win_stand_off_or_lose_as_5_1_lists(endings: dict[tuple[Hand, Hand], Played]) -> None:
    results = set()
    for (dragon, tiger), round in endings.items():
        # A win with 17 is a win that 5.1A pays as a push.
        for wager, mine, other in ("dragon", dragon, tiger), ("tiger", tiger, dragon):
            if mine[0] == other[0] or (wins(mine, other) and mine[0] == 17):
                expected = "push"
            else:
                expected = "win" if wins(mine, other) else "lose"
            assert round[wager].result == expected, (dragon, tiger)
            results.add(expected)
    assert results == {"win", "push", "lose"}


@pytest.mark.clause("D21-5.1.b", "D21-5.1A")
def test_swapping_the_hands_of_any_ending_swaps_dragon_and_tiger(endings: dict[tuple[Hand, Hand], Played]) -> None:
    for (dragon, tiger), round in endings.items():
        swapped = endings[tiger, dragon]
        assert round["dragon"].credit == swapped["tiger"].credit
        assert round["tie"].credit == swapped["tie"].credit


@pytest.mark.clause("D21-5.1.c", "D21-5.1.c.i", "D21-5.1.c.ii", "D21-5.1.c.i-21")
def test_the_tie_bet_wins_on_equal_counts_and_never_pushes(endings: dict[tuple[Hand, Hand], Played]) -> None:
    for (dragon, tiger), round in endings.items():
        pays = 120 if dragon == BLACKJACK else 90 if dragon[0] == 21 else 70
        tied = dragon[0] == tiger[0]
        assert round["tie"].result == ("win" if tied else "lose"), (dragon, tiger)
        assert round["tie"].net == (f"{pays}.00" if tied else "-10.00"), (dragon, tiger)


@pytest.mark.clause("D21-5.1.a.ii", "D21-5.1.b.ii", "D21-5.1.c.i")
def test_equal_counts_with_just_one_blackjack_cannot_happen(endings: dict[tuple[Hand, Hand], Played]) -> None:
    """Q14: 9.1 stops the drawing, and a two-card 21 is itself Blackjack."""
    tied = [ending for ending, round in endings.items() if round.winner is None]
    assert {(dragon[1], tiger[1]) for dragon, tiger in tied} == {(False, False), (True, True)}
    for dragon, tiger in tied:
        assert endings[dragon, tiger]["dragon"].result == endings[dragon, tiger]["tiger"].result == "push"


@pytest.mark.clause("D21-5.1A-18-21", "D21-5.1A-17")
def test_no_hand_wins_with_less_than_17(endings: dict[tuple[Hand, Hand], Played]) -> None:
    """Q14: a hand stops below 17 only beside a Blackjack, and then the Blackjack wins."""
    below = [(ending, round) for ending, round in endings.items() if min(hand[0] for hand in ending) < 17]
    assert below
    assert all(BLACKJACK in ending for ending, _ in below)
    won_with = {round.totals[round.winner] for round in endings.values() if round.winner}
    assert won_with == set(range(17, 26)), "26 beats nothing and ties with itself"


# ---------------------------------------------------------------- 5.1 over dealt rounds

ACES_AND_TENS = [place for place in range(416) if place % 13 in (0, 9)]  # of eight decks: Blackjacks come often
EIGHT_DECKS = st.lists(
    st.one_of(st.integers(0, 415), st.sampled_from(ACES_AND_TENS)), min_size=24, max_size=24, unique=True
).map(lambda places: [DECK[place % 52] for place in places])


def written(shoe: list[Card]) -> tuple[str, str]:
    """The round that this shoe gives, as two hands."""
    dealt = next(
        dealt
        for dealt in (deal_so_far(DEFINITION.procedure, shoe[:count]) for count in range(4, 25))
        if dealt.due.hand is None
    )
    hands = [[str(each) for each in dealt.hand(index)] for index in (0, 1)]
    dragon, tiger = (" ".join(hand[:2]) + (" +" + " ".join(hand[2:]) if hand[2:] else "") for hand in hands)
    return dragon, tiger


def is_blackjack(hand: str) -> bool:
    return "+" not in hand and sorted(min(each.rank, 10) for each in cards(hand)) == [1, 10]


@pytest.mark.clause("D21-5.1.a", "D21-5.1.b", "D21-5.1.c")
@given(EIGHT_DECKS)
def test_swapping_the_hands_of_a_round_swaps_the_results(shoe: list[Card]) -> None:
    dragon, tiger = written(shoe)
    stakes = {"dragon": "10.00", "tiger": "10.00", "tie": "10.00"}
    round, swapped = played(GAME, dragon, tiger, **stakes), played(GAME, tiger, dragon, **stakes)
    assert round["dragon"].net == swapped["tiger"].net
    assert round["tiger"].net == swapped["dragon"].net
    assert round["tie"].net == swapped["tie"].net
    assert {round[id].result for id in ("dragon", "tiger")} <= {"win", "push", "lose"}
    assert round["tie"].result in ("win", "lose")


@pytest.mark.clause("D21-5.1.a.ii", "D21-5.1.c.i", "D21-5.1A-18-21")
@given(EIGHT_DECKS)
def test_no_dealt_round_ties_with_one_blackjack_or_is_won_below_17(shoe: list[Card]) -> None:
    dragon, tiger = written(shoe)
    round = played(GAME, dragon, tiger)
    if round.totals["dragon"] == round.totals["tiger"]:
        assert is_blackjack(dragon) == is_blackjack(tiger)
        assert round.winner is None
    else:
        assert round.winner is not None
        assert round.totals[round.winner] >= 17
    if is_blackjack(dragon) or is_blackjack(tiger):
        assert "+" not in dragon + tiger


# ---------------------------------------------------------------- 5.2 Combinations

COMBINATIONS = {
    "D21-5.2.a": {"dragon": "25.00"},
    "D21-5.2.b": {"dragon": "25.00", "tie": "5.00"},
    "D21-5.2.c": {"dragon": "25.00", "tiger": "25.00"},
    "D21-5.2.d": {"dragon": "25.00", "tiger": "25.00", "tie": "5.00"},
    "D21-5.2.e": {"tiger": "25.00"},
    "D21-5.2.f": {"tiger": "25.00", "tie": "5.00"},
    "D21-5.2.g": {"tie": "5.00"},
}


@pytest.mark.clause("D21-5.2")
@pytest.mark.parametrize(
    "stakes", [pytest.param(stakes, marks=pytest.mark.clause(id), id=id) for id, stakes in COMBINATIONS.items()]
)
def test_a_patron_may_wager_on_any_of_the_seven_combinations(stakes: dict[str, str]) -> None:
    round = played(GAME, "TS TD", "9C 9H", **stakes)
    assert {id: paid.stake for id, paid in round.items()} == stakes
    for pair in ("dragon_perfect_pair", "tiger_perfect_pair"):  # Q19: on top of any combination
        assert len(played(GAME, "TS TD", "9C 9H", **stakes, **{pair: "5.00"})) == len(stakes) + 1


@pytest.mark.clause("D21-5.2")
@pytest.mark.parametrize(
    "stakes", [pytest.param(stakes, marks=pytest.mark.clause(id), id=id) for id, stakes in COMBINATIONS.items()]
)
def test_no_wager_of_a_combination_changes_what_another_gives(stakes: dict[str, str]) -> None:
    for dragon, tiger in ("TS TD", "9C 9H"), ("9C 9H", "TS TD"), ("TS 8D", "9C 9H"):
        together = played(GAME, dragon, tiger, **dict(reversed(stakes.items())))
        for wager, stake in stakes.items():
            assert together[wager].credit == credit(GAME, dragon, tiger, wager, stake)


@pytest.mark.clause("D21-5.2")
def test_the_seven_combinations_are_all_there_are() -> None:
    play = at_table(longhu.game("dragon-21", perfect_pair="off"))
    for wager in "player", "banker", "dragon-tiger", "":
        assert play.refused(PlaceWager, "ann", place=1, wager=wager, amount=500).reason.code == "wager-not-offered"
    main_wagers = set(longhu.game("dragon-21", perfect_pair="off").definition.offered("standard"))
    assert main_wagers == {"dragon", "tiger", "tie"}
    assert len({frozenset(stakes) for stakes in COMBINATIONS.values()}) == 2 ** len(main_wagers) - 1
