"""Dragon 21, clause by clause: pairs and the Perfect Pair Wager."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import longhu
from longhu.api import Game
from longhu.cards import DECK, Shoe
from longhu.game_report import game_report
from longhu.games.registry import find
from longhu.paytable import game_json
from longhu.settlement import WAGER_NEEDS_ANOTHER
from longhu.table.betting import PlaceWager
from tests.clauses.live import at_table, credit, played
from tests.table.rounds import Play

GAME = longhu.game("dragon-21")

BLACKJACK = "AS KD"  # a hand after which nobody draws


def pair_on_either_side(hand: str, *, game: Game = GAME) -> set[str]:
    """What its Perfect Pair wager says of a hand, as Dragon and as Tiger."""
    stakes = {"tie": "1.00", "dragon_perfect_pair": "1.00", "tiger_perfect_pair": "1.00"}
    as_dragon, as_tiger = played(game, hand, BLACKJACK, **stakes), played(game, BLACKJACK, hand, **stakes)
    return {as_dragon["dragon-perfect-pair"].says, as_tiger["tiger-perfect-pair"].says}


# ---------------------------------------------------------------- 1.0 Interpretation


@pytest.mark.clause("D21-1.0-COLOURED-PAIR")
def test_a_coloured_pair_has_one_colour_and_two_suits() -> None:
    assert pair_on_either_side("9H 9D") == pair_on_either_side("9S 9C") == {"Coloured pair"}
    assert "Coloured pair" not in pair_on_either_side("9H 9H") | pair_on_either_side("9H 9S")


@pytest.mark.clause("D21-1.0-MIXED-PAIR")
def test_a_mixed_pair_is_red_and_black() -> None:
    assert pair_on_either_side("4H 4S") == pair_on_either_side("4D 4C") == {"Mixed pair"}
    assert "Mixed pair" not in pair_on_either_side("4H 4D")


@pytest.mark.clause("D21-1.0-PERFECT-PAIR")
def test_a_perfect_pair_has_one_suit() -> None:
    assert pair_on_either_side("QH QH") == {"Perfect pair"}
    assert "Perfect pair" not in pair_on_either_side("QH QD")


@pytest.mark.clause("D21-1.0-PAIR")
def test_a_pair_has_one_face_and_ten_with_king_is_none() -> None:
    """Q25: under the other reading two cards of ten points are a pair too."""
    by_points = longhu.game("dragon-21", pair_basis="points")
    assert pair_on_either_side("TS TD") == {"Mixed pair"}
    assert pair_on_either_side("TS KD") == {"No pair"}
    assert pair_on_either_side("TS KD", game=by_points) == {"Mixed pair"}
    assert pair_on_either_side("9S KD", game=by_points) == {"No pair"}


# ---------------------------------------------------------------- 11A Perfect Pair Wagers


@pytest.mark.clause("D21-1.0-PERFECT-PAIR-WAGER", "D21-11Aa")
def test_the_perfect_pair_wager_is_there_for_each_hand_and_may_be_switched_off() -> None:
    without = longhu.game("dragon-21", perfect_pair="off")
    pairs = {"dragon-perfect-pair": "Dragon Pair", "tiger-perfect-pair": "Tiger Pair"}
    assert {id: GAME.wagers[id].label.en for id in GAME.layouts["standard"].wagers if GAME.wagers[id].optional} == pairs
    assert played(GAME, "8H 8H +2C", "TC 7C", dragon="10.00").net == "10.00", "a round without it runs as ever"
    assert played(without, "8H 8H +2C", "TC 7C", dragon="10.00").net == "10.00"
    play = at_table(without)
    play.bet("ann", "dragon", "10.00")
    for pair in pairs:
        assert play.refused(PlaceWager, "ann", place=1, wager=pair, amount=500).reason.code == "wager-not-offered"


@pytest.mark.clause("D21-11Aa")
def test_a_table_may_leave_the_perfect_pair_wager_out() -> None:
    """It is optional: a table whose notice has no limits for it opens, and takes none."""
    limits = {id: limit for id, limit in at_table(GAME).settings.limits.items() if not GAME.wagers[id].optional}
    play = Play("dragon-21", limits=limits)
    play.open_betting()
    play.bet("ann", "dragon", "10.00")
    for pair in ("dragon-perfect-pair", "tiger-perfect-pair"):
        assert play.refused(PlaceWager, "ann", place=1, wager=pair, amount=500).reason.code == "wager-not-offered"


@pytest.mark.clause("D21-11Ab", "D21-11Aa")
@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ("8H 8H", "Perfect pair"),
        ("8H 8D", "Coloured pair"),
        ("8H 8S", "Mixed pair"),
        ("8H 9H", "No pair"),
        ("8H 8H +8S", "Perfect pair"),
        ("8H 8S +8H", "Mixed pair"),
        ("8H 2C +8H", "No pair"),
        ("4H 5C +5C 4H", "No pair"),
    ],
)
def test_the_first_two_cards_of_the_chosen_hand_decide_its_perfect_pair(hand: str, says: str) -> None:
    other = "TC 7C" if "+" in hand or hand == "8H 9H" else BLACKJACK
    stakes = {"tie": "5.00", "dragon_perfect_pair": "5.00", "tiger_perfect_pair": "5.00"}
    as_dragon, as_tiger = played(GAME, hand, other, **stakes), played(GAME, other, hand, **stakes)
    assert as_dragon["dragon-perfect-pair"].says == as_tiger["tiger-perfect-pair"].says == says
    assert as_dragon["tiger-perfect-pair"].says == as_tiger["dragon-perfect-pair"].says == "No pair"


@pytest.mark.clause("D21-11Ac")
@pytest.mark.parametrize(
    ("hand", "back"), [("KH KH", "260.00"), ("KH KD", "130.00"), ("KH KS", "70.00"), ("KH QH", "0.00")]
)
def test_a_perfect_pair_pays_25_12_or_6_to_1(hand: str, back: str) -> None:
    assert credit(GAME, hand, "TC 7C", "dragon_perfect_pair", "10.00", tie="5.00") == back
    assert credit(GAME, "TC 7C", hand, "tiger_perfect_pair", "10.00", tie="5.00") == back


@pytest.mark.clause("D21-11Ac")
@pytest.mark.parametrize("side", ["dragon", "tiger"])
def test_the_chances_of_a_perfect_pair_in_eight_decks(side: str) -> None:
    """By every first card and every second: 16, 8 and 7 in 415, and 17 in 415 for the house."""
    shoe, pair = Shoe.of_decks(8), f"{side}-perfect-pair"
    ways: Counter[str] = Counter()
    expectation = Fraction(0)
    for first, second in product(DECK, repeat=2):
        hands = [f"{first} {second}", BLACKJACK]
        dragon, tiger = hands if side == "dragon" else reversed(hands)
        paid = played(GAME, dragon, tiger, tie="1.00", **{pair: "1.00"})[pair]
        both = shoe.count(first) * shoe.without([first]).count(second)
        ways[paid.says] += both
        expectation += both * Fraction(paid.net)
    deals = 416 * 415
    assert {says: Fraction(count, deals) for says, count in ways.items()} == {
        "Mixed pair": Fraction(16, 415),
        "Coloured pair": Fraction(8, 415),
        "Perfect pair": Fraction(7, 415),
        "No pair": Fraction(384, 415),
    }
    assert -expectation / deals == Fraction(17, 415)
    assert f"{float(Fraction(17, 415)):.4%}" == "4.0964%"


@pytest.mark.clause("D21-11Ac")
def test_the_odds_of_a_perfect_pair_are_a_line_that_the_house_may_edit(tmp_path: Path) -> None:
    path = tmp_path / "dragon-21.toml"
    path.write_text(find("dragon-21").read_text(encoding="utf-8").replace('"25:1"', '"30:1"'), encoding="utf-8")
    assert credit(longhu.load(path), "KH KH", "TC 7C", "dragon_perfect_pair", "10.00", tie="5.00") == "310.00"


@pytest.mark.clause("D21-11Ad", "D21-11Aa")
@pytest.mark.parametrize("pair", ["dragon-perfect-pair", "tiger-perfect-pair"])
def test_a_perfect_pair_stands_only_beside_dragon_tiger_or_tie(pair: str) -> None:
    """Q23: a house may let it stand alone."""
    play = at_table(GAME)
    for alone in "dragon-perfect-pair", "tiger-perfect-pair":
        refusal = play.refused(PlaceWager, "ann", "D21-11Aa", place=1, wager=alone, amount=500)
        assert refusal.reason == WAGER_NEEDS_ANOTHER(wager=alone, others=["dragon", "tiger", "tie"])
    for beside in ("dragon", "tiger", "tie"):
        assert played(GAME, "KH KH", "TC 7C", **{beside: "5.00", pair: "5.00"})[pair].stake == "5.00"

    may_stand_alone = longhu.game("dragon-21", pp_alone="yes")
    assert played(may_stand_alone, "KH KH", "KH KH", **{pair: "5.00"}).net == "125.00"


@pytest.mark.clause("D21-11Ac")
def test_the_notice_the_rules_and_the_game_page_say_that_the_terms_of_a_pair_are_the_houses() -> None:
    pairs = ("dragon-perfect-pair", "tiger-perfect-pair")
    assert Play("dragon-21", people={}).notice.house_terms == pairs
    rules = game_json(longhu.game("dragon-21").definition)["wagers"]
    assert tuple(id for id, wager in rules.items() if wager["house_terms"]) == pairs
    without = longhu.game("dragon-21", perfect_pair="off").definition
    assert Play(without, people={}).notice.house_terms == ()
    assert Play("dragon-tiger", people={}).notice.house_terms == ()
    told = str(game_report(longhu.game("dragon-21").definition))
    assert told.count("without its terms; they are the house's") == 2
