"""Where games come from: the files in this package, installed packages, and any file somebody names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from longhu.games.game import Game
from longhu.games.loader import load
from longhu.games.source import read_file
from longhu.wording import suggest

ENTRY_POINTS = "longhu.games"


class UnknownGame(ValueError):
    """A game that is neither built in nor installed."""


def built_in() -> Mapping[str, Path]:
    """The games of this package by id; a file is named by its game's id."""
    return {path.stem: path for path in sorted(Path(__file__).parent.glob("*.toml"), key=lambda path: path.stem)}


@cache
def installed() -> Mapping[str, Path]:
    """Games of other packages: a `longhu.games` entry point names a package that holds game files."""
    from importlib import import_module
    from importlib.metadata import entry_points

    found: dict[str, Path] = {}
    for entry in entry_points(group=ENTRY_POINTS):
        package = import_module(entry.module)
        for folder in package.__path__:
            found |= {path.stem: path for path in sorted(Path(folder).glob("*.toml"))}
    return found


def all_games() -> Mapping[str, Path]:
    return {**installed(), **built_in()}


def find(id: str) -> Path:
    """The file of a game by its id."""
    path = built_in().get(id) or installed().get(id)
    if path is None:
        raise UnknownGame(f"no game is called {id[:60]!r}.{suggest(id, all_games())}. A file of your own: --game FILE")
    return path


def load_game(path: Path, readings: Mapping[str, str] | None = None) -> Game:
    """The game in a file, under the readings chosen."""
    return _loaded(path, tuple(sorted((readings or {}).items())))


@cache
def _loaded(path: Path, readings: tuple[tuple[str, str], ...]) -> Game:
    return load(read_file(path), dict(readings))
