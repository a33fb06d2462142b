"""Who acts at the house."""

from __future__ import annotations

import msgspec

from longhu.house.names import HOUSE
from longhu.table.positions import Position


class Actor(msgspec.Struct, frozen=True):
    """Somebody who is signed in, or the house itself."""

    person: str
    position: Position  # held in all of the house; a patron's is PATRON
    session: str = ""  # the id of the session, as the trail has it


SYSTEM = Actor(HOUSE, Position.CASINO_OPERATOR)
