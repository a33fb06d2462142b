"""What goes into a store, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from longhu.table.acts import Event

SECRET_BYTES = 32


class Standing(msgspec.Struct, frozen=True):
    """Where the trail of a table stands: what a `Chain` starts from."""

    table: str
    sequence: int
    head: str  # the digest of the last record
    last_at: int  # milliseconds, UTC


class Sealed(msgspec.Struct, frozen=True):
    """The secret of a committed shuffle, which stands in no record until it is revealed."""

    shoe: int
    secret: bytes

    def __repr__(self) -> str:
        """Without the secret: a log line must not have it."""
        return f"Sealed(shoe={self.shoe})"


class Append(msgspec.Struct, frozen=True):
    """What one command led to: all of it is stored, or nothing."""

    table: str
    after: int  # the sequence of the record that it follows
    head: str  # that record's digest, as it was seen
    lines: tuple[bytes, ...]  # as `Chain` made them
    postings: tuple[tuple[tuple[str, int], ...], ...]  # for each line: account, amount
    at: int  # of the last record
    command: str  # the id of the command: twice sent, once done
    seals: Sealed | None = None  # stored together with the commitment to it
    reveals: int | None = None  # the shoe whose secret stands in these records, and is a secret no more


class Appended(msgspec.Struct, frozen=True):
    """It is durable: these records were made."""

    first: int
    last: int


class Duplicate(msgspec.Struct, frozen=True):
    """The command was done before, with these records; nothing was done now."""

    first: int
    last: int


class Entry(msgspec.Struct, frozen=True):
    """One movement of an account, with the balance after it."""

    table: str
    sequence: int
    place: int  # among the postings of the record
    account: str
    amount: int
    balance: int


class TableEntry(msgspec.Struct, frozen=True):
    """A table of the house."""

    table: str
    game: str  # the digest of the rules that it has now
    created_at: int


def following(
    standing: Standing,
    lines: Sequence[bytes],
    events: Sequence[Event],
    command: str,
    *,
    seals: Sealed | None = None,
    reveals: int | None = None,
) -> Append:
    """What a command led to at a table that stood there; the money is what the events moved."""
    return Append(
        table=standing.table,
        after=standing.sequence,
        head=standing.head,
        lines=tuple(lines),
        postings=tuple(tuple(event.postings()) for event in events),
        at=max((event.at for event in events), default=standing.last_at),
        command=command,
        seals=seals,
        reveals=reveals,
    )
