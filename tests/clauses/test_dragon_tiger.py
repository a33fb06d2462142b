"""Dragon Tiger, clause by clause."""

from __future__ import annotations

from itertools import combinations

import pytest

import longhu
from longhu.cards import DECK, RANKS, SUITS, CardError, Shoe, card
from longhu.games.game import ODDS, Result
from longhu.settlement import SettlementError
from tests.rounds import credit, played

GAME = longhu.game("dragon-tiger")
DEFINITION = GAME.definition


def result(dragon: str, tiger: str, wager: str) -> str:
    return played(GAME, dragon, tiger, **{wager: "10.00"})[wager].result


@pytest.mark.clause("DT-1.1")
def test_a_tie_here_is_not_a_tie_of_dragon_21() -> None:
    """Terms belong to their game: two kings tie at Dragon Tiger, and 10 with K is no equal rank."""
    assert played(GAME, "KS", "KH").winner is None
    assert played(GAME, "TS", "KH").winner == "tiger"
    assert longhu.game("dragon-21").settle("TS KH 8S 8H").winner is None


@pytest.mark.clause("DT-1.1.1", "DT-3.9a", "DT-3.9b")
@pytest.mark.parametrize("rank", RANKS)
def test_big_is_8_and_higher(rank: str) -> None:
    expected = "win" if rank in "89TJQK" else "lose"
    assert result(f"{rank}S", "2H", "dragon-big") == expected
    assert result("2H", f"{rank}S", "tiger-big") == expected


@pytest.mark.clause("DT-1.1.3", "DT-3.10a", "DT-3.10b")
@pytest.mark.parametrize("rank", RANKS)
def test_small_is_6_and_lower_and_7_is_neither(rank: str) -> None:
    expected = "win" if rank in "A23456" else "lose"
    assert result(f"{rank}S", "2H", "dragon-small") == expected
    assert result("2H", f"{rank}S", "tiger-small") == expected


@pytest.mark.clause("DT-1.1.4", "DT-3.8a")
def test_a_tie_is_two_cards_of_one_rank() -> None:
    assert played(GAME, "JS", "JH").winner is None
    assert played(GAME, "JS", "QH").winner == "tiger"
