"""Who may sit down, who may put whom into which position."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from longhu.eventsourcing import Refusal
from longhu.messages.message import Message
from longhu.positions import LADDER, Position
from longhu.table.betting import ConfirmWager
from longhu.table.cash import BuyIn
from longhu.table.confirmation import ConfirmReport, RejectReport
from longhu.table.disputes import AddStatement
from longhu.table.engine import decide
from longhu.table.fills import AcceptChips, IssueChips, VoidChipRequest
from longhu.table.messages import (
    ASK_POSITION,
    JOIN_TABLE_FIRST,
    POSITION_NOT_HELD,
    POSITION_TOO_LOW,
    TABLE,
    TAKE_POSITION_FIRST,
    Command,
)
from longhu.table.nominees import (
    NO_NOMINEES,
    AnnounceNominee,
    ApproveNominee,
    ConfirmNomineeEnd,
    EndNominee,
    LiftInPersonOrder,
    NameNominee,
    OrderInPerson,
)
from longhu.table.opening import OpenTable
from longhu.table.people import AssignStaff, JoinTable, TakeTheDeal
from longhu.table.state import standing
from longhu.table.suspension import SuspendTable
from tests.table.rounds import Play


@pytest.mark.parametrize("acting", [True, False])
def test_nobody_plays_where_they_work(acting: bool) -> None:
    play = Play("dragon-tiger")
    play.does(AssignStaff, "pam", person="zed", to=Position.DEALER, acting=acting)
    play.refused(JoinTable, "zed", position=Position.PATRON, seat=5)


@pytest.mark.parametrize("name", ["", "*", "  "])
def test_people_have_names(name: str) -> None:
    play = Play("dragon-tiger")
    play.refused(JoinTable, name, seat=5)
    play.refused(AssignStaff, "pam", person=name, to=Position.DEALER)


@pytest.mark.parametrize("game", ["dragon-tiger", "immortal-dragon-tiger", "dragon-bonus"])
def test_where_nobody_acts_for_a_patron_nothing_is_decided_about_it(game: str) -> None:
    play = Play(game)
    asked: list[tuple[type[Command], str, dict[str, Any]]] = [
        (NameNominee, "ann", {"person": "bob"}),
        (ConfirmNomineeEnd, "ann", {}),
        *((each, "pam", {"patron": "ann"}) for each in (ApproveNominee, AnnounceNominee, EndNominee)),
        *((each, "pam", {"act": "wager"}) for each in (OrderInPerson, LiftInPersonOrder)),
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


OUTSIDERS = (Position.CAGE, Position.SURVEILLANCE)
ASKED = {  # what the cage hands over and takes, and what surveillance says of a fact
    Position.CAGE: {BuyIn, IssueChips, AcceptChips, VoidChipRequest},
    Position.SURVEILLANCE: {ConfirmReport, RejectReport, AddStatement},
}


@pytest.mark.clause("SEC-1", "IDT-6.2")
@pytest.mark.parametrize("position", OUTSIDERS)
def test_outside_the_ladder_nobody_plays_deals_rules_or_approves(position: Position) -> None:
    """Whatever the command, in their own position or in one of the ladder that they claim."""
    play = Play("dragon-tiger")
    play.does(AssignStaff, "opal", person="zed", to=position)
    for command in TABLE.deciders.keys() - {
        OpenTable
    }:  # a table that opens has nobody yet: the house names who opens it
        open_to = position in command.open_to
        assert open_to is (command in ASKED[position])
        for claimed in (position, *LADDER):
            if open_to and claimed is position:
                continue
            told: dict[str, Any] = {each.name: None for each in msgspec.structs.fields(command) if each.required}
            decision = decide(play.table, play.game, command(**{**told, "by": "zed", "at": 1, "position": claimed}))
            assert isinstance(decision, Refusal)
            assert decision.reason.code in ("position-not-held", "position-too-low")


@pytest.mark.clause("SEC-1")
@pytest.mark.parametrize("position", OUTSIDERS)
def test_nobody_acts_in_a_position_outside_the_ladder_or_beside_one(position: Position) -> None:
    play = Play("dragon-tiger")
    play.refused(AssignStaff, "gus", "SEC-1", person="zed", to=position)
    play.refused(AssignStaff, "opal", "SEC-1", person="zed", to=position, acting=True)
    play.does(AssignStaff, "pam", person="zed", to=Position.DEALER, acting=True)
    play.does(AssignStaff, "opal", person="zed", to=position)
    play.refused(AssignStaff, "gus", person="zed", to=Position.DEALER, acting=True)
    assert standing(play.table, "zed") is position
