"""One line of the audit log: an event with its place, the position of whoever asked, the rules in force, and the digest of the line before.

A line is JSON, and its digest is the SHA-256 of its bytes. The fields stand in one order and nothing else stands there,
so there is one way to write a record. An event that hides something (a card face down) carries a salt: without it, whoever
sees the digest could try all faces.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, TypeVar, Union

import msgspec

from longhu.eventsourcing import Event
from longhu.positions import Position
from longhu.table import engine
from longhu.table.dealing import CardDrawn
from longhu.table.irregularities.cards import CardsSetAside
from longhu.table.messages import TABLE, Command

T = TypeVar("T")
PROTOCOL = "longhu-trail/1"
SALT_BYTES = 16
AREAS = engine.AREAS  # whose commands and events a line can hold
EVENT_NAMES = frozenset(str(each.__struct_config__.tag) for each in TABLE.evolvers)  # as they are stored

if TYPE_CHECKING:
    AnyCommand = Command
    AnyEvent = Event
else:  # everything that some area of the table knows
    AnyCommand, AnyEvent = Union[tuple(TABLE.deciders)], Union[tuple(TABLE.evolvers)]  # noqa: UP007


class Record(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """An event in the audit log of a table."""

    sequence: int  # from 1, without a gap
    previous: str  # the digest of the line before
    game: str  # the digest of the rules in force
    event: AnyEvent
    held: Position | None = None  # the position that the person held; the event has the one that was used
    asked: AnyCommand | None = None  # where the event alone does not say what was asked
    salt: str = ""  # where the event hides something


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)


def encode(record: Record) -> bytes:
    """The record as a line, without its end."""
    return _encoder.encode(record)


def decode(line: bytes) -> Record:
    """The record that a line holds; `msgspec.MsgspecError` where it holds none."""
    try:
        return _decoder.decode(line)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from None


def read(line: bytes, kind: type[T]) -> T:
    """What any other line holds; `msgspec.MsgspecError` where it is something else, or no text at all."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from None


def digest(line: bytes) -> str:
    """What the next line names as the one before."""
    return hashlib.sha256(line).hexdigest()


def beginning(table: str) -> str:
    """What the first record of a table names: no line, but the table."""
    return digest(f"{PROTOCOL} {table}".encode())


def hides(event: Event) -> bool:
    """Does it hold a card that nobody may know yet?"""
    if type(event) is CardDrawn:
        return not event.card.public and event.card.card != ""
    return isinstance(event, CardsSetAside)


def is_salt(text: str) -> bool:
    return len(text) == 2 * SALT_BYTES and not text.strip("0123456789abcdef")


def why_no_record(line: bytes, error: msgspec.MsgspecError) -> str:
    """Why a line is no record, as far as can be told."""
    try:
        found: Any = read(line, object)
    except msgspec.MsgspecError:
        return f"this is no JSON ({error}); the file was cut off or altered"
    event = found.get("event") if isinstance(found, dict) else None
    name = event.get("event") if isinstance(event, dict) else None
    if isinstance(name, str) and name not in EVENT_NAMES:
        return f"no event is called {name[:60]!r}; a newer version of Longhu may have written it"
    return f"this is no record of a table: {error}"


def command_name(command: Command) -> str:
    """A command's stored name."""
    return str(type(command).__struct_config__.tag)
