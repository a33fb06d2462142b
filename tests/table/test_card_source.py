"""A shoe that reads the cards: a card that is due is dealt, and whatever else it tells keeps the round from going on by a guess."""

from __future__ import annotations

from typing import Any

import pytest

from longhu.eventsourcing import Event, Refusal
from longhu.positions import Position
from longhu.table.card_source import (
    ConnectSource,
    CountMessages,
    DealByHand,
    DealFromSource,
    EnterUnreadCard,
    LoseSource,
    ReadCard,
    ReadCuttingCard,
    ReportReadError,
    ReportRemoved,
    SourceCommand,
    SourceFaultFound,
    SourceHeard,
    is_due,
)
from longhu.table.dealing import AnnounceResult, AnnounceTotals, CardDrawn, DrawCard
from longhu.table.irregularities.cards import CardsSetAside, JudgeIrregularity
from longhu.table.irregularities.rulings import MakeRuling
from longhu.table.remedies.procedure import IncidentOpened, ReportIrregularity
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.settling import SettleRound, WagerSettled
from longhu.table.shoe import EndShoe
from longhu.table.state import Phase
from tests.table.irregular import DT, IDT, betting, dealt
from tests.table.rounds import Play

SHOE = "shoe-3"


class Reading(Play):
    """A table with a shoe that reads, connected; `reads` says what it tells, under the next number."""

    def __init__(self, game: str = DT, *, connect: bool = True, **settings: Any) -> None:
        super().__init__(game, device="reading-shoe", **settings)
        self.sent = 0
        if connect:
            self.tells(ConnectSource, sequence=0)

    def tells(self, kind: type[SourceCommand], **fields: Any) -> list[Event]:
        return self.does(kind, f"device:{SHOE}", **self._told(fields))

    def tells_in_vain(self, kind: type[SourceCommand], **fields: Any) -> Refusal:
        return self.refused(kind, f"device:{SHOE}", **self._told(fields))

    def _told(self, fields: dict[str, Any]) -> dict[str, Any]:
        if "sequence" not in fields:
            self.sent += 1
        usual = {"shoe": SHOE, "sequence": self.sent, "told_at": self.now, "position": Position.DEVICE}
        return {**usual, **fields}

    def reads(self, *faces: str, **fields: Any) -> list[Event]:
        return [event for face in faces for event in self.tells(ReadCard, card=face, **fields)]

    @property
    def fault(self) -> str:
        found = self.table.source.fault if self.table.source else None
        return found.kind if found is not None else ""


def ready(game: str = DT, *, first: tuple[str, ...] = (), **bets: dict[str, str]) -> Reading:
    settings: dict[str, Any] = {"method": "B"} if game == IDT else {}
    play = Reading(game, **settings)
    betting(play, **(bets or {"ann": {"dragon" if game == DT else "player": "50.00"}}))
    play.reads(*first)
    return play


@pytest.mark.clause("LOG-1", "DT-3.4b")
def test_a_card_that_the_shoe_reads_is_the_card_that_was_due_and_nobody_enters_it() -> None:
    play = ready(first=("KS", "2H"))
    assert dealt(play) == ["KS", "2H"]
    drawn = [event for event in play.log if isinstance(event, CardDrawn)]
    assert {(event.by, event.position, event.card.source) for event in drawn} == {
        (f"device:{SHOE}", Position.DEVICE, "device")
    }
    play.does(AnnounceResult, "dee")
    play.does(SettleRound, "dee")
    assert play.net("ann") == "50.00"


def test_while_the_shoe_reads_no_dealer_enters_a_face() -> None:
    play = ready()
    assert is_due(play.table, play.game)
    assert play.refused(DrawCard, "dee", card="KS").reason.code == "shoe-reads-cards"
    play.reads("KS", "2H")
    assert not is_due(play.table, play.game)


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize("person", ["ann", "dee", "sue", "gus"])
def test_nobody_speaks_for_the_shoe(person: str) -> None:
    play = ready()
    told: dict[str, Any] = {"shoe": SHOE, "sequence": 1, "told_at": 0, "card": "KS"}
    play.refused(ReadCard, person, **told)
    play.refused(ReadCard, person, position=Position.DEVICE, **told)
    play.refused(ConnectSource, person, position=Position.DEVICE, shoe=SHOE, sequence=0, told_at=0)
    play.refused(ReadCard, "device:other", position=Position.DEVICE, **{**told, "shoe": "other"})
    assert dealt(play) == []


@pytest.mark.clause("SEC-1")
def test_a_shoe_does_nothing_but_tell_cards() -> None:
    play = ready()
    for kind, fields in (
        (DrawCard, {"card": "KS"}),
        (AnnounceResult, {}),
        (MakeRuling, {"decision": "void", "reason": "x"}),
    ):
        for position in (Position.DEVICE, Position.DEALER, Position.GAMING_SHIFT_MANAGER):
            play.refused(kind, f"device:{SHOE}", position=position, **fields)


@pytest.mark.clause("SEC-1")
def test_only_a_table_with_a_reading_shoe_takes_one_and_only_one_at_a_time() -> None:
    told: dict[str, Any] = {"sequence": 0, "told_at": 0, "position": Position.DEVICE}
    hand = Play(DT, device="hand-shoe")
    assert hand.refused(ConnectSource, "device:a", shoe="a", **told).reason.code == "not-a-reading-shoe"
    play = Reading()
    assert play.refused(ConnectSource, "device:b", shoe="b", **told).reason.code == "another-shoe-reads"


# ------------------------------------------------ messages that come twice, or not at all


@pytest.mark.clause("LOG-8")
def test_a_message_that_comes_twice_is_on_record_and_deals_nothing() -> None:
    play = ready(first=("KS",))
    events = play.tells(ReadCard, sequence=1, card="KS")
    assert [event.became for event in events if isinstance(event, SourceHeard)] == ["repeated"]
    assert dealt(play) == ["KS"]
    assert play.fault == ""
    play.reads("2H")
    assert dealt(play) == ["KS", "2H"]


def refused_to_pay(play: Reading) -> None:
    """Nothing is dealt, announced or paid before somebody has ruled."""
    assert play.current.halt.for_ruling
    play.refused(DrawCard, "dee", card="2H")
    play.refused(AnnounceResult, "dee")
    play.refused(SettleRound, "dee")
    assert not any(isinstance(event, WagerSettled) for event in play.log)


@pytest.mark.clause("REC-2", "LOG-8")
@pytest.mark.parametrize(
    ("kind", "told", "fault"),
    [
        (ReadCard, {"sequence": 1, "card": "3H"}, "contradiction"),
        (ReadCard, {"sequence": 3, "card": "3H"}, "gap"),
        (CountMessages, {"sequence": 4}, "gap"),
        (ReportRemoved, {"what": "card"}, "removed"),
        (ReportRemoved, {"what": "shoe"}, "removed"),
        (ReportReadError, {"what": "fault", "detail": "lamp"}, "device"),
        (ReadCard, {"shoe": "shoe-9", "card": "3H"}, "other-shoe"),
        (ConnectSource, {"sequence": 0}, "restarted"),
    ],
)
def test_what_the_shoe_cannot_mean_stops_the_round_for_a_ruling(
    kind: type[SourceCommand], told: dict[str, Any], fault: str
) -> None:
    play = ready(first=("KS",))
    play.tells(kind, **told)
    assert (play.fault, dealt(play)) == (fault, ["KS"])
    assert any(isinstance(event, SourceFaultFound) for event in play.log)
    refused_to_pay(play)


@pytest.mark.clause("IDT-6.1", "IDT-5.1.1")
def test_a_card_that_the_shoe_cannot_hold_voids_nothing_until_people_say_that_it_lies_there() -> None:
    play = Reading(IDT, decks=4, method="B")
    betting(play, ann={"player": "50.00"})
    play.reads("KS", "KS", "KS", "KS")
    play.does(AnnounceTotals, "dee")
    play.reads("KS")
    assert (play.fault, len(play.current.cards)) == ("foreign-card", 4)
    found = play.last(IncidentOpened)
    assert (found.decider, found.clause) == (Position.GAMING_SHIFT_MANAGER, "IDT-6.1")
    refused_to_pay(play)
    play.does(ReportIrregularity, "sue", kind="foreign-card", cosigned_by=("dee",))
    assert play.table.round is None
    assert play.net("ann") == "0.00"


@pytest.mark.clause("IDT-6.1")
def test_after_a_ruling_people_enter_the_rest_of_the_round_and_the_shoe_is_only_noted() -> None:
    play = ready(IDT, first=("KS", "2H"))
    play.tells(ReadCard, sequence=4, card="5D")  # one message is lost
    play.sent = 4
    play.refused(MakeRuling, "dee", decision="continue", reason="all four lie here")
    play.does(MakeRuling, "gus", decision="continue", reason="all four lie here")
    assert play.fault == ""
    play.draw("9C", "5D")
    assert play.tells(ReadCard, card="7S")[0].became == "noted"  # type: ignore[attr-defined]
    play.does(AnnounceTotals, "dee")
    assert dealt(play) == ["KS", "2H", "9C", "5D"]
    assert [each.source for each in play.current.cards] == ["device", "device", "dealer", "dealer"]
    play.does(AnnounceResult, "dee")
    play.does(SettleRound, "dee")
    assert play.net("ann") == "50.00"
    betting(play, ann={"player": "50.00"})
    play.reads("2C")
    assert play.current.cards[0].source == "device"


# ------------------------------------------------ a card that is not due


@pytest.mark.clause("DT-5.2a")
def test_a_card_before_the_closing_call_is_dealt_to_nobody_and_ruled_on() -> None:
    play = Reading()
    play.open_betting()
    play.bet("ann", "dragon", "50.00")
    assert play.reads("KS")[0].became == "in-error"  # type: ignore[attr-defined]
    assert (play.fault, play.current.cards) == ("", ())
    refused_to_pay(play)
    play.does(MakeRuling, "gus", decision="burn", reason="drawn too early", cosigned_by=("sue",))
    if play.current.phase is Phase.BETTING:
        play.close_betting()
    play.reads("9S", "2C")
    play.finish()
    assert dealt(play) == ["9S", "2C"]
    assert play.net("ann") == "50.00"


@pytest.mark.clause("REC-2")
def test_a_card_after_the_round_is_dealt_to_nobody_until_it_is_accounted_for() -> None:
    play = ready(first=("9S", "2C"))
    play.finish()
    play.reads("3C")
    assert (play.fault, play.table.round) == ("not-due", None)
    betting(play, ann={"dragon": "50.00"})
    assert play.refused(DrawCard, "dee", card="KS").reason.code == "shoe-not-believed"
    assert play.tells(ReadCard, card="2H")[0].became == "noted"  # type: ignore[attr-defined]
    play.refused(DealFromSource, "dee", reason="both are burned")
    play.does(DealFromSource, "sue", reason="both are burned")
    play.reads("KS", "2D")
    play.finish()
    assert play.net("ann") == "100.00"


@pytest.mark.clause("DT-5.2a", "IDT-6.1")
@pytest.mark.parametrize("game", [DT, IDT])
def test_a_card_too_many_stops_the_round_before_anything_is_paid(game: str) -> None:
    play = ready(game, first=("KS", "9H") if game == DT else ("KS", "2H", "9C", "5D"))
    if game == IDT:
        play.does(AnnounceTotals, "dee")
    assert play.reads("4C")[0].became == "in-error"  # type: ignore[attr-defined]
    assert play.fault == ""
    refused_to_pay(play)
    play.does(MakeRuling, "gus", decision="void", reason="a card too many", cosigned_by=("dee",))
    assert play.net("ann") == "0.00"


@pytest.mark.clause("IDT-3.16a")
def test_the_cutting_card_that_the_shoe_reads_is_as_if_the_dealer_had_reported_it() -> None:
    play = ready(IDT, first=("KS", "2H"))
    play.tells(ReadCuttingCard)
    assert play.table.shoe is not None
    assert play.table.shoe.cutting_card_out
    assert play.tells(ReadCuttingCard)[0].became == "noted"  # type: ignore[attr-defined]
    play.reads("9C", "5D")
    assert dealt(play) == ["KS", "2H", "9C", "5D"]


@pytest.mark.clause("IDT-3.13")
def test_a_further_card_drawn_before_the_totals_are_told_waits_beside_the_shoe() -> None:
    play = ready(IDT, first=("KS", "2H", "2C", "5D"))
    play.reads("4C")
    assert (play.fault, play.current.reserve) == ("", ("4C",))
    play.does(AnnounceTotals, "dee")
    play.draw()
    assert dealt(play)[-1] == "4C"
    assert play.current.cards[-1].source == "device"


@pytest.mark.clause("IDT-5.8", "IDT-5.8.1")
def test_cards_that_left_the_shoe_together_go_where_they_belong_after_patrons_were_asked() -> None:
    play = ready(IDT, first=("KS",))
    play.reads("2H", together=True)
    play.refused(DrawCard, "dee")
    play.does(JudgeIrregularity, "dee", put_right=True, cosigned_by=("sue",))
    assert play.current.halt.offer is not None
    assert isinstance(next(event for event in play.log if isinstance(event, CardsSetAside)), CardsSetAside)
    play.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    play.draw()
    assert dealt(play) == ["KS", "2H"]
    play.reads("9C", "5D")
    assert [each.source for each in play.current.cards] == ["device"] * 4


# ------------------------------------------------ a card that cannot be read


@pytest.mark.clause("REC-2", "LOG-1")
@pytest.mark.parametrize("told", [{"kind": ReportReadError, "what": "unreadable"}, {"kind": ReadCard, "card": "9X"}])
def test_a_misread_card_is_entered_by_the_dealer_and_the_record_says_so(told: dict[str, Any]) -> None:
    play = ready(first=("KS",))
    play.refused(EnterUnreadCard, "dee", card="2H")
    kind = told.pop("kind")
    play.tells(kind, **told)
    told["kind"] = kind
    assert (play.fault, dealt(play)) == ("", ["KS"])
    assert play.refused(DrawCard, "dee", card="2H").reason.code == "card-lies-unread"
    play.refused(AnnounceResult, "dee")
    play.refused(EnterUnreadCard, "ann", card="2H")
    play.refused(EnterUnreadCard, "dee", card="9X")
    play.does(EnterUnreadCard, "dee", card="2H", cosigned_by=("sue",))
    assert [each.source for each in play.current.cards] == ["device", "two-people"]
    play.does(AnnounceResult, "dee")
    play.does(SettleRound, "dee")
    assert play.net("ann") == "50.00"


def test_a_card_read_before_the_unread_one_is_entered_is_not_dealt() -> None:
    play = ready(IDT, first=("KS",))
    play.tells(ReportReadError, what="unreadable")
    play.reads("9C")
    assert (play.fault, dealt(play)) == ("unread", ["KS"])
    refused_to_pay(play)


def test_an_unread_card_of_a_void_round_is_forgotten() -> None:
    play = ready(first=("KS",))
    play.tells(ReportReadError, what="unreadable")
    play.does(ReportIrregularity, "sue", kind="insufficient-cards", cosigned_by=("dee",))
    assert play.table.round is None
    play.load()
    betting(play, ann={"dragon": "50.00"})
    play.reads("KS", "2H")
    assert len(play.current.cards) == 2


# ------------------------------------------------ a shoe that is silent


@pytest.mark.clause("REC-2", "LOG-4")
def test_a_silent_shoe_keeps_its_table_until_it_is_back_or_a_supervisor_decides() -> None:
    play = ready(first=("KS",))
    play.does(LoseSource, "opal", cause="silent")
    assert play.refused(DrawCard, "dee", card="2H").reason.code == "shoe-is-silent"
    play.refused(DealByHand, "dee", reason="no light")
    play.refused(DealByHand, "sue", reason=" ")
    play.does(DealByHand, "sue", reason="no light", cosigned_by=("dee",))
    assert play.log[-1].by == "sue"
    play.draw("2H")
    play.finish()
    assert play.net("ann") == "50.00"
    play.tells(ConnectSource, sequence=1)
    betting(play, ann={"dragon": "50.00"})
    assert play.tells(ReadCard, card="4C")[0].became == "noted"  # type: ignore[attr-defined]
    play.draw("4C")
    play.refused(DealFromSource, "sue", reason="it is back")  # in the middle of a round
    play.draw("5C")
    play.finish()
    play.does(DealFromSource, "sue", reason="it is back")
    betting(play, ann={"dragon": "50.00"})
    play.reads("6C")
    assert play.current.cards[0].source == "device"


def test_a_shoe_that_comes_back_tells_what_it_has_read_meanwhile() -> None:
    play = ready(first=("KS",))
    play.does(LoseSource, "opal", cause="disconnected")
    play.tells(ConnectSource, sequence=2)
    assert (play.fault, play.table.source and play.table.source.sequence) == ("", 1)
    play.reads("2H")
    assert dealt(play) == ["KS", "2H"]


@pytest.mark.clause("SEC-1")
def test_a_shoe_whose_credential_was_revoked_says_nothing_more() -> None:
    play = ready(first=("KS",))
    play.does(LoseSource, "opal", cause="revoked")
    play.tells_in_vain(ReadCard, card="2H")
    play.does(DealByHand, "sue", reason="revoked", cosigned_by=("dee",))
    play.draw("2H")
    play.finish()


# ------------------------------------------------ shoes and what is burned


def test_what_is_burned_of_a_new_shoe_and_read_while_no_shoe_is_loaded_is_only_noted() -> None:
    play = Reading("dragon-21", burn=2)
    play.does(EndShoe, "dee")
    play.reads("2C", "2D")
    play.load()
    play.tells(ReadCard, card="KS")
    play.tells(ReadCard, card="KS")
    assert (play.fault, play.table.source and play.table.source.to_burn) == ("", 0)
    betting(play, ann={"dragon": "50.00"})
    play.reads("9C")
    assert dealt(play) == ["9C"]


@pytest.mark.clause("IDT-3.10")
def test_a_card_that_is_dealt_face_down_is_known_to_the_table_and_seen_by_nobody() -> None:
    play = Reading(IDT, method="A")
    betting(play, ann={"player": "50.00"})
    play.reads("KS", "2H", "9C", "5D")
    assert not any(each.public for each in play.current.cards)
    play.turn_over()  # nobody has to enter what the shoe has read
    assert [each.card for each in play.current.cards] == ["KS", "2H", "9C", "5D"]
