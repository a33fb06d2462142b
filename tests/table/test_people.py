"""Who may sit down, who may put whom into which position."""

from __future__ import annotations

from typing import Any

import pytest

from longhu.messages.message import Message
from longhu.positions import Position
from longhu.table.betting import ConfirmWager
from longhu.table.engine import JOIN_TABLE_FIRST, POSITION_NOT_HELD, TAKE_POSITION_FIRST
from longhu.table.messages import ASK_POSITION, POSITION_TOO_LOW, Command
from longhu.table.nominees import (
    NO_NOMINEES,
    AnnounceNominee,
    ApproveNominee,
    ConfirmNomineeEnds,
    EndNominee,
    LiftOrder,
    NameNominee,
    OrderThemselves,
)
from longhu.table.people import AssignStaff, Join, TakeTheDeal
from longhu.table.suspension import SuspendTable
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


@pytest.mark.parametrize("game", ["dragon-tiger", "immortal-dragon-tiger", "dragon-bonus"])
def test_where_nobody_acts_for_a_patron_nothing_is_decided_about_it(game: str) -> None:
    play = Play(game)
    asked: list[tuple[type[Command], str, dict[str, Any]]] = [
        (NameNominee, "ann", {"person": "bob"}),
        (ConfirmNomineeEnds, "ann", {}),
        *((each, "pam", {"patron": "ann"}) for each in (ApproveNominee, AnnounceNominee, EndNominee)),
        *((each, "pam", {"act": "wager"}) for each in (OrderThemselves, LiftOrder)),
    ]
    for command, who, fields in asked:
        assert play.refused(command, who, **fields).reason == NO_NOMINEES()


MAY_NOT = POSITION_TOO_LOW(position="patron", needed="dealer")
ASK_DEALER = ASK_POSITION(position="dealer")
REASON = {"reason": "a leak"}
THERE = {"place": 1, "wager": "dragon"}


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize(
    ("kind", "by", "fields", "reason", "remedy"),
    [
        (SuspendTable, "zed", REASON, MAY_NOT, ASK_DEALER),
        (TakeTheDeal, "zed", {}, MAY_NOT, ASK_DEALER),
        (SuspendTable, "ann", REASON, MAY_NOT, ASK_DEALER),
        (ConfirmWager, "zed", THERE, POSITION_NOT_HELD(person="zed", position="patron"), JOIN_TABLE_FIRST()),
        (
            TakeTheDeal,
            "zed",
            {"position": Position.DEALER},
            POSITION_NOT_HELD(person="zed", position="dealer"),
            TAKE_POSITION_FIRST(),
        ),
        (
            TakeTheDeal,
            "ann",
            {"position": Position.DEALER},
            POSITION_NOT_HELD(person="ann", position="dealer"),
            ASK_DEALER,
        ),
    ],
)
def test_whoever_may_not_ask_is_told_who_may(
    kind: type[Command], by: str, fields: dict[str, Any], reason: Message, remedy: Message
) -> None:
    refusal = Play("dragon-tiger").refused(kind, by, "SEC-1", **fields)
    assert (refusal.reason, refusal.remedy) == (reason, remedy)


@pytest.mark.clause("IDT-6.2")
@pytest.mark.parametrize("acting", [True, False])
def test_nobody_assigns_whoever_stands_above_them(acting: bool) -> None:
    play = Play("immortal-dragon-tiger")
    for person in ("gus", "opal"):
        play.refused(AssignStaff, "pam", "IDT-6.2", person=person, to=Position.DEALER, acting=acting)
    play.does(AssignStaff, "pam", person="sue", to=Position.DEALER)
    play.does(AssignStaff, "opal", person="pam", to=Position.DEALER)
