"""Dragon 21 at the live table: equipment, opening, the shoe, dealing styles, announcements.

Nominees and card handling are in test_dragon_21_nominees, wagers and calls in test_dragon_21_wagers.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import longhu
from longhu.cards import CARDS_PER_DECK, Shoe
from longhu.table import views
from longhu.table.betting_phase import CallPlaceYourBets, RoundStarted
from longhu.table.cash import BuyIn
from longhu.table.cutting_card import CuttingCardShown
from longhu.table.dealing import (
    RESULT,
    TIE,
    AnnounceResult,
    CardDrawn,
    DrawCard,
    ResultAnnounced,
    result_told,
)
from longhu.table.handling import PassHands, RefuseHand, RevealHand, SqueezeCard
from longhu.table.irregularities.exposure import RevealForAbsent
from longhu.table.nominees import AnnounceNominee, ApproveNominee, NameNominee
from longhu.table.opening import (
    CHECKLIST_ITEM_NOT_DONE,
    ChangeSettings,
    OpenTable,
    SettingsChanged,
    TableOpened,
)
from longhu.table.remedies.withdrawal import WithdrawalOffered
from longhu.table.settling import RoundEnded, SettleRound, WagerSettled
from longhu.table.shoe import (
    CardsCut,
    CardsShuffled,
    CutDeclined,
    EndShoe,
    LoadShoe,
    ShoeLoaded,
    VerifyCards,
    in_the_shuffler,
)
from longhu.table.state import CardSet
from tests.table.rounds import Play, equipment_for, order_from

DRAGON_WINS = "TS 9H TH 9C"  # 20 against 18
DRAGON_DRAWS = "2S 9H 3H 9C TH 4S"  # Dragon has 5, then 15, then 19; Tiger stands on 18


def opens(decks: int = 8, method: str = "A", **equipment: Any) -> Play:
    """A table with this equipment that may open."""
    play = Play("dragon-21", open=False, decks=decks, method=method, equipment=equipment_for(decks, **equipment))
    play.does(OpenTable, "opal", **play.opening())
    return play


def does_not_open(clause: str, decks: int = 8, method: str = "A", **equipment: Any) -> None:
    play = Play("dragon-21", open=False, decks=decks, method=method, equipment=equipment_for(decks, **equipment))
    play.refused(OpenTable, "sue", clause, **play.opening())


def sets(decks: int, *backs: str) -> tuple[CardSet, ...]:
    return tuple(CardSet((back,) * decks) for back in backs)


def batch(decks: int, **changes: Any) -> dict[str, Any]:
    usual = {"setup": "batch-shuffler", "sets": sets(decks, "blue", "red"), "shuffler": 416}
    return {"decks": decks, **usual, **changes}


def continuous(decks: int, **changes: Any) -> dict[str, Any]:
    return {"decks": decks, "setup": "continuous-shuffler", "shuffler": decks * CARDS_PER_DECK, "shoe": 0, **changes}


# ---------------------------------------------------------------- 3.1, 3.4 equipment


@pytest.mark.clause("D21-3.1c")
def test_a_table_has_a_drop_box_and_cash_goes_into_it() -> None:
    does_not_open("D21-3.1c", drop_box="")
    play = Play("dragon-21", people={"ann": 1})
    before = play.table.balances["drop:T1"]
    play.does(BuyIn, "dee", patron="ann", amount=250_00)
    assert play.table.balances["drop:T1"] - before == 250_00


@pytest.mark.clause("D21-3.4")
def test_a_table_opens_only_with_its_equipment() -> None:
    does_not_open("D21-3.4.c", discard_rack=0)
    opens(display=False)


@pytest.mark.clause("D21-3.4.a")
def test_a_table_has_one_of_three_set_ups() -> None:
    opens()
    opens(**batch(8))
    opens(**continuous(8))
    does_not_open("D21-3.4.a", setup="two shufflers")
    play = opens()
    play.refused(
        ChangeSettings, "gus", "D21-3.4.a", changes={"equipment": equipment_for(8, **_without_decks(continuous(8)))}
    )
    play.does(ChangeSettings, "opal", changes={"equipment": equipment_for(8, **_without_decks(continuous(8)))})


def _without_decks(setup: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in setup.items() if name != "decks"}


@pytest.mark.clause("D21-3.4.a.i.A")
def test_a_shoe_takes_one_set_of_4_to_8_decks() -> None:
    opens(decks=8)
    opens(decks=4)
    does_not_open("D21-3.4.a.i.A", decks=3)
    does_not_open("D21-3.4.a.i.A", sets=sets(8, "blue", "red"))


@pytest.mark.clause("D21-3.4.a.i.B")
def test_the_shoe_holds_every_card() -> None:
    does_not_open("D21-3.4.a.i.B", shoe=312)
    opens(shoe=416)


@pytest.mark.clause("D21-3.4.a.ii.A")
def test_a_batch_shuffler_has_two_sets_with_different_backs() -> None:
    does_not_open("D21-3.4.a.ii.A", **batch(8, sets=sets(8, "blue", "blue")))
    does_not_open("D21-3.4.a.ii.A", **batch(8, sets=sets(8, "blue")))
    mixed = CardSet((*["blue"] * 7, "red"))
    does_not_open("D21-3.4.a.ii.A", **batch(8, sets=(CardSet(("blue",) * 8), mixed)))
    opens(**batch(8))
    does_not_open("", **batch(8, sets=(CardSet(("blue",) * 8), CardSet(("red",) * 6))))  # equal sets (Q40)


@pytest.mark.clause("D21-3.4.a.ii.B")
def test_a_batch_shuffler_holds_eight_decks() -> None:
    does_not_open("D21-3.4.a.ii.B", **batch(4, shuffler=312))
    opens(**batch(4, shuffler=416))


@pytest.mark.clause("D21-3.4.a.ii.C")
def test_the_shoe_beside_a_batch_shuffler_holds_either_set() -> None:
    does_not_open("D21-3.4.a.ii.C", **batch(6, shoe=311))
    opens(**batch(6, shoe=312))


@pytest.mark.clause("D21-3.4.a.iii")
def test_style_b_is_not_dealt_from_a_continuous_shuffler() -> None:
    play = opens(**continuous(8))
    play.refused(ChangeSettings, "sue", "D21-3.4.a.iii", changes={"method": "B"})
    play.does(ChangeSettings, "sue", changes={"method": "C"})
    squeezed = opens(method="B")
    shuffler = equipment_for(8, **_without_decks(continuous(8)))
    squeezed.refused(ChangeSettings, "opal", "D21-3.4.a.iii", changes={"equipment": shuffler})


@pytest.mark.clause("D21-3.4.a.iii.A")
def test_a_continuous_shuffler_takes_one_set() -> None:
    opens(**continuous(8))
    does_not_open("D21-3.4.a.iii.A", **continuous(8, sets=sets(8, "blue", "red")))


@pytest.mark.clause("D21-3.4.a.iii.B")
def test_a_continuous_shuffler_holds_every_card() -> None:
    does_not_open("D21-3.4.a.iii.B", **continuous(6, shuffler=260))
    opens(**continuous(6, shuffler=312))


@pytest.mark.clause("D21-3.4.b")
def test_one_or_two_cutting_cards_are_used() -> None:
    for wrong in (0, 3):
        does_not_open("D21-3.4.b", cutting_cards=wrong)
    for right in (1, 2):
        opens(cutting_cards=right)


@pytest.mark.clause("D21-3.4.c")
def test_the_discard_rack_holds_every_card() -> None:
    does_not_open("D21-3.4.c", discard_rack=208)
    opens(decks=4, discard_rack=208)


@pytest.mark.clause("D21-3.4.e")
def test_the_display_shows_recent_results_in_order_where_there_is_one() -> None:
    def shown(play: Play) -> list[str] | None:
        display = views.view(play.table, play.game, views.viewer(play.table, "ann")).display
        return None if display is None else [each.winner for each in display.results]

    cards = "TS 9H TH 9C 9D TS 9S TH TD TC 9H 9C"  # Dragon, Tiger, tie
    play = Play("dragon-21", cards=cards)
    off = Play("dragon-21", cards=cards, equipment=equipment_for(8, display=False))
    seen = []
    for _ in range(3):
        play.round()
        off.round()
        seen.append(shown(play))
    assert seen == [["dragon"], ["dragon", "tiger"], ["dragon", "tiger", "tie"]]
    assert shown(off) is None


# ---------------------------------------------------------------- 1.0 shufflers


@pytest.mark.clause("D21-1.0-NON-CONTINUOUS-SHUFFLER")
def test_a_batch_is_one_order_and_cards_do_not_return() -> None:
    play = Play("dragon-21", decks=6, cards=None, equipment=equipment_for(6, **_without_decks(batch(6))))
    order = order_from("TS 9H TH 9C 8D TD TC 9S", 6)
    play.load("TS 9H TH 9C 8D TD TC 9S")
    play.round()
    dealt = [each.card for each in _cards(play)]
    play.round()
    dealt += [each.card for each in _cards(play)]
    assert tuple(dealt) == order[: len(dealt)]
    shoe = play.table.shoe
    assert shoe is not None
    assert shoe.discards == tuple(dealt)
    assert shoe.left == 312 - len(dealt)


def _cards(play: Play) -> list[Any]:
    """The cards of the last round, from the log."""
    start = max(place for place, event in enumerate(play.log) if isinstance(event, RoundStarted))
    return [event.card for event in play.log[start:] if isinstance(event, CardDrawn)]


@pytest.mark.clause("D21-1.0-CONTINUOUS-SHUFFLER")
@pytest.mark.parametrize("held_out", [0, 4])
def test_a_continuous_shuffler_starts_every_round_from_all_cards_but_those_held_out(held_out: int) -> None:
    equipment = equipment_for(8, **_without_decks(continuous(8, held_out=held_out)))
    play = Play("dragon-21", equipment=equipment, device="shuffler", cards="")
    for told in (("TS", "9H", "TH", "9C"), ("2S", "9H", "3H", "9C", "TH", "4S")):
        play.open_betting()
        play.close_betting()
        play.draw(*told)
        play.does(AnnounceResult, "dee")  # nothing is wagered: the round is over
    left_out = ["3H", "9C", "TH", "4S"][4 - held_out :]
    expected = Shoe.of_decks(8).without(longhu.cards.card(face) for face in left_out)
    shoe = in_the_shuffler(play.table)
    assert shoe == expected
    game = longhu.game("dragon-21")
    now, full = game.odds(shoe=shoe, dealt="2S 9H 3H"), game.odds(decks=8, dealt="2S 9H 3H")
    assert (now["tie"].ev == full["tie"].ev) is (held_out == 0)
    assert play.table.shoe is not None
    assert play.table.shoe.cut_at == 0  # no cut point (Q21)


def test_an_electronic_continuous_shuffler_mixes_for_every_round() -> None:
    play = Play("dragon-21", cards=DRAGON_WINS, equipment=equipment_for(8, **_without_decks(continuous(8))))
    play.round(ann={"dragon": "50.00"})
    play.refused(CallPlaceYourBets, "dee", "D21-11.0a")
    play.load("9H TS 9C TH")
    play.round(ann={"dragon": "50.00"})
    assert play.net("ann") == "0.00"
    assert len(play.table.results) == 2


# ---------------------------------------------------------------- 2.1, 6.0 opening


@pytest.mark.clause("D21-2.1")
def test_the_house_may_attach_general_rules() -> None:
    plain = Play("dragon-21")
    assert plain.notice.general_rules == ()
    assert plain.game.readings["general_rules"].takes.en == "Only the rules in hand; a house attaches its own."
    assert plain.game.cites["general-rules"] == ("D21-2.1",)
    with_rules = Play("dragon-21", general_rules=("Division 1.4: no telephones at the table",))
    assert with_rules.table.settings is not None
    assert with_rules.table.settings.general_rules == ("Division 1.4: no telephones at the table",)


@pytest.mark.clause("D21-6.0a")
def test_opening_runs_the_houses_checklist_and_keeps_it() -> None:
    play = Play("dragon-21", open=False, checklist=("float verified", "cameras on"))
    refusal = play.refused(OpenTable, "opal", "D21-6.0a", **play.opening(checked=("float verified",)))
    assert refusal.reason == CHECKLIST_ITEM_NOT_DONE(item="cameras on")
    play.does(OpenTable, "opal", **play.opening(checked=("float verified", "cameras on")))
    opened = play.last(TableOpened)
    assert (opened.by, opened.clause, opened.checked) == ("opal", "D21-6.0a", ("float verified", "cameras on"))


@pytest.mark.clause("D21-6.0b")
def test_dealer_and_supervisor_count_the_cards_before_the_first_shuffle() -> None:
    play = Play("dragon-21", cards=None, people={})
    play.shuffle()
    play.refused(CallPlaceYourBets, "dee")
    play.refused(VerifyCards, "dee", "D21-6.0b", counted=415)
    play.refused(LoadShoe, "dee", "D21-6.0b")
    play.does(VerifyCards, "dee", counted=416)
    play.refused(LoadShoe, "dee", "D21-6.0b")
    play.does(VerifyCards, "sue", counted=416)
    play.does(LoadShoe, "dee")
    assert play.last(CardsShuffled).verified_by == ("dee", "sue")


# ---------------------------------------------------------------- 7.0 shuffle, cut, burn


@pytest.mark.clause("D21-7.0a")
def test_every_shoe_is_shuffled_and_cut_before_its_first_card() -> None:
    play = Play("dragon-21", cards=DRAGON_WINS)
    play.round()
    play.does(EndShoe, "dee")
    play.load(DRAGON_WINS, cut_by="ann")
    play.round()
    kinds = (CardsShuffled, CardsCut, ShoeLoaded, CardDrawn)
    told = [type(event) for event in play.log if isinstance(event, kinds)]
    assert told == [CardsShuffled, CardsCut, ShoeLoaded, *[CardDrawn] * 4] * 2


@pytest.mark.clause("D21-7.0c", "D21-5.6b")
def test_a_seated_patron_cuts_or_the_dealer_when_all_decline() -> None:
    play = Play("dragon-21", cards=None, method="B")
    for person in ("dee", "sue"):
        play.does(VerifyCards, person, counted=416)
    play.shuffle()
    play.refused(LoadShoe, "dee", "D21-7.0c", cut_by="stan")
    play.refused(LoadShoe, "dee", "D21-7.0c")
    play.refused(LoadShoe, "dee", "D21-7.0c", declined=("ann", "bob"))
    play.does(LoadShoe, "dee", declined=("ann", "bob", "cay"))
    assert play.last(CardsCut).person == "dee"
    assert play.last(CutDeclined).person == "cay"
    play.load(DRAGON_WINS, cut_by="bob")
    assert play.last(CardsCut).person == "bob"
    play.open_betting()
    play.bet("stan", "dragon", "500.00")
    play.close_betting()
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    play.refused(RevealHand, "stan", hand="dragon")
    play.refused(SqueezeCard, "stan", place=0, step=1)


@pytest.mark.clause("D21-7.0d")
def test_a_fixed_number_of_cards_stays_behind_the_cutting_card() -> None:
    play = Play("dragon-21", cards=None)
    play.load()
    assert play.last(CardsCut).behind == 26
    while not any(isinstance(event, CuttingCardShown) for event in play.log):
        play.round()
    place = next(place for place, event in enumerate(play.log) if isinstance(event, CuttingCardShown))
    before = [event for event in play.log[:place] if isinstance(event, CardDrawn)]
    assert len(before) == 390


@pytest.mark.clause("D21-7.0e")
@pytest.mark.parametrize(("burn", "first"), [(0, "TS"), (1, "9H")])
def test_no_card_is_burned_unless_the_house_says_so(burn: int, first: str) -> None:
    play = Play("dragon-21", cards="TS 9H TH 9C", burn=burn)
    assert play.settings.burn == burn
    assert Play("dragon-21").settings.burn == 0
    shoe = play.table.shoe
    assert shoe is not None
    assert shoe.discards == ("",) * burn  # in the rack, its face unknown
    play.open_betting()
    play.close_betting()
    play.draw()
    assert play.current.cards[0].card == first


# ---------------------------------------------------------------- 8.0, 9.3 to 9.5 dealing styles


def faces(play: Play, person: str) -> list[str | None]:
    """The cards of the round as somebody sees them."""
    round = views.view(play.table, play.game, views.viewer(play.table, person)).round
    assert round is not None
    return [each.face for each in round.cards]


def dealt(method: str, cards: str = DRAGON_DRAWS, **settings: Any) -> Play:
    """The four initial cards; Ann has the most on Dragon, Bob less, Cay is on Tiger."""
    play = Play("dragon-21", method=method, cards=cards, **settings)
    play.open_betting()
    play.bet("ann", "dragon", "300.00")
    play.bet("bob", "dragon", "200.00")
    play.bet("cay", "tiger", "50.00")
    play.close_betting()
    for _ in range(4):
        play.draw()
    return play


@pytest.mark.clause("D21-8.0c")
def test_style_a_is_dealt_face_up_by_the_dealer_alone() -> None:
    play = dealt("A")
    assert faces(play, "nobody") == ["2S", "9H", "3H", "9C"]
    play.refused(PassHands, "dee", "D21-8.0c")
    play.refused(SqueezeCard, "ann", "D21-8.0c", place=0, step=1)
    play.refused(RevealHand, "ann", hand="dragon")


@pytest.mark.clause("D21-8.0d")
def test_style_b_passes_the_cards_face_down_to_whoever_reveals_them() -> None:
    play = dealt("B")
    play.does(PassHands, "dee")
    assert play.current.holders == ("ann", "cay")
    play.does(SqueezeCard, "ann", place=0, step=10)
    play.does(SqueezeCard, "ann", place=2, step=10)
    assert faces(play, "ann") == ["2S", None, "3H", None]
    for person in ("bob", "cay", "stan", "dee", "gus"):
        assert faces(play, person) == [None] * 4
    play.refused(RevealHand, "bob", hand="dragon")
    play.does(RevealHand, "ann", hand="dragon")
    assert faces(play, "bob") == ["2S", None, "3H", None]


@pytest.mark.clause("D21-8.0e")
def test_style_c_is_dealt_face_down_and_turned_by_the_dealer() -> None:
    play = Play("dragon-21", method="C", cards=DRAGON_DRAWS)
    play.open_betting()
    play.bet("ann", "dragon", "50.00")
    play.close_betting()
    for number in range(1, 5):
        play.draw()
        assert faces(play, "ann") == [None] * number
        if number < 4:
            play.refused(RevealHand, "dee", hand="dragon")
    play.refused(RevealHand, "ann", "D21-8.0e", hand="dragon")
    play.does(RevealHand, "dee", hand="dragon")
    play.does(RevealHand, "dee", hand="tiger")
    assert faces(play, "ann") == ["2S", "9H", "3H", "9C"]


@pytest.mark.clause("D21-8.0f")
def test_the_largest_wager_on_a_hand_holds_it() -> None:
    play = Play("dragon-21", method="B", cards=DRAGON_WINS, people={"bob": 2, "eve": 5})
    play.open_betting()
    play.bet("eve", "dragon", "200.00")
    play.bet("bob", "dragon", "300.00")
    play.close_betting()
    for _ in range(4):
        play.draw()
    play.does(PassHands, "dee")
    assert play.current.holders == ("bob", "")
    play.does(RefuseHand, "bob", hand="dragon")
    assert play.current.holders == ("eve", "")
    play.does(RefuseHand, "eve", hand="dragon")
    assert play.current.holders == ("", "")
    play.does(RevealHand, "dee", hand="dragon")


@pytest.mark.clause("D21-8.0g")
def test_a_supervisor_chooses_the_style_between_rounds() -> None:
    play = Play("dragon-21", cards=DRAGON_WINS)
    play.refused(ChangeSettings, "dee", changes={"method": "C"})
    play.open_betting()
    play.refused(ChangeSettings, "sue", "D21-8.0g", changes={"method": "C"})
    play.finish()
    play.does(ChangeSettings, "sue", changes={"method": "C"}, why="two players asked")
    changed = play.last(SettingsChanged)
    assert (changed.by, changed.before.method, changed.after.method) == ("sue", "A", "C")
    play.open_betting()
    assert play.current.method == "C"


@pytest.mark.clause("D21-9.3")
@pytest.mark.parametrize("style", ["A", "C"])
def test_extra_cards_are_dealt_face_up_in_styles_a_and_c(style: str) -> None:
    play = dealt(style)
    if style == "C":
        play.turn_over()
    play.draw()
    assert play.current.cards[4].public
    assert faces(play, "stan")[4] == "TH"


@pytest.mark.clause("D21-9.4a")
def test_extra_cards_go_face_down_to_the_holder_or_the_nominee() -> None:
    play = dealt("B", people={"ann": 1, "bob": 2, "cay": 3, "ned": 6, "stan": None})
    play.does(NameNominee, "ann", person="ned", may_wager=False)
    play.does(ApproveNominee, "sue", patron="ann")
    play.turn_over()
    play.draw()
    assert (play.current.cards[4].public, play.current.cards[4].holder) == (False, "ann")
    play.refused(SqueezeCard, "ned", place=4, step=10)
    play.does(AnnounceNominee, "sue", patron="ann")
    play.does(SqueezeCard, "ned", place=4, step=10)
    assert [faces(play, person)[4] for person in ("ann", "ned")] == ["TH", "TH"]
    assert [faces(play, person)[4] for person in ("bob", "cay", "stan", "dee")] == [None] * 4
    play.does(RevealHand, "ned", hand="dragon")
    assert faces(play, "stan")[4] == "TH"


@pytest.mark.clause("D21-9.4b")
def test_extra_cards_are_revealed_refused_and_left_like_the_first_two() -> None:
    revealed = dealt("B")
    revealed.turn_over()
    revealed.draw()
    revealed.refused(DrawCard, "dee")
    revealed.does(RevealHand, "ann", hand="dragon")
    revealed.draw()
    revealed.does(RevealHand, "ann", hand="dragon")
    revealed.finish()

    refused = dealt("B")
    refused.turn_over()
    refused.draw()
    refused.does(RefuseHand, "ann", hand="dragon")
    refused.refused(RevealHand, "ann", hand="dragon")
    refused.does(RevealHand, "bob", hand="dragon")

    for extra in (False, True):
        absent = dealt("B")
        if extra:
            absent.turn_over()
            absent.draw()
        else:
            absent.does(PassHands, "dee")
        absent.now += 61_000
        absent.does(RevealForAbsent, "dee", hand="dragon")
        assert all(each.public for each in absent.current.cards_of(0))


@pytest.mark.clause("D21-9.5")
def test_the_operator_may_have_extra_cards_dealt_face_up_in_style_b() -> None:
    usual = Play("dragon-21", method="B", cards=DRAGON_DRAWS)
    usual.open_betting()
    usual.bet("ann", "dragon", "50.00")
    usual.close_betting()
    usual.draw(*[""] * 4)
    usual.turn_over()
    usual.draw()
    assert faces(usual, "stan")[4] is None, "without the option it goes to the holder face down"

    play = Play("dragon-21", method="B", cards=DRAGON_DRAWS)
    play.refused(ChangeSettings, "gus", changes={"extra_cards_face_up": True})
    play.does(ChangeSettings, "opal", changes={"extra_cards_face_up": True})
    play.open_betting()
    play.bet("ann", "dragon", "50.00")
    play.close_betting()
    for _ in range(4):
        play.draw()
    assert not any(each.public for each in play.current.cards)
    play.turn_over()
    play.draw()
    assert faces(play, "stan")[4] == "TH"


# ---------------------------------------------------------------- 10.0 announcements and settlement


@pytest.mark.clause("D21-10.1a")
def test_the_dealer_announces_totals_and_winner_before_anything_is_settled() -> None:
    play = dealt("A", cards=DRAGON_WINS)
    play.refused(SettleRound, "dee", "D21-10.2")
    events = play.finish()
    announced = play.last(ResultAnnounced)
    assert (announced.totals, announced.winner) == ((20, 18), "dragon")
    told = RESULT(first="dragon", first_total=20, second="tiger", second_total=18, winner="dragon")
    assert result_told(play.game, announced) == told
    assert events[0] is announced
    assert not any(event.transactions() for event in events[:1])


def test_no_result_is_announced_before_both_hands_are_complete() -> None:
    play = dealt("A")
    play.refused(AnnounceResult, "dee", "D21-10.1a")


@pytest.mark.clause("D21-10.1b")
def test_a_tie_is_announced_as_such() -> None:
    play = Play("dragon-21", cards="TS 9H 8H 9C")
    play.round()
    announced = play.last(ResultAnnounced)
    assert (announced.winner, announced.totals, announced.clause) == ("tie", (18, 18), "D21-10.1b")
    assert result_told(play.game, announced) == TIE(total=18)


@pytest.mark.clause("D21-10.2")
def test_losing_wagers_are_taken_before_winners_are_paid() -> None:
    play = Play("dragon-21", cards=DRAGON_WINS)
    events = play.round(
        ann={"dragon": "50.00", "tiger": "50.00"}, bob={"dragon": "25.00", "tie": "5.00"}, cay={"tiger": "25.00"}
    )
    assert [type(event) for event in events] == [ResultAnnounced, *[WagerSettled] * 5, RoundEnded]
    nets = [event.net for event in events if isinstance(event, WagerSettled)]
    assert nets == [-50_00, -5_00, -25_00, 50_00, 25_00]
    assert all(event.transactions() for event in events[1:-1])


# ---------------------------------------------------------------- 11.0 the end of a shoe


@pytest.mark.clause("D21-11.0a", "D21-11.0b")
def test_the_round_in_which_the_cutting_card_shows_is_the_last_of_the_shoe() -> None:
    play = Play("dragon-21", cards=None)
    play.load("TS 9H TH 9C TD 8S 9D 8H", cut_by="ann", cut_behind=416 - 7)  # after card 3 of the second round
    play.round(ann={"dragon": "50.00"})
    play.round(ann={"dragon": "50.00"})
    shown = play.last(CuttingCardShown)
    assert (shown.clause, shown.first) == ("D21-11.0a", False)
    assert play.net("ann") == "100.00"  # the second round was completed
    play.refused(CallPlaceYourBets, "dee", "D21-11.0a")
    play.does(EndShoe, "dee", why="cutting card")
    play.load(DRAGON_WINS)
    play.round()


def test_the_house_may_allow_one_more_round() -> None:
    play = Play("dragon-21", cards=None, rounds_after_cut=1)
    play.load("TS 9H TH 9C TD 8S 9D 8H", cut_by="ann", cut_behind=416 - 3)
    play.round()
    play.round()
    play.refused(CallPlaceYourBets, "dee", "D21-11.0a")


def test_wagers_stay_frozen_where_the_cutting_card_comes_first() -> None:
    play = Play("dragon-21", cards=None)
    play.load("TS 9H TH 9C TD 8S 9D 8H", cut_by="ann", cut_behind=416 - 4)
    play.round()
    play.round(ann={"dragon": "50.00"})
    assert play.last(CuttingCardShown).first
    assert not any(
        isinstance(event, WithdrawalOffered) for event in play.log
    )  # only another document does (IDT-3.16.1)
    play.refused(CallPlaceYourBets, "dee", "D21-11.0a")


def test_a_shoe_in_play_keeps_its_decks() -> None:
    play = Play("dragon-21")
    assert play.table.settings is not None
    more = replace(play.table.settings.equipment, display=False)
    play.refused(ChangeSettings, "opal", changes={"equipment": more})
    play.does(EndShoe, "dee")
    play.does(ChangeSettings, "opal", changes={"equipment": more})
