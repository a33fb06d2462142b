"""What stands on a table, as whoever opens it tells: in the settings file, over HTTP, from the page."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from longhu.cards import DECKS_MAX
from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.protocol import LIST_MAX, TABLE_NAME_MAX
from longhu.table.state import CardSet, Equipment

EQUIPMENT_NOT_TOLD = message_code("equipment-not-told")
TELL_EQUIPMENT = message_code("tell-equipment")

Cards = Annotated[int, Meta(ge=0, le=10_000)]  # that something holds
Few = Annotated[int, Meta(ge=0, le=LIST_MAX)]
Back = Annotated[str, Meta(min_length=1, max_length=40)]


class TableEquipment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cards, shoe, shuffler, rack, pucks and drop box as they stand there; what is not told is not there."""

    setup: Literal["shoe", "batch-shuffler", "continuous-shuffler"] = "shoe"
    sets: Annotated[list[Annotated[list[Back], Meta(min_length=1, max_length=DECKS_MAX)]], Meta(max_length=2)] = []
    shoe: Cards = 0
    cover: bool = False  # the shoe's sliding cover, which nobody sees through
    shuffler: Cards = 0
    discard_rack: Cards = 0
    cutting_cards: Few = 0
    pucks: Few = 0
    drop_box: Annotated[str, Meta(max_length=TABLE_NAME_MAX)] = ""
    display: bool = False  # of recent results
    held_out: Cards = 0  # that a continuous shuffler keeps back


def on_record(told: TableEquipment, decks: int) -> Equipment:
    """The same as a table has it; where one back is told for a set, all its decks have it.

    >>> on_record(TableEquipment(sets=[["red"]], shoe=416), decks=3).sets
    (CardSet(backs=('red', 'red', 'red')),)
    """
    fields = {name: getattr(told, name) for name in told.__struct_fields__ if name != "sets"}
    sets = tuple(CardSet(tuple(each) if len(each) > 1 else (each[0],) * decks) for each in told.sets)
    return Equipment(sets=sets, **fields)


def not_told(device: str, chips: str) -> Refusal | None:
    """Cards or chips that lie on a table come with equipment; of a virtual shoe with electronic chips nothing stands there."""
    if device == "virtual" and chips == "electronic":
        return None
    return Refusal(EQUIPMENT_NOT_TOLD(), TELL_EQUIPMENT())
