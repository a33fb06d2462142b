"""What an audience is sent beside the others is what it would be sent alone (decision 14)."""

from __future__ import annotations

from itertools import pairwise

import pytest

import longhu
from longhu.money import UNSTATED
from longhu.server import codec
from longhu.table.state import Table
from longhu.table.views import Viewer, view, viewer
from tests.server.test_public_events import GAMES, VIEWERS, evening
from tests.table.random_play import CROWD


@pytest.mark.parametrize("game", GAMES)
def test_a_patch_made_beside_the_common_one_is_the_patch_made_alone(game: str) -> None:
    rules = longhu.game(game).definition
    tables = [Table(game=""), *(after for _, after in evening(game))]
    seen = view(tables[0], rules, Viewer())
    shown = {who: view(tables[0], rules, who, seen) for who in VIEWERS}
    for number, (before, after) in enumerate(pairwise(tables)):
        now = view(after, rules, Viewer(), before=(before, seen))
        assert now == view(after, rules, Viewer())
        common = codec.changes(seen, now, UNSTATED)
        patron = viewer(before, CROWD[number % len(CROWD)])
        shown.setdefault(patron, view(before, rules, patron, seen))
        for who, was in shown.items():
            shown[who] = view(after, rules, who, now)
            assert shown[who] == view(after, rules, who)
            beside = codec.changes_beside(was, shown[who], (seen, now), common, UNSTATED)
            assert beside == codec.changes(was, shown[who], UNSTATED)
        seen = now
