"""`longhu readings`: every doubtful clause, and what each reading of it does to the figures."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from longhu.cli.choice import add_game, chosen_game, reload
from longhu.cli.main import OK
from longhu.cli.screen import cell, console, table
from longhu.cli.shoe_option import add_shoe, chosen_shoe, tell_of_shoe

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
    out = console()
    out.print(cell(f"{game.name}  ({game.id})", "bold"))
    if not found:
        out.print("No clause of it is doubtful.")
    for reading, options in found:
        _print_reading(game, reading, options)
    return OK


def _print_reading(game: Game, reading: Reading, options: list[Alternative]) -> None:
    from longhu.odds.alternatives import changed
    from longhu.odds.exports import percent

    out = console()
    head = cell(f"\n{reading.id}", "bold")
    head.append(f"  {' '.join(filter(None, [reading.question, *reading.clauses]))}", "not bold dim")
    out.print(head, soft_wrap=True)
    out.print(f"  Asks: {reading.asks.en}", soft_wrap=True)
    taken = f"{reading.chosen}: " if reading.chosen else ""
    says = reading.takes.en if reading.chosen == reading.default else reading.options[reading.chosen].says.en
    out.print(f"  Taken: {taken}{says}", soft_wrap=True)
    out.print(f"  Because: {reading.because.en}", soft_wrap=True)
    ids = changed(options)
    if ids:
        shown = table("wager", *(f"{each.option.id}{' (taken)' if each.chosen else ''}>" for each in options))
        for id in ids:
            edges = [cell(percent(-each.evs[id])) if id in each.evs else cell("not offered", "dim") for each in options]
            shown.add_row(game.wagers[id].name.en, *edges)
        out.print("  House edge:")
        out.print(shown)
    elif reading.options:
        others = ", ".join(
            f"{option.id} ({option.says.en})" for option in reading.options.values() if option.id != reading.chosen
        )
        out.print(f"  Or: {others}. No figure depends on it.", soft_wrap=True)


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
