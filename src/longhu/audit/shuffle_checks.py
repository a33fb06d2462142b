"""Shuffles made again: when the secret of a shoe is revealed, the cards that left it must be the ones that the secret gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from longhu.audit.report import CheckFailed
from longhu.eventsourcing import Event
from longhu.fairness.shuffle import Mix, commitment, order, secret_of
from longhu.table.dealing import CardDrawn
from longhu.table.irregularities.cards import CardsSetAside
from longhu.table.irregularities.rulings import CardBurned
from longhu.table.shoe import ShoeLoaded
from longhu.table.shuffling import ContributionMade, ShuffleCommitted, ShuffleRevealed
from longhu.table.state import Table


class ShuffleChecks:
    """The shoe in use, and the cards that have left it."""

    def __init__(self) -> None:
        self.commitments = self.contributions = 0
        self.shuffles = self.cards = 0  # made again, and the cards compared with them
        self.unused = 0  # shoes that were revealed before a card was dealt
        self.entered = 0  # cards that came from no shuffle: the dealer entered or scanned them
        self.number = 0  # of the last shoe that was committed to
        self.mix: Mix | None = None  # of an electronic shoe whose secret is not revealed yet
        self.left: list[str] = []  # cards of that shoe, in their order
        self._commitment = ""
        self._before = 0  # cards that left the shoe before those: burned, or dealt before the file begins
        self._in_use = False  # the shoe was in use when the file begins

    def resume(self, table: Table) -> None:
        """Begin in the middle of a table's life; a shoe in use is checked from its next card on."""
        if table.shuffle is not None and not table.shuffle.secret:
            self._commitment, self.mix = table.shuffle.commitment, table.shuffle.mix
            self._before = table.shoe.drawn if table.shoe is not None else 0
            self._in_use = True

    def check(self, table: Table, event: Event) -> None:
        """Take an event, and the table after it."""
        check = _CHECKS.get(type(event))
        if check is not None:
            check(self, table, event)

    def _card_drawn(self, _table: Table, event: CardDrawn) -> None:
        if self.mix is None or event.from_reserve:
            self.entered += 1
        else:
            self.left.append(event.card.card)

    def _cards_set_aside(self, _table: Table, event: CardsSetAside) -> None:
        self.left.extend(event.cards)

    def _card_burned(self, _table: Table, event: CardBurned) -> None:
        self.left.append(event.card)

    def _shoe_loaded(self, table: Table, event: ShoeLoaded) -> None:
        shuffle = table.shuffle
        self.mix = shuffle.mix if shuffle is not None and not shuffle.secret else None  # none: a physical shoe
        self.left, self._before, self._in_use = [], event.burned, False

    def _committed(self, _table: Table, event: ShuffleCommitted) -> None:
        self.commitments += 1
        self.number, self._commitment = event.number, event.commitment

    def _contributed(self, _table: Table, _event: ContributionMade) -> None:
        self.contributions += 1

    def _revealed(self, _table: Table, event: ShuffleRevealed) -> None:
        """The secret must give the commitment, and the order of the cards."""
        secret, mix = secret_of(event.secret), self.mix
        if mix is None:
            return
        if secret is None or commitment(mix.table, mix.number, secret) != self._commitment:
            raise CheckFailed(f"the secret of shoe {event.number} is not the one that the house committed to")
        shuffled = order(mix, secret, self._before + len(self.left))[self._before :]
        if tuple(self.left) != shuffled:
            raise CheckFailed(self._difference(event.number, shuffled))
        self.shuffles += bool(self.left) or not self._in_use
        self.cards += len(self.left)
        self.unused += not self.left and not self._in_use
        self.mix = None

    def _difference(self, number: int, shuffled: Sequence[str]) -> str:
        for place, (came, due) in enumerate(zip(self.left, shuffled, strict=False), self._before + 1):
            if came != due:
                return f"card {place} of shoe {number} was {came or 'not told'}, and the shuffle made it {due}"
        return f"shoe {number} gave {len(self.left)} cards, and {len(shuffled)} were in it"


_CHECKS: dict[type[Event], Callable[[ShuffleChecks, Table, Any], None]] = {
    CardDrawn: ShuffleChecks._card_drawn,
    CardsSetAside: ShuffleChecks._cards_set_aside,
    CardBurned: ShuffleChecks._card_burned,
    ShoeLoaded: ShuffleChecks._shoe_loaded,
    ShuffleCommitted: ShuffleChecks._committed,
    ContributionMade: ShuffleChecks._contributed,
    ShuffleRevealed: ShuffleChecks._revealed,
}
