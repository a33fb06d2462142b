"""Appends on their way to a process that commits them, and results on their way back.

A message is its length and its bytes. Most answers are that everything was appended: those are empty, for whoever asked knows the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from longhu.store.entries import Append, Appended, Duplicate
from longhu.store.errors import Conflict, Exceeded, Faulty, Missing, Short, StoreError, Unusable, Unwritten
from longhu.store.interface import Result

SIZE = 4  # bytes before each message that say how long it is

Told = tuple[str, list[Any]]  # a result: its kind, and what it is made of

_encode = msgspec.msgpack.Encoder().encode
read_appends = msgspec.msgpack.Decoder(list[Append]).decode
_read_told = msgspec.msgpack.Decoder(list[Told]).decode


def message(body: bytes) -> bytes:
    return len(body).to_bytes(SIZE) + body


def whole(unread: bytes) -> tuple[list[bytes], bytes]:
    """The messages that are there as a whole, and what is left.

    >>> whole(message(b"one") + message(b"two")[:-1])
    ([b'one'], b'\\x00\\x00\\x00\\x03tw')
    """
    place, found = 0, []
    while len(unread) - place >= SIZE:
        end = place + SIZE + int.from_bytes(unread[place : place + SIZE])
        if end > len(unread):
            break
        found.append(unread[place + SIZE : end])
        place = end
    return found, unread[place:]


def request(appends: Sequence[Append]) -> bytes:
    return message(_encode(appends))


def answer(appends: Sequence[Append], results: Sequence[Result]) -> bytes:
    """What became of them."""
    return message(b"" if results == _all_appended(appends) else _encode([_told(each) for each in results]))


def read_answer(appends: Sequence[Append], body: bytes) -> list[Result]:
    return [_KINDS[kind](*fields) for kind, fields in _read_told(body)] if body else _all_appended(appends)


def _all_appended(appends: Sequence[Append]) -> list[Result]:
    return [Appended(each.after + 1, each.after + len(each.lines)) for each in appends]


_KINDS: dict[str, Callable[..., Result]] = {
    "Appended": Appended,
    "Duplicate": Duplicate,
    "Conflict": lambda table, expected, found: Conflict(table, expected=expected, found=found),
    "Short": Short,
    "Exceeded": Exceeded,
    **{kind.__name__: kind for kind in (Faulty, Missing, Unwritten, Unusable)},
}


def _told(result: Result) -> Told:
    kind = type(result).__name__
    match result:
        case Appended() | Duplicate():
            return kind, [result.first, result.last]
        case Conflict():
            return kind, [result.table, result.expected, result.found]
        case Short():
            return kind, [result.person, result.balance, result.wanted]
        case Exceeded():
            return kind, [result.person, result.most, result.lost, result.staked]
        case StoreError() if kind in _KINDS:
            return kind, [str(result)]
    return Unwritten.__name__, [str(result)]
