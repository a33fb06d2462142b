"""A table with other secrets: the same to whoever may not know them.

A view leaks nothing when it stays the same while everything that its viewer may not know is altered. What it is altered
to occurs nowhere else, so it would be found in the text, too. Who has seen which card is read from what happened, not
from the marks that the table itself keeps on its cards.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from longhu.eventsourcing import Event
from longhu.games.game import Game
from longhu.money import Money
from longhu.table.betting_phase import RoundStarted
from longhu.table.dealing import CardDrawn
from longhu.table.handling import CardSqueezed, CardsRevealed
from longhu.table.irregularities.cards import CardsFoundMislaid
from longhu.table.irregularities.exposure import CardsExposed
from longhu.table.irregularities.missing import CardsSubstituted
from longhu.table.remedies.restoring import CardsRestored
from longhu.table.remedies.withdrawal import CardsDiscarded
from longhu.table.state import Card, Round, ShoeInUse, Table
from longhu.table.views import Role, Viewer, view

MARK, SUM = "SECRET", 987_654_321
EVERYBODY = "*"


class Sights:
    """Who has seen which card of the round, by what happened: whoever squeezed it, or everybody once it lay open."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.hands: list[str] = []  # of each card, in the order of the round's cards
        self.lookers: list[set[str]] = []
        for event in events:
            self.note(event)

    def note(self, event: Event) -> None:
        match event:
            case RoundStarted() | CardsDiscarded():
                self.hands, self.lookers = [], []
            case CardDrawn():
                self.hands.append(event.card.hand)
                self.lookers.append({EVERYBODY} if event.card.public else set())
            case CardSqueezed():
                self.lookers[event.place].add(event.by)
            case CardsRevealed():
                self.shown(place for place, hand in enumerate(self.hands) if hand == event.hand)
            case CardsExposed() | CardsSubstituted():
                self.shown(event.places)
            case CardsFoundMislaid():
                self.hands = list(event.hands)
            case CardsRestored():
                self.moved(event.before, event.after)

    def shown(self, places: Iterable[int]) -> None:
        for place in places:
            self.lookers[place].add(EVERYBODY)

    def moved(self, before: tuple[Card, ...], after: tuple[Card, ...]) -> None:
        """Cards lie in another order: what was seen of them goes with them."""
        left = [(each.card, each.public, each.bent) for each in before]
        places: list[int] = []
        for each in after:
            place = left.index((each.card, each.public, each.bent))
            left[place] = (MARK, False, 0)  # taken
            places.append(place)
        self.lookers = [self.lookers[place] for place in places]
        self.hands = [each.hand for each in after]

    def may_know(self, table: Table, place: int, viewer: Viewer) -> bool:
        """Has the viewer looked, or the patron for whom the viewer acts, or the nominee who acts for the viewer?"""
        pairs = [(each.person, each.patron) for each in table.nominees.values() if each.active]
        eyes = {viewer.person} | {one for pair in pairs if viewer.person in pair for one in pair}
        return EVERYBODY in self.lookers[place] or not eyes.isdisjoint(self.lookers[place])


def leaks(table: Table, game: Game, viewer: Viewer, sights: Sights) -> str:
    """What this viewer could learn and may not; "" for nothing."""
    plain = view(table, game, viewer)
    marked = msgspec.json.encode(view(with_other_secrets(table, viewer, sights), game, viewer))
    for secret in (MARK, str(SUM)):
        if secret.encode() in marked:
            return f"{viewer} sees {secret} in {marked.decode()}"
    text = msgspec.json.encode(plain)
    return "" if text == marked else f"what {viewer} sees depends on secrets: {text.decode()} or {marked.decode()}"


def with_other_secrets(table: Table, viewer: Viewer, sights: Sights) -> Table:
    """Other faces of what lies face down, another shoe, other people's balances."""
    if table.round is not None:
        table = replace(table, round=_other_cards(table, table.round, viewer, sights))
    if table.shoe is not None:
        table = replace(table, shoe=_other_shoe(table.shoe))
    if viewer.role in (Role.PIT, Role.AUDITOR):
        return table
    own = {f"patron:{viewer.person}", f"owed:{viewer.person}"}
    if viewer.role in (Role.DEALER, Role.CAGE):  # who pay what is owed, once it makes a chip or when chips are cashed
        own |= {account for account in table.balances if account.startswith("owed:")}
    balances = {account: held if account in own else Money(SUM) for account, held in table.balances.items()}
    return replace(table, balances=balances | {"patron:nobody": Money(SUM)})


def _other_cards(table: Table, round: Round, viewer: Viewer, sights: Sights) -> Round:
    cards = tuple(
        each if not each.card or sights.may_know(table, place, viewer) else replace(each, card=MARK)
        for place, each in enumerate(round.cards)
    )
    offer = round.halt.offer
    halt = replace(round.halt, offer=offer and replace(offer, cards=(MARK,) * len(offer.cards)))
    return replace(round, cards=cards, halt=halt, reserve=(MARK,) * len(round.reserve))


def _other_shoe(shoe: ShoeInUse) -> ShoeInUse:
    seen = list(shoe.discards)
    for face in shoe.unseen:
        seen.remove(face)
    return replace(
        shoe,
        counts=shoe.counts[::-1],
        discards=(*seen, *(MARK for _ in shoe.unseen)),
        unseen=(MARK,) * len(shoe.unseen),
    )
