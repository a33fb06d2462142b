"""What the documents say is true: their examples run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from longhu.games.loader import load
from longhu.games.source import read_text

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_readme_s_console_example_prints_what_it_says() -> None:
    (block,) = re.findall(r"```console\n\$ (.*?)\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    command, printed = block
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=True, env={**os.environ, "PATH": path}
    )
    assert done.stdout == printed


def test_the_complete_game_of_the_recipe_is_sound() -> None:
    text = (ROOT / "docs/game-files.md").read_text()
    complete = next(block for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if block.startswith("format"))
    game = load(read_text(complete, "recipe.toml"))
    assert list(game.wagers) == ["left", "suited-tie"]


def test_the_readme_shows_lines_that_stand_in_the_game_file() -> None:
    shown = re.search(r"```toml\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert shown
    file = re.sub(r"\s+", " ", (ROOT / "src/longhu/games/immortal-dragon-tiger.toml").read_text())
    whens = re.findall(r'says = ".*?",\s+when = ".*?"', shown[1])
    assert len(whens) == 4
    for line in whens:
        assert re.sub(r"\s+", " ", line) in file


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
        assert (document.parent / link).exists(), link


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_modules_that_are_named_are_there(document: Path) -> None:
    modules = [
        f"/{each.relative_to(ROOT)}"
        for folder in ("bench", "docs", "src", "tests")
        for each in (ROOT / folder).rglob("*.py")
    ]
    for name in re.findall(r"`([\w/-]+\.py)`", document.read_text()):
        assert any(each.endswith(f"/{name}") for each in modules), name


def test_the_map_of_changes_names_files_that_are_there() -> None:
    changes = (ROOT / "CONTRIBUTING.md").read_text().partition("## Where things are")[2].partition("\n## ")[0]
    named = re.findall(r"`((?:src|web|tests)/[^`]+)`", changes)
    assert len(named) >= 15
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_the_readme_can_be_read_in_a_minute() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120
