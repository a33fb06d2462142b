"""Resettlement: recompute the money of a round from its cards alone.

The cards give the ending, the ending gives each wager its line, and the line its money. The outcome table of the game file is used,
without the table that dealt the round; the payments on record must agree to the last minor unit. An auditor settles a day again with
it; `longhu verify` replays every command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import msgspec

from longhu.audit.record import Record
from longhu.cards import CardError, card
from longhu.deal.procedure import DealError, deal_out
from longhu.eventsourcing import Event
from longhu.games.game import Game, Wager
from longhu.money import UNSTATED, Money, show
from longhu.settlement import cut_of, settle_wager
from longhu.table.betting_phase import RoundStarted
from longhu.table.correcting import CardCorrected
from longhu.table.dealing import CardDrawn
from longhu.table.handling import CardsRevealed
from longhu.table.irregularities.cards import CardsFoundMislaid
from longhu.table.irregularities.exposure import CardsExposed
from longhu.table.irregularities.missing import CardsSubstituted
from longhu.table.irregularities.power import PaymentsReversed, RoundReversed
from longhu.table.opening import SettingsChanged, TableOpened
from longhu.table.remedies.restoring import CardsRestored
from longhu.table.remedies.void import RoundVoided
from longhu.table.remedies.withdrawal import CardsDiscarded
from longhu.table.requirements import rounding_of
from longhu.table.settling import RoundCapped, RoundEnded, WagerSettled, outcome_of
from longhu.table.state import Card, Outcome, Settings, replace

DIFFERENCES_MAX = 100  # that are told one by one


class RoundCards(NamedTuple):
    """The cards of a round, in the order in which they left the shoe; those that were turned over are public."""

    cards: list[Card]
    shoe: int  # its number; 0 where no card was drawn


def round_cards(events: Iterable[Event]) -> RoundCards:
    """The cards of a round as they lay in the end, from its events."""
    laid: list[Card] = []
    shoe = 0
    for event in events:
        match event:
            case CardDrawn():
                laid.append(event.card)
                shoe = event.shoe_number
            case CardsRevealed():
                faces = iter(event.cards)
                laid = [_opened(card, next(faces, card.card)) if card.hand == event.hand else card for card in laid]
            case CardsExposed() | CardsSubstituted():
                for place, face in zip(event.places, event.cards, strict=True):
                    laid[place] = _open(laid[place], face)
            case CardCorrected():
                laid[event.place] = replace(laid[event.place], card=event.card)
            case CardsFoundMislaid():
                laid = [replace(card, hand=hand) for card, hand in zip(laid, event.hands, strict=True)]
            case CardsRestored():
                laid = list(event.after)
            case CardsDiscarded():
                laid = []
    return RoundCards(laid, shoe)


def _opened(card: Card, face: str) -> Card:
    """A card of a hand that is turned over; "" lies face down still."""
    return _open(card, face) if face else card


def _open(card: Card, face: str) -> Card:
    return replace(card, card=face, public=True)


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A payment or an ending on record that does not follow from the cards."""

    round: int
    sequence: int  # of the record
    about: str  # a wager of somebody, the ending, a cap
    recorded: str
    found: str


class Resettled(msgspec.Struct, kw_only=True):
    """What was settled again, and where it differed; amounts are minor units."""

    rounds: int = 0
    void: int = 0  # rounds without an outcome: every stake went back
    reversed: int = 0  # rounds whose payments were taken back afterwards
    cards: int = 0
    wagers: int = 0
    staked: int = 0
    paid: int = 0  # net to patrons, below zero where the house won
    differences: list[Difference] = []
    differing: int = 0  # how many there are in all


class Resettling:
    """Takes the records of a table in their order, from the beginning of a round on."""

    def __init__(self, settings: Settings | None, games: Callable[[str], Game]) -> None:
        self._settings, self._games = settings, games
        self._records: list[Record] = []  # of the round in progress
        self.found = Resettled(differences=[])

    def take(self, record: Record) -> None:
        event = record.event
        match event:
            case TableOpened():
                self._settings = event.settings
            case SettingsChanged():
                self._settings = event.after
            case RoundReversed():
                self.found.reversed += 1
            case PaymentsReversed():
                self.found.paid -= sum(each.net for each in event.paid)
            case RoundStarted():
                self._records = [record]
            case RoundEnded():
                self._settle(record, event)
                self._records = []
            case RoundVoided():
                self._void(event)
                self._records = []
            case _:
                self._records.append(record)

    def _settle(self, ended: Record, event: RoundEnded) -> None:
        game, number = self._games(ended.game), event.number
        drawn = [each.card for each in round_cards(each.event for each in self._records).cards]
        self.found.rounds += 1
        self.found.cards += len(drawn)
        try:
            ending = deal_out(game.procedure, [card(each) for each in drawn]).number
        except (DealError, CardError) as error:
            self._differs(number, ended.sequence, "the cards", " ".join(drawn), str(error))
            return
        if ending is None:
            raise AssertionError("a whole round without an outcome")
        found = outcome_of(game, ending)
        if found != event.outcome:
            self._differs(number, ended.sequence, "the outcome", _told(event.outcome), _told(found))
            return
        self._pay(game, number, ending)

    def _pay(self, game: Game, number: int, ending: int) -> None:
        money, credit = game.currency or UNSTATED, dict[str, tuple[int, int]]()
        cuts: dict[str, tuple[int, int]] = {}
        for record in self._records:
            settled = record.event
            if isinstance(settled, RoundCapped):
                cuts[settled.patron] = (record.sequence, settled.cut)
            if not isinstance(settled, WagerSettled) or self._settings is None:
                continue
            stake, at_risk = settled.stake, settled.stake.amount - settled.returned
            wager = game.wagers[stake.wager]
            place = wager.deciding[ending]
            line = wager.lines[place]
            again = settle_wager(wager, line, Money(at_risk), rounding_of(game, self._settings)) if at_risk else None
            net, commission = (again.net, again.commission) if again is not None else (0, 0)
            tallied = game.tallies_commission and commission > 0  # the win was paid in full (Q51)
            expected = (place, line.result.value, line.odds.printed if line.odds else "", net, commission, tallied)
            recorded = (
                settled.line,
                settled.result,
                settled.pays,
                settled.kept_net,
                settled.commission,
                settled.tallied,
            )
            if recorded != expected:
                about = f"{stake.wager} of {stake.patron} at {stake.place}"
                told = [
                    f"{_says(wager, each[0])} ({each[1]}): {show(Money(each[3]), money)}"
                    for each in (recorded, expected)
                ]
                self._differs(number, record.sequence, about, *told)
            self.found.wagers += 1
            self.found.staked += at_risk
            self.found.paid += settled.kept_net
            before = credit.get(stake.patron, (0, 0))
            credit[stake.patron] = (before[0] + stake.amount + net, before[1] + net)
        self._cap(game, number, credit, cuts)

    def _cap(
        self, game: Game, number: int, credit: Mapping[str, tuple[int, int]], cuts: Mapping[str, tuple[int, int]]
    ) -> None:
        money = game.currency or UNSTATED
        for patron in dict.fromkeys((*credit, *cuts)):
            due = cut_of(game.cap, *credit.get(patron, (0, 0)))
            expected, (sequence, cut) = due.amount if due else 0, cuts.get(patron, (self._records[0].sequence, 0))
            self.found.paid -= cut
            if cut != expected:
                told = [show(Money(each), money) for each in (cut, expected)]
                self._differs(number, sequence, f"the cap on the round of {patron}", *told)

    def _void(self, event: RoundVoided) -> None:
        """Nothing is won or lost in it."""
        self.found.void += 1
        paid = next((each for each in self._records if isinstance(each.event, WagerSettled)), None)
        if paid is not None:
            self._differs(event.number, paid.sequence, "a void round", "a wager was settled", "every stake goes back")

    def _differs(self, round: int, sequence: int, about: str, recorded: str, found: str) -> None:
        self.found.differing += 1
        if len(self.found.differences) < DIFFERENCES_MAX:
            self.found.differences.append(
                Difference(round=round, sequence=sequence, about=about, recorded=recorded, found=found)
            )


def _told(outcome: Outcome) -> str:
    """`player; pairs: banker`"""
    return f"{outcome.winner}; pairs: {', '.join(outcome.pairs)}" if outcome.pairs else outcome.winner


def _says(wager: Wager, place: int) -> str:
    return wager.lines[place].says.en if 0 <= place < len(wager.lines) else f"no line {place}"


def resettled(records: Iterable[Record], games: Callable[[str], Game], settings: Settings | None = None) -> Resettled:
    """These records, from the beginning of a round on; `settings` are those of the table when it began."""
    settling = Resettling(settings, games)
    for each in records:
        settling.take(each)
    return settling.found
