"""Where games come from: the files in this package, installed packages, and any file somebody names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from longhu.games.game import Game
from longhu.games.loader import load
from longhu.games.source import read_file
from longhu.messages.message import message_code
from longhu.wording import suggest

NO_SUCH_GAME = message_code("no-such-game", game="text")
CHOOSE_GAME = message_code("choose-game", games="texts")  # ids, as they are typed

ENTRY_POINTS = "longhu.games"


class UnknownGame(ValueError):
    """A game that is neither built in nor installed."""


def built_in() -> Mapping[str, Path]:
    """The games of this package by id; a file is named by its game's id."""
    return {path.stem: path for path in sorted(Path(__file__).parent.glob("*.toml"), key=lambda path: path.stem)}


@cache
def _installed() -> tuple[Mapping[str, Path], Mapping[str, str]]:
    """Games of other packages by id, and the packages whose games could not be found, with the reason."""
    from importlib import import_module
    from importlib.metadata import entry_points

    found: dict[str, Path] = {}
    broken: dict[str, str] = {}
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            folders = import_module(entry.module).__path__
        except Exception as error:  # somebody else's code: whatever it raises must not hide our own games
            broken[entry.module] = f"{type(error).__name__}: {error}"
            continue
        for folder in folders:
            found |= {path.stem: path for path in sorted(Path(folder).glob("*.toml"))}
    return found, broken


def installed() -> Mapping[str, Path]:
    """Games of other packages: a `longhu.games` entry point names a package that holds game files."""
    return _installed()[0]


def broken() -> Mapping[str, str]:
    """Packages that offer games and could not be read."""
    return _installed()[1]


def all_games() -> Mapping[str, Path]:
    return {**installed(), **built_in()}


def find(id: str) -> Path:
    """The file of a game by its id."""
    path = built_in().get(id) or installed().get(id)
    if path is None:
        raise UnknownGame(f"no game is called {id[:60]!r}.{suggest(id, all_games())}. A file of your own: --game FILE")
    return path


def load_game(path: Path, readings: Mapping[str, str] | None = None) -> Game:
    """The game in a file, under the readings chosen; a file of our own is read once."""
    chosen = tuple(sorted((readings or {}).items()))
    if path.parent == Path(__file__).parent:
        return _built_in(path, chosen)
    return load(read_file(path), dict(chosen))


@cache
def _built_in(path: Path, readings: tuple[tuple[str, str], ...]) -> Game:
    return load(read_file(path), dict(readings))
