"""`longhu par`: the PAR sheet of a game, as a page and as a PDF."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from longhu.cli.main import OK, BadInput
from longhu.cli.options.file import check_folder, written_whole
from longhu.cli.options.game import add_game, chosen_game, reload
from longhu.cli.options.shoe import add_shoe, add_wagers, chosen_shoe, chosen_wagers, tell_of_shoe
from longhu.cli.terminal import progress_if_watched

if TYPE_CHECKING:
    from datetime import date

    from longhu.games.game import Game
    from longhu.report.blocks import Report

EPILOG = """\
examples:
  longhu par dragon-tiger                             writes dragon-tiger-par.html and dragon-tiger-par.pdf
  longhu par dragon-21 --pdf dragon-21.pdf            the PDF alone
  longhu par dragon-21 --reading over_21_pays=1-to-2 --decks 6 --html sheet.html --pdf sheet.pdf
  longhu par immortal-dragon-tiger --layout C --date 2026-03-31
  longhu par dragon-tiger --html - | less             the page on the standard output
  longhu par --game my-game.toml

A PAR sheet, or probability accounting report, states what every wager returns and how that was counted:
paytable with exact ways, return, spread, returns by number of decks, wagers together, published figures and
readings of doubtful clauses. With neither --html nor --pdf, both are written in this folder. A file that is
there already is replaced as a whole. The same game, shoe and --date give the same bytes.
"""
STDOUT = "-"


def configure(parser: ArgumentParser) -> None:
    parser.description = "Write the PAR sheet (probability accounting report) of a game, as HTML and PDF."
    parser.epilog = EPILOG
    add_game(parser)
    add_shoe(parser)
    add_wagers(parser)
    parser.add_argument("--html", metavar="FILE", help="write the page there; - is the standard output")
    parser.add_argument("--pdf", metavar="FILE", help="write the PDF there")
    parser.add_argument("--date", metavar="YYYY-MM-DD", help="the date of the report (today if none is given)")


def run(args: Namespace) -> int:
    game = chosen_game(args)
    day = _day(args.date)
    both = args.html is None and args.pdf is None
    html, pdf = (f"{game.id}-par.html", f"{game.id}-par.pdf") if both else (args.html, args.pdf)
    if pdf == STDOUT:
        raise BadInput("--pdf -: a PDF goes to a file; name one, or use --html - for the page")
    for option, name in (("--html", html), ("--pdf", pdf)):
        if name is not None and name != STDOUT:
            check_folder(option, name)
    report = _report(game, args, day)
    tell = sys.stderr if html == STDOUT else sys.stdout
    if html is not None:
        from longhu.report.html import page

        text = page(report)
        if html == STDOUT:
            sys.stdout.buffer.write(text.encode())
        else:
            print(f"{html}: {_size(_write('--html', html, text.encode()))}", file=tell)
    if pdf is not None:
        from longhu.report.pdf import document, pages

        written = document(report)
        count = pages(written)
        size = _size(_write("--pdf", pdf, written))
        print(f"{pdf}: {count} page{'' if count == 1 else 's'}, {size}", file=tell)
    return OK


def _day(text: str | None) -> date:
    from datetime import date

    if text is None:
        return date.today()
    try:
        day = date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        day = None
    if day is None or day.year < 1970:
        raise BadInput(f"--date {text[:40]!r}: expected a day since 1970, as in --date 2026-03-31")
    return day


def _report(game: Game, args: Namespace, day: date) -> Report:
    from importlib.metadata import version

    from longhu.par.sections import Issue, report
    from longhu.par.sheet import gather, steps

    shoe, wagers = chosen_shoe(game, args), chosen_wagers(game, args)
    tell_of_shoe(game, args)
    with progress_if_watched("counting deals", steps(game)) as advance:
        sheet = gather(game, shoe, reload(args), wagers=wagers, layout=args.layout, advance=advance)
    words = _words(args)
    return report(
        sheet,
        Issue(
            date=day,
            version=version("longhu"),
            odds_command=shlex.join(["longhu", "odds", *words, "--json"]),
            par_command=shlex.join(["longhu", "par", *words, "--date", day.isoformat()]),
        ),
    )


def _words(args: Namespace) -> list[str]:
    """What the user said of game, shoe and wagers, for whoever wants the same again; files by their bare names."""
    words = ["--game", Path(args.game).name] if args.game else [args.id]
    shoe = args.shoe if args.shoe is None or ":" in args.shoe else Path(args.shoe).name
    for option, values in (
        ("--reading", args.reading),
        ("--decks", [args.decks]),
        ("--shoe", [shoe]),
        ("--without", [args.without]),
        ("--layout", [args.layout]),
        ("--wager", args.wager),
    ):
        words += [word for value in values if value is not None for word in (option, value)]
    return words


def _write(option: str, name: str, content: bytes) -> int:
    with written_whole(option, name) as file:
        return file.write(content)


def _size(octets: int) -> str:
    return f"{octets / 1024:,.0f} KiB"
