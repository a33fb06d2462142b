"""`longhu odds --removal`: what each card is worth to each wager."""

from __future__ import annotations

import csv
import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from longhu.cli.main import OK
from longhu.cli.progress import progress_if_watched

if TYPE_CHECKING:
    from longhu.cards import Shoe
    from longhu.games.game import Game, Wager


def show_removals(game: Game, shoe: Shoe, wagers: dict[str, Wager], args: Namespace) -> int:
    from longhu.odds.removal import Removal, cards_that_differ, removals

    found: list[Removal] = []
    with progress_if_watched("taking out", len(cards_that_differ(game, shoe))) as advance:
        for each in removals(game, shoe, wagers):
            found.append(each)
            advance(1)
    ids = list(wagers)
    if args.json:
        told = {each.stands_for: {id: str(each.effects[id]) for id in ids} for each in found}
        print(json.dumps({"game": game.id, "decks": shoe.decks, "cards": shoe.size, "removal": told}, indent=2))
    elif args.csv:
        rows = [["card", *ids], *([each.stands_for, *(repr(float(each.effects[id])) for id in ids)] for each in found)]
        csv.writer(sys.stdout, lineterminator="\n").writerows(rows)
    else:
        from longhu.odds.report import removal_table

        shown = removal_table(found, wagers)
        if args.markdown:
            from longhu.report.markdown import as_markdown

            print(as_markdown(f"{game.name.en}: effects of removal", tuple(shown)), end="")
        else:
            from longhu.cli.terminal import Terminal

            Terminal().show(*shown)
    return OK
