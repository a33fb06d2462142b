"""Short evenings for what ordinary play and the pages of the documentation do not reach, one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Any

from longhu.cards import DECK, cards
from longhu.eventsourcing import Refusal
from longhu.games.loader import load as load_file
from longhu.games.source import read_text
from longhu.ledger import LedgerError
from longhu.positions import Position
from longhu.table.betting import CapArea, ConfirmWager, PlaceWager
from longhu.table.betting_phase import AbandonRound, ConfirmDeal
from longhu.table.call_bets import SetSpokenWager, SpeakWager
from longhu.table.card_source import (
    ConnectSource,
    DealByHand,
    DealFromSource,
    EnterUnreadCard,
    LoseSource,
    ReadCard,
    ReportReadError,
    SourceCommand,
)
from longhu.table.confirmation import RejectReport
from longhu.table.dealing import AnnounceResult, AnnounceTotals
from longhu.table.differential import LeaveDifferential, ScaleBack
from longhu.table.fills import AcceptChips, DeliverChips, IssueChips, RequestChips
from longhu.table.handling import ChooseFirstHand, GrantSqueeze, NameHolder, PassHands, RevealHand
from longhu.table.irregularities.cards import DrawCardsTogether
from longhu.table.irregularities.late import RecordUnpaidLoss, ReportLateChips, ReportLiftedWager, ReportOffLimitsWager
from longhu.table.irregularities.missing import (
    AttendSearch,
    ReportMissingCards,
    ReserveCards,
    SortCards,
    SubstituteCards,
)
from longhu.table.irregularities.power import ReportMalfunction, ReportPowerFailure
from longhu.table.irregularities.rulings import MakeRuling, ReportIncident
from longhu.table.nominees import (
    AnnounceNominee,
    ApproveNominee,
    ConfirmNomineeEnd,
    EndNominee,
    LiftInPersonOrder,
    NameNominee,
    OrderInPerson,
)
from longhu.table.opening import ChangeSettings
from longhu.table.people import AssignStaff, GrantMaximum, TakeSeat
from longhu.table.remedies.withdrawal import AnswerWithdrawalOffer
from longhu.table.settling import SettleRound
from longhu.table.shoe import EndShoe
from longhu.table.suspension import ResumeTable, SuspendTable, stopped_by
from longhu.table.tie_returns import ChangeReturnedWager
from tests.audit.evening import Told, load

DT, IDT, D21, DBO = "dragon-tiger", "immortal-dragon-tiger", "dragon-21", "dragon-bonus-online"


def fill_and_people() -> Told:
    told = Told(IDT)
    told.does(RequestChips, "sue", kind="fill", amount=1000_00, chips={100_00: 10})
    told.does(IssueChips, "kit", number=1)
    told.does(DeliverChips, "gus", number=1)
    told.does(AcceptChips, "dee", number=1, chips={100_00: 10})
    told.does(TakeSeat, "ann", seat=4)
    told.does(AssignStaff, "gus", person="eve", to=Position.PIT_SUPERVISOR)
    told.does(AssignStaff, "gus", person="sue", to=Position.PIT_MANAGER, acting=True)
    told.does(GrantMaximum, "pam", person="ann", wagers=("player", "tie"), most=2000_00)
    told.does(CapArea, "pam", place=4, wager="tie", most=2)
    told.does(ChangeSettings, "opal", changes={"differential": 5000_00}, why="a quiet evening")
    told.does(SuspendTable, "dee", reason="the camera is down")
    told.does(ResumeTable, "sue", reason="it is up again")
    told.open_betting()
    told.does(AbandonRound, "dee")
    told.does(EndShoe, "dee", why="the cards are worn")
    return told


def spoken_and_helped() -> Told:
    told = Told(D21)
    told.does(NameNominee, "ann", person="stan")
    told.does(ApproveNominee, "sue", patron="ann")
    told.does(AnnounceNominee, "sue", patron="ann")
    told.does(OrderInPerson, "sue", act="wager", patrons=("bob",))
    told.does(LiftInPersonOrder, "sue", act="wager", patrons=("bob",))
    told.does(ConfirmNomineeEnd, "ann")
    told.does(EndNominee, "sue", patron="ann")
    told.open_betting()
    told.does(SpeakWager, "ann", place=1, wager="dragon", amount=100_00, chips=(100_00,))
    told.does(SpeakWager, "bob", place=2, wager="tiger", amount=100_00, chips=(100_00,))
    told.does(SetSpokenWager, "dee", patron="ann", place=1, wager="dragon")
    told.does(PlaceWager, "dee", place=3, wager="dragon", amount=50_00, patron="cay", requested=True)
    told.does(ConfirmWager, "cay", place=3, wager="dragon")
    told.finish()
    told.reveal()
    return told


def returned_by_the_tie() -> Told:
    told = Told(D21, cards="TS TH 9H 9C", fixed=True)
    told.round(ann={"dragon": "50.00"})
    told.does(ChangeReturnedWager, "ann", place=1, wager="dragon", amount=20_00)
    told.round()
    return told


def confirmed_deal() -> Told:
    told = Told(DBO)
    told.open_betting()
    told.bet("ann", "banker", "20.00")
    told.does(ConfirmDeal, "ann")
    told.finish()
    told.reveal()
    return told


def undone() -> Told:
    """A paid round that is undone."""
    told = Told(DBO)
    told.round(ann={"banker": "20.00"})
    told.does(ReportMalfunction, "dee", number=1, told="a card was shown twice")
    told.reveal()
    return told


def second_persons() -> Told:
    """A report that somebody else rejects, and one that is signed at once."""
    told = Told(IDT, method="B", device="hand-shoe")
    told.open_betting()
    told.bet("ann", "player", "50.00")
    told.close_betting()
    told.draw("2D")
    told.asks(ReportPowerFailure, "dee", told="the lights flickered")
    told.does(RejectReport, "sue", number=1, reason="they did not")
    off = {"patron": "ann", "place": 1, "wager": "player", "amount": 2_000_00}
    told.does(ReportOffLimitsWager, "dee", cosigned_by=("sue",), **off)
    told.draw("KC", "3D", "6C")
    told.does(AnnounceTotals, "dee")
    told.draw("9H")
    told.finish()
    return told


def equal_wagers() -> Told:
    told = Told(IDT, method="A")
    told.open_betting()
    for patron, seat in (("ann", 1), ("bob", 2)):
        told.does(PlaceWager, patron, place=seat, wager="player", amount=300_00, at=told.now)
    told.bet("cay", "banker", "100.00")
    told.close_betting()
    told.draw("", "", "", "")
    told.does(PassHands, "dee")
    told.does(ChooseFirstHand, "dee", hand="banker")
    told.does(NameHolder, "sue", hand="player", person="bob")
    told.does(RevealHand, "cay", hand="banker")
    told.finish()
    told.reveal()
    return told


def squeeze_granted() -> Told:
    told = Told(IDT, method="A")
    told.open_betting()
    told.bet("ann", "player", "100.00")
    told.close_betting()
    told.draw("", "", "", "")
    told.does(PassHands, "dee")
    told.does(GrantSqueeze, "pam", hand="player", person="bob")
    told.finish()
    return told


def card_gone() -> Told:
    """Ann leaves with a card, and two had left the shoe together unseen."""
    told = Told(IDT, method="A", device="hand-shoe")
    told.open_betting()
    told.bet("ann", "player", "100.00")
    told.close_betting()
    told.draw("", "", "", "")
    told.does(PassHands, "dee")
    told.does(RevealHand, "dee", hand="banker", cards=("2C", "KH"))
    told.does(ReportMissingCards, "dee", places=(2,), left=("KD",))
    told.does(AttendSearch, "gus")
    told.does(ReserveCards, "dee", cards=("5S", "9D"))
    left = Counter(str(each) for each in DECK * 8)
    left.subtract(str(each) for each in cards("KD 2C KH 5S 9D 4H"))
    told.does(SortCards, "dee", counts=dict(left))
    told.does(SubstituteCards, "dee", cards=("4H",))
    return told


def reserve_seen() -> Told:
    told = Told(IDT, method="A", device="hand-shoe")
    told.open_betting()
    told.bet("ann", "player", "100.00")
    told.close_betting()
    told.draw("", "", "")
    told.does(DrawCardsTogether, "dee", order_known=True, cards=("", ""))
    told.does(AnswerWithdrawalOffer, "ann", withdraw=False)
    told.draw("")
    told.does(PassHands, "dee")
    told.does(RevealHand, "dee", hand="banker", cards=("2C", "KH"))
    told.does(ReportMissingCards, "dee", places=(2,), left=("KD",))
    told.does(AttendSearch, "gus")
    told.does(ReserveCards, "dee", cards=("5S", "9D"))
    return told


def shoe_that_reads() -> Told:
    """The shoe reads three cards of two rounds; one it cannot read, one it reads twice; then it is not believed, and lost."""
    told, sent = Told("dragon-tiger", device="reading-shoe"), count()

    def tells(kind: type[SourceCommand], **fields: Any) -> None:
        number = fields.pop("sequence") if "sequence" in fields else next(sent)
        said = {"shoe": "shoe-3", "sequence": number, "told_at": told.now, "position": Position.DEVICE, **fields}
        told.does(kind, "device:shoe-3", **said)

    tells(ConnectSource)
    told.open_betting()
    told.bet("ann", "dragon", "50.00")
    told.close_betting()
    tells(ReadCard, card="KS")
    tells(ReadCard, card="KS", sequence=1)
    tells(ReportReadError, what="unreadable")
    told.does(EnterUnreadCard, "dee", card="2H", cosigned_by=("sue",))
    told.finish()
    tells(ReadCard, card="9C")
    told.does(DealFromSource, "sue", reason="9C is burned")
    told.does(LoseSource, "opal", cause="silent")
    told.does(DealByHand, "sue", reason="no light")
    told.open_betting()
    told.bet("ann", "dragon", "50.00")
    told.close_betting()
    told.draw("4C", "5C")
    told.finish()
    return told


def lifted_and_late() -> Told:
    told = Told(IDT, method="B", cards="2D 9C KC QC", fixed=True)
    told.open_betting()
    told.bet("ann", "player", "100.00")
    told.close_betting()
    told.does(ReportLateChips, "dee", patron="bob", place=2, wager="tie", amount=25_00)
    told.does(ReportLiftedWager, "dee", patron="ann", place=1, wager="player")
    told.finish()
    told.does(RecordUnpaidLoss, "sue", patron="ann", amount=100_00, reason="walked away")
    return told


def differential() -> Told:
    told = Told(IDT, method="B", differential=100_00)
    told.open_betting()
    told.bet("ann", "player", "300.00")
    told.bet("bob", "banker", "50.00")
    told.close_betting()
    told.does(PlaceWager, "bob", place=2, wager="banker", amount=100_00)
    return told


def scaled_back() -> Told:
    told = Told(D21, differential=100_00)
    told.open_betting()
    told.bet("ann", "dragon", "300.00")
    told.close_betting()
    told.does(ScaleBack, "dee")
    return told


def left_as_it_is() -> Told:
    told = Told(D21, differential=100_00)
    told.open_betting()
    told.bet("ann", "dragon", "300.00")
    told.close_betting()
    told.does(LeaveDifferential, "dee")
    told.draw()
    return told


def capped() -> Told:
    """Player wins 9 to 0 without a natural, which pays more than a round may; the printed cap is just not reached."""
    text = load(DBO, {}).text.replace('round_cap = { amount = "3300.00"', 'round_cap = { amount = "1000.00"')
    low = load_file(read_text(text, "low.toml"))
    told = Told(low, cards="2S KH 3D QC 4S TD", fixed=True)
    told.round(ann={"player": "100.00", "dragon-bonus-player": "100.00"})
    return told


def wrong_announcement() -> Told:
    told = Told(DT, cards="KS 2H", fixed=True, cut_reserve=415)
    told.open_betting()
    told.bet("ann", "dragon", "50.00")
    told.close_betting()
    told.deal()
    told.does(AnnounceResult, "dee", winner="tiger")
    told.does(AnnounceResult, "dee", winner="dragon")
    told.does(SettleRound, "dee")
    return told


def burned_card() -> Told:
    told = Told(IDT, method="B")
    told.open_betting()
    told.bet("ann", "player", "50.00")
    told.does(ReportIncident, "dee", told="the next card was seen")
    told.does(MakeRuling, "gus", decision="burn", reason="it was seen")
    told.finish()
    told.reveal()
    return told


def stopped() -> Told:
    """A defect of the program at that time: the table stops, and every later command is refused."""
    told = Told(DT)
    asked = told.command(SettleRound, "dee")
    told.tell(asked, [stopped_by(LedgerError("patron:ann would stand at -5"), at=asked.at)])
    assert isinstance(told.ask(told.command(SettleRound, "dee")), Refusal)
    return told


TROUBLES: tuple[Callable[[], Told], ...] = (
    shoe_that_reads,
    fill_and_people,
    spoken_and_helped,
    returned_by_the_tie,
    confirmed_deal,
    undone,
    second_persons,
    equal_wagers,
    squeeze_granted,
    card_gone,
    reserve_seen,
    lifted_and_late,
    differential,
    scaled_back,
    left_as_it_is,
    capped,
    wrong_announcement,
    burned_card,
    stopped,
)
