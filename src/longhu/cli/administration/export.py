"""`longhu admin export`: proofs of tables and trails of people, for the auditor, without any help of the house's server."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from longhu.cli.administration.house import now, opened, reason
from longhu.cli.export import signer_of, span_of
from longhu.cli.main import OK, BadInput
from longhu.cli.options.file import written_whole
from longhu.cli.terminal import progress_if_watched

if TYPE_CHECKING:
    from longhu.store.interface import Store


def export(args: Namespace) -> int:
    """One table or trail to a file or the standard output, or everything into a folder."""
    told = [bool(args.table), bool(args.person), args.floor, bool(args.all)]
    if sum(told) != 1:
        raise BadInput("name one thing to export: TABLE, --person PERSON, --floor or --all FOLDER")
    if not args.table and (args.shoe is not None or args.day or args.sign):
        raise BadInput("--shoe, --day and --sign are for one table")
    with opened(args.house) as store:
        status = _everything(args, store) if args.all else _one(args, store)
        asyncio.run(_note(args, store, "*" if args.all else args.table or args.person or "house"))
        return status


async def _note(args: Namespace, store: Store, of: str) -> None:
    """An export is a significant event (LOG-3)."""
    from longhu.accounts.alerts import ALERT_EXPORT, Significant
    from longhu.server.accounts.house_log import HouseLogService
    from longhu.store.group_commit import GroupCommit

    with GroupCommit(store) as writer:
        house_log = HouseLogService(store, writer, now, args.house.policy)
        await house_log.raise_alert(
            Significant.EXPORT, args.table or "", ALERT_EXPORT(person=reason(), what="log", of=of)
        )


def _one(args: Namespace, store: Store) -> int:
    from longhu.accounts.names import HOUSE_TRAIL, trail_of
    from longhu.audit.proof import ProofError

    name = args.table or (trail_of(args.person) if args.person else HOUSE_TRAIL)
    _check_there(args, store, name)
    lines = _proof(args, store, name) if args.table else _trail(store, name)
    try:
        if args.output is None:
            for line in lines:
                sys.stdout.buffer.write(line)
            return OK
        with written_whole("-o", args.output) as file:
            file.writelines(lines)
    except ProofError as error:
        raise BadInput(f"table {name}: {error}") from None
    checks = f" `longhu verify {args.output}` checks it." if args.table else ""
    args.told({"exported": name, "file": args.output}, f"{args.output}: written.{checks}")
    return OK


def _check_there(args: Namespace, store: Store, name: str) -> None:
    """Is there such a table, or such a trail?"""
    from longhu.store.errors import NotFound

    if args.table:
        if all(each.table != name for each in store.tables()):
            raise BadInput(f"no table is called {name[:80]!r}: `longhu admin tables list` tells which there are")
        return
    try:
        store.standing(name)
    except NotFound:
        if args.person:
            raise BadInput(
                f"nobody is called {args.person[:80]!r}: `longhu admin people list` tells who has an account"
            ) from None
        raise BadInput("the house has no trail of its own yet: nothing was done in it") from None


def _everything(args: Namespace, store: Store) -> int:
    """A folder with a file for each trail; names that no file could have are written with % signs."""
    folder = Path(args.all)
    tables = [each.table for each in store.tables()]
    trails = [each.name for each in store.trails()]
    try:
        for each in ("tables", "trails"):
            (folder / each).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--all {folder}: {error.strerror}") from None
    with progress_if_watched("exporting", len(tables) + len(trails)) as advance:
        for kind, names in (("tables", tables), ("trails", trails)):
            for name in names:
                lines = _proof(args, store, name) if kind == "tables" else _trail(store, name)
                with written_whole("--all", str(folder / kind / f"{quote(name, safe='')}.jsonl")) as file:
                    file.writelines(lines)
                advance(1)
    args.told(
        {"folder": str(folder), "tables": tables, "trails": trails},
        f"{folder}: {len(tables)} tables and {len(trails)} other trails. `longhu verify` checks each file in "
        "tables, and `longhu admin check` all trails.",
    )
    return OK


def _proof(args: Namespace, store: Store, table: str) -> Iterator[bytes]:
    """A table, or what was named of it; a round whose cards lie face down is not in it before its time."""
    from importlib.metadata import version

    from longhu.audit.export import export
    from longhu.audit.signed_heads import public_key
    from longhu.server.api.audit.visibility import told_until
    from longhu.server.streams.table_stream import load_snapshot
    from longhu.store.integrity import proof_of

    key = args.house.private_key()
    program, last = version("longhu"), told_until(store, table, load_snapshot(store, table))
    whole = proof_of(store, table, program=program, key=public_key(key) if key else "", last=last)
    if args.shoe is None and args.day is None and args.sign is None:
        return whole
    return export(whole, span_of(args), signer_of(args.sign), program)


def _trail(store: Store, name: str) -> Iterator[bytes]:
    """The records of a trail that is no table's, each with its digest, and without what passwords were made into."""
    import msgspec

    from longhu.accounts.record import told
    from longhu.store.integrity import trail_lines

    for line in trail_lines(store, name):
        yield msgspec.json.encode(told(line.removesuffix(b"\n"))) + b"\n"
