"""The log of a table: what happened, one event a line, as bytes that read back as the same events.

A line is JSON: `{"sequence": 1, "event": {"event": "table-opened/1", …}}`. Fields and keys stand in the order in
which the table had them, so reading a line and writing it again gives the same bytes, and a digest of them holds.
Reading judges only the form: history is replayed, never tried again under newer rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar, Union

import msgspec

from longhu.table import engine
from longhu.table.acts import EVOLVERS, Event
from longhu.table.state import Table
from longhu.wording import shown

E = TypeVar("E", bound=Event)


class LogError(ValueError):
    """A line that is no record of this table: where it stands, what was found, what can be done."""


class Recorded(msgspec.Struct, Generic[E], frozen=True):
    """An event in its place in the log, counted from 1."""

    sequence: int
    event: E


class _Named(msgspec.Struct):
    event: str = ""


class _Envelope(msgspec.Struct):
    """As much of a line as is needed to say what is wrong with it."""

    sequence: Any = None
    event: msgspec.Raw = msgspec.Raw(b"{}")


EVENTS: dict[str, type[Event]] = {str(each.__struct_config__.tag): each for each in EVOLVERS}
if len(EVENTS) != len(EVOLVERS):
    raise AssertionError("two events are stored under one name")

_encoder = msgspec.json.Encoder()
# A union of every event that some area of the table applies; it cannot be written down for the type checker.
_event = msgspec.json.Decoder[Any](Union[tuple(EVOLVERS)])  # noqa: UP007
_recorded = msgspec.json.Decoder[Any](Recorded[Union[tuple(EVOLVERS)]])  # type: ignore[misc]  # noqa: UP007


def encode_event(event: Event) -> bytes:
    """One event, under its stored name."""
    return _encoder.encode(event)


def decode_event(text: bytes) -> Event:
    """The event that was written."""
    try:
        event: Event = _event.decode(text)
    except msgspec.MsgspecError as error:
        raise LogError(_what_is_wrong(text, error)) from None
    return event


def write(events: Iterable[Event], first: int = 1) -> bytes:
    """Events as lines, numbered from `first`."""
    lines = [_encoder.encode(Recorded(sequence, event)) for sequence, event in enumerate(events, first)]
    return b"".join(line + b"\n" for line in lines)


def read(text: bytes, first: int = 1) -> Iterator[Recorded[Event]]:
    """The records of a log that starts at `first`, one after the other and none left out."""
    for place, line in enumerate(text.splitlines()):
        try:
            record: Recorded[Event] = _recorded.decode(line)
        except msgspec.MsgspecError as error:
            raise LogError(f"line {place + 1}: {_what_is_wrong(_inner(line), error)}") from None
        if record.sequence != first + place:
            raise LogError(
                f"line {place + 1}: event {record.sequence} stands where {first + place} is due. "
                "A line is missing or out of order; take the log from the store again."
            )
        yield record


def replayed(text: bytes) -> Table:
    """The table as the log left it."""
    return engine.replay(Table(game=""), (record.event for record in read(text)))


def _inner(line: bytes) -> bytes:
    try:
        return bytes(msgspec.json.decode(line, type=_Envelope).event)
    except msgspec.MsgspecError:
        return b""


def _what_is_wrong(text: bytes, error: msgspec.MsgspecError) -> str:
    """An event that nobody knows is told by its name; anything else by what the reader found."""
    try:
        name = msgspec.json.decode(text, type=_Named).event
    except msgspec.MsgspecError:
        return f"this is no record of an event ({error}). The log was cut off or altered; take it from the store again."
    if name not in EVENTS:
        return f"no event is called {shown(name)}. A newer version of Longhu may have written it; read it with that."
    return f"{name} does not have the form of that event: {error}."
