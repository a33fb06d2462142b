"""Wagers in a row are decided as each of them alone would be."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from longhu.server.tables.ahead import Ahead

import longhu
from longhu.games.registry import built_in
from longhu.server.streams.table_stream import Moment
from longhu.table.acts import Command, Refusal
from longhu.table.betting import CapArea, PlaceWager, TakeBack
from longhu.table.engine import Row, decide, evolve
from longhu.table.people import GrantMaximum, Leave
from longhu.table.positions import Position
from longhu.table.state import Table
from tests.table.random_play import Chance
from tests.table.rounds import Play

GAMES = tuple(built_in())
AMOUNTS = (0, 100, *[500] * 12, 1000, 50_000, 100_000, 999_999)
WAGERS, TURN = 400, 7  # how many are placed, and how many in one turn
COMMANDS = 600


def wager(play: Play, random: Random, at: int) -> Command:
    """Somebody's, now and then in the name of somebody else or in a wrong form; and a few that change the terms of all others."""
    by, places = random.choice(("ann", "bob", "cay", "stan", "dee", "zoe")), play.settings.positions + 1
    position = Position.DEALER if by == "dee" else Position.PATRON
    wager, place = random.choice([*play.settings.limits, "none"]), random.choice((1, 1, 1, 2, places))
    match random.random():
        case part if part < 0.02:
            return CapArea(
                by="pam", at=at, position=Position.PIT_MANAGER, place=1, most=random.choice((1, 2, 9, None, None))
            )
        case part if part < 0.04:
            return GrantMaximum(
                by="pam", at=at, position=Position.PIT_MANAGER, person="ann", most=random.choice((150_000, None))
            )
        case part if part < 0.05:
            return Leave(by="stan", at=at)
        case part if part < 0.1:
            return TakeBack(by=by, at=at, position=position, place=place, wager=wager)
    return PlaceWager(
        by=by,
        at=at,
        position=position,
        place=place,
        wager=wager,
        amount=random.choice(AMOUNTS),
        patron=random.choice(("", "", "ann", "bob")) if by in ("dee", "bob") else "",
        chips=random.choice(((), (), (), (500,))),
        cash=random.random() < 0.02,
    )


@pytest.mark.clause("IDT-3.5.1b", "IDT-3.7", "D21-5.8", "MON-3")
@pytest.mark.parametrize("sharing", [{}, {"area_players": 2}, {"area_cap": "all"}], ids=["", "players", "cap"])
@pytest.mark.parametrize("game", GAMES)
def test_wagers_in_a_row_are_decided_as_each_alone(game: str, sharing: dict[str, Any]) -> None:
    play = Play(game, **sharing)
    play.open_betting()
    random, table, placed, refused = Random(game), play.table, 0, set[str]()
    row, moment = Row(table), Moment(0, "", 0, table)
    ahead = Ahead(moment, row)
    for number in range(WAGERS):
        if number % TURN == 0:  # a turn is over, and the next goes on from there
            ahead = Ahead(Moment(ahead.sequence, "", 0, ahead.state), ahead.row)
        command = wager(play, random, play.now + number)
        alone, found = decide(table, play.game, command), ahead.decide(play.game, command)
        assert found == alone, command
        if isinstance(alone, Refusal):
            refused.add(alone.reason)
            continue
        for event in alone:
            table = evolve(table, event)
        ahead.take(alone)
        assert ahead.state == table
        placed += isinstance(command, PlaceWager)
    assert placed > 20
    assert len(refused) > 5


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_believed_that_has_changed_since(game: str) -> None:
    """A whole evening, with everything that happens between wagers: a row never outlives what it rests on."""
    rules = longhu.game(game).definition
    chance, table = Chance(rules, 3), Table(game="")
    ahead = Ahead(Moment(0, "", 0, table))
    for number in range(COMMANDS):
        command = chance.command(table)
        alone, found = decide(table, rules, command), ahead.decide(rules, command)
        assert found == alone, command
        for event in [] if isinstance(alone, Refusal) else alone:
            table = evolve(table, event)
        if not isinstance(alone, Refusal):
            ahead.take(alone)
        if number % TURN == 0:
            ahead = Ahead(Moment(ahead.sequence, "", 0, ahead.state), ahead.row)
    assert ahead.state == table
