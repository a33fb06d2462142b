"""A table's state on record: its digest in the log, so that a later part of the log can be checked by itself.

Whoever is given one shoe or one day gets the table as it stood before, and the digest in the log says that it is that.
"""

from __future__ import annotations

import hashlib
from typing import ClassVar

import msgspec

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.messages import FINISH_ROUND_FIRST, ROUND_IN_PROGRESS, TABLE_NOT_OPEN, Command, decides, evolves
from longhu.table.state import Table

STATE_SHOWS_UNSEEN_CARDS = message_code("state-shows-unseen-cards")
REVEAL_SHUFFLE_FIRST = message_code("reveal-shuffle-first")


class RecordState(Command, frozen=True, kw_only=True):
    """Put the digest of the table's state into the log; between rounds."""

    needs: ClassVar[Position] = Position.DEALER


class StateRecorded(Event, frozen=True, kw_only=True, tag="state-recorded/1"):
    digest: str


_encoder = msgspec.json.Encoder(order="deterministic")


def written(table: Table) -> bytes:
    """The state as bytes, the same for the same state."""
    return _encoder.encode(msgspec.to_builtins(table, str_keys=True))  # (positions on the layout are numbers)


def digest(table: Table) -> str:
    return hashlib.sha256(written(table)).hexdigest()


@decides(RecordState)
def record_state(table: Table, _game: Game, command: RecordState) -> Decision:
    if table.settings is None:
        return Refusal(TABLE_NOT_OPEN())
    if table.round is not None:
        return Refusal(ROUND_IN_PROGRESS(), FINISH_ROUND_FIRST())
    sealed = table.shuffle is not None and not table.shuffle.secret
    if sealed and table.shoe is not None and any(table.shoe.unseen):
        return Refusal(STATE_SHOWS_UNSEEN_CARDS(), REVEAL_SHUFFLE_FIRST(), "RNG-3")
    return [StateRecorded(digest=digest(table), **about(command, "LOG-2"))]


@evolves(StateRecorded)
def state_recorded(table: Table, _event: StateRecorded) -> Table:
    return table
