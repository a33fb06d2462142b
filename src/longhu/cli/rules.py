"""`longhu rules`: the clauses of the rule documents, and where each stands."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from longhu.cli.main import OK, BadInput
from longhu.cli.options.game import open_game
from longhu.cli.terminal import Terminal
from longhu.report.blocks import Block, Cells, Column, ColumnKind, Prose, Span, Table, Tone

if TYPE_CHECKING:
    from longhu.enforcement import Standing
    from longhu.games.game import Game

EPILOG = """\
Each clause is `shown` by tests, left to `people` with a reason, or still `to come`.

examples:
  longhu rules                              how many clauses of each document stand where
  longhu rules immortal-dragon-tiger        its clauses, one a line
  longhu rules IDT-5.11.3                   one clause: what it asks, how it is read, what the table does by it
  longhu rules dragon-21 --kind payout --json
  longhu rules --state "to come"
"""


def configure(parser: ArgumentParser) -> None:
    from longhu.clauses import KINDS

    parser.description = (
        "The 512 clauses of the five rule documents, where each acts at a running table, and which tests show it."
    )
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
            Terminal().show(*_one(each))
    else:
        Terminal().show(*(_list if args.game or args.kind or args.state else _counts)(chosen))
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
    from longhu.clause_acts import acts, beside_the_table, screens

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
        "acts": [act._asdict() for act in acts().get(clause.id, ())],
        "screens": sorted({page for act in acts().get(clause.id, ()) for page in screens().get(act.command, ())}),
        "beside_the_table": beside_the_table().get(clause.id),
        "cited": each.places,
        "live": each.live,
        "tests": each.tests,
    }


TONES = {"shown": Tone.GOOD, "people": Tone.FIRST, "to come": Tone.EVEN, "open": Tone.BAD}


def _one(each: Standing) -> list[Block]:
    from longhu.clauses import DOCUMENTS

    clause, state = each.clause, each.state.value
    stands = f"{state}{f': {each.reason}' if each.reason else ''}"
    told: list[tuple[str, Iterable[str]]] = [
        ("requires", [clause.requirement]),
        ("seen when", [clause.acceptance]),
        ("read as", [clause.reading] if clause.reading else []),
        ("stands", [stands]),
        ("acts", _acts(clause.id)),
        ("cited", each.places),
        ("tests", each.tests),
        ("", [] if each.live or not each.tests else ["none of them drives a running table"]),
    ]
    rows = tuple(
        (
            Span(name if number == 0 else "", Tone.QUIET),
            Span(line, TONES[state] if name == "stands" else Tone.PLAIN),
        )
        for name, lines in told
        for number, line in enumerate(lines)
    )
    about = f"  {DOCUMENTS[clause.document]}, {clause.place}; {clause.kind}"
    return [
        Prose((Span(clause.id, strong=True), Span(about))),
        Table((Column("", ColumnKind.TEXT), Column("", ColumnKind.TEXT)), rows),
    ]


def _acts(clause: str) -> list[str]:
    """What the running table does by it: a line for each command, with the pages on which it is given."""
    from longhu.clause_acts import acts, beside_the_table, screens

    done: dict[str, list[str]] = {}
    for act in acts().get(clause, ()):
        done.setdefault(act.command, []).append(act.outcome)
    lines = []
    for command, outcomes in done.items():
        pages = f"  ({', '.join(screens()[command])})" if command in screens() else ""
        lines.append(f"{command}: {', '.join(outcomes)}{pages}")
    return lines or [f"not at a table: {beside_the_table().get(clause, 'nothing there cites it')}"]


def _list(chosen: list[Standing]) -> list[Block]:
    names = ("clause", "kind", "stands", "requires", "cited")
    rows = tuple(map(_row, chosen))
    return [Table(tuple(Column(name, ColumnKind.TEXT) for name in names), rows), Prose(_count(chosen))]


def _row(each: Standing) -> Cells:
    more = f" +{len(each.places) - 1}" if len(each.places) > 1 else ""
    return (
        Span(each.clause.id, strong=True),
        each.clause.kind,
        Span(each.state.value, TONES[each.state.value]),
        each.clause.requirement,
        f"{each.places[0]}{more}" if each.places else "",
    )


def _count(chosen: list[Standing]) -> str:
    counts = Counter(each.state.value for each in chosen)
    return f"{len(chosen)} clauses: " + ", ".join(f"{counts[state]} {state}" for state in TONES if counts[state])


def _counts(everything: list[Standing]) -> list[Block]:
    from longhu.clauses import DOCUMENTS

    first, *others = TONES
    columns = (
        Column("document", ColumnKind.TEXT),
        Column("", ColumnKind.TEXT),
        *map(Column, ("clauses", first, "live", *others)),
    )
    rows: tuple[Cells, ...] = tuple(
        (Span(prefix, strong=True), title, *_numbers([each for each in everything if each.clause.document == prefix]))
        for prefix, title in DOCUMENTS.items()
    )
    hint = "live: shown by a test that drives a running table. `longhu rules IDT` lists a document, `longhu rules IDT-4.1b` shows a clause."
    return [Table(columns, rows, total=("all", "", *_numbers(everything))), Prose(hint)]


def _numbers(some: list[Standing]) -> list[str]:
    """How many there are, how many stand where, and how many a test shows at a running table."""
    counts = Counter(each.state.value for each in some)
    shown, *others = (str(counts[state] or "") for state in TONES)
    return [str(len(some)), shown, str(sum(each.live for each in some) or ""), *others]
