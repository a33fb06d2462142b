"""Dragon 21, clause by clause: what the words mean, how the cards are dealt, what the layout shows.

The wagers and what they pay are in test_dragon_21_wagers, pairs and the Perfect Pair Wager in test_dragon_21_pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import longhu
from longhu.api import Game
from longhu.cards import DECK, Card, cards
from longhu.cli.main import main
from longhu.deal.procedure import CARDS_LEFT_OVER, HAND_NEEDS_CARD, Dealt, deal_so_far
from longhu.deal.twenty_one import DRAWS_UP_TO, TwentyOneHand
from longhu.games.game import Layout
from longhu.games.registry import find
from longhu.settlement import DECKS_OUTSIDE_RANGE, check_decks
from longhu.transcript import transcript
from tests.rounds import credit, in_dealing_order, played, refused

GAME = longhu.game("dragon-21")
DEFINITION = GAME.definition
WITHOUT_PERFECT_PAIR = longhu.game("dragon-21", perfect_pair="off")

TWENTY = "TS TH"  # a hand that stands and lets the other have its cards


def dealt(dragon: str, tiger: str) -> Dealt:
    """The round as far as these cards go; it may want more."""
    return deal_so_far(DEFINITION.procedure, cards(in_dealing_order(dragon, tiger)))


def draws_next(dragon: str, tiger: str) -> str | None:
    """Whose card is next, or None when the round is complete."""
    hand = dealt(dragon, tiger).due.hand
    return None if hand is None else DEFINITION.procedure.hands[hand].en


# ---------------------------------------------------------------- the edition


@pytest.fixture
def house_edition(tmp_path: Path) -> Callable[[str, str], Game]:
    """The game file with one passage written anew, as a house would do it."""

    def edition(old: str, new: str) -> Game:
        text = find("dragon-21").read_text(encoding="utf-8")
        assert old in text
        path = tmp_path / "dragon-21.toml"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return longhu.load(path)

    return edition


@pytest.mark.clause("D21-0")
def test_a_round_keeps_its_edition_when_another_one_comes(house_edition: Callable[[str, str], Game]) -> None:
    ours = GAME.settle("TS 9C TD 9H", dragon="10.00")
    told = str(ours)
    official = house_edition('version = "longhu-1"', 'version = "official-2027"')
    theirs = official.settle("TS 9C TD 9H", dragon="10.00")

    assert DEFINITION.effective is None
    assert (ours.settled.game.version, theirs.settled.game.version) == ("longhu-1", "official-2027")
    assert ours.settled.game.digest != theirs.settled.game.digest
    assert str(ours) == told


# ---------------------------------------------------------------- 1.0 Interpretation


@pytest.mark.clause("D21-1.0")
@pytest.mark.parametrize("mbs", ["dragon-tiger", "immortal-dragon-tiger"])
def test_a_void_hand_is_no_void_round(mbs: str) -> None:
    """Here the word has its own definition; in the MBS games "void" is only what is done about an irregularity."""
    void_hand = DEFINITION.cites["void-hand"]
    assert void_hand == ("D21-1.0-VOID-HAND",)
    assert "void-hand" not in longhu.game(mbs).definition.cites
    for game in (DEFINITION, longhu.game(mbs).definition):
        voided = [rule.clauses for rule in game.irregularities.values() if rule.remedy == "void"]
        assert voided
        assert not any(set(void_hand) & set(clauses) for clauses in voided)


@pytest.mark.clause("D21-1.0-BLACKJACK")
@pytest.mark.parametrize(
    ("hand", "blackjack"),
    [
        ("AS KD", True),
        ("TC AH", True),
        ("JH AD", True),
        ("AS 5D +5C", False),
        ("7S 7D +7C", False),
        ("TS 6D +5C", False),
        ("5S 5D +AH", False),
    ],
)
def test_blackjack_is_an_ace_and_a_ten_dealt_first(hand: str, blackjack: bool) -> None:
    for round, side in (played(GAME, hand, TWENTY), "dragon"), (played(GAME, TWENTY, hand), "tiger"):
        assert round.totals[side] == 21
        assert DEFINITION.outcomes.describe(round.settled.number)[f"{side}.blackjack"] is blackjack


@pytest.mark.clause("D21-1.0-TIE")
def test_a_tie_is_equal_counts_once_every_card_is_dealt() -> None:
    tie = played(GAME, "TS 8D", "9C 9H")
    assert (tie.winner, tie.totals) == (None, {"dragon": 18, "tiger": 18})

    even_so_far = dealt("5S 9D", "7C 7H")
    assert (even_so_far.totals, even_so_far.number) == ((14, 14), None)
    draws = DRAWS_UP_TO(hand="dragon", total=14, limit=16)
    with refused(HAND_NEEDS_CARD, given=4, hand="dragon", reason=draws):
        played(GAME, "5S 9D", "7C 7H")
    assert played(GAME, "5S 9D +6C", "7C 7H +5H").winner == "dragon"


@pytest.mark.clause("D21-8.0b", "D21-1.0-DRAGONS-HAND", "D21-1.0-TIGERS-HAND")
def test_the_first_four_cards_alternate_and_make_the_two_hands() -> None:
    initial = deal_so_far(DEFINITION.procedure, cards("9S 5H 9D 6C"))
    assert initial.hand(0) == cards("9S 9D")
    assert initial.hand(1) == cards("5H 6C")

    complete = GAME.settle("9S 5H 9D 6C KS")
    assert complete.hands == {"dragon": cards("9S 9D"), "tiger": cards("5H 6C KS")}


@pytest.mark.clause("D21-1.0-INITIAL-DEAL")
def test_the_initial_deal_is_the_first_four_cards() -> None:
    drawn = cards("9S 5H 2D 6C 8H KS")
    cited = [
        "D21-1.0-INITIAL-DEAL" in deal_so_far(DEFINITION.procedure, drawn[:count]).due.reasons[-1].clauses
        for count in range(6)
    ]
    assert cited == [True, True, True, True, False, False]
    assert [len(deal_so_far(DEFINITION.procedure, drawn[:4]).hand(hand)) for hand in (0, 1)] == [2, 2]


@pytest.mark.clause("D21-8.0a")
def test_the_deal_speaks_of_dragon_and_tiger_only() -> None:
    """The rules of Baccarat are read with Dragon for Player and Tiger for Banker."""
    assert [hand.en for hand in DEFINITION.procedure.hands] == ["Dragon", "Tiger"]
    told = transcript(played(GAME, "9S 2D +8H", "5H 6C +KS").settled)
    assert "Dragon" in told
    assert "Tiger" in told
    assert "Player" not in told
    assert "Banker" not in told


# ---------------------------------------------------------------- 3.0 Table layout


def layout_of(game: Game) -> Layout:
    (only,) = game.layouts.values()
    return only


def labels_of_a_set(game: Game) -> list[str]:
    """The words printed on the wagering areas of one set, from the dealer's side."""
    rows = [row for row in layout_of(game).rows if row.each_position]
    return [game.wagers[area].label.en for row in rows for area in row.areas]


@pytest.mark.clause("D21-3.1a")
def test_there_are_seven_sets_of_wagering_areas() -> None:
    layout = layout_of(GAME)
    assert [sets for sets in range(1, 21) if layout.positions_min <= sets <= layout.positions_max] == [7]
    assert all(row.each_position for row in layout.rows)


@pytest.mark.clause("D21-3.1b")
def test_the_dealer_sits_opposite_the_wagering_areas(capsys: pytest.CaptureFixture[str]) -> None:
    """As printed: the dealer, then the card boxes, and beyond them what patrons wager on."""
    main(["games", "show", "dragon-21"])
    _, *places = capsys.readouterr().out.split("dealer at the top")
    (beyond,) = places
    assert beyond.index("cards: Dragon") < beyond.index("cards: Tiger") < beyond.index("Dragon Pair")
    assert beyond.index("Dragon Pair") < beyond.index("Tie 和") < beyond.index("Dragon 龙 5-1")


@pytest.mark.clause("D21-1.0-DRAGONS-BOX", "D21-1.0-TIGERS-BOX")
def test_each_hand_has_one_box_which_takes_no_wagers() -> None:
    layout = layout_of(GAME)
    named = {hand.id: hand.en for hand in DEFINITION.procedure.hands}
    assert [named[place] for place in layout.places] == ["Dragon", "Tiger"]
    assert [row for row in layout.rows if not row.each_position] == [], "no wager lies on the dealer's side"


@pytest.mark.clause("D21-3.3", "D21-3.3.a", "D21-3.3.b", "D21-3.3.c")
def test_each_set_has_areas_marked_dragon_tiger_and_tie() -> None:
    assert sorted(labels_of_a_set(WITHOUT_PERFECT_PAIR)) == ["Dragon", "Tie", "Tiger"]
    assert sorted(labels_of_a_set(GAME)) == ["Dragon", "Dragon Pair", "Tie", "Tiger", "Tiger Pair"]
    for game in (GAME, WITHOUT_PERFECT_PAIR):
        backed = {wager.hand: wager.label.en for wager in game.wagers.values() if wager.hand}
        assert backed == {"dragon": "Dragon", "tiger": "Tiger"}


@pytest.mark.clause("D21-3.2")
def test_the_layout_has_three_areas_a_set_and_two_boxes_and_a_house_may_redraw_it(
    house_edition: Callable[[str, str], Game],
) -> None:
    assert layout_of(WITHOUT_PERFECT_PAIR).places == ("dragon", "tiger")
    assert labels_of_a_set(WITHOUT_PERFECT_PAIR) == ["Tie", "Dragon", "Tiger"]

    redrawn = house_edition('areas = ["dragon", "tiger"]', 'areas = ["tiger", "dragon"]')
    assert labels_of_a_set(redrawn)[-2:] == ["Tiger", "Dragon"]
    assert credit(redrawn, "TS TD", "9C 9H", "dragon", "10.00") == "20.00"


@pytest.mark.parametrize(("decks", "allowed"), [(3, False), (4, True), (6, True), (8, True), (9, False)])
def test_a_set_is_4_to_8_decks(decks: int, allowed: bool) -> None:
    """The part of 3.4(a) that a round can show; the set-ups themselves are a table's."""
    if allowed:
        assert check_decks(DEFINITION, decks) == decks
    else:
        with refused(DECKS_OUTSIDE_RANGE, decks=decks, game="dragon-21", least=4, most=8):
            check_decks(DEFINITION, decks)


# ---------------------------------------------------------------- 4.1 Point values


@pytest.mark.parametrize(
    ("hand", "total"),
    [
        pytest.param("9S 7D", 16, marks=pytest.mark.clause("D21-4.1")),
        pytest.param("5S 6D +KC", 21, marks=pytest.mark.clause("D21-4.1")),
        pytest.param("AS 6D", 17, marks=pytest.mark.clause("D21-4.1.c")),
        pytest.param("AS 5D +TC", 16, marks=pytest.mark.clause("D21-4.1.c")),
        pytest.param("5D TC +AS", 16, marks=pytest.mark.clause("D21-4.1.c")),
        pytest.param("AS AD", 12, marks=pytest.mark.clause("D21-4.1.c")),
        pytest.param("AS AD +9C", 21, marks=pytest.mark.clause("D21-4.1.c")),
        pytest.param("AS AD +TC", 12, marks=pytest.mark.clause("D21-4.1.c")),
    ],
)
def test_a_hand_adds_up_its_cards_and_an_ace_spares_it_from_going_over_21(hand: str, total: int) -> None:
    assert dealt(hand, TWENTY).totals[0] == total
    assert dealt(TWENTY, hand).totals[1] == total


@pytest.mark.parametrize(
    ("rank", "points"),
    [
        *(pytest.param(str(face), face, marks=pytest.mark.clause("D21-4.1.a")) for face in range(2, 10)),
        *(pytest.param(rank, 10, marks=pytest.mark.clause("D21-4.1.b")) for rank in ("10", "J", "Q", "K")),
        pytest.param("A", 11, marks=pytest.mark.clause("D21-4.1.c")),
    ],
)
@pytest.mark.parametrize("suit", "SDCH")
def test_the_points_of_one_card(rank: str, points: int, suit: str) -> None:
    assert deal_so_far(DEFINITION.procedure, cards(rank + suit)).totals == (points, 0)


# ---------------------------------------------------------------- 9.0 Additional cards


@pytest.mark.clause("D21-9.1")
@pytest.mark.parametrize(("dragon", "tiger"), [("9C 3H", "AS KD"), ("AS KD", "9C 3H"), ("AS KD", "TC AH")])
def test_a_blackjack_stops_all_drawing(dragon: str, tiger: str) -> None:
    round = played(GAME, dragon, tiger)
    assert [len(hand) for hand in round.hands.values()] == [2, 2]
    with refused(CARDS_LEFT_OVER, complete=4):
        played(GAME, f"{dragon} +2S", tiger)


@pytest.mark.parametrize(
    ("dragon", "tiger", "next_card"),
    [
        pytest.param("TS 6D", "TC TH", "Dragon", marks=pytest.mark.clause("D21-9.2a")),
        pytest.param("TS 6D", "TC 6H", "Dragon", marks=pytest.mark.clause("D21-9.2a")),
        pytest.param("AS 6D", "TC TH", None, marks=pytest.mark.clause("D21-9.2a")),
        pytest.param("2S 2D +2C 2H 2S 2D 4C", "TC TH", "Dragon", marks=pytest.mark.clause("D21-9.2a")),
        pytest.param("2S 2D +2C 2H 2S 2D 4C AC", "TC TH", None, marks=pytest.mark.clause("D21-9.2a")),
        pytest.param("TS 6D +9C", "TH 5C", "Tiger", marks=pytest.mark.clause("D21-9.2b")),
        pytest.param("TS 6D +9C", "TH 5C +AC", "Tiger", marks=pytest.mark.clause("D21-9.2b")),
        pytest.param("TS 6D +9C", "TH 5C +2C", None, marks=pytest.mark.clause("D21-9.2b")),
        pytest.param("TC TH", "AS 6D", None, marks=pytest.mark.clause("D21-9.2b")),
    ],
)
def test_first_dragon_and_then_tiger_draws_until_past_16(dragon: str, tiger: str, next_card: str | None) -> None:
    assert draws_next(dragon, tiger) == next_card


EIGHT_DECKS = st.lists(st.integers(0, 415), min_size=24, max_size=24, unique=True).map(
    lambda places: [DECK[place % 52] for place in places]
)


@pytest.mark.clause("D21-9.2a", "D21-9.2b", "D21-9.1")
@given(EIGHT_DECKS)
def test_every_round_is_drawn_as_section_9_says(shoe: list[Card]) -> None:
    """A dealer who adds up on paper, with an ace as 11 while that fits, draws the same cards."""

    def total(hand: list[Card]) -> int:
        points = sum(min(card.rank, 10) for card in hand)
        return points + 10 if points <= 11 and any(card.rank == 1 for card in hand) else points

    dragon, tiger, rest = shoe[0:4:2], shoe[1:4:2], shoe[4:]
    if 21 not in (total(dragon), total(tiger)):
        for hand in (dragon, tiger):
            while total(hand) <= 16:
                hand.append(rest.pop(0))
    used = len(dragon) + len(tiger)

    round = deal_so_far(DEFINITION.procedure, shoe[:used])
    assert round.due.hand is None
    assert (round.hand(0), round.hand(1)) == (tuple(dragon), tuple(tiger))
    assert round.totals == (total(dragon), total(tiger))
    assert deal_so_far(DEFINITION.procedure, shoe[: used - 1]).due.hand is not None


def test_no_round_needs_more_than_24_cards() -> None:
    """Six aces are a soft 16, a six makes them a hard 12, and five more aces end it: twelve cards a hand."""
    procedure = DEFINITION.procedure

    def longest(hand: TwentyOneHand, held: int) -> int:
        if held >= 2 and (hand.total > 16 or hand.blackjack):
            return held
        return max(longest(procedure.take(hand, card), held + 1) for card in cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS"))

    assert 2 * longest(procedure.empty, 0) == procedure.cards_max == 24
