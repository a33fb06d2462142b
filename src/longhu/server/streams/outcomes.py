"""What becomes of a command: it is committed, refused, or cannot be carried out now."""

from __future__ import annotations

import msgspec


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
