"""Every shuffle made again: the cards that left a shoe against the order that its secret gives, once that is revealed."""

from __future__ import annotations

from collections.abc import Sequence

from longhu.fairness.shuffle import Mix, commitment, order, secret_of
from longhu.table.acts import Event
from longhu.table.dealing import CardDrawn
from longhu.table.irregularities.cards import CardsSetAside
from longhu.table.irregularities.rulings import CardBurned
from longhu.table.shoe import ShoeLoaded
from longhu.table.shuffling import ContributionMade, ShuffleCommitted, ShuffleRevealed
from longhu.table.state import Table


class ShoeWatch:
    """The shoe in use, and what has left it."""

    def __init__(self) -> None:
        self.commitments = self.contributions = self.checked = self.cards = self.unused = 0
        self.number = 0  # of the last shoe that was committed to
        self.mix: Mix | None = None  # of an electronic shoe whose secret is not known yet
        self._committed = ""
        self._before = 0  # cards that had left the shoe before it was watched: burned, or dealt before this part
        self._in_use = False  # when the file begins
        self._left: list[str] = []

    def resume(self, table: Table) -> None:
        """Watch from the middle of a table's life; a shoe that is in use by then is checked from its next card on."""
        if table.shuffle is not None and not table.shuffle.secret:
            self._committed, self.mix = table.shuffle.commitment, table.shuffle.mix
            self._before = table.shoe.drawn if table.shoe is not None else 0
            self._in_use = True

    def see(self, table: Table, event: Event) -> str:
        """An event, and the table after it; what is wrong with a shuffle, "" for nothing."""
        if isinstance(event, CardDrawn):
            if self.mix is not None and not event.from_reserve:
                self._left.append(event.card.card)
        elif isinstance(event, CardsSetAside):
            self._left.extend(event.cards)
        elif isinstance(event, CardBurned):
            self._left.append(event.card)
        elif isinstance(event, ShoeLoaded):
            shuffle = table.shuffle
            self.loaded(shuffle.mix if shuffle is not None and not shuffle.secret else None, event.burned)
        elif isinstance(event, ShuffleCommitted):
            self.committed(event.number, event.commitment)
        elif isinstance(event, ContributionMade):
            self.contributions += 1
        elif isinstance(event, ShuffleRevealed):
            return self.revealed(event.number, event.secret)
        return ""

    def committed(self, number: int, commitment: str) -> None:
        """The house has published what fixes the next shuffle."""
        self.commitments += 1
        self.number, self._committed = number, commitment

    def loaded(self, mix: Mix | None, burned: int) -> None:
        """A new shoe; without a mix it is a physical one."""
        self.mix, self._left, self._before, self._in_use = mix, [], burned, False

    def revealed(self, number: int, told: str) -> str:
        """The commitment from the secret, and the order from everything; what is wrong, "" for nothing."""
        secret, mix = secret_of(told), self.mix
        if mix is None:
            return ""  # a physical shoe
        if secret is None or commitment(mix.table, mix.number, secret) != self._committed:
            return f"the secret of shoe {number} is not the one that the house committed to"
        left = self._left
        made = order(mix, secret, self._before + len(left))[self._before :]
        if tuple(left) != made:
            return self._difference(number, made)
        self.checked += bool(left) or not self._in_use
        self.cards += len(left)
        self.unused += not left and not self._in_use
        self.mix = None
        return ""

    def _difference(self, number: int, made: Sequence[str]) -> str:
        """The first card that left the shoe and is not the one that was shuffled."""
        for place, (came, due) in enumerate(zip(self._left, made, strict=False), self._before + 1):
            if came != due:
                return f"card {place} of shoe {number} was {came or 'not told'}, and the shuffle made it {due}"
        return f"shoe {number} gave {len(self._left)} cards, and {len(made)} were in it"
