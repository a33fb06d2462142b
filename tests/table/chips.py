"""Chips between the tray and the cage, by the four people of `tests.table.rounds`: Sue asks, Kit is the cage, Rex carries, Dee deals."""

from __future__ import annotations

from typing import Any

from longhu.table.cash import in_tray
from longhu.table.fills import AcceptChips, ChipRequestMoved, DeliverChips, IssueChips, RequestChips
from longhu.table.messages import Command
from longhu.table.state import ChipRequest
from tests.table.rounds import Play

Step = tuple[type[Command], str]
STEPS: dict[str, tuple[Step, ...]] = {
    "fill": ((IssueChips, "kit"), (DeliverChips, "rex"), (AcceptChips, "dee")),
    "credit": ((IssueChips, "dee"), (DeliverChips, "rex"), (AcceptChips, "kit")),
}


def tray(play: Play) -> int:
    return in_tray(play.table)


def request(play: Play) -> ChipRequest:
    """As the last step left it."""
    return play.last(ChipRequestMoved).request


def asked(play: Play, kind: str, amount: int, *, steps: int = 0, by: str = "sue", **told: Any) -> int:
    """A request, and so many of the steps that follow it; its number."""
    play.does(RequestChips, by, kind=kind, amount=amount, **{"chips": {amount: 1}, **told})
    number = request(play).number
    for step, person in STEPS[kind][:steps]:
        play.does(step, person, number=number, **({"chips": request(play).chips} if step is AcceptChips else {}))
    return number


def moves(play: Play, kind: str, amount: int) -> int:
    """A fill or credit through all four steps; its number."""
    return asked(play, kind, amount, steps=3)
