"""`longhu rules`: the clauses of the rule documents, and where each stands."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from longhu.cli.choice import open_game
from longhu.cli.main import OK, BadInput
from longhu.cli.screen import cell, console, table

if TYPE_CHECKING:
    from longhu.enforcement import Standing
    from longhu.games.game import Game

EPILOG = """\
Each clause is `shown` by tests, left to `people` with a reason, or still `to come`.

examples:
  longhu rules                              how many clauses of each document stand where
  longhu rules immortal-dragon-tiger        its clauses, one a line
  longhu rules IDT-5.11.3                   one clause: what it asks, how it is read, where it is enforced
  longhu rules dragon-21 --kind payout --json
  longhu rules --state "to come"
"""


def configure(parser: ArgumentParser) -> None:
    from longhu.clauses import KINDS

    parser.description = "The 512 clauses of the five rule documents, and where each is enforced and shown."
    parser.epilog = EPILOG
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="a game's id, a document (IDT), or a clause (IDT-5.11.3)"
    )
    parser.add_argument("clause", metavar="CLAUSE", nargs="?", help="a clause id, with or without the document: 5.11.3")
    parser.add_argument("--game", dest="file", metavar="FILE", help="a game file of your own, instead of GAME")
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"only clauses of one kind: {', '.join(KINDS)}")
    parser.add_argument("--state", choices=["shown", "people", "to come", "open"], help="only clauses that stand there")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: Namespace) -> int:
    from longhu.enforcement import standings

    chosen, single = _choose(list(standings().values()), args)
    if args.kind:
        chosen = [each for each in chosen if each.clause.kind == args.kind]
    if args.state:
        chosen = [each for each in chosen if each.state.value == args.state]
    if args.json:
        told = [_json(each) for each in chosen]
        print(json.dumps(told[0] if single and told else told, ensure_ascii=False, indent=2))
    elif single:
        for each in chosen:
            _print_one(each)
    elif args.game or args.kind or args.state:
        _print_list(chosen)
    else:
        _print_counts(chosen)
    return OK


def _choose(everything: list[Standing], args: Namespace) -> tuple[list[Standing], bool]:
    """The clauses that the user named, and whether it was a single one."""
    from longhu.wording import suggest

    if args.file is not None:
        args.game, args.clause = _document_of(open_game(args.file, {}, is_file=True)), args.game
    if args.game is None:
        return everything, False
    by_id = {each.clause.id: each for each in everything}
    if args.clause is None and args.game in by_id:
        return [by_id[args.game]], True
    document = _document(args.game)
    mine = [each for each in everything if each.clause.document == document]
    if args.clause is None:
        return mine, False
    for id in (args.clause, f"{document}-{args.clause}"):
        if id in by_id and by_id[id].clause.document == document:
            return [by_id[id]], True
    near = suggest(args.clause, [each.clause.id for each in mine]).partition(" Possible")[0]
    raise BadInput(f"{document} has no clause {args.clause[:40]!r}.{near} `longhu rules {args.game}` lists them")


def _document(name: str) -> str:
    """The prefix of a document's clauses, from the prefix itself or from a game."""
    from longhu.clauses import DOCUMENTS, clauses
    from longhu.games import registry
    from longhu.wording import suggest

    if name.upper() in DOCUMENTS:
        return name.upper()
    if name in registry.all_games():
        return _document_of(registry.load_game(registry.find(name)))
    if "-" in name and name.partition("-")[0] in DOCUMENTS:
        near = suggest(name, clauses()).partition(" Possible")[0]
        raise BadInput(f"no clause is called {name[:40]!r}.{near} `longhu rules {name.partition('-')[0]}` lists them")
    raise BadInput(
        f"no game, document or clause is called {name[:40]!r}.{suggest(name, [*registry.all_games(), *DOCUMENTS])}"
    )


def _document_of(game: Game) -> str:
    from longhu.clauses import DOCUMENTS

    if game.document not in DOCUMENTS:
        raise BadInput(f"{game.id} comes with no document of ours, so the rulebook has no clauses for it")
    return game.document


def _json(each: Standing) -> dict[str, Any]:
    clause = each.clause
    return {
        "id": clause.id,
        "place": clause.place,
        "kind": clause.kind,
        "requirement": clause.requirement,
        "acceptance": clause.acceptance,
        "reading": clause.reading or None,
        "state": each.state.value,
        "reason": each.reason or None,
        "enforced": each.places,
        "tests": each.tests,
    }


STYLES = {"shown": "green", "people": "cyan", "to come": "yellow", "open": "red"}


def _print_one(each: Standing) -> None:
    from longhu.clauses import DOCUMENTS

    clause, state = each.clause, each.state.value
    out = console()
    head = cell(clause.id, "bold")
    head.append(f"  {DOCUMENTS[clause.document]}, {clause.place}; {clause.kind}", "not bold")
    out.print(head)
    grid = table("", "")
    grid.show_header = False
    rows: list[tuple[str, Iterable[str]]] = [
        ("requires", [clause.requirement]),
        ("seen when", [clause.acceptance]),
        ("read as", [clause.reading] if clause.reading else []),
        ("stands", [f"{state}{f': {each.reason}' if each.reason else ''}"]),
        ("enforced", each.places),
        ("tests", each.tests),
    ]
    for name, lines in rows:
        for number, line in enumerate(lines):
            grid.add_row(
                cell(name if number == 0 else "", "dim"), cell(line, STYLES[state] if name == "stands" else "")
            )
    out.print(grid)


def _print_list(chosen: list[Standing]) -> None:
    shown = table("clause", "kind", "stands", "requires", "enforced")
    for each in chosen:
        state = each.state.value
        more = f" +{len(each.places) - 1}" if len(each.places) > 1 else ""
        place = f"{each.places[0]}{more}" if each.places else ""
        shown.add_row(
            cell(each.clause.id, "bold"),
            each.clause.kind,
            cell(state, STYLES[state]),
            each.clause.requirement,
            place,
        )
    console().print(shown)
    console().print(_count(chosen))


def _count(chosen: list[Standing]) -> str:
    counts = Counter(each.state.value for each in chosen)
    return f"{len(chosen)} clauses: " + ", ".join(f"{counts[state]} {state}" for state in STYLES if counts[state])


def _print_counts(everything: list[Standing]) -> None:
    from longhu.clauses import DOCUMENTS

    shown = table("document", "", "clauses>", "shown>", "people>", "to come>", "open>")
    for prefix, title in DOCUMENTS.items():
        mine = [each for each in everything if each.clause.document == prefix]
        counts = Counter(each.state.value for each in mine)
        shown.add_row(cell(prefix, "bold"), title, str(len(mine)), *(str(counts[state] or "") for state in STYLES))
    counts = Counter(each.state.value for each in everything)
    shown.add_section()
    shown.add_row("all", "", str(len(everything)), *(str(counts[state] or "") for state in STYLES))
    console().print(shown)
    console().print("`longhu rules IDT` lists a document, `longhu rules IDT-4.1b` shows a clause.")
