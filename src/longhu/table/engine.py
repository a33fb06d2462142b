"""A table with all its areas: `decide` judges a command, `evolve` applies an event, whatever area they are of.

`decide` changes nothing and `evolve` judges nothing: history is replayed, never tried again under newer rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from longhu.eventsourcing import Event
from longhu.eventsourcing import replay as replay_with
from longhu.table import (
    betting,
    betting_phase,
    call_bets,
    card_source,
    cash,
    checkpoint,
    commission,
    confirmation,
    correcting,
    cutting_card,
    dealing,
    differential,
    disputes,
    fills,
    handling,
    nominees,
    opening,
    people,
    settling,
    shoe,
    shuffling,
    suspension,
    tie_returns,
    wrong_payments,
)
from longhu.table.irregularities import cards, device, drawn_in_error, exposure, late, missing, power, rulings
from longhu.table.messages import decide, evolve
from longhu.table.remedies import mispassed, passing, procedure, restoring, void, withdrawal
from longhu.table.state import Table

__all__ = ["decide", "evolve", "replay"]

AREAS = (  # each registers its commands and events when it is imported
    betting, betting_phase, call_bets, cash, checkpoint, commission, confirmation, correcting, cutting_card, dealing, differential, disputes, fills, handling, nominees, opening,
    people, settling, shoe, wrong_payments,
    shuffling, suspension, tie_returns, card_source, cards, device, drawn_in_error, exposure, late, missing, power, rulings, mispassed, passing, procedure, restoring, void, withdrawal,
)  # fmt: skip


def replay(table: Table, events: Iterable[Event]) -> Table:
    """The table after many events."""
    return replay_with(evolve, table, events)
