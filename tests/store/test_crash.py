"""Killed at any instant, a store has everything that was acknowledged, nothing twice, and no half of anything."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest

from longhu.store.errors import NotFound, StoreError
from longhu.store.group_commit import GroupCommit
from longhu.store.integrity import check_chain, check_ends, check_money, check_wallets
from longhu.store.interface import Store
from tests.store.appender import PEOPLE, PERSON, TABLES
from tests.store.house import Place, Seat, opened
from tests.store.server import Server

KILLS = int(os.environ.get("LONGHU_KILLS", "20"))
LONGEST = 0.1  # seconds that an appender lives


class Appenders:
    """Processes that append, one after the other; each is killed."""

    def __init__(self, place: Place) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.appender", place.backend, place.address, place.schema],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def killed(self, run: str, after: float, *, writing: bool) -> list[tuple[str, int, str]]:
        """What one of them said was stored, before it was killed: so long after its start, or after its first word."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(run.encode() + b"\n")
        self._process.stdin.flush()
        told: list[tuple[str, int, str]] = []
        for line in iter(self._process.stdout.readline, b""):
            words = line.decode().strip().split(maxsplit=2)
            if words == ["ended"]:
                return told
            if len(words) == 1:
                kill = threading.Timer(after, os.kill, (int(words[0]), signal.SIGKILL))
            else:
                told.append((words[0], int(words[1]), words[2]))
            if len(words) == 1 + 2 * writing and kill.ident is None:
                kill.start()
        raise AssertionError("the process that splits off appenders has ended")

    def close(self) -> None:
        self._process.communicate()


def check(store: Store, acknowledged: dict[tuple[str, str], int]) -> None:
    """Every acknowledged command is there with the records it was told to have; all that is there is sound."""
    check_ends(store)
    for (table, command), sequence in acknowledged.items():
        done = store.done(table, command)
        assert done is not None, (table, command)
        assert done.last == sequence
    for name in (*(each.table for each in store.tables()), *(each.name for each in store.trails())):
        check_chain(store, name)
        check_money(store, name)
    check_wallets(store)


@pytest.mark.clause("REC-1", "REC-3")
def test_whatever_was_acknowledged_survives_a_kill_at_any_instant(place: Place) -> None:
    chance = random.Random(KILLS)
    appenders = Appenders(place)
    acknowledged: dict[tuple[str, str], int] = {}
    try:
        for number in range(KILLS):
            told = appenders.killed(f"run-{number}", chance.uniform(0, LONGEST), writing=number % 3 > 0)
            for table, sequence, command in told:
                assert (table, command) not in acknowledged
                acknowledged[table, command] = sequence
            if number % 5 == 4:
                store = place.open()
                check(store, acknowledged)
                store.close()
    finally:
        appenders.close()
    assert len(acknowledged) > KILLS
    store = place.open()
    check(store, acknowledged)
    for table in TABLES:
        _commands_once(store, table)
    for person in PEOPLE:  # what they played was stored with the records, each once
        bought = sum(each.amount for each in store.follow(f"patron:{person}"))
        assert store.lost(person, 0) == bought
    assert store.lost(PERSON, 0) > 0
    store.close()


def _commands_once(store: Store, table: str) -> None:
    """The records of a table are those of its commands, each once and whole: 1 to 3 by its number."""
    try:
        last = store.standing(table).sequence
    except NotFound:
        return
    covered = 1  # the fill
    for run in range(KILLS):
        number = 1
        while done := store.done(table, f"run-{run} {number}"):
            assert done.last - done.first + 1 == 1 + number % 3
            covered += done.last - done.first + 1
            number += 1
    assert last in (0, covered)


@pytest.mark.clause("REC-1", "REC-3")
def test_a_server_that_fails_takes_nothing_acknowledged_with_it(server: Server) -> None:
    place = Place("postgresql", server.address, "failing")
    store = place.open()
    seat = opened(store)
    told: list[int] = []
    failed = threading.Event()

    def appends(writer: GroupCommit) -> None:
        try:
            while True:
                told.append(writer.append(seat.buys(100)).last)
        except StoreError:
            failed.set()

    with GroupCommit(store) as writer:
        thread = threading.Thread(target=appends, args=(writer,))
        thread.start()
        while len(told) < 20:
            time.sleep(0.005)
        server.kill()
        thread.join()
        server.start()
        assert failed.is_set()
        standing = store_after(store)
        assert standing.chain.sequence in (told[-1], told[-1] + 1)  # the last may have been written, and not told
        assert told == list(range(2, told[-1] + 1))
        check(store, {})
        writer.append(standing.buys(100))  # the same store and writer go on
    store.close()


def store_after(store: Store) -> Seat:
    """Somebody who goes on where the store stands; connections that were lost are made anew."""
    for _ in range(20):
        try:
            return Seat(store.standing("T1"))
        except StoreError:
            time.sleep(0.01)
    raise AssertionError("the store cannot be read")
