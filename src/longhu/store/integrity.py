"""Integrity: checks of a store, and proofs of its tables that anybody checks without the house.

Every record names the digest of the one before, and every balance is the sum of its postings. The end of every trail is checked
whenever a store is opened; the whole of one on demand. A table here can be another trail as well, of a person or of the house.
Whether the records follow the rules is checked by `longhu verify`, on an exported proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from longhu.accounts import record as house
from longhu.audit import proof
from longhu.audit import record as trail
from longhu.audit.export import WHOLE
from longhu.audit.record import beginning, digest
from longhu.store.entries import Entry
from longhu.store.errors import Damaged
from longhu.store.interface import Store

LAST = 20  # records of each table that are looked at on opening
Postings = Sequence[tuple[str, int]]


def check_ends(store: Store, last: int = LAST) -> None:
    """The last records of every table, the last one of every other trail; `Damaged` names the first that is wrong."""
    for each in store.tables():
        check_chain(store, each.table, last=last)
    for end in store.ends():
        name, sequence = end.standing.table, end.standing.sequence
        found = digest(end.line) if end.line is not None else beginning(name) if sequence == 0 else "nothing"
        if end.more or found != end.standing.head:
            raise _another_end(name, sequence, end.standing.head, "more" if end.more else found)


def check_chain(store: Store, table: str, *, last: int | None = None) -> int:
    """How many records were looked at: all of a table, or the last so many."""
    standing = store.standing(table)
    before = max(standing.sequence - last, 0) if last is not None else 0
    sequence = before
    head = beginning(table) if before == 0 else ""
    for line in store.records(table, after=before):
        if sequence == standing.sequence:
            if store.standing(table) == standing:
                raise _another_end(table, standing.sequence, standing.head, "more")
            break  # appended while this was reading
        sequence += 1
        start = f'{{"sequence":{sequence},"previous":"{head}'
        if not line.startswith(start.encode()):
            raise Damaged(
                f"{_place(table, sequence)} does not follow the one before: it starts with {line[:100]!r}. {_DO}"
            )
        head = digest(line)
    if (sequence, head) != (standing.sequence, standing.head):
        raise _another_end(table, standing.sequence, standing.head, f"record {sequence} and {head}")
    return sequence - before


def _another_end(name: str, sequence: int, head: str, found: str) -> Damaged:
    return Damaged(
        f"{name} should end with record {sequence} and the digest {head[:16]}…, and there is {found[:40]}…. {_DO}"
    )


def check_money(store: Store, table: str) -> int:
    """Every posting against its record, every balance against the postings; how many there are.

    Others may append meanwhile: the balances are those of a moment at which all records had been looked at.
    """
    held: Counter[str] = Counter()
    sequence = count = 0
    while True:
        last = store.standing(table).sequence
        count += _check_postings(store, table, sequence, last, held)
        sequence = last
        more, balances = next(store.entries(table, last), None), store.balances(table, empty=True)
        if store.standing(table).sequence == last:
            break
    if more is not None:
        raise Damaged(f"the ledger has {more}, which no record of {table} moved. {_DO}")
    _check_balances(table, balances, held)
    if unknown := held.keys() - balances.keys():
        raise Damaged(f"{min(unknown)} was moved in {table}, and what it holds is not written down. {_DO}")
    return count


def _check_balances(table: str, balances: Mapping[str, int], held: Mapping[str, int]) -> None:
    """What accounts are said to hold, against what their postings add up to."""
    for account in sorted(balances.keys() | held.keys()):
        stands, sum = balances.get(account, 0), held.get(account, 0)
        if stands != sum:
            raise Damaged(f"{account} in {table} stands at {stands}, and its postings sum to {sum}. {_DO}")


def _check_postings(store: Store, table: str, after: int, last: int, held: Counter[str]) -> int:
    """The records behind one up to another, against what the ledger has of each; `held` is what they add up to."""
    is_table = any(each.table == table for each in store.tables())
    postings = _postings_of_table if is_table else _postings_of_house
    entries, count = store.entries(table, after), 0
    for sequence, line in enumerate(islice(store.records(table, after), last - after), after + 1):
        for place, (account, amount) in enumerate(_moved(table, sequence, line, postings)):
            held[account] += amount
            expected = Entry(table, sequence, place, account, amount, held[account])
            if (found := next(entries, None)) != expected:
                raise Damaged(f"{_place(table, sequence)} moved {expected}, and the ledger has {found}. {_DO}")
            count += 1
    if (more := next(entries, None)) is not None and more.sequence <= last:
        raise Damaged(f"the ledger has {more}, which no record of {table} moved. {_DO}")
    return count


def check_wallets(store: Store) -> int:
    """Every wallet against all postings in and out of that pocket, in all trails; how many there are.

    Others may append meanwhile.
    """
    count = 0
    for each in store.wallet_sums():
        if each.balance != each.posted:
            raise Damaged(
                f"the wallet of {each.person} holds {each.balance}, and the postings in all trails sum to {each.posted}. {_DO}"
            )
        count += 1
    return count


def _postings_of_table(line: bytes) -> Postings:
    return trail.decode(line).event.postings()


def _postings_of_house(line: bytes) -> Postings:
    return house.decode(line).event.postings()


def _moved(table: str, sequence: int, line: bytes, postings: Callable[[bytes], Postings]) -> Postings:
    try:
        return postings(line)
    except msgspec.MsgspecError as error:
        raise Damaged(f"{_place(table, sequence)} cannot be read: {error}. {_DO}") from None


def _place(table: str, sequence: int) -> str:
    return f"record {sequence} of {table}"


_DO = "Stop there, keep this database as it is, and compare it with a backup and with the heads kept outside."


# ------------------------------------------------ exports


def proof_of(store: Store, table: str, *, program: str = "", key: str = "", last: int | None = None) -> Iterator[bytes]:
    """The whole table as it stands now, or up to a record, with its signed heads; `audit.export` cuts a shoe or a day out.

    Only heads of the given key are in it: a proof has one key.
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

    The first names `audit.record.beginning(name)`, and each other one the digest of the line before. Those of a person
    hold the hash of the password, which is part of the record: `accounts.record.told` leaves it out.
    """
    stands = store.standing(name).sequence
    for line in islice(store.records(name), stands if last is None else min(last, stands)):
        yield line + b"\n"
