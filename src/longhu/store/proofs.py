"""A table of a store as a proof: self-contained lines that anybody checks without the house."""

from __future__ import annotations

from collections.abc import Iterator

from longhu.store.interface import Store
from longhu.trail import proof
from longhu.trail.export import WHOLE
from longhu.trail.record import digest


def proof_of(store: Store, table: str, *, program: str = "", key: str = "") -> Iterator[bytes]:
    """The whole table as it stands now, with its signed heads; `trail.export` cuts a shoe or a day out of it.

    With a key, only heads of that key are told: a proof has one.
    """
    standing = store.standing(table)
    heads = (head for head in store.heads(table) if head.key == key)
    head = next(heads, None)
    yield proof.opening_line(table, WHOLE, store.games(table), program=program, key=key)
    sequence, last = 0, ""
    for line in store.records(table):
        if sequence == standing.sequence:
            break
        sequence, last = sequence + 1, digest(line)
        yield line + b"\n"
        while head is not None and head.sequence == sequence:
            yield proof.head_line(head)
            head = next(heads, None)
    yield proof.closing_line(sequence, last)
