"""What comes under an id that was used before: the same again, or something else, by what is stored (REC-3)."""

from __future__ import annotations

from msgspec.structs import replace

from longhu.audit.inferred_commands import inferred_command
from longhu.audit.record import decode
from longhu.server.tables.moment import rules_of
from longhu.store.interface import Store
from longhu.table.acts import Command
from longhu.table.electronic import unsupplied
from longhu.table.state import Table


def asked_under(store: Store, table: str, id: str) -> Command | None:
    """What was asked of a table under this id, as far as its records tell."""
    done = store.done(table, id)
    if done is None:
        return None
    (line,) = store.records_between(table, done.first, done.first)
    record = decode(line)
    if record.asked is not None:
        return record.asked
    return inferred_command(rules_of(store, table, Table(game=record.game)), record.event)


def is_other_command(store: Store, table: str, id: str, command: Command) -> bool:
    """Was something else asked of a table under this id?"""
    before = asked_under(store, table, id)
    return before is not None and not _same(before, command)


def _same(before: Command, now: Command) -> bool:
    """Leaving aside when, and as whom; cards that the shoe supplied were not asked for."""
    return unsupplied(before) == unsupplied(replace(now, at=before.at, position=before.position))
