"""A table's state on record: its digest in the log, so that a later part of the log can be checked by itself.

Whoever is given one shoe or one day gets the table as it stood before, and the digest in the log says that it is that.
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from typing import Any, ClassVar

import msgspec
from msgspec import NODEFAULT

from longhu.eventsourcing import Decision, Event, Refusal, about
from longhu.games.game import Game
from longhu.messages.message import message_code
from longhu.positions import Position
from longhu.table.messages import FINISH_ROUND_FIRST, ROUND_IN_PROGRESS, TABLE_NOT_OPEN, Command, decides, evolves
from longhu.table.state import KEPT_ROUNDS, Outcome, PaidRound, Table

STATE_SHOWS_UNSEEN_CARDS = message_code("state-shows-unseen-cards")
REVEAL_SHUFFLE_FIRST = message_code("reveal-shuffle-first")


class RecordState(Command, frozen=True, kw_only=True, tag="record-state/1"):
    """Put the digest of the table's state into the log; between rounds."""

    needs: ClassVar[Position] = Position.DEALER


class StateRecorded(Event, frozen=True, kw_only=True, tag="state-recorded/1"):
    digest: str


_encoder = msgspec.json.Encoder(order="deterministic")


def plain(value: Any) -> Any:
    """A state as plain data, by the names of fields: those that have their usual value are left out, in any order they are declared.

    So a field that a later version adds changes no digest of a table that does not use it.
    """
    if isinstance(value, PaidRound | Outcome):
        return _round(value)
    if isinstance(value, msgspec.Struct):
        return _fields(value)
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}  # (positions on the layout are numbers)
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return value


@lru_cache(maxsize=2 * KEPT_ROUNDS)
def _round(value: PaidRound | Outcome) -> msgspec.Raw:
    """As it is encoded: a table keeps many rounds, and all but the last stood in its digest before."""
    return msgspec.Raw(_encoder.encode(_fields(value)))


def _fields(value: msgspec.Struct) -> dict[str, Any]:
    return {name: plain(getattr(value, name)) for name in _names(type(value)) if _is_unusual(value, name)}


def _is_unusual(value: msgspec.Struct, name: str) -> bool:
    usual = _names(type(value))[name]
    return bool(usual is NODEFAULT or getattr(value, name) != usual)


@cache
def _names(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields of a part of the state in the order of their names, with the value that each has where nothing is told."""
    fields = sorted(msgspec.structs.fields(kind), key=lambda each: each.name)
    return {
        each.name: each.default_factory() if each.default_factory is not NODEFAULT else each.default for each in fields
    }


def digest(table: Table) -> str:
    """The same for the same state."""
    return hashlib.sha256(_encoder.encode(plain(table))).hexdigest()


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
