"""Public events: the fields of each event that everybody at a table may see.

Each kind of event lists its public fields, and nothing is public by default: a new field is shown to nobody until it is listed here.
Never listed are face-down cards, secrets before their time, balances, and remarks of the staff. What a viewer may see beyond that comes
with the changes of their own view.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

import msgspec
from msgspec import UNSET, UnsetType

from longhu.eventsourcing import Event
from longhu.fairness.shuffle import Contribution
from longhu.games.game import Game
from longhu.money import UNSTATED, Currency
from longhu.server.realtime.codec import name_of
from longhu.server.wire_types import Operation, Way, as_sent, fields_of, form, writer
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
from longhu.table.public_identity import PublicIdentity
from longhu.table.remedies import mispassed, procedure, restoring, void, withdrawal
from longhu.table.state import Card, Nominee, Spoken, Stake

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
    differential.DifferentialExceeded: ("totals", "limit", "stage", "asks", "says"),
    differential.DifferentialMoved: ("stage", "over"),
    differential.DifferentialMet: ("totals",),
    differential.WagerReduced: ("stake", "returned"),
    # the deal
    dealing.CardDrawn: ("card", "why"),
    dealing.CuttingCardShown: ("first",),
    dealing.TotalsAnnounced: ("totals", "says"),
    dealing.ResultAnnounced: ("totals", "winner", "number", "says"),
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
    nominees.NomineeAnnounced: ("patron", "says"),
    nominees.NomineeEndConfirmed: ("patron",),
    nominees.NomineeEnded: ("patron", "says"),
    nominees.OrderedThemselves: ("act", "patrons"),
    nominees.OrderLifted: ("act", "patrons"),
    # the house
    opening.TableOpened: (),
    opening.TableClosed: (),
    opening.SettingsChanged: (),
    suspension.TableSuspended: ("reason",),
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

NAMING = (
    nominees.NomineeAnnounced,
    nominees.NomineeEnded,
    suspension.TableSuspended,
)  # in whose sentences people are named

Teller = Callable[[Any, Game, Currency], Any]


class ToldField(NamedTuple):
    """How a field is told."""

    name: str
    sent: Any  # its type on the wire
    tells: Teller | None  # None where it stands as it is


class ShownCard(msgspec.Struct, frozen=True):
    """A card as everybody sees it."""

    hand: str
    face: str | None  # None: face down
    public: bool


def told(event: Event, game: Game, who: PublicIdentity | None) -> dict[str, Any] | None:
    """What everybody is told of it; None where nobody is told that it happened. Without `who`, people have their names."""
    told_fields = _FIELDS[type(event)]
    if told_fields is None:
        return None
    currency = game.currency or UNSTATED
    fields = {
        name: getattr(event, name) if tells is None else tells(getattr(event, name), game, currency)
        for name, _, tells in told_fields
    }
    if who is None:
        return fields
    if isinstance(event, people.StaffAssigned):  # to a position, and not to a person
        return {**fields, "person": who.of(event.person, event.to)}
    if isinstance(event, NAMING):
        fields = {name: who.text(value) if name in ("says", "reason") else value for name, value in fields.items()}
    told: dict[str, Any] = who.told("", fields)
    return told


def message(sequence: int, event: Event, game: Game, who: PublicIdentity | None) -> PublicEvent | None:
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
    return _FIELDS[kind] is not None


def _told_field(name: str, kind: Any) -> ToldField:
    """How one field is told: hands by their names, cards by what everybody sees of them, the rest in its wire form."""
    if name == "hand":
        return ToldField(name, str, lambda hand, game, _: game.procedure.hands[hand].id)
    if name == "hands":
        return ToldField(
            name, tuple[str, ...], lambda hands, game, _: [game.procedure.hands[each].id for each in hands]
        )
    if kind is Card:
        return ToldField(name, ShownCard, _face)
    write, sent = (form(kind).writes, form(kind).sent) if kind not in PARTS else _PARTS[kind]
    return ToldField(name, sent, write and (lambda value, _, currency: write(value, currency)))


def _part(kind: type[msgspec.Struct], names: tuple[str, ...]) -> tuple[Way, type[msgspec.Struct]]:
    """How some fields of a struct are told, and their type."""
    fields = [each for each in fields_of(kind) if each.name in names]
    sent = [(each.name, form(each.type).sent) for each in fields]
    return writer(fields), as_sent(f"Public{kind.__name__}", kind.__doc__, sent)


def _face(card: Card, game: Game, _: Currency) -> dict[str, Any]:
    hand = game.procedure.hands[card.hand].id
    return {"hand": hand, "face": card.card or None if card.public else None, "public": card.public}


def _told_fields(kind: type[Event], names: tuple[str, ...] | None) -> list[ToldField] | None:
    if names is None:
        return None
    types = {each.name: each.type for each in fields_of(kind)}
    return [_told_field(name, types[name]) for name in names]


_NAMES = {kind: name_of(kind) for kind in TOLD}
_PARTS = {kind: _part(kind, names) for kind, names in PARTS.items()}
_FIELDS = {kind: _told_fields(kind, names) for kind, names in TOLD.items()}


# ------------------------------------------------ their types


def _sent(kind: type[Event], fields: list[ToldField]) -> type[msgspec.Struct]:
    """The message about an event of this kind."""
    told = as_sent(f"{kind.__name__}Told", None, [(each.name, each.sent) for each in fields])
    own = [
        ("type", Literal["event"]),
        ("sequence", int),
        ("at", int),
        ("by", str),
        ("clause", str),
        ("told", told),
        ("patch", tuple[Operation, ...] | UnsetType, UNSET),
        ("countdown", int | None | UnsetType, UNSET),
    ]
    return as_sent(kind.__name__, kind.__doc__, own, tag=_NAMES[kind], tag_field="name")


MESSAGES = {kind: _sent(kind, fields) for kind, fields in _FIELDS.items() if fields is not None}
if TYPE_CHECKING:
    PublicEvent = dict[str, Any]
else:
    PublicEvent = Union[tuple(MESSAGES.values())]  # noqa: UP007
