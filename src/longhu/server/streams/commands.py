"""Commands to a stream: who gives one, what becomes of it, and idempotency (REC-3).

A command that is sent twice under one key is done once, and answered as the first time. A key belongs to one command. The stream keeps
the commands in flight and its last answers here; the store keeps the key and the fingerprint of every command that was ever
committed, so the rule also holds after a restart and at another node.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from longhu.accounts.names import HOUSE
from longhu.positions import Position

REMEMBERED = 100  # answers kept at least, and twice as many at most: the store knows the rest
FINGERPRINT_DIGITS = 16  # hexadecimal

A = TypeVar("A")
_encode = msgspec.json.Encoder().encode


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


# ------------------------------------------------ idempotency


def own_key(person: str, key: str) -> str:
    """The key of somebody's command as the store knows it: nobody else's, nor one that the program makes for itself.

    What they chose stands first: where that begins with the time, the store writes it beside those of the same moment.
    """
    return f"{key}@{person}"


def fingerprint(command: msgspec.Struct) -> str:
    """Identifies what was asked, whenever and in whichever position; the key names the person."""
    asked: Any = replace(command, at=0, position=Position.PATRON)
    return hashlib.sha256(_encode(asked)).hexdigest()[:FINGERPRINT_DIGITS]


def check_same(stored: str, asked: str) -> None:
    """Raise unless both fingerprints are of one command. The program's own commands have none, and are not compared."""
    if stored and asked and stored != asked:
        raise IdempotencyConflict


class _Entry(msgspec.Struct, Generic[A], frozen=True):
    fingerprint: str
    answer: asyncio.Future[A]


class RecentCommands(Generic[A]):
    """The commands of one stream that are in flight or were answered lately, by key."""

    __slots__ = ("_earlier", "_recent")

    def __init__(self) -> None:
        self._recent: dict[str, _Entry[A]] = {}
        self._earlier: dict[str, _Entry[A]] = {}

    def find(self, key: str, asked: str) -> asyncio.Future[A] | None:
        """The answer to a command that was sent under this key lately; `IdempotencyConflict` where it was another command."""
        entry = self._recent.get(key) or self._earlier.get(key)
        if entry is None:
            return None
        check_same(entry.fingerprint, asked)
        return _repeated(entry.answer)

    def add(self, key: str, asked: str, answer: asyncio.Future[A]) -> None:
        self._recent[key] = _Entry(asked, answer)
        if len(self._recent) >= REMEMBERED:
            in_flight = {key: each for key, each in self._recent.items() if not each.answer.done()}
            self._earlier, self._recent = self._recent, in_flight

    def forget(self, key: str) -> None:
        """The command came to nothing and may be sent again."""
        self._recent.pop(key, None)
        self._earlier.pop(key, None)


def _repeated(first: asyncio.Future[A]) -> asyncio.Future[A]:
    """The same answer for whoever sends the command again, marked as a duplicate."""
    again: asyncio.Future[A] = first.get_loop().create_future()

    def settle(done: asyncio.Future[A]) -> None:
        if again.done():
            return
        error = done.exception()
        if error is not None:
            again.set_exception(error)
        else:
            again.set_result(as_duplicate(done.result()))

    first.add_done_callback(settle)
    return again


def as_duplicate(answer: A) -> A:
    return replace(answer, duplicate=True) if isinstance(answer, Committed) else answer
