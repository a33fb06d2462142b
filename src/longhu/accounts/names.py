"""What people and trails of the house are called."""

from __future__ import annotations

import re

from longhu.eventsourcing import Refusal
from longhu.messages.message import message_code
from longhu.protocol import PERSON_LETTERS, PERSON_MAX

CHOOSE_ANOTHER = message_code("choose-another")
NOT_A_SIGN_IN_NAME = message_code("not-a-sign-in-name", name="text")
SIGN_IN_NAME_RULE = message_code("sign-in-name-rule", maximum="number")
NAME_RESERVED = message_code("name-reserved", name="text")

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
    Refused (SEC-1): “robot-7” is reserved for the house.
    Choose another.
    """
    if not is_well_formed(person):
        return Refusal(NOT_A_SIGN_IN_NAME(name=person[:PERSON_MAX]), SIGN_IN_NAME_RULE(maximum=PERSON_MAX), "SEC-1")
    if is_reserved(person) and not by_house:
        return Refusal(NAME_RESERVED(name=person), CHOOSE_ANOTHER(), "SEC-1")
    return None
