"""`longhu count`: how far can a wager be beaten by somebody who watches the cards?"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from time import perf_counter
from typing import TYPE_CHECKING

from longhu.cli.main import OK, BadInput
from longhu.cli.options.dealing import check_workers, chosen_seed, whole_number
from longhu.cli.options.file import check_folder, written_whole
from longhu.cli.options.game import add_game, chosen_game
from longhu.cli.options.shoe import add_wagers, chosen_wagers
from longhu.cli.terminal import deliver, progress_if_watched

if TYPE_CHECKING:
    from longhu.counting.figures import Study
    from longhu.games.game import Game, Wager

EPILOG = """\
examples:
  longhu count immortal-dragon-tiger                      every wager, in one table
  longhu count dragon-bonus --wager dragon-bonus-player   one wager, with the effect of each card
  longhu count dragon-tiger --cut 104 --plot tiger.svg    two decks behind the cutting card
  longhu count dragon-21 --wager tie --shoes 20k --level 1

Every round of every shoe is really dealt, and before each the exact expectation of what is left is worked out. The
counter knows only the true count (the running count for each deck that is left) and bets a unit from the trigger on.
The ceiling is what nobody can pass: perfect play, which bets a unit whenever the exact expectation is positive.
The trigger is found on shoes of its own. The same seed gives the same figures on any number of threads.
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = (
        "How far each wager can be beaten: effects of removal, the best count, what it earns, the ceiling."
    )
    parser.epilog = EPILOG
    add_game(parser)
    add_wagers(parser)
    parser.add_argument("--decks", metavar="N", type=int, help="how many decks (as the game is usually dealt)")
    parser.add_argument(
        "--cut", metavar="CARDS", type=int, help="cards behind the cutting card (14, or what is needed)"
    )
    parser.add_argument("--shoes", metavar="N", help="shoes that are measured, as 20000 or 1M (a few seconds' work)")
    parser.add_argument("--seed", metavar="S", help="a whole number; where none is given, one is drawn and shown")
    parser.add_argument("--level", metavar="L", type=int, help="the largest tag of the count (the lowest that will do)")
    parser.add_argument("--workers", metavar="N", type=int, help="threads (all cores)")
    parser.add_argument("--plot", metavar="FILE", help="a picture of the expectation against depth, as SVG")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="for programs")
    how.add_argument("--csv", action="store_true", help="a row a wager")


def run(args: Namespace) -> int:
    from longhu.counting.report import as_json, study_report

    game = chosen_game(args)
    wagers = chosen_wagers(game, args)
    check_workers(args)
    if args.plot is not None:
        check_folder("--plot", args.plot)
    started = perf_counter()
    result = _studied(game, wagers, args)
    seconds = perf_counter() - started
    deliver(
        args,
        figures=lambda: as_json(result, seconds),
        rows=result.rows,
        blocks=lambda: study_report(result, seconds),
    )
    if args.plot is not None:
        from longhu.counting.picture import picture

        with written_whole("--plot", args.plot) as file:
            file.write(picture(result).encode())
    return OK


def _studied(game: Game, wagers: dict[str, Wager], args: Namespace) -> Study:
    from longhu.counting.study import study, trial_shoes, usual_shoes
    from longhu.simulate.plan import PlanError

    shoes = usual_shoes(game) if args.shoes is None else whole_number(args.shoes, "--shoes")
    with progress_if_watched("counting", shoes + trial_shoes(shoes)) as advance:
        try:
            return study(
                game,
                wagers,
                seed=chosen_seed(args),
                shoes=shoes,
                decks=args.decks,
                cut=args.cut,
                level=args.level,
                workers=args.workers,
                progress=advance,
            )
        except PlanError as error:
            raise BadInput(str(error)) from None
