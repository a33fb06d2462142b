"""What becomes of a command that somebody gives: it is done, or refused, or it cannot be done at this moment."""

from __future__ import annotations

import msgspec


class Done(msgspec.Struct, frozen=True):
    """It is durable, as these records of the trail."""

    first: int
    last: int
    duplicate: bool = False  # it was done before, under the same id


class Reused(ValueError):
    """The id was used before, for something else: whoever asks must not take what was done then for what is asked now."""


class Busy(RuntimeError):
    """The store could not take it now. Nothing is known to be done: ask again with the same id, and it is done once."""


class Stopped(RuntimeError):
    """A defect of the program: nothing more is done at this table until a person has looked."""
