"""`longhu rng`: bits and shuffles for a laboratory, tests of shuffles, and the health of the source."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO

from longhu.cli.main import OK, SOME_FAILED, BadInput
from longhu.cli.options.file import written_whole
from longhu.cli.terminal import Terminal, progress_if_watched
from longhu.report.blocks import Column, ColumnKind, Prose, Span, Table, Tone

if TYPE_CHECKING:
    from longhu.fairness.significance import Verdict

CHUNK_BYTES = 1 << 16
BEHIND, DECKS = 14, 8  # cards behind the cutting card, and decks, where no game is named
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

EPILOG = """\
examples:
  longhu rng export --bits --count 64M -o raw.bin               bytes of the source, as the tables get them
  longhu rng export --shuffles --count 1000 --game dragon-tiger a shoe a line
  longhu rng export --shuffles --count 10 --decks 6 --json      with secret, mix and commitment
  longhu rng export --shuffle-bits --count 1M | dieharder -g 200 -d 3 -p 1
  longhu rng test                                               our tests on fresh shuffles, a few seconds
  longhu rng test shoes.txt                                     the same on shoes in a file, one a line
  longhu rng health                                             known answers and health tests, as at every start
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = "Randomness: export it by the way that live tables take, test it, and check its source."
    parser.epilog = EPILOG
    acts = parser.add_subparsers(metavar="WHAT", title="what to do", dest="what", required=True)

    def act(name: str, says: str, run: Callable[[Namespace], int]) -> ArgumentParser:
        sub = acts.add_parser(
            name,
            help=says,
            description=says.capitalize() + ".",
            epilog=EPILOG,
            formatter_class=RawDescriptionHelpFormatter,
        )
        sub.set_defaults(act=run)
        sub.add_argument("--json", action="store_true", help="for programs")
        return sub

    out = act("export", "raw bits or final shuffles, by the way that live tables take", export)
    what = out.add_mutually_exclusive_group(required=True)
    what.add_argument("--bits", action="store_true", help="bytes of the source, tested as they go by")
    what.add_argument("--shuffles", action="store_true", help="shoes, one a line")
    what.add_argument("--shuffle-bits", action="store_true", help="the fair bits that are in the order of the shoes")
    out.add_argument(
        "--count", metavar="N", required=True, help="how many bytes or shoes; 64K, 10M and 1G are understood"
    )
    out.add_argument("-o", "--output", metavar="FILE", help="write there instead of the standard output")
    _add_shoe(out)

    test = act("test", "our battery on final shuffles, with multiple-test control at 1 %%", run_battery)
    test.add_argument("file", metavar="FILE", nargs="?", help="shoes to test, one a line (- reads them from a pipe)")
    test.add_argument("--count", metavar="N", help="how many fresh shuffles (2000)")
    _add_shoe(test)

    act("health", "the checks of every start: known answers, and the tests that watch the source", health)


def _add_shoe(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--game", metavar="GAME", help="shoes as this game is dealt from; an id, or a game file")
    which.add_argument("--decks", metavar="N", help=f"shoes of N decks ({DECKS})")


def run(args: Namespace) -> int:
    from longhu.fairness.source import SourceFailed

    try:
        status: int = args.act(args)
    except SourceFailed as failed:
        print(f"longhu: {failed}", file=sys.stderr)
        return SOME_FAILED
    return status


# ------------------------------------------------ export


def export(args: Namespace) -> int:
    count, (decks, behind) = _count(args.count), _shoe(args)
    if args.json and not args.shuffles:
        raise BadInput("--json is for --shuffles; bits are written as they are")
    if not args.shuffles and args.output is None and sys.stdout.isatty():
        raise BadInput("bits are not for a terminal: name a file with -o, or send them into a pipe")
    if args.bits:
        parts, sized = _bits(count), True
    elif args.shuffle_bits:
        parts, sized = _shuffle_bits(count, decks, behind), True
    else:
        parts, sized = _shuffles(count, decks, behind, as_json=args.json), False
    shown = args.output is None and sys.stdout.isatty()
    with (
        _opened(args.output) as out,
        nullcontext(_unseen) if shown else progress_if_watched("exporting", count) as done,
    ):
        for part in parts:
            out.write(part)
            done(len(part) if sized else 1)
        out.flush()
    return OK


def _unseen(_done: int) -> None:
    """Nobody watches a bar through the lines that they read."""


def _bits(count: int) -> Iterator[bytes]:
    from longhu.fairness.source import RandomSource

    source = RandomSource()
    for start in range(0, count, CHUNK_BYTES):
        yield source.bytes(min(CHUNK_BYTES, count - start))


def _shuffles(count: int, decks: int, behind: int, *, as_json: bool) -> Iterator[bytes]:
    from longhu.cards import CARDS_PER_DECK
    from longhu.fairness.samples import mixes, orders, samples
    from longhu.fairness.source import RandomSource

    made_of = mixes((decks,) * CARDS_PER_DECK, count, behind)
    if as_json:
        import msgspec

        return (msgspec.json.encode(sample) + b"\n" for sample in samples(RandomSource(), made_of))
    return (" ".join(cards).encode() + b"\n" for cards in orders(RandomSource(), made_of))


def _shuffle_bits(count: int, decks: int, behind: int) -> Iterator[bytes]:
    from longhu.cards import CARDS_PER_DECK
    from longhu.fairness.samples import bits_of, mixes, orders
    from longhu.fairness.source import RandomSource

    counts = (decks,) * CARDS_PER_DECK
    for part in bits_of(orders(RandomSource(), mixes(counts, sys.maxsize - 1, behind)), counts):
        yield part[:count]
        count -= len(part)
        if count <= 0:
            return


def _opened(name: str | None) -> AbstractContextManager[BinaryIO]:
    if name is None:
        return nullcontext(sys.stdout.buffer)
    return written_whole("-o", name)


# ------------------------------------------------ test


def run_battery(args: Namespace) -> int:
    from longhu.fairness.battery import WrongCards
    from longhu.fairness.significance import ALPHA

    try:
        shoes, verdicts = _judged_file(args) if args.file else _judged_fresh(args)
    except WrongCards as wrong:
        print(f"longhu: {wrong}", file=sys.stderr)
        return SOME_FAILED
    passed = all(verdict.passed for verdict in verdicts)
    if args.json:
        tests = [_as_json(verdict) for verdict in verdicts]
        print(json.dumps({"shoes": shoes, "alpha": ALPHA, "passed": passed, "tests": tests}, indent=2))
    else:
        _show(shoes, verdicts, ALPHA)
    return OK if passed else SOME_FAILED


def _judged_fresh(args: Namespace) -> tuple[int, tuple[Verdict, ...]]:
    from longhu.cards import CARDS_PER_DECK
    from longhu.fairness import battery
    from longhu.fairness.samples import mixes, orders
    from longhu.fairness.source import RandomSource

    count, (decks, behind) = _count(args.count) if args.count else battery.SHOES, _shoe(args)
    _enough(count)
    counts, source = (decks,) * CARDS_PER_DECK, RandomSource()
    tests = battery.shoe_tests(counts)
    small = {size: battery.small_shoes(size) for size in battery.SMALL}
    with progress_if_watched("shuffling", count + sum(small.values())) as done:
        for _ in battery.look(tests, counts, orders(source, mixes(counts, count, behind))):
            done(1)
        for size, many in small.items():
            few = battery.small_counts(size)
            tests.append(battery.Orders(few))
            for _ in battery.look(tests[-1:], few, orders(source, mixes(few, many))):
                done(1)
    return count, battery.judge(tests)


def _judged_file(args: Namespace) -> tuple[int, tuple[Verdict, ...]]:
    from longhu.fairness import battery

    if args.count or args.game or args.decks:
        raise BadInput("--count, --game and --decks are for fresh shuffles; a file says itself what it holds")
    try:
        with nullcontext(sys.stdin) if args.file == "-" else open(args.file, encoding="ascii") as lines:
            shoes = (line.split() for line in lines)
            first = next(shoes, [])
            counts = _composition(first)
            tests = battery.shoe_tests(counts)
            number = max(battery.look(tests, counts, chain([first], shoes)))
    except OSError as error:
        raise BadInput(f"{args.file[:200]}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{args.file[:200]}: no shoes; expected cards with spaces between them, a shoe a line") from None
    _enough(number)
    return number, battery.judge(tests)


def _composition(cards: list[str]) -> list[int]:
    """How many of each card there are in the first shoe, and so in all."""
    from longhu.cards import CARDS_PER_DECK, DECK, NUMBER_OF_TEXT

    foreign = next((card for card in cards if card not in NUMBER_OF_TEXT), None)
    if foreign is not None:
        raise BadInput(f"line 1: {foreign[:20]!r} is no card; a shoe is written AS KD 7H …, one a line")
    if len(cards) < CARDS_PER_DECK:
        raise BadInput(f"line 1 has {len(cards)} cards; shoes of a deck or more are tested, one a line")
    return [cards.count(str(card)) for card in DECK]


def _enough(count: int) -> None:
    from longhu.fairness.battery import SHOES_MIN

    if count < SHOES_MIN:
        raise BadInput(f"{count} shoes are too few to tell anything: the tests need {SHOES_MIN} or more")


def _as_json(verdict: Verdict) -> dict[str, object]:
    finding = verdict.finding
    return {
        "test": finding.test,
        "statistic": finding.statistic,
        "freedom": finding.freedom or None,
        "p": finding.chance,
        "needed": verdict.needed,
        "passed": verdict.passed,
    }


def _show(shoes: int, verdicts: tuple[Verdict, ...], alpha: float) -> None:
    figures = ("Statistic", "Freedom", "p", "Fails below")
    columns = (Column("Test", ColumnKind.TEXT), *map(Column, figures), Column("Result", ColumnKind.TEXT))
    rows = tuple(
        (
            finding.test,
            f"{finding.statistic:,.2f}",
            f"{finding.freedom:,}" if finding.freedom else "normal",
            f"{finding.chance:.4g}",
            f"{needed:.2g}",
            _result(passed),
        )
        for finding, needed, passed in verdicts
    )
    failed = sum(not verdict.passed for verdict in verdicts)
    told = f"{failed} of {len(verdicts)} tests failed" if failed else f"all {len(verdicts)} tests passed"
    holm = f"a fair shuffle fails any of them at most once in {1 / alpha:.0f} runs (Holm)"
    Terminal().show(Table(columns, rows, title=f"{shoes:,} shoes"), Prose(f"{told}; {holm}"))


def _result(passed: bool) -> Span:
    return Span("passed", Tone.GOOD) if passed else Span("FAILED", Tone.BAD, strong=True)


# ------------------------------------------------ health


def health(args: Namespace) -> int:
    from longhu.fairness.start import start_checks

    checks = start_checks()
    passed = all(check.passed for check in checks)
    if args.json:
        told = [{"check": check.check, "found": check.found, "passed": check.passed} for check in checks]
        print(json.dumps({"passed": passed, "checks": told}, indent=2))
        return OK if passed else SOME_FAILED
    columns = tuple(Column(name, ColumnKind.TEXT) for name in ("Checked", "Found", "Result"))
    rows = tuple((check.check, check.found, _result(check.passed)) for check in checks)
    Terminal().show(Table(columns, rows))
    return OK if passed else SOME_FAILED


# ------------------------------------------------ what was asked for


def _count(text: str) -> int:
    """`64M` as a number."""
    digits, unit = (text[:-1], UNITS[text[-1]]) if text[-1:] in UNITS else (text, 1)
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 15 or not int(digits):
        raise BadInput(f"--count {text[:40]!r}: expected a whole number above 0, as in 1000 or 64M")
    return int(digits) * unit


def _shoe(args: Namespace) -> tuple[int, int]:
    """How many decks are mixed, and how many cards lie behind the cutting card; 0 where nobody cuts."""
    from longhu.cards import DECKS_MAX

    if args.game is not None:
        from longhu.cli.options.game import open_game

        game = open_game(args.game, {})
        return game.decks.default, 0 if game.reshuffled else BEHIND
    text = str(DECKS) if args.decks is None else args.decks
    if not text.isascii() or not text.isdecimal() or len(text) > 5 or not 1 <= int(text) <= DECKS_MAX:
        raise BadInput(f"--decks {text[:40]!r}: expected a whole number from 1 to {DECKS_MAX}, as in --decks {DECKS}")
    return int(text), BEHIND
