"""A defect: our code is wrong. The table stops rather than pay wrongly, until a gaming shift manager has looked."""

from __future__ import annotations

from msgspec.structs import replace

from longhu.eventsourcing import Event
from longhu.table.messages import evolves
from longhu.table.state import Table


class TableStopped(Event, frozen=True, kw_only=True, tag="table-stopped/1"):
    why: str


def stopped_by(error: Exception, at: int) -> TableStopped:
    """What the shell stores when `decide` or `evolve` fails; every later command is refused."""
    return TableStopped(why=f"{type(error).__name__}: {error}", by="table", at=at)


@evolves(TableStopped)
def table_stopped(table: Table, event: TableStopped) -> Table:
    return replace(table, stopped=event.why)
