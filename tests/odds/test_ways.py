"""Deals counted by ending, against truth: published counts, real permutations, plain enumeration, a seeded tally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longhu.cards import DECK, Card, Shoe, ShoeError, cards
from longhu.deal.facts import bits, members
from longhu.deal.pairs import PairBasis
from longhu.deal.procedure import CARDS_LEFT_OVER, Procedure, deal_so_far, new_deal
from longhu.games.game import Game, Wager
from longhu.odds.figures import wager_odds
from longhu.odds.ways import Ways, ways
from tests.odds.shoes import (
    VOID,
    baccarat,
    by_enumeration,
    by_next_card,
    by_permutation,
    chances,
    dealt_from,
    game_of,
    one_card,
    physical,
    shoe_of,
    tables,
    tables_of_play,
    thick_shoes,
    tiny_shoes,
    twenty_one,
    usual_odds,
)
from tests.rounds import refused

ALL_RANKS = range(1, 14)
ACES_AND_TENS = (1, 1, 1, 1, 2, 3, 5, 6, 9, 10, 10, 11, 13, 13)  # Blackjacks and long hands are seldom otherwise
BASES = st.sampled_from(PairBasis)
SUITS_OR_NOT = st.booleans()


def few(examples: int) -> settings:
    """So many of the suite's sixty examples; more in a soak."""
    return settings(max_examples=max(examples, settings().max_examples * examples // 60))


# ------------------------------------------------ published counts


def ways_of(wager: Wager, counted: Ways) -> list[int]:
    return [each.ways for each in wager_odds(wager, counted).lines]


def test_baccarat_from_eight_decks_has_the_counts_of_the_textbooks() -> None:
    game = game_of("immortal-dragon-tiger")
    counted = ways(game.procedure, Shoe.of_decks(8))
    assert counted.deals == 4_998_398_275_503_360
    push, banker, player = ways_of(game.wagers["banker"], counted)
    assert (banker, player, push) == (2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216)
    assert counted.void == 0


BANKER_WINS_WITH = {
    1: 24_291_119_898_624,
    2: 44_681_581_871_104,
    3: 72_927_778_568_192,
    4: 163_359_790_133_248,
    5: 216_715_928_915_968,
    6: 269_232_304_455_680,
    7: 384_279_324_919_808,
    8: 529_914_458_673_152,
    9: 586_850_279_002_112,
}  # as published for eight decks


def test_banker_wins_with_each_total_as_often_as_published() -> None:
    game, found = game_of("super-6"), Counter[int]()
    for number, some in ways(game.procedure, Shoe.of_decks(8)).of.items():
        told = game.outcomes.describe(number)
        if told["banker.wins"]:
            found[int(told["banker.total"])] += some
    assert found == BANKER_WINS_WITH


def test_dragon_tiger_from_eight_decks_ties_in_6448_of_86320_pairs_of_cards() -> None:
    game = game_of("dragon-tiger")
    counted = ways(game.procedure, Shoe.of_decks(8))
    tie, other = ways_of(game.wagers["tie"], counted)
    assert (tie, tie + other, counted.deals) == (12_896, 172_640, 172_640)
    assert (tie / 2, counted.deals / 2) == (6_448, 86_320)


def test_two_blackjacks_from_eight_decks_by_hand() -> None:
    """Four cards, an ace and a ten in each hand: 2 x 2 orders, 32 x 31 aces, 128 x 127 tens."""
    odds = usual_odds("dragon-21")
    expected = Fraction(4 * 32 * 31 * 128 * 127, 416 * 415 * 414 * 413)
    assert odds["tie"].lines[0].probability == expected
    either = Fraction(2 * 2 * 32 * 128, 416 * 415)
    for wager, line in (("dragon", 1), ("tiger", 1)):
        assert odds[wager].lines[line].probability == either / 2 - expected


# ------------------------------------------------ every permutation


@few(15)
@given(st.data())
def test_one_card_each_agrees_with_every_permutation(data: st.DataObject) -> None:
    procedure = one_card(suits=data.draw(SUITS_OR_NOT))
    shoe, dealt = data.draw(tables(procedure, tiny_shoes(ALL_RANKS, 0, 6)))
    assert chances(ways(procedure, shoe, dealt)) == by_permutation(procedure, shoe, dealt)


@few(15)
@given(st.data())
def test_baccarat_agrees_with_every_permutation(data: st.DataObject) -> None:
    procedure = baccarat(suits=data.draw(SUITS_OR_NOT), pair_basis=data.draw(BASES))
    shoe, dealt = data.draw(tables(procedure, tiny_shoes(ALL_RANKS, 4, 7)))
    assert chances(ways(procedure, shoe, dealt)) == by_permutation(procedure, shoe, dealt)


@few(10)
@given(st.data())
def test_twenty_one_agrees_with_every_permutation(data: st.DataObject) -> None:
    procedure = twenty_one(suits=data.draw(SUITS_OR_NOT), pair_basis=data.draw(BASES))
    shoe, dealt = data.draw(tables(procedure, tiny_shoes(ACES_AND_TENS, 4, 7)))
    assert chances(ways(procedure, shoe, dealt)) == by_permutation(procedure, shoe, dealt)


@pytest.mark.parametrize("drawn", ["AS AH KS KD 5C 6S 9H", "AS AS AH 2C 3D TS TH TH"])
def test_twenty_one_from_a_handful_of_cards_agrees_with_every_permutation(drawn: str) -> None:
    """Blackjacks, aces in plenty, both hands over 21, pairs of every kind."""
    procedure, shoe = twenty_one(), shoe_of(Counter(cards(drawn)))
    assert chances(ways(procedure, shoe)) == by_permutation(procedure, shoe)


def test_baccarat_from_seven_cards_agrees_with_every_permutation() -> None:
    procedure, shoe = baccarat(suits=True), shoe_of(Counter(cards("3S 3H 8S KD KS 2C 4D")))
    found = chances(ways(procedure, shoe))
    assert found == by_permutation(procedure, shoe)
    assert len(found) > 30


# ------------------------------------------------ plain enumeration


@few(60)
@given(st.data())
def test_one_card_each_agrees_with_enumeration(data: st.DataObject) -> None:
    procedure = one_card(suits=data.draw(SUITS_OR_NOT))
    shoe, dealt = data.draw(tables(procedure, thick_shoes(ALL_RANKS, 12, 20)))
    assert chances(ways(procedure, shoe, dealt)) == by_enumeration(procedure, shoe, dealt)


@few(60)
@given(st.data())
def test_baccarat_agrees_with_enumeration_whatever_the_table_of_play(data: st.DataObject) -> None:
    play = data.draw(st.one_of(st.just(baccarat().play), tables_of_play()))
    procedure = baccarat(suits=data.draw(SUITS_OR_NOT), pair_basis=data.draw(BASES), play=play)
    shoe, dealt = data.draw(tables(procedure, thick_shoes(ALL_RANKS, 5, 20)))
    assert chances(ways(procedure, shoe, dealt)) == by_enumeration(procedure, shoe, dealt)


@few(16)
@given(st.data())
def test_twenty_one_agrees_with_enumeration(data: st.DataObject) -> None:
    procedure = twenty_one(suits=data.draw(SUITS_OR_NOT), pair_basis=data.draw(BASES))
    shoes = st.one_of(tiny_shoes(ACES_AND_TENS, 4, 9), thick_shoes((6, 7, 8, 9, 10, 11, 12, 13), 4, 20))
    shoe, dealt = data.draw(tables(procedure, shoes))
    assert chances(ways(procedure, shoe, dealt)) == by_enumeration(procedure, shoe, dealt)


@pytest.mark.parametrize("draws_to", range(11, 21))
@few(2)
@given(data=st.data())
def test_twenty_one_agrees_with_enumeration_whatever_it_draws_to(draws_to: int, data: st.DataObject) -> None:
    procedure = twenty_one(draws_to=draws_to)
    shoe, dealt = data.draw(tables(procedure, tiny_shoes((1, 1, 2, 4, 6, 9, 10, 10, 13), 5, 7)))
    least = 1 if draws_to < 18 else 2  # from an empty table a high total takes its time
    dealt = dealt if len(dealt) >= least else tuple(physical(shoe)[:least])
    assert chances(ways(procedure, shoe, dealt)) == by_enumeration(procedure, shoe, dealt)


def some_cards(procedure: Procedure[Any], shoe: Shoe, seed: int) -> list[Card]:
    """The cards of one round from a shuffled shoe."""
    order = Random(seed).sample(physical(shoe), min(shoe.size, procedure.cards_max))
    return list(dealt_from(procedure, shoe, order))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("suits", [False, True])
def test_baccarat_from_full_shoes_agrees_with_enumeration_once_four_cards_are_out(*, suits: bool, seed: int) -> None:
    procedure, shoe = baccarat(suits=suits), Shoe.of_decks(1 + seed)
    drawn = some_cards(procedure, shoe, seed)
    for length in range(4, len(drawn) + 1):
        assert chances(ways(procedure, shoe, drawn[:length])) == by_enumeration(procedure, shoe, drawn[:length])


@pytest.mark.parametrize("drawn", ["TS 6H 8D 6C", "TS 5H 4D 9C 8S", "KS 7H 6D TC", "9S 8H 5D 9C 2S"])
def test_twenty_one_from_a_full_shoe_agrees_with_enumeration_near_the_end(drawn: str) -> None:
    procedure, shoe = twenty_one(), Shoe.of_decks(8)
    assert chances(ways(procedure, shoe, cards(drawn))) == by_enumeration(procedure, shoe, cards(drawn))


# ------------------------------------------------ the law of total probability


@pytest.mark.parametrize("suits", [False, True])
def test_the_first_card_of_a_full_shoe_does_not_alter_what_baccarat_comes_to(*, suits: bool) -> None:
    procedure, shoe = baccarat(suits=suits), Shoe.of_decks(8)
    assert by_next_card(procedure, shoe) == chances(ways(procedure, shoe))


@few(10)
@given(st.data())
def test_the_next_card_does_not_alter_what_baccarat_comes_to(data: st.DataObject) -> None:
    """Shoes of thousands of cards, in any composition."""
    procedure = baccarat(pair_basis=data.draw(BASES), suits=data.draw(SUITS_OR_NOT))
    shoe, dealt = data.draw(tables(procedure, thick_shoes(ALL_RANKS, 52, 100)))
    if deal_so_far(procedure, dealt).number is None and shoe.size > len(dealt):
        assert by_next_card(procedure, shoe, dealt) == chances(ways(procedure, shoe, dealt))


def test_the_first_card_does_not_alter_what_one_card_each_comes_to() -> None:
    for suits in (False, True):
        procedure, shoe = one_card(suits=suits), Shoe.of_decks(3)
        assert by_next_card(procedure, shoe) == chances(ways(procedure, shoe))


@pytest.mark.parametrize("drawn", ["", "7S", "AS AH TD"])
def test_the_next_card_of_a_small_shoe_does_not_alter_what_twenty_one_comes_to(drawn: str) -> None:
    procedure = twenty_one()
    shoe = Shoe.of_counts({"AS": 3, "AH": 2, "TD": 4, "7S": 5})
    assert by_next_card(procedure, shoe, cards(drawn)) == chances(ways(procedure, shoe, cards(drawn)))


@pytest.mark.parametrize("drawn", ["AS 6H 7D", "5S 6H 5D 6D", "TS 2H 2S 2D"])
def test_the_next_card_of_a_full_shoe_does_not_alter_what_twenty_one_comes_to(drawn: str) -> None:
    procedure, shoe = twenty_one(), Shoe.of_decks(8)
    assert by_next_card(procedure, shoe, cards(drawn)) == chances(ways(procedure, shoe, cards(drawn)))


def test_the_draw_of_a_full_shoe_is_the_same_whether_suits_are_looked_at_or_not() -> None:
    """Counted with marks by suit or with marks by rank: without their marks the deals are the same."""

    def without_marks(procedure: Procedure[Any]) -> Counter[int]:
        found: Counter[int] = Counter()
        for number, some in ways(procedure, Shoe.of_decks(8)).of.items():
            found[number // procedure.marks**2] += some
        return found

    assert without_marks(baccarat(suits=True)) == without_marks(baccarat(suits=False))
    assert without_marks(one_card(suits=True)) == without_marks(one_card(suits=False))


# ------------------------------------------------ whole and sound


def check_sound(procedure: Procedure[Any], shoe: Shoe, dealt: Sequence[Card] = ()) -> Ways:
    """Nothing negative, nothing lost, nothing that cannot happen; void only where cards can run out."""
    counted = ways(procedure, shoe, dealt)
    assert all(some > 0 for some in counted.of.values())
    assert sum(counted.of.values()) + counted.void == counted.deals
    assert counted.void >= 0
    if shoe.size >= procedure.cards_max:
        assert counted.void == 0
    assert set(counted.of) <= set(procedure.outcomes().endings)
    assert list(counted.of) == sorted(counted.of)
    assert list(members(counted.reachable(procedure.outcomes().size))) == list(counted.of)
    assert counted.reachable(procedure.outcomes().size) == bits(list(counted.of), procedure.outcomes().size)
    return counted


@pytest.mark.parametrize("decks", range(1, 11))
@pytest.mark.parametrize(
    "procedure",
    [
        pytest.param(one_card(), id="one card"),
        pytest.param(one_card(suits=True), id="one card with suits"),
        pytest.param(baccarat(), id="baccarat"),
        pytest.param(baccarat(suits=True, pair_basis=PairBasis.POINTS), id="baccarat with suits and points"),
    ],
)
def test_one_to_ten_decks_are_counted_whole(procedure: Procedure[Any], decks: int) -> None:
    counted = check_sound(procedure, Shoe.of_decks(decks))
    if decks > 1:  # one deck has no perfect pair, nor two cards alike
        assert set(counted.of) == set(procedure.outcomes().endings)


@pytest.mark.parametrize("decks", [1, 10])
def test_one_and_ten_decks_are_counted_whole_for_twenty_one(decks: int) -> None:
    counted = check_sound(twenty_one(), Shoe.of_decks(decks))
    if decks > 1:
        assert set(counted.of) == set(twenty_one().outcomes().endings)


@few(30)
@given(st.data())
def test_any_shoe_is_counted_whole(data: st.DataObject) -> None:
    some: list[Procedure[Any]] = [one_card(), one_card(suits=True), baccarat(), baccarat(suits=True)]
    procedure = data.draw(st.sampled_from(some))
    shoe, dealt = data.draw(tables(procedure, thick_shoes(ALL_RANKS, 52, 100)))
    check_sound(procedure, shoe, dealt)


@few(4)
@given(tables(twenty_one(), thick_shoes(ALL_RANKS, 40, 100)))
def test_any_shoe_is_counted_whole_for_twenty_one(table: tuple[Shoe, tuple[Card, ...]]) -> None:
    check_sound(twenty_one(), *table)


def mirrored(procedure: Procedure[Any], counted: Ways) -> dict[int, int]:
    """The same deals with the two hands exchanged."""
    endings = procedure.outcomes().endings
    numbers = {ending: number for number, ending in endings.items()}
    assert len(numbers) == len(endings)

    def exchanged(number: int) -> int:
        ending: Any = endings[number]
        return numbers[type(ending)(*(field[::-1] for field in ending))]

    return {exchanged(number): some for number, some in counted.of.items()}


@few(20)
@given(data=st.data(), suits=SUITS_OR_NOT)
def test_neither_card_has_the_better_place(data: st.DataObject, suits: bool) -> None:
    procedure = one_card(suits=suits)
    counted = ways(procedure, data.draw(thick_shoes(ALL_RANKS, 12, 20)))
    assert mirrored(procedure, counted) == counted.of


@few(5)
@given(shoe=st.one_of(thick_shoes(ALL_RANKS, 30, 40), tiny_shoes(ACES_AND_TENS, 5, 12)))
def test_neither_hand_of_twenty_one_has_the_better_place(shoe: Shoe) -> None:
    """Though Dragon draws first; also where the cards can run out."""
    counted = ways(twenty_one(), shoe)
    assert mirrored(twenty_one(), counted) == counted.of


# ------------------------------------------------ too few cards, and none

FEW_CARDS = [
    ("one-card", "", 1),
    ("one-card", "7H", 1),
    ("baccarat", "", 1),
    ("baccarat", "7H", 1),
    ("baccarat", "7H 8D KS", 1),
    ("baccarat", "9H 8D KS AC 3D", 0),  # 4 of the 5 are dealt: 8 or 9 at once, or a fifth card may be missing
    ("twenty-one", "", 1),
    ("twenty-one", "7H", 1),
    ("twenty-one", "AS KD TH", 1),
    ("twenty-one", "TS TH 9D 9C 8S", 0),  # no two of these draw again
    ("twenty-one", "2S 2H 2D 2C 3S", 1),
]


@pytest.mark.parametrize(("name", "held", "void"), FEW_CARDS)
def test_a_round_for_which_the_cards_do_not_suffice_is_void(name: str, held: str, void: int) -> None:
    known: dict[str, Procedure[Any]] = {"one-card": one_card(), "baccarat": baccarat(), "twenty-one": twenty_one()}
    procedure = known[name]
    shoe = shoe_of(Counter(cards(held)))
    counted = check_sound(procedure, shoe)
    assert chances(counted) == by_permutation(procedure, shoe)
    if void:
        assert chances(counted) == {VOID: 1}
    else:
        assert VOID not in chances(counted) or 0 < chances(counted)[VOID] < 1


@pytest.mark.parametrize("procedure", [one_card(), baccarat(), twenty_one()], ids=["one card", "baccarat", "21"])
def test_a_shoe_that_is_all_on_the_table_leaves_the_round_void(procedure: Procedure[Any]) -> None:
    held = cards("5S 2H 4D")[: procedure.initial_cards - 1]
    counted = ways(procedure, shoe_of(Counter(held)), held)
    assert (counted.of, counted.deals, counted.void) == ({}, 1, 1)


@pytest.mark.parametrize(
    ("procedure", "drawn"),
    [
        pytest.param(one_card(), "KS 2D", id="one card"),
        pytest.param(baccarat(), "5D KC 2C 4C QD", id="baccarat"),
        pytest.param(twenty_one(), "AS 5H KD 5C", id="blackjack"),
    ],
)
def test_a_finished_round_ends_as_it_was_dealt_and_takes_no_more_cards(procedure: Procedure[Any], drawn: str) -> None:
    counted = ways(procedure, Shoe.of_decks(1), cards(drawn))
    assert (counted.of, counted.deals) == ({deal_so_far(procedure, cards(drawn)).number: 1}, 1)
    with refused(CARDS_LEFT_OVER, cards=["9H"]):
        ways(procedure, Shoe.of_decks(1), cards(f"{drawn} 9H"))


@pytest.mark.parametrize("procedure", [one_card(), baccarat(), twenty_one()], ids=["one card", "baccarat", "21"])
def test_a_card_that_the_shoe_does_not_hold_cannot_be_on_the_table(procedure: Procedure[Any]) -> None:
    with pytest.raises(ShoeError, match="KS was drawn 1 times, and the shoe held none"):
        ways(procedure, Shoe.of_decks(1).without(cards("KS")), cards("KS"))
    with pytest.raises(ShoeError, match="5D was drawn 2 times, and the shoe held 1"):
        ways(procedure, Shoe.of_decks(1), cards("5D 5D"))


# ------------------------------------------------ an independent tally

ROUNDS = 10_000


def tallied(game: Game, seed: int) -> Counter[int]:
    """Rounds from a shuffled shoe of eight decks, dealt by the readable procedure."""
    chance, procedure, shoe = Random(seed), game.procedure, [each for each in DECK for _ in range(8)]
    tally: Counter[int] = Counter()
    for _ in range(ROUNDS):
        order = chance.sample(shoe, procedure.cards_max)
        deal, cards = new_deal(procedure), iter(order)
        while deal.dealt.number is None:
            deal = deal.then(next(cards))
        tally[deal.dealt.number] += 1
    return tally


@pytest.mark.parametrize(
    "name", ["dragon-tiger", "dragon-21", "immortal-dragon-tiger", "dragon-bonus", "dragon-bonus-online"]
)
def test_a_seeded_simulation_agrees_within_five_standard_errors(name: str) -> None:
    odds = usual_odds(name)
    assert odds.decks == 8
    tally = tallied(odds.game, seed=416)
    for each in odds.values():
        seen = [0] * len(each.lines)
        for number, some in tally.items():
            seen[each.wager.deciding[number]] += some
        for line, some in zip(each.lines, seen, strict=True):
            p = float(line.probability)
            assert abs(some - ROUNDS * p) <= 5 * sqrt(ROUNDS * p * (1 - p)), (each.wager.id, line.line.says.en)
        mean = sum(some * float(line.line.net) for line, some in zip(each.lines, seen, strict=True)) / ROUNDS
        assert abs(mean - float(each.ev)) <= 5 * each.standard_deviation / sqrt(ROUNDS), each.wager.id
