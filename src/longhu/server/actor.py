"""Who acts at the house."""

from __future__ import annotations

import msgspec

from longhu.accounts.names import HOUSE
from longhu.positions import Position
from longhu.server.streams.idempotency import own_key


class Actor(msgspec.Struct, frozen=True):
    """Somebody who is signed in, or the house itself."""

    person: str
    position: Position  # held in all of the house; a patron's is PATRON
    session: str = ""  # the id of the session, as the trail has it

    def own(self, key: str) -> str:
        """The idempotency key of a command of theirs."""
        return own_key(self.person, key)


SYSTEM = Actor(HOUSE, Position.CASINO_OPERATOR)
