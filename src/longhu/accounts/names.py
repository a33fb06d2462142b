"""What people and trails of the house are called."""

from __future__ import annotations

import re

from longhu.eventsourcing import Refusal
from longhu.protocol import PERSON_LETTERS, PERSON_MAX

HOUSE = "house"  # the house itself, when it acts through its program
CAGE = "cage"  # where money is paid in and out
AUTO_DEALER = "auto-dealer"
AUTO_SUPERVISOR = "auto-supervisor"

HOUSE_TRAIL = "house"
PERSON_TRAILS = "person:"

_NAME = re.compile(rf"[a-z0-9](?:[{PERSON_LETTERS}]{{0,{PERSON_MAX - 2}}}[a-z0-9])?")
_OURS = (HOUSE, CAGE, "table", "nobody", "everybody")  # what records write for something else than a person
_PREFIXES = ("auto", "robot")


def trail_of(person: str) -> str:
    """The trail in which somebody's account is kept."""
    return PERSON_TRAILS + person


def is_well_formed(person: str) -> bool:
    """Could somebody be called so?"""
    return _NAME.fullmatch(person) is not None


def is_reserved(person: str) -> bool:
    """Does the house itself go by this name, or one of its machines?"""
    return person in _OURS or person.startswith(_PREFIXES)


def name_refused(person: str, *, by_house: bool) -> Refusal | None:
    """Why nobody may be called so.

    >>> name_refused("ann", by_house=False)
    >>> print(name_refused("robot-7", by_house=False))
    Refused (SEC-1): 'robot-7' is a name of the house's own.
    Choose another.
    """
    if not is_well_formed(person):
        return Refusal(
            f"{person[:PERSON_MAX]!r} is no name to sign in with",
            f"Use 1 to {PERSON_MAX} small letters and digits, with . _ or - between them",
            "SEC-1",
        )
    if is_reserved(person) and not by_house:
        return Refusal(f"{person!r} is a name of the house's own", "Choose another", "SEC-1")
    return None
