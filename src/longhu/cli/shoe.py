"""`longhu shoe`: a simulated shoe that reads its cards, for whoever builds one, tests a house or learns the procedure."""

from __future__ import annotations

import json
import os
import sys
import threading
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from typing import Any

from longhu.cli.main import OK, BadInput
from longhu.cli.practice.reading_shoe import FAULTS, CredentialRefused, Rates, SimulatedShoe

VARIABLE = "LONGHU_DEVICE"

EPILOG = """\
examples:
  longhu admin devices create shoe-3 --table T8 --config house.toml       tells the credential, once
  LONGHU_DEVICE=shoe-3:… longhu shoe simulate http://127.0.0.1:8270 T8
  longhu shoe simulate http://127.0.0.1:8270 T8 --seed 7 --misread 0.05 --drop 0.02 --json < credential.txt
  longhu shoe simulate http://127.0.0.1:8270 T8 --enter                   a card each time you press Enter

The shoe connects as a device, and draws a card whenever the table waits for one: it takes the place of the
dealer's hand as well. docs/device.md says what goes over the line.
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = "A simulated shoe that reads its cards."
    parser.epilog = EPILOG
    acts = parser.add_subparsers(metavar="WHAT", title="what to do", dest="what", required=True)
    run = acts.add_parser(
        "simulate",
        help="connect to a running house as a device, and deal",
        description="Connect to a running house as a device, and deal from a shuffled shoe.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    run.add_argument("house", metavar="ADDRESS", help="of the house, as http://127.0.0.1:8270")
    run.add_argument("table", metavar="TABLE")
    run.add_argument("--seed", metavar="N", type=int, default=1, help="of the shuffle and of the faults (1)")
    run.add_argument("--decks", metavar="N", type=int, default=8, help="in the shoe (8)")
    run.add_argument("--speed", metavar="SECONDS", type=float, default=1.0, help="from due to drawn (1.0)")
    run.add_argument("--cards", metavar="N", type=int, default=0, help="stop after so many (never)")
    run.add_argument("--enter", action="store_true", help="draw a card when Enter is pressed, due or not")
    run.add_argument("--json", action="store_true", help="for programs: one line for whatever is said and heard")
    for name in FAULTS:
        run.add_argument(f"--{name}", metavar="RATE", type=float, default=0.0, help=_SAYS[name])
    run.set_defaults(act=simulate)


_SAYS = {
    "drop": "cards of which nothing is told, of all cards (0)",
    "repeat": "cards that are told twice",
    "misread": "cards that cannot be read",
    "swap": "messages that come in the wrong order",
    "extra": "cards that come out with another",
    "remove": "cards taken out in another way",
    "disconnect": "cards after which the line is cut",
}


def run(args: Namespace) -> int:
    status: int = args.act(args)
    return status


def simulate(args: Namespace) -> int:
    rates = {name: getattr(args, name) for name in FAULTS}
    if any(each < 0 for each in rates.values()) or sum(rates.values()) > 1:
        raise BadInput("the rates of the faults are between 0 and 1, and together no more than 1")
    scheme, _, rest = args.house.rstrip("/").partition("://")
    if scheme not in ("http", "https") or not rest:
        raise BadInput(f"{args.house[:80]!r}: expected the address of a house, as http://127.0.0.1:8270")
    shoe = SimulatedShoe(
        address=f"{'wss' if scheme == 'https' else 'ws'}://{rest}/api/tables/{args.table}/device",
        credential=_credential(),
        decks=args.decks,
        seed=args.seed,
        delay=args.speed,
        rates=Rates(**rates),
        follows=not args.enter,
    )
    shoe.tell = lambda told: _tell(args, shoe, told)
    if args.enter:
        threading.Thread(target=_on_enter, args=(shoe,), daemon=True).start()
    try:
        shoe.run()
    except CredentialRefused:
        raise BadInput(f"the house does not take this credential for table {args.table}") from None
    return OK


def _credential() -> str:
    """From the environment, or the first line of the standard input; never an argument, which others can see."""
    found = os.environ.get(VARIABLE, "") or ("" if sys.stdin.isatty() else sys.stdin.readline().strip())
    if ":" not in found:
        raise BadInput(f"no credential: set {VARIABLE}, or give it as the first line of the standard input")
    return found


def _on_enter(shoe: SimulatedShoe) -> None:
    for _ in sys.stdin:
        shoe.ask()


def _tell(args: Namespace, shoe: SimulatedShoe, told: dict[str, Any]) -> None:
    if args.cards and shoe.cards >= args.cards and told.get("type") == "taken":
        shoe.stop()
    if args.json:
        print(json.dumps(told), flush=True)
    elif (line := _in_words(told)) is not None:
        print(line, flush=True)


def _in_words(told: dict[str, Any]) -> str | None:
    match told.get("what"), told.get("type"):
        case "heard", "welcome":
            return f"{told['table']} hears the shoe; it has {told['sequence']} of its messages"
        case "heard", "due":
            return f"round {told['round']}: a card for {told['hand']}" if told["due"] else "no card is due"
        case "heard", "taken" if told["became"] not in ("dealt", "noted"):
            return f"message {told['sequence']}: {told['became']}"
        case "heard", "turned-down":
            return f"message {told['sequence']} was turned down: {told['detail']}"
        case "said", "card":
            return f"  {told['card']}"
        case "fault", _:
            return f"  {told['card']}: {_SAYS[told['fault']].partition(' (')[0].partition(',')[0]}"
        case "cut-off", _:
            return "the line was cut; connecting again"
        case "no-line", _:
            return f"no line: {told['why']}; trying again"
    return None
