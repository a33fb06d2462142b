"""Who may sit down, who may put whom into which position."""

from __future__ import annotations

import pytest

from longhu.table.people import AssignStaff, Join
from longhu.table.positions import Position
from tests.table.rounds import Play


@pytest.mark.parametrize("acting", [True, False])
def test_nobody_plays_where_they_work(acting: bool) -> None:
    play = Play("dragon-tiger")
    play.does(AssignStaff, "pam", person="zed", to=Position.DEALER, acting=acting)
    play.refused(Join, "zed", position=Position.PATRON, seat=5)


@pytest.mark.parametrize("name", ["", "*", "  "])
def test_people_have_names(name: str) -> None:
    play = Play("dragon-tiger")
    play.refused(Join, name, seat=5)
    play.refused(AssignStaff, "pam", person=name, to=Position.DEALER)


@pytest.mark.clause("IDT-6.2")
@pytest.mark.parametrize("acting", [True, False])
def test_nobody_assigns_whoever_stands_above_them(acting: bool) -> None:
    play = Play("immortal-dragon-tiger")
    for person in ("gus", "opal"):
        play.refused(AssignStaff, "pam", "IDT-6.2", person=person, to=Position.DEALER, acting=acting)
    play.does(AssignStaff, "pam", person="sue", to=Position.DEALER)
    play.does(AssignStaff, "opal", person="pam", to=Position.DEALER)
