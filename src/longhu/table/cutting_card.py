"""The cutting card: when it appears, and what follows (IDT-3.16, IDT-3.16.1, D21-7.0d, D21-11.0a).

Of a virtual shoe the program knows the place of the cutting card, and reports it with the draw that reaches it. Of real cards
only the dealer, or a device that reads them, sees it: the count since the shuffle says no more than where to expect it.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.document import cite
from longhu.table.messages import (
    DEAL_ON,
    SHOE_NOT_LOADED,
    TABLE_NOT_OPEN,
    WAIT_FOR_ANSWERS,
    WITHDRAWAL_OFFERED,
    Command,
    decides,
    evolves,
)
from longhu.table.opening import high_limit
from longhu.table.people import of_the_deal
from longhu.table.remedies.withdrawal import offer_at_the_cut
from longhu.table.state import Phase, Round, Table

NO_CUTTING_CARD = message_code("no-cutting-card")
CUTTING_CARD_SHOWN_ALREADY = message_code("cutting-card-shown-already")


class ReportCuttingCard(Command, frozen=True, kw_only=True, tag="report-cutting-card/1"):
    """The cutting card has come out of a real shoe; it is removed, and the card behind it is the next."""

    needs: ClassVar[Position] = Position.DEALER


class CuttingCardShown(Event, frozen=True, kw_only=True, tag="cutting-card-shown/1"):
    first: bool  # before the first card of the round
    between: bool = False  # before the round was opened: the one before it was the last of the shoe


@decides(ReportCuttingCard)
@of_the_deal
def report_cutting_card(table: Table, game: Game, command: ReportCuttingCard) -> Decision:
    settings, shoe, round = table.settings, table.shoe, table.round
    if settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if shoe is None:
        return Refusal(SHOE_NOT_LOADED())
    clause = cite(game, step_of(table, game))
    if not shoe.cut_at:
        return Refusal(NO_CUTTING_CARD(), DEAL_ON(), cite(game, "shuffle"))
    if shoe.cutting_card_out:
        return Refusal(CUTTING_CARD_SHOWN_ALREADY(), DEAL_ON(), clause)
    if round is not None and round.halt.offer is not None:
        return Refusal(WITHDRAWAL_OFFERED(), WAIT_FOR_ANSWERS(), round.halt.offer.clause)
    return appears(table, game, command)


def appears(table: Table, game: Game, command: Command) -> list[Event]:
    """The cutting card is out; in place of a round's first card it may let patrons withdraw (IDT-3.16.1)."""
    round = table.round
    first = comes_first(round)
    clause = cite(game, step_of(table, game))
    shown = CuttingCardShown(first=first, between=round is None, **about(command, clause))
    # Before the closing call they take wagers back as they like.
    asked = first and round is not None and round.phase is Phase.CLOSED and round.halt.offer is None
    return [shown, *(offer_at_the_cut(table, game, command) if asked else [])]


def comes_first(round: Round | None) -> bool:
    """Has no card of the round left the shoe yet?"""
    return round is not None and round.first_card_at is None and not round.reserve


def step_of(table: Table, game: Game) -> str:
    """Which of the document's steps it is; a document that has none ends the shoe by what it says of that."""
    at_high_limits = table.settings is not None and high_limit(game, table.settings)
    if at_high_limits and comes_first(table.round) and "cutting-card-first" in game.cites:
        return "cutting-card-first"
    return "cutting-card" if "cutting-card" in game.cites else "end-of-shoe"


@evolves(CuttingCardShown)
def cutting_card_shown(table: Table, event: CuttingCardShown) -> Table:
    if table.shoe is None:
        raise AssertionError("a cutting card without a shoe")
    # Between two rounds it lay behind the last card of the one before, which was the round in which it came.
    rounds = table.shoe.rounds_since_cut + event.between
    return replace(table, shoe=replace(table.shoe, cutting_card_out=True, rounds_since_cut=rounds))
