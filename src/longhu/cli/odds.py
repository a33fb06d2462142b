"""`longhu odds`: what every wager really returns, exactly, from any shoe."""

from __future__ import annotations

import csv
import json
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from longhu.cli.main import OK, BadInput
from longhu.cli.options.game import add_game, chosen_game
from longhu.cli.options.shoe import add_shoe, add_wagers, chosen_dealt, chosen_shoe, chosen_wagers, tell_of_shoe
from longhu.cli.options.stakes import chosen_stakes
from longhu.cli.terminal import progress_if_watched

if TYPE_CHECKING:
    from longhu.cards import Shoe
    from longhu.games.game import Game, Wager
    from longhu.odds.figures import GameOdds
    from longhu.odds.together import Together

EPILOG = """\
examples:
  longhu odds immortal-dragon-tiger                   every wager, from the usual shoe
  longhu odds dragon-tiger --wager tie --decks 6      one wager, line by line
  longhu odds dragon-bonus --shoe A:30,2:32,3:31,4:32,5:32,6:32,7:32,8:28,9:29,T:32,J:32,Q:32,K:32
  longhu odds immortal-dragon-tiger --without 8S,8S,KD
  longhu odds immortal-dragon-tiger --dealt 5D,KC,2C  what the cards on the table leave open
  longhu odds dragon-21 --reading over_21_pays=1-to-2
  longhu odds dragon-bonus-online --stake player=100 --stake dragon-bonus-player=100
  longhu odds dragon-tiger --removal                  what each card is worth to each wager

Figures are for one unit staked. The edge is what the house keeps of it on average, the return what comes
back; with --json, `ev` and each `probability` are exact fractions. A round for which the cards do not
suffice is void and gives the stake back.
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = "The exact odds of every wager, by counting all deals: no simulation, no rounding."
    parser.epilog = EPILOG
    add_game(parser)
    add_shoe(parser)
    parser.add_argument(
        "--dealt", metavar="CARDS", help="cards already on the table, in the order in which they left the shoe"
    )
    add_wagers(parser)
    parser.add_argument(
        "--within",
        metavar="PERCENT",
        default="1",
        help="tell after how many rounds the actual return is this close to the exact one, 95 times in 100 (1)",
    )
    parser.add_argument(
        "--stake",
        metavar="WAGER=AMOUNT",
        action="append",
        default=[],
        help="stake so much on several wagers together, and tell how the whole round can end",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="for programs, with exact fractions")
    how.add_argument("--csv", action="store_true", help="a row a wager")
    how.add_argument("--markdown", action="store_true", help="tables for a document")
    parser.add_argument("--removal", action="store_true", help="effects of removal: what taking out each card does")


def run(args: Namespace) -> int:
    from longhu.cards import ShoeError
    from longhu.deal.procedure import DealError
    from longhu.odds.figures import game_odds

    game = chosen_game(args)
    shoe, dealt, wagers = chosen_shoe(game, args), chosen_dealt(args), chosen_wagers(game, args)
    margin = _margin(args.within)
    if args.removal:
        if dealt or args.stake:
            raise BadInput("--removal is about the shoe before a round: leave --dealt and --stake out")
        tell_of_shoe(game, args)
        return _show_removals(game, shoe, wagers, args)
    stakes = chosen_stakes(game, args.stake, "--stake", args.layout)
    try:
        odds = game_odds(game, shoe, dealt, wagers)
    except DealError as error:
        raise BadInput(f"--dealt: {error.text(game.localization())}") from None
    except ShoeError as error:
        raise BadInput(f"--dealt: {error}") from None
    tell_of_shoe(game, args)
    joint = None
    if stakes:
        from longhu.odds.together import together

        joint = together(game, odds.ways, stakes)
    show(odds, joint, margin, args)
    return OK


def _margin(text: str) -> float:
    try:
        percent = float(text.removesuffix("%"))
    except ValueError:
        percent = 0.0
    if not 0 < percent <= 100:
        raise BadInput(f"--within {text[:40]!r}: expected a percentage above 0, as in --within 0.5")
    return percent / 100


def show(odds: GameOdds, joint: Together | None, margin: float, args: Namespace) -> None:
    from longhu.odds import exports

    if args.json:
        told: dict[str, Any] = {**exports.as_json(odds)}
        if joint is not None:
            told["together"] = exports.together_json(joint)
        print(json.dumps(told, ensure_ascii=False, indent=2))
    elif args.csv:
        rows = exports.csv_rows(odds) if joint is None else exports.together_rows(joint)
        csv.writer(sys.stdout, lineterminator="\n").writerows(rows)
    else:
        _print(odds, joint, margin, args)


def _print(odds: GameOdds, joint: Together | None, margin: float, args: Namespace) -> None:
    from longhu.odds.report import line_sections, odds_report, together_section
    from longhu.report.blocks import Prose, Span

    blocks = odds_report(odds, margin)
    sections = line_sections(odds) if args.wager or args.markdown else []
    if joint is not None:
        sections.append(together_section(joint))
    if args.markdown:
        from longhu.report.markdown import as_markdown

        digest = Prose(f"Digest `{odds.game.digest}`.")
        print(as_markdown(f"{odds.game.name.en}: exact odds", (*blocks[1:], digest), tuple(sections)), end="")
        return
    from longhu.cli.terminal import Terminal

    out = Terminal()
    out.show(*blocks)
    for section in sections:
        out.show(Prose(Span(f"\n{section.title}", strong=True)), *section.blocks)


def _show_removals(game: Game, shoe: Shoe, wagers: dict[str, Wager], args: Namespace) -> int:
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
