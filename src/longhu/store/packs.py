"""How the records of a command, and what they moved, lie in one row: lines as they are, and postings as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from longhu.store.entries import Entry
from longhu.store.errors import Damaged

Moved = tuple[str, int, int]  # account, amount, balance after it

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(list[list[Moved]])


def packed(lines: Sequence[bytes], moved: Sequence[Sequence[Moved]]) -> tuple[bytes, str]:
    """The two columns; no record holds a line feed."""
    return b"\n".join(lines), _encoder.encode(moved).decode()


def lines_of(first: int, lines: bytes, after: int = 0, last: int | None = None) -> list[bytes]:
    """The records of a row that starts with number `first`: those behind one number, up to another."""
    found = lines.split(b"\n")
    return found[max(after + 1 - first, 0) : None if last is None else max(last + 1 - first, 0)]


def last_line(lines: bytes) -> bytes:
    """The last record of a row."""
    return lines.rpartition(b"\n")[2]


def entries_of(table: str, first: int, last: int, postings: str) -> Iterator[Entry]:
    """What the records of a row moved, from number `first` to `last`."""
    try:
        records = _decoder.decode(postings)
    except msgspec.MsgspecError as error:
        raise Damaged(f"what records {first} to {last} of {table} moved cannot be read: {error}") from None
    if len(records) != last - first + 1:
        raise Damaged(f"the postings of records {first} to {last} of {table} are those of {len(records)} records")
    for sequence, moved in enumerate(records, first):
        for place, (account, amount, balance) in enumerate(moved):
            yield Entry(table, sequence, place, account, amount, balance)


def named(account: str) -> str:
    """An account as it stands in the postings of every row that moves it."""
    return _encoder.encode(account).decode()
