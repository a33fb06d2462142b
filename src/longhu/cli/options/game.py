"""How every command lets the user name a game: its id, or a file, under readings."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from longhu.cli.main import BadInput

if TYPE_CHECKING:
    from longhu.games.game import Game
    from longhu.messages.localization import Localization
    from longhu.money import Currency


def add_game(parser: ArgumentParser, *, optional: bool = False) -> None:
    """`GAME`, `--game FILE` and `--reading NAME=OPTION`."""
    missing = "" if optional else " (or use --game)"
    parser.add_argument("id", metavar="GAME", nargs="?", help=f"a game's id, as `longhu games` lists them{missing}")
    add_file(parser)


def add_file(parser: ArgumentParser) -> None:
    parser.add_argument("--game", metavar="FILE", help="a game file of your own, instead of GAME")
    parser.add_argument(
        "--reading",
        metavar="NAME=OPTION",
        action="append",
        default=[],
        help="read a doubtful clause another way; `longhu games show` lists them",
    )


def add_language(parser: ArgumentParser) -> None:
    """`--language`, or LONGHU_LANGUAGE: for what the rules say, which is in the catalogues."""
    parser.add_argument(
        "--language",
        metavar="TAG",
        default=os.environ.get("LONGHU_LANGUAGE", "en"),
        help="say reasons, refusals and results in en, zh-Hans or zh-Hant (LONGHU_LANGUAGE, or en)",
    )


def localization(game: Game, args: Namespace, currency: Currency | None = None) -> Localization:
    """Says messages in the language that the user chose."""
    try:
        return game.localization(args.language, currency)
    except ValueError as error:
        raise BadInput(f"--language: {error}") from None


def chosen_game(args: Namespace) -> Game:
    """The game that the user named."""
    if args.id and args.game:
        raise BadInput(f"name a game once: {args.id!r} or --game {args.game}")
    if not args.id and not args.game:
        from longhu.games import registry

        raise BadInput(f"which game? Possible: {', '.join(registry.built_in())}, or --game FILE")
    return open_game(args.game or args.id, readings(args), is_file=bool(args.game))


def reload(args: Namespace) -> Callable[[Mapping[str, str]], Game]:
    """The same game again, under other readings."""

    def load(chosen: Mapping[str, str]) -> Game:
        return open_game(args.game or args.id, {**readings(args), **chosen}, is_file=bool(args.game))

    return load


def open_game(name: str, readings: dict[str, str], *, is_file: bool = False) -> Game:
    from longhu.games import registry
    from longhu.games.readings import ReadingError
    from longhu.games.source import GameFileError

    try:
        looks_like_file = is_file or name.endswith(".toml") or "/" in name
        return registry.load_game(Path(name) if looks_like_file else registry.find(name), readings)
    except (registry.UnknownGame, ReadingError, GameFileError) as error:
        raise BadInput(str(error)) from None


def readings(args: Namespace) -> dict[str, str]:
    """`pair_basis=points` as a choice."""
    chosen: dict[str, str] = {}
    for text in args.reading:
        name, sign, option = text.partition("=")
        if not sign or not name or not option:
            raise BadInput(f"--reading {text!r}: write NAME=OPTION, as in pair_basis=points")
        if name in chosen:
            raise BadInput(f"--reading {name} is given twice")
        chosen[name] = option
    return chosen
