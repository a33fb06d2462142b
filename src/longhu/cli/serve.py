"""`longhu serve`: the tables and the page, until somebody stops it."""

from __future__ import annotations

import errno
import os
import socket
import sys
from argparse import ArgumentParser, Namespace
from shlex import quote
from typing import TYPE_CHECKING

from longhu.cli.main import OK, BadInput
from longhu.cli.options.house import add_house, chosen_config, typed_house

if TYPE_CHECKING:
    from longhu.server.config import Config, TableConfig
    from longhu.server.house import House

EPILOG = """\
examples:
  longhu serve --demo                          a whole house with play money, guests and robots
  longhu serve --demo --port 9000 --database practice.db
  longhu serve --config house.toml             a house with its own settings
  longhu serve --database postgresql://longhu@db.example/house --config house.toml
  LONGHU_PORT=8300 longhu serve --config house.toml

The demonstration keeps its data with the user's other data and goes on from there when it is started again.
Ctrl-C or SIGTERM stops: rounds in play are on record and go on at the next start. docs/server.md tells the rest.
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = "Serve the tables of a house over HTTP and WebSocket."
    parser.epilog = EPILOG
    add_house(parser)
    parser.add_argument("--host", metavar="ADDRESS", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--port", metavar="N", type=int, help="the port to listen on (8270); 0 takes any that is free")


def run(args: Namespace) -> int:
    if args.port is not None and not 0 <= args.port <= 65_535:
        raise BadInput(f"--port {args.port}: expected a number from 0 to 65535")
    config = chosen_config(args, os.environ, host=args.host, port=args.port)
    from longhu.server.api.app import serve

    try:
        serve(config, lambda address, house: _tell(args, config, address, house))
    except Exception as error:
        cause = _alone(error)
        told = _in_a_line(config, cause)
        if told is None:
            raise
        raise BadInput(told) from None
    print("Stopped. Everything is on record.", file=sys.stderr)
    return OK


def _alone(error: BaseException) -> BaseException:
    """What went wrong, out of the groups in which others have put it."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        (error,) = error.exceptions
    return error


def _in_a_line(config: Config, error: BaseException) -> str | None:
    """What the user can put right; None for anything else."""
    from longhu.server.config import BadConfig
    from longhu.store.errors import StoreError

    if isinstance(error, BadConfig | StoreError):
        return str(error)
    if not isinstance(error, OSError):
        return None
    if error.errno == errno.EADDRINUSE:
        return f"port {config.port} of {config.host} is in use: is a server running already? --port names another"
    if isinstance(error, socket.gaierror) or error.errno in (errno.EACCES, errno.EADDRNOTAVAIL):
        return f"{config.host} port {config.port}: {error.strerror}; --host and --port name others"
    return None


def _tell(args: Namespace, config: Config, address: str, house: House) -> None:
    """Where to look, once everything answers."""
    from longhu.cli.options.house import shown_address

    opened = config.origin or address
    print(f"Longhu is open at {opened}")
    if config.demo:
        _tell_demo()
    _tell_unopened(args, config, house)
    print(f"Its records are in {shown_address(config.database)}. Ctrl-C stops it.", flush=True)


def _tell_unopened(args: Namespace, config: Config, house: House) -> None:
    """Tables of the settings that are missing, and how to have them at the next start."""
    from longhu.accounts.house_log import UNAPPROVED
    from longhu.messages.localization import english

    for each in config.tables:
        if (refusal := house.unopened.get(each.table)) is not None:
            told = [f"Table {each.table} is not open", english(refusal.reason)]
            if refusal == UNAPPROVED:
                told.append(f"Approve them with `{_approval(args, each)}`, and start again")
            elif refusal.remedy:
                told.append(english(refusal.remedy))
            print(*(f"{sentence.rstrip('.')}." for sentence in told))


def _approval(args: Namespace, table: TableConfig) -> str:
    """What to type, so that this table opens in this house."""
    readings = [f"--reading {quote(f'{name}={option}')}" for name, option in table.readings.items()]
    return " ".join(filter(None, ["longhu admin games approve", quote(table.game), *readings, typed_house(args)]))


def _tell_demo() -> None:
    from longhu.server.demonstration.demo import ACCOUNTS, PASSWORD

    print("A demonstration: everything is play money. Come in as a guest, or sign in as one of the staff:")
    width = max(len(each.person) for each in ACCOUNTS)
    for each in ACCOUNTS:
        print(f"  {each.person:{width}}  {each.position.word}")
    print(f"The password of each is {PASSWORD!r}.")
