"""`longhu export`: a proof of a table, a shoe or a day."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from longhu.cli.main import OK, BadInput
from longhu.cli.options.file import written_whole

if TYPE_CHECKING:
    from longhu.audit.export import LogSpan, Signer

EPILOG = """\
examples:
  longhu export evening.jsonl --shoe 3 -o shoe-3.jsonl
  longhu export evening.jsonl --day 2026-11-16 --sign house.key -o day.jsonl
  longhu verify shoe-3.jsonl

A proof needs nothing else to be checked: the game files are inside. A shoe goes from the commitment to its
secret; a part starts where the state of the table was put on record, and carries that state.
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = "Take a proof of the whole, of one shoe or of one day from the trail of a table."
    parser.epilog = EPILOG
    parser.add_argument("trail", metavar="TRAIL", help="the trail of a table, as `longhu play --log` keeps it")
    parser.add_argument("--shoe", metavar="N", type=int, help="one shoe, by its number")
    parser.add_argument("--day", metavar="YYYY-MM-DD", help="one day, UTC")
    parser.add_argument(
        "--sign", metavar="KEYFILE", help="sign the last record with this key (`longhu anchor --new-key`)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it; standard output otherwise")


def run(args: Namespace) -> int:
    from importlib.metadata import version

    from longhu.audit.export import export
    from longhu.audit.proof import ProofError

    source = Path(args.trail)
    if args.output and source.exists() and Path(args.output).exists() and Path(args.output).samefile(source):
        raise BadInput("the trail itself is never written over; name another file")
    span, signer = span_of(args), signer_of(args.sign)
    try:
        with source.open("rb") as file:
            _write(export(file, span, signer, version("longhu")), args.output)
    except OSError as error:
        raise BadInput(f"{error.filename or args.trail}: {error.strerror}") from None
    except ProofError as error:
        raise BadInput(f"{args.trail}: {error}") from None
    return OK


def span_of(args: Namespace) -> LogSpan:
    """Which part `--shoe` or `--day` names; all of it where neither is said."""
    from longhu.audit import export

    if args.shoe is not None and args.day is not None:
        raise BadInput("--shoe and --day exclude each other")
    if args.shoe is not None:
        return export.shoe(args.shoe)
    if args.day is None:
        return export.whole()
    try:
        start = datetime.strptime(args.day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise BadInput(f"--day {args.day[:40]!r}: expected a day such as 2026-11-16") from None
    return export.day(round(start.timestamp() * 1000), args.day)


def signer_of(name: str | None) -> Signer | None:
    """Whoever signs with the key in a file."""
    if name is None:
        return None
    from longhu.audit.export import Signer
    from longhu.audit.signed_heads import public_key, signed
    from longhu.cli.anchor import read_key

    key = read_key(name)
    return Signer(
        public_key(key), lambda table, sequence, head: signed(table, sequence, head, time.time_ns() // 1_000_000, key)
    )


def _write(lines: Iterator[bytes], name: str | None) -> None:
    """All of it or nothing: a file appears when it is whole."""
    if name is None:
        for line in lines:
            sys.stdout.buffer.write(line)
        return
    with written_whole("-o", name) as file:
        file.writelines(lines)
    print(f"{name}: written. `longhu verify {name}` checks it.", file=sys.stderr)
