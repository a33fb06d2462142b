"""`longhu readings`: every doubtful clause, and what each reading of it does to the figures."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from longhu.cli.main import OK
from longhu.cli.options.game import add_game, chosen_game, reload
from longhu.cli.options.shoe import add_shoe, chosen_shoe, tell_of_shoe
from longhu.cli.terminal import Terminal
from longhu.report.blocks import Block, Cells, Column, ColumnKind, Prose, Span, Table, Tone
from longhu.report.notation import as_percent

if TYPE_CHECKING:
    from longhu.games.game import Game, Reading
    from longhu.odds.alternatives import Alternative

EPILOG = """\
examples:
  longhu readings dragon-21
  longhu readings dragon-bonus-online --json
  longhu readings immortal-dragon-tiger --decks 6
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = (
        "Every doubtful clause of a game's document, the reading taken and why, and the house edge under each option."
    )
    parser.epilog = EPILOG
    add_game(parser)
    add_shoe(parser)
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: Namespace) -> int:
    from longhu.odds.alternatives import Returns, alternatives

    game = chosen_game(args)
    shoe = chosen_shoe(game, args)
    tell_of_shoe(game, args)
    found = list(alternatives(game, reload(args), Returns(shoe)))
    if args.json:
        told = {"game": game.id, "digest": game.digest, "readings": [_json(*each) for each in found]}
        print(json.dumps(told, ensure_ascii=False, indent=2))
        return OK
    out = Terminal()
    out.say(f"{game.name}  ({game.id})", strong=True)
    if not found:
        out.say("No clause of it is doubtful.")
    for reading, options in found:
        out.show(*_reading(game, reading, options))
    return OK


def _reading(game: Game, reading: Reading, options: list[Alternative]) -> list[Block]:
    from longhu.odds.alternatives import changed

    cites = " ".join(filter(None, [reading.question, *reading.clauses]))
    taken = f"{reading.chosen}: " if reading.chosen else ""
    says = reading.takes.en if reading.chosen == reading.default else reading.options[reading.chosen].says.en
    blocks: list[Block] = [
        Prose((Span(f"\n{reading.id}", strong=True), Span(f"  {cites}", Tone.QUIET))),
        Prose(f"  Asks: {reading.asks.en}"),
        Prose(f"  Taken: {taken}{says}"),
        Prose(f"  Because: {reading.because.en}"),
    ]
    ids = changed(options)
    if ids:
        names = (f"{each.option.id}{' (taken)' if each.chosen else ''}" for each in options)
        rows: tuple[Cells, ...] = tuple((game.wagers[id].name.en, *(_edge(each, id) for each in options)) for id in ids)
        blocks += [Prose("  House edge:"), Table((Column("wager", ColumnKind.TEXT), *map(Column, names)), rows)]
    elif reading.options:
        others = ", ".join(
            f"{option.id} ({option.says.en})" for option in reading.options.values() if option.id != reading.chosen
        )
        blocks.append(Prose(f"  Or: {others}. No figure depends on it."))
    return blocks


def _edge(each: Alternative, wager: str) -> Span:
    return Span(as_percent(-each.evs[wager])) if wager in each.evs else Span("not offered", Tone.QUIET)


def _json(reading: Reading, options: list[Alternative]) -> dict[str, Any]:
    return {
        "id": reading.id,
        "question": reading.question or None,
        "clauses": reading.clauses,
        "asks": reading.asks.en,
        "takes": reading.takes.en,
        "because": reading.because.en,
        "chosen": reading.chosen or None,
        "at_table": reading.at_table,
        "options": {option.id: option.says.en for option in reading.options.values()},
        "ev": {each.option.id: {id: str(ev) for id, ev in each.evs.items()} for each in options},
    }
