"""Milestones of a table: when the round, the shuffle or the halt that is going on began.

The state of a table does not say it, and the automatic dealer and the list of rounds need it.
"""

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


class Milestones(msgspec.Struct, frozen=True, gc=False):
    """The last of each kind; one that is over stays until the next begins."""

    round_first: int = 0  # the record with which the last round started
    round_started: int = 0  # milliseconds, as all that follow
    shuffle_committed_at: int = 0  # when the last shuffle was committed to
    differential_stage_at: int = 0  # the last stage of the table differential
    halted_at: int = 0  # the last incident that somebody has to rule on


def reached(milestones: Milestones, sequence: int, event: Event) -> Milestones:
    """The milestones after an event, which is that record."""
    change = MILESTONES.get(type(event))
    return milestones if change is None else change(milestones, sequence, event)


MILESTONES: dict[type[Event], Callable[[Milestones, int, Any], Milestones]] = {
    RoundStarted: lambda milestones, sequence, event: replace(milestones, round_first=sequence, round_started=event.at),
    ShuffleCommitted: lambda milestones, _, event: replace(milestones, shuffle_committed_at=event.at),
    DifferentialExceeded: lambda milestones, _, event: replace(milestones, differential_stage_at=event.at),
    DifferentialMoved: lambda milestones, _, event: replace(milestones, differential_stage_at=event.at),
    IncidentOpened: lambda milestones, _, event: replace(milestones, halted_at=event.at),
    JudgementAwaited: lambda milestones, _, event: replace(milestones, halted_at=event.at),
    AnnouncementDiffers: lambda milestones, _, event: replace(milestones, halted_at=event.at),
    CardsGone: lambda milestones, _, event: replace(milestones, halted_at=event.at),
}
