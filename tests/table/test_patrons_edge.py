"""A table on which patrons are ahead opens only with the operator's word."""

from __future__ import annotations

from typing import Any

import pytest

import longhu
from longhu.games.registry import built_in
from longhu.messages.message import Message
from longhu.table.opening import ChangeSettings, OpenTable, TableOpened
from longhu.table.patrons_edge import EDGES_FAVOUR_PATRONS, OPERATOR_CONFIRMS_EDGES
from tests.table.rounds import Play

HALF: dict[str, Any] = {"over_21_pays": "1-to-2"}


def test_dragon_21_as_printed_tells_its_edge_and_waits_for_the_operator() -> None:
    play = Play("dragon-21", open=False, favours_patrons=())
    refusal = play.refused(OpenTable, "opal", **play.opening())
    ahead = [Message("edge-favours-patrons", {"wager": id, "edge": "10.7365"}) for id in ("dragon", "tiger")]
    assert refusal.reason == EDGES_FAVOUR_PATRONS(edges=ahead)
    assert refusal.remedy == OPERATOR_CONFIRMS_EDGES(wagers=["dragon", "tiger"])
    some = Play("dragon-21", open=False, favours_patrons=("dragon",))
    assert some.refused(OpenTable, "opal", **some.opening()).reason == EDGES_FAVOUR_PATRONS(edges=ahead[1:])


def test_nobody_below_the_operator_confirms_it() -> None:
    play = Play("dragon-21", open=False, favours_patrons=("dragon", "tiger"))
    play.refused(OpenTable, "gus", **play.opening())
    play.does(OpenTable, "opal", **play.opening())
    assert play.last(TableOpened).settings.favours_patrons == ("dragon", "tiger")
    play.refused(ChangeSettings, "opal", changes={"favours_patrons": []})


def test_a_game_read_so_that_the_house_is_ahead_needs_no_word() -> None:
    play = Play(longhu.game("dragon-21", **HALF).definition, open=False, favours_patrons=())
    play.does(OpenTable, "sue", **play.opening())


@pytest.mark.parametrize("game", [each for each in built_in() if each != "dragon-21"])
def test_the_other_games_are_in_favour_of_the_house(game: str) -> None:
    play = Play(game, open=False, favours_patrons=())
    play.does(OpenTable, "opal", **play.opening())
