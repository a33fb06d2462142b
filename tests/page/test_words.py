"""What the house says of every game has its Chinese: lines of wagers, results, notices of the roads."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from longhu.games import registry
from longhu.games.game import Game
from longhu.roads.text import NOTICE
from longhu.server.api.games import BASIS
from longhu.table.views import INFORMATION_ONLY

WEB = Path(__file__).parents[2] / "web"
TRANSLATES = """
import { readFileSync } from 'node:fs';
import { SENTENCES } from './src/lib/house_sentences.ts';
import { translator } from './src/lib/translation.ts';
const { texts, names } = JSON.parse(readFileSync(0, 'utf-8'));
const chinese = translator(SENTENCES, names);
console.log(JSON.stringify(texts.map((text) => [text, chinese(text)])));
"""


def node() -> str:
    beside = Path(sys.executable).with_name("node")
    found = str(beside) if beside.exists() else shutil.which("node")
    if found is None:
        pytest.fail("no Node is installed: run `make page`")
    return found


def games() -> list[Game]:
    return [registry.load_game(path) for path in registry.all_games().values()]


def names_of(game: Game) -> dict[str, str]:
    """As /api/games tells them."""
    texts = [text for wager in game.wagers.values() for text in (wager.name, wager.label)]
    hands = {hand.en: hand.zh for hand in game.procedure.hands if hand.zh}
    return {**{text.en: text.zh for text in texts if text.zh}, **hands}


def results(game: Game) -> Iterator[str]:
    first, second = (hand.en for hand in game.procedure.hands)
    yield from (f"{first} 7, {second} 6", f"{first} 7, {second} 6: {first} wins", "Tie Hand, 6")


def test_everything_that_is_said_of_a_game_has_its_chinese() -> None:
    texts = {NOTICE, INFORMATION_ONLY, BASIS.format(decks=8)}
    names: dict[str, str] = {}
    for game in games():
        names |= names_of(game)
        texts |= {line.says.en for wager in game.wagers.values() for line in wager.lines}
        texts |= {*results(game)}
    told = subprocess.run(
        [node(), "--experimental-strip-types", "--no-warnings", "--input-type=module", "-e", TRANSLATES],
        cwd=WEB,
        input=json.dumps({"texts": sorted(texts), "names": names}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    english = [en for en, zh in json.loads(told.stdout) if not any("\u4e00" <= each <= "\u9fff" for each in zh)]
    assert not english
