"""`longhu claims`: the figures that a document publishes, against the exact ones."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from longhu.cli.main import OK, SOME_FAILED
from longhu.cli.options.game import add_game, chosen_game, reload
from longhu.cli.terminal import Terminal
from longhu.report.blocks import Column, ColumnKind, Span, Table, Tone
from longhu.report.notation import as_percent, rounded_percent

if TYPE_CHECKING:
    from longhu.games.game import Game
    from longhu.odds.claims import Reckoning

EPILOG = """\
examples:
  longhu claims dragon-bonus-online
  longhu claims dragon-bonus-online --reading banker_0_2_vs_8=stand
  longhu claims dragon-bonus-online --json

A published figure agrees when the exact return, rounded to as many decimals, is the same. Where another
reading of a doubtful clause alters a figure that is claimed, the claims are held against that reading too.
The exit status is 1 when a claim fails under the readings in force.
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = "Hold the returns that a game's document publishes against the exact ones."
    parser.epilog = EPILOG
    add_game(parser)
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: Namespace) -> int:
    from longhu.odds.claims import reckonings

    game = chosen_game(args)
    found = list(reckonings(game, reload(args)))
    status = OK if found[0].agrees else SOME_FAILED
    if args.json:
        told = [
            {
                "under": each.under or None,
                "says": each.says,
                "agrees": each.agrees,
                "claims": [
                    {
                        "wager": one.claim.wager,
                        "decks": one.claim.decks,
                        "published": rounded_percent(one.claim.rtp, one.claim.decimals),
                        "exact": None if one.rtp is None else str(one.rtp),
                        "rounded": one.rounded or None,
                        "agrees": one.agrees,
                        "clause": one.claim.clauses[0] if one.claim.clauses else None,
                    }
                    for one in each.checked
                ],
            }
            for each in found
        ]
        print(json.dumps({"game": game.id, "digest": game.digest, "reckonings": told}, ensure_ascii=False, indent=2))
        return status
    if not game.claims:
        print(f"{game.id} publishes no returns, so there is nothing to hold against the exact ones.")
        return OK
    out = Terminal()
    for each in found:
        out.show(_table(game, each))
        claims, wrong = len(each.checked), sum(not one.agrees for one in each.checked)
        if wrong:
            out.say(f"{wrong} of {claims} published returns do not agree with the exact ones.", Tone.BAD, strong=True)
        else:
            out.say(f"All {claims} published returns agree with the exact ones.", Tone.GOOD)
    return status


def _table(game: Game, found: Reckoning) -> Table:
    columns = (
        Column("wager", ColumnKind.TEXT),
        *map(Column, ("decks", "published", "exact")),
        Column("", ColumnKind.TEXT),
        Column("clause", ColumnKind.CLAUSE),
    )
    rows = tuple(
        (
            game.wagers[one.claim.wager].name.en,
            str(one.claim.decks),
            f"{rounded_percent(one.claim.rtp, one.claim.decimals)} %",
            "not offered" if one.rtp is None else as_percent(one.rtp, 6),
            Span("agrees", Tone.GOOD) if one.agrees else Span("fails", Tone.BAD, strong=True),
            one.claim.clauses[0] if one.claim.clauses else "",
        )
        for one in found.checked
    )
    title = f"Under {found.under}: {found.says}" if found.under else f"{game.name.en}, under {found.says}"
    return Table(columns, rows, title=f"\n{title}")
