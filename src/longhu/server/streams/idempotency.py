"""Idempotency: a command that is sent twice under one key is done once, and answered as the first time (REC-3).

A key belongs to one command. The stream keeps the commands in flight and its last answers here; the store keeps the key and
the fingerprint of every command that was ever committed, so the rule also holds after a restart and at another node.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from longhu.positions import Position
from longhu.server.streams.commands import Committed, IdempotencyConflict

REMEMBERED = 100  # answers kept at least, and twice as many at most: the store knows the rest
FINGERPRINT_DIGITS = 16  # hexadecimal

A = TypeVar("A")
_encode = msgspec.json.Encoder().encode


def fingerprint(command: msgspec.Struct) -> str:
    """Identifies what was asked, whenever and in whichever position; the key names the person."""
    asked: Any = replace(command, at=0, position=Position.PATRON)
    return hashlib.sha256(_encode(asked)).hexdigest()[:FINGERPRINT_DIGITS]


def check_same(stored: str, asked: str) -> None:
    """Raise unless both fingerprints are of one command. The program's own commands have none, and are not compared."""
    if stored and asked and stored != asked:
        raise IdempotencyConflict


class _Entry(NamedTuple, Generic[A]):
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
