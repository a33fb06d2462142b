"""Ids of commands, as the store knows them."""

from __future__ import annotations

from itertools import product
from typing import get_args

import msgspec

from longhu.positions import Position
from longhu.server.codec import Id, Person
from longhu.server.streams.commands import SYSTEM, Actor


def test_an_id_is_one_s_own() -> None:
    """Whatever two people choose, none of them has the other's, nor one that the house makes for itself."""
    ids = ["1", "auto", "auto:5", "a-b", "a.b", "~", "x:ann"]
    people = ["ann", "5", "b", "a-b", "ann-leave", "x"]
    for each in ids:
        msgspec.convert(each, Id)
    for each in people:
        msgspec.convert(each, Person)
    own = [Actor(person, Position.PATRON).own(id) for id, person in product(ids, people)]
    assert len({*own, SYSTEM.own("1"), "auto:5"}) == len(own) + 2
    pattern = get_args(Id)[1].pattern
    assert "@" not in pattern


def test_ids_of_one_moment_are_neighbours() -> None:
    earlier, later = (f"{at:012x}" for at in (1_700_000_000_000, 1_700_000_000_001))
    ids = [Actor(person, Position.PATRON).own(at) for at in (later, earlier) for person in ("zoe", "ann")]
    assert [each.split("@")[0] for each in sorted(ids)] == [earlier, earlier, later, later]
