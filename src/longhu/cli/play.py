"""`longhu play`: a table in the terminal, against the automatic dealer."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from longhu.cli.main import OK, SOME_FAILED, BadInput
from longhu.cli.options.game import add_game, add_language, chosen_game, localization

if TYPE_CHECKING:
    from longhu.cli.practice.table import PracticeTable
    from longhu.games.game import Game
    from longhu.table.state import Limit

ROUNDS_MAX, DECIMAL = 1_000_000, "0123456789"

EPILOG = """\
at the table:
  player 50             a wager; several at once: tie 5 banker 100
  (Enter)               no more bets: the cards are dealt
  same, double, clear   as last round; twice as much; everything back
  odds, rules tie       the edge of every wager; what one pays, with clauses
  limits, roads, help   the notice; the scoreboard; everything that can be typed
  contribute TEXT       adds to the next shuffle; shuffle tells how this one is checked
  leave                 or Ctrl-D, or Ctrl-C

Where patrons handle the cards, yours are squeezed: Enter bends a card open a little further, r turns it at once.
Input from a pipe is read line by line as if it were typed; a squeeze then goes by itself.

examples:
  longhu play immortal-dragon-tiger                   with squeeze (Method A)
  longhu play dragon-21 --method B --others 3         three other patrons, who may hold the hand
  longhu play dragon-tiger --seed 7 --rounds 100 --bet tiger=25 --bet tie=5
  printf 'player 50\\n\\nleave\\n' | longhu play dragon-bonus --seed 1

No money is at stake. Without --seed the cards are shuffled by the operating system's generator.
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = "Play at a table in the terminal: the rules of the live table, without a server."
    parser.epilog = EPILOG
    add_game(parser)
    parser.add_argument("--bankroll", metavar="AMOUNT", default="1000.00", help="what you sit down with (1000.00)")
    parser.add_argument("--min", metavar="AMOUNT", default="5.00", help="the least on a wager (5.00)")
    parser.add_argument(
        "--max", metavar="AMOUNT", default="500.00", help="the most on a hand; a fifth of it on anything else (500.00)"
    )
    parser.add_argument("--decks", metavar="N", help="decks in the shoe (the game's usual number)")
    parser.add_argument("--layout", metavar="L", help="a layout of the game (the one with the most wagers)")
    parser.add_argument(
        "--method", metavar="M", help="how cards are dealt and who handles them (the first of the game)"
    )
    parser.add_argument("--others", metavar="N", default="0", help="so many other patrons, who bet at random (0)")
    parser.add_argument("--seed", metavar="N", help="shuffle from this number, to play the same cards again")
    parser.add_argument("--rounds", metavar="N", help="play so many rounds without asking, with the wagers of --bet")
    parser.add_argument("--bet", metavar="WAGER=AMOUNT", action="append", default=[], help="a wager for every round")
    parser.add_argument("--explain", action="store_true", help="with --rounds: every round card by card")
    parser.add_argument(
        "--log", metavar="FILE", help="keep the trail of the table in a file; `longhu verify FILE` checks it"
    )
    parser.add_argument("--fast", action="store_true", help="no pauses between cards")
    add_language(parser)


def run(args: Namespace) -> int:
    game = chosen_game(args)
    if args.bet and args.rounds is None:
        raise BadInput("--bet is for --rounds N; otherwise wagers are typed at the table")
    rounds = None if args.rounds is None else _count("--rounds", args.rounds, 1, ROUNDS_MAX)
    house = _practice_table(game, args)
    bets = _bets(house, args.bet)
    from longhu.fairness.source import SourceFailed

    try:
        return _play(args, house, rounds, bets)
    except SourceFailed as failure:
        return _suspended(failure)


def _play(args: Namespace, house: PracticeTable, rounds: int | None, bets: dict[str, int]) -> int:
    with _logged(house, args.log):
        from longhu.cli.practice.account import VisitAccount
        from longhu.cli.practice.page import Page, refusal_text
        from longhu.cli.practice.table import YOU

        account = VisitAccount(YOU)
        house.listeners.append(account.note)
        refusal = house.open()
        if refusal is not None:
            raise BadInput(" ".join(refusal_text(refusal, localization(house.game, args)).split("\n")))
        page = Page(house, account, args.language)
        if rounds is not None:
            from longhu.cli.practice.unattended import play_many

            return OK if play_many(page, rounds, bets, explain=args.explain) else SOME_FAILED
        from longhu.cli.practice.visit import PracticeVisit

        PracticeVisit(page, fast=args.fast).play()
    return OK


def _suspended(failure: Exception) -> int:
    print(f"longhu: the table is suspended. {failure}", file=sys.stderr)
    return SOME_FAILED


def _count(option: str, text: str, least: int, most: int) -> int:
    """A whole number within bounds."""
    digits = text.removeprefix("-")
    number = int(text) if digits and len(digits) < 19 and set(digits) <= set(DECIMAL) else None
    if number is None or not least <= number <= most:
        raise BadInput(f"{option} {text[:40]!r}: expected a whole number from {least} to {most}")
    return number


def _practice_table(game: Game, args: Namespace) -> PracticeTable:
    from longhu.cli.practice.table import PRACTICE, PracticeTable, own_name, practice_settings
    from longhu.settlement import SettlementError, check_decks, check_layout
    from longhu.table.default_settings import fullest_layout
    from longhu.wording import suggest

    try:
        decks = check_decks(game, None if args.decks is None else _count("--decks", args.decks, 1, 100))
        layout = check_layout(game, args.layout) or fullest_layout(game)
    except SettlementError as error:
        raise BadInput(error.text(localization(game, args))) from None
    method = next(iter(game.methods), "") if args.method is None else args.method
    if method and method not in game.methods:
        raise BadInput(f"{game.id} has no dealing method {method[:40]!r}.{suggest(method, game.methods)}")
    seats = game.layouts[layout].positions_max
    others = _count("--others", args.others, 0, 99)
    if others + 1 > seats:
        raise BadInput(f"--others {others}: layout {layout} has {seats} position{'s' * (seats > 1)}, and one is yours")
    bankroll, limits = _amount(game, "--bankroll", args.bankroll), _limits(game, layout, args)
    seed = None if args.seed is None else _count("--seed", args.seed, -(10**18), 10**18)
    settings = practice_settings(
        game,
        layout=layout,
        decks=decks,
        method=method,
        limits=limits,
        seats=others + 1,
        table=PRACTICE if args.log is None or seed is not None else own_name(),
    )
    return PracticeTable(game, settings, bankroll, others, seed)


def _amount(game: Game, option: str, text: str) -> int:
    from longhu.money import UNSTATED, MoneyError, parse

    try:
        amount = parse(text, game.currency or UNSTATED)
    except MoneyError as error:
        raise BadInput(f"{option}: {error}") from None
    if not amount:
        raise BadInput(f"{option} {text}: expected more than nothing")
    return amount


def _limits(game: Game, layout: str, args: Namespace) -> dict[str, Limit]:
    """The notice of the table: the document's own bounds come before the user's."""
    from longhu.eventsourcing import Refusal
    from longhu.table.default_settings import usual_limits

    least, most = _amount(game, "--min", args.min), _amount(game, "--max", args.max)
    if least > most:
        raise BadInput(f"--min {args.min} is more than --max {args.max}")
    limits = usual_limits(game, layout, least, most)
    if isinstance(limits, Refusal):
        raise BadInput(f"--min {args.min}: {localization(game, args).text(limits.reason)}")
    return limits


def _bets(house: PracticeTable, texts: list[str]) -> dict[str, int]:
    """`--bet player=50` as stakes by wager."""
    from longhu.cli.practice.words import NoSuchWager, NotUnderstood, wagers
    from longhu.wording import shown, suggest

    game = house.game
    bets: dict[str, int] = {}
    for text in texts:
        try:
            named = wagers(game, text)
        except NoSuchWager as error:
            possible = suggest(error.meant, house.settings.limits)
            raise BadInput(f"--bet {text[:60]!r}: {shown(error.word)} is no wager.{possible}") from None
        except NotUnderstood as error:
            raise BadInput(f"--bet {text[:60]!r}: {error}") from None
        for wager, amount in named:
            bets[wager.id] = bets.get(wager.id, 0) + amount
    return dict(sorted(bets.items(), key=lambda each: bool(game.wagers[each[0]].requires)))


@contextmanager
def _logged(house: PracticeTable, name: str | None) -> Iterator[None]:
    """Everything that happens goes to the file as it happens; at the end the last shuffle is revealed."""
    if name is None:
        yield
        return
    from longhu.cli.practice.trail import TrailFile

    try:
        file = open(name, "xb")  # noqa: SIM115  (closed below, whatever happens)
    except FileExistsError:
        raise BadInput(f"--log {name[:80]}: it exists, and a trail is never written over; name another file") from None
    except OSError as error:
        raise BadInput(f"--log {name[:80]}: {error.strerror}") from None
    with file:
        trail = TrailFile(file, house)
        try:
            yield
        finally:
            trail.end()
