"""Shoes, rounds and counts for the tests of exact odds: what is counted cleverly is counted here a second time, plainly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import perm
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from longhu.cards import CARDS_PER_DECK, DECK, SUITS, Card, Shoe
from longhu.deal.baccarat import Baccarat, DrawRow, TableOfPlay
from longhu.deal.one_card import OneCard
from longhu.deal.procedure import Procedure, deal_so_far
from longhu.deal.twenty_one import TwentyOne
from longhu.games import registry
from longhu.games.game import Game
from longhu.odds.enumeration import count
from longhu.odds.figures import GameOdds, game_odds
from longhu.odds.ways import Ways, ways

THIRD_PARTY = Path(__file__).parent.parent / "third_party"
Chances = dict[int, Fraction]  # by ending
VOID = -1  # stands for the ending of a round that runs out of cards


# ------------------------------------------------ games and procedures


def file_of(name: str) -> Path:
    """A built-in game's id, or the name of a third-party file."""
    built_in = registry.built_in()
    return built_in[name] if name in built_in else THIRD_PARTY / f"{name}.toml"


def game_of(name: str, **readings: str) -> Game:
    return registry.load_game(file_of(name), readings)


@cache
def usual_odds(name: str) -> GameOdds:
    """Every wager of a game from its usual shoe, counted once for all tests."""
    return game_odds(game_of(name))


def one_card(**changes: Any) -> OneCard:
    procedure = game_of("dragon-tiger").procedure
    assert isinstance(procedure, OneCard)
    return replace(procedure, **changes)


def baccarat(**changes: Any) -> Baccarat:
    procedure = game_of("immortal-dragon-tiger").procedure
    assert isinstance(procedure, Baccarat)
    return replace(procedure, **changes)


def twenty_one(**changes: Any) -> TwentyOne:
    procedure = game_of("dragon-21").procedure
    assert isinstance(procedure, TwentyOne)
    return replace(procedure, **changes)


@st.composite
def tables_of_play(draw: st.DrawFn) -> TableOfPlay:
    """Any table that a file could bring: each total draws always, never, or against some third cards."""
    naturals = frozenset(draw(st.sampled_from([(8, 9), (9,), (), (0, 9)])))
    played = [total for total in range(10) if total not in naturals]
    against = st.one_of(st.booleans(), st.frozensets(st.integers(0, 9), min_size=1))

    def rows(draws: st.SearchStrategy[Any]) -> dict[int, DrawRow]:
        return {total: DrawRow(frozenset([total]), draw(draws)) for total in played}

    return TableOfPlay(naturals, (), rows(st.booleans()), rows(st.booleans()), rows(against))


# ------------------------------------------------ shoes


def shoe_of(each: Mapping[Card, int]) -> Shoe:
    counts = [0] * CARDS_PER_DECK
    for card, some in each.items():
        counts[card.number] += some
    return Shoe(tuple(counts))


def physical(shoe: Shoe) -> list[Card]:
    """The cards of a shoe, one by one."""
    return [card for card, some in zip(DECK, shoe.counts, strict=True) for _ in range(some)]


SEEDS = st.integers(0, 2**32 - 1)  # chance as a whole: shoes that are put together piece by piece come out too simple


def tiny_shoe(chance: Random, ranks: Sequence[int], least: int, most: int) -> Shoe:
    """A handful of cards; a rank named twice comes twice as often."""
    drawn = (Card(rank, chance.choice(SUITS)) for rank in chance.choices(ranks, k=chance.randint(least, most)))
    return shoe_of(Counter(drawn))


def thick_shoe(chance: Random, ranks: Sequence[int], kinds: int, most: int) -> Shoe:
    """Few kinds of cards, many of each; often of so few ranks that pairs are common."""
    some = chance.sample(sorted(set(ranks)), chance.choice([min(3, len(ranks)), len(set(ranks))]))
    pool = [Card(rank, suit) for rank in some for suit in SUITS]
    held = chance.sample(pool, chance.randint(1, min(kinds, len(pool))))
    return shoe_of({each: chance.randint(1, most) for each in held})


def tiny_shoes(ranks: Sequence[int], least: int, most: int) -> st.SearchStrategy[Shoe]:
    return SEEDS.map(lambda seed: tiny_shoe(Random(seed), ranks, least, most))


def thick_shoes(ranks: Sequence[int], kinds: int, most: int) -> st.SearchStrategy[Shoe]:
    return SEEDS.map(lambda seed: thick_shoe(Random(seed), ranks, kinds, most))


@st.composite
def tables(draw: st.DrawFn, procedure: Procedure[Any], shoes: st.SearchStrategy[Shoe]) -> tuple[Shoe, tuple[Card, ...]]:
    """A shoe, and cards of it on the table: any number that a round can have had, none and all included."""
    shoe, chance = draw(shoes), Random(draw(SEEDS))
    drawn = tuple(dealt_from(procedure, shoe, chance.sample(physical(shoe), min(shoe.size, procedure.cards_max))))
    return shoe, drawn[: chance.randint(0, len(drawn))]


def dealt_from(procedure: Procedure[Any], shoe: Shoe, order: Sequence[Card]) -> Sequence[Card]:
    """The cards of one round from the top of this order; all of them where they do not suffice."""
    for length in range(procedure.initial_cards, len(order) + 1):
        if deal_so_far(procedure, order[:length]).number is not None:
            return order[:length]
    return order[: shoe.size]


# ------------------------------------------------ chances, three ways


def chances(counted: Ways) -> Chances:
    """What was counted, as probabilities; the void round is an ending like any other."""
    found = {number: Fraction(some, counted.deals) for number, some in counted.of.items()}
    return found | {VOID: Fraction(counted.void, counted.deals)} if counted.void else found


def by_permutation(procedure: Procedure[Any], shoe: Shoe, dealt: Sequence[Card] = ()) -> Chances:
    """Shuffle the cards that are left in every possible way, and deal each: truth by patience."""
    known: dict[tuple[int, ...], int | None] = {}
    start = tuple(each.number for each in dealt)

    def number_of(drawn: tuple[int, ...]) -> int | None:
        if drawn not in known:
            known[drawn] = deal_so_far(procedure, [DECK[each] for each in drawn]).number
        return known[drawn]

    tally: Counter[int] = Counter()
    for order in permutations(each.number for each in physical(shoe.without(dealt))):
        whole = start + order
        numbers = (number_of(whole[:length]) for length in range(len(dealt), len(whole) + 1))
        tally[next((number for number in numbers if number is not None), VOID)] += 1
    return {number: Fraction(some, tally.total()) for number, some in tally.items()}


def by_enumeration(procedure: Procedure[Any], shoe: Shoe, dealt: Sequence[Card] = ()) -> Chances:
    """The plain way of the package itself, card by card."""
    left = shoe.without(dealt)
    deals = perm(left.size, min(left.size, procedure.cards_max - len(dealt)))
    hands = deal_so_far(procedure, dealt)
    counted = count(procedure, left, (hands.hand(0), hands.hand(1)))
    found = {number: Fraction(some, deals) for number, some in counted.items() if some}
    void = 1 - sum(found.values(), Fraction(0))
    return found | {VOID: void} if void else found


def by_next_card(procedure: Procedure[Any], shoe: Shoe, dealt: Sequence[Card] = ()) -> Chances:
    """The law of total probability: each card that can come next, by how likely it is."""
    left = shoe.without(dealt)
    found: Chances = {}
    for each, some in zip(DECK, left.counts, strict=True):
        if some:
            for number, chance in chances(ways(procedure, shoe, (*dealt, each))).items():
                found[number] = found.get(number, Fraction(0)) + chance * Fraction(some, left.size)
    return found
