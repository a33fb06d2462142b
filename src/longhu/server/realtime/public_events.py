"""Public events: the fields of each event that everybody at a table may see.

Each kind of event lists its public fields, and nothing is public by default: a new field is shown to nobody until it is listed here.
Never listed are face-down cards, secrets before their time, balances, and remarks of the staff. What a viewer may see beyond that comes
with the changes of their own view. `broadcast` makes messages of them.
"""

from __future__ import annotations

import msgspec

from longhu.eventsourcing import Event
from longhu.fairness.shuffle import Contribution
from longhu.table import (
    betting,
    betting_phase,
    call_bets,
    cash,
    checkpoint,
    dealing,
    differential,
    handling,
    messages,
    nominees,
    opening,
    people,
    settling,
    shoe,
    shuffling,
    suspension,
    tie_returns,
)
from longhu.table.irregularities import cards, exposure, late, missing, power, rulings
from longhu.table.remedies import mispassed, procedure, restoring, void, withdrawal
from longhu.table.state import Nominee, Spoken, Stake

NOT_AT_ALL = None  # not even that it happened

TOLD: dict[type[Event], tuple[str, ...] | None] = {
    # the calls and the wagers
    betting_phase.RoundStarted: ("number", "method", "wagering"),
    betting_phase.BettingClosed: ("number",),
    betting_phase.DealConfirmed: ("person",),
    betting_phase.RoundAbandoned: ("number",),
    betting.WagerPlaced: ("stake", "added"),
    betting.WagerTakenBack: ("stake", "returned"),
    betting.WagerConfirmed: ("key",),
    betting.AreaCapped: ("place", "most"),
    call_bets.WagerSpoken: ("spoken",),
    call_bets.SpokenWagerEnded: ("spoken", "lapsed", "taken_back"),
    tie_returns.ReturnedWagerChanged: ("before", "stake"),
    differential.DifferentialExceeded: ("totals", "limit", "stage", "asks"),
    differential.DifferentialMoved: ("stage", "over"),
    differential.DifferentialMet: ("totals",),
    differential.WagerReduced: ("stake", "returned"),
    # the deal
    dealing.CardDrawn: ("card", "why"),
    dealing.CuttingCardShown: ("first",),
    dealing.TotalsAnnounced: ("totals",),
    dealing.ResultAnnounced: ("totals", "winner", "number"),
    dealing.AnnouncementContradicted: ("announced",),
    handling.HandPassed: ("hand", "to"),
    handling.HolderAsked: ("hand", "among"),
    handling.SqueezeGranted: ("hand", "person"),
    handling.FirstHandChosen: ("hand",),
    handling.CardSqueezed: ("place", "step"),
    handling.CardsRevealed: ("hand", "cards"),
    settling.WagerSettled: ("stake", "line", "result", "pays", "net", "returned"),
    settling.RoundCapped: ("patron", "cut"),
    settling.RoundEnded: ("number", "ending"),
    # the shoe
    shuffling.ShuffleCommitted: ("number", "commitment"),
    shuffling.ContributionMade: ("number", "contribution"),
    shuffling.CutMade: ("number", "person", "behind"),
    shuffling.ShuffleRevealed: ("number", "secret"),
    shoe.CardsVerified: ("person", "counted"),
    shoe.CardsShuffled: ("cards",),
    shoe.CutDeclined: ("person",),
    shoe.CardsCut: ("person", "behind"),
    shoe.ShoeLoaded: ("burned",),
    shoe.ShoeEnded: ("number",),
    # people
    people.PatronJoined: ("person", "seat"),
    people.PatronLeft: ("person",),
    people.SeatTaken: ("person", "seat"),
    people.MaximumGranted: NOT_AT_ALL,
    people.StaffAssigned: ("person", "to"),
    people.DealerChanged: ("dealer",),
    nominees.NomineeNamed: ("nominee",),
    nominees.NomineeApproved: ("patron",),
    nominees.NomineeAnnounced: ("patron", "person"),
    nominees.NomineeEndConfirmed: ("patron",),
    nominees.NomineeEnded: ("patron", "person"),
    nominees.InPersonOrdered: ("act", "patrons"),
    nominees.InPersonOrderLifted: ("act", "patrons"),
    # the house
    opening.TableOpened: (),
    opening.TableClosed: (),
    opening.SettingsChanged: (),
    suspension.TableSuspended: ("cause",),
    suspension.TableResumed: (),
    suspension.TableStopped: (),
    cash.ChipsBought: ("patron",),
    cash.ChipsCashed: ("patron",),
    cash.ChipRequestMoved: NOT_AT_ALL,
    checkpoint.StateRecorded: NOT_AT_ALL,
    messages.CommandRefused: NOT_AT_ALL,
    # irregularities
    void.IrregularityFound: ("kind", "remedy"),
    void.StakeReturned: ("stake",),
    void.RoundVoided: ("number",),
    void.ShoeCondemned: ("number",),
    procedure.IncidentOpened: (),
    rulings.RulingMade: ("decision",),
    rulings.CardBurned: (),
    procedure.JudgementAwaited: ("kind",),
    restoring.CardOrderFixed: (),
    restoring.CardsRestored: (),
    withdrawal.WithdrawalOffered: (),
    withdrawal.WithdrawalOfferAnswered: ("patron", "withdraws"),
    withdrawal.WithdrawalOfferClosed: ("then",),
    withdrawal.BettingReopened: ("number",),
    withdrawal.ExposedCardsJudged: ("decided", "withdrawal"),
    cards.CardsSetAside: (),
    cards.CardsFoundMislaid: ("hands",),
    cards.IrregularityJudged: ("kind", "put_right"),
    exposure.CardsExposed: ("places", "cards"),
    mispassed.HandMispassed: ("hand", "to"),
    mispassed.HandRetrieved: ("hand", "to"),
    late.LateChipsReturned: ("patron", "place", "wager", "amount"),
    late.WagerLifted: ("key",),
    late.UnpaidLossRecorded: NOT_AT_ALL,
    late.OffLimitsWagerFound: ("stake",),
    missing.CardsFoundMissing: ("places",),
    missing.SearchAttended: ("person",),
    missing.CardsSorted: ("counts", "accounted_for"),
    missing.CardsSubstituted: ("places", "cards"),
    power.PaymentsReversed: ("number", "patron"),
    power.RoundReversed: ("number",),
}

PARTS: dict[type[msgspec.Struct], tuple[str, ...]] = {  # of what stands within an event
    Stake: ("patron", "place", "wager", "amount", "placed_by", "confirmed"),
    Spoken: ("patron", "place", "wager", "chips", "told_by"),
    Nominee: ("person", "patron", "may_wager", "may_handle"),
    Contribution: ("person", "value"),
}
