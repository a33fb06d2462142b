"""Dragon 21, clause by clause: Dragon, Tiger and Tie wagers and what they pay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import longhu
from longhu.cards import DECK, Card, cards
from longhu.deal.procedure import deal_so_far
from longhu.deal.twenty_one import FinishedHand, TwentyOneEnding
from longhu.games.game import Result
from tests.rounds import credit, played

GAME = longhu.game("dragon-21")
DEFINITION = GAME.definition
DRAGON, TIGER, TIE = (GAME.wagers[id] for id in ("dragon", "tiger", "tie"))
ENDINGS = cast(Mapping[int, TwentyOneEnding], DEFINITION.outcomes.endings)  # every way in which a round can end


# ---------------------------------------------------------------- 5.1, 5.1A: the document's own rows, and one round each


def rounds_in(table: str) -> Iterator[object]:
    """The rows of a table of rounds, columns two spaces apart; the last column is the clauses shown."""
    _, *rows = filter(str.strip, table.splitlines())
    for row in rows:
        dragon, tiger, wager, stake, back, shown = re.split(r" {2,}", row.strip())
        marks = pytest.mark.clause(*(f"D21-{clause}" for clause in shown.split()))
        yield pytest.param(dragon, tiger, wager, stake, back, marks=marks, id=f"{dragon} v {tiger}: {wager} {stake}")


ROUNDS = """
    dragon      tiger       wager   stake   credit  clauses
    TS TD       9C 9H       dragon  50.00   100.00  5.1.a.i.A
    TS 6D +6C   9H 7S +9D   dragon  10.00   60.00   5.1.a.i.B 5.1A-OVER
    TS 8D       TC 6H +9S   dragon  50.00   100.00  5.1.a.i.C
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


@pytest.mark.parametrize(("dragon", "tiger", "wager", "stake", "back"), list(rounds_in(ROUNDS)))
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


def wins(hand: FinishedHand, other: FinishedHand) -> bool:
    """5.1(a)(i) and (b)(i), item by item, and (ii) ahead of them."""
    if hand.total == other.total:
        return False
    return (
        (hand.total < 22 and other.total < 22 and hand.total > other.total)  # (A)
        or (hand.total >= 22 and other.total >= 22 and hand.total < other.total)  # (B)
        or (hand.total <= 21 and other.total > 21)  # (C)
        or (hand.blackjack and not other.blackjack)  # (D)
    )


def test_the_endings_are_all_that_section_9_leaves() -> None:
    """Ten totals against ten; a Blackjack against any two cards; two Blackjacks."""
    drawn_out, two_cards, blackjack = range(17, 27), range(4, 21), (21, True)
    expected = {((dragon, False), (tiger, False)) for dragon, tiger in product(drawn_out, repeat=2)}
    expected |= {(blackjack, (total, False)) for total in two_cards}
    expected |= {((total, False), blackjack) for total in two_cards}
    expected |= {(blackjack, blackjack)}
    found = {
        ((one.total, one.blackjack), (two.total, two.blackjack)) for one, two in (end.hands for end in ENDINGS.values())
    }
    assert found == expected


@pytest.mark.clause("D21-5.1.a", "D21-5.1.b", "D21-5.1.a.iii", "D21-5.1.b.iii")
def test_dragon_and_tiger_win_stand_off_or_lose_as_5_1_lists() -> None:
    for number, end in ENDINGS.items():
        dragon, tiger = end.hands
        # A win with 17 is a win that 5.1A pays as a push.
        for wager, mine, other in (DRAGON, dragon, tiger), (TIGER, tiger, dragon):
            if mine.total == other.total or (wins(mine, other) and mine.total == 17):
                expected = Result.PUSH
            else:
                expected = Result.WIN if wins(mine, other) else Result.LOSE
            assert wager.line(number).result is expected, (dragon, tiger)
    assert {DRAGON.line(number).result for number in ENDINGS} == {Result.WIN, Result.PUSH, Result.LOSE}


@pytest.mark.clause("D21-5.1.b", "D21-5.1A")
def test_swapping_the_hands_of_any_ending_swaps_dragon_and_tiger() -> None:
    number_of = {end: number for number, end in ENDINGS.items()}
    for number, end in ENDINGS.items():
        swapped = number_of[TwentyOneEnding((end.hands[1], end.hands[0]))]
        assert DRAGON.pays[number] == TIGER.pays[swapped]
        assert TIE.pays[number] == TIE.pays[swapped]


@pytest.mark.clause("D21-5.1.c", "D21-5.1.c.i", "D21-5.1.c.ii", "D21-5.1.c.i-21")
def test_the_tie_bet_wins_on_equal_counts_and_never_pushes() -> None:
    for number, end in ENDINGS.items():
        dragon, tiger = end.hands
        pays = 12 if dragon.blackjack else 9 if dragon.total == 21 else 7
        line = TIE.line(number)
        assert line.result is (Result.WIN if dragon.total == tiger.total else Result.LOSE), (dragon, tiger)
        assert line.net == (pays if dragon.total == tiger.total else -1), (dragon, tiger)


@pytest.mark.clause("D21-5.1.a.ii", "D21-5.1.b.ii", "D21-5.1.c.i")
def test_equal_counts_with_just_one_blackjack_cannot_happen() -> None:
    """Q14: 9.1 stops the drawing, and a two-card 21 is itself Blackjack."""
    tied = [end.hands for end in ENDINGS.values() if end.hands[0].total == end.hands[1].total]
    assert {(dragon.blackjack, tiger.blackjack) for dragon, tiger in tied} == {(False, False), (True, True)}


@pytest.mark.clause("D21-5.1A-18-21", "D21-5.1A-17")
def test_no_hand_wins_with_less_than_17() -> None:
    """Q14: a hand stops below 17 only beside a Blackjack, and then the Blackjack wins."""
    below = [end.hands for end in ENDINGS.values() if min(hand.total for hand in end.hands) < 17]
    assert below
    assert all(hand.blackjack for hands in below for hand in hands if hand.total >= 17)
    won_with = {
        mine.total
        for dragon, tiger in (end.hands for end in ENDINGS.values())
        for mine, other in ((dragon, tiger), (tiger, dragon))
        if wins(mine, other)
    }
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
def test_the_seven_combinations_are_all_there_are() -> None:
    main_wagers = set(longhu.game("dragon-21", perfect_pair="off").definition.offered("standard"))
    assert main_wagers == {"dragon", "tiger", "tie"}
    assert len({frozenset(stakes) for stakes in COMBINATIONS.values()}) == 2 ** len(main_wagers) - 1
