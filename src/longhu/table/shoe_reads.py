"""Where a shoe reads the cards, nobody else tells them: why a face is not entered by hand."""

from __future__ import annotations

from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.table.state import Table

SHOE_READS_CARDS = message_code("shoe-reads-cards", shoe="text")
DRAW_AND_WAIT = message_code("draw-and-wait")
SHOE_IS_SILENT = message_code("shoe-is-silent", shoe="text")
WAIT_OR_DEAL_BY_HAND = message_code("wait-or-deal-by-hand")
SHOE_NOT_BELIEVED = message_code("shoe-not-believed", shoe="text", fault="message")
SUPERVISOR_DECIDES_ON_SHOE = message_code("supervisor-decides-on-shoe")
CARD_LIES_UNREAD = message_code("card-lies-unread")
ENTER_UNREAD_CARD = message_code("enter-unread-card")


def not_by_hand(table: Table) -> Refusal | None:
    """Why no card is told by a person now, None where people tell them, and for cards that lie beside the shoe."""
    source, round = table.source, table.round
    if source is None or round is None or round.reserve or source.deals_by_hand(round.number):
        return None
    if source.fault is not None:
        told = SHOE_NOT_BELIEVED(shoe=source.shoe, fault=source.fault.told)
        return Refusal(told, SUPERVISOR_DECIDES_ON_SHOE(), "REC-2")
    if source.unread_in == round.number:
        return Refusal(CARD_LIES_UNREAD(), ENTER_UNREAD_CARD(), "REC-2")
    if not source.connected:
        return Refusal(SHOE_IS_SILENT(shoe=source.shoe), WAIT_OR_DEAL_BY_HAND(), "REC-2")
    return Refusal(SHOE_READS_CARDS(shoe=source.shoe), DRAW_AND_WAIT(), "LOG-1")
