"""An electronic shoe: whoever keeps the secret of the shuffle supplies the cards, and nobody else knows them.

`supplied` puts the faces into the commands that take cards from the shoe. What a person typed there is passed over: the
shoe alone says what comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from longhu.fairness import shuffle
from longhu.table.dealing import DrawCard
from longhu.table.irregularities.cards import DrawCardsTogether
from longhu.table.irregularities.exposure import ReportFaceUpCard
from longhu.table.irregularities.missing import RESERVED, ReserveCards
from longhu.table.irregularities.rulings import MakeRuling
from longhu.table.messages import Command
from longhu.table.state import Table

C = TypeVar("C", bound=Command)

TAKES_CARDS = frozenset(
    [DrawCard, ReportFaceUpCard, DrawCardsTogether, ReserveCards, MakeRuling]
)  # no other takes any from the shoe


def order(table: Table, secret: bytes) -> tuple[str, ...]:
    """The order of the shoe in use, for whoever has the secret; () where no shuffle has been made into a shoe."""
    sealed = table.shuffle
    return shuffle.order(sealed.mix, secret) if sealed is not None and sealed.mix is not None else ()


def supplied(table: Table, command: C, order: Sequence[str]) -> C:
    """The command with the cards that the shoe gives, where it takes any; `order` is that of the whole shoe."""
    if table.settings is None or not table.settings.virtual_shoe or table.shoe is None:
        return command
    first = table.shoe.drawn
    if isinstance(command, (DrawCard, ReportFaceUpCard)) or (
        isinstance(command, MakeRuling) and command.decision == "burn"
    ):
        return replace(command, card=order[first] if first < len(order) else "")
    if isinstance(command, (DrawCardsTogether, ReserveCards)):
        count = command.count if isinstance(command, DrawCardsTogether) else RESERVED
        return replace(command, cards=tuple(order[first : first + max(0, count)]))
    return command
