"""Public events: the fields of each event that everybody at a table may see.

Each kind of event lists its public fields, and nothing is public by default: a new field is shown to nobody until it is listed here.
Never listed are face-down cards, secrets before their time, balances, and remarks of the staff. What a viewer may see beyond that comes
with the changes of their own view.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from longhu.eventsourcing import Event
from longhu.fairness.shuffle import Contribution
from longhu.games.game import Game
from longhu.money import UNSTATED, Currency
from longhu.server.realtime.codec import name_of
from longhu.server.wire_types import fields_of, form, writer
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
from longhu.table.state import Card, Nominee, Spoken, Stake
from longhu.table.views import PublicIdentity

encode = msgspec.json.Encoder().encode
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
    tie_returns.ReturnedChanged: ("before", "stake"),
    differential.DifferentialExceeded: ("totals", "limit", "stage", "asks"),
    differential.DifferentialMoved: ("stage", "over"),
    differential.DifferentialMet: ("totals",),
    differential.WagerReduced: ("stake", "returned"),
    # the deal
    dealing.CardDrawn: ("card", "why"),
    dealing.CuttingCardShown: ("first",),
    dealing.TotalsAnnounced: ("totals",),
    dealing.ResultAnnounced: ("totals", "winner", "number"),
    dealing.AnnouncementDiffers: ("announced",),
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
    nominees.OrderedThemselves: ("act", "patrons"),
    nominees.OrderLifted: ("act", "patrons"),
    # the house
    opening.TableOpened: (),
    opening.TableClosed: (),
    opening.SettingsChanged: (),
    suspension.TableSuspended: ("cause",),
    suspension.TableResumed: (),
    suspension.TableStopped: (),
    cash.ChipsBought: ("patron",),
    cash.ChipsCashed: ("patron",),
    cash.ChipsMoved: NOT_AT_ALL,
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
    restoring.OrderFixed: (),
    restoring.CardsRestored: (),
    withdrawal.OfferMade: (),
    withdrawal.OfferAnswered: ("patron", "withdraws"),
    withdrawal.OfferClosed: ("then",),
    withdrawal.BettingReopened: ("number",),
    withdrawal.ExposedCardsJudged: ("decided", "withdrawal"),
    cards.CardsSetAside: (),
    cards.CardsFoundLying: ("hands",),
    cards.Judged: ("kind", "put_right"),
    exposure.CardsExposed: ("places", "cards"),
    mispassed.HandMispassed: ("hand", "to"),
    mispassed.HandRetrieved: ("hand", "to"),
    late.LateChipsReturned: ("patron", "place", "wager", "amount"),
    late.WagerLifted: ("key",),
    late.UnpaidRecorded: NOT_AT_ALL,
    late.OffLimitsFound: ("stake",),
    missing.CardsGone: ("places",),
    missing.ManagerAttends: ("person",),
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

Teller = Callable[[Any, Game, Currency], Any]
Tellers = tuple[tuple[str, Teller | None], ...]  # None where a field stands as it is


def told(event: Event, game: Game, who: PublicIdentity | None) -> dict[str, Any] | None:
    """What everybody is told of it; None where nobody is told that it happened. Without `who`, people have their names."""
    tellers = _TELLERS[type(event)]
    if tellers is None:
        return None
    currency = game.currency or UNSTATED
    fields = {
        name: getattr(event, name) if tells is None else tells(getattr(event, name), game, currency)
        for name, tells in tellers
    }
    if who is None:
        return fields
    if isinstance(event, people.StaffAssigned):  # to a position, and not to a person
        return {**fields, "person": who.of(event.person, event.to)}
    told: dict[str, Any] = who.told("", fields)
    return told


def message(sequence: int, event: Event, game: Game, who: PublicIdentity | None) -> dict[str, Any] | None:
    """An event as a screen gets it, without what it changes there; None where nobody is told.

    `who` tells people to patrons and whoever looks on; staff are told names.
    """
    fields = told(event, game, who)
    if fields is None:
        return None
    return {
        "type": "event",
        "sequence": sequence,
        "at": event.at,
        "name": _NAMES[type(event)],
        "by": event.by if who is None else who.of(event.by, event.position),
        "clause": event.clause,
        "told": fields,
    }


def text(sequence: int, event: Event, game: Game, who: PublicIdentity | None) -> bytes | None:
    """The same, encoded."""
    found = message(sequence, event, game, who)
    return None if found is None else encode(found)


def is_public(kind: type[Event]) -> bool:
    """Is anybody told that such an event happened?"""
    return _TELLERS[kind] is not None


def _teller(name: str, kind: Any) -> Teller | None:
    """How one field is told: hands by their names, cards by what everybody sees of them, the rest in its wire form."""
    if name == "hand":
        return lambda hand, game, _: game.procedure.hands[hand].id
    if name == "hands":
        return lambda hands, game, _: [game.procedure.hands[each].id for each in hands]
    if kind is Card:
        return _face
    parts = PARTS.get(kind)
    write = form(kind).writes if parts is None else writer([each for each in fields_of(kind) if each.name in parts])
    if write is None:
        return None
    return lambda value, _, currency: write(value, currency)


def _face(card: Card, game: Game, _: Currency) -> dict[str, Any]:
    hand = game.procedure.hands[card.hand].id
    return {"hand": hand, "face": card.card or None if card.public else None, "public": card.public}


def _tellers(kind: type[Event], names: tuple[str, ...] | None) -> Tellers | None:
    if names is None:
        return None
    types = {each.name: each.type for each in fields_of(kind)}
    return tuple([(name, _teller(name, types[name])) for name in names])


_NAMES = {kind: name_of(kind) for kind in TOLD}
_TELLERS = {kind: _tellers(kind, names) for kind, names in TOLD.items()}
