"""The game that a designer looks at in the lab: one of ours or a text of their own, with changes, dealt from so many decks."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from longhu.cards import Shoe
from longhu.games import registry
from longhu.games.changes import ChangeError, Changes, changed
from longhu.games.game import Game
from longhu.games.loader import DECKS_MAX, load
from longhu.games.rewriting import rewritten
from longhu.games.source import FILE_BYTES_MAX, Source, read_bytes

T = TypeVar("T")
NAME = "game.toml"  # what a text is called in what is told of it


class Subject(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game by its id, or a text; never a path."""

    game: Annotated[str, Meta(max_length=60, description="The id of a game", examples=["dragon-tiger"])] = ""
    text: Annotated[str, Meta(max_length=FILE_BYTES_MAX, description="A whole game file, instead of an id")] = ""
    changes: Changes = []
    decks: Annotated[int, Meta(ge=1, le=DECKS_MAX)] | None = None  # as many as usual where none is said


class Unknown(ValueError):
    """A question about a game that is not there, or that has no place for a change."""


@lru_cache(maxsize=64)
def _built_in(id: str) -> Source:
    """The file of a game that is built in or installed; ids are looked up, so no id leads to any other file."""
    path = registry.all_games().get(id)
    if path is None:
        raise Unknown(f"no game is called {id[:60]!r}")
    return read_bytes(path.read_bytes(), path.name)


def base(subject: Subject) -> Source:
    """The file before the changes. `GameFileError` where a text is none."""
    if not subject.text:
        return _built_in(subject.game)
    return read_bytes(subject.text.encode("utf-8", "replace"), NAME)


def changed_source(subject: Subject) -> tuple[Source, list[str]]:
    """The file after the changes, and the readings that no longer fit it; places are those of the file before."""
    source = base(subject)
    if not subject.changes:
        return source, []
    data = deepcopy(source.data)
    left_out = _made(lambda: changed(data, subject.changes))
    return Source(source.name, data, source.keys, source.values, source.written, source.text), left_out


def written_source(subject: Subject) -> Source:
    """The file after the changes, as it is written."""
    before, (after, _) = base(subject), changed_source(subject)
    text = _made(lambda: rewritten(before.text, subject.changes))
    source = read_bytes(text.encode(), NAME)
    if source.data != after.data:
        raise AssertionError("the file that was written is not the one that was counted")
    return source


def _made(make: Callable[[], T]) -> T:
    try:
        return make()
    except ChangeError as error:
        raise Unknown(str(error)) from None


def shoe(subject: Subject, game: Game) -> Shoe:
    return Shoe.of_decks(subject.decks or game.decks.default)


def loaded(subject: Subject) -> Game:
    """The game as it is written; `GameFileError` tells what is wrong with it."""
    return load(written_source(subject))
