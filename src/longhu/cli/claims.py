"""`longhu claims`: the figures that a document publishes, against the exact ones."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from longhu.cli.choice import add_game, chosen_game, reload
from longhu.cli.main import OK, SOME_FAILED
from longhu.cli.screen import FigureScreen

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
    from longhu.odds.claims import reckonings, rounded_percent

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
    out = FigureScreen()
    for each in found:
        title = f"Under {each.under}: {each.says}" if each.under else f"{game.name.en}, under {each.says}"
        shown = out.table("wager", "decks>", "published>", "exact>", "", "clause", title=f"\n{title}")
        for one in each.checked:
            exact = "not offered" if one.rtp is None else f"{float(one.rtp) * 100:.6f} %"
            verdict = out.cell("agrees", "green") if one.agrees else out.cell("fails", "bold red")
            published = f"{rounded_percent(one.claim.rtp, one.claim.decimals)} %"
            clause = one.claim.clauses[0] if one.claim.clauses else ""
            shown.add_row(game.wagers[one.claim.wager].name.en, str(one.claim.decks), published, exact, verdict, clause)
        out.print(shown)
        claims, wrong = len(each.checked), sum(not one.agrees for one in each.checked)
        if wrong:
            out.print(out.cell(f"{wrong} of {claims} published returns do not agree with the exact ones.", "bold red"))
        else:
            out.print(out.cell(f"All {claims} published returns agree with the exact ones.", "green"))
    return status
