"""Who acts at the house."""

from __future__ import annotations

import msgspec

from longhu.accounts.names import HOUSE
from longhu.positions import Position


class Actor(msgspec.Struct, frozen=True):
    """Somebody who is signed in, or the house itself."""

    person: str
    position: Position  # held in all of the house; a patron's is PATRON
    session: str = ""  # the id of the session, as the trail has it

    def own(self, id: str) -> str:
        """An id that they chose for a command, as the store knows it: nobody else's, nor one that the house makes for itself.

        What they chose stands first. Where that begins with the time, the store writes it beside those of the same moment,
        and otherwise anywhere in the index of all ids.
        """
        return f"{id}@{self.person}"


SYSTEM = Actor(HOUSE, Position.CASINO_OPERATOR)
