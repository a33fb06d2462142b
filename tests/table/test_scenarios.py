"""Every scenario in the documentation happens as it is told there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from longhu.games import registry
from longhu.games.game import Game
from longhu.games.vocabulary import IRREGULARITIES
from longhu.table.irregularities.late import OffLimitsWagerFound
from longhu.table.remedies.procedure import IncidentOpened
from longhu.testing.scenario import Scenario, ScenarioError

PAGES = sorted((Path(__file__).parents[2] / "docs/scenarios").glob("*.md"))
BLOCKS = [
    pytest.param(block, id=f"{page.stem} {number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"```scenario\n(.*?)```", page.read_text(encoding="utf-8"), re.S), 1)
]


def load(id: str, readings: Mapping[str, str]) -> Game:
    return registry.load_game(registry.find(id), dict(readings))


@pytest.mark.parametrize("block", BLOCKS)
def test_a_documented_scenario_happens_as_it_is_told(block: str) -> None:
    told = Scenario(load).run(block)
    assert sum(told.table.balances.values()) == 0
    assert "expect" in block


def test_there_is_a_scenario_for_every_page() -> None:
    assert len(BLOCKS) >= len(PAGES) > 3


ROUND = """
table dragon-tiger limits 5 to 1000
seat 1 is ann with 100
shoe starts KS KH
dealer calls place your bets
ann bets 10 on dragon
dealer calls no more bets
dealer finishes the round
"""

WRONG = {
    "expect dragon of ann pays 10.00": "dragon of ann netted -5.00",
    "expect ann has 100.00": "ann has 95.00",
    "expect refused": "nothing was refused",
    "expect the round is void": "the round is not void",
    "expect the round goes on": "no round is in progress",
    "expect dragon of ann loses 5.00 (DT-3.6)": "was settled by DT-3.8",
    "expect cutting-card-shown": "there was no cutting-card-shown",
    "ann sings": "nobody understands 'ann sings'",
    "dealer does dance": "there is no command 'dance'",
    "dealer does draw-card card=[1]": "draw-card: Expected `str`",
    "ann bets 10 on tie": "refused by betting-not-open",
}


@pytest.mark.parametrize(("line", "told"), WRONG.items(), ids=WRONG)
def test_a_line_that_does_not_fit_is_told_with_its_number(line: str, told: str) -> None:
    with pytest.raises(ScenarioError, match=r"^line \d+: ") as error:
        Scenario(load).run(ROUND + line + "\n")
    assert told in str(error.value)


def test_every_irregularity_has_a_scenario() -> None:
    """Each kind that a document names happens on some page, by its own report or found by the table."""
    found: set[str] = set()
    for block in BLOCKS:
        told = Scenario(load).run(str(block.values[0]))
        for event in told.events:
            found |= {getattr(event, "kind", ""), *getattr(event, "also", ())}
            if isinstance(event, IncidentOpened):
                found.add("other")
            if isinstance(event, OffLimitsWagerFound) and told.table.settings is not None:
                short = event.stake.amount < told.table.settings.limits[event.stake.wager].min
                found.add("under-minimum" if short else "over-maximum")
    assert [kind for kind in IRREGULARITIES if kind not in found] == []
