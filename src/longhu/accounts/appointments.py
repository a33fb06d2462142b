"""Who creates accounts, moves people to other positions, resets passwords and unlocks: one table, and who must sign with them (SEC-1).

Whoever could do these alone for staff would have as many second signatures as wanted. So whatever concerns the staff, and a password of
somebody else, takes two people in a higher position. The house itself is not held to it: its console is for whoever runs the
machine, and what is done there raises an alert.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import groupby
from typing import NamedTuple

from longhu.positions import LADDER, OF_PEOPLE, Position, outranks


class Appointment(Enum):
    """What is done about somebody's account and signature."""

    CREATE = "create"
    MOVE = "move"  # to another position
    RESET = "reset"  # a password that somebody has forgotten
    UNLOCK = "unlock"


class Requirement(NamedTuple):
    """The lowest position that asks, and the lowest of somebody else who signs; None: nobody does."""

    asks: Position | None
    signs: Position | None


AT_CONSOLE = Requirement(None, None)  # nobody in the house may: it is done where the program runs

# For a patron; for somebody of the staff, of whom both must also be above.
TABLE: dict[Appointment, tuple[Requirement, Requirement]] = {
    Appointment.CREATE: (
        Requirement(Position.PIT_SUPERVISOR, None),
        Requirement(Position.PIT_MANAGER, Position.PIT_MANAGER),
    ),
    Appointment.MOVE: (AT_CONSOLE, Requirement(Position.PIT_MANAGER, Position.PIT_MANAGER)),
    Appointment.RESET: (
        Requirement(Position.GAMING_SHIFT_MANAGER, Position.PIT_SUPERVISOR),
        Requirement(Position.GAMING_SHIFT_MANAGER, Position.PIT_MANAGER),
    ),
    Appointment.UNLOCK: (
        Requirement(Position.PIT_SUPERVISOR, None),
        Requirement(Position.PIT_MANAGER, Position.PIT_MANAGER),
    ),
}


@cache
def required(act: Appointment, *positions: Position) -> Requirement:
    """Who does this about somebody in this position; of somebody who is moved, in both positions.

    >>> required(Appointment.CREATE, Position.PATRON)
    Requirement(asks=<Position.PIT_SUPERVISOR: 'pit-supervisor'>, signs=None)
    >>> required(Appointment.MOVE, Position.DEALER, Position.PIT_MANAGER).signs
    <Position.GAMING_SHIFT_MANAGER: 'gaming-shift-manager'>
    >>> required(Appointment.RESET, Position.CASINO_OPERATOR).asks is None
    True
    """
    found = [_required(act, each) for each in positions]
    if any(each.asks is None for each in found):
        return AT_CONSOLE
    asks = max(each.asks for each in found if each.asks is not None)
    return Requirement(asks, max((each.signs for each in found if each.signs is not None), default=None))


def _required(act: Appointment, whom: Position) -> Requirement:
    of_patron, of_staff = TABLE[act]
    if whom is Position.PATRON:
        return of_patron
    return Requirement(_above(of_staff.asks, whom), _above(of_staff.signs, whom))


def _above(least: Position | None, whom: Position) -> Position | None:
    """The lowest position from this one on that is above somebody."""
    return next((each for each in LADDER if least is not None and each >= least and outranks(each, whom)), None)


def lowest(act: Appointment) -> Position:
    """The lowest position that asks for it, whomever it is about."""
    return min((each.asks for each in TABLE[act] if each.asks is not None), key=LADDER.index)


def rows() -> Iterator[tuple[Appointment, tuple[Position, ...], Requirement]]:
    """The table as people read it: for each act, the positions that are treated alike."""
    order = (*LADDER[:-1], *(each for each in OF_PEOPLE if each not in LADDER), LADDER[-1])
    for act in Appointment:
        for needs, alike in groupby(order, key=lambda each, act=act: required(act, each)):  # type: ignore[misc]
            yield act, tuple(alike), needs
