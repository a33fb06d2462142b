"""Commands to a stream: who gives one, and what becomes of it."""

from __future__ import annotations

import msgspec

from longhu.accounts.names import HOUSE
from longhu.positions import Position


def own_key(person: str, key: str) -> str:
    """The key of somebody's command as the store knows it: nobody else's, nor one that the program makes for itself.

    What they chose stands first: where that begins with the time, the store writes it beside those of the same moment.
    """
    return f"{key}@{person}"


class Actor(msgspec.Struct, frozen=True):
    """Somebody who is signed in, or the house itself."""

    person: str
    position: Position  # held in all of the house; a patron's is PATRON
    session: str = ""  # the id of the session, as the trail has it

    def own(self, key: str) -> str:
        """The idempotency key of a command of theirs."""
        return own_key(self.person, key)


SYSTEM = Actor(HOUSE, Position.CASINO_OPERATOR)


class Committed(msgspec.Struct, frozen=True):
    """The command is durable, as these records of its stream."""

    first: int
    last: int
    duplicate: bool = False  # it was committed before, under the same idempotency key


class IdempotencyConflict(ValueError):
    """The idempotency key was used before, for another command."""


class StoreUnavailable(RuntimeError):
    """The store cannot take the command now. Send it again with the same key: it is done once."""


class TableHalted(RuntimeError):
    """A defect of the program. The table takes no commands until a person has looked."""
