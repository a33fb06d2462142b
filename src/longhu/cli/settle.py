"""`longhu settle`: rounds in, settled rounds out, one line for one line."""

from __future__ import annotations

import gc
import os
import stat
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, BinaryIO

from longhu.cli.main import OK, SOME_FAILED, BadInput
from longhu.cli.options.game import add_game, add_language, chosen_game, localization, readings

if TYPE_CHECKING:
    from longhu.games.game import Game
    from longhu.messages.localization import Localization
    from longhu.money import HouseRounding
    from longhu.roundfile import RoundFile

CHUNK_BYTES = 1 << 16

EPILOG = """\
input, one JSON object a line, the cards in the order in which they left the shoe:
  {"cards": ["5D", "KC", "2C", "4C", "QD"], "wagers": {"player": "100.00"}}

output, in the same order (shown here on several lines):
  {"hands": {"player": ["5D", "2C"], "banker": ["KC", "4C", "QD"]},
   "totals": {"player": 7, "banker": 4},
   "settlement": {"player": {"stake": "100.00", "result": "win", "pays": "1:2",
                             "net": "50.00", "clause": "IDT-4.1b"}},
   "net": "50.00"}

A line that cannot be settled gives {"error": "…", "line": 12} in its place, with "code", "args" and
"clause" where a rule refuses it, and the rest goes on; the exit status is then 1. Blank lines give nothing. `result` is win, push, half or lose.

examples:
  longhu settle immortal-dragon-tiger < rounds.jsonl > settled.jsonl
  longhu settle dragon-tiger rounds.jsonl --human      every round explained
  longhu settle --game my-game.toml rounds.jsonl
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = "Settle rounds given as cards and wagers: what each wager wins or loses, and by which clause."
    parser.epilog = EPILOG
    add_game(parser)
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="rounds as JSON lines (standard input if none is named)"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="JSON lines, also on a terminal")
    how.add_argument("--human", action="store_true", help="every round explained, also into a file")
    parser.add_argument(
        "--layout", metavar="L", help="accept only the wagers of this layout (all of the game's if none is named)"
    )
    parser.add_argument(
        "--decks", metavar="N", type=int, help="decks in the shoe (the game's usual number if none is named)"
    )
    parser.add_argument("--currency", metavar="CODE", help="sets the smallest unit: SGD has cents, JPY none")
    parser.add_argument(
        "--chip-unit",
        metavar="AMOUNT",
        help="round payments to whole chips of this amount, as a house that has posted so",
    )
    add_language(parser)


def run(args: Namespace) -> int:
    if args.game and args.id and not args.file:
        args.id, args.file = None, args.id  # with --game the only word left is the file of rounds
    game = chosen_game(args)
    rounds = _round_file(game, args)
    for id in readings(args):
        if game.readings[id].at_table:
            print(f"longhu: reading {id} is for a live table; it alters no settlement", file=sys.stderr)
    gc.freeze()  # the game stays: the collector need not look at it again for every few thousand rounds
    with _opened(args.file) as source:
        if args.human or (sys.stdout.isatty() and not args.json):
            _tell(rounds, source, localization(game, args, rounds.currency))
        else:
            _stream(rounds, source)
    if rounds.failed:
        print(f"longhu: {rounds.failed} of {rounds.rounds} rounds could not be settled", file=sys.stderr)
    return SOME_FAILED if rounds.failed else OK


def _round_file(game: Game, args: Namespace) -> RoundFile:
    from longhu.money import MoneyError, currency
    from longhu.roundfile import RoundFile
    from longhu.settlement import SettlementError

    try:
        money = currency(args.currency) if args.currency else None
        if money and game.currency and money != game.currency:
            raise BadInput(f"{game.id} states its limits in {game.currency.code}, not in {money.code}")
        rounding = _rounding(game, args, money)
        return RoundFile(game, decks=args.decks, layout=args.layout, rounding=rounding, currency=money)
    except SettlementError as error:
        raise BadInput(error.text(localization(game, args))) from None
    except MoneyError as error:
        raise BadInput(str(error)) from None


def _rounding(game: Game, args: Namespace, money: Any) -> HouseRounding | None:
    from dataclasses import replace

    from longhu.money import UNSTATED, parse

    if args.chip_unit is None:
        return None
    unit = parse(args.chip_unit, money or game.currency or UNSTATED)
    return replace(game.rounding, unit=unit)


def _opened(name: str | None) -> Any:
    if name is None or name == "-":
        if sys.stdin.isatty():
            print("longhu: reading rounds from the keyboard, one JSON object a line; Ctrl-D ends", file=sys.stderr)
        return nullcontext(sys.stdin.buffer)
    try:
        return open(name, "rb")
    except OSError as error:
        raise BadInput(f"{name}: {error.strerror}") from None


def _batches(source: BinaryIO) -> Iterator[list[bytes]]:
    """Lines as they arrive: what is there is settled at once, so that a pipe is answered while it is open."""
    from longhu.roundfile import lines_of

    read = getattr(source, "read1", source.read)
    first = True
    for lines in lines_of(iter(lambda: read(CHUNK_BYTES), b"")):
        if first and lines:
            lines[0], first = lines[0].removeprefix(b"\xef\xbb\xbf"), False
        yield lines


def _stream(rounds: RoundFile, source: BinaryIO) -> None:
    out = sys.stdout.buffer
    with _progress(source) as advance:
        for lines in _batches(source):
            if settled := "\n".join(rounds.settle_lines(lines)):
                out.write(settled.encode() + b"\n")
                out.flush()
            advance(sum(map(len, lines)) + len(lines))


def _progress(source: BinaryIO) -> Any:
    """A bar while a file is settled into another, where somebody is watching."""
    size = _size(source)
    if size < 20 * CHUNK_BYTES or not sys.stderr.isatty() or sys.stdout.isatty():
        return nullcontext(lambda _octets: None)
    from longhu.cli.terminal import progress

    return progress("settling", size, octets=True)


def _size(source: BinaryIO) -> int:
    try:
        found = os.fstat(source.fileno())
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def _tell(rounds: RoundFile, source: BinaryIO, words: Localization) -> None:
    """Every round as a page of explanation, and a summary at the end."""
    from longhu.deal.procedure import RuleError
    from longhu.money import show
    from longhu.transcript import transcript

    net = 0
    for lines in _batches(source):
        for raw in lines:
            rounds.line += 1
            if not raw.strip():
                continue
            rounds.rounds += 1
            try:
                settled = rounds.explain(raw)
            except ValueError as error:
                rounds.failed += 1
                why = error.text(words) if isinstance(error, RuleError) else str(error)
                print(f"line {rounds.line} cannot be settled: {why}\n")
                continue
            net += settled.settlement.net
            print(f"Round {rounds.line}: {transcript(settled, words.language)}\n", flush=sys.stdout.isatty())
    print(
        f"{rounds.rounds - rounds.failed} rounds settled, {rounds.failed} failed; the patron's net is {show(net, rounds.currency)}"
    )
