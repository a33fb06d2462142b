"""`longhu admin`: people, tables, games, copies and exports of a house, on its database, whether it runs or not."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, get_args

from longhu.cli.main import WRONG, BadInput
from longhu.cli.options.house import add_house, chosen_config, shown_address
from longhu.protocol import Chips, Device

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    Acts = _SubParsersAction[ArgumentParser]

ABOUT = """

Everything is done on the database itself, beside a server that runs or without one, and is on record as done by
the house. A password is typed or comes by the standard input, never on the command line."""


def configure(parser: ArgumentParser) -> None:
    parser.description = "Look after a house: its people, tables, games, copies and exports."
    acts: Acts = parser.add_subparsers(metavar="WHAT", title="what to do", dest="what", required=True)
    _group(acts, "people", "people: create, list, positions, lock, passwords", _people)
    _group(acts, "tables", "tables: create, list, close", _tables)
    _group(acts, "devices", "shoes that read cards: create, list, revoke", _devices)
    _group(acts, "games", "games that tables may open with: approve, list", _games)
    _positions(acts)
    _copies(acts)
    _export(acts)
    _running(acts)
    parser.epilog = _shown(_one_of_each(acts)) + ABOUT


def run(args: Namespace) -> int:
    from longhu.cli.administration.house import Printer
    from longhu.store.errors import Damaged, StoreError

    args.house = chosen_config(args, os.environ)
    args.shown_address = shown_address(args.house.database)
    args.told = Printer(as_json=args.json)
    module, _, name = args.act.rpartition(".")
    act: Callable[[Namespace], int] = getattr(import_module(f"longhu.cli.{module}"), name)
    try:
        return act(args)
    except Damaged as damage:
        args.told.wrong(str(damage))
        return WRONG
    except StoreError as error:
        raise BadInput(str(error)) from None


def _group(acts: Acts, name: str, says: str, fill: Callable[[Acts], None]) -> None:
    """Acts that belong together; `fill` adds them."""
    parser = acts.add_parser(
        name, help=says, description=says.capitalize() + ".", formatter_class=RawDescriptionHelpFormatter
    )
    inner: Acts = parser.add_subparsers(metavar="ACT", title="what to do", required=True)
    fill(inner)
    examples = _one_of_each(inner)
    parser.epilog = _shown(examples) + ABOUT
    parser.set_defaults(examples=examples)


def _act(acts: Acts, name: str, says: str, act: str, *examples: str) -> ArgumentParser:
    """A leaf: what it is called, what it does, the function that does it, as `module.function`, and examples."""
    parser = acts.add_parser(
        name,
        help=says,
        description=says.capitalize() + ".",
        epilog=_shown(examples),
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_house(parser)
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(act=act, examples=examples)
    return parser


def _one_of_each(acts: Acts) -> tuple[str, ...]:
    """The first example of each."""
    return tuple(parser.get_default("examples")[0] for parser in acts.choices.values())


def _shown(examples: Iterable[str]) -> str:
    return "\n  ".join(("examples:", *examples))


def _people(acts: Acts) -> None:
    create = _act(
        acts,
        "create",
        "a new account, of a patron or of staff",
        "administration.people.create",
        'longhu admin people create ann --name "Ann Lee" --config house.toml  # asks for a password',
        'longhu admin people create li --name "Li Wei" --position pit-manager --config house.toml < password.txt',
    )
    create.add_argument("person", metavar="PERSON", help="the name to sign in with")
    create.add_argument("--name", metavar="TEXT", required=True, help="the name to be called by")
    create.add_argument("--position", metavar="POSITION", help="of staff; a patron without it")
    _act(
        acts,
        "list",
        "everybody who has an account",
        "administration.people.everybody",
        "longhu admin people list --config house.toml",
        "longhu admin people list --json --database house.db",
    )
    position = _act(
        acts,
        "position",
        "give somebody another position",
        "administration.people.position",
        'longhu admin people position li gaming-shift-manager --why "promoted" --config house.toml',
    )
    position.add_argument("person", metavar="PERSON")
    position.add_argument("position", metavar="POSITION", help="`longhu admin positions` lists them")
    lock = _act(
        acts,
        "lock",
        "let somebody sign in no more, and end their sessions",
        "administration.people.lock",
        'longhu admin people lock li --why "left the house" --config house.toml',
    )
    lock.add_argument("person", metavar="PERSON")
    unlock = _act(
        acts,
        "unlock",
        "let somebody sign in again, after a lock",
        "administration.people.unlock",
        'longhu admin people unlock li --why "is back" --config house.toml',
    )
    unlock.add_argument("person", metavar="PERSON")
    for parser in (position, lock, unlock):
        parser.add_argument("--why", metavar="TEXT", default="", help="for the record")
    password = _act(
        acts,
        "password",
        "a new password; all sessions end",
        "administration.people.password",
        "longhu admin people password ann --config house.toml  # asks for it twice",
        "longhu admin people password ann --config house.toml < password.txt",
    )
    password.add_argument("person", metavar="PERSON")


def _tables(acts: Acts) -> None:
    create = _act(
        acts,
        "create",
        "open a table, new or closed before",
        "administration.tables.create",
        "longhu admin tables create T7 --game dragon-tiger --min 5.00 --max 500.00 --config house.toml",
        "longhu admin tables create T8 --game dragon-tiger --dealer human --device hand-shoe --equipment T8.toml --config house.toml",
    )
    create.add_argument("table", metavar="TABLE", help="its name")
    create.add_argument("--game", metavar="GAME", required=True, help="a game's id, or a game file")
    create.add_argument("--reading", metavar="NAME=OPTION", action="append", default=[], help="of a doubtful clause")
    create.add_argument("--layout", metavar="L", default="", help="the one with the most wagers, unless told")
    create.add_argument("--method", metavar="M", default="", help="the game's first, unless told")
    create.add_argument("--decks", metavar="N", type=int, default=0, help="as many as usual, unless told")
    create.add_argument("--min", metavar="AMOUNT", default="1.00", help="the least on a wager (1.00)")
    create.add_argument("--max", metavar="AMOUNT", default="1000.00", help="the most on a hand (1000.00)")
    create.add_argument("--float", metavar="AMOUNT", default="100000.00", help="what is in the tray (100000.00)")
    create.add_argument(
        "--equipment", metavar="FILE", help="what stands on it (TOML): sets, shoe, cover, discard_rack, …"
    )
    create.add_argument("--cards-counted", metavar="N", type=int, default=0, help="in the set, by two of the staff")
    create.add_argument("--checked", metavar="ITEM", action="append", default=[], help="of the house's checklist, done")
    create.add_argument("--differential", metavar="AMOUNT", default="", help="the largest table differential")
    create.add_argument(
        "--favours-patrons",
        metavar="WAGER",
        action="append",
        default=[],
        help="a wager with a negative house edge that the operator offers all the same",
    )
    create.add_argument("--dealer", choices=("automatic", "human"), default="automatic", help="(automatic)")
    create.add_argument(
        "--device", choices=get_args(Device), default="virtual", help="what cards are dealt from (virtual)"
    )
    create.add_argument(
        "--chips", choices=get_args(Chips), default="electronic", help="what is wagered with (electronic)"
    )
    _act(
        acts,
        "list",
        "every table, open or closed",
        "administration.tables.every_table",
        "longhu admin tables list --config house.toml",
        "longhu admin tables list --demo",
    )
    close = _act(
        acts,
        "close",
        "end the shoe, count the tray and close a table",
        "administration.tables.close",
        "longhu admin tables close T7 --config house.toml",
        "longhu admin tables close T7 --wait 300 --config house.toml  # for a long round",
    )
    close.add_argument("table", metavar="TABLE")
    close.add_argument("--wait", metavar="SECONDS", type=float, default=60.0, help="for the round in play (60)")


def _devices(acts: Acts) -> None:
    create = _act(
        acts,
        "create",
        "a credential for a shoe, told once",
        "administration.devices.create",
        "longhu admin devices create shoe-3 --table T8 --config house.toml",
    )
    create.add_argument("device", metavar="DEVICE", help="what the shoe calls itself")
    create.add_argument("--table", metavar="TABLE", required=True, help="the only table that it speaks to")
    _act(
        acts,
        "list",
        "every shoe that has or had a credential",
        "administration.devices.every_device",
        "longhu admin devices list --config house.toml",
    )
    revoke = _act(
        acts,
        "revoke",
        "take a credential back: the shoe is heard no more",
        "administration.devices.revoke",
        'longhu admin devices revoke shoe-3 --why "sent for repair" --config house.toml',
    )
    revoke.add_argument("device", metavar="DEVICE")
    for parser in (create, revoke):
        parser.add_argument("--why", metavar="TEXT", default="", help="for the record")


def _games(acts: Acts) -> None:
    approve = _act(
        acts,
        "approve",
        "let tables open with a game as its file is now",
        "administration.tables.approve_game",
        "longhu admin games approve immortal-dragon-tiger --config house.toml",
        'longhu admin games approve our-game.toml --why "looked at by the pit" --config house.toml',
    )
    approve.add_argument("game", metavar="GAME", help="a game's id, or a game file")
    approve.add_argument("--reading", metavar="NAME=OPTION", action="append", default=[], help="of a doubtful clause")
    approve.add_argument("--why", metavar="TEXT", default="", help="for the record")
    _act(
        acts,
        "list",
        "games that this house has approved",
        "administration.tables.approved_games",
        "longhu admin games list --config house.toml",
    )


def _positions(acts: Acts) -> None:
    positions = _act(
        acts,
        "positions",
        "what each position may do",
        "administration.positions.positions",
        "longhu admin positions",
        "longhu admin positions pit-manager",
    )
    positions.add_argument("position", metavar="POSITION", nargs="?", help="only this one")


def _copies(acts: Acts) -> None:
    backup = _act(
        acts,
        "backup",
        "a copy of everything, while the house runs",
        "administration.copies.backup",
        "longhu admin backup sunday.db --config house.toml",
    )
    backup.add_argument("file", metavar="FILE", help="where to write it; never over a file that is there")
    restore = _act(
        acts,
        "restore",
        "put a backup in its place, while nothing runs",
        "administration.copies.restore",
        "longhu admin restore sunday.db --database other.db",
        "longhu admin restore sunday.db --replace --config house.toml  # the house that is there is kept beside it",
    )
    restore.add_argument("file", metavar="FILE", help="a backup")
    restore.add_argument("--replace", action="store_true", help="keep the house that is there under another name")


def _export(acts: Acts) -> None:
    export = _act(
        acts,
        "export",
        "a proof or a trail, for the auditor",
        "administration.export.export",
        "longhu admin export T7 --day 2026-11-16 --sign house.key -o day.jsonl --config house.toml",
        "longhu admin export --person ann -o ann.jsonl --config house.toml",
        "longhu admin export --floor -o house.jsonl --config house.toml",
        "longhu admin export --all everything --config house.toml",
    )
    export.add_argument("table", metavar="TABLE", nargs="?", help="a table; `longhu verify` checks the proof")
    export.add_argument("--shoe", metavar="N", type=int, help="one shoe of it, by its number")
    export.add_argument("--day", metavar="YYYY-MM-DD", help="one day of it, UTC")
    export.add_argument("--sign", metavar="KEYFILE", help="sign the last record (`longhu anchor --new-key`)")
    export.add_argument("--person", metavar="PERSON", help="the trail of somebody's account, instead of a table")
    export.add_argument("--floor", action="store_true", help="the trail of the house itself, instead of a table")
    export.add_argument("--all", metavar="FOLDER", help="everything: a proof of each table, and all other trails")
    export.add_argument("-o", "--output", metavar="FILE", help="where to write it; standard output otherwise")


def _running(acts: Acts) -> None:
    _act(
        acts,
        "check",
        "every record, balance and table of the house, made again",
        "administration.check.check",
        "longhu admin check --config house.toml",
        "longhu admin check --demo",
    )
    _act(
        acts,
        "nodes",
        "which server drives which table; a server that drives none is not listed",
        "administration.check.nodes",
        "longhu admin nodes --config house.toml",
    )
