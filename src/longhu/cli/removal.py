"""`longhu odds --removal`: what each card is worth to each wager."""

from __future__ import annotations

import csv
import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from longhu.cli.main import OK
from longhu.cli.screen import progress_if_watched

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
    elif args.markdown:
        print("| card out | " + " | ".join(wagers[id].name.en for id in ids) + " |\n|" + " --- |" * (len(ids) + 1))
        for each in found:
            print(
                f"| {each.stands_for} | " + " | ".join(f"{float(each.effects[id]) * 100:+.4f} %" for id in ids) + " |"
            )
    else:
        from longhu.cli.odds_page import print_removals

        print_removals(found, ids, {id: wagers[id].name.en for id in ids})
    return OK
