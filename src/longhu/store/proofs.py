"""Exports: a table as a proof, which anybody checks without the house; other trails as they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from longhu.audit import proof
from longhu.audit.export import WHOLE
from longhu.audit.record import digest
from longhu.store.interface import Store


def proof_of(store: Store, table: str, *, program: str = "", key: str = "", last: int | None = None) -> Iterator[bytes]:
    """The whole table as it stands now, or up to a record, with its signed heads; `trail.export` cuts a shoe or a day out.

    With a key, only heads of that key are told: a proof has one.
    """
    heads = (head for head in store.heads(table) if head.key == key)
    head = next(heads, None)
    yield proof.opening_line(table, WHOLE, store.games(table), program=program, key=key)
    sequence, end = 0, ""
    for line in trail_lines(store, table, last):
        sequence, end = sequence + 1, digest(line.removesuffix(b"\n"))
        yield line
        while head is not None and head.sequence == sequence:
            yield proof.head_line(head)
            head = next(heads, None)
    yield proof.closing_line(sequence, end)


def trail_lines(store: Store, name: str, last: int | None = None) -> Iterator[bytes]:
    """The records of any trail as they stand now, or up to one of them, byte for byte, each with its end.

    The first names `trail.record.beginning(name)`, and each other one the digest of the line before. Those of a person
    hold what the password was made into, for that is part of the record: `house.record.told` leaves it out.
    """
    stands = store.standing(name).sequence
    for line in islice(store.records(name), stands if last is None else min(last, stands)):
        yield line + b"\n"
