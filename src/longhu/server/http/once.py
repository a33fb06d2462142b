"""An id is for one thing: the same id with another content is a mistake of whoever asks, and must not look like success (REC-3).

What was asked lately is remembered here; what was asked before that, or of another node, is compared with what is stored.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict

import msgspec
from msgspec.structs import replace

from longhu.house import record as house_record
from longhu.house.acts import HouseCommand
from longhu.server.tables.moment import rules_of
from longhu.store.interface import Store
from longhu.table.acts import Command
from longhu.table.electronic import unsupplied
from longhu.table.state import Table
from longhu.trail.implied import implied
from longhu.trail.record import decode

REMEMBERED = 20_000
OTHER = "this id was used before, for something else"


class Ids:
    """What each id was used for lately: digests, never what was sent."""

    def __init__(self) -> None:
        self._used: OrderedDict[tuple[str, str, str], bytes] = OrderedDict()

    def is_other(self, person: str, place: str, id: str, content: object) -> bool:
        """Has this person used the id here for something else? If it is new, this is what it is for."""
        key, digest = (person, place, id), hashlib.sha256(msgspec.json.encode(content)).digest()
        before = self._used.setdefault(key, digest)
        self._used.move_to_end(key)
        if len(self._used) > REMEMBERED:
            self._used.popitem(last=False)
        return before != digest


def other_content(store: Store, table: str, id: str, command: Command) -> str | None:
    """What to say where something else was asked of a table under this id; None where it was this, or nothing."""
    done = store.done(table, id)
    if done is None:
        return None
    (line,) = store.records_between(table, done.first, done.first)
    record = decode(line)
    before = record.asked
    if before is None:
        before = implied(rules_of(store, table, Table(game=record.game)), record.event)
    return None if before is None or _same(before, command) else OTHER


def _same(before: Command, now: Command) -> bool:
    """Leaving aside when, and as whom; cards that the shoe supplied were not asked for."""
    return unsupplied(before) == unsupplied(replace(now, at=before.at, position=before.position))


def is_other_act(store: Store, trail: str, sequence: int, command: HouseCommand) -> bool:
    """Was something else asked of an account, which led to this record? What both tell must be the same."""
    (line,) = store.records_between(trail, sequence, sequence)
    event = house_record.decode(line).event
    told = [name for name in command.__struct_fields__ if name not in ("by", "at", "position") and hasattr(event, name)]
    return any(getattr(event, name) != getattr(command, name) for name in told)
