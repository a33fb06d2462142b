"""The `longhu` command: finds the subcommand and imports only that one."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import MutableMapping
from importlib import import_module
from os.path import dirname, join
from typing import NoReturn, Protocol, cast

PACKAGE = dirname(dirname(__file__))
COMPILED_CODE = "NUMBA_CACHE_DIR"  # the environment's name for where Numba keeps compiled code
OK, SOME_FAILED, BAD_INPUT, WRONG, INTERRUPTED = 0, 1, 2, 4, 130

COMMANDS = {
    "games": "the games: list, show, facts, check, diff",
    "rules": "the clauses of the rule documents, and where each stands",
    "settle": "settle rounds given as cards and wagers",
    "odds": "what every wager really returns, exactly, from any shoe",
    "claims": "published figures against the exact ones",
    "readings": "what each reading of a doubtful clause does to the figures",
    "simulate": "deal millions of rounds, and hold them against the exact odds",
    "session": "a patron with a bankroll and a system, many times over",
    "count": "how far each wager can be beaten by counting cards",
    "par": "the PAR sheet of a game, as HTML or PDF",
    "play": "a table in the terminal, against the automatic dealer",
    "serve": "the tables and the page, for many people",
    "shoe": "a simulated shoe that reads its cards, for a table of a house",
    "admin": "look after a house: people, tables, copies, exports",
    "verify": "check a proof: chain, shuffles, cards, settlements, money",
    "export": "a proof of a table, a shoe or a day",
    "anchor": "sign where a trail stands, and keep that outside",
    "rng": "randomness: bits and shuffles for a laboratory, tests, health",
}

ABOUT = """\
Longhu, the rulebook you can run: casino card games in which two hands are dealt
and the room bets on which is higher. Each game is one readable file.

commands:
{commands}

examples:
  longhu games show immortal-dragon-tiger
  longhu rules IDT-3.13-B4
  echo '{{"cards": ["KH", "KS"], "wagers": {{"tie": "10.00"}}}}' | longhu settle dragon-tiger

`longhu COMMAND --help` tells more. Results are for people on a terminal and for
programs with --json. Exit status: 0 done, 1 some of it failed, 2 bad input,
4 a proof is wrong.
"""


class Subcommand(Protocol):
    """What each module of a subcommand has."""

    def configure(self, parser: ArgumentParser) -> None: ...
    def run(self, args: Namespace) -> int: ...


class BadInput(Exception):
    """Something the user can put right; shown in one line, exit status 2."""


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message}\n`{self.prog} --help` tells how it is used\n")


def run() -> NoReturn:
    """The entry point: never a traceback for what a user can put right, never one for a closed pipe."""
    keep_compiled_code(os.environ)
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BadInput as error:
        print(f"longhu: {error}", file=sys.stderr)
        status = BAD_INPUT
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = OK
    sys.exit(status)


def main(argv: list[str]) -> int:
    """Run a command line; the exit status."""
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(about(), end="")
        return OK if argv else BAD_INPUT
    if argv[0] in ("-V", "--version"):
        from importlib.metadata import version

        print(f"longhu {version('longhu')}")
        return OK
    name = argv[0]
    if name not in COMMANDS:
        from longhu.wording import suggest

        raise BadInput(f"no command is called {name[:40]!r}.{suggest(name, COMMANDS)}")
    command = cast(Subcommand, import_module(f"longhu.cli.{name}"))
    parser = _Parser(prog=f"longhu {name}", formatter_class=RawDescriptionHelpFormatter)
    command.configure(parser)
    nested = parser._subparsers is not None
    return command.run(parser.parse_args(argv[1:]) if nested else parser.parse_intermixed_args(argv[1:]))


def about() -> str:
    width = max(map(len, COMMANDS))
    return ABOUT.format(commands="\n".join(f"  {name:{width}}  {says}" for name, says in COMMANDS.items()))


def keep_compiled_code(environ: MutableMapping[str, str], package: str = PACKAGE) -> None:
    """Let only the first run wait for the compiler.

    Numba keeps compiled code beside the program or with the user's other caches, and refuses to work where neither can be
    written: an installation of root's, run by a user without a home. There it is kept for this run alone, in a new folder.
    """
    if COMPILED_CODE in environ or os.access(package, os.W_OK) or _is_made(_of_user(environ)):
        return
    import atexit
    import shutil
    from tempfile import mkdtemp

    try:
        folder = mkdtemp(prefix="longhu-compiled-")
    except OSError:  # nothing at all can be written: whoever compiles is told
        return
    environ[COMPILED_CODE] = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


def _of_user(environ: MutableMapping[str, str]) -> str:
    return join(environ.get("XDG_CACHE_HOME") or join(environ.get("HOME") or "/nonexistent", ".cache"), "numba")


def _is_made(folder: str) -> bool:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
