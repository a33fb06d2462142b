"""A card that was entered wrongly is put right by another event, and everything that follows from it is worked out again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from longhu.cards import DECK
from longhu.positions import Position
from longhu.table.confirmation import ConfirmReport
from longhu.table.correcting import CardCorrected, CorrectCard
from longhu.table.dealing import AnnounceResult, AnnounceTotals, DrawCard, ResultAnnounced, TotalsAnnounced, next_hand
from longhu.table.irregularities.drawn_in_error import ReportDrawnInError
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.messages import CARD_NOT_IN_SHOE
from longhu.table.people import TakeTheDeal
from longhu.table.remedies.procedure import NOT_A_CARD
from longhu.table.remedies.restoring import CardsRestored
from longhu.table.settling import SettleRound
from tests.table.irregular import METHOD_B, betting, finish, hands
from tests.table.rounds import Play

IDT, DT = "immortal-dragon-tiger", "dragon-tiger"


def dealt(*faces: str, **settings: Any) -> Play:
    """These cards, face up from a real shoe; ann has a wager on Player, bob on Banker."""
    play = betting(Play(IDT, **METHOD_B, **settings), ann={"player": "100.00"}, bob={"banker": "100.00"})
    for place, face in enumerate(faces):
        if place == 4:
            play.does(AnnounceTotals, "dee")
        play.draw(face)
    return play


@pytest.mark.clause("IDT-6.3b")
def test_the_dealer_alone_corrects_a_card_at_once() -> None:
    play = dealt("2D", "5D")
    play.does(CorrectCard, "dee", laid=1, card="4D")
    found = play.last(CardCorrected)
    assert (found.place, found.before, found.card, found.by, found.clause) == (1, "5D", "4D", "dee", "IDT-6.3b")
    assert hands(play) == ("2D", "4D")
    counts = play.table.shoe.counts if play.table.shoe else ()
    decks = play.settings.decks
    left = {str(each): count for each, count in zip(DECK, counts, strict=True)}
    assert (left["5D"], left["4D"], left["2D"]) == (decks, decks - 1, decks - 1)


def together(play: Play, laid: int, card: str) -> None:
    """The dealer asks for it, nothing moves, and a supervisor confirms what both have seen."""
    cards = play.current.cards
    assert isinstance(play.asks(CorrectCard, "dee", laid=laid, card=card), list)
    assert play.current.cards == cards
    awaited = play.table.awaited
    assert awaited is not None
    play.refused(ConfirmReport, "dee", number=awaited.number)
    play.does(ConfirmReport, "sue", number=awaited.number)
    assert play.last(CardCorrected).source == "two-people"


def test_once_the_next_card_lies_there_two_people_are_needed() -> None:
    play = dealt("2D", "5D", "3D")
    play.does(CorrectCard, "dee", laid=2, card="3H")
    assert play.last(CardCorrected).source == "dealer"
    together(play, 1, "4D")
    assert hands(play) == ("2D 3H", "4D")
    play.does(CorrectCard, "dee", laid=2, card="3S")  # the last one still is the dealer's own


def test_after_the_result_two_people_are_needed_and_it_is_announced_anew() -> None:
    play = dealt("2D", "9C", "KC", "QC")
    play.does(AnnounceResult, "dee")
    assert play.last(ResultAnnounced).winner == "banker"
    together(play, 1, "2C")
    play.refused(SettleRound, "dee")
    play.refused(AnnounceResult, "dee")  # Player draws
    play.does(AnnounceTotals, "dee")
    assert play.last(TotalsAnnounced).totals == (2, 2)
    finish(play, "6H", "7S")
    assert play.last(ResultAnnounced).totals == (8, 9)
    assert (play.net("ann"), play.net("bob")) == ("-100.00", "95.00")
    assert len(play.table.results) == 1


def test_cards_that_the_right_face_sends_elsewhere_go_there() -> None:
    """Player stood by the entry on 6, so Banker took the fifth card; really Player has 5, and it is Player's."""
    play = dealt("6D", "2C", "KC", "QC", "8H")
    assert play.current.cards[4].hand == "banker"
    together(play, 0, "5D")
    assert play.last(CardsRestored).clause == "IDT-5.7a"
    assert hands(play) == ("5D KC 8H", "2C QC")
    play.does(AnnounceTotals, "dee")
    assert play.last(TotalsAnnounced).totals == (5, 2)
    finish(play, "4S")
    assert play.last(ResultAnnounced).totals == (3, 6)


def test_a_card_that_no_hand_was_due_lies_beside_the_shoe() -> None:
    play = dealt("2D", "5C", "KC", "QC", "8H")
    together(play, 0, "9D")  # a natural
    assert hands(play) == ("9D KC", "5C QC")
    assert play.current.reserve == ("8H",)
    burn_what_is_over(play)
    finish(play)
    assert play.last(ResultAnnounced).winner == "player"


@pytest.mark.parametrize("text", ["9X", "1OS", "hello", ""])
def test_a_correction_names_a_card(text: str) -> None:
    play = dealt("2D", "5D")
    refused = play.refused(CorrectCard, "dee", laid=1, card=text)
    assert not text or refused.reason == NOT_A_CARD(text=text)


@pytest.mark.clause("IDT-5.1")
def test_a_correction_names_a_card_that_the_shoe_can_hold() -> None:
    play = dealt("KS", "KS", "KS", "KS", decks=4)
    play.refused(CorrectCard, "dee", laid=3, card="KS")  # so it was entered
    play.does(CorrectCard, "dee", laid=3, card="KD")
    play.does(CorrectCard, "dee", laid=3, card="KS")
    play.does(AnnounceTotals, "dee")
    play.draw("2S")
    assert play.refused(CorrectCard, "dee", "IDT-5.1", laid=4, card="KS").reason == CARD_NOT_IN_SHOE(card="KS")


def test_what_is_paid_is_not_corrected_by_the_cards() -> None:
    play = dealt("2D", "9C", "KC", "QC")
    finish(play)
    refused = play.refused(CorrectCard, "sue", laid=0, card="9D")
    assert refused.remedy is not None
    assert refused.remedy.code == "correct-payments"


def test_an_electronic_shoe_tells_its_cards_itself() -> None:
    play = betting(Play(IDT, method="B", cards="2D 9C KC QC"), ann={"player": "100.00"})
    play.draw()
    play.refused(CorrectCard, "dee", laid=0, card="9D")
    play.refused(CorrectCard, "opal", laid=0, card="9D")


def test_nothing_is_corrected_while_a_ruling_is_awaited() -> None:
    play = dealt("2D", "9C")
    play.does(ReportIncident, "dee", told="a drink was spilled")
    play.refused(CorrectCard, "dee", laid=1, card="8C")


# ------------------------------------------------ one has the deal


@pytest.mark.clause("IDT-3.9.1", "IDT-6.2")
def test_only_who_has_the_deal_draws_or_who_stands_above() -> None:
    play = betting(Play(IDT, **METHOD_B), ann={"player": "100.00"})
    dora = play.table.staff | {"dora": Position.DEALER}
    play.table = play.table.__class__(
        **{f: getattr(play.table, f) for f in play.table.__struct_fields__} | {"staff": dora}
    )
    for command, fields in ((DrawCard, {"card": "2D"}), (TakeTheDeal, {})):
        if command is DrawCard:
            play.refused(DrawCard, "dora", "IDT-3.9.1", position=Position.DEALER, **fields)
            play.does(DrawCard, "sue", **fields)
            assert play.table.dealer == "dee"
        else:
            play.does(TakeTheDeal, "dora", position=Position.DEALER)
    play.refused(DrawCard, "dee", "IDT-3.9.1", card="3D")
    play.does(DrawCard, "dora", position=Position.DEALER, card="3D")


# ------------------------------------------------ the property


def burn_what_is_over(play: Play) -> None:
    """Cards beside the shoe that no hand is due are reported as drawn in error, and burned."""
    play.does(ReportDrawnInError, "dee", exposed=True)
    play.does(MakeRuling, "gus", decision="burn", reason="drawn on a wrong entry")


FACES = st.sampled_from([str(each) for each in DECK])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(real=st.lists(FACES, min_size=8, max_size=8), data=st.data())
def test_entries_corrected_to_the_real_cards_pay_as_if_they_had_been_entered_rightly(
    real: list[str], data: st.DataObject
) -> None:
    """Whatever is mistyped, by whomever and whenever it is put right: the cards decide, and every change is on record."""
    right = _played(real, {})
    slips = data.draw(st.dictionaries(st.integers(0, 5), FACES, min_size=1, max_size=3))
    wrong = _played(real, slips, later=data.draw(st.sampled_from(["at once", "before the result", "after the result"])))
    assume(wrong is not None)
    assert right is not None
    assert wrong is not None
    assert {who: wrong.net(who) for who in ("ann", "bob")} == {who: right.net(who) for who in ("ann", "bob")}
    assert wrong.table.results == right.table.results
    counts = [play.table.shoe.counts for play in (wrong, right) if play.table.shoe]
    out = [play.table.shoe.discards for play in (wrong, right) if play.table.shoe]
    extra = [face for face in out[0] if out[0].count(face) > out[1].count(face)]
    assert counts[0] == counts[1] or extra  # a card over that the slip has drawn is out of the shoe
    put_right = [event for event in wrong.log if isinstance(event, CardCorrected)]
    assert put_right or all(real[place] == face for place, face in slips.items()) or len(out[1]) <= min(slips)


def _played(real: list[str], slips: dict[int, str], later: str = "at once") -> Play | None:
    """A round of these real cards, in which some are entered wrongly and put right."""
    play = betting(Play(IDT, **METHOD_B), ann={"player": "100.00", "tie": "25.00"}, bob={"banker": "100.00"})
    open_slips: dict[int, str] = {}
    for _ in range(60):
        round = play.table.round
        if round is None:
            return play
        if open_slips and (later == "at once" or _over(play)) and not _waits_for_result(play, later):
            _put_right(play, open_slips)
        elif _due(play) is not None:
            place = len(round.cards)
            if place >= len(real):
                return None
            entered = slips.get(place, real[place])
            if round.reserve:
                play.draw("")
            else:
                play.draw(entered)
                if entered != real[place]:
                    open_slips[place] = real[place]
        elif not round.totals_announced and _due(play, totals=True):
            play.does(AnnounceTotals, "dee")
        elif round.reserve and not round.announced:
            burn_what_is_over(play)
        elif not round.announced:
            play.does(AnnounceResult, "dee")
        elif open_slips:
            _put_right(play, open_slips)
        else:
            play.does(SettleRound, "dee")
    raise AssertionError("the round does not end")


def _over(play: Play) -> bool:
    return _due(play) is None and not _due(play, totals=True)


def _waits_for_result(play: Play, later: str) -> bool:
    return later == "after the result" and not play.current.announced


def _due(play: Play, *, totals: bool = False) -> int | None:
    """The hand that is due a card, with the totals told or still to be told."""
    round = play.current
    if round.announced:
        return None
    if len(round.cards) >= 4 and not round.totals_announced and not totals:
        return None
    hand = next_hand(play.game, round)[0]
    return hand if hand is None else hand + 1 if totals else hand


def _put_right(play: Play, slips: dict[int, str]) -> None:
    for place, face in list(slips.items()):
        del slips[place]
        if place < len(play.current.cards) and play.current.cards[place].card != face:
            before = play.current
            assert isinstance(play.asks(CorrectCard, "dee", laid=place, card=face), list)
            if play.table.awaited is not None:
                assert play.current == before
                play.does(ConfirmReport, "sue", number=play.table.awaited.number)
