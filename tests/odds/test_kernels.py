"""The compiled kernels against the plain counters: the same integers, for hundreds of shoes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import longhu
from longhu.cards import DECK, Shoe
from longhu.deal.baccarat import Baccarat
from longhu.deal.pairs import PairBasis
from longhu.deal.twenty_one import TwentyOne
from longhu.games.game import Game
from longhu.odds import enumeration
from longhu.odds.figures import wager_odds
from longhu.odds.sweep import BaccaratSweep, expectations, value_counts, ways_of_many
from longhu.odds.ways import ways


def game(id: str, **readings: str) -> Game:
    return longhu.game(id, **readings).definition


def procedure_of(id: str, **readings: str) -> Any:
    return game(id, **readings).procedure


def random_shoes(count: int, seed: int, most: int = 8) -> list[Shoe]:
    """Shoes of all sizes: nearly full, thin, with whole ranks missing, and a few cards only."""
    chance = random.Random(seed)
    shoes = []
    for _ in range(count):
        held = [chance.randint(0, most) for _ in DECK]
        if chance.random() < 0.5:
            held = [some if chance.random() < 0.4 else 0 for some in held]
        if chance.random() < 0.3:
            gone = chance.randrange(13)
            held = [0 if place % 13 == gone else some for place, some in enumerate(held)]
        shoes.append(Shoe(tuple(held)))
    return shoes


BACCARATS = {
    "common": procedure_of("immortal-dragon-tiger"),
    "printed row": procedure_of("dragon-bonus-online", banker_0_2_vs_8="stand"),
    "pairs by points": replace(procedure_of("immortal-dragon-tiger"), pair_basis=PairBasis.POINTS),
    "tens with pictures": replace(procedure_of("immortal-dragon-tiger"), pair_basis=PairBasis.POINTS_EXCEPT_PICTURES),
    "kinds of pair": replace(procedure_of("immortal-dragon-tiger"), suits=True),
}


@pytest.mark.parametrize("procedure", BACCARATS.values(), ids=BACCARATS)
def test_baccarat_kernel_and_plain_counter_agree_as_integers(procedure: Baccarat) -> None:
    shoes = random_shoes(12, seed=11)
    assert list(ways_of_many(procedure, shoes, compiled=True)) == [ways(procedure, shoe) for shoe in shoes]


def test_baccarat_kernel_on_full_shoes_from_one_to_ten_decks() -> None:
    procedure = BACCARATS["common"]
    shoes = [Shoe.of_decks(decks) for decks in range(1, 11)]  # nine and ten are beyond doubles: counted the plain way
    assert list(ways_of_many(procedure, shoes, compiled=True)) == [ways(procedure, shoe) for shoe in shoes]


def test_baccarat_kernel_leaves_shoes_that_cannot_finish_a_round_to_the_plain_counter() -> None:
    procedure = BACCARATS["common"]
    shoes = [Shoe.of_counts({"AS": 2, "9H": 1}), Shoe.of_counts({"5C": 4, "6C": 1}), Shoe.of_decks(2)]
    counted = list(ways_of_many(procedure, shoes, compiled=True))
    assert [each.void > 0 for each in counted] == [True, True, False]
    assert counted == [ways(procedure, shoe) for shoe in shoes]


TWENTY_ONES = {
    "as printed": procedure_of("dragon-21"),
    "pairs by points": replace(procedure_of("dragon-21"), pair_basis=PairBasis.POINTS),
    "without suits": replace(procedure_of("dragon-21"), suits=False),
    "draws to 14": replace(procedure_of("dragon-21"), draws_to=14),
}


@pytest.mark.parametrize("procedure", TWENTY_ONES.values(), ids=TWENTY_ONES)
def test_twenty_one_kernel_and_plain_counter_agree_as_integers(procedure: TwentyOne) -> None:
    shoes = [*random_shoes(1, seed=5), Shoe.of_decks(10)]
    assert list(ways_of_many(procedure, shoes, compiled=True)) == [ways(procedure, shoe) for shoe in shoes]


def test_twenty_one_kernel_and_enumeration_agree_on_few_cards() -> None:
    procedure = TWENTY_ONES["as printed"]
    chance = random.Random(7)
    few = [chance.choices(("AS", "AH", "TD", "KC", "2S", "6H", "9D"), k=8) for _ in range(12)]
    shoes = [Shoe.of_counts({card: cards.count(card) for card in cards}) for cards in few]
    for shoe, counted in zip(shoes, ways_of_many(procedure, shoes, compiled=True), strict=True):
        found = enumeration.count(procedure, shoe)
        assert counted.of == {number: found[number] for number in sorted(found) if found[number]}


def test_rules_that_are_too_wide_for_the_kernel_are_counted_the_plain_way() -> None:
    procedure: Any = replace(procedure_of("dragon-21"), draws_to=20)
    shoe = Shoe.of_counts({"AS": 8, "5D": 2})
    assert list(ways_of_many(procedure, [shoe], compiled=True)) == [ways(procedure, shoe)]


# ------------------------------------------------ one wager over many shoes


def test_a_sweep_is_exact_in_whole_numbers() -> None:
    """Player wins less Banker wins, as an integer: every net is 1, 0 or -1, so doubles hold it exactly."""
    definition = game("dragon-bonus")
    wager = definition.wagers["player"]
    shoes = [shoe for shoe in random_shoes(40, seed=3) if 6 <= shoe.size <= 458]
    polynomial = BaccaratSweep(definition, wager)
    sums = polynomial.sums(value_counts(shoes))
    assert polynomial.scale == 1
    for shoe, found in zip(shoes, sums, strict=True):
        counted = ways(definition.procedure, shoe)
        assert Fraction(int(found), counted.deals) == wager_odds(wager, counted).ev


SWEPT = [
    (id, wager) for id in ("immortal-dragon-tiger", "dragon-bonus", "dragon-tiger") for wager in longhu.game(id).wagers
]


@pytest.mark.parametrize(("id", "wager"), SWEPT)
def test_a_sweep_gives_each_shoe_its_expectation(id: str, wager: str) -> None:
    definition = game(id)
    shoes = [*random_shoes(12, seed=17), Shoe.of_counts({"AS": 3}), Shoe.of_decks(10)]
    found = longhu.game(id).sweep(wager, shoes)
    exact = [float(wager_odds(definition.wagers[wager], ways(definition.procedure, shoe)).ev) for shoe in shoes]
    assert found == pytest.approx(exact, rel=1e-12, abs=1e-14)


def test_an_empty_sweep_is_empty() -> None:
    definition = game("dragon-bonus")
    assert list(expectations(definition, definition.wagers["tie"], [])) == []
    assert list(ways_of_many(definition.procedure, [], compiled=True)) == []


def test_a_wager_on_pairs_is_no_polynomial_in_the_values() -> None:
    definition = game("immortal-dragon-tiger")
    with pytest.raises(ValueError, match="is no polynomial"):
        BaccaratSweep(definition, definition.wagers["player-pair"])


def test_a_sweep_refuses_an_unknown_wager() -> None:
    with pytest.raises(KeyError, match="has no wager 'bankr'"):
        longhu.game("dragon-bonus").sweep("bankr", [Shoe.of_decks(8)])


# ------------------------------------------------ compiling


def test_the_first_call_ever_says_that_it_compiles_and_later_ones_do_not(tmp_path: Path) -> None:
    program = (
        "import longhu; from longhu.cards import Shoe;"
        "print(longhu.game('dragon-bonus').sweep('tie', [Shoe.of_decks(8)])[0])"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    runs = [
        subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300)
        for _ in range(2)
    ]
    assert [run.returncode for run in runs] == [0, 0]
    assert "compiling the kernels" in runs[0].stderr
    assert runs[1].stderr == ""
    assert runs[0].stdout == runs[1].stdout
    assert np.isclose(float(runs[0].stdout), -0.14359637)
