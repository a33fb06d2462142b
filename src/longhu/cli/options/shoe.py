"""How a command lets the user say which shoe: decks, counts, cards taken out, cards on the table."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from longhu.cli.main import BadInput

if TYPE_CHECKING:
    from longhu.cards import Card, Shoe
    from longhu.games.game import Game, Wager

SHOE_BYTES_MAX = 1 << 20


def add_shoe(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--decks", metavar="N", help="a full shoe of N decks (the game's usual number if none is given)")
    which.add_argument(
        "--shoe",
        metavar="S",
        help="a shoe by rank, A:32,2:31,… (ranks not named are absent), or a JSON file of counts by card",
    )
    parser.add_argument("--without", metavar="CARDS", help="cards taken out first: 8S,8S,KD")


def add_wagers(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--wager", metavar="W", action="append", default=[], help="only this wager; may be given several times"
    )
    parser.add_argument("--layout", metavar="L", help="only the wagers of this layout")


def chosen_shoe(game: Game, args: Namespace) -> Shoe:
    """The shoe before the round."""
    from longhu.cards import CardError, Shoe, ShoeError

    try:
        shoe = _by_counts(args.shoe) if args.shoe is not None else Shoe.of_decks(_decks(game, args.decks))
        left = shoe.without(_cards(args.without, "--without")) if args.without else shoe
    except (ShoeError, CardError) as error:
        raise BadInput(str(error)) from None
    if not left.size:
        raise BadInput("the shoe is empty: no round can be dealt from it")
    return left


def tell_of_shoe(game: Game, args: Namespace) -> None:
    """A note where the shoe is none that the document knows; for when all else is checked."""
    if args.decks is not None and not game.decks.min <= int(args.decks) <= game.decks.max:
        from longhu.paytable import decks

        print(
            f"longhu: {game.id} is played with {decks(game)} decks; {args.decks} are counted all the same",
            file=sys.stderr,
        )
    if args.shoe is not None and ":" in args.shoe and getattr(game.procedure, "suits", False):
        print(
            "longhu: --shoe tells ranks only; each is spread over the four suits as evenly as it goes", file=sys.stderr
        )


def _decks(game: Game, text: str | None) -> int:
    if text is None:
        return game.decks.default
    try:
        return int(text)
    except ValueError:
        raise BadInput(f"--decks {text[:40]!r}: expected a whole number, as in --decks {game.decks.default}") from None


def _by_counts(text: str) -> Shoe:
    from longhu.cards import Shoe

    if ":" not in text and "=" not in text:
        return Shoe.of_counts(_counts_in_file(text))
    counts: dict[str, int] = {}
    for entry in text.replace(",", " ").split():
        rank, sign, count = entry.partition(":")
        if not sign or not count.removeprefix("-").isdecimal() or len(count) > 9:
            raise BadInput(f"--shoe: {entry[:40]!r} is no rank with its count; write A:32,2:31,… or name a JSON file")
        if rank in counts:
            raise BadInput(f"--shoe: {rank} is counted twice")
        counts[rank] = int(count)
    return Shoe.of_ranks(counts)


def _counts_in_file(name: str) -> dict[str, Any]:
    try:
        with open(name, "rb") as file:
            text = file.read(SHOE_BYTES_MAX + 1)
    except OSError as error:
        raise BadInput(
            f"--shoe {name[:80]}: {error.strerror}; write counts by rank, A:32,2:31,…, or name a file"
        ) from None
    if len(text) > SHOE_BYTES_MAX:
        raise BadInput(f"--shoe {name[:80]}: the file is too large for counts of 52 cards")
    try:
        counts = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"--shoe {name[:80]}: no JSON file of counts by card ({str(error)[:120]})") from None
    if not isinstance(counts, dict):
        raise BadInput(f'--shoe {name[:80]}: expected counts by card, as in {{"AS": 8, "2S": 8}}')
    return counts


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:20]} is counted twice")
    return found


def chosen_dealt(args: Namespace) -> tuple[Card, ...]:
    return _cards(args.dealt, "--dealt") if args.dealt else ()


def _cards(text: str, option: str) -> tuple[Card, ...]:
    from longhu.cards import CardError, cards

    try:
        return cards(text)
    except CardError as error:
        raise BadInput(f"{option}: {error}") from None


def chosen_wagers(game: Game, args: Namespace) -> dict[str, Wager]:
    """The wagers named, or all of the layout, or all of the game."""
    from longhu.settlement import SettlementError, check_layout
    from longhu.wording import suggest

    try:
        offered = game.offered(check_layout(game, args.layout))
    except SettlementError as error:
        raise BadInput(error.text(game.localization())) from None
    chosen: dict[str, Wager] = {}
    for text in args.wager:
        for name in text.split(","):
            wager = game.wager_of_name.get(name) or game.wager_of_name.get(name.lower())
            if wager is None or wager.id not in offered:
                where = f" on layout {args.layout}" if args.layout else ""
                raise BadInput(f"{game.id} offers no wager {name[:40]!r}{where}.{suggest(name, offered)}")
            chosen[wager.id] = wager
    return chosen or dict(offered)
