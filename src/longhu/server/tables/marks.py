"""When and where things began that are still going on: what a table's state does not say and its records do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from longhu.eventsourcing import Event
from longhu.table.betting_phase import RoundStarted
from longhu.table.dealing import AnnouncementDiffers
from longhu.table.differential import DifferentialExceeded, DifferentialMoved
from longhu.table.irregularities.missing import CardsGone
from longhu.table.remedies.procedure import IncidentOpened, JudgementAwaited
from longhu.table.shuffling import ShuffleCommitted


class Marks(msgspec.Struct, frozen=True, gc=False):
    """The last beginnings; what is over is left as it was until the next begins."""

    round_first: int = 0  # the record with which the last round started
    round_started: int = 0  # milliseconds, as all that follow
    committed_at: int = 0  # the last shuffle
    stage_at: int = 0  # the stage at which the procedure of the table differential stands
    halted_at: int = 0  # the last thing that somebody has to rule on


def marked(marks: Marks, sequence: int, event: Event) -> Marks:
    """The marks after an event, which is that record of the trail."""
    mark = _MARKS.get(type(event))
    return marks if mark is None else mark(marks, sequence, event)


_MARKS: dict[type[Event], Callable[[Marks, int, Any], Marks]] = {
    RoundStarted: lambda marks, sequence, event: replace(marks, round_first=sequence, round_started=event.at),
    ShuffleCommitted: lambda marks, _, event: replace(marks, committed_at=event.at),
    DifferentialExceeded: lambda marks, _, event: replace(marks, stage_at=event.at),
    DifferentialMoved: lambda marks, _, event: replace(marks, stage_at=event.at),
    IncidentOpened: lambda marks, _, event: replace(marks, halted_at=event.at),
    JudgementAwaited: lambda marks, _, event: replace(marks, halted_at=event.at),
    AnnouncementDiffers: lambda marks, _, event: replace(marks, halted_at=event.at),
    CardsGone: lambda marks, _, event: replace(marks, halted_at=event.at),
}
