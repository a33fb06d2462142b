"""The house that `longhu admin` works on: its store, opened beside a running server, and what all acts share."""

from __future__ import annotations

import getpass
import json
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from longhu.cli.main import BadInput
from longhu.cli.terminal import Terminal, progress_if_watched
from longhu.report.blocks import Column, ColumnKind, Table

if TYPE_CHECKING:
    from longhu.eventsourcing import Refusal
    from longhu.server.config import Config
    from longhu.store.interface import Store

T = TypeVar("T")


@contextmanager
def opened(house: Config, address: str = "", *, new: bool = False) -> Iterator[Store]:
    """The store of the house, or another of the same kind; a file that is not there is made only where that is meant."""
    from longhu.store.address import is_server, open_store

    address = address or house.database
    if not new and not is_server(address) and not Path(address).exists():
        raise BadInput(f"{address}: no house is there; --database, --config or --demo names one")
    store = open_store(address)
    try:
        yield store
    finally:
        store.close()


def whole_check(store: Store, what: str) -> dict[str, int]:
    """Every trail from its first record to its last, and every balance; how many records each has."""
    from longhu.store.integrity import check_chain, check_money

    tables = [each.table for each in store.tables()]
    names = [*tables, *(each.name for each in store.trails())]
    found: dict[str, int] = {}
    with progress_if_watched(what, sum(store.standing(name).sequence for name in names)) as advance:
        for name in names:
            found[name] = check_chain(store, name)
            check_money(store, name)
            advance(found[name])
    return found


def reason(text: str = "") -> str:
    """Why something was done, for the trail: by whom on this machine, and what they said of it."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = "somebody"
    return f"longhu admin by {user}" + (f": {text}" if text else "")


class Printer:
    """Says what was done: a sentence or a table for people, JSON for programs."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    def __call__(self, data: object, sentence: str) -> None:
        if self.as_json:
            print(json.dumps(data, ensure_ascii=False, indent=2))
        else:
            print(sentence)

    def wrong(self, sentence: str) -> None:
        """Something is not as it was written: the last word of whatever was asked."""
        if self.as_json:
            print(json.dumps({"sound": False, "wrong": sentence}, ensure_ascii=False, indent=2))
        else:
            print(f"WRONG: {sentence}", file=sys.stderr)

    def table(self, rows: list[dict[str, Any]], columns: dict[str, str], nothing: str) -> None:
        """Rows by the names of their fields; `columns` gives each shown field its heading."""
        if self.as_json:
            print(json.dumps(rows, ensure_ascii=False, indent=2))
            return
        if not rows:
            print(nothing)
            return
        head = tuple(
            Column(title.removesuffix(">"), ColumnKind.NUMBER if title.endswith(">") else ColumnKind.TEXT)
            for title in columns.values()
        )
        Terminal().show(Table(head, tuple(tuple(str(row[name]) for name in columns) for row in rows)))


def asked_password(args: Namespace) -> str:
    """A new password: typed twice where somebody sits at a terminal, else the first line of the standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first, again = getpass.getpass(f"Password of {args.person}: "), getpass.getpass("Once more: ")
    if first != again:
        raise BadInput("the two passwords differ; nothing was done")
    return first


def agreed(answer: T | Refusal) -> T:
    """What the house has done; a refusal is the user's to put right."""
    from longhu.eventsourcing import Refusal

    if isinstance(answer, Refusal):
        raise BadInput(" ".join(str(answer).split()))
    return answer


def now() -> int:
    """Milliseconds, UTC."""
    return time.time_ns() // 1_000_000
