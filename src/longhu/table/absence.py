"""A patron who has gone and left chips behind: a pit supervisor sends them to the cage, and the seat is free again (OPS-2)."""

from __future__ import annotations

from typing import ClassVar

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.positions import Position
from longhu.table.cash import ChipsCashed
from longhu.table.messages import Command, decides
from longhu.table.people import PatronLeft, has_wagers, holds_a_hand, is_represented
from longhu.table.state import Table


class FreeSeat(Command, frozen=True, kw_only=True):
    """Take the chips of an absent patron to the cage for them, and free the seat."""

    needs: ClassVar[Position] = Position.PIT_SUPERVISOR

    patron: str
    reason: str


@decides(FreeSeat)
def free_seat(table: Table, game: Game, command: FreeSeat) -> Decision:
    patron = command.patron
    if patron not in table.people:
        return Refusal(f"{patron} is not at the table")
    if not command.reason.strip():
        return Refusal("nothing is said about why", "Tell the reason: it goes on record", "OPS-2")
    if has_wagers(table, patron):
        return Refusal(f"wagers of {patron} are on the layout", "Wait for the round to end")
    if holds_a_hand(table, patron):
        return Refusal(f"{patron} holds a hand", "The dealer reveals it for them, or wait for the result")
    if is_represented(table, patron):
        clause = game.cites.get("nominee", ("",))[0]
        return Refusal(f"a nominee acts for {patron}, or {patron} for somebody", "End that role first", clause)
    chips = table.balances.get(f"patron:{patron}", 0)
    cashed: list[Event] = [ChipsCashed(patron=patron, amount=chips, **about(command, "OPS-2"))] if chips else []
    return [*cashed, PatronLeft(person=patron, **about(command))]
