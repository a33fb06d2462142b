"""One line of a trail that has no game: an account's, or the house's own log.

As the records of a table (docs/audit-log.md), without rules: sequence, the digest of the line before, the event. Everybody in the
house acts in the position that they hold, so the event's position is both that which was held and that which was used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from longhu.accounts import engine
from longhu.accounts.messages import HouseEvent
from longhu.accounts.state import ACCOUNT, HOUSE_LOG
from longhu.audit.record import digest
from longhu.eventsourcing import Codec, any_of

AREAS = engine.AREAS  # whose events a line can hold
HIDDEN = "password"  # the only field that no auditor needs, and that helps whoever wants to guess

if TYPE_CHECKING:
    AnyEvent = HouseEvent
else:
    AnyEvent = any_of({**ACCOUNT.evolvers, **HOUSE_LOG.evolvers})


class AccountRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event in a trail without a game."""

    sequence: int  # from 1, without a gap
    previous: str  # the digest of the line before
    event: AnyEvent


_CODEC = Codec(AccountRecord)
encode, decode, is_canonical = _CODEC.encode, _CODEC.decode, _CODEC.is_canonical


def lines(sequence: int, head: str, events: Sequence[HouseEvent]) -> list[bytes]:
    """The records that follow one of that number and digest."""
    made: list[bytes] = []
    for number, event in enumerate(events, sequence + 1):
        line = encode(AccountRecord(number, head, event))
        head = digest(line)
        made.append(line)
    return made


def events(lines: Iterable[bytes]) -> Iterable[HouseEvent]:
    """What happened, in order."""
    return (decode(line).event for line in lines)


def told(line: bytes) -> dict[str, Any]:
    """A record for whoever reads the trail: with its digest, and without what a password was made into."""
    found: dict[str, Any] = msgspec.json.decode(line)
    event = found["event"]
    if event.get(HIDDEN):
        event[HIDDEN] = "…"
    return {**found, "digest": digest(line)}
