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
from longhu.deal.twenty_one import TwentyOneHand
from longhu.eventsourcing import Refusal
from longhu.games.game import Layout
from longhu.games.registry import find
from longhu.table.betting import PlaceWager
from longhu.table.betting_phase import CallPlaceYourBets, RoundStarted
from longhu.table.cash import in_tray
from longhu.table.dealing import AnnounceResult, DrawCard, ResultAnnounced, result_told
from longhu.table.opening import CloseTable, OpenTable
from longhu.table.remedies.procedure import ReportIrregularity
from longhu.table.remedies.void import RoundVoided, StakeReturned
from longhu.table.settling import RoundEnded
from longhu.table.shoe import EndShoe
from tests.clauses.live import at_table, credit, hands_of, next_draw, played, refused_settings, so_far, totals_of, whose
from tests.rounds import in_dealing_order
from tests.table.rounds import Play

GAME = longhu.game("dragon-21")
DEFINITION = GAME.definition
WITHOUT_PERFECT_PAIR = longhu.game("dragon-21", perfect_pair="off")

TWENTY = "TS TH"  # a hand that stands and lets the other have its cards


def dealt(dragon: str, tiger: str) -> Play:
    """A table at which these cards lie; the round may want more."""
    return so_far(GAME, in_dealing_order(dragon, tiger))


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
    official = house_edition('version = "longhu-1"', 'version = "official-2027"').definition
    play = Play("dragon-21", cards="TS 9C TD 9H")
    play.round(ann={"dragon": "10.00"})
    first = [*play.log]
    play.does(EndShoe, "dee")
    play.does(CloseTable, "opal", float_counted=in_tray(play.table), counted_by=("sue", "dee"))
    play.game = official
    play.does(OpenTable, "opal", **play.opening(float_counted=100_000_000))
    play.load("TS 9C TD 9H")
    play.round()

    ours, theirs = (each for each in play.log if isinstance(each, RoundStarted))
    assert (ours.game, ours.version, ours.in_force) == (DEFINITION.digest, "longhu-1", ""), "undated: it is our edition"
    assert (theirs.game, theirs.version) == (official.digest, "official-2027")
    assert ours.game != theirs.game
    assert play.log[: len(first)] == first, "the record of the first round is what it was"


# ---------------------------------------------------------------- 1.0 Interpretation


@pytest.mark.clause("D21-1.0")
def test_a_void_hand_is_no_void_round() -> None:
    """Here the word has its own definition; in the MBS games "void" is only what is done about an irregularity."""
    hand = at_table(GAME, "TS 9C TD 9H", betting=False)
    hand.does(CallPlaceYourBets, "sue", wagering=False)
    hand.refused(PlaceWager, "ann", "D21-1.0-VOID-HAND", place=1, wager="dragon", amount=500)
    hand.finish()
    assert hand.last(RoundStarted).clause == "D21-1.0-VOID-HAND"
    assert hand.last(RoundEnded).outcome.winner == "dragon", "it has cards, a result, and no wagers"
    assert not any(isinstance(each, RoundVoided | StakeReturned) for each in hand.log)

    voided = at_table(GAME, device="hand-shoe")
    voided.bet("ann", "dragon", "10.00")
    voided.close_betting()
    voided.draw("TS")
    voided.does(ReportIrregularity, "dee", kind="foreign-card", told="a red back")
    assert voided.last(RoundVoided).clause == "D21-12.0b"
    assert voided.last(StakeReturned).stake.amount == 1000
    assert not any(isinstance(each, RoundEnded) for each in voided.log), "it has wagers, and no result"


@pytest.mark.clause("D21-1.0")
@pytest.mark.parametrize("mbs", ["dragon-tiger", "immortal-dragon-tiger"])
def test_the_mbs_games_have_no_void_hand(mbs: str) -> None:
    play = at_table(longhu.game(mbs), betting=False)
    assert play.refused(CallPlaceYourBets, "sue", wagering=False).reason.code == "no-void-hand"


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
    for round, side in (
        (played(GAME, hand, TWENTY, dragon="10.00"), "dragon"),
        (played(GAME, TWENTY, hand, tiger="10.00"), "tiger"),
    ):
        assert round.totals[side] == 21
        assert round[side].net == ("15.00" if blackjack else "10.00"), "3 to 2 for it alone"
        assert DEFINITION.outcomes.describe(round.number)[f"{side}.blackjack"] is blackjack


@pytest.mark.clause("D21-1.0-TIE")
def test_a_tie_is_equal_counts_once_every_card_is_dealt() -> None:
    tie = played(GAME, "TS 8D", "9C 9H", tie="10.00", dragon="10.00", tiger="10.00")
    assert (tie.winner, tie.totals) == (None, {"dragon": 18, "tiger": 18})
    assert (tie["tie"].net, tie["dragon"].net, tie["tiger"].net) == ("70.00", "0.00", "0.00")

    even_so_far = dealt("5S 9D", "7C 7H")
    assert totals_of(even_so_far) == {"dragon": 14, "tiger": 14}
    even_so_far.refused(AnnounceResult, "dee", "D21-10.1a")
    assert whose(even_so_far) == "dragon"
    assert played(GAME, "5S 9D +6C", "7C 7H +5H", tie="10.00")["tie"].result == "lose"


@pytest.mark.clause("D21-8.0b", "D21-1.0-DRAGONS-HAND", "D21-1.0-TIGERS-HAND")
def test_the_first_four_cards_alternate_and_make_the_two_hands() -> None:
    assert hands_of(so_far(GAME, "9S 5H 9D 6C")) == {"dragon": cards("9S 9D"), "tiger": cards("5H 6C")}
    complete = played(GAME, "9S 9D", "5H 6C +KS", tie="5.00")
    assert complete.hands == {"dragon": cards("9S 9D"), "tiger": cards("5H 6C KS")}


@pytest.mark.clause("D21-1.0-INITIAL-DEAL")
def test_the_initial_deal_is_the_first_four_cards() -> None:
    drawn = ["9S", "5H", "2D", "6C", "8H", "KS"]
    draws = [next_draw(so_far(GAME, " ".join(drawn[:count]))) for count in range(6)]
    assert [not isinstance(draw, Refusal) and draw.why.code == "initial-card" for draw in draws] == [True] * 4 + [
        False
    ] * 2
    assert [len(hand) for hand in hands_of(so_far(GAME, " ".join(drawn[:4]))).values()] == [2, 2]


@pytest.mark.clause("D21-8.0a")
def test_the_deal_speaks_of_dragon_and_tiger_only() -> None:
    """The rules of Baccarat are read with Dragon for Player and Tiger for Banker."""
    round = played(GAME, "9S 2D +8H", "5H 6C +KS", tie="5.00")
    assert list(round.hands) == ["dragon", "tiger"]
    words = DEFINITION.localization()
    told = [words.text(reason.message) for reason in round.reasons]
    told += [words.text(result_told(DEFINITION, event)) for event in round.log if isinstance(event, ResultAnnounced)]
    assert all("Dragon" in each or "Tiger" in each for each in told)
    assert not any("Player" in each or "Banker" in each for each in told)


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
    for sets in 0, 1, 6, 8:
        refusal = refused_settings(GAME, "D21-3.1a", positions=sets)
        assert (refusal.reason.code, refusal.reason.args["places"]) == ("layout-places-wrong", sets)
    play = at_table(GAME)
    play.bet("ann", "dragon", "5.00", place=7)
    assert play.refused(PlaceWager, "ann", place=8, wager="dragon", amount=500).reason.code == "no-such-place"
    assert play.refused(PlaceWager, "ann", place=0, wager="dragon", amount=500).reason.code == "no-such-place"


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
    play = at_table(GAME)
    for box in "dragon-box", "tiger-box", "box":
        assert play.refused(PlaceWager, "ann", place=1, wager=box, amount=500).reason.code == "wager-not-offered"
    assert [*hands_of(so_far(GAME, "9S 5H 9D 6C"))] == [*layout.places], "the cards lie there"


@pytest.mark.clause("D21-3.3", "D21-3.3.a", "D21-3.3.b", "D21-3.3.c")
def test_each_set_has_areas_marked_dragon_tiger_and_tie() -> None:
    assert sorted(labels_of_a_set(WITHOUT_PERFECT_PAIR)) == ["Dragon", "Tie", "Tiger"]
    assert sorted(labels_of_a_set(GAME)) == ["Dragon", "Dragon Pair", "Tie", "Tiger", "Tiger Pair"]
    for game in (GAME, WITHOUT_PERFECT_PAIR):
        backed = {wager.hand: wager.label.en for wager in game.wagers.values() if wager.hand}
        assert backed == {"dragon": "Dragon", "tiger": "Tiger"}
        play = at_table(game)
        for place in range(1, 8):
            for wager in "dragon", "tiger", "tie":
                play.bet("ann", wager, "5.00", place=place)
        assert len(play.current.stakes) == 21


@pytest.mark.clause("D21-3.2")
def test_the_layout_has_three_areas_a_set_and_two_boxes_and_a_house_may_redraw_it(
    house_edition: Callable[[str, str], Game],
) -> None:
    assert layout_of(WITHOUT_PERFECT_PAIR).places == ("dragon", "tiger")
    assert labels_of_a_set(WITHOUT_PERFECT_PAIR) == ["Tie", "Dragon", "Tiger"]

    redrawn = house_edition('areas = ["dragon", "tiger"]', 'areas = ["tiger", "dragon"]')
    assert labels_of_a_set(redrawn)[-2:] == ["Tiger", "Dragon"]
    assert credit(redrawn, "TS TD", "9C 9H", "dragon", "10.00") == "20.00"


@pytest.mark.clause("D21-3.4.a.i.A")
@pytest.mark.parametrize("decks", [3, 9])
def test_a_set_is_4_to_8_decks(decks: int) -> None:
    """The set-ups themselves are in tests/table/test_dragon_21."""
    assert refused_settings(GAME, "D21-3.4.a.i.A", decks=decks).reason.code == "decks-outside-range"


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
    assert totals_of(dealt(hand, TWENTY))["dragon"] == total
    assert totals_of(dealt(TWENTY, hand))["tiger"] == total


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
    assert totals_of(so_far(GAME, rank + suit)) == {"dragon": points, "tiger": 0}
    beside_seven = 17 if points == 10 else points + 7
    assert totals_of(dealt(f"{rank}{suit} 7S", TWENTY))["dragon"] == beside_seven


# ---------------------------------------------------------------- 9.0 Additional cards


@pytest.mark.clause("D21-9.1")
@pytest.mark.parametrize(("dragon", "tiger"), [("9C 3H", "AS KD"), ("AS KD", "9C 3H"), ("AS KD", "TC AH")])
def test_a_blackjack_stops_all_drawing(dragon: str, tiger: str) -> None:
    round = played(GAME, dragon, tiger)
    assert [len(hand) for hand in round.hands.values()] == [2, 2]
    refusal = dealt(dragon, tiger).refused(DrawCard, "dee", "D21-10.1a")
    assert refusal.reason.code == "hands-complete"


@pytest.mark.parametrize(
    ("dragon", "tiger", "next_card"),
    [
        pytest.param("TS 6D", "TC TH", "dragon", marks=pytest.mark.clause("D21-9.2a")),
        pytest.param("TS 6D", "TC 6H", "dragon", marks=pytest.mark.clause("D21-9.2a")),
        pytest.param("AS 6D", "TC TH", "nobody", marks=pytest.mark.clause("D21-9.2a")),
        pytest.param("2S 2D +2C 2H 2S 2D 4C", "TC TH", "dragon", marks=pytest.mark.clause("D21-9.2a")),
        pytest.param("2S 2D +2C 2H 2S 2D 4C AC", "TC TH", "nobody", marks=pytest.mark.clause("D21-9.2a")),
        pytest.param("TS 6D +9C", "TH 5C", "tiger", marks=pytest.mark.clause("D21-9.2b")),
        pytest.param("TS 6D +9C", "TH 5C +AC", "tiger", marks=pytest.mark.clause("D21-9.2b")),
        pytest.param("TS 6D +9C", "TH 5C +2C", "nobody", marks=pytest.mark.clause("D21-9.2b")),
        pytest.param("TC TH", "AS 6D", "nobody", marks=pytest.mark.clause("D21-9.2b")),
    ],
)
def test_first_dragon_and_then_tiger_draws_until_past_16(dragon: str, tiger: str, next_card: str) -> None:
    assert whose(dealt(dragon, tiger)) == next_card


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

    told = [" ".join(map(str, [*hand[:2], *(["+", *hand[2:]] if hand[2:] else [])])) for hand in (dragon, tiger)]
    round = played(GAME, told[0], told[1], tie="5.00")
    assert round.hands == {"dragon": tuple(dragon), "tiger": tuple(tiger)}
    assert round.totals == {"dragon": total(dragon), "tiger": total(tiger)}
    assert len(round.hands["dragon"]) + len(round.hands["tiger"]) == used


def test_no_round_needs_more_than_24_cards() -> None:
    """Six aces are a soft 16, a six makes them a hard 12, and five more aces end it: twelve cards a hand."""
    procedure = DEFINITION.procedure

    def longest(hand: TwentyOneHand, held: int) -> int:
        if held >= 2 and (hand.total > 16 or hand.blackjack):
            return held
        return max(longest(procedure.take(hand, card), held + 1) for card in cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS"))

    assert 2 * longest(procedure.empty, 0) == procedure.cards_max == 24
