"""The compiled kernels deal what the procedures say, card by card."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import settings

from longhu.deal.baccarat import Baccarat
from longhu.deal.one_card import OneCard
from longhu.deal.pairs import PairBasis
from longhu.deal.procedure import Procedure
from longhu.deal.twenty_one import TwentyOne
from longhu.games.registry import built_in, find, load_game
from longhu.simulate.dealers import ByShoe, Dealer, Tally, _General, dealer_of
from tests.simulate.emulated import Suits, fresh_of_lanes, fresh_of_places, pairs, shoes_of_lanes, walked

SEED, BLOCK = 20261116, 3


def procedure(id: str) -> Procedure[Any]:
    return load_game(find(id)).procedure


def counted(tally: Tally) -> Counter[int]:
    return Counter({int(ending): int(tally[ending]) for ending in np.flatnonzero(tally)})


@pytest.mark.parametrize(("id", "cards"), [("immortal-dragon-tiger", 6), ("dragon-tiger", 2)])
@pytest.mark.parametrize("decks", [4, 8])
def test_a_fresh_shoe_for_every_round(id: str, cards: int, decks: int) -> None:
    rules = procedure(id)
    dealt = dealer_of(rules, decks).fresh(SEED, BLOCK, 1001, decks)
    assert counted(dealt[0]) == fresh_of_places(rules, SEED, BLOCK, 1001, decks, cards)


@pytest.mark.parametrize("decks", [4, 8])
def test_twenty_one_from_fresh_shoes(decks: int) -> None:
    rules = procedure("dragon-21")
    dealt = dealer_of(rules, decks).fresh(SEED, BLOCK, 1001, decks)
    assert counted(dealt[0]) == fresh_of_lanes(rules, SEED, BLOCK, 1001, decks)


SHOES = {
    "to the cutting card": ByShoe(cut=30),
    "with burn cards, rounds behind the cut, in four depths": ByShoe(cut=80, burn=9, after=2, per_depth=9, depths=4),
}


@pytest.mark.parametrize("how", SHOES.values(), ids=list(SHOES))
@pytest.mark.parametrize("id", ["immortal-dragon-tiger", "dragon-tiger", "dragon-21"])
def test_shoe_by_shoe(id: str, how: ByShoe) -> None:
    decks, rules = 4, procedure(id)
    dealt = dealer_of(rules, decks).shoes(SEED, BLOCK, 32, decks, how)
    assert [counted(row) for row in dealt] == _shoes(rules, 32, decks, how)


def _shoes(rules: Procedure[Any], shoes: int, decks: int, how: ByShoe) -> list[Counter[int]]:
    end = 52 * decks - how.cut - how.burn
    need = end + rules.cards_max * (how.after + 1) + 1 & ~1
    if rules.cards_max == 2:
        need = 2 * (-(-end // 2) + how.after)
    rows, suits = [Counter[int]() for _ in range(how.depths)], Suits(SEED, BLOCK)
    for dealt in shoes_of_lanes(SEED, BLOCK, shoes, decks, need):
        for ranks in dealt:
            left: dict[int, list[int]] = {rank: [decks] * 4 for rank in range(13)}

            def marks(place: int, ranks: list[int] = ranks, left: dict[int, list[int]] = left) -> tuple[int, int]:
                if rules.cards_max == 2:
                    return 0, 0
                alike, both = pairs(ranks[place : place + 4]), [0, 0]
                for hand in (0, 1):
                    if alike[hand]:
                        both[hand] = suits.pair(left[ranks[place + hand]]) if rules.marks == 4 else 1
                return both[0], both[1]

            for _, number, ending in walked(rules, ranks, end, how.after, marks):
                rows[min(number // how.per_depth, how.depths - 1)][ending] += 1
    return rows


ODD = {
    "baccarat with kinds of pair": Baccarat,
    "one card with suits": OneCard,
    "twenty-one with pairs by points": TwentyOne,
}


def _odd(kind: type) -> Procedure[Any]:
    """A procedure that the lanes do not know."""
    if kind is OneCard:
        usual = cast(OneCard, procedure("dragon-tiger"))
        return OneCard(usual.hands, suits=True)
    if kind is Baccarat:
        baccarat = cast(Baccarat, procedure("dragon-bonus"))
        return Baccarat(baccarat.hands, baccarat.play, suits=True)
    twenty_one = cast(TwentyOne, procedure("dragon-21"))
    return TwentyOne(twenty_one.hands, pair_basis=PairBasis.POINTS, suits=True)


@pytest.mark.parametrize("kind", ODD.values(), ids=list(ODD))
def test_whatever_the_lanes_do_not_know_is_dealt_from_tables(kind: type) -> None:
    """Held against the exact odds, ending by ending: no one is off by more than chance."""
    from longhu.cards import Shoe
    from longhu.odds.ways import ways

    rules = _odd(kind)
    dealer = dealer_of(rules, 6)
    assert isinstance(dealer, _General)
    _agrees(dealer.fresh(SEED, BLOCK, 400_000, 6)[0], ways(rules, Shoe.of_decks(6)).of)


def _agrees(tally: Tally, exact: Any) -> None:
    """A chi-square over the endings, rare ones together, at one in a million; and nothing that cannot be."""
    rounds, deals = int(tally.sum()), sum(exact.values())
    assert all(int(ending) in exact for ending in np.flatnonzero(tally))
    expected = {ending: rounds * count / deals for ending, count in exact.items()}
    common = [ending for ending, mean in expected.items() if mean >= 20]
    rare = rounds - sum(expected[ending] for ending in common)
    found_rare = rounds - sum(int(tally[ending]) for ending in common)
    squares = sum((int(tally[ending]) - expected[ending]) ** 2 / expected[ending] for ending in common)
    squares += (found_rare - rare) ** 2 / rare if rare > 1 else 0.0
    freedom = len(common)
    assert abs(squares - freedom) < 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("id", list(built_in()))
def test_the_tables_and_the_lanes_deal_the_same_game(id: str) -> None:
    from longhu.cards import Shoe
    from longhu.odds.ways import ways

    rules = procedure(id)
    exact = ways(rules, Shoe.of_decks(8)).of
    dealers: list[Dealer] = [dealer_of(rules, 8), _General(rules)]
    for dealer in dealers:
        _agrees(dealer.fresh(SEED, BLOCK, 1_000_000, 8)[0], exact)
    assert not isinstance(dealers[0], _General)


OTHER_MACHINE = """
import json, sys
from longhu.games.registry import find, load_game
from longhu.simulate.dealers import ByShoe, dealer_of
from longhu.simulate.kernels.vectors import AVX2
told = {"avx2": AVX2}
for id in sys.argv[1:]:
    dealer = dealer_of(load_game(find(id)).procedure, 8)
    fresh, shoes = dealer.fresh(7, 1, 5000, 8), dealer.shoes(7, 1, 16, 8, ByShoe(cut=60, depths=2, per_depth=30))
    told[id] = [[int(n) for n in row] for row in (*fresh, *shoes)]
print(json.dumps(told))
"""


OLDER = {"the plainest": ("x86-64", ""), "2008": ("nehalem", "+sse2,+sse3,+ssse3,+sse4.1,+sse4.2,+popcnt")}
MACHINES = [*OLDER][
    : 1 if settings().max_examples < 1000 else None
]  # the others in the soak: each compiles everything anew


@cache
def _dealt_by(ids: tuple[str, ...], settings: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """What a process of its own deals under these settings of the compiler."""
    program, env = [sys.executable, "-c", OTHER_MACHINE, *ids], {**os.environ, **dict(settings)}
    told: dict[str, Any] = json.loads(subprocess.run(program, env=env, check=True, capture_output=True).stdout)
    return told


@pytest.mark.parametrize("machine", MACHINES)
def test_a_machine_without_avx2_deals_the_same(machine: str) -> None:
    """Compiled for an older machine, the same source gives the same tallies."""
    ids = ["dragon-bonus", "dragon-21"]
    older = dict(zip(("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"), OLDER[machine], strict=True))
    both = [_dealt_by(tuple(ids), ()), _dealt_by(tuple(ids), tuple(older.items()))]
    assert not both[1]["avx2"]
    for id in ids:
        assert both[0][id] == both[1][id]
