"""Is a store what its records say? Digests that lead from one record to the next, and balances that are sums.

The end of every trail is looked at whenever a store is opened; the whole of one on demand. Whether the records follow the
rules is the business of `longhu verify`, on an export.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from longhu.store.entries import Entry
from longhu.store.errors import Damaged
from longhu.store.interface import Store
from longhu.trail.record import beginning, decode, digest

LAST = 20  # records of each table that are looked at on opening


def check_ends(store: Store, last: int = LAST) -> None:
    """The last records of every table; `Damaged` names the first that is wrong."""
    for each in store.tables():
        check_chain(store, each.table, last=last)


def check_chain(store: Store, table: str, *, last: int | None = None) -> int:
    """How many records were looked at: all of a table, or the last so many."""
    standing = store.standing(table)
    before = max(standing.sequence - last, 0) if last is not None else 0
    sequence = before
    head = beginning(table) if before == 0 else ""
    for line in store.records(table, after=before):
        if sequence == standing.sequence:
            break  # appended while this was reading
        sequence += 1
        start = f'{{"sequence":{sequence},"previous":"{head}'
        if not line.startswith(start.encode()):
            raise Damaged(
                f"{_place(table, sequence)} does not follow the one before: it starts with {line[:100]!r}. {_DO}"
            )
        head = digest(line)
    if (sequence, head) != (standing.sequence, standing.head):
        raise Damaged(
            f"table {table} should end with record {standing.sequence} and the digest {standing.head[:16]}…, and ends "
            f"with record {sequence} and {head[:16]}…. {_DO}"
        )
    return sequence - before


def check_money(store: Store, table: str) -> int:
    """Every posting against its record, every balance against the postings; how many there are.

    For a table to which nobody appends meanwhile.
    """
    held: Counter[str] = Counter()
    entries = store.entries(table)
    count = 0
    for sequence, line in enumerate(store.records(table), 1):
        for place, (account, amount) in enumerate(_postings(table, sequence, line)):
            held[account] += amount
            expected = Entry(table, sequence, place, account, amount, held[account])
            if (found := next(entries, None)) != expected:
                raise Damaged(f"{_place(table, sequence)} moved {expected}, and the ledger has {found}. {_DO}")
            count += 1
    if (more := next(entries, None)) is not None:
        raise Damaged(f"the ledger has {more}, which no record of table {table} moved. {_DO}")
    sums = {account: balance for account, balance in held.items() if balance}
    found_balances = store.balances(table)
    if found_balances != sums:
        wrong = sorted(sums.items() ^ found_balances.items())[0][0]
        raise Damaged(
            f"{wrong} at table {table} stands at {found_balances.get(wrong, 0)}, and its postings sum to "
            f"{sums.get(wrong, 0)}. {_DO}"
        )
    return count


def _postings(table: str, sequence: int, line: bytes) -> list[tuple[str, int]]:
    try:
        return list(decode(line).event.postings())
    except msgspec.MsgspecError as error:
        raise Damaged(f"{_place(table, sequence)} cannot be read: {error}. {_DO}") from None


def _place(table: str, sequence: int) -> str:
    return f"record {sequence} of table {table}"


_DO = "Stop the table, keep this database as it is, and compare it with a backup and with the heads kept outside."
