"""Recorded rounds, one for each interesting rule, told as a pit manager would read them.

A file in `transcripts/` says in its first sentence which rule it shows. Then come the round as it was played
and what it comes to, worked out by hand; below the rule stands what Longhu prints, without the digest.
When a wording changes for good, `python -m tests.transcripts_update` writes the lower parts anew.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import longhu
from longhu.games import registry

FOLDER = Path(__file__).parent / "transcripts"
RULE = "-" * 60
FILES = sorted(FOLDER.glob("*.txt"))


@dataclass(frozen=True)
class Recorded:
    """A transcript file: its head as keys and values, and the text below the rule."""

    sentence: str
    head: dict[str, str]
    text: str


def read(path: Path) -> Recorded:
    above, _, below = path.read_text(encoding="utf-8").partition(f"{RULE}\n")
    sentence, _, lines = above.partition("\n\n")
    keys = dict(line.split(":", maxsplit=1) for line in lines.strip().splitlines())
    return Recorded(sentence, {key.strip(): value.strip() for key, value in keys.items()}, below)


def replay(head: dict[str, str], folder: Path) -> longhu.Round:
    """Settle the round of a head; `changes` edits the game's file first, as a house with other limits would."""
    readings = dict(choice.split("=") for choice in head.get("readings", "").split())
    if "changes" in head:
        old, new = head["changes"].split(" becomes ")
        text = registry.find(head["game"]).read_text(encoding="utf-8")
        assert old in text
        (folder / "changed.toml").write_text(text.replace(old, new), encoding="utf-8")
        game = longhu.load(folder / "changed.toml", **readings)
    else:
        game = longhu.game(head["game"], **readings)
    wagers: dict[str, str] = dict(wager.split() for wager in head["wagers"].split(", "))
    return game.settle(head["cards"], decks=None, layout=head.get("layout"), **wagers)


def told(round: longhu.Round) -> str:
    """What is printed, without the digest at the end of the title, which changes with any word of the file."""
    title, _, rest = str(round).partition("\n")
    assert re.search(", [0-9a-f]{12}$", title)
    return f"{title[: -len(', 0123456789ab')]}\n{rest}\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_round_is_told_as_it_was_recorded(path: Path, tmp_path: Path) -> None:
    recorded = read(path)
    assert told(replay(recorded.head, tmp_path)).splitlines() == recorded.text.splitlines()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_recorded_round_comes_to_what_was_worked_out_by_hand(path: Path, tmp_path: Path) -> None:
    head = read(path).head
    assert replay(head, tmp_path).net == head["net"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_transcript_can_be_read_by_people(path: Path) -> None:
    recorded = read(path)
    assert recorded.sentence.endswith(".")
    assert set(recorded.head) <= {"game", "readings", "changes", "layout", "cards", "wagers", "net"}
    assert max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 120


def test_every_game_has_recorded_rounds_and_every_wager_is_among_them() -> None:
    heads = [read(path).head for path in FILES]
    for id in registry.built_in():
        shown = {wager.split()[0] for head in heads if head["game"] == id for wager in head["wagers"].split(", ")}
        assert shown >= set(longhu.game(id).wagers), id
