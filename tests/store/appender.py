"""A process that appends until it is killed, and tells what was acknowledged.

It is started once and splits off one appender after the other, for starting Python each time would take longer than the
test. Each appender is several threads behind one writer, each at a table of its own. What it tells goes to standard
output, a line at a time: the appender's process number, then `table sequence command` for everything acknowledged.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from itertools import count

from msgspec.structs import replace

from longhu.store.entries import Append, Appended, Duplicate, Play
from longhu.store.errors import AlreadyExists, InsufficientFunds, WrongExpectedVersion
from longhu.store.group_commit import GroupCommit
from tests.audit.evening import START
from tests.store.house import Place, Purse, Seat, rules

TABLES = ("T1", "T2", "T3")
PEOPLE = ("p0", "p1", "p2", "p3", "p4")
PERSON = PEOPLE[1]  # has a wallet, which money is paid into; the others play for cash
TRAIL = f"person:{PERSON}"
RETRIED = 4  # every so many commands one is sent twice


def append_for_ever(place: Place, run: str) -> None:
    store = place.open()
    writer = GroupCommit(store)
    with suppress(AlreadyExists):
        store.create_trail(TRAIL, START, wallet=PERSON)

    def appends(table: str) -> None:
        with suppress(AlreadyExists):
            store.create(table, rules(), START)
        seat = Seat(store.standing(table))
        if seat.chain.sequence == 0:
            writer.append(seat.fills())
        for number in count(1):
            command = f"{run} {number}"
            append = told(seat.buys(*[100] * (1 + number % 3), patron=PEOPLE[number % 5], command=command))
            done = stored(writer, append)
            os.write(1, f"{table} {done.last} {command}\n".encode())
            if number % RETRIED == 0:
                writer.append(append)

    def pays_in() -> None:
        purse = Purse(PERSON, store.standing(TRAIL))
        for number in count(1):
            command = f"{run} {number}"
            done = writer.append(purse.pays_in(250, command=command))
            os.write(1, f"{TRAIL} {done.last} {command}\n".encode())

    threads = [threading.Thread(target=appends, args=(table,), daemon=True) for table in TABLES]
    threads.append(threading.Thread(target=pays_in, daemon=True))
    for thread in threads:
        thread.start()
    threads[0].join()


def stored(writer: GroupCommit, append: Append) -> Appended | Duplicate:
    """It waits for whoever pays in."""
    while True:
        try:
            return writer.append(append)
        except InsufficientFunds:
            continue


def told(append: Append) -> Append:
    """With a play for each record, as if the chips were lost at once."""
    plays = [
        Play(account.removeprefix("patron:"), append.table, sequence, append.at, amount, -amount, sequence)
        for sequence, postings in enumerate(append.postings, append.after + 1)
        for account, amount in postings
        if account.startswith("patron:")
    ]
    return replace(append, plays=tuple(plays))


def race(place: Place, name: str, table: str, amount: int, times: int) -> None:
    """Append so many times to a table to which others append as well."""
    store = place.open()
    seat = Seat(store.standing(table))
    for number in range(times):
        while True:
            (result,) = store.commit([seat.buys(amount, command=f"{name} {number}")])
            if not isinstance(result, WrongExpectedVersion):
                break
            seat.stands(store.standing(table))
        if isinstance(result, Exception):
            raise result
        seat.stands(store.standing(table))
    store.close()


def main() -> None:
    backend, address, schema = sys.argv[1:4]
    place = Place(backend, address, schema)
    rules()  # read once, for all that are split off
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            append_for_ever(place, line.strip())
            os._exit(1)
        os.write(1, f"{child}\n".encode())
        os.waitpid(child, 0)
        os.write(1, b"ended\n")


if __name__ == "__main__":
    main()
