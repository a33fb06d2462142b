"""`longhu session`: a patron sits down with a bankroll and a system, many times over."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from longhu.cli.main import INTERRUPTED, OK, BadInput
from longhu.cli.options.dealing import add_dealing, check_workers, chosen_seed, chosen_shoes, whole_number
from longhu.cli.options.file import check_folder, written_whole
from longhu.cli.options.game import add_game, chosen_game
from longhu.cli.options.stakes import chosen_stakes
from longhu.cli.terminal import deliver, progress_if_watched

if TYPE_CHECKING:
    from longhu.games.game import Game
    from longhu.money import Money
    from longhu.sessions.figures import SessionFigures
    from longhu.sessions.plan import SessionPlan, TableLimits

EPILOG = """\
examples:
  longhu session dragon-tiger --bet dragon=10.00 --bankroll 500.00 --rounds 200
  longhu session immortal-dragon-tiger --bet banker=25.00 --bet tiger-tie=5.00 --bankroll 2000.00 --stop-win 500.00
  longhu session dragon-bonus --bet player=10.00 --bankroll 2000.00 --rounds 300 --system martingale --limit 10.00-500.00
  longhu session dragon-21 --bet dragon=10.00 --bankroll 300.00 --rounds 80 --by-shoe --plot sessions.svg
  longhu session dragon-tiger --bet tie=1.00 --bankroll 100.00 --rounds 50 --system my_systems:timid

Every round is really dealt and settled in whole cents, rounding and caps included. A session ends when its rounds are
played, when enough is won or lost, or in ruin: nothing is left, or too little for the next bet. No system changes
what is lost for each unit staked; the page shows both, with the distance in standard errors (z).

systems, in multiples of the bets; a round is won when it nets more than nothing, and a push changes nothing:
  flat         the same every round
  martingale   1 2 4 8 … after losses, back to 1 after a win
  paroli       1 2 4 after wins, back to 1 after a loss or three wins
  1-3-2-6      after wins, back to 1 after a loss or four wins
  MODULE:CALLABLE   your own: it is called with (history, bankroll, stakes) before every round, all amounts in the
               smallest unit, and returns stakes by wager, a multiple of the bets, or None to leave
What a system wants beyond the limits of the table or of the document is brought within.
"""
USUAL_ROUNDS = 100


def configure(parser: ArgumentParser) -> None:
    parser.description = "A patron's sessions: how they end, the risk of ruin, how long they last, how deep they fall."
    parser.epilog = EPILOG
    add_game(parser)
    parser.add_argument(
        "--bet", metavar="WAGER=AMOUNT", action="append", default=[], help="one unit; may be given several times"
    )
    parser.add_argument("--bankroll", metavar="AMOUNT", help="what the patron brings")
    parser.add_argument(
        "--rounds",
        metavar="N",
        help=f"get up after so many ({USUAL_ROUNDS}; with --stop-win or --stop-loss a million)",
    )
    parser.add_argument("--stop-win", metavar="AMOUNT", help="get up when so much is won")
    parser.add_argument("--stop-loss", metavar="AMOUNT", help="get up when so much is lost")
    parser.add_argument(
        "--system", metavar="S", default="flat", help="flat, martingale, paroli, 1-3-2-6 or MODULE:CALLABLE (flat)"
    )
    parser.add_argument("--limit", metavar="MAX", help="the table's limit on each wager, as 500.00 or 10.00-500.00")
    parser.add_argument("--sessions", metavar="N", help="how many (100k; 5000 with a system of your own)")
    add_dealing(parser)
    parser.add_argument("--plot", metavar="FILE", help="draw the results and the course of the bankroll, as SVG")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="for programs")
    how.add_argument("--csv", action="store_true", help="a row for each result that came up")


def run(args: Namespace) -> int:
    from longhu.sessions.report import as_json, session_report
    from longhu.sessions.session import carry_out
    from longhu.sessions.systems import SystemFault

    plan = _plan(chosen_game(args), args)
    check_workers(args)
    if args.plot is not None:
        check_folder("--plot", args.plot)
    try:
        with progress_if_watched("playing", plan.sessions) as advance:
            found, stopped = carry_out(plan, args.workers, advance)
        if not found.sessions:
            print("longhu: stopped before a session was over", file=sys.stderr)
            return INTERRUPTED
        if args.plot is not None:
            _draw(found, args.plot)
    except SystemFault as error:
        raise BadInput(f"--system: {error}") from None
    deliver(args, figures=lambda: as_json(found), rows=found.rows, blocks=lambda: session_report(found))
    if stopped:
        print(f"longhu: stopped after {found.sessions:,} of {plan.sessions:,} sessions", file=sys.stderr)
    return INTERRUPTED if stopped else OK


def _plan(game: Game, args: Namespace) -> SessionPlan:
    from longhu.sessions.plan import ROUNDS_MAX, SESSIONS_MAX, session_plan
    from longhu.sessions.session import usual_number
    from longhu.sessions.systems import SystemFault, system
    from longhu.simulate.plan import PlanError

    if not args.bet:
        raise BadInput(f"nothing is wagered: add --bet {next(iter(game.wagers))}=10.00")
    if args.bankroll is None:
        raise BadInput("what does the patron bring? Add --bankroll 500.00")
    try:
        chosen = system(args.system)
    except SystemFault as error:
        raise BadInput(f"--system: {error}") from None
    stop_win, stop_loss = (
        None if text is None else _amount(game, text, option)
        for option, text in (("--stop-win", args.stop_win), ("--stop-loss", args.stop_loss))
    )
    usual = ROUNDS_MAX if stop_win or stop_loss else USUAL_ROUNDS
    bankroll = _amount(game, args.bankroll, "--bankroll")
    try:
        return session_plan(
            game,
            stakes=chosen_stakes(game, args.bet, "--bet"),
            bankroll=bankroll,
            system_name=args.system,
            system=chosen,
            sessions=_number(args.sessions, usual_number(chosen), "--sessions", SESSIONS_MAX),
            seed=chosen_seed(args),
            rounds=_number(args.rounds, usual, "--rounds", ROUNDS_MAX),
            stop_win=stop_win,
            stop_loss=stop_loss,
            limits=_limits(game, args.limit),
            decks=args.decks,
            by_shoe=chosen_shoes(game, args),
        )
    except PlanError as error:
        raise BadInput(str(error)) from None


def _number(text: str | None, usual: int, option: str, most: int) -> int:
    return usual if text is None else whole_number(text, option, most)


def _limits(game: Game, text: str | None) -> TableLimits | None:
    """`500.00`, or `10.00-500.00`."""
    from longhu.sessions.plan import TableLimits

    if text is None:
        return None
    least, sign, most = text.partition("-")
    if not sign:
        return TableLimits(max=_amount(game, text, "--limit"))
    return TableLimits(_amount(game, least, "--limit"), _amount(game, most, "--limit"))


def _amount(game: Game, text: str, option: str) -> Money:
    from longhu.money import UNSTATED, MoneyError, parse

    try:
        return parse(text, game.currency or UNSTATED)
    except MoneyError as error:
        raise BadInput(f"{option}: {error}") from None


def _draw(found: SessionFigures, name: str) -> None:
    with written_whole("--plot", name) as file:
        file.write(found.picture().encode())
