"""How a command lets the user say what is dealt, and by whom: how many, from which seed, from which shoes, on how many threads."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from longhu.cli.main import BadInput

if TYPE_CHECKING:
    from longhu.games.game import Game
    from longhu.simulate.dealers import ByShoe

COUNT_MAX, WORKERS_MAX, DEPTHS_MAX = 1 << 62, 1024, 100
FACTORS = {"k": 10**3, "M": 10**6, "G": 10**9, "B": 10**9, "T": 10**12}


def add_dealing(parser: ArgumentParser) -> None:
    """`--seed`, `--decks`, the options of `--by-shoe`, and `--workers`."""
    parser.add_argument("--seed", metavar="S", help="a whole number; where none is given, one is drawn and shown")
    parser.add_argument("--decks", metavar="N", type=int, help="how many decks (as the game is usually dealt)")
    parser.add_argument(
        "--by-shoe", action="store_true", help="deal shoes to the cutting card, not a fresh one a round"
    )
    parser.add_argument(
        "--cut", metavar="CARDS", type=int, help="cards behind the cutting card (14, or what is needed)"
    )
    parser.add_argument("--burn", metavar="CARDS", type=int, help="cards that are burnt (0)")
    parser.add_argument("--after-cut", metavar="ROUNDS", type=int, help="rounds that begin behind the cutting card (0)")
    parser.add_argument("--workers", metavar="N", type=int, help="threads (all cores)")


def whole_number(text: str, option: str, most: int = COUNT_MAX) -> int:
    """`1000000`, `1e9`, `500M`: a whole number above 0."""
    factor = FACTORS.get(text[-1:], 1)
    digits = (text[:-1] if factor > 1 else text).replace("_", "").replace(",", "")
    try:
        number = Decimal(digits[:40]) * factor
    except InvalidOperation:
        number = Decimal(0)
    if not number.is_finite() or not 0 < number <= COUNT_MAX or number != int(number):
        raise BadInput(f"{option} {text[:40]!r}: expected a whole number above 0, as 1000000, 1e9 or 500M")
    if number > most:
        raise BadInput(f"{option} {text[:40]!r}: expected at most {most:,}")
    return int(number)


def chosen_seed(args: Namespace, kept: int | None = None) -> int:
    """The seed that was given, or the one of a run that goes on, or one that is drawn."""
    if args.seed is None:
        from secrets import randbits

        from longhu.simulate.simulation import SEED_BITS

        return randbits(SEED_BITS) if kept is None else kept
    if not args.seed.isascii() or not args.seed.isdigit() or len(args.seed) > 20:
        raise BadInput(f"--seed {args.seed[:40]!r}: expected a whole number from 0 to {(1 << 64) - 1}")
    return int(args.seed)


def chosen_shoes(game: Game, args: Namespace, depths: int | None = None) -> ByShoe | None:
    """Shoes dealt to the cutting card, in so many depths; None for a fresh shoe each round."""
    from longhu.simulate.dealers import ByShoe
    from longhu.simulate.plan import usual_cut

    options = {"--cut": args.cut, "--burn": args.burn, "--after-cut": args.after_cut, "--depths": depths}
    if not args.by_shoe:
        given = [name for name, value in options.items() if value is not None]
        if given:
            raise BadInput(f"{given[0]} is about shoes: add --by-shoe")
        return None
    after, steps = args.after_cut or 0, 1 if depths is None else depths
    if not 1 <= steps <= DEPTHS_MAX:
        raise BadInput(f"--depths {steps}: expected from 1 to {DEPTHS_MAX}")
    cut = usual_cut(game, max(after, 0)) if args.cut is None else args.cut
    rounds = (52 * (args.decks or game.decks.default) - cut) // game.procedure.initial_cards + after
    return ByShoe(cut, args.burn or 0, after, max(1, -(-rounds // steps)), steps)


def check_workers(args: Namespace) -> None:
    if args.workers is not None and not 1 <= args.workers <= WORKERS_MAX:
        raise BadInput(f"--workers {args.workers}: expected from 1 to {WORKERS_MAX}")
