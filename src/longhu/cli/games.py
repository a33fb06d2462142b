"""`longhu games`: list, show, facts, check, diff."""

from __future__ import annotations

import json
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longhu.cli.main import OK, SOME_FAILED
from longhu.cli.options.game import add_game, chosen_game, open_game
from longhu.cli.terminal import Terminal
from longhu.report.blocks import Column, ColumnKind, Prose, Span, Table, Tone

if TYPE_CHECKING:
    from longhu.games.game import Game
    from longhu.games.source import FileMistake

EXAMPLES = """\
examples:
  longhu games                                     all games
  longhu games show dragon-tiger                   its paytable, layouts and readings
  longhu games show dragon-21 --reading over_21_pays=1-to-2
  longhu games facts dragon-21                     what a line's `when` may use
  longhu games check my-game.toml                  every mistake, with line and column
  longhu games diff dragon-bonus dragon-bonus-online
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = "The games: each is one file, and everything about it follows from that file."
    parser.epilog = EXAMPLES
    parser.set_defaults(act=list_games, json=False)
    parser.add_argument("--json", action="store_true", help="for programs")
    acts = parser.add_subparsers(metavar="WHAT", title="what to do (nothing: list the games)", dest="what")

    def act(name: str, says: str, run: Any, epilog: str = "") -> ArgumentParser:
        sub = acts.add_parser(
            name,
            help=says,
            description=says.capitalize() + ".",
            epilog=epilog,
            formatter_class=RawDescriptionHelpFormatter,
        )
        sub.set_defaults(act=run)
        sub.add_argument("--json", action="store_true", default=SUPPRESS, help="for programs")
        return sub

    act("list", "every game that is built in or installed", list_games)
    add_game(act("show", "a game's paytable, layouts and readings, as people know them", show_game))
    add_game(act("facts", "the facts that a line's `when` may use in this game", show_facts))
    check = act("check", "every mistake in game files, as file:line:column", check_files)
    check.add_argument("files", metavar="FILE", nargs="+", help="a game file")
    diff = act("diff", "what differs between two games", diff_games)
    diff.add_argument("one", metavar="A", help="a game's id or file")
    diff.add_argument("other", metavar="B", help="a game's id or file")
    diff.add_argument("--all", action="store_true", help="clause ids and readings too")


def run(args: Namespace) -> int:
    status: int = args.act(args)
    return status


# ------------------------------------------------ list


def list_games(args: Namespace) -> int:
    from longhu.games import registry
    from longhu.paytable import decks, game_json

    games = [registry.load_game(path) for path in registry.all_games().values()]
    if args.json:
        print(json.dumps({game.id: game_json(game) for game in games}, ensure_ascii=False, indent=2))
        return OK
    out = Terminal()
    for game in games:
        layouts = f"layout{'s' if len(game.layouts) > 1 else ''} {' '.join(game.layouts)}"
        out.show(
            Prose((Span(game.id, strong=True), Span(f"  {game.name}"))),
            Prose(f"    version {game.version}; {game.procedure.name}; decks: {decks(game)}; {layouts}"),
            Prose(Span(f"    {' '.join(game.wagers)}", Tone.QUIET)),
        )
    for package, reason in registry.broken().items():
        print(f"longhu: the games of {package} could not be found: {reason}", file=sys.stderr)
    return OK


# ------------------------------------------------ show


def show_game(args: Namespace) -> int:
    game = chosen_game(args)
    if args.json:
        from longhu.paytable import game_json

        print(json.dumps(game_json(game), ensure_ascii=False, indent=2))
        return OK
    from longhu.game_report import game_report

    Terminal().show(*game_report(game))
    return OK


# ------------------------------------------------ facts


def show_facts(args: Namespace) -> int:
    game = chosen_game(args)
    facts, words = game.outcomes.facts.values(), game.localization()
    if args.json:
        told = [
            {"name": fact.name, "kind": KINDS[fact.kind.value], "says": words.text(fact.says), "words": fact.words}
            for fact in facts
        ]
        print(json.dumps(told, ensure_ascii=False, indent=2))
        return OK
    rows = [
        (Span(fact.name, strong=True), ", ".join(fact.words) or KINDS[fact.kind.value], words.text(fact.says))
        for fact in facts
    ]
    rows += [
        (Span(name, strong=True), "a term", f"{means}{f' ({clauses[0]})' if clauses else ''}")
        for name, (means, clauses) in game.terms.items()
    ]
    signs = "Signs: == != < <= > >= + - * % in [a, b, c..d] and or not ( ); also ace, jack, queen, king."
    Terminal().show(Table(_texts("fact", "is", "says"), tuple(rows)), Prose(signs))
    return OK


# ------------------------------------------------ check


def check_files(args: Namespace) -> int:
    """Load each file, and load it again under every option of its readings; then look for missing translations."""
    from longhu.games.source import GameFileError, read_text
    from longhu.games.translations import gaps

    results: dict[str, Any] = {}
    for name in args.files:
        try:
            games = _load_with_options(Path(name))
            game = games[0]
            results[name] = {
                "ok": True,
                "id": game.id,
                "digest": game.digest,
                "options": len(games) - 1,
                "warnings": [
                    {"language": language, **_told(each)}
                    for language, each in gaps(game, read_text(game.text, game.file))
                ],
            }
        except GameFileError as error:
            results[name] = {"ok": False, "problems": [_told(each) for each in error.problems]}
    if args.json:
        print(json.dumps(results, ensure_ascii=False, indent=2))
    else:
        for name, result in results.items():
            if result["ok"]:
                print(f"{name}: {result['id']} is sound; digest {result['digest']}")
            for problem in result.get("problems", ()):
                print(f"{name}:{problem['line']}:{problem['column']}: {problem['message']}")
            for warning in result.get("warnings", ()):
                print(f"{name}:{warning['line']}:{warning['column']}: warning: {warning['message']}")
    return OK if all(result["ok"] for result in results.values()) else SOME_FAILED


def _told(problem: FileMistake) -> dict[str, Any]:
    return {"line": problem.place.line, "column": problem.place.column, "message": problem.text()}


def _load_with_options(path: Path) -> list[Game]:
    from longhu.games.registry import load_game

    game = load_game(path)
    return [
        game,
        *(
            load_game(path, {reading.id: option.id})
            for reading in game.readings.values()
            for option in reading.options.values()
            if option.changes
        ),
    ]


# ------------------------------------------------ diff


def diff_games(args: Namespace) -> int:
    one, other = open_game(args.one, {}), open_game(args.other, {})
    rows = list(differences(one.data, other.data))
    if args.json:
        told = [{"at": at, "a": a, "b": b} for at, a, b in rows]
        digests = {"a": one.digest, "b": other.digest, "differences": told}
        print(json.dumps(digests, ensure_ascii=False, indent=2, default=str))
        return OK
    kept = [row for row in rows if args.all or not QUIET.intersection(row[0].split("."))]
    if kept:
        Terminal().show(
            Table(_texts("where", one.id, other.id), tuple((at, _shown(a), _shown(b)) for at, a, b in kept))
        )
    if not rows:
        print(f"{one.id} and {other.id} say the same; digest {one.digest}")
    elif len(rows) > len(kept):
        print(
            f"{len(rows) - len(kept)} differences in clause ids, sentences, translations and readings are left out; --all shows them"
        )
    return OK


QUIET = {
    "clause",
    "clauses",
    "cites",
    "first_cards",
    "reading",
    "says",
    "translations",
}  # what a document says of itself, not what is played
KINDS = {"truth": "a truth value", "number": "a number", "word": "a word"}
MISSING = "—"


def differences(one: Any, other: Any, at: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two files differ; entries of a list are matched by their id, then by their place."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            yield from differences(one.get(key, MISSING), other.get(key, MISSING), f"{at}.{key}" if at else key)
    elif isinstance(one, list) and isinstance(other, list) and _by_id(one) is not None and _by_id(other) is not None:
        yield from differences(_by_id(one), _by_id(other), at)
    elif one != other:
        yield at, one, other


def _by_id(entries: list[Any]) -> dict[str, Any] | None:
    """A list of tables as a table; lines of a wager are known by what they say."""
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        return None
    names = [
        str(entry.get("id") or entry.get("when") or entry.get("wager") or place) for place, entry in enumerate(entries)
    ]
    return dict(zip(names, entries, strict=True)) if len(set(names)) == len(names) else None


def _texts(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, ColumnKind.TEXT) for name in names)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
