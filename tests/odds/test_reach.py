"""What cards on the table leave open: wagers that are decided before the round is over (IDT-5.15, Q31)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from longhu.cards import DECK, Card, Shoe, cards
from longhu.deal.procedure import deal_out, deal_so_far
from longhu.games.game import Game
from longhu.money import Money
from longhu.odds.figures import WagerStanding, wager_odds
from longhu.odds.reach import CARDS_NOT_A_ROUND, Exposed, decided, reachable
from longhu.odds.ways import ways
from longhu.settlement import settle
from tests.odds.shoes import baccarat, dealt_from, game_of, one_card, physical, twenty_one
from tests.rounds import refused
from tests.test_every_game import AS_FILED, Edition

IDT = game_of("immortal-dragon-tiger")


def lying(first: str, second: str) -> Exposed:
    """Two hands as they lie; `?` is a card face down.

    >>> lying("? KS", "")
    ([None, KS], [])
    """
    one, other = ([None if each == "?" else cards(each)[0] for each in hand.split()] for hand in (first, second))
    return one, other


def told(game: Game, first: str, second: str, layout: str | None = None) -> dict[str, str]:
    """The wagers that are decided already, and how."""
    found = decided(game, lying(first, second), layout)
    return {id: each.value for id, each in found.items() if each is not WagerStanding.OPEN}


# ------------------------------------------------ a power failure


def test_on_layout_a_bankers_two_cards_alone_decide_nothing() -> None:
    assert told(IDT, "? ?", "KD 6C", "A") == {}


@pytest.mark.parametrize("layout", ["B", "D", "E"])
def test_where_pairs_are_offered_bankers_two_cards_decide_banker_pair(layout: str) -> None:
    assert told(IDT, "? ?", "KD 6C", layout) == {"banker-pair": "lost"}
    assert told(IDT, "? ?", "3D 3C", layout)["banker-pair"] == "won"


@pytest.mark.parametrize("layout", list("ABCDE"))
def test_players_king_and_two_lose_small_dragon(layout: str) -> None:
    assert told(IDT, "KS 2D", "? ?", layout)["small-dragon"] == "lost"


@pytest.mark.parametrize("first", [card for card in DECK if card.suit.value == "S"], ids=str)
def test_players_two_cards_always_decide_one_of_the_dragons(first: Card) -> None:
    """Small Dragon needs a two-card 7, Big Dragon a three-card one (Q31)."""
    for second in DECK[13:26]:
        found = told(IDT, f"{first} {second}", "? ?", "A")
        assert "lost" in (found.get("small-dragon"), found.get("big-dragon"))


def test_nothing_is_decided_before_a_card_is_seen() -> None:
    for exposed in (lying("", ""), lying("? ?", "? ?")):
        assert set(decided(IDT, exposed).values()) == {WagerStanding.OPEN}


def test_a_third_card_face_down_tells_that_it_was_drawn() -> None:
    """Whoever sees that Player has three cards knows that nobody had a natural."""
    found = told(IDT, "? ? ?", "? ?")
    assert (found["small-dragon"], "big-dragon" in found) == ("lost", False)
    assert told(IDT, "? ?", "? ? ?")["small-tiger"] == "lost"


def test_a_wager_is_decided_when_it_pays_the_same_whatever_comes() -> None:
    game = game_of("dragon-tiger")
    assert told(game, "KS", "") == {"dragon-big": "won", "dragon-small": "lost"}
    assert told(game, "?", "3D") == {"tiger-big": "lost", "tiger-small": "won"}
    assert told(game, "7S", "") == {"dragon-big": "lost", "dragon-small": "lost"}
    assert told(game, "9S", "9H")["dragon"] == "lost"  # half of it
    assert WagerStanding.of(set()) is WagerStanding.OPEN


def test_a_card_that_was_drawn_tells_of_those_face_down() -> None:
    """Banker's 6 drew a card, so Player's cards are not 8 and 8: against another 6 Banker would have stood."""
    assert "player-pair" not in told(IDT, "8S ?", "8H 8C")
    assert told(IDT, "8S ?", "8H 8C 8D")["player-pair"] == "lost"


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        (IDT, "5D 2C KS", "? ?"),  # 7 stands
        (IDT, "5D 3C ?", "? ?"),  # so does a natural
        (IDT, "2D 2C ? ?", "? ?"),
        (IDT, "KS 2D 8S", "KD 3C ?"),  # 3 stands against an 8
        (game_of("dragon-tiger"), "KS KD", ""),
        (game_of("dragon-21"), "AS KD 2C", ""),
        (game_of("dragon-21"), "TS KD 2C", ""),
    ],
)
def test_cards_that_no_round_can_have_are_refused(game: Game, first: str, second: str) -> None:
    with refused(CARDS_NOT_A_ROUND):
        reachable(game.procedure, lying(first, second))


# ------------------------------------------------ reached, and counted


def some_round(game: Game, seed: int) -> Sequence[Card]:
    shoe = Shoe.of_decks(8)
    order = Random(seed).sample(physical(shoe), game.procedure.cards_max)
    return dealt_from(game.procedure, shoe, order)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("edition", AS_FILED, ids=str)
def test_what_can_be_reached_is_what_is_counted_from_a_full_shoe(edition: Edition, seed: int) -> None:
    game, drawn = edition.game, some_round(edition.game, seed)
    least = 3 if game.procedure.name == "twenty-one" else 0  # from fewer cards twenty-one takes its time
    for length in range(least, len(drawn) + 1):
        dealt = deal_so_far(game.procedure, drawn[:length])
        counted = ways(game.procedure, Shoe.of_decks(8), drawn[:length])
        exposed = dealt.hand(0), dealt.hand(1)
        assert reachable(game.procedure, exposed) == counted.reachable(game.outcomes.size)
        told = {id: wager_odds(wager, counted).decided for id, wager in game.offered(None).items()}
        assert told == decided(game, exposed)


def test_twenty_one_can_reach_from_two_cards_what_is_counted() -> None:
    procedure = twenty_one()
    counted = ways(procedure, Shoe.of_decks(8), cards("6S AD"))
    assert reachable(procedure, lying("6S", "AD")) == counted.reachable(procedure.outcomes().size)


@pytest.mark.parametrize("banker", ["KD 6C", "4H 4C", "9S 8D"])
def test_a_card_face_down_may_be_any_card(banker: str) -> None:
    """Player's two cards are put there one after the other: 169 ranks, which is all that matters to a pair."""
    procedure, (one, other), found = baccarat(), cards(banker), 0
    for first in DECK[:13]:
        for second in DECK[:13]:
            counted = ways(procedure, Shoe.of_decks(8), (first, one, second, other))
            found |= counted.reachable(procedure.outcomes().size)
    assert reachable(procedure, lying("? ?", banker)) == reachable(procedure, lying("", banker)) == found


def test_a_card_face_down_may_be_of_any_suit() -> None:
    procedure, found = one_card(suits=True), 0
    for first in DECK:
        found |= ways(procedure, Shoe.of_decks(2), (first, cards("7H")[0])).reachable(procedure.outcomes().size)
    assert reachable(procedure, lying("?", "7H")) == found


def test_a_third_card_face_down_may_be_any_that_lets_the_rest_happen() -> None:
    """Banker has 3 and drew: Player's third card was no 8."""
    procedure, found = baccarat(), 0
    for third in DECK[:13]:
        if third.rank != 8:
            drawn = (*cards("KS KD 2D 3C"), third, cards("4H")[0])
            found |= ways(procedure, Shoe.of_decks(8), drawn).reachable(procedure.outcomes().size)
    assert reachable(procedure, lying("KS 2D ?", "KD 3C 4H")) == found


# ------------------------------------------------ the end


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("edition", AS_FILED, ids=str)
def test_a_finished_round_is_decided_as_it_is_settled(edition: Edition, seed: int) -> None:
    game = edition.game
    dealt = deal_out(game.procedure, some_round(game, seed))
    assert dealt.number is not None
    found = decided(game, (dealt.hand(0), dealt.hand(1)))
    assert list(found) == list(game.offered(None))
    for each in settle(game, dealt.number, dict.fromkeys(found, Money(100_00))).wagers:
        expected = WagerStanding.WON if each.net > 0 else WagerStanding.LOST if each.net < 0 else WagerStanding.PUSHED
        assert found[each.wager.id] is expected, each.wager.id
