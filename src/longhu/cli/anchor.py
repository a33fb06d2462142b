"""`longhu anchor`: sign where a trail stands, and keep that where the house cannot reach it."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from longhu.cli.main import OK, BadInput

if TYPE_CHECKING:
    from longhu.audit.signed_heads import Head

EPILOG = """\
examples:
  longhu anchor --new-key house.key
  longhu anchor evening.jsonl --sign house.key --to heads.jsonl
  longhu anchor evening.jsonl --sign house.key --to https://auditor.example/heads
  longhu anchor evening.jsonl --sign house.key            a slip for paper
  longhu verify evening.jsonl --anchors heads.jsonl

A chain of digests shows that a record was altered. That the last records were cut off, or that all of it
was written anew, is seen only by somebody who has kept a head. Nothing is signed where a record does not follow
the one before it; whether all of them follow the rules is for `longhu verify`.
"""


def configure(parser: ArgumentParser) -> None:
    parser.description = "Sign the last record of a trail, and keep the signed head outside."
    parser.epilog = EPILOG
    parser.add_argument("trail", metavar="TRAIL", nargs="?", help="the trail of a table")
    parser.add_argument("--new-key", metavar="KEYFILE", help="make a key, and tell its public part")
    parser.add_argument("--sign", metavar="KEYFILE", help="the key to sign with")
    parser.add_argument("--to", metavar="FILE|URL", action="append", default=[], help="where to keep the head")


def run(args: Namespace) -> int:
    from longhu.audit.signed_heads import public_key, signed, slip

    if args.new_key:
        public = public_key(_new_key(args.new_key))
        print(f"{args.new_key}: a new key. Its public part, for everybody who checks:")
        print(public)
        return OK
    if not args.trail or not args.sign:
        raise BadInput("name the trail and the key: longhu anchor TRAIL --sign KEYFILE")
    table, sequence, digest = _last(args.trail)
    head = signed(table, sequence, digest, time.time_ns() // 1_000_000, read_key(args.sign))
    for target in args.to:
        _keep(head, target)
        print(f"{target}: record {sequence:,} is anchored", file=sys.stderr)
    if not args.to:
        print(slip(head))
    return OK


def _keep(head: Head, target: str) -> None:
    from longhu.audit.signed_heads import WitnessError, to_file, to_webhook

    try:
        if "://" in target:
            to_webhook(head, target)
        else:
            to_file(head, Path(target))
    except OSError as error:
        raise BadInput(f"--to {target[:80]}: {error.strerror}") from None
    except WitnessError as error:
        raise BadInput(f"--to {error}") from None


def _last(name: str) -> tuple[str, int, str]:
    """The table, the number of its last record, and the digest of that; each record must follow the one before."""
    from msgspec import MsgspecError

    from longhu.audit.proof import RECORD, ProofError, followed, read_opening
    from longhu.audit.record import decode, digest, why_no_record

    last = b""
    try:
        with open(name, "rb") as file:
            lines = followed(file)
            opening = read_opening(next(lines, b""))
            for line in lines:
                last = line if line.startswith(RECORD) else last
    except OSError as error:
        raise BadInput(f"{name[:80]}: {error.strerror}") from None
    except ProofError as error:
        raise BadInput(f"{name[:80]}: {error} Nothing was signed.") from None
    if not last:
        raise BadInput(f"{name[:80]}: no record is in it")
    try:
        return opening.table, decode(last).sequence, digest(last.rstrip(b"\n"))
    except MsgspecError as error:
        raise BadInput(f"{name[:80]}: the last record: {why_no_record(last, error)}") from None


def _new_key(name: str) -> bytes:
    from longhu.fairness.source import RandomSource

    key = RandomSource().bytes(32)
    try:
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise BadInput(f"--new-key {name[:80]}: {error.strerror}") from None
    with open(handle, "w") as file:
        file.write(key.hex() + "\n")
    return key


def read_key(name: str) -> bytes:
    """A private key from its file."""
    from longhu.fairness.shuffle import secret_of

    try:
        key = secret_of(Path(name).read_text().strip())
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{name[:80]}: {getattr(error, 'strerror', None) or 'is no key file'}") from None
    if key is None:
        raise BadInput(f"{name[:80]}: this is no key file; `longhu anchor --new-key` makes one")
    return key
